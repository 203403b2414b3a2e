#include "network_case.h"

#include <stdlib.h>

#include "cpu_steps.h"

void *network_allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        abort();
    return memory;
}

uint32_t *network_imitate(const struct scene_network *scene, uint32_t step, uint32_t *sources)
{
    const struct network_settings *settings = &scene->sort.settings;
    const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                    .direction = settings->direction,
                                    .end_bit = NETWORK_KEY_BITS};
    uint32_t *keys = network_allocate(settings->rows * sizeof *keys);
    for (uint32_t i = 0; i < settings->segment_count; i++) {
        const gl_segsort_segment *segment = &scene->sort.segments[i];
        const uint32_t *input = scene->sort.keys + segment->keys_offset;
        uint32_t *rows = sources + segment->keys_offset;
        if (settings->algorithm == GL_SEGSORT_ALGORITHM_BITONIC ||
            (settings->algorithm == GL_SEGSORT_ALGORITHM_AUTO && segment->length <= 512))
            cpu_network_order(&order, input, segment->length, step, rows);
        else
            cpu_radix_order(&order, input, segment->length, step, rows);
        for (uint32_t row = 0; row < segment->length; row++)
            keys[segment->keys_offset + row] = input[rows[row]];
    }
    return keys;
}

uint32_t *network_imitate_places(const struct scene_network *scene, uint32_t step)
{
    uint32_t rows = scene->sort.settings.rows;
    uint32_t *places = network_allocate(rows * sizeof *places),
             *inverse = network_allocate(rows * sizeof *inverse);
    uint32_t *before = network_allocate(rows * sizeof *before),
             *after = network_allocate(rows * sizeof *after);
    free(network_imitate(scene, step > 0 ? step - 1 : 0, before));
    free(network_imitate(scene, step, after));
    for (uint32_t i = 0; i < scene->sort.settings.segment_count; i++) {
        const gl_segsort_segment *segment = &scene->sort.segments[i];
        uint32_t first = segment->keys_offset, end = first + segment->length;
        for (uint32_t row = first; row < end; row++)
            inverse[first + before[row]] = row;
        for (uint32_t row = first; row < end; row++)
            places[row] = inverse[first + after[row]];
    }
    free(inverse);
    free(before);
    free(after);
    return places;
}
