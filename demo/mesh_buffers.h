/* The mesh in GL buffers. */
#ifndef MESH_BUFFERS_H
#define MESH_BUFFERS_H

#include <glad/gl.h>

#include "mesh.h"

struct mesh_buffers {
    GLuint positions; /* 3 floats a vertex */
    GLuint indices;   /* in file order, 3 a triangle */
    GLuint sorted_indices;
};

/* A labelled buffer for GL_STATIC_DRAW with data, which may be NULL. */
GLuint mesh_buffers_create_buffer(const char *label, size_t size, const void *data);

/* Uploads the mesh; sorted_indices starts as a copy of the file order. Fails when a buffer is over
 * GL_MAX_SHADER_STORAGE_BLOCK_SIZE or memory is out. */
bool mesh_buffers_create(struct mesh_buffers *buffers, const struct mesh *mesh,
                         struct failure *failure);
void mesh_buffers_destroy(struct mesh_buffers *buffers);

#endif
