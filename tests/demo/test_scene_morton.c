/* The scene of a mesh: its pictures against ones of index buffers that the CPU ordered, moving
 * geometry, and what it tells. */
#include <stdlib.h>
#include <string.h>

#include "cpu_sort.h"
#include "gl_debug.h"
#include "morton_run.h"
#include "panel.h"

enum { PIXEL_BYTES = 3 * WIDTH * HEIGHT };

/* Buffers may have been written to, of which the scene doesn't know. */
static void draw_picture(struct scene_run *run, unsigned char *rgb)
{
    ((struct morton_scene *)run->state)->sort_count++;
    run->scene->draw(run->state, run->canvas.framebuffer);
    canvas_resolve(&run->canvas);
    canvas_read(&run->canvas, rgb);
}

static void read_buffer(GLuint buffer, size_t size, void *data)
{
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

static void write_buffer(GLuint buffer, size_t size, const void *data)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

/* --- orders by the CPU --- */

/* The mesh's index buffer with each segment in Morton order; the caller frees it. */
static uint32_t *morton_by_cpu(const struct mesh *mesh, unsigned key_bits)
{
    size_t count = mesh->triangle_count;
    uint32_t *codes = malloc(8 * sizeof *codes * count), *sorted = codes + 2 * count;
    uint32_t *values = sorted + 2 * count;
    uint32_t *indices = malloc(3 * sizeof *indices * count);
    const struct cpu_order order = {.key_type =
                                        key_bits == 63 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                                    .value_type = GL_SEGSORT_VALUE_INDEX};
    morton_codes(mesh, key_bits, codes);
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        const struct mesh_segment *segment = &mesh->segments[s];
        uint32_t first = segment->first;
        const gl_segsort_segment whole = {first, first, first, first, segment->count};
        cpu_sort_typed_segments(&order, codes, NULL, sorted, values, &whole, 1);
        for (size_t i = first; i < (size_t)first + segment->count; i++)
            memcpy(indices + 3 * i, mesh->indices + 3 * ((size_t)first + values[i]),
                   3 * sizeof *indices);
    }
    free(codes);
    return indices;
}

static uint32_t *order_by_cpu(const struct mesh *mesh, enum order order, unsigned key_bits)
{
    size_t size = 3 * sizeof(uint32_t) * (size_t)mesh->triangle_count;
    uint32_t *indices = order == ORDER_MORTON ? morton_by_cpu(mesh, key_bits) : malloc(size);
    if (order == ORDER_FILE)
        memcpy(indices, mesh->indices, size);
    else if (order == ORDER_SPATIAL)
        CHECK(metrics_spatial_sort(mesh, indices, &failure), "%s", failure.text);
    else if (order == ORDER_CACHE)
        CHECK(metrics_cache_sort(mesh, indices, &failure), "%s", failure.text);
    return indices;
}

/* Makes all of a segment's triangles but the first ones disappear, without moving the others. */
static void leave_first(const struct mesh *mesh, uint32_t *indices, uint32_t left)
{
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        const struct mesh_segment *segment = &mesh->segments[s];
        for (uint32_t t = left; t < segment->count; t++)
            for (size_t k = 0; k < 3; k++)
                indices[3 * (size_t)(segment->first + t) + k] = segment->first_vertex;
    }
}

/* The same for the first ones of all segments together. */
static void leave_first_of_all(const struct mesh *mesh, uint32_t *indices, uint32_t left)
{
    for (size_t i = 3 * (size_t)left; i < 3 * (size_t)mesh->triangle_count; i++)
        indices[i] = mesh->segments[0].first_vertex;
}

/* --- pictures --- */

/* Pixels with a channel more than 2 of 255 apart. What both pictures are drawn by is the same, so
 * none may be; the tolerance is for drivers that don't rasterise alike twice. */
static unsigned different_pixels(const unsigned char *a, const unsigned char *b)
{
    unsigned count = 0;
    for (int pixel = 0; pixel < PIXEL_BYTES; pixel += 3) {
        int most = 0;
        for (int i = pixel; i < pixel + 3; i++)
            most = abs(a[i] - b[i]) > most ? abs(a[i] - b[i]) : most;
        count += most > 2;
    }
    return count;
}

