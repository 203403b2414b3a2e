// Loads runs into the slots of a tile for the network, and tells the store what became of them.
//
// The including shader defines SegsortRun segsort_slot_run(uint tile, uint slot).
#define SEGSORT_SLOTS (SEGSORT_TILE_ROWS / SEGSORT_WIDTH)

// The length of the slot whose comparators this invocation runs.
uint segsort_own_slot_rows(uint tile)
{
    uint slot = SEGSORT_SLOTS == 1 ? 0u : gl_LocalInvocationIndex / (SEGSORT_WIDTH / 2u);
    return segsort_slot_run(tile, slot).rows;
}

void segsort_load_tile(uint tile)
{
    SEGSORT_KEY tile_keys[SEGSORT_TILE_ROWS / SEGSORT_THREADS];
    for (uint n = 0u; n < SEGSORT_TILE_ROWS / SEGSORT_THREADS; n++) {
        uint row = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        SegsortRun run = segsort_slot_run(tile, row / SEGSORT_WIDTH);
        tile_keys[n] = segsort_read_key(run.keys, segsort_row_in(row & (SEGSORT_WIDTH - 1u), run.rows));
    }
    for (uint n = 0u; n < SEGSORT_TILE_ROWS / SEGSORT_THREADS; n++) {
        uint row = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        shared_key[row] = tile_keys[n];
        shared_index[row] = row & (SEGSORT_WIDTH - 1u);
    }
    segsort_sync_shared();
}

uint segsort_sorted_lane(uint row)
{
    return shared_index[row];
}

SEGSORT_KEY segsort_sorted_key(SegsortRun run, uint row)
{
    return shared_key[row];
}
