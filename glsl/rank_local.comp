#version 430
// Sorts segments of SEGSORT_WIDTH rows, 1 to 8, each in one invocation: every two rows are compared
// once, and a row's place is the number of those that come before it. Shared
// memory only turns neighbouring rows of a buffer into rows of one invocation.
#include "shared/memory.glsl"
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

#define SEGSORT_LANE_ROWS (SEGSORT_TILE_ROWS / SEGSORT_THREADS)
#define SEGSORT_LANE_SEGMENTS (SEGSORT_LANE_ROWS / SEGSORT_WIDTH)

shared SEGSORT_KEY shared_key[SEGSORT_TILE_ROWS + SEGSORT_TILE_ROWS / 32];
#if SEGSORT_VALUE_WORDS > 0
shared SEGSORT_VALUE shared_value[SEGSORT_TILE_ROWS + SEGSORT_TILE_ROWS / 32];
#endif

// All loads of an invocation are under way at once.
void segsort_load_pack(SegsortPack pack)
{
    SEGSORT_KEY lane_key[SEGSORT_LANE_ROWS];
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
    SEGSORT_VALUE lane_value[SEGSORT_LANE_ROWS];
#endif
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++) {
        uint row = segsort_row_in(gl_LocalInvocationIndex + n * SEGSORT_THREADS, pack.rows);
        lane_key[n] = segsort_read_key(pack.keys, row);
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
        lane_value[n] = segsort_read_value(pack.values, row);
#endif
    }
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++) {
        uint row = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        shared_key[SEGSORT_BANKED(row)] = lane_key[n];
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
        shared_value[SEGSORT_BANKED(row)] = lane_value[n];
#endif
    }
    segsort_sync_shared();
}

#if SEGSORT_VALUE_WORDS > 0
SEGSORT_VALUE segsort_loaded_value(uint first, uint n)
{
#if SEGSORT_VALUE_INDEX
    return n;
#else
    return shared_value[SEGSORT_BANKED(first + n)];
#endif
}
#endif

void segsort_sort_segment(uint first)
{
    SEGSORT_KEY lane_key[SEGSORT_WIDTH], lane_order[SEGSORT_WIDTH];
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE lane_value[SEGSORT_WIDTH];
#endif
    uint lane_place[SEGSORT_WIDTH];
    for (uint n = 0u; n < SEGSORT_WIDTH; n++) {
        lane_key[n] = shared_key[SEGSORT_BANKED(first + n)];
        lane_order[n] = segsort_order_of(lane_key[n]);
        lane_place[n] = first;
#if SEGSORT_VALUE_WORDS > 0
        lane_value[n] = segsort_loaded_value(first, n);
#endif
    }
    for (uint a = 0u; a < SEGSORT_WIDTH; a++)
        for (uint b = a + 1u; b < SEGSORT_WIDTH; b++) {
            bool swapped = segsort_order_precedes(lane_order[b], 0u, lane_order[a], 0u);
            lane_place[a] += swapped ? 1u : 0u;
            lane_place[b] += swapped ? 0u : 1u;
        }
    for (uint n = 0u; n < SEGSORT_WIDTH; n++) {
        shared_key[SEGSORT_BANKED(lane_place[n])] = lane_key[n];
#if SEGSORT_VALUE_WORDS > 0
        shared_value[SEGSORT_BANKED(lane_place[n])] = lane_value[n];
#endif
    }
}

void segsort_store_pack(SegsortPack pack)
{
    if (pack.rows > 0u)
        for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++) {
            uint row = segsort_row_in(gl_LocalInvocationIndex + n * SEGSORT_THREADS, pack.rows);
            segsort_write_output_key(pack.output_keys, row, shared_key[SEGSORT_BANKED(row)]);
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(pack.output_values, row, shared_value[SEGSORT_BANKED(row)]);
#endif
        }
}

void main()
{
    SegsortPack pack = segsort_pack_or_empty(segsort_group());
    segsort_load_pack(pack);
    for (uint n = 0u; n < SEGSORT_LANE_SEGMENTS; n++) {
        uint first = (gl_LocalInvocationIndex + n * SEGSORT_THREADS) * SEGSORT_WIDTH;
        if (first < pack.rows)
            segsort_sort_segment(first);
    }
    segsort_sync_shared();
    segsort_store_pack(pack);
}
