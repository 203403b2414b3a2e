/* From a variant of a kernel to a program: compiled on first use, kept with the context. */
#ifndef SEGSORT_PIPELINE_H
#define SEGSORT_PIPELINE_H

#include "context.h"

struct segsort_program {
    segsort_program *next;
    segsort_variant variant;
    uint32_t program;
    uint32_t shader;                   /* of a program that is begun and not finished, else 0 */
    char key[SEGSORT_CACHE_KEY_BYTES]; /* that it is to be kept under, "" for none */
    bool words_known;
    uint32_t view_word[SEGSORT_VIEW_WORDS]; /* the uniforms' present values */
    uint32_t list_word[SEGSORT_LIST_WORDS];
};

/* Finds the program, loads what the host kept of it, or hands its source to the compiler, and asks nothing that would wait for it:
 * drivers compile what is begun side by side. No program may be used before it is finished. */
gl_segsort_result segsort_pipeline_begin(gl_segsort_context *context,
                                         const segsort_variant *variant, segsort_program **program);

/* Waits for a program, unless it is finished already. Compile errors come with the driver's log and
 * the files that its numbers stand for. */
gl_segsort_result segsort_pipeline_finish(gl_segsort_context *context, segsort_program *program);

/* Deletes whatever is begun and not finished: what is to be done where begin or finish fail. */
void segsort_pipeline_drop(gl_segsort_context *context);

/* Begins and finishes one program, and drops what is begun where that fails. */
gl_segsort_result segsort_pipeline_get(gl_segsort_context *context, const segsort_variant *variant,
                                       segsort_program **program);

/* The same as all that a call does: the host's pending error is kept, and
 * GL's own errors are caught. */
gl_segsort_result segsort_pipeline_get_guarded(gl_segsort_context *context,
                                               const segsort_variant *variant, const char *doing,
                                               segsort_program **program);

/* Deletes the programs for subgroups of these kernels, a bit each, which no plan may have. */
void segsort_pipeline_drop_subgroups(gl_segsort_context *context, uint64_t kernels);

/* Deletes all programs; without GL calls when the context is lost. */
void segsort_pipeline_release(gl_segsort_context *context);

#endif
