// What the shaders of the network scene share: the picture's measures, and who is compared with
// whom. As struct network_picture in scene_network.c has it.
layout(std140, binding = 0) uniform Picture {
    vec2 size;        // pixels; everything else counts in them too, from the lower left corner
    float left;       // of the first row
    float unit;       // from a row to the next
    float gap;        // between segments
    float baseline;   // where bars stand
    float bar_height; // of the greatest key
    float arc_depth;  // of the longest arc
    uint stage;       // of the step that was done last; 0: it was none of the network
    uint stride;
    uint digit_shift; // of the digit that was sorted by last; 32: none was
    uint key_end;     // keys are less
    uint segment_count;
    uint columns;     // of the grid; 0: bars
    uint step;
    uint step_count;
    uint by_network;   // some segment is
    uint longest;      // of the segments
    uvec4 segments[8]; // first row, length, first line of the grid, 1: sorted by the network
};

struct Place {
    uint segment, lane, length;
    bool by_network;
};

Place place_of(uint row)
{
    uint segment = 0u;
    while (segment + 1u < segment_count && row >= segments[segment + 1u].x)
        segment++;
    return Place(segment, row - segments[segment].x, segments[segment].y, segments[segment].w != 0u);
}

float row_left(uint row, uint segment)
{
    return left + float(row) * unit + float(segment) * gap;
}

// The digit of a key that was sorted by last, in 0..1; less than 0 where none was.
float digit_of(uint key, Place place)
{
    return place.by_network || digit_shift >= 32u ? -1.0 : float((key >> digit_shift) & 255u) / 255.0;
}

// The other end of a lane's comparator, or the lane itself where there is none.
uint partner_of(Place place)
{
    if (!place.by_network || stage == 0u)
        return place.lane;
    uint partner = place.lane ^ (stride == stage / 2u ? stage - 1u : stride);
    return partner < place.length ? partner : place.lane;
}

vec4 clip(vec2 pixel)
{
    return vec4(pixel / size * 2.0 - 1.0, 0.0, 1.0);
}
