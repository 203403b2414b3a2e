/* Leaves the host's GL state as it was: the bindings that the library uses, and pending errors. */
#ifndef SEGSORT_GL_STATE_H
#define SEGSORT_GL_STATE_H

#include "gl_table.h"
#include "layout.h"

typedef struct segsort_indexed_binding {
    int32_t buffer;
    int64_t start, size; /* 0, 0 when it was bound whole */
} segsort_indexed_binding;

/* Everything that gl_segsort_sort binds. */
typedef struct segsort_gl_state {
    int32_t program;
    int32_t program_deleted;                  /* but still in use */
    int32_t feedback_active, feedback_paused; /* transform feedback */
    int32_t storage_buffer, uniform_buffer;
    bool listed; /* what only the sort of a listed plan binds is there as well */
    int32_t indirect_buffer;
    segsort_indexed_binding storage[SEGSORT_STORAGE_BINDINGS];
    segsort_indexed_binding uniform;
} segsort_gl_state;

void segsort_gl_state_save(const segsort_gl *gl, bool listed, segsort_gl_state *state);
void segsort_gl_state_restore(const segsort_gl *gl, const segsort_gl_state *state);

/* Fails where GL would not let the library's programs be used, or the host's program be put back
 * afterwards. */
gl_segsort_result segsort_gl_state_check(const segsort_gl_state *state, segsort_error *error);

/* Takes an error that the host left pending off the queue, so that an error of the library's can be
 * told apart from it. Fails when it is one that segsort_gl_errors_end could not put back. */
gl_segsort_result segsort_gl_errors_begin(const segsort_gl *gl, uint32_t *host_error,
                                          segsort_error *error);

/* Fails if GL raised an error since segsort_gl_errors_begin, in the middle of the work. */
gl_segsort_result segsort_gl_errors_check(const segsort_gl *gl, const char *doing,
                                          segsort_error *error);

/* Gives what the work came to, or a failure if it succeeded but GL raised an error since; doing
 * names what the library was doing. Puts the host's error back in any case. */
gl_segsort_result segsort_gl_errors_end(const segsort_gl *gl, uint32_t host_error,
                                        gl_segsort_result result, const char *doing,
                                        segsort_error *error);

#endif
