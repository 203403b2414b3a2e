/* Plumes of smoke made of particles that live on the GPU, and the sequence in which they are drawn.
 * How many there are of each emitter changes every frame, and no frame waits to know. */
#ifndef PARTICLES_H
#define PARTICLES_H

#include <cglm/cglm.h>
#include <glad/gl.h>

#include "failure.h"
#include "gl_segsort.h"
#include "gl_segsort_keys.h"

enum { PARTICLES_EMITTERS = 512 }; /* as in demo/shaders/particles.glsl, as is all below */

enum particles_buffer {
    PARTICLES_RECORDS, /* a slot of rows an emitter, the live ones first */
    PARTICLES_COUNTS,
    PARTICLES_MOVED,         /* where rows went in this frame's step */
    PARTICLES_PLACES,        /* of emitters */
    PARTICLES_LIST,          /* the live rows, unsorted: a segment a domain */
    PARTICLES_KEYS,          /* of these */
    PARTICLES_SEQUENCE,      /* the list back to front */
    PARTICLES_EMITTER_KEYS,  /* and likewise for emitters */
    PARTICLES_EMITTER_ORDER, /* back to front */
    PARTICLES_COMMANDS, /* draw commands: PARTICLES_EMITTERS for the sequence, and for the list */
    PARTICLES_CELLS,    /* how many are in each cell of the air */
    PARTICLES_BUFFERS
};

enum particles_program {
    PARTICLES_SIMULATE,
    PARTICLES_LIGHT,
    PARTICLES_COMMAND,
    PARTICLES_ENUMERATE,
    PARTICLES_KEEP,
    PARTICLES_PROGRAMS
};

struct particle {
    float position[3], age, velocity[3], life;
};

/* PARTICLES_COUNTS: a number an emitter each, and of all emitters. */
struct particles_counts {
    uint32_t count[PARTICLES_EMITTERS];
    uint32_t kept[PARTICLES_EMITTERS];
    uint32_t had[PARTICLES_EMITTERS];
    uint32_t offset[PARTICLES_EMITTERS];
    uint32_t added[PARTICLES_EMITTERS];
    uint32_t total, total_kept, total_had;
};

enum particles_plan {
    PARTICLES_PLAN_EMITTERS,   /* the emitters themselves */
    PARTICLES_PLAN_SLOTS,      /* each emitter's particles: a segment an emitter */
    PARTICLES_PLAN_ONE,        /* all particles: one segment */
    PARTICLES_PLAN_KEEP_SLOTS, /* these take the dead out of the sequences of the two above, */
    PARTICLES_PLAN_KEEP_ONE,   /* by a key of one bit */
    PARTICLES_PLANS
};

struct particles {
    GLuint buffers[PARTICLES_BUFFERS];
    GLuint programs[PARTICLES_PROGRAMS];
    GLuint sunlight; /* a texture of the air's cells: how much of the sun's light is left there */
    gl_segsort_context *context;
    gl_segsort_plan *plans[PARTICLES_PLANS];
    uint32_t slot; /* rows an emitter */
    uint32_t seed;
    bool one_domain; /* what the sequence on the GPU is of */
    unsigned unsorted_frames;
    bool sequence_is_sorted;
    double time;
    struct failure why; /* the library's last one */
};

/* How a frame is to be made. */
struct particles_order {
    int sorting;     /* every so many frames; 0: never */
    bool one_domain; /* all together, else emitter by emitter */
    bool cpu_oracle; /* on the CPU, which waits for the GPU */
    float fill;      /* of a slot, on average: as many are born as that takes */
    float falling;   /* the emitter of rank r, from 1, has r to the power of -falling of that */
};

/* capacity is rounded up to whole rows an emitter. */
bool particles_create(struct particles *particles, uint32_t capacity, uint32_t seed,
                      gl_segsort_get_proc_address get_proc_address,
                      gl_segsort_program_cache program_cache, struct failure *failure);
void particles_destroy(struct particles *particles);

/* One frame: simulates, and brings what lives into the order that it is drawn in. Of 0 seconds, only
 * the latter. */
bool particles_update(struct particles *particles, const struct particles_order *order,
                      unsigned frame, float seconds, mat4 view, struct failure *failure);

/* Reads the counts; waits. */
void particles_read_counts(const struct particles *particles, struct particles_counts *counts);

/* Draws the points with the program in use, in the sequence's order or, unsorted, in the list's. */
void particles_draw_points(const struct particles *particles, bool sorted);

/* An emitter's rank in sizes, from 1. */
uint32_t particles_rank(uint32_t emitter);

/* How the keys are made of the view: of the particles in the list, or of the emitters. */
gl_segsort_depth_keys_desc particles_keys_desc(const struct particles *particles, mat4 view);
gl_segsort_depth_keys_desc particles_emitter_keys_desc(const struct particles *particles,
                                                       mat4 view);

/* Writes the sequence and the emitters' order as the CPU has them, from what the GPU would sort.
 * Defined in particles_oracle.c. */
bool particles_order_on_cpu(const struct particles *particles, mat4 view, struct failure *failure);
void particles_order_emitters_on_cpu(const struct particles *particles, mat4 view);

#endif
