/* Layer 4: sorts that end after a number of steps leave what a CPU imitation of the network and of
 * the radix sort has after as many. */
#include "batch_case.h"
#include "check.h"
#include "cpu_steps.h"
#include "listed_case.h"
#include "sort_case.h"
#include "test_gl.h"

#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static struct test_gl test;

static bool check_step(struct sort_case *sort, uint32_t step)
{
    char name[128];
    snprintf(name, sizeof name, "%s keys of type %d, %s, algorithm %d, bits %u..%u, %s, step %u",
             generate_keys_name(sort->kind), (int)sort->order.key_type,
             sort->order.direction ? "descending" : "ascending", (int)sort->algorithm,
             sort->order.begin_bit, sort->order.end_bit,
             sort->in_place ? "in place" : "out of place", step);
    sort->name = name;
    sort->step_limit = step;
    return CHECK(sort_case_check(test.context, sort), "%s", name);
}

/* Every step, and limits beyond the last one, which are none. */
static void check_steps(struct sort_case *sort, uint32_t steps)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(sort);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    gl_segsort_plan_description description = {0};
    gl_segsort_plan_describe(plan, &description);
    CHECK(description.step_count == steps, "%u steps instead of %u", description.step_count, steps);
    gl_segsort_plan_destroy(plan);
    const uint32_t beyond[] = {steps + 1, UINT32_MAX};
    for (uint32_t step = 1; step <= steps; step++)
        check_step(sort, step);
    for (size_t i = 0; i < COUNT_OF(beyond); i++)
        check_step(sort, beyond[i]);
    check_step(sort, 0);
}

/* With ties, row numbers as values, both directions. */
static void check_steps_of_types(struct sort_case *sort, uint32_t steps)
{
    for (int i = 0; i < 8; i++) {
        sort->order.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32;
        sort->order.direction = (gl_segsort_direction)(i / 2 % 2);
        sort->order.value_type = GL_SEGSORT_VALUE_INDEX;
        sort->kind = i / 4 ? GENERATE_RANDOM : GENERATE_FEW_DISTINCT;
        check_steps(sort, steps);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* The network */

static void every_step_in_a_work_group(void)
{
    enum { COUNT = 67 };
    gl_segsort_segment segments[COUNT];
    uint32_t lengths[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        lengths[i] = i < 65 ? i : i == 65 ? 100 : 300;
    generate_packed_segments(lengths, COUNT, 1, segments);
    generate_shuffled_segments(segments, COUNT, 2);
    for (int algorithm = 0; algorithm < 2; algorithm++) {
        struct sort_case sort = {.segments = segments,
                                 .segment_count = COUNT,
                                 .algorithm = (gl_segsort_algorithm)algorithm,
                                 .seed = 9,
                                 .in_place = algorithm == 1,
                                 .byte_offset = 4};
        check_steps_of_types(&sort, cpu_network_steps(300));
    }
}

/* A tile's network, a pass between tiles, and a part of what a tile does of a stage. */
static void some_steps_across_work_groups(void)
{
    const uint32_t lengths[] = {9000, 5, 4097, 300, 8192, 2};
    const uint32_t steps[] = {1, 45, 65, 66, 67, 68, 69, 77, 78, 79, 80, 81, 90, 91, 92, 95, 104};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    for (int i = 0; i < 8; i++) {
        struct sort_case sort = {
            .segments = segments,
            .segment_count = COUNT_OF(lengths),
            .order = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                      .value_type = i % 4 < 2 ? GL_SEGSORT_VALUE_INDEX : GL_SEGSORT_VALUE_U64,
                      .direction = (gl_segsort_direction)(i / 2 % 2)},
            .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
            .kind = i / 4 ? GENERATE_RANDOM : GENERATE_FEW_DISTINCT,
            .seed = 3,
            .in_place = i % 3 == 0};
        for (size_t s = 0; s < COUNT_OF(steps); s++)
            check_step(&sort, steps[s]);
    }
}

static void every_step_across_work_groups(void)
{
    const uint32_t lengths[] = {9000, 4097};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 0, segments);
    struct sort_case sort = {.segments = segments,
                             .segment_count = COUNT_OF(lengths),
                             .order = {.value_type = GL_SEGSORT_VALUE_INDEX},
                             .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
                             .kind = GENERATE_RANDOM};
    check_steps(&sort, 105);
}

/* Only some bits decide. */
static void masked_keys(void)
{
    const uint32_t lengths[] = {40, 7, 4100};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 0, segments);
    struct sort_case sort = {.segments = segments,
                             .segment_count = COUNT_OF(lengths),
                             .order = {.begin_bit = 28, .end_bit = 31},
                             .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
                             .kind = GENERATE_RANDOM};
    for (uint32_t step = 1; step <= 91; step += 6)
        check_step(&sort, step);
}

