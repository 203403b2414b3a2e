#include "desc.h"

#include "numbers.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- */
/* Contexts */

static void *segsort_default_allocate(size_t size, void *user)
{
    (void)user;
    return malloc(size);
}

static void segsort_default_release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

gl_segsort_allocator segsort_desc_allocator(const gl_segsort_context_desc *desc)
{
    if (desc->allocator.allocate)
        return desc->allocator;
    return (gl_segsort_allocator){segsort_default_allocate, segsort_default_release, NULL};
}

gl_segsort_result segsort_desc_check_context(const gl_segsort_context_desc *desc,
                                             segsort_error *error)
{
    if (!desc->get_proc_address)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_context_desc.get_proc_address is NULL; pass the host's "
                            "loader function, such as glfwGetProcAddress");
    if (!desc->allocator.allocate != !desc->allocator.release)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_context_desc.allocator has %s but no %s",
                            desc->allocator.allocate ? "allocate" : "release",
                            desc->allocator.allocate ? "release" : "allocate");
    if (!desc->program_cache.load != !desc->program_cache.store)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_context_desc.program_cache has %s but no %s",
                            desc->program_cache.load ? "load" : "store",
                            desc->program_cache.load ? "store" : "load");
    if (desc->state_policy != GL_SEGSORT_STATE_RESTORE &&
        desc->state_policy != GL_SEGSORT_STATE_LEAVE_DIRTY)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_context_desc.state_policy is %d, which is no "
                            "gl_segsort_state_policy",
                            (int)desc->state_policy);
    if (desc->kernel_path != GL_SEGSORT_KERNEL_PATH_AUTO &&
        desc->kernel_path != GL_SEGSORT_KERNEL_PATH_PORTABLE &&
        desc->kernel_path != GL_SEGSORT_KERNEL_PATH_SUBGROUP)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_context_desc.kernel_path is %d, which is no "
                            "gl_segsort_kernel_path",
                            (int)desc->kernel_path);
    return GL_SEGSORT_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- */
/* Segments */

const char *segsort_stream_name(segsort_stream stream)
{
    static const char *const names[SEGSORT_STREAM_COUNT] = {"keys", "values", "output_keys",
                                                            "output_values"};
    return names[stream];
}

uint32_t segsort_segment_offset(const gl_segsort_segment *segment, segsort_stream stream)
{
    const uint32_t offsets[SEGSORT_STREAM_COUNT] = {segment->keys_offset, segment->values_offset,
                                                    segment->output_keys_offset,
                                                    segment->output_values_offset};
    return offsets[stream];
}

static gl_segsort_result segsort_check_enumerators(const gl_segsort_plan_desc *desc,
                                                   segsort_error *error)
{
    const struct {
        const char *name;
        int value, last;
    } fields[] = {
        {"key_type", (int)desc->key_type, GL_SEGSORT_KEY_U64},
        {"value_type", (int)desc->value_type, GL_SEGSORT_VALUE_U64},
        {"direction", (int)desc->direction, GL_SEGSORT_DESCENDING},
        {"algorithm", (int)desc->algorithm, GL_SEGSORT_ALGORITHM_RADIX},
        {"segment_source", (int)desc->segment_source, GL_SEGSORT_SEGMENTS_GPU_STRIDED},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].value < 0 || fields[i].value > fields[i].last)
            return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                                "gl_segsort_plan_desc.%s is %d, which is no enumerator of it",
                                fields[i].name, fields[i].value);
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_check_bits(const gl_segsort_plan_desc *desc, segsort_error *error)
{
    uint32_t key_bits = 32 * segsort_key_words(desc->key_type);
    if (desc->begin_bit <= desc->end_bit && desc->end_bit <= key_bits)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                        "gl_segsort_plan_desc.begin_bit %" PRIu32 " and end_bit %" PRIu32
                        " are no range of a key's %" PRIu32 " bits",
                        desc->begin_bit, desc->end_bit, key_bits);
}

static void segsort_set_bits(const gl_segsort_plan_desc *desc, segsort_layout *layout)
{
    bool all = desc->begin_bit == 0 && desc->end_bit == 0;
    layout->begin_bit = desc->begin_bit;
    layout->bit_count =
        all ? 32 * segsort_key_words(desc->key_type) : desc->end_bit - desc->begin_bit;
}

