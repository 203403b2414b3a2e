#include "dispatch.h"

#include "gl_buffer.h"
#include "gl_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A driver may round the size of a std140 block up to that of a vec4. */
#define SEGSORT_PARAMS_BYTES ((sizeof(struct segsort_pass_params) + 15) / 16 * 16)

/* ---------------------------------------------------------------------------------------------- */
/* Making a plan's GL objects */

static gl_segsort_result segsort_create_buffer(gl_segsort_plan *plan, uint64_t bytes,
                                               const void *data, const char *what, uint32_t *buffer)
{
    char label[SEGSORT_PASS_LABEL_BYTES];
    snprintf(label, sizeof label, "%s-%s", plan->label, what);
    return segsort_gl_buffer_create(&plan->context->gl, bytes, data, label, buffer,
                                    &plan->context->error);
}

/* The parameters of all passes, each at an offset that glBindBufferRange takes. */
static gl_segsort_result segsort_create_params(gl_segsort_plan *plan)
{
    gl_segsort_context *context = plan->context;
    uint32_t alignment = context->limits.uniform_alignment;
    uint32_t size = (uint32_t)sizeof(struct segsort_pass_params);
    plan->params_stride =
        (uint32_t)((SEGSORT_PARAMS_BYTES + alignment - 1) / alignment * alignment);
    size_t bytes = (size_t)plan->params_stride * plan->plan.pass_count;
    unsigned char *params = segsort_context_allocate(context, bytes);
    if (!params)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for the parameters of %" PRIu32 " passes",
                            plan->plan.pass_count);
    memset(params, 0, bytes);
    for (uint32_t i = 0; i < plan->plan.pass_count; i++)
        memcpy(params + (size_t)i * plan->params_stride, &plan->plan.passes[i].params, size);
    gl_segsort_result result =
        segsort_create_buffer(plan, bytes, params, "parameters", &plan->params_buffer);
    segsort_context_release(context, params);
    return result;
}

gl_segsort_result segsort_dispatch_prepare(gl_segsort_plan *plan)
{
    segsort_plan *passes = &plan->plan;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < passes->pass_count && result == GL_SEGSORT_SUCCESS; i++)
        result =
            segsort_pipeline_get(plan->context, &passes->passes[i].variant, &plan->programs[i]);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_buffer(plan, passes->table_words * 4, passes->table, "table",
                                       &plan->table_buffer);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_params(plan);
    if (result == GL_SEGSORT_SUCCESS && segsort_scratch_bytes(&passes->scratch) > 0)
        result = segsort_create_buffer(plan, segsort_scratch_bytes(&passes->scratch), NULL,
                                       "scratch", &plan->scratch_buffer);
    return result;
}

gl_segsort_result segsort_dispatch_guarded(gl_segsort_plan *plan, const char *doing,
                                           gl_segsort_result (*work)(gl_segsort_plan *plan))
{
    gl_segsort_context *context = plan->context;
    uint32_t host_error;
    gl_segsort_result result = segsort_gl_errors_begin(&context->gl, &host_error, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    return segsort_gl_errors_end(&context->gl, host_error, work(plan), doing, &context->error);
}

void segsort_dispatch_release(gl_segsort_plan *plan)
{
    const segsort_gl *gl = &plan->context->gl;
    if (!plan->context->lost) {
        segsort_gl_buffer_delete(gl, &plan->table_buffer);
        segsort_gl_buffer_delete(gl, &plan->params_buffer);
        segsort_gl_buffer_delete(gl, &plan->scratch_buffer);
    }
    plan->table_buffer = plan->params_buffer = plan->scratch_buffer = 0;
}

/* ---------------------------------------------------------------------------------------------- */
/* Recording a sort */

/* A part of a buffer, as a shader storage binding takes it. */
typedef struct segsort_section {
    uint32_t buffer; /* 0: there is none */
    segsort_binding_range range;
} segsort_section;

/* All that the passes of one sort can have bound, and where its rows start. */
typedef struct segsort_sections {
    segsort_section keys[SEGSORT_PLACES], values[SEGSORT_PLACES], work;
    uint32_t view_word[SEGSORT_VIEW_WORDS];
} segsort_sections;

static gl_segsort_result segsort_check_buffer(gl_segsort_context *context,
                                              const gl_segsort_view *view, segsort_stream stream)
{
    if (context->gl.IsBuffer(view->buffer))
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                        "%s.buffer %" PRIu32 " is no buffer of this GL context",
                        segsort_stream_name(stream), view->buffer);
}

