/* The network scene's pictures: what is read off them equals a CPU imitation of the sort after as
 * many steps. */
#include <glad/gl.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "cpu_steps.h"
#include "headless_gl.h"
#include "scene_network.h"

enum { WIDTH = 1280, HEIGHT = 720 };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static GLuint framebuffer;
static unsigned char rgb[3 * WIDTH * HEIGHT];

static const unsigned char *pixel(int x, int y)
{
    return rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
}

/* The background is dark everywhere, and bars are not. */
static bool is_lit(int x, int y)
{
    const unsigned char *at = pixel(x, y);
    return at[0] > 80 || at[1] > 80 || at[2] > 80;
}

static bool draw_step(struct scene_network *scene, uint32_t step)
{
    struct failure failure;
    if (!CHECK(scene_network_set_step(scene, step, &failure), "%s", failure.text))
        return false;
    scene_network_draw(scene, framebuffer, WIDTH, HEIGHT);
    scene_network_read(framebuffer, WIDTH, HEIGHT, rgb);
    return CHECK(glGetError() == GL_NO_ERROR, "a GL error");
}

/* The keys that the step leaves, and the rows that they came from. The result is to be freed. */
static uint32_t *imitate(const struct scene_network *scene, uint32_t step, uint32_t *sources)
{
    const struct network_settings *settings = &scene->sort.settings;
    const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                    .direction = settings->direction,
                                    .end_bit = NETWORK_KEY_BITS};
    uint32_t *keys = malloc(settings->rows * sizeof *keys);
    if (!keys)
        abort();
    for (uint32_t i = 0; i < settings->segment_count; i++) {
        const gl_segsort_segment *segment = &scene->sort.segments[i];
        const uint32_t *input = scene->sort.keys + segment->keys_offset;
        uint32_t *rows = sources + segment->keys_offset;
        if (settings->algorithm == GL_SEGSORT_ALGORITHM_BITONIC)
            cpu_network_order(&order, input, segment->length, step, rows);
        else
            cpu_radix_order(&order, input, segment->length, step, rows);
        for (uint32_t row = 0; row < segment->length; row++)
            keys[segment->keys_offset + row] = input[rows[row]];
    }
    return keys;
}

/* ---------------------------------------------------------------------------------------------- */

static void check_heights(const struct scene_network *scene, uint32_t step)
{
    uint32_t sources[NETWORK_BARS_MAX];
    uint32_t *keys = imitate(scene, step, sources);
    for (uint32_t row = 0; row < scene->sort.settings.rows; row++) {
        const struct network_bar bar = scene_network_bar(scene, WIDTH, HEIGHT, row);
        int x = (int)bar.middle, base = (int)bar.baseline, top = base;
        while (top < HEIGHT - 1 && is_lit(x, top))
            top++;
        float expected = bar.height * (float)keys[row] / (float)NETWORK_KEY_END;
        if (!CHECK(fabsf((float)(top - base) - expected) <= 1.5f,
                   "%u rows, step %u: bar %u is %d pixels high, not %.1f",
                   scene->sort.settings.rows, step, row, top - base, (double)expected))
            break;
    }
    free(keys);
}

/* Of a step's comparators those whose rows changed places are orange where they start. */
static void check_comparators(const struct scene_network *scene, uint32_t step)
{
    uint32_t before[NETWORK_BARS_MAX], after[NETWORK_BARS_MAX], stage, stride, exchanged = 0;
    free(imitate(scene, step - 1, before));
    free(imitate(scene, step, after));
    gl_segsort_network_step(step, &stage, &stride);
    for (uint32_t i = 0; i < scene->sort.settings.segment_count; i++) {
        const gl_segsort_segment *segment = &scene->sort.segments[i];
        for (uint32_t lane = 0; lane < segment->length; lane++) {
            uint32_t row = segment->keys_offset + lane;
            const struct network_bar bar = scene_network_bar(scene, WIDTH, HEIGHT, row);
            const unsigned char *at = pixel((int)bar.middle, (int)bar.baseline - 6);
            bool lower = lane % stage < stage / 2;
            if (stride < stage / 2)
                lower = (lane & stride) == 0;
            bool orange = at[0] > 190 && at[0] > at[2] + 60, moved = before[row] != after[row];
            exchanged += moved && lower;
            CHECK(!lower || orange == moved, "step %u: row %u %s, but its arc is %u %u %u", step,
                  row, moved ? "moved" : "did not move", at[0], at[1], at[2]);
        }
    }
    CHECK(exchanged > 0, "step %u exchanges nothing, which tests little", step);
}

static void check_pictures(const struct network_settings *settings, const uint32_t *steps,
                           size_t count, void (*check)(const struct scene_network *, uint32_t))
{
    struct scene_network scene;
    struct failure failure;
    if (!CHECK(scene_network_create(&scene, settings, headless_gl_get_proc_address, &failure), "%s",
               failure.text))
        return;
    for (size_t i = 0; i < count; i++)
        if (draw_step(&scene, steps[i]))
            check(&scene, steps[i]);
    scene_network_destroy(&scene);
}

