#include "plan_build.h"

#include <inttypes.h>

static uint32_t segsort_class_of(const segsort_builder *builder, uint32_t length)
{
    uint32_t number = 0;
    while (number < builder->local_class_count && builder->classes[number].width < length)
        number++;
    return number;
}

static int segsort_compare_lengths(const gl_segsort_segment *segments, uint32_t a, uint32_t b)
{
    if (segments[a].length != segments[b].length)
        return segments[a].length > segments[b].length ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void segsort_sift_down(const gl_segsort_segment *segments, uint32_t *numbers, uint32_t root,
                              uint32_t count)
{
    for (;;) {
        uint32_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count &&
            segsort_compare_lengths(segments, numbers[child], numbers[child + 1]) < 0)
            child++;
        if (segsort_compare_lengths(segments, numbers[root], numbers[child]) >= 0)
            return;
        uint32_t swap = numbers[root];
        numbers[root] = numbers[child];
        numbers[child] = swap;
        root = child;
    }
}

/* Longest first: the segments that still take part in a stage are then a prefix. A heap sort,
 * because qsort passes no pointer to the lengths. */
static void segsort_sort_by_length(const gl_segsort_segment *segments, uint32_t *numbers,
                                   uint32_t count)
{
    for (uint32_t root = count / 2; root > 0; root--)
        segsort_sift_down(segments, numbers, root - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        uint32_t swap = numbers[0];
        numbers[0] = numbers[end - 1];
        numbers[end - 1] = swap;
        segsort_sift_down(segments, numbers, 0, end - 1);
    }
}

static void segsort_write_segment(uint32_t *words, const gl_segsort_segment *segment)
{
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        words[i] = segsort_segment_offset(segment, (segsort_stream)i);
    words[SEGSORT_STREAM_COUNT] = segment->length;
}

static void segsort_write_long_segments(segsort_builder *builder)
{
    const gl_segsort_segment *segments = builder->desc->segments;
    const segsort_class *class = segsort_long_class(builder);
    uint32_t *table = builder->plan->table;
    uint32_t *tile = table + builder->tile_word;
    uint32_t scratch_row = 0;
    for (uint32_t i = 0; i < builder->long_count; i++) {
        const gl_segsort_segment *segment = &segments[builder->long_segments[i]];
        segsort_write_segment(table + class->first_word + i * SEGSORT_SEGMENT_WORDS, segment);
        for (uint64_t row = 0; row < segment->length; row += builder->tile_rows) {
            tile[0] = i;
            tile[1] = (uint32_t)row;
            tile[2] = scratch_row + (uint32_t)row;
            tile += SEGSORT_TILE_WORDS;
        }
        scratch_row += segment->length;
    }
}

/* The radix sort's further words, of each long segment and of each chunk of its tiles. */
static void segsort_write_chunks(segsort_builder *builder)
{
    uint32_t *further = builder->plan->table + builder->long_word;
    uint32_t *chunk = builder->plan->table + builder->chunk_word;
    uint32_t first_tile = 0, first_chunk = 0;
    for (uint32_t i = 0; i < builder->long_count; i++) {
        uint32_t length = builder->desc->segments[builder->long_segments[i]].length;
        uint32_t tiles = segsort_tile_count(builder, length);
        further[0] = first_tile;
        further[1] = first_chunk;
        further += SEGSORT_LONG_WORDS;
        for (uint32_t tile = 0; builder->chunk_count > 0 && tile < tiles;
             tile += SEGSORT_CHUNK_TILES) {
            uint32_t rest = tiles - tile;
            chunk[0] = first_tile + tile;
            chunk[1] = rest < SEGSORT_CHUNK_TILES ? rest : SEGSORT_CHUNK_TILES;
            chunk += SEGSORT_CHUNK_WORDS;
            first_chunk++;
        }
        first_tile += tiles;
    }
}