/* ---------------------------------------------------------------------------------------------- */
/* The radix sort */

/* In place an odd number of digits starts otherwise than an even one, and so do the limits. */
static void every_digit(void)
{
    const uint32_t lengths[] = {1, 2, 300, 513, 4096, 4097, 9000, 64 * 2048 + 1};
    const uint32_t ranges[][2] = {{0, 0}, {3, 30}, {0, 17}};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    for (size_t i = 0; i < 4 * COUNT_OF(ranges); i++) {
        struct sort_case sort = {
            .segments = segments,
            .segment_count = COUNT_OF(lengths),
            .order = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                      .value_type = i % 3 ? GL_SEGSORT_VALUE_INDEX : GL_SEGSORT_VALUE_U32,
                      .direction = (gl_segsort_direction)(i / 2 % 2),
                      .begin_bit = ranges[i / 4][0],
                      .end_bit = ranges[i / 4][1]},
            .algorithm = GL_SEGSORT_ALGORITHM_RADIX,
            .kind = GENERATE_RANDOM,
            .seed = 4};
        for (int in_place = 0; in_place < 2; in_place++) {
            sort.in_place = in_place;
            check_steps(&sort, cpu_radix_steps(&sort.order));
        }
    }
}

/* The network's segments take more steps than the others. */
static void both_sorts_in_one_plan(void)
{
    const uint32_t lengths[] = {512, 3, 513, 100, 5000, 2000};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    struct sort_case sort = {.segments = segments,
                             .segment_count = COUNT_OF(lengths),
                             .order = {.key_type = GL_SEGSORT_KEY_F32},
                             .algorithm = GL_SEGSORT_ALGORITHM_AUTO,
                             .kind = GENERATE_RANDOM};
    check_steps(&sort, 45);
}

/* ---------------------------------------------------------------------------------------------- */
/* Other plans */

static void segments_that_the_gpu_lists(void)
{
    enum { COUNT = 7, ROWS = 20000 };
    const uint32_t lengths[COUNT] = {300, 9000, 1, 0, 4097, 64, 512};
    uint32_t offsets[COUNT + 1] = {0};
    for (int i = 0; i < COUNT; i++)
        offsets[i + 1] = offsets[i] + lengths[i];
    for (int algorithm = 0; algorithm < 3; algorithm++)
        for (uint32_t step = 1; step < 100; step += step < 5 ? 1 : 21) {
            struct listed_case listed = {.name = "a listed plan",
                                         .plan = {.algorithm = (gl_segsort_algorithm)algorithm,
                                                  .segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS,
                                                  .max_segments = COUNT,
                                                  .max_rows = ROWS,
                                                  .max_length = 10000,
                                                  .step_limit = step},
                                         .list = offsets,
                                         .list_words = COUNT + 1,
                                         .list_rows = COUNT + 1,
                                         .count = COUNT,
                                         .view_rows = {ROWS, ROWS, ROWS, ROWS},
                                         .in_place = step % 2};
            CHECK(listed_case_check(test.context, &listed), "algorithm %d, step %u", algorithm,
                  step);
        }
}

/* Sets of different algorithms' lengths, every other one in place. */
static void sets_of_a_batch(void)
{
    static struct batch_case batch;
    const uint32_t lengths[] = {5000, 40, 9001, 4097, 513};
    for (int algorithm = 0; algorithm < 3; algorithm++)
        for (uint32_t step = 1; step < 90; step += step < 4 ? 1 : 17) {
            const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_INDEX};
            batch_case_begin(&batch, &order, (gl_segsort_algorithm)algorithm);
            batch_case_add_chunks(&batch, lengths, COUNT_OF(lengths), 1, 2);
            for (uint32_t i = 0; i < batch.set_count; i++)
                batch.cases[i].step_limit = step;
            batch_case_make_buffers(&batch);
            const gl_segsort_plan_desc desc = batch_case_plan_desc(&batch);
            gl_segsort_plan *plan = test_gl_plan(&test, &desc);
            CHECK(batch_case_check(&batch, plan), "algorithm %d, step %u", algorithm, step);
            gl_segsort_plan_destroy(plan);
            batch_case_free_buffers(&batch);
        }
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(every_step_in_a_work_group),
                                              CHECK_TEST(some_steps_across_work_groups),
                                              CHECK_TEST(every_step_across_work_groups),
                                              CHECK_TEST(masked_keys),
                                              CHECK_TEST(every_digit),
                                              CHECK_TEST(both_sorts_in_one_plan),
                                              CHECK_TEST(segments_that_the_gpu_lists),
                                              CHECK_TEST(sets_of_a_batch)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
