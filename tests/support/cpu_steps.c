#include "cpu_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest segment that AUTO gives to the network. */
enum { AUTO_NETWORK_MAX = 512, DIGIT_BITS = 8, DIGITS = 256 };

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "cpu_steps: out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

static uint64_t *key_numbers(const struct cpu_order *order, const uint32_t *keys, size_t length)
{
    uint64_t *numbers = allocate(length * sizeof *numbers);
    size_t key_words = cpu_key_words(order->key_type);
    for (size_t i = 0; i < length; i++)
        numbers[i] = cpu_key_number(order, keys + i * key_words);
    return numbers;
}

static void number_rows(uint32_t *rows, size_t length)
{
    for (size_t i = 0; i < length; i++)
        rows[i] = (uint32_t)i;
}

/* ---------------------------------------------------------------------------------------------- */
/* The network */

uint32_t cpu_network_steps(size_t length)
{
    uint32_t stages = 0;
    for (size_t sorted = 1; sorted < length; sorted *= 2)
        stages++;
    return stages * (stages + 1) / 2;
}

/* The rows at two places change them if the second one comes first. */
static void compare_exchange(const uint64_t *numbers, uint32_t *rows, size_t lower, size_t upper)
{
    uint64_t a = numbers[rows[lower]], b = numbers[rows[upper]];
    if (a < b || (a == b && rows[lower] < rows[upper]))
        return;
    uint32_t row = rows[lower];
    rows[lower] = rows[upper];
    rows[upper] = row;
}

/* Row i of each block against row stage - 1 - i of it. */
static void reflected_step(const uint64_t *numbers, uint32_t *rows, size_t length, size_t stage)
{
    for (size_t block = 0; block < length; block += stage)
        for (size_t i = 0; i < stage / 2; i++)
            if (block + stage - 1 - i < length)
                compare_exchange(numbers, rows, block + i, block + stage - 1 - i);
}

static void stride_step(const uint64_t *numbers, uint32_t *rows, size_t length, size_t stride)
{
    for (size_t block = 0; block < length; block += 2 * stride)
        for (size_t i = block; i < block + stride && i + stride < length; i++)
            compare_exchange(numbers, rows, i, i + stride);
}

void cpu_network_order(const struct cpu_order *order, const uint32_t *keys, size_t length,
                       uint32_t steps, uint32_t *rows)
{
    uint64_t *numbers = key_numbers(order, keys, length);
    number_rows(rows, length);
    for (size_t stage = 2; stage / 2 < length && steps > 0; stage *= 2) {
        reflected_step(numbers, rows, length, stage);
        steps--;
        for (size_t stride = stage / 4; stride > 0 && steps > 0; stride /= 2, steps--)
            stride_step(numbers, rows, length, stride);
    }
    free(numbers);
}

/* ---------------------------------------------------------------------------------------------- */
/* The radix sort */

uint32_t cpu_radix_steps(const struct cpu_order *order)
{
    uint32_t bits = order->end_bit - order->begin_bit;
    if (order->begin_bit == 0 && order->end_bit == 0)
        bits = 32 * (uint32_t)cpu_key_words(order->key_type);
    return (bits + DIGIT_BITS - 1) / DIGIT_BITS;
}

static void digit_step(const uint64_t *numbers, uint32_t *rows, size_t length, uint32_t shift)
{
    size_t places[DIGITS + 1] = {0};
    uint32_t *before = allocate(length * sizeof *before);
    memcpy(before, rows, length * sizeof *before);
    for (size_t i = 0; i < length; i++)
        places[(numbers[i] >> shift) % DIGITS + 1]++;
    for (int digit = 0; digit < DIGITS; digit++)
        places[digit + 1] += places[digit];
    for (size_t i = 0; i < length; i++)
        rows[places[(numbers[before[i]] >> shift) % DIGITS]++] = before[i];
    free(before);
}

void cpu_radix_order(const struct cpu_order *order, const uint32_t *keys, size_t length,
                     uint32_t steps, uint32_t *rows)
{
    uint64_t *numbers = key_numbers(order, keys, length);
    number_rows(rows, length);
    for (uint32_t i = 0; i < steps && i < cpu_radix_steps(order); i++)
        digit_step(numbers, rows, length, i * DIGIT_BITS);
    free(numbers);
}

/* ---------------------------------------------------------------------------------------------- */

/* Whether the network sorts such a segment. */
static bool by_network(gl_segsort_algorithm algorithm, size_t length)
{
    return algorithm == GL_SEGSORT_ALGORITHM_BITONIC ||
           (algorithm == GL_SEGSORT_ALGORITHM_AUTO && length <= AUTO_NETWORK_MAX);
}

void cpu_step_segments(const struct cpu_order *order, gl_segsort_algorithm algorithm,
                       uint32_t steps, const uint32_t *keys, const uint32_t *values,
                       uint32_t *output_keys, uint32_t *output_values,
                       const gl_segsort_segment *segments, size_t count)
{
    size_t key_words = cpu_key_words(order->key_type);
    size_t input_words = cpu_input_value_words(order->value_type);
    size_t output_words = cpu_output_value_words(order->value_type);
    if (steps == 0) {
        cpu_sort_typed_segments(order, keys, values, output_keys, output_values, segments, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const gl_segsort_segment *s = &segments[i];
        const uint32_t *segment_keys = keys + s->keys_offset * key_words;
        uint32_t *rows = allocate(s->length * sizeof *rows);
        if (by_network(algorithm, s->length))
            cpu_network_order(order, segment_keys, s->length, steps, rows);
        else
            cpu_radix_order(order, segment_keys, s->length, steps, rows);
        cpu_move_rows(order, rows, segment_keys,
                      input_words ? values + s->values_offset * input_words : NULL,
                      output_keys + s->output_keys_offset * key_words,
                      output_words ? output_values + s->output_values_offset * output_words : NULL,
                      s->length);
        free(rows);
    }
}
