/* The sorting network as one would write it first: a work group a segment, an invocation for each
 * pair of rows, a barrier a step. What the library's kernels are measured against. */
#ifndef BENCH_NETWORK_H
#define BENCH_NETWORK_H

#include "buffers.h"

struct network {
    GLuint program; /* 0: none is made */
    GLuint segments;
};

/* Whether it can sort them: u32 keys, ascending, segments of no more rows than twice what a work
 * group has invocations. */
bool network_fits(const struct inputs *inputs, const struct inputs_data *data);

bool network_create(const struct inputs_data *data, struct network *network);
void network_run(const struct network *network, const struct buffers *buffers);
void network_destroy(struct network *network);

#endif