/* Draws what the scene shows, and the same by the CPU's index buffer. */
static void compare_order(struct scene_run *run, enum order order, uint32_t first, bool of_each)
{
    static unsigned char gpu[PIXEL_BYTES], cpu[PIXEL_BYTES];
    struct morton_scene *scene = run->state;
    const struct mesh *mesh = &scene->model->mesh;
    size_t size = 3 * sizeof(uint32_t) * (size_t)mesh->triangle_count;
    uint32_t *kept = malloc(size), *indices = order_by_cpu(mesh, order, scene->key_bits);
    GLuint buffer = scene->model->buffers.orders[order];
    scene->order = order;
    scene->of_each = of_each;
    scene->first = first;
    draw_picture(run, gpu);
    if (of_each)
        leave_first(mesh, indices, first);
    else
        leave_first_of_all(mesh, indices, first);
    read_buffer(buffer, size, kept);
    write_buffer(buffer, size, indices);
    scene->first = UINT32_MAX;
    draw_picture(run, cpu);
    write_buffer(buffer, size, kept);
    CHECK(different_pixels(gpu, cpu) == 0, "%s order, first %u: %u pixels differ",
          order_names[order], first, different_pixels(gpu, cpu));
    free(kept);
    free(indices);
}

static void pictures_equal_the_cpus(void)
{
    static unsigned char pictures[ORDER_COUNT][PIXEL_BYTES];
    struct scene_run run;
    struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    draw_frame(&run);
    for (int order = 0; order < ORDER_COUNT; order++) {
        compare_order(&run, (enum order)order, 100000000, true);
        compare_order(&run, (enum order)order, 200, true);
        compare_order(&run, (enum order)order, 1500, false);
        scene->first = UINT32_MAX;
        draw_picture(&run, pictures[order]);
        for (int other = 0; other < order; other++)
            CHECK(different_pixels(pictures[order], pictures[other]) > WIDTH * HEIGHT / 20,
                  "orders %d and %d look the same", order, other);
    }
    CHECK(morton_set_key_bits(scene, 63), "%s", scene->trouble.text);
    draw_frame(&run);
    compare_order(&run, ORDER_MORTON, 100000000, true);
    scene_run_destroy(&run);
}

static void panes_have_their_own_orders(void)
{
    static unsigned char rgb[PIXEL_BYTES];
    struct scene_run run;
    struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    draw_frame(&run);
    run.scene->key(run.state, '4');
    for (unsigned panes = 1; panes <= 4; panes *= 2) {
        static const enum order wanted[3][4] = {
            {ORDER_CACHE},
            {ORDER_FILE, ORDER_CACHE},
            {ORDER_FILE, ORDER_MORTON, ORDER_SPATIAL, ORDER_CACHE}};
        struct renderer_pane laid[MORTON_PANES];
        unsigned count = morton_layout(scene, laid);
        CHECK(count == panes, "%u panes, not %u", count, panes);
        for (unsigned i = 0; i < count; i++) {
            CHECK(laid[i].order == wanted[panes / 2][i], "pane %u of %u has order %d", i, panes,
                  laid[i].order);
            CHECK(laid[i].x >= 0 && laid[i].y >= 0 && laid[i].x + laid[i].width <= WIDTH &&
                      laid[i].y + laid[i].height <= HEIGHT,
                  "pane %u of %u is outside", i, panes);
        }
        draw_picture(&run, rgb);
        /* The gap is black, and nothing else of a pane is. */
        const unsigned char *middle = rgb + 3 * (HEIGHT / 4 * WIDTH + WIDTH / 2);
        CHECK((middle[0] + middle[1] + middle[2] == 0) == (panes > 1), "%u panes: no gap", panes);
        run.scene->key(run.state, 'v');
    }
    CHECK(scene->panes == 1, "%u panes after the last", scene->panes);
    scene_run_destroy(&run);
}

