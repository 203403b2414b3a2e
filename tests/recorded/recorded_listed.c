#include "recorded_listed.h"

#include <stdio.h>
#include <string.h>

#define STREAMS 4

/* A multiple of 4, and of nothing that GL aligns by. */
static uint64_t odd_offset(uint64_t number)
{
    return 4 * (number * 129 + 1);
}

gl_segsort_view *recorded_listed_view(struct recorded_listed *listed)
{
    return listed->desc.segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED
               ? &listed->sort.segment_lengths
               : &listed->sort.segments;
}

static void make_desc(struct recorded_listed *listed, const gl_segsort_plan_desc *like,
                      gl_segsort_segment_source source)
{
    gl_segsort_plan_desc *desc = &listed->desc;
    *desc = like ? *like : (gl_segsort_plan_desc){0};
    desc->label = "mesh";
    desc->segment_source = source;
    if (desc->max_segments == 0)
        desc->max_segments = RECORDED_LISTED_SEGMENTS;
    if (desc->max_rows == 0)
        desc->max_rows = RECORDED_LISTED_ROWS;
    if (source == GL_SEGSORT_SEGMENTS_GPU_STRIDED)
        desc->segment_stride = RECORDED_LISTED_STRIDE;
}

void recorded_listed_make(struct recorded_listed *listed, const gl_segsort_plan_desc *like,
                          gl_segsort_segment_source source, bool in_place)
{
    const uint64_t rows = RECORDED_LISTED_ROWS;
    *listed = (struct recorded_listed){.list = fake_gl_host_buffer(1 << 20, "list"),
                                       .count = fake_gl_host_buffer(4096, "count"),
                                       .status = recorded_output_buffer(4096, "status")};
    make_desc(listed, like, source);
    gl_segsort_sort_desc *sort = &listed->sort;
    sort->output_keys =
        (gl_segsort_view){recorded.output_keys, odd_offset(1), rows + (in_place ? 1 : 3)};
    sort->output_values =
        (gl_segsort_view){recorded.output_values, odd_offset(2), rows + (in_place ? 2 : 4)};
    sort->keys =
        in_place ? sort->output_keys : (gl_segsort_view){recorded.keys, odd_offset(3), rows + 1};
    sort->values = in_place ? sort->output_values
                            : (gl_segsort_view){recorded.values, odd_offset(4), rows + 2};
    sort->segment_count = (gl_segsort_view){listed->count, odd_offset(5), 7};
    sort->status = (gl_segsort_view){listed->status, odd_offset(6), 1};
    *recorded_listed_view(listed) = (gl_segsort_view){listed->list, odd_offset(7), 4444};
    listed->gather =
        (gl_segsort_gather_desc){.indices = sort->output_values,
                                 .records = {recorded.keys, odd_offset(8), rows / 2},
                                 .output_records = {recorded.output_keys, odd_offset(9), rows / 3},
                                 .record_words = 3};
}

/* ---------------------------------------------------------------------------------------------- */
/* What a dispatch has to have bound */

/* From the aligned byte below the view's first to the end of so many rows. */
static struct fake_gl_binding view_binding(const gl_segsort_view *view, uint64_t rows,
                                           uint64_t row_bytes)
{
    uint64_t rest = view->byte_offset % (uint64_t)fake_gl.storage_alignment;
    return (struct fake_gl_binding){view->buffer, (int64_t)(view->byte_offset - rest),
                                    (int64_t)(rest + rows * row_bytes)};
}

static uint32_t view_word(const gl_segsort_view *view)
{
    return (uint32_t)(view->byte_offset % (uint64_t)fake_gl.storage_alignment / 4);
}

/* One of the plan's own, whole. */
static struct fake_gl_binding own_binding(const char *label)
{
    for (size_t i = 0; i < fake_gl.buffer_count; i++)
        if (fake_gl.buffers[i].alive && strcmp(fake_gl.buffers[i].label, label) == 0)
            return (struct fake_gl_binding){fake_gl.buffers[i].name, 0,
                                            (int64_t)fake_gl.buffers[i].size};
    return (struct fake_gl_binding){0};
}

