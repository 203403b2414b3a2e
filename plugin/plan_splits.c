#include "plan_build.h"

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

/* Rows of a bunch of more than one bucket at most. */
static uint32_t segsort_finish_rows(const segsort_builder *builder, segsort_finish_id finish)
{
    uint32_t narrow = builder->tuning.split_rows, wide = builder->tuning.long_split_rows;
    uint32_t rows = finish == SEGSORT_FINISH_NARROW || wide < narrow ? narrow : wide;
    while (finish == SEGSORT_FINISH_PARTS && rows > SEGSORT_BUCKET_MIN &&
           segsort_parts_bytes(rows) > builder->limits->shared_bytes)
        rows /= 2;
    return rows;
}

/* Samples that a segment's splitters are drawn from. */
static uint32_t segsort_sample_count(const segsort_builder *builder, uint32_t length)
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

/* How a long segment is split; into 0 buckets: it can't be. */
typedef struct segsort_split {
    segsort_finish_id finish;
    uint32_t buckets, samples_apart;
    uint32_t bunches_max; /* that it can have */
    uint32_t groups;      /* work groups that sort them */
    uint32_t sums;        /* runs of its tiles that are counted together */
    uint32_t room_rows;   /* an even bucket is to have samples for half as many */
} segsort_split;

/* Into 0: it would take more than there can be. */
static uint32_t segsort_count_buckets_of(const segsort_builder *builder, uint32_t length,
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

/* The first way that can do it. Two neighbouring bunches have more rows than one has room for, or
 * they would be one. Work groups there are for as many bunches as there will be: on average a bunch
 * lacks little more than half a bucket. Where three quarters are too few as well, a work group
 * sorts two. Of a bucket that is sorted part by part an even one may have two and a half times as
 * many samples as there are on average. */
static segsort_split segsort_split_of(const segsort_builder *builder, uint32_t length)
{
    segsort_split split = {.buckets = 0};
    if (length > builder->tuning.split_length_max)
        return split;
    for (uint32_t i = 0; i < SEGSORT_FINISHES && split.buckets == 0; i++) {
        split.finish = (segsort_finish_id)i;
        split.buckets = segsort_count_buckets_of(builder, length, split.finish);
    }
    if (split.buckets == 0)
        return split;
    uint32_t bunch_rows = segsort_finish_rows(builder, split.finish);
    uint32_t lacking = segsort_least(length / split.buckets * 3 / 4, bunch_rows - 1);
    split.samples_apart = segsort_sample_count(builder, length) / split.buckets;
    split.bunches_max = segsort_least((length - 1) / bunch_rows * 2 + 1, split.buckets);
    split.groups = segsort_least(length / (bunch_rows - lacking) + 1, split.bunches_max);
    split.sums = (segsort_tile_count(builder, length) - 1) / SEGSORT_SUM_TILES + 1;
    split.room_rows =
        split.finish == SEGSORT_FINISH_PARTS ? 5 * (length / split.buckets) : bunch_rows;
    return split;
}

static uint32_t segsort_long_length(const segsort_set_builder *set, uint32_t number)
{
    return set->segments[set->long_segments[number]].length;
}

/* They are sorted by length, so that those which can be split come last. */
void segsort_find_splits(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    bool splits = builder->samples_max > 0 && builder->long_radix && set->set->layout.bit_count > 0;
    set->first_split = set->long_count;
    set->first_split_tile = set->tile_count;
    while (splits && set->first_split > 0) {
        uint32_t length = segsort_long_length(set, set->first_split - 1);
        const segsort_split split = segsort_split_of(builder, length);
        if (split.buckets == 0)
            break;
        segsort_finish *finish = &set->finishes[split.finish];
        set->first_split--;
        set->first_split_tile -= segsort_tile_count(builder, length);
        set->split_rows += length;
        set->bucket_count += split.buckets;
        set->buckets_max = split.buckets > set->buckets_max ? split.buckets : set->buckets_max;
        set->sum_count += split.sums;
        set->sums_max = split.sums > set->sums_max ? split.sums : set->sums_max;
        set->bunch_words += SEGSORT_BUNCH_WORDS(split.bunches_max);
        finish->segment_count++;
        finish->row_count += length;
        finish->group_count += split.groups;
    }
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
    return word + first_group;
}

void segsort_write_splits(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    uint32_t *table = builder->plan->table, splitter = 0, bunch_word = 0, sum = 0;
    uint32_t next_group[SEGSORT_FINISHES];
    for (uint32_t i = 0; i < SEGSORT_FINISHES; i++)
        next_group[i] = set->finishes[i].first_group;
    for (uint32_t i = set->first_split; i < set->long_count; i++) {
        segsort_split split = segsort_split_of(builder, segsort_long_length(set, i));
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
        words[SEGSORT_SPLIT_BUNCH_ROWS] = segsort_finish_rows(builder, split.finish);
        words[SEGSORT_SPLIT_ROOM_ROWS] = split.room_rows;
        splitter += split.buckets;
        bunch_word += SEGSORT_BUNCH_WORDS(split.bunches_max);
        sum += split.sums;
        while (split.groups-- > 0)
            table[set->finish_word + (*group)++] = i;
    }
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
            set->bunch_words) *
           4;
}

