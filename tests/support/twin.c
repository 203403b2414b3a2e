#include "twin.h"

#include "steps.h"
#include "twin_split.h"
#include "twin_twice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- */
/* Keys */

/* The unsigned number of which the lesser one comes first. */
static uint64_t number_of(const segsort_pass *pass, uint64_t key)
{
    const segsort_variant *variant = &pass->variant;
    uint64_t number = key;
    if (variant->types.key == GL_SEGSORT_KEY_I32) {
        number = key < 0x80000000 ? key + 0x80000000 : key - 0x80000000;
    } else if (variant->types.key == GL_SEGSORT_KEY_F32) {
        uint64_t magnitude = key % 0x80000000;
        if (magnitude > 0x7f800000)
            return UINT32_MAX;
        number = key > 0x80000000 ? 0x7fffffff - magnitude : 0x80000000 + magnitude;
    }
    if (variant->direction == GL_SEGSORT_ASCENDING)
        return number;
    return (variant->types.key == GL_SEGSORT_KEY_U64 ? UINT64_MAX : UINT32_MAX) - number;
}

static bool is_network(segsort_kernel_id kernel)
{
    return kernel == SEGSORT_KERNEL_BITONIC_LOCAL || kernel == SEGSORT_KERNEL_BITONIC_BLOCK ||
           kernel == SEGSORT_KERNEL_BITONIC_STEP || kernel == SEGSORT_KERNEL_BITONIC_MERGE;
}

static bool takes_packs(segsort_kernel_id kernel)
{
    return kernel == SEGSORT_KERNEL_BUCKET_LOCAL || kernel == SEGSORT_KERNEL_BUCKET_EQUAL ||
           kernel == SEGSORT_KERNEL_RANK_LOCAL || kernel == SEGSORT_KERNEL_RANK_QUADS;
}

uint64_t twin_masked_number(const segsort_pass *pass, uint64_t key)
{
    uint64_t mask = pass->params.key_mask_low | (uint64_t)pass->params.key_mask_high << 32;
    return pass->variant.masked ? number_of(pass, key) & mask : number_of(pass, key);
}

/* What the pass compares or counts by: the masked number in the network, in packs and in slots, the digit (or all the bits
 * that a work group sorts by) in the radix sort. */
static uint64_t rank_of(const segsort_pass *pass, uint64_t key)
{
    const struct segsort_pass_params *params = &pass->params;
    uint64_t number = number_of(pass, key);
    if (is_network(pass->variant.kernel) || takes_packs(pass->variant.kernel) ||
        pass->variant.kernel == SEGSORT_KERNEL_BUCKET_SLOTS)
        return twin_masked_number(pass, key);
    if (params->digit_bits == 0)
        return 0;
    number >>= params->digit_shift;
    return params->digit_bits == 64 ? number : number % ((uint64_t)1 << params->digit_bits);
}

/* ---------------------------------------------------------------------------------------------- */
/* Rows */

/* A segment in a place. */
struct rows {
    const segsort_pass *pass;
    uint32_t *keys, *values; /* of its row 0 */
    bool numbered;           /* its values are the rows' numbers and lie nowhere */
};

struct row {
    uint64_t key, value, rank;
    uint32_t index; /* the row of the segment that it came from */
};

/* A tile of a long segment; number and row as the table has them. */
struct tile {
    const uint32_t *segment; /* its table words */
    uint32_t number, first_row, end_row, scratch_row;
};

static uint64_t load(const uint32_t *words, uint32_t count, uint32_t row)
{
    if (!words) /* there are no values */
        return 0;
    const uint32_t *at = words + (size_t)row * count;
    return count == 2 ? at[0] | (uint64_t)at[1] << 32 : at[0];
}

static void store(uint32_t *words, uint32_t count, uint32_t row, uint64_t number)
{
    for (uint32_t i = 0; words && i < count; i++)
        words[(size_t)row * count + i] = (uint32_t)(number >> 32 * i);
}

static struct row load_row(const struct rows *rows, uint32_t row)
{
    const segsort_types *types = &rows->pass->variant.types;
    uint64_t key = load(rows->keys, segsort_key_words(types->key), row);
    uint64_t value =
        rows->numbered ? row : load(rows->values, segsort_value_words(types->value), row);
    return (struct row){key, value, rank_of(rows->pass, key), row};
}

