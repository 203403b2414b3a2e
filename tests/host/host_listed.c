#include "host_listed.h"

#include <stdlib.h>

static size_t row_bytes(const struct host_listed *listed)
{
    return listed->sort.rows * 4;
}

void host_listed_make(struct host_listed *listed, const uint32_t *lengths, size_t count)
{
    const uint32_t claimed = (uint32_t)count + HOST_LISTED_SURPLUS;
    memset(listed, 0, sizeof *listed);
    host_sort_make(&listed->sort, lengths, count, GENERATE_RANDOM);
    uint32_t *fill = host_allocate(row_bytes(listed));
    memset(fill, 0xcd, row_bytes(listed));
    listed->list = host_buffer(listed->sort.segments, count * sizeof *listed->sort.segments);
    listed->count = host_buffer(&claimed, sizeof claimed);
    listed->status = host_buffer(NULL, sizeof(gl_segsort_status));
    listed->ordered = host_buffer(fill, row_bytes(listed));
    free(fill);
    listed->sort_desc = host_sort_desc(&listed->sort);
    listed->sort_desc.segments = (gl_segsort_view){listed->list, 0, count};
    listed->sort_desc.segment_count = (gl_segsort_view){listed->count, 0, 1};
    listed->sort_desc.status = (gl_segsort_view){listed->status, 0, 1};
    listed->gather_desc =
        (gl_segsort_gather_desc){.indices = listed->sort_desc.output_values,
                                 .records = listed->sort_desc.values,
                                 .output_records = {listed->ordered, 0, listed->sort.rows},
                                 .record_words = 1,
                                 .index_base = GL_SEGSORT_INDEX_IN_VIEW};
}

void host_listed_free(struct host_listed *listed)
{
    const GLuint buffers[] = {listed->list, listed->count, listed->status, listed->ordered};
    glDeleteBuffers(4, buffers);
    host_sort_free(&listed->sort);
    memset(listed, 0, sizeof *listed);
}

gl_segsort_plan_desc host_listed_plan_desc(const struct host_listed *listed, bool timed)
{
    return (gl_segsort_plan_desc){.label = "listed",
                                  .segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                  .max_segments = listed->sort.segment_count + 2,
                                  .max_rows = (uint32_t)listed->sort.rows + 100,
                                  .timed = timed};
}

gl_segsort_plan *host_listed_plan(gl_segsort_context *context, const struct host_listed *listed,
                                  bool timed)
{
    gl_segsort_plan_desc desc = host_listed_plan_desc(listed, timed);
    gl_segsort_plan *plan = NULL;
    if (gl_segsort_plan_create(context, &desc, &plan) != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "gl_segsort_plan_create: %s\n", gl_segsort_last_error(context));
    return plan;
}

bool host_listed_right(const struct host_listed *listed, bool gathered)
{
    const struct host_sort *sort = &listed->sort;
    gl_segsort_status status = {.segments_seen = sort->segment_count + HOST_LISTED_SURPLUS,
                                .segments_refused = HOST_LISTED_SURPLUS,
                                .first_refused = sort->segment_count};
    for (uint32_t i = 0; i < sort->segment_count; i++) {
        uint32_t length = sort->segments[i].length;
        status.rows_sorted += length;
        status.longest = length > status.longest ? length : status.longest;
    }
    bool right = host_sort_right(sort);
    right = host_buffer_equals(listed->status, &status, sizeof status, "status") && right;
    if (gathered)
        right = host_buffer_equals(listed->ordered, sort->data[HOST_OUTPUT_VALUES],
                                   row_bytes(listed), "output_records") &&
                right;
    return right;
}

bool host_times_come_in(gl_segsort_plan *plan)
{
    gl_segsort_timings timings;
    glFinish();
    if (gl_segsort_plan_timings(plan, &timings) != GL_SEGSORT_SUCCESS || timings.sort_number == 0 ||
        timings.pass_count == 0) {
        fprintf(stderr, "no times after glFinish\n");
        return false;
    }
    for (uint32_t i = 0; i < timings.pass_count; i++)
        if (!(timings.pass_milliseconds[i] >= 0 && timings.pass_milliseconds[i] < 1e6)) {
            fprintf(stderr, "pass %u took %g ms\n", i, timings.pass_milliseconds[i]);
            return false;
        }
    return true;
}
