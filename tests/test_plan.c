/* Layer 1: plans. Pure C, no GL. The passes are run by the kernels' CPU twin on the real segment table, so that a wrong table,
 * order or fold shows without a GPU. */
#include "check.h"
#include "cpu_sort.h"
#include "generate.h"
#include "plan.h"
#include "twin.h"

#include <stdlib.h>

static segsort_limits limits;
static segsort_error error;
static segsort_plan plan;
static gl_segsort_allocator allocator;

static void reset_limits(uint32_t work_groups)
{
    limits = (segsort_limits){.work_groups = {work_groups, work_groups, work_groups},
                              .shared_bytes = 32768,
                              .storage_bytes = 1u << 31,
                              .storage_alignment = 256,
                              .uniform_alignment = 256,
                              .barrier_bits = 0x3fef};
    const gl_segsort_context_desc desc = {0};
    allocator = segsort_desc_allocator(&desc);
}

static bool build(const gl_segsort_segment *segments, size_t count, gl_segsort_direction direction)
{
    gl_segsort_plan_desc desc = {.label = "plan",
                                 .segments = segments,
                                 .segment_count = (uint32_t)count,
                                 .direction = direction};
    segsort_layout layout;
    gl_segsort_result result = segsort_desc_check_plan(&desc, &limits, &allocator, &layout, &error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_build(&desc, &layout, &limits, &allocator, &plan, &error);
    return CHECK(result == GL_SEGSORT_SUCCESS, "%s", error.text);
}

static void folded_groups_cover(void)
{
    const uint32_t limit_sets[][3] = {
        {2, 2, 2}, {65535, 65535, 65535}, {2147483647, 65535, 65535}, {3, 5, 7}};
    const uint64_t counts[] = {1,     2,     3,     4,     5,      7,      8,        100,       105,
                               65534, 65535, 65536, 65537, 131070, 131071, 10000000, 4294967295};
    for (size_t l = 0; l < sizeof limit_sets / sizeof limit_sets[0]; l++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const uint32_t *set = limit_sets[l];
            if (counts[c] > (uint64_t)set[0] * set[1] * (set[2] < 8 ? set[2] : 8))
                continue;
            uint32_t groups[3];
            segsort_fold_groups(counts[c], set, groups);
            uint64_t covered = (uint64_t)groups[0] * groups[1] * groups[2];
            CHECK(groups[0] <= set[0] && groups[1] <= set[1] && groups[2] <= set[2],
                  "%llu groups over the limits", (unsigned long long)counts[c]);
            CHECK(covered >= counts[c], "%llu groups, %llu covered", (unsigned long long)counts[c],
                  (unsigned long long)covered);
            CHECK(covered - counts[c] < (uint64_t)groups[1] * groups[2] * 2 + set[0] / 64,
                  "%llu groups, %llu surplus", (unsigned long long)counts[c],
                  (unsigned long long)(covered - counts[c]));
        }
}

static void check_plan_sorts(const gl_segsort_segment *segments, size_t count, size_t rows,
                             gl_segsort_direction direction)
{
    if (!build(segments, count, direction))
        return;
    uint32_t *keys = malloc(rows * 4), *values = malloc(rows * 4);
    uint32_t *expected = calloc(2 * rows, 4), *got = calloc(2 * rows, 4);
    struct twin twin = {.plan = &plan,
                        .keys = keys,
                        .values = values,
                        .output_keys = got,
                        .output_values = got + rows,
                        .index = calloc(plan.index_rows + 1, 4)};
    generate_keys(GENERATE_RANDOM, keys, rows, 5);
    for (size_t i = 0; i < rows; i++)
        keys[i] %= 1000; /* many equal ones */
    generate_identity(values, rows);
    cpu_sort_segments(keys, values, expected, expected + rows, segments, count, direction);
    for (uint32_t i = 0; i < plan.pass_count; i++)
        twin_run_pass(&twin, i);
    CHECK(memcmp(expected, got, 8 * rows) == 0, "%zu segments, %zu rows come out unsorted", count,
          rows);
    free(keys);
    free(values);
    free(expected);
    free(got);
    free(twin.index);
    segsort_plan_release(&plan, &allocator);
}

static void plans_sort(void)
{
    const uint32_t lengths[] = {3,    0,    1,   2,     256, 257,  4096, 4097, 5,
                                6000, 8193, 100, 40000, 0,   2047, 2048, 2049, 7};
    const size_t count = sizeof lengths / sizeof lengths[0];
    gl_segsort_segment segments[sizeof lengths / sizeof lengths[0]];
    const uint32_t work_groups[] = {2, 5, 65535};
    for (size_t l = 0; l < sizeof work_groups / sizeof work_groups[0]; l++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            reset_limits(work_groups[l]);
            size_t rows = generate_packed_segments(lengths, count, 2, segments);
            generate_shuffled_segments(segments, count, seed);
            check_plan_sorts(segments, count, rows,
                             seed % 2 ? GL_SEGSORT_DESCENDING : GL_SEGSORT_ASCENDING);
        }
}

/* Shared memory down to what a width of 2 takes: the plan adapts. */
static void plans_adapt_to_shared_memory(void)
{
    const uint32_t lengths[] = {1, 9, 63, 64, 65, 500, 4096};
    gl_segsort_segment segments[7];
    size_t rows = generate_packed_segments(lengths, 7, 0, segments);
    for (uint32_t bytes = 64; bytes <= 49152; bytes = bytes * 3 / 2) {
        reset_limits(65535);
        limits.shared_bytes = bytes;
        check_plan_sorts(segments, 7, rows, GL_SEGSORT_ASCENDING);
    }
    reset_limits(65535);
    build(segments, 7, GL_SEGSORT_ASCENDING);
    CHECK(plan.local_rows_max == 4096, "%u rows in 32 KiB", plan.local_rows_max);
    CHECK(plan.index_rows == 0, "scratch without long segments");
    segsort_plan_release(&plan, &allocator);
}

/* A million random lengths up to 256 rows: at most eight dispatches, each width's label once. */
static void eight_dispatches(void)
{
    enum { COUNT = 1000000 };
    uint32_t *lengths = malloc(COUNT * sizeof *lengths);
    gl_segsort_segment *segments = malloc(COUNT * sizeof *segments);
    uint64_t state = 7;
    for (size_t i = 0; i < COUNT; i++)
        lengths[i] = generate_below(&state, 257);
    generate_packed_segments(lengths, COUNT, 0, segments);
    reset_limits(65535);
    if (build(segments, COUNT, GL_SEGSORT_ASCENDING)) {
        CHECK(plan.pass_count == 8, "%u passes", plan.pass_count);
        uint64_t segments_seen = 0, rows = 0;
        for (uint32_t i = 0; i < plan.pass_count; i++) {
            char label[64];
            snprintf(label, sizeof label, "plan-bitonic-local-%u", 256u >> i);
            CHECK(strcmp(plan.passes[i].label, label) == 0, "%s", plan.passes[i].label);
            CHECK(plan.passes[i].barriers == 0, "a barrier between independent passes");
            segments_seen += plan.passes[i].segment_count;
            rows += plan.passes[i].row_count;
        }
        CHECK(segments_seen + plan.layout.empty_count == COUNT, "segments lost");
        CHECK(rows == plan.layout.row_count, "rows lost");
    }
    segsort_plan_release(&plan, &allocator);
    free(lengths);
    free(segments);
}

/* The number of dispatches depends on the longest segment alone. */
static void long_segments_share_passes(void)
{
    gl_segsort_segment segments[200];
    uint32_t lengths[200], passes = 0;
    for (size_t count = 1; count <= 200; count += 199) {
        for (size_t i = 0; i < count; i++)
            lengths[i] = i == 0 ? 100000 : 5000 + (uint32_t)i;
        generate_packed_segments(lengths, count, 0, segments);
        reset_limits(65535);
        build(segments, count, GL_SEGSORT_ASCENDING);
        CHECK(passes == 0 || plan.pass_count == passes, "%u passes, then %u", passes,
              plan.pass_count);
        passes = plan.pass_count;
        for (uint32_t i = 0; i < plan.pass_count; i++) {
            const segsort_pass *pass = &plan.passes[i];
            bool first = pass->variant.kernel == SEGSORT_KERNEL_BITONIC_BLOCK;
            CHECK(first == (i == 0) && (pass->barriers != 0) == !first, "%s", pass->label);
            CHECK(pass->segment_count == (pass->stage > 8192 ? 1 : count), "%s: %u segments",
                  pass->label, pass->segment_count);
        }
        CHECK(plan.index_rows == plan.layout.row_count, "one index word a row");
        segsort_plan_release(&plan, &allocator);
    }
}

static void too_large_a_table(void)
{
    gl_segsort_segment segments[10];
    const uint32_t lengths[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    generate_packed_segments(lengths, 10, 0, segments);
    reset_limits(65535);
    limits.storage_bytes = 199;
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 10};
    segsort_layout layout;
    segsort_desc_check_plan(&desc, &limits, &allocator, &layout, &error);
    gl_segsort_result result =
        segsort_plan_build(&desc, &layout, &limits, &allocator, &plan, &error);
    CHECK(result == GL_SEGSORT_ERROR_UNSUPPORTED && strstr(error.text, "200 bytes"), "%s",
          error.text);
    CHECK(!plan.table && !plan.passes, "something is left allocated");
}

static void long_labels_are_cut(void)
{
    char label[301] = {0};
    memset(label, 'x', 300);
    const gl_segsort_segment segment = {0, 0, 0, 0, 1u << 20};
    gl_segsort_plan_desc desc = {.label = label, .segments = &segment, .segment_count = 1};
    segsort_layout layout;
    reset_limits(65535);
    segsort_desc_check_plan(&desc, &limits, &allocator, &layout, &error);
    segsort_plan_build(&desc, &layout, &limits, &allocator, &plan, &error);
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        CHECK(strspn(plan.passes[i].label, "x") == 63, "%s", plan.passes[i].label);
        CHECK(strlen(plan.passes[i].label) > 63, "%s", plan.passes[i].label);
    }
    segsort_plan_release(&plan, &allocator);
}

CHECK_MAIN(CHECK_TEST(folded_groups_cover), CHECK_TEST(plans_sort),
           CHECK_TEST(plans_adapt_to_shared_memory), CHECK_TEST(eight_dispatches),
           CHECK_TEST(long_segments_share_passes), CHECK_TEST(too_large_a_table),
           CHECK_TEST(long_labels_are_cut))