static uint32_t key_bytes(const struct recorded_listed *listed)
{
    return listed->desc.key_type == GL_SEGSORT_KEY_U64 ? 8 : 4;
}

static uint32_t stream_bytes(const struct recorded_listed *listed, int stream)
{
    switch (stream % 2 == 0 ? GL_SEGSORT_VALUE_U32 : listed->desc.value_type) {
    case GL_SEGSORT_VALUE_NONE:
        return 0;
    case GL_SEGSORT_VALUE_INDEX:
        return stream == 1 ? 0 : 4;
    case GL_SEGSORT_VALUE_U64:
        return 8;
    default:
        return stream % 2 == 0 ? key_bytes(listed) : 4;
    }
}

static const gl_segsort_view *stream_view(const struct recorded_listed *listed, int stream)
{
    const gl_segsort_view *const views[STREAMS] = {&listed->sort.keys, &listed->sort.values,
                                                   &listed->sort.output_keys,
                                                   &listed->sort.output_values};
    return views[stream];
}

static const gl_segsort_view *list_view(const struct recorded_listed *listed)
{
    return listed->desc.segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED
               ? &listed->sort.segment_lengths
               : &listed->sort.segments;
}

static struct fake_gl_binding list_binding(const struct recorded_listed *listed)
{
    bool ranges = listed->desc.segment_source == GL_SEGSORT_SEGMENTS_GPU_RANGES;
    /* Only offsets are one more than there are segments. */
    bool offsets = listed->desc.segment_source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    uint64_t most = (uint64_t)listed->desc.max_segments + offsets, rows = list_view(listed)->rows;
    return view_binding(list_view(listed), rows < most ? rows : most, ranges ? 20 : 4);
}

/* Whether the binding has to be like that, and else which one is wrong. */
static bool is_bound(const struct fake_gl_dispatch *dispatch, int binding,
                     struct fake_gl_binding expected, char text[300])
{
    const struct fake_gl_binding *got = &dispatch->storage[binding];
    if (got->buffer == expected.buffer && got->start == expected.start &&
        got->size == expected.size)
        return true;
    snprintf(text, 300,
             "%s: binding %d is buffer %u from %lld for %lld, should be %u from %lld for %lld",
             dispatch->program_label, binding, got->buffer, (long long)got->start,
             (long long)got->size, expected.buffer, (long long)expected.start,
             (long long)expected.size);
    return false;
}

static bool streams_are_bound(const struct recorded_listed *listed,
                              const struct fake_gl_dispatch *dispatch, char text[300])
{
    for (int s = 0; s < STREAMS; s++) {
        const gl_segsort_view *view = stream_view(listed, s);
        uint32_t place = s < 2 ? dispatch->params.source : dispatch->params.destination;
        if (!fake_gl_uses(dispatch, s))
            continue;
        if (place == SEGSORT_PLACE_SCRATCH) {
            snprintf(text, 300, "%s: binding %d is not the scratch", dispatch->program_label, s);
            if (dispatch->storage[s].buffer != own_binding("mesh-scratch").buffer)
                return false;
            continue;
        }
        /* An input of a later pass may be the outputs. */
        const int stream = s % 2 + (place == SEGSORT_PLACE_OUTPUT ? 2 : 0);
        /* Row numbers are made by whoever reads the inputs; the keys stand in. */
        bool stands_in = stream_bytes(listed, stream) == 0;
        view = stands_in ? &listed->sort.keys : stream_view(listed, stream);
        uint32_t bytes = stands_in ? key_bytes(listed) : stream_bytes(listed, stream);
        if (!is_bound(dispatch, s, view_binding(view, view->rows, bytes), text))
            return false;
        if (!stands_in && dispatch->view_word[stream] != view_word(view)) {
            snprintf(text, 300, "%s: view word %d is %u, should be %u", dispatch->program_label,
                     stream, dispatch->view_word[stream], view_word(view));
            return false;
        }
    }
    return true;
}

