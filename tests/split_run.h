/* What the tests of split segments' kernels share: passes on the GPU beside their twins. */
#ifndef SPLIT_RUN_H
#define SPLIT_RUN_H

#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "twin_gpu.h"

#include <glad/gl.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { SETS = 2 };

/* A plan of one set, or a batch of two of which the second is in place where the first is not. */
struct run {
    segsort_plan plan;
    gl_segsort_plan_desc desc;
    struct twin_memory memories[SETS], expected[SETS];
    struct twin_gpu gpus[SETS];
};

/* Segments that are too long for narrow bunches are sorted digit by digit, or in so few buckets that these have parts. */
static inline segsort_tuning tuning_of(uint32_t buckets_max)
{
    segsort_tuning tuning = *segsort_tuning_default();
    tuning.part_length_max = buckets_max > 0 ? UINT32_MAX : 0;
    tuning.child_rows = 0;
    if (buckets_max > 0)
        tuning.buckets_max = buckets_max;
    return tuning;
}

static inline const segsort_pass *find_pass(const segsort_plan *plan, segsort_kernel_id kernel)
{
    for (uint32_t i = 0; i < plan->pass_count; i++)
        if (plan->passes[i].variant.kernel == kernel)
            return &plan->passes[i];
    return NULL;
}

/* Merging, and sorting by few bits, leave what they like in the scratch. */
static inline void forget_scratch(struct run *run, int array)
{
    const struct twin_array *words = &run->memories[0].arrays[array];
    if (words->view_words == 0)
        return;
    glBindBuffer(GL_COPY_READ_BUFFER, run->gpus[0].buffers[array]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)words->first_word * 4,
                       (GLsizeiptr)words->view_words * 4, words->words + words->first_word);
}

static inline bool run_pass(struct run *run, segsort_kernel_id kernel)
{
    const segsort_pass *pass = find_pass(&run->plan, kernel);
    struct twin twin = twin_memory_twin(&run->memories[0]);
    bool right = CHECK(pass && twin_gpu_dispatch(&run->gpus[0], pass), "no such pass");
    if (!right)
        return false;
    twin_run_pass(&twin, pass);
    bool finishes = kernel == SEGSORT_KERNEL_SPLIT_FINISH || kernel == SEGSORT_KERNEL_SPLIT_PARTS;
    for (int array = 4; finishes && array < TWIN_WORK; array++)
        forget_scratch(run, array);
    return CHECK(twin_gpu_equal(&run->gpus[0], pass), "%s differs", pass->label);
}

static inline void make_run(struct run *run, enum twin_in_place in_place)
{
    for (uint32_t i = 0; i < run->plan.set_count; i++) {
        const gl_segsort_plan_desc of_set = twin_set_desc(&run->desc, i);
        enum twin_in_place own = i == 0 ? in_place : TWIN_BOTH - in_place;
        twin_memory_make_set(&run->memories[i], &run->plan, i, &of_set, own, i + 7);
        twin_memory_make_set(&run->expected[i], &run->plan, i, &of_set, own, i + 7);
        twin_memory_expect(&run->expected[i], &of_set);
        run->gpus[i] = twin_gpu_make(&run->memories[i]);
    }
}

static inline void free_run(struct run *run)
{
    for (uint32_t i = 0; i < run->plan.set_count; i++) {
        twin_gpu_delete(&run->gpus[i]);
        twin_memory_release(&run->memories[i]);
        twin_memory_release(&run->expected[i]);
    }
}

/* The GPU runs the passes of a level from the first to the last, the twins from the last to the
 * first, and their work groups backwards: they depend on none of each other. */
static inline bool compare_level(struct run *run, uint32_t begin, uint32_t end)
{
    const segsort_pass *passes = run->plan.passes;
    bool right = true;
    for (uint32_t i = begin; i < end; i++)
        if (twin_pass_is_due(&passes[i], run->memories[passes[i].set].in_place))
            right = twin_gpu_dispatch(&run->gpus[passes[i].set], &passes[i]) && right;
    for (uint32_t i = end; i > begin; i--) {
        const segsort_pass *pass = &passes[i - 1];
        struct twin twin = twin_memory_twin(&run->memories[pass->set]);
        twin.backwards = true;
        if (twin_pass_is_due(pass, run->memories[pass->set].in_place))
            twin_run_pass(&twin, pass);
    }
    for (uint32_t i = 0; i < run->plan.set_count; i++)
        right = twin_gpu_equal(&run->gpus[i], &passes[begin]) && right;
    return CHECK(right, "level %u, from %s on", passes[begin].level, passes[begin].label);
}

static inline void compare_levels(struct run *run, enum twin_in_place in_place)
{
    const segsort_plan *plan = &run->plan;
    char what[128] = "";
    make_run(run, in_place);
    for (uint32_t begin = 0, end; begin < plan->pass_count; begin = end) {
        for (end = begin + 1; end < plan->pass_count; end++)
            if (plan->passes[end].level != plan->passes[begin].level)
                break;
        if (!compare_level(run, begin, end))
            break;
    }
    for (uint32_t i = 0; i < plan->set_count; i++)
        CHECK(twin_memory_equal(&run->memories[i], &run->expected[i], what, sizeof what),
              "set %u: %s", i, what);
    free_run(run);
}

static inline uint32_t count_passes(const segsort_plan *plan, segsort_kernel_id kernel)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->pass_count; i++)
        count += plan->passes[i].variant.kernel == kernel;
    return count;
}

#endif
