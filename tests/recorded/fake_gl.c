#include "fake_gl_functions.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_gl fake_gl;

static const char *const function_names[FAKE_GL_FUNCTIONS] = {
#define FUNCTION_NAME(type, name, parameters) "gl" #name,
    FAKE_GL_FUNCTION_LIST(FUNCTION_NAME)
#undef FUNCTION_NAME
};

static const gl_segsort_proc procs[FAKE_GL_FUNCTIONS] = {
#define PROC(type, name, parameters) (gl_segsort_proc) fake_##name,
    FAKE_GL_FUNCTION_LIST(PROC)
#undef PROC
};

const char *fake_gl_function_name(enum fake_gl_function function)
{
    return function_names[function];
}

/* Room for one more element; tests have no use for going on without memory. */
static void *grow(void *array, size_t count, size_t *capacity, size_t element_size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(array, *capacity * element_size);
    if (!grown)
        abort();
    return grown;
}

/* ---------------------------------------------------------------------------------------------- */
/* Start and end */

void fake_gl_free(void)
{
    for (size_t i = 0; i < fake_gl.buffer_count; i++)
        free(fake_gl.buffers[i].data);
    for (size_t i = 0; i < fake_gl.program_count; i++)
        free(fake_gl.programs[i].source);
    free(fake_gl.buffers);
    free(fake_gl.programs);
    free(fake_gl.timers);
    free(fake_gl.trace);
    free(fake_gl.dispatches);
    fake_gl = (struct fake_gl){0};
}

void fake_gl_reset(void)
{
    static int home;
    fake_gl_free();
    fake_gl.version = "4.5 (Core Profile) fake";
    fake_gl.vendor = "nobody";
    fake_gl.renderer = "no GPU";
    fake_gl.shading_language = "4.50 fake";
    fake_gl.shared_bytes = 32768;
    fake_gl.storage_alignment = 256;
    fake_gl.uniform_alignment = 256;
    for (int axis = 0; axis < 3; axis++)
        fake_gl.work_groups[axis] = 65535;
    fake_gl.storage_block_bytes = 1 << 27;
    fake_gl.debug_depth_max = 64;
    fake_gl.label_length_max = 256;
    fake_gl.state.debug_depth = fake_gl.host_debug_depth = 1;
    fake_gl.home_context = fake_gl.current_context = &home;
}

/* ---------------------------------------------------------------------------------------------- */
/* The loader */

static void *window_get_current(void)
{
    fake_gl.window_calls++;
    return fake_gl.current_context;
}

/* What a dispatch library gives for names that it never heard of. */
static void *made_up_stub(void)
{
    fake_gl.stub_calls++;
    return &fake_gl;
}

gl_segsort_proc fake_gl_get_proc_address(const char *name)
{
    for (int i = 0; i < FAKE_GL_FUNCTIONS; i++)
        if (strcmp(name, function_names[i]) == 0)
            return fake_gl.missing[i] ? NULL : procs[i];
    if (fake_gl.window_function && strcmp(name, fake_gl.window_function) == 0)
        return (gl_segsort_proc)window_get_current;
    if (fake_gl.makes_up_stubs && strncmp(name, "gl", 2) == 0)
        return (gl_segsort_proc)made_up_stub;
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- */
/* Recording and failing */

void fake_gl_raise(uint32_t error, const char *why)
{
    if (fake_gl.error == SEGSORT_GL_NO_ERROR)
        fake_gl.error = error;
    fake_gl.raised_count++;
    snprintf(fake_gl.raised, sizeof fake_gl.raised, "0x%04" PRIx32 ", %.150s", error, why);
}

void fake_gl_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (fake_gl.complaint_count++ == 0)
        vsnprintf(fake_gl.complaint, sizeof fake_gl.complaint, format, arguments);
    va_end(arguments);
}

/* How a call fails depends on how its caller can tell. */
static void fail(enum fake_gl_function function)
{
    switch (function) {
    case FAKE_GL_GetString: /* these give 0 */
    case FAKE_GL_GetError:
    case FAKE_GL_GenBuffers:
    case FAKE_GL_IsBuffer:
    case FAKE_GL_CreateShader:
    case FAKE_GL_CreateProgram:
    case FAKE_GL_CompileShader: /* these have a status and a log */
    case FAKE_GL_LinkProgram:
    case FAKE_GL_GetGraphicsResetStatus: /* this one tells of a reset */
        break;
    case FAKE_GL_BufferData:
        fake_gl_raise(SEGSORT_GL_OUT_OF_MEMORY, "a planned fault");
        break;
    case FAKE_GL_GetIntegerv:
    case FAKE_GL_GetInteger64v:
    case FAKE_GL_GetIntegeri_v:
    case FAKE_GL_GetInteger64i_v:
    case FAKE_GL_GetBufferParameteri64v:
    case FAKE_GL_GetShaderiv:
    case FAKE_GL_GetShaderInfoLog:
    case FAKE_GL_GetProgramiv:
    case FAKE_GL_GetProgramInfoLog:
        if (!fake_gl.silent_queries)
            fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "a planned fault");
        break;
    default:
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "a planned fault");
    }
}

