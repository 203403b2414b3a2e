#include "scene_network.h"

#include <math.h>

#include "shaders.h"

/* As in demo/shaders/network*.vert. */
enum { LOCATION_KEY, LOCATION_SOURCE, LOCATION_SOURCE_BEFORE, LOCATIONS };
enum { ROW_VERTICES = 18, ARC_VERTICES = 66, STEP_VERTICES = 6, NO_DIGIT = 32 };

/* The block Picture of demo/shaders/network.glsl. */
struct network_picture {
    float width, height, left, unit, gap, baseline, bar_height, arc_depth;
    /* GLSL reads all of them. */
    /* cppcheck-suppress unusedStructMember */
    uint32_t stage, stride, digit_shift, key_end, segment_count, columns, step, step_count;
    /* cppcheck-suppress unusedStructMember */
    uint32_t by_network, longest, padding[2];
    uint32_t segments[NETWORK_SEGMENTS_MAX][4];
};

/* ---------------------------------------------------------------------------------------------- */
/* Measures */

static void place_bars(const struct scene_network *scene, struct network_picture *picture)
{
    const struct network_settings *settings = &scene->sort.settings;
    float gaps = (float)(settings->segment_count - 1) * 0.025f * picture->width;
    picture->unit = (picture->width - 2 * picture->left - gaps) / (float)settings->rows;
    picture->gap = settings->segment_count > 1 ? gaps / (float)(settings->segment_count - 1) : 0;
    picture->baseline = floorf(0.42f * picture->height);
    picture->bar_height = floorf(0.53f * picture->height);
    picture->arc_depth = picture->baseline - 48;
}

/* Segments start on lines of their own, an empty one between them. */
static uint32_t count_lines(const struct scene_network *scene, struct network_picture *picture)
{
    uint32_t lines = 0;
    for (uint32_t i = 0; i < picture->segment_count; i++) {
        picture->segments[i][2] = lines;
        lines += (scene->sort.segments[i].length + picture->columns - 1) / picture->columns + 1;
    }
    return lines - 1;
}

/* The fewest columns whose lines fit the picture's height. */
static void place_cells(const struct scene_network *scene, struct network_picture *picture)
{
    float width = picture->width - 2 * picture->left, height = picture->height - 64;
    do {
        picture->columns++;
        picture->unit = width / (float)picture->columns;
    } while (picture->unit * (float)count_lines(scene, picture) > height &&
             picture->columns < scene->sort.settings.rows);
    picture->baseline = picture->height - 20;
}

static void set_segments(const struct scene_network *scene, struct network_picture *picture)
{
    for (uint32_t i = 0; i < picture->segment_count; i++) {
        const gl_segsort_segment *segment = &scene->sort.segments[i];
        bool by_network = network_sort_by_network(&scene->sort, i);
        picture->segments[i][0] = segment->keys_offset;
        picture->segments[i][1] = segment->length;
        picture->segments[i][3] = by_network;
        picture->by_network |= by_network;
        if (segment->length > picture->longest)
            picture->longest = segment->length;
    }
}

static struct network_picture measure(const struct scene_network *scene, int width, int height)
{
    const struct network_sort *sort = &scene->sort;
    struct network_picture picture = {.width = (float)width,
                                      .height = (float)height,
                                      .left = floorf(0.03f * (float)width),
                                      .digit_shift = NO_DIGIT,
                                      .key_end = NETWORK_KEY_END,
                                      .segment_count = sort->settings.segment_count,
                                      .step = sort->step,
                                      .step_count = sort->step_count};
    set_segments(scene, &picture);
    if (sort->settings.rows > NETWORK_BARS_MAX)
        place_cells(scene, &picture);
    else
        place_bars(scene, &picture);
    gl_segsort_network_step(sort->step, &picture.stage, &picture.stride);
    if (sort->step > 0 && sort->step <= NETWORK_KEY_BITS / 8)
        picture.digit_shift = (sort->step - 1) * 8;
    return picture;
}

static uint32_t segment_of(const struct scene_network *scene, uint32_t row)
{
    uint32_t segment = 0;
    while (segment + 1 < scene->sort.settings.segment_count &&
           row >= scene->sort.segments[segment + 1].keys_offset)
        segment++;
    return segment;
}

struct network_bar scene_network_bar(const struct scene_network *scene, int width, int height,
                                     uint32_t row)
{
    const struct network_picture picture = measure(scene, width, height);
    float gaps = (float)segment_of(scene, row) * picture.gap;
    return (struct network_bar){picture.left + ((float)row + 0.5f) * picture.unit + gaps,
                                picture.baseline, picture.bar_height};
}

