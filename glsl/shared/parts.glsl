// Sorts a bucket that has more rows than a work group has memory for.
//
// A window is a stretch of the ordered numbers, at first the span of all of the bucket's. It is cut into cells, equally
// long stretches, whose rows are counted; a scan over the counts tells where each cell's rows go. Neighbouring cells
// that have room in the work group's memory together make up a part: the bucket's rows are gone through, those of the
// part come to their cells, and each finds its place among the few of its cell. So the bucket is gone through once a
// part, and twice before.
//
// A cell that has too many rows becomes a window of its own, until all its rows have one number: then they are in their
// order already. So keys that crowd cost rounds through the bucket, and no memory; of a bucket that is so large that
// this may take long, digits are sorted instead (shared/few_bits.glsl).
//
// SEGSORT_TILE_ROWS   rows that the invocations have side by side
// SEGSORT_THREADS     divides half of it
#include "shared/memory.glsl"

// As many as leave room for two tiles' rows in the memory of a pack.
#if SEGSORT_SUBGROUP_SCANS && SEGSORT_TILE_ROWS >= 4 * SEGSORT_THREADS
#define SEGSORT_LANE_CELLS 3
#else
#define SEGSORT_LANE_CELLS (SEGSORT_TILE_ROWS / 2 / SEGSORT_THREADS)
#endif
#define SEGSORT_CELLS (SEGSORT_LANE_CELLS * SEGSORT_THREADS)
#define SEGSORT_LANE_ROWS (SEGSORT_TILE_ROWS / SEGSORT_THREADS)

// Rows of a part. A sixteenth more than a power of two, so that one of as many buckets, which have some rows more or
// less than they have on average, still is a single part.
#define SEGSORT_PART_ROWS (2 * SEGSORT_TILE_ROWS + SEGSORT_TILE_ROWS / 8)
#define SEGSORT_PARTS_MAX 64

// Crowded windows cost up to a hundredth of the bucket's rows in rounds: so many rows take as long digit by digit.
#define SEGSORT_WINDOWS_ROWS 65536u

// More rows of a cell are too many for all of them to be compared, or for parts that are half full at least.
#define SEGSORT_CELL_FULL uint(SEGSORT_TILE_ROWS < 256 ? SEGSORT_TILE_ROWS : 256)

// Rows that an invocation looks at side by side.
#define SEGSORT_WALK_ROWS 4u

// Counters, then cells' first places in the window; those behind their last ones once their part is sorted. Behind
// them is what all cells have.
shared uint shared_cell[SEGSORT_BANKED(SEGSORT_CELLS) + 1];

// A part's rows: above, the leading bits of where in its cell a row lies, below, its number in the bucket.
shared uint shared_row[SEGSORT_PART_ROWS];

// First cells of the window's parts, and the first one behind them.
shared uint shared_part[SEGSORT_PARTS_MAX + 1];
shared uint shared_full, shared_fullest;
shared uint shared_low[SEGSORT_KEY_WORDS], shared_high[SEGSORT_KEY_WORDS];

struct SegsortWindow {
    SEGSORT_KEY low; // the least number of its rows, and the greatest
    SEGSORT_KEY high;
    SegsortSpan span;
    uint first; // cells before it are sorted
    uint parts;
    uint end;  // cells before it are the parts'
    uint full; // the first cell from there on that is too full
    bool even; // the whole of a bucket that is one of even ones: cells cut it on
};

// Some neighbouring cells of a window, or rows of a part.
struct SegsortStretch {
    uint first;
    uint behind;
};

// ------------------------------------------------------------------------------------------------
// Even buckets

// Floats' windows are cut by their bits else, and lie evenly by their values.
#if SEGSORT_KEY_WORDS == 1 && SEGSORT_KEY_TYPE == 2 && SEGSORT_KEY_MASKED == 0
#define SEGSORT_EVEN_CELLS 1

// How the segment is cut: scale is 0 where it is not cut evenly.
SegsortEven bucket_even;

