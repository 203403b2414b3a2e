// Bunches: runs of neighbouring buckets that have at most so many rows together, so that a work
// group sorts them at once. One bucket that has more is a bunch by itself.
#include "shared/memory.glsl"
#include "shared/split_words.glsl"

// The word of a segment's bunches in the work section.
uint segsort_bunch_word(uint segment)
{
    return view_word[1].z + bunch_starts + segsort_split_word(segment, SEGSORT_SPLIT_BUNCH_WORD);
}

#if SEGSORT_SPLIT
// Buckets' first rows, and the segment's rows; the bucket so many bunches on, if one starts with this; whether one does.
shared uint shared_start[SEGSORT_DIGITS + 1];
shared uint shared_next[SEGSORT_DIGITS + 1];
shared bool shared_starts_bunch[SEGSORT_DIGITS + 1];

// The first bucket that a bunch has no room for, if it starts with this one: starts only grow.
uint segsort_next_bunch(uint bucket, uint bunch_rows)
{
    uint most = max(shared_start[bucket] + bunch_rows, shared_start[bucket + 1u]), next = bucket + 1u;
    for (uint step = SEGSORT_DIGITS / 2u; step > 0u; step /= 2u)
        if (next + step <= SEGSORT_DIGITS && shared_start[min(next + step, SEGSORT_DIGITS)] <= most)
            next += step;
    return next;
}

// From the first bucket on, which bunch starts where: steps double from round to round.
void segsort_mark_bunches(uint bucket)
{
    for (uint round = 1u; round < SEGSORT_DIGITS && shared_next[0] < SEGSORT_DIGITS; round *= 2u) {
        uint next = shared_next[bucket], next_but = shared_next[next];
        bool starts = shared_starts_bunch[bucket];
        segsort_sync_shared();
        if (starts)
            shared_starts_bunch[next] = true;
        shared_next[bucket] = next_but;
        segsort_sync_shared();
    }
}

// Each bunch takes as many buckets as it has room for. start is where the invocation's bucket starts, if it has one;
// the others' is none.
void segsort_store_bunches(uint segment, uint start, uint rows)
{
    uint bucket = min(gl_LocalInvocationIndex, SEGSORT_DIGITS);
    shared_start[bucket] = bucket < SEGSORT_DIGITS ? start : rows;
    if (gl_LocalInvocationIndex == 0u)
        shared_start[SEGSORT_DIGITS] = rows;
    uint bunch_rows = segment < item_count ? segsort_split_word(segment, SEGSORT_SPLIT_BUNCH_ROWS) : 1u;
    segsort_sync_shared();
    shared_next[bucket] = bucket < SEGSORT_DIGITS ? segsort_next_bunch(bucket, bunch_rows) : SEGSORT_DIGITS;
    shared_starts_bunch[bucket] = bucket == 0u;
    if (gl_LocalInvocationIndex == 0u) {
        shared_next[SEGSORT_DIGITS] = SEGSORT_DIGITS;
        shared_starts_bunch[SEGSORT_DIGITS] = false;
    }
    segsort_sync_shared();
    segsort_mark_bunches(bucket);
    bool starts = bucket < SEGSORT_DIGITS && shared_starts_bunch[bucket];
    uint count, number = segsort_scan_exclusive(starts ? 1u : 0u, count);
    uint word = segsort_bunch_word(min(segment, item_count - 1u));
    if (segment < item_count && starts)
        work[word + 1u + number] = start;
    if (segment < item_count && gl_LocalInvocationIndex == 0u) {
        work[word] = count;
        work[word + 1u + count] = rows;
    }
}
#endif

#if SEGSORT_PACK_SINGLE
// A bunch, from the scratch to the outputs. word: of its first row.
SegsortPack segsort_bunch(uint segment, uint word)
{
    uint first = work[word], behind = work[word + 1u];
    SegsortRun run = segsort_segment(segment);
    uint scratch_row = table[long_word + segment * SEGSORT_LONG_WORDS + 2u] + first;
    return SegsortPack(view_word[1].x + scratch_row * SEGSORT_KEY_WORDS, view_word[1].y + scratch_row * SEGSORT_VALUE_WORDS,
                       run.output_keys + first * SEGSORT_KEY_WORDS, run.output_values + first * SEGSORT_VALUE_WORDS,
                       behind - first);
}
#endif
