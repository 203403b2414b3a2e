#version 430
// One work group: the draw commands, an emitter each from back to front or one for all.
#include "particles.glsl"
#include "particles_scan.glsl"

layout(location = 2) uniform bool ordered;

struct Command {
    uint count, instances, first, base;
};
layout(std430, binding = 2) restrict writeonly buffer Commands { Command commands[]; };
layout(std430, binding = 3) restrict readonly buffer Order { uint emitter_order[]; };

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint end = scan(count[lane]);
    offset[lane] = end - count[lane];
    if (lane == EMITTERS - 1u)
        total = end;
    uint emitter = ordered ? min(emitter_order[lane], EMITTERS - 1u) : lane;
    if (domains == EMITTERS)
        commands[lane] = Command(count[emitter], 1u, emitter * slot, 0u);
    else if (lane == EMITTERS - 1u)
        commands[0] = Command(end, 1u, 0u, 0u);
}
