#version 430
// Flat faces, lit from both sides, coloured by their place in the order of their segment.
#include "ramp.glsl"
#include "screen.glsl"

layout(location = 2) uniform uint count;  // triangles of the segment
layout(location = 3) uniform float faded; // towards grey, 0 to 1

in vec3 view_position;
in float broken; // more than 0: of a triangle with a corner that isn't finite
out vec4 colour;

// The face's normal on the side that is seen.
vec3 face_normal()
{
    vec3 normal = cross(dFdx(view_position), dFdy(view_position));
    float size = length(normal);
    normal = size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
    return dot(normal, view_position) > 0.0 ? -normal : normal;
}

vec3 shade(vec3 albedo, vec3 normal, vec3 eye)
{
    const vec3 key_direction = normalize(vec3(-0.45, 0.75, 0.60));
    const vec3 fill_direction = normalize(vec3(0.85, -0.10, 0.45));
    vec3 sky = mix(vec3(0.13, 0.12, 0.12), vec3(0.32, 0.34, 0.38), 0.5 + 0.5 * normal.y);
    vec3 light = sky + vec3(0.86, 0.83, 0.78) * max(dot(normal, key_direction), 0.0) +
                 vec3(0.14, 0.16, 0.20) * max(dot(normal, fill_direction), 0.0);
    vec3 halfway = normalize(key_direction + eye);
    float gloss = pow(max(dot(normal, halfway), 0.0), 48.0);
    float rim = pow(1.0 - max(dot(normal, eye), 0.0), 4.0);
    return albedo * light + vec3(0.10 * gloss + 0.05 * rim);
}

void main()
{
    float place = (float(gl_PrimitiveID) + 0.5) / float(count);
    vec3 albedo = mix(ramp(place), vec3(0.055, 0.057, 0.062), faded);
    vec3 light = shade(albedo, face_normal(), normalize(-view_position));
    colour = vec4(srgb_from_linear(light), 1.0);
    if (broken > 0.0)
        discard;
}
