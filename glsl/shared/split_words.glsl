// What the table has of a segment that is split (shared/layout.h), and where its counts are.
#include "shared/layout.h"

uint segsort_split_word(uint segment, uint word)
{
    return table[split_word + segment * SEGSORT_SPLIT_WORDS + word];
}

uint segsort_bucket_count(uint segment)
{
    return segsort_split_word(segment, SEGSORT_SPLIT_BUCKETS);
}

// The work word of the first digit's count of a run of tiles: shared/layout.h.
uint segsort_sum_word(uint segment, uint sum)
{
    return view_word[1].z + tile_sums + (segsort_split_word(segment, SEGSORT_SPLIT_FIRST_SUM) + sum) * SEGSORT_DIGITS;
}