static void store_row(const struct rows *rows, uint32_t at, const struct row *row)
{
    const segsort_types *types = &rows->pass->variant.types;
    store(rows->keys, segsort_key_words(types->key), at, row->key);
    store(rows->values, segsort_value_words(types->value), at, row->value);
}

static struct rows rows_at(const struct twin *twin, const segsort_pass *pass, uint32_t place,
                           uint32_t keys_row, uint32_t values_row)
{
    const segsort_types *types = &pass->variant.types;
    struct rows rows = {
        .pass = pass,
        .keys = twin->keys[place] + (size_t)keys_row * segsort_key_words(types->key),
        .numbered = place == SEGSORT_PLACE_INPUT && types->value == GL_SEGSORT_VALUE_INDEX};
    /* There is no array of values to step into otherwise. */
    if (!rows.numbered && types->value != GL_SEGSORT_VALUE_NONE)
        rows.values = twin->values[place] + (size_t)values_row * segsort_value_words(types->value);
    return rows;
}

/* The rows from one on. */
static struct rows rows_behind(const struct rows *rows, uint32_t row)
{
    const segsort_types *types = &rows->pass->variant.types;
    struct rows behind = *rows;
    behind.keys += (size_t)row * segsort_key_words(types->key);
    if (behind.values)
        behind.values += (size_t)row * segsort_value_words(types->value);
    return behind;
}

static struct rows segment_rows(const struct twin *twin, const segsort_pass *pass,
                                const uint32_t *segment, uint32_t place)
{
    bool input = place == SEGSORT_PLACE_INPUT;
    return rows_at(twin, pass, place, segment[input ? 0 : 2], segment[input ? 1 : 3]);
}

static struct rows tile_rows(const struct twin *twin, const segsort_pass *pass,
                             const struct tile *tile, uint32_t place)
{
    uint32_t scratch = tile->scratch_row - tile->first_row;
    if (place == SEGSORT_PLACE_SCRATCH)
        return rows_at(twin, pass, place, scratch, scratch);
    return segment_rows(twin, pass, tile->segment, place);
}

static const uint32_t *find_segment(const struct twin *twin, const segsort_pass *pass,
                                    uint32_t number)
{
    return twin->plan->table + pass->params.segment_word + (size_t)number * SEGSORT_SEGMENT_WORDS;
}

static struct tile find_tile(const struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    const uint32_t *entry =
        twin->plan->table + pass->params.tile_word + (size_t)number * SEGSORT_TILE_WORDS;
    struct tile tile = {find_segment(twin, pass, entry[0]), entry[0], entry[1], entry[1], entry[2]};
    uint32_t left = tile.segment[4] - tile.first_row;
    tile.end_row += left < pass->variant.width ? left : pass->variant.width;
    return tile;
}

/* ---------------------------------------------------------------------------------------------- */
/* Whole runs of rows */

