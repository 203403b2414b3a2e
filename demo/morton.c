#include "morton.h"

#include <stdbool.h>
#include <string.h>

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

/* Moves bit i to bit 3i. */
static uint32_t spread(uint32_t number)
{
    number = (number | number << 16) & 0x030000ffu;
    number = (number | number << 8) & 0x0300f00fu;
    number = (number | number << 4) & 0x030c30c3u;
    return (number | number << 2) & 0x09249249u;
}

uint32_t morton_interleave(uint32_t x, uint32_t y, uint32_t z)
{
    return spread(x) << 2 | spread(y) << 1 | spread(z);
}

uint32_t morton_coordinate(float distance, float extent)
{
    if (extent < MORTON_MIN_EXTENT)
        return 0;
    float cell = extent * (1.0f / 1024.0f);
    float estimate = distance / cell;
    uint32_t q = estimate < 1023.0f ? (uint32_t)estimate : 1023;
    while (q < 1023 && (float)(q + 1) * cell <= distance)
        q++;
    while (q > 0 && (float)q * cell > distance)
        q--;
    return q;
}

static uint32_t code_of(const struct mesh *mesh, uint32_t triangle, const struct box *box)
{
    if (!mesh_triangle_is_finite(mesh, triangle))
        return MORTON_LAST;
    float place[3];
    uint32_t q[3];
    find_place(mesh, triangle, place);
    for (size_t axis = 0; axis < 3; axis++)
        q[axis] = morton_coordinate(flush(place[axis] - box->minimum[axis]), box->extent[axis]);
    return morton_interleave(q[0], q[1], q[2]);
}

void morton_codes(const struct mesh *mesh, uint32_t *codes)
{
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        const struct mesh_segment *segment = &mesh->segments[s];
        struct box box = find_box(mesh, segment);
        for (uint32_t t = segment->first; t < segment->first + segment->count; t++)
            codes[t] = code_of(mesh, t, &box);
    }
}

uint32_t morton_count_shared(const struct mesh *mesh, const uint32_t *sorted)
{
    uint32_t shared = 0;
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first, end = first + mesh->segments[s].count;
        for (uint32_t i = first; i < end; i++)
            shared += (i > first && sorted[i] == sorted[i - 1]) ||
                      (i + 1 < end && sorted[i] == sorted[i + 1]);
    }
    return shared;
}
