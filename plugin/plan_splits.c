#include "plan_build.h"

static uint32_t segsort_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
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
static uint32_t segsort_samples_apart_max(const segsort_builder *builder, uint32_t length)
{
    uint64_t samples = segsort_sample_count(builder, length);
    uint64_t expected = samples * builder->set.bunch_rows / length, below = 0;
    /* The least number of samples that is 5.4 deviations or more: 5.4 squared is about 29. */
    for (uint64_t step = 512; step > 0; step /= 2)
        if ((below + step) * (below + step) < 29 * expected)
            below += step;
    return expected > below + 1 ? (uint32_t)(expected - below - 1) : 0;
}

/* How a long segment is split; into 0 buckets: it can't be. */
typedef struct segsort_split {
    uint32_t buckets, samples_apart;
    uint32_t bunches_max; /* that it can have */
    uint32_t groups;      /* work groups that sort them */
} segsort_split;

/* Into 0: it would take more than there can be. */
static uint32_t segsort_count_buckets_of(const segsort_builder *builder, uint32_t length)
{
    uint32_t apart = segsort_samples_apart_max(builder, length);
    if (apart == 0)
        return 0;
    uint32_t needed = (segsort_sample_count(builder, length) + apart - 1) / apart;
    uint32_t wanted = segsort_least(length / builder->tuning.bucket_rows, SEGSORT_DIGITS);
    uint32_t count = wanted > needed ? wanted : needed;
    return count <= SEGSORT_DIGITS ? count : 0;
}

/* Two neighbouring bunches have more rows than one has room for, or they would be one. Work groups
 * there are for as many bunches as there will be: on average a bunch lacks little more than half a
 * bucket. Where three quarters are too few as well, a work group sorts two. */
static segsort_split segsort_split_of(const segsort_builder *builder, uint32_t length)
{
    segsort_split split = {.buckets = segsort_count_buckets_of(builder, length)};
    if (split.buckets == 0)
        return split;
    uint32_t bunch_rows = builder->set.bunch_rows;
    uint32_t lacking = length / split.buckets * 3 / 4;
    split.samples_apart = segsort_sample_count(builder, length) / split.buckets;
    split.bunches_max = segsort_least((length - 1) / bunch_rows * 2 + 1, split.buckets);
    split.groups = segsort_least(length / (bunch_rows - lacking) + 1, split.bunches_max);
    return split;
}

static uint32_t segsort_long_length(const segsort_set_builder *set, uint32_t number)
{
    return set->segments[set->long_segments[number]].length;
}

static bool segsort_can_split(const segsort_builder *builder, uint32_t length)
{
    return length <= builder->tuning.split_length_max &&
           segsort_count_buckets_of(builder, length) > 0;
}

/* Rows of long segments that bunches of so many rows can split: those up to some length. */
static uint64_t segsort_count_split_rows(segsort_builder *builder, uint32_t bunch_rows)
{
    const segsort_set_builder *set = &builder->set;
    uint64_t rows = 0;
    builder->set.bunch_rows = bunch_rows;
    for (uint32_t i = set->long_count; i > 0; i--) {
        uint32_t length = segsort_long_length(set, i - 1);
        if (!segsort_can_split(builder, length))
            break;
        rows += length;
    }
    return rows;
}

/* Wide bunches let longer segments be split, and take about a tenth longer for all rows; digits take twice as long. */
static void segsort_choose_bunch_rows(segsort_builder *builder)
{
    uint32_t narrow = builder->tuning.split_rows, wide = builder->tuning.long_split_rows;
    uint64_t by_narrow = segsort_count_split_rows(builder, narrow), by_wide = 0;
    bool all = builder->set.long_count == 0 ||
               segsort_can_split(builder, segsort_long_length(&builder->set, 0));
    if (!all && wide > narrow)
        by_wide = segsort_count_split_rows(builder, wide);
    bool pays = by_wide > by_narrow && by_wide - by_narrow > by_narrow / 8;
    builder->set.bunch_rows = pays ? wide : narrow;
}

/* They are sorted by length, so that those which can be split come last. */
void segsort_find_splits(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    bool splits = builder->samples_max > 0 && builder->long_radix && set->set->layout.bit_count > 0;
    if (splits)
        segsort_choose_bunch_rows(builder);
    set->first_split = set->long_count;
    set->first_split_tile = set->tile_count;
    set->first_split_chunk = set->chunk_count;
    while (splits && set->first_split > 0) {
        uint32_t length = segsort_long_length(set, set->first_split - 1);
        if (!segsort_can_split(builder, length))
            break;
        const segsort_split split = segsort_split_of(builder, length);
        set->first_split--;
        set->first_split_tile -= segsort_tile_count(builder, length);
        if (set->chunk_count > 0)
            set->first_split_chunk -= segsort_chunk_count(builder, length);
        set->split_rows += length;
        set->bucket_count += split.buckets;
        set->buckets_max = split.buckets > set->buckets_max ? split.buckets : set->buckets_max;
        set->finish_groups += split.groups;
        set->bunch_words += SEGSORT_BUNCH_WORDS(split.bunches_max);
    }
}

