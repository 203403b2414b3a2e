#version 430
// Moves the rows of a tile from the source to the destination as they are.
#include "shared/segments.glsl"
#include "shared/rows.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void main()
{
    SegsortTile tile = segsort_tile_or_empty(segsort_group());
    uvec2 from = segsort_segment_words(tile, source), to = segsort_segment_words(tile, destination);
    uint end = tile.first_row + segsort_tile_rows(tile);
    for (uint row = tile.first_row + gl_LocalInvocationIndex; row < end; row += SEGSORT_THREADS) {
        segsort_write_output_key(to.x, row, segsort_read_key(from.x, row));
#if SEGSORT_VALUE_WORDS > 0
        segsort_write_output_value(to.y, row, segsort_read_source_value(source, from.y, row));
#endif
    }
}
