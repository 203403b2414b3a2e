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

static bool wants_window(const struct options *options)
{
    if (options->headless || has_display())
        return !options->headless;
    fprintf(stderr, "gl_segsort_viewer: no display: neither DISPLAY nor WAYLAND_DISPLAY is set; "
                    "drawing without a window\n");
    return false;
}

static void say_no_window(const struct failure *failure)
{
    fprintf(stderr, "gl_segsort_viewer: %s; drawing without a window\n", failure->text);
}

static bool run_scene(struct options *options, const struct scene *scene, struct failure *failure)
{
    const enum options_switch asked = options->program_cache;
    if (wants_window(options)) {
        bool opened;
        options->program_cache = asked == OPTIONS_DEFAULT ? OPTIONS_ON : asked;
        bool shown = scene_show(scene, options, &opened, failure);
        if (opened)
            return shown;
        say_no_window(failure);
        options->program_cache = asked;
    }
    return scene_draw_headless(scene, options, failure);
}

static void print_help(void)
{
    for (const char *const *part = options_help; *part; part++)
        fputs(*part, stdout);
    for (const struct scene *const *scene = scene_all; *scene; scene++)
        printf("\nKeys of %s:\n%s", (*scene)->name, (*scene)->help);
}

int main(int argc, char **argv)
{
    struct options options;
    struct failure failure = {""};
    if (!options_parse(&options, argc, argv, &failure))
        return fail(&failure, 2);
    if (options.help) {
        print_help();
        return 0;
    }
    const struct scene *scene = scene_find(options.scene, &failure);
    if (!scene)
        return fail(&failure, 2);
    return run_scene(&options, scene, &failure) ? 0 : fail(&failure, 1);
}
