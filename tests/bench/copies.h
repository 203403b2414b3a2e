/* Kernels that move keys and values as they are: the least that a sort has to move. */
#ifndef BENCH_COPIES_H
#define BENCH_COPIES_H

#include "buffers.h"

enum copy_kind {
    COPY_SIMPLE, /* a word of four an invocation, in order */
    COPY_WALK,   /* 256 work groups, each walking through 1 MiB of each stream at a time */
    COPY_KINDS
};

struct copies {
    GLuint programs[COPY_KINDS];
};

bool copies_create(struct copies *copies);
void copies_run(const struct copies *copies, enum copy_kind kind, const struct buffers *buffers);
void copies_destroy(struct copies *copies);

#endif
