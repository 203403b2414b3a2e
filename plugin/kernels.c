#include "kernels.h"

#include <stdio.h>

/* 256 invocations let a work group take many short segments and still leave several groups a core; wide networks get
 * one invocation a pair of rows, up to the 1024 that every GL 4.3 driver has. */
#define SEGSORT_THREADS_MIN 256u
#define SEGSORT_THREADS_MAX 1024u
#define SEGSORT_WIDTH_MAX 4096u

const segsort_kernel *segsort_kernel_get(segsort_kernel_id id)
{
    static const segsort_kernel kernels[SEGSORT_KERNEL_COUNT] = {
#define SEGSORT_KERNEL_ENTRY(id, name, file, bindings, shared_words)                               \
    {name, file, bindings, shared_words},
        SEGSORT_KERNELS(SEGSORT_KERNEL_ENTRY)
#undef SEGSORT_KERNEL_ENTRY
    };
    return &kernels[id];
}

uint32_t segsort_variant_threads(const segsort_variant *variant)
{
    uint32_t pairs = variant->width / 2;
    if (variant->kernel == SEGSORT_KERNEL_BITONIC_STEP || pairs < SEGSORT_THREADS_MIN)
        return SEGSORT_THREADS_MIN;
    return pairs < SEGSORT_THREADS_MAX ? pairs : SEGSORT_THREADS_MAX;
}

uint32_t segsort_variant_tile_rows(const segsort_variant *variant)
{
    uint32_t rows = 2 * segsort_variant_threads(variant);
    return rows > variant->width ? rows : variant->width;
}

uint32_t segsort_kernel_width_max(segsort_kernel_id id, uint32_t shared_bytes)
{
    uint32_t row_bytes = 4 * segsort_kernel_get(id)->shared_words_per_row;
    uint32_t width = SEGSORT_WIDTH_MAX;
    while (width > 2 && width * row_bytes > shared_bytes)
        width /= 2;
    return width;
}

bool segsort_variant_equal(const segsort_variant *a, const segsort_variant *b)
{
    return a->kernel == b->kernel && a->width == b->width && a->direction == b->direction;
}

int segsort_variant_preamble(const segsort_variant *variant, char *text, size_t size)
{
    return snprintf(text, size,
                    "#version 430 core\n"
                    "#define SEGSORT_GLSL 1\n"
                    "#define SEGSORT_USES %u\n"
                    "#define SEGSORT_DESCENDING %d\n"
                    "#define SEGSORT_WIDTH %u\n"
                    "#define SEGSORT_THREADS %u\n"
                    "#define SEGSORT_TILE_ROWS %u\n",
                    segsort_kernel_get(variant->kernel)->storage_bindings,
                    variant->direction == GL_SEGSORT_DESCENDING, variant->width,
                    segsort_variant_threads(variant), segsort_variant_tile_rows(variant));
}
