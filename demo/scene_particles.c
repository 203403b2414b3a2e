#include "scene_particles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOMETIMES = 8 /* frames */, MANY = 3 << 19, FEW = 1 << 15 };

static const float radians_per_second = 0.12f;
static const float radians_per_pixel = 0.005f;
static const float fill = 0.72f;         /* of a slot, so that there is room for more in a rush */
static const float lowest_pitch = 0.03f; /* the camera stays above the ground, */
static const float highest_pitch = 1.5f;
static const float longest_distance = 6.0f; /* and near enough for the far plane */

/* Whether this is a driver without a GPU, which a million particles keep busy for seconds. */
static bool draws_by_cpu(void)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "SwiftShader", "Software",
                                        "Basic Render"};
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; renderer && i < sizeof names / sizeof names[0]; i++)
        if (strstr(renderer, names[i]))
            return true;
    return false;
}

static struct plumes_choices choices_of(const struct options *options, bool few)
{
    enum options_switch half = options->half_smoke;
    struct plumes_choices choices = {
        .sorting = PLUMES_SORTED,
        .every = SOMETIMES,
        .domain = options->one_domain,
        .lengths = options->network.lengths == NETWORK_POWER_LAW,
        .falling = 0.5f,
        .births = 1,
        .turning = true,
        .look = {.size = 1,
                 .opacity = 1,
                 .softness = 1,
                 .half = half == OPTIONS_ON || (half == OPTIONS_DEFAULT && few),
                 .split = options->split,
                 .split_at = 0.5f,
                 .show_mesh = true}};
    if (options->sorting == 0)
        choices.sorting = PLUMES_UNSORTED;
    if (options->sorting > 1) {
        choices.sorting = PLUMES_SOMETIMES;
        choices.every = (uint32_t)options->sorting;
    }
    return choices;
}

static void destroy(void *state)
{
    struct plumes *plumes = state;
    particles_watch_destroy(&plumes->watch);
    particles_picture_destroy(&plumes->picture);
    particles_destroy(&plumes->particles);
    free(plumes);
}

static void *create(const struct scene_setup *setup, struct failure *failure)
{
    const struct options *options = setup->options;
    struct plumes *plumes = malloc(sizeof *plumes);
    bool few = options->particles == 0 && draws_by_cpu();
    int particles = options->particles > 0 ? options->particles : few ? FEW : MANY;
    if (!plumes) {
        failure_set(failure, "particles: out of memory");
        return NULL;
    }
    *plumes = (struct plumes){
        .choices = choices_of(options, few),
        .few = few,
        .cpu_oracle = options->cpu_oracle,
        .camera = {.target = {0, 0.36f, 0}, .distance = 3.15f, .yaw = 0.9f, .pitch = 0.27f}};
    if (!particles_create(&plumes->particles, (uint32_t)particles, (uint32_t)options->seed,
                          setup->get_proc_address, setup->program_cache, failure)) {
        free(plumes);
        return NULL;
    }
    if (!particles_picture_create(&plumes->picture, options->mesh, failure)) {
        particles_destroy(&plumes->particles);
        free(plumes);
        return NULL;
    }
    particles_watch_create(&plumes->watch);
    return plumes;
}

static void resize(void *state, int width, int height)
{
    struct plumes *plumes = state;
    plumes->width = width;
    plumes->height = height;
    particles_picture_resize(&plumes->picture, width, height);
}

/* Both halves of a split picture need the sequence. */
static struct particles_order order_of(const struct plumes *plumes)
{
    const struct plumes_choices *choices = &plumes->choices;
    struct particles_order order = {.sorting = 1,
                                    .one_domain = choices->domain == 1,
                                    .cpu_oracle = plumes->cpu_oracle,
                                    .fill = fill * choices->births,
                                    .falling = choices->lengths == 1 ? choices->falling : 0};
    if (choices->sorting == PLUMES_UNSORTED && !choices->look.split)
        order.sorting = 0;
    if (choices->sorting == PLUMES_SOMETIMES)
        order.sorting = (int)choices->every;
    return order;
}

static bool update(void *state, unsigned frame, float seconds, struct failure *failure)
{
    struct plumes *plumes = state;
    mat4 view = {{0}};
    const struct particles_order order = order_of(plumes);
    if (!particles_picture_check(&plumes->picture, failure))
        return false;
    if (plumes->choices.turning)
        camera_orbit(&plumes->camera, radians_per_second * seconds, 0);
    camera_view(&plumes->camera, view);
    particles_watch_poll(&plumes->watch);
    if (!particles_update(&plumes->particles, &order, frame, plumes->choices.frozen ? 0 : seconds,
                          view, failure))
        return false;
    particles_watch_send(&plumes->watch, &plumes->particles);
    return true;
}

