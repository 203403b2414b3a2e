#include "scene_morton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "wobble.h"

static const float radians_per_pixel = 0.007f;
static const double play_seconds = 9; /* from none to all */

enum { FIGURES_FRAMES = 30, GAP = 3 /* pixels between panes */ };

/* --- panes --- */

unsigned morton_layout(const struct morton_scene *scene, struct renderer_pane panes[MORTON_PANES])
{
    int columns = scene->panes > 1 && scene->width > 4 * GAP ? 2 : 1;
    int rows = scene->panes > 2 && columns == 2 && scene->height > 4 * GAP ? 2 : 1;
    int width = (scene->width - (columns - 1) * GAP) / columns;
    int height = (scene->height - (rows - 1) * GAP) / rows;
    unsigned count = 0;
    for (int row = rows - 1; row >= 0; row--)
        for (int column = 0; column < columns; column++, count++) {
            enum order order = (enum order)scene->order;
            if (rows == 2)
                order = (enum order)count;
            else if (columns == 2 && column == 0)
                order = (enum order)scene->left;
            int left = column == 0 ? scene->covered[0] : 0;
            int right = column == columns - 1 ? scene->covered[1] : 0;
            if (left + right > width / 5 * 3) /* where little is left the mesh lies under panels */
                left = right = 0;
            panes[count] = (struct renderer_pane){
                column * (width + GAP), row * (height + GAP), width, height, left, right, order};
        }
    return count;
}

static void frame_camera(struct morton_scene *scene)
{
    struct renderer_pane panes[MORTON_PANES];
    unsigned count = morton_layout(scene, panes);
    int width = scene->width;
    for (unsigned i = 0; i < count; i++) {
        int clear = panes[i].width - panes[i].left - panes[i].right;
        width = clear < width ? clear : width;
    }
    if (scene->model && !scene->turned && width > 0)
        camera_frame(&scene->camera, &scene->model->mesh, (float)width / (float)panes[0].height);
}

void morton_set_panes(struct morton_scene *scene, uint32_t panes)
{
    scene->panes = panes;
    frame_camera(scene);
}

/* --- meshes --- */

uint32_t morton_most(const struct morton_scene *scene)
{
    const struct mesh *mesh = &scene->model->mesh;
    uint32_t most = 0;
    for (uint32_t s = 0; s < mesh->segment_count; s++)
        most = mesh->segments[s].count > most ? mesh->segments[s].count : most;
    return scene->of_each ? most : mesh->triangle_count;
}

void morton_set_of_each(struct morton_scene *scene, bool of_each)
{
    scene->of_each = of_each;
    scene->first = morton_most(scene);
    scene->playing = false;
}

/* Shows that mesh from here on. What it takes over is {0} then. */
static bool show(struct morton_scene *scene, struct mesh *mesh, struct mesh_orders *orders,
                 struct failure *failure)
{
    struct model *model = model_create(mesh, orders, scene->key_bits, &scene->context, failure);
    struct figures figures;
    if (!model)
        return false;
    if (!figures_create(&figures, model, failure)) {
        model_destroy(model);
        return false;
    }
    bool was_right = scene->figures.wrong_count == 0;
    figures_destroy(&scene->figures);
    model_destroy(scene->model);
    scene->model = model;
    scene->figures = figures;
    scene->correct = scene->correct && was_right;
    scene->picked = RENDERER_NO_SEGMENT;
    scene->turned = scene->sorted = false;
    scene->seconds = 0;
    morton_set_of_each(scene, scene->of_each);
    frame_camera(scene);
    return true;
}

bool morton_open(struct morton_scene *scene, const char *path, struct failure *failure)
{
    scene->trouble.text[0] = '\0';
    scene->told = false;
    if (!mesh_loader_start(&scene->loader, path, failure))
        return false;
    if (!scene->options->headless || morton_adopt(scene, true))
        return true;
    return failure_set(failure, "%s", scene->trouble.text);
}

bool morton_adopt(struct morton_scene *scene, bool wait)
{
    struct mesh_loader *loader = &scene->loader;
    if (!mesh_loader_finish(loader, wait))
        return true;
    bool shown = loader->loaded && show(scene, &loader->mesh, &loader->orders, &loader->failure);
    if (shown) {
        report_mesh(&scene->model->mesh);
        fflush(stdout);
        return true;
    }
    if (loader->loaded) {
        mesh_orders_destroy(&loader->orders);
        mesh_destroy(&loader->mesh);
    }
    scene->trouble = loader->failure;
    return false;
}

