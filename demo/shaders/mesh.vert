#version 430
// A vertex with an infinite or NaN coordinate takes its triangles out of the picture: it is put
// somewhere finite, and what is between it and finite ones is more than 0 broken. Without clip distances,
// since drivers compile programs again where these are enabled.
#include "finite.glsl"
#include "place.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 rest;

layout(location = 1) uniform mat4 projection;

out vec3 view_position;
out float broken;

void main()
{
    vec3 source = time >= 0.0 ? rest : position;
    vec3 seen = place_in_view(source);
    bool finite = is_finite(source) && is_finite(seen);
    view_position = finite ? seen : vec3(0.0, 0.0, -1.0);
    broken = finite ? 0.0 : 1.0;
    gl_Position = projection * vec4(view_position, 1.0);
}