/* Chunks are only worth their pass when some segment has more than one. */
static void segsort_count_tiles(segsort_builder *builder)
{
    uint32_t longest_chunks = 0, chunks = 0;
    for (uint32_t i = 0; i < builder->long_count; i++) {
        uint32_t length = builder->desc->segments[builder->long_segments[i]].length;
        uint32_t own_chunks = segsort_chunk_count(builder, length);
        builder->tile_count += segsort_tile_count(builder, length);
        chunks += own_chunks;
        longest_chunks = own_chunks > longest_chunks ? own_chunks : longest_chunks;
    }
    builder->chunk_count = builder->long_radix && longest_chunks > 1 ? chunks : 0;
}

static gl_segsort_result segsort_lay_out_table(segsort_builder *builder)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i <= builder->local_class_count; i++) {
        builder->classes[i].first_word = (uint32_t)words;
        words += (uint64_t)builder->classes[i].segment_count * SEGSORT_SEGMENT_WORDS;
    }
    segsort_count_tiles(builder);
    builder->tile_word = (uint32_t)words;
    words += (uint64_t)builder->tile_count * SEGSORT_TILE_WORDS;
    builder->long_word = (uint32_t)words;
    if (builder->long_radix)
        words += (uint64_t)builder->long_count * SEGSORT_LONG_WORDS;
    builder->chunk_word = (uint32_t)words;
    words += (uint64_t)builder->chunk_count * SEGSORT_CHUNK_WORDS;
    if (words * 4 > builder->limits->storage_bytes)
        return segsort_fail(builder->error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "the table of %" PRIu32 " segments takes %" PRIu64
                            " bytes, over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                            builder->desc->segment_count, words * 4,
                            builder->limits->storage_bytes);
    builder->plan->table_words = words;
    return GL_SEGSORT_SUCCESS;
}

static void segsort_count_classes(segsort_builder *builder)
{
    const gl_segsort_plan_desc *desc = builder->desc;
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        uint32_t length = desc->segments[i].length;
        if (length == 0)
            continue;
        segsort_class *class = &builder->classes[segsort_class_of(builder, length)];
        class->segment_count++;
        class->row_count += length;
    }
}

static gl_segsort_result segsort_list_long_segments(segsort_builder *builder)
{
    const gl_segsort_plan_desc *desc = builder->desc;
    uint32_t count = segsort_long_class(builder)->segment_count;
    if (count == 0)
        return GL_SEGSORT_SUCCESS;
    builder->long_segments = builder->allocator->allocate(count * sizeof *builder->long_segments,
                                                          builder->allocator->user);
    if (!builder->long_segments)
        return segsort_fail_memory(builder, "the long segments");
    for (uint32_t i = 0; i < desc->segment_count; i++)
        if (desc->segments[i].length > builder->plan->local_rows_max)
            builder->long_segments[builder->long_count++] = i;
    segsort_sort_by_length(desc->segments, builder->long_segments, builder->long_count);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_build_table(segsort_builder *builder)
{
    const gl_segsort_plan_desc *desc = builder->desc;
    segsort_count_classes(builder);
    gl_segsort_result result = segsort_list_long_segments(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_lay_out_table(builder);
    if (result != GL_SEGSORT_SUCCESS || builder->plan->table_words == 0)
        return result;
    builder->plan->table = builder->allocator->allocate((size_t)builder->plan->table_words * 4,
                                                        builder->allocator->user);
    if (!builder->plan->table)
        return segsort_fail_memory(builder, "the segment table");
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        const gl_segsort_segment *segment = &desc->segments[i];
        if (segment->length == 0 || segment->length > builder->plan->local_rows_max)
            continue;
        segsort_class *class = &builder->classes[segsort_class_of(builder, segment->length)];
        uint32_t at = class->first_word + class->next_segment++ * SEGSORT_SEGMENT_WORDS;
        segsort_write_segment(builder->plan->table + at, segment);
    }
    segsort_write_long_segments(builder);
    if (builder->long_radix)
        segsort_write_chunks(builder);
    return GL_SEGSORT_SUCCESS;
}
