#include "morton.h"

#include <stdbool.h>
#include <string.h>

size_t morton_words(unsigned key_bits)
{
    return key_bits > 32 ? 2 : 1;
}

uint64_t morton_last(unsigned key_bits)
{
    return ((uint64_t)1 << key_bits) - 1;
}

uint64_t morton_load(const uint32_t *codes, unsigned key_bits, size_t triangle)
{
    const uint32_t *words = codes + morton_words(key_bits) * triangle;
    return morton_words(key_bits) == 2 ? words[0] | (uint64_t)words[1] << 32 : words[0];
}

static void store(uint32_t *codes, unsigned key_bits, size_t triangle, uint64_t code)
{
    size_t count = morton_words(key_bits);
    for (size_t i = 0; i < count; i++)
        codes[count * triangle + i] = (uint32_t)(code >> 32 * i);
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* 0 in place of numbers that are too small to be normal, and of -0. */
static float flush(float number)
{
    return (bits_of(number) & 0x7f800000u) == 0 ? 0.0f : number;
}

/* 3/8 of the triangle's centroid. */
static void find_place(const struct mesh *mesh, uint32_t triangle, float place[3])
{
    const uint32_t *corners = mesh->indices + 3 * (size_t)triangle;
    const float *a = mesh->positions + 3 * (size_t)corners[0];
    const float *b = mesh->positions + 3 * (size_t)corners[1];
    const float *c = mesh->positions + 3 * (size_t)corners[2];
    for (size_t axis = 0; axis < 3; axis++) {
        float sum = flush(flush(a[axis] * 0.125f) + flush(b[axis] * 0.125f));
        place[axis] = flush(sum + flush(c[axis] * 0.125f));
    }
}

struct box {
    float minimum[3];
    float extent[3];
};

/* All zero for a segment without finite triangles. */
static struct box find_box(const struct mesh *mesh, const struct mesh_segment *segment)
{
    struct box box = {{0}, {0}};
    float maximum[3] = {0};
    bool any = false;
    for (uint32_t t = segment->first; t < segment->first + segment->count; t++) {
        if (!mesh_triangle_is_finite(mesh, t))
            continue;
        float place[3];
        find_place(mesh, t, place);
        for (size_t axis = 0; axis < 3; axis++) {
            if (!any || place[axis] < box.minimum[axis])
                box.minimum[axis] = place[axis];
            if (!any || place[axis] > maximum[axis])
                maximum[axis] = place[axis];
        }
        any = true;
    }
    for (size_t axis = 0; axis < 3; axis++)
        box.extent[axis] = flush(maximum[axis] - box.minimum[axis]);
    return box;
}

uint64_t morton_interleave(uint32_t x, uint32_t y, uint32_t z)
{
    uint64_t code = 0;
    for (unsigned bit = 21; bit-- > 0;)
        code = code << 3 | (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1);
    return code;
}

uint32_t morton_coordinate(float distance, float extent, unsigned key_bits)
{
    if (extent < MORTON_MIN_EXTENT)
        return 0;
    uint32_t cells = 1u << key_bits / 3, last = cells - 1;
    float cell = extent * (1.0f / (float)cells);
    float estimate = distance / cell;
    uint32_t q = estimate < (float)last ? (uint32_t)estimate : last;
    while (q < last && (float)(q + 1) * cell <= distance)
        q++;
    while (q > 0 && (float)q * cell > distance)
        q--;
    return q;
}

static uint64_t code_of(const struct mesh *mesh, uint32_t triangle, const struct box *box,
                        unsigned key_bits)
{
    if (!mesh_triangle_is_finite(mesh, triangle))
        return morton_last(key_bits);
    float place[3];
    uint32_t q[3];
    find_place(mesh, triangle, place);
    for (size_t axis = 0; axis < 3; axis++)
        q[axis] =
            morton_coordinate(flush(place[axis] - box->minimum[axis]), box->extent[axis], key_bits);
    return morton_interleave(q[0], q[1], q[2]);
}

void morton_codes(const struct mesh *mesh, unsigned key_bits, uint32_t *codes)
{
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        const struct mesh_segment *segment = &mesh->segments[s];
        struct box box = find_box(mesh, segment);
        for (uint32_t t = segment->first; t < segment->first + segment->count; t++)
            store(codes, key_bits, t, code_of(mesh, t, &box, key_bits));
    }
}

static bool are_equal(const uint32_t *codes, unsigned key_bits, size_t a, size_t b)
{
    return morton_load(codes, key_bits, a) == morton_load(codes, key_bits, b);
}

uint32_t morton_count_shared(const struct mesh *mesh, unsigned key_bits, const uint32_t *sorted)
{
    uint32_t shared = 0;
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first, end = first + mesh->segments[s].count;
        for (uint32_t i = first; i < end; i++)
            shared += (i > first && are_equal(sorted, key_bits, i, i - 1)) ||
                      (i + 1 < end && are_equal(sorted, key_bits, i, i + 1));
    }
    return shared;
}
