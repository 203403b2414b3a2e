#version 430
// A row: a bar as high as its key, or a cell of the grid. Under a bar hangs the digit that was
// sorted by last; a bar whose row was compared wears a cap, a bright one where the row moved.
#include "network.glsl"
#include "ramp.glsl"

layout(location = 0) in uint key;
layout(location = 1) in uint source; // the row of its segment that it came from
layout(location = 2) in uint source_before;

flat out vec3 light;

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
const float cap = 3.0;

// Equal keys have one hue, and are the brighter the later they came in: only a stable sort leaves
// them in an even gradient.
vec3 key_light(Place place)
{
    float age = (float(source) + 0.5) / float(place.length);
    return ramp(float(key) / float(key_end)) * mix(0.30, 1.15, age);
}

// Lower left and upper right corner of a part of the row: its bar, its digit, its cap.
vec4 bar_box(uint part, uint row, Place place)
{
    float low = row_left(row, place.segment);
    float high = low + (unit >= 4.0 ? unit - max(1.0, floor(unit * 0.15)) : unit);
    float top = baseline + max(bar_height * float(key) / float(key_end), 1.0);
    float bottom = baseline - 4.0;
    if (part == 1u)
        return vec4(low, bottom - 2.0 - arc_depth * 0.6 * digit_of(key, place), high, bottom);
    return vec4(low, part == 2u ? max(top - cap, baseline) : baseline, high, top);
}

vec4 cell_box(Place place)
{
    float line = float(segments[place.segment].z + place.lane / columns);
    vec2 corner = vec2(left + float(place.lane % columns) * unit, baseline - (line + 1.0) * unit);
    return vec4(corner, corner + (unit >= 4.0 ? unit - 1.0 : unit));
}

bool has_part(uint part, Place place)
{
    bool compared = partner_of(place) != place.lane, digit = digit_of(key, place) >= 0.0;
    bool moved = source != source_before;
    return part == 0u || columns == 0u && (part == 1u ? digit : compared || moved);
}

vec3 part_light(uint part, Place place)
{
    vec3 light = key_light(place);
    if (part == 1u)
        return mix(vec3(0.10, 0.11, 0.13), light, 0.35);
    if (part == 2u)
        return source != source_before ? vec3(0.95) : mix(light, vec3(0.9), 0.30);
    return light;
}

void main()
{
    uint row = uint(gl_InstanceID), part = uint(gl_VertexID) / 6u;
    Place place = place_of(row);
    light = part_light(part, place);
    vec4 box = columns > 0u ? cell_box(place) : bar_box(part, row, place);
    vec2 corner = mix(box.xy, box.zw, corners[gl_VertexID % 6]);
    gl_Position = has_part(part, place) ? clip(corner) : vec4(2.0, 2.0, 0.0, 1.0);
}
