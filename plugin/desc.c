#include "desc.h"

#include <inttypes.h>
#include <stdlib.h>

#define SEGSORT_WORD_BYTES 4u

/* Whoever may read a buffer after the sort. */
#define SEGSORT_CONSUMERS                                                                          \
    (GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE | GL_SEGSORT_BARRIER_INDEX |                              \
     GL_SEGSORT_BARRIER_UNIFORM_BUFFER | GL_SEGSORT_BARRIER_TEXTURE_BUFFER |                       \
     GL_SEGSORT_BARRIER_IMAGE | GL_SEGSORT_BARRIER_INDIRECT_COMMAND |                              \
     GL_SEGSORT_BARRIER_PIXEL_BUFFER | GL_SEGSORT_BARRIER_BUFFER_UPDATE |                          \
     GL_SEGSORT_BARRIER_TRANSFORM_FEEDBACK | GL_SEGSORT_BARRIER_ATOMIC_COUNTER |                   \
     GL_SEGSORT_BARRIER_STORAGE | GL_SEGSORT_BARRIER_CLIENT_MAPPED |                               \
     GL_SEGSORT_BARRIER_QUERY_BUFFER)

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
    if (desc->state_policy != GL_SEGSORT_STATE_RESTORE &&
        desc->state_policy != GL_SEGSORT_STATE_LEAVE_DIRTY)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_context_desc.state_policy is %d, which is no "
                            "gl_segsort_state_policy",
                            (int)desc->state_policy);
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
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].value < 0 || fields[i].value > fields[i].last)
            return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                                "gl_segsort_plan_desc.%s is %d, which is no enumerator of it",
                                fields[i].name, fields[i].value);
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_check_bits(const gl_segsort_plan_desc *desc,
                                            segsort_layout *layout, segsort_error *error)
{
    uint32_t key_bits = 32 * segsort_key_words(desc->key_type);
    bool all = desc->begin_bit == 0 && desc->end_bit == 0;
    if (desc->begin_bit > desc->end_bit || desc->end_bit > key_bits)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "gl_segsort_plan_desc.begin_bit %" PRIu32 " and end_bit %" PRIu32
                            " are no range of a key's %" PRIu32 " bits",
                            desc->begin_bit, desc->end_bit, key_bits);
    layout->begin_bit = desc->begin_bit;
    layout->bit_count = all ? key_bits : desc->end_bit - desc->begin_bit;
    return GL_SEGSORT_SUCCESS;
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

typedef struct segsort_row_range {
    uint32_t first;
    uint32_t length;
    uint32_t segment;
} segsort_row_range;

static int segsort_compare_ranges(const void *a, const void *b)
{
    const segsort_row_range *left = a, *right = b;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return left->segment < right->segment ? -1 : left->segment > right->segment;
}

static gl_segsort_result segsort_fail_ranges(const segsort_row_range *a, const segsort_row_range *b,
                                             segsort_stream stream, segsort_error *error)
{
    return segsort_fail(error, GL_SEGSORT_ERROR_OVERLAP,
                        "segment %" PRIu32 " and segment %" PRIu32 " overlap in %s: rows %" PRIu32
                        "..%" PRIu64 " and %" PRIu32 "..%" PRIu64,
                        a->segment, b->segment, segsort_stream_name(stream), a->first,
                        (uint64_t)a->first + a->length - 1, b->first,
                        (uint64_t)b->first + b->length - 1);
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
    segsort_row_range *ranges =
        allocator->allocate(desc->segment_count * sizeof *ranges, allocator->user);
    if (!ranges)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for checking %" PRIu32 " segments", desc->segment_count);
    size_t count = 0;
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        const gl_segsort_segment *segment = &desc->segments[i];
        if (segment->length > 0)
            ranges[count++] =
                (segsort_row_range){segsort_segment_offset(segment, stream), segment->length, i};
    }
    qsort(ranges, count, sizeof *ranges, segsort_compare_ranges);
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (size_t i = 1; i < count && result == GL_SEGSORT_SUCCESS; i++)
        if (ranges[i].first - ranges[i - 1].first < ranges[i - 1].length)
            result = segsort_fail_ranges(&ranges[i - 1], &ranges[i], stream, error);
    allocator->release(ranges, allocator->user);
    return result;
}

