// Reading and writing rows. Keys and values are one or two 32-bit words, in buffers of words, so
// that any 4-byte offset works.
//
// SEGSORT_KEY_WORDS    1 or 2
// SEGSORT_VALUE_WORDS  0 (no values), 1 or 2
// SEGSORT_VALUE_INDEX  1: a value is the row's number in its segment, and there is no input buffer of values
#ifndef SEGSORT_KEY_WORDS
#error SEGSORT_KEY_WORDS is not defined
#endif

#if SEGSORT_KEY_WORDS == 1
#define SEGSORT_KEY uint
#else
#define SEGSORT_KEY uvec2
#endif

#if SEGSORT_VALUE_WORDS == 2
#define SEGSORT_VALUE uvec2
#else
#define SEGSORT_VALUE uint
#endif

// A row that can be loaded, where an invocation may have none: the last one. A load behind a branch
// waits for the load before it, others are under way at once: docs/tuning.md.
uint segsort_row_in(uint row, uint rows)
{
    return min(row, max(rows, 1u) - 1u);
}

// Between the last row of the inputs that a work group reads and the first one that it writes: in place that one may lie
// where another invocation has yet to read. Out of place there is nothing to wait for.
void segsort_sync_in_place()
{
    for (uint turn = view_word[1].w != 0u ? 0u : 1u; turn < 1u; turn++) {
        groupMemoryBarrier();
        barrier();
    }
}

// Rows are given by the word of a run's first row and a row's number in the run.
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_KEYS)) != 0
SEGSORT_KEY segsort_read_key(uint first_word, uint row)
{
    uint word = first_word + row * SEGSORT_KEY_WORDS;
#if SEGSORT_KEY_WORDS == 1
    return keys[word];
#else
    return uvec2(keys[word], keys[word + 1u]);
#endif
}
#endif

#if SEGSORT_VALUE_WORDS > 0 && (SEGSORT_USES & (1 << SEGSORT_BINDING_VALUES)) != 0
SEGSORT_VALUE segsort_read_value(uint first_word, uint row)
{
    uint word = first_word + row * SEGSORT_VALUE_WORDS;
#if SEGSORT_VALUE_WORDS == 1
    return values[word];
#else
    return uvec2(values[word], values[word + 1u]);
#endif
}
#endif

#if (SEGSORT_USES & (1 << SEGSORT_BINDING_OUTPUT_KEYS)) != 0
SEGSORT_KEY segsort_read_output_key(uint first_word, uint row)
{
    uint word = first_word + row * SEGSORT_KEY_WORDS;
#if SEGSORT_KEY_WORDS == 1
    return output_keys[word];
#else
    return uvec2(output_keys[word], output_keys[word + 1u]);
#endif
}

void segsort_write_output_key(uint first_word, uint row, SEGSORT_KEY key)
{
    uint word = first_word + row * SEGSORT_KEY_WORDS;
#if SEGSORT_KEY_WORDS == 1
    output_keys[word] = key;
#else
    output_keys[word] = key.x;
    output_keys[word + 1u] = key.y;
#endif
}
#endif

#if SEGSORT_VALUE_WORDS > 0 && (SEGSORT_USES & (1 << SEGSORT_BINDING_OUTPUT_VALUES)) != 0
SEGSORT_VALUE segsort_read_output_value(uint first_word, uint row)
{
    uint word = first_word + row * SEGSORT_VALUE_WORDS;
#if SEGSORT_VALUE_WORDS == 1
    return output_values[word];
#else
    return uvec2(output_values[word], output_values[word + 1u]);
#endif
}

void segsort_write_output_value(uint first_word, uint row, SEGSORT_VALUE value)
{
    uint word = first_word + row * SEGSORT_VALUE_WORDS;
#if SEGSORT_VALUE_WORDS == 1
    output_values[word] = value;
#else
    output_values[word] = value.x;
    output_values[word + 1u] = value.y;
#endif
}
#endif

// A row's value in a place; the caller's input has none when values are row numbers.
#if SEGSORT_VALUE_WORDS > 0 && (SEGSORT_USES & (1 << SEGSORT_BINDING_VALUES)) != 0
SEGSORT_VALUE segsort_read_source_value(uint place, uint first_word, uint row)
{
#if SEGSORT_VALUE_INDEX
    if (place == SEGSORT_PLACE_INPUT)
        return row;
#endif
    return segsort_read_value(first_word, row);
}
#endif
