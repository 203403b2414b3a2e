#include "recorded_batch.h"

#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- */
/* Making one */

/* Rows that values lie further on than keys, so that the one are not taken for the other. */
#define VALUES_BEHIND 7

static gl_segsort_view view_of(const char *what, uint32_t set, uint32_t words, uint64_t rows,
                               bool output)
{
    char label[32];
    snprintf(label, sizeof label, "%s-%" PRIu32, what, set);
    uint64_t bytes = 4 * (uint64_t)words + 16 * rows;
    return (gl_segsort_view){output ? recorded_output_buffer(bytes, label)
                                    : fake_gl_host_buffer(bytes, label),
                             4 * (uint64_t)words, rows};
}

static void make_views(struct recorded_batch *batch, uint32_t set)
{
    gl_segsort_sort_desc *sort = &batch->sorts[set];
    gl_segsort_gather_desc *gather = &batch->gathers[set];
    uint64_t rows = batch->rows[set];
    bool in_place = batch->in_place[set];
    *sort = (gl_segsort_sort_desc){
        .output_keys = view_of("output_keys", set, 2 * set + 1, rows, true),
        .output_values = view_of("output_values", set, 2 * set + 3, rows, true)};
    sort->keys = in_place ? sort->output_keys : view_of("keys", set, 36 + set, rows, false);
    sort->values = in_place ? sort->output_values : view_of("values", set, 63, rows, false);
    *gather = (gl_segsort_gather_desc){.indices = sort->output_values,
                                       .records = view_of("records", set, set + 5, rows, false),
                                       .output_records =
                                           view_of("output_records", set, set + 7, rows, true),
                                       .record_words = 3};
}

void recorded_batch_make(struct recorded_batch *batch, const gl_segsort_plan_desc *like,
                         const struct recorded_set *sets, uint32_t set_count, uint64_t in_place)
{
    uint32_t count = 0;
    *batch = (struct recorded_batch){.set_count = set_count};
    for (uint32_t i = 0; i < set_count; i++) {
        gl_segsort_segment *segments = batch->segments + count;
        bool any = false;
        batch->in_place[i] = (in_place >> i & 1) != 0;
        batch->first_segment[i] = count;
        batch->segment_counts[i] = sets[i].count;
        batch->rows[i] = generate_packed_segments(sets[i].lengths, sets[i].count, i % 3, segments);
        batch->rows[i] += VALUES_BEHIND;
        for (uint32_t s = 0; s < sets[i].count; s++) {
            any = any || sets[i].lengths[s] > 0;
            segments[s].values_offset += VALUES_BEHIND;
            segments[s].output_values_offset += VALUES_BEHIND;
        }
        if (any)
            make_views(batch, i);
        else
            batch->rows[i] = 0;
        count += sets[i].count;
    }
    if (like)
        batch->desc = *like;
    batch->desc.label = "mesh";
    batch->desc.segments = batch->segments;
    batch->desc.segment_count = count;
    batch->desc.set_count = set_count;
    batch->desc.set_segment_counts = batch->segment_counts;
}

gl_segsort_plan_desc recorded_batch_alone(const struct recorded_batch *batch, uint32_t set)
{
    gl_segsort_plan_desc desc = batch->desc;
    desc.segments = batch->segments + batch->first_segment[set];
    desc.segment_count = batch->segment_counts[set];
    desc.set_count = 0;
    desc.set_segment_counts = NULL;
    return desc;
}

/* ---------------------------------------------------------------------------------------------- */
/* What sorts have bound */

bool recorded_batch_due(const struct recorded_batch *batch, const gl_segsort_pass_description *pass)
{
    bool in_place = batch->in_place[pass->set];
    return pass->condition == GL_SEGSORT_PASS_ALWAYS ||
           pass->condition == (in_place ? GL_SEGSORT_PASS_IN_PLACE : GL_SEGSORT_PASS_OUT_OF_PLACE);
}

static const char *name_set(uint32_t set, const char *problem)
{
    static char text[600];
    snprintf(text, sizeof text, "set %" PRIu32 ": %s", set, problem);
    return text;
}

