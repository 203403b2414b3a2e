/* The network scene's pictures: what is read off them equals a CPU imitation of the sort after as
 * many steps. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "headless_gl.h"
#include "network_labels.h"
#include "network_case.h"
#include "scene_network.h"

enum { WIDTH = 1280, HEIGHT = 720 };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static GLuint framebuffer;
static unsigned char rgb[3 * WIDTH * HEIGHT];

static const unsigned char *pixel(int x, int y)
{
    return rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
}

/* Background and blocks are grey and dark, and bars are not. */
static bool is_lit(int x, int y)
{
    const unsigned char *at = pixel(x, y);
    int most = at[0] > at[1] ? at[0] : at[1], least = at[0] < at[1] ? at[0] : at[1];
    most = at[2] > most ? at[2] : most;
    least = at[2] < least ? at[2] : least;
    return (most > 70 && most - least > 30) || least > 130;
}

static bool is_near(const unsigned char *at, int red, int green, int blue, int tolerance)
{
    return abs(at[0] - red) <= tolerance && abs(at[1] - green) <= tolerance &&
           abs(at[2] - blue) <= tolerance;
}

static bool is_orange(const unsigned char *at)
{
    return is_near(at, 255, 207, 130, 12);
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

/* ---------------------------------------------------------------------------------------------- */

/* How many pixels of a column are a bar's. Lines may end over the bars of digits, whose pixels are
 * all the same. */
static int bar_height(const struct scene_network *scene, const struct network_bar *bar)
{
    int x = (int)bar->middle, base = (int)bar->baseline, top = base;
    bool same = network_sort_by_digits(&scene->sort);
    while (top < HEIGHT - 1 &&
           (same ? memcmp(pixel(x, top), pixel(x, base), 3) == 0 : is_lit(x, top)))
        top++;
    return top - base;
}

static void check_bars(const struct scene_network *scene, uint32_t step, bool before)
{
    uint32_t sources[NETWORK_BARS_MAX];
    uint32_t *keys = network_imitate(scene, before && step > 0 ? step - 1 : step, sources);
    for (uint32_t row = 0; row < scene->sort.settings.rows; row++) {
        const struct network_bar bar = before ? scene_network_bar_before(scene, WIDTH, HEIGHT, row)
                                              : scene_network_bar(scene, WIDTH, HEIGHT, row);
        int height = bar_height(scene, &bar);
        float expected = bar.height * (float)keys[row] / (float)NETWORK_KEY_END;
        if (!CHECK(fabsf((float)height - expected) <= 1.5f,
                   "%u rows, %s step %u: bar %u is %d pixels high, not %.1f",
                   scene->sort.settings.rows, before ? "before" : "after", step, row, height,
                   (double)expected))
            break;
    }
    free(keys);
}

static void check_heights(const struct scene_network *scene, uint32_t step)
{
    check_bars(scene, step, false);
}

static void check_rows_before(const struct scene_network *scene, uint32_t step)
{
    check_bars(scene, step, true);
}

/* Of a step's comparators those whose rows changed places are orange where they start. */
static void check_comparators(const struct scene_network *scene, uint32_t step)
{
    uint32_t before[NETWORK_BARS_MAX], after[NETWORK_BARS_MAX], stage, stride, exchanged = 0;
    free(network_imitate(scene, step - 1, before));
    free(network_imitate(scene, step, after));
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

/* A step of each picture by itself; check has the scene whose step it is. */
static void check_pictures(const struct network_settings *settings, const uint32_t *steps,
                           size_t count, void (*check)(const struct scene_network *, uint32_t))
{
    struct scene_network scene;
    struct failure failure;
    if (!CHECK(scene_network_create(&scene, settings, headless_gl_get_proc_address,
                                    (gl_segsort_program_cache){0}, &failure),
               "%s", failure.text))
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

/* ---------------------------------------------------------------------------------------------- */
/* Digits */

/* How many of a segment's rows have each digit before the step, in the order of the sort. */
static void count_digits(const struct scene_network *scene, const uint32_t *keys, uint32_t step,
                         uint32_t segment, uint32_t columns, uint32_t *counts)
{
    const gl_segsort_segment *at = &scene->sort.segments[segment];
    memset(counts, 0, columns * sizeof *counts);
    for (uint32_t lane = 0; lane < at->length; lane++) {
        uint32_t digit = keys[at->keys_offset + lane] >> (8 * (step - 1)) & 255;
        if (scene->sort.settings.direction == GL_SEGSORT_DESCENDING)
            digit = 255 - digit;
        counts[digit / (256 / columns)]++;
    }
}

/* Of a column the highest pixel with its colour; the line of the scan may lie over it. */
static void check_column(const struct network_columns *at, uint32_t column, float expected,
                         float line)
{
    float middle = at->left + ((float)column + 0.5f) * at->width - 0.5f * at->space;
    int x = (int)middle, base = (int)at->base, top = base;
    bool scanned = false;
    for (int y = base; y < base + (int)at->height; y++) {
        if (is_near(pixel(x, y), 114, 138, 172, 24))
            top = y + 1;
        scanned = scanned || (is_orange(pixel(x, y)) && fabsf((float)(y - base) - line) <= 2.5f);
    }
    bool hidden =
        is_orange(pixel(x, base + (int)expected)) || is_orange(pixel(x, base + (int)expected - 1));
    CHECK(hidden || fabsf((float)(top - base) - expected) <= 1.5f,
          "column %u is %d pixels high, not %.1f", column, top - base, (double)expected);
    CHECK(scanned || line > at->height - 2, "column %u has no line at %.1f", column, (double)line);
}

static void check_columns(const struct scene_network *scene, uint32_t step)
{
    const struct network_sort *sort = &scene->sort;
    uint32_t *sources = network_allocate(sort->settings.rows * sizeof *sources);
    uint32_t *keys = network_imitate(scene, step - 1, sources);
    const struct network_picture picture = network_layout(sort, WIDTH, HEIGHT, scene->view);
    for (uint32_t i = 0; i < sort->settings.segment_count; i++) {
        uint32_t expected[256], told[256], most = 0, before = 0;
        const struct network_columns at = network_layout_columns(&picture, i);
        count_digits(scene, keys, step, i, at.count, expected);
        CHECK(network_labels_digits(sort, i, at.count, told) &&
                  memcmp(told, expected, at.count * sizeof *told) == 0,
              "step %u: the counts of segment %u aren't the CPU's", step, i);
        for (uint32_t column = 0; column < at.count; column++)
            most = expected[column] > most ? expected[column] : most;
        for (uint32_t column = 0; column < at.count; column++) {
            float length = (float)sort->segments[i].length;
            check_column(&at, column, at.height * (float)expected[column] / (float)most,
                         at.height * (float)before / length);
            before += expected[column];
        }
    }
    free(keys);
    free(sources);
}

/* A row's line from place to place, in two parts. */
struct line {
    float x[3], y[4]; /* from, column, to; from, column's upper and lower end, to */
};

static struct line line_of(const struct scene_network *scene, const struct network_picture *picture,
                           uint32_t row, uint32_t place, uint32_t digit, uint32_t key)
{
    const struct network_columns at =
        network_layout_columns(picture, network_sort_segment_of(&scene->sort, row));
    uint32_t column = digit / (256 / at.count);
    float inset = 4; /* of a bar's middle, since bars this wide leave 8 pixels */
    float height = picture->bar_height * (float)key / (float)NETWORK_KEY_END;
    return (struct line){{scene_network_bar(scene, WIDTH, HEIGHT, place).middle - inset,
                          at.left + ((float)column + 0.5f) * at.width,
                          scene_network_bar(scene, WIDTH, HEIGHT, row).middle - inset},
                         {picture->flow_top, picture->columns_top, picture->columns_base,
                          picture->baseline + height + 3}};
}

/* Where a part of a line is at a height, and how far its ribbon reaches there. */
static float line_at(const struct line *line, int part, float y, float *reach)
{
    float high = line->y[2 * part], low = line->y[2 * part + 1],
          way = line->x[part + 1] - line->x[part];
    float t = fminf(fmaxf((high - y) / (high - low), 0), 1);
    *reach = 3 * sqrtf(1 + powf(1.5f * way / (high - low), 2)) + 2;
    return line->x[part] + way * t * t * (3 - 2 * t);
}

/* Halfway of each part of its line a row has its colour, where no other line is near. The line
 * lets 15 % of the background through, which is dark. Returns whether it was looked at. */
static bool check_line(const struct scene_network *scene, const struct line *lines, uint32_t row,
                       int part)
{
    const struct network_bar bar = scene_network_bar(scene, WIDTH, HEIGHT, row);
    const unsigned char *own = pixel((int)bar.middle, (int)bar.baseline);
    float y = floorf((lines[row].y[2 * part] + lines[row].y[2 * part + 1]) / 2) + 0.5f, reach;
    float x = line_at(&lines[row], part, y, &reach);
    for (uint32_t other = 0; other < scene->sort.settings.rows; other++)
        if (other != row && fabsf(line_at(&lines[other], part, y, &reach) - x) < reach)
            return false;
    const unsigned char *at = pixel((int)x, (int)y);
    CHECK(is_near(at, own[0] * 85 / 100 + 5, own[1] * 85 / 100 + 5, own[2] * 85 / 100 + 5, 16),
          "row %u: part %d of its line has %u %u %u at %.1f, not nearly %u %u %u", row, part, at[0],
          at[1], at[2], (double)x, own[0], own[1], own[2]);
    return true;
}

static void check_lines(const struct scene_network *scene, uint32_t step)
{
    const struct network_picture picture = network_layout(&scene->sort, WIDTH, HEIGHT, scene->view);
    uint32_t rows = scene->sort.settings.rows, sources[NETWORK_BARS_MAX], looked_at = 0;
    uint32_t *places = network_imitate_places(scene, step),
             *keys = network_imitate(scene, step, sources);
    struct line *lines = network_allocate(rows * sizeof *lines);
    for (uint32_t row = 0; row < rows; row++)
        lines[row] = line_of(scene, &picture, row, places[row], keys[row] >> (8 * (step - 1)) & 255,
                             keys[row]);
    for (uint32_t row = 0; row < rows; row++)
        for (int part = 0; part < 2; part++)
            looked_at += check_line(scene, lines, row, part);
    CHECK(looked_at >= rows / 2, "only %u of %u lines are alone", looked_at, 2 * rows);
    free(lines);
    free(places);
    free(keys);
}

static void digits_are_counted(void)
{
    const uint32_t steps[] = {1, 2};
    for (int i = 0; i < 6; i++) {
        const struct network_settings settings = {
            .rows = i == 2 ? 5000 : 100u + 300u * (unsigned)i % 1000u,
            .segment_count = 1 + (uint32_t)i,
            .lengths = (enum network_lengths)(i % 3),
            .distinct = i % 2 ? 30 : 0,
            .direction = (gl_segsort_direction)(i / 3),
            .algorithm = GL_SEGSORT_ALGORITHM_RADIX,
            .seed = (uint64_t)i};
        check_pictures(&settings, steps, COUNT_OF(steps), check_columns);
        if (settings.rows <= NETWORK_BARS_MAX)
            check_pictures(&settings, steps, COUNT_OF(steps), check_rows_before);
    }
}

static void lines_lead_to_the_places(void)
{
    const uint32_t steps[] = {1, 2};
    const struct network_settings settings = {
        .rows = 12, .segment_count = 1, .algorithm = GL_SEGSORT_ALGORITHM_RADIX, .seed = 9};
    check_pictures(&settings, steps, COUNT_OF(steps), check_lines);
}

/* ---------------------------------------------------------------------------------------------- */
/* Cells */

/* Where no text is. */
static bool in_view(float x, float y)
{
    return x > 0 && x < WIDTH && y > 72 && y < HEIGHT - 84;
}

/* Rows with the same key and source look the same wherever they are: a row's cell in the one pane
 * has the colour of a picture where its source is known. */
static void compare_cells(const struct scene_network *scene, const unsigned char *other, int pane,
                          const uint32_t *rows, int other_pane, const uint32_t *other_rows)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < scene->sort.settings.rows; i++) {
        float x, y, from_x, from_y;
        scene_network_cell(scene, WIDTH, HEIGHT, pane, rows[i], &x, &y);
        scene_network_cell(scene, WIDTH, HEIGHT, other_pane, other_rows[i], &from_x, &from_y);
        if (!in_view(x, y) || !in_view(from_x, from_y))
            continue;
        seen++;
        const unsigned char *from = other + (pixel((int)from_x, (int)from_y) - rgb);
        if (!CHECK(memcmp(pixel((int)x, (int)y), from, 3) == 0,
                   "step %u: row %u has another one's colour", scene->sort.step, rows[i]))
            break;
    }
    CHECK(seen > 100, "only %u cells are seen", seen);
}

static uint32_t *identity(uint32_t count)
{
    uint32_t *rows = network_allocate(count * sizeof *rows);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = i;
    return rows;
}

/* With the picture before the first step. */
static void check_cells(const struct scene_network *scene, const unsigned char *unsorted,
                        uint32_t step)
{
    uint32_t rows = scene->sort.settings.rows;
    uint32_t *sources = network_allocate(rows * sizeof *sources), *all = identity(rows);
    free(network_imitate(scene, step, sources));
    for (uint32_t row = 0; row < rows; row++)
        sources[row] +=
            scene->sort.segments[network_sort_segment_of(&scene->sort, row)].keys_offset;
    compare_cells(scene, unsorted, 0, all, 0, sources);
    free(all);
    free(sources);
}

/* The second pane: orange where rows were exchanged, and a pair's first row is the brighter one. */
static void check_pairs(const struct scene_network *scene, uint32_t step)
{
    uint32_t *places = network_imitate_places(scene, step), stage, stride, exchanged = 0;
    gl_segsort_network_step(step, &stage, &stride);
    for (uint32_t row = 0; row < scene->sort.settings.rows; row++) {
        float x, y;
        const gl_segsort_segment *segment =
            &scene->sort.segments[network_sort_segment_of(&scene->sort, row)];
        uint32_t lane = row - segment->keys_offset;
        uint32_t partner = stride == stage / 2 ? lane / stage * stage + (stage - 1 - lane % stage)
                           : lane % (2 * stride) < stride ? lane + stride
                                                          : lane - stride;
        bool pair = partner < segment->length, first = lane < partner;
        bool moved = places[row] != row;
        scene_network_cell(scene, WIDTH, HEIGHT, 1, row, &x, &y);
        const unsigned char *at = pixel((int)x, (int)y);
        bool orange = at[0] > at[2] + 50;
        int bright = at[0] + at[1] + at[2], limit = moved ? 400 : 180;
        exchanged += moved;
        if (!CHECK(orange == moved && (pair ? (bright > limit) == first : bright < 130),
                   "step %u: the cell of row %u is %u %u %u", step, row, at[0], at[1], at[2]))
            break;
    }
    CHECK(exchanged > 0, "step %u exchanges nothing, which tests little", step);
    free(places);
}

static void cells_are_the_rows(void)
{
    const uint32_t steps[] = {1, 30, 60, 91, 105};
    static unsigned char unsorted[sizeof rgb];
    struct scene_network scene;
    struct failure failure;
    const struct network_settings settings = {
        .rows = 16000, .segment_count = 3, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC, .seed = 2};
    if (!CHECK(scene_network_create(&scene, &settings, headless_gl_get_proc_address,
                                    (gl_segsort_program_cache){0}, &failure),
               "%s", failure.text))
        return;
    for (int zoomed = 0; zoomed < 2; zoomed++) {
        if (zoomed)
            scene.view = (struct network_view){2.5f, 300, 90};
        draw_step(&scene, 0);
        memcpy(unsorted, rgb, sizeof rgb);
        for (size_t i = 0; i < COUNT_OF(steps); i++)
            if (draw_step(&scene, steps[i]))
                check_cells(&scene, unsorted, steps[i]);
    }
    scene_network_destroy(&scene);
}

static void cells_are_the_pairs(void)
{
    const uint32_t steps[] = {1, 4, 17, 60, 78, 80};
    const struct network_settings settings = {
        .rows = 9001, .segment_count = 2, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC, .seed = 2};
    check_pictures(&settings, steps, COUNT_OF(steps), check_pairs);
}

/* Rows after a digit are on the right, and have the colours of those before it, which are on the
 * left. */
static void check_digit_cells(const struct scene_network *scene, uint32_t step)
{
    uint32_t *places = network_imitate_places(scene, step),
             *all = identity(scene->sort.settings.rows);
    compare_cells(scene, rgb, 1, all, 0, places);
    free(places);
    free(all);
}

static void cells_are_the_digits(void)
{
    const uint32_t steps[] = {1, 2};
    const struct network_settings settings = {
        .rows = 12000, .segment_count = 4, .algorithm = GL_SEGSORT_ALGORITHM_RADIX, .seed = 2};
    check_pictures(&settings, steps, COUNT_OF(steps), check_digit_cells);
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
        CHECK_TEST(heights_are_the_keys),   CHECK_TEST(heights_are_the_digits),
        CHECK_TEST(digits_are_counted),     CHECK_TEST(lines_lead_to_the_places),
        CHECK_TEST(arcs_are_the_exchanges), CHECK_TEST(cells_are_the_rows),
        CHECK_TEST(cells_are_the_pairs),    CHECK_TEST(cells_are_the_digits)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    headless_gl_destroy(&gl);
    return result;
}
