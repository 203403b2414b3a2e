#include "twin_split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rows are compared by. No two rows of a segment are alike in it. */
struct place {
    uint64_t number;
    uint32_t row; /* of the segment or of the bunch */
};

/* Rows of one place: where the first one lies. */
struct run {
    uint32_t *keys, *values;
    bool numbered; /* values are the rows' numbers and lie nowhere */
};

bool twin_split_has(segsort_kernel_id kernel)
{
    return kernel == SEGSORT_KERNEL_SPLIT_SAMPLE || kernel == SEGSORT_KERNEL_SPLIT_COUNT ||
           kernel == SEGSORT_KERNEL_SPLIT_SPINE || kernel == SEGSORT_KERNEL_SPLIT_SCATTER ||
           kernel == SEGSORT_KERNEL_SPLIT_FINISH || kernel == SEGSORT_KERNEL_SPLIT_PARTS;
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "twin_split: out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

/* ---------------------------------------------------------------------------------------------- */
/* Rows */

static struct run run_at(const struct twin *twin, const segsort_pass *pass, uint32_t place,
                         uint32_t keys_row, uint32_t values_row)
{
    const segsort_types *types = &pass->variant.types;
    struct run run = {.keys = twin->keys[place] + (size_t)keys_row * segsort_key_words(types->key),
                      .numbered =
                          place == SEGSORT_PLACE_INPUT && types->value == GL_SEGSORT_VALUE_INDEX};
    if (types->value != GL_SEGSORT_VALUE_NONE && !run.numbered)
        run.values = twin->values[place] + (size_t)values_row * segsort_value_words(types->value);
    return run;
}

static struct place place_of(const segsort_pass *pass, const struct run *run, uint32_t row)
{
    uint32_t words = segsort_key_words(pass->variant.types.key);
    const uint32_t *key = run->keys + (size_t)row * words;
    uint64_t bits = words == 2 ? key[0] | (uint64_t)key[1] << 32 : key[0];
    return (struct place){twin_masked_number(pass, bits), row};
}

static void move_row(const segsort_pass *pass, const struct run *from, uint32_t row,
                     const struct run *to, uint32_t to_row)
{
    size_t key_words = segsort_key_words(pass->variant.types.key);
    size_t value_words = segsort_value_words(pass->variant.types.value);
    memcpy(to->keys + to_row * key_words, from->keys + row * key_words, 4 * key_words);
    if (from->numbered)
        to->values[to_row] = row;
    else if (to->values && from->values)
        memcpy(to->values + to_row * value_words, from->values + row * value_words,
               4 * value_words);
}

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return left->row < right->row ? -1 : left->row > right->row;
}

/* ---------------------------------------------------------------------------------------------- */
/* The table and the work section */

static const uint32_t *segment_words(const struct twin *twin, const segsort_pass *pass,
                                     uint32_t segment)
{
    return twin->plan->table + pass->params.segment_word + (size_t)segment * SEGSORT_SEGMENT_WORDS;
}

/* first work group, buckets, samples between two splitters, work groups, first splitter, word of
 * the bunches, first sum, sums, rows of a bunch, twice the samples that an even bucket may have */
static const uint32_t *split_words(const struct twin *twin, const segsort_pass *pass,
                                   uint32_t segment)
{
    uint32_t word = pass->params.split_word + segment * SEGSORT_SPLIT_WORDS;
    return twin->plan->table + word;
}

static uint32_t *splitter_words(const struct twin *twin, const segsort_pass *pass, uint32_t segment,
                                uint32_t number)
{
    uint32_t words = segsort_key_words(pass->variant.types.key) + 1;
    uint32_t first = split_words(twin, pass, segment)[4];
    return twin->work + pass->params.splitters + (first + number) * words;
}

static uint32_t *counts_of(const struct twin *twin, uint32_t tile)
{
    return twin->work + (size_t)tile * 256;
}

/* What 8 tiles count together. */
static uint32_t *sum_of(const struct twin *twin, const segsort_pass *pass, uint32_t segment,
                        uint32_t sum)
{
    size_t number = split_words(twin, pass, segment)[6] + sum;
    return twin->work + pass->params.tile_sums + number * 256;
}

static uint32_t *starts_of(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    return twin->work + pass->params.digit_starts + (size_t)segment * 256;
}

/* How many there are, then their first rows and the segment's. */
static uint32_t *bunches_of(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    return twin->work + pass->params.bunch_starts + split_words(twin, pass, segment)[5];
}

/* ---------------------------------------------------------------------------------------------- */
/* Samples */

