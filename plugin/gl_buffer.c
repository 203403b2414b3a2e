#include "gl_buffer.h"

#include "gl_state.h"

#include <inttypes.h>

/* Binds the buffer to COPY_READ_BUFFER or COPY_WRITE_BUFFER and tells which one was. Where that
 * fails, nothing is bound and nothing may be written: it would go to the host's. */
static gl_segsort_result segsort_bind_transfer(const segsort_gl *gl, uint32_t target,
                                               uint32_t buffer, int32_t *host_buffer,
                                               segsort_error *error)
{
    const char *reading = target == SEGSORT_GL_COPY_READ_BUFFER ? "reading COPY_READ_BUFFER"
                                                                : "reading COPY_WRITE_BUFFER";
    *host_buffer = 0;
    gl->GetIntegerv(target, host_buffer);
    gl_segsort_result result = segsort_gl_errors_check(gl, reading, error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl->BindBuffer(target, buffer);
    return segsort_gl_errors_check(gl, "binding a buffer of the library's", error);
}

gl_segsort_result segsort_gl_buffer_create(const segsort_gl *gl, uint64_t bytes, const void *data,
                                           uint32_t usage, const char *label, uint32_t *buffer,
                                           segsort_error *error)
{
    *buffer = 0;
    gl->GenBuffers(1, buffer);
    if (*buffer == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "GL gives no buffer name for '%s'", label);
    int32_t host_buffer;
    int64_t size = 0;
    gl_segsort_result result =
        segsort_bind_transfer(gl, SEGSORT_GL_COPY_WRITE_BUFFER, *buffer, &host_buffer, error);
    if (result != GL_SEGSORT_SUCCESS) {
        segsort_gl_buffer_delete(gl, buffer);
        return result;
    }
    gl->BufferData(SEGSORT_GL_COPY_WRITE_BUFFER, (ptrdiff_t)bytes, data, usage);
    gl->GetBufferParameteri64v(SEGSORT_GL_COPY_WRITE_BUFFER, SEGSORT_GL_BUFFER_SIZE, &size);
    gl->BindBuffer(SEGSORT_GL_COPY_WRITE_BUFFER, (uint32_t)host_buffer);
    if (size != (int64_t)bytes) {
        segsort_gl_buffer_delete(gl, buffer);
        return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "GL has no %" PRIu64 " bytes for '%s'", bytes, label);
    }
    gl->ObjectLabel(SEGSORT_GL_BUFFER, *buffer, -1, label);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_gl_buffer_write(const segsort_gl *gl, uint32_t buffer,
                                          uint64_t byte_offset, uint64_t bytes, const void *data,
                                          segsort_error *error)
{
    int32_t host_buffer;
    gl_segsort_result result =
        segsort_bind_transfer(gl, SEGSORT_GL_COPY_WRITE_BUFFER, buffer, &host_buffer, error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl->BufferSubData(SEGSORT_GL_COPY_WRITE_BUFFER, (ptrdiff_t)byte_offset, (ptrdiff_t)bytes, data);
    gl->BindBuffer(SEGSORT_GL_COPY_WRITE_BUFFER, (uint32_t)host_buffer);
    return GL_SEGSORT_SUCCESS;
}

/* Copies COPY_READ_BUFFER and reads the copy. */
static gl_segsort_result segsort_read_copy(const segsort_gl *gl, uint32_t copy, uint64_t bytes,
                                           void *data, segsort_error *error)
{
    int32_t host_buffer;
    gl_segsort_result result =
        segsort_bind_transfer(gl, SEGSORT_GL_COPY_WRITE_BUFFER, copy, &host_buffer, error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl->CopyBufferSubData(SEGSORT_GL_COPY_READ_BUFFER, SEGSORT_GL_COPY_WRITE_BUFFER, 0, 0,
                          (ptrdiff_t)bytes);
    gl->GetBufferSubData(SEGSORT_GL_COPY_WRITE_BUFFER, 0, (ptrdiff_t)bytes, data);
    gl->BindBuffer(SEGSORT_GL_COPY_WRITE_BUFFER, (uint32_t)host_buffer);
    return GL_SEGSORT_SUCCESS;
}

/* NVIDIA's driver moves a buffer that is read itself to the host's memory, whatever its usage hint,
 * and says so to the host's debug callback, with medium severity. */
gl_segsort_result segsort_gl_buffer_read(const segsort_gl *gl, uint32_t buffer, uint64_t bytes,
                                         void *data, segsort_error *error)
{
    uint32_t copy;
    int32_t host_buffer;
    gl_segsort_result result = segsort_gl_buffer_create(gl, bytes, NULL, SEGSORT_GL_STREAM_READ,
                                                        "read-back", &copy, error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    result = segsort_bind_transfer(gl, SEGSORT_GL_COPY_READ_BUFFER, buffer, &host_buffer, error);
    if (result == GL_SEGSORT_SUCCESS) {
        result = segsort_read_copy(gl, copy, bytes, data, error);
        gl->BindBuffer(SEGSORT_GL_COPY_READ_BUFFER, (uint32_t)host_buffer);
    }
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_gl_errors_check(gl, "reading a buffer", error);
    segsort_gl_buffer_delete(gl, &copy);
    return result;
}

void segsort_gl_buffer_delete(const segsort_gl *gl, uint32_t *buffer)
{
    if (*buffer != 0)
        gl->DeleteBuffers(1, buffer);
    *buffer = 0;
}
