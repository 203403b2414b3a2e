/* How long GL work takes. */
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

#include "spread.h"

#include <stdbool.h>

struct timer_work {
    void (*run)(void *user);
    void *user;
    void (*prepare)(void *user); /* before each run, untimed; NULL: nothing */
};

struct timer_effort {
    double warm_up; /* seconds */
    int repetitions;
    bool host_clock;    /* the driver has no timer, so the time is the host's, with its waits */
    bool no_clock_rate; /* what the GPU's clock is isn't asked for */
};

struct timer_result {
    struct spread milliseconds;
    unsigned clock; /* MHz; 0: unknown */
};

#define TIMER_REPETITIONS_MAX 1000

/* Whether the driver stamps commands when the GPU executes them; work takes it some milliseconds.
 * Software drivers stamp them when they are recorded. */
bool timer_stamps(const struct timer_work *work);

/* After the work has run for a while, so that clocks are up. Slow work is repeated less often, at
 * least three times. */
struct timer_result timer_measure(const struct timer_effort *effort, const struct timer_work *work);

/* Seconds that the work takes the host until it returns, the GPU idle before, the median of
 * some. */
double timer_host_seconds(const struct timer_work *work);

#endif
