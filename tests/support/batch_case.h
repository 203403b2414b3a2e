/* A batch from generated inputs to a verdict: a sort case for each set. */
#ifndef BATCH_CASE_H
#define BATCH_CASE_H

#include "sort_case.h"

#define BATCH_SETS_MAX 100
#define BATCH_SEGMENTS_MAX 256

struct batch_case {
    struct cpu_order order;
    gl_segsort_algorithm algorithm;
    gl_segsort_segment segments[BATCH_SEGMENTS_MAX];
    uint32_t segment_count, set_count;
    uint32_t set_segment_counts[BATCH_SETS_MAX];
    struct sort_case cases[BATCH_SETS_MAX];
    char names[BATCH_SETS_MAX][32];
    struct sort_buffers buffers[BATCH_SETS_MAX];
    gl_segsort_sort_desc descs[BATCH_SETS_MAX];
};

/* An empty batch. It must not be moved once it has sets. */
void batch_case_begin(struct batch_case *batch, const struct cpu_order *order,
                      gl_segsort_algorithm algorithm);

/* Adds a set of such segments; or a set for each of them, of which number first_in_place and then
 * each stride-th one are in place. */
void batch_case_add_set(struct batch_case *batch, const uint32_t *lengths, uint32_t count,
                        bool in_place);
void batch_case_add_chunks(struct batch_case *batch, const uint32_t *lengths, uint32_t count,
                           uint32_t first_in_place, uint32_t stride);

/* Makes and uploads what the sets need. Sets without rows use none of their views. */
void batch_case_make_buffers(struct batch_case *batch);
void batch_case_free_buffers(struct batch_case *batch);

gl_segsort_plan_desc batch_case_plan_desc(const struct batch_case *batch);

/* Whether all sets' buffers are as they should be after the sort; or as they were before. */
bool batch_case_right(const struct batch_case *batch);
bool batch_case_untouched(const struct batch_case *batch);

/* Sorts the batch; whether that works and is right. */
bool batch_case_check(struct batch_case *batch, gl_segsort_plan *plan);

#endif
