#include "plan_build.h"

/* A bucket is sorted in a pack of this width. */
static uint32_t segsort_split_rows(const segsort_builder *builder)
{
    return builder->tuning.split_rows;
}

/* Samples that a segment's splitters are drawn from. */
static uint32_t segsort_sample_count(const segsort_builder *builder, uint32_t length)
{
    uint32_t samples = length / builder->tuning.sample_apart;
    return samples < builder->samples_max ? samples : builder->samples_max;
}

/*
 * Samples between two splitters, so that a bucket hardly ever has more rows than a work group sorts.
 * The rows of a bucket get their samples at random: among as many as fit the work group, expected
 * is a number x of samples, with a deviation of its root. A bucket is too large when that many rows
 * had fewer samples than lie between splitters; 5.4 deviations are one in thirty millions where
 * numbers are normally distributed, and this distribution's lower tail is thinner still. 0: the
 * segment is too long for that.
 */
static uint32_t segsort_samples_apart(const segsort_builder *builder, uint32_t length)
{
    uint64_t samples = segsort_sample_count(builder, length);
    uint64_t expected = samples * segsort_split_rows(builder) / length;
    uint64_t apart = 0;
    /* 5.4 squared is about 29. */
    while (apart + 1 < expected && (expected - apart - 1) * (expected - apart - 1) >= 29 * expected)
        apart++;
    return (uint32_t)apart;
}

/* Buckets of a long segment; 0: it would take more than there can be. */
static uint32_t segsort_split_count(const segsort_builder *builder, uint32_t length)
{
    uint32_t apart = segsort_samples_apart(builder, length);
    if (apart == 0)
        return 0;
    uint32_t count = (segsort_sample_count(builder, length) + apart - 1) / apart;
    return count <= SEGSORT_DIGITS ? count : 0;
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
    set->first_split_chunk = set->chunk_count;
    while (splits && set->first_split > 0) {
        uint32_t length = segsort_long_length(set, set->first_split - 1);
        uint32_t count = segsort_split_count(builder, length);
        if (count == 0 || length > builder->tuning.split_length_max)
            break;
        set->first_split--;
        set->first_split_tile -= segsort_tile_count(builder, length);
        if (set->chunk_count > 0)
            set->first_split_chunk -= segsort_chunk_count(builder, length);
        set->split_rows += length;
        set->bucket_count += count;
        set->buckets_max = count > set->buckets_max ? count : set->buckets_max;
    }
}

uint64_t segsort_lay_out_splits(segsort_builder *builder, uint64_t word)
{
    segsort_set_builder *set = &builder->set;
    uint32_t count = set->long_count - set->first_split;
    /* Modulo 2^32, as shaders add. */
    set->split_word = (uint32_t)word - set->first_split * SEGSORT_SPLIT_WORDS;
    word += (uint64_t)count * SEGSORT_SPLIT_WORDS;
    set->bucket_word = (uint32_t)word;
    return word + set->bucket_count;
}

void segsort_write_splits(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    uint32_t *table = builder->plan->table, bucket = 0;
    for (uint32_t i = set->first_split; i < set->long_count; i++) {
        uint32_t length = segsort_long_length(set, i);
        uint32_t count = segsort_split_count(builder, length);
        uint32_t *words = table + (uint32_t)(set->split_word + i * SEGSORT_SPLIT_WORDS);
        words[0] = bucket;
        words[1] = count;
        words[2] = count > 0 ? segsort_sample_count(builder, length) / count : 0;
        while (count-- > 0)
            table[set->bucket_word + bucket++] = i;
    }
}

static uint32_t segsort_segment_splitter_words(const segsort_builder *builder)
{
    return SEGSORT_DIGITS * SEGSORT_SPLITTER_WORDS(segsort_key_words(builder->types.key));
}

uint64_t segsort_splitter_bytes(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    return (uint64_t)(set->long_count - set->first_split) *
           segsort_segment_splitter_words(builder) * 4;
}

/* ---------------------------------------------------------------------------------------------- */

/* The longest comes first, and has the most samples. */
static uint32_t segsort_longest_split(const segsort_builder *builder)
{
    return segsort_long_length(&builder->set, builder->set.first_split);
}

/* Bits that the greatest bucket number takes. A segment may have a bucket more than a longer one,
 * where rounding leaves fewer samples between its splitters. */
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
    return kernel == SEGSORT_KERNEL_SPLIT_FINISH ? segsort_split_rows(builder) : builder->tile_rows;
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
    pass.params.splitters = (counts + set->long_count) * SEGSORT_DIGITS -
                            set->first_split * segsort_segment_splitter_words(builder);
    pass.params.split_word = set->split_word;
    pass.params.bucket_word = set->bucket_word;
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
        {SEGSORT_KERNEL_RADIX_SPINE, set->first_split, set->long_count},
        {SEGSORT_KERNEL_SPLIT_SCATTER, set->first_split_tile, set->tile_count},
        {SEGSORT_KERNEL_SPLIT_FINISH, 0, set->bucket_count},
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
