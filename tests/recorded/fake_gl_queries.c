#include "fake_gl_functions.h"

const char *fake_gl_target_name(uint32_t target)
{
    switch (target) {
    case SEGSORT_GL_SHADER_STORAGE_BUFFER:
        return "STORAGE";
    case SEGSORT_GL_UNIFORM_BUFFER:
        return "UNIFORM";
    case SEGSORT_GL_COPY_WRITE_BUFFER:
        return "COPY_WRITE";
    case SEGSORT_GL_COPY_READ_BUFFER:
        return "COPY_READ";
    case FAKE_GL_ARRAY_BUFFER:
        return "ARRAY";
    case SEGSORT_GL_DISPATCH_INDIRECT_BUFFER:
        return "DISPATCH_INDIRECT";
    default:
        return "unknown-target";
    }
}

const char *fake_gl_query_name(uint32_t name)
{
    switch (name) {
    case SEGSORT_GL_CURRENT_PROGRAM:
        return "CURRENT_PROGRAM";
    case SEGSORT_GL_COPY_READ_BUFFER:
        return "COPY_READ_BUFFER";
    case SEGSORT_GL_COPY_WRITE_BUFFER:
        return "COPY_WRITE_BUFFER";
    case SEGSORT_GL_UNIFORM_BUFFER_BINDING:
        return "UNIFORM_BUFFER_BINDING";
    case SEGSORT_GL_UNIFORM_BUFFER_START:
        return "UNIFORM_BUFFER_START";
    case SEGSORT_GL_UNIFORM_BUFFER_SIZE:
        return "UNIFORM_BUFFER_SIZE";
    case SEGSORT_GL_SHADER_STORAGE_BUFFER_BINDING:
        return "STORAGE_BUFFER_BINDING";
    case SEGSORT_GL_SHADER_STORAGE_BUFFER_START:
        return "STORAGE_BUFFER_START";
    case SEGSORT_GL_SHADER_STORAGE_BUFFER_SIZE:
        return "STORAGE_BUFFER_SIZE";
    case SEGSORT_GL_DEBUG_GROUP_STACK_DEPTH:
        return "DEBUG_GROUP_STACK_DEPTH";
    case SEGSORT_GL_MAX_DEBUG_GROUP_STACK_DEPTH:
        return "MAX_DEBUG_GROUP_STACK_DEPTH";
    case SEGSORT_GL_TRANSFORM_FEEDBACK_ACTIVE:
        return "TRANSFORM_FEEDBACK_ACTIVE";
    case SEGSORT_GL_TRANSFORM_FEEDBACK_PAUSED:
        return "TRANSFORM_FEEDBACK_PAUSED";
    case SEGSORT_GL_DELETE_STATUS:
        return "DELETE_STATUS";
    case SEGSORT_GL_COMPILE_STATUS:
        return "COMPILE_STATUS";
    case SEGSORT_GL_LINK_STATUS:
        return "LINK_STATUS";
    case SEGSORT_GL_NUM_PROGRAM_BINARY_FORMATS:
        return "NUM_PROGRAM_BINARY_FORMATS";
    case SEGSORT_GL_PROGRAM_BINARY_FORMATS:
        return "PROGRAM_BINARY_FORMATS";
    case SEGSORT_GL_PROGRAM_BINARY_LENGTH:
        return "PROGRAM_BINARY_LENGTH";
    case SEGSORT_GL_PROGRAM_BINARY_RETRIEVABLE_HINT:
        return "PROGRAM_BINARY_RETRIEVABLE_HINT";
    case SEGSORT_GL_DISPATCH_INDIRECT_BUFFER_BINDING:
        return "DISPATCH_INDIRECT_BUFFER_BINDING";
    case SEGSORT_GL_BUFFER_SIZE:
        return "BUFFER_SIZE";
    case SEGSORT_GL_NUM_EXTENSIONS:
        return "NUM_EXTENSIONS";
    default:
        return "other";
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Queries */

const unsigned char *SEGSORT_GLCALL fake_GetString(uint32_t name)
{
    if (!fake_gl_enter(FAKE_GL_GetString, "0x%04" PRIx32, name))
        return NULL;
    switch (name) {
    case SEGSORT_GL_VERSION:
        return (const unsigned char *)fake_gl.version;
    case SEGSORT_GL_VENDOR:
        return (const unsigned char *)fake_gl.vendor;
    case SEGSORT_GL_RENDERER:
        return (const unsigned char *)fake_gl.renderer;
    case SEGSORT_GL_SHADING_LANGUAGE_VERSION:
        return (const unsigned char *)fake_gl.shading_language;
    default:
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetString: name");
        return NULL;
    }
}

unsigned char SEGSORT_GLCALL fake_IsEnabled(uint32_t capability)
{
    if (!fake_gl_enter(FAKE_GL_IsEnabled, "0x%04" PRIx32, capability))
        return 0;
    if (capability == SEGSORT_GL_DEBUG_OUTPUT)
        return fake_gl.debug_output;
    fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glIsEnabled: capability");
    return 0;
}

static void set_enabled(uint32_t capability, bool enabled)
{
    if (capability == SEGSORT_GL_DEBUG_OUTPUT)
        fake_gl.debug_output = enabled;
    else
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glEnable or glDisable: capability");
}

void SEGSORT_GLCALL fake_Enable(uint32_t capability)
{
    if (fake_gl_enter(FAKE_GL_Enable, "0x%04" PRIx32, capability))
        set_enabled(capability, true);
}

void SEGSORT_GLCALL fake_Disable(uint32_t capability)
{
    if (fake_gl_enter(FAKE_GL_Disable, "0x%04" PRIx32, capability))
        set_enabled(capability, false);
}

uint32_t SEGSORT_GLCALL fake_GetError(void)
{
    if (!fake_gl_enter(FAKE_GL_GetError, "%s", ""))
        return SEGSORT_GL_NO_ERROR;
    uint32_t error = fake_gl.error;
    fake_gl.error = SEGSORT_GL_NO_ERROR;
    return error;
}

uint32_t SEGSORT_GLCALL fake_GetGraphicsResetStatus(void)
{
    return fake_gl_enter(FAKE_GL_GetGraphicsResetStatus, "%s", "") ? fake_gl.reset_status
                                                                   : FAKE_GL_GUILTY_CONTEXT_RESET;
}

static int32_t extension_count(void)
{
    int32_t count = 0;
    while (fake_gl.extensions[count])
        count++;
    return count;
}

void SEGSORT_GLCALL fake_GetIntegerv(uint32_t name, int32_t *data)
{
    if (!fake_gl_enter(FAKE_GL_GetIntegerv, "%s", fake_gl_query_name(name)))
        return;
    const struct {
        uint32_t name;
        int32_t value;
    } answers[] = {
        {SEGSORT_GL_CURRENT_PROGRAM, (int32_t)fake_gl.state.program},
        {SEGSORT_GL_TRANSFORM_FEEDBACK_ACTIVE, fake_gl.feedback_active},
        {SEGSORT_GL_TRANSFORM_FEEDBACK_PAUSED, fake_gl.feedback_paused},
        {SEGSORT_GL_COPY_READ_BUFFER, (int32_t)fake_gl.state.copy_read},
        {SEGSORT_GL_COPY_WRITE_BUFFER, (int32_t)fake_gl.state.copy_write},
        {SEGSORT_GL_DISPATCH_INDIRECT_BUFFER_BINDING, (int32_t)fake_gl.state.dispatch_indirect},
        {SEGSORT_GL_UNIFORM_BUFFER_BINDING, (int32_t)fake_gl.state.uniform},
        {SEGSORT_GL_SHADER_STORAGE_BUFFER_BINDING, (int32_t)fake_gl.state.storage},
        {SEGSORT_GL_DEBUG_GROUP_STACK_DEPTH, fake_gl.state.debug_depth},
        {SEGSORT_GL_MAX_DEBUG_GROUP_STACK_DEPTH, fake_gl.debug_depth_max},
        {SEGSORT_GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, fake_gl.uniform_alignment},
        {SEGSORT_GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, fake_gl.storage_alignment},
        {SEGSORT_GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, fake_gl.shared_bytes},
        {SEGSORT_GL_NUM_EXTENSIONS, extension_count()},
        {SEGSORT_GL_SUBGROUP_SIZE, fake_gl.subgroup_size},
        {SEGSORT_GL_SUBGROUP_SUPPORTED_STAGES, fake_gl.subgroup_stages},
        {SEGSORT_GL_SUBGROUP_SUPPORTED_FEATURES, fake_gl.subgroup_features},
        {SEGSORT_GL_NUM_PROGRAM_BINARY_FORMATS, fake_gl.binary_formats},
    };
    if (name == SEGSORT_GL_PROGRAM_BINARY_FORMATS) {
        for (int32_t i = 0; i < fake_gl.binary_formats; i++)
            data[i] = (int32_t)FAKE_GL_BINARY_FORMAT - (fake_gl.binary_formats - 1 - i) -
                      (fake_gl.foreign_formats ? 100 : 0);
        return;
    }
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (answers[i].name == name) {
            *data = answers[i].value;
            return;
        }
    fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetIntegerv: name");
}

void SEGSORT_GLCALL fake_GetInteger64v(uint32_t name, int64_t *data)
{
    if (!fake_gl_enter(FAKE_GL_GetInteger64v, "%s", fake_gl_query_name(name)))
        return;
    if (name == SEGSORT_GL_MAX_SHADER_STORAGE_BLOCK_SIZE)
        *data = fake_gl.storage_block_bytes;
    else
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetInteger64v: name");
}

void SEGSORT_GLCALL fake_GetIntegeri_v(uint32_t name, uint32_t index, int32_t *data)
{
    if (!fake_gl_enter(FAKE_GL_GetIntegeri_v, "%s %" PRIu32, fake_gl_query_name(name), index))
        return;
    uint32_t count = name == SEGSORT_GL_MAX_COMPUTE_WORK_GROUP_COUNT ? 3 : FAKE_GL_BINDINGS;
    if (index >= count)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glGetIntegeri_v: index");
    else if (name == SEGSORT_GL_MAX_COMPUTE_WORK_GROUP_COUNT)
        *data = fake_gl.work_groups[index];
    else if (name == SEGSORT_GL_SHADER_STORAGE_BUFFER_BINDING)
        *data = (int32_t)fake_gl.state.storage_at[index].buffer;
    else if (name == SEGSORT_GL_UNIFORM_BUFFER_BINDING)
        *data = (int32_t)fake_gl.state.uniform_at[index].buffer;
    else
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetIntegeri_v: name");
}

void SEGSORT_GLCALL fake_GetInteger64i_v(uint32_t name, uint32_t index, int64_t *data)
{
    if (!fake_gl_enter(FAKE_GL_GetInteger64i_v, "%s %" PRIu32, fake_gl_query_name(name), index))
        return;
    if (index >= FAKE_GL_BINDINGS)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glGetInteger64i_v: index");
    else if (name == SEGSORT_GL_SHADER_STORAGE_BUFFER_START)
        *data = fake_gl.state.storage_at[index].start;
    else if (name == SEGSORT_GL_SHADER_STORAGE_BUFFER_SIZE)
        *data = fake_gl.state.storage_at[index].size;
    else if (name == SEGSORT_GL_UNIFORM_BUFFER_START)
        *data = fake_gl.state.uniform_at[index].start;
    else if (name == SEGSORT_GL_UNIFORM_BUFFER_SIZE)
        *data = fake_gl.state.uniform_at[index].size;
    else
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetInteger64i_v: name");
}