/* ---------------------------------------------------------------------------------------------- */

static void heights_are_the_keys(void)
{
    const uint32_t steps[] = {0, 1, 2, 3, 9, 17, 12, 21, 1000, 0};
    for (int i = 0; i < 8; i++) {
        const struct network_settings settings = {.rows = i % 2 ? 128 : 8u << i,
                                                  .segment_count = 1 + (uint32_t)i % 4,
                                                  .keys = (enum network_keys)(i % 4),
                                                  .direction = (gl_segsort_direction)(i / 4),
                                                  .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
                                                  .seed = (uint64_t)i};
        if (settings.rows <= 512)
            check_pictures(&settings, steps, COUNT_OF(steps), check_heights);
    }
}

static void heights_are_the_digits(void)
{
    const uint32_t steps[] = {0, 1, 2, 1};
    for (int i = 0; i < 4; i++) {
        const struct network_settings settings = {.rows = 200,
                                                  .segment_count = 1 + 7 * (uint32_t)(i % 2),
                                                  .keys =
                                                      i / 2 ? NETWORK_FEW_DISTINCT : NETWORK_RANDOM,
                                                  .direction = (gl_segsort_direction)(i / 2),
                                                  .algorithm = GL_SEGSORT_ALGORITHM_RADIX};
        check_pictures(&settings, steps, COUNT_OF(steps), check_heights);
    }
}

static void arcs_are_the_exchanges(void)
{
    const uint32_t steps[] = {1, 2, 3, 4, 5, 11, 16, 17, 8};
    const struct network_settings settings = {
        .rows = 100, .segment_count = 2, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC, .seed = 5};
    check_pictures(&settings, steps, COUNT_OF(steps), check_comparators);
}

/* Hue and brightness of a cell: rows with the same key and source look the same wherever they are,
 * so cells are compared with those of the picture before the first step. */
static void check_cells(const struct scene_network *scene, const unsigned char *unsorted,
                        uint32_t step)
{
    const struct network_settings *settings = &scene->sort.settings;
    uint32_t *sources = malloc(settings->rows * sizeof *sources);
    if (!sources)
        abort();
    free(imitate(scene, step, sources));
    for (uint32_t i = 0; i < settings->segment_count; i++) {
        const gl_segsort_segment *segment = &scene->sort.segments[i];
        for (uint32_t lane = 0; lane < segment->length; lane++) {
            float x, y, from_x, from_y;
            uint32_t row = segment->keys_offset + lane;
            scene_network_cell(scene, WIDTH, HEIGHT, row, &x, &y);
            scene_network_cell(scene, WIDTH, HEIGHT, segment->keys_offset + sources[row], &from_x,
                               &from_y);
            const unsigned char *from = unsorted + (pixel((int)from_x, (int)from_y) - rgb);
            if (!CHECK(memcmp(pixel((int)x, (int)y), from, 3) == 0,
                       "step %u: row %u of segment %u has another one's colour", step, lane, i))
                break;
        }
    }
    free(sources);
}

static void cells_are_the_rows(void)
{
    const uint32_t steps[] = {1, 30, 60, 91, 105};
    static unsigned char unsorted[sizeof rgb];
    struct scene_network scene;
    struct failure failure;
    const struct network_settings settings = {
        .rows = 16000, .segment_count = 3, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC, .seed = 2};
    if (!CHECK(scene_network_create(&scene, &settings, headless_gl_get_proc_address, &failure),
               "%s", failure.text))
        return;
    draw_step(&scene, 0);
    memcpy(unsorted, rgb, sizeof rgb);
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (draw_step(&scene, steps[i]))
            check_cells(&scene, unsorted, steps[i]);
    scene_network_destroy(&scene);
}

/* Each is refused with a sentence that has its number. */
static void settings_out_of_range(void)
{
    const uint32_t numbers[][2] = {{7, 1}, {65537, 1}, {100, 0}, {100, 9}};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const struct network_settings settings = {.rows = numbers[i][0],
                                                  .segment_count = numbers[i][1]};
        struct scene_network scene;
        struct failure failure = {""};
        char number[16];
        snprintf(number, sizeof number, "%u ", numbers[i][i / 2]);
        bool made = scene_network_create(&scene, &settings, headless_gl_get_proc_address, &failure);
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
    GLuint renderbuffer;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    static const struct check_test tests[] = {
        CHECK_TEST(heights_are_the_keys), CHECK_TEST(heights_are_the_digits),
        CHECK_TEST(arcs_are_the_exchanges), CHECK_TEST(cells_are_the_rows),
        CHECK_TEST(settings_out_of_range)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    headless_gl_destroy(&gl);
    return result;
}
