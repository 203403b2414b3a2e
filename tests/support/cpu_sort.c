#include "cpu_sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t cpu_key_words(gl_segsort_key_type type)
{
    return type == GL_SEGSORT_KEY_U64 ? 2 : 1;
}

size_t cpu_output_value_words(gl_segsort_value_type type)
{
    return type == GL_SEGSORT_VALUE_NONE ? 0 : type == GL_SEGSORT_VALUE_U64 ? 2 : 1;
}

size_t cpu_input_value_words(gl_segsort_value_type type)
{
    return type == GL_SEGSORT_VALUE_INDEX ? 0 : cpu_output_value_words(type);
}

/* A number that orders as the key does in ascending order. NaN is the greatest. */
static uint64_t ascending_number(gl_segsort_key_type type, const uint32_t *key)
{
    int32_t as_integer;
    float as_float;
    uint32_t bits;
    switch (type) {
    case GL_SEGSORT_KEY_I32:
        memcpy(&as_integer, key, 4);
        return (uint64_t)((int64_t)as_integer + 2147483648);
    case GL_SEGSORT_KEY_F32:
        memcpy(&as_float, key, 4);
        if (isnan(as_float))
            return UINT32_MAX;
        memcpy(&bits, &as_float, 4);
        if (bits == 0x80000000)
            bits = 0;
        return signbit(as_float) && bits != 0 ? 0xffffffffu - bits : 0x80000000u + bits;
    case GL_SEGSORT_KEY_U64:
        return key[0] | (uint64_t)key[1] << 32;
    default:
        return key[0];
    }
}

uint64_t cpu_key_number(const struct cpu_order *order, const uint32_t *key)
{
    unsigned bits = 32 * (unsigned)cpu_key_words(order->key_type);
    uint64_t all = bits == 64 ? UINT64_MAX : UINT32_MAX;
    uint64_t number = ascending_number(order->key_type, key);
    bool nan = order->key_type == GL_SEGSORT_KEY_F32 && number == UINT32_MAX;
    if (order->direction == GL_SEGSORT_DESCENDING && !nan)
        number = all - number;
    if (order->begin_bit == 0 && order->end_bit == 0)
        return number;
    uint64_t below_end =
        order->end_bit == 64 ? number : number & (((uint64_t)1 << order->end_bit) - 1);
    return order->begin_bit == 64 ? 0 : below_end >> order->begin_bit;
}

struct row {
    uint64_t number;
    uint32_t source;
};

/* Merges from[begin, middle) and from[middle, end) into to; of equal ones the left run goes first.
 * */
static void merge(const struct row *from, struct row *to, size_t begin, size_t middle, size_t end)
{
    size_t left = begin, right = middle;
    for (size_t i = begin; i < end; i++) {
        bool take_right = left == middle || (right < end && from[right].number < from[left].number);
        to[i] = take_right ? from[right++] : from[left++];
    }
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "cpu_sort: out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

void cpu_sort_order(const struct cpu_order *order, const uint32_t *keys, size_t length,
                    uint32_t *rows)
{
    struct row local[256];
    struct row *both = length <= 128 ? local : allocate(2 * length * sizeof *both);
    struct row *from = both, *to = both + length;
    size_t key_words = cpu_key_words(order->key_type);
    for (size_t i = 0; i < length; i++)
        from[i] = (struct row){cpu_key_number(order, keys + i * key_words), (uint32_t)i};
    for (size_t width = 1; width < length; width *= 2) {
        for (size_t begin = 0; begin < length; begin += 2 * width) {
            size_t middle = begin + width < length ? begin + width : length;
            size_t end = middle + width < length ? middle + width : length;
            merge(from, to, begin, middle, end);
        }
        struct row *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < length; i++)
        rows[i] = from[i].source;
    if (both != local)
        free(both);
}

void cpu_move_rows(const struct cpu_order *order, const uint32_t *rows, const uint32_t *keys,
                   const uint32_t *values, uint32_t *output_keys, uint32_t *output_values,
                   size_t length)
{
    size_t key_words = cpu_key_words(order->key_type);
    size_t value_words = cpu_output_value_words(order->value_type);
    for (size_t i = 0; i < length; i++) {
        memcpy(output_keys + i * key_words, keys + rows[i] * key_words, key_words * 4);
        if (order->value_type == GL_SEGSORT_VALUE_INDEX)
            output_values[i] = rows[i];
        else if (value_words > 0)
            memcpy(output_values + i * value_words, values + rows[i] * value_words,
                   value_words * 4);
    }
}

void cpu_sort_rows(const struct cpu_order *order, const uint32_t *keys, const uint32_t *values,
                   uint32_t *output_keys, uint32_t *output_values, size_t length)
{
    uint32_t local[256];
    uint32_t *rows = length <= 256 ? local : allocate(length * sizeof *rows);
    cpu_sort_order(order, keys, length, rows);
    cpu_move_rows(order, rows, keys, values, output_keys, output_values, length);
    if (rows != local)
        free(rows);
}

void cpu_sort_typed_segments(const struct cpu_order *order, const uint32_t *keys,
                             const uint32_t *values, uint32_t *output_keys, uint32_t *output_values,
                             const gl_segsort_segment *segments, size_t count)
{
    size_t key_words = cpu_key_words(order->key_type);
    size_t input_words = cpu_input_value_words(order->value_type);
    size_t output_words = cpu_output_value_words(order->value_type);
    for (size_t i = 0; i < count; i++) {
        const gl_segsort_segment *s = &segments[i];
        cpu_sort_rows(order, keys + s->keys_offset * key_words,
                      input_words ? values + s->values_offset * input_words : NULL,
                      output_keys + s->output_keys_offset * key_words,
                      output_words ? output_values + s->output_values_offset * output_words : NULL,
                      s->length);
    }
}

void cpu_sort_segments(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
                       uint32_t *output_values, const gl_segsort_segment *segments, size_t count,
                       gl_segsort_direction direction)
{
    const struct cpu_order order = {.direction = direction};
    cpu_sort_typed_segments(&order, keys, values, output_keys, output_values, segments, count);
}

void cpu_sort(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
              uint32_t *output_values, size_t length, gl_segsort_direction direction)
{
    const struct cpu_order order = {.direction = direction};
    cpu_sort_rows(&order, keys, values, output_keys, output_values, length);
}
