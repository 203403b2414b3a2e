#version 430
// Counts the digits of each tile, or the buckets.
#include "shared/memory.glsl"
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/digit.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// Neighbouring invocations count into different copies, so that equal keys don't all meet at one
// counter.
#define SEGSORT_COPIES 4

shared uint shared_count[SEGSORT_COPIES * SEGSORT_DIGITS];

// An invocation's rows of the tile.
uint segsort_place(uint n)
{
    return gl_LocalInvocationIndex + n * SEGSORT_THREADS;
}

void segsort_load_keys(SegsortTile tile, out SEGSORT_KEY tile_keys[SEGSORT_DIGIT_ROWS])
{
    uint from = segsort_segment_words(tile, source).x, rows = segsort_tile_rows(tile);
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        tile_keys[n] = segsort_read_key(from, tile.first_row + segsort_row_in(segsort_place(n), rows));
}

void segsort_clear_counts()
{
    for (uint i = gl_LocalInvocationIndex; i < SEGSORT_COPIES * SEGSORT_DIGITS; i += SEGSORT_THREADS)
        shared_count[i] = 0u;
    segsort_sync_shared();
}

void segsort_count_digits(SegsortTile tile, SEGSORT_KEY tile_keys[SEGSORT_DIGIT_ROWS])
{
    uint rows = segsort_tile_rows(tile), copy = gl_LocalInvocationIndex & (SEGSORT_COPIES - 1u);
    uint places[SEGSORT_DIGIT_ROWS], digits[SEGSORT_DIGIT_ROWS];
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        places[n] = segsort_place(n);
    segsort_find_digits(tile, tile_keys, places, digits);
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        if (places[n] < rows)
            atomicAdd(shared_count[copy * SEGSORT_DIGITS + digits[n]], 1u);
    segsort_sync_shared();
}

void segsort_store_counts(SegsortTile at, uint tile)
{
    for (uint digit = gl_LocalInvocationIndex; digit < SEGSORT_DIGITS; digit += SEGSORT_THREADS) {
        uint sum = 0u;
        for (uint copy = 0u; copy < SEGSORT_COPIES; copy++)
            sum += shared_count[copy * SEGSORT_DIGITS + digit];
        if (tile < item_count)
            work[view_word[1].z + tile * SEGSORT_DIGITS + digit] = sum;
#if SEGSORT_SPLIT
        if (tile < item_count && sum > 0u)
            atomicAdd(work[segsort_tile_sum_word(at) + digit], sum);
#endif
    }
}

void main()
{
    uint number = segsort_group();
    SegsortTile tile = segsort_tile_or_empty(number);
    // Keys are under way while what parts them is looked up.
    SEGSORT_KEY tile_keys[SEGSORT_DIGIT_ROWS];
    segsort_load_keys(tile, tile_keys);
    segsort_load_digit_bounds(tile, number);
    segsort_clear_counts();
    segsort_count_digits(tile, tile_keys);
    segsort_store_counts(tile, number);
}