uint64_t segsort_lay_out_splits(segsort_builder *builder, uint64_t word)
{
    segsort_set_builder *set = &builder->set;
    uint32_t count = set->long_count - set->first_split;
    /* Modulo 2^32, as shaders add. */
    set->split_word = (uint32_t)word - set->first_split * SEGSORT_SPLIT_WORDS;
    word += (uint64_t)count * SEGSORT_SPLIT_WORDS;
    set->finish_word = (uint32_t)word;
    return word + set->finish_groups;
}

void segsort_write_splits(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    uint32_t *table = builder->plan->table, group = 0, splitter = 0, bunch_word = 0;
    for (uint32_t i = set->first_split; i < set->long_count; i++) {
        segsort_split split = segsort_split_of(builder, segsort_long_length(set, i));
        uint32_t *words = table + (uint32_t)(set->split_word + i * SEGSORT_SPLIT_WORDS);
        words[0] = group;
        words[1] = split.buckets;
        words[2] = split.samples_apart;
        words[3] = split.groups;
        words[4] = splitter;
        words[5] = bunch_word;
        splitter += split.buckets;
        bunch_word += SEGSORT_BUNCH_WORDS(split.bunches_max);
        while (split.groups-- > 0)
            table[set->finish_word + group++] = i;
    }
}

static uint32_t segsort_splitter_words(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    return set->bucket_count * SEGSORT_SPLITTER_WORDS(segsort_key_words(builder->types.key));
}

uint64_t segsort_split_bytes(const segsort_builder *builder)
{
    return ((uint64_t)segsort_splitter_words(builder) + builder->set.bunch_words) * 4;
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

static uint32_t segsort_split_width(const segsort_builder *builder, segsort_kernel_id kernel)
{
    if (kernel == SEGSORT_KERNEL_SPLIT_SAMPLE)
        return segsort_sample_width(builder);
    return kernel == SEGSORT_KERNEL_SPLIT_FINISH ? builder->set.bunch_rows : builder->tile_rows;
}

static segsort_pass segsort_make_split_pass(const segsort_builder *builder,
                                            segsort_kernel_id kernel, uint32_t first,
                                            uint32_t item_count)
{
    const segsort_set_builder *set = &builder->set;
    const segsort_class *class = &set->classes[builder->local_class_count];
    uint32_t counts = set->tile_count + set->chunk_count;
    segsort_pass pass =
        segsort_make_pass(builder, kernel, segsort_split_width(builder, kernel), class);
    pass.params.first_group = first;
    pass.params.item_count = item_count;
    pass.params.digit_bits = segsort_split_bits(builder);
    pass.params.chunk_counts = set->chunk_count > 0 ? set->tile_count * SEGSORT_DIGITS : 0;
    pass.params.digit_starts = counts * SEGSORT_DIGITS;
    pass.params.splitters = (counts + set->long_count) * SEGSORT_DIGITS;
    pass.params.bunch_starts = pass.params.splitters + segsort_splitter_words(builder);
    pass.params.bunch_rows = builder->set.bunch_rows;
    pass.params.split_word = set->split_word;
    pass.params.finish_word = set->finish_word;
    pass.params.source = SEGSORT_PLACE_INPUT;
    pass.params.destination = SEGSORT_PLACE_SCRATCH;
    pass.segment_count = set->long_count - set->first_split;
    pass.row_count = set->split_rows;
    pass.barriers = GL_SEGSORT_BARRIER_STORAGE;
    return pass;
}

gl_segsort_result segsort_add_split_passes(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    const struct {
        segsort_kernel_id kernel;
        uint32_t first, end;
    } steps[] = {
        {SEGSORT_KERNEL_SPLIT_SAMPLE, set->first_split, set->long_count},
        {SEGSORT_KERNEL_SPLIT_COUNT, set->first_split_tile, set->tile_count},
        {SEGSORT_KERNEL_RADIX_CHUNK, set->first_split_chunk, set->chunk_count},
        {SEGSORT_KERNEL_SPLIT_SPINE, set->first_split, set->long_count},
        {SEGSORT_KERNEL_SPLIT_SCATTER, set->first_split_tile, set->tile_count},
        {SEGSORT_KERNEL_SPLIT_FINISH, 0, set->finish_groups},
    };
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    set->level = set->entry_level;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GL_SEGSORT_SUCCESS; i++) {
        uint32_t count = steps[i].end - steps[i].first;
        if (count == 0)
            continue;
        segsort_pass pass =
            segsort_make_split_pass(builder, steps[i].kernel, steps[i].first, steps[i].end);
        if (i == 0)
            pass.barriers = 0;
        if (steps[i].kernel == SEGSORT_KERNEL_SPLIT_FINISH) {
            pass.params.source = SEGSORT_PLACE_SCRATCH;
            pass.params.destination = SEGSORT_PLACE_OUTPUT;
        }
        result = segsort_add_leveled(builder, &pass, count);
    }
    return result;
}
