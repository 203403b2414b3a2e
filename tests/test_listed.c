/* Segments that only the GPU knows, end to end: what is sorted, what is refused, and that nothing
 * else is written. */
#include "check.h"
#include "cpu_sort.h"
#include "generate.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define GUARD_WORDS 64
#define POISON 0xcdcdcdcdu

static gl_segsort_context *context;

/* ---------------------------------------------------------------------------------------------- */
/* A list and what is to come of it */

enum { KEYS, VALUES, OUTPUT_KEYS, OUTPUT_VALUES, STREAMS };

struct listed_case {
    const char *name;
    gl_segsort_plan_desc plan; /* segment_source, maxima, types */
    const uint32_t *list;      /* words as the source has them */
    size_t list_words;
    uint32_t list_rows; /* of the view */
    uint32_t count;     /* as the count buffer or the host says */
    bool count_on_gpu;
    size_t view_rows[STREAMS];
    bool in_place;
    uint32_t byte_offset; /* of all views */
    uint64_t seed;
    enum generate_keys_kind kind;
};

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes + 4);
    if (!memory)
        abort();
    return memory;
}

/* The oracle: what the header promises of a list, one segment at a time. */
static size_t believe(const struct listed_case *listed, gl_segsort_segment *segments,
                      gl_segsort_status *status)
{
    const gl_segsort_plan_desc *plan = &listed->plan;
    const size_t used[STREAMS] = {1, cpu_input_value_words(plan->value_type), 1,
                                  cpu_output_value_words(plan->value_type)};
    bool offsets = plan->segment_source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    uint64_t entries = listed->list_rows - (offsets && listed->list_rows > 0);
    uint64_t rows = 0, longest = plan->max_length > 0 ? plan->max_length : plan->max_rows;
    bool cut = false;
    *status = (gl_segsort_status){.segments_seen = listed->count, .first_refused = UINT32_MAX};
    size_t sorted = 0;
    for (uint32_t i = 0; i < listed->count; i++) {
        uint64_t at[STREAMS], length;
        bool refused = cut || i >= plan->max_segments || i >= entries;
        if (refused) {
            length = 0;
        } else if (plan->segment_source == GL_SEGSORT_SEGMENTS_GPU_RANGES) {
            for (int s = 0; s < STREAMS; s++)
                at[s] = listed->list[5 * i + (uint32_t)s];
            length = listed->list[5 * i + 4];
        } else {
            uint64_t first = offsets ? listed->list[i] : (uint64_t)i * plan->segment_stride;
            at[0] = at[1] = at[2] = at[3] = first;
            length = listed->list[i];
            if (offsets) {
                refused = listed->list[i + 1] < first;
                length = refused ? 0 : listed->list[i + 1] - first;
            } else {
                refused = length > plan->segment_stride;
            }
        }
        if (!refused && length > 0) {
            refused = length > longest || length > plan->max_rows;
            for (int s = 0; s < STREAMS; s++)
                refused = refused || (used[s] > 0 && at[s] + length > listed->view_rows[s]);
            if (listed->in_place)
                refused = refused || at[KEYS] != at[OUTPUT_KEYS] ||
                          (used[VALUES] > 0 && at[VALUES] != at[OUTPUT_VALUES]);
            if (!refused && rows + length > plan->max_rows)
                cut = refused = true;
        }
        if (refused) {
            status->segments_refused++;
            status->first_refused = i < status->first_refused ? i : status->first_refused;
        } else if (length > 0) {
            rows += length;
            status->longest = length > status->longest ? (uint32_t)length : status->longest;
            segments[sorted++] =
                (gl_segsort_segment){(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2],
                                     (uint32_t)at[3], (uint32_t)length};
        }
    }
    status->rows_sorted = (uint32_t)rows;
    return sorted;
}

/* ---------------------------------------------------------------------------------------------- */
/* Running it */

struct words {
    uint32_t *before, *expected;
    size_t first, view, total;
    GLuint buffer;
};