/* PCG's permutation of 32 bits, RXS-M-XS, of the state behind a number. */
static uint32_t scramble(uint32_t number)
{
    uint64_t state = ((uint64_t)number * 747796405 + 2891336453) % ((uint64_t)1 << 32);
    uint64_t shifted = state / ((uint64_t)1 << (state / ((uint64_t)1 << 28) + 4));
    uint64_t word = (shifted ^ state) * 277803737 % ((uint64_t)1 << 32);
    return (uint32_t)((word / ((uint64_t)1 << 22)) ^ word);
}

uint32_t twin_split_sample_row(uint32_t segment, uint32_t width, uint32_t rows, uint32_t sample,
                               uint32_t samples)
{
    uint64_t first = (uint64_t)sample * rows / samples;
    uint64_t behind = ((uint64_t)sample + 1) * rows / samples;
    return (uint32_t)(first + scramble(segment * width + sample) % (behind - first));
}

static void store_splitter(const segsort_pass *pass, uint32_t *words, const struct place *splitter)
{
    uint32_t key_words = segsort_key_words(pass->variant.types.key);
    words[0] = (uint32_t)splitter->number;
    if (key_words == 2)
        words[1] = (uint32_t)(splitter->number >> 32);
    words[key_words] = splitter->row;
}

/* A span that is cut into even buckets, as the work section has it: a number's distance from low, times 2^unit, times
 * scale, in whole 2^32. Of floats unit is a power of two, as a float, and the distance is that of the values. */
struct even {
    uint32_t scale, unit, low, high;
};

static bool cuts_values(const segsort_pass *pass)
{
    return pass->variant.types.key == GL_SEGSORT_KEY_F32 && !pass->variant.masked;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Of a number as floats order by: from the negative ones' complements to the positive ones with the upper bit set, or the
 * other way round. */
static float value_of(const segsort_pass *pass, uint32_t number)
{
    bool down = pass->variant.direction == GL_SEGSORT_DESCENDING;
    uint32_t rising = down ? UINT32_MAX - number : number;
    float value =
        rising >= 0x80000000 ? float_of(rising - 0x80000000) : float_of(UINT32_MAX - rising);
    return down ? -value : value;
}

static uint64_t even_place(const segsort_pass *pass, const struct even *even, uint64_t number)
{
    uint64_t within = number < even->low ? even->low : number > even->high ? even->high : number;
    if (!cuts_values(pass))
        return (within - even->low) << even->unit;
    float distance = value_of(pass, (uint32_t)within) - value_of(pass, even->low);
    return even->unit == 0 ? 0 : (uint64_t)(distance * float_of(even->unit) * 4294967040.0f);
}

/* The greatest power of two, times which the distance stays below one; 0 where there is none to speak of. */
static uint32_t values_unit(float distance)
{
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    bool told = distance > 1e-30f && distance < 8e37f;
    return told ? (uint32_t)(253 - (int)(bits >> 23)) << 23 : 0;
}

static struct even even_span(const segsort_pass *pass, const struct place *samples, uint32_t count,
                             uint32_t buckets)
{
    struct even even = {.unit = 31, .low = UINT32_MAX};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = (uint32_t)samples[i].number;
        bool is_number = !cuts_values(pass) || number != UINT32_MAX;
        even.low = number < even.low ? number : even.low;
        even.high = is_number && number > even.high ? number : even.high;
    }
    if (cuts_values(pass))
        even.unit = even.low < even.high
                        ? values_unit(value_of(pass, even.high) - value_of(pass, even.low))
                        : 0;
    else
        while (even.unit > 0 && (even.high - even.low) >> (32 - even.unit) != 0)
            even.unit--;
    uint64_t inverse = UINT32_MAX / (even_place(pass, &even, even.high) / 65536 + 1);
    even.scale = (uint32_t)(buckets * inverse / 65536);
    return even;
}

static uint32_t even_bucket(const segsort_pass *pass, const struct even *even, uint64_t number)
{
    return (uint32_t)(even_place(pass, even, number) * even->scale >> 32);
}

/* Whether even buckets do: then they are what the segment is parted by. */
static bool store_even(const segsort_pass *pass, uint32_t *words, const struct place *samples,
                       uint32_t count, const uint32_t *split)
{
    uint32_t buckets = split[1];
    uint32_t in_bucket[256] = {0}, most = 0;
    if (segsort_key_words(pass->variant.types.key) > 1)
        return false;
    const struct even even = even_span(pass, samples, count, buckets);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bucket = even_bucket(pass, &even, samples[i].number);
        most = ++in_bucket[bucket] > most ? in_bucket[bucket] : most;
    }
    bool wide = cuts_values(pass) ? even.unit != 0 : (even.high - even.low) / 4 >= buckets;
    bool told = 2 * most <= split[9] && buckets >= 4 && wide;
    words[0] = 0;
    if (told)
        memcpy(words, &even, sizeof even);
    return told;
}

