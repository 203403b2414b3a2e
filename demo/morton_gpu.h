/* Morton codes and the order along the curve, on the GPU: codes, one sort over all submeshes, and the
 * index buffer in the new order, each a call of gl_segsort's. */
#ifndef MORTON_GPU_H
#define MORTON_GPU_H

#include "gl_segsort.h"
#include "mesh_buffers.h"
#include "morton.h"

/* The library's context, for any number of the below. It has to stay where it is. */
struct morton_context {
    gl_segsort_context *handle;
    struct failure said; /* by the library's log */
};

bool morton_context_create(struct morton_context *context,
                           gl_segsort_get_proc_address get_proc_address,
                           gl_segsort_program_cache program_cache, struct failure *failure);
void morton_context_destroy(struct morton_context *context);

/* Milliseconds of each step. */
struct morton_times {
    double keys; /* boxes and codes */
    double sort;
    double gather; /* the index buffer */
    bool by_host;  /* by the host's clock around glFinish, as GL's timestamps don't advance */
};

/* How often morton_gpu_measure runs each step; it gives the median. */
enum { MORTON_GPU_RUNS = 5 };

/* Moments between the steps, and runs whose moments can be under way. */
enum { MORTON_GPU_STAMPS = 4, MORTON_GPU_TIMED = 4 };

struct morton_gpu {
    const struct mesh *mesh;
    const struct mesh_buffers *buffers;
    unsigned key_bits; /* of the codes; see morton.h */
    gl_segsort_key_type key_type;
    gl_segsort_context *context; /* not its own */
    gl_segsort_plan *plan;
    GLuint keys; /* Morton codes, in file order */
    GLuint sorted_keys;
    GLuint sorted_values; /* triangles' numbers in their segments, in Morton order */
    GLuint stamps[MORTON_GPU_TIMED][MORTON_GPU_STAMPS];
    bool under_way[MORTON_GPU_TIMED];
    unsigned run;              /* the next one's stamps */
    struct morton_times times; /* the latest */
};

/* context, mesh and buffers have to outlive it. */
bool morton_gpu_create(struct morton_gpu *gpu, struct morton_context *context,
                       const struct mesh *mesh, unsigned key_bits,
                       const struct mesh_buffers *buffers, struct failure *failure);
void morton_gpu_destroy(struct morton_gpu *gpu);

/* Records all steps: the Morton order's buffer is in Morton order when they are done, ready to draw.
 * Never waits. */
bool morton_gpu_run(struct morton_gpu *gpu, struct failure *failure);

/* The times of a run that has ended, the latest that is known of; all 0 before there is one. Never
 * waits. */
struct morton_times morton_gpu_times(struct morton_gpu *gpu);

/* Runs all steps repeatedly, with waits, and gives their times. */
bool morton_gpu_measure(struct morton_gpu *gpu, struct morton_times *times,
                        struct failure *failure);

/* Reads back the codes in file order, the codes in Morton order, the triangles' numbers in their
 * segments in Morton order, and the index buffer in Morton order; waits. A code takes
 * morton_words(key_bits) words. */
void morton_gpu_read(const struct morton_gpu *gpu, uint32_t *keys, uint32_t *sorted_keys,
                     uint32_t *sorted_values, uint32_t *sorted_indices);

#endif
