#include "morton.h"

#include <stdbool.h>

#include "cpu_keys.h"

size_t morton_words(unsigned key_bits)
{
    return key_bits > 32 ? 2 : 1;
}

uint64_t morton_load(const uint32_t *codes, unsigned key_bits, size_t triangle)
{
    const uint32_t *words = codes + morton_words(key_bits) * triangle;
    return morton_words(key_bits) == 2 ? words[0] | (uint64_t)words[1] << 32 : words[0];
}

void morton_codes(const struct mesh *mesh, unsigned key_bits, uint32_t *codes)
{
    const struct cpu_points triangles = {mesh->positions, 3, mesh->vertex_count, mesh->indices};
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        const struct mesh_segment *segment = &mesh->segments[s];
        cpu_morton_codes(&triangles, key_bits, segment->first, segment->count,
                         codes + morton_words(key_bits) * segment->first);
    }
}

static bool are_equal(const uint32_t *codes, unsigned key_bits, size_t a, size_t b)
{
    return morton_load(codes, key_bits, a) == morton_load(codes, key_bits, b);
}

uint32_t morton_count_shared_in(const struct mesh_segment *segment, unsigned key_bits,
                                const uint32_t *sorted)
{
    uint32_t shared = 0, first = segment->first, end = first + segment->count;
    for (uint32_t i = first; i < end; i++)
        shared += (i > first && are_equal(sorted, key_bits, i, i - 1)) ||
                  (i + 1 < end && are_equal(sorted, key_bits, i, i + 1));
    return shared;
}

uint32_t morton_count_shared(const struct mesh *mesh, unsigned key_bits, const uint32_t *sorted)
{
    uint32_t shared = 0;
    for (uint32_t s = 0; s < mesh->segment_count; s++)
        shared += morton_count_shared_in(&mesh->segments[s], key_bits, sorted);
    return shared;
}
