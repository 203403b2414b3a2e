#version 430
// For frames that don't sort: the sequence of the frame before, with each particle's new row, and a
// key that a sort by one bit can take the dead out by.
#include "particles.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 2) restrict buffer Sequence { uint sequence[]; };
layout(std430, binding = 3) restrict readonly buffer Moved { uint moved[]; };
layout(std430, binding = 4) restrict writeonly buffer Keys { uint keys[]; };

void main()
{
    uint row = gl_GlobalInvocationID.x, emitter = gl_WorkGroupID.y;
    uint at = emitter * slot + row;
    if (row >= slot || (domains == 1u ? at >= total_had : row >= had[emitter]))
        return;
    uint now = moved[sequence[at]];
    sequence[at] = now;
    keys[at] = now == GONE ? 1u : 0u;
}
