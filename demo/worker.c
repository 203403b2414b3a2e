#include "worker.h"

static void *run(void *argument)
{
    struct worker *worker = argument;
    worker->work(worker->user);
    atomic_store(&worker->done, true);
    return NULL;
}

void worker_start(struct worker *worker, void (*work)(void *user), void *user)
{
    worker_join(worker);
    worker->work = work;
    worker->user = user;
    worker->busy = true;
    atomic_store(&worker->done, false);
    worker->by_hand = pthread_create(&worker->thread, NULL, run, worker) != 0;
    if (worker->by_hand)
        run(worker);
}

bool worker_done(struct worker *worker)
{
    return worker->busy && atomic_load(&worker->done);
}

void worker_join(struct worker *worker)
{
    if (worker->busy && !worker->by_hand)
        pthread_join(worker->thread, NULL);
    worker->busy = false;
}
