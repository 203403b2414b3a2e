/* The mesh in GL buffers. */
#ifndef MESH_BUFFERS_H
#define MESH_BUFFERS_H

#include <glad/gl.h>

#include "mesh_orders.h"

struct mesh_buffers {
    GLuint rest;                /* 3 floats a vertex, as the file has them */
    GLuint positions;           /* the same or moved: what is sorted and shown */
    GLuint orders[ORDER_COUNT]; /* index buffers, 3 a triangle */
};

/* A labelled buffer for GL_STATIC_DRAW with data, which may be NULL. */
GLuint mesh_buffers_create_buffer(const char *label, size_t size, const void *data);

/* Uploads the mesh, and the orders if there are any (NULL: none); the Morton order starts as a copy
 * of the file's. Fails when a buffer is over GL_MAX_SHADER_STORAGE_BLOCK_SIZE or memory is out. */
bool mesh_buffers_create(struct mesh_buffers *buffers, const struct mesh *mesh,
                         const struct mesh_orders *orders, struct failure *failure);
void mesh_buffers_destroy(struct mesh_buffers *buffers);

#endif
