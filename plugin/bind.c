#include "bind.h"

#include <inttypes.h>

/* ---------------------------------------------------------------------------------------------- */
/* Finding sections */

static gl_segsort_result segsort_check_buffer(gl_segsort_context *context, const char *name,
                                              uint32_t buffer, uint64_t end)
{
    const segsort_gl *gl = &context->gl;
    int64_t size = 0;
    if (context->state_policy != GL_SEGSORT_STATE_RESTORE)
        return GL_SEGSORT_SUCCESS;
    if (!gl->IsBuffer(buffer))
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "%s.buffer %" PRIu32 " is no buffer of this GL context", name, buffer);
    gl->BindBuffer(SEGSORT_GL_SHADER_STORAGE_BUFFER, buffer);
    gl->GetBufferParameteri64v(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_GL_BUFFER_SIZE, &size);
    if (end <= (uint64_t)size)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                        "%s needs bytes up to %" PRIu64 ", but buffer %" PRIu32 " has %" PRId64,
                        name, end, buffer, size);
}

gl_segsort_result segsort_bind_find_use(gl_segsort_context *context, const segsort_use *use,
                                        segsort_section *section, uint32_t *view_word)
{
    if (use->row_bytes == 0)
        return GL_SEGSORT_SUCCESS;
    section->buffer = use->view.buffer;
    section->range = segsort_desc_range(use, &context->limits);
    *view_word = section->range.view_word;
    return segsort_check_buffer(context, use->name, section->buffer,
                                section->range.byte_offset + section->range.byte_size);
}

/* The sections of the scratch lie one behind the other. */
static void segsort_find_scratch(const gl_segsort_context *context, const segsort_scratch *scratch,
                                 const gl_segsort_view *view, segsort_sections *sections)
{
    const uint64_t bytes[] = {scratch->key_bytes, scratch->value_bytes, scratch->work_bytes};
    segsort_section *const parts[] = {&sections->keys[SEGSORT_PLACE_SCRATCH],
                                      &sections->values[SEGSORT_PLACE_SCRATCH], &sections->work};
    segsort_use use = {.view = *view, .row_bytes = SEGSORT_WORD_BYTES};
    use.view.byte_offset += scratch->byte_offset;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (bytes[i] == 0)
            continue;
        use.extent.end_row = bytes[i] / SEGSORT_WORD_BYTES;
        parts[i]->buffer = view->buffer;
        parts[i]->range = segsort_desc_range(&use, &context->limits);
        sections->view_word[SEGSORT_STREAM_COUNT + i] = parts[i]->range.view_word;
        use.view.byte_offset += bytes[i];
    }
}

/* What the kernels that read a list have besides. GL wants something behind every block, so the
 * table stands in for what the call leaves out. */
static gl_segsort_result
segsort_find_list(gl_segsort_context *context, const gl_segsort_sort_desc *desc,
                  const segsort_layout *layout, const segsort_use uses[SEGSORT_USES_MAX],
                  const segsort_own_sections *own, segsort_sections *sections)
{
    uint32_t *words = sections->list_word;
    uint32_t host_count = desc->host_segment_count;
    sections->keys[SEGSORT_PLACE_COMMANDS] = own->params;
    sections->values[SEGSORT_PLACE_COMMANDS] = own->commands;
    sections->keys[SEGSORT_PLACE_STATUS] = own->table;
    sections->list_count = own->table;
    uint32_t flags = 0;
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++) {
        words[i] = (uint32_t)uses[i].extent.end_row;
        flags |= uses[i].row_bytes > 0 ? (uint32_t)SEGSORT_LIST_KEYS << i : 0;
    }
    flags |= uses[SEGSORT_STREAM_KEYS].in_place ? SEGSORT_LIST_KEYS_IN_PLACE : 0;
    flags |= uses[SEGSORT_STREAM_VALUES].in_place ? SEGSORT_LIST_VALUES_IN_PLACE : 0;
    flags |= uses[SEGSORT_USE_LIST_COUNT].row_bytes > 0 ? SEGSORT_LIST_COUNTED : 0;
    flags |= uses[SEGSORT_USE_STATUS].row_bytes > 0 ? SEGSORT_LIST_STATUS : 0;
    words[SEGSORT_LIST_WORD_ENTRIES] = segsort_desc_list_entries(desc, layout);
    words[SEGSORT_LIST_WORD_HOST_COUNT] = host_count > 0 ? host_count : layout->segment_count;
    words[SEGSORT_LIST_WORD_FLAGS] = flags;
    words[SEGSORT_LIST_WORD_PARAMS_WORDS] = own->params_words;
    gl_segsort_result result = segsort_bind_find_use(
        context, &uses[SEGSORT_USE_LIST], &sections->list, &words[SEGSORT_LIST_WORD_LIST]);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_bind_find_use(context, &uses[SEGSORT_USE_LIST_COUNT],
                                       &sections->list_count, &words[SEGSORT_LIST_WORD_COUNT]);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_bind_find_use(context, &uses[SEGSORT_USE_STATUS],
                                       &sections->keys[SEGSORT_PLACE_STATUS],
                                       &words[SEGSORT_LIST_WORD_STATUS]);
    return result;
}

