// Morton codes within a box, as plugin/gl_segsort_keys.h defines them.
//
// SEGSORT_KEY_WORDS    1: codes of 30 bits, 2: of 63
#include "shared/places.glsl"

#define SEGSORT_MIN_EXTENT 0x0d800000u // 2^-100, by its bits

#if SEGSORT_KEY_WORDS == 1
#define SEGSORT_CELLS 1024u
#define SEGSORT_LAST_CODE 0x3fffffffu
#else
#define SEGSORT_CELLS 2097152u
#define SEGSORT_LAST_CODE uvec2(0xffffffffu, 0x7fffffffu)
#endif

float segsort_cell_start(uint q, float cell)
{
    precise float start = float(q) * cell;
    return start;
}

// How well the driver divides decides only where the search starts: a cell or so away from its end.
uint segsort_coordinate(float distance, float extent)
{
    if (extent < uintBitsToFloat(SEGSORT_MIN_EXTENT))
        return 0u;
    precise float cell = extent * (1.0 / float(SEGSORT_CELLS));
    uint q = min(uint(clamp(distance / cell, 0.0, float(SEGSORT_CELLS - 1u))), SEGSORT_CELLS - 1u);
    while (q < SEGSORT_CELLS - 1u && segsort_cell_start(q + 1u, cell) <= distance)
        q++;
    while (q > 0u && segsort_cell_start(q, cell) > distance)
        q--;
    return q;
}

// Moves bit i to bit 3i.
uint segsort_spread(uint number)
{
    number = (number | number << 16) & 0x030000ffu;
    number = (number | number << 8) & 0x0300f00fu;
    number = (number | number << 4) & 0x030c30c3u;
    return (number | number << 2) & 0x09249249u;
}

// Of ten bits an axis.
uint segsort_interleave(uvec3 q)
{
    return segsort_spread(q.x) << 2 | segsort_spread(q.y) << 1 | segsort_spread(q.z);
}

#if SEGSORT_KEY_WORDS == 1
SEGSORT_KEY segsort_join_bits(uvec3 q)
{
    return segsort_interleave(q);
}
#else
// The low word's last two bits are the first of the middle ten's.
SEGSORT_KEY segsort_join_bits(uvec3 q)
{
    uint low = segsort_interleave(q & 1023u);
    uint middle = segsort_interleave(q >> 10 & 1023u);
    uint high = segsort_interleave(q >> 20);
    return uvec2(low | middle << 30, middle >> 2 | high << 28);
}
#endif

void segsort_write_code(uint row, SegsortGrid grid)
{
    vec3 place;
    SEGSORT_KEY code = SEGSORT_LAST_CODE;
    if (segsort_find_place(row, place)) {
        uvec3 q;
        for (int axis = 0; axis < 3; axis++)
            q[axis] = segsort_coordinate(segsort_sum(place[axis], -grid.minimum[axis]), grid.extent[axis]);
        code = segsort_join_bits(q);
    }
    segsort_write_output_key(view_word[0].z, row, code);
}

void segsort_write_codes(SegsortRows rows, uint first, uint stride, SegsortGrid grid)
{
    for (uint n = first; n < rows.count; n += stride)
        segsort_write_code(rows.first + n, grid);
}
