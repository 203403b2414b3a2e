#version 430
// Draws rows of a long segment, one from each of many equally long stretches of it, sorts them, and
// keeps some as splitters. A work group is a segment.
#include "shared/segments.glsl"
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"
#include "shared/scan.glsl"
#include "shared/bucket.glsl"
#include "shared/split.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// Numbers that nothing in the rows goes along with: M. E. O'Neill, "PCG: A Family of Simple Fast
// Space-Efficient Statistically Good Algorithms for Random Number Generation", 2014.
uint segsort_scramble(uint number)
{
    uint state = number * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// The row that a sample is. There are fewer than 2^32 / samples rows.
uint segsort_sample_row(uint segment, uint rows, uint sample_number, uint samples)
{
    uint first = sample_number * rows / samples, behind = (sample_number + 1u) * rows / samples;
    return first + segsort_scramble(segment * SEGSORT_TILE_ROWS + sample_number) % max(behind - first, 1u);
}

void segsort_load_samples(uint segment, SegsortRun run, uint samples)
{
    segsort_clear_lanes();
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uint number = segsort_row_in(segsort_lane_row(n), samples);
        uint row = segsort_sample_row(segment, run.rows, number, max(samples, 1u));
        lane_order[n] = segsort_order_of(segsort_read_key(run.keys, row));
    }
}

void segsort_store_splitter(uint segment, uint number, SEGSORT_KEY order, uint row)
{
    uint word = segsort_splitter_word(segment, number);
#if SEGSORT_KEY_WORDS == 1
    work[word] = order;
#else
    work[word] = order.x;
    work[word + 1u] = order.y;
#endif
    work[word + SEGSORT_KEY_WORDS] = row;
}

// Every so many samples one is a splitter, the first of them not.
void segsort_store_splitters(uint segment, SegsortRun run, SegsortPack samples, uint apart, bool spread)
{
    SegsortRow rows[SEGSORT_PACK_LANE_ROWS];
    uint places[SEGSORT_PACK_LANE_ROWS];
    segsort_load_rows(samples.rows, rows);
    segsort_find_final_places(rows, places);
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uint at = segsort_lane_row(n), place = spread ? places[n] : at;
        if (at < samples.rows && place > 0u && place % apart == 0u)
            segsort_store_splitter(segment, place / apart - 1u, rows[n].order,
                                   segsort_sample_row(segment, run.rows, rows[n].info & 0xfffu, samples.rows));
    }
}

void main()
{
    uint segment = segsort_group();
    SegsortRun run = segsort_segment_or_empty(segment);
    uint apart = segment < item_count ? segsort_samples_apart(segment) : 1u;
    SegsortPack samples = SegsortPack(0u, 0u, 0u, 0u, segment < item_count ? apart * segsort_bucket_count(segment) : 0u);
    segsort_load_samples(segment, run, samples.rows);
    segsort_clear_buckets();
    segsort_clear_spans();
    segsort_sync_shared();
    bool spread = segsort_order_pack(samples);
    segsort_store_splitters(segment, run, samples, apart, spread);
}
