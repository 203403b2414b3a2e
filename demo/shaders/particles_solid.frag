#version 430
// The ground and the mesh: the sun through the smoke, the sky, and what smoke throws back. Gives
// light, which the last pass makes a picture of.
#include "particles_grid.glsl"

layout(location = 2) uniform mat4 view;
layout(location = 5) uniform float ground; // 1 for the ground, 0 for the mesh

layout(binding = 1) uniform sampler3D sunlight;

in vec3 world;
in float broken; // more than 0: of a triangle with a corner that isn't finite
out vec4 light;

const vec3 NIGHT = vec3(0.0045, 0.0055, 0.0085);

// The face's normal on the side that is seen.
vec3 face_normal(vec3 eye)
{
    vec3 normal = cross(dFdx(world), dFdy(world));
    float size = length(normal);
    normal = size > 0.0 ? normal / size : vec3(0.0, 1.0, 0.0);
    return dot(normal, eye) < 0.0 ? -normal : normal;
}

void main()
{
    vec3 eye = normalize(-transpose(mat3(view)) * view[3].xyz - world);
    vec3 normal = face_normal(eye);
    float out_there = length(world.xz);
    float sun = texture(sunlight, in_grid(world + 0.03 * normal)).r;
    float facing = max(dot(normal, sun_direction), 0.0);
    vec3 halfway = normalize(sun_direction + eye);
    vec3 albedo = mix(vec3(0.46, 0.42, 0.37), vec3(0.030, 0.030, 0.034), ground);
    float near = exp(-1.8 * abs(out_there - 0.7)) * exp(-1.6 * world.y);
    vec3 sky = vec3(0.10, 0.13, 0.19) * (0.6 + 0.4 * normal.y) * mix(0.25, 1.0, sqrt(sun));
    vec3 glow = 0.5 * near * vec3(0.20, 0.17, 0.19);
    vec3 result = albedo * (vec3(2.6, 2.4, 2.1) * sun * facing + sky + glow);
    float gloss = pow(max(dot(normal, halfway), 0.0), 60.0);
    result += (1.0 - ground) * vec3(1.1, 1.0, 0.9) * sun * gloss;
    light = vec4(mix(result, NIGHT, ground * smoothstep(0.7, 2.4, out_there)), 1.0);
    if (broken > 0.0)
        discard;
}
