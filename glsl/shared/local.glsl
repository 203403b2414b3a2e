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
    for (uint row = gl_LocalInvocationIndex; row < SEGSORT_TILE_ROWS; row += SEGSORT_THREADS) {
        SegsortRun run = segsort_slot_run(tile, row / SEGSORT_WIDTH);
        uint lane = row & (SEGSORT_WIDTH - 1u);
        if (lane < run.rows) {
            shared_key[row] = segsort_read_key(run.keys, lane);
            shared_index[row] = lane;
        }
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
