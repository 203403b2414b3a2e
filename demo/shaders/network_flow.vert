#version 430
// Where a row goes: from its old place to its digit's column, through it, and on to its new place,
// as a ribbon of two vertices a point.
#include "network.glsl"
#include "network_light.glsl"

layout(location = 0) in uint key;
layout(location = 1) in uint source;
layout(location = 4) in uint place_before;

out float across;
flat out float half_width;
flat out vec4 paint;

const uint points = 50u;

float bend(float part)
{
    return part * part * (3.0 - 2.0 * part);
}

float column_middle(Place place)
{
    uint digit = descending != 0u ? 255u - digit_of(key) : digit_of(key);
    uint columns_count = segments[place.segment].z;
    float part = (float(digit * columns_count / 256u) + 0.5) / float(columns_count);
    return row_left(segments[place.segment].x, place.segment) + part * float(place.rows) * unit;
}

vec2 point_of(float part, vec3 x, float bottom)
{
    float first = min(part * 2.0, 1.0), second = max(part * 2.0 - 1.0, 0.0);
    if (part < 0.5)
        return vec2(mix(x.x, x.y, bend(first)), mix(flow_top, columns_top, first));
    return vec2(mix(x.y, x.z, bend(second)), mix(columns_base, bottom, second));
}

void main()
{
    uint row = uint(gl_InstanceID), index = uint(gl_VertexID) / 2u;
    Place place = place_of(row);
    float middle = 0.5 * bar_width();
    vec3 x = vec3(row_left(place_before, place.segment) + middle, column_middle(place), row_left(row, place.segment) + middle);
    float bottom = baseline + bar_height * float(key) / float(key_end) + 3.0;
    float part = float(index) / float(points - 1u);
    vec2 here = point_of(part, x, bottom), before = point_of(max(part - 0.01, 0.0), x, bottom);
    vec2 after = point_of(min(part + 0.01, 1.0), x, bottom);
    vec2 along = normalize(after - before);
    across = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    half_width = clamp(unit * 0.08, 0.5, 1.2) + 0.8;
    paint = vec4(key_light(key, source, place), clamp(unit * 0.12, 0.35, 0.85));
    gl_Position = clip(here + vec2(-along.y, along.x) * across * half_width);
}
