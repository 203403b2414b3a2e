#include "read_back.h"

#include <glad/gl.h>

void read_back(unsigned buffer, size_t size, void *data)
{
    GLuint copy;
    glGenBuffers(1, &copy);
    glBindBuffer(GL_COPY_WRITE_BUFFER, copy);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)size);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    glDeleteBuffers(1, &copy);
}
