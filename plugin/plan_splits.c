#include "plan_splits.h"

static uint32_t segsort_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The ways in which bunches are sorted, from the shortest segments to the longest ones. */
static segsort_kernel_id segsort_finish_kernel(segsort_finish_id finish)
{
    return finish == SEGSORT_FINISH_PARTS ? SEGSORT_KERNEL_SPLIT_PARTS
                                          : SEGSORT_KERNEL_SPLIT_FINISH;
}

uint32_t segsort_finish_rows(const segsort_builder *builder, segsort_finish_id finish)
{
    uint32_t narrow = builder->tuning.split_rows, wide = builder->tuning.long_split_rows;
    uint32_t rows = finish == SEGSORT_FINISH_NARROW || wide < narrow ? narrow : wide;
    while (finish == SEGSORT_FINISH_PARTS && rows > SEGSORT_BUCKET_MIN &&
           segsort_parts_bytes(rows) > builder->limits->shared_bytes)
        rows /= 2;
    return rows;
}

uint32_t segsort_sample_count(const segsort_builder *builder, uint32_t length)
{
    return segsort_least(length / builder->tuning.sample_apart, builder->samples_max);
}

/*
 * Samples between two splitters at most, so that a bucket hardly ever has more rows than a work group
 * sorts. The rows of a bucket get their samples at random: among as many as fit the work group,
 * expected is a number x of samples, with a deviation of its root. A bucket is too large when that
 * many rows had fewer samples than lie between splitters; 5.4 deviations are one in thirty millions
 * where numbers are normally distributed, and this distribution's lower tail is thinner still. 0: the
 * segment is too long for that.
 */
static uint32_t segsort_samples_apart_max(const segsort_builder *builder, uint32_t length,
                                          uint32_t bunch_rows)
{
    uint64_t samples = segsort_sample_count(builder, length);
    uint64_t expected = samples * bunch_rows / length, below = 0;
    /* The least number of samples that is 5.4 deviations or more: 5.4 squared is about 29. */
    for (uint64_t step = 512; step > 0; step /= 2)
        if ((below + step) * (below + step) < 29 * expected)
            below += step;
    return expected > below + 1 ? (uint32_t)(expected - below - 1) : 0;
}

uint32_t segsort_count_buckets_of(const segsort_builder *builder, uint32_t length,
                                  segsort_finish_id finish)
{
    uint32_t most = builder->tuning.buckets_max, samples = segsort_sample_count(builder, length);
    if (finish == SEGSORT_FINISH_PARTS)
        return length <= builder->tuning.part_length_max && samples >= most ? most : 0;
    uint32_t apart =
        segsort_samples_apart_max(builder, length, segsort_finish_rows(builder, finish));
    if (apart == 0)
        return 0;
    uint32_t needed = (samples + apart - 1) / apart;
    uint32_t wanted = segsort_least(length / builder->tuning.bucket_rows, most);
    uint32_t count = wanted > needed ? wanted : needed;
    return count <= most ? count : 0;
}

uint32_t segsort_sum_count(const segsort_builder *builder, uint32_t length)
{
    return (segsort_tile_count(builder, length) - 1) / SEGSORT_SUM_TILES + 1;
}

/* The first way that can do it. Two neighbouring bunches have more rows than one has room for, or
 * they would be one. Work groups there are for as many bunches as there will be: on average a bunch
 * lacks little more than half a bucket. Where three quarters are too few as well, a work group
 * sorts two. An even bucket is to have no more than half of the samples that a full bunch would
 * have; one that is sorted part by part two and a half times as many as there are on average. */
static segsort_split segsort_single_split_of(const segsort_builder *builder, uint32_t length)
{
    segsort_split split = {.buckets = 0};
    for (uint32_t i = 0; i < SEGSORT_FINISHES && split.buckets == 0; i++) {
        split.finish = (segsort_finish_id)i;
        split.buckets = segsort_count_buckets_of(builder, length, split.finish);
    }
    if (split.buckets == 0)
        return split;
    uint32_t bunch_rows = segsort_finish_rows(builder, split.finish);
    uint32_t lacking = segsort_least(length / split.buckets * 3 / 4, bunch_rows - 1);
    split.samples_apart = segsort_sample_count(builder, length) / split.buckets;
    split.bunch_rows = bunch_rows;
    split.bunches_max = segsort_least((length - 1) / bunch_rows * 2 + 1, split.buckets);
    split.groups = segsort_least(length / (bunch_rows - lacking) + 1, split.bunches_max);
    split.sums = segsort_sum_count(builder, length);
    split.room_samples =
        split.finish == SEGSORT_FINISH_PARTS
            ? 5 * split.samples_apart
            : (uint32_t)((uint64_t)bunch_rows * split.samples_apart * split.buckets / length);
    return split;
}

