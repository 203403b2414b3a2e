/* The scene of smoke around a mesh: a camera that goes round it, the keys, the panel, the status. */
#ifndef SCENE_PARTICLES_H
#define SCENE_PARTICLES_H

#include "camera.h"
#include "particles.h"
#include "particles_picture.h"
#include "particles_watch.h"
#include "scene.h"

extern const struct scene scene_particles;

enum plumes_sorting { PLUMES_SORTED, PLUMES_UNSORTED, PLUMES_SOMETIMES };

/* What the keys and the panel change. */
struct plumes_choices {
    uint32_t sorting; /* plumes_sorting */
    uint32_t every;   /* so many frames it sorts, sometimes */
    uint32_t domain;  /* 1: all in one */
    uint32_t lengths; /* of emitters: 0 equal, 1 by a power law */
    float falling;    /* the power law's exponent */
    float births;     /* scales how many are born */
    bool turning;     /* the camera goes round */
    bool frozen;      /* nothing but the camera moves */
    struct particles_look look;
};

/* The scene's state. */
struct plumes {
    struct particles particles;
    struct particles_picture picture;
    struct particles_watch watch;
    struct camera camera;
    struct plumes_choices choices;
    bool cpu_oracle;
    bool few; /* as the driver has no GPU, and nobody asked for a number */
    int width;
    int height;
};

/* The scene's widgets. Defined in scene_particles_panel.c. */
void plumes_panel(void *state);

/* One line that tells how it is sorted. */
void plumes_describe_sorting(const struct plumes *plumes, char *text, size_t size);

#endif
