/* Batches in the recorded tests: sets of buffers of their own, and what their dispatches have to
 * have bound. */
#ifndef RECORDED_BATCH_H
#define RECORDED_BATCH_H

#include "recorded_places.h"

#define RECORDED_SETS_MAX 50
#define RECORDED_SET_SEGMENTS 4

/* One set: the lengths of its segments. */
struct recorded_set {
    uint32_t count, lengths[RECORDED_SET_SEGMENTS];
};

struct recorded_batch {
    gl_segsort_plan_desc desc; /* its plan's, called "mesh" */
    uint32_t set_count;
    bool in_place[RECORDED_SETS_MAX];
    gl_segsort_segment segments[RECORDED_SETS_MAX * RECORDED_SET_SEGMENTS];
    uint32_t first_segment[RECORDED_SETS_MAX], segment_counts[RECORDED_SETS_MAX];
    uint64_t rows[RECORDED_SETS_MAX]; /* that its views have: up to its last value */
    /* For the calls. A set's buffers are called "keys-0" and so on; its views start at odd words.
     * Descriptions of sets without rows are {0}. */
    gl_segsort_sort_desc sorts[RECORDED_SETS_MAX];
    gl_segsort_gather_desc gathers[RECORDED_SETS_MAX]; /* records of 3 words */
};

/* like: types, bits and algorithm; NULL: all defaults. in_place: bit i for set i, of both streams.
 */
void recorded_batch_make(struct recorded_batch *batch, const gl_segsort_plan_desc *like,
                         const struct recorded_set *sets, uint32_t set_count, uint64_t in_place);

/* A set's segments in a plan that is no batch. */
gl_segsort_plan_desc recorded_batch_alone(const struct recorded_batch *batch, uint32_t set);

/* Whether a sort of the batch runs the pass. */
bool recorded_batch_due(const struct recorded_batch *batch,
                        const gl_segsort_pass_description *pass);

/* What is wrong with the dispatches of the last sort: they are not those of the due passes in their
 * order, or have other bytes bound than their set's. NULL: nothing. */
const char *recorded_batch_problem(const struct recorded_batch *batch, const gl_segsort_plan *plan);

/* The same of a gather of that one set. */
const char *recorded_gather_problem(const struct recorded_batch *batch, uint32_t set,
                                    const struct fake_gl_dispatch *dispatch);

#endif