static void curves_and_picks_are_seen(void)
{
    static unsigned char plain[PIXEL_BYTES], other[PIXEL_BYTES];
    struct scene_run run;
    struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    draw_frame(&run);
    draw_picture(&run, plain);
    run.scene->key(run.state, 'c');
    draw_picture(&run, other);
    CHECK(different_pixels(plain, other) > WIDTH * HEIGHT / 20, "no curve");
    run.scene->key(run.state, 'c');
    run.scene->key(run.state, 'n');
    CHECK(scene->picked == 0, "submesh %u is picked", scene->picked);
    draw_picture(&run, other);
    CHECK(different_pixels(plain, other) > WIDTH * HEIGHT / 100, "the pick isn't seen");
    for (uint32_t s = 0; s < scene->model->mesh.segment_count; s++)
        run.scene->key(run.state, 'n');
    draw_picture(&run, other);
    CHECK(different_pixels(plain, other) == 0, "the pick doesn't end");
    scene_run_destroy(&run);
}

static unsigned colourful_pixels(const unsigned char *rgb)
{
    unsigned count = 0;
    for (int pixel = 0; pixel < PIXEL_BYTES; pixel += 3) {
        int least = 255, most = 0;
        for (int i = pixel; i < pixel + 3; i++) {
            least = rgb[i] < least ? rgb[i] : least;
            most = rgb[i] > most ? rgb[i] : most;
        }
        count += most - least > 60;
    }
    return count;
}

