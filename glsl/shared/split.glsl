// Splitters: rows of a long segment, sorted, that part it into buckets of about equally many rows. A
// row's bucket is the number of splitters that don't come after it; since rows are told apart by
// where they come from, equal keys are parted too. W. D. Frazer and A. C. McKellar, "Samplesort",
// JACM 1970; N. Leischner, V. Osipov, P. Sanders, "GPU sample sort", IPDPS 2010.
#if SEGSORT_KEY_WORDS == 1
#define SEGSORT_SPLITTER_ORDER(word) work[word]
#else
#define SEGSORT_SPLITTER_ORDER(word) uvec2(work[word], work[(word) + 1u])
#endif

uint segsort_bucket_count(uint segment)
{
    return table[split_word + segment * SEGSORT_SPLIT_WORDS + 1u];
}

uint segsort_samples_apart(uint segment)
{
    return table[split_word + segment * SEGSORT_SPLIT_WORDS + 2u];
}

uint segsort_splitter_word(uint segment, uint number)
{
    uint first = table[split_word + segment * SEGSORT_SPLIT_WORDS + 4u];
    return view_word[1].z + splitters + (first + number) * SEGSORT_SPLITTER_WORDS(SEGSORT_KEY_WORDS);
}

#if SEGSORT_SPLIT
// A search's steps are powers of two apart: a splitter more in every 32 keeps what its invocations
// read on different banks.
#define SEGSORT_SPLITTER(number) ((number) + ((number) >> 5))

shared SEGSORT_KEY shared_splitter[SEGSORT_DIGITS + SEGSORT_DIGITS / 32];
shared uint shared_splitter_row[SEGSORT_DIGITS + SEGSORT_DIGITS / 32];

// A barrier follows.
void segsort_load_splitters(uint segment, uint count)
{
    for (uint i = gl_LocalInvocationIndex; i + 1u < count; i += SEGSORT_THREADS) {
        uint word = segsort_splitter_word(segment, i);
        shared_splitter[SEGSORT_SPLITTER(i)] = SEGSORT_SPLITTER_ORDER(word);
        shared_splitter_row[SEGSORT_SPLITTER(i)] = work[word + SEGSORT_KEY_WORDS];
    }
}

uint segsort_find_bucket(SEGSORT_KEY order, uint row, uint count)
{
    uint bucket = 0u;
    for (uint step = 1u << (digit_bits - 1u); step > 0u; step /= 2u) {
        uint next = bucket + step, splitter = SEGSORT_SPLITTER(next - 1u);
        if (next < count && !segsort_order_precedes(order, row, shared_splitter[splitter], shared_splitter_row[splitter]))
            bucket = next;
    }
    return bucket;
}

// ------------------------------------------------------------------------------------------------
// Cells: the span from the first splitter to the last, parted evenly. A row's cell tells which few
// splitters it lies among, so that most searches are over after a step or two; keys whose splitters
// crowd into one cell take as many as without.

#define SEGSORT_CELLS 256u
#define SEGSORT_CELL_BITS 8

// Splitters of lower cells, for each cell and behind the last.
shared uint shared_cell[SEGSORT_CELLS + 1u];

SegsortSpan segsort_splitter_span(uint count)
{
    SEGSORT_KEY low = shared_splitter[0], high = shared_splitter[SEGSORT_SPLITTER(max(count, 2u) - 2u)];
    SegsortSpan span = SegsortSpan(low, 0u);
    span.shift = segsort_span_shift(segsort_span_distance(span, high));
    return span;
}

uint segsort_find_cell(SegsortSpan span, SEGSORT_KEY high, SEGSORT_KEY order)
{
    SEGSORT_KEY inside = segsort_order_precedes(order, 0u, span.low, 0u) ? span.low : order;
    inside = segsort_order_precedes(high, 0u, inside, 0u) ? high : inside;
    return segsort_span_place(span, inside) >> (32 - SEGSORT_CELL_BITS);
}

// A barrier lies before it and behind it.
void segsort_make_cells(uint count)
{
    SegsortSpan span = segsort_splitter_span(count);
    SEGSORT_KEY high = shared_splitter[SEGSORT_SPLITTER(max(count, 2u) - 2u)];
    for (uint cell = gl_LocalInvocationIndex; cell <= SEGSORT_CELLS; cell += SEGSORT_THREADS) {
        uint below = 0u;
        for (uint step = SEGSORT_DIGITS / 2u; step > 0u; step /= 2u) {
            uint next = below + step;
            if (next < count && segsort_find_cell(span, high, shared_splitter[SEGSORT_SPLITTER(next - 1u)]) < cell)
                below = next;
        }
        shared_cell[cell] = below;
    }
}

// The buckets of several rows side by side, by their orders alone as long as these tell. Splitters
// behind the last one are read but don't count.
void segsort_find_buckets(SEGSORT_KEY orders[SEGSORT_DIGIT_ROWS], uint rows[SEGSORT_DIGIT_ROWS], uint count,
                          out uint buckets[SEGSORT_DIGIT_ROWS])
{
    SegsortSpan span = segsort_splitter_span(count);
    SEGSORT_KEY high = shared_splitter[SEGSORT_SPLITTER(max(count, 2u) - 2u)];
    uint ends[SEGSORT_DIGIT_ROWS];
    uint most = 0u;
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++) {
        uint cell = segsort_find_cell(span, high, orders[n]);
        buckets[n] = shared_cell[cell];
        ends[n] = shared_cell[cell + 1u];
        most = max(most, ends[n] - buckets[n]);
    }
    for (; most > 0u; most /= 2u)
        for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++) {
            uint middle = (buckets[n] + ends[n]) / 2u;
            bool open = buckets[n] < ends[n];
            bool behind = segsort_order_precedes(shared_splitter[SEGSORT_SPLITTER(middle)], 0u, orders[n], 0u);
            buckets[n] = open && behind ? middle + 1u : buckets[n];
            ends[n] = open && !behind ? middle : ends[n];
        }
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        if (buckets[n] + 1u < count && shared_splitter[SEGSORT_SPLITTER(buckets[n])] == orders[n])
            buckets[n] = segsort_find_bucket(orders[n], rows[n], count);
}
#endif
