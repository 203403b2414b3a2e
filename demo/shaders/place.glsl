// From an instance's coordinates to the viewer's. A wobbling segment's positions have moved as its
// first instance does; the others start from its rest, and move here.
#include "bend.glsl"

layout(location = 0) uniform mat4 place; // to the unit sphere
layout(location = 6) uniform mat4 view;
layout(location = 7) uniform float time; // seconds; below 0: does not move here

vec3 place_in_view(vec3 position)
{
    vec3 placed = (place * vec4(position, 1.0)).xyz;
    if (time >= 0.0)
        placed = bend(placed, time);
    return (view * vec4(placed, 1.0)).xyz;
}
