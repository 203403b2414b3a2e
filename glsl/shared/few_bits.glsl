// Sorts a bucket in the buffers, back and forth between the scratch and the outputs, by a few bits at a time from the
// lowest on: in as many rounds however the keys crowd. Slower than parts, but neither so slow that a driver would lose
// patience nor in need of memory.
//
// An invocation has a stretch of the rows, and counters of its own for the digits in it. A scan over all of them, digit
// by digit and in these from invocation to invocation, gives where each of its rows goes, so that equal digits stay in
// their order. The counters are where the parts' rows are else. M. Zagha and G. E. Blelloch, "Radix sort for vector
// multiprocessors", Supercomputing 1991, count so.
#if 8 * SEGSORT_THREADS <= SEGSORT_PART_ROWS
#define SEGSORT_FEW_BITS 3
#else
#define SEGSORT_FEW_BITS 2
#endif
#define SEGSORT_FEW_DIGITS (1 << SEGSORT_FEW_BITS)

// A number's digit from a bit on; 0 behind its last bit.
uint segsort_few_digit(SEGSORT_KEY order, uint shift)
{
#if SEGSORT_KEY_WORDS == 1
    uint bits = shift < 32u ? order >> shift : 0u;
#else
    uint bits = shift < 32u ? order.x >> shift : shift < 64u ? order.y >> (shift - 32u) : 0u;
    if (shift > 0u && shift < 32u)
        bits |= order.y << (32u - shift);
#endif
    return bits & uint(SEGSORT_FEW_DIGITS - 1);
}

uint segsort_few_counter(uint digit)
{
    return digit * uint(SEGSORT_THREADS) + gl_LocalInvocationIndex;
}

void segsort_scan_few_counters()
{
    uint first = gl_LocalInvocationIndex * uint(SEGSORT_FEW_DIGITS), sum = 0u, total;
    segsort_sync_shared();
    for (uint i = 0u; i < SEGSORT_FEW_DIGITS; i++)
        sum += shared_row[first + i];
    uint before = segsort_scan_exclusive(sum, total);
    for (uint i = 0u; i < SEGSORT_FEW_DIGITS; i++) {
        uint count = shared_row[first + i];
        shared_row[first + i] = before;
        before += count;
    }
    segsort_sync_shared();
}

void segsort_move_few_bits(SegsortPack run, uint shift, bool back)
{
    uint stretch = (run.rows + uint(SEGSORT_THREADS - 1)) / uint(SEGSORT_THREADS);
    uint first = min(gl_LocalInvocationIndex * stretch, run.rows), behind = min(first + stretch, run.rows);
    for (uint digit = 0u; digit < SEGSORT_FEW_DIGITS; digit++)
        shared_row[segsort_few_counter(digit)] = 0u;
    for (uint row = first; row < behind; row++) {
        SEGSORT_KEY order = segsort_order_of(segsort_load_key(run.keys, back, row));
        shared_row[segsort_few_counter(segsort_few_digit(order, shift))]++;
    }
    segsort_scan_few_counters();
    for (uint row = first; row < behind; row++) {
        SEGSORT_KEY key = segsort_load_key(run.keys, back, row);
        uint counter = segsort_few_counter(segsort_few_digit(segsort_order_of(key), shift));
        uint place = shared_row[counter]++;
        segsort_move_key(run.output_keys, back, place, key);
        segsort_move_value(run, back, row, place);
    }
    groupMemoryBarrier();
    segsort_sync_shared();
}

// The last round has to end in the outputs; one more than it takes moves the rows as they are.
void segsort_sort_few_bits(SegsortPack bunch)
{
    bool back = false;
    for (uint shift = 0u; shift < uint(32 * SEGSORT_KEY_WORDS) || !back; shift += uint(SEGSORT_FEW_BITS)) {
        SegsortPack run = bunch;
        if (back)
            run = segsort_returning(bunch);
        segsort_move_few_bits(run, shift, back);
        back = !back;
    }
}
