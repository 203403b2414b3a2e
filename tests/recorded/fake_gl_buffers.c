#include "fake_gl_functions.h"

#include <stdlib.h>
#include <string.h>

const char *fake_gl_buffer_label(uint32_t name)
{
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(name);
    return name == 0 ? "0" : !buffer ? "unknown" : buffer->label[0] ? buffer->label : "unlabelled";
}

/* ---------------------------------------------------------------------------------------------- */
/* Buffers */

static uint32_t *generic_binding(uint32_t target)
{
    switch (target) {
    case SEGSORT_GL_SHADER_STORAGE_BUFFER:
        return &fake_gl.state.storage;
    case SEGSORT_GL_UNIFORM_BUFFER:
        return &fake_gl.state.uniform;
    case SEGSORT_GL_COPY_WRITE_BUFFER:
        return &fake_gl.state.copy_write;
    case SEGSORT_GL_COPY_READ_BUFFER:
        return &fake_gl.state.copy_read;
    case FAKE_GL_ARRAY_BUFFER:
        return &fake_gl.state.array;
    case SEGSORT_GL_DISPATCH_INDIRECT_BUFFER:
        return &fake_gl.state.dispatch_indirect;
    default:
        return NULL;
    }
}

void SEGSORT_GLCALL fake_GenBuffers(int32_t count, uint32_t *buffers)
{
    if (!fake_gl_enter(FAKE_GL_GenBuffers, "%" PRId32, count))
        return;
    if (count < 0)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glGenBuffers: count");
    for (int32_t i = 0; i < count; i++)
        buffers[i] = fake_gl_add_buffer();
}

void SEGSORT_GLCALL fake_DeleteBuffers(int32_t count, const uint32_t *buffers)
{
    if (!fake_gl_enter(FAKE_GL_DeleteBuffers, "%s",
                       count == 1 ? fake_gl_buffer_label(*buffers) : "many"))
        return;
    if (count < 0)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glDeleteBuffers: count");
    for (int32_t i = 0; i < count; i++) {
        struct fake_gl_buffer *buffer = fake_gl_find_buffer(buffers[i]);
        if (!buffer || buffer->host)
            fake_gl_complain("buffer %" PRIu32 " deleted, which %s", buffers[i],
                             buffer ? "is the host's" : "there is not");
        else
            fake_gl_kill_buffer(buffer);
    }
}

unsigned char SEGSORT_GLCALL fake_IsBuffer(uint32_t name)
{
    if (!fake_gl_enter(FAKE_GL_IsBuffer, "%s", fake_gl_buffer_label(name)))
        return 0;
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(name);
    return buffer && buffer->exists;
}

/* In a core profile only a name that was generated can be bound. */
static bool may_bind(uint32_t name)
{
    struct fake_gl_buffer *buffer = fake_gl_find_buffer(name);
    if (name != 0 && !buffer) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "a buffer that there is not was bound");
        return false;
    }
    if (buffer)
        buffer->exists = true;
    return true;
}

void SEGSORT_GLCALL fake_BindBuffer(uint32_t target, uint32_t buffer)
{
    if (!fake_gl_enter(FAKE_GL_BindBuffer, "%s %s", fake_gl_target_name(target),
                       fake_gl_buffer_label(buffer)))
        return;
    uint32_t *binding = generic_binding(target);
    if (!binding)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glBindBuffer: target");
    else if (may_bind(buffer))
        *binding = buffer;
}

static void bind_indexed(uint32_t target, uint32_t index, struct fake_gl_binding binding)
{
    if (target != SEGSORT_GL_SHADER_STORAGE_BUFFER && target != SEGSORT_GL_UNIFORM_BUFFER) {
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "an indexed binding's target");
    } else if (index >= FAKE_GL_BINDINGS) {
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "an indexed binding's index");
    } else if (may_bind(binding.buffer)) {
        *generic_binding(target) = binding.buffer;
        if (target == SEGSORT_GL_UNIFORM_BUFFER)
            fake_gl.state.uniform_at[index] = binding;
        else
            fake_gl.state.storage_at[index] = binding;
    }
}

void SEGSORT_GLCALL fake_BindBufferBase(uint32_t target, uint32_t index, uint32_t buffer)
{
    if (fake_gl_enter(FAKE_GL_BindBufferBase, "%s %" PRIu32 " %s", fake_gl_target_name(target),
                      index, fake_gl_buffer_label(buffer)))
        bind_indexed(target, index, (struct fake_gl_binding){buffer, 0, 0});
}

void SEGSORT_GLCALL fake_BindBufferRange(uint32_t target, uint32_t index, uint32_t buffer,
                                         ptrdiff_t offset, ptrdiff_t size)
{
    if (!fake_gl_enter(FAKE_GL_BindBufferRange, "%s %" PRIu32 " %s %td %td",
                       fake_gl_target_name(target), index, fake_gl_buffer_label(buffer), offset,
                       size))
        return;
    int32_t alignment =
        target == SEGSORT_GL_UNIFORM_BUFFER ? fake_gl.uniform_alignment : fake_gl.storage_alignment;
    if (buffer != 0 && (size <= 0 || offset < 0 || offset % alignment != 0))
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glBindBufferRange: offset or size");
    else
        bind_indexed(target, index,
                     buffer ? (struct fake_gl_binding){buffer, offset, size}
                            : (struct fake_gl_binding){0});
}