static void make_words(struct words *words, size_t view, uint32_t byte_offset)
{
    words->first = byte_offset / 4;
    words->view = view;
    words->total = words->first + view + GUARD_WORDS;
    words->before = allocate(words->total * 4);
    words->expected = allocate(words->total * 4);
    for (size_t i = 0; i < words->total; i++)
        words->before[i] = POISON;
}

static void upload(struct words *words)
{
    glGenBuffers(1, &words->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, words->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(words->total * 4), words->before,
                 GL_DYNAMIC_COPY);
}

static bool compare(const struct listed_case *listed, const struct words *words, const char *name)
{
    uint32_t *after = allocate(words->total * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, words->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(words->total * 4), after);
    size_t i = 0;
    while (i < words->total && after[i] == words->expected[i])
        i++;
    bool right = i == words->total;
    CHECK(right, "%s: %s word %td is 0x%08x, should be 0x%08x", listed->name, name,
          (ptrdiff_t)i - (ptrdiff_t)words->first, right ? 0 : after[i],
          right ? 0 : words->expected[i]);
    free(after);
    return right;
}

enum { LIST = STREAMS, COUNT, STATUS, BUFFERS };
static const char *const names[BUFFERS] = {"keys", "values",        "output_keys", "output_values",
                                           "list", "segment_count", "status"};

static struct cpu_order order_of(const gl_segsort_plan_desc *plan)
{
    return (struct cpu_order){plan->key_type, plan->value_type, plan->direction, plan->begin_bit,
                              plan->end_bit};
}

static void make_buffers(const struct listed_case *listed, struct words words[BUFFERS])
{
    const gl_segsort_plan_desc *plan = &listed->plan;
    const size_t row_words[STREAMS] = {
        cpu_key_words(plan->key_type), cpu_input_value_words(plan->value_type),
        cpu_key_words(plan->key_type), cpu_output_value_words(plan->value_type)};
    for (int s = 0; s < STREAMS; s++)
        make_words(&words[s], listed->view_rows[s] * row_words[s], listed->byte_offset);
    make_words(&words[LIST], listed->list_words, listed->byte_offset);
    make_words(&words[COUNT], 1, listed->byte_offset);
    make_words(&words[STATUS], 5, listed->byte_offset);
    generate_keys(listed->kind, words[KEYS].before + words[KEYS].first, words[KEYS].view,
                  listed->seed);
    generate_identity(words[VALUES].before + words[VALUES].first, words[VALUES].view);
    memcpy(words[LIST].before + words[LIST].first, listed->list, listed->list_words * 4);
    words[COUNT].before[words[COUNT].first] = listed->count;
    for (int i = 0; i < BUFFERS; i++) {
        memcpy(words[i].expected, words[i].before, words[i].total * 4);
        upload(&words[i]);
    }
}

static void expect(const struct listed_case *listed, struct words words[BUFFERS])
{
    int keys = listed->in_place ? KEYS : OUTPUT_KEYS;
    bool index = listed->plan.value_type == GL_SEGSORT_VALUE_INDEX;
    int values = listed->in_place && !index ? VALUES : OUTPUT_VALUES;
    const struct cpu_order order = order_of(&listed->plan);
    gl_segsort_segment *segments = allocate((listed->count + 1) * sizeof *segments);
    gl_segsort_status status;
    size_t count = believe(listed, segments, &status);
    cpu_sort_typed_segments(&order, words[KEYS].before + words[KEYS].first,
                            words[VALUES].before + words[VALUES].first,
                            words[keys].expected + words[keys].first,
                            words[values].expected + words[values].first, segments, count);
    memcpy(words[STATUS].expected + words[STATUS].first, &status, sizeof status);
    free(segments);
}

static gl_segsort_view view_of(const struct listed_case *listed, const struct words *words,
                               uint64_t rows)
{
    return (gl_segsort_view){words->buffer, listed->byte_offset, rows};
}