bool fake_gl_enter(enum fake_gl_function function, const char *format, ...)
{
    fake_gl.trace =
        grow(fake_gl.trace, fake_gl.trace_count, &fake_gl.trace_capacity, sizeof *fake_gl.trace);
    struct fake_gl_call *call = &fake_gl.trace[fake_gl.trace_count++];
    call->function = function;
    int length = snprintf(call->text, sizeof call->text, "%s ", function_names[function] + 2);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call->text + length, sizeof call->text - (size_t)length, format, arguments);
    va_end(arguments);
    if (call->text[length] == '\0')
        call->text[length - 1] = '\0';
    fake_gl.call_count++;
    fake_gl.calls_of[function]++;
    if (fake_gl.current_context != fake_gl.home_context)
        fake_gl_complain("%s with another context current", call->text);
    if (fake_gl.call_count != fake_gl.fail_call && !fake_gl.fail_next[function])
        return true;
    fake_gl.fail_next[function] = false;
    fake_gl.failed = *call;
    fail(function);
    return false;
}

void fake_gl_add_dispatch(const struct fake_gl_dispatch *dispatch)
{
    fake_gl.dispatches = grow(fake_gl.dispatches, fake_gl.dispatch_count,
                              &fake_gl.dispatch_capacity, sizeof *fake_gl.dispatches);
    fake_gl.dispatches[fake_gl.dispatch_count++] = *dispatch;
}

void fake_gl_clear_trace(void)
{
    fake_gl.trace_count = fake_gl.dispatch_count = 0;
    memset(fake_gl.calls_of, 0, sizeof fake_gl.calls_of);
}

void fake_gl_print_trace(void)
{
    for (size_t i = 0; i < fake_gl.trace_count; i++)
        fprintf(stderr, "    %zu: %s\n", i, fake_gl.trace[i].text);
}

/* ---------------------------------------------------------------------------------------------- */
/* Objects */

/* Names are never handed out twice, so that a stale one is noticed, and buffers' are never
 * programs'. */
#define FIRST_BUFFER 101u
#define FIRST_PROGRAM 50001u
#define FIRST_TIMER 90001u

uint32_t fake_gl_add_buffer(void)
{
    fake_gl.buffers = grow(fake_gl.buffers, fake_gl.buffer_count, &fake_gl.buffer_capacity,
                           sizeof *fake_gl.buffers);
    struct fake_gl_buffer *buffer = &fake_gl.buffers[fake_gl.buffer_count];
    *buffer = (struct fake_gl_buffer){.name = FIRST_BUFFER + (uint32_t)fake_gl.buffer_count++,
                                      .alive = true};
    return buffer->name;
}

uint32_t fake_gl_add_program(bool is_shader)
{
    fake_gl.programs = grow(fake_gl.programs, fake_gl.program_count, &fake_gl.program_capacity,
                            sizeof *fake_gl.programs);
    struct fake_gl_program *program = &fake_gl.programs[fake_gl.program_count];
    *program = (struct fake_gl_program){.name = FIRST_PROGRAM + (uint32_t)fake_gl.program_count++,
                                        .alive = true,
                                        .is_shader = is_shader};
    return program->name;
}

uint32_t fake_gl_add_timer(void)
{
    fake_gl.timers =
        grow(fake_gl.timers, fake_gl.timer_count, &fake_gl.timer_capacity, sizeof *fake_gl.timers);
    struct fake_gl_timer *timer = &fake_gl.timers[fake_gl.timer_count];
    *timer = (struct fake_gl_timer){.name = FIRST_TIMER + (uint32_t)fake_gl.timer_count++,
                                    .alive = true};
    return timer->name;
}

struct fake_gl_buffer *fake_gl_find_buffer(uint32_t name)
{
    size_t i = name - FIRST_BUFFER;
    return name >= FIRST_BUFFER && i < fake_gl.buffer_count && fake_gl.buffers[i].alive
               ? &fake_gl.buffers[i]
               : NULL;
}

struct fake_gl_program *fake_gl_find_program(uint32_t name)
{
    size_t i = name - FIRST_PROGRAM;
    return name >= FIRST_PROGRAM && i < fake_gl.program_count && fake_gl.programs[i].alive
               ? &fake_gl.programs[i]
               : NULL;
}

uint32_t fake_gl_host_buffer(uint64_t bytes, const char *label)
{
    struct fake_gl_buffer *buffer = fake_gl_find_buffer(fake_gl_add_buffer());
    buffer->host = buffer->exists = true;
    buffer->size = bytes;
    snprintf(buffer->label, sizeof buffer->label, "%s", label);
    return buffer->name;
}

