/* Layer 4: batches. Each chunk of a batch lies in buffers of its own, is sorted as if it were alone,
 * and no byte changes but its outputs'. */
#include "batch_case.h"
#include "check.h"
#include "test_gl.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static struct test_gl test;
static struct batch_case batch;

static gl_segsort_plan *make_batch_plan(void)
{
    gl_segsort_plan_desc desc = batch_case_plan_desc(&batch);
    return test_gl_plan(&test, &desc);
}

static bool sort_and_compare(gl_segsort_plan *plan, const char *what)
{
    return CHECK(batch_case_check(&batch, plan), "%s", what) && CHECK(test_gl_clean(), "%s", what);
}

/* From the sets that were added to a verdict. */
static void check_batch(const char *what)
{
    batch_case_make_buffers(&batch);
    gl_segsort_plan *plan = make_batch_plan();
    sort_and_compare(plan, what);
    gl_segsort_plan_destroy(plan);
    batch_case_free_buffers(&batch);
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorting */

static const uint32_t chunk_lengths[] = {0, 1, 2, 31, 300, 4096, 4097, 70000};

/* Every third chunk in place. The longest one takes the network its time, and is one more of the
 * long segments for it: one type is enough. */
static void check_types(const struct cpu_order *order, gl_segsort_algorithm algorithm)
{
    char what[128];
    uint32_t count = COUNT_OF(chunk_lengths);
    if (algorithm == GL_SEGSORT_ALGORITHM_BITONIC && order->value_type != GL_SEGSORT_VALUE_U32)
        count--;
    snprintf(what, sizeof what, "key type %d, value type %d, direction %d, algorithm %d",
             (int)order->key_type, (int)order->value_type, (int)order->direction, (int)algorithm);
    batch_case_begin(&batch, order, algorithm);
    batch_case_add_chunks(&batch, chunk_lengths, count, 2 * (uint32_t)order->direction, 3);
    check_batch(what);
}

static void chunks_of_every_type(void)
{
    for (int key = 0; key < 4; key++)
        for (int value = 0; value < 4; value++)
            for (int direction = 0; direction < 2; direction++)
                for (int algorithm = 0; algorithm < 3; algorithm++) {
                    const struct cpu_order order = {.key_type = (gl_segsort_key_type)key,
                                                    .value_type = (gl_segsort_value_type)value,
                                                    .direction = (gl_segsort_direction)direction};
                    check_types(&order, (gl_segsort_algorithm)algorithm);
                }
}

/* One, two, three and no digits, cut short: an odd number of them makes a set in place start by
 * another way than the others, and any one of the sets may be it. */
static void one_set_in_place_and_odd_digits(void)
{
    const uint32_t ranges[][2] = {{0, 8}, {3, 15}, {8, 27}, {9, 9}, {0, 1}};
    const uint32_t lengths[] = {5000, 40, 9001, 4097};
    for (size_t r = 0; r < COUNT_OF(ranges); r++)
        for (uint32_t in_place = 0; in_place <= COUNT_OF(lengths); in_place++)
            for (int algorithm = 0; algorithm < 3; algorithm++) {
                char what[96];
                const struct cpu_order order = {.key_type = (gl_segsort_key_type)(in_place % 4),
                                                .value_type = (gl_segsort_value_type)(r % 4),
                                                .begin_bit = ranges[r][0],
                                                .end_bit = ranges[r][1]};
                snprintf(what, sizeof what, "bits %u..%u, set %u in place, algorithm %d",
                         order.begin_bit, order.end_bit, in_place, algorithm);
                batch_case_begin(&batch, &order, (gl_segsort_algorithm)algorithm);
                batch_case_add_chunks(&batch, lengths, COUNT_OF(lengths), in_place,
                                      COUNT_OF(lengths));
                check_batch(what);
            }
}

/* One segment a set is what no list of counts means as well. */
static void numbers_of_sets(void)
{
    const uint32_t counts[] = {1, 2, 3, BATCH_SETS_MAX};
    uint32_t lengths[BATCH_SETS_MAX];
    uint64_t state = 3;
    for (uint32_t i = 0; i < BATCH_SETS_MAX; i++)
        lengths[i] = i % 10 == 1 ? 4097 + i : generate_below(&state, i % 4 ? 600 : 4);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (int listed = 0; listed < 2; listed++) {
            const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_INDEX};
            batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
            batch_case_add_chunks(&batch, lengths, counts[i], 1, 4);
            batch_case_make_buffers(&batch);
            gl_segsort_plan_desc desc = batch_case_plan_desc(&batch);
            if (!listed)
                desc.set_segment_counts = NULL;
            gl_segsort_plan *plan = test_gl_plan(&test, &desc);
            sort_and_compare(plan, "numbers of sets");
            gl_segsort_plan_description description = {0};
            gl_segsort_plan_describe(plan, &description);
            CHECK(description.set_count == counts[i], "%u sets", description.set_count);
            gl_segsort_plan_destroy(plan);
            batch_case_free_buffers(&batch);
        }
}