static segsort_split segsort_split_of(const segsort_builder *builder, uint32_t length, bool twice)
{
    if (length > builder->tuning.split_length_max)
        return (segsort_split){.buckets = 0};
    return twice ? segsort_first_split_of(builder, length)
                 : segsort_single_split_of(builder, length);
}

uint32_t segsort_long_length(const segsort_set_builder *set, uint32_t number)
{
    return set->segments[set->long_segments[number]].length;
}

static void segsort_take_twice(segsort_builder *builder, const segsort_split *split,
                               uint32_t length)
{
    builder->set.twice_sums += split->sums;
    builder->set.first_twice_tile -= segsort_tile_count(builder, length);
    builder->set.twice_rows += length;
}

/* The next longer segment. */
static void segsort_take_split(segsort_builder *builder, const segsort_split *split,
                               uint32_t length)
{
    segsort_set_builder *set = &builder->set;
    segsort_finish *finish = &set->finishes[split->finish];
    set->first_split--;
    set->first_split_tile -= segsort_tile_count(builder, length);
    set->split_rows += length;
    set->bucket_count += split->buckets;
    set->buckets_max = split->buckets > set->buckets_max ? split->buckets : set->buckets_max;
    set->sum_count += split->sums;
    set->sums_max = split->sums > set->sums_max ? split->sums : set->sums_max;
    set->bunch_words += SEGSORT_BUNCH_WORDS(split->bunches_max);
    if (split->groups == 0)
        return;
    finish->segment_count++;
    finish->row_count += length;
    finish->group_count += split->groups;
}

/* Segments are sorted by length, so that those which can be split come last, and before them those
 * that can be split twice. */
void segsort_find_splits(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    bool splits = builder->samples_max > 0 && builder->long_radix && set->set->layout.bit_count > 0;
    bool twice = false;
    set->first_split = set->first_once = set->long_count;
    set->first_split_tile = set->first_twice_tile = set->tile_count;
    while (splits && set->first_split > 0) {
        uint32_t length = segsort_long_length(set, set->first_split - 1);
        const segsort_split split = segsort_split_of(builder, length, twice);
        if (split.buckets > 0) {
            segsort_take_split(builder, &split, length);
            if (twice)
                segsort_take_twice(builder, &split, length);
            else
                set->first_once--;
        } else if (!twice) {
            twice = true;
        } else {
            break;
        }
    }
    segsort_count_children(builder);
}

uint64_t segsort_lay_out_splits(segsort_builder *builder, uint64_t word)
{
    segsort_set_builder *set = &builder->set;
    uint32_t count = set->long_count - set->first_split, first_group = 0;
    /* Modulo 2^32, as shaders add. */
    set->split_word = (uint32_t)word - set->first_split * SEGSORT_SPLIT_WORDS;
    word += (uint64_t)count * SEGSORT_SPLIT_WORDS;
    set->finish_word = (uint32_t)word;
    for (uint32_t i = 0; i < SEGSORT_FINISHES; i++) {
        set->finishes[i].first_group = first_group;
        first_group += set->finishes[i].group_count;
    }
    return segsort_lay_out_twice(builder, word + first_group);
}