static bool loaded(void *state, bool *well, char *text, size_t size, struct failure *failure)
{
    struct morton_scene *scene = state;
    const struct mesh *mesh = &scene->model->mesh;
    if (scene->told || mesh_loader_busy(&scene->loader))
        return false;
    scene->told = true;
    *well = scene->trouble.text[0] == '\0';
    *failure = scene->trouble;
    snprintf(text, size, "%.80s: %u %s in %u %s", mesh->name, mesh->triangle_count,
             mesh->triangle_count == 1 ? "triangle" : "triangles", mesh->segment_count,
             mesh->segment_count == 1 ? "submesh" : "submeshes");
    return true;
}

static bool drop(void *state, const char *path, struct failure *failure)
{
    return morton_open(state, path, failure);
}

/* --- its life --- */

static bool create_parts(struct morton_scene *scene, const struct scene_setup *setup,
                         struct failure *failure)
{
    const struct options *options = setup->options;
    struct mesh mesh = {0};
    struct mesh_orders orders = {0};
    if (!mesh_loader_load_now(options->mesh, &mesh, &orders, failure))
        return false;
    report_mesh(&mesh);
    bool shown =
        morton_context_create(&scene->context, setup->get_proc_address, setup->program_cache,
                              failure) &&
        renderer_create(&scene->renderer, failure) && (scene->wobble = wobble_create(failure)) &&
        show(scene, &mesh, &orders, failure) &&
        report_sort(&scene->model->morton, &scene->model->orders, &scene->correct, failure);
    mesh_orders_destroy(&orders);
    mesh_destroy(&mesh);
    if (shown && options->first > 0)
        scene->first = (uint32_t)options->first;
    return shown;
}

static void destroy(void *state)
{
    struct morton_scene *scene = state;
    mesh_loader_destroy(&scene->loader);
    mesh_list_destroy(&scene->list);
    figures_destroy(&scene->figures);
    model_destroy(scene->model);
    glDeleteProgram(scene->wobble);
    renderer_destroy(&scene->renderer);
    morton_context_destroy(&scene->context);
    free(scene);
}

static void *create(const struct scene_setup *setup, struct failure *failure)
{
    struct morton_scene *scene = malloc(sizeof *scene);
    if (!scene) {
        failure_set(failure, "morton: out of memory");
        return NULL;
    }
    *scene = (struct morton_scene){.options = setup->options,
                                   .key_bits = setup->options->key_bits,
                                   .order = ORDER_MORTON,
                                   .left = ORDER_FILE,
                                   .panes = 1,
                                   .picked = RENDERER_NO_SEGMENT,
                                   .of_each = true,
                                   .curve = setup->options->curve,
                                   .animate = setup->options->animate,
                                   .told = true,
                                   .correct = true};
    if (create_parts(scene, setup, failure))
        return scene;
    destroy(scene);
    return NULL;
}

static void resize(void *state, int width, int height)
{
    struct morton_scene *scene = state;
    scene->width = width;
    scene->height = height;
    scene->drawn = (struct morton_picture){0};
    frame_camera(scene);
}

static void cover(void *state, int left, int right)
{
    struct morton_scene *scene = state;
    if (left == scene->covered[0] && right == scene->covered[1])
        return;
    scene->covered[0] = left;
    scene->covered[1] = right;
    frame_camera(scene);
}

/* --- frames --- */

void morton_set_animate(struct morton_scene *scene, bool animate)
{
    scene->animate = animate;
    scene->sorted = false;
    if (!animate)
        wobble_rest(scene->model);
}

bool morton_set_key_bits(struct morton_scene *scene, unsigned key_bits)
{
    struct failure failure = {""};
    /* What is under way is of the plan before. */
    figures_poll(&scene->figures, true);
    if (!model_set_key_bits(scene->model, key_bits, &scene->context, &failure)) {
        failure_set(&scene->trouble, "%u-bit keys: %s", key_bits, failure.text);
        return false;
    }
    scene->key_bits = key_bits;
    scene->sorted = false;
    return true;
}

void morton_play(struct morton_scene *scene)
{
    scene->playing = !scene->playing;
    if (scene->playing && scene->first >= morton_most(scene))
        scene->first = 0;
    scene->played = scene->first;
}

