/* Recording a call: the walk over a plan's passes. */
#ifndef SEGSORT_DISPATCH_H
#define SEGSORT_DISPATCH_H

#include "plan_objects.h"

/* Records the sort of all sets. descs has one description a set, checked against the plan's
 * layouts; the plan has rows. */
gl_segsort_result segsort_dispatch_sort(gl_segsort_plan *plan, const gl_segsort_sort_desc *descs);

/* Likewise the gather. Compiles its program when there is none yet. */
gl_segsort_result segsort_dispatch_gather(gl_segsort_plan *plan,
                                          const gl_segsort_gather_desc *descs);

/* Likewise the Morton codes that are a sort's keys; the plan has passes for them. */
gl_segsort_result segsort_dispatch_morton(gl_segsort_plan *plan, const gl_segsort_sort_desc *sort,
                                          const gl_segsort_morton_keys_desc *desc);

/* dispatch_depth.c: records depth keys, of a checked description with rows. Compiles the program when
 * there is none yet. */
gl_segsort_result segsort_dispatch_depth(gl_segsort_context *context,
                                         const gl_segsort_depth_keys_desc *desc);

/* Commands between reading the host's state and putting it back, as far as the policy has it. */
typedef struct segsort_recording {
    const char *doing; /* "recording the sort 'mesh'" */
    bool listed;       /* binds what only listed plans bind */
    /* groups: in a debug group each */
    gl_segsort_result (*record)(void *user, bool groups);
    void *user;
} segsort_recording;

gl_segsort_result segsort_dispatch_record(gl_segsort_context *context,
                                          const segsort_recording *recording);

#endif
