/* A plan's GPU times, smoothed so that they can be read while they change. Nothing here waits. */
#ifndef PLAN_TIMES_H
#define PLAN_TIMES_H

#include "gl_segsort.h"

enum plan_clock {
    PLAN_CLOCK_WAITS,  /* no sort has ended yet */
    PLAN_CLOCK_RUNS,   /* the times below are some */
    PLAN_CLOCK_STANDS, /* this driver's timestamps don't advance */
    PLAN_CLOCK_NONE    /* the plan is not timed */
};

/* {0} before the first call. */
struct plan_times {
    const gl_segsort_plan *plan;
    uint64_t sort_number;
    uint32_t pass_count;
    double *passes; /* milliseconds, smoothed */
    double total;   /* of these */
    double latest;  /* of the latest sort, as it was */
    enum plan_clock clock;
};

/* Takes what has come since the call before, and returns the milliseconds that the plan's sorts
 * took since then. A plan other than before starts anew. */
double plan_times_update(struct plan_times *times, gl_segsort_plan *plan);

/* The same by timings that are there already; NULL where there can be none. */
double plan_times_take(struct plan_times *times, const gl_segsort_plan *plan,
                       const gl_segsort_timings *timings);

void plan_times_destroy(struct plan_times *times);

#endif
