// The tiles of long segments, for Morton codes.
#include "shared/places.glsl"

// Surplus work groups have no rows.
SegsortRows segsort_tile_rows_or_none(uint tile)
{
    uint at = tile_word + tile * SEGSORT_TILE_WORDS;
    return tile < item_count ? segsort_segment_rows(table[at], table[at + 1u]) : SegsortRows(0u, 0u);
}

// The table word of its segment's box.
uint segsort_box_of_tile(uint tile)
{
    return box_word + table[tile_word + tile * SEGSORT_TILE_WORDS] * SEGSORT_BOX_WORDS;
}