void segsort_write_splits(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    uint32_t *table = builder->plan->table, splitter = 0, bunch_word = 0, sum = 0;
    uint32_t next_group[SEGSORT_FINISHES];
    for (uint32_t i = 0; i < SEGSORT_FINISHES; i++)
        next_group[i] = set->finishes[i].first_group;
    for (uint32_t i = set->first_split; i < set->long_count; i++) {
        segsort_split split =
            segsort_split_of(builder, segsort_long_length(set, i), i < set->first_once);
        uint32_t *words = table + (uint32_t)(set->split_word + i * SEGSORT_SPLIT_WORDS);
        uint32_t *group = &next_group[split.finish];
        words[SEGSORT_SPLIT_FIRST_GROUP] = *group;
        words[SEGSORT_SPLIT_BUCKETS] = split.buckets;
        words[SEGSORT_SPLIT_SAMPLES_APART] = split.samples_apart;
        words[SEGSORT_SPLIT_GROUPS] = split.groups;
        words[SEGSORT_SPLIT_FIRST_SPLITTER] = splitter;
        words[SEGSORT_SPLIT_BUNCH_WORD] = bunch_word;
        words[SEGSORT_SPLIT_FIRST_SUM] = sum;
        words[SEGSORT_SPLIT_SUMS] = split.sums;
        words[SEGSORT_SPLIT_BUNCH_ROWS] = split.bunch_rows;
        words[SEGSORT_SPLIT_ROOM_SAMPLES] = split.room_samples;
        splitter += split.buckets;
        bunch_word += SEGSORT_BUNCH_WORDS(split.bunches_max);
        sum += split.sums;
        while (split.groups-- > 0)
            table[set->finish_word + (*group)++] = i;
    }
    segsort_write_twice(builder);
}

static uint32_t segsort_splitter_words(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    return set->bucket_count * SEGSORT_SPLITTER_WORDS(segsort_key_words(builder->types.key));
}

uint64_t segsort_split_bytes(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    return ((uint64_t)set->sum_count * SEGSORT_DIGITS + segsort_splitter_words(builder) +
            set->bunch_words + segsort_twice_words(builder)) *
           4;
}

/* ---------------------------------------------------------------------------------------------- */

/* Bits that the greatest bucket number takes. Where buckets are as large as they may be, a segment can
 * have one more than a longer segment: rounding leaves fewer samples between its splitters. */
static uint32_t segsort_split_bits(uint32_t buckets_max)
{
    uint32_t bits = 1;
    while (1u << bits < buckets_max)
        bits++;
    return bits;
}

/* The narrowest pack that has room for a segment's samples. */
static uint32_t segsort_sample_width(const segsort_builder *builder, uint32_t length)
{
    uint32_t samples = segsort_sample_count(builder, length);
    uint32_t width = SEGSORT_BUCKET_MIN;
    while (width < samples)
        width *= 2;
    return width;
}

segsort_pass segsort_make_split_pass(const segsort_builder *builder,
                                     const segsort_split_group *group, segsort_kernel_id kernel,
                                     uint32_t width, uint32_t first, uint32_t item_count)
{
    const segsort_set_builder *set = &builder->set;
    segsort_pass pass =
        segsort_make_pass(builder, kernel, width, &set->classes[builder->local_class_count]);
    if (kernel == SEGSORT_KERNEL_SPLIT_SPINE)
        pass.variant.threads = segsort_spine_threads(group->sums);
    struct segsort_pass_params params = group->params;
    params.key_mask_low = pass.params.key_mask_low;
    params.key_mask_high = pass.params.key_mask_high;
    params.first_group = first;
    params.item_count = item_count;
    params.digit_bits = segsort_split_bits(group->buckets_max);
    pass.params = params;
    pass.segment_count = group->segment_count;
    pass.row_count = group->row_count;
    pass.barriers = GL_SEGSORT_BARRIER_STORAGE;
    return pass;
}

gl_segsort_result segsort_add_counting(segsort_builder *builder, const segsort_split_group *group,
                                       uint32_t barriers)
{
    const struct {
        segsort_kernel_id kernel;
        uint32_t width, first, end;
    } steps[] = {
        {SEGSORT_KERNEL_SPLIT_SAMPLE, segsort_sample_width(builder, group->longest), group->first,
         group->end},
        {SEGSORT_KERNEL_SPLIT_COUNT, builder->tile_rows, group->first_tile, group->tile_end},
        {SEGSORT_KERNEL_SPLIT_SPINE, builder->tile_rows, group->first, group->end},
    };
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GL_SEGSORT_SUCCESS; i++) {
        segsort_pass pass = segsort_make_split_pass(builder, group, steps[i].kernel, steps[i].width,
                                                    steps[i].first, steps[i].end);
        uint32_t groups = steps[i].end - steps[i].first;
        if (i == 0) {
            pass.barriers = barriers;
            pass.params.first_sum = group->first_sum;
            pass.params.sum_count = group->sum_count;
            groups += (group->sum_count - 1) / SEGSORT_CLEARED_SUMS + 1;
        }
        result = segsort_add_leveled(builder, &pass, groups);
    }
    return result;
}