static void run_sample(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    const uint32_t *record = segment_words(twin, pass, segment);
    const uint32_t *split = split_words(twin, pass, segment);
    uint32_t count = split[1] * split[2], place = pass->params.source;
    if (split[1] == 1)
        return;
    struct run from = run_at(twin, pass, place, record[place * 2], record[place * 2 + 1]);
    struct place *samples = allocate(count * sizeof *samples);
    for (uint32_t i = 0; i < count; i++)
        samples[i] = place_of(
            pass, &from, twin_split_sample_row(segment, pass->variant.width, record[4], i, count));
    if (!store_even(pass, splitter_words(twin, pass, segment, 0), samples, count, split)) {
        qsort(samples, count, sizeof *samples, compare_places);
        for (uint32_t i = 1; i < split[1]; i++)
            store_splitter(pass, splitter_words(twin, pass, segment, i), &samples[i * split[2]]);
    }
    free(samples);
}

/* The groups behind the segments clear 32 sums each. */
static void clear_sums(const struct twin *twin, const segsort_pass *pass, uint32_t group)
{
    const struct segsort_pass_params *params = &pass->params;
    for (uint32_t i = group * 32; i < group * 32 + 32 && i < params->sum_count; i++)
        memset(twin->work + params->tile_sums + (size_t)(params->first_sum + i) * 256, 0, 1024);
}

/* ---------------------------------------------------------------------------------------------- */
/* Buckets */

static uint32_t bucket_of(const struct twin *twin, const segsort_pass *pass, uint32_t segment,
                          const struct place *place)
{
    uint32_t bucket = 0, buckets = split_words(twin, pass, segment)[1];
    uint32_t key_words = segsort_key_words(pass->variant.types.key);
    struct even even;
    if (buckets == 1)
        return 0;
    memcpy(&even, splitter_words(twin, pass, segment, 0), sizeof even);
    if (key_words == 1 && even.scale != 0)
        return even_bucket(pass, &even, place->number);
    for (; bucket + 1 < buckets; bucket++) {
        const uint32_t *words = splitter_words(twin, pass, segment, bucket + 1);
        uint64_t number = key_words == 2 ? words[0] | (uint64_t)words[1] << 32 : words[0];
        const struct place splitter = {number, words[key_words]};
        if (compare_places(&splitter, place) > 0)
            break;
    }
    return bucket;
}

struct tile {
    struct run from, to;
    uint32_t next[256]; /* where a bucket's next row goes */
    uint32_t counts[256];
};

/* The tile's segment in a place. */
static struct run segment_run(const struct twin *twin, const segsort_pass *pass,
                              const uint32_t *tile, const uint32_t *segment, uint32_t place)
{
    if (place == SEGSORT_PLACE_SCRATCH)
        return run_at(twin, pass, place, tile[2] - tile[1], tile[2] - tile[1]);
    return run_at(twin, pass, place, segment[2 * place], segment[2 * place + 1]);
}

/* Calls visit for each row of the tile, with its bucket. */
static void visit_tile(const struct twin *twin, const segsort_pass *pass, uint32_t number,
                       struct tile *tile,
                       void (*visit)(const segsort_pass *pass, struct tile *tile, uint32_t row,
                                     uint32_t bucket))
{
    const uint32_t *entry =
        twin->plan->table + pass->params.tile_word + (size_t)number * SEGSORT_TILE_WORDS;
    const uint32_t *record = segment_words(twin, pass, entry[0]);
    tile->from = segment_run(twin, pass, entry, record, pass->params.source);
    tile->to = segment_run(twin, pass, entry, record, pass->params.destination);
    for (uint32_t row = entry[1]; row < record[4] && row - entry[1] < pass->variant.width; row++) {
        struct place place = place_of(pass, &tile->from, row);
        visit(pass, tile, row, bucket_of(twin, pass, entry[0], &place));
    }
}

static void count_row(const segsort_pass *pass, struct tile *tile, uint32_t row, uint32_t bucket)
{
    (void)pass;
    (void)row;
    tile->counts[bucket]++;
}

static void run_count(const struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    struct tile tile = {.counts = {0}};
    const uint32_t *entry =
        twin->plan->table + pass->params.tile_word + (size_t)number * SEGSORT_TILE_WORDS;
    uint32_t *sum = sum_of(twin, pass, entry[0], entry[1] / pass->variant.width / 8);
    visit_tile(twin, pass, number, &tile, count_row);
    memcpy(counts_of(twin, number), tile.counts, sizeof tile.counts);
    for (uint32_t bucket = 0; bucket < 256; bucket++)
        sum[bucket] += tile.counts[bucket];
}

