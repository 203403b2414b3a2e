/* A program cache in memory. */
#ifndef BENCH_KEPT_H
#define BENCH_KEPT_H

#include "gl_segsort.h"

#define KEPT_MAX 128

struct kept {
    struct kept_program {
        char key[64];
        void *data;
        size_t size;
    } programs[KEPT_MAX];
    size_t count;
};

gl_segsort_program_cache kept_cache(struct kept *kept);
void kept_release(struct kept *kept);

#endif
