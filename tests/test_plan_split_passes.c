/* Layer 1: the passes of a plan that splits long segments into buckets: beside each other, beside
 * digits, and in as many dispatches as they take. */
#include "plan_splits.h"

enum { IN = SEGSORT_PLACE_INPUT, OUT = SEGSORT_PLACE_OUTPUT, TEMP = SEGSORT_PLACE_SCRATCH };

struct expected_pass {
    const char *label; /* behind "plan-" */
    uint32_t level, first, end, segments;
    uint64_t rows;
    uint32_t source, destination;
};

/* Whether the pass before it waits for both: ways to finish split segments. */
static bool follows(const struct expected_pass *expected, size_t number)
{
    return number > 0 && expected[number].level == expected[number - 1].level &&
           strncmp(expected[number].label, "split-", 6) == 0 &&
           strncmp(expected[number - 1].label, "split-", 6) == 0;
}

static void check_passes(const struct expected_pass *expected, size_t count)
{
    CHECK(plan.pass_count == count, "%u passes instead of %zu", plan.pass_count, count);
    for (size_t i = 0; i < count && i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        const struct expected_pass *e = &expected[i];
        CHECK(strncmp(pass->label, "plan-", 5) == 0 && strcmp(pass->label + 5, e->label) == 0,
              "pass %zu is %s, not %s", i, pass->label, e->label);
        CHECK(pass->level == e->level, "%s: level %u", e->label, pass->level);
        CHECK((pass->barriers == GL_SEGSORT_BARRIER_STORAGE) ==
                  (e->level > 0 && !follows(expected, i)),
              "%s: barriers 0x%x", e->label, pass->barriers);
        CHECK(pass->params.first_group == e->first && pass->params.item_count == e->end,
              "%s: items %u to %u", e->label, pass->params.first_group, pass->params.item_count);
        CHECK(pass->segment_count == e->segments && pass->row_count == e->rows,
              "%s: %u segments, %llu rows", e->label, pass->segment_count,
              (unsigned long long)pass->row_count);
        CHECK(pass->params.source == e->source && pass->params.destination == e->destination,
              "%s: from place %u to %u", e->label, pass->params.source, pass->params.destination);
        CHECK(pass->condition == GL_SEGSORT_PASS_ALWAYS, "%s has a condition", e->label);
    }
    twin_plan_release(&plan);
}

/* Tiles: 3 and 3; work groups that sort bunches: 3 and 3. */
static void passes_of_splits(void)
{
    const uint32_t lengths[] = {5000, 4097};
    gl_segsort_plan_desc desc = {0};
    reset_limits(65535);
    const struct expected_pass expected[] = {
        {"split-sample-512", 0, 0, 2, 2, 9097, IN, TEMP},
        {"split-count-2048", 1, 0, 6, 2, 9097, IN, TEMP},
        {"split-spine-2048", 2, 0, 2, 2, 9097, IN, TEMP},
        {"split-scatter-2048", 3, 0, 6, 2, 9097, IN, TEMP},
        {"split-finish-2048", 4, 0, 6, 2, 9097, TEMP, OUT},
    };
    if (build_lengths(&desc, lengths, 2))
        check_passes(expected, COUNT_OF(expected));
}

/* A segment of 66 tiles and two chunks by two digits, beside one of 3 tiles and 3 work groups: each
 * pass takes its own part of tiles and segments, and only digits have chunks. Passes of a level run side by side. */
