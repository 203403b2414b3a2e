#version 430
// The ground, a square of two triangles.

layout(location = 2) uniform mat4 view;
layout(location = 3) uniform mat4 projection;

out vec3 world;
out float broken;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    world = vec3(16.0 * corner.x - 8.0, 0.0, 16.0 * corner.y - 8.0);
    broken = 0.0;
    gl_Position = projection * (view * vec4(world, 1.0));
}
