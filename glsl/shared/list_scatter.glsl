// Writes the segments of a list that only the GPU knows into the table, each class's one behind the
// other.
//
// The including shader defines
//     void segsort_finish_row(uvec4 offsets)      what becomes of a segment of one row. It has its place in the
//                                                 table all the same: a gather goes by that.
shared uint shared_next[SEGSORT_GROUP_COLUMNS]; // of each class, then tile, chunk and scratch row

void segsort_load_next(uint group, uint count)
{
    uint column = gl_LocalInvocationIndex;
    if (column < SEGSORT_GROUP_COLUMNS && group * SEGSORT_LIST_GROUP < count) {
        uint next = table[group_word + group * SEGSORT_GROUP_WORDS + column];
        if (column < class_count)
            next += table[head_word + SEGSORT_HEAD_CLASSES + column];
        shared_next[column] = next;
    }
    memoryBarrierShared();
    barrier();
}

void segsort_write_long(uint number, uint length)
{
    uint at = long_word + number * SEGSORT_LONG_WORDS;
    table[at] = atomicAdd(shared_next[SEGSORT_GROUP_TILES], segsort_list_tiles(length));
    table[at + 1u] = atomicAdd(shared_next[SEGSORT_GROUP_CHUNKS], segsort_list_chunks(length));
    table[at + 2u] = atomicAdd(shared_next[SEGSORT_GROUP_LONG_ROWS], length);
}

void segsort_write_segment(SegsortListed listed)
{
    uint number_class = segsort_list_class(listed.rows);
    uint number = atomicAdd(shared_next[number_class], 1u);
    uint at = segment_word + number * SEGSORT_SEGMENT_WORDS;
    table[at] = listed.offsets.x;
    table[at + 1u] = listed.offsets.y;
    table[at + 2u] = listed.offsets.z;
    table[at + 3u] = listed.offsets.w;
    table[at + 4u] = listed.rows;
    if (number_class == class_count - 1u)
        segsort_write_long(number - table[head_word + SEGSORT_HEAD_CLASSES + number_class], listed.rows);
}

void segsort_scatter_list()
{
    uint group = segsort_group(), count = table[head_word + SEGSORT_HEAD_COUNT];
    segsort_load_next(group, count);
    for (uint n = gl_LocalInvocationIndex; n < SEGSORT_LIST_GROUP; n += SEGSORT_THREADS) {
        uint number = group * SEGSORT_LIST_GROUP + n;
        if (number < count) {
            SegsortListed listed = segsort_listed(number);
            if (listed.rows == 1u)
                segsort_finish_row(listed.offsets);
            if (listed.rows > 0u)
                segsort_write_segment(listed);
        }
    }
}
