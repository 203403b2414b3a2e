/* The table on the terminal and the CSV file, a row for each case and implementation. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include "cases.h"
#include "ours.h"

#include <stdio.h>

struct results {
    FILE *csv; /* NULL: none is written */
    const char *gpu, *driver, *algorithm;
    uint32_t log2_rows;
    double copy_ms; /* of the case at hand; 0: not measured */
};

struct results_row {
    const struct bench_case *measured;
    const struct inputs_data *data;
    const char *implementation;
    struct timer_result time;
    const char *timer; /* what it was measured by: "gpu", "host", "events" */
    bool verified;
    uint64_t scratch_bytes;
    const struct ours *ours; /* NULL: another implementation's row */
};

/* A name for files of a GPU: "NVIDIA H200/PCIe/SSE2" is nvidia-h200. */
void results_slug(const char *renderer, char *slug, size_t size);

/* Opens the CSV file; what it had goes unless rows are appended. False, with a sentence. */
bool results_open(struct results *results, const char *path, bool append);
void results_close(struct results *results);

void results_heading(void);
void results_add(const struct results *results, const struct results_row *row);

#endif
