// The only file that knows key types and the direction. Everything else compares ordered keys: whatever the key type and
// the direction are, an ordered key that is less comes first.
//
// SEGSORT_DESCENDING  0 or 1
#ifndef SEGSORT_DESCENDING
#error SEGSORT_DESCENDING is not defined
#endif

#define SEGSORT_KEY uint

// Complementing the bits turns the order round and leaves equal keys equal, so stability needs no second thought.
uint segsort_key_ordered(uint bits)
{
    return SEGSORT_DESCENDING != 0 ? ~bits : bits;
}

uint segsort_key_bits(uint ordered)
{
    return SEGSORT_DESCENDING != 0 ? ~ordered : ordered;
}

// Rows are told apart by where they came from, so no two are equal: that makes the network stable, and every result the
// only possible one.
bool segsort_row_precedes(uint key_a, uint index_a, uint key_b, uint index_b)
{
    return key_a < key_b || (key_a == key_b && index_a < index_b);
}
