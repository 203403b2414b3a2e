#version 430
// One step of the network between rows of different tiles: a stage's reflected step, or a stride of
// a tile or more. Tiles are SEGSORT_WIDTH rows; partner_mask is at least that, so a tile's rows are
// either all lower ends of comparators or all upper ends.
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void segsort_compare_exchange_rows(SegsortRun segment, uint index_word, uint lower, uint upper)
{
    SEGSORT_KEY lower_key = segsort_read_output_key(segment.output_keys, lower);
    SEGSORT_KEY upper_key = segsort_read_output_key(segment.output_keys, upper);
    uint lower_index = work[index_word + lower], upper_index = work[index_word + upper];
    if (segsort_row_precedes(upper_key, upper_index, lower_key, lower_index)) {
        segsort_write_output_key(segment.output_keys, lower, upper_key);
        segsort_write_output_key(segment.output_keys, upper, lower_key);
        work[index_word + lower] = upper_index;
        work[index_word + upper] = lower_index;
#if SEGSORT_VALUE_WORDS > 0
        SEGSORT_VALUE lower_value = segsort_read_output_value(segment.output_values, lower);
        SEGSORT_VALUE upper_value = segsort_read_output_value(segment.output_values, upper);
        segsort_write_output_value(segment.output_values, lower, upper_value);
        segsort_write_output_value(segment.output_values, upper, lower_value);
#endif
    }
}

void main()
{
    SegsortTile tile = segsort_tile_or_empty(segsort_group());
    uint index_word = view_word[1].z + tile.scratch_row - tile.first_row;
    uint end = tile.first_row + segsort_tile_rows(tile);
    for (uint row = tile.first_row + gl_LocalInvocationIndex; row < end; row += SEGSORT_THREADS) {
        uint partner = row ^ partner_mask;
        if (partner > row && partner < tile.segment.rows)
            segsort_compare_exchange_rows(tile.segment, index_word, row, partner);
    }
}