static void scatter_row(const segsort_pass *pass, struct tile *tile, uint32_t row, uint32_t bucket)
{
    move_row(pass, &tile->from, row, &tile->to, tile->next[bucket]++);
}

static void run_scatter(const struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    const uint32_t *entry =
        twin->plan->table + pass->params.tile_word + (size_t)number * SEGSORT_TILE_WORDS;
    uint32_t in_segment = entry[1] / pass->variant.width;
    const uint32_t *sum = sum_of(twin, pass, entry[0], in_segment / 8);
    struct tile tile = {.counts = {0}};
    for (uint32_t bucket = 0; bucket < 256; bucket++) {
        tile.next[bucket] = starts_of(twin, pass, entry[0])[bucket] + sum[bucket];
        for (uint32_t before = number - in_segment % 8; before < number; before++)
            tile.next[bucket] += counts_of(twin, before)[bucket];
    }
    visit_tile(twin, pass, number, &tile, scatter_row);
}

/* ---------------------------------------------------------------------------------------------- */
/* Bunches */

/* Sums become those of the tiles before; then where each bucket starts. */
static void run_starts(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    uint32_t start = 0, sums = split_words(twin, pass, segment)[7];
    for (uint32_t bucket = 0; bucket < 256; bucket++) {
        uint32_t before = 0;
        for (uint32_t i = 0; i < sums; i++) {
            uint32_t *sum = sum_of(twin, pass, segment, i) + bucket, rows = *sum;
            *sum = before;
            before += rows;
        }
        starts_of(twin, pass, segment)[bucket] = start;
        start += before;
    }
}

/* Buckets one by one: each that the bunch has no room for begins another one. */
static void run_bunches(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    const uint32_t *starts = starts_of(twin, pass, segment);
    uint32_t *bunches = bunches_of(twin, pass, segment), *first = bunches + 1;
    uint32_t buckets = split_words(twin, pass, segment)[1];
    uint32_t bunch_rows = split_words(twin, pass, segment)[8];
    uint32_t rows = segment_words(twin, pass, segment)[4];
    bunches[0] = 1;
    first[0] = 0;
    for (uint32_t bucket = 1; bucket < buckets; bucket++) {
        uint32_t end = bucket + 1 < buckets ? starts[bucket + 1] : rows;
        if (end > starts[bucket] && end - first[bunches[0] - 1] > bunch_rows)
            first[bunches[0]++] = starts[bucket];
    }
    first[bunches[0]] = rows;
}

/* From the scratch to the outputs, however many rows there are. */
static void sort_bunch(const struct twin *twin, const segsort_pass *pass, uint32_t segment,
                       uint32_t bunch)
{
    const uint32_t *record = segment_words(twin, pass, segment);
    const uint32_t *bunches = bunches_of(twin, pass, segment);
    uint32_t first = bunches[1 + bunch], count = bunches[2 + bunch] - first;
    uint32_t scratch_row = twin->plan->table[pass->params.long_word + segment * 3 + 2] + first;
    struct run from = run_at(twin, pass, SEGSORT_PLACE_SCRATCH, scratch_row, scratch_row);
    struct run to = run_at(twin, pass, SEGSORT_PLACE_OUTPUT, record[2] + first, record[3] + first);
    struct place *places = allocate((count + 1) * sizeof *places);
    for (uint32_t row = 0; row < count; row++)
        places[row] = place_of(pass, &from, row);
    qsort(places, count, sizeof *places, compare_places);
    for (uint32_t row = 0; row < count; row++)
        move_row(pass, &from, places[row].row, &to, row);
    free(places);
}

static void run_finish(const struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    uint32_t segment = twin->plan->table[pass->params.finish_word + number];
    const uint32_t *split = split_words(twin, pass, segment);
    uint32_t count = bunches_of(twin, pass, segment)[0];
    for (uint32_t bunch = number - split[0]; bunch < count; bunch += split[3])
        sort_bunch(twin, pass, segment, bunch);
}

void twin_split_run(const struct twin *twin, const segsort_pass *pass, uint32_t item)
{
    if (item >= pass->params.item_count) {
        if (pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SAMPLE)
            clear_sums(twin, pass, item - pass->params.item_count);
    } else if (pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SAMPLE)
        run_sample(twin, pass, item);
    else if (pass->variant.kernel == SEGSORT_KERNEL_SPLIT_COUNT)
        run_count(twin, pass, item);
    else if (pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SPINE) {
        run_starts(twin, pass, item);
        run_bunches(twin, pass, item);
    } else if (pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SCATTER)
        run_scatter(twin, pass, item);
    else
        run_finish(twin, pass, item);
}