void segsort_load_even(uint segment)
{
    uint word = segsort_splitter_word(segment, 0u);
    bool told = segsort_bucket_count(segment) > 1u;
    bucket_even = SegsortEven(told ? work[word] : 0u, work[word + 1u], work[word + 2u], work[word + 3u]);
}

bool segsort_bucket_is_even()
{
    return bucket_even.scale != 0u;
}

// Where in its bucket a row lies, in 2^-32 of it: what segsort_even_bucket leaves.
uint segsort_even_rest(SEGSORT_KEY order)
{
    return segsort_even_place(bucket_even, order) * bucket_even.scale;
}
#else
#define SEGSORT_EVEN_CELLS 0

void segsort_load_even(uint segment)
{
}

bool segsort_bucket_is_even()
{
    return false;
}
#endif

// ------------------------------------------------------------------------------------------------
// Going through the rows

uint segsort_walk_steps(uint rows)
{
    return (rows + uint(SEGSORT_THREADS - 1)) / uint(SEGSORT_THREADS);
}

SEGSORT_KEY segsort_order_at(SegsortPack bunch, uint row)
{
    return segsort_order_of(segsort_read_key(bunch.keys, row));
}

// Numbers of an invocation's rows, from a step on, and which rows these are; those behind the end are not there.
struct SegsortWalked {
    uint row[SEGSORT_WALK_ROWS];
    bool there[SEGSORT_WALK_ROWS];
    SEGSORT_KEY order[SEGSORT_WALK_ROWS];
};

SegsortWalked segsort_walk(SegsortPack bunch, uint step)
{
    SegsortWalked walked;
    for (uint n = 0u; n < SEGSORT_WALK_ROWS; n++) {
        walked.row[n] = (step + n) * uint(SEGSORT_THREADS) + gl_LocalInvocationIndex;
        walked.there[n] = walked.row[n] < bunch.rows;
        walked.order[n] = segsort_order_at(bunch, segsort_row_in(walked.row[n], bunch.rows));
    }
    return walked;
}

bool segsort_in_window(SegsortWindow window, SEGSORT_KEY order)
{
#if SEGSORT_KEY_WORDS == 1
    return order - window.low <= window.high - window.low;
#else
    return !segsort_order_precedes(order, 0u, window.low, 0u) && !segsort_order_precedes(window.high, 0u, order, 0u);
#endif
}

// Where in the window a number lies, in 2^-32 of it or more.
uint segsort_window_place(SegsortWindow window, SEGSORT_KEY order)
{
#if SEGSORT_EVEN_CELLS
    if (window.even)
        return segsort_even_rest(order);
#endif
    return segsort_span_place(window.span, order);
}

uint segsort_cell(SegsortWindow window, SEGSORT_KEY order)
{
    return segsort_multiply_high(segsort_window_place(window, order), uint(SEGSORT_CELLS));
}

// Where in its cell, in 2^-32 of it.
uint segsort_cell_place(SegsortWindow window, SEGSORT_KEY order)
{
    return segsort_window_place(window, order) * uint(SEGSORT_CELLS);
}

bool segsort_in_cells(SegsortWindow window, SEGSORT_KEY order, SegsortStretch cells)
{
    return segsort_in_window(window, order) && segsort_cell(window, order) - cells.first < cells.behind - cells.first;
}

// ------------------------------------------------------------------------------------------------
// Windows

SegsortWindow segsort_window_of(SEGSORT_KEY low, SEGSORT_KEY high)
{
    return SegsortWindow(low, high, segsort_span_between(low, high), 0u, 0u, 0u, uint(SEGSORT_CELLS), false);
}

void segsort_clear_span()
{
    if (gl_LocalInvocationIndex < SEGSORT_KEY_WORDS) {
        shared_low[gl_LocalInvocationIndex] = 0xffffffffu;
        shared_high[gl_LocalInvocationIndex] = 0u;
    }
}

// Which rows are measured: those of some of the window's cells, or those above it.
bool segsort_is_measured(SegsortWindow window, SEGSORT_KEY order, SegsortStretch cells, bool above)
{
    return above ? segsort_order_precedes(window.high, 0u, order, 0u) : segsort_in_cells(window, order, cells);
}

