/* The library's own figures for a case. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "buffers.h"
#include "cases.h"
#include "copies.h"
#include "timer.h"
#include "tuning.h"

struct ours_effort {
    struct timer_effort timer;
    gl_segsort_algorithm algorithm;
    bool verify;
    bool passes;                  /* each pass's time is printed */
    const segsort_tuning *tuning; /* NULL: the driver's */
};

struct ours {
    struct timer_result time;
    double context_ms;    /* making a gl_segsort_context */
    double plan_first_ms; /* the first plan in it, which compiles its programs */
    double plan_again_ms; /* another of the same, whose programs are there */
    /* Both with the programs kept of another context; 0: the driver has no binaries of programs. */
    double context_kept_ms, plan_kept_ms;
    double sort_first_ms;        /* the first sort, until the GPU has ended it */
    double restore_us, dirty_us; /* one later call, until it returns */
    double list_ms;              /* of a GPU-listed sort, the passes over the list */
    uint64_t scratch_bytes, table_bytes;
};

/* False, with a sentence on stderr: the library refused, or the result is wrong. */
bool ours_measure(const struct ours_effort *effort, const struct bench_case *measured,
                  const struct inputs_data *data, const struct buffers *buffers,
                  const struct copies *copies, struct ours *ours);

#endif
