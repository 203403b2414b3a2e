/* Layer 3: the kernels that list segments which only the GPU knows, beside their CPU twins. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "twin_list_run.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define GROUP SEGSORT_LIST_GROUP
#define CHUNK_ROWS (SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS)

static uint32_t work_groups = 65535;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (!memory)
        abort();
    return memory;
}

static bool compare(struct twin_list_case *list_case)
{
    list_case->work_groups = work_groups;
    return twin_list_compare(list_case);
}

/* ---------------------------------------------------------------------------------------------- */
/* Lists */

/* Around the edges of every class, of a tile and of a chunk. */
static uint32_t edge_length(uint64_t *state)
{
    static const uint32_t edges[] = {0, 4096 + SEGSORT_RADIX_TILE_ROWS, CHUNK_ROWS, 8192,
                                     3 * CHUNK_ROWS};
    uint32_t which = generate_below(state, 16);
    uint32_t edge = which < 12 ? 2u << which : edges[generate_below(state, COUNT_OF(edges))];
    uint32_t length = edge + generate_below(state, 3);
    return length > 0 ? length - 1 : 0;
}

static gl_segsort_plan_desc desc_of(int source, uint32_t max_segments)
{
    return (gl_segsort_plan_desc){.label = "plan",
                                  .segment_source = (gl_segsort_segment_source)source,
                                  .max_segments = max_segments,
                                  .max_rows = UINT32_MAX - 1,
                                  .max_length = 3 * CHUNK_ROWS};
}

/* Every other entry that is refused is so for another reason. Single rows have to stay within the
 * buffers, and no two of them may be written to one place. */
static uint32_t *make_ranges(uint32_t count, bool in_place, uint64_t seed)
{
    uint32_t *list = allocate(20 * ((size_t)count + 1));
    uint64_t state = seed + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *entry = list + 5 * (size_t)i;
        entry[0] = generate_below(&state, TWIN_LIST_STREAM_ROWS);
        entry[1] = generate_below(&state, TWIN_LIST_STREAM_ROWS);
        entry[2] = in_place ? entry[0] : i % TWIN_LIST_STREAM_ROWS;
        entry[3] = in_place ? entry[1] : i % TWIN_LIST_STREAM_ROWS;
        entry[4] = edge_length(&state);
        switch (generate_below(&state, 40)) {
        case 0:
            entry[generate_below(&state, 4)] = UINT32_MAX - generate_below(&state, 3);
            break;
        case 1:
            entry[4] = UINT32_MAX - generate_below(&state, 2);
            break;
        case 2:
            entry[4] = 3 * CHUNK_ROWS + generate_below(&state, 2);
            break;
        case 3: /* up to the end of a view, and a row further */
            entry[4] = 7;
            entry[generate_below(&state, 4)] = TWIN_LIST_VIEW_ROWS - 7 + generate_below(&state, 5);
            break;
        case 4:
            entry[2 + generate_below(&state, 2)] ^= entry[4] > 1;
            break;
        default:
            break;
        }
    }
    return list;
}

static uint32_t *make_offsets(uint32_t count, uint64_t seed)
{
    uint32_t *list = allocate(4 * ((size_t)count + 1));
    uint64_t state = seed + 1;
    list[0] = 5;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = edge_length(&state);
        bool outside = length == 1 && list[i] >= TWIN_LIST_STREAM_ROWS - 1;
        list[i + 1] =
            outside || generate_below(&state, 50) == 0
                ? generate_below(&state, list[i] < TWIN_LIST_STREAM_ROWS ? list[i] + 1
                                                                         : TWIN_LIST_STREAM_ROWS)
                : list[i] + length;
        if (list[i + 1] == list[i] + 1 && list[i] >= TWIN_LIST_STREAM_ROWS)
            list[i + 1]++;
        if (list[i + 1] > TWIN_LIST_VIEW_ROWS + 5 * CHUNK_ROWS)
            list[i + 1] = 3;
    }
    return list;
}

/* Segments whose start no word holds, among them. */
static uint32_t *make_lengths(uint32_t count, uint32_t stride, uint64_t seed)
{
    uint32_t *list = allocate(4 * ((size_t)count + 1));
    uint64_t state = seed + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = edge_length(&state);
        list[i] = stride < 10 ? length % 5 : generate_below(&state, 30) == 0 ? UINT32_MAX : length;
        if (list[i] == 1 && (uint64_t)i * stride >= TWIN_LIST_STREAM_ROWS)
            list[i] = 2;
    }
    return list;
}

static uint32_t *make_list(const struct twin_list_case *list_case, uint64_t seed)
{
    switch (list_case->plan.segment_source) {
    case GL_SEGSORT_SEGMENTS_GPU_OFFSETS:
        return make_offsets(list_case->entries, seed);
    case GL_SEGSORT_SEGMENTS_GPU_RANGES:
        return make_ranges(list_case->entries, list_case->in_place, seed);
    default:
        return make_lengths(list_case->entries, list_case->plan.segment_stride, seed);
    }
}

