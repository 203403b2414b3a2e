#include "mesh_buffers.h"

#include <string.h>

GLuint mesh_buffers_create_buffer(const char *label, size_t size, const void *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    glObjectLabel(GL_BUFFER, buffer, -1, label);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

static bool check_size(const struct mesh *mesh, const char *what, size_t size, GLint64 limit,
                       struct failure *failure)
{
    return size <= (uint64_t)limit ||
           failure_set(failure,
                       "%s: its %s take %zu bytes, and this driver's shader storage blocks "
                       "hold %lld",
                       mesh->name, what, size, (long long)limit);
}

bool mesh_buffers_create(struct mesh_buffers *buffers, const struct mesh *mesh,
                         struct failure *failure)
{
    size_t positions_size = 3 * sizeof(float) * (size_t)mesh->vertex_count;
    size_t indices_size = 3 * sizeof(uint32_t) * (size_t)mesh->triangle_count;
    GLint64 limit = 0;
    memset(buffers, 0, sizeof *buffers);
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
    if (!check_size(mesh, "vertices", positions_size, limit, failure) ||
        !check_size(mesh, "triangles", indices_size, limit, failure))
        return false;
    buffers->positions = mesh_buffers_create_buffer("positions", positions_size, mesh->positions);
    buffers->indices = mesh_buffers_create_buffer("file order", indices_size, mesh->indices);
    buffers->sorted_indices =
        mesh_buffers_create_buffer("Morton order", indices_size, mesh->indices);
    return glGetError() != GL_OUT_OF_MEMORY ||
           failure_set(failure, "%s: GL is out of memory", mesh->name);
}

void mesh_buffers_destroy(struct mesh_buffers *buffers)
{
    const GLuint names[] = {buffers->positions, buffers->indices, buffers->sorted_indices};
    glDeleteBuffers(sizeof names / sizeof names[0], names);
    memset(buffers, 0, sizeof *buffers);
}
