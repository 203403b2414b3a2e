#include "batch_case.h"

#include <stdio.h>
#include <string.h>

void batch_case_begin(struct batch_case *batch, const struct cpu_order *order,
                      gl_segsort_algorithm algorithm)
{
    memset(batch, 0, sizeof *batch);
    batch->order = *order;
    batch->algorithm = algorithm;
}

/* Out of place the outputs' segments lie in another order than the inputs', with other gaps. */
static void scatter_outputs(gl_segsort_segment *segments, uint32_t count)
{
    uint32_t keys_row = 1, values_row = 2;
    for (uint32_t i = count; i > 0; i--) {
        segments[i - 1].output_keys_offset = keys_row;
        segments[i - 1].output_values_offset = values_row;
        keys_row += segments[i - 1].length;
        values_row += segments[i - 1].length + 3;
    }
}

void batch_case_add_set(struct batch_case *batch, const uint32_t *lengths, uint32_t count,
                        bool in_place)
{
    uint32_t set = batch->set_count++;
    gl_segsort_segment *segments = batch->segments + batch->segment_count;
    generate_packed_segments(lengths, count, set % 3, segments);
    if (!in_place)
        scatter_outputs(segments, count);
    snprintf(batch->names[set], sizeof batch->names[set], "set %u", set);
    batch->cases[set] =
        (struct sort_case){.name = batch->names[set],
                           .segments = segments,
                           .segment_count = count,
                           .order = batch->order,
                           .algorithm = batch->algorithm,
                           .kind = set % 3 ? GENERATE_RANDOM : GENERATE_FEW_DISTINCT,
                           .seed = set,
                           .in_place = in_place,
                           .byte_offset = set % 5 * 36};
    batch->set_segment_counts[set] = count;
    batch->segment_count += count;
}

void batch_case_add_chunks(struct batch_case *batch, const uint32_t *lengths, uint32_t count,
                           uint32_t first_in_place, uint32_t stride)
{
    for (uint32_t i = 0; i < count; i++)
        batch_case_add_set(batch, &lengths[i], 1,
                           i >= first_in_place && (i - first_in_place) % stride == 0);
}

void batch_case_make_buffers(struct batch_case *batch)
{
    for (uint32_t i = 0; i < batch->set_count; i++) {
        bool rows = false;
        for (uint32_t s = 0; s < batch->set_segment_counts[i]; s++)
            rows = rows || batch->cases[i].segments[s].length > 0;
        sort_buffers_make(&batch->buffers[i], &batch->cases[i]);
        batch->descs[i] = rows ? sort_buffers_desc(&batch->buffers[i])
                               : (gl_segsort_sort_desc){.barriers_after = 0};
    }
}

void batch_case_free_buffers(struct batch_case *batch)
{
    for (uint32_t i = 0; i < batch->set_count; i++)
        sort_buffers_free(&batch->buffers[i]);
}

gl_segsort_plan_desc batch_case_plan_desc(const struct batch_case *batch)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(&batch->cases[0]);
    desc.label = "batch";
    desc.segments = batch->segments;
    desc.segment_count = batch->segment_count;
    desc.set_count = batch->set_count;
    desc.set_segment_counts = batch->set_segment_counts;
    return desc;
}

bool batch_case_right(const struct batch_case *batch)
{
    bool all = true;
    for (uint32_t i = 0; i < batch->set_count; i++)
        all = sort_buffers_right(&batch->buffers[i]) && all;
    return all;
}

bool batch_case_untouched(const struct batch_case *batch)
{
    bool all = true;
    for (uint32_t i = 0; i < batch->set_count; i++)
        all = sort_buffers_untouched(&batch->buffers[i]) && all;
    return all;
}

bool batch_case_check(struct batch_case *batch, gl_segsort_plan *plan)
{
    gl_segsort_result result = gl_segsort_sort_batch(plan, batch->descs, batch->set_count);
    if (result != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "gl_segsort_sort_batch: %s\n", gl_segsort_result_string(result));
    return result == GL_SEGSORT_SUCCESS && batch_case_right(batch);
}
