#include "inputs.h"

#include "cpu_sort.h"
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_SEED 88172645463325252u

static size_t fixed(const struct inputs *inputs, uint32_t *lengths)
{
    size_t count = inputs->rows / inputs->parameter;
    for (size_t i = 0; lengths && i < count; i++)
        lengths[i] = inputs->parameter;
    return count;
}

/* In a shuffled order; the first one of them takes what rounding leaves. */
static size_t uneven(const struct inputs *inputs, uint32_t *lengths)
{
    uint32_t count = inputs->parameter, rest = inputs->rows;
    double sum = 0;
    uint64_t state = 1000;
    if (!lengths)
        return count;
    for (uint32_t i = 0; i < count; i++)
        sum += 1.0 / (10 + i);
    for (uint32_t i = count; i-- > 0;) {
        lengths[i] = i > 0 ? (uint32_t)((double)inputs->rows / (10 + i) / sum) : rest;
        rest -= lengths[i];
    }
    for (uint32_t i = count; i-- > 1;) {
        uint32_t other = generate_below(&state, i + 1), length = lengths[i];
        lengths[i] = lengths[other];
        lengths[other] = length;
    }
    return count;
}

static size_t small(uint32_t count, uint32_t *lengths)
{
    uint64_t state = 11;
    for (uint32_t i = 0; lengths && i < count; i++)
        lengths[i] = 1 + generate_below(&state, 11);
    return count;
}

static size_t mixed(uint32_t longest, uint32_t *lengths)
{
    size_t count = small(longest / 10, lengths) + 1, middle = count / 2;
    if (lengths) {
        memmove(lengths + middle + 1, lengths + middle, (count - 1 - middle) * sizeof *lengths);
        lengths[middle] = longest;
    }
    return count;
}

static size_t classes(uint32_t longest, uint32_t *lengths)
{
    size_t count = 0;
    for (uint64_t length = 2; length <= longest; length *= 2, count++)
        if (lengths)
            lengths[count] = (uint32_t)length;
    return count;
}

/* How many there are; lengths may be NULL to count only. */
static size_t segment_lengths(const struct inputs *inputs, uint32_t *lengths)
{
    switch (inputs->layout) {
    case INPUTS_POWER_LAW:
        return generate_power_law(inputs->parameter, inputs->rows, lengths);
    case INPUTS_UNEVEN:
        return uneven(inputs, lengths);
    case INPUTS_SMALL:
        return small(inputs->parameter, lengths);
    case INPUTS_MIXED:
        return mixed(inputs->parameter, lengths);
    case INPUTS_CLASSES:
        return classes(inputs->parameter, lengths);
    default:
        return fixed(inputs, lengths);
    }
}

static uint32_t random_key(uint64_t *state)
{
    return (uint32_t)(generate_random(state) >> 16);
}

static uint32_t u32_key(enum inputs_keys keys, uint64_t *state, uint32_t row, uint32_t from_end)
{
    uint32_t key = random_key(state);
    switch (keys) {
    case INPUTS_AND_2:
        return key & random_key(state);
    case INPUTS_AND_3:
        key &= random_key(state);
        return key & random_key(state);
    case INPUTS_SORTED:
        return row * 7;
    case INPUTS_REVERSED:
        return from_end * 7;
    case INPUTS_CONSTANT:
        return 0x12345678;
    case INPUTS_SIXTEEN:
        return (key & 15) * 0x01234567;
    default:
        return key;
    }
}

/* Finite floats of both signs, on whose order every sort agrees. */
static uint32_t f32_key(uint32_t random)
{
    float key = ((float)random - 2147483648.0F) / 65536.0F;
    uint32_t bits;
    memcpy(&bits, &key, 4);
    return key == 0 ? 0 : bits;
}

static void make_keys(const struct inputs *inputs, const struct inputs_data *data)
{
    uint64_t state = KEYS_SEED;
    for (size_t i = 0; i < data->rows; i++) {
        uint32_t *key = data->keys + i * data->key_words;
        key[0] = u32_key(inputs->keys, &state, (uint32_t)i, (uint32_t)(data->rows - 1 - i));
        if (inputs->key_type == GL_SEGSORT_KEY_F32)
            key[0] = f32_key(key[0]);
        if (inputs->key_type == GL_SEGSORT_KEY_U64)
            key[1] = random_key(&state);
    }
}