/* A triangle within a box: faces of the box are grey then, and nothing else has colours. */
static void picks_are_seen_through_others(void)
{
    static unsigned char rgb[PIXEL_BYTES];
    struct scene_run run;
    struct options options = options_of(false);
    options.mesh = "hidden.obj";
    write_file("hidden.obj", "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                             "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                             "v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0 0.5 -0.5\n"
                             "o box\nf 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                             "f 4 1 5 8\no inside\nf 9 10 11\n");
    struct morton_scene *scene = start(&run, &options);
    draw_frame(&run);
    scene->picked = 1;
    draw_picture(&run, rgb);
    unsigned inside = colourful_pixels(rgb);
    CHECK(inside > WIDTH * HEIGHT / 100, "%u pixels of the triangle", inside);
    scene->picked = 0;
    draw_picture(&run, rgb);
    CHECK(colourful_pixels(rgb) > 2 * inside, "%u pixels of the box", colourful_pixels(rgb));
    scene_run_destroy(&run);
    remove("hidden.obj");
}

/* What is not drawn again is still there, and what changes is drawn again. */
static void pictures_stay(void)
{
    static unsigned char drawn[PIXEL_BYTES], kept[PIXEL_BYTES];
    static const char keys[] = "1234vcnwbp";
    struct scene_run run;
    struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    for (size_t i = 0; i < sizeof keys; i++) {
        draw_frame(&run);
        canvas_read(&run.canvas, kept);
        draw_picture(&run, drawn);
        CHECK(different_pixels(drawn, kept) == 0, "key %zu leaves an old picture", i);
        run.scene->key(run.state, keys[i]);
        if (keys[i] == 'v')
            run.scene->drag(run.state, 9, 9);
    }
    CHECK(scene->turned, "it wasn't turned");
    scene->playing = scene->animate = false;
    for (int frame = 0; frame < 9; frame++)
        draw_frame(&run);
    /* As a sign that nothing is drawn, the picture is overwritten. */
    glBindFramebuffer(GL_FRAMEBUFFER, run.canvas.framebuffer);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    draw_frame(&run);
    canvas_read(&run.canvas, kept);
    CHECK(kept[0] == 255, "it is drawn again without a reason");
    CHECK(scene_run_resize(&run, WIDTH, HEIGHT, &failure), "%s", failure.text);
    draw_frame(&run);
    canvas_read(&run.canvas, kept);
    CHECK(kept[0] != 255, "it isn't drawn after a resize");
    scene_run_destroy(&run);
}

static void plays_the_first_triangles(void)
{
    struct scene_run run;
    struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    uint32_t most = morton_most(scene), before = 0;
    CHECK(scene->first == most, "%u of %u are shown at first", scene->first, most);
    run.scene->key(run.state, 'p');
    CHECK(scene->first == 0 && scene->playing, "it doesn't start at 0");
    for (int step = 0; step < 12; step++, before = scene->first) {
        CHECK(run.scene->update(run.state, 0, 1, &failure), "%s", failure.text);
        CHECK(scene->first > before || before == most, "%u after %u", scene->first, before);
    }
    CHECK(scene->first == most && !scene->playing, "it ends with %u of %u", scene->first, most);
    scene_run_destroy(&run);
}

/* --- moving geometry --- */

static void check_moved_order(const struct morton_scene *scene)
{
    const struct model *model = scene->model;
    struct mesh moved = model->mesh;
    size_t floats = 3 * (size_t)moved.vertex_count, different = 0, still = 0;
    size_t size = 3 * sizeof(uint32_t) * (size_t)moved.triangle_count;
    uint32_t *gpu = malloc(size);
    moved.positions = malloc(floats * sizeof *moved.positions);
    read_buffer(model->buffers.positions, floats * sizeof *moved.positions, moved.positions);
    read_buffer(model->buffers.orders[ORDER_MORTON], size, gpu);
    uint32_t *cpu = morton_by_cpu(&moved, scene->key_bits);
    uint32_t *rest = morton_by_cpu(&model->mesh, scene->key_bits);
    CHECK(memcmp(gpu, cpu, size) == 0, "%u bits: the order isn't the moved positions'",
          scene->key_bits);
    for (size_t i = 0; i < 3 * (size_t)moved.triangle_count; i++)
        different += gpu[i] != rest[i];
    for (size_t i = 0; i < floats; i += 3)
        still += memcmp(moved.positions + i, model->mesh.positions + i, 3 * sizeof(float)) == 0;
    CHECK(different > moved.triangle_count / 20, "%zu corners changed", different);
    CHECK(still < floats / 100, "%zu vertices stand still", still);
    free(moved.positions);
    free(gpu);
    free(cpu);
    free(rest);
}

static void moving_meshes_are_sorted_every_frame(void)
{
    static unsigned char moved[PIXEL_BYTES], again[PIXEL_BYTES];
    struct scene_run run;
    struct options options = options_of(true);
    for (int attempt = 0; attempt < 2; attempt++) {
        struct morton_scene *scene = start(&run, &options);
        for (int frame = 0; frame < 40; frame++) {
            if (frame == 20)
                CHECK(morton_set_key_bits(scene, 63), "%s", scene->trouble.text);
            draw_frame(&run);
            if (frame == 15 || frame == 25)
                check_moved_order(scene);
        }
        draw_picture(&run, attempt == 0 ? moved : again);
        CHECK(scene_morton.finish(scene, &failure), "%s", failure.text);
        CHECK(scene->figures.latest.known && scene->figures.latest.right,
              "nothing was compared with the CPU");
        const struct morton_times times = morton_gpu_times(&scene->model->morton);
        CHECK(times.keys > 0 && times.sort > 0 && times.gather > 0, "%f, %f, %f ms", times.keys,
              times.sort, times.gather);
        if (attempt == 1) {
            run.scene->key(run.state, 'w');
            draw_frame(&run);
            compare_order(&run, ORDER_MORTON, 100000000, true);
        }
        scene_run_destroy(&run);
    }
    CHECK(memcmp(moved, again, sizeof moved) == 0, "two runs, two pictures");
}

/* --- what it tells --- */

static void figures_find_wrong_orders(void)
{
    static const char *const reasons[] = {"the index buffer's triangle", "row 7 is triangle"};
    struct scene_run run;
    struct options options = options_of(false);
    for (int stream = 0; stream < 2; stream++) {
        struct morton_scene *scene = start(&run, &options);
        draw_frame(&run);
        figures_poll(&scene->figures, true);
        CHECK(scene->figures.latest.known && scene->figures.latest.right, "right at first");
        uint32_t word = 12345;
        glBindBuffer(GL_COPY_WRITE_BUFFER, stream == 0 ? scene->model->buffers.orders[ORDER_MORTON]
                                                       : scene->model->morton.sorted_values);
        glBufferSubData(GL_COPY_WRITE_BUFFER, 7 * sizeof word, sizeof word, &word);
        glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
        figures_start(&scene->figures, 9);
        CHECK(!scene_morton.finish(scene, &failure), "it is taken for right");
        CHECK(strstr(failure.text, "grids.obj: the order is wrong"), "%s", failure.text);
        CHECK(scene->figures.latest.frame == 9, "of frame %u", scene->figures.latest.frame);
        CHECK(strstr(scene->figures.latest.wrong, reasons[stream]), "%s",
              scene->figures.latest.wrong);
        scene_run_destroy(&run);
    }
}

/* 2 of the first segment's triangles have one place; the second one's are far apart. */
static void figures_count_shared_codes_and_transforms(void)
{
    struct scene_run run;
    struct options options = options_of(false);
    options.mesh = "shared.obj";
    write_file("shared.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nv 8 9 9\nv 9 8 9\n"
                             "o a\nf 1 2 3\nf 3 2 1\nf 4 5 6\no b\nf 1 2 3\nf 4 5 6\n");
    struct morton_scene *scene = start(&run, &options);
    draw_frame(&run);
    figures_poll(&scene->figures, true);
    const struct figures_result *latest = &scene->figures.latest;
    CHECK(scene->model->mesh.segment_count == 2, "%u segments", scene->model->mesh.segment_count);
    CHECK(latest->shared == 2 && scene->figures.latest_shared[0] == 2 &&
              scene->figures.latest_shared[1] == 0,
          "%u share: %u and %u", latest->shared, scene->figures.latest_shared[0],
          scene->figures.latest_shared[1]);
    /* 12 vertices, each transformed once, for 5 triangles. */
    CHECK(latest->metrics.atvr > 0.999 && latest->metrics.atvr < 1.001, "ATVR %f",
          latest->metrics.atvr);
    CHECK(latest->metrics.acmr > 2.399 && latest->metrics.acmr < 2.401, "ACMR %f",
          latest->metrics.acmr);
    scene_run_destroy(&run);
    remove("shared.obj");
}

/* As many segments have a kernel as its passes say. */
static void segments_know_their_kernel(void)
{
    struct scene_run run;
    struct options options = options_of(false);
    options.mesh = "generated";
    struct morton_scene *scene = start(&run, &options);
    const struct mesh *mesh = &scene->model->mesh;
    gl_segsort_plan_description plan;
    char name[48], kernel[48];
    uint32_t locals = 0;
    gl_segsort_plan_describe(scene->model->morton.plan, &plan);
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const gl_segsort_pass_description *pass = &plan.passes[i];
        bool local =
            strstr(pass->kernel, "-local") != NULL || strcmp(pass->kernel, "bucket-slots") == 0;
        bool splits = strcmp(pass->kernel, "split-scatter") == 0;
        uint32_t count = 0;
        if (!local && !splits && strcmp(pass->kernel, "radix-scatter") != 0)
            continue;
        snprintf(kernel, sizeof kernel,
                 local    ? "%s-%u"
                 : splits ? "split into buckets"
                          : "radix, 4 rounds",
                 pass->kernel, pass->width);
        for (uint32_t s = 0; s < mesh->segment_count; s++) {
            model_name_kernel(scene->model, mesh->segments[s].count, name, sizeof name);
            count += strcmp(name, kernel) == 0;
        }
        CHECK(count == pass->segment_count, "%s: %u segments of %u", kernel, count,
              pass->segment_count);
        locals += local;
    }
    CHECK(locals > 0, "no local kernel");
    scene_run_destroy(&run);
}

