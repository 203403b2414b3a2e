#version 430
// The mesh. A vertex that isn't finite takes its triangles out of the picture: what is between it and finite ones
// is more than 0 broken. Without clip distances, since drivers compile programs again where these are enabled.

layout(location = 0) in vec3 position;

layout(location = 2) uniform mat4 view;
layout(location = 3) uniform mat4 projection;
layout(location = 4) uniform mat4 placed; // to the world

out vec3 world;
out float broken;

bool is_finite(vec3 number)
{
    return all(notEqual(floatBitsToUint(number) & 0x7f800000u, uvec3(0x7f800000u)));
}

void main()
{
    vec3 place = (placed * vec4(position, 1.0)).xyz;
    bool finite = is_finite(position) && is_finite(place);
    world = finite ? place : vec3(0.0);
    broken = finite ? 0.0 : 1.0;
    gl_Position = projection * (view * vec4(world, 1.0));
}
