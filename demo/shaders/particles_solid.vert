#version 430
// Instance 0: the ground, a square. Others: dark pillars in rings between the emitters.

layout(location = 2) uniform mat4 view;
layout(location = 3) uniform mat4 projection;

out vec3 world;

const uint corners[36] = uint[](0u, 1u, 3u, 0u, 3u, 2u, 4u, 6u, 7u, 4u, 7u, 5u, 0u, 4u, 5u, 0u, 5u, 1u,
                                2u, 3u, 7u, 2u, 7u, 6u, 0u, 2u, 6u, 0u, 6u, 4u, 1u, 5u, 7u, 1u, 7u, 3u);

void main()
{
    uint corner = corners[gl_VertexID];
    vec3 cube = vec3(corner & 1u, corner >> 1 & 1u, corner >> 2) - vec3(0.5, 0.0, 0.5);
    float turn = float(gl_InstanceID) * 0.8976;
    float ring = gl_InstanceID <= 7 ? 0.62 : 1.02;
    vec3 size = gl_InstanceID <= 7 ? vec3(0.085, 0.30, 0.085) : vec3(0.07, 0.16, 0.07);
    vec2 side = vec2(cos(turn), sin(turn));
    vec3 pillar = cube * size;
    pillar.xz = pillar.x * side + pillar.z * vec2(-side.y, side.x) + ring * side;
    world = gl_InstanceID == 0 ? cube * vec3(12.0, -0.01, 12.0) : pillar;
    gl_Position = projection * (view * vec4(world, 1.0));
}
