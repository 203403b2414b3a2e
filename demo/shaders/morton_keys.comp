#version 430
// Each triangle's Morton code within its segment's box, as the key, and its number, as the value.
// demo/morton.h defines the code.
//
// binding  0 positions  1 indices  2 tiles  3 minima  4 maxima  5 keys  6 values
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

layout(std430, binding = 5) writeonly buffer Keys {
    uint keys[];
};

layout(std430, binding = 6) writeonly buffer Values {
    uint values[];
};

const uint MORTON_LAST = 0x3fffffffu;
const float MIN_EXTENT = uintBitsToFloat(0x0d800000u); // 2^-100

float cell_start(uint q, float cell)
{
    precise float start = float(q) * cell;
    return start;
}

uint coordinate(float distance, float extent)
{
    if (extent < MIN_EXTENT)
        return 0u;
    precise float cell = extent * (1.0 / 1024.0);
    uint q = uint(clamp(distance / cell, 0.0, 1023.0));
    while (q < 1023u && cell_start(q + 1u, cell) <= distance)
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

uint morton_code(uint segment, vec3 place)
{
    uint code = 0u;
    for (uint axis = 0u; axis < 3u; axis++) {
        float minimum = decode_ordered(minima[3u * segment + axis]);
        float maximum = decode_ordered(maxima[3u * segment + axis]);
        uint q = coordinate(sum(place[axis], -minimum), sum(maximum, -minimum));
        code |= spread(q) << (2u - axis);
    }
    return code;
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
        values[triangle] = triangle;
    }
}