gl_segsort_result segsort_desc_check_plan(const gl_segsort_plan_desc *desc,
                                          const segsort_limits *limits,
                                          const gl_segsort_allocator *allocator,
                                          segsort_layout *layout, segsort_error *error)
{
    *layout = (segsort_layout){.segment_count = desc->segment_count};
    gl_segsort_result result = segsort_check_enumerators(desc, error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    if (!desc->segments && desc->segment_count > 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_plan_desc.segments is NULL but segment_count is %" PRIu32,
                            desc->segment_count);
    segsort_set_row_bytes(desc, layout);
    result = segsort_check_bits(desc, layout, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_segments(desc, layout, error);
    for (int i = SEGSORT_STREAM_OUTPUT_KEYS; i < SEGSORT_STREAM_COUNT; i++)
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_check_overlap(desc, allocator, layout, (segsort_stream)i, error);
    for (int i = 0; i < SEGSORT_STREAM_COUNT && result == GL_SEGSORT_SUCCESS; i++) {
        const segsort_extent *extent = &layout->extents[i];
        uint64_t bytes = (extent->end_row - extent->first_row) * layout->row_bytes[i];
        if (bytes > limits->storage_bytes)
            result =
                segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                             "the segments span %" PRIu64 " bytes of %s (up to segment %" PRIu32
                             "), over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                             bytes, segsort_stream_name((segsort_stream)i), extent->end_segment,
                             limits->storage_bytes);
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts */

const gl_segsort_view *segsort_desc_view(const gl_segsort_sort_desc *desc, segsort_stream stream)
{
    const gl_segsort_view *const views[SEGSORT_STREAM_COUNT] = {
        &desc->keys, &desc->values, &desc->output_keys, &desc->output_values};
    return views[stream];
}

segsort_binding_range segsort_desc_range(const gl_segsort_view *view, const segsort_extent *extent,
                                         uint32_t row_bytes, const segsort_limits *limits)
{
    uint64_t first = view->byte_offset + (uint64_t)extent->first_row * row_bytes;
    uint64_t end = view->byte_offset + extent->end_row * row_bytes;
    uint64_t aligned = first - first % limits->storage_alignment;
    return (segsort_binding_range){aligned, end - aligned,
                                   (uint32_t)((view->byte_offset - aligned) / SEGSORT_WORD_BYTES)};
}

static gl_segsort_result segsort_check_view(const gl_segsort_view *view,
                                            const segsort_layout *layout, segsort_stream stream,
                                            const segsort_limits *limits, segsort_error *error)
{
    const segsort_extent *extent = &layout->extents[stream];
    const char *name = segsort_stream_name(stream);
    if (layout->row_bytes[stream] == 0)
        return GL_SEGSORT_SUCCESS;
    if (view->buffer == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "%s.buffer is 0", name);
    if (view->byte_offset % SEGSORT_WORD_BYTES != 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "%s.byte_offset %" PRIu64 " is not a multiple of %u", name,
                            view->byte_offset, SEGSORT_WORD_BYTES);
    if (view->byte_offset > INT64_MAX / 2)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "%s.byte_offset %" PRIu64 " is past the end of any buffer", name,
                            view->byte_offset);
    if (extent->end_row > view->rows)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "segment %" PRIu32 ": rows %" PRIu64 "..%" PRIu64
                            " of %s exceed its view of %" PRIu64 " rows",
                            extent->end_segment, extent->end_row - extent->end_length,
                            extent->end_row - 1, name, view->rows);
    uint64_t bytes = segsort_desc_range(view, extent, layout->row_bytes[stream], limits).byte_size;
    if (bytes > limits->storage_bytes)
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "%s needs a range of %" PRIu64
                            " bytes, over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                            name, bytes, limits->storage_bytes);
    return GL_SEGSORT_SUCCESS;
}

/* Whether the output's rows are exactly the input's, segment by segment. */
static bool segsort_stream_in_place(const gl_segsort_sort_desc *desc, const segsort_layout *layout,
                                    segsort_stream input, segsort_stream output)
{
    bool keys = input == SEGSORT_STREAM_KEYS && output == SEGSORT_STREAM_OUTPUT_KEYS;
    bool values = input == SEGSORT_STREAM_VALUES && output == SEGSORT_STREAM_OUTPUT_VALUES;
    if (!(keys && layout->keys_shifted) && !(values && layout->values_shifted))
        return false;
    int64_t shift = keys ? layout->keys_shift : layout->values_shift;
    int64_t input_offset = (int64_t)segsort_desc_view(desc, input)->byte_offset;
    int64_t output_offset = (int64_t)segsort_desc_view(desc, output)->byte_offset;
    return segsort_desc_view(desc, input)->buffer == segsort_desc_view(desc, output)->buffer &&
           output_offset + shift * layout->row_bytes[output] == input_offset;
}

bool segsort_desc_in_place(const gl_segsort_sort_desc *desc, const segsort_layout *layout)
{
    return segsort_stream_in_place(desc, layout, SEGSORT_STREAM_KEYS, SEGSORT_STREAM_OUTPUT_KEYS) ||
           (layout->row_bytes[SEGSORT_STREAM_VALUES] > 0 &&
            segsort_stream_in_place(desc, layout, SEGSORT_STREAM_VALUES,
                                    SEGSORT_STREAM_OUTPUT_VALUES));
}

static gl_segsort_result segsort_check_aliasing(const gl_segsort_sort_desc *desc,
                                                const segsort_layout *layout, segsort_stream other,
                                                segsort_stream output, segsort_error *error)
{
    const gl_segsort_view *a = segsort_desc_view(desc, other);
    const gl_segsort_view *b = segsort_desc_view(desc, output);
    uint32_t a_bytes = layout->row_bytes[other], b_bytes = layout->row_bytes[output];
    if (a_bytes == 0 || b_bytes == 0 || a->buffer != b->buffer ||
        segsort_stream_in_place(desc, layout, other, output))
        return GL_SEGSORT_SUCCESS;
    const segsort_extent *ea = &layout->extents[other], *eb = &layout->extents[output];
    uint64_t a_first = a->byte_offset + (uint64_t)ea->first_row * a_bytes;
    uint64_t b_first = b->byte_offset + (uint64_t)eb->first_row * b_bytes;
    uint64_t a_end = a->byte_offset + ea->end_row * a_bytes;
    uint64_t b_end = b->byte_offset + eb->end_row * b_bytes;
    if (a_end <= b_first || b_end <= a_first)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_OVERLAP,
                        "%s (bytes %" PRIu64 "..%" PRIu64 ") and %s (bytes %" PRIu64 "..%" PRIu64
                        ") of buffer %" PRIu32 " reach into each other, and not as the same rows "
                        "segment by segment",
                        segsort_stream_name(other), a_first, a_end - 1, segsort_stream_name(output),
                        b_first, b_end - 1, b->buffer);
}

