/* How long the latest frames took, and how much of that was sorting on the GPU. */
#ifndef FRAME_TIMES_H
#define FRAME_TIMES_H

#include "plan_times.h"
#include "scene.h"

enum { FRAME_TIMES_KEPT = 180, FRAME_TIMES_PLANS = 8 };

struct frame_times {
    /* Rings of milliseconds; next is the oldest. */
    float frames[FRAME_TIMES_KEPT], sorts[FRAME_TIMES_KEPT];
    size_t next;
    double frame, sort; /* smoothed */
    double clock;       /* when the latest frame was; 0: none yet */
    size_t plan_count;  /* of the scene that is shown */
    struct scene_plan plans[FRAME_TIMES_PLANS];
    struct plan_times plan_times[FRAME_TIMES_PLANS];
};

/* A frame of the scene was drawn. clock: seconds, from anywhere. */
void frame_times_take(struct frame_times *times, const struct scene *scene, void *state,
                      double clock);

/* The time until the next frame is none: another scene came, or the window was hidden. */
void frame_times_skip(struct frame_times *times);

/* Whether the GPU's clock tells how long the sorts take: of the plan that tells most. */
enum plan_clock frame_times_clock(const struct frame_times *times);

void frame_times_destroy(struct frame_times *times);

#endif