/* --- all of it --- */

static void draw_panel(struct scene_run *run)
{
    glBindFramebuffer(GL_FRAMEBUFFER, run->canvas.picture);
    panel_begin_frame(run->canvas.width, run->canvas.height, scene_fixed_step);
    if (panel_begin("morton", PANEL_TOP_LEFT, 320))
        run->scene->panel(run->state);
    panel_end();
    panel_end_frame();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void three_hundred_frames_without_a_word(void)
{
    static const char keys[] = "1cv2bvp3nwfb4cvwwn?";
    struct scene_run run;
    struct gl_debug debug;
    struct options options = options_of(true);
    gl_debug_install(&debug);
    struct morton_scene *scene = start(&run, &options);
    CHECK(panel_create(NULL, 1), "no panel");
    for (unsigned frame = 0; frame < 300; frame++) {
        if (frame % 15 == 14)
            run.scene->key(run.state, keys[frame / 15 % (sizeof keys - 1)]);
        if (frame == 100)
            CHECK(scene_run_resize(&run, 101, 67, &failure), "%s", failure.text);
        if (frame == 120)
            CHECK(!scene_morton.drop(scene, "missing.obj", &failure), "it is missing");
        if (frame == 140)
            CHECK(scene_morton.drop(scene, "grids.obj", &failure), "%s", failure.text);
        run.scene->drag(run.state, 3, frame % 2 ? 1 : -1);
        run.scene->wheel(run.state, frame % 20 < 10 ? 0.1f : -0.1f);
        draw_frame(&run);
        draw_panel(&run);
    }
    panel_destroy();
    CHECK(scene_morton.finish(scene, &failure), "%s", failure.text);
    scene_run_destroy(&run);
    CHECK(gl_debug_count(&debug) == 0, "GL complained, as told above");
}

/* Whether the mesh is in any of the columns from one to another. */
static bool is_between(const unsigned char *picture, const unsigned char *bare, int from, int to)
{
    for (int y = 0; y < HEIGHT; y++)
        if (memcmp(picture + 3 * (y * WIDTH + from), bare + 3 * (y * WIDTH + from),
                   3 * (size_t)(to - from)) != 0)
            return true;
    return false;
}

static void meshes_keep_clear_of_panels(void)
{
    static unsigned char bare[PIXEL_BYTES], picture[PIXEL_BYTES];
    enum { LEFT = 90, RIGHT = 40 };
    struct scene_run run;
    const struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    draw_frame(&run);
    scene->first = 0;
    draw_picture(&run, bare);
    scene->first = UINT32_MAX;
    draw_picture(&run, picture);
    CHECK(is_between(picture, bare, 0, LEFT), "without panels the mesh is small");
    run.scene->cover(scene, LEFT, RIGHT);
    draw_picture(&run, picture);
    CHECK(!is_between(picture, bare, 0, LEFT), "the mesh is under the left panel");
    CHECK(!is_between(picture, bare, WIDTH - RIGHT, WIDTH), "the mesh is under the right panel");
    CHECK(is_between(picture, bare, LEFT, LEFT + 20), "the mesh isn't beside the left panel");
    CHECK(is_between(picture, bare, WIDTH - RIGHT - 20, WIDTH - RIGHT),
          "the mesh isn't beside the right panel");
    /* Hardly anything would be left of the left pane. */
    morton_set_panes(scene, 2);
    draw_picture(&run, picture);
    scene->first = 0;
    draw_picture(&run, bare);
    CHECK(is_between(picture, bare, 0, LEFT), "the left pane is empty");
    scene_run_destroy(&run);
}

static const struct check_test tests[] = {CHECK_TEST(pictures_equal_the_cpus),
                                          CHECK_TEST(panes_have_their_own_orders),
                                          CHECK_TEST(curves_and_picks_are_seen),
                                          CHECK_TEST(picks_are_seen_through_others),
                                          CHECK_TEST(pictures_stay),
                                          CHECK_TEST(meshes_keep_clear_of_panels),
                                          CHECK_TEST(plays_the_first_triangles),
                                          CHECK_TEST(moving_meshes_are_sorted_every_frame),
                                          CHECK_TEST(figures_find_wrong_orders),
                                          CHECK_TEST(figures_count_shared_codes_and_transforms),
                                          CHECK_TEST(segments_know_their_kernel),
                                          CHECK_TEST(three_hundred_frames_without_a_word)};

int main(int argc, char **argv)
{
    return morton_run_tests(argc, argv, tests, COUNT_OF(tests));
}
