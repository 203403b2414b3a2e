#include "context.h"

#include "gl_state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gl_segsort_result segsort_context_report(gl_segsort_context *context, gl_segsort_result result)
{
    if (result != GL_SEGSORT_SUCCESS)
        segsort_context_log(context, GL_SEGSORT_LOG_ERROR, "%s", context->error.text);
    return result;
}

void segsort_context_log(const gl_segsort_context *context, gl_segsort_log_level level,
                         const char *format, ...)
{
    if (!context->log)
        return;
    char text[sizeof context->error.text + SEGSORT_LABEL_BYTES + 2];
    int length = snprintf(text, sizeof text, "%s: ", context->label);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    context->log(level, text, context->log_user);
}

void *segsort_context_allocate(const gl_segsort_context *context, size_t size)
{
    return context->allocator.allocate(size, context->allocator.user);
}

void segsort_context_release(const gl_segsort_context *context, void *memory)
{
    if (memory)
        context->allocator.release(memory, context->allocator.user);
}

/* ---------------------------------------------------------------------------------------------- */
/* Which GL context is current */

typedef void *(*segsort_get_current)(void);

/* Window systems have a function for it. A loader may make up a stub for any name that starts with
 * "gl", so glXGetCurrentContext is believed only from one that knows not to for a name that nobody
 * has. */
static segsort_get_current segsort_find_get_current(gl_segsort_get_proc_address get_proc_address)
{
    static const char *const names[] = {"eglGetCurrentContext", "wglGetCurrentContext",
                                        "glXGetCurrentContext"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i][0] == 'g' && get_proc_address("glXSegsortNoSuchFunction"))
            continue;
        gl_segsort_proc proc = get_proc_address(names[i]);
        segsort_get_current get_current;
        memcpy(&get_current, &proc, sizeof proc);
        if (get_current && get_current())
            return get_current;
    }
    return NULL;
}

static gl_segsort_result segsort_set_current(gl_segsort_context *context,
                                             segsort_get_current get_current)
{
    context->get_current_context = get_current;
    if (!get_current)
        return GL_SEGSORT_SUCCESS;
    context->gl_context = get_current();
    if (context->gl_context)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_WRONG_CONTEXT,
                        "get_current_context gives NULL: no GL context is current on this thread");
}

gl_segsort_result segsort_context_check(gl_segsort_context *context)
{
    if (context->lost)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_CONTEXT_LOST,
                            "the context '%s' was %s", context->label,
                            context->destroyed ? "destroyed" : "lost in a reset of the GPU");
    if (!context->get_current_context)
        return GL_SEGSORT_SUCCESS;
    void *current = context->get_current_context();
    if (current != context->gl_context)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_WRONG_CONTEXT,
                            "'%s' belongs to GL context %p, but %p is current on this thread",
                            context->label, context->gl_context, current);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_context_check_reset(gl_segsort_context *context)
{
    gl_segsort_result result = segsort_context_check(context);
    if (result != GL_SEGSORT_SUCCESS || !context->gl.GetGraphicsResetStatus)
        return result;
    if (context->gl.GetGraphicsResetStatus() == SEGSORT_GL_NO_ERROR)
        return GL_SEGSORT_SUCCESS;
    context->lost = true;
    return segsort_context_check(context);
}

gl_segsort_result segsort_context_check_call(gl_segsort_context *context)
{
    return context->state_policy == GL_SEGSORT_STATE_RESTORE ? segsort_context_check_reset(context)
                                                             : segsort_context_check(context);
}

/* ---------------------------------------------------------------------------------------------- */
/* Capabilities */

static uint32_t segsort_barrier_bits(const segsort_gl *gl)
{
    uint32_t bits = 0x00003fef; /* all of GL 4.3: 0x10 was never given out */
    if (gl->version_major > 4 || gl->version_minor >= 4)
        bits |= GL_SEGSORT_BARRIER_CLIENT_MAPPED | GL_SEGSORT_BARRIER_QUERY_BUFFER;
    return bits;
}

static gl_segsort_result segsort_read_limits(gl_segsort_context *context, uint32_t max_work_groups)
{
    const segsort_gl *gl = &context->gl;
    segsort_limits *limits = &context->limits;
    int32_t shared = 0, storage_alignment = 0, uniform_alignment = 0;
    int64_t storage_bytes = 0;
    gl->GetIntegerv(SEGSORT_GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &shared);
    gl->GetIntegerv(SEGSORT_GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &storage_alignment);
    gl->GetIntegerv(SEGSORT_GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &uniform_alignment);
    gl->GetInteger64v(SEGSORT_GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &storage_bytes);
    bool known = shared > 0 && storage_alignment > 0 && uniform_alignment > 0 && storage_bytes > 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t groups = 0;
        gl->GetIntegeri_v(SEGSORT_GL_MAX_COMPUTE_WORK_GROUP_COUNT, axis, &groups);
        known = known && groups > 0;
        limits->work_groups[axis] = (uint32_t)groups;
        if (max_work_groups > 0 && max_work_groups < limits->work_groups[axis])
            limits->work_groups[axis] = max_work_groups;
    }
    if (!known)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_GL,
                            "GL does not tell its limits: shared memory %" PRId32
                            ", storage block %" PRId64 ", alignments %" PRId32 " and %" PRId32
                            ", work groups %" PRIu32 " x %" PRIu32 " x %" PRIu32,
                            shared, storage_bytes, storage_alignment, uniform_alignment,
                            limits->work_groups[0], limits->work_groups[1], limits->work_groups[2]);
    limits->shared_bytes = (uint32_t)shared;
    /* Shaders count words in 32 bits. */
    limits->storage_bytes = (uint64_t)storage_bytes;
    if (limits->storage_bytes > 4ull * UINT32_MAX)
        limits->storage_bytes = 4ull * UINT32_MAX;
    limits->storage_alignment = (uint32_t)storage_alignment;
    limits->uniform_alignment = (uint32_t)uniform_alignment;
    limits->barrier_bits = segsort_barrier_bits(gl);
    return GL_SEGSORT_SUCCESS;
}

