/* `./run tune`: finds what the driver at hand does best, field by field of a tuning. */
#ifndef BENCH_TUNE_H
#define BENCH_TUNE_H

#include "options.h"
#include "tuning.h"

/* Starts from a tuning, measures, tells what it measures, and writes the row of the table to
 * options->tune. Verifies each result unless options->quick. False: it can't, or a result was
 * wrong. */
bool tune(const struct options *options, const segsort_tuning *from, bool host_clock,
          uint32_t log2_rows);

#endif
