#include "timer.h"

#include "gpu_clock.h"

#include <glad/gl.h>
#include <math.h>

#define SECONDS_MAX 2.0 /* of all repetitions */
#define REPETITIONS_MIN 3
#define WARM_UP_TURN 0.25       /* of the seconds asked for, after which times are compared */
#define WARM_UP_TURN_LEAST 0.06 /* seconds, since clocks rise by steps */
#define WARM_UP_GAIN 0.98
#define WARM_UP_TURNS_MAX 4

/* The time between two stamps; the first waits for what came before it by the barrier that work
 * ends with. */
static double gpu_milliseconds(const struct timer_work *work)
{
    GLuint queries[2];
    GLuint64 stamps[2] = {0};
    glGenQueries(2, queries);
    if (work->prepare)
        work->prepare(work->user);
    glFinish();
    glQueryCounter(queries[0], GL_TIMESTAMP);
    work->run(work->user);
    glQueryCounter(queries[1], GL_TIMESTAMP);
    for (int i = 0; i < 2; i++)
        glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &stamps[i]);
    glDeleteQueries(2, queries);
    return 1e-6 * (double)(stamps[1] - stamps[0]);
}

static double host_milliseconds(const struct timer_work *work)
{
    if (work->prepare)
        work->prepare(work->user);
    glFinish();
    double start = spread_seconds();
    work->run(work->user);
    glFinish();
    return 1e3 * (spread_seconds() - start);
}

bool timer_stamps(const struct timer_work *work)
{
    host_milliseconds(work);
    double gpu = gpu_milliseconds(work), host = host_milliseconds(work);
    return gpu > 0 && (gpu > host / 20 || host < 1);
}

/* Of as many runs as so many seconds take. */
static double least_milliseconds(double seconds, const struct timer_work *work)
{
    double start = spread_seconds(), least = HUGE_VAL;
    do {
        double time = host_milliseconds(work);
        least = time < least ? time : least;
    } while (spread_seconds() - start < seconds);
    return least;
}

/* Longer than asked for as long as runs get faster still: a GPU that has idled takes its time. The clock
 * is asked for half way, so that the answer is of a GPU at work. */
static unsigned warm_up(double seconds, bool ask, const struct timer_work *work)
{
    double start = spread_seconds(), passed = 0, before, least = HUGE_VAL;
    bool asked = !ask;
    do {
        before = least;
        least = least_milliseconds(fmax(WARM_UP_TURN * seconds, WARM_UP_TURN_LEAST), work);
        passed = spread_seconds() - start;
        if (!asked && passed >= seconds / 2) {
            gpu_clock_start();
            asked = true;
        }
    } while (passed < seconds ||
             (least < WARM_UP_GAIN * before && passed < WARM_UP_TURNS_MAX * seconds));
    return gpu_clock_finish();
}

struct timer_result timer_measure(const struct timer_effort *effort, const struct timer_work *work)
{
    double times[TIMER_REPETITIONS_MAX];
    int count = 0;
    struct timer_result result = {.clock = warm_up(effort->warm_up, !effort->no_clock_rate, work)};
    double start = spread_seconds();
    while (count < effort->repetitions &&
           (count < REPETITIONS_MIN || spread_seconds() - start < SECONDS_MAX))
        times[count++] = effort->host_clock ? host_milliseconds(work) : gpu_milliseconds(work);
    result.milliseconds = spread_of(times, count);
    return result;
}

double timer_host_seconds(const struct timer_work *work)
{
    enum { CALLS = 21 };
    double times[CALLS];
    double begin = spread_seconds();
    int count = 0;
    while (count < CALLS && (count < REPETITIONS_MIN || spread_seconds() - begin < SECONDS_MAX)) {
        if (work->prepare)
            work->prepare(work->user);
        glFinish();
        double start = spread_seconds();
        work->run(work->user);
        times[count++] = spread_seconds() - start;
    }
    glFinish();
    return spread_of(times, count).median;
}
