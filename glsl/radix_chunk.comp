#version 430
// Scans the tiles' counts within each chunk, and leaves the chunk's totals. An invocation is a
// digit.
#include "shared/segments.glsl"
#include "shared/counts.glsl"

layout(local_size_x = SEGSORT_DIGITS) in;

void main()
{
    uint chunk = segsort_group(), digit = gl_LocalInvocationIndex;
    if (chunk < item_count) {
        uint at = chunk_word + chunk * SEGSORT_CHUNK_WORDS;
        uint sum = segsort_scan_digit(view_word[1].z + table[at] * SEGSORT_DIGITS + digit, table[at + 1u]);
        work[view_word[1].z + chunk_counts + chunk * SEGSORT_DIGITS + digit] = sum;
    }
}
