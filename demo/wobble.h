/* Moves a model's vertices by time, on the GPU. */
#ifndef WOBBLE_H
#define WOBBLE_H

#include "model.h"

/* A program; 0 with the reason where there can be none. */
GLuint wobble_create(struct failure *failure);

/* Writes the model's positions as they are after so many seconds; the camera tells its unit sphere.
 * The Morton keys that follow see them, and so do vertex arrays. */
void wobble_move(GLuint program, const struct model *model, const struct camera *camera,
                 float seconds);

/* Puts them back to rest. */
void wobble_rest(const struct model *model);

#endif