#if SEGSORT_KEY_WORDS == 1
void segsort_measure(SegsortPack bunch, SegsortWindow window, SegsortStretch cells, bool above)
{
    uint low = 0xffffffffu, high = 0u, steps = segsort_walk_steps(bunch.rows);
    for (uint step = 0u; step < steps; step += SEGSORT_WALK_ROWS) {
        SegsortWalked walked = segsort_walk(bunch, step);
        for (uint n = 0u; n < SEGSORT_WALK_ROWS; n++)
            if (walked.there[n] && segsort_is_measured(window, walked.order[n], cells, above)) {
                low = min(low, walked.order[n]);
                high = max(high, walked.order[n]);
            }
    }
    atomicMin(shared_low[0], low);
    atomicMax(shared_high[0], high);
    segsort_sync_shared();
}

SegsortWindow segsort_measured_window()
{
    return segsort_window_of(shared_low[0], shared_high[0]);
}
#else
// The upper words, then the lower words of those that have the least and the greatest of these.
void segsort_measure(SegsortPack bunch, SegsortWindow window, SegsortStretch cells, bool above)
{
    uint steps = segsort_walk_steps(bunch.rows);
    for (uint turn = 0u; turn < 2u; turn++) {
        uint word = 1u - turn, low = 0xffffffffu, high = 0u;
        for (uint step = 0u; step < steps; step += SEGSORT_WALK_ROWS) {
            SegsortWalked walked = segsort_walk(bunch, step);
            for (uint n = 0u; n < SEGSORT_WALK_ROWS; n++) {
                uvec2 order = walked.order[n];
                uint number = word == 1u ? order.y : order.x;
                bool measured = walked.there[n] && segsort_is_measured(window, order, cells, above);
                low = measured && (word == 1u || order.y == shared_low[1]) ? min(low, number) : low;
                high = measured && (word == 1u || order.y == shared_high[1]) ? max(high, number) : high;
            }
        }
        atomicMin(shared_low[word], low);
        atomicMax(shared_high[word], high);
        segsort_sync_shared();
    }
}

SegsortWindow segsort_measured_window()
{
    return segsort_window_of(uvec2(shared_low[0], shared_low[1]), uvec2(shared_high[0], shared_high[1]));
}
#endif

SegsortWindow segsort_window_around(SegsortPack bunch, SegsortWindow window, SegsortStretch cells, bool above)
{
    segsort_clear_span();
    segsort_sync_shared();
    segsort_measure(bunch, window, cells, above);
    return segsort_measured_window();
}

// ------------------------------------------------------------------------------------------------
// Cells and parts

void segsort_clear_cells()
{
    for (uint i = gl_LocalInvocationIndex; i < SEGSORT_BANKED(SEGSORT_CELLS); i += SEGSORT_THREADS)
        shared_cell[i] = 0u;
    if (gl_LocalInvocationIndex == 0u) {
        shared_full = uint(SEGSORT_CELLS);
        shared_fullest = 0u;
    }
    segsort_sync_shared();
}

void segsort_count_into_cells(SegsortPack bunch, SegsortWindow window)
{
    uint steps = segsort_walk_steps(bunch.rows);
    for (uint step = 0u; step < steps; step += SEGSORT_WALK_ROWS) {
        SegsortWalked walked = segsort_walk(bunch, step);
        for (uint n = 0u; n < SEGSORT_WALK_ROWS; n++)
            if (walked.there[n] && segsort_in_window(window, walked.order[n]))
                atomicAdd(shared_cell[SEGSORT_BANKED(segsort_cell(window, walked.order[n]))], 1u);
    }
    segsort_sync_shared();
}

