#version 430
// Lists the bunches that a first split left of a segment as segments of a second one: its children. What the host writes
// in the table of other long segments is written here of them. A work group has a segment, and an invocation a child.
//
// SEGSORT_THREADS   SEGSORT_DIGITS at least: a segment has no more children
#define SEGSORT_TABLE_ACCESS
#include "shared/memory.glsl"
#include "shared/segments.glsl"
#include "shared/scan.glsl"
#include "shared/bunch.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// Of each kind, how many the children before each one have, and behind the last one how many there are.
#define SEGSORT_TILES 0u
#define SEGSORT_GROUPS 1u
#define SEGSORT_PART_GROUPS 2u
#define SEGSORT_KIND_WORDS uint(SEGSORT_DIGITS + 1)

shared uint shared_before[3 * (SEGSORT_DIGITS + 1)];

struct SegsortChild {
    uint first_row; // in its segment
    uint rows;
    bool in_parts;
    uint tiles;
    uint sums;
    uint groups;
};

uint segsort_twice_word(uint segment, uint word)
{
    return table[twice_word + segment * SEGSORT_TWICE_WORDS + word];
}

uint segsort_ceiling(uint a, uint b)
{
    return a / b + (a % b > 0u ? 1u : 0u);
}

// The segment's children that there are not have no rows.
SegsortChild segsort_child(uint segment, uint number)
{
    uint bunches = segsort_bunch_word(segment), count = min(work[bunches], segsort_twice_word(segment, SEGSORT_TWICE_CHILDREN));
    if (number >= count)
        return SegsortChild(0u, 0u, false, 0u, 0u, 0u);
    uint first = work[bunches + 1u + number], rows = work[bunches + 2u + number] - first;
    bool in_parts = rows > segsort_twice_word(segment, SEGSORT_TWICE_LENGTH_MAX);
    uint tiles = segsort_ceiling(rows, uint(SEGSORT_WIDTH));
    uint group_rows = segsort_twice_word(segment, in_parts ? SEGSORT_TWICE_PART_GROUP_ROWS : SEGSORT_TWICE_GROUP_ROWS);
    return SegsortChild(first, rows, in_parts, tiles, segsort_ceiling(tiles, uint(SEGSORT_SUM_TILES)), rows > 0u ? rows / group_rows + 1u : 0u);
}

// Its number among all children.
uint segsort_child_number(uint segment, uint number)
{
    return segsort_twice_word(segment, SEGSORT_TWICE_FIRST_CHILD) + number;
}

// The one that has no rows, and is behind all others.
uint segsort_nobody()
{
    return segsort_child_number(item_count - 1u, segsort_twice_word(item_count - 1u, SEGSORT_TWICE_CHILDREN));
}

// Where the child's rows lie in the views and in the scratch.
void segsort_write_segment(uint segment, SegsortChild child, uint number, uint first_tile)
{
    uint from = segment_word + segment * SEGSORT_SEGMENT_WORDS, to = child_segment_word + number * SEGSORT_SEGMENT_WORDS;
    for (uint i = 0u; i < SEGSORT_SEGMENT_WORDS - 1u; i++)
        table[to + i] = table[from + i] + child.first_row;
    table[to + SEGSORT_SEGMENT_WORDS - 1u] = child.rows;
    uint further = child_long_word + number * SEGSORT_LONG_WORDS;
    table[further] = first_tile;
    table[further + 1u] = 0u;
    table[further + 2u] = table[long_word + segment * SEGSORT_LONG_WORDS + 2u] + child.first_row;
}

// As plan_splits.c writes them: the host has found how many rows a bucket may have, whatever the child's length is.
void segsort_write_split(uint segment, SegsortChild child, uint number, uint first_group, uint first_sum)
{
    uint to = child_split_word + number * SEGSORT_SPLIT_WORDS, most = segsort_twice_word(segment, SEGSORT_TWICE_BUCKETS_MAX);
    uint bunch_rows = segsort_twice_word(segment, child.in_parts ? SEGSORT_TWICE_PART_BUNCH_ROWS : SEGSORT_TWICE_BUNCH_ROWS);
    uint samples = min(child.rows / segsort_twice_word(segment, SEGSORT_TWICE_SAMPLE_APART),
                       segsort_twice_word(segment, SEGSORT_TWICE_SAMPLES_MAX));
    uint buckets = segsort_ceiling(child.rows, segsort_twice_word(segment, SEGSORT_TWICE_BUCKET_ROWS));
    buckets = child.rows > bunch_rows ? clamp(buckets, 1u, min(most, max(samples, 1u))) : 1u;
    uint apart = buckets > 1u ? samples / buckets : 1u;
    table[to + SEGSORT_SPLIT_FIRST_GROUP] = first_group;
    table[to + SEGSORT_SPLIT_BUCKETS] = buckets;
    table[to + SEGSORT_SPLIT_SAMPLES_APART] = apart;
    table[to + SEGSORT_SPLIT_GROUPS] = max(child.groups, 1u);
    table[to + SEGSORT_SPLIT_FIRST_SPLITTER] = number * most;
    table[to + SEGSORT_SPLIT_BUNCH_WORD] = number * child_bunch_words;
    table[to + SEGSORT_SPLIT_FIRST_SUM] = first_sum;
    table[to + SEGSORT_SPLIT_SUMS] = child.sums;
    table[to + SEGSORT_SPLIT_BUNCH_ROWS] = bunch_rows;
    table[to + SEGSORT_SPLIT_ROOM_SAMPLES] = child.in_parts ? 5u * apart : bunch_rows * (apart * buckets) / max(child.rows, 1u);
}

