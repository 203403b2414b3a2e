#version 430
// The index buffer in the sorted order.
//
// binding  0 numbers (of triangles within their segment, in the new order)  1 indices  2 tiles
//          3 sorted indices
#include "work.glsl"
#include "tile.glsl"

layout(std430, binding = 0) readonly buffer Numbers {
    uint numbers[];
};

layout(std430, binding = 1) readonly buffer Indices {
    uint indices[];
};

layout(std430, binding = 3) writeonly buffer SortedIndices {
    uint sorted_indices[];
};

void main()
{
    Tile tile = load_tile();
    if (gl_LocalInvocationID.x < tile.count) {
        uint place = tile.first + gl_LocalInvocationID.x;
        uint triangle = tile.segment_first + numbers[place];
        for (uint corner = 0u; corner < 3u; corner++)
            sorted_indices[3u * place + corner] = indices[3u * triangle + corner];
    }
}
