#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "gl_debug.h"
#include "headless_gl.h"
#include "scene_morton.h"
#include "scene_network_play.h"
#include "scene_particles.h"
#include "viewer.h"

enum { HEADLESS_FRAMES = 120 };

const float scene_fixed_step = 1.0f / 60.0f;

static const struct scene *const scenes[] = {&scene_morton, &scene_particles, &scene_network_play,
                                             NULL};

const struct scene *scene_find(const char *name, struct failure *failure)
{
    char names[256];
    int length = 0;
    for (const struct scene *const *scene = scenes; *scene; scene++) {
        if (strcmp((*scene)->name, name) == 0)
            return *scene;
        length += snprintf(names + length, sizeof names - (size_t)length, "%s%s",
                           length > 0 ? ", " : "", (*scene)->name);
    }
    failure_set(failure, "--scene %s: no such scene; there are %s", name, names);
    return NULL;
}

bool scene_run_create(struct scene_run *run, const struct scene *scene,
                      const struct options *options, gl_segsort_get_proc_address get_proc_address,
                      struct failure *failure)
{
    const struct scene_setup setup = {options, get_proc_address};
    *run = (struct scene_run){.scene = scene, .options = options};
    if (!viewer_load_gl(get_proc_address, failure))
        return false;
    run->state = scene->create(&setup, failure);
    if (run->state && scene_run_resize(run, options->width, options->height, failure))
        return true;
    scene_run_destroy(run);
    return false;
}

bool scene_run_resize(struct scene_run *run, int width, int height, struct failure *failure)
{
    if (!canvas_resize(&run->canvas, width, height, failure))
        return false;
    run->scene->resize(run->state, width, height);
    return true;
}

bool scene_run_frame(struct scene_run *run, float seconds, struct failure *failure)
{
    if (!run->scene->update(run->state, run->frame, seconds, failure))
        return false;
    run->scene->draw(run->state, run->canvas.framebuffer);
    canvas_resolve(&run->canvas);
    run->frame++;
    return true;
}

void scene_run_destroy(struct scene_run *run)
{
    if (run->state)
        run->scene->destroy(run->state);
    canvas_destroy(&run->canvas);
    run->state = NULL;
}

static bool draw_frames(struct scene_run *run, struct failure *failure)
{
    int frames = run->scene->headless_frames > 0 ? run->scene->headless_frames : HEADLESS_FRAMES;
    frames = run->options->frames > 0 ? run->options->frames : frames;
    for (int frame = 0; frame < frames; frame++) {
        if (!scene_run_frame(run, scene_fixed_step, failure))
            return false;
        /* Else a software driver may queue frames until memory is out. */
        glFinish();
    }
    return true;
}

static bool save_picture(struct scene_run *run, struct failure *failure)
{
    char path[64], status[256];
    snprintf(path, sizeof path, "%s.png", run->scene->name);
    const char *screenshot = run->options->screenshot;
    if (run->scene->save)
        return run->scene->save(run->state, &run->canvas, failure);
    if (!canvas_save(&run->canvas, screenshot ? screenshot : path, failure))
        return false;
    run->scene->status(run->state, status, sizeof status);
    printf("%s shows frame %u: %s\n", screenshot ? screenshot : path, run->frame, status);
    return true;
}

static bool run_in_context(const struct scene *scene, const struct options *options,
                           struct failure *failure)
{
    struct scene_run run;
    struct gl_debug debug;
    if (!viewer_load_gl(headless_gl_get_proc_address, failure))
        return false;
    gl_debug_install(&debug);
    if (!scene_run_create(&run, scene, options, headless_gl_get_proc_address, failure))
        return false;
    bool done = draw_frames(&run, failure) && save_picture(&run, failure) &&
                (!scene->finish || scene->finish(run.state, failure));
    scene_run_destroy(&run);
    if (done && gl_debug_count(&debug) > 0)
        return failure_set(failure, "%s: GL complained, as told above", scene->name);
    return done;
}

bool scene_draw_headless(const struct scene *scene, const struct options *options,
                         struct failure *failure)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, true))
        return failure_set(failure, "%s", gl.error);
    bool done = run_in_context(scene, options, failure);
    headless_gl_destroy(&gl);
    return done;
}
