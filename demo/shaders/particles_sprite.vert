#version 430
// A point a particle, in the order of the sequence.
#include "particles.glsl"

layout(location = 2) uniform mat4 view;
layout(location = 3) uniform mat4 projection;
layout(location = 4) uniform vec2 radius_height; // of a particle, and of the picture in pixels

layout(std430, binding = 2) restrict readonly buffer Sequence { uint sequence[]; };
layout(std430, binding = 3) restrict readonly buffer Emitters { vec4 emitters[]; };

out vec4 glow; // with its opacity

void main()
{
    uint row = sequence[gl_VertexID];
    Particle particle = particles[row];
    float age = particle.place.w / particle.motion.w;
    gl_Position = projection * (view * vec4(particle.place.xyz, 1.0));
    float radius = radius_height.x * mix(0.6, 1.6, age);
    gl_PointSize = max(radius * projection[1][1] * radius_height.y / gl_Position.w, 1.0);
    vec2 source = emitters[row / slot].xz;
    vec3 hue = hue_at(source, 0.70);
    vec3 young = mix(hue, vec3(1.0, 0.98, 0.94), 0.8);
    vec3 old = hue_at(source, 0.42);
    glow.rgb = mix(mix(young, hue, smoothstep(0.0, 0.35, age)), old, smoothstep(0.4, 1.0, age));
    glow.a = 0.62 * (1.0 - smoothstep(0.55, 1.0, age));
}
