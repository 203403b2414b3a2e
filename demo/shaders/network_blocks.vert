#version 430
// The blocks of the stage behind the bars: every second one is lighter.
#include "network.glsl"

out float across;
flat out float half_width;
flat out vec4 paint;

void main()
{
    uint row = uint(gl_InstanceID);
    Place place = place_of(row);
    uint end = min(place.lane + stage, place.rows);
    float low = row_left(row, place.segment);
    vec4 box = vec4(low, baseline - arc_depth, low + float(end - place.lane) * unit, baseline + bar_height + 3.0);
    bool odd = (place.lane / stage & 1u) != 0u;
    across = 0.0;
    half_width = 2.0;
    paint = odd ? vec4(0.16, 0.22, 0.34, 0.22) : vec4(0.14, 0.17, 0.22, 0.12);
    bool starts = place.by_network && place.lane % stage == 0u && stage / 2u < place.rows;
    gl_Position = starts ? clip(mix(box.xy, box.zw, corners[gl_VertexID])) : nowhere();
}
