#include "desc.h"

#include <inttypes.h>

/* Whoever may read a buffer afterwards. */
#define SEGSORT_CONSUMERS                                                                          \
    (GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE | GL_SEGSORT_BARRIER_INDEX |                              \
     GL_SEGSORT_BARRIER_UNIFORM_BUFFER | GL_SEGSORT_BARRIER_TEXTURE_BUFFER |                       \
     GL_SEGSORT_BARRIER_IMAGE | GL_SEGSORT_BARRIER_INDIRECT_COMMAND |                              \
     GL_SEGSORT_BARRIER_PIXEL_BUFFER | GL_SEGSORT_BARRIER_BUFFER_UPDATE |                          \
     GL_SEGSORT_BARRIER_TRANSFORM_FEEDBACK | GL_SEGSORT_BARRIER_ATOMIC_COUNTER |                   \
     GL_SEGSORT_BARRIER_STORAGE | GL_SEGSORT_BARRIER_CLIENT_MAPPED |                               \
     GL_SEGSORT_BARRIER_QUERY_BUFFER)

/* ---------------------------------------------------------------------------------------------- */
/* One view */

uint64_t segsort_use_first(const segsort_use *use)
{
    return use->view.byte_offset + use->extent.first_row * use->row_bytes;
}

uint64_t segsort_use_end(const segsort_use *use)
{
    return use->view.byte_offset + use->extent.end_row * use->row_bytes - use->cut_bytes;
}

segsort_binding_range segsort_desc_range(const segsort_use *use, const segsort_limits *limits)
{
    uint64_t first = segsort_use_first(use), end = segsort_use_end(use);
    uint64_t aligned = first - first % limits->storage_alignment;
    return (segsort_binding_range){
        aligned, end - aligned, (uint32_t)((use->view.byte_offset - aligned) / SEGSORT_WORD_BYTES)};
}

static gl_segsort_result segsort_check_view(const segsort_use *use, const segsort_limits *limits,
                                            segsort_error *error)
{
    const gl_segsort_view *view = &use->view;
    const segsort_extent *extent = &use->extent;
    if (use->row_bytes == 0)
        return GL_SEGSORT_SUCCESS;
    if (view->buffer == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "%s.buffer is 0", use->name);
    if (view->byte_offset % SEGSORT_WORD_BYTES != 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "%s.byte_offset %" PRIu64 " is not a multiple of %u", use->name,
                            view->byte_offset, SEGSORT_WORD_BYTES);
    if (view->byte_offset > INT64_MAX / 2)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "%s.byte_offset %" PRIu64 " is past the end of any buffer", use->name,
                            view->byte_offset);
    if (extent->end_row == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE, "%s has no rows", use->name);
    if (extent->end_row > view->rows)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "segment %" PRIu32 ": rows %" PRIu64 "..%" PRIu64
                            " of %s exceed its view of %" PRIu64 " rows",
                            extent->end_segment, extent->end_row - extent->end_length,
                            extent->end_row - 1, use->name, view->rows);
    if (extent->end_row > INT64_MAX / 2 / use->row_bytes)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                            "%s has %" PRIu64 " rows of %" PRIu64
                            " bytes, which reach past the end of any buffer",
                            use->name, extent->end_row, use->row_bytes);
    uint64_t bytes = segsort_desc_range(use, limits).byte_size;
    if (bytes > limits->storage_bytes)
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "%s needs a range of %" PRIu64
                            " bytes, over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                            use->name, bytes, limits->storage_bytes);
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_check_apart(const segsort_use *a, const segsort_use *b,
                                             segsort_error *error)
{
    if (a->row_bytes == 0 || b->row_bytes == 0 || a->view.buffer != b->view.buffer)
        return GL_SEGSORT_SUCCESS;
    uint64_t a_first = segsort_use_first(a), a_end = segsort_use_end(a);
    uint64_t b_first = segsort_use_first(b), b_end = segsort_use_end(b);
    if (a_end <= b_first || b_end <= a_first)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_OVERLAP,
                        "%s (bytes %" PRIu64 "..%" PRIu64 ") and %s (bytes %" PRIu64 "..%" PRIu64
                        ") of buffer %" PRIu32 " reach into each other, and not as the same rows "
                        "segment by segment",
                        a->name, a_first, a_end - 1, b->name, b_first, b_end - 1, b->view.buffer);
}