static gl_segsort_result segsort_check_buffer_size(gl_segsort_context *context,
                                                   const segsort_section *section,
                                                   segsort_stream stream)
{
    int64_t size = 0;
    context->gl.BindBuffer(SEGSORT_GL_SHADER_STORAGE_BUFFER, section->buffer);
    context->gl.GetBufferParameteri64v(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_GL_BUFFER_SIZE,
                                       &size);
    uint64_t end = section->range.byte_offset + section->range.byte_size;
    if (end <= (uint64_t)size)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                        "%s needs bytes up to %" PRIu64 ", but buffer %" PRIu32 " has %" PRId64,
                        segsort_stream_name(stream), end, section->buffer, size);
}

/* The caller's streams. In LEAVE_DIRTY mode GL isn't asked for anything. */
static gl_segsort_result segsort_find_streams(gl_segsort_plan *plan,
                                              const gl_segsort_sort_desc *desc,
                                              segsort_sections *sections)
{
    gl_segsort_context *context = plan->context;
    segsort_section *const streams[SEGSORT_STREAM_COUNT] = {
        &sections->keys[SEGSORT_PLACE_INPUT], &sections->values[SEGSORT_PLACE_INPUT],
        &sections->keys[SEGSORT_PLACE_OUTPUT], &sections->values[SEGSORT_PLACE_OUTPUT]};
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (int i = 0; i < SEGSORT_STREAM_COUNT && result == GL_SEGSORT_SUCCESS; i++) {
        const segsort_layout *layout = &plan->plan.layout;
        const gl_segsort_view *view = segsort_desc_view(desc, (segsort_stream)i);
        if (layout->row_bytes[i] == 0)
            continue;
        streams[i]->buffer = view->buffer;
        streams[i]->range =
            segsort_desc_range(view, &layout->extents[i], layout->row_bytes[i], &context->limits);
        sections->view_word[i] = streams[i]->range.view_word;
        if (context->state_policy != GL_SEGSORT_STATE_RESTORE)
            continue;
        result = segsort_check_buffer(context, view, (segsort_stream)i);
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_check_buffer_size(context, streams[i], (segsort_stream)i);
    }
    return result;
}

/* The sections of the scratch lie one behind the other. */
static void segsort_find_scratch(gl_segsort_plan *plan, segsort_sections *sections)
{
    const segsort_scratch *scratch = &plan->plan.scratch;
    const uint64_t bytes[] = {scratch->key_bytes, scratch->value_bytes, scratch->work_bytes};
    segsort_section *const parts[] = {&sections->keys[SEGSORT_PLACE_SCRATCH],
                                      &sections->values[SEGSORT_PLACE_SCRATCH], &sections->work};
    gl_segsort_view view = {.buffer = plan->scratch_buffer};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const segsort_extent extent = {.end_row = bytes[i] / 4};
        if (bytes[i] == 0)
            continue;
        parts[i]->buffer = plan->scratch_buffer;
        parts[i]->range = segsort_desc_range(&view, &extent, 4, &plan->context->limits);
        sections->view_word[SEGSORT_STREAM_COUNT + i] = parts[i]->range.view_word;
        view.byte_offset += bytes[i];
    }
}

