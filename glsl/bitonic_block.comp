#version 430
// First pass over segments that are longer than one work group sorts: each tile of SEGSORT_WIDTH
// rows is sorted by itself, and from here on the rows live in the outputs, with their source row in
// the work section.
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/network.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

SegsortRun segsort_slot_run(uint tile, uint slot)
{
    return segsort_tile_run(segsort_tile_or_empty(tile));
}

uint segsort_slot_first_row(uint tile)
{
    return segsort_tile_or_empty(tile).first_row;
}

#include "shared/local.glsl"
#include "shared/store.glsl"

void segsort_store_index(uint number)
{
    SegsortTile tile = segsort_tile_or_empty(number);
    uint rows = segsort_tile_run(tile).rows;
    for (uint row = gl_LocalInvocationIndex; row < rows; row += SEGSORT_THREADS)
        work[view_word[1].z + tile.scratch_row + row] = tile.first_row + shared_index[row];
}

void main()
{
    uint tile = segsort_group();
    segsort_load_tile(tile);
    segsort_network_sort(segsort_own_slot_rows(tile), step_limit);
    segsort_store_tile(tile);
    segsort_store_index(tile);
}
