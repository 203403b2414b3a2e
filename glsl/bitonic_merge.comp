#version 430
// The strides of a stage that stay within a tile of SEGSORT_WIDTH rows, in shared memory.
#define SEGSORT_SHARED_VALUES
#include "shared/segments.glsl"
#include "shared/keys.glsl"
#include "shared/network.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void segsort_load_outputs(SegsortRun run, uint index_row)
{
    for (uint row = gl_LocalInvocationIndex; row < run.rows; row += SEGSORT_THREADS) {
        shared_key[row] = segsort_key_ordered(output_keys[run.output_keys + row]);
        shared_value[row] = output_values[run.output_values + row];
        shared_index[row] = source_index[index_row + row];
    }
    segsort_sync_shared();
}

void segsort_store_outputs(SegsortRun run, uint index_row)
{
    for (uint row = gl_LocalInvocationIndex; row < run.rows; row += SEGSORT_THREADS) {
        output_keys[run.output_keys + row] = segsort_key_bits(shared_key[row]);
        output_values[run.output_values + row] = shared_value[row];
        source_index[index_row + row] = shared_index[row];
    }
}

void main()
{
    SegsortTile tile = segsort_tile_or_empty(segsort_group());
    SegsortRun run = segsort_tile_run(tile);
    segsort_load_outputs(run, tile.index_row);
    segsort_network_strides(SEGSORT_WIDTH / 2u, run.rows);
    segsort_store_outputs(run, tile.index_row);
}
