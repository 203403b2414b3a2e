#version 430
// Widens the long segments' boxes by what lies in each of their tiles.
#define SEGSORT_TABLE_ACCESS
#include "shared/segments.glsl"
#include "shared/morton_tile.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void main()
{
    uint tile = segsort_group(), lane = gl_LocalInvocationIndex;
    SegsortBox box = segsort_find_box(segsort_tile_rows_or_none(tile), lane, SEGSORT_THREADS);
    box = segsort_join_lanes(box, SEGSORT_THREADS);
    if (tile < item_count && lane < 3u) {
        uint at = segsort_box_of_tile(tile) + lane;
        atomicMin(table[at], box.low[lane]);
        atomicMax(table[at + 3u], box.high[lane]);
    }
}
