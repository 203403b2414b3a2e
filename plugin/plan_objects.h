/* A plan and its GL objects: programs, table, pass parameters, scratch. */
#ifndef SEGSORT_PLAN_OBJECTS_H
#define SEGSORT_PLAN_OBJECTS_H

#include "bind.h"
#include "pipeline.h"
#include "timer.h"

/* A driver may round the size of a std140 block up to that of a vec4. */
#define SEGSORT_PARAMS_BYTES ((sizeof(struct segsort_pass_params) + 15) / 16 * 16)

struct gl_segsort_plan {
    gl_segsort_context *context;
    gl_segsort_plan *previous, *next; /* of the context's plans */
    segsort_plan plan;
    /* One a pass, in the order of segsort_plan_pass. Those of gathers and Morton codes have no
     * programs, NULL, until they are wanted. */
    gl_segsort_pass_description *descriptions;
    segsort_program **programs;
    segsort_sections *sections; /* one a set, of the call that is being recorded */
    segsort_span *spans;        /* memory for checking a batch */
    uint32_t *span_numbers;
    bool timed;
    segsort_timer timer;
    void *timer_memory;     /* NULL: the plan is not timed */
    uint32_t params_stride; /* bytes from a pass's parameters to the next one's */
    uint32_t table_buffer, params_buffer;
    uint32_t commands_buffer; /* of a listed plan: each pass's work groups */
    uint32_t scratch_buffer;  /* 0: there is none, or it is the host's */
    segsort_own_sections own; /* the scratch is there whosever it is */
    char label[SEGSORT_LABEL_BYTES];
};

/* Compiles the programs and makes the buffers. On an error whatever was made is left to
 * segsort_plan_objects_release. */
gl_segsort_result segsort_plan_objects_create(gl_segsort_plan *plan);

/* Compiles what gathers need, and Morton codes. */
gl_segsort_result segsort_plan_objects_create_gather(gl_segsort_plan *plan);
gl_segsort_result segsort_plan_objects_create_morton(gl_segsort_plan *plan);

/* Runs work, which creates GL objects, with the host's pending error kept and GL's own errors
 * caught. */
gl_segsort_result segsort_plan_objects_guarded(gl_segsort_plan *plan, const char *doing,
                                               gl_segsort_result (*work)(gl_segsort_plan *plan));

/* Deletes the plan's GL objects; makes no GL call when the context is lost. */
void segsort_plan_objects_release(gl_segsort_plan *plan);

#endif
