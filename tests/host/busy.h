/* A host in the middle of its frame: every kind of GL state that a library could get wrong has a
 * value of its own. */
#ifndef BUSY_H
#define BUSY_H

#include "host.h"

#define BUSY_BUFFERS 40

enum busy_program {
    BUSY_PROGRAM,      /* a program in use, and a pipeline bound that it hides */
    BUSY_PIPELINE_ONLY /* program 0: the pipeline is what draws */
};

struct busy {
    GLuint buffers[BUSY_BUFFERS];
    uint32_t next_buffer;
    GLuint program, stage_program, pipeline, vertex_array, framebuffer, feedback;
    GLuint textures[4], sampler;
    GLuint time_query, samples_query;
};

/* Sets everything. Indexed slots whose number has the given parity are bound whole, the others by
 * range. */
void busy_begin(struct busy *busy, enum busy_program program, int whole_parity);

/* Ends the queries, deletes the objects and puts the plain state back. Returns whether the queries
 * ended without a GL error, their results arrived, and the bound buffers hold what they held. */
bool busy_end(struct busy *busy);

#endif
