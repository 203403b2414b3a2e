// The bitonic network in workgroup shared memory. A tile of SEGSORT_TILE_ROWS rows holds one or
// more slots of SEGSORT_WIDTH rows, each slot a network of its own.
//
// K. E. Batcher, "Sorting networks and their applications", AFIPS 1968, in the form whose stages
// start with a reflected step (row and stage - 1 - row): all comparators put the lesser row at the
// lower place. A row beyond the slot's length would be greater than all others and never move, so
// comparators that reach one are left out, and nothing needs to be stored there.
//
// SEGSORT_WIDTH, SEGSORT_THREADS  powers of two; SEGSORT_WIDTH > 2 * SEGSORT_THREADS only with one slot a tile
// SEGSORT_TILE_ROWS               max(SEGSORT_WIDTH, 2 * SEGSORT_THREADS)
// SEGSORT_SHARED_VALUES           1: values move along with the keys
#include "shared/memory.glsl"
#ifndef SEGSORT_WIDTH
#error SEGSORT_WIDTH is not defined
#endif
#ifndef SEGSORT_TILE_ROWS
#error SEGSORT_TILE_ROWS is not defined
#endif

shared SEGSORT_KEY shared_key[SEGSORT_TILE_ROWS];
shared uint shared_index[SEGSORT_TILE_ROWS];
#if SEGSORT_SHARED_VALUES
shared SEGSORT_VALUE shared_value[SEGSORT_TILE_ROWS];
#endif

void segsort_compare_exchange(uint lower, uint upper)
{
    SEGSORT_KEY lower_key = shared_key[lower], upper_key = shared_key[upper];
    uint lower_index = shared_index[lower], upper_index = shared_index[upper];
    if (segsort_row_precedes(upper_key, upper_index, lower_key, lower_index)) {
        shared_key[lower] = upper_key;
        shared_key[upper] = lower_key;
        shared_index[lower] = upper_index;
        shared_index[upper] = lower_index;
#if SEGSORT_SHARED_VALUES
        SEGSORT_VALUE lower_value = shared_value[lower];
        shared_value[lower] = shared_value[upper];
        shared_value[upper] = lower_value;
#endif
    }
}

// Compares all rows that have bit half_width clear with the row partner_mask away. Every row is in
// one pair only, so one barrier a step is enough.
void segsort_network_step(uint half_width, uint partner_mask_, uint slot_rows)
{
    for (uint pair = gl_LocalInvocationIndex; pair < SEGSORT_TILE_ROWS / 2u; pair += SEGSORT_THREADS) {
        uint row = 2u * pair - (pair & (half_width - 1u));
        uint partner = row ^ partner_mask_;
        if ((partner & (SEGSORT_WIDTH - 1u)) < slot_rows)
            segsort_compare_exchange(row, partner);
    }
    segsort_sync_shared();
}

// The strides below a stage: sorts slots whose rows are bitonic. Runs no more than so many steps, the
// same in all invocations, and returns how many of them are left.
uint segsort_network_strides(uint first_stride, uint slot_rows, uint steps)
{
    for (uint stride = first_stride; stride > 0u && steps > 0u; stride >>= 1) {
        segsort_network_step(stride, stride, slot_rows);
        steps--;
    }
    return steps;
}

void segsort_network_sort(uint slot_rows, uint steps)
{
    for (uint stage = 2u; stage <= SEGSORT_WIDTH && steps > 0u; stage <<= 1) {
        segsort_network_step(stage >> 1, stage - 1u, slot_rows);
        steps = segsort_network_strides(stage >> 2, slot_rows, steps - 1u);
    }
}