/* ---------------------------------------------------------------------------------------------- */

/* The longest comes first, and has the most samples. */
static uint32_t segsort_longest_split(const segsort_builder *builder)
{
    return segsort_long_length(&builder->set, builder->set.first_split);
}

/* Bits that the greatest bucket number takes. Where buckets are as large as they may be, a segment can
 * have one more than a longer segment: rounding leaves fewer samples between its splitters. */
static uint32_t segsort_split_bits(const segsort_builder *builder)
{
    uint32_t bits = 1;
    while (1u << bits < builder->set.buckets_max)
        bits++;
    return bits;
}

/* The narrowest pack that has room for a segment's samples. */
static uint32_t segsort_sample_width(const segsort_builder *builder)
{
    uint32_t samples = segsort_sample_count(builder, segsort_longest_split(builder));
    uint32_t width = SEGSORT_BUCKET_MIN;
    while (width < samples)
        width *= 2;
    return width;
}

static segsort_pass segsort_make_split_pass(const segsort_builder *builder,
                                            segsort_kernel_id kernel, uint32_t width,
                                            uint32_t first, uint32_t item_count)
{
    const segsort_set_builder *set = &builder->set;
    const segsort_class *class = &set->classes[builder->local_class_count];
    uint32_t counts = set->tile_count + set->chunk_count + set->long_count;
    segsort_pass pass = segsort_make_pass(builder, kernel, width, class);
    if (kernel == SEGSORT_KERNEL_SPLIT_SPINE)
        pass.variant.threads = segsort_spine_threads(set->sums_max);
    pass.params.first_group = first;
    pass.params.item_count = item_count;
    pass.params.digit_bits = segsort_split_bits(builder);
    pass.params.digit_starts = (set->tile_count + set->chunk_count) * SEGSORT_DIGITS;
    pass.params.tile_sums = counts * SEGSORT_DIGITS;
    pass.params.splitters = (counts + set->sum_count) * SEGSORT_DIGITS;
    pass.params.bunch_starts = pass.params.splitters + segsort_splitter_words(builder);
    pass.params.split_word = set->split_word;
    pass.params.finish_word = set->finish_word;
    pass.params.source = SEGSORT_PLACE_INPUT;
    pass.params.destination = SEGSORT_PLACE_SCRATCH;
    pass.segment_count = set->long_count - set->first_split;
    pass.row_count = set->split_rows;
    pass.barriers = GL_SEGSORT_BARRIER_STORAGE;
    return pass;
}

static gl_segsort_result segsort_add_parting_passes(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    const struct {
        segsort_kernel_id kernel;
        uint32_t width, first, end;
    } steps[] = {
        {SEGSORT_KERNEL_SPLIT_SAMPLE, segsort_sample_width(builder), set->first_split,
         set->long_count},
        {SEGSORT_KERNEL_SPLIT_COUNT, builder->tile_rows, set->first_split_tile, set->tile_count},
        {SEGSORT_KERNEL_SPLIT_SPINE, builder->tile_rows, set->first_split, set->long_count},
        {SEGSORT_KERNEL_SPLIT_SCATTER, builder->tile_rows, set->first_split_tile, set->tile_count},
    };
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GL_SEGSORT_SUCCESS; i++) {
        segsort_pass pass = segsort_make_split_pass(builder, steps[i].kernel, steps[i].width,
                                                    steps[i].first, steps[i].end);
        if (i == 0)
            pass.barriers = 0;
        result = segsort_add_leveled(builder, &pass, steps[i].end - steps[i].first);
    }
    return result;
}

/* Side by side, behind one barrier. */
static gl_segsort_result segsort_add_finish_passes(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    uint32_t barriers = GL_SEGSORT_BARRIER_STORAGE;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < SEGSORT_FINISHES && result == GL_SEGSORT_SUCCESS; i++) {
        const segsort_finish *finish = &set->finishes[i];
        segsort_finish_id id = (segsort_finish_id)i;
        if (finish->group_count == 0)
            continue;
        segsort_pass pass = segsort_make_split_pass(
            builder, segsort_finish_kernel(id), segsort_finish_rows(builder, id),
            finish->first_group, finish->first_group + finish->group_count);
        pass.params.source = SEGSORT_PLACE_SCRATCH;
        pass.params.destination = SEGSORT_PLACE_OUTPUT;
        pass.segment_count = finish->segment_count;
        pass.row_count = finish->row_count;
        pass.barriers = barriers;
        barriers = 0;
        result = segsort_add_leveled(builder, &pass, finish->group_count);
    }
    return result;
}

gl_segsort_result segsort_add_split_passes(segsort_builder *builder)
{
    builder->set.level = builder->set.entry_level;
    gl_segsort_result result = segsort_add_parting_passes(builder);
    return result == GL_SEGSORT_SUCCESS ? segsort_add_finish_passes(builder) : result;
}
