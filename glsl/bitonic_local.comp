#version 430
// Sorts whole segments of up to SEGSORT_WIDTH rows, as many in a work group as fit.
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/network.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

SegsortRun segsort_slot_run(uint tile, uint slot)
{
    return segsort_segment_or_empty(tile * (SEGSORT_TILE_ROWS / SEGSORT_WIDTH) + slot);
}

uint segsort_slot_first_row(uint tile)
{
    return 0u;
}

#include "shared/local.glsl"
#include "shared/store.glsl"

void main()
{
    uint tile = segsort_group();
    segsort_load_tile(tile);
    segsort_network_sort(segsort_own_slot_rows(tile), step_limit);
    segsort_store_tile(tile);
}
