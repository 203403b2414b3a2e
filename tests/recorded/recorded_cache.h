/* A program cache in memory, for the recorded tests. */
#ifndef RECORDED_CACHE_H
#define RECORDED_CACHE_H

#include "recorded.h"

#define RECORDED_CACHE_ENTRIES 64
#define RECORDED_CACHE_BYTES 512

struct recorded_cache {
    struct recorded_cache_entry {
        char key[64];
        size_t size;
        unsigned char data[RECORDED_CACHE_BYTES];
    } entries[RECORDED_CACHE_ENTRIES];
    size_t count;
    size_t asked, loads, stores; /* calls of load without and with memory, and of store */
    size_t claimed;              /* load says so when it has memory; 0: what there is */
    size_t problems;             /* calls that are not as the header says */
};

void recorded_cache_begin(struct recorded_cache *cache);

gl_segsort_program_cache recorded_cache_callbacks(struct recorded_cache *cache);

#endif
