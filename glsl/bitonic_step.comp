#version 430
// One step of the network between rows of different tiles: a stage's reflected step, or a stride of a tile or more.
// Tiles are SEGSORT_WIDTH rows; partner_mask is at least that, so a tile's rows are either all lower ends of comparators or
// all upper ends.
#include "shared/segments.glsl"
#include "shared/keys.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void segsort_compare_exchange_rows(SegsortTile tile, uint lower, uint upper)
{
    uint lower_row = tile.segment.output_keys + lower, upper_row = tile.segment.output_keys + upper;
    uint lower_at = tile.index_row + (lower - tile.first_row);
    uint upper_at = tile.index_row + (upper - tile.first_row);
    uint lower_bits = output_keys[lower_row], upper_bits = output_keys[upper_row];
    uint lower_index = source_index[lower_at], upper_index = source_index[upper_at];
    if (segsort_row_precedes(segsort_key_ordered(upper_bits), upper_index, segsort_key_ordered(lower_bits),
                             lower_index)) {
        output_keys[lower_row] = upper_bits;
        output_keys[upper_row] = lower_bits;
        source_index[lower_at] = upper_index;
        source_index[upper_at] = lower_index;
        lower_row = tile.segment.output_values + lower;
        upper_row = tile.segment.output_values + upper;
        uint lower_value = output_values[lower_row];
        output_values[lower_row] = output_values[upper_row];
        output_values[upper_row] = lower_value;
    }
}

void main()
{
    SegsortTile tile = segsort_tile_or_empty(segsort_group());
    uint end = min(tile.first_row + SEGSORT_WIDTH, tile.segment.rows);
    for (uint row = tile.first_row + gl_LocalInvocationIndex; row < end; row += SEGSORT_THREADS) {
        uint partner = row ^ partner_mask;
        if (partner > row && partner < tile.segment.rows)
            segsort_compare_exchange_rows(tile, row, partner);
    }
}
