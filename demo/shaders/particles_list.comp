#version 430
// Lists the live particles' rows: each emitter's in its slot, or all of them without gaps. A
// sequence that isn't sorted anew gets the new ones behind those that it kept.
#include "particles.glsl"

layout(local_size_x = 256) in;

layout(location = 2) uniform bool append;

layout(std430, binding = 2) restrict writeonly buffer List { uint list[]; };
layout(std430, binding = 3) restrict writeonly buffer Sequence { uint sequence[]; };

void main()
{
    uint row = gl_GlobalInvocationID.x, emitter = gl_WorkGroupID.y;
    if (row >= count[emitter])
        return;
    bool one = domains == 1u;
    uint number = emitter * slot + row;
    list[one ? offset[emitter] + row : number] = number;
    if (append && row >= kept[emitter])
        sequence[one ? total_kept + added[emitter] + row - kept[emitter] : number] = number;
}
