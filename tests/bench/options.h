/* The command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "cases.h"

#define OPTIONS_SIZES_MAX 8

struct options {
    struct cases_filter filter;
    uint32_t sizes[OPTIONS_SIZES_MAX]; /* log2 of rows; those of --rows */
    int size_count;                    /* 0: what suits the driver */
    gl_segsort_algorithm algorithm;
    const char *implementations; /* names apart by commas; NULL: all */
    const char *csv;             /* NULL: no file is written */
    const char *tuning;          /* a file whose tuning is tried, or NULL */
    const char *tune;            /* the file that a tuning is written to, or NULL */
    const char *peers;           /* the CUDA program, or NULL */
    double warm_up;              /* seconds */
    int repetitions;
    bool append, passes, quick, list, slug, print_tuning, help;
};

extern const char options_help[];

const char *options_algorithm_name(gl_segsort_algorithm algorithm);

/* Whether these rows are wanted: "ours", "copy", "network", "cpu", "peers". */
bool options_wants(const struct options *options, const char *implementation);

/* False, with a sentence on stderr that names the culprit. */
bool options_read(int argc, char **argv, struct options *options);

#endif
