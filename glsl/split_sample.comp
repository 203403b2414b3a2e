#version 430
// Draws rows of a long segment, one from each of many equally long stretches of it. Where they lie evenly in their span
// that parts the segment; else they are sorted, and some are kept as splitters. A work group is a segment.
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

// sample_number * rows / samples, whose product may be more than 32 bits.
uint segsort_sample_stretch(uint rows, uint sample_number, uint samples)
{
    return sample_number * (rows / samples) + sample_number * (rows % samples) / samples;
}

// The row that a sample is.
uint segsort_sample_row(uint segment, uint rows, uint sample_number, uint samples)
{
    uint first = segsort_sample_stretch(rows, sample_number, samples);
    uint behind = segsort_sample_stretch(rows, sample_number + 1u, samples);
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
            segsort_store_splitter(segment, place / apart, rows[n].order,
                                   segsort_sample_row(segment, run.rows, rows[n].info & 0xfffu, samples.rows));
    }
}

// ------------------------------------------------------------------------------------------------
// Even samples

#if SEGSORT_KEY_WORDS == 1
shared uint shared_most;

// The most samples that one of so many even buckets has. Spans and buckets are clear, and left for the next to clear.
uint segsort_count_even(SegsortPack samples, uint count, out SegsortEven even)
{
    segsort_widen_span(samples);
    if (gl_LocalInvocationIndex == 0u)
        shared_most = 0u;
    segsort_sync_shared();
    even = segsort_even_span(shared_low[0], shared_high[SEGSORT_EVEN_VALUES ? 1 : 0], count);
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        if (segsort_lane_row(n) < samples.rows)
            atomicAdd(shared_bucket[SEGSORT_BANKED(segsort_even_bucket(even, lane_order[n]))], 1u);
    segsort_sync_shared();
    for (uint i = gl_LocalInvocationIndex; i < count; i += SEGSORT_THREADS)
        atomicMax(shared_most, shared_bucket[SEGSORT_BANKED(i)]);
    segsort_sync_shared();
    return shared_most;
}

// Whether even buckets do, of which none has half of the samples that a full bunch would have: hardly ever one of them
// has more rows than a bunch has room for. Tells those who part the segment's rows.
bool segsort_try_even(uint segment, SegsortRun run, SegsortPack samples, uint count)
{
    SegsortEven even;
    uint most = segsort_count_even(samples, count, even);
    uint full = segsort_split_word(segment, SEGSORT_SPLIT_ROOM_SAMPLES);
    bool told = 2u * most <= full && count >= SEGSORT_EVEN_WORDS && segsort_even_suffices(even, count);
    uint word = segsort_splitter_word(segment, 0u);
    if (gl_LocalInvocationIndex == 0u && count > 1u) {
        work[word] = told ? even.scale : 0u;
        if (told) {
            work[word + 1u] = even.unit;
            work[word + 2u] = even.low;
            work[word + 3u] = even.high;
        }
    }
    segsort_clear_buckets();
    segsort_sync_shared();
    return told;
}
#else
bool segsort_try_even(uint segment, SegsortRun run, SegsortPack samples, uint count)
{
    return false;
}
#endif

// The segment, whose rows a first split left in the outputs.
SegsortRun segsort_sampled_run(uint segment)
{
    SegsortRun run = segsort_segment(segment);
    if (source == SEGSORT_PLACE_OUTPUT)
        run.keys = run.output_keys;
    return run;
}

// Those that the counting adds to. Work groups behind the segments have some each.
void segsort_clear_sums(uint number)
{
    uint first = (number - item_count) * SEGSORT_CLEARED_SUMS, behind = min(first + SEGSORT_CLEARED_SUMS, sum_count);
    for (uint i = first * SEGSORT_DIGITS + gl_LocalInvocationIndex; i < behind * SEGSORT_DIGITS; i += SEGSORT_THREADS)
        work[view_word[1].z + tile_sums + first_sum * SEGSORT_DIGITS + i] = 0u;
}

void segsort_split_segment(uint segment)
{
    SegsortRun run = segsort_sampled_run(segment);
    uint apart = segsort_split_word(segment, SEGSORT_SPLIT_SAMPLES_APART), count = segsort_bucket_count(segment);
    SegsortPack samples = SegsortPack(0u, 0u, 0u, 0u, apart * count);
    segsort_load_samples(segment, run, samples.rows);
    segsort_clear_buckets();
    segsort_clear_spans();
    segsort_sync_shared();
    for (uint turn = segsort_try_even(segment, run, samples, count) ? 1u : 0u; turn < 1u; turn++) {
        bool spread = segsort_order_pack(samples);
        segsort_store_splitters(segment, run, samples, apart, spread);
    }
}

void main()
{
    uint number = segsort_group();
    if (number >= item_count)
        segsort_clear_sums(number);
    for (uint segment = number; segment < item_count; segment = item_count)
        segsort_split_segment(segment);
}
