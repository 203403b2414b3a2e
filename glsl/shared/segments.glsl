// The buffers of a pass, and how a work group finds its segment or tile in the table.
#include "shared/layout.h"

#ifndef SEGSORT_USES
#error SEGSORT_USES is not defined
#endif

// SEGSORT_USES has a bit for each binding that the kernel is registered with; no other one is declared.
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_KEYS)) != 0
layout(std430, binding = SEGSORT_BINDING_KEYS) readonly buffer SegsortKeys { uint keys[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_VALUES)) != 0
layout(std430, binding = SEGSORT_BINDING_VALUES) readonly buffer SegsortValues { uint values[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_OUTPUT_KEYS)) != 0
layout(std430, binding = SEGSORT_BINDING_OUTPUT_KEYS) buffer SegsortOutputKeys { uint output_keys[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_OUTPUT_VALUES)) != 0
layout(std430, binding = SEGSORT_BINDING_OUTPUT_VALUES) buffer SegsortOutputValues { uint output_values[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_TABLE)) != 0
layout(std430, binding = SEGSORT_BINDING_TABLE) readonly buffer SegsortTable { uint table[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_INDEX)) != 0
layout(std430, binding = SEGSORT_BINDING_INDEX) buffer SegsortIndex { uint source_index[]; };
#endif

// Words from the start of each bound range to the view's row 0. A range may start behind row 0: the
// sums wrap around to the right word.
layout(location = SEGSORT_LOCATION_VIEW_WORD) uniform uvec4 view_word;

// A run of rows: the word of its first row in each stream, and how many there are.
struct SegsortRun {
    uint keys;
    uint values;
    uint output_keys;
    uint output_values;
    uint rows;
};

// Dispatches beyond the limit of one axis are folded over y and z, and what folding rounds up is surplus.
uint segsort_group()
{
    return first_group + gl_WorkGroupID.x +
           gl_NumWorkGroups.x * (gl_WorkGroupID.y + gl_NumWorkGroups.y * gl_WorkGroupID.z);
}

SegsortRun segsort_segment(uint segment)
{
    uint at = segment_word + segment * SEGSORT_SEGMENT_WORDS;
    return SegsortRun(view_word.x + table[at], view_word.y + table[at + 1u], view_word.z + table[at + 2u],
                      view_word.w + table[at + 3u], table[at + 4u]);
}

// Surplus slots get a run without rows, on which every kernel does nothing.
SegsortRun segsort_segment_or_empty(uint segment)
{
    if (segment < item_count)
        return segsort_segment(segment);
    return SegsortRun(0u, 0u, 0u, 0u, 0u);
}

struct SegsortTile {
    SegsortRun segment;
    uint first_row;
    uint index_row;
};

SegsortTile segsort_tile_or_empty(uint tile)
{
    if (tile >= item_count)
        return SegsortTile(SegsortRun(0u, 0u, 0u, 0u, 0u), 0u, 0u);
    uint at = tile_word + tile * SEGSORT_TILE_WORDS;
    return SegsortTile(segsort_segment(table[at]), table[at + 1u], table[at + 2u]);
}

// The rows of the segment that lie in the tile.
SegsortRun segsort_tile_run(SegsortTile tile)
{
    SegsortRun run = tile.segment;
    run.keys += tile.first_row;
    run.values += tile.first_row;
    run.output_keys += tile.first_row;
    run.output_values += tile.first_row;
    run.rows = min(run.rows - tile.first_row, uint(SEGSORT_WIDTH));
    return run;
}
