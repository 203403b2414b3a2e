#version 430
// Moves records to the rows that a sort gave them. Records lie in the binding of the keys, indices
// in that of the values, and the ordered records go where output keys do (layout.h).
#include "shared/segments.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// A run of rows to fill.
struct SegsortGather {
    uint first_record; // that index 0 names, in the view
    uint record_count; // indices below it are right
    uint index_word;   // of the run's first row
    uint output_row;   // likewise, in the view
    uint rows;
};

SegsortGather segsort_gather_rows(uint segment, uint first_row, uint rows_max)
{
    uint at = segment_word + segment * SEGSORT_SEGMENT_WORDS;
    uint length = table[at + 4u], in_view = view_word[1].y;
    return SegsortGather(in_view != 0u ? 0u : table[at], in_view != 0u ? in_view : length,
                         view_word[0].y + table[at + 3u] + first_row, table[at + 2u] + first_row,
                         min(length - first_row, rows_max));
}

// What a slot of the group has to fill. Surplus slots have no rows.
SegsortGather segsort_slot_gather(uint group, uint slot)
{
    uint item = slot_count == 0u ? group : group * slot_count + slot;
    if (item >= item_count)
        return SegsortGather(0u, 0u, 0u, 0u, 0u);
    if (slot_count > 0u)
        return segsort_gather_rows(item, 0u, slot_rows);
    uint tile = tile_word + item * SEGSORT_TILE_WORDS;
    return segsort_gather_rows(table[tile], table[tile + 1u], slot_rows);
}

// Neighbouring invocations move neighbouring words. An invocation's next word is SEGSORT_THREADS
// further on; counting row and word of the record along spares a division for each.
void main()
{
    uint group = segsort_group(), record_words = view_word[1].x;
    uint rows = max(slot_count, 1u) * slot_rows;
    uint row = gl_LocalInvocationIndex / record_words, word = gl_LocalInvocationIndex % record_words;
    uint rows_on = SEGSORT_THREADS / record_words, words_on = SEGSORT_THREADS % record_words;
    while (row < rows) {
        uint slot = slot_count == 0u ? 0u : row >> findMSB(slot_rows), lane = row - slot * slot_rows;
        SegsortGather run = segsort_slot_gather(group, slot);
        if (lane < run.rows) {
            uint index = values[run.index_word + lane];
            if (index < run.record_count)
                output_keys[view_word[0].z + (run.output_row + lane) * record_words + word] =
                    keys[view_word[0].x + (run.first_record + index) * record_words + word];
        }
        row += rows_on;
        word += words_on;
        if (word >= record_words) {
            word -= record_words;
            row++;
        }
    }
}
