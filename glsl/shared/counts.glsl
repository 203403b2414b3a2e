// The radix sort's counts: SEGSORT_DIGITS words for each tile or chunk, one behind the other. An
// invocation is a digit.

// Loads under way at once: the counts of one digit are far apart, and each load takes its time.
#define SEGSORT_BATCH 32

// Replaces count numbers of a digit, the first at word, by the sum of those before each, and
// returns the sum of all.
uint segsort_scan_digit(uint word, uint count)
{
    uint sum = 0u;
    for (uint first = 0u; first < count; first += SEGSORT_BATCH) {
        uint batch[SEGSORT_BATCH];
        for (uint n = 0u; n < SEGSORT_BATCH; n++)
            batch[n] = work[word + min(first + n, count - 1u) * SEGSORT_DIGITS];
        for (uint n = 0u; n < SEGSORT_BATCH; n++)
            if (first + n < count) {
                work[word + (first + n) * SEGSORT_DIGITS] = sum;
                sum += batch[n];
            }
    }
    return sum;
}
