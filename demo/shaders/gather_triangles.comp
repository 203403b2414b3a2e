#version 430
// The index buffer in the sorted order.
//
// binding  0 triangles (numbers in the new order)  1 indices  2 sorted indices
#include "work.glsl"

layout(std430, binding = 0) readonly buffer Triangles {
    uint triangles[];
};

layout(std430, binding = 1) readonly buffer Indices {
    uint indices[];
};

layout(std430, binding = 2) writeonly buffer SortedIndices {
    uint sorted_indices[];
};

void main()
{
    uint place = work_group() * 256u + gl_LocalInvocationID.x;
    if (place < uint(triangles.length())) {
        uint triangle = triangles[place];
        for (uint corner = 0u; corner < 3u; corner++)
            sorted_indices[3u * place + corner] = indices[3u * triangle + corner];
    }
}
