/* gl_segsort_morton_keys end to end: every code equals the CPU reference's bit for bit, nothing else
 * is written, and the sort that follows gives the CPU's order. */
#include "check.h"
#include "cpu_keys.h"
#include "cpu_sort.h"
#include "generate.h"
#include "guarded.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;

/* ---------------------------------------------------------------------------------------------- */
/* Numbers */

typedef uint32_t (*make_float)(uint64_t *state);

static uint32_t random_bits(uint64_t *state)
{
    return (uint32_t)(generate_random(state) >> 32);
}

static uint32_t odd_float(uint64_t *state)
{
    static const uint32_t odd[] = {0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x80000001,
                                   0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0xffc00001, 0x7f800001, 0x0d800000, 0x3f800000};
    return odd[generate_below(state, COUNT_OF(odd))];
}

static uint32_t near_one_float(uint64_t *state)
{
    return 0x3f800000u + (random_bits(state) >> 24);
}

static uint32_t tiny_float(uint64_t *state)
{
    return (random_bits(state) & 0x80ffffffu) + (generate_below(state, 40) << 23);
}

static uint32_t huge_float(uint64_t *state)
{
    return (random_bits(state) & 0x80ffffffu) | 0x7e000000u;
}

static uint32_t spread_float(uint64_t *state)
{
    float number = (float)(int32_t)random_bits(state) * 1e-7f;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint32_t equal_float(uint64_t *state)
{
    (void)state;
    return 0xc1234567u;
}

/* Three numbers a position: along y there is no extent. */
static uint32_t flat_float(uint64_t *state)
{
    uint32_t bits = spread_float(state);
    return bits % 3 ? bits : 0x40000000u;
}

static const make_float makes[] = {spread_float, odd_float,   near_one_float, tiny_float,
                                   huge_float,   equal_float, flat_float,     random_bits};

/* ---------------------------------------------------------------------------------------------- */
/* A case */

struct morton_case {
    const char *name;
    gl_segsort_plan_desc plan;          /* without host segments */
    const gl_segsort_segment *segments; /* those that are to get keys */
    uint32_t segment_count;
    /* Of a list on the GPU: its words and rows, and what the status has to say. */
    const uint32_t *list;
    size_t list_words;
    uint32_t list_rows, count;
    uint32_t refused, first_refused;
    uint32_t rows; /* of every view that the sort has */
    uint32_t position_words, position_rows;
    bool triangles, in_place;
    uint32_t byte_offset;
    uint64_t seed;
};

enum { POSITIONS, INDICES, KEYS, VALUES, OUTPUT_KEYS, OUTPUT_VALUES, LIST, COUNT, STATUS, BUFFERS };
static const char *const names[BUFFERS] = {"positions", "indices",       "keys",
                                           "values",    "output_keys",   "output_values",
                                           "list",      "segment_count", "status"};

static bool is_listed(const struct morton_case *morton)
{
    return morton->plan.segment_source != GL_SEGSORT_SEGMENTS_HOST;
}

static unsigned key_bits(const struct morton_case *morton)
{
    return morton->plan.key_type == GL_SEGSORT_KEY_U64 ? 63 : 30;
}

static uint32_t words_of(const struct morton_case *morton)
{
    return morton->position_words > 0 ? morton->position_words : 3;
}

/* Each hundred positions are of another kind, so segments have one, or some. */
static void fill_positions(const struct morton_case *morton, uint32_t *words, size_t count)
{
    uint64_t state = morton->seed + 1;
    for (size_t i = 0; i < count; i++)
        words[i] = makes[(i / words_of(morton) / 100 + morton->seed) % COUNT_OF(makes)](&state);
    if (morton->triangles || morton->segment_count == 0)
        return;
    /* And the segments' own. */
    for (uint32_t s = 0; s < morton->segment_count; s++) {
        const gl_segsort_segment *segment = &morton->segments[s];
        make_float make = makes[(s + morton->seed) % COUNT_OF(makes)];
        for (uint32_t row = 0; s % 3 && row < segment->length; row++)
            for (size_t axis = 0; axis < 3; axis++)
                words[(size_t)(segment->keys_offset + row) * words_of(morton) + axis] =
                    make(&state);
    }
}

/* Neighbouring triangles have near vertices, and some have none. */
static void fill_indices(const struct morton_case *morton, uint32_t *indices)
{
    uint64_t state = morton->seed + 77;
    for (uint32_t i = 0; i < 3 * morton->rows; i++) {
        uint32_t near = i / 3 + generate_below(&state, 30);
        indices[i] = near % (morton->position_rows + 1);
        if (generate_below(&state, 5000) == 0)
            indices[i] = (uint32_t)generate_random(&state);
    }
}

static void make_buffers(const struct morton_case *morton, struct guarded buffers[BUFFERS])
{
    size_t key_words = cpu_key_words(morton->plan.key_type), rows = morton->rows;
    size_t value_words = cpu_output_value_words(morton->plan.value_type);
    const size_t words[BUFFERS] = {(size_t)morton->position_rows * words_of(morton) -
                                       (words_of(morton) - 3),
                                   3 * rows,
                                   key_words * rows,
                                   cpu_input_value_words(morton->plan.value_type) * rows,
                                   key_words * rows,
                                   value_words * rows,
                                   morton->list_words,
                                   1,
                                   5};
    for (int i = 0; i < BUFFERS; i++)
        guarded_make(&buffers[i], names[i], words[i], morton->byte_offset);
    fill_positions(morton, guarded_before(&buffers[POSITIONS]), words[POSITIONS]);
    if (morton->triangles)
        fill_indices(morton, guarded_before(&buffers[INDICES]));
    generate_identity(guarded_before(&buffers[VALUES]), words[VALUES]);
    if (morton->list)
        memcpy(guarded_before(&buffers[LIST]), morton->list, 4 * morton->list_words);
    guarded_before(&buffers[COUNT])[0] = morton->count;
    for (int i = 0; i < BUFFERS; i++)
        if (i == POSITIONS)
            guarded_upload_tight(&buffers[i]);
        else
            guarded_upload(&buffers[i]);
}

static void expect_codes(const struct morton_case *morton, struct guarded buffers[BUFFERS])
{
    size_t key_words = cpu_key_words(morton->plan.key_type);
    uint32_t *keys = guarded_expected(&buffers[KEYS]);
    const struct cpu_points points = {guarded_before(&buffers[POSITIONS]), words_of(morton),
                                      morton->position_rows,
                                      morton->triangles ? guarded_before(&buffers[INDICES]) : NULL};
    gl_segsort_status status = {.segments_seen = morton->count,
                                .segments_refused = morton->refused,
                                .first_refused =
                                    morton->refused ? morton->first_refused : UINT32_MAX};
    for (uint32_t s = 0; s < morton->segment_count; s++) {
        const gl_segsort_segment *segment = &morton->segments[s];
        cpu_morton_codes(&points, key_bits(morton), segment->keys_offset, segment->length,
                         keys + key_words * segment->keys_offset);
        status.rows_sorted += segment->length;
        status.longest = segment->length > status.longest ? segment->length : status.longest;
    }
    if (is_listed(morton))
        memcpy(guarded_expected(&buffers[STATUS]), &status, sizeof status);
}

static void expect_order(const struct morton_case *morton, struct guarded buffers[BUFFERS])
{
    const struct cpu_order order = {.key_type = morton->plan.key_type,
                                    .value_type = morton->plan.value_type,
                                    .direction = morton->plan.direction};
    size_t bytes = 4 * (buffers[KEYS].words + 1);
    uint32_t *keys = malloc(bytes);
    if (!keys)
        abort();
    memcpy(keys, guarded_expected(&buffers[KEYS]), bytes);
    cpu_sort_typed_segments(&order, keys, guarded_before(&buffers[VALUES]),
                            guarded_expected(&buffers[morton->in_place ? KEYS : OUTPUT_KEYS]),
                            guarded_expected(&buffers[OUTPUT_VALUES]), morton->segments,
                            morton->segment_count);
    free(keys);
}

static gl_segsort_sort_desc sort_desc(const struct morton_case *morton,
                                      const struct guarded buffers[BUFFERS])
{
    uint64_t rows = morton->rows;
    gl_segsort_sort_desc desc = {
        .keys = guarded_view(&buffers[KEYS], rows),
        .values = guarded_view(&buffers[VALUES], rows),
        .output_keys = guarded_view(&buffers[morton->in_place ? KEYS : OUTPUT_KEYS], rows),
        .output_values = guarded_view(&buffers[OUTPUT_VALUES], rows)};
    if (!is_listed(morton))
        return desc;
    if (morton->plan.segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED)
        desc.segment_lengths = guarded_view(&buffers[LIST], morton->list_rows);
    else
        desc.segments = guarded_view(&buffers[LIST], morton->list_rows);
    if (morton->seed % 2)
        desc.segment_count = guarded_view(&buffers[COUNT], 1);
    else
        desc.host_segment_count = morton->count;
    desc.status = guarded_view(&buffers[STATUS], 1);
    return desc;
}

static gl_segsort_morton_keys_desc morton_desc(const struct morton_case *morton,
                                               const struct guarded buffers[BUFFERS])
{
    gl_segsort_morton_keys_desc desc = {
        .positions = guarded_view(&buffers[POSITIONS], morton->position_rows),
        .position_words = morton->position_words};
    if (morton->triangles)
        desc.indices = guarded_view(&buffers[INDICES], morton->rows);
    return desc;
}

static bool check_buffers(const struct morton_case *morton, const struct guarded buffers[BUFFERS],
                          const char *when)
{
    bool right = true;
    for (int i = 0; i < BUFFERS; i++) {
        const char *difference = guarded_difference(&buffers[i]);
        right = CHECK(!difference, "%s, %s, %u bits, source %d: %s", morton->name, when,
                      key_bits(morton), (int)morton->plan.segment_source, difference) &&
                right;
    }
    return CHECK(glGetError() == GL_NO_ERROR, "%s: a GL error", morton->name) && right;
}

static bool check_with(gl_segsort_plan *plan, const struct morton_case *morton)
{
    struct guarded buffers[BUFFERS];
    make_buffers(morton, buffers);
    const gl_segsort_sort_desc sort = sort_desc(morton, buffers);
    gl_segsort_morton_keys_desc desc = morton_desc(morton, buffers);
    desc.barriers_after = GL_SEGSORT_BARRIER_BUFFER_UPDATE;
    expect_codes(morton, buffers);
    bool right = CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS, "%s: %s",
                       morton->name, gl_segsort_last_error(context)) &&
                 check_buffers(morton, buffers, "codes");
    /* Nothing in between but the sort's own barriers. */
    desc.barriers_after = GL_SEGSORT_BARRIER_NONE;
    expect_order(morton, buffers);
    right = right &&
            CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS &&
                      gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS,
                  "%s: %s", morton->name, gl_segsort_last_error(context)) &&
            check_buffers(morton, buffers, "order");
    for (int i = 0; i < BUFFERS; i++)
        guarded_free(&buffers[i]);
    return right;
}

