/* Layer 1: plans that stop after a number of steps. Pure C, no GL: the passes that are left are run
 * by the kernels' CPU twins. */
#include "cpu_steps.h"
#include "plan_setup.h"
#include "steps.h"

/* ---------------------------------------------------------------------------------------------- */
/* Counting */

/* Stage by stage, as the network has them. */
static void steps_of_the_network(void)
{
    uint32_t step = 0, stage, stride;
    for (uint32_t k = 2; k != 0; k *= 2)
        for (uint32_t j = k / 2; j > 0; j /= 2) {
            bool known = gl_segsort_network_step(++step, &stage, &stride);
            CHECK(known && stage == k && stride == j, "step %u: stage %u, stride %u", step, stage,
                  stride);
        }
    CHECK(step == 496, "%u steps", step);
    for (uint32_t none = 0; none != 3; none++) {
        const uint32_t numbers[] = {0, 497, UINT32_MAX};
        stage = stride = 7;
        CHECK(!gl_segsort_network_step(numbers[none], &stage, &stride) && stage == 0 && stride == 0,
              "step %u: stage %u, stride %u", numbers[none], stage, stride);
    }
    for (uint32_t length = 0; length < 3000; length++)
        CHECK(segsort_network_steps(length) == cpu_network_steps(length), "%u rows: %u steps",
              length, segsort_network_steps(length));
    CHECK(segsort_network_steps(UINT32_MAX) == 528, "2^32 - 1 rows: %u steps",
          segsort_network_steps(UINT32_MAX));
}

static bool build_lengths(gl_segsort_plan_desc *desc, const uint32_t *lengths, size_t count)
{
    static gl_segsort_segment segments[32];
    generate_packed_segments(lengths, count, 1, segments);
    desc->segments = segments;
    desc->segment_count = (uint32_t)count;
    return build(desc);
}

static const struct {
    gl_segsort_plan_desc desc;
    uint32_t lengths[3];
    uint32_t steps;
} counts[] = {
    {{.algorithm = GL_SEGSORT_ALGORITHM_BITONIC}, {0, 0, 0}, 0},
    {{.algorithm = GL_SEGSORT_ALGORITHM_BITONIC}, {1, 0, 1}, 0},
    {{.algorithm = GL_SEGSORT_ALGORITHM_BITONIC}, {2, 1, 0}, 1},
    {{.algorithm = GL_SEGSORT_ALGORITHM_BITONIC}, {2, 3, 1}, 3},
    {{.algorithm = GL_SEGSORT_ALGORITHM_BITONIC}, {64, 65, 2}, 28},
    {{.algorithm = GL_SEGSORT_ALGORITHM_BITONIC}, {4096, 1, 2}, 78},
    {{.algorithm = GL_SEGSORT_ALGORITHM_BITONIC}, {3, 4097, 16384}, 105},
    {{.algorithm = GL_SEGSORT_ALGORITHM_RADIX}, {3, 4, 5}, 4},
    {{.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .key_type = GL_SEGSORT_KEY_U64}, {9000, 0, 0}, 8},
    {{.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .begin_bit = 3, .end_bit = 20}, {3, 5000, 0}, 3},
    {{.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .begin_bit = 3, .end_bit = 3}, {3, 5000, 0}, 0},
    {{.algorithm = GL_SEGSORT_ALGORITHM_AUTO}, {3, 5000, 0}, 4},
    {{.algorithm = GL_SEGSORT_ALGORITHM_AUTO}, {512, 5000, 1000}, 45},
};

static void plans_count_their_steps(void)
{
    reset_limits(65535);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (uint32_t limit = 0; limit < 3; limit++) {
            gl_segsort_plan_desc desc = counts[i].desc;
            desc.step_limit = limit;
            if (!build_lengths(&desc, counts[i].lengths, 3))
                continue;
            CHECK(plan.step_count == counts[i].steps, "case %zu: %u steps instead of %u", i,
                  plan.step_count, counts[i].steps);
            twin_plan_release(&plan);
        }
}

/* ---------------------------------------------------------------------------------------------- */
/* Which passes are left */

/* Steps of the network that a pass has, when nothing limits it. */
static uint32_t pass_steps(const segsort_pass *pass)
{
    switch (pass->variant.kernel) {
    case SEGSORT_KERNEL_BITONIC_BLOCK:
        return cpu_network_steps(pass->width);
    case SEGSORT_KERNEL_BITONIC_MERGE:
        return cpu_network_steps(pass->width) - cpu_network_steps(pass->width / 2);
    default:
        return 1;
    }
}

/* As many passes of a long segment as have steps before the limit, and the last of them has the rest
 * of it. */
static void check_network_passes(const segsort_plan *all, uint32_t limit)
{
    uint32_t begun = 0, i = 0;
    for (; i < all->pass_count && begun < limit; i++) {
        const segsort_pass *whole = &all->passes[i], *pass = &plan.passes[i];
        if (!CHECK(i < plan.pass_count, "limit %u: %u passes", limit, plan.pass_count))
            return;
        struct segsort_pass_params params = whole->params;
        bool several = whole->variant.kernel != SEGSORT_KERNEL_BITONIC_STEP;
        CHECK(params.step_limit == (several ? UINT32_MAX - begun : 0), "%s: step_limit %u",
              whole->label, params.step_limit);
        params.step_limit = several ? limit - begun : 0;
        CHECK(memcmp(&params, &pass->params, sizeof params) == 0 &&
                  strcmp(whole->label, pass->label) == 0 && whole->barriers == pass->barriers,
              "limit %u: %s, step_limit %u", limit, pass->label, pass->params.step_limit);
        begun += pass_steps(whole);
    }
    CHECK(plan.pass_count == i, "limit %u: %u passes instead of %u", limit, plan.pass_count, i);
}

