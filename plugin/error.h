/* One failed call: its result and its sentence. Pure C. */
#ifndef SEGSORT_ERROR_H
#define SEGSORT_ERROR_H

#include "gl_segsort.h"

typedef struct segsort_error {
    gl_segsort_result result;
    char text[2048];
} segsort_error;

#ifdef __GNUC__
#define SEGSORT_PRINTF(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define SEGSORT_PRINTF(text, arguments)
#endif

/* Notes the failure and returns result, so that a check can end with `return segsort_fail(...)`. */
gl_segsort_result segsort_fail(segsort_error *error, gl_segsort_result result, const char *format,
                               ...) SEGSORT_PRINTF(3, 4);

/* Puts the set of a batch that it happened in before the sentence. */
void segsort_fail_in_set(segsort_error *error, uint32_t set);

#endif
