/* The GPU's side of the twin tests: a twin_memory's contents in GL buffers, and the passes of its
 * plan dispatched on them without the library's own dispatch. */
#ifndef TWIN_GPU_H
#define TWIN_GPU_H

#include "twin_memory.h"

struct twin_gpu {
    const struct twin_memory *memory; /* the twins', which the buffers start like */
    unsigned buffers[TWIN_ARRAYS];    /* 0 where another array backs it */
    unsigned table, params;
};

struct twin_gpu twin_gpu_make(const struct twin_memory *memory);
void twin_gpu_delete(struct twin_gpu *gpu);

/* Dispatches a pass and waits for it. Returns whether its program compiled and GL raised no error;
 * prints what went wrong. */
bool twin_gpu_dispatch(const struct twin_gpu *gpu, const segsort_pass *pass);

/* Whether all buffers are as the twins' memory is, guard words included, and the table as the plan's; prints the first difference
 * of each after the name of the pass. */
bool twin_gpu_equal(const struct twin_gpu *gpu, const segsort_pass *pass);

/* Programs are kept, since digits and cases share them. */
void twin_gpu_delete_programs(void);

#endif