const char *recorded_batch_problem(const struct recorded_batch *batch, const gl_segsort_plan *plan)
{
    static struct recorded_places places[RECORDED_SETS_MAX];
    gl_segsort_plan_description description;
    size_t next = 0;
    gl_segsort_plan_describe(plan, &description);
    for (uint32_t i = 0; i < batch->set_count; i++) {
        const gl_segsort_plan_desc alone = recorded_batch_alone(batch, i);
        places[i] = recorded_places_of(&alone, description.local_rows_max, &batch->sorts[i]);
    }
    for (uint32_t i = 0; i < description.pass_count; i++) {
        const gl_segsort_pass_description *pass = &description.passes[i];
        if (!recorded_batch_due(batch, pass))
            continue;
        if (next == fake_gl.dispatch_count)
            return name_set(pass->set, "a pass that is due is missing");
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[next++];
        if (!recorded_is_kernel(dispatch, pass->kernel) ||
            memcmp(dispatch->groups, pass->work_groups, sizeof dispatch->groups) != 0)
            return name_set(pass->set, pass->label);
        const char *problem = recorded_places_problem(&places[pass->set], dispatch);
        if (problem)
            return name_set(pass->set, problem);
    }
    if (next < fake_gl.dispatch_count)
        return "there are dispatches of no due pass";
    return recorded_sections_problem(places, batch->set_count);
}

/* ---------------------------------------------------------------------------------------------- */
/* What gathers have bound */

struct extent {
    uint64_t first, end;
};

static struct extent extent_of(const struct recorded_batch *batch, uint32_t set, bool values)
{
    struct extent extent = {UINT64_MAX, 0};
    for (uint32_t i = 0; i < batch->segment_counts[set]; i++) {
        const gl_segsort_segment *segment = &batch->segments[batch->first_segment[set] + i];
        uint64_t first = values ? segment->output_values_offset : segment->output_keys_offset;
        if (segment->length == 0)
            continue;
        extent.first = first < extent.first ? first : extent.first;
        extent.end = first + segment->length > extent.end ? first + segment->length : extent.end;
    }
    return extent;
}

static const char *view_problem(const struct fake_gl_dispatch *dispatch, int at,
                                const gl_segsort_view *view, struct extent extent,
                                uint64_t row_bytes)
{
    static char text[300];
    const struct fake_gl_binding *binding = &dispatch->storage[at];
    uint64_t first = view->byte_offset + extent.first * row_bytes;
    uint64_t end = view->byte_offset + extent.end * row_bytes;
    uint64_t start = (uint64_t)binding->start, alignment = (uint64_t)fake_gl.storage_alignment;
    uint32_t word = dispatch->view_word[at] + (uint32_t)(extent.first * row_bytes / 4);
    if (binding->buffer == view->buffer && start % alignment == 0 && start <= first &&
        first - start < alignment && start + (uint64_t)binding->size == end &&
        start + 4 * (uint64_t)word == first)
        return NULL;
    snprintf(text, sizeof text,
             "binding %d has buffer %" PRIu32 " from byte %" PRIu64 " to %" PRIu64
             ", its first row at %" PRIu64 "; expected are buffer %" PRIu32 ", %" PRIu64
             " to %" PRIu64,
             at, binding->buffer, start, start + (uint64_t)binding->size,
             start + 4 * (uint64_t)word, view->buffer, first, end);
    return text;
}

const char *recorded_gather_problem(const struct recorded_batch *batch, uint32_t set,
                                    const struct fake_gl_dispatch *dispatch)
{
    const gl_segsort_gather_desc *gather = &batch->gathers[set];
    bool in_view = gather->index_base == GL_SEGSORT_INDEX_IN_VIEW;
    uint64_t record_bytes = 4 * (uint64_t)gather->record_words;
    struct extent keys = extent_of(batch, set, false), values = extent_of(batch, set, true);
    struct extent records = in_view ? (struct extent){0, gather->records.rows} : keys;
    const char *problem =
        view_problem(dispatch, SEGSORT_BINDING_KEYS, &gather->records, records, record_bytes);
    if (!problem)
        problem = view_problem(dispatch, SEGSORT_BINDING_VALUES, &gather->indices, values, 4);
    if (!problem)
        problem = view_problem(dispatch, SEGSORT_BINDING_OUTPUT_KEYS, &gather->output_records, keys,
                               record_bytes);
    if (problem)
        return name_set(set, problem);
    const struct {
        const char *name;
        int at;
        uint64_t word;
    } words[] = {
        {"the index base", SEGSORT_VIEW_WORD_INDEX_BASE, gather->index_base},
        {"a record's words", SEGSORT_VIEW_WORD_RECORD_WORDS, gather->record_words},
        {"the records", SEGSORT_VIEW_WORD_RECORDS, gather->records.rows},
        {"the ordered records", SEGSORT_VIEW_WORD_OUTPUT_RECORDS, gather->output_records.rows},
        {"the indices", SEGSORT_VIEW_WORD_INDICES, gather->indices.rows},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (dispatch->view_word[words[i].at] != words[i].word)
            return name_set(set, words[i].name);
    return NULL;
}