static gl_segsort_sort_desc sort_desc(const struct listed_case *listed,
                                      const struct words words[BUFFERS])
{
    bool strided = listed->plan.segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    bool index = listed->plan.value_type == GL_SEGSORT_VALUE_INDEX;
    int keys = listed->in_place ? KEYS : OUTPUT_KEYS;
    int values = listed->in_place && !index ? VALUES : OUTPUT_VALUES;
    gl_segsort_sort_desc desc = {
        .keys = view_of(listed, &words[KEYS], listed->view_rows[KEYS]),
        .values = view_of(listed, &words[VALUES], listed->view_rows[VALUES]),
        .output_keys = view_of(listed, &words[keys], listed->view_rows[keys]),
        .output_values = view_of(listed, &words[values], listed->view_rows[values]),
        .status = view_of(listed, &words[STATUS], 1)};
    if (strided)
        desc.segment_lengths = view_of(listed, &words[LIST], listed->list_rows);
    else
        desc.segments = view_of(listed, &words[LIST], listed->list_rows);
    if (listed->count_on_gpu)
        desc.segment_count = view_of(listed, &words[COUNT], 1);
    else
        desc.host_segment_count = listed->count;
    return desc;
}

static bool check_with(gl_segsort_plan *plan, const struct listed_case *listed)
{
    struct words words[BUFFERS] = {0};
    make_buffers(listed, words);
    expect(listed, words);
    gl_segsort_sort_desc desc = sort_desc(listed, words);
    bool right = CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s: %s", listed->name,
                       gl_segsort_last_error(context));
    for (int i = 0; i < BUFFERS; i++) {
        right = right && compare(listed, &words[i], names[i]);
        glDeleteBuffers(1, &words[i].buffer);
        free(words[i].before);
        free(words[i].expected);
    }
    GLenum error = glGetError();
    return CHECK(error == GL_NO_ERROR, "%s: GL error 0x%04x", listed->name, error) && right;
}

static bool check_listed(const struct listed_case *listed)
{
    gl_segsort_plan *plan;
    if (!CHECK(gl_segsort_plan_create(context, &listed->plan, &plan) == GL_SEGSORT_SUCCESS,
               "%s: %s", listed->name, gl_segsort_last_error(context)))
        return false;
    bool right = check_with(plan, listed);
    gl_segsort_plan_destroy(plan);
    return right;
}

/* ---------------------------------------------------------------------------------------------- */
/* Tests */

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Lengths around every class, in all three ways to write them down. */
static const uint32_t lengths[] = {0,   1,   2,    3,    4,    5,    8,    9,    16,   17,  0,
                                   31,  32,  33,   64,   65,   128,  129,  256,  257,  1,   512,
                                   513, 700, 1024, 1025, 2048, 2049, 4096, 4097, 6000, 9000};

static void check_sources(const gl_segsort_plan_desc *like, bool in_place, bool count_on_gpu)
{
    enum { SEGMENTS = COUNT_OF(lengths), STRIDE = 9000 };
    gl_segsort_segment ranges[SEGMENTS];
    uint32_t offsets[SEGMENTS + 1] = {3};
    uint32_t total = 0;
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        ranges[i] =
            (gl_segsort_segment){total + i, total + 2 * i, total + i, total + 2 * i, lengths[i]};
        if (!in_place)
            ranges[i].output_keys_offset = total + 5 * i;
        offsets[i + 1] = offsets[i] + lengths[i];
        total += lengths[i];
    }
    struct listed_case listed = {.name = "offsets",
                                 .plan = *like,
                                 .list = offsets,
                                 .list_words = SEGMENTS + 1,
                                 .list_rows = SEGMENTS + 1,
                                 .count = SEGMENTS,
                                 .count_on_gpu = count_on_gpu,
                                 .in_place = in_place,
                                 .byte_offset = 4,
                                 .seed = 7};
    for (int s = 0; s < STREAMS; s++)
        listed.view_rows[s] = total + 6 * SEGMENTS;
    listed.plan.max_segments = SEGMENTS + 3;
    listed.plan.max_rows = total;
    listed.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    check_listed(&listed);
    listed.name = "ranges";
    listed.list = (const uint32_t *)ranges;
    listed.list_words = 5 * SEGMENTS;
    listed.list_rows = SEGMENTS;
    listed.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES;
    check_listed(&listed);
    listed.name = "strided";
    listed.list = lengths;
    listed.list_words = listed.list_rows = SEGMENTS;
    listed.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    listed.plan.segment_stride = STRIDE;
    for (int s = 0; s < STREAMS; s++)
        listed.view_rows[s] = (size_t)STRIDE * SEGMENTS;
    check_listed(&listed);
}

