#version 430
// Sorts the bunches of buckets that a long segment was split into, from the scratch to the outputs. A
// segment's work groups take its bunches by turns; there hardly ever are more than one for each.
//
// Samples hardly ever leave a bucket that is too large for a work group (plan_splits.c). Its rows
// are merged back and forth between the scratch and the outputs, from runs of one row on: slow,
// but neither so slow that a driver would lose patience nor in need of memory.
#define SEGSORT_INPUT_ACCESS
#include "shared/segments.glsl"
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"
#include "shared/scan.glsl"
#include "shared/bucket.glsl"
#include "shared/bucket_pack.glsl"
#include "shared/bunch.glsl"
#include "shared/both_ways.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// ------------------------------------------------------------------------------------------------
// Merging in the buffers.

// Where a row goes when its run of so many rows is merged with the run beside it.
uint segsort_merged_place(SegsortPack run, bool back, uint row, SEGSORT_KEY order, uint width)
{
    uint own = row & ~(width - 1u), other = min(own ^ width, run.rows);
    uint low = other, high = min(other + width, run.rows);
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (segsort_order_precedes(segsort_order_of(segsort_load_key(run.keys, back, middle)), middle, order, row))
            low = middle + 1u;
        else
            high = middle;
    }
    return row - (own & width) + low - other;
}

void segsort_merge_rows(SegsortPack run, bool back, uint width)
{
    for (uint row = gl_LocalInvocationIndex; row < run.rows; row += SEGSORT_THREADS) {
        SEGSORT_KEY key = segsort_load_key(run.keys, back, row);
        uint place = segsort_merged_place(run, back, row, segsort_order_of(key), width);
        segsort_move_key(run.output_keys, back, place, key);
        segsort_move_value(run, back, row, place);
    }
    groupMemoryBarrier();
    barrier();
}

// The last round has to end in the outputs; one more than it takes moves the rows as they are.
void segsort_merge_bucket(SegsortPack bucket)
{
    bool back = false;
    for (uint width = 1u; bucket.rows > 0u && (width < bucket.rows || !back); width *= 2u) {
        SegsortPack run = bucket;
        if (back)
            run = segsort_returning(bucket);
        segsort_merge_rows(run, back, width);
        back = !back;
    }
}

// Ends with the invocations in step: another bunch may come.
void segsort_sort_bunch(SegsortPack pack)
{
    SegsortPack crowded = pack;
    bool fits = pack.rows <= SEGSORT_TILE_ROWS;
    pack.rows = fits ? pack.rows : 0u;
    crowded.rows = fits ? 0u : crowded.rows;
    segsort_load_pack(pack);
    segsort_clear_buckets();
    segsort_clear_spans();
    segsort_sync_shared();
    segsort_store_pack(pack, segsort_order_pack(pack));
    segsort_merge_bucket(crowded);
    segsort_sync_shared();
}

void main()
{
    uint number = segsort_group(), segment = table[finish_word + min(number, item_count - 1u)];
    uint bunches = segsort_bunch_word(segment), count = number < item_count ? work[bunches] : 0u;
    uint first = number - segsort_split_word(segment, SEGSORT_SPLIT_FIRST_GROUP);
    for (uint bunch = first; bunch < count; bunch += segsort_split_word(segment, SEGSORT_SPLIT_GROUPS))
        segsort_sort_bunch(segsort_bunch(segment, bunches + 1u + bunch));
}
