/* What the benchmark sorts, and how it tells a right result from a wrong one. */
#include "check.h"
#include "cpu_sort.h"
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

static const struct inputs kinds[] = {
    {INPUTS_FIXED, 300, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_FIXED, 64, 65536, INPUTS_AND_2, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_FIXED, 64, 65536, INPUTS_AND_3, GL_SEGSORT_KEY_U32, GL_SEGSORT_DESCENDING},
    {INPUTS_FIXED, 64, 65536, INPUTS_SORTED, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_FIXED, 64, 65536, INPUTS_REVERSED, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_FIXED, 64, 65536, INPUTS_CONSTANT, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_FIXED, 65536, 65536, INPUTS_SIXTEEN, GL_SEGSORT_KEY_U32, GL_SEGSORT_DESCENDING},
    {INPUTS_FIXED, 1024, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_I32, GL_SEGSORT_ASCENDING},
    {INPUTS_FIXED, 1024, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_F32, GL_SEGSORT_ASCENDING},
    {INPUTS_FIXED, 1024, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_U64, GL_SEGSORT_DESCENDING},
    {INPUTS_POWER_LAW, 256, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_UNEVEN, 1000, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_SMALL, 4000, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_MIXED, 40000, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
    {INPUTS_CLASSES, 32768, 65536, INPUTS_RANDOM, GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

struct sorted {
    struct inputs_data data;
    uint32_t *keys, *values;
};

static struct sorted sort(const struct inputs *inputs)
{
    const struct cpu_order order = {.key_type = inputs->key_type, .direction = inputs->direction};
    struct sorted sorted;
    CHECK(inputs_create(inputs, &sorted.data), "out of memory");
    sorted.keys = malloc(sorted.data.rows * sorted.data.key_words * 4);
    sorted.values = malloc(sorted.data.rows * 4);
    CHECK(sorted.keys && sorted.values, "out of memory");
    cpu_sort_typed_segments(&order, sorted.data.keys, sorted.data.values, sorted.keys,
                            sorted.values, sorted.data.segments, sorted.data.count);
    return sorted;
}

static void release(struct sorted *sorted)
{
    free(sorted->keys);
    free(sorted->values);
    inputs_destroy(&sorted->data);
}

static void swap(uint32_t *words, size_t a, size_t b)
{
    uint32_t word = words[a];
    words[a] = words[b];
    words[b] = word;
}

/* Every layout fills its rows without a gap, and no more. */
static void layouts(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        struct inputs_data data;
        uint32_t row = 0, longest = 0;
        CHECK(inputs_create(&kinds[i], &data), "out of memory");
        for (size_t s = 0; s < data.count; s++) {
            CHECK(data.segments[s].keys_offset == row, "kind %zu: segment %zu", i, s);
            row += data.segments[s].length;
            longest = data.segments[s].length > longest ? data.segments[s].length : longest;
        }
        CHECK(row == data.rows, "kind %zu: %u rows, not %zu", i, row, data.rows);
        CHECK(longest == data.longest, "kind %zu: %u, not %u", i, longest, data.longest);
        CHECK(data.rows <= kinds[i].rows && data.rows > kinds[i].rows / 4, "kind %zu: %zu rows", i,
              data.rows);
        inputs_destroy(&data);
    }
}

static void right_results(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        struct sorted sorted = sort(&kinds[i]);
        CHECK(inputs_sorted(&kinds[i], &sorted.data, sorted.keys, sorted.values), "kind %zu", i);
        release(&sorted);
    }
}

static void wrong_order(void)
{
    struct sorted sorted = sort(&kinds[0]);
    swap(sorted.keys, 40, 41);
    swap(sorted.values, 40, 41);
    CHECK(!inputs_sorted(&kinds[0], &sorted.data, sorted.keys, sorted.values), "taken for right");
    release(&sorted);
}

static void unstable(void)
{
    const struct inputs constant = kinds[5];
    struct sorted sorted = sort(&constant);
    swap(sorted.values, 40, 41);
    CHECK(!inputs_sorted(&constant, &sorted.data, sorted.keys, sorted.values), "taken for right");
    release(&sorted);
}

static void row_twice(void)
{
    const struct inputs constant = kinds[5];
    struct sorted sorted = sort(&constant);
    sorted.values[41] = sorted.values[40];
    CHECK(!inputs_sorted(&constant, &sorted.data, sorted.keys, sorted.values), "taken for right");
    release(&sorted);
}

static void row_of_another_segment(void)
{
    const struct inputs constant = kinds[5];
    struct sorted sorted = sort(&constant);
    sorted.values[63] = 64;
    CHECK(!inputs_sorted(&constant, &sorted.data, sorted.keys, sorted.values), "taken for right");
    release(&sorted);
}

static void key_of_another_row(void)
{
    struct sorted sorted = sort(&kinds[9]);
    sorted.keys[2 * 1023] ^= 1; /* the low word of the last, least key of a descending segment */
    CHECK(!inputs_sorted(&kinds[9], &sorted.data, sorted.keys, sorted.values), "taken for right");
    release(&sorted);
}

/* Another process makes the same of the line. */
static void lines(void)
{
    struct inputs read;
    char line[128];
    for (size_t i = 0; i < KINDS; i++) {
        inputs_write(&kinds[i], line, sizeof line);
        CHECK(inputs_read(line, &read), "refused: %s", line);
        CHECK(memcmp(&read, &kinds[i], sizeof read) == 0, "another case: %s", line);
    }
    CHECK(!inputs_read("0 8 65536 0 0", &read), "taken for a case");
    CHECK(!inputs_read("0 8 65536 0 0 2", &read), "taken for a case");
    CHECK(!inputs_read("9 8 65536 0 0 0", &read), "taken for a case");
    CHECK(!inputs_read("0 0 65536 0 0 0", &read), "taken for a case");
}

CHECK_MAIN(CHECK_TEST(layouts), CHECK_TEST(right_results), CHECK_TEST(wrong_order),
           CHECK_TEST(unstable), CHECK_TEST(row_twice), CHECK_TEST(row_of_another_segment),
           CHECK_TEST(key_of_another_row), CHECK_TEST(lines))
