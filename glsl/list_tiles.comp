#version 430
// Lists the tiles and chunks of a listed plan's long segments. A work group has one segment.
#define SEGSORT_TABLE_ACCESS
#include "shared/segments.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void segsort_write_tiles(uint segment, uint tiles)
{
    uint further = long_word + segment * SEGSORT_LONG_WORDS;
    uint first_tile = table[further], scratch_row = table[further + 2u];
    for (uint tile = gl_LocalInvocationIndex; tile < tiles; tile += SEGSORT_THREADS) {
        uint at = tile_word + (first_tile + tile) * SEGSORT_TILE_WORDS;
        table[at] = segment;
        table[at + 1u] = tile * tile_rows;
        table[at + 2u] = scratch_row + tile * tile_rows;
    }
}

void segsort_write_chunks(uint segment, uint tiles)
{
    uint further = long_word + segment * SEGSORT_LONG_WORDS;
    uint first_tile = table[further], first_chunk = table[further + 1u];
    uint chunks = (tiles - 1u) / SEGSORT_CHUNK_TILES + 1u;
    for (uint chunk = gl_LocalInvocationIndex; chunk < chunks; chunk += SEGSORT_THREADS) {
        uint at = chunk_word + (first_chunk + chunk) * SEGSORT_CHUNK_WORDS;
        table[at] = first_tile + chunk * SEGSORT_CHUNK_TILES;
        table[at + 1u] = min(tiles - chunk * SEGSORT_CHUNK_TILES, uint(SEGSORT_CHUNK_TILES));
    }
}

void main()
{
    uint segment = segsort_group();
    if (segment < item_count) {
        uint tiles = (segsort_segment(segment).rows - 1u) / tile_rows + 1u;
        segsort_write_tiles(segment, tiles);
        if (chunk_word != 0u)
            segsort_write_chunks(segment, tiles);
    }
}