static bool make_plan(gl_segsort_context *of, const struct morton_case *morton,
                      gl_segsort_plan **plan)
{
    gl_segsort_plan_desc desc = morton->plan;
    if (!is_listed(morton)) {
        desc.segments = morton->segments;
        desc.segment_count = morton->segment_count;
    }
    return CHECK(gl_segsort_plan_create(of, &desc, plan) == GL_SEGSORT_SUCCESS, "%s: %s",
                 morton->name, gl_segsort_last_error(of));
}

static bool check_morton(const struct morton_case *morton)
{
    gl_segsort_plan *plan;
    if (!make_plan(context, morton, &plan))
        return false;
    bool right = check_with(plan, morton);
    gl_segsort_plan_destroy(plan);
    return right;
}

/* ---------------------------------------------------------------------------------------------- */
/* Segments from the host */

/* Around every class, and long ones of one and of many tiles. */
static const uint32_t lengths[] = {0,    1,    2,   3,   4,    5,    8,    9,    16,   17,
                                   0,    31,   32,  33,  64,   65,   128,  129,  256,  257,
                                   1,    511,  512, 513, 700,  1024, 1025, 2048, 2049, 4096,
                                   4097, 6000, 1,   2,   9000, 8192, 8193, 70000};
enum { LENGTHS = COUNT_OF(lengths) };

