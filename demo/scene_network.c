#include "scene_network.h"

#include "network_labels.h"
#include "shaders.h"

/* As in demo/shaders/network*.vert. */
enum {
    LOCATION_KEY,
    LOCATION_SOURCE,
    LOCATION_SOURCE_BEFORE,
    LOCATION_KEY_BEFORE,
    LOCATION_PLACE_BEFORE,
    LOCATIONS
};
enum {
    ROW_VERTICES = 24,
    ARC_VERTICES = 66,
    BLOCK_VERTICES = 6,
    BIT_VERTICES = 96,
    FLOW_VERTICES = 100
};

/* ---------------------------------------------------------------------------------------------- */
/* Measures */

static struct network_bar bar_at(const struct scene_network *scene,
                                 const struct network_picture *picture, uint32_t row, float base,
                                 float height)
{
    uint32_t segment = network_sort_segment_of(&scene->sort, row);
    uint32_t lane = row - scene->sort.segments[segment].keys_offset;
    float middle = network_layout_row(picture, segment, lane) + 0.5f * picture->unit;
    network_layout_see(picture, &middle, &base);
    return (struct network_bar){middle, base, height * picture->view.zoom};
}

struct network_bar scene_network_bar(const struct scene_network *scene, int width, int height,
                                     uint32_t row)
{
    const struct network_picture picture = network_layout(&scene->sort, width, height, scene->view);
    return bar_at(scene, &picture, row, picture.baseline, picture.bar_height);
}

struct network_bar scene_network_bar_before(const struct scene_network *scene, int width,
                                            int height, uint32_t row)
{
    const struct network_picture picture = network_layout(&scene->sort, width, height, scene->view);
    return bar_at(scene, &picture, row, picture.before_base, picture.before_height);
}

void scene_network_cell(const struct scene_network *scene, int width, int height, int pane,
                        uint32_t row, float *x, float *y)
{
    const struct network_picture picture = network_layout(&scene->sort, width, height, scene->view);
    const uint32_t *segment = picture.segments[network_sort_segment_of(&scene->sort, row)];
    uint32_t lane = row - segment[0], line = segment[2] + lane / picture.columns;
    *x = picture.left + (float)pane * picture.second +
         ((float)(lane % picture.columns) + 0.5f) * picture.unit;
    *y = picture.baseline - ((float)line + 0.5f) * picture.unit;
    network_layout_see(&picture, x, y);
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
    const struct network_rows *before = network_sort_rows_before(&scene->sort);
    glBindVertexArray(scene->vertex_array);
    bind_stream(LOCATION_KEY, rows->keys);
    bind_stream(LOCATION_SOURCE, rows->sources);
    bind_stream(LOCATION_SOURCE_BEFORE, before->sources);
    bind_stream(LOCATION_KEY_BEFORE, before->keys);
    bind_stream(LOCATION_PLACE_BEFORE, scene->sort.places_buffer);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static void draw_background(const struct scene_network *scene)
{
    glUseProgram(scene->background);
    glBindVertexArray(scene->no_vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* The same vertices for each row. */
static void draw_each(const struct scene_network *scene, GLuint program, GLenum primitive,
                      GLsizei vertices)
{
    glUseProgram(program);
    glDrawArraysInstanced(primitive, 0, vertices, (GLsizei)scene->sort.settings.rows);
}

static void draw_rows(const struct scene_network *scene, const struct network_picture *picture)
{
    bind_rows(scene);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    if (picture->kind == NETWORK_BARS && picture->stage > 0) {
        draw_each(scene, scene->blocks, GL_TRIANGLES, BLOCK_VERTICES);
        draw_each(scene, scene->arcs, GL_TRIANGLE_STRIP, ARC_VERTICES);
    }
    if (picture->kind == NETWORK_DIGITS && scene->sort.step > 0)
        draw_each(scene, scene->flow, GL_TRIANGLE_STRIP, FLOW_VERTICES);
    glDisable(GL_BLEND);
    if (picture->kind == NETWORK_DIGITS)
        draw_each(scene, scene->bits, GL_TRIANGLES, BIT_VERTICES);
    draw_each(scene, scene->rows, GL_TRIANGLES, ROW_VERTICES);
}

static void draw_picture(struct scene_network *scene, const struct network_picture *picture)
{
    draw_rows(scene, picture);
    overlay_begin(&scene->overlay, (int)picture->width, (int)picture->height);
    network_labels_add(&scene->overlay, &scene->sort, picture);
    overlay_draw(&scene->overlay);
}

void scene_network_draw(struct scene_network *scene, GLuint framebuffer, int width, int height)
{
    int free_width = width - scene->inset[0] - scene->inset[1];
    const struct network_picture picture =
        network_layout(&scene->sort, free_width, height, scene->view);
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "network");
    glBindBuffer(GL_UNIFORM_BUFFER, scene->picture);
    glBufferData(GL_UNIFORM_BUFFER, sizeof picture, &picture, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, scene->picture);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glDisable(GL_DEPTH_TEST);
    glViewport(0, 0, width, height);
    draw_background(scene);
    glViewport(scene->inset[0], 0, free_width, height);
    draw_picture(scene, &picture);
    glViewport(0, 0, width, height);
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
                    {&scene->blocks, "network_blocks.vert", "network_flow.frag"},
                    {&scene->bits, "network_bits.vert", "network_rows.frag"},
                    {&scene->flow, "network_flow.vert", "network_flow.frag"}};
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
                          gl_segsort_get_proc_address get_proc_address,
                          gl_segsort_program_cache program_cache, struct failure *failure)
{
    *scene = (struct scene_network){.view = {.zoom = 1}};
    if (!network_sort_create(&scene->sort, settings, get_proc_address, program_cache, failure))
        return false;
    make_arrays(scene);
    if (make_programs(scene, failure) && overlay_create(&scene->overlay, failure))
        return true;
    scene_network_destroy(scene);
    return false;
}

void scene_network_destroy(struct scene_network *scene)
{
    const GLuint programs[] = {scene->background, scene->rows, scene->arcs,
                               scene->blocks,     scene->bits, scene->flow};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        glDeleteProgram(programs[i]);
    glDeleteVertexArrays(1, &scene->vertex_array);
    glDeleteVertexArrays(1, &scene->no_vertices);
    glDeleteBuffers(1, &scene->picture);
    overlay_destroy(&scene->overlay);
    network_sort_destroy(&scene->sort);
    *scene = (struct scene_network){0};
}