static void segsort_set_row_bytes(const gl_segsort_plan_desc *desc, segsort_layout *layout)
{
    uint32_t key_bytes = SEGSORT_WORD_BYTES * segsort_key_words(desc->key_type);
    uint32_t value_bytes = SEGSORT_WORD_BYTES * segsort_value_words(desc->value_type);
    layout->row_bytes[SEGSORT_STREAM_KEYS] = key_bytes;
    layout->row_bytes[SEGSORT_STREAM_VALUES] =
        desc->value_type == GL_SEGSORT_VALUE_INDEX ? 0 : value_bytes;
    layout->row_bytes[SEGSORT_STREAM_OUTPUT_KEYS] = key_bytes;
    layout->row_bytes[SEGSORT_STREAM_OUTPUT_VALUES] = value_bytes;
}

static void segsort_extend(segsort_layout *layout, const gl_segsort_segment *segment,
                           uint32_t number, bool first)
{
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++) {
        segsort_extent *extent = &layout->extents[i];
        uint32_t offset = segsort_segment_offset(segment, (segsort_stream)i);
        uint64_t end = (uint64_t)offset + segment->length;
        if (first || offset < extent->first_row)
            extent->first_row = offset;
        if (first || end > extent->end_row) {
            extent->end_row = end;
            extent->end_segment = number;
            extent->end_length = segment->length;
        }
    }
    int64_t keys_shift = (int64_t)segment->output_keys_offset - segment->keys_offset;
    int64_t values_shift = (int64_t)segment->output_values_offset - segment->values_offset;
    if (first) {
        layout->keys_shifted = layout->values_shifted = true;
        layout->keys_shift = keys_shift;
        layout->values_shift = values_shift;
    }
    layout->keys_shifted = layout->keys_shifted && layout->keys_shift == keys_shift;
    layout->values_shifted = layout->values_shifted && layout->values_shift == values_shift;
}

static gl_segsort_result segsort_check_segments(const gl_segsort_plan_desc *desc,
                                                segsort_layout *layout, segsort_error *error)
{
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        const gl_segsort_segment *segment = &desc->segments[i];
        if (segment->length == 0) {
            layout->empty_count++;
            continue;
        }
        for (int s = 0; s < SEGSORT_STREAM_COUNT; s++) {
            if (layout->row_bytes[s] == 0)
                continue;
            uint32_t offset = segsort_segment_offset(segment, (segsort_stream)s);
            if ((uint64_t)offset + segment->length > (uint64_t)UINT32_MAX + 1)
                return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                                    "segment %" PRIu32 ": %s_offset %" PRIu32 " and length %" PRIu32
                                    " wrap around 32 bits",
                                    i, segsort_stream_name((segsort_stream)s), offset,
                                    segment->length);
        }
        segsort_extend(layout, segment, i, layout->row_count == 0);
        layout->row_count += segment->length;
        if (segment->length > layout->longest)
            layout->longest = segment->length;
    }
    return GL_SEGSORT_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- */
/* Overlap of output ranges */

static gl_segsort_result segsort_fail_rows(const gl_segsort_plan_desc *desc, uint32_t a, uint32_t b,
                                           segsort_stream stream, segsort_error *error)
{
    uint32_t first_a = segsort_segment_offset(&desc->segments[a], stream);
    uint32_t first_b = segsort_segment_offset(&desc->segments[b], stream);
    return segsort_fail(error, GL_SEGSORT_ERROR_OVERLAP,
                        "segment %" PRIu32 " and segment %" PRIu32 " overlap in %s: rows %" PRIu32
                        "..%" PRIu64 " and %" PRIu32 "..%" PRIu64,
                        a, b, segsort_stream_name(stream), first_a,
                        (uint64_t)first_a + desc->segments[a].length - 1, first_b,
                        (uint64_t)first_b + desc->segments[b].length - 1);
}

typedef struct segsort_listed_stream {
    const gl_segsort_segment *segments;
    segsort_stream stream;
} segsort_listed_stream;

static int segsort_compare_offsets(const void *things, uint32_t a, uint32_t b)
{
    const segsort_listed_stream *list = things;
    uint32_t offset_a = segsort_segment_offset(&list->segments[a], list->stream);
    uint32_t offset_b = segsort_segment_offset(&list->segments[b], list->stream);
    if (offset_a != offset_b)
        return offset_a < offset_b ? -1 : 1;
    return a < b ? -1 : a > b;
}

