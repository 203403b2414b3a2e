/* Fountains of particles that live on the GPU, and the sequence in which they are drawn. How many
 * there are of each emitter changes every frame, and nothing of it comes to the host. */
#ifndef PARTICLES_H
#define PARTICLES_H

#include <cglm/cglm.h>
#include <glad/gl.h>

#include "failure.h"
#include "gl_segsort.h"
#include "gl_segsort_keys.h"

enum { PARTICLES_EMITTERS = 256 }; /* as in demo/shaders/particles.glsl, as is all below */

enum particles_buffer {
    PARTICLES_RECORDS, /* a slot of rows an emitter, the live ones first */
    PARTICLES_COUNTS,
    PARTICLES_MOVED,         /* where rows went in this frame's step */
    PARTICLES_PLACES,        /* of emitters */
    PARTICLES_LIST,          /* the live rows, unsorted: a segment a domain */
    PARTICLES_KEYS,          /* of these */
    PARTICLES_SORTED_KEYS,   /* thrown away */
    PARTICLES_ORDER,         /* rows of the segment, sorted */
    PARTICLES_SEQUENCE,      /* the list in the order that is drawn */
    PARTICLES_EMITTER_KEYS,  /* and likewise for emitters */
    PARTICLES_EMITTER_ORDER, /* back to front */
    PARTICLES_COMMANDS,      /* draw commands */
    PARTICLES_BUFFERS
};

enum particles_program {
    PARTICLES_SIMULATE,
    PARTICLES_COMMAND,
    PARTICLES_ENUMERATE,
    PARTICLES_KEEP,
    PARTICLES_SPRITE,
    PARTICLES_SOLID,
    PARTICLES_PROGRAMS
};

struct particle {
    float position[3], age, velocity[3], life;
};

/* The first words of PARTICLES_COUNTS, each with a number an emitter but for the last. */
struct particles_counts {
    uint32_t count[PARTICLES_EMITTERS];
    uint32_t kept[PARTICLES_EMITTERS];
    uint32_t had[PARTICLES_EMITTERS];
    uint32_t offset[PARTICLES_EMITTERS];
    uint32_t total;
};

struct particles {
    GLuint buffers[PARTICLES_BUFFERS];
    GLuint programs[PARTICLES_PROGRAMS];
    GLuint no_vertices;
    gl_segsort_context *context;
    gl_segsort_plan *emitter_plan; /* the emitters themselves */
    gl_segsort_plan *slot_plan;    /* each emitter's particles: a segment an emitter */
    gl_segsort_plan *one_plan;     /* all particles: one segment */
    uint32_t slot;                 /* rows an emitter */
    uint32_t seed;
    bool one_domain; /* what the sequence on the GPU is of */
    unsigned unsorted_frames;
    bool sequence_is_sorted;
    double time;
};

/* How a frame is to be ordered. */
struct particles_order {
    int sorting;     /* every so many frames; 0: never */
    bool one_domain; /* all together, else emitter by emitter */
    bool cpu_oracle; /* on the CPU, which waits for the GPU */
};

/* capacity is rounded up to whole rows an emitter. */
bool particles_create(struct particles *particles, uint32_t capacity, uint32_t seed,
                      gl_segsort_get_proc_address get_proc_address, struct failure *failure);
void particles_destroy(struct particles *particles);

/* One frame: simulates, and brings what lives into the order that it is drawn in. */
bool particles_update(struct particles *particles, const struct particles_order *order,
                      unsigned frame, float seconds, mat4 view, struct failure *failure);

/* Draws the ground and, over it, the particles, into the framebuffer that is bound. */
void particles_draw(const struct particles *particles, mat4 view, mat4 projection, int height);

/* Reads the counts; waits. */
void particles_read_counts(const struct particles *particles, struct particles_counts *counts);

/* How the keys are made of the view: of the particles in the list, or of the emitters. */
gl_segsort_depth_keys_desc particles_keys_desc(const struct particles *particles, mat4 view);
gl_segsort_depth_keys_desc particles_emitter_keys_desc(const struct particles *particles,
                                                       mat4 view);

/* Writes the sequence and the emitters' order as the CPU has them, from what the GPU would sort.
 * Defined in particles_oracle.c. */
bool particles_order_on_cpu(const struct particles *particles, mat4 view, struct failure *failure);
void particles_order_emitters_on_cpu(const struct particles *particles, mat4 view);

#endif