static void passes_beside_digits(void)
{
    const uint32_t longer = CHUNK_ROWS + 2049, lengths[] = {5000, longer};
    gl_segsort_plan_desc desc = {.end_bit = 16};
    reset_limits(65535);
    const struct expected_pass expected[] = {
        {"split-sample-512", 0, 0 + 1, 2, 1, 5000, IN, TEMP},
        {"radix-count-0-8", 0, 0, 66, 1, longer, IN, TEMP},
        {"split-count-2048", 1, 66, 69, 1, 5000, IN, TEMP},
        {"radix-chunk-0-8", 1, 0, 2, 1, longer, IN, TEMP},
        {"split-spine-2048", 2, 1, 2, 1, 5000, IN, TEMP},
        {"radix-spine-0-8", 2, 0, 1, 1, longer, IN, TEMP},
        {"split-scatter-2048", 3, 66, 69, 1, 5000, IN, TEMP},
        {"radix-scatter-0-8", 3, 0, 66, 1, longer, IN, TEMP},
        {"split-finish-2048", 4, 0, 3, 1, 5000, TEMP, OUT},
        {"radix-count-8-16", 4, 0, 66, 1, longer, TEMP, OUT},
        {"radix-chunk-8-16", 5, 0, 2, 1, longer, TEMP, OUT},
        {"radix-spine-8-16", 6, 0, 1, 1, longer, TEMP, OUT},
        {"radix-scatter-8-16", 7, 0, 66, 1, longer, TEMP, OUT},
    };
    if (build_lengths(&desc, lengths, 2))
        check_passes(expected, COUNT_OF(expected));
}

/* Three ways side by side behind one barrier. Work groups: 5000 / (2048 - 197) + 1, 200,000 / (4096 - 585) + 1 and
 * 300,000 / (4096 - 878) + 1, where three quarters of a bucket's rows are taken off. */
static void ways_side_by_side(void)
{
    const uint32_t lengths[] = {5000, 300000, 200000};
    segsort_tuning tuning = *segsort_tuning_default();
    gl_segsort_plan_desc desc = {0};
    reset_limits(65535);
    limits.shared_bytes = KIB_48;
    limits.tuning = &tuning;
    const struct expected_pass expected[] = {
        {"split-sample-4096", 0, 0, 3, 3, 505000, IN, TEMP},
        {"split-count-2048", 1, 0, 248, 3, 505000, IN, TEMP},
        {"split-spine-2048", 2, 0, 3, 3, 505000, IN, TEMP},
        {"split-scatter-2048", 3, 0, 248, 3, 505000, IN, TEMP},
        {"split-finish-2048", 4, 0, 3, 1, 5000, TEMP, OUT},
        {"split-finish-4096", 4, 3, 60, 1, 200000, TEMP, OUT},
        {"split-parts-4096", 4, 60, 154, 1, 300000, TEMP, OUT},
    };
    if (build_lengths(&desc, lengths, 3))
        check_passes(expected, COUNT_OF(expected));
}

/* In place an odd number of digits starts with a copy; that is of no concern to split segments. */
static void copies_leave_splits_out(void)
{
    const uint32_t lengths[] = {5000, 100000};
    gl_segsort_plan_desc desc = {.end_bit = 8};
    reset_limits(65535);
    if (!build_lengths(&desc, lengths, 2))
        return;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        bool split = pass->params.finish_word > 0;
        CHECK(split == (pass->row_count == 5000) && split == (pass->params.split_word > 0),
              "%s: %llu rows", pass->label, (unsigned long long)pass->row_count);
        CHECK(!split || pass->condition == GL_SEGSORT_PASS_ALWAYS, "%s has a condition",
              pass->label);
        if (pass->variant.kernel == SEGSORT_KERNEL_COPY_ROWS)
            CHECK(pass->params.item_count == 49 && pass->segment_count == 1,
                  "%u tiles of %u segments are copied", pass->params.item_count,
                  pass->segment_count);
    }
    twin_plan_release(&plan);
}

/* Of one kernel's dispatches: they go on where the one before ended, none is larger than GL takes,
 * and only the first waits. Some have groups behind the last item. */
