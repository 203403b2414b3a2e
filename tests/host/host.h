/* What the host tests share: a headless host with a loader whose functions can be swapped, a log
 * that is kept, and sorts whose buffers exist before and after the call. */
#ifndef HOST_H
#define HOST_H

#include "check.h"
#include "generate.h"
#include "headless_gl.h"

#include <glad/gl.h>

/* ---------------------------------------------------------------------------------------------- */
/* The host */

/* The context that host_open made. */
extern struct headless_gl host_gl;

/* Makes a context of that version current and loads the tests' own GL functions; prints why it
 * can't. */
bool host_open(int major, int minor, bool debug);
void host_close(void);

/* host_open(4, 3, debug), the tests, host_close. Inline, so that it counts the failures of the
 * test's own file. */
static inline int host_main(int argc, char **argv, const struct check_test *tests, size_t count,
                            bool debug)
{
    if (!host_open(4, 3, debug))
        return 1;
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    int result = check_main(argc, argv, tests, count);
    host_close();
    return result;
}

/* The loader handed to the library: what was swapped in, else EGL's. */
gl_segsort_proc host_get_proc_address(const char *name);

/* Swaps a function for later loads; NULL makes the loader say that it is missing. */
void host_swap(const char *name, gl_segsort_proc replacement);
void host_swap_back(void);

/* Like eglGetCurrentContext. */
void *host_current_context(void);

/* A library context on the current GL context with that policy, host_get_proc_address and the kept
 * log. NULL on an error, which is printed. */
gl_segsort_context *host_context(gl_segsort_state_policy policy);

/* The descriptions that host_context starts from. */
gl_segsort_context_desc host_context_desc(void);

/* The latest error or warning that was logged since host_log_clear, "" for none. */
const char *host_log_text(void);
void host_log_clear(void);

/* ---------------------------------------------------------------------------------------------- */
/* Buffers. These leave COPY_READ_BUFFER and COPY_WRITE_BUFFER at 0. */

GLuint host_buffer(const void *data, size_t bytes);
void host_write(GLuint buffer, const void *data, size_t bytes);
void host_read(GLuint buffer, void *data, size_t bytes);

/* Whether every byte of the buffer is as in data. Prints the first that isn't. */
bool host_buffer_equals(GLuint buffer, const void *data, size_t bytes, const char *name);

/* The names that GL gives out next. */
struct host_names {
    GLuint buffer, query, texture, program;
};

void host_next_names(struct host_names *names);

/* Whether no name was given out between two calls of host_next_names: they are the same. On a
 * driver that doesn't give a deleted name out again they are as far apart as two calls with nothing
 * in between. Prints what grew. */
bool host_names_equal(const struct host_names *before, const struct host_names *after);

/* GL objects that exist. */
struct host_objects {
    size_t buffers, queries, textures, programs, shaders;
};

void host_count_objects(struct host_objects *objects);

/* Prints what became more or fewer. */
bool host_objects_equal(const struct host_objects *before, const struct host_objects *after);

/* An allocator that counts, and that fails when fail_after allocations were made. */
struct host_memory {
    size_t allocations; /* ever made */
    size_t live;        /* not yet released */
    size_t fail_after;  /* 0: never */
};

gl_segsort_allocator host_allocator(struct host_memory *memory);

/* malloc that ends the program when there is no memory. */
void *host_allocate(size_t bytes);

/* ---------------------------------------------------------------------------------------------- */
/* A sort with its buffers */

enum { HOST_KEYS, HOST_VALUES, HOST_OUTPUT_KEYS, HOST_OUTPUT_VALUES, HOST_STREAMS };

struct host_sort {
    gl_segsort_segment segments[16];
    uint32_t segment_count;
    size_t rows;
    uint32_t *data[HOST_STREAMS]; /* inputs, and what the outputs have to be */
    GLuint buffers[HOST_STREAMS]; /* rows each, from byte 0 */
};

/* Segments of those lengths one behind the other with a row between them, keys of that kind, values
 * 0, 1, 2 ...; makes the buffers, with outputs full of 0xcd. */
void host_sort_make(struct host_sort *sort, const uint32_t *lengths, size_t count,
                    enum generate_keys_kind kind);
void host_sort_free(struct host_sort *sort);

/* Puts the inputs and the fill of the outputs back. */
void host_sort_upload(const struct host_sort *sort);

gl_segsort_plan_desc host_sort_plan_desc(const struct host_sort *sort);
gl_segsort_sort_desc host_sort_desc(const struct host_sort *sort);

/* Whether the outputs are right and the inputs unchanged, gaps included; and whether nothing was
 * written at all. */
bool host_sort_right(const struct host_sort *sort);
bool host_sort_untouched(const struct host_sort *sort);

/* A plan for the sort; NULL on an error, which is printed. */
gl_segsort_plan *host_sort_plan(gl_segsort_context *context, const struct host_sort *sort);

/* Makes a sort, a plan, runs it, compares, frees all. */
bool host_sorts(gl_segsort_context *context);

#endif