// The child that has one of them, which is one of those that there are.
uint segsort_find_child(uint kind, uint number)
{
    uint child = 0u;
    for (uint step = SEGSORT_DIGITS / 2u; step > 0u; step /= 2u)
        child += shared_before[kind * SEGSORT_KIND_WORDS + child + step] <= number ? step : 0u;
    return child;
}

// Surplus ones are nobody's.
void segsort_write_tiles(uint segment, uint nobody)
{
    uint first = segsort_twice_word(segment, SEGSORT_TWICE_FIRST_TILE), count = segsort_twice_word(segment, SEGSORT_TWICE_TILES);
    uint bunches = segsort_bunch_word(segment), scratch_row = table[long_word + segment * SEGSORT_LONG_WORDS + 2u];
    for (uint tile = gl_LocalInvocationIndex; tile < count; tile += SEGSORT_THREADS) {
        uint at = child_tile_word + (first + tile) * SEGSORT_TILE_WORDS, child = segsort_find_child(SEGSORT_TILES, tile);
        uint row = (tile - shared_before[SEGSORT_TILES * SEGSORT_KIND_WORDS + child]) * SEGSORT_WIDTH;
        bool there = tile < shared_before[SEGSORT_TILES * SEGSORT_KIND_WORDS + SEGSORT_DIGITS];
        table[at] = there ? segsort_child_number(segment, child) : nobody;
        table[at + 1u] = there ? row : 0u;
        table[at + 2u] = there ? scratch_row + work[bunches + 1u + child] + row : 0u;
    }
}

void segsort_write_groups(uint segment, uint nobody, uint kind, uint first_word)
{
    uint first = child_finish_word + segsort_twice_word(segment, first_word), count = segsort_twice_word(segment, first_word + 1u);
    for (uint group = gl_LocalInvocationIndex; group < count; group += SEGSORT_THREADS) {
        bool there = group < shared_before[kind * SEGSORT_KIND_WORDS + SEGSORT_DIGITS];
        table[first + group] = there ? segsort_child_number(segment, segsort_find_child(kind, group)) : nobody;
    }
}

uint segsort_scan_kind(uint kind, uint count)
{
    uint total, before = segsort_scan_exclusive(count, total);
    if (gl_LocalInvocationIndex < SEGSORT_DIGITS)
        shared_before[kind * SEGSORT_KIND_WORDS + gl_LocalInvocationIndex] = before;
    if (gl_LocalInvocationIndex == 0u)
        shared_before[kind * SEGSORT_KIND_WORDS + SEGSORT_DIGITS] = total;
    segsort_sync_shared();
    return before;
}

// Behind the last segment's children comes nobody, who has no bunches.
void segsort_write_nobody(uint nobody)
{
    segsort_write_segment(item_count - 1u, SegsortChild(0u, 0u, false, 0u, 0u, 0u), nobody, 0u);
    segsort_write_split(item_count - 1u, SegsortChild(0u, 0u, false, 0u, 0u, 0u), nobody, 0u, 0u);
    work[view_word[1].z + child_bunch_starts + nobody * child_bunch_words] = 0u;
}

void main()
{
    uint number = gl_LocalInvocationIndex, segment = min(segsort_group(), item_count - 1u), nobody = segsort_nobody(), sums;
    SegsortChild child = segsort_child(segment, number);
    uint first_tile = segsort_scan_kind(SEGSORT_TILES, child.tiles);
    uint first_group = segsort_scan_kind(SEGSORT_GROUPS, child.in_parts ? 0u : child.groups);
    uint first_part_group = segsort_scan_kind(SEGSORT_PART_GROUPS, child.in_parts ? child.groups : 0u);
    uint first_sum = segsort_scan_exclusive(child.sums, sums);
    first_tile += segsort_twice_word(segment, SEGSORT_TWICE_FIRST_TILE);
    first_group += segsort_twice_word(segment, SEGSORT_TWICE_FIRST_GROUP);
    first_part_group += segsort_twice_word(segment, SEGSORT_TWICE_FIRST_PART_GROUP);
    first_sum += segsort_twice_word(segment, SEGSORT_TWICE_FIRST_SUM);
    if (number < segsort_twice_word(segment, SEGSORT_TWICE_CHILDREN)) {
        segsort_write_segment(segment, child, segsort_child_number(segment, number), first_tile);
        segsort_write_split(segment, child, segsort_child_number(segment, number), child.in_parts ? first_part_group : first_group, first_sum);
    }
    if (number == 0u && segment == item_count - 1u)
        segsort_write_nobody(nobody);
    segsort_write_tiles(segment, nobody);
    segsort_write_groups(segment, nobody, SEGSORT_GROUPS, SEGSORT_TWICE_FIRST_GROUP);
    segsort_write_groups(segment, nobody, SEGSORT_PART_GROUPS, SEGSORT_TWICE_FIRST_PART_GROUP);
}