static void check_host(const struct morton_case *like)
{
    gl_segsort_segment segments[LENGTHS];
    struct morton_case morton = *like;
    morton.rows = (uint32_t)generate_packed_segments(lengths, LENGTHS, 3, segments) + 5;
    generate_shuffled_segments(segments, LENGTHS, 5);
    morton.segments = segments;
    morton.segment_count = LENGTHS;
    morton.position_rows = morton.triangles ? morton.rows / 2 : morton.rows;
    check_morton(&morton);
}

static void host_points(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        const struct morton_case morton = {
            .name = "points",
            .plan = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                     .value_type = (gl_segsort_value_type)(i % 3),
                     .direction = (gl_segsort_direction)(i / 2 % 2),
                     .algorithm = (gl_segsort_algorithm)(i / 3 % 3)},
            .position_words = i % 4 ? 2 + i : 0,
            .byte_offset = 4 * (i % 5),
            .seed = i};
        check_host(&morton);
    }
}

static void host_triangles(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        const struct morton_case morton = {
            .name = "triangles",
            .plan = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                     .value_type = GL_SEGSORT_VALUE_INDEX,
                     .direction = (gl_segsort_direction)(i / 2 % 2),
                     .algorithm = (gl_segsort_algorithm)(i / 3 % 3)},
            .triangles = true,
            .in_place = i >= 6,
            .position_words = 3 + i % 3,
            .byte_offset = 4 * (i % 5),
            .seed = i};
        check_host(&morton);
    }
}

