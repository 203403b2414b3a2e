/*
 * A GL 4.3 to 4.6 without a GPU, behind a gl_segsort_get_proc_address. It keeps the objects and
 * bindings of the library and its host, checks arguments as GL does, writes down every call, and
 * makes the call fail that a test names.
 *
 * There is one, and it is global: GL functions have no user pointer either. Tests read and change
 * its fields directly.
 */
#ifndef FAKE_GL_H
#define FAKE_GL_H

#include "gl_table.h"
#include "layout.h"

#define FAKE_GL_BINDINGS 16 /* of each indexed target */
#define FAKE_GL_TEXT_BYTES 192
#define FAKE_GL_BINARY_FORMAT 0x7777u

/* Every function that the library may load. */
#define FAKE_GL_FUNCTION_LIST(X)                                                                   \
    SEGSORT_GL_FUNCTIONS(X)                                                                        \
    X(uint32_t, GetGraphicsResetStatus, (void))

enum fake_gl_function {
#define FAKE_GL_ENUMERATOR(type, name, parameters) FAKE_GL_##name,
    FAKE_GL_FUNCTION_LIST(FAKE_GL_ENUMERATOR)
#undef FAKE_GL_ENUMERATOR
        FAKE_GL_FUNCTIONS
};

/* "BindBuffer STORAGE keys": the function, enumerators by short names, objects by their labels. */
struct fake_gl_call {
    enum fake_gl_function function;
    char text[FAKE_GL_TEXT_BYTES];
};

struct fake_gl_buffer {
    uint32_t name;
    bool host;   /* made by fake_gl_host_buffer: not the library's to delete */
    bool alive;  /* the name is taken */
    bool exists; /* it was bound once, which is when GL makes the object */
    bool output; /* the host's, and dispatches may write it */
    uint64_t size;
    uint32_t usage;              /* GL's hint */
    unsigned char *data;         /* what glBufferData or a copy gave it, or NULL */
    unsigned specified, written; /* glBufferData calls, and dispatches that may have written it */
    char label[FAKE_GL_TEXT_BYTES];
};

/* Shaders and programs share GL's names. */
struct fake_gl_program {
    uint32_t name;
    bool host, alive, is_shader, compiled, linked, has_compute, delete_pending;
    uint32_t uses;             /* SEGSORT_USES of a compute program: the bindings it declares */
    uint32_t width, tile_rows; /* further macros of it */
    uint32_t attached;         /* a program's shader */
    unsigned attachments;      /* of a shader */
    char *source;
    uint32_t view_word[SEGSORT_VIEW_WORDS];
    bool no_pass;             /* it has no uniform block */
    bool retrievable, loaded; /* its binary is to be asked for; it came from one */
    uint32_t depth_planes[4 * SEGSORT_DEPTH_PLANES];
    uint32_t list_word[SEGSORT_LIST_WORDS];
    char label[FAKE_GL_TEXT_BYTES];
};

/* A time stamp query. */
struct fake_gl_timer {
    uint32_t name;
    bool alive, stamped;
    uint64_t nanoseconds;
};

struct fake_gl_binding {
    uint32_t buffer;
    int64_t start, size; /* 0, 0 when bound whole */
};

/* The bindings, and whatever else a host may find changed. */
struct fake_gl_state {
    uint32_t program;
    uint32_t storage, uniform, copy_read, copy_write, array, dispatch_indirect;
    struct fake_gl_binding storage_at[FAKE_GL_BINDINGS], uniform_at[FAKE_GL_BINDINGS];
    int32_t debug_depth;
};

/* A dispatch and everything that decided what it would have done. */
struct fake_gl_dispatch {
    uint32_t groups[3];
    uint32_t program;
    uint32_t width, tile_rows; /* SEGSORT_WIDTH and SEGSORT_TILE_ROWS of its shader */
    uint32_t uses;             /* a bit for each storage binding that its shader declares */
    char program_label[FAKE_GL_TEXT_BYTES];
    struct fake_gl_binding storage[SEGSORT_STORAGE_BINDINGS], uniform;
    struct segsort_pass_params params;
    bool no_pass;
    uint32_t depth_planes[4 * SEGSORT_DEPTH_PLANES];
    uint32_t view_word[SEGSORT_VIEW_WORDS];
    uint32_t list_word[SEGSORT_LIST_WORDS];
    bool indirect;       /* its groups are as the host left them: no GPU has counted */
    int64_t command;     /* where in the buffer of DISPATCH_INDIRECT */
    uint32_t barriers;   /* glMemoryBarrier bits since the dispatch before it */
    int32_t debug_depth; /* while it ran */
};