static bool segsort_ranges_ascend(const gl_segsort_plan_desc *desc, segsort_stream stream)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        const gl_segsort_segment *segment = &desc->segments[i];
        if (segment->length == 0)
            continue;
        uint32_t offset = segsort_segment_offset(segment, stream);
        if (offset < end)
            return false;
        end = (uint64_t)offset + segment->length;
    }
    return true;
}

static gl_segsort_result segsort_check_overlap(const gl_segsort_plan_desc *desc,
                                               const gl_segsort_allocator *allocator,
                                               const segsort_layout *layout, segsort_stream stream,
                                               segsort_error *error)
{
    if (layout->row_bytes[stream] == 0 || segsort_ranges_ascend(desc, stream))
        return GL_SEGSORT_SUCCESS;
    uint32_t *numbers = allocator->allocate(desc->segment_count * sizeof *numbers, allocator->user);
    if (!numbers)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for checking %" PRIu32 " segments", desc->segment_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < desc->segment_count; i++)
        if (desc->segments[i].length > 0)
            numbers[count++] = i;
    const segsort_listed_stream list = {desc->segments, stream};
    segsort_numbers_sort(numbers, count, segsort_compare_offsets, &list);
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 1; i < count && result == GL_SEGSORT_SUCCESS; i++) {
        const gl_segsort_segment *before = &desc->segments[numbers[i - 1]];
        uint64_t end = (uint64_t)segsort_segment_offset(before, stream) + before->length;
        if (segsort_segment_offset(&desc->segments[numbers[i]], stream) < end)
            result = segsort_fail_rows(desc, numbers[i - 1], numbers[i], stream, error);
    }
    allocator->release(numbers, allocator->user);
    return result;
}

static gl_segsort_result segsort_check_extents(const segsort_layout *layout,
                                               const segsort_limits *limits, segsort_error *error)
{
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++) {
        const segsort_extent *extent = &layout->extents[i];
        uint64_t bytes = (extent->end_row - extent->first_row) * layout->row_bytes[i];
        if (bytes > limits->storage_bytes)
            return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                                "the segments span %" PRIu64 " bytes of %s (up to segment %" PRIu32
                                "), over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                                bytes, segsort_stream_name((segsort_stream)i), extent->end_segment,
                                limits->storage_bytes);
    }
    return GL_SEGSORT_SUCCESS;
}

/* What is known of segments that the GPU lists. All views but those of ranges have the same
 * offsets; ranges in place are held to it one by one, on the GPU. */
static void segsort_lay_out_listed_segments(const gl_segsort_plan_desc *desc,
                                            segsort_layout *layout)
{
    uint32_t longest = desc->max_length > 0 ? desc->max_length : desc->max_rows;
    if (desc->segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED && longest > desc->segment_stride)
        longest = desc->segment_stride;
    layout->source = desc->segment_source;
    layout->segment_count = desc->max_segments;
    layout->row_count = desc->max_segments > 0 ? desc->max_rows : 0;
    layout->longest = longest < desc->max_rows ? longest : desc->max_rows;
    layout->keys_shifted = layout->values_shifted = true;
}

