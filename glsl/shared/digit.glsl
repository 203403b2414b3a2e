// What parts the rows of a tile: a digit of the key, or splitters.
//
// SEGSORT_SPLIT   1: splitters
#define SEGSORT_DIGIT_ROWS (SEGSORT_WIDTH / SEGSORT_THREADS)

#if SEGSORT_SPLIT
#include "shared/order.glsl"
#include "shared/split.glsl"

shared uint shared_bucket_count;

// A barrier follows.
void segsort_load_digit_bounds(SegsortTile tile, uint number)
{
    uint count = number < item_count ? segsort_bucket_count(tile.number) : 1u;
    segsort_load_splitters(tile.number, count);
    if (gl_LocalInvocationIndex == 0u)
        shared_bucket_count = count;
}

// Of the rows of an invocation, which has them at these places in the tile.
void segsort_find_digits(SegsortTile tile, SEGSORT_KEY lane_keys[SEGSORT_DIGIT_ROWS], uint places[SEGSORT_DIGIT_ROWS],
                         out uint digits[SEGSORT_DIGIT_ROWS])
{
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
