#version 430
// A comparator of the step that was done last: half an ellipse under the bars, from the lower place
// to the upper one, as a ribbon of two vertices a point.
#include "network.glsl"

layout(location = 1) in uint source;
layout(location = 2) in uint source_before;

out float across;         // -1..1 over the ribbon
out float along;          // 0 at the lower place, 1 at the upper one
flat out float exchanged; // 1: the two rows changed places
flat out float half_width;

const uint points = 33u;

void main()
{
    uint row = uint(gl_InstanceID);
    Place place = place_of(row);
    uint partner = partner_of(place);
    exchanged = source != source_before ? 1.0 : 0.0;
    half_width = clamp(unit * 0.12, 0.6, 2.0) + 1.0; // a pixel of it is the soft edge
    along = float(uint(gl_VertexID) / 2u) / float(points - 1u);
    across = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    float from = row_left(row, place.segment) + 0.5 * unit;
    float to = row_left(row + partner - place.lane, place.segment) + 0.5 * unit;
    float depth = arc_depth * pow(clamp((to - from) / (float(longest) * unit), 0.0, 1.0), 0.45);
    float angle = 3.14159265 * along;
    vec2 radii = vec2(0.5 * (to - from), max(depth, 6.0));
    vec2 point = vec2(-cos(angle) * radii.x, -sin(angle) * radii.y);
    vec2 normal = normalize(vec2(point.x / (radii.x * radii.x), point.y / (radii.y * radii.y)));
    point += vec2(0.5 * (from + to), baseline - 4.0) + normal * across * half_width;
    gl_Position = partner > place.lane ? clip(point) : nowhere();
}
