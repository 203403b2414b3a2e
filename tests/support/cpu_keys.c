#include "cpu_keys.h"

#include <stdbool.h>
#include <string.h>

#define NAN_BITS 0x7fc00000u

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static bool is_finite(float number)
{
    return (bits_of(number) & 0x7f800000u) != 0x7f800000u;
}

/* +0 in place of numbers that are too small to be normal, and of -0. */
static float flush(float number)
{
    return (bits_of(number) & 0x7f800000u) == 0 ? 0.0f : number;
}

/* False past the last one, or where a coordinate is infinite or NaN. */
static bool load_position(const struct cpu_points *points, size_t number, float position[3])
{
    if (number >= points->position_count)
        return false;
    const unsigned char *at = points->positions;
    memcpy(position, at + 4 * points->position_words * number, 3 * sizeof *position);
    bool finite = is_finite(position[0]) && is_finite(position[1]) && is_finite(position[2]);
    for (size_t axis = 0; axis < 3; axis++)
        position[axis] = flush(position[axis]);
    return finite;
}

/* ---------------------------------------------------------------------------------------------- */
/* Depth */

static float multiply(float a, float b)
{
    float product = a * b;
    bool tiny = bits_of(product) << 1 < bits_of(0x1p-125f) << 1; /* without the sign */
    return tiny ? 0.0f : product;
}

static float add(float a, float b)
{
    return flush(a + b);
}

static float dot(const float plane[4], const float p[3])
{
    float sum = add(multiply(flush(plane[0]), p[0]), multiply(flush(plane[1]), p[1]));
    return add(add(sum, multiply(flush(plane[2]), p[2])), flush(plane[3]));
}

static float view_coordinate(const gl_segsort_depth_keys_desc *desc, int row, const float p[3])
{
    float plane[4];
    bool zero = true;
    for (int i = 0; i < 16; i++)
        zero = zero && desc->view_matrix[i] == 0.0f;
    for (int column = 0; column < 4; column++)
        plane[column] = zero ? (float)(row == column) : desc->view_matrix[4 * column + row];
    return dot(plane, p);
}

static float find_depth(const gl_segsort_depth_keys_desc *desc, const float p[3])
{
    if (desc->measure == GL_SEGSORT_DEPTH_PLANE)
        return dot(desc->plane, p);
    float z = view_coordinate(desc, 2, p);
    if (desc->measure == GL_SEGSORT_DEPTH_VIEW_Z)
        return z == 0.0f ? 0.0f : -z;
    float x = view_coordinate(desc, 0, p), y = view_coordinate(desc, 1, p);
    return add(add(multiply(x, x), multiply(y, y)), multiply(z, z));
}

uint32_t cpu_depth_key(const gl_segsort_depth_keys_desc *desc, const struct cpu_points *points,
                       size_t row)
{
    float position[3];
    if (!load_position(points, points->indices ? points->indices[row] : row, position))
        return NAN_BITS;
    float depth = find_depth(desc, position);
    return depth != depth ? NAN_BITS : bits_of(depth);
}

/* ---------------------------------------------------------------------------------------------- */
/* Morton codes */

uint64_t cpu_morton_last(unsigned key_bits)
{
    return ((uint64_t)1 << key_bits) - 1;
}

/* A point's eighth, the sum of a triangle's corners' eighths. */
static bool find_place(const struct cpu_points *points, size_t row, float place[3])
{
    size_t corners = points->indices ? 3 : 1;
    bool finite = true;
    for (size_t corner = 0; corner < corners; corner++) {
        float position[3] = {0};
        size_t number = points->indices ? points->indices[3 * row + corner] : row;
        finite = load_position(points, number, position) && finite;
        for (size_t axis = 0; axis < 3; axis++) {
            float eighth = flush(position[axis] * 0.125f);
            place[axis] = corner == 0 ? eighth : flush(place[axis] + eighth);
        }
    }
    return finite;
}

struct box {
    float minimum[3], extent[3];
};

/* All zero for a segment without finite rows. */
static struct box find_box(const struct cpu_points *points, size_t first, size_t length)
{
    struct box box = {{0}, {0}};
    float maximum[3] = {0};
    bool any = false;
    for (size_t row = first; row < first + length; row++) {
        float place[3];
        if (!find_place(points, row, place))
            continue;
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

uint64_t cpu_morton_interleave(uint32_t x, uint32_t y, uint32_t z)
{
    uint64_t code = 0;
    for (unsigned bit = 21; bit-- > 0;)
        code = code << 3 | (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1);
    return code;
}

uint32_t cpu_morton_coordinate(float distance, float extent, unsigned key_bits)
{
    if (extent < CPU_MORTON_MIN_EXTENT)
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

static uint64_t code_of(const struct cpu_points *points, size_t row, const struct box *box,
                        unsigned key_bits)
{
    float place[3];
    uint32_t q[3];
    if (!find_place(points, row, place))
        return cpu_morton_last(key_bits);
    for (size_t axis = 0; axis < 3; axis++) {
        float distance = flush(place[axis] - box->minimum[axis]);
        q[axis] = cpu_morton_coordinate(distance, box->extent[axis], key_bits);
    }
    return cpu_morton_interleave(q[0], q[1], q[2]);
}

void cpu_morton_codes(const struct cpu_points *points, unsigned key_bits, size_t first,
                      size_t length, uint32_t *codes)
{
    struct box box = find_box(points, first, length);
    for (size_t i = 0; i < length; i++) {
        uint64_t code = code_of(points, first + i, &box, key_bits);
        *codes++ = (uint32_t)code;
        if (key_bits > 32)
            *codes++ = (uint32_t)(code >> 32);
    }
}