/* Codes worked out by hand, so that the reference is one. */
static void corners_of_a_cube(void)
{
    static const float corners[9][3] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0},
                                        {0, 0, 8}, {8, 8, 8}, {4, 4, 4},
                                        {0, 4, 0}, {8, 8, 0}, {0, 0, 0.00390625f}};
    const uint32_t codes[9] = {0,          0x24924924, 0x12492492, 0x09249249, 0x3fffffff,
                               0x38000000, 0x10000000, 0x36db6db6, 0};
    const struct cpu_points points = {corners, 3, 9, NULL};
    uint32_t short_codes[9], long_codes[18];
    cpu_morton_codes(&points, 30, 0, 9, short_codes);
    for (int i = 0; i < 9; i++)
        CHECK(short_codes[i] == codes[i], "corner %d: 0x%08x instead of 0x%08x", i, short_codes[i],
              codes[i]);
    cpu_morton_codes(&points, 63, 0, 9, long_codes);
    CHECK(long_codes[8] == 0xffffffff && long_codes[9] == 0x7fffffff, "the last corner");
    CHECK(long_codes[10] == 0 && long_codes[11] == 0x70000000, "the middle");
    /* Half a cell of the short codes is 2^10 of the long ones'. */
    CHECK(long_codes[16] == 1u << 30 && long_codes[17] == 0, "what the short codes don't tell");
}

/* A call must not widen the boxes that the one before it left. */
static void boxes_start_anew(void)
{
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 9000}, {9000, 9000, 9000, 9000, 40}};
    struct morton_case morton = {.name = "boxes",
                                 .segments = segments,
                                 .segment_count = 2,
                                 .rows = 9040,
                                 .position_rows = 9040,
                                 .seed = 4};
    gl_segsort_plan *plan;
    if (!make_plan(context, &morton, &plan))
        return;
    for (; morton.seed < 12; morton.seed++)
        check_with(plan, &morton);
    gl_segsort_plan_destroy(plan);
}

