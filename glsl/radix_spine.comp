#version 430
// For each long segment: scans the counts of its chunks, or of its tiles where these are few, digit
// by digit, and then the digits' totals, which gives where in the segment each digit's rows start.
// An invocation is a digit.
//
// SEGSORT_SPLIT   1: digits are buckets, and put together into bunches
#include "shared/segments.glsl"
#include "shared/counts.glsl"
#include "shared/scan.glsl"
#if SEGSORT_SPLIT
#include "shared/bunch.glsl"
#endif

layout(local_size_x = SEGSORT_THREADS) in;

struct SegsortCounts {
    uint word;  // of the first
    uint count; // how many, SEGSORT_DIGITS words each
};

SegsortCounts segsort_segment_counts(uint segment)
{
    uint rows = segsort_segment(segment).rows, at = long_word + segment * SEGSORT_LONG_WORDS;
    uint tiles = (rows + SEGSORT_WIDTH - 1u) / SEGSORT_WIDTH;
    if (chunk_counts == 0u)
        return SegsortCounts(view_word[1].z + table[at] * SEGSORT_DIGITS, tiles);
    return SegsortCounts(view_word[1].z + chunk_counts + table[at + 1u] * SEGSORT_DIGITS,
                         (tiles + SEGSORT_CHUNK_TILES - 1u) / SEGSORT_CHUNK_TILES);
}

uint segsort_scan_counts(uint segment)
{
    if (segment >= item_count)
        return 0u;
    SegsortCounts counts = segsort_segment_counts(segment);
    return segsort_scan_digit(counts.word + gl_LocalInvocationIndex, counts.count);
}

void main()
{
    uint segment = segsort_group(), total;
    uint start = segsort_scan_exclusive(segsort_scan_counts(segment), total);
    if (segment < item_count)
        work[view_word[1].z + digit_starts + segment * SEGSORT_DIGITS + gl_LocalInvocationIndex] = start;
#if SEGSORT_SPLIT
    segsort_store_bunches(segment, start, total);
#endif
}