/* Sets of several segments, of none, and of empty ones. */
static void sets_of_several_segments(void)
{
    const uint32_t some[] = {300, 0, 4097, 5}, empty[] = {0, 0, 0};
    const uint32_t many[] = {1, 2, 3, 9000, 4, 65, 0, 4098, 512, 513, 1025};
    for (int i = 0; i < 6; i++) {
        const struct cpu_order order = {.key_type = (gl_segsort_key_type)(i % 4),
                                        .value_type = (gl_segsort_value_type)(i % 3),
                                        .direction = (gl_segsort_direction)(i % 2)};
        batch_case_begin(&batch, &order, (gl_segsort_algorithm)(i % 3));
        if (i % 2)
            batch_case_add_set(&batch, NULL, 0, false);
        batch_case_add_set(&batch, some, COUNT_OF(some), i % 2);
        batch_case_add_set(&batch, NULL, 0, false);
        batch_case_add_set(&batch, many, COUNT_OF(many), false);
        batch_case_add_set(&batch, empty, COUNT_OF(empty), false);
        batch_case_add_set(&batch, many, 2, true);
        batch_case_add_set(&batch, NULL, 0, false);
        check_batch("sets of several segments");
    }
}

static void batches_of_nothing(void)
{
    const uint32_t empty[] = {0, 0};
    const struct cpu_order order = {0};
    for (uint32_t segments = 0; segments <= COUNT_OF(empty); segments++) {
        batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
        for (int i = 0; i < 3; i++)
            batch_case_add_set(&batch, empty, segments, false);
        batch_case_make_buffers(&batch);
        gl_segsort_plan_desc desc = batch_case_plan_desc(&batch);
        desc.segments = segments > 0 ? batch.segments : NULL;
        gl_segsort_plan *plan = test_gl_plan(&test, &desc);
        sort_and_compare(plan, "nothing");
        gl_segsort_plan_description description = {.pass_count = 1};
        gl_segsort_plan_describe(plan, &description);
        CHECK(description.pass_count == 0 && description.gather_pass_count == 0 &&
                  description.set_count == 3 && description.empty_count == 3 * segments,
              "%u passes, %u sets, %u empty", description.pass_count, description.set_count,
              description.empty_count);
        gl_segsort_plan_destroy(plan);
        batch_case_free_buffers(&batch);
    }
}

/* Two work groups an axis: each set's lists go on in further dispatches, with surplus groups. */
static void tiny_dispatch_limit(void)
{
    struct test_gl unlimited = test;
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                    .max_work_groups = 2};
    const uint32_t lengths[] = {30000, 5, 9000, 4097, 1, 256};
    const struct cpu_order order = {.direction = GL_SEGSORT_DESCENDING};
    if (!CHECK(!gl_segsort_context_create(&desc, &test.context), "context"))
        return;
    for (int algorithm = 0; algorithm < 3; algorithm++) {
        batch_case_begin(&batch, &order, (gl_segsort_algorithm)algorithm);
        batch_case_add_chunks(&batch, lengths, COUNT_OF(lengths), 0, 2);
        batch_case_add_set(&batch, lengths, COUNT_OF(lengths), true);
        check_batch("two groups at a time");
    }
    gl_segsort_context_destroy(test.context);
    test = unlimited;
}

