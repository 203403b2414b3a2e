/* What the tests of plans with split segments share. */
#ifndef PLAN_SPLITS_H
#define PLAN_SPLITS_H

#include "plan_setup.h"

enum { KIB_16 = 16384, KIB_32 = 32768, KIB_48 = 49152 };

static const segsort_kernel_id split_kernels[] = {
    SEGSORT_KERNEL_SPLIT_SAMPLE,  SEGSORT_KERNEL_SPLIT_COUNT,  SEGSORT_KERNEL_SPLIT_SPINE,
    SEGSORT_KERNEL_SPLIT_SCATTER, SEGSORT_KERNEL_SPLIT_FINISH, SEGSORT_KERNEL_SPLIT_PARTS};

static inline const segsort_pass *find_pass(segsort_kernel_id kernel)
{
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if (plan.passes[i].variant.kernel == kernel)
            return &plan.passes[i];
    return NULL;
}

static inline bool splits_nothing(void)
{
    for (size_t i = 0; i < COUNT_OF(split_kernels); i++)
        if (find_pass(split_kernels[i]))
            return false;
    return true;
}

static inline bool build_lengths(gl_segsort_plan_desc *desc, const uint32_t *lengths, size_t count)
{
    static gl_segsort_segment segments[32];
    generate_packed_segments(lengths, count, 1, segments);
    desc->segments = segments;
    desc->segment_count = (uint32_t)count;
    desc->label = "plan";
    return build(desc);
}

static inline const uint32_t *split_words(const segsort_pass *pass, uint32_t segment)
{
    return plan.table + (uint32_t)(pass->params.split_word + segment * SEGSORT_SPLIT_WORDS);
}

/* Which words of the table or of the work section have an owner already. */
struct marks {
    const char *what;
    uint8_t *words;
    uint64_t count, marked;
};

static inline void mark(struct marks *marks, const char *owner, uint32_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++) {
        if (!CHECK(i < marks->count && !marks->words[i], "%s: word %llu of %s is taken",
                   marks->what, (unsigned long long)i, owner))
            return;
        marks->words[i] = 1;
        marks->marked++;
    }
}

static inline struct marks make_marks(const char *what, uint64_t count)
{
    struct marks marks = {what, calloc(count + 1, 1), count, 0};
    if (!marks.words)
        abort();
    return marks;
}

#endif