// Parts of as many rows each as leave room for the fullest cell, up to a cell that is too full. Cells' counts become
// their first places in the window; of cells that are sorted, the place behind their last row.
SegsortWindow segsort_find_parts(SegsortWindow window)
{
    uint counts[SEGSORT_LANE_CELLS], sum = 0u, total, full = uint(SEGSORT_CELLS), fullest = 0u;
    uint cell = gl_LocalInvocationIndex * uint(SEGSORT_LANE_CELLS);
    for (uint i = 0u; i < SEGSORT_LANE_CELLS; i++) {
        counts[i] = shared_cell[SEGSORT_BANKED(cell + i)];
        sum += counts[i];
        full = counts[i] > SEGSORT_CELL_FULL && cell + i >= window.first ? min(full, cell + i) : full;
        fullest = counts[i] > SEGSORT_CELL_FULL ? fullest : max(fullest, counts[i]);
    }
    atomicMin(shared_full, full);
    atomicMax(shared_fullest, fullest);
    uint start = segsort_scan_exclusive(sum, total);
    for (uint i = 0u; i < SEGSORT_LANE_CELLS; i++) {
        shared_cell[SEGSORT_BANKED(cell + i)] = start + (cell + i < window.first ? counts[i] : 0u);
        start += counts[i];
    }
    if (gl_LocalInvocationIndex == uint(SEGSORT_THREADS - 1))
        shared_cell[SEGSORT_BANKED(SEGSORT_CELLS)] = total;
    if (gl_LocalInvocationIndex == 0u)
        shared_part[0] = window.first;
    segsort_sync_shared();
    uint quota = uint(SEGSORT_PART_ROWS) - shared_fullest, before = shared_cell[SEGSORT_BANKED(window.first)];
    window.full = shared_full;
    for (uint i = 0u; i < SEGSORT_LANE_CELLS; i++) {
        uint own = start - sum - before, part = (own + counts[i]) / quota;
        if (cell + i >= window.first && part != own / quota && part <= uint(SEGSORT_PARTS_MAX))
            shared_part[part] = cell + i + 1u;
        sum -= counts[i];
    }
    segsort_sync_shared();
    uint rows = shared_cell[SEGSORT_BANKED(window.full)] - before, parts = (rows + quota - 1u) / quota;
    window.parts = min(parts, uint(SEGSORT_PARTS_MAX));
    window.end = parts > window.parts ? shared_part[window.parts] : window.full;
    return window;
}

SegsortWindow segsort_count_cells(SegsortPack bunch, SegsortWindow window)
{
    segsort_clear_cells();
    segsort_count_into_cells(bunch, window);
    SegsortWindow counted = segsort_find_parts(window);
    return counted;
}

// ------------------------------------------------------------------------------------------------
// Sorting a part

// The bits of a row's number in the bucket.
uint segsort_row_mask(SegsortPack bunch)
{
    return (2u << uint(max(findMSB(max(bunch.rows, 1u) - 1u), 0))) - 1u;
}

// Whether the bits that a part has of two rows of a cell differ wherever their numbers do.
bool segsort_places_suffice(SegsortWindow window, uint row_mask)
{
#if SEGSORT_KEY_WORDS == 1
    return !window.even && (row_mask >> window.span.shift) < uint(SEGSORT_CELLS);
#else
    return window.span.shift >= 32u && (row_mask >> (window.span.shift - 32u)) < uint(SEGSORT_CELLS);
#endif
}

// Brings rows of some cells to their cells' places, from the first cell's on. Cells' first places become those behind
// their last ones.
void segsort_place_part(SegsortPack bunch, SegsortWindow window, SegsortStretch cells, uint start)
{
    uint steps = segsort_walk_steps(bunch.rows), row_mask = segsort_row_mask(bunch);
    for (uint step = 0u; step < steps; step += SEGSORT_WALK_ROWS) {
        SegsortWalked walked = segsort_walk(bunch, step);
        for (uint n = 0u; n < SEGSORT_WALK_ROWS; n++)
            if (walked.there[n] && segsort_in_cells(window, walked.order[n], cells)) {
                uint place = atomicAdd(shared_cell[SEGSORT_BANKED(segsort_cell(window, walked.order[n]))], 1u) - start;
                shared_row[segsort_row_in(place, uint(SEGSORT_PART_ROWS))] =
                    (segsort_cell_place(window, walked.order[n]) & ~row_mask) | walked.row[n];
            }
    }
    segsort_sync_shared();
}

