// Loads runs into the slots of a tile and stores them sorted. Values stay in their buffer until the
// order is known and are moved once.
//
// The including shader defines SegsortRun segsort_slot_run(uint tile, uint slot).
#define SEGSORT_SLOTS (SEGSORT_TILE_ROWS / SEGSORT_WIDTH)
#define SEGSORT_ROWS_PER_THREAD (SEGSORT_TILE_ROWS / SEGSORT_THREADS)

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
            shared_key[row] = segsort_key_ordered(keys[run.keys + lane]);
            shared_index[row] = lane;
        }
    }
    segsort_sync_shared();
}

void segsort_store_tile(uint tile)
{
    uint moved[SEGSORT_ROWS_PER_THREAD];
    for (uint n = 0u; n < SEGSORT_ROWS_PER_THREAD; n++) {
        uint row = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        SegsortRun run = segsort_slot_run(tile, row / SEGSORT_WIDTH);
        if ((row & (SEGSORT_WIDTH - 1u)) < run.rows)
            moved[n] = values[run.values + shared_index[row]];
    }
    // In place the values are overwritten below: all of them have to be read first.
    memoryBarrierBuffer();
    barrier();
    for (uint n = 0u; n < SEGSORT_ROWS_PER_THREAD; n++) {
        uint row = gl_LocalInvocationIndex + n * SEGSORT_THREADS;
        SegsortRun run = segsort_slot_run(tile, row / SEGSORT_WIDTH);
        uint lane = row & (SEGSORT_WIDTH - 1u);
        if (lane < run.rows) {
            output_keys[run.output_keys + lane] = segsort_key_bits(shared_key[row]);
            output_values[run.output_values + lane] = moved[n];
        }
    }
}
