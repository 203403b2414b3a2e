#version 430
// Smoke over what is solid, as a picture. Where the smoke has fewer pixels, those of its pixels that
// are about as far away as the solid here count most, so that edges stay sharp.
#include "screen.glsl"

layout(location = 0) uniform float split; // pixels from the left; 0: none

layout(binding = 0) uniform sampler2D solid_depth;
layout(binding = 1) uniform sampler2D solid_light;
layout(binding = 2) uniform sampler2D smoke;
layout(binding = 3) uniform sampler2D smoke_depth;

in vec2 at;
out vec4 colour;

vec4 smoke_here(ivec2 pixel)
{
    vec2 scale = vec2(textureSize(smoke, 0)) / vec2(textureSize(solid_light, 0));
    if (scale == vec2(1.0))
        return texelFetch(smoke, pixel, 0);
    vec2 place = (vec2(pixel) + 0.5) * scale - 0.5;
    ivec2 first = ivec2(floor(place)), last = textureSize(smoke, 0) - 1;
    float depth = texelFetch(solid_depth, pixel, 0).r;
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 there = first + ivec2(i & 1, i >> 1);
        vec2 close = max(1.0 - abs(place - vec2(there)), 0.0);
        there = clamp(there, ivec2(0), last);
        float apart = abs(texelFetch(smoke_depth, there, 0).r - depth);
        float weight = (close.x * close.y + 1e-4) / (1e-4 + apart);
        sum += weight * texelFetch(smoke, there, 0);
        weights += weight;
    }
    return sum / weights;
}

// Half a step of an 8-bit channel either way, so that slopes show no bands.
float dither(vec2 pixel)
{
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

// Bright light goes towards white slowly, and never gets there.
vec3 exposed(vec3 light)
{
    light *= 1.15;
    return light * (1.0 + light * 0.09) / (1.0 + light);
}

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 over = smoke_here(pixel);
    vec3 light = texelFetch(solid_light, pixel, 0).rgb * (1.0 - over.a) + over.rgb;
    light *= 1.0 - 0.16 * dot(at, at);
    float line = split > 0.0 ? 1.0 - smoothstep(0.5, 1.5, abs(gl_FragCoord.x - split)) : 0.0;
    colour = vec4(mix(srgb_from_linear(exposed(light)), vec3(0.92), line) + dither(gl_FragCoord.xy), 1.0);
}
