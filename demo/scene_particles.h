/* The scene of fountains: a camera that goes round them, the keys, the status. */
#ifndef SCENE_PARTICLES_H
#define SCENE_PARTICLES_H

#include "particles.h"
#include "scene.h"

extern const struct scene scene_particles;

/* What is behind the scene's state, for tests. */
const struct particles *scene_particles_of(const void *state);

#endif
