#version 430
// For each long segment: scans the counts of its chunks, or of its tiles where these are few, digit
// by digit, and then the digits' totals, which gives where in the segment each digit's rows start.
// An invocation has a digit, and a stretch of its counts where there are more invocations than digits.
//
// SEGSORT_THREADS   SEGSORT_DIGITS times 1, 2 or 4
// SEGSORT_SPLIT   1: digits are buckets, and put together into bunches
#include "shared/memory.glsl"
#include "shared/segments.glsl"
#include "shared/counts.glsl"
#include "shared/scan.glsl"
#if SEGSORT_SPLIT
#include "shared/split_words.glsl"
#include "shared/bunch.glsl"
#endif

layout(local_size_x = SEGSORT_THREADS) in;

struct SegsortCounts {
    uint word;  // of the first
    uint count; // how many, SEGSORT_DIGITS words each
};

#if SEGSORT_SPLIT
SegsortCounts segsort_segment_counts(uint segment)
{
    return SegsortCounts(segsort_sum_word(segment, 0u), segsort_split_word(segment, SEGSORT_SPLIT_SUMS));
}
#else
SegsortCounts segsort_segment_counts(uint segment)
{
    uint rows = segsort_segment(segment).rows, at = long_word + segment * SEGSORT_LONG_WORDS;
    uint tiles = (rows + SEGSORT_WIDTH - 1u) / SEGSORT_WIDTH;
    if (chunk_counts == 0u)
        return SegsortCounts(view_word[1].z + table[at] * SEGSORT_DIGITS, tiles);
    return SegsortCounts(view_word[1].z + chunk_counts + table[at + 1u] * SEGSORT_DIGITS,
                         (tiles + SEGSORT_CHUNK_TILES - 1u) / SEGSORT_CHUNK_TILES);
}
#endif

#define SEGSORT_STRETCHES (SEGSORT_THREADS / SEGSORT_DIGITS)

#if SEGSORT_STRETCHES > 1
// Work groups of so many invocations have registers for fewer.
#define SEGSORT_STRETCH_BATCH 16

shared uint shared_sum[SEGSORT_THREADS];

// The digit's counts that the stretches before one have.
uint segsort_sum_before(uint stretch, uint digit)
{
    uint sum = 0u;
    for (uint i = 0u; i < SEGSORT_STRETCHES; i++)
        sum += i < stretch ? shared_sum[i * SEGSORT_DIGITS + digit] : 0u;
    return sum;
}

// A batch of each stretch at a time. A digit's total comes to the invocation of its first stretch, the others have 0.
uint segsort_scan_counts(uint segment)
{
    SegsortCounts counts = SegsortCounts(0u, 0u);
    if (segment < item_count)
        counts = segsort_segment_counts(segment);
    uint stretch = gl_LocalInvocationIndex / SEGSORT_DIGITS, digit = gl_LocalInvocationIndex % SEGSORT_DIGITS, total = 0u;
    for (uint first = 0u; first < counts.count; first += SEGSORT_STRETCHES * SEGSORT_STRETCH_BATCH) {
        uint own = first + stretch * SEGSORT_STRETCH_BATCH, rows[SEGSORT_STRETCH_BATCH], sum = 0u;
        for (uint n = 0u; n < SEGSORT_STRETCH_BATCH; n++)
            rows[n] = work[counts.word + min(own + n, counts.count - 1u) * SEGSORT_DIGITS + digit];
        for (uint n = 0u; n < SEGSORT_STRETCH_BATCH; n++)
            sum += own + n < counts.count ? rows[n] : 0u;
        shared_sum[gl_LocalInvocationIndex] = sum;
        segsort_sync_shared();
        uint before = total + segsort_sum_before(stretch, digit);
        total += segsort_sum_before(SEGSORT_STRETCHES, digit);
        for (uint n = 0u; n < SEGSORT_STRETCH_BATCH; n++)
            if (own + n < counts.count) {
                work[counts.word + (own + n) * SEGSORT_DIGITS + digit] = before;
                before += rows[n];
            }
        segsort_sync_shared();
    }
    return stretch == 0u ? total : 0u;
}
#else
uint segsort_scan_counts(uint segment)
{
    if (segment >= item_count)
        return 0u;
    SegsortCounts counts = segsort_segment_counts(segment);
    return segsort_scan_digit(counts.word + gl_LocalInvocationIndex, counts.count);
}
#endif

void main()
{
    uint segment = segsort_group(), total;
    uint start = segsort_scan_exclusive(segsort_scan_counts(segment), total);
    if (segment < item_count && gl_LocalInvocationIndex < SEGSORT_DIGITS)
        work[view_word[1].z + digit_starts + segment * SEGSORT_DIGITS + gl_LocalInvocationIndex] = start;
#if SEGSORT_SPLIT
    segsort_store_bunches(segment, start, total);
#endif
}
