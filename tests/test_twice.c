/* Layer 4: segments that are split twice, against the CPU reference: all types, on keys of every kind
 * and on keys that are made to crowd into one child. The tuning is one that splits short segments
 * twice. */
#include "batch_case.h"
#include "check.h"
#include "context.h"
#include "sort_case.h"
#include "test_gl.h"
#include "twin_memory.h"
#include "twin_split.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { KEY_TYPES = 4, VALUE_TYPES = 4, CHILD_ROWS = 6000, BUCKETS_MAX = 16 };

static struct test_gl test;
static segsort_tuning tuning;

static bool open_context(uint32_t max_work_groups)
{
    if (!test_gl_open_as(&test, max_work_groups, "NVIDIA"))
        return false;
    tuning = *test.context->limits.tuning;
    tuning.part_length_max = 0;
    tuning.child_rows = CHILD_ROWS;
    tuning.buckets_max = BUCKETS_MAX;
    test.context->limits.tuning = &tuning;
    return true;
}

static struct cpu_order order_of(size_t i)
{
    return (struct cpu_order){.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                              .value_type = (gl_segsort_value_type)((i + i / 4) % VALUE_TYPES),
                              .direction = (gl_segsort_direction)((i + i / 8) % 2)};
}

/* Some that are split twice with 32 KiB of shared memory and with 48, some once, some not at all. */
static const uint32_t lengths[] = {50000, 100, 70001, 5000, 30001, 4097};

/* And none of them is sorted digit by digit. */
static bool is_split_twice(const gl_segsort_plan *plan)
{
    uint32_t again = 0, digits = 0;
    gl_segsort_plan_description description;
    if (!CHECK(gl_segsort_plan_describe(plan, &description) == GL_SEGSORT_SUCCESS,
               "no description"))
        return false;
    for (uint32_t i = 0; i < description.pass_count; i++) {
        again += strcmp(description.passes[i].kernel, "split-again") == 0;
        digits += strcmp(description.passes[i].kernel, "radix-scatter") == 0;
    }
    return CHECK(again == 1 && digits == 0, "split-again %u times, digits %u", again, digits);
}

static void check_case(const struct sort_case *sort)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(sort);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    if (plan && is_split_twice(plan))
        CHECK(sort_case_check_plan(plan, sort), "%s", sort->name);
    gl_segsort_plan_destroy(plan);
}

static void kinds_of_keys(void)
{
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    for (size_t kind = 0; kind < GENERATE_KEYS_KINDS; kind++)
        for (size_t i = 0; i < KEY_TYPES; i++) {
            const struct sort_case sort = {.name =
                                               generate_keys_name((enum generate_keys_kind)kind),
                                           .segments = segments,
                                           .segment_count = COUNT_OF(lengths),
                                           .order = order_of(kind * 5 / 4 * 4 + i),
                                           .kind = (enum generate_keys_kind)kind,
                                           .seed = kind * KEY_TYPES + i,
                                           .in_place = (kind + i) % 2 == 0,
                                           .byte_offset = 12};
            check_case(&sort);
        }
}

/* One plan sorts what differs from time to time: nothing is left of the children before. */
static void a_plan_again(void)
{
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    const struct sort_case sort = {.segments = segments, .segment_count = COUNT_OF(lengths)};
    gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    CHECK(plan && sort_case_check_again(plan, &sort), "sorted again");
    gl_segsort_plan_destroy(plan);
}

/* Each set's children have words of their own, of sets that are in place and of others; one plan
 * sorts them again and again. */