gl_segsort_result segsort_bind_find_sort(gl_segsort_context *context,
                                         const gl_segsort_sort_desc *desc, const segsort_set *set,
                                         const segsort_own_sections *own,
                                         segsort_sections *sections)
{
    segsort_use uses[SEGSORT_USES_MAX];
    *sections = (segsort_sections){0};
    segsort_section *const streams[SEGSORT_STREAM_COUNT] = {
        &sections->keys[SEGSORT_PLACE_INPUT], &sections->values[SEGSORT_PLACE_INPUT],
        &sections->keys[SEGSORT_PLACE_OUTPUT], &sections->values[SEGSORT_PLACE_OUTPUT]};
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    segsort_desc_sort_uses(desc, &set->layout, uses);
    sections->in_place = uses[SEGSORT_STREAM_KEYS].in_place || uses[SEGSORT_STREAM_VALUES].in_place;
    for (int i = 0; i < SEGSORT_STREAM_COUNT && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_bind_find_use(context, &uses[i], streams[i], &sections->view_word[i]);
    if (result == GL_SEGSORT_SUCCESS && set->layout.source != GL_SEGSORT_SEGMENTS_HOST)
        result = segsort_find_list(context, desc, &set->layout, uses, own, sections);
    segsort_find_scratch(context, &set->scratch, &own->scratch, sections);
    sections->view_word[SEGSORT_VIEW_WORD_IN_PLACE] = sections->in_place;
    /* Row numbers have no input, but GL wants a buffer behind every block that a program has. */
    if (uses[SEGSORT_STREAM_VALUES].row_bytes == 0 &&
        uses[SEGSORT_STREAM_OUTPUT_VALUES].row_bytes > 0)
        sections->values[SEGSORT_PLACE_INPUT] = sections->keys[SEGSORT_PLACE_INPUT];
    return result;
}

uint32_t segsort_bind_row_limit(const gl_segsort_view *view)
{
    return view->rows < UINT32_MAX ? (uint32_t)view->rows : UINT32_MAX;
}

gl_segsort_result segsort_bind_find_gather(gl_segsort_context *context,
                                           const gl_segsort_gather_desc *desc,
                                           const segsort_set *set, segsort_sections *sections)
{
    segsort_use uses[SEGSORT_USES_MAX];
    *sections = (segsort_sections){0};
    segsort_section *const views[SEGSORT_GATHER_VIEWS] = {&sections->keys[SEGSORT_PLACE_INPUT],
                                                          &sections->values[SEGSORT_PLACE_INPUT],
                                                          &sections->keys[SEGSORT_PLACE_OUTPUT]};
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    segsort_desc_gather_uses(desc, &set->layout, uses);
    for (int i = 0; i < SEGSORT_GATHER_VIEWS && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_bind_find_use(context, &uses[i], views[i], &sections->view_word[i]);
    sections->view_word[SEGSORT_VIEW_WORD_INDEX_BASE] = (uint32_t)desc->index_base;
    sections->view_word[SEGSORT_VIEW_WORD_RECORD_WORDS] = desc->record_words;
    sections->view_word[SEGSORT_VIEW_WORD_RECORDS] = segsort_bind_row_limit(&desc->records);
    sections->view_word[SEGSORT_VIEW_WORD_OUTPUT_RECORDS] =
        segsort_bind_row_limit(&desc->output_records);
    sections->view_word[SEGSORT_VIEW_WORD_INDICES] = segsort_bind_row_limit(&desc->indices);
    return result;
}

/* GL wants a buffer behind every block, so the positions of points stand in for indices. */
gl_segsort_result segsort_bind_find_morton(gl_segsort_context *context,
                                           const gl_segsort_sort_desc *sort,
                                           const gl_segsort_morton_keys_desc *desc,
                                           const segsort_set *set, const segsort_own_sections *own,
                                           segsort_sections *sections)
{
    segsort_use uses[SEGSORT_USES_MAX];
    *sections = (segsort_sections){0};
    segsort_section *const views[SEGSORT_MAKE_VIEWS] = {&sections->keys[SEGSORT_PLACE_INPUT],
                                                        &sections->values[SEGSORT_PLACE_INPUT],
                                                        &sections->keys[SEGSORT_PLACE_OUTPUT]};
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    segsort_desc_morton_uses(sort, desc, &set->layout, uses);
    for (int i = 0; i < SEGSORT_MAKE_VIEWS && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_bind_find_use(context, &uses[i], views[i], &sections->view_word[i]);
    sections->view_word[SEGSORT_VIEW_WORD_POSITION_WORDS] =
        segsort_desc_position_words(desc->position_words);
    sections->view_word[SEGSORT_VIEW_WORD_POSITION_ROWS] = segsort_bind_row_limit(&desc->positions);
    sections->view_word[SEGSORT_VIEW_WORD_TRIANGLES] = uses[SEGSORT_MAKE_INDICES].row_bytes > 0;
    if (sections->values[SEGSORT_PLACE_INPUT].buffer == 0)
        sections->values[SEGSORT_PLACE_INPUT] = sections->keys[SEGSORT_PLACE_INPUT];
    if (result != GL_SEGSORT_SUCCESS || set->layout.source == GL_SEGSORT_SEGMENTS_HOST)
        return result;
    segsort_desc_sort_uses(sort, &set->layout, uses);
    return segsort_find_list(context, sort, &set->layout, uses, own, sections);
}

gl_segsort_result segsort_bind_check_scratch(gl_segsort_context *context,
                                             const gl_segsort_view *scratch, uint64_t bytes)
{
    return segsort_check_buffer(context, "scratch", scratch->buffer, scratch->byte_offset + bytes);
}

/* ---------------------------------------------------------------------------------------------- */
/* Binding */

void segsort_bind_section(const segsort_gl *gl, uint32_t binding, const segsort_section *section)
{
    if (section->buffer != 0)
        gl->BindBufferRange(SEGSORT_GL_SHADER_STORAGE_BUFFER, binding, section->buffer,
                            (ptrdiff_t)section->range.byte_offset,
                            (ptrdiff_t)section->range.byte_size);
}

void segsort_bind_places(const segsort_gl *gl, const segsort_sections *sections, uint32_t source,
                         uint32_t destination, segsort_bound *bound)
{
    bool other_set = bound->sections != sections;
    if (other_set) {
        segsort_bind_section(gl, SEGSORT_BINDING_WORK, &sections->work);
        segsort_bind_section(gl, SEGSORT_BINDING_LIST, &sections->list);
        segsort_bind_section(gl, SEGSORT_BINDING_LIST_COUNT, &sections->list_count);
    }
    if (other_set || bound->source != source) {
        segsort_bind_section(gl, SEGSORT_BINDING_KEYS, &sections->keys[source]);
        segsort_bind_section(gl, SEGSORT_BINDING_VALUES, &sections->values[source]);
    }
    if (other_set || bound->destination != destination) {
        segsort_bind_section(gl, SEGSORT_BINDING_OUTPUT_KEYS, &sections->keys[destination]);
        segsort_bind_section(gl, SEGSORT_BINDING_OUTPUT_VALUES, &sections->values[destination]);
    }
    *bound = (segsort_bound){sections, source, destination};
}
