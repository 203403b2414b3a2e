/* The cases: what is sorted, and under which name. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "inputs.h"

struct bench_case {
    char name[48];
    struct inputs inputs;
    bool gpu_listed; /* only the GPU knows the segments */
    bool in_place;
};

struct bench_cases {
    struct bench_case *items;
    size_t count;
};

/* Which of them are wanted. */
struct cases_filter {
    const char *patterns; /* globs that names are matched with, apart by commas; NULL: all */
    const char *lengths;  /* fixed lengths, apart by commas, in place of the cases; NULL: none */
    bool gpu_listed;      /* host-listed cases are run GPU-listed, too */
    uint32_t log2_rows;   /* the size */
};

/* False, with a sentence on stderr, where nothing is left or memory is out. */
bool cases_create(const struct cases_filter *filter, struct bench_cases *cases);
void cases_destroy(struct bench_cases *cases);

#endif