static void sets_of_a_batch(void)
{
    static struct batch_case batch;
    const uint32_t first[] = {50000, 100}, second[] = {4097, 70001, 60000}, third[] = {9000};
    for (size_t i = 0; i < KEY_TYPES; i++) {
        const struct cpu_order order = order_of(i * 5);
        batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
        batch_case_add_set(&batch, first, COUNT_OF(first), i % 2 == 0);
        batch_case_add_set(&batch, second, COUNT_OF(second), i % 2 == 1);
        batch_case_add_set(&batch, third, COUNT_OF(third), true);
        batch_case_make_buffers(&batch);
        gl_segsort_plan_desc desc = batch_case_plan_desc(&batch);
        gl_segsort_plan *plan = test_gl_plan(&test, &desc);
        for (int run = 0; plan && run < 2; run++) {
            for (uint32_t set = 0; set < batch.set_count; set++)
                sort_buffers_upload(&batch.buffers[set]);
            CHECK(batch_case_check(&batch, plan), "key type %zu, sort %d", i, run);
        }
        gl_segsort_plan_destroy(plan);
        batch_case_free_buffers(&batch);
    }
}

/* Samples come before all other rows, of which then nearly all are in the last child: it is so long
 * that it is sorted part by part beside others that aren't, or there are hardly any others. */
static void one_child_has_nearly_all(void)
{
    const uint32_t rows = 60000, children = (rows - 1) / CHILD_ROWS + 1;
    const gl_segsort_segment segment = {0, 0, 0, 0, rows};
    for (size_t i = 0; i < 2 * KEY_TYPES; i++) {
        struct sort_case sort = {.name = "one child",
                                 .segments = &segment,
                                 .segment_count = 1,
                                 .order = order_of(i),
                                 .seed = i};
        size_t words = cpu_key_words(sort.order.key_type);
        uint32_t *keys = calloc(rows, words * 4);
        if (!keys)
            abort();
        uint32_t samples = rows / tuning.sample_apart, width = SEGSORT_BUCKET_MIN;
        while (width < samples)
            width *= 2;
        samples = samples / children * children;
        uint64_t state = i;
        /* The upper word of a key of two tells the order; positive floats order as integers do. */
        for (uint32_t row = 0; row < rows; row++)
            keys[row * words + words - 1] =
                0x40000000 | (uint32_t)generate_random(&state) % 1000000;
        for (uint32_t n = 0; n < samples; n++) {
            uint32_t row = twin_split_sample_row(0, width, rows, n, samples);
            keys[row * words + words - 1] = (uint32_t)generate_random(&state) % 1000000;
        }
        if (sort.order.direction == GL_SEGSORT_DESCENDING)
            for (uint32_t row = 0; row < rows; row++)
                keys[row * words + words - 1] ^= 0x40000000;
        sort.keys = keys;
        sort.in_place = i % 3 == 0;
        check_case(&sort);
        free(keys);
    }
}

/* Fewer bits are sorted digit by digit. */
static void few_bits_are_not_split_twice(void)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, 90000};
    struct sort_case sort = {.name = "24 bits", .segments = &segment, .segment_count = 1};
    sort.order.begin_bit = 4;
    sort.order.end_bit = 28;
    gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    gl_segsort_plan_description description;
    if (!plan || gl_segsort_plan_describe(plan, &description) != GL_SEGSORT_SUCCESS)
        return;
    for (uint32_t i = 0; i < description.pass_count; i++)
        CHECK(strncmp(description.passes[i].kernel, "split", 5) != 0, "pass %u is %s", i,
              description.passes[i].kernel);
    CHECK(sort_case_check_plan(plan, &sort), "24 bits");
    gl_segsort_plan_destroy(plan);
}

/* Folded dispatches with surplus groups. */
static void tiny_dispatch_limit(void)
{
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 3, segments);
    test_gl_close(&test);
    if (!CHECK(open_context(3), "no context"))
        return;
    const struct sort_case sort = {
        .name = "tiny limit", .segments = segments, .segment_count = COUNT_OF(lengths)};
    check_case(&sort);
    test_gl_close(&test);
    CHECK(open_context(0), "no context");
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(kinds_of_keys),
                                              CHECK_TEST(a_plan_again),
                                              CHECK_TEST(sets_of_a_batch),
                                              CHECK_TEST(one_child_has_nearly_all),
                                              CHECK_TEST(few_bits_are_not_split_twice),
                                              CHECK_TEST(tiny_dispatch_limit)};
    if (!open_context(0))
        return 1;
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
