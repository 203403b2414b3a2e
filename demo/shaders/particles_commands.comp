#version 430
// One work group: where each emitter's particles lie in lists without gaps, and the draw commands,
// an emitter each or one for all. They are there twice: back to front as the sort has the emitters,
// and in the emitters' own order for what isn't sorted.
#include "particles.glsl"

layout(local_size_x = 512) in; // EMITTERS

struct Command {
    uint count, instances, first, base;
};
layout(std430, binding = 2) restrict writeonly buffer Commands { Command commands[]; };
layout(std430, binding = 3) restrict readonly buffer Order { uint emitter_order[]; };

shared uvec2 sums[EMITTERS];

// The sums up to each invocation, its own numbers included.
uvec2 scan(uvec2 numbers)
{
    uint lane = gl_LocalInvocationID.x;
    sums[lane] = numbers;
    barrier();
    for (uint reach = 1u; reach < EMITTERS; reach *= 2u) {
        uvec2 below = lane >= reach ? sums[lane - reach] : uvec2(0u);
        barrier();
        sums[lane] += below;
        barrier();
    }
    return sums[lane];
}

Command command_of(uint emitter)
{
    return Command(count[emitter], 1u, emitter * slot, 0u);
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uvec2 numbers = uvec2(count[lane], kept[lane]);
    uvec2 end = scan(numbers);
    offset[lane] = end.x - numbers.x;
    added[lane] = offset[lane] - (end.y - numbers.y);
    if (domains == EMITTERS) {
        commands[lane] = command_of(min(emitter_order[lane], EMITTERS - 1u));
        commands[EMITTERS + lane] = command_of(lane);
    }
    if (lane < EMITTERS - 1u)
        return;
    total_had = total;
    total = end.x;
    total_kept = end.y;
    if (domains == 1u) {
        Command all = Command(end.x, 1u, 0u, 0u);
        commands[0] = all;
        commands[EMITTERS] = all;
    }
}
