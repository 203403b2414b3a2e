#version 430
// Each triangle's Morton code within its segment's box, as the key. demo/morton.h defines the code.
// The caller defines MORTON_AXIS_BITS: 10 for codes of 30 bits in a word, 21 for codes of 63 bits
// in two words, the low one first.
//
// binding  0 positions  1 indices  2 tiles  3 minima  4 maxima  5 keys
#define TRIANGLE_POSITIONS 0
#define TRIANGLE_INDICES 1
#include "work.glsl"
#include "tile.glsl"
#include "triangle.glsl"
#include "ordered.glsl"

layout(std430, binding = 3) readonly buffer Minima {
    uint minima[];
};

layout(std430, binding = 4) readonly buffer Maxima {
    uint maxima[];
};

#if MORTON_AXIS_BITS == 10
#define CODE uint
const CODE MORTON_LAST = 0x3fffffffu;
#elif MORTON_AXIS_BITS == 21
#define CODE uvec2
const CODE MORTON_LAST = uvec2(0xffffffffu, 0x7fffffffu);
#else
#error MORTON_AXIS_BITS is not 10 or 21
#endif

layout(std430, binding = 5) writeonly buffer Keys {
    CODE keys[];
};

const uint CELLS = 1u << MORTON_AXIS_BITS;
const uint LAST_CELL = CELLS - 1u;
const uint MIN_EXTENT = 0x0d800000u; // 2^-100, by its bits

float cell_start(uint q, float cell)
{
    precise float start = float(q) * cell;
    return start;
}

// How well the driver divides decides only where the search starts: a cell or so away from its end.
uint coordinate(float distance, float extent)
{
    if (extent < uintBitsToFloat(MIN_EXTENT))
        return 0u;
    precise float cell = extent * (1.0 / float(CELLS));
    uint q = min(uint(clamp(distance / cell, 0.0, float(LAST_CELL))), LAST_CELL);
    while (q < LAST_CELL && cell_start(q + 1u, cell) <= distance)
        q++;
    while (q > 0u && cell_start(q, cell) > distance)
        q--;
    return q;
}

// Moves bit i to bit 3i.
uint spread(uint number)
{
    number = (number | number << 16) & 0x030000ffu;
    number = (number | number << 8) & 0x0300f00fu;
    number = (number | number << 4) & 0x030c30c3u;
    return (number | number << 2) & 0x09249249u;
}

// Of ten bits an axis.
uint interleave(uvec3 q)
{
    return spread(q.x) << 2 | spread(q.y) << 1 | spread(q.z);
}

#if MORTON_AXIS_BITS == 10
CODE join(uvec3 q)
{
    return interleave(q);
}
#else
// The low word's last two bits are the first of the middle ten's.
CODE join(uvec3 q)
{
    uint low = interleave(q & 1023u);
    uint middle = interleave(q >> 10 & 1023u);
    uint high = interleave(q >> 20);
    return uvec2(low | middle << 30, middle >> 2 | high << 28);
}
#endif

CODE morton_code(uint segment, vec3 place)
{
    uvec3 q;
    for (uint axis = 0u; axis < 3u; axis++) {
        float minimum = decode_ordered(minima[3u * segment + axis]);
        float maximum = decode_ordered(maxima[3u * segment + axis]);
        q[axis] = coordinate(sum(place[axis], -minimum), sum(maximum, -minimum));
    }
    return join(q);
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    Tile tile = load_tile();
    if (lane < tile.count) {
        uint triangle = tile.first + lane;
        vec3 place;
        bool finite = find_place(triangle, place);
        keys[triangle] = finite ? morton_code(tile.segment, place) : MORTON_LAST;
    }
}
