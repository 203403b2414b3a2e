#include "plan_build.h"

#include "numbers.h"

#include <inttypes.h>
#include <string.h>

static uint32_t segsort_class_of(const segsort_builder *builder, uint32_t length)
{
    uint32_t number = 0;
    while (number < builder->local_class_count && builder->classes[number].width < length)
        number++;
    return number;
}

/* Longest first: the segments that still take part in a stage are then a prefix. */
static int segsort_compare_lengths(const void *things, uint32_t a, uint32_t b)
{
    const gl_segsort_segment *segments = things;
    if (segments[a].length != segments[b].length)
        return segments[a].length > segments[b].length ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void segsort_write_segment(uint32_t *words, const gl_segsort_segment *segment)
{
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        words[i] = segsort_segment_offset(segment, (segsort_stream)i);
    words[SEGSORT_STREAM_COUNT] = segment->length;
}

/* Tiles of those that are split twice come last. */
static uint32_t segsort_first_tile(const segsort_set_builder *set, uint32_t segment,
                                   uint32_t tiles_before, uint32_t twice_tiles)
{
    if (segment < set->first_split)
        return tiles_before;
    if (segment < set->first_once)
        return set->first_twice_tile + tiles_before - set->first_split_tile;
    return tiles_before - twice_tiles;
}

static void segsort_write_long_segments(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    const gl_segsort_segment *segments = set->segments;
    const segsort_class *class = segsort_long_class(builder);
    uint32_t *table = builder->plan->table;
    uint32_t scratch_row = 0, tiles = 0, twice_tiles = set->tile_count - set->first_twice_tile;
    for (uint32_t i = 0; i < set->long_count; i++) {
        const gl_segsort_segment *segment = &segments[set->long_segments[i]];
        uint32_t *tile =
            table + set->tile_word +
            (uint64_t)segsort_first_tile(set, i, tiles, twice_tiles) * SEGSORT_TILE_WORDS;
        segsort_write_segment(table + class->first_word + i * SEGSORT_SEGMENT_WORDS, segment);
        for (uint64_t row = 0; row < segment->length; row += builder->tile_rows) {
            tile[0] = i;
            tile[1] = (uint32_t)row;
            tile[2] = scratch_row + (uint32_t)row;
            tile += SEGSORT_TILE_WORDS;
        }
        scratch_row += segment->length;
        tiles += segsort_tile_count(builder, segment->length);
    }
}

/* The radix sort's further words, of each long segment and of each chunk of its tiles. */
static void segsort_write_chunks(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    uint32_t *further = builder->plan->table + set->long_word;
    uint32_t *chunk = builder->plan->table + set->chunk_word;
    uint32_t tiles_before = 0, first_chunk = 0, scratch_row = 0;
    uint32_t twice_tiles = set->tile_count - set->first_twice_tile;
    for (uint32_t i = 0; i < set->long_count; i++) {
        uint32_t length = set->segments[set->long_segments[i]].length;
        uint32_t tiles = segsort_tile_count(builder, length);
        uint32_t first_tile = segsort_first_tile(set, i, tiles_before, twice_tiles);
        further[0] = first_tile;
        further[1] = first_chunk;
        further[2] = scratch_row;
        further += SEGSORT_LONG_WORDS;
        scratch_row += length;
        bool chunked = set->chunk_count > 0 && i < set->first_split;
        for (uint32_t tile = 0; chunked && tile < tiles; tile += SEGSORT_CHUNK_TILES) {
            uint32_t rest = tiles - tile;
            chunk[0] = first_tile + tile;
            chunk[1] = rest < SEGSORT_CHUNK_TILES ? rest : SEGSORT_CHUNK_TILES;
            chunk += SEGSORT_CHUNK_WORDS;
            first_chunk++;
        }
        tiles_before += tiles;
    }
}

static void segsort_count_tiles(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    for (uint32_t i = 0; i < set->long_count; i++)
        set->tile_count += segsort_tile_count(builder, set->segments[set->long_segments[i]].length);
}

/* Of those that digits sort, which come first. Chunks are only worth their pass when some segment
 * has more tiles than are quickly scanned. */
static void segsort_count_chunks(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    uint32_t longest_tiles = 0, chunks = 0;
    for (uint32_t i = 0; i < set->first_split; i++) {
        uint32_t length = set->segments[set->long_segments[i]].length;
        uint32_t own_tiles = segsort_tile_count(builder, length);
        chunks += segsort_chunk_count(builder, length);
        longest_tiles = own_tiles > longest_tiles ? own_tiles : longest_tiles;
    }
    bool chunked = longest_tiles > builder->tuning.chunk_tiles_few;
    set->chunk_count = builder->long_radix && chunked ? chunks : 0;
    set->spine_counts = segsort_most_spine_counts(set, longest_tiles);
}

static void segsort_count_classes(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    for (uint32_t i = 0; i < set->segment_count; i++) {
        uint32_t length = set->segments[i].length;
        if (length == 0)
            continue;
        segsort_class *class = &set->classes[segsort_class_of(builder, length)];
        class->segment_count++;
        class->row_count += length;
    }
}

static gl_segsort_result segsort_list_long_segments(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    uint32_t count = segsort_long_class(builder)->segment_count;
    if (count == 0)
        return GL_SEGSORT_SUCCESS;
    set->long_segments =
        builder->allocator->allocate(count * sizeof *set->long_segments, builder->allocator->user);
    if (!set->long_segments)
        return segsort_fail_memory(builder, "the long segments");
    for (uint32_t i = 0; i < set->segment_count; i++)
        if (set->segments[i].length > builder->plan->local_rows_max)
            set->long_segments[set->long_count++] = i;
    segsort_numbers_sort(set->long_segments, set->long_count, segsort_compare_lengths,
                         set->segments);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_lay_out_table(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    segsort_count_packs(builder);
    for (uint32_t i = 0; i < builder->local_class_count; i++)
        set->classes[i].packed = segsort_is_packed(builder, set->classes[i].width);
    segsort_count_classes(builder);
    gl_segsort_result result = segsort_list_long_segments(builder);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    uint64_t words = builder->plan->table_words;
    for (uint32_t i = 0; i <= builder->local_class_count; i++) {
        set->classes[i].first_word = (uint32_t)words;
        words += (uint64_t)set->classes[i].segment_count * SEGSORT_SEGMENT_WORDS;
    }
    segsort_count_tiles(builder);
    segsort_find_splits(builder);
    segsort_count_chunks(builder);
    set->tile_word = (uint32_t)words;
    words += (uint64_t)set->tile_count * SEGSORT_TILE_WORDS;
    set->long_word = (uint32_t)words;
    if (builder->long_radix)
        words += (uint64_t)set->long_count * SEGSORT_LONG_WORDS;
    set->chunk_word = (uint32_t)words;
    words += (uint64_t)set->chunk_count * SEGSORT_CHUNK_WORDS;
    set->box_word = (uint32_t)words;
    words += segsort_box_words(builder);
    words = segsort_lay_out_packs(builder, words);
    words = segsort_lay_out_splits(builder, words);
    if (words * 4 > builder->limits->storage_bytes)
        return segsort_fail(builder->error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "the table of %" PRIu32 " segments takes %" PRIu64
                            " bytes, over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                            builder->desc->segment_count, words * 4,
                            builder->limits->storage_bytes);
    builder->plan->table_words = words;
    return GL_SEGSORT_SUCCESS;
}

/* Room for all words that are laid out. */
static gl_segsort_result segsort_reserve_table(segsort_builder *builder)
{
    segsort_plan *plan = builder->plan;
    if (plan->table_words <= builder->table_capacity)
        return GL_SEGSORT_SUCCESS;
    uint64_t capacity = 2 * builder->table_capacity;
    capacity = capacity < plan->table_words ? plan->table_words : capacity;
    uint32_t *table = builder->allocator->allocate((size_t)capacity * 4, builder->allocator->user);
    if (!table)
        return segsort_fail_memory(builder, "the segment table");
    if (plan->table) {
        memcpy(table, plan->table, (size_t)builder->table_capacity * 4);
        builder->allocator->release(plan->table, builder->allocator->user);
    }
    plan->table = table;
    builder->table_capacity = capacity;
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_write_table(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    gl_segsort_result result = segsort_reserve_table(builder);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    for (uint32_t i = 0; i < set->segment_count; i++) {
        const gl_segsort_segment *segment = &set->segments[i];
        if (segment->length == 0 || segment->length > builder->plan->local_rows_max)
            continue;
        segsort_class *class = &set->classes[segsort_class_of(builder, segment->length)];
        uint32_t at = class->first_word + class->next_segment++ * SEGSORT_SEGMENT_WORDS;
        segsort_write_segment(builder->plan->table + at, segment);
    }
    segsort_write_packs(builder);
    segsort_write_splits(builder);
    if (set->long_count > 0)
        segsort_write_long_segments(builder);
    if (set->long_count > 0 && builder->long_radix)
        segsort_write_chunks(builder);
    memset(builder->plan->table + set->box_word, 0, (size_t)segsort_box_words(builder) * 4);
    return GL_SEGSORT_SUCCESS;
}
