/* The scene of a mesh whose submeshes' triangles are sorted along Morton curves. What is here beside
 * the scene is for its panel, and for tests. */
#ifndef SCENE_MORTON_H
#define SCENE_MORTON_H

#include "figures.h"
#include "mesh_list.h"
#include "mesh_loader.h"
#include "renderer.h"
#include "scene.h"

enum { MORTON_PANES = 4 };

/* All that a picture depends on. */
struct morton_picture {
    GLuint framebuffer;
    int width, height, covered[2];
    struct camera camera;
    uint32_t order, left, panes, picked, first;
    bool of_each, curve, animate;
    float seconds;
    unsigned sort_count;
};

struct morton_scene {
    const struct options *options;
    struct morton_context context;
    struct renderer renderer;
    GLuint wobble;
    struct model *model;
    struct figures figures;
    struct camera camera;
    struct mesh_loader loader;
    struct mesh_list list; /* of installed files, once it was asked for */
    bool listed;
    char filter[64];
    struct failure trouble; /* why the latest file isn't shown; "" */
    bool told;              /* what came of it, or there was none */
    int width;
    int height;
    int covered[2]; /* pixels on the left and on the right */

    /* What is shown. */
    uint32_t order;  /* enum order: where there is one pane or on the right of two */
    uint32_t left;   /* on the left of two */
    uint32_t panes;  /* 1, 2 or 4 */
    uint32_t picked; /* segment, or RENDERER_NO_SEGMENT */
    uint32_t first;  /* triangles drawn: of each segment, or of all */
    bool of_each;
    bool curve;
    bool playing;  /* first goes up */
    double played; /* exactly */
    bool turned;   /* the camera was moved by hand */

    bool animate;
    float seconds; /* of the animation */
    unsigned key_bits;
    unsigned frame;
    unsigned sort_count;
    struct morton_picture drawn; /* latest; {0}: nothing is left of it */
    bool sorted;                 /* since what it depends on has changed */
    unsigned figures_at;         /* frame of the latest start */
    bool correct;                /* whatever the report found */
};

extern const struct scene scene_morton;

/* Starts loading a file; waits for it where there is no window. */
bool morton_open(struct morton_scene *scene, const char *path, struct failure *failure);

/* Takes what was loaded, if it was: waits for it if so wished. False, with the reason in trouble,
 * where it could not be; then the mesh before stays. */
bool morton_adopt(struct morton_scene *scene, bool wait);

/* The most that first can be. */
uint32_t morton_most(const struct morton_scene *scene);

void morton_set_panes(struct morton_scene *scene, uint32_t panes);
void morton_set_of_each(struct morton_scene *scene, bool of_each);
void morton_set_animate(struct morton_scene *scene, bool animate);
void morton_play(struct morton_scene *scene);
bool morton_set_key_bits(struct morton_scene *scene, unsigned key_bits);

/* Its panes, and how many. */
unsigned morton_layout(const struct morton_scene *scene, struct renderer_pane panes[MORTON_PANES]);

/* The scene's panel, and its times in another one. Defined in scene_morton_panel.c. */
void morton_panel(void *state);
void morton_times_panel(void *state);

#endif
