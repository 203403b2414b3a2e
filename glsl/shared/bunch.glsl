// Bunches: runs of neighbouring buckets that have at most bunch_rows rows together, so that a work
// group sorts them at once. One bucket that has more is a bunch by itself.

// The word of a segment's bunches in the work section.
uint segsort_bunch_word(uint segment)
{
    return view_word[1].z + bunch_starts + table[split_word + segment * SEGSORT_SPLIT_WORDS + 5u];
}

#if SEGSORT_SPLIT
// Buckets' first rows, and the segment's rows; the bucket that the next bunch would start with.
shared uint shared_start[SEGSORT_DIGITS + 1];
shared uint shared_next[SEGSORT_DIGITS];

// The first bucket that a bunch has no room for, if it starts with this one: starts only grow.
uint segsort_next_bunch(uint bucket)
{
    uint most = max(shared_start[bucket] + bunch_rows, shared_start[bucket + 1u]), next = bucket + 1u;
    for (uint step = SEGSORT_DIGITS / 2u; step > 0u; step /= 2u)
        if (next + step <= SEGSORT_DIGITS && shared_start[min(next + step, SEGSORT_DIGITS)] <= most)
            next += step;
    return next;
}

// Each bunch takes as many buckets as it has room for. start is where the invocation's bucket starts.
void segsort_store_bunches(uint segment, uint start, uint rows)
{
    uint bucket = gl_LocalInvocationIndex;
    shared_start[bucket] = start;
    if (bucket == 0u)
        shared_start[SEGSORT_DIGITS] = rows;
    memoryBarrierShared();
    barrier();
    shared_next[bucket] = segsort_next_bunch(bucket);
    memoryBarrierShared();
    barrier();
    if (bucket == 0u && segment < item_count) {
        uint word = segsort_bunch_word(segment), count = 0u;
        for (uint first = 0u; first < SEGSORT_DIGITS; first = shared_next[first])
            work[word + 1u + count++] = shared_start[first];
        work[word + 1u + count] = rows;
        work[word] = count;
    }
}
#endif
