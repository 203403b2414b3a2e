/* From a checked description to a plan that calls can be recorded of. */
#ifndef SEGSORT_PLAN_MAKE_H
#define SEGSORT_PLAN_MAKE_H

#include "plan_objects.h"

/* Builds a plan for such limits, without GL. Whatever it comes to, the plan, or NULL, is
 * segsort_plan_free's. */
gl_segsort_result segsort_plan_begin(gl_segsort_context *context, const gl_segsort_plan_desc *desc,
                                     const segsort_layout *layouts, const segsort_limits *limits,
                                     gl_segsort_plan **plan);

/* Makes its GL objects. On an error none is left. */
gl_segsort_result segsort_plan_finish(gl_segsort_plan *plan);

/* Frees the memory, of which GL objects are no part. NULL is ignored. */
void segsort_plan_free(gl_segsort_plan *plan);

#endif