void scene_network_cell(const struct scene_network *scene, int width, int height, uint32_t row,
                        float *x, float *y)
{
    const struct network_picture picture = measure(scene, width, height);
    const uint32_t *segment = picture.segments[segment_of(scene, row)];
    uint32_t lane = row - segment[0], line = segment[2] + lane / picture.columns;
    *x = picture.left + ((float)(lane % picture.columns) + 0.5f) * picture.unit;
    *y = picture.baseline - ((float)line + 0.5f) * picture.unit;
}

/* ---------------------------------------------------------------------------------------------- */
/* Drawing */

static void bind_stream(GLuint location, GLuint buffer)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribIPointer(location, 1, GL_UNSIGNED_INT, 0, NULL);
}

static void bind_rows(const struct scene_network *scene)
{
    const struct network_rows *rows = network_sort_rows(&scene->sort);
    glBindVertexArray(scene->vertex_array);
    bind_stream(LOCATION_KEY, rows->keys);
    bind_stream(LOCATION_SOURCE, rows->sources);
    bind_stream(LOCATION_SOURCE_BEFORE, network_sort_rows_before(&scene->sort)->sources);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static void draw_background(const struct scene_network *scene)
{
    glUseProgram(scene->background);
    glBindVertexArray(scene->no_vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_arcs(const struct scene_network *scene)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(scene->arcs);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, ARC_VERTICES, (GLsizei)scene->sort.settings.rows);
    glDisable(GL_BLEND);
}

static void draw_rows(const struct scene_network *scene, const struct network_picture *picture)
{
    bind_rows(scene);
    if (picture->stage > 0 && picture->columns == 0)
        draw_arcs(scene);
    glUseProgram(scene->rows);
    glDrawArraysInstanced(GL_TRIANGLES, 0, ROW_VERTICES, (GLsizei)scene->sort.settings.rows);
}

static void draw_steps(const struct scene_network *scene)
{
    glUseProgram(scene->steps);
    glBindVertexArray(scene->no_vertices);
    glDrawArraysInstanced(GL_TRIANGLES, 0, STEP_VERTICES, (GLsizei)scene->sort.step_count);
}

void scene_network_draw(const struct scene_network *scene, GLuint framebuffer, int width,
                        int height)
{
    const struct network_picture picture = measure(scene, width, height);
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "network");
    glBindBuffer(GL_UNIFORM_BUFFER, scene->picture);
    glBufferData(GL_UNIFORM_BUFFER, sizeof picture, &picture, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, scene->picture);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    draw_background(scene);
    draw_rows(scene, &picture);
    draw_steps(scene);
    glBindVertexArray(0);
    glUseProgram(0);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glPopDebugGroup();
}

void scene_network_read(GLuint framebuffer, int width, int height, unsigned char *rgb)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

/* ---------------------------------------------------------------------------------------------- */

bool scene_network_set_step(struct scene_network *scene, uint32_t step, struct failure *failure)
{
    return network_sort_set_step(&scene->sort, step, failure);
}

static bool make_programs(struct scene_network *scene, struct failure *failure)
{
    const struct {
        GLuint *program;
        const char *vertex, *fragment;
    } programs[] = {{&scene->background, "background.vert", "background.frag"},
                    {&scene->rows, "network_rows.vert", "network_rows.frag"},
                    {&scene->arcs, "network_arcs.vert", "network_arcs.frag"},
                    {&scene->steps, "network_steps.vert", "network_rows.frag"}};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        *programs[i].program =
            shaders_draw_program(programs[i].vertex, programs[i].fragment, failure);
        if (*programs[i].program == 0)
            return false;
    }
    return true;
}

static void make_arrays(struct scene_network *scene)
{
    glGenVertexArrays(1, &scene->vertex_array);
    glGenVertexArrays(1, &scene->no_vertices);
    glGenBuffers(1, &scene->picture);
    glBindVertexArray(scene->vertex_array);
    for (GLuint i = 0; i < LOCATIONS; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glBindVertexArray(0);
}

bool scene_network_create(struct scene_network *scene, const struct network_settings *settings,
                          gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    *scene = (struct scene_network){0};
    if (!network_sort_create(&scene->sort, settings, get_proc_address, failure))
        return false;
    make_arrays(scene);
    if (make_programs(scene, failure))
        return true;
    scene_network_destroy(scene);
    return false;
}

void scene_network_destroy(struct scene_network *scene)
{
    const GLuint programs[] = {scene->background, scene->rows, scene->arcs, scene->steps};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        glDeleteProgram(programs[i]);
    glDeleteVertexArrays(1, &scene->vertex_array);
    glDeleteVertexArrays(1, &scene->no_vertices);
    glDeleteBuffers(1, &scene->picture);
    network_sort_destroy(&scene->sort);
    *scene = (struct scene_network){0};
}
