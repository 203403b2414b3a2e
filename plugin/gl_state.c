#include "gl_state.h"

#include <inttypes.h>

static void segsort_indexed_save(const segsort_gl *gl, uint32_t index, uint32_t binding,
                                 uint32_t start, uint32_t size, segsort_indexed_binding *saved)
{
    gl->GetIntegeri_v(binding, index, &saved->buffer);
    gl->GetInteger64i_v(start, index, &saved->start);
    gl->GetInteger64i_v(size, index, &saved->size);
}

static void segsort_indexed_restore(const segsort_gl *gl, uint32_t target, uint32_t index,
                                    const segsort_indexed_binding *saved)
{
    if (saved->buffer != 0 && saved->size != 0)
        gl->BindBufferRange(target, index, (uint32_t)saved->buffer, (ptrdiff_t)saved->start,
                            (ptrdiff_t)saved->size);
    else
        gl->BindBufferBase(target, index, (uint32_t)saved->buffer);
}

static uint32_t segsort_storage_bindings(const segsort_gl_state *state)
{
    return state->listed ? SEGSORT_STORAGE_BINDINGS : SEGSORT_BINDING_LIST;
}

void segsort_gl_state_save(const segsort_gl *gl, bool listed, segsort_gl_state *state)
{
    *state = (segsort_gl_state){.listed = listed};
    gl->GetIntegerv(SEGSORT_GL_CURRENT_PROGRAM, &state->program);
    if (state->program != 0)
        gl->GetProgramiv((uint32_t)state->program, SEGSORT_GL_DELETE_STATUS,
                         &state->program_deleted);
    gl->GetIntegerv(SEGSORT_GL_TRANSFORM_FEEDBACK_ACTIVE, &state->feedback_active);
    if (state->feedback_active)
        gl->GetIntegerv(SEGSORT_GL_TRANSFORM_FEEDBACK_PAUSED, &state->feedback_paused);
    gl->GetIntegerv(SEGSORT_GL_SHADER_STORAGE_BUFFER_BINDING, &state->storage_buffer);
    gl->GetIntegerv(SEGSORT_GL_UNIFORM_BUFFER_BINDING, &state->uniform_buffer);
    if (listed)
        gl->GetIntegerv(SEGSORT_GL_DISPATCH_INDIRECT_BUFFER_BINDING, &state->indirect_buffer);
    for (uint32_t i = 0; i < segsort_storage_bindings(state); i++)
        segsort_indexed_save(gl, i, SEGSORT_GL_SHADER_STORAGE_BUFFER_BINDING,
                             SEGSORT_GL_SHADER_STORAGE_BUFFER_START,
                             SEGSORT_GL_SHADER_STORAGE_BUFFER_SIZE, &state->storage[i]);
    segsort_indexed_save(gl, SEGSORT_BINDING_PASS, SEGSORT_GL_UNIFORM_BUFFER_BINDING,
                         SEGSORT_GL_UNIFORM_BUFFER_START, SEGSORT_GL_UNIFORM_BUFFER_SIZE,
                         &state->uniform);
}

/* Binding an indexed point binds the generic one too, so the generic ones come last. */
void segsort_gl_state_restore(const segsort_gl *gl, const segsort_gl_state *state)
{
    for (uint32_t i = 0; i < segsort_storage_bindings(state); i++)
        segsort_indexed_restore(gl, SEGSORT_GL_SHADER_STORAGE_BUFFER, i, &state->storage[i]);
    segsort_indexed_restore(gl, SEGSORT_GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, &state->uniform);
    gl->BindBuffer(SEGSORT_GL_SHADER_STORAGE_BUFFER, (uint32_t)state->storage_buffer);
    gl->BindBuffer(SEGSORT_GL_UNIFORM_BUFFER, (uint32_t)state->uniform_buffer);
    if (state->listed)
        gl->BindBuffer(SEGSORT_GL_DISPATCH_INDIRECT_BUFFER, (uint32_t)state->indirect_buffer);
    gl->UseProgram((uint32_t)state->program);
}

