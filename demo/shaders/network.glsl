// What the shaders of the network scene share: the picture's measures, and who is compared with
// whom. As struct network_picture in network_layout.h has it.
layout(std140, binding = 0) uniform Picture {
    vec2 size;        // pixels; everything else counts in them too, from the lower left corner
    float left;       // of the first row
    float unit;       // from a row to the next
    float gap;        // between segments
    float baseline;   // where bars stand, or the upper edge of the grid
    float bar_height; // of the greatest key
    float arc_depth;  // of the longest arc
    uint stage;       // of the step that was done last; 0: it was none of the network
    uint stride;
    uint digit_shift; // of the digit that was sorted by last; 32: none was
    uint key_end;     // keys are less
    uint segment_count;
    uint columns;     // of the grid
    uint kind;        // as enum network_kind
    uint longest;     // of the segments
    float zoom;       // about the picture's middle
    float shift_x, shift_y;
    float second;        // from the first pane of a grid to the second
    float before_base;   // where the bars before a digit stand
    float before_height; // of the greatest key
    float bits_top;      // of the keys' bits
    float bit_height;
    float flow_top;      // where the lines from place to place start
    float columns_top;   // of the digits' columns
    float columns_base;
    uint descending;
    uvec4 segments[32]; // first row, length, first line or digits' columns, 1: by the network
};

const uint bars = 0u, digits = 1u, cells = 2u; // of kind

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

struct Place {
    uint segment, lane, rows;
    bool by_network;
};

Place place_of(uint row)
{
    uint segment = 0u;
    for (uint jump = 16u; jump > 0u; jump /= 2u)
        if (segment + jump < segment_count && row >= segments[segment + jump].x)
            segment += jump;
    return Place(segment, row - segments[segment].x, segments[segment].y, segments[segment].w != 0u);
}

float row_left(uint row, uint segment)
{
    return left + float(row) * unit + float(segment) * gap;
}

// A bar's width: some space from the next one, where there is room.
float bar_width()
{
    return unit >= 4.0 ? unit - clamp(floor(unit * 0.15), 1.0, 8.0) : unit;
}

// The digit of a key that was sorted by last.
uint digit_of(uint key)
{
    return digit_shift >= 32u ? 0u : key >> digit_shift & 255u;
}

// The other end of a lane's comparator, or the lane itself where there is none.
uint partner_of(Place place)
{
    if (!place.by_network || stage == 0u)
        return place.lane;
    uint partner = place.lane ^ (stride == stage / 2u ? stage - 1u : stride);
    return partner < place.rows ? partner : place.lane;
}

vec4 clip(vec2 pixel)
{
    pixel = (pixel - 0.5 * size) * zoom + 0.5 * size + vec2(shift_x, shift_y);
    return vec4(pixel / size * 2.0 - 1.0, 0.0, 1.0);
}

vec4 nowhere()
{
    return vec4(2.0, 2.0, 0.0, 1.0);
}
