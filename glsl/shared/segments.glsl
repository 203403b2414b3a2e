// How a work group finds its segment or tile in the table.
#include "shared/group.glsl"

// A run of rows: the word of its first row in each stream, and how many there are.
struct SegsortRun {
    uint keys;
    uint values;
    uint output_keys;
    uint output_values;
    uint rows;
};

// From the caller's inputs to the caller's outputs.
SegsortRun segsort_segment(uint segment)
{
    uint at = segment_word + segment * SEGSORT_SEGMENT_WORDS;
    return SegsortRun(view_word[0].x + table[at] * SEGSORT_KEY_WORDS,
                      view_word[0].y + table[at + 1u] * SEGSORT_VALUE_WORDS,
                      view_word[0].z + table[at + 2u] * SEGSORT_KEY_WORDS,
                      view_word[0].w + table[at + 3u] * SEGSORT_VALUE_WORDS, table[at + 4u]);
}

// Surplus slots get a run without rows, on which every kernel does nothing.
SegsortRun segsort_segment_or_empty(uint segment)
{
    if (segment < item_count)
        return segsort_segment(segment);
    return SegsortRun(0u, 0u, 0u, 0u, 0u);
}

struct SegsortTile {
    SegsortRun segment;
    uint number;    // of the segment among the pass's; of the last one where there is no tile
    uint first_row; // of the tile, in the segment
    uint scratch_row;
};

SegsortTile segsort_tile_or_empty(uint tile)
{
    uint at = tile_word + min(tile, item_count - 1u) * SEGSORT_TILE_WORDS;
    if (tile >= item_count)
        return SegsortTile(SegsortRun(0u, 0u, 0u, 0u, 0u), table[at], 0u, 0u);
    return SegsortTile(segsort_segment(table[at]), table[at], table[at + 1u], table[at + 2u]);
}

uint segsort_tile_rows(SegsortTile tile)
{
    return min(tile.segment.rows - tile.first_row, uint(SEGSORT_WIDTH));
}

// The rows of the segment that lie in the tile, from the inputs to the outputs.
SegsortRun segsort_tile_run(SegsortTile tile)
{
    SegsortRun run = tile.segment;
    run.keys += tile.first_row * SEGSORT_KEY_WORDS;
    run.values += tile.first_row * SEGSORT_VALUE_WORDS;
    run.output_keys += tile.first_row * SEGSORT_KEY_WORDS;
    run.output_values += tile.first_row * SEGSORT_VALUE_WORDS;
    run.rows = segsort_tile_rows(tile);
    return run;
}

// The words of the segment's row 0 in a place: keys, values.
uvec2 segsort_segment_words(SegsortTile tile, uint place)
{
    if (place == SEGSORT_PLACE_INPUT)
        return uvec2(tile.segment.keys, tile.segment.values);
    if (place == SEGSORT_PLACE_OUTPUT)
        return uvec2(tile.segment.output_keys, tile.segment.output_values);
    uint row = tile.scratch_row - tile.first_row;
    return view_word[1].xy + row * uvec2(SEGSORT_KEY_WORDS, SEGSORT_VALUE_WORDS);
}
