#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "program_files.h"
#include "scene_morton.h"
#include "scene_network_play.h"
#include "scene_particles.h"

const float scene_fixed_step = 1.0f / 60.0f;

const struct scene *const scene_all[] = {&scene_morton, &scene_particles, &scene_network_play,
                                         NULL};

const struct scene *scene_find(const char *name, struct failure *failure)
{
    char names[256];
    int length = 0;
    for (const struct scene *const *scene = scene_all; *scene; scene++) {
        if (strcmp((*scene)->name, name) == 0)
            return *scene;
        length += snprintf(names + length, sizeof names - (size_t)length, "%s%s",
                           length > 0 ? ", " : "", (*scene)->name);
    }
    failure_set(failure, "--scene %s: no such scene; there are %s", name, names);
    return NULL;
}

bool scene_load_gl(gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    int version = gladLoadGL(get_proc_address);
    int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
    return GLAD_GL_VERSION_4_3 ||
           failure_set(failure,
                       "OpenGL 4.3 is needed, and this driver gives %d.%d; a newer driver may have "
                       "it, and LIBGL_ALWAYS_SOFTWARE=1 draws by the CPU",
                       major, minor);
}

bool scene_run_create(struct scene_run *run, const struct scene *scene,
                      const struct options *options, gl_segsort_get_proc_address get_proc_address,
                      struct failure *failure)
{
    *run = (struct scene_run){.options = options, .get_proc_address = get_proc_address};
    if (scene_load_gl(get_proc_address, failure) &&
        canvas_resize(&run->canvas, options->width, options->height, failure) &&
        scene_run_show(run, scene, failure))
        return true;
    canvas_destroy(&run->canvas);
    return false;
}

bool scene_run_resize(struct scene_run *run, int width, int height, struct failure *failure)
{
    if (!canvas_resize(&run->canvas, width, height, failure))
        return false;
    run->scene->resize(run->state, width, height);
    return true;
}

static struct scene_made *find_made(struct scene_run *run, const struct scene *scene)
{
    struct scene_made *made = run->made;
    while (made < run->made + SCENES_MAX && made->scene && made->scene != scene)
        made++;
    return made < run->made + SCENES_MAX ? made : NULL;
}

static bool make(struct scene_run *run, struct scene_made *made, const struct scene *scene,
                 struct failure *failure)
{
    struct scene_setup setup = {.options = run->options, .get_proc_address = run->get_proc_address};
    if (run->options->program_cache == OPTIONS_ON)
        setup.program_cache = program_files_cache();
    void *state = scene->create(&setup, failure);
    if (!state)
        return false;
    *made = (struct scene_made){scene, state, 0};
    return true;
}

bool scene_run_show(struct scene_run *run, const struct scene *scene, struct failure *failure)
{
    struct scene_made *made = find_made(run, scene);
    if (run->scene == scene)
        return true;
    if (!made)
        return failure_set(failure, "%s: there is room for %d scenes", scene->name, SCENES_MAX);
    if (!made->scene && !make(run, made, scene, failure))
        return false;
    if (run->scene)
        find_made(run, run->scene)->frame = run->frame;
    run->scene = scene;
    run->state = made->state;
    run->frame = made->frame;
    scene->resize(run->state, run->canvas.width, run->canvas.height);
    return true;
}

bool scene_run_has(const struct scene_run *run, const struct scene *scene)
{
    for (size_t i = 0; i < SCENES_MAX; i++)
        if (run->made[i].scene == scene)
            return true;
    return false;
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

bool scene_run_finish(struct scene_run *run, struct failure *failure)
{
    bool right = true;
    for (struct scene_made *made = run->made; made < run->made + SCENES_MAX && made->scene; made++)
        if (made->scene->finish && right)
            right = made->scene->finish(made->state, failure);
    return right;
}

void scene_run_destroy(struct scene_run *run)
{
    for (struct scene_made *made = run->made; made < run->made + SCENES_MAX && made->scene; made++)
        made->scene->destroy(made->state);
    canvas_destroy(&run->canvas);
    *run = (struct scene_run){0};
}
