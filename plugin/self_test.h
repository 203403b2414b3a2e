/* The known-answer test of kernels for subgroups, before plans take them. */
#ifndef SEGSORT_SELF_TEST_H
#define SEGSORT_SELF_TEST_H

#include "context.h"

/*
 * Tests the kernels for subgroups that a plan has, or would have if the context's subgroups were known
 * to be right, as far as no plan before had them. limits are those that it was built with, and become
 * those that it has to be built with: portable ones when an answer is wrong, or does not come, which
 * the log tells of; or where GL lets nothing be tested at the moment.
 *
 * Fails only where the plan would too: memory, and a lost context.
 */
gl_segsort_result segsort_self_test_plan(gl_segsort_context *context, const segsort_plan *plan,
                                         segsort_limits *limits);

/* Where the host asked for kernels for subgroups: tells the log of each portable one that the plan has
 * in place of one, once a context. */
void segsort_self_test_tell(gl_segsort_context *context, const segsort_plan *plan);

#endif
