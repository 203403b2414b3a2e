#version 430
// An instance a piece of the curve through the centroids of a segment's triangles, as a band of
// constant width that faces the viewer. Pieces that end at no finite place are left out.
#include "finite.glsl"
#include "place.glsl"

layout(location = 1) uniform mat4 projection;
layout(location = 2) uniform uint count; // triangles of the segment
layout(location = 4) uniform uint first; // of them
layout(location = 5) uniform vec2 size;  // of the picture in pixels

// Those at rest, where the curve moves here.
layout(std430, binding = 0) restrict readonly buffer Positions { float positions[]; };
layout(std430, binding = 1) restrict readonly buffer Indices { uint indices[]; };

out float along_order;

const float WIDTH = 1.7;    // pixels
const float NEARER = 0.992; // so that it lies on its triangles

vec3 vertex(uint row)
{
    uint at = 3u * indices[row];
    return vec3(positions[at], positions[at + 1u], positions[at + 2u]);
}

vec3 centroid_of(uint triangle)
{
    uint row = 3u * triangle;
    return vertex(row) / 3.0 + vertex(row + 1u) / 3.0 + vertex(row + 2u) / 3.0;
}

void main()
{
    uint piece = uint(gl_InstanceID), end = uint(gl_VertexID) >> 1;
    float side = float(gl_VertexID & 1) - 0.5;
    vec3 from = place_in_view(centroid_of(first + piece));
    vec3 to = place_in_view(centroid_of(first + piece + 1u));
    bool seen = is_finite(from) && is_finite(to) && from.z < 0.0 && to.z < 0.0;
    along_order = (float(piece + end) + 0.5) / float(count);
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0); // all of a piece, behind everything
    if (!seen)
        return;
    vec4 a = projection * vec4(NEARER * from, 1.0), b = projection * vec4(NEARER * to, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * size;
    vec2 across = length(along) > 1e-6 ? normalize(vec2(-along.y, along.x)) : vec2(0.0, 1.0);
    vec4 at = end == 0u ? a : b;
    gl_Position = at + vec4(2.0 * WIDTH * side * across / size * at.w, 0.0, 0.0);
}
