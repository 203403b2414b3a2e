#include "plan_times.h"

#include <stdlib.h>

static const double newest_part = 0.1;
static const uint64_t sorts_that_tell = 2;  /* whether the clock runs */
static const double shortest_sort = 0.0005; /* milliseconds; less is between two looks at a clock */

static void start(struct plan_times *times, const gl_segsort_plan *plan, uint32_t pass_count)
{
    plan_times_destroy(times);
    times->plan = plan;
    times->passes = calloc(pass_count > 0 ? pass_count : 1, sizeof *times->passes);
    times->pass_count = times->passes ? pass_count : 0;
}

/* The first sort's times are taken as they are. */
static double smooth(double shown, double newest, bool first)
{
    return first ? newest : shown + newest_part * (newest - shown);
}

static double take_passes(struct plan_times *times, const double *milliseconds, bool first)
{
    double sum = 0;
    times->total = 0;
    for (uint32_t i = 0; i < times->pass_count; i++) {
        sum += milliseconds[i];
        times->passes[i] = smooth(times->passes[i], milliseconds[i], first);
        times->total += times->passes[i];
    }
    return sum;
}

double plan_times_take(struct plan_times *times, const gl_segsort_plan *plan,
                       const gl_segsort_timings *timings)
{
    uint32_t pass_count = timings ? timings->pass_count : 0;
    if (times->plan != plan || times->pass_count != pass_count || !times->passes ||
        (timings && timings->sort_number < times->sort_number))
        start(times, plan, pass_count);
    if (!timings) {
        times->clock = PLAN_CLOCK_NONE;
        return 0;
    }
    uint64_t sorts = timings->sort_number - times->sort_number;
    if (sorts == 0)
        return 0;
    if (times->sort_number == 0) /* the ones before weren't watched */
        sorts = 1;
    bool first = times->clock != PLAN_CLOCK_RUNS;
    times->sort_number = timings->sort_number;
    times->latest = take_passes(times, timings->pass_milliseconds, first);
    if (times->latest > shortest_sort)
        times->clock = PLAN_CLOCK_RUNS;
    else if (first && times->sort_number >= sorts_that_tell)
        times->clock = PLAN_CLOCK_STANDS;
    return (double)sorts * times->latest;
}

double plan_times_update(struct plan_times *times, gl_segsort_plan *plan)
{
    gl_segsort_timings timings;
    bool timed = gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_SUCCESS;
    return plan_times_take(times, plan, timed ? &timings : NULL);
}

void plan_times_destroy(struct plan_times *times)
{
    free(times->passes);
    *times = (struct plan_times){0};
}
