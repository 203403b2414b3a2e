/* Lists that nobody should believe: thousands of random ones for each way to list segments. What is
 * sane in them is sorted, the rest counted, and no other byte changes. */
#include "check.h"
#include "listed_case.h"
#include "test_gl.h"

#include <stdlib.h>

static gl_segsort_context *context;

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { SEGMENTS = 40, ROWS = 3000 };

/* Mostly sane, now and then anything. */
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

/* Ranges that meet each other in the outputs, or sane ones that don't. */
static void make_ranges(uint64_t *state, bool overlapping, bool in_place,
                        gl_segsort_segment *segments)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        uint32_t length = hostile_number(state, 100);
        uint32_t output = overlapping ? hostile_number(state, ROWS) : row;
        segments[i] = (gl_segsort_segment){hostile_number(state, ROWS), hostile_number(state, ROWS),
                                           output, output, length};
        if (in_place && generate_below(state, 8) > 0)
            segments[i].keys_offset = segments[i].values_offset = output;
        if (generate_below(state, 30) == 0)
            segments[i].output_keys_offset = 0xffffffff - generate_below(state, 200);
        if (length < ROWS - row)
            row += length;
    }
}

static void make_offsets(uint64_t *state, bool overlapping, uint32_t *offsets)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i <= SEGMENTS; i++) {
        offsets[i] = overlapping ? hostile_number(state, ROWS) : row;
        row += generate_below(state, 130);
    }
}

static void make_lengths(uint64_t *state, uint32_t *lengths)
{
    for (uint32_t i = 0; i < SEGMENTS; i++)
        lengths[i] = hostile_number(state, 90);
}

static void fuzz(gl_segsort_plan_desc desc, bool in_place, bool overlapping, int rounds)
{
    union {
        gl_segsort_segment ranges[SEGMENTS];
        uint32_t words[5 * SEGMENTS];
    } list;
    uint64_t state = 99 + (uint64_t)desc.segment_source;
    gl_segsort_plan *plan;
    if (!CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
               gl_segsort_last_error(context)))
        return;
    bool right = true;
    for (int round = 0; round < rounds && right; round++) {
        bool ranges = desc.segment_source == GL_SEGSORT_SEGMENTS_GPU_RANGES;
        uint32_t rows = generate_below(&state, SEGMENTS) + 1;
        if (ranges)
            make_ranges(&state, overlapping, in_place, list.ranges);
        else if (desc.segment_source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS)
            make_offsets(&state, overlapping, list.words);
        else
            make_lengths(&state, list.words);
        struct listed_case listed = {.name = "hostile",
                                     .plan = desc,
                                     .list = list.words,
                                     .list_words = ranges ? 5 * rows : rows,
                                     .list_rows = rows,
                                     .count = hostile_number(&state, SEGMENTS + 4),
                                     .count_on_gpu = true,
                                     .in_place = in_place,
                                     .overlapping = overlapping,
                                     .seed = (uint64_t)round + 1};
        /* Views may be shorter than the longest segment that the plan allows. */
        size_t view_rows = generate_below(&state, 4) ? ROWS - generate_below(&state, 500)
                                                     : 1 + generate_below(&state, 200);
        for (int s = 0; s < LISTED_STREAMS; s++)
            listed.view_rows[s] =
                in_place || s == 0 ? view_rows : ROWS - generate_below(&state, 500);
        right = CHECK(listed_case_check_plan(context, plan, &listed), "round %d", round);
    }
    gl_segsort_plan_destroy(plan);
}

static gl_segsort_plan_desc short_plan(gl_segsort_segment_source source)
{
    return (gl_segsort_plan_desc){.segment_source = source,
                                  .max_segments = SEGMENTS - 5,
                                  .max_rows = 1200,
                                  .max_length = 300,
                                  .segment_stride =
                                      source == GL_SEGSORT_SEGMENTS_GPU_STRIDED ? 70 : 0};
}

/* Where a segment starts may be more than 32 bits tell. */
static void strides_that_wrap_around(void)
{
    static const uint32_t some[] = {3, 4, 3, 4, 2};
    const struct listed_case listed = {.name = "strides",
                                       .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                                                .max_segments = COUNT_OF(some),
                                                .max_rows = 100,
                                                .segment_stride = 0x80000000},
                                       .list = some,
                                       .list_words = COUNT_OF(some),
                                       .list_rows = COUNT_OF(some),
                                       .count = COUNT_OF(some),
                                       .view_rows = {50, 50, 50, 50}};
    CHECK(listed_case_check(context, &listed), "more than one segment is sorted");
}

enum { ROUNDS = 2500 };

static void ranges(void)
{
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_RANGES), false, false, ROUNDS);
}

static void offsets(void)
{
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_OFFSETS), false, false, ROUNDS);
}

static void lengths(void)
{
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_STRIDED), false, false, ROUNDS);
}

static void in_place(void)
{
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_STRIDED), true, false, ROUNDS / 2);
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_OFFSETS), true, false, ROUNDS / 2);
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_RANGES), true, true, ROUNDS / 2);
}

/* Nobody can tell what a segment is to be that another one is written over; all else stays. */
static void overlapping(void)
{
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_RANGES), false, true, ROUNDS / 2);
    fuzz(short_plan(GL_SEGSORT_SEGMENTS_GPU_OFFSETS), false, true, ROUNDS / 2);
}

/* Long segments, whose rows are counted in one pass and moved in another. A tile is short enough
 * here to have many: the network of a driver with little shared memory has the same kernels. */
static void long_and_overlapping(void)
{
    for (int algorithm = 0; algorithm < 3; algorithm++)
        for (int place = 0; place < 2; place++) {
            enum { LONG_ROWS = 30000, LONG_SEGMENTS = 12 };
            gl_segsort_segment list[LONG_SEGMENTS];
            uint64_t state = 17 + (uint64_t)algorithm;
            const gl_segsort_plan_desc desc = {.algorithm = (gl_segsort_algorithm)algorithm,
                                               .segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                               .max_segments = LONG_SEGMENTS,
                                               .max_rows = 60000};
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < LONG_SEGMENTS; i++) {
                    uint32_t at = generate_below(&state, LONG_ROWS);
                    list[i] = (gl_segsort_segment){at, at, at, at, generate_below(&state, 14000)};
                }
                struct listed_case listed = {.name = "long and overlapping",
                                             .plan = desc,
                                             .list = (const uint32_t *)list,
                                             .list_words = 5 * LONG_SEGMENTS,
                                             .list_rows = LONG_SEGMENTS,
                                             .count = LONG_SEGMENTS,
                                             .in_place = place,
                                             .overlapping = true,
                                             .seed = (uint64_t)round};
                for (int s = 0; s < LISTED_STREAMS; s++)
                    listed.view_rows[s] = LONG_ROWS;
                if (!CHECK(listed_case_check(context, &listed), "algorithm %d, round %d", algorithm,
                           round))
                    return;
            }
        }
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(ranges),
                                              CHECK_TEST(offsets),
                                              CHECK_TEST(lengths),
                                              CHECK_TEST(in_place),
                                              CHECK_TEST(overlapping),
                                              CHECK_TEST(long_and_overlapping),
                                              CHECK_TEST(strides_that_wrap_around)};
    struct test_gl gl;
    if (!test_gl_open(&gl, 0))
        return 1;
    context = gl.context;
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&gl);
    return status;
}