static void compare_list(const char *name, const gl_segsort_plan_desc *like, int source,
                         uint32_t count, uint32_t number)
{
    static const uint32_t strides[] = {5, 3 * CHUNK_ROWS, 1u << 22, 1};
    struct twin_list_case list_case = {.name = name,
                                       .plan = desc_of(source, count),
                                       .entries = count,
                                       .seen = count,
                                       .counted = number % 2,
                                       .no_status = number % 5 == 4,
                                       .in_place = number % 3 == 2};
    list_case.plan.algorithm = like->algorithm;
    list_case.plan.key_type = like->key_type;
    list_case.plan.value_type = like->value_type;
    if (source == GL_SEGSORT_SEGMENTS_GPU_STRIDED)
        list_case.plan.segment_stride = strides[number / 2 % COUNT_OF(strides)];
    if (like->max_length > 0)
        list_case.plan.max_length = like->max_length;
    uint32_t *list = make_list(&list_case, number);
    list_case.list = list;
    CHECK(compare(&list_case), "%s: source %d, algorithm %d, %u segments, number %u", name, source,
          (int)like->algorithm, count, number);
    free(list);
}

/* ---------------------------------------------------------------------------------------------- */
/* Cases */

static void counts_around_a_group(void)
{
    static const uint32_t counts[] = {1, 2, GROUP - 1, GROUP, GROUP + 1, 3 * GROUP, 3 * GROUP + 7};
    for (uint32_t i = 0; i < COUNT_OF(counts) * 3 * 3; i++) {
        const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)(i % 3)};
        compare_list("counts", &like, 1 + (int)(i / 3 % 3), counts[i / 9], i);
    }
}

/* Segments of one row are moved by the scatter. */
static void every_type(void)
{
    for (uint32_t i = 0; i < 16 * 2; i++) {
        const gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i % 4),
                                           .value_type = (gl_segsort_value_type)(i / 4 % 4)};
        compare_list("types", &like, GL_SEGSORT_SEGMENTS_GPU_RANGES, GROUP + 100, 2 * i + i / 16);
    }
}

/* Plans without the classes, the tiles or the chunks that lists might want. */
static void short_maxima(void)
{
    static const uint32_t lengths[] = {1, 2, 3, 512, 513, 4096, 4097, CHUNK_ROWS, CHUNK_ROWS + 1};
    for (uint32_t i = 0; i < COUNT_OF(lengths) * 3; i++) {
        const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)(i % 3),
                                           .max_length = lengths[i / 3]};
        compare_list("maxima", &like, 1 + (int)(i % 2), GROUP + 50, i);
    }
}

/* Numbers that don't agree: the list has more or fewer entries than it is said to have, and the
 * plan has room for others yet. */
static void numbers_that_disagree(void)
{
    static const uint32_t numbers[] = {0, 1, GROUP, GROUP + 1, 3000, UINT32_MAX};
    const gl_segsort_plan_desc like = {0};
    uint32_t *list = make_ranges(5000, false, 3);
    for (uint32_t i = 0; i < 6 * 6 * 3; i++) {
        struct twin_list_case list_case = {.name = "numbers",
                                           .plan = desc_of(GL_SEGSORT_SEGMENTS_GPU_RANGES, 3000),
                                           .list = list,
                                           .entries = numbers[i % 6] < 5000 ? numbers[i % 6] : 5000,
                                           .seen = numbers[i / 6 % 6],
                                           .counted = i % 2};
        list_case.plan.max_segments = numbers[1 + i / 36];
        list_case.plan.algorithm = like.algorithm;
        CHECK(compare(&list_case), "%u entries, %u seen, room for %u", list_case.entries,
              list_case.seen, list_case.plan.max_segments);
    }
    free(list);
}

/* Cuts within a group, at its ends, in the last one, and none; with empty and refused segments at
 * the cut. */
