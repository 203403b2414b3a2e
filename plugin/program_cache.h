/* Programs that the host keeps from run to run: their keys, and what is wrapped around GL's binary
 * so that nothing but what was stored reaches GL. */
#ifndef SEGSORT_PROGRAM_CACHE_H
#define SEGSORT_PROGRAM_CACHE_H

#include "gl_table.h"

#define SEGSORT_CACHE_KEY_BYTES 48u

typedef struct segsort_program_cache {
    gl_segsort_program_cache host;
    bool asked; /* GL was, for what follows */
    uint32_t *formats;
    uint32_t format_count; /* 0: GL has no binaries */
    uint64_t driver[2];    /* what GL says of itself, and this library's version */
} segsort_program_cache;

/* Whether programs are to be kept, which is when the host has callbacks and GL has binaries. GL is
 * asked at the first program. */
gl_segsort_result segsort_program_cache_open(gl_segsort_context *context, bool *open);

/* The key of a program with that source, the texts one behind the other. */
void segsort_program_cache_key(const gl_segsort_context *context, const char *const *texts,
                               uint32_t count, char key[SEGSORT_CACHE_KEY_BYTES]);

/* Makes the program that the host kept of a program object. false in loaded is no failure: there is
 * none that is of use, and the program can be linked instead. label names it in the log. */
gl_segsort_result segsort_program_cache_load(gl_segsort_context *context, const char *key,
                                             const char *label, uint32_t program, bool *loaded);

/* Gives a linked program to the host. */
gl_segsort_result segsort_program_cache_store(gl_segsort_context *context, const char *key,
                                              uint32_t program);

/* Frees memory; no GL calls. */
void segsort_program_cache_release(gl_segsort_context *context);

#endif
