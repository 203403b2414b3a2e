/* The Morton scene's panel: what is shown, what the GPU did, submeshes and files. */
#include <stdio.h>
#include <string.h>

#include "panel.h"
#include "scene_morton.h"

static const char *const sentences[ORDER_COUNT] = {
    "as the file has its triangles",
    "along a Morton curve, sorted on the GPU by gl_segsort, each submesh in its own segment",
    "meshopt_spatialSortTriangles: along a Morton curve, by the CPU",
    "meshopt_optimizeVertexCache: for the vertex cache, by the CPU"};

static const double least_time = 0.0005; /* milliseconds; less is a clock that stands */

static const char *const order_labels[ORDER_COUNT] = {"file", "Morton", "spatial", "cache"};

/* --- the mesh --- */

static void show_mesh(struct morton_scene *scene)
{
    const struct mesh *mesh = &scene->model->mesh;
    panel_text("%.44s", mesh->name);
    panel_text("%u triangles in %u submeshes", mesh->triangle_count, mesh->segment_count);
    if (mesh_loader_busy(&scene->loader)) {
        const char *phase;
        char text[96];
        float fraction = mesh_progress_fraction(&scene->loader.progress, &phase);
        const char *base = strrchr(scene->loader.path, '/');
        snprintf(text, sizeof text, "%s %.40s", phase, base ? base + 1 : scene->loader.path);
        panel_progress(fraction, text);
    }
    if (scene->trouble.text[0])
        panel_paragraph(scene->trouble.text);
}

/* --- what is shown --- */

static void show_orders(struct morton_scene *scene)
{
    static const char *const pane_names[] = {"one", "two", "four panes (v)"};
    uint32_t panes = scene->panes / 2;
    panel_text("Triangles coloured along the order (1-4):");
    panel_radio("order", &scene->order, order_labels, ORDER_COUNT);
    panel_hint(sentences[scene->order]);
    if (panel_radio("panes", &panes, pane_names, 3))
        morton_set_panes(scene, panes == 2 ? 4 : panes + 1);
    if (scene->panes == 2)
        panel_choice("on the left", &scene->left, order_labels, ORDER_COUNT);
}

static void show_switches(struct morton_scene *scene)
{
    static const char *const bits[] = {"30-bit", "63-bit keys (b)"};
    bool animate = scene->animate, of_each = scene->of_each;
    uint32_t long_keys = scene->key_bits == 63;
    panel_checkbox("curve (c)", &scene->curve);
    panel_hint("a line through the triangles' centroids, in their order");
    panel_same_line();
    if (panel_checkbox("wobble (w)", &animate))
        morton_set_animate(scene, animate);
    panel_hint("vertices move, and in every frame keys, order and index buffer are made anew");
    if (panel_radio("keys", &long_keys, bits, 2))
        morton_set_key_bits(scene, long_keys ? 63 : 30);
    panel_text("Draw the first triangles only:");
    if (panel_slider("##first", &scene->first, 0, morton_most(scene), false))
        scene->playing = false;
    panel_same_line();
    if (panel_button(scene->playing ? "stop (p)" : "play (p)"))
        morton_play(scene);
    if (panel_checkbox("so many of each submesh", &of_each))
        morton_set_of_each(scene, of_each);
}

/* --- figures --- */

static void show_metrics(const struct morton_scene *scene)
{
    static const char *const headings[] = {"order", "ACMR", "ATVR", "overfetch"};
    const struct figures_result *latest = &scene->figures.latest;
    if (!panel_table_begin("metrics", headings, 4, 0))
        return;
    for (int order = 0; order < ORDER_COUNT; order++) {
        const struct metrics *metrics = &scene->model->orders.metrics[order];
        if (order == ORDER_MORTON)
            metrics = &latest->metrics;
        panel_table_row();
        panel_table_cell();
        panel_text("%s", order_labels[order]);
        const double numbers[] = {metrics->acmr, metrics->atvr, metrics->overfetch};
        for (int i = 0; i < 3; i++) {
            panel_table_cell();
            if (order != ORDER_MORTON || latest->right)
                panel_text("%.3f", numbers[i]);
            else
                panel_text("-");
        }
    }
    panel_table_end();
    panel_text("less is better (?)");
    panel_hint(
        "meshoptimizer's models, of a FIFO cache of 16 vertices. ACMR: vertices transformed a\n"
        "triangle; ATVR: a vertex; overfetch: bytes fetched for each byte there is");
}

static void tell_order(const struct morton_scene *scene)
{
    const struct figures_result *latest = &scene->figures.latest;
    if (latest->known && latest->right)
        panel_text("the CPU sorts it alike (frame %u)", latest->frame);
    else if (latest->known)
        panel_paragraph(latest->wrong);
}

