#version 430
// Dark stone in the light of the fountains, which comes from all of their disc.
#include "particles.glsl"

layout(location = 2) uniform mat4 view;

in vec3 world;
out vec4 colour;

void main()
{
    vec3 normal = normalize(cross(dFdx(world), dFdy(world)));
    vec3 eye = -transpose(mat3(view)) * view[3].xyz;
    normal = dot(normal, eye - world) < 0.0 ? -normal : normal;
    float out_there = length(world.xz);
    float near = exp(-3.0 * max(out_there - 0.85, 0.0)) * exp(-2.2 * world.y);
    float facing = normal.y > 0.5 ? 1.0 : 0.45 + 0.45 * dot(normal.xz, normalize(world.xz + 1e-5));
    vec3 light = vec3(0.020, 0.023, 0.034) + 0.34 * near * facing * hue_at(world.xz, 0.55);
    vec3 night = vec3(0.012, 0.014, 0.024);
    colour = vec4(mix(light, night, smoothstep(1.2, 4.5, out_there)), 1.0);
}
