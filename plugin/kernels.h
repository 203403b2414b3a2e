/*
 * The registry of kernels. The plan picks from it, the pipeline compiles from it, tests check each kernel against it,
 * docs/kernels.md describes it. Pure C.
 *
 * A kernel is a file of glsl/; a variant of it is a width, a direction and so on, given to the shader as
 * macros. Widths are powers of two.
 */
#ifndef SEGSORT_KERNELS_H
#define SEGSORT_KERNELS_H

#include "gl_segsort.h"
#include "layout.h"

#define SEGSORT_USES(binding) (1u << SEGSORT_BINDING_##binding)
#define SEGSORT_USES_ALL_VIEWS                                                                     \
    (SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_KEYS) |                       \
     SEGSORT_USES(OUTPUT_VALUES))
#define SEGSORT_USES_OUTPUTS (SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(OUTPUT_VALUES))

/* X(enumerator, name, file, shader storage bindings that it uses, 32-bit words of shared memory a row) */
#define SEGSORT_KERNELS(X)                                                                         \
    X(BITONIC_LOCAL, "bitonic-local", "bitonic_local.comp",                                        \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE), 2)                                             \
    X(BITONIC_BLOCK, "bitonic-block", "bitonic_block.comp",                                        \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE) | SEGSORT_USES(INDEX), 2)                       \
    X(BITONIC_STEP, "bitonic-step", "bitonic_step.comp",                                           \
      SEGSORT_USES_OUTPUTS | SEGSORT_USES(TABLE) | SEGSORT_USES(INDEX), 0)                         \
    X(BITONIC_MERGE, "bitonic-merge", "bitonic_merge.comp",                                        \
      SEGSORT_USES_OUTPUTS | SEGSORT_USES(TABLE) | SEGSORT_USES(INDEX), 3)

typedef enum segsort_kernel_id {
#define SEGSORT_KERNEL_ENUMERATOR(id, name, file, bindings, shared_words) SEGSORT_KERNEL_##id,
    SEGSORT_KERNELS(SEGSORT_KERNEL_ENUMERATOR)
#undef SEGSORT_KERNEL_ENUMERATOR
        SEGSORT_KERNEL_COUNT
} segsort_kernel_id;

typedef struct segsort_kernel {
    const char *name;
    const char *file;
    uint32_t storage_bindings;
    uint32_t shared_words_per_row;
} segsort_kernel;

/* One program: everything that its source text depends on. */
typedef struct segsort_variant {
    segsort_kernel_id kernel;
    uint32_t width;
    gl_segsort_direction direction;
} segsort_variant;

const segsort_kernel *segsort_kernel_get(segsort_kernel_id id);

/* Invocations of a work group, and rows that it takes at a time. */
uint32_t segsort_variant_threads(const segsort_variant *variant);
uint32_t segsort_variant_tile_rows(const segsort_variant *variant);

/* The widest power of two whose rows fit shared memory of that size, and no wider than widths are made. */
uint32_t segsort_kernel_width_max(segsort_kernel_id id, uint32_t shared_bytes);

bool segsort_variant_equal(const segsort_variant *a, const segsort_variant *b);

/* Writes the lines that go before the shader's text: #version and the macros. Returns the length, as snprintf. */
int segsort_variant_preamble(const segsort_variant *variant, char *text, size_t size);

#endif
