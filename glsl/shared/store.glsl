// Stores a sorted tile: what lies at each row of it, the including shader tells. Values stay in
// their buffer until the order is known and are moved once.
//
// The including shader defines
//     SegsortRun segsort_slot_run(uint tile, uint slot)
//     uint segsort_slot_first_row(uint tile)      the row of its segment that slot 0 starts with
//     uint segsort_sorted_lane(uint row)          the lane, in its slot, that comes to the tile's row
//     SEGSORT_KEY segsort_sorted_key(SegsortRun run, uint row)
#define SEGSORT_ROWS_PER_THREAD (SEGSORT_TILE_ROWS / SEGSORT_THREADS)

#if SEGSORT_VALUE_WORDS > 0
SEGSORT_VALUE segsort_source_value(uint tile, SegsortRun run, uint lane)
{
#if SEGSORT_VALUE_INDEX
    return segsort_slot_first_row(tile) + lane;
#else
    return segsort_read_value(run.values, lane);
#endif
}
#endif

void segsort_store_tile(uint tile)
{
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE moved_values[SEGSORT_ROWS_PER_THREAD];
#endif
    SEGSORT_KEY moved_keys[SEGSORT_ROWS_PER_THREAD];
    for (uint n = 0u; n < SEGSORT_ROWS_PER_THREAD; n++) {
        uint row = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        SegsortRun run = segsort_slot_run(tile, row / SEGSORT_WIDTH);
        moved_keys[n] = segsort_sorted_key(run, row);
#if SEGSORT_VALUE_WORDS > 0
        moved_values[n] = segsort_source_value(tile, run, segsort_row_in(segsort_sorted_lane(row), run.rows));
#endif
    }
    segsort_sync_in_place();
    for (uint n = 0u; n < SEGSORT_ROWS_PER_THREAD; n++) {
        uint row = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        SegsortRun run = segsort_slot_run(tile, row / SEGSORT_WIDTH);
        uint lane = row & (SEGSORT_WIDTH - 1u);
        if (lane < run.rows) {
            segsort_write_output_key(run.output_keys, lane, moved_keys[n]);
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(run.output_values, lane, moved_values[n]);
#endif
        }
    }
}
