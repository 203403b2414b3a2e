// What parts the rows of a tile: a digit of the key, or splitters.
//
// SEGSORT_SPLIT   1: splitters, or a span that is cut evenly
#define SEGSORT_DIGIT_ROWS (SEGSORT_WIDTH / SEGSORT_THREADS)

#if SEGSORT_SPLIT
#include "shared/order.glsl"
#include "shared/split.glsl"

// The run of tiles that a tile is of.
uint segsort_tile_sum_word(SegsortTile tile)
{
    return segsort_sum_word(tile.number, tile.first_row / (SEGSORT_WIDTH * SEGSORT_SUM_TILES));
}

shared uint shared_bucket_count;
#if SEGSORT_KEY_WORDS == 1
shared uint shared_even[SEGSORT_EVEN_WORDS];
#endif

// A barrier follows.
void segsort_load_digit_bounds(SegsortTile tile, uint number)
{
    uint count = number < item_count ? segsort_bucket_count(tile.number) : 1u;
    segsort_load_splitters(tile.number, count);
    if (gl_LocalInvocationIndex == 0u)
        shared_bucket_count = count;
#if SEGSORT_KEY_WORDS == 1
    if (gl_LocalInvocationIndex < SEGSORT_EVEN_WORDS)
        shared_even[gl_LocalInvocationIndex] = count > 1u ? work[segsort_splitter_word(tile.number, 0u) + gl_LocalInvocationIndex] : 0u;
#endif
}

// Whether the tile's segment is cut into even buckets.
bool segsort_cuts_evenly()
{
#if SEGSORT_KEY_WORDS == 1
    return shared_even[0] != 0u;
#else
    return false;
#endif
}

void segsort_find_even_digits(SEGSORT_KEY lane_keys[SEGSORT_DIGIT_ROWS], out uint digits[SEGSORT_DIGIT_ROWS])
{
#if SEGSORT_KEY_WORDS == 1
    SegsortEven even = SegsortEven(shared_even[0], shared_even[1], shared_even[2], shared_even[3]);
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        digits[n] = segsort_even_bucket(even, segsort_order_of(lane_keys[n]));
#endif
}

// Of the rows of an invocation, which has them at these places in the tile.
void segsort_find_digits(SegsortTile tile, SEGSORT_KEY lane_keys[SEGSORT_DIGIT_ROWS], uint places[SEGSORT_DIGIT_ROWS],
                         out uint digits[SEGSORT_DIGIT_ROWS])
{
    if (segsort_cuts_evenly()) {
        segsort_find_even_digits(lane_keys, digits);
        return;
    }
    SEGSORT_KEY orders[SEGSORT_DIGIT_ROWS];
    uint rows[SEGSORT_DIGIT_ROWS];
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++) {
        orders[n] = segsort_order_of(lane_keys[n]);
        rows[n] = tile.first_row + places[n];
    }
    segsort_find_buckets(orders, rows, shared_bucket_count, digits);
}
#else
void segsort_load_digit_bounds(SegsortTile tile, uint number)
{
}

void segsort_find_digits(SegsortTile tile, SEGSORT_KEY lane_keys[SEGSORT_DIGIT_ROWS], uint places[SEGSORT_DIGIT_ROWS],
                         out uint digits[SEGSORT_DIGIT_ROWS])
{
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        digits[n] = segsort_key_digit(lane_keys[n], digit_shift, digit_bits);
}
#endif
