/* What is told of the times of some repetitions. */
#ifndef BENCH_SPREAD_H
#define BENCH_SPREAD_H

#ifdef __cplusplus
extern "C" {
#endif

struct spread {
    double median, least, most;
    double tenth, ninetieth; /* percentiles */
    int repetitions;
};

/* Puts the times, of which there is at least one, into order. */
struct spread spread_of(double *times, int count);

double spread_seconds(void); /* of a clock that only goes forward */

#ifdef __cplusplus
}
#endif

#endif
