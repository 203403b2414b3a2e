/* The mesh viewer, and the other scenes. The viewer sorts each submesh's triangles along a Morton curve by gl_segsort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "scene.h"
#include "viewer.h"

static int fail(const struct failure *failure, int code)
{
    fflush(stdout);
    fprintf(stderr, "gl_segsort_viewer: %s\n", failure->text);
    return code;
}

static bool load_mesh(struct mesh *mesh, const struct options *options, struct failure *failure)
{
    if (options->mesh && strcmp(options->mesh, "generated") == 0)
        return mesh_generate(mesh, failure);
    if (options->mesh)
        return mesh_load(mesh, options->mesh, failure);
    char *path = mesh_default_path();
    if (!path) {
        printf("%s\n", mesh_default_hint);
        return mesh_generate(mesh, failure);
    }
    bool loaded = mesh_load(mesh, path, failure);
    free(path);
    return loaded;
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

static bool show_mesh(const struct options *options, const struct mesh *mesh,
                      struct failure *failure)
{
    if (wants_window(options)) {
        bool opened;
        bool shown = window_run(options, mesh, &opened, failure);
        if (opened)
            return shown;
        say_no_window(failure);
    }
    return headless_run(options, mesh, failure);
}

static bool run_viewer(const struct options *options, struct failure *failure)
{
    struct mesh mesh;
    if (!load_mesh(&mesh, options, failure))
        return false;
    report_mesh(&mesh);
    bool shown = show_mesh(options, &mesh, failure);
    mesh_destroy(&mesh);
    return shown;
}

static bool run_scene(const struct options *options, const struct scene *scene,
                      struct failure *failure)
{
    if (wants_window(options)) {
        bool opened;
        bool shown = scene_show(scene, options, &opened, failure);
        if (opened)
            return shown;
        say_no_window(failure);
    }
    return scene_draw_headless(scene, options, failure);
}

static void print_help(void)
{
    fputs(options_help, stdout);
    for (const struct scene *const *scene = scene_all; *scene; scene++)
        printf("\nKeys of %s:\n%s", (*scene)->name, (*scene)->help);
}

int main(int argc, char **argv)
{
    struct options options;
    const struct scene *scene = NULL;
    struct failure failure = {""};
    if (!options_parse(&options, argc, argv, &failure))
        return fail(&failure, 2);
    if (options.help) {
        print_help();
        return 0;
    }
    bool viewer = strcmp(options.scene, "morton") == 0;
    if (!viewer) {
        scene = scene_find(options.scene, &failure);
        if (!scene)
            return fail(&failure, 2);
    }
    bool done = viewer ? run_viewer(&options, &failure) : run_scene(&options, scene, &failure);
    return done ? 0 : fail(&failure, 1);
}
