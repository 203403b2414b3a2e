/* Draws the particles as smoke, around a mesh that stands on the ground: what is solid first, then
 * the smoke, which fades where it comes near to that, then both as a picture. */
#ifndef PARTICLES_PICTURE_H
#define PARTICLES_PICTURE_H

#include "camera.h"
#include "mesh_buffers.h"
#include "particles.h"

enum particles_texture {
    PICTURE_SOLID_LIGHT,
    PICTURE_SOLID_DEPTH,
    PICTURE_SMOKE,       /* times its opacity, which is in the fourth channel */
    PICTURE_SMOKE_DEPTH, /* of what is solid, at the smoke's size */
    PICTURE_TEXTURES
};

struct particles_picture {
    GLuint ground_program, mesh_program, sprite_program, compose_program;
    GLuint no_vertices, mesh_vertices;
    GLuint samples[2];      /* light and depth of what is solid, multisampled */
    GLuint smoke_test;      /* depth that the smoke is tested against */
    GLuint framebuffers[4]; /* of samples; of solid light and depth; of smoke; of its depth */
    GLuint textures[PICTURE_TEXTURES];
    struct mesh mesh;
    struct mesh_buffers mesh_buffers;
    struct camera fit; /* takes the mesh into the unit sphere, */
    mat4 placed;       /* and that takes it from there to where it is shown */
    int width, height;
    unsigned divisor; /* pixels of the picture to one of the smoke, along each axis */
    bool complete;
};

/* How it is drawn. Positive numbers scale what is right for the number of particles. */
struct particles_look {
    float size;
    float opacity;
    float softness; /* of where smoke meets solids; 0: cut off hard */
    bool half;      /* the smoke has half of the pixels along each axis */
    bool split;     /* the picture's left part is unsorted */
    float split_at; /* of its width */
    bool sorted;    /* the rest is in the sequence's order */
    bool show_mesh;
};

bool particles_picture_create(struct particles_picture *picture, const char *mesh_path,
                              struct failure *failure);
void particles_picture_destroy(struct particles_picture *picture);

/* Another mesh; NULL: the default one, "generated": that made by code. A failure leaves the old one. */
bool particles_picture_load(struct particles_picture *picture, const char *path,
                            struct failure *failure);

void particles_picture_resize(struct particles_picture *picture, int width, int height);

/* Whether there is memory for a picture of this size, else why not. */
bool particles_picture_check(const struct particles_picture *picture, struct failure *failure);

void particles_picture_draw(struct particles_picture *picture, const struct particles *particles,
                            const struct particles_look *look, mat4 view, mat4 projection,
                            GLuint framebuffer);

#endif