/* One set's segments, which are all that desc has. */
static gl_segsort_result segsort_lay_out(const gl_segsort_plan_desc *desc,
                                         const segsort_limits *limits,
                                         const gl_segsort_allocator *allocator,
                                         segsort_layout *layout, segsort_error *error)
{
    *layout = (segsort_layout){.segment_count = desc->segment_count};
    segsort_set_row_bytes(desc, layout);
    segsort_set_bits(desc, layout);
    if (desc->segment_source != GL_SEGSORT_SEGMENTS_HOST) {
        segsort_lay_out_listed_segments(desc, layout);
        return GL_SEGSORT_SUCCESS;
    }
    gl_segsort_result result = segsort_check_segments(desc, layout, error);
    for (int i = SEGSORT_STREAM_OUTPUT_KEYS; i < SEGSORT_STREAM_COUNT; i++)
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_check_overlap(desc, allocator, layout, (segsort_stream)i, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_extents(layout, limits, error);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

uint32_t segsort_desc_set_count(const gl_segsort_plan_desc *desc)
{
    return desc->set_count > 0 ? desc->set_count : 1;
}

uint32_t segsort_desc_set_segments(const gl_segsort_plan_desc *desc, uint32_t set)
{
    if (desc->set_count == 0)
        return desc->segment_count;
    return desc->set_segment_counts ? desc->set_segment_counts[set] : 1;
}

static gl_segsort_result segsort_check_sets(const gl_segsort_plan_desc *desc, segsort_error *error)
{
    if (desc->set_count == 0 && desc->set_segment_counts)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_plan_desc.set_segment_counts is given, but set_count is 0");
    uint64_t sum = desc->set_segment_counts ? 0 : desc->set_count;
    for (uint32_t i = 0; desc->set_segment_counts && i < desc->set_count; i++)
        sum += desc->set_segment_counts[i];
    if (desc->set_count == 0 || sum == desc->segment_count)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                        "the %" PRIu32 " sets have %" PRIu64
                        " segments, but gl_segsort_plan_desc.segment_count is %" PRIu32,
                        desc->set_count, sum, desc->segment_count);
}

/* Fields that a source has no use for are somebody's mistake. */
static gl_segsort_result segsort_check_source(const gl_segsort_plan_desc *desc,
                                              segsort_error *error)
{
    bool host = desc->segment_source == GL_SEGSORT_SEGMENTS_HOST;
    bool strided = desc->segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    const struct {
        const char *name;
        bool given, wanted;
    } fields[] = {{"segments", desc->segments != NULL, host},
                  {"segment_count", desc->segment_count > 0, host},
                  {"set_count", desc->set_count > 0, host},
                  {"max_segments", desc->max_segments > 0, !host},
                  {"max_rows", desc->max_rows > 0, !host},
                  {"max_length", desc->max_length > 0, !host},
                  {"segment_stride", desc->segment_stride > 0, strided}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].given && !fields[i].wanted)
            return segsort_fail(
                error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                "gl_segsort_plan_desc.%s is given, but segment_source %d has no use "
                "for it",
                fields[i].name, (int)desc->segment_source);
    if (strided && desc->segment_stride == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_plan_desc.segment_stride is 0");
    if (desc->max_rows == UINT32_MAX)
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "gl_segsort_plan_desc.max_rows %" PRIu32
                            " is more than rows are counted: %" PRIu32,
                            desc->max_rows, UINT32_MAX - 1);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_desc_check_fields(const gl_segsort_plan_desc *desc, segsort_error *error)
{
    gl_segsort_result result = segsort_check_enumerators(desc, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_source(desc, error);
    if (result == GL_SEGSORT_SUCCESS && !desc->segments && desc->segment_count > 0)
        result = segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                              "gl_segsort_plan_desc.segments is NULL but segment_count is %" PRIu32,
                              desc->segment_count);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_bits(desc, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_sets(desc, error);
    return result;
}

gl_segsort_result segsort_desc_check_plan(const gl_segsort_plan_desc *desc,
                                          const segsort_limits *limits,
                                          const gl_segsort_allocator *allocator,
                                          segsort_layout *layouts, segsort_error *error)
{
    gl_segsort_plan_desc set = *desc;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < segsort_desc_set_count(desc) && result == GL_SEGSORT_SUCCESS; i++) {
        set.segment_count = segsort_desc_set_segments(desc, i);
        result = segsort_lay_out(&set, limits, allocator, &layouts[i], error);
        if (result != GL_SEGSORT_SUCCESS && desc->set_count > 0)
            segsort_fail_in_set(error, i);
        if (set.segments)
            set.segments += set.segment_count;
    }
    return result;
}

gl_segsort_result segsort_desc_check_scratch(const gl_segsort_view *scratch, uint64_t bytes,
                                             segsort_error *error)
{
    if (bytes == 0 || (scratch->buffer == 0 && scratch->rows == 0 && scratch->byte_offset == 0))
        return GL_SEGSORT_SUCCESS;
    if (scratch->buffer == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer is 0");
    if (scratch->byte_offset % SEGSORT_WORD_BYTES != 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "scratch.byte_offset %" PRIu64 " is not a multiple of %u",
                            scratch->byte_offset, SEGSORT_WORD_BYTES);
    if (scratch->byte_offset > INT64_MAX / 2)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "scratch.byte_offset %" PRIu64 " is past the end of any buffer",
                            scratch->byte_offset);
    if (scratch->rows < bytes / SEGSORT_WORD_BYTES)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "the scratch has %" PRIu64
                            " words of 4 bytes, but the plan needs %" PRIu64,
                            scratch->rows, bytes / SEGSORT_WORD_BYTES);
    return GL_SEGSORT_SUCCESS;
}
