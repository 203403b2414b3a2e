/*
 * The GL functions and constants that the library uses, loaded through the host's function. No GL header: one more would
 * meet the host's own. All GL calls of the library go through this table.
 */
#ifndef SEGSORT_GL_TABLE_H
#define SEGSORT_GL_TABLE_H

#include "error.h"

#if defined(_WIN32) && !defined(_WIN64)
#define SEGSORT_GLCALL __stdcall
#else
#define SEGSORT_GLCALL
#endif

/* X(return type, name without gl, parameters): OpenGL 4.3 core. */
#define SEGSORT_GL_FUNCTIONS(X)                                                                    \
    X(const unsigned char *, GetString, (uint32_t name))                                           \
    X(const unsigned char *, GetStringi, (uint32_t name, uint32_t index))                          \
    X(uint32_t, GetError, (void))                                                                  \
    X(void, GetIntegerv, (uint32_t name, int32_t * data))                                          \
    X(void, GetInteger64v, (uint32_t name, int64_t * data))                                        \
    X(void, GetIntegeri_v, (uint32_t name, uint32_t index, int32_t * data))                        \
    X(void, GetInteger64i_v, (uint32_t name, uint32_t index, int64_t * data))                      \
    X(unsigned char, IsEnabled, (uint32_t capability))                                             \
    X(void, Enable, (uint32_t capability))                                                         \
    X(void, Disable, (uint32_t capability))                                                        \
    X(void, GenBuffers, (int32_t count, uint32_t * buffers))                                       \
    X(void, DeleteBuffers, (int32_t count, const uint32_t *buffers))                               \
    X(unsigned char, IsBuffer, (uint32_t buffer))                                                  \
    X(void, BindBuffer, (uint32_t target, uint32_t buffer))                                        \
    X(void, BindBufferBase, (uint32_t target, uint32_t index, uint32_t buffer))                    \
    X(void, BindBufferRange,                                                                       \
      (uint32_t target, uint32_t index, uint32_t buffer, ptrdiff_t offset, ptrdiff_t size))        \
    X(void, BufferData, (uint32_t target, ptrdiff_t size, const void *data, uint32_t usage))       \
    X(void, BufferSubData, (uint32_t target, ptrdiff_t offset, ptrdiff_t size, const void *data))  \
    X(void, CopyBufferSubData,                                                                     \
      (uint32_t from, uint32_t to, ptrdiff_t from_offset, ptrdiff_t to_offset, ptrdiff_t size))    \
    X(void, GetBufferSubData, (uint32_t target, ptrdiff_t offset, ptrdiff_t size, void *data))     \
    X(void, GetBufferParameteri64v, (uint32_t target, uint32_t name, int64_t * data))              \
    X(void, GenQueries, (int32_t count, uint32_t * queries))                                       \
    X(void, DeleteQueries, (int32_t count, const uint32_t *queries))                               \
    X(void, QueryCounter, (uint32_t query, uint32_t target))                                       \
    X(void, GetQueryObjectiv, (uint32_t query, uint32_t name, int32_t * data))                     \
    X(void, GetQueryObjectui64v, (uint32_t query, uint32_t name, uint64_t * data))                 \
    X(uint32_t, CreateShader, (uint32_t type))                                                     \
    X(void, ShaderSource,                                                                          \
      (uint32_t shader, int32_t count, const char *const *strings, const int32_t *lengths))        \
    X(void, CompileShader, (uint32_t shader))                                                      \
    X(void, GetShaderiv, (uint32_t shader, uint32_t name, int32_t * data))                         \
    X(void, GetShaderInfoLog, (uint32_t shader, int32_t size, int32_t * length, char *text))       \
    X(void, DeleteShader, (uint32_t shader))                                                       \
    X(uint32_t, CreateProgram, (void))                                                             \
    X(void, AttachShader, (uint32_t program, uint32_t shader))                                     \
    X(void, DetachShader, (uint32_t program, uint32_t shader))                                     \
    X(void, LinkProgram, (uint32_t program))                                                       \
    X(void, GetProgramiv, (uint32_t program, uint32_t name, int32_t * data))                       \
    X(void, GetProgramInfoLog, (uint32_t program, int32_t size, int32_t * length, char *text))     \
    X(void, DeleteProgram, (uint32_t program))                                                     \
    X(void, ProgramParameteri, (uint32_t program, uint32_t name, int32_t value))                   \
    X(void, GetProgramBinary,                                                                      \
      (uint32_t program, int32_t size, int32_t * length, uint32_t * format, void *data))           \
    X(void, ProgramBinary, (uint32_t program, uint32_t format, const void *data, int32_t length))  \
    X(void, UseProgram, (uint32_t program))                                                        \
    X(void, ProgramUniform4uiv,                                                                    \
      (uint32_t program, int32_t location, int32_t count, const uint32_t *values))                 \
    X(void, DispatchCompute, (uint32_t x, uint32_t y, uint32_t z))                                 \
    X(void, DispatchComputeIndirect, (ptrdiff_t offset))                                           \
    X(void, MemoryBarrier, (uint32_t bits))                                                        \
    X(void *, FenceSync, (uint32_t condition, uint32_t flags))                                     \
    X(uint32_t, ClientWaitSync, (void *sync, uint32_t flags, uint64_t nanoseconds))                \
    X(void, DeleteSync, (void *sync))                                                              \
    X(void, ObjectLabel, (uint32_t type, uint32_t object, int32_t length, const char *label))      \
    X(void, PushDebugGroup, (uint32_t source, uint32_t id, int32_t length, const char *message))   \
    X(void, PopDebugGroup, (void))

