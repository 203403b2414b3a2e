#version 430
// Sorts the bunches of buckets of a segment so long that its buckets have more rows than a work group has memory for:
// part by part, or digit by digit where keys crowd. From the scratch to the outputs.
#define SEGSORT_INPUT_ACCESS
#include "shared/segments.glsl"
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"
#include "shared/scan.glsl"
#include "shared/split.glsl"
#include "shared/bunch.glsl"
#include "shared/both_ways.glsl"
#include "shared/parts.glsl"
#include "shared/few_bits.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// Ends with the invocations in step: another bunch may come. Each step is called in one place, since compilers put a
// copy of it wherever it is called.
//
// A turn measures a window, counts its cells and sorts its parts. The next one's window is the first cell that was too
// full, or what is above the window. Where such a cell's rows have one number they are copied, and the window goes on
// behind them, as it does where it has too many parts for one turn. Each turn sorts a row at least or narrows the
// window.
void segsort_sort_bunch(SegsortPack bunch)
{
    SegsortWindow window = segsort_window_of(SEGSORT_KEY(0u), SEGSORT_KEY(0xffffffffu));
    SegsortStretch cells = SegsortStretch(0u, uint(SEGSORT_CELLS));
    // Fewer rows than a tile has may be of several buckets, and are measured.
    window.even = segsort_bucket_is_even() && bunch.rows > uint(SEGSORT_TILE_ROWS);
    bool measures = !window.even, above = false, gives_up = false;
    uint before = 0u, start = 0u, sorted = 0u; // rows before the window, in it before the cells, both
    for (uint turn = 0u; turn <= bunch.rows && sorted < bunch.rows && !gives_up; turn++) {
        SegsortWindow next = window;
        for (uint i = measures ? 0u : 1u; i < 1u; i++)
            next = segsort_window_around(bunch, window, cells, above);
        bool equal = measures && turn > 0u && !above && next.low == next.high;
        for (uint i = equal ? 0u : 1u; i < 1u; i++)
            segsort_copy_equal(bunch, next, before + start);
        if (equal) {
            window.first = cells.behind;
        } else if (measures) {
            window = next;
            before += start;
        }
        window = segsort_count_cells(bunch, window);
        gives_up = bunch.rows > SEGSORT_WINDOWS_ROWS && window.end < uint(SEGSORT_CELLS);
        for (uint part = 0u; part < (gives_up ? 0u : window.parts); part++)
            segsort_sort_part(bunch, window, part, before);
        start = shared_cell[SEGSORT_BANKED(window.end)];
        sorted = before + start;
        above = window.end == uint(SEGSORT_CELLS);
        measures = above || window.end == window.full;
        window.first = window.end;
        cells = SegsortStretch(window.end, window.end + 1u);
        segsort_sync_shared();
    }
    for (uint i = gives_up ? 0u : 1u; i < 1u; i++)
        segsort_sort_few_bits(bunch);
}

void main()
{
    uint number = segsort_group(), segment = table[finish_word + min(number, item_count - 1u)];
    uint bunches = segsort_bunch_word(segment), count = number < item_count ? work[bunches] : 0u;
    segsort_load_even(segment);
    uint first = number - segsort_split_word(segment, SEGSORT_SPLIT_FIRST_GROUP);
    for (uint bunch = first; bunch < count; bunch += segsort_split_word(segment, SEGSORT_SPLIT_GROUPS))
        segsort_sort_bunch(segsort_bunch(segment, bunches + 1u + bunch));
}
