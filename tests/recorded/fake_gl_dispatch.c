#include "fake_gl_functions.h"

#include <stdio.h>
#include <string.h>

/* The version is "major.minor" whenever a test gets this far. */
static bool version_at_least(int major, int minor)
{
    int have = (fake_gl.version[0] - '0') * 10 + fake_gl.version[2] - '0';
    return have >= major * 10 + minor;
}

/* ---------------------------------------------------------------------------------------------- */
/* Dispatches */

bool fake_gl_uses(const struct fake_gl_dispatch *dispatch, int binding)
{
    return (dispatch->uses & 1u << binding) != 0;
}

/* What the shaders may touch has to be there. */
static void check_binding(const char *target, int index, const struct fake_gl_binding *binding)
{
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(binding->buffer);
    if (!buffer)
        fake_gl_complain("dispatch with nothing at %s %d", target, index);
    else if ((uint64_t)binding->start + (uint64_t)binding->size > buffer->size)
        fake_gl_complain("dispatch with %s %d past the end of '%s'", target, index, buffer->label);
}

/* A block that is larger than GL's limit may be bound, but not worked on. */
static void check_storage_binding(int index, const struct fake_gl_binding *binding)
{
    check_binding("STORAGE", index, binding);
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(binding->buffer);
    uint64_t whole = buffer ? buffer->size : 0;
    uint64_t size = binding->size ? (uint64_t)binding->size : whole;
    if (size > (uint64_t)fake_gl.storage_block_bytes)
        fake_gl_complain("dispatch with %" PRIu64 " bytes at STORAGE %d, GL takes %" PRId64, size,
                         index, fake_gl.storage_block_bytes);
}

static struct segsort_pass_params read_params(const struct fake_gl_binding *binding)
{
    struct segsort_pass_params params = {0};
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(binding->buffer);
    uint64_t start = (uint64_t)binding->start;
    if (buffer && buffer->data && start + sizeof params <= buffer->size)
        memcpy(&params, buffer->data + start, sizeof params);
    else
        fake_gl_complain("dispatch without pass parameters");
    return params;
}

static void record_dispatch(const uint32_t groups[3], bool indirect, int64_t command)
{
    const struct fake_gl_program *program = fake_gl_find_program(fake_gl.state.program);
    if (!program || !program->has_compute) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glDispatchCompute: no compute program");
        return;
    }
    struct fake_gl_dispatch dispatch = {.groups = {groups[0], groups[1], groups[2]},
                                        .indirect = indirect,
                                        .command = command,
                                        .program = program->name,
                                        .width = program->width,
                                        .tile_rows = program->tile_rows,
                                        .uniform = fake_gl.state.uniform_at[SEGSORT_BINDING_PASS],
                                        .barriers = fake_gl.barriers,
                                        .uses = program->uses,
                                        .debug_depth = fake_gl.state.debug_depth};
    for (int axis = 0; axis < 3; axis++)
        if (dispatch.groups[axis] > (uint32_t)fake_gl.work_groups[axis]) {
            fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glDispatchCompute: work groups");
            return;
        }
    memcpy(dispatch.program_label, program->label, sizeof dispatch.program_label);
    memcpy(dispatch.storage, fake_gl.state.storage_at, sizeof dispatch.storage);
    memcpy(dispatch.view_word, program->view_word, sizeof dispatch.view_word);
    memcpy(dispatch.list_word, program->list_word, sizeof dispatch.list_word);
    memcpy(dispatch.depth_planes, program->depth_planes, sizeof dispatch.depth_planes);
    dispatch.no_pass = program->no_pass;
    if (!dispatch.no_pass) {
        check_binding("UNIFORM", SEGSORT_BINDING_PASS, &dispatch.uniform);
        dispatch.params = read_params(&dispatch.uniform);
    }
    for (int i = 0; i < SEGSORT_STORAGE_BINDINGS; i++) {
        if (!fake_gl_uses(&dispatch, i))
            continue;
        check_storage_binding(i, &dispatch.storage[i]);
        struct fake_gl_buffer *buffer = fake_gl_find_buffer(dispatch.storage[i].buffer);
        bool writes = i == SEGSORT_BINDING_OUTPUT_KEYS || i == SEGSORT_BINDING_OUTPUT_VALUES ||
                      i == SEGSORT_BINDING_WORK;
        if (buffer && writes)
            buffer->written++;
    }
    fake_gl_add_dispatch(&dispatch);
    fake_gl.barriers = 0;
}

