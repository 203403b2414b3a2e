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
#define SEGSORT_KERNEL_ENTRY(id, name, file, bindings, fixed, keys, values)                        \
    {name, file, bindings, {fixed, keys, values}},
        SEGSORT_KERNELS(SEGSORT_KERNEL_ENTRY)
#undef SEGSORT_KERNEL_ENTRY
    };
    return &kernels[id];
}

uint32_t segsort_key_words(gl_segsort_key_type type)
{
    return type == GL_SEGSORT_KEY_U64 ? 2 : 1;
}

uint32_t segsort_value_words(gl_segsort_value_type type)
{
    if (type == GL_SEGSORT_VALUE_NONE)
        return 0;
    return type == GL_SEGSORT_VALUE_U64 ? 2 : 1;
}

bool segsort_kernel_is_network(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_BITONIC_LOCAL || id == SEGSORT_KERNEL_BITONIC_BLOCK ||
           id == SEGSORT_KERNEL_BITONIC_STEP || id == SEGSORT_KERNEL_BITONIC_MERGE;
}

segsort_variant segsort_untyped_variant(segsort_kernel_id id, uint32_t width)
{
    return (segsort_variant){.kernel = id, .width = width};
}

bool segsort_kernel_reads_views(segsort_kernel_id id)
{
    const uint32_t views = SEGSORT_USES(KEYS) | SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(WORK);
    return id != SEGSORT_KERNEL_LIST_LAYOUT &&
           (segsort_kernel_get(id)->storage_bindings & views) != 0;
}

bool segsort_kernel_reads_list(segsort_kernel_id id)
{
    return (segsort_kernel_get(id)->storage_bindings & SEGSORT_USES(LIST)) != 0;
}

bool segsort_kernel_writes_codes(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_MORTON_LOCAL || id == SEGSORT_KERNEL_MORTON_CODES ||
           id == SEGSORT_KERNEL_MORTON_SCATTER;
}

uint32_t segsort_variant_threads(const segsort_variant *variant)
{
    uint32_t pairs = variant->width / 2;
    bool pair_a_thread = segsort_kernel_is_network(variant->kernel) &&
                         variant->kernel != SEGSORT_KERNEL_BITONIC_STEP;
    if (!pair_a_thread || pairs < SEGSORT_THREADS_MIN)
        return SEGSORT_THREADS_MIN;
    return pairs < SEGSORT_THREADS_MAX ? pairs : SEGSORT_THREADS_MAX;
}

uint32_t segsort_variant_tile_rows(const segsort_variant *variant)
{
    uint32_t rows = 2 * segsort_variant_threads(variant);
    return rows > variant->width ? rows : variant->width;
}

uint32_t segsort_variant_bindings(const segsort_variant *variant)
{
    uint32_t bindings = segsort_kernel_get(variant->kernel)->storage_bindings;
    bool network = segsort_kernel_is_network(variant->kernel);
    if (variant->types.value == GL_SEGSORT_VALUE_NONE)
        bindings &= ~(SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_VALUES));
    /* Row numbers are made where rows leave the inputs; from then on they are values like others.
     * */
    if (variant->types.value == GL_SEGSORT_VALUE_INDEX &&
        (network || variant->kernel == SEGSORT_KERNEL_RADIX_LOCAL ||
         variant->kernel == SEGSORT_KERNEL_LIST_SCATTER))
        bindings &= ~SEGSORT_USES(VALUES);
    return bindings;
}

uint32_t segsort_kernel_width_max(segsort_kernel_id id, segsort_types types, uint32_t shared_bytes)
{
    const segsort_shared_words *words = &segsort_kernel_get(id)->shared_words;
    uint32_t row_bytes = 4 * (words->fixed + words->key_copies * segsort_key_words(types.key) +
                              words->value_copies * segsort_value_words(types.value));
    uint32_t width = SEGSORT_WIDTH_MAX;
    while (width > 2 && width * row_bytes > shared_bytes)
        width /= 2;
    return width;
}

bool segsort_variant_equal(const segsort_variant *a, const segsort_variant *b)
{
    return a->kernel == b->kernel && a->width == b->width && a->direction == b->direction &&
           a->types.key == b->types.key && a->types.value == b->types.value &&
           a->masked == b->masked;
}

int segsort_variant_preamble(const segsort_variant *variant, char *text, size_t size)
{
    return snprintf(text, size,
                    "#version 430 core\n"
                    "#define SEGSORT_GLSL 1\n"
                    "#define SEGSORT_USES %u\n"
                    "#define SEGSORT_KEY_TYPE %d\n"
                    "#define SEGSORT_KEY_WORDS %u\n"
                    "#define SEGSORT_KEY_MASKED %d\n"
                    "#define SEGSORT_VALUE_WORDS %u\n"
                    "#define SEGSORT_VALUE_INDEX %d\n"
                    "#define SEGSORT_DESCENDING %d\n"
                    "#define SEGSORT_WIDTH %u\n"
                    "#define SEGSORT_THREADS %u\n"
                    "#define SEGSORT_TILE_ROWS %u\n",
                    segsort_variant_bindings(variant), (int)variant->types.key,
                    segsort_key_words(variant->types.key), variant->masked,
                    segsort_value_words(variant->types.value),
                    variant->types.value == GL_SEGSORT_VALUE_INDEX,
                    variant->direction == GL_SEGSORT_DESCENDING, variant->width,
                    segsort_variant_threads(variant), segsort_variant_tile_rows(variant));
}