static void policy_that_leaves_dirty(void)
{
    struct test_gl restoring = test;
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                    .state_policy = GL_SEGSORT_STATE_LEAVE_DIRTY};
    const struct cpu_order order = {0};
    if (!CHECK(!gl_segsort_context_create(&desc, &test.context), "context"))
        return;
    batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
    batch_case_add_chunks(&batch, chunk_lengths, COUNT_OF(chunk_lengths), 1, 2);
    check_batch("leaving dirty");
    gl_segsort_context_destroy(test.context);
    test = restoring;
}

/* ---------------------------------------------------------------------------------------------- */
/* The same as alone */

static gl_segsort_plan *make_plan_alone(uint32_t set)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(&batch.cases[set]);
    return test_gl_plan(&test, &desc);
}

/* Bit by bit what one plan a chunk gives, floats and their NaNs among them. */
static void same_bits_as_one_plan_a_chunk(void)
{
    const struct cpu_order orders[] = {
        {.key_type = GL_SEGSORT_KEY_F32, .direction = GL_SEGSORT_DESCENDING},
        {.key_type = GL_SEGSORT_KEY_U64, .value_type = GL_SEGSORT_VALUE_U64}};
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        batch_case_begin(&batch, &orders[i], GL_SEGSORT_ALGORITHM_AUTO);
        batch_case_add_chunks(&batch, chunk_lengths, COUNT_OF(chunk_lengths), 0, 3);
        batch_case_make_buffers(&batch);
        gl_segsort_plan *plan = make_batch_plan();
        sort_and_compare(plan, "the batch");
        gl_segsort_plan_destroy(plan);
        for (uint32_t set = 0; set < batch.set_count; set++) {
            sort_buffers_upload(&batch.buffers[set]);
            gl_segsort_plan *alone = make_plan_alone(set);
            CHECK(gl_segsort_sort(alone, &batch.descs[set]) == GL_SEGSORT_SUCCESS, "%s",
                  gl_segsort_last_error(test.context));
            gl_segsort_plan_destroy(alone);
        }
        CHECK(batch_case_right(&batch), "one plan a chunk");
        batch_case_free_buffers(&batch);
    }
    CHECK(test_gl_clean(), "GL error");
}

/* For a plan that is no batch the two calls are one. */
static void batch_call_for_a_plan_that_is_none(void)
{
    const uint32_t lengths[] = {40, 300, 9000, 0, 3};
    const struct cpu_order order = {0};
    batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
    batch_case_add_set(&batch, lengths, COUNT_OF(lengths), false);
    batch_case_make_buffers(&batch);
    gl_segsort_plan *plan = make_plan_alone(0);
    sort_and_compare(plan, "gl_segsort_sort_batch");
    sort_buffers_upload(&batch.buffers[0]);
    CHECK(gl_segsort_sort(plan, batch.descs) == GL_SEGSORT_SUCCESS && batch_case_right(&batch),
          "gl_segsort_sort");
    CHECK(gl_segsort_sort_batch(plan, batch.descs, 2) == GL_SEGSORT_ERROR_INVALID_ARGUMENT,
          "two descriptions");
    gl_segsort_plan_destroy(plan);
    batch_case_free_buffers(&batch);
}