gl_segsort_result segsort_gl_state_check(const segsort_gl_state *state, segsort_error *error)
{
    if (state->program_deleted)
        return segsort_fail(error, GL_SEGSORT_ERROR_GL,
                            "program %" PRId32 " is in use but deleted: GL would not let it be put "
                            "back after the sort",
                            state->program);
    if (state->feedback_active && !state->feedback_paused)
        return segsort_fail(error, GL_SEGSORT_ERROR_GL,
                            "transform feedback is active and not paused: GL lets no program be "
                            "changed");
    return GL_SEGSORT_SUCCESS;
}

static void segsort_commit(const segsort_gl *gl, uint32_t error)
{
    int32_t unused;
    uint32_t program;
    switch (error) {
    case SEGSORT_GL_INVALID_ENUM:
        gl->BindBuffer(0, 0);
        break;
    case SEGSORT_GL_INVALID_VALUE:
        gl->GetIntegeri_v(SEGSORT_GL_SHADER_STORAGE_BUFFER_BINDING, UINT32_MAX, &unused);
        break;
    case SEGSORT_GL_INVALID_OPERATION:
        /* A program that was never linked can't be used, and the current one stays. */
        program = gl->CreateProgram();
        if (program != 0)
            gl->UseProgram(program);
        gl->DeleteProgram(program);
        break;
    default:
        break;
    }
}

/* GL has no way to put an error back but to commit it again. The host has heard of it already. */
static void segsort_raise(const segsort_gl *gl, uint32_t error)
{
    bool debug_output = gl->IsEnabled(SEGSORT_GL_DEBUG_OUTPUT);
    if (debug_output)
        gl->Disable(SEGSORT_GL_DEBUG_OUTPUT);
    segsort_commit(gl, error);
    if (debug_output)
        gl->Enable(SEGSORT_GL_DEBUG_OUTPUT);
}

gl_segsort_result segsort_gl_errors_begin(const segsort_gl *gl, uint32_t *host_error,
                                          segsort_error *error)
{
    *host_error = gl->GetError();
    switch (*host_error) {
    case SEGSORT_GL_NO_ERROR:
    case SEGSORT_GL_INVALID_ENUM:
    case SEGSORT_GL_INVALID_VALUE:
    case SEGSORT_GL_INVALID_OPERATION:
        return GL_SEGSORT_SUCCESS;
    case SEGSORT_GL_CONTEXT_LOST:
        return segsort_fail(error, GL_SEGSORT_ERROR_CONTEXT_LOST,
                            "the GL context was lost before the call");
    default:
        return segsort_fail(error, GL_SEGSORT_ERROR_GL,
                            "GL error 0x%04" PRIx32
                            " was pending before the call; nothing has been done",
                            *host_error);
    }
}

gl_segsort_result segsort_gl_errors_check(const segsort_gl *gl, const char *doing,
                                          segsort_error *error)
{
    uint32_t raised = gl->GetError();
    if (raised == SEGSORT_GL_NO_ERROR)
        return GL_SEGSORT_SUCCESS;
    if (raised == SEGSORT_GL_CONTEXT_LOST)
        return segsort_fail(error, GL_SEGSORT_ERROR_CONTEXT_LOST,
                            "the GL context was lost while %s", doing);
    if (raised == SEGSORT_GL_OUT_OF_MEMORY)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_MEMORY, "GL ran out of memory while %s",
                            doing);
    return segsort_fail(error, GL_SEGSORT_ERROR_GL, "GL raised error 0x%04" PRIx32 " while %s",
                        raised, doing);
}

gl_segsort_result segsort_gl_errors_end(const segsort_gl *gl, uint32_t host_error,
                                        gl_segsort_result result, const char *doing,
                                        segsort_error *error)
{
    segsort_error raised;
    gl_segsort_result gl_result = segsort_gl_errors_check(gl, doing, &raised);
    if (host_error != SEGSORT_GL_NO_ERROR)
        segsort_raise(gl, host_error);
    if (result != GL_SEGSORT_SUCCESS || gl_result == GL_SEGSORT_SUCCESS)
        return result;
    *error = raised;
    return gl_result;
}
