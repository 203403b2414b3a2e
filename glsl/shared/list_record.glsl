// The record of a group of listed segments, in shared memory.
#include "shared/memory.glsl"

shared uint shared_record[SEGSORT_GROUP_WORDS];
shared uint shared_rows_low, shared_rows_high;

void segsort_record_listed(uint number)
{
    SegsortListed listed = segsort_listed(number);
    if (listed.refused) {
        atomicAdd(shared_record[SEGSORT_GROUP_REFUSED], 1u);
        atomicMin(shared_record[SEGSORT_GROUP_FIRST_REFUSED], number);
    }
    if (listed.rows == 0u)
        return;
    // A group's rows may be more than a word holds; their halves are not.
    atomicAdd(shared_rows_low, listed.rows & 0xffffu);
    atomicAdd(shared_rows_high, listed.rows >> 16);
    atomicMax(shared_record[SEGSORT_GROUP_LONGEST], listed.rows);
    uint number_class = segsort_list_class(listed.rows);
    atomicAdd(shared_record[number_class], 1u);
    if (number_class == class_count - 1u) {
        atomicAdd(shared_record[SEGSORT_GROUP_TILES], segsort_list_tiles(listed.rows));
        atomicAdd(shared_record[SEGSORT_GROUP_CHUNKS], segsort_list_chunks(listed.rows));
        atomicAdd(shared_record[SEGSORT_GROUP_LONG_ROWS], listed.rows);
    }
}

// Fills in shared_record for the group's segments below end.
void segsort_record_group(uint group, uint end)
{
    if (gl_LocalInvocationIndex < SEGSORT_GROUP_WORDS)
        shared_record[gl_LocalInvocationIndex] =
            gl_LocalInvocationIndex == SEGSORT_GROUP_FIRST_REFUSED ? 0xffffffffu : 0u;
    if (gl_LocalInvocationIndex == 0u)
        shared_rows_low = shared_rows_high = 0u;
    segsort_sync_shared();
    for (uint n = gl_LocalInvocationIndex; n < SEGSORT_LIST_GROUP; n += SEGSORT_THREADS) {
        uint number = group * SEGSORT_LIST_GROUP + n;
        if (number < end)
            segsort_record_listed(number);
    }
    segsort_sync_shared();
    if (gl_LocalInvocationIndex == 0u) {
        uint high = shared_rows_high + (shared_rows_low >> 16);
        shared_record[SEGSORT_GROUP_ROWS] = high > 0xffffu ? 0xffffffffu : (high << 16) | (shared_rows_low & 0xffffu);
    }
    segsort_sync_shared();
}
