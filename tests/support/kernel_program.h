/* A kernel's variant as text and as a GL program, without the library's own pipeline. */
#ifndef KERNEL_PROGRAM_H
#define KERNEL_PROGRAM_H

#include "kernels.h"

/* The text after the preamble; "" where it is not embedded. */
const char *kernel_program_source(const segsort_variant *variant);

/* "radix-count 4096, key type 1, value type 0, descending, masked" */
const char *kernel_program_name(const segsort_variant *variant);

/* Compiles and links for the current context; log receives whatever GL has to say, and should stay
 * empty. 0: it failed. */
unsigned kernel_program_make(const segsort_variant *variant, char *log, size_t size);

#endif
