#include "gather_case.h"

#include <stdlib.h>
#include <string.h>

static void make_segments(gl_segsort_segment *segments, const uint32_t *lengths, uint32_t count)
{
    uint32_t values_row = 3, output_row = 1, index_row = 2;
    generate_packed_segments(lengths, count, 2, segments);
    generate_shuffled_segments(segments, count, 5);
    for (uint32_t i = 0; i < count; i++) {
        segments[i].values_offset = values_row;
        values_row += segments[i].length + 1;
    }
    for (uint32_t i = count; i > 0; i--) {
        segments[i - 1].output_keys_offset = output_row;
        output_row += segments[i - 1].length + 2;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t even_first = i < (count + 1) / 2 ? 2 * i : 2 * (i - (count + 1) / 2) + 1;
        segments[even_first].output_values_offset = index_row;
        index_row += segments[even_first].length + 3;
    }
}

struct gather_case gather_case_make(const char *name, gl_segsort_segment *segments,
                                    const uint32_t *lengths, uint32_t count,
                                    gl_segsort_value_type value_type, uint32_t record_words)
{
    make_segments(segments, lengths, count);
    return (struct gather_case){.sort = {.name = name,
                                         .segments = segments,
                                         .segment_count = count,
                                         .order = {.value_type = value_type},
                                         .seed = record_words,
                                         .byte_offset = 20},
                                .record_words = record_words,
                                .records_offset = 4,
                                .output_offset = 252};
}

/* Rows that segments reach where keys lie, where values do and where output keys do. */
static size_t rows_reached(const struct sort_case *sort, int stream)
{
    size_t end = 0;
    for (uint32_t i = 0; i < sort->segment_count; i++) {
        const gl_segsort_segment *s = &sort->segments[i];
        const uint32_t offsets[] = {s->keys_offset, s->values_offset, s->output_keys_offset};
        if (s->length > 0 && (size_t)offsets[stream] + s->length > end)
            end = (size_t)offsets[stream] + s->length;
    }
    return end;
}

/* Each row's own number, counted from where the base says. */
static uint32_t *make_values(const struct gather_case *of)
{
    size_t rows = rows_reached(&of->sort, SORT_VALUES);
    uint32_t *values = guarded_allocate(4 * rows);
    memset(values, 0xcd, 4 * rows);
    for (uint32_t i = 0; i < of->sort.segment_count; i++) {
        const gl_segsort_segment *s = &of->sort.segments[i];
        uint32_t first = of->base == GL_SEGSORT_INDEX_IN_VIEW ? s->keys_offset : 0;
        for (uint32_t row = 0; row < s->length; row++)
            values[s->values_offset + row] = first + row;
    }
    return values;
}

void gather_buffers_expect(struct gather_buffers *buffers, const uint32_t *indices)
{
    const struct gather_case *of = buffers->of;
    uint32_t *ordered = guarded_expected(&buffers->output);
    memcpy(ordered, guarded_before(&buffers->output), 4 * buffers->output.words);
    size_t words = of->record_words;
    for (uint32_t i = 0; i < of->sort.segment_count; i++) {
        const gl_segsort_segment *s = &of->sort.segments[i];
        bool in_view = of->base == GL_SEGSORT_INDEX_IN_VIEW;
        const uint32_t *records = guarded_before(&buffers->records);
        for (uint32_t row = 0; row < s->length; row++) {
            uint32_t index = indices[s->output_values_offset + row];
            size_t record = in_view ? index : (size_t)s->keys_offset + index;
            if (index < (in_view ? buffers->record_rows : s->length))
                memcpy(ordered + (s->output_keys_offset + row) * words, records + record * words,
                       4 * words);
        }
    }
}

void gather_buffers_make(struct gather_buffers *buffers, struct gather_case *of)
{
    *buffers = (struct gather_buffers){.of = of};
    if (of->sort.order.value_type == GL_SEGSORT_VALUE_U32)
        of->sort.values = buffers->values = make_values(of);
    sort_buffers_make(&buffers->sort, &of->sort);
    buffers->record_rows = rows_reached(&of->sort, SORT_KEYS) + of->more_records;
    buffers->output_rows = rows_reached(&of->sort, SORT_OUTPUT_KEYS);
    guarded_make(&buffers->records, "records", buffers->record_rows * of->record_words,
                 of->records_offset);
    guarded_make(&buffers->output, "output_records", buffers->output_rows * of->record_words,
                 of->output_offset);
    generate_identity(guarded_before(&buffers->records), buffers->records.words);
    guarded_upload(&buffers->records);
    guarded_upload(&buffers->output);
    const struct guarded *sorted = sort_buffers_stream(&buffers->sort, SORT_OUTPUT_VALUES);
    gather_buffers_expect(buffers, sorted->expected + sorted->first);
}

void gather_buffers_free(struct gather_buffers *buffers)
{
    sort_buffers_free(&buffers->sort);
    guarded_free(&buffers->records);
    guarded_free(&buffers->output);
    free(buffers->values);
}

gl_segsort_gather_desc gather_buffers_desc(const struct gather_buffers *buffers)
{
    const struct gather_case *of = buffers->of;
    return (gl_segsort_gather_desc){
        .indices = sort_buffers_desc(&buffers->sort).output_values,
        .records = guarded_view(&buffers->records, buffers->record_rows),
        .output_records = guarded_view(&buffers->output, buffers->output_rows),
        .record_words = of->record_words,
        .index_base = of->base};
}

bool gather_buffers_right(const struct gather_buffers *buffers)
{
    bool kept = guarded_untouched(&buffers->records);
    return guarded_right(&buffers->output) && kept;
}

bool gather_buffers_untouched(const struct gather_buffers *buffers)
{
    bool sort_kept = sort_buffers_untouched(&buffers->sort);
    bool kept = guarded_untouched(&buffers->records);
    return guarded_untouched(&buffers->output) && kept && sort_kept;
}