gl_segsort_result segsort_desc_check_uses(const segsort_use uses[SEGSORT_USES_MAX],
                                          const segsort_limits *limits, segsort_error *error)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (int i = 0; i < SEGSORT_USES_MAX && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_check_view(&uses[i], limits, error);
    for (int output = 0; output < SEGSORT_USES_MAX; output++)
        for (int other = 0; other < SEGSORT_USES_MAX && result == GL_SEGSORT_SUCCESS; other++) {
            bool own_input = uses[other].in_place && other + SEGSORT_STREAM_OUTPUT_KEYS == output;
            /* Two outputs meet once. */
            bool seen = other == output || (uses[other].output && other > output);
            if (uses[output].output && !own_input && !seen)
                result = segsort_check_apart(&uses[other], &uses[output], error);
        }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Barriers */

gl_segsort_result segsort_desc_check_barriers(const char *field, uint32_t bits,
                                              const segsort_limits *limits, segsort_error *error)
{
    uint32_t unknown = bits & ~(limits->barrier_bits | GL_SEGSORT_BARRIER_NONE);
    if (bits == UINT32_MAX || unknown == 0)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                        "%s has bits 0x%08" PRIx32 " that are no barrier bits of this GL version",
                        field, unknown);
}

/* All bits set is GL_ALL_BARRIER_BITS, which is passed on as it is. */
static uint32_t segsort_barriers(uint32_t bits, uint32_t default_bits)
{
    if (bits == UINT32_MAX)
        return bits;
    return bits == GL_SEGSORT_BARRIER_DEFAULT ? default_bits : bits & ~GL_SEGSORT_BARRIER_NONE;
}

uint32_t segsort_desc_barriers_before(uint32_t barriers_before)
{
    return segsort_barriers(barriers_before, GL_SEGSORT_BARRIER_STORAGE);
}