struct fake_gl {
    /* What GL answers. */
    const char *version, *vendor, *renderer, *shading_language;
    int32_t binary_formats;     /* of programs: FAKE_GL_BINARY_FORMAT is the last of them */
    bool foreign_formats;       /* they are all others */
    uint32_t binary_generation; /* GL refuses binaries of another one */
    int32_t shared_bytes, storage_alignment, uniform_alignment;
    int32_t work_groups[3];
    int64_t storage_block_bytes;
    int32_t debug_depth_max, label_length_max;
    uint32_t reset_status;
    bool debug_output;
    int32_t feedback_active, feedback_paused; /* transform feedback */
    const char *extensions[5];                /* up to a NULL */
    int32_t subgroup_size, subgroup_stages, subgroup_features;
    bool fences_late; /* what they are behind never ends */
    void *home_context,
        *current_context; /* the handle that objects belong to, and the current one */

    /* What the loader knows. */
    bool missing[FAKE_GL_FUNCTIONS];
    bool makes_up_stubs;         /* it gives a function for every name that starts with gl */
    const char *window_function; /* such as "eglGetCurrentContext", or NULL */
    size_t window_calls, stub_calls;

    /* What fails: call number fail_call (1 is the first since fake_gl_reset), and once each the
     * next call of the functions in fail_next. A query that fails raises an error, unless
     * silent_queries. */
    size_t fail_call;
    bool fail_next[FAKE_GL_FUNCTIONS];
    bool silent_queries;
    struct fake_gl_call failed; /* the last call that failed, text "" when none has */

    bool timers_late;          /* no time stamp comes in */
    uint64_t timers_late_from; /* none from then on, in nanoseconds; 0: all do */

    /* What there is. */
    uint32_t error; /* pending; the first one sticks */
    struct fake_gl_state state;
    int32_t host_debug_depth; /* groups below are the host's */
    struct fake_gl_buffer *buffers;
    size_t buffer_count, buffer_capacity;
    struct fake_gl_program *programs;
    size_t program_count, program_capacity;
    struct fake_gl_timer *timers;
    size_t timer_count, timer_capacity;

    /* What happened. */
    size_t call_count; /* since fake_gl_reset */
    size_t calls_of[FAKE_GL_FUNCTIONS];
    struct fake_gl_call *trace; /* since fake_gl_clear_trace */
    size_t trace_count, trace_capacity;
    struct fake_gl_dispatch *dispatches; /* since fake_gl_clear_trace */
    size_t dispatch_count, dispatch_capacity;
    uint32_t barriers; /* since the last dispatch */
    size_t fences_alive;
    size_t raised_count; /* errors that calls raised */
    char raised[FAKE_GL_TEXT_BYTES];
    /* What GL would put up with but must not happen: undefined behaviour, objects of others. */
    size_t complaint_count;
    char complaint[FAKE_GL_TEXT_BYTES];
};

extern struct fake_gl fake_gl;

/* A new GL 4.5 with nothing in it, no fault planned, nothing recorded. */
void fake_gl_reset(void);

/* The same, and frees all memory. */
void fake_gl_free(void);

gl_segsort_proc fake_gl_get_proc_address(const char *name);

const char *fake_gl_function_name(enum fake_gl_function function); /* with gl */

/* Objects of the host, made without a recorded call. The program is a linked one without a compute
 * shader. */
uint32_t fake_gl_host_buffer(uint64_t bytes, const char *label);
uint32_t fake_gl_host_program(const char *label);

/* By name; NULL when there is none. */
struct fake_gl_buffer *fake_gl_find_buffer(uint32_t name);
struct fake_gl_program *fake_gl_find_program(uint32_t name);

/* Objects of the library that are alive; text receives their names. */
size_t fake_gl_alive(char *text, size_t size);

/* Whether the dispatch's program declares that storage binding. */
bool fake_gl_uses(const struct fake_gl_dispatch *dispatch, int binding);

void fake_gl_clear_trace(void);
void fake_gl_print_trace(void);

/* The first difference, as a sentence, or NULL. */
const char *fake_gl_state_difference(const struct fake_gl_state *before,
                                     const struct fake_gl_state *after);

#endif