static gl_segsort_result segsort_check_barriers(const char *field, uint32_t bits,
                                                const segsort_limits *limits, segsort_error *error)
{
    uint32_t unknown = bits & ~(limits->barrier_bits | GL_SEGSORT_BARRIER_NONE);
    if (bits == UINT32_MAX || unknown == 0)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                        "gl_segsort_sort_desc.%s has bits 0x%08" PRIx32
                        " that are no barrier bits of this GL version",
                        field, unknown);
}

gl_segsort_result segsort_desc_check_sort(const gl_segsort_sort_desc *desc,
                                          const segsort_layout *layout,
                                          const segsort_limits *limits, segsort_error *error)
{
    gl_segsort_result result =
        segsort_check_barriers("barriers_before", desc->barriers_before, limits, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_barriers("barriers_after", desc->barriers_after, limits, error);
    if (layout->row_count == 0)
        return result;
    for (int i = 0; i < SEGSORT_STREAM_COUNT && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_check_view(segsort_desc_view(desc, (segsort_stream)i), layout,
                                    (segsort_stream)i, limits, error);
    for (int output = SEGSORT_STREAM_OUTPUT_KEYS; output < SEGSORT_STREAM_COUNT; output++)
        for (int other = 0; other < output && result == GL_SEGSORT_SUCCESS; other++)
            result = segsort_check_aliasing(desc, layout, (segsort_stream)other,
                                            (segsort_stream)output, error);
    return result;
}

/* All bits set is GL_ALL_BARRIER_BITS, which is passed on as it is. */
static uint32_t segsort_barriers(uint32_t bits, uint32_t default_bits)
{
    if (bits == UINT32_MAX)
        return bits;
    return bits == GL_SEGSORT_BARRIER_DEFAULT ? default_bits : bits & ~GL_SEGSORT_BARRIER_NONE;
}

uint32_t segsort_desc_barriers_before(const gl_segsort_sort_desc *desc)
{
    return segsort_barriers(desc->barriers_before, GL_SEGSORT_BARRIER_STORAGE);
}

uint32_t segsort_desc_barriers_after(const gl_segsort_sort_desc *desc, const segsort_limits *limits)
{
    return segsort_barriers(desc->barriers_after, SEGSORT_CONSUMERS & limits->barrier_bits);
}
