#version 430
// The box around the places of each segment's finite triangles.
//
// binding  0 positions  1 indices  2 tiles  3 minima  4 maxima (3 a segment, as ordered integers)
#define TRIANGLE_POSITIONS 0
#define TRIANGLE_INDICES 1
#include "work.glsl"
#include "tile.glsl"
#include "triangle.glsl"
#include "ordered.glsl"

layout(std430, binding = 3) buffer Minima {
    uint minima[];
};

layout(std430, binding = 4) buffer Maxima {
    uint maxima[];
};

shared uvec3 lowest[256];
shared uvec3 highest[256];

void reduce(uint lane)
{
    for (uint width = 128u; width > 0u; width >>= 1) {
        memoryBarrierShared();
        barrier();
        if (lane < width) {
            lowest[lane] = min(lowest[lane], lowest[lane + width]);
            highest[lane] = max(highest[lane], highest[lane + width]);
        }
    }
    memoryBarrierShared();
    barrier();
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    Tile tile = load_tile();
    vec3 place;
    lowest[lane] = uvec3(0xffffffffu);
    highest[lane] = uvec3(0u);
    if (lane < tile.count && find_place(tile.first + lane, place))
        for (int axis = 0; axis < 3; axis++)
            lowest[lane][axis] = highest[lane][axis] = encode_ordered(place[axis]);
    reduce(lane);
    if (lane < 3u && tile.count > 0u) {
        atomicMin(minima[3u * tile.segment + lane], lowest[0][lane]);
        atomicMax(maxima[3u * tile.segment + lane], highest[0][lane]);
    }
}
