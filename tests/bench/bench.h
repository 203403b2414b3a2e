/* A case by all implementations. */
#ifndef BENCH_H
#define BENCH_H

#include "copies.h"
#include "options.h"
#include "ours.h"
#include "peers.h"
#include "results.h"

/* Copies of so many bytes are measured once. */
struct bench_copy {
    size_t rows, key_words;
    struct timer_result times[COPY_KINDS];
};

#define BENCH_COPIES_MAX 64

struct bench {
    const struct options *options;
    struct ours_effort effort;
    const segsort_tuning *tuning; /* in use, where it isn't the driver's */
    struct results results;
    struct copies copies;
    struct peers peers;
    struct bench_copy measured_copies[BENCH_COPIES_MAX];
    int copy_count;
    bool failed; /* a case did */
};

bool bench_open(struct bench *bench);
void bench_close(struct bench *bench);

/* Measures a case and tells its rows. False: a sort failed or was wrong. */
bool bench_case(struct bench *bench, const struct bench_case *measured);

#endif