static void play(struct morton_scene *scene, float seconds)
{
    uint32_t most = morton_most(scene);
    scene->played += most * (double)seconds / play_seconds;
    scene->playing = scene->played < most;
    scene->first = scene->playing ? (uint32_t)scene->played : most;
}

/* Of moving geometry now and then, of others once. */
static void go_on_with_figures(struct morton_scene *scene, bool sorted)
{
    figures_poll(&scene->figures, false);
    bool due = !scene->figures.latest.known || !scene->animate ||
               scene->frame - scene->figures_at >= FIGURES_FRAMES;
    if (!figures_idle(&scene->figures)) {
        /* A sort that nothing follows has to be looked at later. */
        scene->sorted = scene->sorted && !(sorted && !scene->animate);
    } else if (sorted && due) {
        figures_start(&scene->figures, scene->frame);
        scene->figures_at = scene->frame;
        if (scene->options->headless) /* nobody waits for the picture, and each has the same */
            figures_poll(&scene->figures, true);
    }
}

static bool update(void *state, unsigned frame, float seconds, struct failure *failure)
{
    struct morton_scene *scene = state;
    scene->frame = frame;
    morton_adopt(scene, false);
    if (scene->playing)
        play(scene, seconds);
    bool sorting = scene->animate || !scene->sorted;
    if (scene->animate) {
        scene->seconds += seconds;
        wobble_move(scene->wobble, scene->model, &scene->camera, scene->seconds);
    }
    if (sorting && !morton_gpu_run(&scene->model->morton, failure))
        return false;
    scene->sort_count += sorting;
    scene->sorted = true;
    go_on_with_figures(scene, sorting);
    return true;
}

/* Without a GPU drawing takes long, and mostly nothing changes. */
static bool looks_as_before(struct morton_scene *scene, GLuint framebuffer)
{
    struct morton_picture next;
    memset(&next, 0, sizeof next); /* its padding too */
    next.framebuffer = framebuffer;
    next.width = scene->width;
    next.height = scene->height;
    memcpy(next.covered, scene->covered, sizeof next.covered);
    next.camera = scene->camera;
    next.order = scene->order;
    next.left = scene->left;
    next.panes = scene->panes;
    next.picked = scene->picked;
    next.first = scene->first;
    next.of_each = scene->of_each;
    next.curve = scene->curve;
    next.animate = scene->animate;
    next.seconds = scene->seconds;
    next.sort_count = scene->sort_count;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): at worst it is drawn once more */
    bool same = memcmp(&next, &scene->drawn, sizeof next) == 0;
    memcpy(&scene->drawn, &next, sizeof next);
    return same;
}

static void draw(void *state, GLuint framebuffer)
{
    struct morton_scene *scene = state;
    if (looks_as_before(scene, framebuffer))
        return;
    struct renderer_pane panes[MORTON_PANES];
    const struct renderer_look look = {.camera = &scene->camera,
                                       .first = scene->first,
                                       .of_each = scene->of_each,
                                       .curve = scene->curve,
                                       .through = scene->panes == 1 && !scene->animate,
                                       .seconds = scene->animate ? scene->seconds : -1,
                                       .picked = scene->picked};
    unsigned count = morton_layout(scene, panes);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, scene->width, scene->height);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (unsigned i = 0; i < count; i++)
        renderer_draw(&scene->renderer, scene->model, &look, &panes[i]);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* --- input --- */

static void pick_next(struct morton_scene *scene)
{
    uint32_t next = scene->picked == RENDERER_NO_SEGMENT ? 0 : scene->picked + 1;
    scene->picked = next < scene->model->mesh.segment_count ? next : RENDERER_NO_SEGMENT;
}

static void key(void *state, char key)
{
    struct morton_scene *scene = state;
    if (key >= '1' && key < '1' + ORDER_COUNT)
        scene->order = (uint32_t)(key - '1');
    else if (key == 'v')
        morton_set_panes(scene, scene->panes < 4 ? 2 * scene->panes : 1);
    else if (key == 'c')
        scene->curve = !scene->curve;
    else if (key == 'p')
        morton_play(scene);
    else if (key == 'w')
        morton_set_animate(scene, !scene->animate);
    else if (key == 'b')
        morton_set_key_bits(scene, scene->key_bits == 30 ? 63 : 30);
    else if (key == 'n')
        pick_next(scene);
    else if (key == 'f') {
        scene->turned = false;
        frame_camera(scene);
    }
}

