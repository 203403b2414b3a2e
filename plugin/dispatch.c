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
    if (result == GL_SEGSORT_SUCCESS && passes->index_rows > 0)
        result = segsort_create_buffer(plan, passes->index_rows * 4, NULL, "scratch",
                                       &plan->index_buffer);
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
        segsort_gl_buffer_delete(gl, &plan->index_buffer);
    }
    plan->table_buffer = plan->params_buffer = plan->index_buffer = 0;
}

/* ---------------------------------------------------------------------------------------------- */
/* Recording a sort */

static gl_segsort_result segsort_check_buffer(gl_segsort_context *context,
                                              const gl_segsort_view *view, segsort_stream stream)
{
    if (context->gl.IsBuffer(view->buffer))
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                        "%s.buffer %" PRIu32 " is no buffer of this GL context",
                        segsort_stream_name(stream), view->buffer);
}

/* The buffer has just been bound, so its size is asked of the generic binding. */
static gl_segsort_result segsort_check_buffer_size(gl_segsort_context *context,
                                                   const gl_segsort_view *view,
                                                   const segsort_binding_range *range,
                                                   segsort_stream stream)
{
    int64_t size = 0;
    context->gl.GetBufferParameteri64v(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_GL_BUFFER_SIZE,
                                       &size);
    uint64_t end = range->byte_offset + range->byte_size;
    if (end <= (uint64_t)size)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                        "%s needs bytes up to %" PRIu64 ", but buffer %" PRIu32 " has %" PRId64,
                        segsort_stream_name(stream), end, view->buffer, size);
}

/* Binds the four streams. In LEAVE_DIRTY mode GL isn't asked for anything. */
static gl_segsort_result segsort_bind_streams(gl_segsort_plan *plan,
                                              const gl_segsort_sort_desc *desc,
                                              uint32_t view_word[SEGSORT_STREAM_COUNT])
{
    gl_segsort_context *context = plan->context;
    bool check = context->state_policy == GL_SEGSORT_STATE_RESTORE;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (int i = 0; i < SEGSORT_STREAM_COUNT && result == GL_SEGSORT_SUCCESS; i++) {
        segsort_stream stream = (segsort_stream)i;
        const gl_segsort_view *view = segsort_desc_view(desc, stream);
        segsort_binding_range range =
            segsort_desc_range(view, &plan->plan.layout.extents[i], &context->limits);
        view_word[i] = range.view_word;
        if (check)
            result = segsort_check_buffer(context, view, stream);
        if (check && result == GL_SEGSORT_SUCCESS) {
            context->gl.BindBuffer(SEGSORT_GL_SHADER_STORAGE_BUFFER, view->buffer);
            result = segsort_check_buffer_size(context, view, &range, stream);
        }
        if (result == GL_SEGSORT_SUCCESS)
            context->gl.BindBufferRange(SEGSORT_GL_SHADER_STORAGE_BUFFER, (uint32_t)i, view->buffer,
                                        (ptrdiff_t)range.byte_offset, (ptrdiff_t)range.byte_size);
    }
    return result;
}

/* The uniform belongs to the program, which plans share; it seldom changes. */
static void segsort_set_view_word(const segsort_gl *gl, segsort_program *program,
                                  const uint32_t view_word[SEGSORT_STREAM_COUNT])
{
    if (program->view_word_known &&
        memcmp(program->view_word, view_word, sizeof program->view_word) == 0)
        return;
    program->view_word_known = true;
    memcpy(program->view_word, view_word, sizeof program->view_word);
    gl->ProgramUniform4ui(program->program, SEGSORT_LOCATION_VIEW_WORD, view_word[0], view_word[1],
                          view_word[2], view_word[3]);
}

static void segsort_record_passes(gl_segsort_plan *plan,
                                  const uint32_t view_word[SEGSORT_STREAM_COUNT], bool groups)
{
    const segsort_gl *gl = &plan->context->gl;
    uint32_t current = 0;
    for (uint32_t i = 0; i < plan->plan.pass_count; i++) {
        const segsort_pass *pass = &plan->plan.passes[i];
        segsort_program *program = plan->programs[i];
        if (groups)
            gl->PushDebugGroup(SEGSORT_GL_THIRD_PARTY, i, -1, pass->label);
        if (pass->barriers)
            gl->MemoryBarrier(pass->barriers);
        if (program->program != current)
            gl->UseProgram(program->program);
        current = program->program;
        segsort_set_view_word(gl, program, view_word);
        gl->BindBufferRange(SEGSORT_GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, plan->params_buffer,
                            (ptrdiff_t)i * (ptrdiff_t)plan->params_stride, SEGSORT_PARAMS_BYTES);
        gl->DispatchCompute(pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]);
        if (groups)
            gl->PopDebugGroup();
    }
}

static gl_segsort_result segsort_record(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc,
                                        bool groups)
{
    gl_segsort_context *context = plan->context;
    const segsort_gl *gl = &context->gl;
    uint32_t view_word[SEGSORT_STREAM_COUNT];
    gl_segsort_result result = segsort_bind_streams(plan, desc, view_word);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl->BindBufferBase(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_BINDING_TABLE, plan->table_buffer);
    if (plan->index_buffer)
        gl->BindBufferBase(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_BINDING_INDEX,
                           plan->index_buffer);
    if (context->state_policy == GL_SEGSORT_STATE_RESTORE)
        result = segsort_gl_errors_check(gl, "binding the buffers of a sort", &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    uint32_t before = segsort_desc_barriers_before(desc);
    /* The scratch is written by every sort of the plan, which no host can know. */
    if (plan->index_buffer)
        before |= GL_SEGSORT_BARRIER_STORAGE;
    uint32_t after = segsort_desc_barriers_after(desc, &plan->context->limits);
    if (before)
        gl->MemoryBarrier(before);
    segsort_record_passes(plan, view_word, groups);
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
