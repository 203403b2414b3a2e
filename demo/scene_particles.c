#include "scene_particles.h"

#include <stdio.h>
#include <stdlib.h>

#include "camera.h"

enum { SOMETIMES = 8 /* frames */ };

static const float radians_per_second = 0.12f;

struct fountains {
    struct particles particles;
    struct particles_order order;
    struct camera camera;
    int width;
    int height;
};

static void *create(const struct scene_setup *setup, struct failure *failure)
{
    const struct options *options = setup->options;
    struct fountains *fountains = malloc(sizeof *fountains);
    if (!fountains) {
        failure_set(failure, "particles: out of memory");
        return NULL;
    }
    *fountains = (struct fountains){
        .order = {options->sorting, options->one_domain, options->cpu_oracle},
        .camera = {.target = {0, 0.16f, 0}, .distance = 2.55f, .yaw = 0.4f, .pitch = 0.33f}};
    if (particles_create(&fountains->particles, (uint32_t)options->particles,
                         (uint32_t)options->seed, setup->get_proc_address, failure))
        return fountains;
    free(fountains);
    return NULL;
}

static void destroy(void *state)
{
    struct fountains *fountains = state;
    particles_destroy(&fountains->particles);
    free(fountains);
}

static void resize(void *state, int width, int height)
{
    struct fountains *fountains = state;
    fountains->width = width;
    fountains->height = height;
}

static bool update(void *state, unsigned frame, float seconds, struct failure *failure)
{
    struct fountains *fountains = state;
    mat4 view = {{0}};
    camera_orbit(&fountains->camera, radians_per_second * seconds, 0);
    camera_view(&fountains->camera, view);
    return particles_update(&fountains->particles, &fountains->order, frame, seconds, view,
                            failure);
}

static void draw(void *state, GLuint framebuffer)
{
    const struct fountains *fountains = state;
    mat4 view = {{0}}, projection = {{0}};
    camera_view(&fountains->camera, view);
    camera_projection(&fountains->camera, (float)fountains->width / (float)fountains->height,
                      projection);
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "particles");
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, fountains->width, fountains->height);
    glClearColor(0.012f, 0.014f, 0.024f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    particles_draw(&fountains->particles, view, projection, fountains->height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glPopDebugGroup();
}

static void key(void *state, char key)
{
    struct particles_order *order = &((struct fountains *)state)->order;
    if (key == 's')
        order->sorting = 1;
    else if (key == 'u')
        order->sorting = 0;
    else if (key == 'n')
        order->sorting = SOMETIMES;
    else if (key == 'o')
        order->one_domain = !order->one_domain;
}

static void status(void *state, char *text, size_t size)
{
    const struct fountains *fountains = state;
    struct particles_counts counts;
    char sorting[32] = "unsorted";
    particles_read_counts(&fountains->particles, &counts);
    if (fountains->order.sorting == 1)
        snprintf(sorting, sizeof sorting, "sorted");
    else if (fountains->order.sorting > 1)
        snprintf(sorting, sizeof sorting, "sorted every %d frames", fountains->order.sorting);
    snprintf(text, size, "%u of %u particles live, %s %s%s", counts.total,
             PARTICLES_EMITTERS * fountains->particles.slot, sorting,
             fountains->order.one_domain ? "in one domain" : "emitter by emitter",
             fountains->order.cpu_oracle ? " by the CPU" : "");
}

const struct particles *scene_particles_of(const void *state)
{
    return &((const struct fountains *)state)->particles;
}

const struct scene scene_particles = {.name = "particles",
                                      .help = "s  sort in every frame\n"
                                              "u  leave them unsorted\n"
                                              "n  sort every 8th frame\n"
                                              "o  all in one domain, or emitter by emitter\n",
                                      .create = create,
                                      .resize = resize,
                                      .update = update,
                                      .draw = draw,
                                      .key = key,
                                      .status = status,
                                      .destroy = destroy};