uint32_t fake_gl_host_program(const char *label)
{
    struct fake_gl_program *program = fake_gl_find_program(fake_gl_add_program(false));
    program->host = program->linked = true;
    snprintf(program->label, sizeof program->label, "%s", label);
    return program->name;
}

static void unbind_generic(uint32_t *binding, uint32_t name)
{
    if (*binding == name)
        *binding = 0;
}

/* The name is free, and every binding of the current context lets go. */
void fake_gl_kill_buffer(struct fake_gl_buffer *buffer)
{
    struct fake_gl_state *state = &fake_gl.state;
    buffer->alive = false;
    unbind_generic(&state->storage, buffer->name);
    unbind_generic(&state->uniform, buffer->name);
    unbind_generic(&state->copy_read, buffer->name);
    unbind_generic(&state->copy_write, buffer->name);
    unbind_generic(&state->array, buffer->name);
    unbind_generic(&state->dispatch_indirect, buffer->name);
    for (int i = 0; i < FAKE_GL_BINDINGS; i++) {
        if (state->storage_at[i].buffer == buffer->name)
            state->storage_at[i] = (struct fake_gl_binding){0};
        if (state->uniform_at[i].buffer == buffer->name)
            state->uniform_at[i] = (struct fake_gl_binding){0};
    }
}

void fake_gl_kill_program(struct fake_gl_program *program)
{
    program->alive = false;
    struct fake_gl_program *shader = fake_gl_find_program(program->attached);
    if (!shader)
        return;
    shader->attachments--;
    if (shader->delete_pending && shader->attachments == 0)
        shader->alive = false;
}

size_t fake_gl_alive(char *text, size_t size)
{
    size_t count = 0, length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < fake_gl.buffer_count; i++) {
        const struct fake_gl_buffer *buffer = &fake_gl.buffers[i];
        if (!buffer->alive || buffer->host)
            continue;
        count++;
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "buffer %" PRIu32 " '%s'; ",
                                       buffer->name, buffer->label);
    }
    for (size_t i = 0; i < fake_gl.program_count; i++) {
        const struct fake_gl_program *program = &fake_gl.programs[i];
        if (!program->alive || program->host)
            continue;
        count++;
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s %" PRIu32 " '%s'; ",
                                       program->is_shader ? "shader" : "program", program->name,
                                       program->label);
    }
    for (size_t i = 0; i < fake_gl.timer_count; i++) {
        count += fake_gl.timers[i].alive;
        if (fake_gl.timers[i].alive && length < size)
            length += (size_t)snprintf(text + length, size - length, "query %" PRIu32 "; ",
                                       fake_gl.timers[i].name);
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------- */
/* Snapshots */

static bool binding_equal(const struct fake_gl_binding *a, const struct fake_gl_binding *b)
{
    return a->buffer == b->buffer && a->start == b->start && a->size == b->size;
}

static const char *indexed_difference(const char *target, const struct fake_gl_binding *before,
                                      const struct fake_gl_binding *after)
{
    static char text[FAKE_GL_TEXT_BYTES];
    for (int i = 0; i < FAKE_GL_BINDINGS; i++) {
        if (binding_equal(&before[i], &after[i]))
            continue;
        snprintf(text, sizeof text,
                 "%s binding %d was buffer %" PRIu32 " from %" PRId64 " for %" PRId64
                 " and is %" PRIu32 " from %" PRId64 " for %" PRId64,
                 target, i, before[i].buffer, before[i].start, before[i].size, after[i].buffer,
                 after[i].start, after[i].size);
        return text;
    }
    return NULL;
}

const char *fake_gl_state_difference(const struct fake_gl_state *before,
                                     const struct fake_gl_state *after)
{
    static char text[FAKE_GL_TEXT_BYTES];
    const struct {
        const char *name;
        int64_t before, after;
    } fields[] = {
        {"the current program", before->program, after->program},
        {"the generic SHADER_STORAGE_BUFFER binding", before->storage, after->storage},
        {"the generic UNIFORM_BUFFER binding", before->uniform, after->uniform},
        {"the COPY_READ_BUFFER binding", before->copy_read, after->copy_read},
        {"the COPY_WRITE_BUFFER binding", before->copy_write, after->copy_write},
        {"the ARRAY_BUFFER binding", before->array, after->array},
        {"the DISPATCH_INDIRECT_BUFFER binding", before->dispatch_indirect,
         after->dispatch_indirect},
        {"the depth of the debug group stack", before->debug_depth, after->debug_depth},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].before == fields[i].after)
            continue;
        snprintf(text, sizeof text, "%s was %" PRId64 " and is %" PRId64, fields[i].name,
                 fields[i].before, fields[i].after);
        return text;
    }
    const char *difference =
        indexed_difference("SHADER_STORAGE_BUFFER", before->storage_at, after->storage_at);
    return difference ? difference
                      : indexed_difference("UNIFORM_BUFFER", before->uniform_at, after->uniform_at);
}