static void few_work_groups(void)
{
    enum { SEGMENTS = 300 };
    gl_segsort_segment segments[SEGMENTS];
    uint32_t few[SEGMENTS];
    for (uint32_t i = 0; i < SEGMENTS; i++)
        few[i] = i % 50 == 0 ? 5000 + 3 * i : i % 7 == 0 ? 600 : i % 40;
    const gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                          .max_work_groups = 2};
    gl_segsort_context *narrow;
    if (!CHECK(gl_segsort_context_create(&desc, &narrow) == GL_SEGSORT_SUCCESS, "no context"))
        return;
    struct morton_case morton = {.name = "few groups", .segments = segments, .seed = 3};
    morton.rows = (uint32_t)generate_packed_segments(few, SEGMENTS, 1, segments);
    morton.segment_count = SEGMENTS;
    morton.position_rows = morton.rows;
    gl_segsort_plan *plan;
    if (make_plan(narrow, &morton, &plan)) {
        check_with(plan, &morton);
        gl_segsort_plan_destroy(plan);
    }
    morton.plan = (gl_segsort_plan_desc){.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                         .max_segments = SEGMENTS,
                                         .max_rows = morton.rows};
    morton.list = (const uint32_t *)segments;
    morton.list_words = 5 * SEGMENTS;
    morton.list_rows = morton.count = SEGMENTS;
    if (make_plan(narrow, &morton, &plan)) {
        check_with(plan, &morton);
        gl_segsort_plan_destroy(plan);
    }
    gl_segsort_context_destroy(narrow);
}

static void no_rows(void)
{
    const gl_segsort_plan_desc desc = {0};
    const gl_segsort_sort_desc sort = {0};
    const gl_segsort_morton_keys_desc keys = {0};
    gl_segsort_plan *plan;
    if (!CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "no plan"))
        return;
    CHECK(gl_segsort_morton_keys(plan, &sort, &keys) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
}

/* ---------------------------------------------------------------------------------------------- */
/* Segments from the GPU */

enum { STRIDE = 4100, STRIDED = 31 /* lengths up to it */ };

/* Segments one behind the other: offsets. */
static void check_offsets(struct morton_case morton)
{
    gl_segsort_segment segments[LENGTHS];
    uint32_t offsets[LENGTHS + 1] = {3};
    for (uint32_t i = 0; i < LENGTHS; i++) {
        uint32_t at = offsets[i];
        segments[i] = (gl_segsort_segment){at, at, at, at, lengths[i]};
        offsets[i + 1] = at + lengths[i];
    }
    morton.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    morton.plan.max_rows = offsets[LENGTHS] - 3;
    morton.plan.max_segments = LENGTHS + 3;
    morton.segments = segments;
    morton.segment_count = morton.count = LENGTHS;
    morton.list = offsets;
    morton.list_words = morton.list_rows = LENGTHS + 1;
    morton.rows = offsets[LENGTHS] + 9;
    morton.position_rows = morton.triangles ? 40000 : morton.rows;
    check_morton(&morton);
}

static void check_strided(struct morton_case morton)
{
    gl_segsort_segment segments[STRIDED];
    for (uint32_t i = 0; i < STRIDED; i++)
        segments[i] =
            (gl_segsort_segment){STRIDE * i, STRIDE * i, STRIDE * i, STRIDE * i, lengths[i]};
    morton.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    morton.plan.segment_stride = STRIDE;
    morton.plan.max_rows = STRIDE * STRIDED;
    morton.plan.max_segments = STRIDED;
    morton.segments = segments;
    morton.segment_count = morton.count = STRIDED;
    morton.list = lengths;
    morton.list_words = morton.list_rows = STRIDED;
    morton.rows = STRIDE * STRIDED;
    morton.position_rows = morton.triangles ? 40000 : morton.rows;
    check_morton(&morton);
}

/* Records of ranges, with hostile ones between them, which get no keys, and a list cut short. */
static void check_ranges(struct morton_case morton)
{
    enum { RANGES = LENGTHS + 8 };
    gl_segsort_segment segments[LENGTHS], list[RANGES];
    morton.rows = (uint32_t)generate_packed_segments(lengths, LENGTHS, 2, segments) + 7;
    const gl_segsort_segment hostile[] = {
        {morton.rows, 0, 0, 0, 1},      {morton.rows - 4, 0, 0, 0, 5},
        {0xfffffff0, 0, 0, 0, 0x20},    {0, 0xffffffff, 0, 0, 2},
        {0, 0, morton.rows - 1, 0, 2},  {0, 0, 0, morton.rows - 1, 2},
        {0, 0, 0, 0, morton.rows + 1u}, {1, 1, 1, 1, 0xffffffff}};
    uint32_t at = 0, bad = 0;
    morton.first_refused = UINT32_MAX;
    for (uint32_t i = 0; i < LENGTHS; i++) {
        if (i % 4 == 1 && bad < COUNT_OF(hostile)) {
            morton.first_refused = at < morton.first_refused ? at : morton.first_refused;
            list[at++] = hostile[bad++];
        }
        list[at++] = segments[i];
    }
    morton.refused = bad + 1; /* the last one is more than max_segments */
    morton.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES;
    morton.plan.max_rows = morton.rows;
    morton.plan.max_segments = at - 1;
    morton.segments = segments;
    morton.segment_count = LENGTHS - 1;
    morton.list = (const uint32_t *)list;
    morton.list_words = 5 * (size_t)at;
    morton.list_rows = morton.count = at;
    morton.position_rows = morton.triangles ? 40000 : morton.rows;
    check_morton(&morton);
}

