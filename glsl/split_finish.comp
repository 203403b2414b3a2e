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

layout(local_size_x = SEGSORT_THREADS) in;

// word: of the bunch's first row.
SegsortPack segsort_bunch(uint segment, uint word)
{
    uint first = work[word], behind = work[word + 1u];
    SegsortRun run = segsort_segment(segment);
    uint scratch_row = table[long_word + segment * SEGSORT_LONG_WORDS + 2u] + first;
    return SegsortPack(view_word[1].x + scratch_row * SEGSORT_KEY_WORDS, view_word[1].y + scratch_row * SEGSORT_VALUE_WORDS,
                       run.output_keys + first * SEGSORT_KEY_WORDS, run.output_values + first * SEGSORT_VALUE_WORDS,
                       behind - first);
}

// ------------------------------------------------------------------------------------------------
// Merging in the buffers. Invocations read what others of their work group wrote: atomics do so
// whatever is cached, and the buffers need not be coherent for all those buckets that are not merged.

uint segsort_load_key_word(uint word, bool back)
{
    if (back)
        return atomicOr(output_keys[word], 0u);
    return atomicOr(keys[word], 0u);
}

void segsort_store_key_word(uint word, bool back, uint bits)
{
    if (back)
        atomicExchange(keys[word], bits);
    else
        atomicExchange(output_keys[word], bits);
}

SEGSORT_KEY segsort_load_key(uint first_word, bool back, uint row)
{
    uint word = first_word + row * SEGSORT_KEY_WORDS;
#if SEGSORT_KEY_WORDS == 1
    return segsort_load_key_word(word, back);
#else
    return uvec2(segsort_load_key_word(word, back), segsort_load_key_word(word + 1u, back));
#endif
}

void segsort_move_key(uint first_word, bool back, uint row, SEGSORT_KEY key)
{
    uint word = first_word + row * SEGSORT_KEY_WORDS;
#if SEGSORT_KEY_WORDS == 1
    segsort_store_key_word(word, back, key);
#else
    segsort_store_key_word(word, back, key.x);
    segsort_store_key_word(word + 1u, back, key.y);
#endif
}

void segsort_move_value(SegsortPack run, bool back, uint row, uint place)
{
#if SEGSORT_VALUE_WORDS > 0
    for (uint i = 0u; i < SEGSORT_VALUE_WORDS; i++) {
        uint from = run.values + row * SEGSORT_VALUE_WORDS + i, to = run.output_values + place * SEGSORT_VALUE_WORDS + i;
        if (back)
            atomicExchange(values[to], atomicOr(output_values[from], 0u));
        else
            atomicExchange(output_values[to], atomicOr(values[from], 0u));
    }
#endif
}

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
    SegsortPack returning = SegsortPack(bucket.output_keys, bucket.output_values, bucket.keys, bucket.values, bucket.rows);
    bool back = false;
    for (uint width = 1u; bucket.rows > 0u && (width < bucket.rows || !back); width *= 2u) {
        SegsortPack run = bucket;
        if (back)
            run = returning;
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
    uint split = split_word + segment * SEGSORT_SPLIT_WORDS, bunches = segsort_bunch_word(segment);
    uint count = number < item_count ? work[bunches] : 0u;
    for (uint bunch = number - table[split]; bunch < count; bunch += table[split + 3u])
        segsort_sort_bunch(segsort_bunch(segment, bunches + 1u + bunch));
}
