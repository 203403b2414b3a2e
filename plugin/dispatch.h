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

#endif
