#include "twin_list.h"

#include <stdlib.h>
#include <string.h>

#define GROUP SEGSORT_LIST_GROUP

/* The parameters that all list passes share. */
static const struct segsort_pass_params *params_of(const struct twin_list *twin)
{
    return &twin->plan->passes[0].params;
}

/* ---------------------------------------------------------------------------------------------- */
/* The list */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* As max_length, max_rows and the stride allow. */
static uint32_t longest_allowed(const struct twin_list *twin)
{
    const gl_segsort_plan_desc *desc = twin->desc;
    uint32_t longest = desc->max_rows;
    if (desc->max_length > 0)
        longest = least(longest, desc->max_length);
    if (desc->segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED)
        longest = least(longest, desc->segment_stride);
    return longest;
}

static bool stream_is_used(const struct twin_list *twin, int stream)
{
    return twin->plan->sets[0].layout.row_bytes[stream] > 0;
}

bool twin_list_entry(const struct twin_list *twin, uint32_t number,
                     uint32_t offsets[TWIN_LIST_STREAMS], uint32_t *rows)
{
    uint64_t at[TWIN_LIST_STREAMS], length = 0;
    bool sane = true;
    for (int s = 0; s < TWIN_LIST_STREAMS; s++)
        switch (twin->desc->segment_source) {
        case GL_SEGSORT_SEGMENTS_GPU_OFFSETS:
            at[s] = twin->list[number];
            sane = twin->list[number + 1] >= at[s];
            length = sane ? twin->list[number + 1] - at[s] : 1;
            break;
        case GL_SEGSORT_SEGMENTS_GPU_STRIDED:
            at[s] = (uint64_t)number * twin->desc->segment_stride;
            length = twin->list[number];
            break;
        default:
            at[s] = twin->list[5 * (size_t)number + (size_t)s];
            length = twin->list[5 * (size_t)number + 4];
        }
    for (int s = 0; s < TWIN_LIST_STREAMS && length > 0; s++)
        if (stream_is_used(twin, s) && at[s] + length > twin->view_rows[s])
            sane = false;
    for (int s = 0; s < 2 && length > 0; s++)
        if (twin->in_place[s] && at[s] != at[s + 2])
            sane = false;
    sane = sane && length <= longest_allowed(twin);
    *rows = sane || length == 0 ? (uint32_t)length : 0;
    for (int s = 0; s < TWIN_LIST_STREAMS; s++)
        offsets[s] = (uint32_t)at[s];
    return length > 0 && !sane;
}

static uint32_t looked_at(const struct twin_list *twin)
{
    return least(least(twin->seen, twin->entries), twin->desc->max_segments);
}

/* ---------------------------------------------------------------------------------------------- */
/* Classes */

/* Widths of the local passes, narrow to wide, whether or not the plan has one for each. */
static uint32_t width_of(const struct twin_list *twin, uint32_t number)
{
    uint32_t narrowest = twin->desc->algorithm == GL_SEGSORT_ALGORITHM_RADIX ? 512 : 2;
    return narrowest << number;
}

uint32_t twin_list_class_count(const struct twin_list *twin)
{
    uint32_t count = 0;
    while (width_of(twin, count) <= twin->plan->local_rows_max)
        count++;
    return count + 1;
}

uint32_t twin_list_class(const struct twin_list *twin, uint32_t rows)
{
    uint32_t number = 0;
    while (number + 1 < twin_list_class_count(twin) && width_of(twin, number) < rows)
        number++;
    return number;
}

static bool is_long(const struct twin_list *twin, uint32_t rows)
{
    return rows > twin->plan->local_rows_max;
}

static uint32_t tiles_of(const struct twin_list *twin, uint32_t rows)
{
    uint32_t tile_rows = params_of(twin)->tile_rows;
    return rows / tile_rows + (rows % tile_rows > 0);
}

static uint32_t chunks_of(uint32_t tiles)
{
    return tiles / SEGSORT_CHUNK_TILES + (tiles % SEGSORT_CHUNK_TILES > 0);
}

/* ---------------------------------------------------------------------------------------------- */
/* list-count */

static uint32_t *record_of(const struct twin_list *twin, uint32_t group)
{
    return twin->table + params_of(twin)->group_word + (size_t)group * SEGSORT_GROUP_WORDS;
}

