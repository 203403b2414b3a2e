#version 430
// Writes the segments of a list that only the GPU knows into the table, each class's one behind the
// other. Segments of one row are finished here.
#define SEGSORT_TABLE_ACCESS
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/list.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

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

void segsort_copy_row(uvec4 offsets)
{
    SEGSORT_KEY key = segsort_read_key(view_word[0].x + offsets.x * SEGSORT_KEY_WORDS, 0u);
    segsort_write_output_key(view_word[0].z + offsets.z * SEGSORT_KEY_WORDS, 0u, key);
#if SEGSORT_VALUE_WORDS > 0
    uint output_word = view_word[0].w + offsets.w * SEGSORT_VALUE_WORDS;
#if SEGSORT_VALUE_INDEX
    segsort_write_output_value(output_word, 0u, 0u);
#else
    segsort_write_output_value(output_word, 0u,
                               segsort_read_value(view_word[0].y + offsets.y * SEGSORT_VALUE_WORDS, 0u));
#endif
#endif
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

void main()
{
    uint group = segsort_group(), count = table[head_word + SEGSORT_HEAD_COUNT];
    segsort_load_next(group, count);
    for (uint n = gl_LocalInvocationIndex; n < SEGSORT_LIST_GROUP; n += SEGSORT_THREADS) {
        uint number = group * SEGSORT_LIST_GROUP + n;
        if (number < count) {
            SegsortListed listed = segsort_listed(number);
            if (listed.rows == 1u)
                segsort_copy_row(listed.offsets);
            else if (listed.rows > 1u)
                segsort_write_segment(listed);
        }
    }
}
