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

// Of several rows side by side, by their orders alone as long as these tell. Splitters behind the last
// one are read but don't count.
void segsort_find_buckets(SEGSORT_KEY orders[SEGSORT_DIGIT_ROWS], uint rows[SEGSORT_DIGIT_ROWS], uint count,
                          out uint buckets[SEGSORT_DIGIT_ROWS])
{
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        buckets[n] = 0u;
    for (uint step = 1u << (digit_bits - 1u); step > 0u; step /= 2u)
        for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++) {
            uint next = buckets[n] + step;
            bool behind = segsort_order_precedes(shared_splitter[SEGSORT_SPLITTER(next - 1u)], 0u, orders[n], 0u);
            buckets[n] = behind && next < count ? next : buckets[n];
        }
    for (uint n = 0u; n < SEGSORT_DIGIT_ROWS; n++)
        if (buckets[n] + 1u < count && shared_splitter[SEGSORT_SPLITTER(buckets[n])] == orders[n])
            buckets[n] = segsort_find_bucket(orders[n], rows[n], count);
}
#endif
