#version 430
// Morton codes of a tile's rows, in the box of its long segment.
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/morton.glsl"
#include "shared/morton_tile.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

SegsortBox segsort_load_box(uint at)
{
    return SegsortBox(uvec3(table[at], table[at + 1u], table[at + 2u]),
                      uvec3(table[at + 3u], table[at + 4u], table[at + 5u]));
}

void main()
{
    uint tile = segsort_group();
    if (tile < item_count) {
        SegsortGrid grid = segsort_box_grid(segsort_load_box(segsort_box_of_tile(tile)));
        segsort_write_codes(segsort_tile_rows_or_none(tile), gl_LocalInvocationIndex, SEGSORT_THREADS, grid);
    }
}
