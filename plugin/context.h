/* A GL context's capabilities, its programs, and the host's callbacks. */
#ifndef SEGSORT_CONTEXT_H
#define SEGSORT_CONTEXT_H

#include "desc.h"
#include "gl_table.h"
#include "plan.h"
#include "program_cache.h"

typedef struct segsort_program segsort_program;

/* What is known of kernels for subgroups, by self_test.c; a bit stands for a kernel. */
typedef struct segsort_subgroup_trust {
    uint32_t told_size; /* by GL, 0: only a shader can tell */
    bool probed;        /* the primitives are right */
    uint64_t proven;    /* kernels whose test has passed */
    uint64_t told_of;   /* kernels that the log says are portable */
} segsort_subgroup_trust;

struct gl_segsort_context {
    segsort_gl gl;
    segsort_limits limits; /* its tuning is an entry of the table, unless it was set */
    gl_segsort_allocator allocator;
    gl_segsort_log log;
    void *log_user;
    gl_segsort_state_policy state_policy;
    gl_segsort_kernel_path kernel_path;
    segsort_subgroup_trust trust;
    void *(*get_current_context)(void); /* NULL: unknown */
    void *gl_context;                   /* what it gave at creation */
    bool lost;                          /* no GL call may be made any more */
    bool destroyed;                     /* by the host; plans still hold the memory */
    gl_segsort_plan *plans;             /* all that exist */
    segsort_program_cache cache;
    segsort_program *programs;
    segsort_program *depth_program; /* NULL until it is wanted */
    segsort_error error;
    char label[SEGSORT_LABEL_BYTES];
};

/* Passes a failure on to the log and gives its result; success passes through. */
gl_segsort_result segsort_context_report(gl_segsort_context *context, gl_segsort_result result);

void segsort_context_log(const gl_segsort_context *context, gl_segsort_log_level level,
                         const char *format, ...) SEGSORT_PRINTF(3, 4);

void *segsort_context_allocate(const gl_segsort_context *context, size_t size);
void segsort_context_release(const gl_segsort_context *context, void *memory);

/* Fails unless GL calls may be made: the context not lost, and its GL context current. */
gl_segsort_result segsort_context_check(gl_segsort_context *context);

/* As segsort_context_check, and asks GL whether the context was reset. */
gl_segsort_result segsort_context_check_reset(gl_segsort_context *context);

/* What a call that is made every frame checks: LEAVE_DIRTY asks GL nothing. */
gl_segsort_result segsort_context_check_call(gl_segsort_context *context);

/* Loads, checks and asks everything that gl_segsort_context_create promises; the context's
 * allocator and log are set. */
gl_segsort_result segsort_context_init(gl_segsort_context *context,
                                       const gl_segsort_context_desc *desc);

/* What plans go by that are made from now on, in place of the driver's entry of the table; it has
 * to stay where it is. For tests and the benchmark, which know the header, but no functions of a
 * shared library that are not in the API. */
static inline void segsort_context_set_tuning(gl_segsort_context *context,
                                              const segsort_tuning *tuning)
{
    context->limits.tuning = tuning;
}

#endif