/* Timestamps of a driver without a GPU may stand still for a while. */
static void tell_time(const char *name, double milliseconds)
{
    panel_table_row();
    panel_table_cell();
    panel_text("%s", name);
    panel_table_cell();
    if (milliseconds >= least_time)
        panel_text("%8.3f", milliseconds);
    else
        panel_text("%8s", "-");
}

void morton_times_panel(void *state)
{
    static const char *const headings[] = {"all of an order", "      ms"};
    const struct morton_scene *scene = state;
    const struct morton_times times = morton_gpu_times(&scene->model->morton);
    if (!panel_section("from triangles to an index buffer", true))
        return;
    if (panel_table_begin("steps", headings, 2, 0)) {
        tell_time("keys: gl_segsort_morton_keys", times.keys);
        tell_time("sort: gl_segsort_sort", times.sort);
        tell_time("indices: gl_segsort_gather", times.gather);
        panel_table_end();
    }
    if (times.keys >= least_time && times.sort >= least_time && times.gather >= least_time)
        panel_text("%.1f million triangles a second", 1e-3 * scene->model->mesh.triangle_count /
                                                          (times.keys + times.sort + times.gather));
}

/* --- submeshes --- */

static void show_segments(struct morton_scene *scene)
{
    static const char *const headings[] = {"#", "rows", "sorted by", "shared"};
    const struct mesh *mesh = &scene->model->mesh;
    char text[48];
    panel_text("%u triangles share their %u-bit code (?)", scene->figures.latest.shared,
               scene->figures.latest.key_bits);
    panel_hint("with another of their submesh: such keep the file's order. Click on a submesh to "
               "single it out");
    if (!panel_table_begin("segments", headings, 4, 9))
        return;
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        snprintf(text, sizeof text, "%u", s);
        if (panel_table_pick(text, scene->picked == s))
            scene->picked = scene->picked == s ? RENDERER_NO_SEGMENT : s;
        panel_table_cell();
        panel_text("%u", mesh->segments[s].count);
        model_name_kernel(scene->model, mesh->segments[s].count, text, sizeof text);
        panel_table_cell();
        panel_text("%s", text);
        panel_table_cell();
        panel_text("%u", scene->figures.latest_shared[s]);
    }
    panel_table_end();
}

/* --- files --- */

static void open_file(struct morton_scene *scene, const char *path)
{
    struct failure failure = {""};
    if (!morton_open(scene, path, &failure))
        scene->trouble = failure;
}

static void show_files(struct morton_scene *scene)
{
    static const char *const headings[] = {"installed meshes"};
    char text[192];
    bool found = false;
    if (!scene->listed)
        mesh_list_create(&scene->list);
    scene->listed = true;
    panel_text("Drop a file on the window, or pick one:");
    panel_input("##filter", scene->filter, sizeof scene->filter, "filter, such as gltf");
    if (!panel_table_begin("files", headings, 1, 9))
        return;
    if (panel_table_pick("a generated mesh", false))
        open_file(scene, "generated");
    for (size_t i = 0; i < scene->list.count; i++) {
        if (!mesh_list_matches(&scene->list, i, scene->filter))
            continue;
        found = true;
        /* The number tells files of two folders apart. */
        snprintf(text, sizeof text, "%.140s##%zu", mesh_list_name(&scene->list, i), i);
        if (panel_table_pick(text, false))
            open_file(scene, scene->list.paths[i]);
    }
    panel_table_end();
    if (!found)
        panel_text(scene->list.count > 0 ? "no file's name has that" : "no meshes are installed");
}

/* --- all of it --- */

/* At the middle of the picture, where no other panels are. */
static void show_labels(const struct morton_scene *scene)
{
    struct renderer_pane panes[MORTON_PANES];
    unsigned count = morton_layout(scene, panes);
    for (unsigned i = 0; count > 1 && i < count; i++) {
        bool right = panes[i].x > 0;
        int inside = right ? panes[i].x + 12 : panes[i].width - 12;
        panel_label((float)inside, (float)(scene->height - panes[i].y - 12), right ? 0 : 1,
                    order_labels[panes[i].order]);
    }
}

void morton_panel(void *state)
{
    struct morton_scene *scene = state;
    show_labels(scene);
    show_mesh(scene);
    panel_separator();
    show_orders(scene);
    show_switches(scene);
    panel_separator();
    show_metrics(scene);
    tell_order(scene);
    if (panel_section("Submeshes", false))
        show_segments(scene);
    if (panel_section("Open a mesh", false))
        show_files(scene);
}