uint32_t segsort_desc_barriers_after(uint32_t barriers_after, const segsort_limits *limits)
{
    return segsort_barriers(barriers_after, SEGSORT_CONSUMERS & limits->barrier_bits);
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts */

/* Whether the output's rows are exactly the input's, segment by segment. */
static bool segsort_stream_in_place(const segsort_use uses[SEGSORT_USES_MAX], bool shifted,
                                    int64_t shift, segsort_stream input, segsort_stream output)
{
    const gl_segsort_view *from = &uses[input].view, *to = &uses[output].view;
    /* Modulo 2^64, as offsets that no buffer has are refused later. */
    return uses[input].row_bytes > 0 && shifted && from->buffer == to->buffer &&
           to->byte_offset + (uint64_t)shift * uses[output].row_bytes == from->byte_offset;
}

segsort_extent segsort_desc_rows_of(const gl_segsort_view *view, uint64_t rows_max)
{
    return (segsort_extent){.end_row = view->rows < rows_max ? view->rows : rows_max};
}

static const gl_segsort_view *segsort_list_view(const gl_segsort_sort_desc *desc,
                                                const segsort_layout *layout)
{
    return layout->source == GL_SEGSORT_SEGMENTS_GPU_STRIDED ? &desc->segment_lengths
                                                             : &desc->segments;
}

uint32_t segsort_desc_list_entries(const gl_segsort_sort_desc *desc, const segsort_layout *layout)
{
    uint64_t rows = segsort_list_view(desc, layout)->rows;
    if (layout->source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS && rows > 0)
        rows--;
    return rows < layout->segment_count ? (uint32_t)rows : layout->segment_count;
}

static void segsort_list_uses(const gl_segsort_sort_desc *desc, const segsort_layout *layout,
                              segsort_use uses[SEGSORT_USES_MAX])
{
    const uint32_t status_bytes = (uint32_t)sizeof(gl_segsort_status);
    bool strided = layout->source == GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    bool offsets = layout->source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    bool ranges = layout->source == GL_SEGSORT_SEGMENTS_GPU_RANGES;
    const gl_segsort_view *list = segsort_list_view(desc, layout);
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        uses[i].extent = segsort_desc_rows_of(&uses[i].view, UINT64_MAX);
    uses[SEGSORT_USE_LIST] = (segsort_use){
        .name = strided ? "segment_lengths" : "segments",
        .view = *list,
        .extent = segsort_desc_rows_of(list, (uint64_t)layout->segment_count + offsets),
        .row_bytes = ranges ? SEGSORT_SEGMENT_WORDS * SEGSORT_WORD_BYTES : SEGSORT_WORD_BYTES};
    if (desc->segment_count.buffer != 0)
        uses[SEGSORT_USE_LIST_COUNT] =
            (segsort_use){.name = "segment_count",
                          .view = desc->segment_count,
                          .extent = segsort_desc_rows_of(&desc->segment_count, 1),
                          .row_bytes = SEGSORT_WORD_BYTES};
    if (desc->status.buffer != 0)
        uses[SEGSORT_USE_STATUS] = (segsort_use){.name = "status",
                                                 .view = desc->status,
                                                 .extent = segsort_desc_rows_of(&desc->status, 1),
                                                 .row_bytes = status_bytes,
                                                 .output = true};
}

void segsort_desc_sort_uses(const gl_segsort_sort_desc *desc, const segsort_layout *layout,
                            segsort_use uses[SEGSORT_USES_MAX])
{
    const gl_segsort_view *const views[SEGSORT_STREAM_COUNT] = {
        &desc->keys, &desc->values, &desc->output_keys, &desc->output_values};
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        uses[i] = (segsort_use){.name = segsort_stream_name((segsort_stream)i),
                                .view = *views[i],
                                .extent = layout->extents[i],
                                .row_bytes = layout->row_bytes[i],
                                .output = i >= SEGSORT_STREAM_OUTPUT_KEYS};
    for (int i = SEGSORT_STREAM_COUNT; i < SEGSORT_USES_MAX; i++)
        uses[i] = (segsort_use){0};
    if (layout->source != GL_SEGSORT_SEGMENTS_HOST)
        segsort_list_uses(desc, layout, uses);
    uses[SEGSORT_STREAM_KEYS].in_place =
        segsort_stream_in_place(uses, layout->keys_shifted, layout->keys_shift, SEGSORT_STREAM_KEYS,
                                SEGSORT_STREAM_OUTPUT_KEYS);
    uses[SEGSORT_STREAM_VALUES].in_place =
        segsort_stream_in_place(uses, layout->values_shifted, layout->values_shift,
                                SEGSORT_STREAM_VALUES, SEGSORT_STREAM_OUTPUT_VALUES);
}

bool segsort_desc_in_place(const gl_segsort_sort_desc *desc, const segsort_layout *layout)
{
    segsort_use uses[SEGSORT_USES_MAX];
    segsort_desc_sort_uses(desc, layout, uses);
    return uses[SEGSORT_STREAM_KEYS].in_place || uses[SEGSORT_STREAM_VALUES].in_place;
}

gl_segsort_result segsort_desc_check_sort(const gl_segsort_sort_desc *desc,
                                          const segsort_layout *layout,
                                          const segsort_limits *limits, segsort_error *error)
{
    segsort_use uses[SEGSORT_USES_MAX];
    gl_segsort_result result = segsort_desc_check_barriers("gl_segsort_sort_desc.barriers_before",
                                                           desc->barriers_before, limits, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_barriers("gl_segsort_sort_desc.barriers_after",
                                             desc->barriers_after, limits, error);
    if (layout->row_count == 0)
        return result;
    segsort_desc_sort_uses(desc, layout, uses);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_uses(uses, limits, error);
    for (int input = 0; input < 2 && result == GL_SEGSORT_SUCCESS; input++)
        if (uses[input].in_place && uses[input].view.rows != uses[input + 2].view.rows &&
            layout->source != GL_SEGSORT_SEGMENTS_HOST)
            result = segsort_fail(error, GL_SEGSORT_ERROR_OVERLAP,
                                  "%s and %s start at the same byte of buffer %" PRIu32
                                  ", but have %" PRIu64 " and %" PRIu64 " rows",
                                  uses[input].name, uses[input + 2].name, uses[input].view.buffer,
                                  uses[input].view.rows, uses[input + 2].view.rows);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Gathers */

void segsort_desc_gather_uses(const gl_segsort_gather_desc *desc, const segsort_layout *layout,
                              segsort_use uses[SEGSORT_USES_MAX])
{
    uint64_t record_bytes = (uint64_t)SEGSORT_WORD_BYTES * desc->record_words;
    for (int i = 0; i < SEGSORT_USES_MAX; i++)
        uses[i] = (segsort_use){0};
    uses[SEGSORT_GATHER_RECORDS] = (segsort_use){.name = "records",
                                                 .view = desc->records,
                                                 .extent = layout->extents[SEGSORT_STREAM_KEYS],
                                                 .row_bytes = record_bytes};
    if (desc->index_base == GL_SEGSORT_INDEX_IN_VIEW)
        uses[SEGSORT_GATHER_RECORDS].extent = (segsort_extent){.end_row = desc->records.rows};
    uses[SEGSORT_GATHER_INDICES] =
        (segsort_use){.name = "indices",
                      .view = desc->indices,
                      .extent = layout->extents[SEGSORT_STREAM_OUTPUT_VALUES],
                      .row_bytes = SEGSORT_WORD_BYTES};
    uses[SEGSORT_GATHER_OUTPUT] =
        (segsort_use){.name = "output_records",
                      .view = desc->output_records,
                      .extent = layout->extents[SEGSORT_STREAM_OUTPUT_KEYS],
                      .row_bytes = record_bytes,
                      .output = true};
    for (int i = 0; i < SEGSORT_GATHER_VIEWS && layout->source != GL_SEGSORT_SEGMENTS_HOST; i++)
        uses[i].extent = segsort_desc_rows_of(&uses[i].view, UINT64_MAX);
}

static gl_segsort_result segsort_check_records(const gl_segsort_gather_desc *desc,
                                               segsort_error *error)
{
    if (desc->record_words == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_gather_desc.record_words is 0");
    if (desc->index_base != GL_SEGSORT_INDEX_IN_SEGMENT &&
        desc->index_base != GL_SEGSORT_INDEX_IN_VIEW)
        return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_gather_desc.index_base is %d, which is no "
                            "gl_segsort_index_base",
                            (int)desc->index_base);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_desc_check_gather(const gl_segsort_gather_desc *desc,
                                            const segsort_layout *layout,
                                            const segsort_limits *limits, segsort_error *error)
{
    segsort_use uses[SEGSORT_USES_MAX];
    gl_segsort_result result = segsort_desc_check_barriers("gl_segsort_gather_desc.barriers_before",
                                                           desc->barriers_before, limits, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_barriers("gl_segsort_gather_desc.barriers_after",
                                             desc->barriers_after, limits, error);
    if (layout->row_count == 0)
        return result;
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_records(desc, error);
    segsort_desc_gather_uses(desc, layout, uses);
    return result == GL_SEGSORT_SUCCESS ? segsort_desc_check_uses(uses, limits, error) : result;
}
