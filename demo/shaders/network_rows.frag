#version 430
#include "screen.glsl"

flat in vec3 light;
out vec4 colour;

void main()
{
    colour = vec4(srgb_from_linear(light), 1.0);
}
