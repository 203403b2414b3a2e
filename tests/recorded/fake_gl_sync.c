/* Extensions, fences and reading back. */
#include "fake_gl_functions.h"

#include <inttypes.h>
#include <string.h>

const unsigned char *SEGSORT_GLCALL fake_GetStringi(uint32_t name, uint32_t index)
{
    if (!fake_gl_enter(FAKE_GL_GetStringi, "0x%04" PRIx32 " %" PRIu32, name, index))
        return NULL;
    uint32_t count = 0;
    while (fake_gl.extensions[count])
        count++;
    if (name != SEGSORT_GL_EXTENSIONS)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetStringi: name");
    else if (index >= count)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glGetStringi: index");
    else
        return (const unsigned char *)fake_gl.extensions[index];
    return NULL;
}

void *SEGSORT_GLCALL fake_FenceSync(uint32_t condition, uint32_t flags)
{
    if (!fake_gl_enter(FAKE_GL_FenceSync, "%s", ""))
        return NULL;
    if (condition != SEGSORT_GL_SYNC_GPU_COMMANDS_COMPLETE || flags != 0) {
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glFenceSync: condition or flags");
        return NULL;
    }
    fake_gl.fences_alive++;
    return &fake_gl.fences_alive;
}

uint32_t SEGSORT_GLCALL fake_ClientWaitSync(void *sync, uint32_t flags, uint64_t nanoseconds)
{
    if (!fake_gl_enter(FAKE_GL_ClientWaitSync, "%" PRIu64, nanoseconds))
        return FAKE_GL_WAIT_FAILED;
    if (sync != &fake_gl.fences_alive || fake_gl.fences_alive == 0)
        fake_gl_complain("glClientWaitSync: no fence");
    if ((flags & SEGSORT_GL_SYNC_FLUSH_COMMANDS_BIT) == 0)
        fake_gl_complain("glClientWaitSync waits for commands that may never be flushed");
    return fake_gl.fences_late ? SEGSORT_GL_TIMEOUT_EXPIRED : SEGSORT_GL_CONDITION_SATISFIED;
}

void SEGSORT_GLCALL fake_DeleteSync(void *sync)
{
    if (!fake_gl_enter(FAKE_GL_DeleteSync, "%s", ""))
        return;
    if (sync != &fake_gl.fences_alive || fake_gl.fences_alive == 0)
        fake_gl_complain("glDeleteSync: no fence");
    else
        fake_gl.fences_alive--;
}

/* No dispatch has written anything. Drivers move a buffer that is read to the host's memory and say
 * so, unless it is a copy for that alone. */
void SEGSORT_GLCALL fake_GetBufferSubData(uint32_t target, ptrdiff_t offset, ptrdiff_t size,
                                          void *data)
{
    if (!fake_gl_enter(FAKE_GL_GetBufferSubData, "%s %td %td", fake_gl_target_name(target), offset,
                       size))
        return;
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(fake_gl.state.copy_write);
    if (target != SEGSORT_GL_COPY_WRITE_BUFFER)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetBufferSubData: target");
    else if (!buffer || !buffer->data)
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glGetBufferSubData: nothing is there");
    else if (offset < 0 || size < 0 || (uint64_t)offset + (uint64_t)size > buffer->size)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glGetBufferSubData: past the end");
    else
        memcpy(data, buffer->data + offset, (size_t)size);
    if (buffer && buffer->usage != SEGSORT_GL_STREAM_READ)
        fake_gl_complain("glGetBufferSubData of '%s', not of a copy", buffer->label);
}