static int compare_rows(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static void exchange_rows(struct row *rows, uint32_t count, uint32_t partner_mask)
{
    for (uint32_t row = 0; row < count; row++) {
        uint32_t partner = row ^ partner_mask;
        if (partner <= row || partner >= count || compare_rows(&rows[row], &rows[partner]) <= 0)
            continue;
        struct row lower = rows[row];
        rows[row] = rows[partner];
        rows[partner] = lower;
    }
}

/* A network that runs to its end has one result only; a limited one goes step by step. */
static void order_rows(const segsort_pass *pass, struct row *rows, uint32_t count)
{
    uint32_t limit = pass->params.step_limit, stage, stride;
    if (!is_network(pass->variant.kernel) || limit >= segsort_network_steps(count))
        qsort(rows, count, sizeof *rows, compare_rows);
    else
        for (uint32_t i = 1; i <= limit && gl_segsort_network_step(i, &stage, &stride); i++)
            exchange_rows(rows, count, stride == stage / 2 ? stage - 1 : stride);
}

/* Sorts rows first .. end - 1 of a segment, or starts to. All are read before one is written, as it has to be in
 * place. index receives their source rows, unless it is NULL. */
static void sort_rows(const struct rows *from, const struct rows *to, uint32_t first, uint32_t end,
                      uint32_t *index)
{
    struct row *sorted = malloc((end - first) * sizeof *sorted);
    if (!sorted) {
        fprintf(stderr, "twin: out of memory\n");
        abort();
    }
    for (uint32_t row = first; row < end; row++)
        sorted[row - first] = load_row(from, row);
    order_rows(from->pass, sorted, end - first);
    for (uint32_t row = first; row < end; row++) {
        store_row(to, row, &sorted[row - first]);
        if (index)
            index[row] = sorted[row - first].index;
    }
    free(sorted);
}

static void run_local(const struct twin *twin, const segsort_pass *pass, uint32_t group)
{
    uint32_t slots = segsort_variant_tile_rows(&pass->variant) / pass->variant.width;
    for (uint32_t i = group * slots; i < (group + 1) * slots && i < pass->params.item_count; i++) {
        const uint32_t *segment = find_segment(twin, pass, i);
        struct rows from = segment_rows(twin, pass, segment, pass->params.source);
        struct rows to = segment_rows(twin, pass, segment, pass->params.destination);
        sort_rows(&from, &to, 0, segment[4], NULL);
    }
}

/* Where the segment that starts at a row of the pack ends: at the next bit. */
static uint32_t find_end(const uint32_t *record, uint32_t row)
{
    const uint32_t *starts = record + SEGSORT_PACK_HEAD_WORDS;
    for (row++; row < record[4] && !(starts[row / 32] >> row % 32 & 1);)
        row++;
    return row;
}

/* The segments of a pack lie one behind the other, from the rows that its record tells on, or the
 * pass's parameters. */
static void run_pack(const struct twin *twin, const segsort_pass *pass, uint32_t group)
{
    const struct segsort_pass_params *params = &pass->params;
    const uint32_t equal[] = {params->equal_keys, params->equal_values, params->equal_output_keys,
                              params->equal_output_values, params->equal_rows};
    const uint32_t *record = equal;
    uint32_t first = group * params->slot_count * params->slot_rows, last = UINT32_MAX;
    if (params->slot_rows > 0)
        last = first + params->slot_count * params->slot_rows;
    else
        record = twin->plan->table + params->segment_word +
                 (size_t)group * SEGSORT_PACK_WORDS(pass->variant.width);
    struct rows from = rows_at(twin, pass, SEGSORT_PLACE_INPUT, record[0], record[1]);
    struct rows to = rows_at(twin, pass, SEGSORT_PLACE_OUTPUT, record[2], record[3]);
    for (uint32_t row = first, end; row < record[4] && row < last; row = end) {
        end = params->slot_rows > 0 ? row + params->slot_rows : find_end(record, row);
        struct rows own_from = rows_behind(&from, row), own_to = rows_behind(&to, row);
        sort_rows(&own_from, &own_to, 0, end - row, NULL);
    }
}

static void run_copy(const struct twin *twin, const segsort_pass *pass, const struct tile *tile)
{
    struct rows from = tile_rows(twin, pass, tile, pass->params.source);
    struct rows to = tile_rows(twin, pass, tile, pass->params.destination);
    for (uint32_t row = tile->first_row; row < tile->end_row; row++) {
        struct row moved = load_row(&from, row);
        store_row(&to, row, &moved);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* The network */

/* Comparators whose lower end lies in the tile and whose upper end lies before limit. */
static void step(const struct rows *rows, uint32_t *index, const struct tile *tile,
                 uint32_t partner_mask, uint32_t limit)
{
    for (uint32_t row = tile->first_row; row < tile->end_row; row++) {
        uint32_t partner = row ^ partner_mask;
        if (partner <= row || partner >= limit)
            continue;
        struct row lower = load_row(rows, row), upper = load_row(rows, partner);
        lower.index = index[row];
        upper.index = index[partner];
        if (compare_rows(&lower, &upper) <= 0)
            continue;
        store_row(rows, row, &upper);
        store_row(rows, partner, &lower);
        index[row] = upper.index;
        index[partner] = lower.index;
    }
}

static void merge_tile(const struct rows *rows, uint32_t *index, const struct tile *tile)
{
    uint32_t left = rows->pass->params.step_limit;
    for (uint32_t stride = rows->pass->variant.width / 2; stride > 0 && left > 0; left--) {
        step(rows, index, tile, stride, tile->end_row);
        stride /= 2;
    }
}

static void run_network(const struct twin *twin, const segsort_pass *pass, const struct tile *tile)
{
    struct rows from = tile_rows(twin, pass, tile, pass->params.source);
    struct rows to = tile_rows(twin, pass, tile, pass->params.destination);
    uint32_t *index = twin->work + (tile->scratch_row - tile->first_row);
    if (pass->variant.kernel == SEGSORT_KERNEL_BITONIC_BLOCK)
        sort_rows(&from, &to, tile->first_row, tile->end_row, index);
    else if (pass->variant.kernel == SEGSORT_KERNEL_BITONIC_STEP)
        step(&to, index, tile, pass->params.partner_mask, tile->segment[4]);
    else
        merge_tile(&to, index, tile);
}

/* ---------------------------------------------------------------------------------------------- */
/* The radix sort across work groups */

static uint32_t *tile_counts(const struct twin *twin, uint32_t tile)
{
    return twin->work + (size_t)tile * SEGSORT_DIGITS;
}

static uint32_t *chunk_counts(const struct twin *twin, const segsort_pass *pass, uint32_t chunk)
{
    return twin->work + pass->params.chunk_counts + (size_t)chunk * SEGSORT_DIGITS;
}

static uint32_t *digit_starts(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    return twin->work + pass->params.digit_starts + (size_t)segment * SEGSORT_DIGITS;
}

static const uint32_t *long_words(const struct twin *twin, const segsort_pass *pass,
                                  uint32_t segment)
{
    return twin->plan->table + pass->params.long_word + (size_t)segment * SEGSORT_LONG_WORDS;
}

/* Replaces each of the counts of a digit by the sum of those before it. Returns the sum of all. */
static uint32_t scan_counts(uint32_t *counts, uint32_t count, uint32_t digit)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *at = &counts[(size_t)i * SEGSORT_DIGITS + digit], rows = *at;
        *at = sum;
        sum += rows;
    }
    return sum;
}

static void run_count(const struct twin *twin, const segsort_pass *pass, const struct tile *tile,
                      uint32_t number)
{
    struct rows from = tile_rows(twin, pass, tile, pass->params.source);
    uint32_t *counts = tile_counts(twin, number);
    for (uint32_t digit = 0; digit < SEGSORT_DIGITS; digit++)
        counts[digit] = 0;
    for (uint32_t row = tile->first_row; row < tile->end_row; row++)
        counts[load_row(&from, row).rank]++;
}

static void run_chunk(const struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    const uint32_t *chunk =
        twin->plan->table + pass->params.chunk_word + (size_t)number * SEGSORT_CHUNK_WORDS;
    for (uint32_t digit = 0; digit < SEGSORT_DIGITS; digit++)
        chunk_counts(twin, pass, number)[digit] =
            scan_counts(tile_counts(twin, chunk[0]), chunk[1], digit);
}

static void run_spine(const struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    const uint32_t *words = long_words(twin, pass, number);
    uint32_t width = pass->variant.width, start = 0;
    uint32_t tiles = (find_segment(twin, pass, number)[4] + width - 1) / width;
    uint32_t chunks = (tiles + SEGSORT_CHUNK_TILES - 1) / SEGSORT_CHUNK_TILES;
    for (uint32_t digit = 0; digit < SEGSORT_DIGITS; digit++) {
        digit_starts(twin, pass, number)[digit] = start;
        start += pass->params.chunk_counts
                     ? scan_counts(chunk_counts(twin, pass, words[1]), chunks, digit)
                     : scan_counts(tile_counts(twin, words[0]), tiles, digit);
    }
}

static void run_scatter(const struct twin *twin, const segsort_pass *pass, const struct tile *tile,
                        uint32_t number)
{
    struct rows from = tile_rows(twin, pass, tile, pass->params.source);
    struct rows to = tile_rows(twin, pass, tile, pass->params.destination);
    uint32_t starts[SEGSORT_DIGITS];
    uint32_t chunk = long_words(twin, pass, tile->number)[1] +
                     tile->first_row / pass->variant.width / SEGSORT_CHUNK_TILES;
    for (uint32_t digit = 0; digit < SEGSORT_DIGITS; digit++) {
        starts[digit] =
            digit_starts(twin, pass, tile->number)[digit] + tile_counts(twin, number)[digit];
        if (pass->params.chunk_counts)
            starts[digit] += chunk_counts(twin, pass, chunk)[digit];
    }
    for (uint32_t row = tile->first_row; row < tile->end_row; row++) {
        struct row moved = load_row(&from, row);
        store_row(&to, starts[moved.rank]++, &moved);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Gathering */

/* Rows outside a view are left alone, as a listed plan's segments are only known to fit the views
 * that it sorted. */
static void gather_rows(const struct twin *twin, const uint32_t *segment, uint32_t first,
                        uint32_t end)
{
    const struct twin_gather *gather = &twin->gather;
    bool in_view = gather->index_base == GL_SEGSORT_INDEX_IN_VIEW;
    size_t words = gather->record_words;
    for (uint32_t row = first; row < end; row++) {
        size_t from = (size_t)segment[3] + row, to = (size_t)segment[2] + row;
        if (from >= gather->index_rows || to >= gather->output_rows)
            continue;
        uint32_t index = twin->values[SEGSORT_PLACE_INPUT][from];
        size_t record = in_view ? index : (size_t)segment[0] + index;
        if ((in_view || index < segment[4]) && record < gather->record_rows)
            memcpy(twin->keys[SEGSORT_PLACE_OUTPUT] + to * words,
                   twin->keys[SEGSORT_PLACE_INPUT] + record * words, words * 4);
    }
}

static void run_gather(const struct twin *twin, const segsort_pass *pass, uint32_t group)
{
    uint32_t slots = pass->params.slot_count;
    if (slots == 0 && group < pass->params.item_count) {
        const uint32_t *entry =
            twin->plan->table + pass->params.tile_word + (size_t)group * SEGSORT_TILE_WORDS;
        const uint32_t *segment = find_segment(twin, pass, entry[0]);
        uint32_t left = segment[4] - entry[1];
        gather_rows(twin, segment, entry[1], entry[1] + (left < pass->width ? left : pass->width));
    }
    for (uint32_t i = group * slots; i < (group + 1) * slots && i < pass->params.item_count; i++) {
        const uint32_t *segment = find_segment(twin, pass, i);
        gather_rows(twin, segment, 0, segment[4]);
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void run_tile(const struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    struct tile tile = find_tile(twin, pass, number);
    if (pass->variant.kernel == SEGSORT_KERNEL_RADIX_COUNT)
        run_count(twin, pass, &tile, number);
    else if (pass->variant.kernel == SEGSORT_KERNEL_RADIX_SCATTER)
        run_scatter(twin, pass, &tile, number);
    else if (pass->variant.kernel == SEGSORT_KERNEL_COPY_ROWS)
        run_copy(twin, pass, &tile);
    else
        run_network(twin, pass, &tile);
}

/* Groups beyond the last item are what folding rounded up. */
static void run_group(const struct twin *twin, const segsort_pass *pass, uint32_t group)
{
    segsort_kernel_id kernel = pass->variant.kernel;
    if (kernel == SEGSORT_KERNEL_BITONIC_LOCAL || kernel == SEGSORT_KERNEL_RADIX_LOCAL ||
        kernel == SEGSORT_KERNEL_BUCKET_SLOTS)
        run_local(twin, pass, group);
    else if (kernel == SEGSORT_KERNEL_GATHER)
        run_gather(twin, pass, group);
    else if (twin_split_has(kernel))
        twin_split_run(twin, pass, group);
    else if (group >= pass->params.item_count)
        return;
    else if (takes_packs(kernel))
        run_pack(twin, pass, group);
    else if (kernel == SEGSORT_KERNEL_SPLIT_AGAIN)
        twin_twice_run(twin, pass, group);
    else if (kernel == SEGSORT_KERNEL_RADIX_CHUNK)
        run_chunk(twin, pass, group);
    else if (kernel == SEGSORT_KERNEL_RADIX_SPINE)
        run_spine(twin, pass, group);
    else
        run_tile(twin, pass, group);
}

bool twin_pass_is_due(const segsort_pass *pass, bool in_place)
{
    return pass->condition == GL_SEGSORT_PASS_ALWAYS ||
           pass->condition == (in_place ? GL_SEGSORT_PASS_IN_PLACE : GL_SEGSORT_PASS_OUT_OF_PLACE);
}

void twin_run_pass(const struct twin *twin, const segsort_pass *pass)
{
    uint64_t groups = (uint64_t)pass->work_groups[0] * pass->work_groups[1] * pass->work_groups[2];
    for (uint64_t i = 0; i < groups; i++) {
        uint64_t group = twin->backwards ? groups - 1 - i : i;
        run_group(twin, pass, pass->params.first_group + (uint32_t)group);
    }
}