/* As layout.h has them. */
static void list_words(const struct recorded_listed *listed, bool in_place,
                       uint32_t words[SEGSORT_LIST_WORDS])
{
    const gl_segsort_sort_desc *sort = &listed->sort;
    const gl_segsort_plan_desc *desc = &listed->desc;
    bool offsets = desc->segment_source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    uint64_t entries = list_view(listed)->rows - (offsets ? 1 : 0);
    memset(words, 0, SEGSORT_LIST_WORDS * sizeof *words);
    for (int s = 0; s < STREAMS; s++) {
        words[s] = (uint32_t)stream_view(listed, s)->rows;
        words[9] |= stream_bytes(listed, s) > 0 ? 1u << s : 0;
    }
    words[4] = view_word(list_view(listed));
    words[5] = entries < desc->max_segments ? (uint32_t)entries : desc->max_segments;
    words[6] = sort->segment_count.buffer ? view_word(&sort->segment_count) : 0;
    words[7] = sort->host_segment_count ? sort->host_segment_count : desc->max_segments;
    words[8] = sort->status.buffer ? view_word(&sort->status) : 0;
    words[9] |= in_place ? SEGSORT_LIST_KEYS_IN_PLACE : 0;
    words[9] |= in_place && stream_bytes(listed, 1) > 0 ? SEGSORT_LIST_VALUES_IN_PLACE : 0;
    words[9] |= sort->segment_count.buffer ? SEGSORT_LIST_COUNTED : 0;
    words[9] |= sort->status.buffer ? SEGSORT_LIST_STATUS : 0;
    words[10] = (uint32_t)((sizeof(struct segsort_pass_params) + 15) / 16 * 16 +
                           (uint32_t)fake_gl.uniform_alignment - 1) /
                (uint32_t)fake_gl.uniform_alignment * (uint32_t)fake_gl.uniform_alignment / 4;
}

static bool words_are_right(const struct recorded_listed *listed,
                            const struct fake_gl_dispatch *dispatch, bool in_place, char text[300])
{
    uint32_t words[SEGSORT_LIST_WORDS];
    list_words(listed, in_place, words);
    for (int i = 0; i < SEGSORT_LIST_WORDS; i++)
        if (dispatch->list_word[i] != words[i]) {
            snprintf(text, 300, "%s: list word %d is %u, should be %u", dispatch->program_label, i,
                     dispatch->list_word[i], words[i]);
            return false;
        }
    return true;
}

static bool is_right(const struct recorded_listed *listed, const struct fake_gl_dispatch *dispatch,
                     bool in_place, char text[300])
{
    const gl_segsort_sort_desc *sort = &listed->sort;
    struct fake_gl_binding table = own_binding("mesh-table");
    bool right = is_bound(dispatch, SEGSORT_BINDING_TABLE,
                          (struct fake_gl_binding){.buffer = table.buffer}, text);
    if (right && fake_gl_uses(dispatch, SEGSORT_BINDING_LIST))
        right = is_bound(dispatch, SEGSORT_BINDING_LIST, list_binding(listed), text) &&
                words_are_right(listed, dispatch, in_place, text);
    if (right && recorded_is_kernel(dispatch, "list-count"))
        right = is_bound(
            dispatch, SEGSORT_BINDING_LIST_COUNT,
            sort->segment_count.buffer ? view_binding(&sort->segment_count, 1, 4) : table, text);
    if (!recorded_is_kernel(dispatch, "list-layout"))
        return right && streams_are_bound(listed, dispatch, text);
    return right && is_bound(dispatch, 0, own_binding("mesh-parameters"), text) &&
           is_bound(dispatch, 1, own_binding("mesh-commands"), text) &&
           is_bound(dispatch, 2, sort->status.buffer ? view_binding(&sort->status, 1, 20) : table,
                    text);
}

/* ---------------------------------------------------------------------------------------------- */
/* Where it has its work groups and parameters from */