static void check_dispatches(segsort_kernel_id kernel, uint32_t first, uint32_t end,
                             uint32_t groups_behind, uint32_t limit)
{
    const char *name = segsort_kernel_get(kernel)->name;
    uint64_t next = first;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        const uint32_t *groups = pass->work_groups;
        if (pass->variant.kernel != kernel || pass->params.finish_word == 0)
            continue;
        CHECK(pass->params.first_group == next && pass->params.item_count == end,
              "%s: groups from %u on, not %u", name, pass->params.first_group, (unsigned)next);
        CHECK(groups[0] <= limit && groups[1] <= limit && groups[2] <= limit,
              "%s: %u * %u * %u groups", name, groups[0], groups[1], groups[2]);
        CHECK((pass->barriers != 0) == (next == first && pass->level > 0), "%s: barriers 0x%x",
              name, pass->barriers);
        CHECK((uint64_t)groups[0] * groups[1] * groups[2] >= pass->groups_max, "%s: too few", name);
        next += pass->groups_max;
    }
    CHECK(next == end + groups_behind, "%s: groups up to %u, not %u", name, (unsigned)next,
          end + groups_behind);
}

/* 20 long segments: the first one is sorted by digits, 49 tiles of it. The others have a sum
 * each, which one work group more clears. */
static void dispatches_of_splits(void)
{
    uint32_t lengths[20] = {100000}, tiles = 49, groups = 0;
    for (uint32_t i = 1; i < 20; i++)
        lengths[i] = 4097 + 500 * i;
    for (uint32_t i = 1; i < 20; i++)
        tiles += (lengths[i] + 2047) / 2048;
    for (uint32_t limit = 1; limit <= 4; limit++) {
        gl_segsort_plan_desc desc = {.end_bit = 16};
        reset_limits(limit);
        if (!build_lengths(&desc, lengths, COUNT_OF(lengths)))
            continue;
        const segsort_pass *sample = find_pass(SEGSORT_KERNEL_SPLIT_SAMPLE);
        CHECK(sample, "nothing is split");
        if (!sample)
            return;
        groups = split_words(sample, 19)[0] + split_words(sample, 19)[3];
        check_dispatches(SEGSORT_KERNEL_SPLIT_SAMPLE, 1, 20, 1, limit);
        check_dispatches(SEGSORT_KERNEL_SPLIT_COUNT, 49, tiles, 0, limit);
        check_dispatches(SEGSORT_KERNEL_SPLIT_SPINE, 1, 20, 0, limit);
        check_dispatches(SEGSORT_KERNEL_SPLIT_SCATTER, 49, tiles, 0, limit);
        check_dispatches(SEGSORT_KERNEL_SPLIT_FINISH, 0, groups, 0, limit);
        twin_plan_release(&plan);
    }
}

/* Keys are compared whole, so bits that don't count have to be masked; not in those that only
 * scan. */
static void masks_of_splits(void)
{
    const uint32_t lengths[] = {5000, 80000};
    segsort_tuning tuning = *segsort_tuning_default();
    tuning.buckets_max = 16;
    reset_limits(65535);
    limits.tuning = &tuning;
    for (int masked = 0; masked < 2; masked++) {
        gl_segsort_plan_desc desc = {.key_type = GL_SEGSORT_KEY_U64,
                                     .begin_bit = masked ? 28 : 0,
                                     .end_bit = masked ? 36 : 0};
        if (!build_lengths(&desc, lengths, 2))
            continue;
        for (size_t i = 0; i < COUNT_OF(split_kernels); i++) {
            const segsort_pass *pass = find_pass(split_kernels[i]);
            CHECK(pass, "nothing is split");
            if (!pass)
                continue;
            uint64_t mask = pass->params.key_mask_low | (uint64_t)pass->params.key_mask_high << 32;
            bool scans = pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SPINE;
            CHECK(mask == (masked ? 0xff0000000 : UINT64_MAX) &&
                      pass->variant.masked == (masked && !scans),
                  "%s: mask 0x%llx", pass->label, (unsigned long long)mask);
        }
        twin_plan_release(&plan);
    }
}

CHECK_MAIN(CHECK_TEST(passes_of_splits), CHECK_TEST(passes_beside_digits),
           CHECK_TEST(ways_side_by_side), CHECK_TEST(copies_leave_splits_out),
           CHECK_TEST(dispatches_of_splits), CHECK_TEST(masks_of_splits))