/* The group's segments before end. */
static void write_record(const struct twin_list *twin, uint32_t group, uint32_t end)
{
    uint32_t *record = record_of(twin, group);
    uint64_t sum = 0;
    memset(record, 0, SEGSORT_GROUP_WORDS * sizeof *record);
    record[SEGSORT_GROUP_FIRST_REFUSED] = UINT32_MAX;
    for (uint32_t i = group * GROUP; i < end && i < (group + 1) * GROUP; i++) {
        uint32_t offsets[TWIN_LIST_STREAMS], rows;
        if (twin_list_entry(twin, i, offsets, &rows)) {
            record[SEGSORT_GROUP_REFUSED]++;
            record[SEGSORT_GROUP_FIRST_REFUSED] = least(record[SEGSORT_GROUP_FIRST_REFUSED], i);
        }
        sum += rows;
        if (rows > record[SEGSORT_GROUP_LONGEST])
            record[SEGSORT_GROUP_LONGEST] = rows;
        if (rows < 1)
            continue;
        record[twin_list_class(twin, rows)]++;
        if (is_long(twin, rows)) {
            record[SEGSORT_GROUP_TILES] += tiles_of(twin, rows);
            record[SEGSORT_GROUP_CHUNKS] += chunks_of(tiles_of(twin, rows));
            record[SEGSORT_GROUP_LONG_ROWS] += rows;
        }
    }
    record[SEGSORT_GROUP_ROWS] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

void twin_list_count(const struct twin_list *twin)
{
    uint32_t count = looked_at(twin);
    twin->table[params_of(twin)->head_word + SEGSORT_HEAD_SEEN] = twin->seen;
    twin->table[params_of(twin)->head_word + SEGSORT_HEAD_COUNT] = count;
    for (uint32_t group = 0; (uint64_t)group * GROUP < count; group++)
        write_record(twin, group, count);
}

/* ---------------------------------------------------------------------------------------------- */
/* list-layout */

/* What all segments before the cut come to. */
struct sums {
    uint32_t counts[SEGSORT_GROUP_COLUMNS]; /* classes, tiles, chunks, rows of long segments */
    uint32_t rows, refused, first_refused, longest;
};

/* The first segment with which there are more rows than the plan was made for. */
static uint32_t find_cut(const struct twin_list *twin)
{
    uint64_t sum = 0;
    uint32_t count = looked_at(twin), cut = 0;
    for (; cut < count; cut++) {
        uint32_t offsets[TWIN_LIST_STREAMS], rows;
        twin_list_entry(twin, cut, offsets, &rows);
        sum += rows;
        if (sum > twin->desc->max_rows)
            break;
    }
    return cut;
}

/* Where groups begin in each column takes the place of what they have themselves. */
static struct sums sum_up(const struct twin_list *twin, uint32_t groups)
{
    struct sums sums = {.first_refused = UINT32_MAX};
    for (uint32_t group = 0; group < groups; group++) {
        uint32_t *record = record_of(twin, group);
        for (int column = 0; column < SEGSORT_GROUP_COLUMNS; column++) {
            uint32_t own = record[column];
            record[column] = sums.counts[column];
            sums.counts[column] += own;
        }
        sums.rows += record[SEGSORT_GROUP_ROWS];
        sums.refused += record[SEGSORT_GROUP_REFUSED];
        sums.first_refused = least(sums.first_refused, record[SEGSORT_GROUP_FIRST_REFUSED]);
        if (record[SEGSORT_GROUP_LONGEST] > sums.longest)
            sums.longest = record[SEGSORT_GROUP_LONGEST];
    }
    return sums;
}

static void set_work_groups(const struct twin_list *twin, const segsort_pass *pass, uint32_t place,
                            const struct sums *sums, const uint32_t *starts)
{
    uint32_t items = pass->items == SEGSORT_ITEMS_TILES    ? sums->counts[SEGSORT_GROUP_TILES]
                     : pass->items == SEGSORT_ITEMS_CHUNKS ? sums->counts[SEGSORT_GROUP_CHUNKS]
                                                           : sums->counts[pass->item_class];
    uint64_t groups = ((uint64_t)items + pass->slots - 1) / pass->slots;
    uint32_t *command = twin->commands + (size_t)place * 4;
    uint32_t *params = twin->params + (size_t)place * twin->params_words;
    groups -= groups < pass->params.first_group ? groups : pass->params.first_group;
    if (groups > pass->groups_max)
        groups = pass->groups_max;
    if (sums->longest < pass->length_min)
        groups = 0;
    params[SEGSORT_PARAM_ITEM_COUNT] = items;
    params[SEGSORT_PARAM_SEGMENT_WORD] =
        params_of(twin)->segment_word + 5 * starts[pass->item_class];
    command[0] = 0;
    command[1] = command[2] = 1;
    if (groups > 0)
        segsort_fold_groups(groups, twin->limits->work_groups, command);
}

static void set_status(const struct twin_list *twin, const struct sums *sums, uint32_t cut)
{
    if (!twin->status)
        return;
    uint32_t beyond = twin->seen - cut;
    twin->status[0] = twin->seen;
    twin->status[1] = sums->refused + beyond;
    twin->status[2] = beyond > 0 ? least(sums->first_refused, cut) : sums->first_refused;
    twin->status[3] = sums->rows;
    twin->status[4] = sums->longest;
}

void twin_list_layout(const struct twin_list *twin)
{
    const segsort_plan *plan = twin->plan;
    uint32_t *head = twin->table + params_of(twin)->head_word;
    uint32_t cut = find_cut(twin), count = looked_at(twin), start = 0;
    uint32_t groups = count / GROUP + (count % GROUP > 0), classes = twin_list_class_count(twin);
    if (cut < count) {
        groups = cut / GROUP + 1;
        write_record(twin, groups - 1, cut);
    }
    const struct sums sums = sum_up(twin, groups);
    head[SEGSORT_HEAD_COUNT] = cut;
    for (uint32_t number = 0; number < classes; number++) {
        head[SEGSORT_HEAD_CLASSES + number] = start;
        start += sums.counts[number];
    }
    for (uint32_t i = 0; i < segsort_plan_pass_total(plan); i++)
        if (segsort_plan_pass(plan, i)->indirect)
            set_work_groups(twin, segsort_plan_pass(plan, i), i, &sums,
                            head + SEGSORT_HEAD_CLASSES);
    set_status(twin, &sums, cut);
}

/* ---------------------------------------------------------------------------------------------- */
/* list-scatter */

static void copy_row(const struct twin_list *twin, const uint32_t offsets[TWIN_LIST_STREAMS])
{
    for (int s = 0; s < 2; s++) {
        size_t words = twin->plan->sets[0].layout.row_bytes[s + 2] / 4;
        uint32_t *to = twin->streams[s + 2] + words * offsets[s + 2];
        if (words > 0 && !stream_is_used(twin, s))
            *to = 0; /* the row's number in its segment */
        else if (words > 0)
            memmove(to, twin->streams[s] + words * offsets[s], 4 * words);
    }
}

void twin_list_scatter(const struct twin_list *twin)
{
    const struct segsort_pass_params *params = params_of(twin);
    const uint32_t *head = twin->table + params->head_word;
    uint32_t next[SEGSORT_GROUP_COLUMNS] = {0}, long_class = twin_list_class_count(twin) - 1;
    for (uint32_t i = 0; i < head[SEGSORT_HEAD_COUNT]; i++) {
        uint32_t offsets[TWIN_LIST_STREAMS], rows;
        twin_list_entry(twin, i, offsets, &rows);
        if (rows == 1)
            copy_row(twin, offsets);
        if (rows < 1)
            continue;
        uint32_t number_class = twin_list_class(twin, rows), own = next[number_class]++;
        uint32_t *segment = twin->table + params->segment_word +
                            5 * ((size_t)head[SEGSORT_HEAD_CLASSES + number_class] + own);
        memcpy(segment, offsets, 4 * sizeof *offsets);
        segment[4] = rows;
        if (number_class != long_class)
            continue;
        uint32_t *further = twin->table + params->long_word + 3 * (size_t)own;
        further[0] = next[SEGSORT_GROUP_TILES];
        further[1] = next[SEGSORT_GROUP_CHUNKS];
        further[2] = next[SEGSORT_GROUP_LONG_ROWS];
        next[SEGSORT_GROUP_TILES] += tiles_of(twin, rows);
        next[SEGSORT_GROUP_CHUNKS] += chunks_of(tiles_of(twin, rows));
        next[SEGSORT_GROUP_LONG_ROWS] += rows;
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* list-tiles */

void twin_list_tiles(const struct twin_list *twin)
{
    const struct segsort_pass_params *params = params_of(twin);
    uint32_t *table = twin->table, long_class = twin_list_class_count(twin) - 1, place = 0;
    while (place < twin->plan->pass_count &&
           twin->plan->passes[place].variant.kernel != SEGSORT_KERNEL_LIST_TILES)
        place++;
    if (place == twin->plan->pass_count)
        return;
    uint32_t count = twin->params[(size_t)place * twin->params_words + SEGSORT_PARAM_ITEM_COUNT];
    uint32_t first = table[params->head_word + SEGSORT_HEAD_CLASSES + long_class];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rows = table[params->segment_word + 5 * ((size_t)first + i) + 4];
        const uint32_t *further = table + params->long_word + 3 * (size_t)i;
        uint32_t *tile = table + params->tile_word + 3 * (size_t)further[0];
        uint32_t *chunk = table + params->chunk_word + 2 * (size_t)further[1];
        uint32_t tiles = tiles_of(twin, rows);
        for (uint32_t n = 0; n < tiles; n++, tile += 3) {
            tile[0] = i;
            tile[1] = n * params->tile_rows;
            tile[2] = further[2] + tile[1];
        }
        for (uint32_t n = 0; n < tiles && params->chunk_word != 0; n += SEGSORT_CHUNK_TILES) {
            *chunk++ = further[0] + n;
            *chunk++ = least(tiles - n, SEGSORT_CHUNK_TILES);
        }
    }
}