static uint32_t segsort_query(const segsort_gl *gl, uint32_t name)
{
    int32_t number = 0;
    gl->GetIntegerv(name, &number);
    return (uint32_t)number;
}

/* Some drivers list the base extension alone, whatever they support of it. */
static bool segsort_has_subgroup_features(const segsort_gl *gl)
{
    const uint32_t features =
        SEGSORT_GL_SUBGROUP_FEATURE_BASIC | SEGSORT_GL_SUBGROUP_FEATURE_ARITHMETIC |
        SEGSORT_GL_SUBGROUP_FEATURE_BALLOT | SEGSORT_GL_SUBGROUP_FEATURE_SHUFFLE;
    return (segsort_query(gl, SEGSORT_GL_SUBGROUP_SUPPORTED_STAGES) &
            SEGSORT_GL_COMPUTE_SHADER_BIT) != 0 &&
           (segsort_query(gl, SEGSORT_GL_SUBGROUP_SUPPORTED_FEATURES) & features) == features;
}

/* What the driver says it has; nothing is taken before it is tested. */
static void segsort_read_subgroups(gl_segsort_context *context)
{
    static const char *const names[] = {"GL_KHR_shader_subgroup", "GL_ARB_shader_ballot",
                                        "GL_ARB_gpu_shader_int64"};
    const segsort_gl *gl = &context->gl;
    segsort_limits *limits = &context->limits;
    bool found[sizeof names / sizeof names[0]] = {false};
    uint32_t count = segsort_query(gl, SEGSORT_GL_NUM_EXTENSIONS);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = (const char *)gl->GetStringi(SEGSORT_GL_EXTENSIONS, i);
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
            found[n] = found[n] || (name && strcmp(name, names[n]) == 0);
    }
    if (found[0] && segsort_has_subgroup_features(gl)) {
        context->trust.told_size = segsort_query(gl, SEGSORT_GL_SUBGROUP_SIZE);
        if (segsort_subgroup_fits(SEGSORT_SUBGROUP_KHR, context->trust.told_size))
            limits->subgroup_api = SEGSORT_SUBGROUP_KHR;
    }
    if (limits->subgroup_api == SEGSORT_SUBGROUP_NONE && found[1] && found[2]) {
        context->trust.told_size = 0;
        limits->subgroup_api = SEGSORT_SUBGROUP_ARB;
    }
}

static const char *segsort_gl_text(const segsort_gl *gl, uint32_t name)
{
    const char *text = (const char *)gl->GetString(name);
    return text ? text : "unknown";
}

static void segsort_choose_tuning(gl_segsort_context *context)
{
    const char *renderer = segsort_gl_text(&context->gl, SEGSORT_GL_RENDERER);
    const char *vendor = segsort_gl_text(&context->gl, SEGSORT_GL_VENDOR);
    const segsort_tuning_entry *entry = segsort_tuning_find(vendor, renderer);
    context->limits.tuning = &entry->tuning;
    segsort_context_log(context, GL_SEGSORT_LOG_INFO,
                        "OpenGL %d.%d, %s, %s; shared memory %" PRIu32
                        " bytes, storage blocks %" PRIu64 " bytes, %s; tuned for %s",
                        context->gl.version_major, context->gl.version_minor, renderer, vendor,
                        context->limits.shared_bytes, context->limits.storage_bytes,
                        segsort_subgroup_name(context->limits.subgroup_api), entry->name);
}

gl_segsort_result segsort_context_init(gl_segsort_context *context,
                                       const gl_segsort_context_desc *desc)
{
    snprintf(context->label, sizeof context->label, "%s", desc->label ? desc->label : "gl_segsort");
    context->state_policy = desc->state_policy;
    context->kernel_path = desc->kernel_path;
    context->cache.host = desc->program_cache;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    if (desc->get_current_context)
        result = segsort_set_current(context, desc->get_current_context);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_gl_load(&context->gl, desc->get_proc_address, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    if (!desc->get_current_context)
        result = segsort_set_current(context, segsort_find_get_current(desc->get_proc_address));
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_context_check_reset(context);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    uint32_t host_error;
    result = segsort_gl_errors_begin(&context->gl, &host_error, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    result = segsort_read_limits(context, desc->max_work_groups);
    if (result == GL_SEGSORT_SUCCESS && desc->kernel_path != GL_SEGSORT_KERNEL_PATH_PORTABLE)
        segsort_read_subgroups(context);
    result =
        segsort_gl_errors_end(&context->gl, host_error, result, "reading limits", &context->error);
    if (result == GL_SEGSORT_SUCCESS)
        segsort_choose_tuning(context);
    return result;
}
