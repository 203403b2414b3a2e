#version 430
// The curve has its triangles' colours, a little lighter.
#include "ramp.glsl"
#include "screen.glsl"

layout(location = 3) uniform float faded;   // 0: not at all
layout(location = 8) uniform float opacity; // less where it is behind the mesh

in float along_order;
out vec4 colour;

void main()
{
    vec3 light = mix(1.25 * ramp(along_order) + 0.03, vec3(0.05), faded > 0.9 ? 1.0 : 0.0);
    colour = vec4(srgb_from_linear(light), opacity);
}