static bool make_segments(const struct inputs *inputs, struct inputs_data *data)
{
    data->count = segment_lengths(inputs, NULL);
    uint32_t *lengths = malloc((data->count + 1) * sizeof *lengths);
    data->segments = malloc((data->count + 1) * sizeof *data->segments);
    if (lengths && data->segments) {
        segment_lengths(inputs, lengths);
        data->rows = generate_packed_segments(lengths, data->count, 0, data->segments);
        for (size_t i = 0; i < data->count; i++)
            data->longest = lengths[i] > data->longest ? lengths[i] : data->longest;
    }
    bool made = lengths && data->segments;
    free(lengths);
    return made;
}

bool inputs_create(const struct inputs *inputs, struct inputs_data *data)
{
    memset(data, 0, sizeof *data);
    data->key_words = cpu_key_words(inputs->key_type);
    if (make_segments(inputs, data)) {
        data->keys = malloc((data->rows + 1) * data->key_words * 4);
        data->values = malloc((data->rows + 1) * 4);
    }
    if (!data->keys || !data->values) {
        inputs_destroy(data);
        return false;
    }
    make_keys(inputs, data);
    generate_identity(data->values, data->rows);
    return true;
}

void inputs_destroy(struct inputs_data *data)
{
    free(data->segments);
    free(data->keys);
    free(data->values);
    memset(data, 0, sizeof *data);
}

static bool segment_sorted(const struct cpu_order *order, const struct inputs_data *data,
                           const gl_segsort_segment *segment, const uint32_t *output_keys,
                           const uint32_t *output_values)
{
    uint32_t begin = segment->keys_offset, end = begin + segment->length, before = 0;
    uint64_t number_before = 0;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t *key = output_keys + i * data->key_words;
        uint32_t source = output_values[i];
        if (source < begin || source >= end ||
            memcmp(key, data->keys + source * data->key_words, data->key_words * 4) != 0)
            return false;
        uint64_t number = cpu_key_number(order, key);
        if (i > begin && (number < number_before || (number == number_before && source <= before)))
            return false;
        number_before = number;
        before = source;
    }
    return true;
}

bool inputs_sorted(const struct inputs *inputs, const struct inputs_data *data,
                   const uint32_t *output_keys, const uint32_t *output_values)
{
    const struct cpu_order order = {.key_type = inputs->key_type, .direction = inputs->direction};
    for (size_t i = 0; i < data->count; i++)
        if (!segment_sorted(&order, data, &data->segments[i], output_keys, output_values))
            return false;
    return true;
}

void inputs_write(const struct inputs *inputs, char *line, size_t size)
{
    snprintf(line, size, "%u %u %u %u %u %u", (unsigned)inputs->layout, inputs->parameter,
             inputs->rows, (unsigned)inputs->keys, (unsigned)inputs->key_type,
             (unsigned)inputs->direction);
}

bool inputs_read(const char *line, struct inputs *inputs)
{
    unsigned long fields[6];
    char *rest = NULL;
    for (int i = 0; i < 6; i++, line = rest) {
        fields[i] = strtoul(line, &rest, 10);
        if (rest == line)
            return false;
    }
    *inputs = (struct inputs){.layout = (enum inputs_layout)fields[0],
                              .parameter = (uint32_t)fields[1],
                              .rows = (uint32_t)fields[2],
                              .keys = (enum inputs_keys)fields[3],
                              .key_type = (gl_segsort_key_type)fields[4],
                              .direction = (gl_segsort_direction)fields[5]};
    return fields[0] < INPUTS_LAYOUTS && fields[1] > 0 && fields[3] < INPUTS_KEYS &&
           fields[4] <= GL_SEGSORT_KEY_U64 && fields[5] <= GL_SEGSORT_DESCENDING;
}

const char *inputs_keys_name(enum inputs_keys keys)
{
    static const char *const names[INPUTS_KEYS] = {"random",   "and2",     "and3",   "sorted",
                                                   "reversed", "constant", "sixteen"};
    return names[keys];
}

const char *inputs_key_type_name(gl_segsort_key_type type)
{
    static const char *const names[] = {"u32", "i32", "f32", "u64"};
    return names[type];
}
