#version 430
// Sorts a segment of up to SEGSORT_WIDTH rows in one work group, digit by digit, least significant
// first. Only the order is kept in shared memory; keys and values stay in their buffers until it is
// known.
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/scan.glsl"
#include "shared/radix.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

SegsortRun segsort_slot_run(uint tile, uint slot)
{
    return segsort_segment_or_empty(tile);
}

uint segsort_slot_first_row(uint tile)
{
    return 0u;
}

uint segsort_sorted_lane(uint row)
{
    return segsort_entry_place(shared_entry[SEGSORT_ENTRY(row)]);
}

SEGSORT_KEY segsort_sorted_key(SegsortRun run, uint row)
{
    return segsort_read_key(run.keys, segsort_row_in(segsort_sorted_lane(row), run.rows));
}

#include "shared/store.glsl"

void segsort_start_entries()
{
    for (uint place = gl_LocalInvocationIndex; place < SEGSORT_TILE_ROWS; place += SEGSORT_THREADS)
        shared_entry[SEGSORT_ENTRY(place)] = place;
    segsort_sync_shared();
}

// Places without a row have the greatest digit and come last, so they stay behind all rows.
void segsort_load_digits(SegsortRun run, uint shift, uint bits)
{
    SEGSORT_KEY place_keys[SEGSORT_RANK_ROWS];
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint i = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        uint place = segsort_entry_place(shared_entry[SEGSORT_ENTRY(i)]);
        place_keys[n] = segsort_read_key(run.keys, segsort_row_in(place, run.rows));
    }
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint i = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        uint place = segsort_entry_place(shared_entry[SEGSORT_ENTRY(i)]);
        uint digit = segsort_key_digit(place_keys[n], shift, bits);
        if (place >= run.rows)
            digit = (1u << bits) - 1u;
        shared_entry[SEGSORT_ENTRY(i)] = segsort_entry_make(digit, place);
    }
    segsort_sync_shared();
}

void main()
{
    uint tile = segsort_group();
    SegsortRun run = segsort_slot_run(tile, 0u);
    segsort_start_entries();
    for (uint done = 0u; done < digit_bits; done += SEGSORT_DIGIT_BITS) {
        uint bits = min(digit_bits - done, uint(SEGSORT_DIGIT_BITS));
        segsort_load_digits(run, digit_shift + done, bits);
        segsort_sort_entries(bits);
    }
    segsort_store_tile(tile);
}
