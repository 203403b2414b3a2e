#version 430
// Moves a segment's vertices by time, as its first instance has to move. That is in the coordinates
// of the model's unit sphere, so that submeshes stay together. What is not finite stays as it is.
#include "bend.glsl"
#include "finite.glsl"

layout(local_size_x = 128) in;

layout(location = 0) uniform mat4 place;   // from the segment's coordinates to the unit sphere's
layout(location = 1) uniform mat4 inverse; // and back; all 0 where there is no way back
layout(location = 2) uniform uvec2 range;  // its first vertex, and how many there are
layout(location = 3) uniform float time;   // seconds

layout(std430, binding = 0) restrict readonly buffer Rest { float rest[]; };
layout(std430, binding = 1) restrict writeonly buffer Positions { float positions[]; };

void main()
{
    if (gl_GlobalInvocationID.x >= range.y)
        return;
    uint at = 3u * (range.x + gl_GlobalInvocationID.x);
    vec3 position = vec3(rest[at], rest[at + 1u], rest[at + 2u]);
    vec3 placed = (place * vec4(position, 1.0)).xyz;
    vec3 moved = position + mat3(inverse) * (bend(placed, time) - placed);
    if (!is_finite(position) || !is_finite(moved))
        moved = position;
    positions[at] = moved.x;
    positions[at + 1u] = moved.y;
    positions[at + 2u] = moved.z;
}
