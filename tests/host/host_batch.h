/* A batch of two sets and the gathers that follow it, with buffers that exist before the calls. */
#ifndef HOST_BATCH_H
#define HOST_BATCH_H

#include "host.h"

#define HOST_SETS 2
#define HOST_RECORD_WORDS 3

struct host_batch {
    struct host_sort sorts[HOST_SETS];
    gl_segsort_segment segments[HOST_SETS * 16];
    uint32_t segment_counts[HOST_SETS];
    uint32_t segment_count;
    GLuint records[HOST_SETS], ordered[HOST_SETS];
    GLuint scratch; /* large enough for what tests sort */
    gl_segsort_sort_desc sort_descs[HOST_SETS];
    gl_segsort_gather_desc gather_descs[HOST_SETS];
};

/* Both sets have segments of these lengths; their keys differ. */
void host_batch_make(struct host_batch *batch, const uint32_t *lengths, size_t count);
void host_batch_free(struct host_batch *batch);

/* With the host's scratch. */
gl_segsort_plan_desc host_batch_plan_desc(const struct host_batch *batch);

/* A plan for the batch; NULL on an error, which is printed. */
gl_segsort_plan *host_batch_plan(gl_segsort_context *context, const struct host_batch *batch);

/* Whether a sort and a gather left everything right; and whether nothing was written at all. */
bool host_batch_right(const struct host_batch *batch);
bool host_batch_untouched(const struct host_batch *batch);

#endif