static void gpu_lists(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        const struct morton_case morton = {
            .name = "listed",
            .plan = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                     .direction = (gl_segsort_direction)(i / 3 % 2),
                     .algorithm = (gl_segsort_algorithm)(i % 3)},
            .triangles = i / 2 % 2,
            .position_words = 3 + i % 3,
            .byte_offset = 4 * (i % 5),
            .seed = i};
        check_offsets(morton);
        check_strided(morton);
        check_ranges(morton);
    }
}

/* Whatever stands in the list: what is judged is judged as by the sort, and no other byte changes
 * than those of keys, whose guards are looked at. */
static void hostile_lists(void)
{
    enum { SEGMENTS = 30, ROWS = 2000 };
    static const uint32_t odd[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 300, ROWS};
    gl_segsort_segment list[SEGMENTS];
    struct morton_case morton = {.name = "hostile",
                                 .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                          .max_segments = SEGMENTS - 3,
                                          .max_rows = ROWS,
                                          .max_length = 900},
                                 .list = (const uint32_t *)list,
                                 .list_words = 5 * SEGMENTS,
                                 .list_rows = SEGMENTS,
                                 .count = SEGMENTS + 9,
                                 .rows = ROWS,
                                 .position_rows = ROWS};
    gl_segsort_plan *plan;
    if (!make_plan(context, &morton, &plan))
        return;
    for (morton.seed = 1; morton.seed < 300; morton.seed++) {
        uint64_t state = morton.seed;
        uint32_t *words = (uint32_t *)list;
        for (int i = 0; i < 5 * SEGMENTS; i++)
            words[i] = generate_below(&state, 3) ? generate_below(&state, i % 5 == 4 ? 200 : ROWS)
                                                 : odd[generate_below(&state, COUNT_OF(odd))];
        struct guarded buffers[BUFFERS];
        make_buffers(&morton, buffers);
        const gl_segsort_sort_desc sort = sort_desc(&morton, buffers);
        const gl_segsort_morton_keys_desc desc = morton_desc(&morton, buffers);
        CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        uint32_t status[2][5];
        for (int i = 0; i < 2; i++) {
            glBindBuffer(GL_COPY_READ_BUFFER, buffers[STATUS].buffer);
            glGetBufferSubData(GL_COPY_READ_BUFFER, buffers[STATUS].byte_offset, 20, status[i]);
            gl_segsort_sort(plan, &sort);
        }
        CHECK(memcmp(status[0], status[1], sizeof status[0]) == 0, "another verdict, round %u",
              (unsigned)morton.seed);
        memcpy(guarded_expected(&buffers[STATUS]), status[0], sizeof status[0]);
        for (int i = 0; i < BUFFERS; i++) {
            bool written = i == KEYS || i == OUTPUT_KEYS || i == OUTPUT_VALUES;
            glBindBuffer(GL_COPY_READ_BUFFER, buffers[i].buffer);
            if (written) /* only the guards are looked at */
                glGetBufferSubData(GL_COPY_READ_BUFFER, buffers[i].byte_offset,
                                   (GLsizeiptr)(4 * buffers[i].words),
                                   guarded_expected(&buffers[i]));
            const char *difference = guarded_difference(&buffers[i]);
            CHECK(!difference, "round %u: %s", (unsigned)morton.seed, difference);
            guarded_free(&buffers[i]);
        }
    }
    CHECK(glGetError() == GL_NO_ERROR, "a GL error");
    gl_segsort_plan_destroy(plan);
}

