/* The particles' counts on the host, some frames late, so that no frame waits for them. */
#ifndef PARTICLES_WATCH_H
#define PARTICLES_WATCH_H

#include "particles.h"

enum { PARTICLES_WATCHED = 4 /* frames that may be under way */ };

struct particles_watch {
    GLuint copies[PARTICLES_WATCHED]; /* of the counts */
    GLsync fences[PARTICLES_WATCHED]; /* behind each copy; NULL: none is under way */
    unsigned next;
    struct particles_counts counts; /* the latest that came */
};

void particles_watch_create(struct particles_watch *watch);
void particles_watch_destroy(struct particles_watch *watch);

/* Takes in the counts that have come by now. */
void particles_watch_poll(struct particles_watch *watch);

/* Sends for this frame's counts, if one of the copies is free. */
void particles_watch_send(struct particles_watch *watch, const struct particles *particles);

#endif