static void draw(void *state, GLuint framebuffer)
{
    struct plumes *plumes = state;
    mat4 view = {{0}}, projection = {{0}};
    struct particles_look look = plumes->choices.look;
    look.sorted = order_of(plumes).sorting > 0;
    camera_view(&plumes->camera, view);
    camera_projection(&plumes->camera, (float)plumes->width / (float)plumes->height, projection);
    particles_picture_draw(&plumes->picture, &plumes->particles, &look, view, projection,
                           framebuffer);
}

static void key(void *state, char key)
{
    struct plumes_choices *choices = &((struct plumes *)state)->choices;
    if (key == 's')
        choices->sorting = PLUMES_SORTED;
    else if (key == 'u')
        choices->sorting = PLUMES_UNSORTED;
    else if (key == 'n')
        choices->sorting = PLUMES_SOMETIMES;
    else if (key == 'o')
        choices->domain = !choices->domain;
    else if (key == 'v')
        choices->look.split = !choices->look.split;
    else if (key == 'f')
        choices->frozen = !choices->frozen;
    else if (key == 'c')
        choices->turning = !choices->turning;
    else if (key == 'l')
        choices->lengths = !choices->lengths;
    else if (key == 'q')
        choices->look.half = !choices->look.half;
}

static void drag(void *state, float x, float y)
{
    struct camera *camera = &((struct plumes *)state)->camera;
    camera_orbit(camera, radians_per_pixel * x, radians_per_pixel * y);
    camera->pitch = glm_clamp(camera->pitch, lowest_pitch, highest_pitch);
}

static void wheel(void *state, float notches)
{
    struct camera *camera = &((struct plumes *)state)->camera;
    camera_zoom(camera, notches);
    camera->distance = glm_clamp(camera->distance, 0.6f, longest_distance);
}

static bool drop(void *state, const char *path, struct failure *failure)
{
    return particles_picture_load(&((struct plumes *)state)->picture, path, failure);
}

static size_t plans(void *state, struct scene_plan *plans, size_t room)
{
    const struct plumes *plumes = state;
    const struct particles *particles = &plumes->particles;
    bool one = particles->one_domain;
    const struct particles_counts *counts = &plumes->watch.counts;
    const struct scene_plan all[] = {
        {one ? "all particles" : "particles by emitter",
         particles->plans[one ? PARTICLES_PLAN_ONE : PARTICLES_PLAN_SLOTS], counts->total},
        {"emitters", particles->plans[PARTICLES_PLAN_EMITTERS], PARTICLES_EMITTERS},
        {"the dead, between sorts",
         particles->plans[one ? PARTICLES_PLAN_KEEP_ONE : PARTICLES_PLAN_KEEP_SLOTS],
         counts->total_had}};
    int sorting = order_of(plumes).sorting;
    size_t used = sorting == 0 ? 0 : sorting == 1 ? 2 : 3, given = used < room ? used : room;
    for (size_t i = 0; i < given; i++)
        plans[i] = all[i];
    return given;
}

void plumes_describe_sorting(const struct plumes *plumes, char *text, size_t size)
{
    const struct plumes_choices *choices = &plumes->choices;
    char sorting[48] = "unsorted";
    if (choices->sorting == PLUMES_SOMETIMES)
        snprintf(sorting, sizeof sorting, "sorted every %u frames", choices->every);
    else if (choices->sorting == PLUMES_SORTED || choices->look.split)
        snprintf(sorting, sizeof sorting, "sorted");
    snprintf(text, size, "%s%s %s%s", choices->look.split ? "left unsorted, right " : "", sorting,
             choices->domain == 1 ? "in one domain" : "emitter by emitter",
             plumes->cpu_oracle ? " by the CPU" : "");
}

static void status(void *state, char *text, size_t size)
{
    struct plumes *plumes = state;
    char sorting[128];
    particles_watch_poll(&plumes->watch);
    plumes_describe_sorting(plumes, sorting, sizeof sorting);
    snprintf(text, size, "%u of %u particles live, %s", plumes->watch.counts.total,
             PARTICLES_EMITTERS * plumes->particles.slot, sorting);
}

const struct scene scene_particles = {.name = "particles",
                                      .help = "s  sort in every frame\n"
                                              "u  leave them unsorted\n"
                                              "n  sort every few frames\n"
                                              "v  left unsorted, right sorted\n"
                                              "o  all in one domain, or emitter by emitter\n"
                                              "l  emitters of equal lengths, or by a power law\n"
                                              "f  freeze all but the camera\n"
                                              "c  the camera goes round, or stands\n"
                                              "q  smoke at half the resolution, or the full one\n",
                                      .create = create,
                                      .resize = resize,
                                      .update = update,
                                      .draw = draw,
                                      .key = key,
                                      .status = status,
                                      .destroy = destroy,
                                      .panel = plumes_panel,
                                      .drag = drag,
                                      .wheel = wheel,
                                      .drop = drop,
                                      .plans = plans};
