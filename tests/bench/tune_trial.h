/* One sort by one tuning: the time of a candidate. */
#ifndef BENCH_TUNE_TRIAL_H
#define BENCH_TUNE_TRIAL_H

#include "buffers.h"
#include "timer.h"
#include "tuning.h"

/* Equal segments, as many as fit. */
struct trial_case {
    uint32_t length;
    uint32_t segments_max; /* 0: no matter how many */
    bool scattered;        /* as much room as rows lies between two of them */
    bool uneven;           /* every other one has three rows less */
    gl_segsort_algorithm algorithm;
};

struct trial {
    gl_segsort_context *context;
    struct inputs inputs; /* random keys */
    struct inputs_data data;
    struct buffers buffers;
    struct timer_effort effort;
    bool verify;
    bool failed; /* a sort did */
};

/* False, with a sentence on stderr. The context has to be destroyed after trial_close. */
bool trial_open(struct trial *trial, uint32_t log2_rows);
void trial_close(struct trial *trial);

/* Milliseconds, the median; a time beyond all others where the sort failed or was wrong, which is
 * told on stderr. */
double trial_run(struct trial *trial, const struct trial_case *sorted,
                 const segsort_tuning *tuning);

#endif