// Where a row, as the part has it, goes in the window.
uint segsort_find_place(SegsortPack bunch, SegsortWindow window, uint word, SEGSORT_KEY order, uint start)
{
    uint cell = segsort_cell(window, order), row_mask = segsort_row_mask(bunch);
    uint first = cell > 0u ? shared_cell[SEGSORT_BANKED(cell - 1u)] : 0u, behind = shared_cell[SEGSORT_BANKED(cell)];
    uint place = first;
    bool suffices = segsort_places_suffice(window, row_mask);
    for (uint i = first; i < behind; i++) {
        uint other = shared_row[i - start];
        bool before = other < word;
        if (!suffices && other != word && (other & ~row_mask) == (word & ~row_mask)) {
            uint row = other & row_mask;
            before = segsort_order_precedes(segsort_order_at(bunch, row), row, order, word & row_mask);
        }
        place += before ? 1u : 0u;
    }
    return place;
}

// Some of the part's rows, as many as the invocations have side by side.
void segsort_store_rows(SegsortPack bunch, SegsortWindow window, uint start, SegsortStretch rows, uint done)
{
    uint words[SEGSORT_LANE_ROWS], row_mask = segsort_row_mask(bunch);
    SEGSORT_KEY moved_keys[SEGSORT_LANE_ROWS];
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE moved_values[SEGSORT_LANE_ROWS];
#endif
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++) {
        words[n] = shared_row[segsort_row_in(rows.first + gl_LocalInvocationIndex + n * SEGSORT_THREADS, rows.behind)];
        moved_keys[n] = segsort_read_key(bunch.keys, words[n] & row_mask);
#if SEGSORT_VALUE_WORDS > 0
        moved_values[n] = segsort_read_value(bunch.values, words[n] & row_mask);
#endif
    }
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        if (rows.first + gl_LocalInvocationIndex + n * SEGSORT_THREADS < rows.behind) {
            uint place = done + segsort_find_place(bunch, window, words[n], segsort_order_of(moved_keys[n]), start);
            segsort_write_output_key(bunch.output_keys, place, moved_keys[n]);
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(bunch.output_values, place, moved_values[n]);
#endif
        }
}

// done: rows of the bucket that come before the window's.
void segsort_sort_part(SegsortPack bunch, SegsortWindow window, uint part, uint done)
{
    SegsortStretch cells = SegsortStretch(shared_part[part], part + 1u < window.parts ? shared_part[part + 1u] : window.end);
    uint start = shared_cell[SEGSORT_BANKED(cells.first)], rows = shared_cell[SEGSORT_BANKED(cells.behind)] - start;
    segsort_sync_shared();
    segsort_place_part(bunch, window, cells, start);
    for (uint first = 0u; first < rows; first += SEGSORT_TILE_ROWS)
        segsort_store_rows(bunch, window, start, SegsortStretch(first, rows), done);
    segsort_sync_shared();
}

// ------------------------------------------------------------------------------------------------
// Crowded keys

bool segsort_is_copied(SegsortPack bunch, SegsortWindow window, uint row)
{
    return row < bunch.rows && segsort_in_window(window, segsort_order_at(bunch, segsort_row_in(row, bunch.rows)));
}

// Rows of a window that all have one number, as they follow each other. An invocation goes through a stretch of the
// bucket's rows, so that the scan over their counts tells the rows' order.
void segsort_copy_equal(SegsortPack bunch, SegsortWindow window, uint place)
{
    uint steps = segsort_walk_steps(bunch.rows), first = gl_LocalInvocationIndex * steps, count = 0u, rows;
    for (uint step = 0u; step < steps; step++)
        count += segsort_is_copied(bunch, window, first + step) ? 1u : 0u;
    place += segsort_scan_exclusive(count, rows);
    for (uint step = 0u; step < steps; step++)
        if (segsort_is_copied(bunch, window, first + step)) {
            segsort_write_output_key(bunch.output_keys, place, segsort_read_key(bunch.keys, first + step));
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(bunch.output_values, place, segsort_read_value(bunch.values, first + step));
#endif
            place++;
        }
    segsort_sync_shared();
}
