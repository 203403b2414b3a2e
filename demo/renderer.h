/* Draws the mesh in one of the two orders into a picture of its own, each triangle coloured by its
 * place in the order. */
#ifndef RENDERER_H
#define RENDERER_H

#include "camera.h"
#include "canvas.h"
#include "mesh_buffers.h"

enum order { ORDER_FILE, ORDER_MORTON, ORDER_COUNT };

struct renderer {
    const struct mesh *mesh;
    GLuint mesh_program;
    GLuint background_program;
    GLuint vertex_arrays[ORDER_COUNT];
    GLuint no_vertices;
    struct canvas canvas;
};

/* mesh and buffers have to outlive it. */
bool renderer_create(struct renderer *renderer, const struct mesh *mesh,
                     const struct mesh_buffers *buffers, struct failure *failure);
void renderer_destroy(struct renderer *renderer);

/* Sets the picture's size; needed before the first drawing. */
bool renderer_resize(struct renderer *renderer, int width, int height, struct failure *failure);

void renderer_draw(const struct renderer *renderer, const struct camera *camera, enum order order);

#endif
