#version 430
// A tick for each step along the lower edge: as high as its stride is long, a gap between stages,
// lit up to the step that was done last.
#include "network.glsl"

flat out vec3 light;

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

// A step's stage, counted from 1, and its place in it; digits are steps of one stage.
uvec2 stage_of(uint number)
{
    uint stages = 1u;
    while (by_network != 0u && number > stages)
        number -= stages++;
    return uvec2(stages, number);
}

void main()
{
    uint number = uint(gl_InstanceID) + 1u;
    uvec2 own = stage_of(number), last = stage_of(step_count);
    float pitch = min((size.x - 2.0 * left) / float(step_count + last.x), 26.0);
    vec2 low = vec2(left + pitch * float(number - 1u + own.x - 1u), 14.0);
    float height = by_network != 0u ? 4.0 + 14.0 * float(own.x - own.y + 1u) / float(last.x) : 12.0;
    light = number == step ? vec3(1.0, 0.62, 0.22) : number < step ? vec3(0.36, 0.39, 0.44) : vec3(0.07, 0.075, 0.085);
    gl_Position = clip(low + corners[gl_VertexID] * vec2(max(pitch - 1.5, 1.0), height));
}