/* How to sort is chosen for each chunk: its passes are those of a plan for it alone. */
static void algorithm_is_chosen_for_each_chunk(void)
{
    const uint32_t lengths[] = {300, 2000, 9000, 2, 0, 16, 513, 150001};
    const char *const first_kernels[] = {"bucket-equal", "bucket-equal", "split-sample",
                                         "rank-local",   NULL,           "rank-quads",
                                         "bucket-equal", "split-sample"};
    const struct cpu_order order = {0};
    batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
    batch_case_add_chunks(&batch, lengths, COUNT_OF(lengths), BATCH_SETS_MAX, 1);
    gl_segsort_plan *plan = make_batch_plan();
    gl_segsort_plan_description all = {0}, own = {0};
    gl_segsort_plan_describe(plan, &all);
    for (uint32_t set = 0; set < batch.set_count; set++) {
        uint32_t matched = 0;
        gl_segsort_plan *alone = make_plan_alone(set);
        gl_segsort_plan_describe(alone, &own);
        for (uint32_t i = 0; i < all.pass_count; i++) {
            const gl_segsort_pass_description *pass = &all.passes[i];
            if (pass->set != set)
                continue;
            if (!CHECK(matched < own.pass_count, "set %u has a pass too many, %s", set,
                       pass->label))
                break;
            const gl_segsort_pass_description *wanted = &own.passes[matched++];
            /* Tiles are as long as is good for all rows of a plan. */
            bool tiles = pass->level > 0 || strstr(pass->kernel, "count");
            CHECK(strcmp(pass->kernel, wanted->kernel) == 0 &&
                      (tiles || pass->width == wanted->width) && pass->row_count == lengths[set] &&
                      pass->segment_count == 1 && pass->begin_bit == wanted->begin_bit &&
                      pass->level == wanted->level && pass->condition == wanted->condition,
                  "set %u: pass %s is not %s", set, pass->label, wanted->label);
        }
        CHECK(matched == own.pass_count, "set %u has %u passes of %u", set, matched,
              own.pass_count);
        CHECK(first_kernels[set] ? strcmp(own.passes[0].kernel, first_kernels[set]) == 0
                                 : own.pass_count == 0,
              "set %u starts with another kernel", set);
        gl_segsort_plan_destroy(alone);
    }
    gl_segsort_plan_destroy(plan);
}

/* The scratch is one buffer for all chunks, of no more than their own plans need together. */
static void scratch_is_shared(void)
{
    const uint32_t lengths[] = {9000, 300, 70000, 0, 4097};
    for (int algorithm = 0; algorithm < 3; algorithm++) {
        const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_U64};
        uint64_t sum = 0;
        batch_case_begin(&batch, &order, (gl_segsort_algorithm)algorithm);
        batch_case_add_chunks(&batch, lengths, COUNT_OF(lengths), BATCH_SETS_MAX, 1);
        for (uint32_t set = 0; set < batch.set_count; set++) {
            gl_segsort_plan *alone = make_plan_alone(set);
            gl_segsort_plan_description description = {0};
            gl_segsort_plan_describe(alone, &description);
            sum += description.scratch_bytes;
            gl_segsort_plan_destroy(alone);
        }
        gl_segsort_plan_description description = {0};
        gl_segsort_plan *plan = make_batch_plan();
        gl_segsort_plan_describe(plan, &description);
        CHECK(description.scratch_bytes > 0 && description.scratch_bytes <= sum,
              "algorithm %d: %llu bytes for all, %llu one by one", algorithm,
              (unsigned long long)description.scratch_bytes, (unsigned long long)sum);
        gl_segsort_plan_destroy(plan);
    }
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(chunks_of_every_type),
                                              CHECK_TEST(one_set_in_place_and_odd_digits),
                                              CHECK_TEST(numbers_of_sets),
                                              CHECK_TEST(sets_of_several_segments),
                                              CHECK_TEST(batches_of_nothing),
                                              CHECK_TEST(tiny_dispatch_limit),
                                              CHECK_TEST(policy_that_leaves_dirty),
                                              CHECK_TEST(same_bits_as_one_plan_a_chunk),
                                              CHECK_TEST(batch_call_for_a_plan_that_is_none),
                                              CHECK_TEST(algorithm_is_chosen_for_each_chunk),
                                              CHECK_TEST(scratch_is_shared)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