void SEGSORT_GLCALL fake_BufferData(uint32_t target, ptrdiff_t size, const void *data,
                                    uint32_t usage)
{
    const uint32_t *binding = generic_binding(target);
    struct fake_gl_buffer *buffer = binding ? fake_gl_find_buffer(*binding) : NULL;
    if (!fake_gl_enter(FAKE_GL_BufferData, "%s %td", fake_gl_target_name(target), size))
        return;
    if (!binding || (usage != SEGSORT_GL_STATIC_DRAW && usage != SEGSORT_GL_DYNAMIC_COPY &&
                     usage != SEGSORT_GL_STREAM_READ)) {
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glBufferData: target or usage");
    } else if (size < 0) {
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glBufferData: size");
    } else if (!buffer) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glBufferData: nothing is bound");
    } else {
        free(buffer->data);
        buffer->data = data && size > 0 ? malloc((size_t)size) : NULL;
        if (buffer->data)
            memcpy(buffer->data, data, (size_t)size);
        buffer->size = (uint64_t)size;
        buffer->usage = usage;
        buffer->specified++;
        if (buffer->host)
            fake_gl_complain("glBufferData on the host's buffer '%s'", buffer->label);
    }
}

static bool is_inside(const struct fake_gl_buffer *buffer, ptrdiff_t offset, ptrdiff_t size)
{
    return offset >= 0 && size >= 0 && (uint64_t)offset + (uint64_t)size <= buffer->size;
}

void SEGSORT_GLCALL fake_BufferSubData(uint32_t target, ptrdiff_t offset, ptrdiff_t size,
                                       const void *data)
{
    if (!fake_gl_enter(FAKE_GL_BufferSubData, "%s %td %td", fake_gl_target_name(target), offset,
                       size))
        return;
    const uint32_t *binding = generic_binding(target);
    struct fake_gl_buffer *buffer = binding ? fake_gl_find_buffer(*binding) : NULL;
    if (!binding) {
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glBufferSubData: target");
    } else if (!buffer) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glBufferSubData: nothing is bound");
    } else if (!is_inside(buffer, offset, size)) {
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glBufferSubData: past the end");
    } else {
        if (!buffer->data)
            buffer->data = calloc(1, (size_t)buffer->size + 1);
        memcpy(buffer->data + offset, data, (size_t)size);
        if (buffer->host)
            fake_gl_complain("glBufferSubData on the host's buffer '%s'", buffer->label);
    }
}

/* No dispatch has written anything, so what was never given data has none to copy. */
void SEGSORT_GLCALL fake_CopyBufferSubData(uint32_t from, uint32_t to, ptrdiff_t from_offset,
                                           ptrdiff_t to_offset, ptrdiff_t size)
{
    if (!fake_gl_enter(FAKE_GL_CopyBufferSubData, "%s %s %td %td %td", fake_gl_target_name(from),
                       fake_gl_target_name(to), from_offset, to_offset, size))
        return;
    const uint32_t *read = generic_binding(from), *write = generic_binding(to);
    const struct fake_gl_buffer *source = read ? fake_gl_find_buffer(*read) : NULL;
    struct fake_gl_buffer *target = write ? fake_gl_find_buffer(*write) : NULL;
    if (!read || !write) {
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glCopyBufferSubData: target");
    } else if (!source || !target || !source->data) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glCopyBufferSubData: nothing is there");
    } else if (source == target || !is_inside(source, from_offset, size) ||
               !is_inside(target, to_offset, size)) {
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glCopyBufferSubData: past an end, or onto itself");
    } else {
        if (!target->data)
            target->data = calloc(1, (size_t)target->size + 1);
        memcpy(target->data + to_offset, source->data + from_offset, (size_t)size);
    }
    if (source && source->host)
        fake_gl_complain("glCopyBufferSubData from the host's buffer '%s'", source->label);
    if (target && target->host)
        fake_gl_complain("glCopyBufferSubData to the host's buffer '%s'", target->label);
}

void SEGSORT_GLCALL fake_GetBufferParameteri64v(uint32_t target, uint32_t name, int64_t *data)
{
    if (!fake_gl_enter(FAKE_GL_GetBufferParameteri64v, "%s %s", fake_gl_target_name(target),
                       fake_gl_query_name(name)))
        return;
    const uint32_t *binding = generic_binding(target);
    const struct fake_gl_buffer *buffer = binding ? fake_gl_find_buffer(*binding) : NULL;
    if (!binding || name != SEGSORT_GL_BUFFER_SIZE)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetBufferParameteri64v: target or name");
    else if (!buffer)
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glGetBufferParameteri64v: nothing is bound");
    else
        *data = (int64_t)buffer->size;
}
