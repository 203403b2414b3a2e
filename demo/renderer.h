/* Draws a model in one of its orders, each triangle coloured by its place in the order of its
 * segment. */
#ifndef RENDERER_H
#define RENDERER_H

#include "model.h"

struct renderer {
    GLuint mesh_program;
    GLuint background_program;
    GLuint curve_program;
    GLuint no_vertices;
};

/* A part of the picture, in pixels from its lower left corner. */
struct renderer_pane {
    int x, y, width, height;
    int left, right; /* pixels on both sides that the mesh keeps clear of */
    enum order order;
};

#define RENDERER_NO_SEGMENT UINT32_MAX

struct renderer_look {
    const struct camera *camera;
    uint32_t first;  /* only so many triangles: */
    bool of_each;    /* of each segment, or of all of them, one behind the other */
    bool curve;      /* through the centroids, in the order */
    bool through;    /* faintly behind the mesh too, which takes long without a GPU */
    float seconds;   /* how long it has wobbled; below 0: it doesn't */
    uint32_t picked; /* the segment that stands out, before all others; or RENDERER_NO_SEGMENT */
};

bool renderer_create(struct renderer *renderer, struct failure *failure);
void renderer_destroy(struct renderer *renderer);

/* How many triangles of the segment are drawn. */
uint32_t renderer_shown(const struct renderer_look *look, const struct mesh_segment *segment);

/* Into the framebuffer that is bound, whose depth is clear there. */
void renderer_draw(const struct renderer *renderer, const struct model *model,
                   const struct renderer_look *look, const struct renderer_pane *pane);

#endif
