#version 430
// The lesser row goes to the lower place, where the arc is bright; it fades towards the upper one.
#include "screen.glsl"

in float across;
in float along;
flat in float exchanged;
flat in float half_width;
out vec4 colour;

void main()
{
    float edge = clamp((1.0 - abs(across)) * half_width, 0.0, 1.0);
    vec3 light = mix(vec3(0.16, 0.20, 0.27), vec3(1.0, 0.62, 0.22), exchanged);
    float strength = mix(0.55, 1.0, exchanged) * mix(1.0, 0.22, along);
    colour = vec4(srgb_from_linear(light), edge * strength);
}
