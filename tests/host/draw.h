/* Programs and render targets of the host's own. */
#ifndef DRAW_H
#define DRAW_H

#include "host.h"

/* Programs from GLSL text. A text that doesn't compile ends the test program, with the driver's
 * log. fragment may be NULL; varying, if not NULL, is captured by transform feedback. */
GLuint draw_program(const char *vertex, const char *fragment, const char *varying);
GLuint draw_separable_program(const char *vertex, const char *fragment, const char *varying);
GLuint draw_compute_program(const char *compute);

/* Layers of GL_R32UI texels to draw to and compare bit by bit. */
struct draw_target {
    GLsizei width, height, layers;
    GLuint texture, framebuffer;
};

void draw_target_create(struct draw_target *target, GLsizei width, GLsizei height, GLsizei layers);
void draw_target_destroy(struct draw_target *target);

/* Binds the framebuffer and the viewport to a layer and clears it. */
void draw_target_begin(const struct draw_target *target, GLsizei layer);

/* All layers' texels, to be freed. Leaves no framebuffer bound. */
uint32_t *draw_target_read(const struct draw_target *target);

#endif
