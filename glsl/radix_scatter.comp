#version 430
// Ranks the rows of a tile by digit, or by bucket, and moves each to its place: after all rows of the segment with
// a lower digit, those with the same digit in earlier tiles, and those with the same digit before
// it in its tile.
#include "shared/memory.glsl"
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/scan.glsl"
#include "shared/digit.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// An invocation looks after so many digits, neighbours of each other.
#define SEGSORT_LANE_DIGITS (SEGSORT_DIGITS / SEGSORT_THREADS)

#if SEGSORT_SPLIT
// Tiles are counted by themselves, and their runs are scanned: what the tiles before one in its run count is added up.
uint segsort_rows_before(SegsortTile tile, uint item, uint digit)
{
    uint counts = view_word[1].z, before = tile.first_row / SEGSORT_WIDTH % SEGSORT_SUM_TILES;
    uint sum = work[segsort_tile_sum_word(tile) + digit];
    for (uint n = 1u; n < SEGSORT_SUM_TILES; n++) {
        uint count = work[counts + (item - min(n, before)) * SEGSORT_DIGITS + digit];
        sum += n <= before ? count : 0u;
    }
    return sum;
}
#else
uint segsort_rows_before(SegsortTile tile, uint item, uint digit)
{
    uint counts = view_word[1].z, sum = work[counts + item * SEGSORT_DIGITS + digit];
    if (chunk_counts != 0u) {
        uint chunk = table[long_word + tile.number * SEGSORT_LONG_WORDS + 1u] +
                     tile.first_row / (SEGSORT_WIDTH * SEGSORT_CHUNK_TILES);
        sum += work[counts + chunk_counts + chunk * SEGSORT_DIGITS + digit];
    }
    return sum;
}
#endif

// Where in the segment the tile's rows of an invocation's digits go. A surplus work group's are those of the first tile.
void segsort_load_starts(SegsortTile tile, uint number, out uint starts[SEGSORT_LANE_DIGITS])
{
    uint counts = view_word[1].z, item = number < item_count ? number : 0u;
    for (uint n = 0u; n < SEGSORT_LANE_DIGITS; n++) {
        uint digit = gl_LocalInvocationIndex * SEGSORT_LANE_DIGITS + n;
        uint start = work[counts + digit_starts + tile.number * SEGSORT_DIGITS + digit];
        starts[n] = start + segsort_rows_before(tile, item, digit);
    }
}

#if SEGSORT_SUBGROUP_SIZE > 0
#include "shared/scatter_matched.glsl"
#else
#include "shared/scatter_sorted.glsl"
#endif

void main()
{
    uint number = segsort_group();
    SegsortTile tile = segsort_tile_or_empty(number);
    uvec2 from = segsort_segment_words(tile, source), to = segsort_segment_words(tile, destination);
    segsort_scatter_tile(tile, number, from, to);
}