/* ---------------------------------------------------------------------------------------------- */
/* Errors */

static void check_error(gl_segsort_plan *plan, const gl_segsort_sort_desc *sort,
                        const gl_segsort_morton_keys_desc *desc, gl_segsort_result expected,
                        const char *sentence)
{
    gl_segsort_result result = gl_segsort_morton_keys(plan, sort, desc);
    CHECK(result == expected && strstr(gl_segsort_last_error(context), sentence),
          "%s instead of %s: %s", gl_segsort_result_string(result), sentence,
          gl_segsort_last_error(context));
}

#define CHECK_ERROR(change, result, sentence)                                                      \
    do {                                                                                           \
        gl_segsort_sort_desc sort = right_sort;                                                    \
        gl_segsort_morton_keys_desc desc = right;                                                  \
        change;                                                                                    \
        check_error(plan, &sort, &desc, GL_SEGSORT_ERROR_##result, sentence);                      \
    } while (0)

static void errors_in_plans(const gl_segsort_sort_desc *sort,
                            const gl_segsort_morton_keys_desc *desc)
{
    const gl_segsort_segment segments[2] = {{0, 0, 0, 0, 5}, {5, 5, 5, 5, 5}};
    gl_segsort_plan_desc plan_desc = {.segments = segments, .segment_count = 2};
    gl_segsort_plan *plan;
    for (int type = GL_SEGSORT_KEY_I32; type <= GL_SEGSORT_KEY_F32; type++) {
        plan_desc.key_type = (gl_segsort_key_type)type;
        gl_segsort_plan_create(context, &plan_desc, &plan);
        check_error(plan, sort, desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "neither KEY_U32 nor");
        gl_segsort_plan_destroy(plan);
    }
    plan_desc.key_type = GL_SEGSORT_KEY_U32;
    for (plan_desc.set_count = 1; plan_desc.set_count <= 2; plan_desc.set_count++) {
        plan_desc.segment_count = plan_desc.set_count;
        gl_segsort_plan_create(context, &plan_desc, &plan);
        check_error(plan, sort, desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "is for a batch");
        gl_segsort_plan_destroy(plan);
    }
    CHECK(gl_segsort_morton_keys(NULL, sort, desc) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "NULL");
}

static void errors_name_the_field(void)
{
    const gl_segsort_segment segment = {3, 0, 0, 0, 10};
    struct morton_case morton = {.name = "errors",
                                 .segments = &segment,
                                 .segment_count = 1,
                                 .rows = 20,
                                 .position_rows = 20,
                                 .triangles = true};
    struct guarded buffers[BUFFERS];
    gl_segsort_plan *plan;
    make_plan(context, &morton, &plan);
    make_buffers(&morton, buffers);
    const gl_segsort_sort_desc right_sort = sort_desc(&morton, buffers);
    const gl_segsort_morton_keys_desc right = morton_desc(&morton, buffers);
    check_error(plan, NULL, &right, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "of the sort is NULL");
    check_error(plan, &right_sort, NULL, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "description is NULL");
    CHECK_ERROR(desc.position_words = 1, INVALID_ARGUMENT, "position_words is 1");
    CHECK_ERROR(desc.barriers_before = 0x10, INVALID_ARGUMENT, "morton_keys_desc.barriers_before");
    CHECK_ERROR(desc.barriers_after = 0x10, INVALID_ARGUMENT, "morton_keys_desc.barriers_after");
    CHECK_ERROR(desc.positions.buffer = 0, INVALID_ARGUMENT, "positions.buffer is 0");
    CHECK_ERROR(desc.indices.buffer = 0, INVALID_ARGUMENT, "indices.buffer is 0");
    CHECK_ERROR(desc.indices.byte_offset = 6, INVALID_ARGUMENT, "indices.byte_offset 6");
    CHECK_ERROR(sort.keys.buffer = 0, INVALID_ARGUMENT, "keys.buffer is 0");
    CHECK_ERROR(sort.output_values.buffer = 0, INVALID_ARGUMENT, "output_values.buffer is 0");
    CHECK_ERROR(desc.indices.rows = 12, OUT_OF_RANGE, "rows 3..12 of indices exceed its view");
    CHECK_ERROR((desc.indices = (gl_segsort_view){0}, desc.positions.rows = 12), OUT_OF_RANGE,
                "rows 3..12 of positions exceed its view");
    CHECK_ERROR(desc.positions.rows = 0, OUT_OF_RANGE, "positions has no rows");
    CHECK_ERROR(desc.positions.rows = 21, OUT_OF_RANGE, "positions needs bytes up to");
    CHECK_ERROR(desc.positions = guarded_view(&buffers[KEYS], 20 / 3), OVERLAP, "positions (bytes");
    CHECK_ERROR((desc.indices = guarded_view(&buffers[KEYS], 20), desc.indices.rows = 13), OVERLAP,
                "indices (bytes 36..");
    CHECK_ERROR(sort.values = guarded_view(&buffers[KEYS], 20), OVERLAP, "values (bytes");
    CHECK_ERROR(sort.output_keys = guarded_view(&buffers[KEYS], 20), OVERLAP, "output_keys (bytes");
    memcpy(buffers[KEYS].expected, buffers[KEYS].before, 4 * buffers[KEYS].total);
    for (int i = 0; i < BUFFERS; i++)
        if (i != KEYS) {
            const char *difference = guarded_difference(&buffers[i]);
            CHECK(!difference, "%s", difference);
        }
    errors_in_plans(&right_sort, &right);
    gl_segsort_plan_destroy(plan);
    for (int i = 0; i < BUFFERS; i++)
        guarded_free(&buffers[i]);
}

static void errors_of_lists(void)
{
    static const uint32_t list[6] = {0, 2};
    struct morton_case morton = {.name = "errors of lists",
                                 .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS,
                                          .max_segments = 1,
                                          .max_rows = 20},
                                 .list = list,
                                 .list_words = 6,
                                 .list_rows = 2,
                                 .count = 1,
                                 .rows = 20,
                                 .position_rows = 20,
                                 .triangles = true,
                                 .seed = 1};
    struct guarded buffers[BUFFERS];
    gl_segsort_plan *plan;
    make_plan(context, &morton, &plan);
    make_buffers(&morton, buffers);
    const gl_segsort_sort_desc right_sort = sort_desc(&morton, buffers);
    const gl_segsort_morton_keys_desc right = morton_desc(&morton, buffers);
    CHECK_ERROR(desc.indices.rows = 19, OUT_OF_RANGE, "indices has 19 rows, fewer than keys");
    CHECK_ERROR((desc.indices = (gl_segsort_view){0}, desc.positions.rows = 19), OUT_OF_RANGE,
                "positions has 19 rows, fewer than keys");
    CHECK_ERROR(sort.segments = guarded_view(&buffers[KEYS], 2), OVERLAP, "segments (bytes");
    CHECK_ERROR(sort.segment_count = guarded_view(&buffers[KEYS], 1), OVERLAP, "segment_count (");
    CHECK_ERROR(sort.status.buffer = buffers[POSITIONS].buffer, OVERLAP, "status (bytes");
    CHECK_ERROR(sort.status.buffer = buffers[INDICES].buffer, OVERLAP, "status (bytes");
    CHECK_ERROR(sort.segments.buffer = 0, INVALID_ARGUMENT, "segments.buffer is 0");
    for (int i = 0; i < BUFFERS; i++) {
        const char *difference = guarded_difference(&buffers[i]);
        CHECK(!difference, "%s", difference);
        guarded_free(&buffers[i]);
    }
    gl_segsort_plan_destroy(plan);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(corners_of_a_cube),
                                              CHECK_TEST(host_points),
                                              CHECK_TEST(host_triangles),
                                              CHECK_TEST(boxes_start_anew),
                                              CHECK_TEST(few_work_groups),
                                              CHECK_TEST(no_rows),
                                              CHECK_TEST(gpu_lists),
                                              CHECK_TEST(hostile_lists),
                                              CHECK_TEST(errors_name_the_field),
                                              CHECK_TEST(errors_of_lists)};
    struct test_gl gl;
    if (!test_gl_open(&gl, 0))
        return 1;
    context = gl.context;
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&gl);
    return status;
}
