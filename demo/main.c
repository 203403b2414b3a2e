/* The demo: scenes that sort on the GPU by gl_segsort, in a window or without one. */
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "scene.h"

static int fail(const struct failure *failure, int code)
{
    fflush(stdout);
    fprintf(stderr, "gl_segsort_viewer: %s\n", failure->text);
    return code;
}

static bool has_display(void)
{
#if defined(_WIN32) || defined(__APPLE__)
    return true;
#else
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
#endif
}

static bool run_scene(const struct options *options, const struct scene *scene,
                      struct failure *failure)
{
    if (!options->headless && has_display()) {
        bool opened;
        bool shown = scene_show(scene, options, &opened, failure);
        if (opened)
            return shown;
        fprintf(stderr, "gl_segsort_viewer: %s; drawing without a window\n", failure->text);
    } else if (!options->headless) {
        fprintf(stderr, "gl_segsort_viewer: no display; drawing without a window\n");
    }
    return scene_draw_headless(scene, options, failure);
}

int main(int argc, char **argv)
{
    struct options options;
    struct failure failure = {""};
    if (!options_parse(&options, argc, argv, &failure))
        return fail(&failure, 2);
    if (options.help) {
        fputs(options_help, stdout);
        return 0;
    }
    const struct scene *scene = scene_find(options.scene, &failure);
    if (!scene)
        return fail(&failure, 2);
    return run_scene(&options, scene, &failure) ? 0 : fail(&failure, 1);
}
