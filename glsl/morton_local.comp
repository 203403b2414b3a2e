#version 430
// Morton codes of whole segments, a slot each: first a segment's box, then its rows' codes.
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/morton.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// Surplus slots have no rows.
SegsortRows segsort_slot_rows(uint segment)
{
    return segment < item_count ? segsort_segment_rows(segment, 0u) : SegsortRows(0u, 0u);
}

void main()
{
    uint lanes = SEGSORT_THREADS / slot_count, lane = gl_LocalInvocationIndex & (lanes - 1u);
    SegsortRows rows = segsort_slot_rows(segsort_group() * slot_count + gl_LocalInvocationIndex / lanes);
    SegsortBox box = segsort_join_lanes(segsort_find_box(rows, lane, lanes), lanes);
    segsort_write_codes(rows, lane, lanes, segsort_box_grid(box));
}
