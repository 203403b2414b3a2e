/* The network scene without looking at its pictures: rows, counts and words of each step, and frames. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cpu_sort.h"
#include "gl_debug.h"
#include "headless_gl.h"
#include "network_case.h"
#include "network_labels.h"
#include "panel.h"
#include "scene_network_play.h"

enum { WIDTH = 1280, HEIGHT = 720 };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void check_step(struct scene_network *scene, uint32_t step)
{
    struct failure failure;
    struct network_sort *sort = &scene->sort;
    size_t bytes = sort->settings.rows * sizeof(uint32_t);
    if (!CHECK(scene_network_set_step(scene, step, &failure), "%s", failure.text))
        return;
    uint32_t *sources = network_allocate(bytes), *keys = network_imitate(scene, step, sources);
    uint32_t *places = network_imitate_places(scene, step), moved = 0;
    for (uint32_t row = 0; row < sort->settings.rows; row++)
        moved += places[row] != row;
    CHECK(memcmp(keys, sort->after.keys, bytes) == 0 &&
              memcmp(sources, sort->after.sources, bytes) == 0,
          "%u rows, step %u: the rows aren't the CPU's", sort->settings.rows, step);
    CHECK(memcmp(places, sort->places, bytes) == 0, "%u rows, step %u: the places aren't the CPU's",
          sort->settings.rows, step);
    CHECK(sort->counts.right, "%u rows, step %u is called wrong", sort->settings.rows, step);
    if (sort->settings.algorithm == GL_SEGSORT_ALGORITHM_BITONIC)
        moved /= 2;
    if (sort->settings.algorithm != GL_SEGSORT_ALGORITHM_AUTO)
        CHECK(sort->counts.exchanged == moved, "%u rows, step %u: %u exchanged, not %u",
              sort->settings.rows, step, sort->counts.exchanged, moved);
    free(sources);
    free(keys);
    free(places);
}

static void check_end(struct scene_network *scene)
{
    struct failure failure;
    struct network_sort *sort = &scene->sort;
    const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                    .direction = sort->settings.direction};
    size_t bytes = sort->settings.rows * sizeof(uint32_t);
    uint32_t *keys = network_allocate(bytes), *sources = network_allocate(bytes);
    cpu_sort_typed_segments(&order, sort->keys, NULL, keys, sources, sort->segments,
                            sort->settings.segment_count);
    if (CHECK(scene_network_set_step(scene, UINT32_MAX, &failure), "%s", failure.text))
        CHECK(memcmp(keys, sort->after.keys, bytes) == 0 &&
                  memcmp(sources, sort->after.sources, bytes) == 0 && sort->counts.sorted,
              "%u rows: the end isn't sorted", sort->settings.rows);
    free(keys);
    free(sources);
}

/* All settings, each number of rows with some of them. One scene, whose settings change. */
static void steps_are_the_cpus(void)
{
    struct scene_network scene;
    struct failure failure;
    const struct network_settings first = {.rows = 8, .segment_count = 1};
    if (!CHECK(scene_network_create(&scene, &first, headless_gl_get_proc_address,
                                    (gl_segsort_program_cache){0}, &failure),
               "%s", failure.text))
        return;
    for (uint32_t i = 0, rows = 8; rows <= NETWORK_ROWS_MAX; i++, rows = i % 3 ? rows : rows * 2) {
        const struct network_settings settings = {
            .rows = i % 2 ? rows : rows - rows / 5 + (rows < 16 ? 1 : 0),
            .segment_count = i % 5 == 4 ? NETWORK_SEGMENTS_MAX : 1 + i % 5,
            .lengths = (enum network_lengths)(i / 2 % 3),
            .keys = (enum network_keys)(i % 4),
            .distinct = i % 7 == 3 ? 1 + rows / 4 : 0,
            .direction = (gl_segsort_direction)(i / 3 % 2),
            .algorithm = (gl_segsort_algorithm)((i + i / 3) % 3),
            .seed = i};
        uint32_t stride = rows <= 4096 ? 1 : rows / 2048;
        if (!CHECK(network_sort_change(&scene.sort, &settings, &failure), "%s", failure.text))
            break;
        for (uint32_t step = 0; step <= scene.sort.step_count; step += stride)
            check_step(&scene, step);
        check_end(&scene);
    }
    scene_network_destroy(&scene);
}

