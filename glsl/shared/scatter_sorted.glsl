// Moves a tile's rows to where their digits go: sorts them by digit in shared memory, without
// subgroups.
#include "shared/radix.glsl"

// Where in the segment the tile's rows of a digit go.
shared uint shared_start[SEGSORT_DIGITS];

// Where in the sorted tile each digit's rows begin.
shared uint shared_place[SEGSORT_DIGITS];

void segsort_load_digits(SegsortTile tile, uint from)
{
    uint rows = segsort_tile_rows(tile);
    SEGSORT_KEY tile_keys[SEGSORT_RANK_ROWS];
    uint places[SEGSORT_RANK_ROWS], digits[SEGSORT_RANK_ROWS];
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        places[n] = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        tile_keys[n] = segsort_read_key(from, tile.first_row + segsort_row_in(places[n], rows));
    }
    segsort_find_digits(tile, tile_keys, places, digits);
    // Places without a row have the greatest digit and come last, so they stay behind all rows.
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint digit = places[n] < rows ? digits[n] : (1u << digit_bits) - 1u;
        shared_entry[SEGSORT_ENTRY(places[n])] = segsort_entry_make(digit, places[n]);
    }
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

void segsort_scatter_tile(SegsortTile tile, uint number, uvec2 from, uvec2 to)
{
    uint starts[SEGSORT_LANE_DIGITS];
    segsort_load_digit_bounds(tile, number);
    segsort_load_starts(tile, number, starts);
    for (uint n = 0u; n < SEGSORT_LANE_DIGITS; n++)
        shared_start[gl_LocalInvocationIndex * SEGSORT_LANE_DIGITS + n] = starts[n];
    segsort_sync_shared();
    segsort_load_digits(tile, from.x);
    segsort_sync_shared();
    segsort_sort_entries(digit_bits);
    segsort_find_places();
    segsort_move_rows(tile, from, to);
}
