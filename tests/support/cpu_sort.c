#include "cpu_sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    uint32_t key, value;
};

static bool comes_before(uint32_t a, uint32_t b, gl_segsort_direction direction)
{
    return direction == GL_SEGSORT_ASCENDING ? a < b : a > b;
}

/* Merges from[begin, middle) and from[middle, end) into to; on equal keys the left run goes first. */
static void merge(const struct row *from, struct row *to, size_t begin, size_t middle, size_t end,
                  gl_segsort_direction direction)
{
    size_t left = begin, right = middle;
    for (size_t i = begin; i < end; i++) {
        bool take_right = left == middle ||
                          (right < end && comes_before(from[right].key, from[left].key, direction));
        to[i] = take_right ? from[right++] : from[left++];
    }
}

void cpu_sort(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
              uint32_t *output_values, size_t length, gl_segsort_direction direction)
{
    struct row local[512];
    struct row *rows = length <= 256 ? local : malloc(2 * length * sizeof *rows);
    if (!rows) {
        fprintf(stderr, "cpu_sort: out of memory for %zu rows\n", length);
        abort();
    }
    struct row *from = rows, *to = rows + length;
    for (size_t i = 0; i < length; i++)
        from[i] = (struct row){keys[i], values[i]};
    for (size_t width = 1; width < length; width *= 2) {
        for (size_t begin = 0; begin < length; begin += 2 * width) {
            size_t middle = begin + width < length ? begin + width : length;
            size_t end = middle + width < length ? middle + width : length;
            merge(from, to, begin, middle, end, direction);
        }
        struct row *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < length; i++) {
        output_keys[i] = from[i].key;
        output_values[i] = from[i].value;
    }
    if (rows != local)
        free(rows);
}

void cpu_sort_segments(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
                       uint32_t *output_values, const gl_segsort_segment *segments, size_t count,
                       gl_segsort_direction direction)
{
    for (size_t i = 0; i < count; i++) {
        const gl_segsort_segment *s = &segments[i];
        cpu_sort(keys + s->keys_offset, values + s->values_offset,
                 output_keys + s->output_keys_offset, output_values + s->output_values_offset,
                 s->length, direction);
    }
}