static void segsort_bind_section(const segsort_gl *gl, uint32_t binding,
                                 const segsort_section *section)
{
    if (section->buffer != 0)
        gl->BindBufferRange(SEGSORT_GL_SHADER_STORAGE_BUFFER, binding, section->buffer,
                            (ptrdiff_t)section->range.byte_offset,
                            (ptrdiff_t)section->range.byte_size);
}

/* Binds what a pass reads and writes, as far as the pass before it had something else. */
static void segsort_bind_places(const segsort_gl *gl, const segsort_sections *sections,
                                const segsort_pass *pass, const segsort_pass *before)
{
    uint32_t source = pass->params.source, destination = pass->params.destination;
    if (!before || before->params.source != source) {
        segsort_bind_section(gl, SEGSORT_BINDING_KEYS, &sections->keys[source]);
        segsort_bind_section(gl, SEGSORT_BINDING_VALUES, &sections->values[source]);
    }
    if (!before || before->params.destination != destination) {
        segsort_bind_section(gl, SEGSORT_BINDING_OUTPUT_KEYS, &sections->keys[destination]);
        segsort_bind_section(gl, SEGSORT_BINDING_OUTPUT_VALUES, &sections->values[destination]);
    }
}

/* The uniform belongs to the program, which plans share; it seldom changes. */
static void segsort_set_view_word(const segsort_gl *gl, segsort_program *program,
                                  const uint32_t view_word[SEGSORT_VIEW_WORDS])
{
    if (program->view_word_known &&
        memcmp(program->view_word, view_word, sizeof program->view_word) == 0)
        return;
    program->view_word_known = true;
    memcpy(program->view_word, view_word, sizeof program->view_word);
    gl->ProgramUniform4uiv(program->program, SEGSORT_LOCATION_VIEW_WORD, SEGSORT_VIEW_WORDS / 4,
                           view_word);
}

/* What is bound before the first pass: from the inputs to the outputs. */
static const segsort_pass segsort_first_places = {
    .params = {.source = SEGSORT_PLACE_INPUT, .destination = SEGSORT_PLACE_OUTPUT}};

static bool segsort_pass_is_due(const segsort_pass *pass, bool in_place)
{
    return pass->condition == GL_SEGSORT_PASS_ALWAYS ||
           (pass->condition == GL_SEGSORT_PASS_IN_PLACE) == in_place;
}

static void segsort_record_pass(gl_segsort_plan *plan, uint32_t number,
                                const segsort_sections *sections)
{
    const segsort_gl *gl = &plan->context->gl;
    const segsort_pass *pass = &plan->plan.passes[number];
    if (pass->barriers)
        gl->MemoryBarrier(pass->barriers);
    segsort_set_view_word(gl, plan->programs[number], sections->view_word);
    gl->BindBufferRange(SEGSORT_GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, plan->params_buffer,
                        (ptrdiff_t)number * (ptrdiff_t)plan->params_stride, SEGSORT_PARAMS_BYTES);
    gl->DispatchCompute(pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]);
}

static void segsort_record_passes(gl_segsort_plan *plan, const segsort_sections *sections,
                                  bool in_place, bool groups)
{
    const segsort_gl *gl = &plan->context->gl;
    const segsort_pass *before = &segsort_first_places;
    uint32_t current = 0;
    for (uint32_t i = 0; i < plan->plan.pass_count; i++) {
        const segsort_pass *pass = &plan->plan.passes[i];
        if (!segsort_pass_is_due(pass, in_place))
            continue;
        if (groups)
            gl->PushDebugGroup(SEGSORT_GL_THIRD_PARTY, i, -1, pass->label);
        if (plan->programs[i]->program != current)
            gl->UseProgram(plan->programs[i]->program);
        current = plan->programs[i]->program;
        segsort_bind_places(gl, sections, pass, before);
        segsort_record_pass(plan, i, sections);
        before = pass;
        if (groups)
            gl->PopDebugGroup();
    }
}

/* What all passes share, and the caller's streams, so that GL can refuse one of them before
 * anything is dispatched. */
