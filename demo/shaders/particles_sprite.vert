#version 430
// A point a particle, in the order of the sequence.
#include "particles.glsl"
#include "particles_grid.glsl"

layout(location = 2) uniform mat4 view;
layout(location = 3) uniform mat4 projection;
layout(location = 4) uniform vec4 look; // radius; the picture's height in pixels; opacity; softness

layout(binding = 1) uniform sampler3D sunlight;

layout(std430, binding = 2) restrict readonly buffer Sequence { uint sequence[]; };

out vec4 glow; // with its opacity

void main()
{
    uint row = sequence[gl_VertexID];
    Particle particle = particles[row];
    float age = particle.place.w / particle.motion.w;
    gl_Position = projection * (view * vec4(particle.place.xyz, 1.0));
    float radius = look.x * mix(0.45, 1.9, sqrt(age));
    gl_PointSize = max(radius * projection[1][1] * look.y / gl_Position.w, 1.0);
    float sun = texture(sunlight, in_grid(particle.place.xyz)).r;
    vec3 colour = smoke_colour(row / slot, 0.60, 0.16);
    vec3 sky = vec3(0.10, 0.13, 0.20);
    float heat = exp(-11.0 * age);
    glow.rgb = colour * (vec3(3.6, 3.3, 2.9) * sun + sky) + heat * (3.0 * colour + vec3(0.3));
    glow.a = look.z * mix(1.0, 0.55, smoothstep(0.0, 0.4, age)) * (1.0 - smoothstep(0.3, 1.0, age));
}
