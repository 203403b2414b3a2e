// Splitters: rows of a long segment, sorted, that part it into buckets of about equally many rows. A
// row's bucket is the number of splitters that don't come after it; since rows are told apart by
// where they come from, equal keys are parted too. W. D. Frazer and A. C. McKellar, "Samplesort",
// JACM 1970; N. Leischner, V. Osipov, P. Sanders, "GPU sample sort", IPDPS 2010.
//
// Where samples lie evenly between the least and the greatest of them, as the keys of most segments do, no splitter is
// needed: a row's bucket is where its key lies in that span, as in the packs (shared/bucket.glsl). 32-bit keys have that,
// floats by their values unless only some of their bits count.
#include "shared/memory.glsl"
#include "shared/split_words.glsl"

#if SEGSORT_KEY_WORDS == 1
#define SEGSORT_SPLITTER_ORDER(word) work[word]
#else
#define SEGSORT_SPLITTER_ORDER(word) uvec2(work[word], work[(word) + 1u])
#endif

// Number 0 is how rows are parted, and the splitters come behind it.
uint segsort_splitter_word(uint segment, uint number)
{
    uint first = segsort_split_word(segment, SEGSORT_SPLIT_FIRST_SPLITTER);
    return view_word[1].z + splitters + (first + number) * SEGSORT_SPLITTER_WORDS(SEGSORT_KEY_WORDS);
}

#if SEGSORT_KEY_WORDS == 1
#define SEGSORT_EVEN_WORDS 4u
#define SEGSORT_EVEN_VALUES (SEGSORT_KEY_TYPE == 2 && SEGSORT_KEY_MASKED == 0)

// A span of numbers that is cut into buckets; by splitters where scale is 0.
struct SegsortEven {
    uint scale; // of a bucket's number to a place in the span, which is one of 2^32
    uint unit;  // bits to shift by, which bring the span to 2^31 or more; of floats the power of two that brings it below 1
    uint low;
    uint high;
};

#if SEGSORT_EVEN_VALUES
// Exact but for the difference, so that each step grows with the number and is the same everywhere. A span that is too
// short or too long for a power of two has none.
uint segsort_even_unit(uint low, uint high)
{
    float distance = segsort_key_value(high) - segsort_key_value(low);
    bool told = low < high && distance > 1e-30 && distance < 8e37;
    return told ? (253u - (floatBitsToUint(distance) >> 23)) << 23 : 0u;
}

// Counting and moving rows are different programs, and have to come to the same bucket: hence precise.
uint segsort_even_place(SegsortEven even, uint order)
{
    precise float distance = segsort_key_value(clamp(order, even.low, even.high)) - segsort_key_value(even.low);
    precise float place = distance * uintBitsToFloat(even.unit) * 4294967040.0;
    return even.unit == 0u ? 0u : uint(place);
}
#else
uint segsort_even_unit(uint low, uint high)
{
    return 31u - uint(max(findMSB(max(high, low) - low), 0));
}

// Where in the span a number lies.
uint segsort_even_place(SegsortEven even, uint order)
{
    return (clamp(order, even.low, even.high) - even.low) << even.unit;
}
#endif

// So that no number of the span gets to bucket count, though rounding leaves the last ones less room.
SegsortEven segsort_even_span(uint low, uint high, uint count)
{
    SegsortEven even = SegsortEven(0u, segsort_even_unit(low, high), low, high);
    uint inverse = 0xffffffffu / ((segsort_even_place(even, max(low, high)) >> 16) + 1u);
    even.scale = (count * inverse) >> 16;
    return even;
}

// Whether so few buckets are not too many for the different keys that there can be.
bool segsort_even_suffices(SegsortEven even, uint count)
{
#if SEGSORT_EVEN_VALUES
    return even.unit != 0u;
#else
    return (even.high - even.low) / 4u >= count;
#endif
}

uint segsort_even_bucket(SegsortEven even, uint order)
{
    return segsort_multiply_high(segsort_even_place(even, order), even.scale);
}
#endif

#if SEGSORT_SPLIT
// A search's steps are powers of two apart: a splitter more in every 32 keeps what its invocations
// read on different banks.
shared SEGSORT_KEY shared_splitter[SEGSORT_DIGITS + SEGSORT_DIGITS / 32];
shared uint shared_splitter_row[SEGSORT_DIGITS + SEGSORT_DIGITS / 32];

// A barrier follows.
void segsort_load_splitters(uint segment, uint count)
{
    for (uint i = gl_LocalInvocationIndex; i + 1u < count; i += SEGSORT_THREADS) {
        uint word = segsort_splitter_word(segment, 1u + i);
        shared_splitter[SEGSORT_BANKED(i)] = SEGSORT_SPLITTER_ORDER(word);
        shared_splitter_row[SEGSORT_BANKED(i)] = work[word + SEGSORT_KEY_WORDS];
    }
}

uint segsort_find_bucket(SEGSORT_KEY order, uint row, uint count)
{
    uint bucket = 0u;
    for (uint step = 1u << (digit_bits - 1u); step > 0u; step /= 2u) {
        uint next = bucket + step, splitter = SEGSORT_BANKED(next - 1u);
        if (next < count && !segsort_order_precedes(order, row, shared_splitter[splitter], shared_splitter_row[splitter]))
            bucket = next;
    }
    return bucket;
}

// Of several rows side by side, by their orders alone as long as these tell. Splitters behind the last
// one are read but don't count.
void segsort_find_buckets(SEGSORT_KEY orders[SEGSORT_DIGIT_ROWS], uint rows[SEGSORT_DIGIT_ROWS], uint count,
                          out uint buckets[SEGSORT_DIGIT_ROWS])
{
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        buckets[n] = 0u;
    for (uint step = 1u << (digit_bits - 1u); step > 0u; step /= 2u)
        for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++) {
            uint next = buckets[n] + step;
            bool behind = segsort_order_precedes(shared_splitter[SEGSORT_BANKED(next - 1u)], 0u, orders[n], 0u);
            buckets[n] = behind && next < count ? next : buckets[n];
        }
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        if (buckets[n] + 1u < count && shared_splitter[SEGSORT_BANKED(buckets[n])] == orders[n])
            buckets[n] = segsort_find_bucket(orders[n], rows[n], count);
}
#endif