static void passes_past_the_limit_are_left_out(void)
{
    const uint32_t length = 16384 * 2 - 5;
    gl_segsort_plan_desc desc = {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
    reset_limits(65535);
    if (!build_lengths(&desc, &length, 1))
        return;
    segsort_plan all = plan;
    CHECK(all.pass_count == 1 + 2 + 3 + 4 + 5 && all.step_count == 120, "%u passes, %u steps",
          all.pass_count, all.step_count);
    for (uint32_t limit = 1; limit < 130; limit++) {
        desc.step_limit = limit;
        if (!build_lengths(&desc, &length, 1))
            continue;
        check_network_passes(&all, limit);
        CHECK(plan.scratch_bytes == all.scratch_bytes, "limit %u: another scratch", limit);
        twin_plan_release(&plan);
    }
    twin_plan_release(&all);
}

/* The same passes; the radix sort has no use for the mask. */
static void check_same_passes(const segsort_plan *expected, uint32_t limit)
{
    CHECK(plan.pass_count == expected->pass_count, "limit %u: %u passes, not %u", limit,
          plan.pass_count, expected->pass_count);
    for (uint32_t i = 0; i < plan.pass_count && i < expected->pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i], *same = &expected->passes[i];
        struct segsort_pass_params params = pass->params;
        params.key_mask_low = same->params.key_mask_low;
        CHECK(memcmp(&params, &same->params, sizeof params) == 0 &&
                  strcmp(pass->label, same->label) == 0 && pass->condition == same->condition,
              "limit %u: %s instead of %s", limit, pass->label, same->label);
    }
    CHECK(plan.scratch_bytes == expected->scratch_bytes, "limit %u: another scratch", limit);
}

/* Of the radix sort a limit is a range of fewer bits, so its parity is right where that one's is. */
static void digits_are_bits(void)
{
    const uint32_t lengths[] = {3, 4000, 5000, 70000};
    const uint32_t ranges[][2] = {{0, 0}, {0, 32}, {5, 30}, {7, 32}};
    reset_limits(65535);
    for (uint32_t i = 0; i < COUNT_OF(ranges) * 5; i++) {
        const uint32_t *range = ranges[i / 5], limit = 1 + i % 5;
        gl_segsort_plan_desc desc = {.algorithm = GL_SEGSORT_ALGORITHM_RADIX,
                                     .begin_bit = range[0]};
        uint32_t end = range[1] ? range[1] : 32, limited = range[0] + 8 * limit;
        desc.end_bit = limited < end ? limited : end;
        if (!build_lengths(&desc, lengths, COUNT_OF(lengths)))
            continue;
        segsort_plan fewer = plan;
        desc.end_bit = range[1];
        desc.step_limit = limit;
        if (build_lengths(&desc, lengths, COUNT_OF(lengths)))
            check_same_passes(&fewer, limit);
        twin_plan_release(&plan);
        twin_plan_release(&fewer);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* What they leave */

static void run_limited(const gl_segsort_plan_desc *desc, enum twin_in_place in_place)
{
    struct twin_memory memory, expected;
    char what[128] = "";
    twin_memory_make(&memory, &plan, desc, in_place, 5);
    twin_memory_make(&expected, &plan, desc, in_place, 5);
    twin_memory_expect(&expected, desc);
    struct twin twin = twin_memory_twin(&memory);
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if (twin_pass_is_due(&plan.passes[i], memory.in_place))
            twin_run_pass(&twin, &plan.passes[i]);
    CHECK(twin_memory_equal(&memory, &expected, what, sizeof what),
          "key type %d, algorithm %d, limit %u, in place %d: %s", (int)desc->key_type,
          (int)desc->algorithm, desc->step_limit, (int)in_place, what);
    twin_memory_release(&memory);
    twin_memory_release(&expected);
}

/* Shared memory so small that a network of a few hundred rows goes across work groups. */
static void plans_stop_where_they_should(void)
{
    const uint32_t lengths[] = {3, 0, 1, 2, 33, 64, 65, 100, 255, 300, 600, 5000};
    reset_limits(65535);
    for (int i = 0; i < 2 * DIRECTIONS * ALGORITHMS; i++) {
        gl_segsort_plan_desc desc = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                                     .value_type = GL_SEGSORT_VALUE_INDEX,
                                     .direction = (gl_segsort_direction)(i / 2 % DIRECTIONS),
                                     .algorithm = (gl_segsort_algorithm)(i / 2 / DIRECTIONS)};
        bool network = desc.algorithm == GL_SEGSORT_ALGORITHM_BITONIC;
        limits.shared_bytes = network ? 1024 : 32768;
        for (desc.step_limit = 1; desc.step_limit < 95; desc.step_limit++) {
            if (desc.algorithm == GL_SEGSORT_ALGORITHM_RADIX && desc.step_limit > 9)
                break;
            if (!build_lengths(&desc, lengths, COUNT_OF(lengths)))
                return;
            run_limited(&desc, desc.step_limit % 2 ? TWIN_KEYS : TWIN_NEITHER);
            twin_plan_release(&plan);
        }
    }
}

CHECK_MAIN(CHECK_TEST(steps_of_the_network), CHECK_TEST(plans_count_their_steps),
           CHECK_TEST(passes_past_the_limit_are_left_out), CHECK_TEST(digits_are_bits),
           CHECK_TEST(plans_stop_where_they_should))
