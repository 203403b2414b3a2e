#version 430
// Sorts the buckets that a long segment was split into, from the scratch to the outputs: a work
// group is a bucket.
//
// Samples leave a bucket that is too large for a work group about once in a thousand million. Its
// rows each count all others that come before: slow, but it needs no memory.
#include "shared/segments.glsl"
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"
#include "shared/scan.glsl"
#include "shared/bucket.glsl"
#include "shared/bucket_pack.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

SegsortPack segsort_bucket_or_empty(uint number)
{
    if (number >= item_count)
        return SegsortPack(0u, 0u, 0u, 0u, 0u);
    uint segment = table[bucket_word + number], bucket = number - table[split_word + segment * SEGSORT_SPLIT_WORDS];
    uint starts = view_word[1].z + digit_starts + segment * SEGSORT_DIGITS, first = work[starts + bucket];
    SegsortRun run = segsort_segment(segment);
    uint behind = bucket + 1u < SEGSORT_DIGITS ? work[starts + bucket + 1u] : run.rows;
    uint scratch_row = table[long_word + segment * SEGSORT_LONG_WORDS + 2u] + first;
    return SegsortPack(view_word[1].x + scratch_row * SEGSORT_KEY_WORDS, view_word[1].y + scratch_row * SEGSORT_VALUE_WORDS,
                       run.output_keys + first * SEGSORT_KEY_WORDS, run.output_values + first * SEGSORT_VALUE_WORDS,
                       behind - first);
}

// A row's place in the bucket.
uint segsort_count_all_before(SegsortPack bucket, uint row, SEGSORT_KEY order)
{
    uint count = 0u;
    for (uint i = 0u; i < bucket.rows; i++)
        if (segsort_order_precedes(segsort_order_of(segsort_read_key(bucket.keys, i)), i, order, row))
            count++;
    return count;
}

void segsort_sort_by_counting(SegsortPack bucket)
{
    for (uint row = gl_LocalInvocationIndex; row < bucket.rows; row += SEGSORT_THREADS) {
        SEGSORT_KEY key = segsort_read_key(bucket.keys, row);
        uint place = segsort_count_all_before(bucket, row, segsort_order_of(key));
        segsort_write_output_key(bucket.output_keys, place, key);
#if SEGSORT_VALUE_WORDS > 0
        segsort_write_output_value(bucket.output_values, place, segsort_read_value(bucket.values, row));
#endif
    }
}

void main()
{
    SegsortPack bucket = segsort_bucket_or_empty(segsort_group()), pack = bucket;
    bool fits = bucket.rows <= SEGSORT_TILE_ROWS;
    pack.rows = fits ? bucket.rows : 0u;
    segsort_load_pack(pack);
    segsort_clear_buckets();
    segsort_clear_spans();
    segsort_sync_shared();
    segsort_store_pack(pack, segsort_order_pack(pack));
    if (!fits)
        segsort_sort_by_counting(bucket);
}
