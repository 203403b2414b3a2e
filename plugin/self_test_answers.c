#include "self_test_answers.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- */
/* The probe, as glsl/subgroup_probe.comp has it */

static uint32_t segsort_probe_number(uint32_t invocation, uint32_t turn)
{
    uint32_t state = (turn * SEGSORT_PROBE_THREADS + invocation) * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

static uint32_t segsort_count_ones(uint64_t mask)
{
    uint32_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* As GLSL's findLSB and findMSB, -1 of none; but of two words the sums that the shader makes. */
static uint32_t segsort_first_one(uint64_t mask, uint32_t size)
{
    if (!mask)
        return size > 32 ? 31 : UINT32_MAX;
    uint32_t first = 0;
    while (!(mask >> first & 1))
        first++;
    return first;
}

static uint32_t segsort_last_one(uint64_t mask)
{
    uint32_t last = UINT32_MAX;
    for (; mask; mask >>= 1)
        last++;
    return last;
}

static void segsort_put_mask(uint32_t *words, uint64_t mask)
{
    words[0] = (uint32_t)mask;
    words[1] = (uint32_t)(mask >> 32);
}

typedef struct segsort_probe_masks {
    uint64_t odd, rare, most, all;
} segsort_probe_masks;

static segsort_probe_masks segsort_probe_votes(uint32_t first, uint32_t size)
{
    segsort_probe_masks masks = {0};
    for (uint32_t lane = 0; lane < size; lane++) {
        uint32_t number = segsort_probe_number(first + lane, 0);
        uint64_t bit = (uint64_t)1 << lane;
        masks.odd |= number & 1 ? bit : 0;
        masks.rare |= (number & 0x1e) == 0 ? bit : 0;
        masks.most |= lane != number % 7 ? bit : 0;
        masks.all |= bit;
    }
    return masks;
}

static void segsort_probe_answer_masks(uint32_t first, uint32_t size, uint32_t *words)
{
    segsort_probe_masks masks = segsort_probe_votes(first, size);
    for (uint32_t lane = 0; lane < size; lane++, words += SEGSORT_PROBE_WORDS) {
        uint64_t below = ((uint64_t)1 << lane) - 1;
        segsort_put_mask(words + SEGSORT_PROBE_ODD, masks.odd);
        segsort_put_mask(words + SEGSORT_PROBE_RARE, masks.rare);
        segsort_put_mask(words + SEGSORT_PROBE_MOST, masks.most);
        segsort_put_mask(words + SEGSORT_PROBE_ALL, masks.all);
        words[SEGSORT_PROBE_BELOW] = segsort_count_ones(masks.odd & below);
        words[SEGSORT_PROBE_ENDS] =
            segsort_first_one(masks.all & ~masks.odd, size) << 16 | segsort_last_one(masks.most);
    }
}

static void segsort_probe_answer_rounds(uint32_t first, uint32_t size, uint32_t *words)
{
    uint32_t numbers[SEGSORT_SUBGROUP_SIZE_MAX] = {0}, before[SEGSORT_SUBGROUP_SIZE_MAX];
    for (uint32_t lane = 0; lane < size; lane++)
        numbers[lane] = first + lane;
    for (uint32_t turn = 0; turn < SEGSORT_PROBE_ROUNDS; turn++) {
        memcpy(before, numbers, sizeof before);
        for (uint32_t lane = 0; lane < size; lane++)
            numbers[lane] = before[lane] * 5 + before[(lane + 1 + 2 * turn) % size];
    }
    for (uint32_t lane = 0; lane < size; lane++)
        words[lane * SEGSORT_PROBE_WORDS + SEGSORT_PROBE_PASSED] = numbers[lane];
}

static void segsort_probe_answer_ranks(uint32_t first, uint32_t size, uint32_t *words)
{
    uint32_t counts[SEGSORT_PROBE_DIGITS] = {0};
    for (uint32_t lane = 0; lane < size; lane++)
        words[lane * SEGSORT_PROBE_WORDS + SEGSORT_PROBE_RANKS] = 0;
    for (uint32_t turn = 0; turn < SEGSORT_PROBE_ROUNDS; turn++)
        for (uint32_t lane = 0; lane < size; lane++) {
            uint32_t digit = segsort_probe_number(first + lane, turn) % SEGSORT_PROBE_DIGITS;
            uint32_t *ranks = &words[lane * SEGSORT_PROBE_WORDS + SEGSORT_PROBE_RANKS];
            *ranks = *ranks * 31 + counts[digit]++;
        }
}

/* Four numbers of each other lane, by how far apart it is, and one by its own number. */
static uint32_t segsort_probe_others(uint32_t first, uint32_t size, uint32_t lane)
{
    uint32_t others = 0;
    for (uint32_t distance = 1; distance < size; distance++) {
        for (uint32_t i = 0; i < 4; i++)
            others = others * 31 + segsort_probe_number(first + (lane ^ distance), 0) + i;
        others = others * 31 + segsort_probe_number(first + distance, 0);
    }
    return others;
}

void segsort_probe_answers(segsort_subgroup_api api, uint32_t size, uint32_t *words)
{
    for (uint32_t first = 0; first < SEGSORT_PROBE_THREADS; first += size) {
        uint32_t *own = words + (size_t)first * SEGSORT_PROBE_WORDS, sum = 0;
        for (uint32_t lane = 0; lane < size; lane++) {
            uint32_t *record = own + (size_t)lane * SEGSORT_PROBE_WORDS;
            record[SEGSORT_PROBE_SIZE] = size;
            record[SEGSORT_PROBE_LANE] = lane;
            record[SEGSORT_PROBE_SUBGROUP] = first / size;
            record[SEGSORT_PROBE_SCAN] = api == SEGSORT_SUBGROUP_KHR ? sum : 0;
            record[SEGSORT_PROBE_OTHERS] =
                api == SEGSORT_SUBGROUP_KHR ? segsort_probe_others(first, size, lane) : 0;
            sum += segsort_probe_number(first + lane, 0);
        }
        segsort_probe_answer_masks(first, size, own);
        segsort_probe_answer_rounds(first, size, own);
        segsort_probe_answer_ranks(first, size, own);
    }
}

const char *segsort_probe_word_name(uint32_t word)
{
    static const char *const names[SEGSORT_PROBE_WORDS] = {"the size",
                                                           "the lane",
                                                           "the subgroup",
                                                           "the scan",
                                                           "the ballot of odd numbers",
                                                           "the ballot of odd numbers, upper word",
                                                           "the ballot of few lanes",
                                                           "the ballot of few lanes, upper word",
                                                           "the ballot of most lanes",
                                                           "the ballot of most lanes, upper word",
                                                           "the ballot of all lanes",
                                                           "the ballot of all lanes, upper word",
                                                           "the lanes below",
                                                           "the first and last lane",
                                                           "the numbers handed on",
                                                           "the ranks",
                                                           "the numbers of other lanes"};
    return names[word];
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts */

#define SEGSORT_KERNEL_BIT(id) ((uint64_t)1 << SEGSORT_KERNEL_##id)

/* Segments lie one behind the other, so that AUTO packs those that are short. */
typedef struct segsort_sort_test_source {
    const char *name;
    uint64_t kernels;
    uint32_t lengths[4], repeats;
    gl_segsort_algorithm algorithm;
    uint32_t buckets_max;
} segsort_sort_test_source;

void segsort_sort_test_get(uint32_t number, segsort_sort_test *test)
{
    /* Narrow packs hold their values, wide ones don't. */
    static const segsort_sort_test_source sources[SEGSORT_SORT_TESTS] = {
        {.name = "packs",
         .kernels = SEGSORT_KERNEL_BIT(BUCKET_LOCAL),
         .lengths = {200, 1, 37, 1300},
         .repeats = 3},
        {.name = "packs of equal segments",
         .kernels = SEGSORT_KERNEL_BIT(BUCKET_EQUAL),
         .lengths = {100},
         .repeats = 30},
        {.name = "quads",
         .kernels = SEGSORT_KERNEL_BIT(RANK_QUADS),
         .lengths = {32},
         .repeats = 30},
        {.name = "splits",
         .kernels = SEGSORT_KERNEL_BIT(SPLIT_SAMPLE) | SEGSORT_KERNEL_BIT(SPLIT_SPINE) |
                    SEGSORT_KERNEL_BIT(SPLIT_SCATTER) | SEGSORT_KERNEL_BIT(SPLIT_FINISH),
         .lengths = {9000},
         .repeats = 1},
        {.name = "parts",
         .kernels = SEGSORT_KERNEL_BIT(SPLIT_PARTS),
         .lengths = {20000},
         .repeats = 1,
         .buckets_max = 2},
        {.name = "digits",
         .algorithm = GL_SEGSORT_ALGORITHM_RADIX,
         .kernels = SEGSORT_KERNEL_BIT(RADIX_LOCAL) | SEGSORT_KERNEL_BIT(RADIX_SPINE) |
                    SEGSORT_KERNEL_BIT(RADIX_SCATTER),
         .lengths = {700, 2100, 3 * SEGSORT_RADIX_TILE_ROWS + 77},
         .repeats = 1},
    };
    const segsort_sort_test_source *source = &sources[number];
    *test = (segsort_sort_test){.name = source->name,
                                .algorithm = source->algorithm,
                                .kernels = source->kernels,
                                .buckets_max = source->buckets_max};
    for (uint32_t i = 0; i < source->repeats; i++)
        for (uint32_t n = 0; n < 4 && source->lengths[n] > 0; n++) {
            uint32_t row = test->row_count;
            test->segments[test->segment_count++] =
                (gl_segsort_segment){row, row, row, row, source->lengths[n]};
            test->row_count += source->lengths[n];
        }
}

segsort_tuning segsort_sort_test_tuning(const segsort_sort_test *test, const segsort_tuning *driver)
{
    segsort_tuning tuning = *driver;
    if (test->buckets_max > 0) {
        tuning.buckets_max = test->buckets_max;
        tuning.part_length_max = UINT32_MAX;
    }
    return tuning;
}

void segsort_sort_test_input(const segsort_sort_test *test, uint32_t *keys, uint32_t *values)
{
    for (uint32_t row = 0; row < test->row_count; row++) {
        uint32_t number = segsort_probe_number(row, 0);
        const uint32_t numbers[4] = {number, number & 255, 0x40000000 | (number & 15),
                                     number & 1 ? UINT32_MAX : 0};
        keys[row] = numbers[number >> 30];
        values[row] = row;
    }
}

/* By a byte of the key, from keys and values to others. */
static void segsort_count_sort(const uint32_t *keys, const uint32_t *values, uint32_t count,
                               uint32_t shift, uint32_t *to_keys, uint32_t *to_values)
{
    uint32_t starts[257] = {0};
    for (uint32_t i = 0; i < count; i++)
        starts[(keys[i] >> shift & 255) + 1]++;
    for (uint32_t digit = 0; digit < 256; digit++)
        starts[digit + 1] += starts[digit];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = starts[keys[i] >> shift & 255]++;
        to_keys[to] = keys[i];
        to_values[to] = values[i];
    }
}

void segsort_sort_test_answers(const segsort_sort_test *test, uint32_t *keys, uint32_t *values,
                               uint32_t *spare)
{
    for (uint32_t i = 0; i < test->segment_count; i++) {
        const gl_segsort_segment *segment = &test->segments[i];
        uint32_t *own_keys = keys + segment->keys_offset,
                 *own_values = values + segment->values_offset;
        uint32_t *spare_values = spare + segment->length;
        for (uint32_t shift = 0; shift < 32; shift += 16) {
            segsort_count_sort(own_keys, own_values, segment->length, shift, spare, spare_values);
            segsort_count_sort(spare, spare_values, segment->length, shift + 8, own_keys,
                               own_values);
        }
    }
}
