#include "network_rows.h"

#include <math.h>
#include <stdlib.h>

#include "generate.h"

enum { FEW = 5, DIGITS = 256 };

/* Uneven ones differ enough that some are done before others. */
static double weight_of(enum network_lengths lengths, uint32_t segment)
{
    static const double uneven[] = {8, 5, 7, 3, 6, 4, 8, 2};
    if (lengths == NETWORK_EQUAL)
        return 1;
    if (lengths == NETWORK_POWER_LAW)
        return pow(segment + 1.0, -1.4);
    return uneven[segment % (sizeof uneven / sizeof uneven[0])];
}

void network_rows_segments(const struct network_settings *settings, gl_segsort_segment *segments)
{
    uint32_t before = 0, lengths[NETWORK_SEGMENTS_MAX];
    double sum = 0, weight = 0;
    for (uint32_t i = 0; i < settings->segment_count; i++)
        sum += weight_of(settings->lengths, i);
    for (uint32_t i = 0; i < settings->segment_count; i++) {
        weight += weight_of(settings->lengths, i);
        uint32_t end = (uint32_t)(settings->rows * (weight / sum) + 1e-6);
        if (i + 1 == settings->segment_count)
            end = settings->rows;
        lengths[i] = end - before;
        before = end;
    }
    generate_packed_segments(lengths, settings->segment_count, 0, segments);
}

/* One of so many keys, rising with the number. Of few, both digits differ, and not in the same
 * order, so that each digit of the radix sort has something to do. */
static uint32_t key_of(uint32_t number, uint32_t distinct)
{
    if (distinct > DIGITS)
        return 1 + (uint32_t)((uint64_t)number * (NETWORK_KEY_END - 2) / (distinct - 1));
    uint32_t high = (2 * number + 1) * (DIGITS / 2) / distinct;
    return high * DIGITS + (high * 167 + 89) % DIGITS;
}

static uint32_t number_of(const struct network_settings *settings, uint32_t lane, uint32_t length,
                          uint32_t distinct, uint64_t *state)
{
    uint32_t rising = (uint32_t)((uint64_t)lane * distinct / length);
    switch (settings->keys) {
    case NETWORK_SORTED:
        return rising;
    case NETWORK_REVERSED:
        return distinct - 1 - rising;
    default:
        return generate_below(state, distinct);
    }
}

void network_rows_keys(const struct network_settings *settings, const gl_segsort_segment *segments,
                       uint32_t *keys)
{
    uint64_t state = settings->seed + 0x9e3779b97f4a7c15u;
    uint32_t distinct = settings->distinct;
    if (distinct == 0)
        distinct = settings->keys == NETWORK_FEW_DISTINCT ? FEW : NETWORK_KEY_END - 1;
    for (uint32_t i = 0; i < settings->segment_count; i++)
        for (uint32_t lane = 0; lane < segments[i].length; lane++)
            keys[segments[i].keys_offset + lane] =
                key_of(number_of(settings, lane, segments[i].length, distinct, &state), distinct);
}

float network_rows_entropy(const uint32_t *keys, uint32_t count)
{
    uint32_t *counts = calloc(NETWORK_KEY_END, sizeof *counts);
    double entropy = 0;
    if (!counts)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        counts[keys[i]]++;
    for (uint32_t key = 0; key < NETWORK_KEY_END; key++)
        if (counts[key] > 0)
            entropy -= counts[key] * log2((double)counts[key] / count) / count;
    free(counts);
    return (float)entropy;
}
