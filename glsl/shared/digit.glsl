// What parts the rows of a tile: a digit of the key, or splitters.
//
// SEGSORT_SPLIT   1: splitters
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

uint segsort_tile_digit(SegsortTile tile, SEGSORT_KEY key, uint place)
{
    return segsort_find_bucket(segsort_order_of(key), tile.first_row + place, shared_bucket_count);
}
#else
void segsort_load_digit_bounds(SegsortTile tile, uint number)
{
}

uint segsort_tile_digit(SegsortTile tile, SEGSORT_KEY key, uint place)
{
    return segsort_key_digit(key, digit_shift, digit_bits);
}
#endif
