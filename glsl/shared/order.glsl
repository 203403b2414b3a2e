// Keys as numbers that order as the keys do and leave out the bits that don't count: what kernels
// keep that compare a row many times.
//
// SEGSORT_ORDER_HAS_KEY   1: the key can be made of its number again
#define SEGSORT_ORDER_HAS_KEY (SEGSORT_KEY_TYPE != 2 && SEGSORT_KEY_MASKED == 0)

#if SEGSORT_KEY_WORDS == 1
uint segsort_order_of(uint key)
{
#if SEGSORT_KEY_MASKED
    return segsort_key_ordered(key) & key_mask_low;
#else
    return segsort_key_ordered(key);
#endif
}

bool segsort_order_precedes(uint a, uint a_index, uint b, uint b_index)
{
    return a < b || (a == b && a_index < b_index);
}

// A span of numbers: the least one, and the shift that brings the greatest one's distance from it
// to 2^31 or more.
struct SegsortSpan {
    uint low;
    uint shift;
};

uint segsort_span_shift(uint distance)
{
    return 31u - uint(max(findMSB(distance), 0));
}

// From a number to one that isn't less.
SegsortSpan segsort_span_between(uint low, uint high)
{
    return SegsortSpan(low, segsort_span_shift(high - low));
}

// All numbers that there can be.
SegsortSpan segsort_span_full()
{
    return SegsortSpan(0u, SEGSORT_KEY_MASKED != 0 ? segsort_span_shift(key_mask_low) : 0u);
}

// Where in the span a number is, in 2^-32 of it or more.
uint segsort_span_place(SegsortSpan span, uint number)
{
    return (number - span.low) << span.shift;
}
#else
uvec2 segsort_order_of(uvec2 key)
{
#if SEGSORT_KEY_MASKED
    return segsort_key_ordered(key) & uvec2(key_mask_low, key_mask_high);
#else
    return segsort_key_ordered(key);
#endif
}

bool segsort_order_precedes(uvec2 a, uint a_index, uvec2 b, uint b_index)
{
    if (a.y != b.y)
        return a.y < b.y;
    return a.x < b.x || (a.x == b.x && a_index < b_index);
}

struct SegsortSpan {
    uvec2 low;
    uint shift;
};

// Of a distance's two words.
uint segsort_span_shift(uvec2 distance)
{
    if (distance.y != 0u)
        return 31u - uint(findMSB(distance.y));
    return 63u - uint(max(findMSB(distance.x), 0));
}

SegsortSpan segsort_span_between(uvec2 low, uvec2 high)
{
    uint borrow, distance = usubBorrow(high.x, low.x, borrow);
    return SegsortSpan(low, segsort_span_shift(uvec2(distance, high.y - low.y - borrow)));
}

SegsortSpan segsort_span_full()
{
#if SEGSORT_KEY_MASKED
    return SegsortSpan(uvec2(0u), segsort_span_shift(uvec2(key_mask_low, key_mask_high)));
#else
    return SegsortSpan(uvec2(0u), 0u);
#endif
}

uint segsort_span_place(SegsortSpan span, uvec2 number)
{
    uint borrow, low = usubBorrow(number.x, span.low.x, borrow), high = number.y - span.low.y - borrow;
    if (span.shift >= 32u)
        return low << (span.shift - 32u);
    return span.shift == 0u ? high : (high << span.shift) | (low >> (32u - span.shift));
}
#endif
