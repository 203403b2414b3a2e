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
                         const struct mesh_orders *orders, struct failure *failure)
{
    static const char *const labels[ORDER_COUNT] = {"file order", "Morton order", "spatial order",
                                                    "cache order"};
    size_t positions_size = 3 * sizeof(float) * (size_t)mesh->vertex_count;
    size_t indices_size = 3 * sizeof(uint32_t) * (size_t)mesh->triangle_count;
    GLint64 limit = 0;
    memset(buffers, 0, sizeof *buffers);
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
    if (!check_size(mesh, "vertices", positions_size, limit, failure) ||
        !check_size(mesh, "triangles", indices_size, limit, failure))
        return false;
    buffers->rest = mesh_buffers_create_buffer("rest", positions_size, mesh->positions);
    buffers->positions = mesh_buffers_create_buffer("positions", positions_size, mesh->positions);
    for (int order = 0; order < ORDER_COUNT; order++) {
        const uint32_t *indices = orders ? orders->indices[order] : NULL;
        if (indices || order <= ORDER_MORTON)
            buffers->orders[order] = mesh_buffers_create_buffer(labels[order], indices_size,
                                                                indices ? indices : mesh->indices);
    }
    if (glGetError() != GL_OUT_OF_MEMORY)
        return true;
    mesh_buffers_destroy(buffers);
    return failure_set(failure, "%s: GL is out of memory", mesh->name);
}

void mesh_buffers_destroy(struct mesh_buffers *buffers)
{
    glDeleteBuffers(1, &buffers->rest);
    glDeleteBuffers(1, &buffers->positions);
    glDeleteBuffers(ORDER_COUNT, buffers->orders);
    memset(buffers, 0, sizeof *buffers);
}
