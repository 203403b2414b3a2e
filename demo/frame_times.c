#include "frame_times.h"

static const double newest_part = 0.06;

static double take_plans(struct frame_times *times, const struct scene *scene, void *state)
{
    double sort = 0;
    times->plan_count = scene->plans ? scene->plans(state, times->plans, FRAME_TIMES_PLANS) : 0;
    for (size_t i = 0; i < times->plan_count; i++)
        sort += plan_times_update(&times->plan_times[i], times->plans[i].plan);
    return sort;
}

void frame_times_take(struct frame_times *times, const struct scene *scene, void *state,
                      double clock)
{
    double sort = take_plans(times, scene, state);
    double frame = times->clock > 0 && clock > times->clock ? 1e3 * (clock - times->clock) : 0;
    times->clock = clock;
    if (frame == 0)
        return;
    times->frames[times->next] = (float)frame;
    times->sorts[times->next] = (float)sort;
    times->next = (times->next + 1) % FRAME_TIMES_KEPT;
    if (times->frame == 0) {
        times->frame = frame;
        times->sort = sort;
    }
    times->frame += newest_part * (frame - times->frame);
    times->sort += newest_part * (sort - times->sort);
}

void frame_times_skip(struct frame_times *times)
{
    times->clock = 0;
}

enum plan_clock frame_times_clock(const struct frame_times *times)
{
    enum plan_clock most = PLAN_CLOCK_NONE;
    for (size_t i = 0; i < times->plan_count; i++) {
        enum plan_clock clock = times->plan_times[i].clock;
        if (clock == PLAN_CLOCK_RUNS)
            return clock;
        if (clock != PLAN_CLOCK_NONE && most != PLAN_CLOCK_STANDS)
            most = clock;
    }
    return most;
}

void frame_times_destroy(struct frame_times *times)
{
    for (size_t i = 0; i < FRAME_TIMES_PLANS; i++)
        plan_times_destroy(&times->plan_times[i]);
}
