/* A plan on the GPU: its buffers and programs, and the walk over its passes. */
#ifndef SEGSORT_DISPATCH_H
#define SEGSORT_DISPATCH_H

#include "context.h"
#include "pipeline.h"

struct gl_segsort_plan {
    gl_segsort_context *context;
    gl_segsort_plan *previous, *next; /* of the context's plans */
    segsort_plan plan;
    gl_segsort_pass_description *descriptions; /* one a pass */
    segsort_program **programs;                /* one a pass */
    uint32_t params_stride; /* bytes from a pass's parameters to the next one's */
    uint32_t table_buffer, params_buffer, scratch_buffer;
    char label[SEGSORT_LABEL_BYTES];
};

/* Compiles the programs and makes the buffers. On an error whatever was made is left to
 * segsort_dispatch_release. */
gl_segsort_result segsort_dispatch_prepare(gl_segsort_plan *plan);

/* Deletes the plan's GL objects; makes no GL call when the context is lost. */
void segsort_dispatch_release(gl_segsort_plan *plan);

/* Records the sort. desc was checked against the plan's layout and the plan has rows. */
gl_segsort_result segsort_dispatch_sort(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc);

/* Runs work, which creates GL objects, with the host's pending error kept and GL's own errors
 * caught. */
gl_segsort_result segsort_dispatch_guarded(gl_segsort_plan *plan, const char *doing,
                                           gl_segsort_result (*work)(gl_segsort_plan *plan));

#endif
