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

#endif
