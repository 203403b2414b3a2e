/* One thing at a time done beside the frames, in a thread of its own. */
#ifndef WORKER_H
#define WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    void (*work)(void *user);
    void *user;
    pthread_t thread;
    bool busy;    /* started and not joined yet */
    bool by_hand; /* no thread could be had, and it is done already */
    atomic_bool done;
};

/* Has work called with user. Where there is no thread to be had it is called right here. */
void worker_start(struct worker *worker, void (*work)(void *user), void *user);

/* Whether work has returned and was not joined yet; then worker_join doesn't wait. */
bool worker_done(struct worker *worker);

/* Waits for it. Does nothing when nothing was started. */
void worker_join(struct worker *worker);

#endif
