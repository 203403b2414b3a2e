#version 430
// The strides of a stage that stay within a tile of SEGSORT_WIDTH rows, in shared memory.
#define SEGSORT_SHARED_VALUES (SEGSORT_VALUE_WORDS > 0)
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/network.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void segsort_load_outputs(SegsortRun run, uint index_word)
{
    for (uint row = gl_LocalInvocationIndex; row < run.rows; row += SEGSORT_THREADS) {
        shared_key[row] = segsort_read_output_key(run.output_keys, row);
        shared_index[row] = work[index_word + row];
#if SEGSORT_SHARED_VALUES
        shared_value[row] = segsort_read_output_value(run.output_values, row);
#endif
    }
    segsort_sync_shared();
}

void segsort_store_outputs(SegsortRun run, uint index_word)
{
    for (uint row = gl_LocalInvocationIndex; row < run.rows; row += SEGSORT_THREADS) {
        segsort_write_output_key(run.output_keys, row, shared_key[row]);
        work[index_word + row] = shared_index[row];
#if SEGSORT_SHARED_VALUES
        segsort_write_output_value(run.output_values, row, shared_value[row]);
#endif
    }
}

void main()
{
    SegsortTile tile = segsort_tile_or_empty(segsort_group());
    SegsortRun run = segsort_tile_run(tile);
    uint index_word = view_word[1].z + tile.scratch_row;
    segsort_load_outputs(run, index_word);
    segsort_network_strides(SEGSORT_WIDTH / 2u, run.rows, step_limit);
    segsort_store_outputs(run, index_word);
}
