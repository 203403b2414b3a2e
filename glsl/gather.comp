#version 430
// Moves records to the rows that a sort gave them. Records lie in the binding of the keys, indices
// in that of the values, and the ordered records go where output keys do (layout.h).
#include "shared/segments.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// A run of rows to fill, in rows of the views.
struct SegsortGather {
    uint first_record; // that index 0 names
    uint record_count; // indices below it are right
    uint index_row;    // of the run's first row
    uint output_row;   // likewise
    uint rows;
};

SegsortGather segsort_gather_rows(uint segment, uint first_row, uint rows_limit)
{
    uint at = segment_word + segment * SEGSORT_SEGMENT_WORDS;
    uint length = table[at + 4u];
    bool in_view = view_word[0].w == 1u;
    return SegsortGather(in_view ? 0u : table[at], in_view ? view_word[1].y : length,
                         table[at + 3u] + first_row, table[at + 2u] + first_row,
                         min(length - first_row, rows_limit));
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

void segsort_move_word(SegsortGather run, uint lane, uint word)
{
    uint record_words = view_word[1].x, index_row = run.index_row + lane, output_row = run.output_row + lane;
    // A listed plan's segments were held against the views of the sort, not against these.
    if (index_row >= view_word[1].w || output_row >= view_word[1].z)
        return;
    uint index = values[view_word[0].y + index_row];
    uint record = run.first_record + index;
    if (index < run.record_count && record < view_word[1].y)
        output_keys[view_word[0].z + output_row * record_words + word] =
            keys[view_word[0].x + record * record_words + word];
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
        if (lane < run.rows)
            segsort_move_word(run, lane, word);
        row += rows_on;
        word += words_on;
        if (word >= record_words) {
            word -= record_words;
            row++;
        }
    }
}
