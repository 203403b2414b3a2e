/* Layer 4: whole sorts of many sizes against the CPU reference. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"

#include <stdlib.h>

static struct test_gl test;

/* The description of one plan's lengths, in both directions and in and out of place. */
static void check_lengths(const char *name, const uint32_t *lengths, size_t count, uint32_t gap)
{
    gl_segsort_segment *segments = malloc((count + 1) * sizeof *segments);
    generate_packed_segments(lengths, count, gap, segments);
    generate_shuffled_segments(segments, count, count);
    for (int run = 0; run < 2; run++) {
        struct sort_case sort = {.name = name,
                                 .segments = segments,
                                 .segment_count = (uint32_t)count,
                                 .order = {.direction = (gl_segsort_direction)run},
                                 .kind = GENERATE_RANDOM,
                                 .seed = count + (size_t)run,
                                 .in_place = run};
        CHECK(sort_case_check(test.context, &sort), "%s, run %d", name, run);
    }
    free(segments);
}

/* Every length from 0 to 4200, once each, in one plan. */
static void all_sizes_to_4200(void)
{
    enum { COUNT = 4201 };
    static uint32_t lengths[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        lengths[i] = i;
    check_lengths("0..4200", lengths, COUNT, 1);
}

/* Powers of two and their neighbours up to 2^20, in one plan; the long ones share the network's
 * dispatches. */
static void powers_of_two_to_a_million(void)
{
    uint32_t lengths[3 * 21], count = 0;
    for (uint32_t k = 0; k <= 20; k++)
        for (uint32_t d = 0; d < 3; d++)
            lengths[count++] = (1u << k) + d - 1;
    check_lengths("powers of two", lengths, count, 3);
}

/* A power law has many short segments and a few long ones. */
static void mixed_lengths(void)
{
    size_t count = generate_power_law(20000, 400000, NULL);
    uint32_t *lengths = malloc(count * sizeof *lengths);
    generate_power_law(20000, 400000, lengths);
    check_lengths("power law", lengths, count, 1);
    free(lengths);
}

/* luma.gl 2956, cookbook 4: more work items than one axis of a dispatch takes on many drivers. */
static void seventy_thousand_segments_of_three(void)
{
    enum { COUNT = 70000 };
    static uint32_t lengths[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        lengths[i] = 3;
    check_lengths("70,000 of 3", lengths, COUNT, 1);
}

static void a_million_segments_to_8(void)
{
    enum { COUNT = 1000000 };
    uint32_t *lengths = malloc(COUNT * sizeof *lengths);
    uint64_t state = 11;
    for (uint32_t i = 0; i < COUNT; i++)
        lengths[i] = generate_below(&state, 9);
    check_lengths("a million of 0..8", lengths, COUNT, 0);
    free(lengths);
}

/* What the plan says it does is what section by section was promised: one pass a width, no scratch
 * below the limit. */
static void description_tells_the_passes(void)
{
    const uint32_t lengths[] = {0, 1, 2, 3, 4, 100, 128, 256, 5000};
    gl_segsort_segment segments[9];
    generate_packed_segments(lengths, 9, 0, segments);
    gl_segsort_plan_desc desc = {.label = "mesh",
                                 .segments = segments,
                                 .segment_count = 8,
                                 .algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
    gl_segsort_plan *plan;
    gl_segsort_plan_description description;
    if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
        return;
    CHECK(!gl_segsort_plan_describe(plan, &description), "describe");
    CHECK(description.pass_count == 4, "%u passes", description.pass_count);
    const uint32_t widths[] = {256, 128, 4, 2}, counts[] = {1, 2, 2, 2};
    for (uint32_t i = 0; i < description.pass_count && i < 4; i++) {
        char label[32];
        snprintf(label, sizeof label, "mesh-bitonic-local-%u", widths[i]);
        CHECK(strcmp(description.passes[i].label, label) == 0, "%s", description.passes[i].label);
        CHECK(description.passes[i].width == widths[i], "width of %s", label);
        CHECK(description.passes[i].segment_count == counts[i], "segments of %s", label);
        CHECK(description.passes[i].barriers == 0, "barriers before %s", label);
    }
    CHECK(description.segment_count == 8 && description.empty_count == 1, "counts");
    CHECK(description.row_count == 494, "%d rows", (int)description.row_count);
    CHECK(description.scratch_bytes == 0, "scratch for local segments");
    gl_segsort_plan_destroy(plan);

    desc.algorithm = GL_SEGSORT_ALGORITHM_AUTO; /* one behind the other: a pack */
    if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
        return;
    gl_segsort_plan_describe(plan, &description);
    CHECK(description.pass_count == 1 &&
              strcmp(description.passes[0].label, "mesh-bucket-local-256") == 0 &&
              description.passes[0].width == 256 && description.passes[0].segment_count == 7 &&
              description.passes[0].row_count == 494,
          "%u passes, the first is %s", description.pass_count, description.passes[0].label);
    gl_segsort_plan_destroy(plan);

    desc.segment_count = 9;
    desc.algorithm = GL_SEGSORT_ALGORITHM_BITONIC;
    if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
        return;
    gl_segsort_plan_describe(plan, &description);
    if (description.local_rows_max < 5000) {
        CHECK(description.scratch_bytes == 4 * 5000, "scratch");
        CHECK(strncmp(description.passes[0].label, "mesh-bitonic-block-", 19) == 0, "first pass");
        CHECK(description.passes[description.pass_count - 1].barriers == GL_SEGSORT_BARRIER_STORAGE,
              "the last pass depends on the one before");
    }
    gl_segsort_plan_destroy(plan);
    CHECK(gl_segsort_plan_describe(NULL, &description) == GL_SEGSORT_ERROR_INVALID_ARGUMENT,
          "NULL");
}

/* Two work groups an axis: lists go on in further dispatches, each with surplus groups to ignore
 * (godot 94820). */
static void tiny_dispatch_limit(void)
{
    struct test_gl unlimited = test;
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                    .max_work_groups = 2};
    if (!CHECK(!gl_segsort_context_create(&desc, &test.context), "context"))
        return;
    seventy_thousand_segments_of_three();
    const uint32_t lengths[] = {30000, 5, 9000, 4097, 1, 256};
    check_lengths("long ones two groups at a time", lengths, 6, 0);
    gl_segsort_context_destroy(test.context);
    test = unlimited;
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {
        CHECK_TEST(all_sizes_to_4200),       CHECK_TEST(powers_of_two_to_a_million),
        CHECK_TEST(mixed_lengths),           CHECK_TEST(seventy_thousand_segments_of_three),
        CHECK_TEST(a_million_segments_to_8), CHECK_TEST(description_tells_the_passes),
        CHECK_TEST(tiny_dispatch_limit)};
    int result = check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
    test_gl_close(&test);
    return result;
}
