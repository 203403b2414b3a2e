/* Layer 1: the known-answer test's own answers, and whether it reaches all that it vouches for. */
#include "check.h"
#include "cpu_sort.h"
#include "self_test_answers.h"
#include "twin_memory.h"

#include <stdlib.h>

/* Kernels that a plan of the test has. */
static uint64_t test_kernels(const segsort_sort_test *test, segsort_subgroup_api api)
{
    const gl_segsort_plan_desc desc = {.algorithm = test->algorithm,
                                       .segments = test->segments,
                                       .segment_count = test->segment_count};
    segsort_limits limits = twin_limits();
    segsort_plan plan;
    segsort_error error;
    uint64_t kernels = 0;
    limits.subgroup_api = api;
    limits.subgroup_size = 8;
    const segsort_tuning tuning = segsort_sort_test_tuning(test, segsort_tuning_default());
    limits.tuning = &tuning;
    if (!CHECK(twin_plan_build(&desc, &limits, &plan, &error), "%s", error.text))
        return 0;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_variant *variant = &plan.passes[i].variant;
        bool has = segsort_kernel_has_subgroup(variant->kernel, api);
        CHECK(variant->subgroup_size == (has ? 8 : 0) &&
                  variant->subgroup_api == (has ? api : SEGSORT_SUBGROUP_NONE),
              "%s: subgroups of %u", segsort_kernel_get(variant->kernel)->name,
              variant->subgroup_size);
        kernels |= (uint64_t)has << variant->kernel;
    }
    twin_plan_release(&plan);
    return kernels;
}

static void every_variant_has_one_test(void)
{
    for (int api = SEGSORT_SUBGROUP_KHR; api < SEGSORT_SUBGROUP_APIS; api++) {
        uint64_t tested = 0, variants = 0;
        for (int id = 0; id < SEGSORT_KERNEL_COUNT; id++)
            variants |= (uint64_t)(id != SEGSORT_KERNEL_SUBGROUP_PROBE &&
                                   segsort_kernel_has_subgroup((segsort_kernel_id)id,
                                                               (segsort_subgroup_api)api))
                        << id;
        for (uint32_t i = 0; i < SEGSORT_SORT_TESTS; i++) {
            segsort_sort_test test;
            segsort_sort_test_get(i, &test);
            uint64_t there = test_kernels(&test, (segsort_subgroup_api)api);
            CHECK((test.kernels & variants & ~there) == 0 &&
                      (there & ~tested) == (test.kernels & variants),
                  "%s: there are 0x%llx", test.name, (unsigned long long)there);
            CHECK((tested & test.kernels) == 0, "%s: tested twice", test.name);
            CHECK(test.row_count <= SEGSORT_SORT_TEST_ROWS_MAX &&
                      test.segment_count <= SEGSORT_SORT_TEST_SEGMENTS,
                  "%s: %u rows", test.name, test.row_count);
            tested |= test.kernels;
        }
        CHECK((variants & ~tested) == 0, "api %d: untested are 0x%llx", api,
              (unsigned long long)(variants & ~tested));
    }
}

static void sorts_are_right(void)
{
    for (uint32_t i = 0; i < SEGSORT_SORT_TESTS; i++) {
        segsort_sort_test test;
        segsort_sort_test_get(i, &test);
        size_t rows = test.row_count;
        uint32_t *words = calloc(8 * rows, sizeof *words);
        if (!CHECK(words, "memory"))
            return;
        uint32_t *keys = words, *values = keys + rows, *spare = values + rows;
        uint32_t *expected = spare + 2 * rows, *input = expected + 2 * rows;
        segsort_sort_test_input(&test, input, input + rows);
        memcpy(keys, input, 2 * rows * sizeof *keys);
        cpu_sort_segments(input, input + rows, expected, expected + rows, test.segments,
                          test.segment_count, GL_SEGSORT_ASCENDING);
        segsort_sort_test_answers(&test, keys, values, spare);
        CHECK(memcmp(keys, expected, 2 * rows * sizeof *keys) == 0, "%s", test.name);
        CHECK(memcmp(input, expected, 2 * rows * sizeof *keys) != 0, "%s is sorted", test.name);
        free(words);
    }
}

/* The probe's answers for one size are none for another, and each function's words differ from lane
 * to lane or subgroup to subgroup: what is left out or swapped is seen. */
static void answers_tell_sizes_apart(void)
{
    static uint32_t words[2][SEGSORT_PROBE_BUFFER_WORDS];
    for (uint32_t size = 4; size < 64; size *= 2) {
        segsort_probe_answers(SEGSORT_SUBGROUP_KHR, size, words[0]);
        segsort_probe_answers(SEGSORT_SUBGROUP_KHR, 2 * size, words[1]);
        for (uint32_t word = 0; word < SEGSORT_PROBE_WORDS; word++) {
            bool upper = word == 5 || word == 7 || word == 9 || word == 11;
            uint32_t differ = 0;
            for (uint32_t i = word; i < SEGSORT_PROBE_BUFFER_WORDS; i += SEGSORT_PROBE_WORDS)
                differ += words[0][i] != words[1][i];
            bool full = size == 32 && word == SEGSORT_PROBE_ALL;
            CHECK(differ > 0 || (upper && size < 32) || full, "size %u: %s is the same", size,
                  segsort_probe_word_name(word));
        }
    }
}

static void sizes_that_fit(void)
{
    uint32_t khr = 0, arb = 0;
    for (uint32_t size = 0; size < 1000; size++) {
        CHECK(!segsort_subgroup_fits(SEGSORT_SUBGROUP_NONE, size), "%u", size);
        khr += segsort_subgroup_fits(SEGSORT_SUBGROUP_KHR, size) ? size : 0;
        arb += segsort_subgroup_fits(SEGSORT_SUBGROUP_ARB, size) ? size : 0;
    }
    CHECK(khr == 8 + 16 + 32 + 64 && arb == khr + 4, "%u, %u", khr, arb);
}

CHECK_MAIN(CHECK_TEST(every_variant_has_one_test), CHECK_TEST(sorts_are_right),
           CHECK_TEST(answers_tell_sizes_apart), CHECK_TEST(sizes_that_fit))