static void drag(void *state, float x, float y)
{
    struct morton_scene *scene = state;
    camera_orbit(&scene->camera, radians_per_pixel * x, radians_per_pixel * y);
    scene->turned = true;
}

static void wheel(void *state, float notches)
{
    struct morton_scene *scene = state;
    camera_zoom(&scene->camera, notches);
    scene->turned = true;
}

static void status(void *state, char *text, size_t size)
{
    const struct morton_scene *scene = state;
    const struct mesh *mesh = &scene->model->mesh;
    char shown[64] = "all four orders";
    if (scene->panes == 1)
        snprintf(shown, sizeof shown, "%s order", order_names[scene->order]);
    else if (scene->panes == 2)
        snprintf(shown, sizeof shown, "%s and %s order", order_names[scene->left],
                 order_names[scene->order]);
    snprintf(text, size, "%.80s - %u %s (%u triangles, %u segments)%s", mesh->name,
             scene->order + 1, shown, mesh->triangle_count, mesh->segment_count,
             scene->animate ? ", sorted every frame" : "");
}

static size_t plans(void *state, struct scene_plan *plans, size_t room)
{
    const struct morton_scene *scene = state;
    if (room > 0)
        plans[0] = (struct scene_plan){"triangles", scene->model->morton.plan, 0};
    return room > 0 ? 1 : 0;
}

/* --- without a window --- */

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

static bool draw_and_save(struct morton_scene *scene, const struct canvas *canvas, enum order order,
                          const char *path, struct failure *failure)
{
    scene->order = order;
    draw(scene, canvas->framebuffer);
    canvas_resolve(canvas);
    if (!canvas_save(canvas, path, failure))
        return false;
    printf("%s shows the %s order\n", path, order_names[order]);
    return true;
}

/* Of geometry at rest the report has told it already. */
static void print_animated(struct morton_scene *scene)
{
    figures_poll(&scene->figures, true);
    figures_start(&scene->figures, scene->frame);
    figures_poll(&scene->figures, true);
    const struct figures_result *result = &scene->figures.latest;
    printf("frame %u, sorted anew: order equals the CPU oracle: %s%s\n", scene->frame + 1,
           result->right ? "yes" : "no, ", result->wrong);
}

static bool save(void *state, const struct canvas *canvas, struct failure *failure)
{
    struct morton_scene *scene = state;
    const char *after = scene->options->screenshot;
    char *before = after ? before_path(after) : NULL;
    if (after && !before)
        return failure_set(failure, "%s: out of memory", after);
    printf("\n");
    if (scene->animate)
        print_animated(scene);
    bool saved =
        draw_and_save(scene, canvas, ORDER_FILE, before ? before : "before.png", failure) &&
        draw_and_save(scene, canvas, ORDER_MORTON, after ? after : "after.png", failure);
    free(before);
    return saved;
}

static bool finish(void *state, struct failure *failure)
{
    struct morton_scene *scene = state;
    figures_poll(&scene->figures, true);
    return (scene->correct && scene->figures.wrong_count == 0) ||
           failure_set(failure, "%s: the order is wrong, as told above", scene->model->mesh.name);
}

const struct scene scene_morton = {.name = "morton",
                                   .help = "1 2 3 4  file, Morton, spatial, cache order\n"
                                           "v  one order, two side by side, or all four\n"
                                           "c  the curve through the triangles' centroids\n"
                                           "p  play the first k triangles\n"
                                           "w  wobble, sorted anew in every frame\n"
                                           "b  keys of 30 or 63 bits\n"
                                           "n  pick the next submesh\n"
                                           "f  see the whole mesh\n",
                                   .create = create,
                                   .resize = resize,
                                   .update = update,
                                   .draw = draw,
                                   .key = key,
                                   .status = status,
                                   .destroy = destroy,
                                   .panel = morton_panel,
                                   .times = morton_times_panel,
                                   .cover = cover,
                                   .drag = drag,
                                   .wheel = wheel,
                                   .drop = drop,
                                   .loaded = loaded,
                                   .plans = plans,
                                   .headless_frames = 1,
                                   .save = save,
                                   .finish = finish};
