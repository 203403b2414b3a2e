#version 430
// A work group a domain: the sequence of the frame before goes on, without the dead and with the
// new ones behind it. For frames that don't sort.
#include "particles.glsl"
#include "particles_scan.glsl"

layout(std430, binding = 2) restrict buffer Sequence { uint sequence[]; };
layout(std430, binding = 3) restrict readonly buffer Moved { uint moved[]; };

void main()
{
    uint lane = gl_LocalInvocationID.x, emitters = EMITTERS / domains;
    uint emitter = gl_WorkGroupID.x * emitters, first = emitter * slot;
    uint before = 0u, end = 0u;
    for (uint i = 0u; i < emitters; i++)
        before += had[emitter + i];
    for (uint chunk = 0u; chunk < before; chunk += 256u) {
        uint row = chunk + lane;
        uint now = row < before ? moved[sequence[first + row]] : GONE;
        uint to = next_row(now != GONE, end);
        if (now != GONE)
            sequence[first + to] = now;
    }
    for (uint i = 0u; i < emitters; i++, emitter++) {
        uint added = count[emitter] - kept[emitter];
        for (uint j = lane; j < added; j += 256u)
            sequence[first + end + j] = emitter * slot + kept[emitter] + j;
        end += added;
    }
}