gl_segsort_result segsort_add_moving(segsort_builder *builder, const segsort_split_group *group)
{
    segsort_pass pass =
        segsort_make_split_pass(builder, group, SEGSORT_KERNEL_SPLIT_SCATTER, builder->tile_rows,
                                group->first_tile, group->tile_end);
    return segsort_add_leveled(builder, &pass, group->tile_end - group->first_tile);
}

static gl_segsort_result segsort_add_finish(segsort_builder *builder,
                                            const segsort_split_group *group,
                                            segsort_finish_id finish, const segsort_finish *groups,
                                            uint32_t barriers)
{
    segsort_pass pass = segsort_make_split_pass(
        builder, group, segsort_finish_kernel(finish), segsort_finish_rows(builder, finish),
        groups->first_group, groups->first_group + groups->group_count);
    pass.params.source = SEGSORT_PLACE_SCRATCH;
    pass.params.destination = SEGSORT_PLACE_OUTPUT;
    pass.segment_count = groups->segment_count;
    pass.row_count = groups->row_count;
    pass.barriers = barriers;
    return segsort_add_leveled(builder, &pass, groups->group_count);
}

gl_segsort_result segsort_add_finishes(segsort_builder *builder, const segsort_split_group *group,
                                       const segsort_finish finishes[SEGSORT_FINISHES])
{
    uint32_t barriers = GL_SEGSORT_BARRIER_STORAGE;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < SEGSORT_FINISHES && result == GL_SEGSORT_SUCCESS; i++) {
        if (finishes[i].group_count == 0)
            continue;
        result = segsort_add_finish(builder, group, (segsort_finish_id)i, &finishes[i], barriers);
        barriers = 0;
    }
    return result;
}

/* What is said of all segments that are split, whether once or twice. */
segsort_split_group segsort_first_splits(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    segsort_pass pass = segsort_make_pass(builder, SEGSORT_KERNEL_SPLIT_COUNT, builder->tile_rows,
                                          &set->classes[builder->local_class_count]);
    segsort_split_group group = {
        .params = pass.params, .buckets_max = set->buckets_max, .sums = set->sums_max};
    uint32_t tiles = segsort_counted_tiles(set) + set->chunk_count;
    uint32_t counts = tiles + set->long_count;
    group.params.digit_starts = tiles * SEGSORT_DIGITS;
    group.params.tile_sums = counts * SEGSORT_DIGITS;
    group.params.splitters = (counts + set->sum_count) * SEGSORT_DIGITS;
    group.params.bunch_starts = group.params.splitters + segsort_splitter_words(builder);
    group.params.split_word = set->split_word;
    group.params.finish_word = set->finish_word;
    group.params.destination = SEGSORT_PLACE_SCRATCH;
    return group;
}

static gl_segsort_result segsort_add_single_passes(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    segsort_split_group group = segsort_first_splits(builder);
    group.first = set->first_once;
    group.end = set->long_count;
    group.first_tile = set->first_split_tile;
    group.tile_end = set->first_twice_tile;
    group.longest = segsort_long_length(set, set->first_once);
    group.first_sum = set->twice_sums;
    group.sum_count = set->sum_count - set->twice_sums;
    group.segment_count = set->long_count - set->first_once;
    group.row_count = set->split_rows - set->twice_rows;
    gl_segsort_result result = segsort_add_counting(builder, &group, 0);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_moving(builder, &group);
    return result == GL_SEGSORT_SUCCESS ? segsort_add_finishes(builder, &group, set->finishes)
                                        : result;
}

gl_segsort_result segsort_add_split_passes(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    set->level = set->entry_level;
    if (set->first_once < set->long_count)
        result = segsort_add_single_passes(builder);
    set->level = set->entry_level;
    if (result == GL_SEGSORT_SUCCESS && set->first_split < set->first_once)
        result = segsort_add_twice_passes(builder);
    return result;
}