/* The oracle has to be able to say no. */
static void wrong_rows_are_told(void)
{
    char text[128];
    struct scene_network scene;
    struct failure failure;
    const struct network_settings settings = {
        .rows = 64, .segment_count = 2, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
    if (!CHECK(scene_network_create(&scene, &settings, headless_gl_get_proc_address,
                                    (gl_segsort_program_cache){0}, &failure),
               "%s", failure.text))
        return;
    scene_network_set_step(&scene, 3, &failure);
    network_labels_oracle(&scene.sort, text, sizeof text);
    CHECK(strcmp(text, "equals the CPU after as many steps: yes") == 0, "%s", text);
    scene.sort.keys[40] ^= 1;
    scene_network_set_step(&scene, 4, &failure);
    network_labels_oracle(&scene.sort, text, sizeof text);
    CHECK(strcmp(text, "equals the CPU after as many steps: NO") == 0, "%s", text);
    scene_network_set_step(&scene, 100, &failure);
    network_labels_oracle(&scene.sort, text, sizeof text);
    CHECK(strcmp(text, "equals the CPU's stable sort: NO") == 0, "%s", text);
    scene_network_destroy(&scene);
}

/* Which kernels the plan says did it. */
static void kernels_are_told(void)
{
    const struct {
        const char *kernels;
        uint32_t rows, step;
        gl_segsort_algorithm algorithm;
        bool shared;
    } cases[] = {{"bitonic-local", 64, 1, GL_SEGSORT_ALGORITHM_BITONIC, true},
                 {"bitonic-block", 65536, 3, GL_SEGSORT_ALGORITHM_BITONIC, true},
                 {"bitonic-step", 65536, 121, GL_SEGSORT_ALGORITHM_BITONIC, false},
                 {"bitonic-merge", 65536, 136, GL_SEGSORT_ALGORITHM_BITONIC, true},
                 {"radix-local", 64, 2, GL_SEGSORT_ALGORITHM_RADIX, true},
                 {"radix-scatter", 65536, 2, GL_SEGSORT_ALGORITHM_RADIX, false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct network_settings settings = {
            .rows = cases[i].rows, .segment_count = 1, .algorithm = cases[i].algorithm};
        struct scene_network scene;
        struct network_step step;
        struct failure failure;
        if (!CHECK(scene_network_create(&scene, &settings, headless_gl_get_proc_address,
                                        (gl_segsort_program_cache){0}, &failure),
                   "%s", failure.text))
            return;
        network_sort_tell_step(&scene.sort, cases[i].step, &step);
        CHECK(strstr(step.kernels, cases[i].kernels) && step.shared == cases[i].shared,
              "case %zu: %s, %s", i, step.kernels, step.shared ? "shared" : "storage");
        scene_network_destroy(&scene);
    }
}

/* Whether two pictures differ in any of the columns from one to another. */
static bool columns_differ(const unsigned char *a, const unsigned char *b, int from, int to)
{
    for (int y = 0; y < HEIGHT; y++)
        if (memcmp(a + 3 * (y * WIDTH + from), b + 3 * (y * WIDTH + from),
                   3 * (size_t)(to - from)) != 0)
            return true;
    return false;
}

/* What is under panels is the same at every step. */
static void rows_keep_clear_of_panels(void)
{
    static unsigned char pictures[2][3 * WIDTH * HEIGHT];
    enum { LEFT = WIDTH / 4, RIGHT = WIDTH / 5 };
    const struct options options = {
        .network = {.rows = 300, .segment_count = 5, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC},
        .network_step = 0};
    const struct scene_setup setup = {.options = &options,
                                      .get_proc_address = headless_gl_get_proc_address};
    struct failure failure = {""};
    struct canvas canvas = {0};
    const struct scene *scene = &scene_network_play;
    struct network_player *player = scene->create(&setup, &failure);
    if (!CHECK(player && canvas_resize(&canvas, WIDTH, HEIGHT, &failure), "%s", failure.text))
        return;
    scene->resize(player, WIDTH, HEIGHT);
    scene->cover(player, LEFT, RIGHT);
    for (int i = 0; i < 2; i++) {
        network_player_go(player, 20 * (uint32_t)i);
        CHECK(scene->update(player, 0, 0, &failure), "%s", failure.text);
        scene->draw(player, canvas.framebuffer);
        canvas_resolve(&canvas);
        canvas_read(&canvas, pictures[i]);
    }
    CHECK(!columns_differ(pictures[0], pictures[1], 0, LEFT), "rows are on the left");
    CHECK(!columns_differ(pictures[0], pictures[1], WIDTH - RIGHT, WIDTH), "rows are on the right");
    CHECK(columns_differ(pictures[0], pictures[1], LEFT, WIDTH / 2), "no rows are on the left");
    CHECK(columns_differ(pictures[0], pictures[1], WIDTH / 2, WIDTH - RIGHT),
          "no rows are on the right");
    canvas_destroy(&canvas);
    scene->destroy(player);
}

/* Where the library sorts long segments by digits and short ones by the network, both are told as
 * long as both go on. */
static void both_ways_are_told(void)
{
    static const struct {
        uint32_t step;
        const char *title, *kernels;
    } cases[] = {{1, "stage 2, stride 1; bits 0 to 7", "radix-local"},
                 {2, "stage 4, stride 2; bits 8 to 15", "radix-local"},
                 {3, "stage 4, stride 1", "bitonic-local"}};
    const struct network_settings settings = {
        .rows = 1000, .segment_count = 4, .lengths = NETWORK_POWER_LAW};
    struct scene_network scene;
    struct failure failure;
    char text[256];
    if (!CHECK(scene_network_create(&scene, &settings, headless_gl_get_proc_address,
                                    (gl_segsort_program_cache){0}, &failure),
               "%s", failure.text))
        return;
    CHECK(network_sort_by_both(&scene.sort), "all segments are sorted alike");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scene_network_set_step(&scene, cases[i].step, &failure);
        network_labels_title(&scene.sort, text, sizeof text);
        CHECK(strcmp(text, cases[i].title) == 0, "step %u: %s", cases[i].step, text);
        network_labels_details(&scene.sort, text, sizeof text);
        CHECK(strstr(text, "bitonic-local") && strstr(text, cases[i].kernels) &&
                  (strstr(text, "radix") != NULL) == (cases[i].step < 3),
              "step %u: %s", cases[i].step, text);
    }
    scene_network_destroy(&scene);
}

/* 300 frames with keys, mouse, other sizes and the panel. */
static void frames_without_complaints(void)
{
    static const char keys[] = "a.d,k.g.l.m.r.e.b.a.+.-.p.h.k.a";
    const struct options options = {
        .network = {.rows = 300, .segment_count = 5, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC},
        .network_step = -1,
        .seed = 3};
    const struct scene_setup setup = {.options = &options,
                                      .get_proc_address = headless_gl_get_proc_address};
    struct failure failure = {""};
    struct gl_debug debug;
    struct scene_plan plans[4];
    const struct scene *scene = &scene_network_play;
    gl_debug_install(&debug);
    struct canvas canvas = {0};
    void *state = scene->create(&setup, &failure);
    if (!CHECK(state != NULL, "%s", failure.text) || state == NULL ||
        !CHECK(panel_create(NULL, 1), "no panels"))
        return;
    for (unsigned frame = 0; frame < 300; frame++) {
        int width = frame % 100 < 50 ? WIDTH : 333, height = frame % 60 < 30 ? HEIGHT : 128;
        if (frame % 10 == 0)
            CHECK(canvas_resize(&canvas, width, height, &failure), "%s", failure.text);
        scene->resize(state, width, height);
        if (frame % 9 == 8)
            scene->key(state, keys[frame / 9 % (sizeof keys - 1)]);
        scene->cover(state, width / 3, height / 10);
        scene->drag(state, 3, frame % 2 ? 2 : -1);
        scene->wheel(state, frame % 4 == 3 ? 1.5f : -0.4f);
        if (!CHECK(scene->update(state, frame, scene_fixed_step, &failure), "%s", failure.text))
            break;
        scene->draw(state, canvas.framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer);
        panel_begin_frame(width, height, scene_fixed_step);
        if (panel_begin("Network", PANEL_TOP_LEFT, 300))
            scene->panel(state);
        panel_end();
        panel_end_frame();
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        CHECK(scene->plans(state, plans, COUNT_OF(plans)) >= 1, "no plan is told");
    }
    CHECK(gl_debug_count(&debug) == 0 && glGetError() == GL_NO_ERROR, "GL complained");
    panel_destroy();
    canvas_destroy(&canvas);
    scene->destroy(state);
}

/* Each is refused with a sentence that has its number. */
static void settings_out_of_range(void)
{
    const uint32_t numbers[][2] = {{7, 1}, {65537, 1}, {100, 0}, {100, 33}};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const struct network_settings settings = {.rows = numbers[i][0],
                                                  .segment_count = numbers[i][1]};
        struct scene_network scene;
        struct failure failure = {""};
        char number[16];
        snprintf(number, sizeof number, "%u ", numbers[i][i / 2]);
        bool made = scene_network_create(&scene, &settings, headless_gl_get_proc_address,
                                         (gl_segsort_program_cache){0}, &failure);
        CHECK(!made && strstr(failure.text, number) == failure.text, "case %zu: %s", i,
              failure.text);
    }
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, true) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    static const struct check_test tests[] = {
        CHECK_TEST(steps_are_the_cpus),        CHECK_TEST(wrong_rows_are_told),
        CHECK_TEST(kernels_are_told),          CHECK_TEST(both_ways_are_told),
        CHECK_TEST(rows_keep_clear_of_panels), CHECK_TEST(frames_without_complaints),
        CHECK_TEST(settings_out_of_range)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    headless_gl_destroy(&gl);
    return result;
}