static void every_class(void)
{
    for (int algorithm = 0; algorithm < 3; algorithm++)
        for (int in_place = 0; in_place < 2; in_place++) {
            const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm};
            check_sources(&like, in_place, in_place);
        }
}

static void every_type(void)
{
    for (int type = 0; type < 16; type++) {
        const gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(type % 4),
                                           .value_type = (gl_segsort_value_type)(type / 4),
                                           .direction = (gl_segsort_direction)(type % 2),
                                           .end_bit = type % 3 == 0 ? 20 : 0};
        check_sources(&like, type % 2, true);
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* Whatever stands in the list, the views' other rows stay as they are. A segment that is right but
 * meets another one in the outputs has no oracle, so outputs are kept apart. */
static uint32_t hostile_number(uint64_t *state, uint32_t sane)
{
    static const uint32_t odd[] = {0,          1,          0x7fffffff, 0x80000000,
                                   0xfffffff0, 0xffffffff, 4096,       4097};
    uint32_t choice = generate_below(state, 12);
    if (choice == 0)
        return odd[generate_below(state, COUNT_OF(odd))];
    if (choice == 1)
        return (uint32_t)generate_random(state);
    return generate_below(state, sane + 1);
}

enum { FUZZ_SEGMENTS = 40, FUZZ_ROWS = 3000 };

static void fuzz_ranges(uint64_t *state, gl_segsort_segment *segments)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < FUZZ_SEGMENTS; i++) {
        uint32_t length = hostile_number(state, 100);
        segments[i] = (gl_segsort_segment){hostile_number(state, FUZZ_ROWS),
                                           hostile_number(state, FUZZ_ROWS), row, row, length};
        if (generate_below(state, 30) == 0)
            segments[i].output_keys_offset = 0xffffffff - generate_below(state, 200);
        if (length < FUZZ_ROWS - row)
            row += length;
    }
}

static void hostile_tables(void)
{
    gl_segsort_plan_desc desc = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                 .max_segments = FUZZ_SEGMENTS - 5,
                                 .max_rows = 1200,
                                 .max_length = 300};
    gl_segsort_plan *plan;
    uint64_t state = 99;
    if (!CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
               gl_segsort_last_error(context)))
        return;
    for (int round = 0; round < 2000; round++) {
        gl_segsort_segment segments[FUZZ_SEGMENTS];
        fuzz_ranges(&state, segments);
        struct listed_case listed = {.name = "hostile",
                                     .plan = desc,
                                     .list = (const uint32_t *)segments,
                                     .list_words = 5 * FUZZ_SEGMENTS,
                                     .list_rows = generate_below(&state, FUZZ_SEGMENTS) + 1,
                                     .count = hostile_number(&state, FUZZ_SEGMENTS + 4) % 100000,
                                     .count_on_gpu = true,
                                     .seed = (uint64_t)round + 1};
        for (int s = 0; s < STREAMS; s++)
            listed.view_rows[s] = FUZZ_ROWS - generate_below(&state, 500);
        if (!check_with(plan, &listed)) {
            CHECK(false, "round %d", round);
            break;
        }
    }
    gl_segsort_plan_destroy(plan);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(every_class), CHECK_TEST(every_type),
                                              CHECK_TEST(hostile_tables)};
    struct test_gl gl;
    if (!test_gl_open(&gl, 0))
        return 1;
    context = gl.context;
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&gl);
    return status;
}
