/* What the window and the headless mode share: everything that lives in the GL context. */
#ifndef VIEWER_H
#define VIEWER_H

#include "gl_debug.h"
#include "morton_gpu.h"
#include "options.h"
#include "renderer.h"

struct viewer {
    const struct options *options;
    const struct mesh *mesh;
    struct gl_debug debug;
    struct mesh_buffers buffers;
    struct morton_gpu morton;
    struct renderer renderer;
    struct camera camera;
    bool correct; /* the GPU's order equals the CPU's */
};

/* Loads GL's functions, of 4.3 at least. */
bool viewer_load_gl(gl_segsort_get_proc_address get_proc_address, struct failure *failure);

/* Loads GL, uploads the mesh, sorts it, and prints the report. The context is current and stays so;
 * options and mesh outlive the viewer. On an error nothing is left. */
bool viewer_create(struct viewer *viewer, const struct options *options, const struct mesh *mesh,
                   gl_segsort_get_proc_address get_proc_address, struct failure *failure);

/* Frees everything, and tells whether all went well: a right order, and not a word from GL. */
bool viewer_destroy(struct viewer *viewer);

/* Writes the picture that was drawn last. */
bool viewer_save(const struct viewer *viewer, const char *path, struct failure *failure);

/* Does all of it in a window, until it is closed. opened is false, with the reason in failure, when
 * there can be none. Defined in window.c. */
bool window_run(const struct options *options, const struct mesh *mesh, bool *opened,
                struct failure *failure);

/* Does all of it without a window, and writes two pictures. Defined in headless.c. */
bool headless_run(const struct options *options, const struct mesh *mesh, struct failure *failure);

#endif