void SEGSORT_GLCALL fake_DispatchCompute(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t groups[3] = {x, y, z};
    if (fake_gl_enter(FAKE_GL_DispatchCompute, "%" PRIu32 " %" PRIu32 " %" PRIu32, x, y, z))
        record_dispatch(groups, false, 0);
}

void SEGSORT_GLCALL fake_DispatchComputeIndirect(ptrdiff_t offset)
{
    uint32_t groups[3] = {0};
    if (!fake_gl_enter(FAKE_GL_DispatchComputeIndirect, "%td", offset))
        return;
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(fake_gl.state.dispatch_indirect);
    if (offset < 0 || offset % 4 != 0)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glDispatchComputeIndirect: offset");
    else if (!buffer || (uint64_t)offset + sizeof groups > buffer->size)
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glDispatchComputeIndirect: no command there");
    else {
        if (buffer->data)
            memcpy(groups, buffer->data + offset, sizeof groups);
        record_dispatch(groups, true, offset);
    }
}

void SEGSORT_GLCALL fake_MemoryBarrier(uint32_t bits)
{
    if (!fake_gl_enter(FAKE_GL_MemoryBarrier, "0x%08" PRIx32, bits))
        return;
    uint32_t known =
        FAKE_GL_BARRIER_BITS_43 | (version_at_least(4, 4) ? FAKE_GL_BARRIER_BITS_44 : 0);
    if (bits != FAKE_GL_ALL_BARRIER_BITS && (bits & ~known) != 0)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glMemoryBarrier: bits");
    else
        fake_gl.barriers |= bits;
}

/* ---------------------------------------------------------------------------------------------- */
/* Labels and debug groups */

void SEGSORT_GLCALL fake_ObjectLabel(uint32_t type, uint32_t name, int32_t length,
                                     const char *label)
{
    if (!fake_gl_enter(FAKE_GL_ObjectLabel, "%.*s", length < 0 ? 1000 : (int)length, label))
        return;
    size_t bytes = length < 0 ? strlen(label) : (size_t)length;
    struct fake_gl_buffer *buffer = fake_gl_find_buffer(name);
    struct fake_gl_program *program = fake_gl_find_program(name);
    bool is_program = type == SEGSORT_GL_PROGRAM || type == SEGSORT_GL_SHADER;
    if (!is_program && type != SEGSORT_GL_BUFFER)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glObjectLabel: type");
    else if (bytes > (size_t)fake_gl.label_length_max)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glObjectLabel: too long");
    else if (is_program && program && program->is_shader == (type == SEGSORT_GL_SHADER))
        snprintf(program->label, sizeof program->label, "%.*s", (int)bytes, label);
    else if (type == SEGSORT_GL_BUFFER && buffer && buffer->exists)
        snprintf(buffer->label, sizeof buffer->label, "%.*s", (int)bytes, label);
    else
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glObjectLabel: no such object");
}

void SEGSORT_GLCALL fake_PushDebugGroup(uint32_t source, uint32_t id, int32_t length,
                                        const char *message)
{
    (void)id;
    if (!fake_gl_enter(FAKE_GL_PushDebugGroup, "%.*s", length < 0 ? 1000 : (int)length, message))
        return;
    if (source != SEGSORT_GL_THIRD_PARTY && source != FAKE_GL_DEBUG_SOURCE_APPLICATION)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glPushDebugGroup: source");
    else if (fake_gl.state.debug_depth >= fake_gl.debug_depth_max)
        fake_gl_raise(FAKE_GL_STACK_OVERFLOW, "glPushDebugGroup: the stack is full");
    else
        fake_gl.state.debug_depth++;
}

void SEGSORT_GLCALL fake_PopDebugGroup(void)
{
    if (!fake_gl_enter(FAKE_GL_PopDebugGroup, "%s", ""))
        return;
    if (fake_gl.state.debug_depth <= 1) {
        fake_gl_raise(FAKE_GL_STACK_UNDERFLOW, "glPopDebugGroup: the stack is empty");
        return;
    }
    if (fake_gl.state.debug_depth <= fake_gl.host_debug_depth)
        fake_gl_complain("a debug group of the host popped");
    fake_gl.state.debug_depth--;
}
