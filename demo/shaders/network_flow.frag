#version 430
// A ribbon with soft edges.
#include "screen.glsl"

in float across;
flat in float half_width;
flat in vec4 paint;
out vec4 colour;

void main()
{
    float edge = clamp((1.0 - abs(across)) * half_width, 0.0, 1.0);
    colour = vec4(srgb_from_linear(paint.rgb), paint.a * edge);
}
