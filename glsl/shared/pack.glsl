// Packs: runs of whole segments that lie one behind the other in every stream, short enough
// together for one work group. Rows are numbered through the pack, so that neighbouring
// invocations work on neighbouring rows however short the segments are.
//
// SEGSORT_PACK_EQUAL   1: all segments of the pass have slot_rows rows and lie one behind the other;
//                      a pack is slot_count of them. 0: packs are in the table, with a bit for each
//                      row that starts a segment
// SEGSORT_PACK_SINGLE  1: the kernel finds its packs itself, each of one segment
// SEGSORT_PACK_SLOTS   1: no pack in truth: segments from anywhere, each in a slot of SEGSORT_WIDTH rows, of
//                      which it may fill the first ones
// SEGSORT_TILE_ROWS    rows that a pack has at most, up to 4096
#include "shared/group.glsl"

// The words of the pack's first row in each stream, and how many rows there are; none for surplus
// work groups, which may load what the last pack has. No pass is of no pack.
struct SegsortPack {
    uint keys;
    uint values;
    uint output_keys;
    uint output_values;
    uint rows;
};

// From the rows where its streams start.
SegsortPack segsort_pack_at(uvec4 first, uint rows)
{
    return SegsortPack(view_word[0].x + first.x * SEGSORT_KEY_WORDS, view_word[0].y + first.y * SEGSORT_VALUE_WORDS,
                       view_word[0].z + first.z * SEGSORT_KEY_WORDS, view_word[0].w + first.w * SEGSORT_VALUE_WORDS,
                       rows);
}

#if SEGSORT_PACK_SINGLE
uvec2 segsort_pack_segment(SegsortPack pack, uint row)
{
    return uvec2(0u, pack.rows);
}

void segsort_load_starts(uint number)
{
}
#elif SEGSORT_PACK_SLOTS
#define SEGSORT_SLOTS (SEGSORT_TILE_ROWS / SEGSORT_WIDTH)

// The slots' segments as the table has them; of surplus ones none.
shared uint shared_segment[SEGSORT_SLOTS * SEGSORT_SEGMENT_WORDS];

SegsortPack segsort_pack_or_empty(uint number)
{
    return SegsortPack(view_word[0].x, view_word[0].y, view_word[0].z, view_word[0].w, uint(SEGSORT_TILE_ROWS));
}

void segsort_load_starts(uint number)
{
    uint first = number * SEGSORT_SLOTS, words = (item_count - min(first, item_count)) * SEGSORT_SEGMENT_WORDS;
    for (uint i = gl_LocalInvocationIndex; i < SEGSORT_SLOTS * SEGSORT_SEGMENT_WORDS; i += SEGSORT_THREADS)
        shared_segment[i] = i < words ? table[segment_word + first * SEGSORT_SEGMENT_WORDS + i] : 0u;
    memoryBarrierShared();
    barrier();
}

// Where the segment of a row's slot starts in a stream, or how many rows it has.
uint segsort_slot_word(uint row, uint word)
{
    return shared_segment[row / uint(SEGSORT_WIDTH) * SEGSORT_SEGMENT_WORDS + word];
}

uvec2 segsort_pack_segment(SegsortPack pack, uint row)
{
    uint first = row - row % uint(SEGSORT_WIDTH);
    return uvec2(first, first + segsort_slot_word(row, 4u));
}
#elif SEGSORT_PACK_EQUAL
SegsortPack segsort_pack_or_empty(uint number)
{
    uint pack_rows = slot_count * slot_rows, first_row = min(number, item_count - 1u) * pack_rows;
    uvec4 first = uvec4(equal_keys, equal_values, equal_output_keys, equal_output_values) + first_row;
    return segsort_pack_at(first, number < item_count ? min(pack_rows, equal_rows - first_row) : 0u);
}

// A segment's first row and the one behind its last, from any row of it. slot_inverse is 2^32 /
// slot_rows, rounded up: the product's upper word is the quotient as long as there are fewer than
// 2^32 / slot_rows rows.
uvec2 segsort_pack_segment(SegsortPack pack, uint row)
{
    uint first = slot_rows * segsort_multiply_high(row, slot_inverse);
    return uvec2(first, first + slot_rows);
}

void segsort_load_starts(uint number)
{
}
#else
#define SEGSORT_START_WORDS SEGSORT_PACK_START_WORDS(SEGSORT_TILE_ROWS)
#define SEGSORT_START_GROUPS SEGSORT_PACK_START_GROUPS(SEGSORT_TILE_ROWS)

// A bit for each row that starts a segment, then one for each word that has such bits.
shared uint shared_starts[SEGSORT_START_WORDS + SEGSORT_START_GROUPS];

uint segsort_pack_word(uint number)
{
    return segment_word + number * SEGSORT_PACK_WORDS(SEGSORT_TILE_ROWS);
}

SegsortPack segsort_pack_or_empty(uint number)
{
    uint word = segsort_pack_word(min(number, item_count - 1u));
    uvec4 first = uvec4(table[word], table[word + 1u], table[word + 2u], table[word + 3u]);
    return segsort_pack_at(first, number < item_count ? table[word + 4u] : 0u);
}

void segsort_load_starts(uint number)
{
    for (uint i = gl_LocalInvocationIndex; i < SEGSORT_START_WORDS + SEGSORT_START_GROUPS; i += SEGSORT_THREADS)
        shared_starts[i] = number < item_count ? table[segsort_pack_word(number) + 5u + i] : 0u;
}

uint segsort_start_words(uint group)
{
    return shared_starts[SEGSORT_START_WORDS + group];
}

// Row 0 starts a segment: there always is a start at or before a row of the pack.
uint segsort_start_before(uint row)
{
    uint word = row >> 5, bits = shared_starts[word] & (0xffffffffu >> (31u - (row & 31u)));
    if (bits == 0u) {
        uint group = word >> 5, words = segsort_start_words(group) & ~(0xffffffffu << (word & 31u));
        for (; words == 0u && group > 0u; words = segsort_start_words(group))
            group--;
        word = (group << 5) + uint(max(findMSB(words), 0));
        bits = shared_starts[word];
    }
    return (word << 5) + uint(max(findMSB(bits), 0));
}

uint segsort_start_behind(uint row, uint rows)
{
    uint word = row >> 5, bits = shared_starts[word] & (0xfffffffeu << (row & 31u));
    if (bits == 0u) {
        uint group = word >> 5, words = segsort_start_words(group) & (0xfffffffeu << (word & 31u));
        for (; words == 0u && group + 1u < SEGSORT_START_GROUPS; words = segsort_start_words(group))
            group++;
        if (words == 0u)
            return rows;
        word = (group << 5) + uint(findLSB(words));
        bits = shared_starts[word];
    }
    return (word << 5) + uint(findLSB(bits));
}

uvec2 segsort_pack_segment(SegsortPack pack, uint row)
{
    return uvec2(segsort_start_before(row), segsort_start_behind(row, pack.rows));
}
#endif

#if SEGSORT_PACK_SLOTS
bool segsort_pack_has(SegsortPack pack, uint row)
{
    return row % uint(SEGSORT_WIDTH) < segsort_slot_word(row, 4u);
}
#else
bool segsort_pack_has(SegsortPack pack, uint row)
{
    return row < pack.rows;
}
#endif