typedef struct segsort_gl {
#define SEGSORT_GL_MEMBER(type, name, parameters) type(SEGSORT_GLCALL *name) parameters;
    SEGSORT_GL_FUNCTIONS(SEGSORT_GL_MEMBER)
#undef SEGSORT_GL_MEMBER
    /* NULL before GL 4.5 without KHR_robustness. */
    uint32_t(SEGSORT_GLCALL *GetGraphicsResetStatus)(void);
    int32_t version_major, version_minor;
} segsort_gl;

enum {
    SEGSORT_GL_NO_ERROR = 0,
    SEGSORT_GL_INVALID_ENUM = 0x0500,
    SEGSORT_GL_INVALID_VALUE = 0x0501,
    SEGSORT_GL_INVALID_OPERATION = 0x0502,
    SEGSORT_GL_OUT_OF_MEMORY = 0x0505,
    SEGSORT_GL_CONTEXT_LOST = 0x0507,
    SEGSORT_GL_VENDOR = 0x1F00,
    SEGSORT_GL_RENDERER = 0x1F01,
    SEGSORT_GL_VERSION = 0x1F02,
    SEGSORT_GL_EXTENSIONS = 0x1F03,
    SEGSORT_GL_NUM_EXTENSIONS = 0x821D,
    SEGSORT_GL_SUBGROUP_SIZE = 0x9532,
    SEGSORT_GL_SUBGROUP_SUPPORTED_STAGES = 0x9533,
    SEGSORT_GL_SUBGROUP_SUPPORTED_FEATURES = 0x9534,
    SEGSORT_GL_SUBGROUP_FEATURE_BASIC = 0x1,
    SEGSORT_GL_SUBGROUP_FEATURE_ARITHMETIC = 0x4,
    SEGSORT_GL_SUBGROUP_FEATURE_BALLOT = 0x8,
    SEGSORT_GL_SUBGROUP_FEATURE_SHUFFLE = 0x10,
    SEGSORT_GL_COMPUTE_SHADER_BIT = 0x20,
    SEGSORT_GL_SYNC_FLUSH_COMMANDS_BIT = 0x1,
    SEGSORT_GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117,
    SEGSORT_GL_ALREADY_SIGNALED = 0x911A,
    SEGSORT_GL_TIMEOUT_EXPIRED = 0x911B,
    SEGSORT_GL_CONDITION_SATISFIED = 0x911C,
    SEGSORT_GL_PROGRAM_BINARY_RETRIEVABLE_HINT = 0x8257,
    SEGSORT_GL_PROGRAM_BINARY_LENGTH = 0x8741,
    SEGSORT_GL_NUM_PROGRAM_BINARY_FORMATS = 0x87FE,
    SEGSORT_GL_PROGRAM_BINARY_FORMATS = 0x87FF,
    SEGSORT_GL_THIRD_PARTY = 0x8249, /* GL_DEBUG_SOURCE_THIRD_PARTY */
    SEGSORT_GL_BUFFER = 0x82E0,
    SEGSORT_GL_SHADER = 0x82E1,
    SEGSORT_GL_PROGRAM = 0x82E2,
    SEGSORT_GL_DEBUG_GROUP_STACK_DEPTH = 0x826D,
    SEGSORT_GL_MAX_DEBUG_GROUP_STACK_DEPTH = 0x826C,
    SEGSORT_GL_BUFFER_SIZE = 0x8764,
    SEGSORT_GL_QUERY_RESULT = 0x8866,
    SEGSORT_GL_QUERY_RESULT_AVAILABLE = 0x8867,
    SEGSORT_GL_TIMESTAMP = 0x8E28,
    SEGSORT_GL_STREAM_READ = 0x88E1,
    SEGSORT_GL_STATIC_DRAW = 0x88E4,
    SEGSORT_GL_DYNAMIC_COPY = 0x88EA,
    SEGSORT_GL_UNIFORM_BUFFER = 0x8A11,
    SEGSORT_GL_UNIFORM_BUFFER_BINDING = 0x8A28,
    SEGSORT_GL_UNIFORM_BUFFER_START = 0x8A29,
    SEGSORT_GL_UNIFORM_BUFFER_SIZE = 0x8A2A,
    SEGSORT_GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT = 0x8A34,
    SEGSORT_GL_DELETE_STATUS = 0x8B80,
    SEGSORT_GL_COMPILE_STATUS = 0x8B81,
    SEGSORT_GL_LINK_STATUS = 0x8B82,
    SEGSORT_GL_INFO_LOG_LENGTH = 0x8B84,
    SEGSORT_GL_SHADING_LANGUAGE_VERSION = 0x8B8C,
    SEGSORT_GL_CURRENT_PROGRAM = 0x8B8D,
    SEGSORT_GL_COPY_READ_BUFFER = 0x8F36, /* these also name their bindings */
    SEGSORT_GL_COPY_WRITE_BUFFER = 0x8F37,
    SEGSORT_GL_TRANSFORM_FEEDBACK_PAUSED = 0x8E23,
    SEGSORT_GL_TRANSFORM_FEEDBACK_ACTIVE = 0x8E24,
    SEGSORT_GL_DEBUG_OUTPUT = 0x92E0,
    SEGSORT_GL_DISPATCH_INDIRECT_BUFFER = 0x90EE,
    SEGSORT_GL_DISPATCH_INDIRECT_BUFFER_BINDING = 0x90EF,
    SEGSORT_GL_SHADER_STORAGE_BUFFER = 0x90D2,
    SEGSORT_GL_SHADER_STORAGE_BUFFER_BINDING = 0x90D3,
    SEGSORT_GL_SHADER_STORAGE_BUFFER_START = 0x90D4,
    SEGSORT_GL_SHADER_STORAGE_BUFFER_SIZE = 0x90D5,
    SEGSORT_GL_MAX_SHADER_STORAGE_BLOCK_SIZE = 0x90DE,
    SEGSORT_GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT = 0x90DF,
    SEGSORT_GL_COMPUTE_SHADER = 0x91B9,
    SEGSORT_GL_MAX_COMPUTE_WORK_GROUP_COUNT = 0x91BE,
    SEGSORT_GL_MAX_COMPUTE_SHARED_MEMORY_SIZE = 0x8262
};

/* Checks the version of the current context before any other function is used, then loads all of
 * them; the error lists every function that is missing. */
gl_segsort_result segsort_gl_load(segsort_gl *gl, gl_segsort_get_proc_address get_proc_address,
                                  segsort_error *error);

#endif
