/* Segments that only the GPU knows, end to end: every way to list them, every class and type, and
 * counts that change from call to call. */
#include "check.h"
#include "listed_case.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

static struct test_gl gl;
static gl_segsort_context *context;

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
    for (int s = 0; s < LISTED_STREAMS; s++)
        listed.view_rows[s] = total + 6 * SEGMENTS;
    listed.plan.max_segments = SEGMENTS + 3;
    listed.plan.max_rows = total;
    listed.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    CHECK(listed_case_check(context, &listed), "%s", listed.name);
    listed.name = "ranges";
    listed.list = (const uint32_t *)ranges;
    listed.list_words = 5 * SEGMENTS;
    listed.list_rows = SEGMENTS;
    listed.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES;
    CHECK(listed_case_check(context, &listed), "%s", listed.name);
    listed.name = "strided";
    listed.list = lengths;
    listed.list_words = listed.list_rows = SEGMENTS;
    listed.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    listed.plan.segment_stride = STRIDE;
    for (int s = 0; s < LISTED_STREAMS; s++)
        listed.view_rows[s] = (size_t)STRIDE * SEGMENTS;
    CHECK(listed_case_check(context, &listed), "%s", listed.name);
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
/* Counts */

/* One plan, and a list whose number of segments changes from frame to frame. */
static void counts_over_frames(void)
{
    enum { CAPACITY = 5000 };
    static const uint32_t counts[] = {0, 1, 7, CAPACITY, 0, 3, CAPACITY + 1, UINT32_MAX, 2};
    uint32_t *own_lengths = calloc(CAPACITY, sizeof *own_lengths);
    uint64_t state = 5;
    for (uint32_t i = 0; i < CAPACITY; i++)
        own_lengths[i] = generate_below(&state, 9);
    own_lengths[3] = 8;
    struct listed_case listed = {
        .name = "frames",
        .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                 .max_segments = CAPACITY,
                 .max_rows = 8 * CAPACITY,
                 .segment_stride = 8},
        .list = own_lengths,
        .list_words = CAPACITY,
        .list_rows = CAPACITY,
        .count_on_gpu = true,
        .view_rows = {8 * CAPACITY, 8 * CAPACITY, 8 * CAPACITY, 8 * CAPACITY}};
    gl_segsort_plan *plan;
    CHECK(gl_segsort_plan_create(context, &listed.plan, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        listed.count = counts[i];
        listed.seed = i + 1;
        listed.no_status = i % 2;
        CHECK(listed_case_check_plan(context, plan, &listed), "count %u", counts[i]);
    }
    gl_segsort_plan_destroy(plan);
    free(own_lengths);
}

/* The host's number is believed no more than the GPU's; 0 stands for all. */
static void counts_of_the_host(void)
{
    static const uint32_t some[] = {3, 3, 3, 3};
    struct listed_case listed = {.name = "the host's count",
                                 .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                                          .max_segments = 4,
                                          .max_rows = 16,
                                          .segment_stride = 4},
                                 .list = some,
                                 .list_words = 4,
                                 .list_rows = 4,
                                 .view_rows = {16, 16, 16, 16}};
    const uint32_t counts[] = {1, 4, 5, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        listed.count = counts[i];
        CHECK(listed_case_check(context, &listed), "count %u", counts[i]);
    }
}

/* Then there is nothing to do behind the list's own passes. */
static void rows_of_one_alone(void)
{
    static const uint32_t some[] = {1, 0, 1, 2, 1, 9};
    for (int type = 0; type < 16; type++) {
        const struct listed_case listed = {
            .name = "rows of one",
            .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                     .key_type = (gl_segsort_key_type)(type % 4),
                     .value_type = (gl_segsort_value_type)(type / 4),
                     .max_segments = COUNT_OF(some),
                     .max_rows = 100,
                     .max_length = 1,
                     .segment_stride = 10},
            .list = some,
            .list_words = COUNT_OF(some),
            .list_rows = COUNT_OF(some),
            .count = COUNT_OF(some),
            .count_on_gpu = true,
            .in_place = type % 2,
            .view_rows = {60, 60, 60, 60}};
        CHECK(listed_case_check(context, &listed), "type %d", type);
    }
}

/* A gather goes by the segments of the last sort, those of one row among them. */
static void gather_behind_a_sort(void)
{
    enum { SEGMENTS = 6, STRIDE = 1200, ROWS = SEGMENTS * STRIDE, WORDS = 3 };
    static const uint32_t some[SEGMENTS] = {1, 0, 1, 5, 1100, 1};
    static uint32_t keys[ROWS], order[ROWS], sorted[ROWS], records[ROWS * WORDS],
        expected[ROWS * WORDS], got[ROWS * WORDS];
    const gl_segsort_plan_desc plan_desc = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                                            .value_type = GL_SEGSORT_VALUE_INDEX,
                                            .max_segments = SEGMENTS,
                                            .max_rows = ROWS,
                                            .segment_stride = STRIDE};
    const void *const data[] = {keys, NULL, NULL, records, expected, some};
    const size_t words[] = {ROWS, ROWS, ROWS, ROWS * WORDS, ROWS * WORDS, SEGMENTS};
    GLuint buffers[COUNT_OF(words)];
    generate_keys(GENERATE_RANDOM, keys, ROWS, 3);
    generate_identity(records, ROWS * WORDS);
    memset(expected, 0xcd, sizeof expected);
    glGenBuffers(COUNT_OF(buffers), buffers);
    for (size_t i = 0; i < COUNT_OF(buffers); i++) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[i]);
        glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(4 * words[i]), data[i], GL_DYNAMIC_COPY);
    }
    const gl_segsort_sort_desc sort = {.keys = {buffers[0], 0, ROWS},
                                       .output_keys = {buffers[1], 0, ROWS},
                                       .output_values = {buffers[2], 0, ROWS},
                                       .segment_lengths = {buffers[5], 0, SEGMENTS}};
    const gl_segsort_gather_desc gather = {.indices = {buffers[2], 0, ROWS},
                                           .records = {buffers[3], 0, ROWS},
                                           .output_records = {buffers[4], 0, ROWS},
                                           .record_words = WORDS};
    gl_segsort_plan *plan;
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS &&
              gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(context));
    for (size_t s = 0; s < SEGMENTS; s++) {
        const struct cpu_order by_key = {.value_type = GL_SEGSORT_VALUE_INDEX};
        cpu_sort_rows(&by_key, keys + s * STRIDE, NULL, sorted, order, some[s]);
        for (size_t i = 0; i < some[s]; i++)
            memcpy(expected + (s * STRIDE + i) * WORDS, records + (s * STRIDE + order[i]) * WORDS,
                   4 * WORDS);
    }
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[4]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof got, got);
    CHECK(memcmp(got, expected, sizeof got) == 0, "the records are in another order");
    gl_segsort_plan_destroy(plan);
    glDeleteBuffers(COUNT_OF(buffers), buffers);
}

