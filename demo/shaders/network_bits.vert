#version 430
// The bits of a row's key before the digit, the highest one on top; those of the digit are lit.
#include "network.glsl"
#include "network_light.glsl"

layout(location = 2) in uint source_before;
layout(location = 3) in uint key_before;

flat out vec3 light;

void main()
{
    uint row = uint(gl_InstanceID), bit = uint(gl_VertexID) / 6u;
    Place place = place_of(row);
    bool set = (key_before >> bit & 1u) != 0u, lit = bit >> 3u == digit_shift >> 3u;
    vec3 own = key_light(key_before, source_before, place);
    light = lit ? mix(vec3(0.05), own * 1.2, set ? 1.0 : 0.10) : vec3(set ? 0.045 : 0.014);
    vec2 low = vec2(row_left(row, place.segment), bits_top - float(16u - bit) * bit_height);
    vec2 high = low + vec2(bar_width(), bit_height >= 3.0 ? bit_height - 1.0 : bit_height);
    gl_Position = clip(mix(low, high, corners[gl_VertexID % 6]));
}
