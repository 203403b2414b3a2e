/* Pictures without a window, through EGL. */
#include "viewer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "headless_gl.h"

/* path with "-before" in front of its extension; the caller frees it, NULL without memory. */
static char *before_path(const char *path)
{
    const char *base = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            base = at + 1;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot != base ? (size_t)(dot - path) : strlen(path);
    size_t size = strlen(path) + sizeof "-before";
    char *before = malloc(size);
    if (before)
        snprintf(before, size, "%.*s-before%s", (int)stem, path, path + stem);
    return before;
}

static bool draw_and_save(const struct viewer *viewer, enum order order, const char *path,
                          struct failure *failure)
{
    int frames = viewer->options->frames > 0 ? viewer->options->frames : 1;
    for (int frame = 0; frame < frames; frame++) {
        renderer_draw(&viewer->renderer, &viewer->camera, order);
        /* Else a software driver may queue frames until memory is out. */
        glFinish();
    }
    if (!viewer_save(viewer, path, failure))
        return false;
    printf("%s shows the %s order\n", path, order == ORDER_FILE ? "file" : "Morton");
    return true;
}

static bool save_pictures(const struct viewer *viewer, struct failure *failure)
{
    const char *after = viewer->options->screenshot;
    char *before = after ? before_path(after) : NULL;
    if (after && !before)
        return failure_set(failure, "%s: out of memory", after);
    printf("\n");
    bool saved = draw_and_save(viewer, ORDER_FILE, before ? before : "before.png", failure) &&
                 draw_and_save(viewer, ORDER_MORTON, after ? after : "after.png", failure);
    free(before);
    return saved;
}

static bool run_in_context(const struct options *options, const struct mesh *mesh,
                           struct failure *failure)
{
    struct viewer viewer;
    if (!viewer_create(&viewer, options, mesh, headless_gl_get_proc_address, failure))
        return false;
    bool saved = save_pictures(&viewer, failure);
    bool fine = viewer_destroy(&viewer);
    if (saved && !fine)
        return failure_set(failure, "%s: the order is wrong or GL complained, as told above",
                           mesh->name);
    return saved;
}

bool headless_run(const struct options *options, const struct mesh *mesh, struct failure *failure)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, true))
        return failure_set(failure, "%s", gl.error);
    bool done = run_in_context(options, mesh, failure);
    headless_gl_destroy(&gl);
    return done;
}