/* Where the rows get more than max_rows, the list ends; what is refused before doesn't count. */
static void lists_are_cut(void)
{
    enum { SEGMENTS = 9000 };
    uint32_t *offsets = calloc(SEGMENTS + 1, sizeof *offsets);
    uint64_t state = 8;
    for (uint32_t i = 0; i < SEGMENTS; i++)
        offsets[i + 1] = offsets[i] + generate_below(&state, 12);
    size_t rows = offsets[SEGMENTS];
    struct listed_case listed = {
        .name = "cut",
        .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS, .max_segments = SEGMENTS},
        .list = offsets,
        .list_words = SEGMENTS + 1,
        .list_rows = SEGMENTS + 1,
        .count = SEGMENTS,
        .view_rows = {rows, rows, rows, rows}};
    /* Within the first group of the list, at its end, in later ones, at the very end. */
    const uint32_t ends[] = {1, 2, 1000, 2047, 2048, 2049, 4096, 6000, SEGMENTS - 1, SEGMENTS};
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        for (uint32_t less = 0; less < 2; less++) {
            listed.plan.max_rows = offsets[ends[i]] > less ? offsets[ends[i]] - less : 1;
            CHECK(listed_case_check(context, &listed), "%u rows at most", listed.plan.max_rows);
        }
    free(offsets);
}

/* ---------------------------------------------------------------------------------------------- */
/* Large lists */

static bool on_software(void)
{
    return strstr((const char *)glGetString(GL_RENDERER), "llvmpipe") != NULL;
}

/* A segment of ten million rows in the middle of so many of 0 to 8; on the software driver a tenth
 * of all. */
static void one_long_among_many(void)
{
    uint32_t segments = on_software() ? 100000 : 1000000;
    uint32_t *offsets = calloc(segments + 1, sizeof *offsets);
    uint64_t state = 13;
    for (uint32_t i = 0; i < segments; i++)
        offsets[i + 1] =
            offsets[i] + (i == segments / 2 ? 10 * segments : generate_below(&state, 9));
    size_t rows = offsets[segments];
    const struct listed_case listed = {.name = "one long among many",
                                       .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS,
                                                .max_segments = segments,
                                                .max_rows = (uint32_t)rows},
                                       .list = offsets,
                                       .list_words = segments + 1,
                                       .list_rows = segments + 1,
                                       .count = segments,
                                       .count_on_gpu = true,
                                       .view_rows = {rows, rows, rows, rows}};
    CHECK(listed_case_check(context, &listed), "%u segments", segments);
    free(offsets);
}

static void a_million_short_ones(void)
{
    enum { SEGMENTS = 1000000 };
    uint32_t *own_lengths = calloc(SEGMENTS, sizeof *own_lengths);
    uint64_t state = 21;
    for (uint32_t i = 0; i < SEGMENTS; i++)
        own_lengths[i] = generate_below(&state, 9);
    size_t rows = 8 * (size_t)SEGMENTS;
    const struct listed_case listed = {.name = "a million",
                                       .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                                                .max_segments = SEGMENTS,
                                                .max_rows = (uint32_t)rows,
                                                .segment_stride = 8},
                                       .list = own_lengths,
                                       .list_words = SEGMENTS,
                                       .list_rows = SEGMENTS,
                                       .count = SEGMENTS,
                                       .count_on_gpu = true,
                                       .view_rows = {rows, rows, rows, rows}};
    CHECK(listed_case_check(context, &listed), "a million segments");
    free(own_lengths);
}

/* Few groups a dispatch: every list pass and every sort pass is split. */
static void tiny_dispatch_limit(void)
{
    struct test_gl tiny;
    if (!CHECK(test_gl_open(&tiny, 2), "no context"))
        return;
    gl_segsort_context *usual = context;
    context = tiny.context;
    const gl_segsort_plan_desc like = {0};
    check_sources(&like, false, true);
    context = usual;
    test_gl_close(&tiny);
    headless_gl_make_current(&gl.gl);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {
        CHECK_TEST(every_class),          CHECK_TEST(every_type),
        CHECK_TEST(counts_over_frames),   CHECK_TEST(counts_of_the_host),
        CHECK_TEST(rows_of_one_alone),    CHECK_TEST(gather_behind_a_sort),
        CHECK_TEST(lists_are_cut),        CHECK_TEST(one_long_among_many),
        CHECK_TEST(a_million_short_ones), CHECK_TEST(tiny_dispatch_limit)};
    if (!test_gl_open(&gl, 0))
        return 1;
    context = gl.context;
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&gl);
    return status;
}
