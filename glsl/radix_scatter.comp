#version 430
// Ranks the rows of a tile by digit, or by bucket, and moves each to its place: after all rows of the segment with
// a lower digit, those with the same digit in earlier tiles, and those with the same digit before
// it in its tile.
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/scan.glsl"
#include "shared/radix.glsl"
#include "shared/digit.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// Where in the segment the tile's rows of a digit go, and where in the sorted tile they begin.
shared uint shared_start[SEGSORT_DIGITS];
shared uint shared_place[SEGSORT_DIGITS];

void segsort_load_digits(SegsortTile tile, uint from)
{
    uint rows = segsort_tile_rows(tile);
    SEGSORT_KEY tile_keys[SEGSORT_RANK_ROWS];
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint place = segsort_row_in(gl_LocalInvocationIndex + n * SEGSORT_THREADS, rows);
        tile_keys[n] = segsort_read_key(from, tile.first_row + place);
    }
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint place = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        uint digit = segsort_tile_digit(tile, tile_keys[n], place);
        // Places without a row have the greatest digit and come last, so they stay behind all rows.
        if (place >= rows)
            digit = (1u << digit_bits) - 1u;
        shared_entry[SEGSORT_ENTRY(place)] = segsort_entry_make(digit, place);
    }
}

void segsort_load_starts(SegsortTile tile, uint number)
{
    uint digit = gl_LocalInvocationIndex;
    if (number < item_count) {
        uint start = work[view_word[1].z + digit_starts + tile.number * SEGSORT_DIGITS + digit] +
                     work[view_word[1].z + number * SEGSORT_DIGITS + digit];
        if (chunk_counts != 0u) {
            uint chunk = table[long_word + tile.number * SEGSORT_LONG_WORDS + 1u] +
                         tile.first_row / (SEGSORT_WIDTH * SEGSORT_CHUNK_TILES);
            start += work[view_word[1].z + chunk_counts + chunk * SEGSORT_DIGITS + digit];
        }
        shared_start[digit] = start;
    }
    segsort_sync_shared();
}

void segsort_find_places()
{
    for (uint place = gl_LocalInvocationIndex; place < SEGSORT_TILE_ROWS; place += SEGSORT_THREADS) {
        uint digit = segsort_entry_digit(shared_entry[SEGSORT_ENTRY(place)]);
        if (place == 0u || digit != segsort_entry_digit(shared_entry[SEGSORT_ENTRY(place - 1u)]))
            shared_place[digit] = place;
    }
    segsort_sync_shared();
}

// All loads of an invocation are under way at once.
void segsort_move_rows(SegsortTile tile, uvec2 from, uvec2 to)
{
    uint rows = segsort_tile_rows(tile);
    SEGSORT_KEY moved_keys[SEGSORT_RANK_ROWS];
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE moved_values[SEGSORT_RANK_ROWS];
#endif
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint place = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        uint from_place = segsort_row_in(segsort_entry_place(shared_entry[SEGSORT_ENTRY(place)]), rows);
        moved_keys[n] = segsort_read_key(from.x, tile.first_row + from_place);
#if SEGSORT_VALUE_WORDS > 0
        moved_values[n] = segsort_read_source_value(source, from.y, tile.first_row + from_place);
#endif
    }
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint place = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        uint digit = segsort_entry_digit(shared_entry[SEGSORT_ENTRY(place)]);
        uint to_row = shared_start[digit] + place - shared_place[digit];
        // A listed plan's segments may overlap, and then keys change under it: the counts don't fit
        // them any more, but no row leaves its segment.
        if (place < rows && to_row < tile.segment.rows) {
            segsort_write_output_key(to.x, to_row, moved_keys[n]);
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(to.y, to_row, moved_values[n]);
#endif
        }
    }
}

void main()
{
    uint number = segsort_group();
    SegsortTile tile = segsort_tile_or_empty(number);
    uvec2 from = segsort_segment_words(tile, source), to = segsort_segment_words(tile, destination);
    segsort_load_digit_bounds(tile, number);
    segsort_load_starts(tile, number);
    segsort_load_digits(tile, from.x);
    segsort_sync_shared();
    segsort_sort_entries(digit_bits);
    segsort_find_places();
    segsort_move_rows(tile, from, to);
}
