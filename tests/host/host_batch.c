#include "host_batch.h"

#include <stdlib.h>

#define SCRATCH_BYTES ((size_t)1 << 20)

static size_t record_bytes(const struct host_sort *sort)
{
    return sort->rows * HOST_RECORD_WORDS * 4;
}

static uint32_t *make_records(const struct host_sort *sort)
{
    uint32_t *records = host_allocate(record_bytes(sort));
    generate_identity(records, sort->rows * HOST_RECORD_WORDS);
    return records;
}

/* The values of a host_sort are row numbers in the view: records are named from its start. */
static void make_gather(struct host_batch *batch, uint32_t set)
{
    const struct host_sort *sort = &batch->sorts[set];
    uint32_t *words = make_records(sort);
    batch->records[set] = host_buffer(words, record_bytes(sort));
    memset(words, 0xcd, record_bytes(sort));
    batch->ordered[set] = host_buffer(words, record_bytes(sort));
    free(words);
    batch->gather_descs[set] =
        (gl_segsort_gather_desc){.indices = batch->sort_descs[set].output_values,
                                 .records = {batch->records[set], 0, sort->rows},
                                 .output_records = {batch->ordered[set], 0, sort->rows},
                                 .record_words = HOST_RECORD_WORDS,
                                 .index_base = GL_SEGSORT_INDEX_IN_VIEW};
}

void host_batch_make(struct host_batch *batch, const uint32_t *lengths, size_t count)
{
    memset(batch, 0, sizeof *batch);
    for (uint32_t set = 0; set < HOST_SETS; set++) {
        struct host_sort *sort = &batch->sorts[set];
        host_sort_make(sort, lengths, count, set ? GENERATE_RANDOM : GENERATE_FEW_DISTINCT);
        memcpy(batch->segments + batch->segment_count, sort->segments,
               count * sizeof *sort->segments);
        batch->segment_counts[set] = (uint32_t)count;
        batch->segment_count += (uint32_t)count;
        batch->sort_descs[set] = host_sort_desc(sort);
        make_gather(batch, set);
    }
    batch->scratch = host_buffer(NULL, SCRATCH_BYTES);
}

void host_batch_free(struct host_batch *batch)
{
    for (uint32_t set = 0; set < HOST_SETS; set++)
        host_sort_free(&batch->sorts[set]);
    glDeleteBuffers(HOST_SETS, batch->records);
    glDeleteBuffers(HOST_SETS, batch->ordered);
    glDeleteBuffers(1, &batch->scratch);
    memset(batch, 0, sizeof *batch);
}

gl_segsort_plan_desc host_batch_plan_desc(const struct host_batch *batch)
{
    return (gl_segsort_plan_desc){.label = "batch",
                                  .segments = batch->segments,
                                  .segment_count = batch->segment_count,
                                  .set_count = HOST_SETS,
                                  .set_segment_counts = batch->segment_counts,
                                  .scratch = {batch->scratch, 0, SCRATCH_BYTES / 4}};
}

gl_segsort_plan *host_batch_plan(gl_segsort_context *context, const struct host_batch *batch)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(batch);
    gl_segsort_plan *plan = NULL;
    if (gl_segsort_plan_create(context, &desc, &plan) != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "gl_segsort_plan_create: %s\n", gl_segsort_last_error(context));
    return plan;
}

static bool records_are(const struct host_batch *batch, uint32_t set, bool gathered)
{
    const struct host_sort *sort = &batch->sorts[set];
    uint32_t *records = make_records(sort), *ordered = host_allocate(record_bytes(sort));
    memset(ordered, 0xcd, record_bytes(sort));
    for (uint32_t i = 0; gathered && i < sort->segment_count; i++)
        for (uint32_t row = 0; row < sort->segments[i].length; row++) {
            size_t to = (size_t)sort->segments[i].output_values_offset + row;
            memcpy(ordered + to * HOST_RECORD_WORDS,
                   records + (size_t)sort->data[HOST_OUTPUT_VALUES][to] * HOST_RECORD_WORDS,
                   HOST_RECORD_WORDS * 4);
        }
    bool kept = host_buffer_equals(batch->records[set], records, record_bytes(sort), "records");
    bool right =
        host_buffer_equals(batch->ordered[set], ordered, record_bytes(sort), "output_records");
    free(records);
    free(ordered);
    return kept && right;
}

bool host_batch_right(const struct host_batch *batch)
{
    bool right = true;
    for (uint32_t set = 0; set < HOST_SETS; set++)
        right = host_sort_right(&batch->sorts[set]) && records_are(batch, set, true) && right;
    return right;
}

bool host_batch_untouched(const struct host_batch *batch)
{
    bool untouched = true;
    for (uint32_t set = 0; set < HOST_SETS; set++)
        untouched =
            host_sort_untouched(&batch->sorts[set]) && records_are(batch, set, false) && untouched;
    return untouched;
}
