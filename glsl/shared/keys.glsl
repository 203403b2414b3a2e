// The only file that knows key types and the direction. Rows carry the key's own bits; whoever has
// to decide asks here for the ordered number, of which the lesser one comes first.
//
// SEGSORT_KEY_TYPE     0 U32, 1 I32, 2 F32, 3 U64
// SEGSORT_DESCENDING   0 or 1
// SEGSORT_KEY_MASKED   1: only the bits of key_mask_low and key_mask_high count
#ifndef SEGSORT_KEY_TYPE
#error SEGSORT_KEY_TYPE is not defined
#endif
#ifndef SEGSORT_DESCENDING
#error SEGSORT_DESCENDING is not defined
#endif

// Complementing a number turns the order round and leaves equal ones equal, so stability needs no
// second thought.
uint segsort_key_directed(uint number)
{
    return SEGSORT_DESCENDING != 0 ? ~number : number;
}

#if SEGSORT_KEY_TYPE == 3
uvec2 segsort_key_ordered(uvec2 bits)
{
    return uvec2(segsort_key_directed(bits.x), segsort_key_directed(bits.y));
}
#elif SEGSORT_KEY_TYPE == 2
// Negative floats order backwards by their bits, and below the positive ones. NaN comes last
// whatever the direction; no number's complement reaches all ones, since infinity is the greatest.
uint segsort_key_ordered(uint bits)
{
    uint magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return 0xffffffffu;
    bool negative = bits > 0x80000000u;
    return segsort_key_directed(negative ? ~bits : magnitude | 0x80000000u);
}
#elif SEGSORT_KEY_TYPE == 1
uint segsort_key_ordered(uint bits)
{
    return segsort_key_directed(bits ^ 0x80000000u);
}
#else
uint segsort_key_ordered(uint bits)
{
    return segsort_key_directed(bits);
}
#endif

// The float of an ordered number, such that it grows with the number; NaN's is none.
#if SEGSORT_KEY_TYPE == 2
#define SEGSORT_KEY_ORDERED_NAN 0xffffffffu

float segsort_key_value(uint ordered)
{
    uint number = segsort_key_directed(ordered);
    float value = uintBitsToFloat((number & 0x80000000u) != 0u ? number & 0x7fffffffu : ~number);
    return SEGSORT_DESCENDING != 0 ? -value : value;
}
#endif

// The key of an ordered number, where no two keys have the same.
#if SEGSORT_KEY_TYPE == 3
uvec2 segsort_key_of_ordered(uvec2 number)
{
    return uvec2(segsort_key_directed(number.x), segsort_key_directed(number.y));
}
#elif SEGSORT_KEY_TYPE != 2
uint segsort_key_of_ordered(uint number)
{
    return segsort_key_directed(number) ^ (SEGSORT_KEY_TYPE == 1 ? 0x80000000u : 0u);
}
#endif

// The digit of an ordered number: bits 1 to 8 from shift on. A digit of a 64-bit key may lie across
// both words.
#if SEGSORT_KEY_TYPE == 3
uint segsort_key_digit(uvec2 key, uint shift, uint bits)
{
    uvec2 ordered = segsort_key_ordered(key);
    if (shift >= 32u)
        return bitfieldExtract(ordered.y, int(shift - 32u), int(bits));
    uint high = shift == 0u ? 0u : ordered.y << (32u - shift);
    return bitfieldExtract((ordered.x >> shift) | high, 0, int(bits));
}
#else
uint segsort_key_digit(uint key, uint shift, uint bits)
{
    return bitfieldExtract(segsort_key_ordered(key), int(shift), int(bits));
}
#endif

// Rows are told apart by where they came from, so no two are equal: that makes the network stable,
// and every result the only possible one.
#if SEGSORT_KEY_TYPE == 3
bool segsort_row_precedes(uvec2 bits_a, uint index_a, uvec2 bits_b, uint index_b)
{
    uvec2 a = segsort_key_ordered(bits_a), b = segsort_key_ordered(bits_b);
#if SEGSORT_KEY_MASKED
    a &= uvec2(key_mask_low, key_mask_high);
    b &= uvec2(key_mask_low, key_mask_high);
#endif
    if (a.y != b.y)
        return a.y < b.y;
    return a.x < b.x || (a.x == b.x && index_a < index_b);
}
#else
bool segsort_row_precedes(uint bits_a, uint index_a, uint bits_b, uint index_b)
{
    uint a = segsort_key_ordered(bits_a), b = segsort_key_ordered(bits_b);
#if SEGSORT_KEY_MASKED
    a &= key_mask_low;
    b &= key_mask_low;
#endif
    return a < b || (a == b && index_a < index_b);
}
#endif
