#version 430
// A dark neutral gradient, lighter towards the top, darker in the corners.
#include "screen.glsl"

in vec2 at;
out vec4 colour;

// Half a step of an 8-bit channel either way, so that the gradient shows no bands.
float dither(vec2 pixel)
{
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

void main()
{
    vec3 light = mix(vec3(0.0075, 0.0080, 0.0090), vec3(0.0330, 0.0345, 0.0375),
                     smoothstep(-1.2, 1.2, at.y));
    light *= 1.0 - 0.22 * dot(at, at) * 0.5;
    colour = vec4(srgb_from_linear(light) + dither(gl_FragCoord.xy), 1.0);
}