static bool lists(const gl_segsort_pass_description *pass)
{
    return strcmp(pass->kernel, "list-count") == 0 || strcmp(pass->kernel, "list-layout") == 0 ||
           strcmp(pass->kernel, "list-scatter") == 0;
}

/* place: among the passes of the sort and the gather. */
static bool is_at(const struct fake_gl_dispatch *dispatch, const gl_segsort_pass_description *pass,
                  uint32_t place, char text[300])
{
    uint32_t alignment = (uint32_t)fake_gl.uniform_alignment;
    uint32_t size = (uint32_t)(sizeof(struct segsort_pass_params) + 15) / 16 * 16;
    int64_t stride = (size + alignment - 1) / alignment * alignment;
    struct fake_gl_binding params = own_binding("mesh-parameters");
    snprintf(text, 300, "%s: indirect %d at %lld, parameters at %lld", pass->label,
             dispatch->indirect, (long long)dispatch->command, (long long)dispatch->uniform.start);
    if (dispatch->uniform.buffer != params.buffer || dispatch->uniform.start != place * stride ||
        dispatch->indirect != !lists(pass))
        return false;
    if (dispatch->indirect) /* the command buffer starts without work groups */
        return dispatch->command == 16 * (int64_t)place && dispatch->groups[0] == 0;
    return memcmp(dispatch->groups, pass->work_groups, sizeof dispatch->groups) == 0;
}

const char *recorded_listed_problem(const struct recorded_listed *listed,
                                    const gl_segsort_plan *plan, bool in_place)
{
    static char text[300];
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    size_t number = 0, due = recorded_due_count(&description, in_place);
    snprintf(text, sizeof text, "%zu dispatches of %zu passes", fake_gl.dispatch_count, due);
    if (fake_gl.dispatch_count != due || due < 3)
        return text;
    for (uint32_t i = 0; i < description.pass_count; i++) {
        const gl_segsort_pass_description *pass = &description.passes[i];
        if (number < due && recorded_due_pass(&description, in_place, number) == pass) {
            const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[number++];
            if (!strstr(dispatch->program_label, pass->kernel)) {
                snprintf(text, sizeof text, "%s runs %s", pass->label, dispatch->program_label);
                return text;
            }
            if (!is_at(dispatch, pass, i, text) || !is_right(listed, dispatch, in_place, text))
                return text;
        }
    }
    return NULL;
}

const char *recorded_listed_gather_problem(const struct recorded_listed *listed,
                                           const gl_segsort_plan *plan)
{
    static char text[300];
    const gl_segsort_gather_desc *gather = &listed->gather;
    const gl_segsort_view *const views[] = {&gather->records, &gather->indices,
                                            &gather->output_records};
    const uint32_t words[SEGSORT_VIEW_WORDS] = {view_word(views[0]),
                                                view_word(views[1]),
                                                view_word(views[2]),
                                                (uint32_t)gather->index_base,
                                                gather->record_words,
                                                (uint32_t)gather->records.rows,
                                                (uint32_t)gather->output_records.rows,
                                                (uint32_t)gather->indices.rows};
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    snprintf(text, sizeof text, "%zu dispatches of %u passes", fake_gl.dispatch_count,
             description.gather_pass_count);
    if (fake_gl.dispatch_count != description.gather_pass_count || fake_gl.dispatch_count == 0)
        return text;
    for (uint32_t i = 0; i < description.gather_pass_count; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        if (!is_at(dispatch, &description.gather_passes[i], description.pass_count + i, text))
            return text;
        for (int v = 0; v < 3; v++)
            if (!is_bound(dispatch, v,
                          view_binding(views[v], views[v]->rows,
                                       v == 1 ? 4 : 4 * (uint64_t)gather->record_words),
                          text))
                return text;
        snprintf(text, sizeof text, "%s: view words", description.gather_passes[i].label);
        if (memcmp(dispatch->view_word, words, sizeof words) != 0)
            return text;
    }
    return NULL;
}
