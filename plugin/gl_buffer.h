/* The library's own GL buffers. */
#ifndef SEGSORT_GL_BUFFER_H
#define SEGSORT_GL_BUFFER_H

#include "gl_table.h"

/* Makes a buffer of that size with a label, holding data or nothing in particular (NULL). usage is
 * GL's hint. COPY_WRITE_BUFFER is put back. */
gl_segsort_result segsort_gl_buffer_create(const segsort_gl *gl, uint64_t bytes, const void *data,
                                           uint32_t usage, const char *label, uint32_t *buffer,
                                           segsort_error *error);

/* Writes into a buffer of the library's. COPY_WRITE_BUFFER is put back. */
gl_segsort_result segsort_gl_buffer_write(const segsort_gl *gl, uint32_t buffer,
                                          uint64_t byte_offset, uint64_t bytes, const void *data,
                                          segsort_error *error);

/* Waits for the GPU, and reads the buffer's first bytes by way of a copy, which is gone afterwards.
 * COPY_READ_BUFFER and COPY_WRITE_BUFFER are put back. */
gl_segsort_result segsort_gl_buffer_read(const segsort_gl *gl, uint32_t buffer, uint64_t bytes,
                                         void *data, segsort_error *error);

/* Deletes it and sets it to 0; 0 is ignored. */
void segsort_gl_buffer_delete(const segsort_gl *gl, uint32_t *buffer);

#endif