static void cuts(void)
{
    enum { SEGMENTS = 4 * GROUP + 5 };
    static const uint32_t ends[] = {
        1,         2,    7,    1000,          GROUP - 1, GROUP,         GROUP + 1,
        2 * GROUP, 5000, 6001, 3 * GROUP - 1, 4 * GROUP, 4 * GROUP + 1, SEGMENTS - 1,
        SEGMENTS};
    for (uint32_t source = 1; source <= 2; source++) {
        uint32_t *list = allocate(20 * (SEGMENTS + 1)), *sums = allocate(4 * (SEGMENTS + 1));
        uint64_t state = source;
        sums[0] = list[0] = 0;
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            static const uint32_t some[] = {0, 0, 2, 3, 7, 12, 300, 4097, 5000};
            uint32_t rows = some[generate_below(&state, i < 50 ? 5 : COUNT_OF(some))];
            bool refused = source == 2 && i % 7 == 3;
            const uint32_t entry[] = {9, 9, 9, 9, refused ? UINT32_MAX : rows};
            if (source == 2)
                memcpy(list + 5 * (size_t)i, entry, sizeof entry);
            else
                list[i + 1] = list[i] + rows;
            sums[i + 1] = sums[i] + (refused ? 0 : rows);
        }
        for (uint32_t i = 0; i < 3 * COUNT_OF(ends); i++) {
            struct twin_list_case list_case = {.name = "cuts",
                                               .plan = desc_of((int)source, SEGMENTS),
                                               .list = list,
                                               .entries = SEGMENTS,
                                               .seen = SEGMENTS + i % 2,
                                               .counted = true};
            uint32_t rows = sums[ends[i / 3]] + i % 3;
            list_case.plan.max_rows = rows > 1 ? rows - 1 : 1;
            list_case.plan.max_length = 0;
            CHECK(compare(&list_case), "source %u, room for %u rows", source,
                  list_case.plan.max_rows);
        }
        free(list);
        free(sums);
    }
}

/* Rows of a group, and of groups together, that no word holds. */
static void sums_over_a_word(void)
{
    static const uint32_t lengths[] = {1u << 24, (1u << 21) - 1, (1u << 21) + 1, 0x1fffff, 0xffff};
    for (uint32_t i = 0; i < COUNT_OF(lengths); i++) {
        enum { SEGMENTS = 3 * GROUP + 100 };
        uint32_t *list = allocate(20 * SEGMENTS);
        for (uint32_t n = 0; n < SEGMENTS; n++) {
            const uint32_t entry[] = {n, n, n, n, lengths[i] - n % 3};
            memcpy(list + 5 * (size_t)n, entry, sizeof entry);
        }
        struct twin_list_case list_case = {.name = "sums",
                                           .plan =
                                               desc_of(GL_SEGSORT_SEGMENTS_GPU_RANGES, SEGMENTS),
                                           .list = list,
                                           .entries = SEGMENTS,
                                           .seen = SEGMENTS};
        list_case.plan.max_length = 1u << 24;
        list_case.plan.algorithm = (gl_segsort_algorithm)(i % 3);
        CHECK(compare(&list_case), "segments of %u rows", lengths[i]);
        free(list);
    }
}

/* More groups than the layout has invocations. */
static void many_groups(void)
{
    enum { SEGMENTS = 300 * GROUP + 9 };
    uint32_t *list = allocate(4 * (SEGMENTS + 1));
    uint64_t state = 4;
    list[0] = 0;
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        static const uint32_t some[] = {0, 2, 3, 5, 9, 4100};
        list[i + 1] = list[i] + some[generate_below(&state, i % 5000 == 0 ? 6 : 5)];
    }
    const uint32_t ends[] = {SEGMENTS, SEGMENTS - 1, 256 * GROUP, 257 * GROUP + 1, 1000};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        struct twin_list_case list_case = {.name = "many groups",
                                           .plan =
                                               desc_of(GL_SEGSORT_SEGMENTS_GPU_OFFSETS, SEGMENTS),
                                           .list = list,
                                           .entries = SEGMENTS,
                                           .seen = SEGMENTS};
        list_case.plan.max_rows = list[ends[i]];
        CHECK(compare(&list_case), "cut at %u", ends[i]);
    }
    free(list);
}

/* Limits so low that the passes are folded, and go on in further dispatches: also those whose work
 * groups the GPU counts. */
static void folded_dispatches(void)
{
    for (work_groups = 2; work_groups <= 3; work_groups++)
        for (uint32_t i = 0; i < 6; i++) {
            const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)(i % 3),
                                               .max_length = 9000};
            struct twin_list_case list_case = {.name = "folded",
                                               .plan =
                                                   desc_of(GL_SEGSORT_SEGMENTS_GPU_RANGES, 70000),
                                               .entries = i < 3 ? 700 : 30000,
                                               .seen = UINT32_MAX};
            list_case.plan.max_rows = i < 3 ? 300000 : 200000;
            list_case.plan.max_length = like.max_length;
            list_case.plan.algorithm = like.algorithm;
            uint32_t *list = make_ranges(list_case.entries, true, i);
            list_case.list = list;
            list_case.in_place = true;
            CHECK(compare(&list_case), "%u groups an axis, number %u", work_groups, i);
            free(list);
        }
    work_groups = 65535;
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(counts_around_a_group),
                                              CHECK_TEST(every_type),
                                              CHECK_TEST(short_maxima),
                                              CHECK_TEST(numbers_that_disagree),
                                              CHECK_TEST(cuts),
                                              CHECK_TEST(sums_over_a_word),
                                              CHECK_TEST(many_groups),
                                              CHECK_TEST(folded_dispatches)};
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_list_delete_programs();
    headless_gl_destroy(&gl);
    return status;
}
