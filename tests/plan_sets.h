/* Batches that the tests of plans build: sets of every kind side by side. */
#ifndef PLAN_SETS_H
#define PLAN_SETS_H

#include "plan_setup.h"

/* What a set may have: nothing, nothing but empty segments, and segments that are sorted by one
 * work group, by several, or both. */
static const struct set_kind {
    uint32_t count, lengths[6];
} set_kinds[] = {{0, {0}},
                 {2, {0, 0}},
                 {6, {1, 2, 200, 0, 3, 2}},
                 {3, {600, 4096, 512}},
                 {3, {12, 4097, 4096}},
                 {4, {5000, 20000, 6000, 300}},
                 {2, {CHUNK_ROWS + 1, 4097}},
                 {1, {CHUNK_ROWS}},
                 {1, {7}}};

/* Which kinds a batch has. */
#define SETS_MAX 12
static const struct batch_kind {
    uint32_t count, kinds[SETS_MAX];
} batch_kinds[] = {{1, {5}},
                   {2, {4, 4}},
                   {3, {2, 3, 8}},
                   {3, {5, 0, 2}},
                   {4, {0, 6, 1, 4}},
                   {5, {7, 6, 5, 4, 3}},
                   {4, {0, 1, 0, 1}},
                   {6, {3, 4, 2, 5, 1, 6}},
                   {12, {8, 2, 4, 4, 8, 3, 5, 0, 4, 2, 8, 4}}};

struct batch {
    gl_segsort_plan_desc desc;
    gl_segsort_segment segments[6 * SETS_MAX];
    uint32_t counts[SETS_MAX];
    const gl_segsort_segment *of_set[SETS_MAX];
};

/* With the types, bits and algorithm of a description without segments. */
static inline void make_batch(struct batch *batch, const gl_segsort_plan_desc *like,
                              const struct batch_kind *kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < kind->count; i++) {
        const struct set_kind *set = &set_kinds[kind->kinds[i]];
        batch->of_set[i] = batch->segments + count;
        batch->counts[i] = set->count;
        generate_packed_segments(set->lengths, set->count, i, batch->segments + count);
        count += set->count;
    }
    batch->desc = *like;
    batch->desc.label = "plan";
    batch->desc.segments = batch->segments;
    batch->desc.segment_count = count;
    batch->desc.set_count = kind->count;
    batch->desc.set_segment_counts = batch->counts;
}

/* One of its sets, as a plan that is no batch. */
static inline gl_segsort_plan_desc set_alone(const struct batch *batch, uint32_t set)
{
    gl_segsort_plan_desc desc = batch->desc;
    desc.segments = batch->of_set[set];
    desc.segment_count = batch->counts[set];
    desc.set_count = 0;
    desc.set_segment_counts = NULL;
    return desc;
}

/* Leaves the plan as it is. */
static inline bool build_alone(const struct batch *batch, uint32_t set, segsort_plan *alone)
{
    const gl_segsort_plan_desc desc = set_alone(batch, set);
    segsort_plan whole = plan;
    bool built = build(&desc);
    *alone = plan;
    plan = whole;
    return built;
}

#endif
