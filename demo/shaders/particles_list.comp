#version 430
// Lists the live particles' rows: each emitter's in its slot, or all of them without gaps. The
// sequence is the same until a sort orders it; a gather leaves a domain of one row as it is here.
#include "particles.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 2) restrict writeonly buffer List { uint list[]; };
layout(std430, binding = 3) restrict writeonly buffer Sequence { uint sequence[]; };

void main()
{
    uint row = gl_GlobalInvocationID.x, emitter = gl_WorkGroupID.y;
    if (row >= count[emitter])
        return;
    uint first = domains == EMITTERS ? emitter * slot : offset[emitter];
    list[first + row] = emitter * slot + row;
    sequence[first + row] = emitter * slot + row;
}
