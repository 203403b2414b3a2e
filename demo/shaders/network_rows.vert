#version 430
// A row: a bar as high as its key, or a cell of the grid. A bar whose row was compared wears a cap,
// a bright one where the row moved; under it hangs the digit that was sorted by, among segments of
// the network. The second part of a row is what was there before a digit, or in the other pane who
// was compared with whom.
#include "network.glsl"
#include "network_light.glsl"

layout(location = 0) in uint key;
layout(location = 1) in uint source; // the row of its segment that it came from
layout(location = 2) in uint source_before;
layout(location = 3) in uint key_before;

flat out vec3 light;

const float cap = 3.0;

// Lower left and upper right corner of a part of the row: its bar, its digit, its cap, the bar before.
vec4 bar_box(uint part, uint row, Place place)
{
    float low = row_left(row, place.segment), high = low + bar_width();
    float top = baseline + max(bar_height * float(key) / float(key_end), 1.0);
    float bottom = baseline - 4.0;
    if (part == 1u)
        return vec4(low, bottom - 2.0 - arc_depth * 0.6 * float(digit_of(key)) / 255.0, high, bottom);
    if (part == 3u)
        return vec4(low, before_base, high, before_base + max(before_height * float(key_before) / float(key_end), 1.0));
    return vec4(low, part == 2u ? max(top - cap, baseline) : baseline, high, top);
}

vec4 cell_box(uint part, Place place)
{
    float line = float(segments[place.segment].z + place.lane / columns);
    vec2 corner = vec2(left + float(place.lane % columns) * unit, baseline - (line + 1.0) * unit);
    // What was before a digit is on the left.
    bool swapped = !place.by_network && stage == 0u;
    corner.x += (part == 3u) != swapped ? second : 0.0;
    return vec4(corner, corner + (unit * zoom >= 6.0 ? unit - 1.0 / zoom : unit));
}

bool has_part(uint part, Place place)
{
    bool compared = partner_of(place) != place.lane, moved = source != source_before;
    if (part == 1u)
        return kind == bars && !place.by_network && digit_shift < 32u;
    if (part == 2u)
        return kind == bars && (compared || moved);
    return part == 0u || kind != bars;
}

// Blocks of a stage differ in hue; a pair's first half is bright and its second one dark, and
// those that were exchanged are orange.
vec3 comparator_light(Place place)
{
    uint partner = partner_of(place);
    if (partner == place.lane)
        return vec3(0.018, 0.019, 0.022);
    vec3 block = (place.lane / stage & 1u) == 0u ? vec3(0.035, 0.085, 0.20) : vec3(0.035, 0.15, 0.125);
    vec3 base = source != source_before ? vec3(0.95, 0.48, 0.12) : block;
    return base * (place.lane < partner ? 1.0 : 0.38);
}

// Cells that a digit moves have the digit's hue.
vec3 row_light(uint row_key, uint row_source, Place place)
{
    bool by_digit = kind == cells && !place.by_network && stage == 0u && digit_shift < 32u;
    return key_light(by_digit ? digit_of(row_key) * 256u : row_key, row_source, place);
}

vec3 part_light(uint part, Place place)
{
    if (part == 3u)
        return kind == cells && place.by_network ? comparator_light(place) : row_light(key_before, source_before, place);
    vec3 own = row_light(key, source, place);
    if (part == 1u)
        return mix(vec3(0.10, 0.11, 0.13), own, 0.35);
    if (part == 2u)
        return source != source_before ? vec3(0.95) : mix(own, vec3(0.9), 0.30);
    return own;
}

void main()
{
    uint row = uint(gl_InstanceID), part = uint(gl_VertexID) / 6u;
    Place place = place_of(row);
    light = part_light(part, place);
    vec4 box = kind == cells ? cell_box(part, place) : bar_box(part, row, place);
    vec2 corner = mix(box.xy, box.zw, corners[gl_VertexID % 6]);
    gl_Position = has_part(part, place) ? clip(corner) : nowhere();
}