static gl_segsort_result segsort_bind_first(gl_segsort_plan *plan, const segsort_sections *sections)
{
    const segsort_gl *gl = &plan->context->gl;
    gl->BindBufferBase(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_BINDING_TABLE, plan->table_buffer);
    segsort_bind_section(gl, SEGSORT_BINDING_WORK, &sections->work);
    segsort_bind_places(gl, sections, &segsort_first_places, NULL);
    if (plan->context->state_policy != GL_SEGSORT_STATE_RESTORE)
        return GL_SEGSORT_SUCCESS;
    return segsort_gl_errors_check(gl, "binding the buffers of a sort", &plan->context->error);
}

static gl_segsort_result segsort_record(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc,
                                        bool groups)
{
    const segsort_gl *gl = &plan->context->gl;
    segsort_sections sections = {0};
    bool in_place = segsort_desc_in_place(desc, &plan->plan.layout);
    gl_segsort_result result = segsort_find_streams(plan, desc, &sections);
    segsort_find_scratch(plan, &sections);
    /* Row numbers have no input, but GL wants a buffer behind every block that a program has. */
    if (sections.values[SEGSORT_PLACE_INPUT].buffer == 0)
        sections.values[SEGSORT_PLACE_INPUT] = sections.values[SEGSORT_PLACE_SCRATCH];
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_bind_first(plan, &sections);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    uint32_t before = segsort_desc_barriers_before(desc);
    /* The scratch is written by every sort of the plan, which no host can know. */
    if (plan->scratch_buffer)
        before |= GL_SEGSORT_BARRIER_STORAGE;
    uint32_t after = segsort_desc_barriers_after(desc, &plan->context->limits);
    if (before)
        gl->MemoryBarrier(before);
    segsort_record_passes(plan, &sections, in_place, groups);
    if (after)
        gl->MemoryBarrier(after);
    return GL_SEGSORT_SUCCESS;
}

/* A push that overflows would let the pop take a group of the host's. */
static bool segsort_debug_group_fits(const segsort_gl *gl)
{
    int32_t depth = 0, depth_max = 0;
    gl->GetIntegerv(SEGSORT_GL_DEBUG_GROUP_STACK_DEPTH, &depth);
    gl->GetIntegerv(SEGSORT_GL_MAX_DEBUG_GROUP_STACK_DEPTH, &depth_max);
    return depth < depth_max;
}

static gl_segsort_result segsort_record_restoring(gl_segsort_plan *plan,
                                                  const gl_segsort_sort_desc *desc)
{
    gl_segsort_context *context = plan->context;
    const segsort_gl *gl = &context->gl;
    uint32_t host_error;
    gl_segsort_result result = segsort_gl_errors_begin(gl, &host_error, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    segsort_gl_state state;
    segsort_gl_state_save(gl, &state);
    bool groups = segsort_debug_group_fits(gl);
    result = segsort_gl_errors_check(gl, "reading the host's state", &context->error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_gl_state_check(&state, &context->error);
    if (result == GL_SEGSORT_SUCCESS) {
        result = segsort_record(plan, desc, groups);
        segsort_gl_state_restore(gl, &state);
    }
    char doing[SEGSORT_LABEL_BYTES + 32];
    snprintf(doing, sizeof doing, "recording the sort '%s'", plan->label);
    result = segsort_gl_errors_end(gl, host_error, result, doing, &context->error);
    /* Whether the programs have their uniform, nobody knows then. */
    for (uint32_t i = 0; result != GL_SEGSORT_SUCCESS && i < plan->plan.pass_count; i++)
        plan->programs[i]->view_word_known = false;
    return result;
}

gl_segsort_result segsort_dispatch_sort(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc)
{
    if (plan->context->state_policy == GL_SEGSORT_STATE_RESTORE)
        return segsort_record_restoring(plan, desc);
    gl_segsort_result result = segsort_record(plan, desc, true);
    plan->context->gl.UseProgram(0);
    return result;
}
