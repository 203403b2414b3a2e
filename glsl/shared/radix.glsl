// Stable ranking of a tile's rows by a digit of up to 8 bits, in shared memory, without subgroups.
//
// Each row is an entry: its digit in the upper half word, its place in the tile in the lower. An
// invocation owns SEGSORT_RANK_ROWS consecutive entries and counts their four-bit digits one after
// the other in counters of its own, so that it knows for each how many equal ones came before it in
// the invocation. A scan over (digit, invocation) then tells how many entries come before all of
// these. Two rounds, of the digit's low and high half, order the tile by the whole digit. N.
// Satish, M. Harris, M. Garland, "Designing efficient sorting algorithms for manycore GPUs", IPDPS
// 2009; D. Merrill, A. Grimshaw, "Revisiting sorting for GPGPU stream architectures", 2010 (packed
// counters).
//
// SEGSORT_THREADS    256
// SEGSORT_TILE_ROWS  a multiple of it, fewer than 65,536
#include "shared/memory.glsl"
#define SEGSORT_RANK_ROWS (SEGSORT_TILE_ROWS / SEGSORT_THREADS)
#define SEGSORT_RANK_COUNTERS 8

// An entry more in every 16, and a counter more in every 32 and whole banks from digit to digit,
// keep 32 neighbouring invocations on different banks, whatever their digits are.
#define SEGSORT_ENTRY(place) ((place) + ((place) >> 4))
#define SEGSORT_COUNTER_STRIDE ((SEGSORT_THREADS * 33 / 32 + 31) / 32 * 32)
#define SEGSORT_COUNTER(digit, invocation) ((digit) * SEGSORT_COUNTER_STRIDE + (invocation) + ((invocation) >> 5))

shared uint shared_entry[SEGSORT_TILE_ROWS + SEGSORT_TILE_ROWS / 16];
shared uint shared_counter[SEGSORT_RANK_COUNTERS * SEGSORT_COUNTER_STRIDE];

uint segsort_entry_make(uint digit, uint place)
{
    return (digit << 16) | place;
}

uint segsort_entry_digit(uint entry)
{
    return entry >> 16;
}

uint segsort_entry_place(uint entry)
{
    return entry & 0xffffu;
}

// A counter word holds digit d in its lower half and digit d + 8 in its upper one.
uint segsort_counter_of(uint digit)
{
    return SEGSORT_COUNTER(digit & 7u, gl_LocalInvocationIndex);
}

uint segsort_counter_shift(uint digit)
{
    return (digit & 8u) << 1;
}

// Turns the counters into the number of entries before each one's first, in the order of (digit,
// invocation).
void segsort_scan_counters()
{
    // Eight invocations' counters of one digit are this one's to scan.
    uint digit = gl_LocalInvocationIndex / (SEGSORT_THREADS / SEGSORT_RANK_COUNTERS);
    uint first = gl_LocalInvocationIndex % (SEGSORT_THREADS / SEGSORT_RANK_COUNTERS) * SEGSORT_RANK_COUNTERS;
    uint first_counter = SEGSORT_COUNTER(digit, first), sum = 0u, total;
    for (uint i = 0u; i < SEGSORT_RANK_COUNTERS; i++)
        sum += shared_counter[first_counter + i];
    uint before = segsort_scan_exclusive(sum, total);
    // The upper halves are digits that come after all of the lower ones.
    before += total << 16;
    for (uint i = 0u; i < SEGSORT_RANK_COUNTERS; i++) {
        uint count = shared_counter[first_counter + i];
        shared_counter[first_counter + i] = before;
        before += count;
    }
    segsort_sync_shared();
}

// Reorders the tile's entries by four bits of their digits, stably.
void segsort_rank_entries(uint shift)
{
    uint entries[SEGSORT_RANK_ROWS], ranks[SEGSORT_RANK_ROWS];
    for (uint i = 0u; i < SEGSORT_RANK_COUNTERS; i++)
        shared_counter[SEGSORT_COUNTER(i, gl_LocalInvocationIndex)] = 0u;
    uint first = gl_LocalInvocationIndex * SEGSORT_RANK_ROWS;
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        entries[n] = shared_entry[SEGSORT_ENTRY(first + n)];
        uint digit = (segsort_entry_digit(entries[n]) >> shift) & 15u;
        uint counter = segsort_counter_of(digit), half_shift = segsort_counter_shift(digit);
        uint count = shared_counter[counter];
        ranks[n] = (count >> half_shift) & 0xffffu;
        shared_counter[counter] = count + (1u << half_shift);
    }
    segsort_sync_shared();
    segsort_scan_counters();
    for (uint n = 0u; n < SEGSORT_RANK_ROWS; n++) {
        uint digit = (segsort_entry_digit(entries[n]) >> shift) & 15u;
        uint before = (shared_counter[segsort_counter_of(digit)] >> segsort_counter_shift(digit)) & 0xffffu;
        shared_entry[SEGSORT_ENTRY(before + ranks[n])] = entries[n];
    }
    segsort_sync_shared();
}

// Reorders by the whole digit. bits, the digit's width, is the same in all invocations.
void segsort_sort_entries(uint bits)
{
    for (uint shift = 0u; shift < bits; shift += 4u)
        segsort_rank_entries(shift);
}
