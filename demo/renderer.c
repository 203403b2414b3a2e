#include "renderer.h"

#include "shaders.h"

/* As in demo/shaders/mesh.vert, mesh.frag, place.glsl, curve.vert and curve.frag. */
enum {
    UNIFORM_PLACE = 0,
    UNIFORM_PROJECTION = 1,
    UNIFORM_COUNT = 2,
    UNIFORM_FADED = 3,
    UNIFORM_FIRST = 4,
    UNIFORM_SIZE = 5,
    UNIFORM_VIEW = 6,
    UNIFORM_TIME = 7,
    UNIFORM_OPACITY = 8
};
enum { BINDING_POSITIONS = 0, BINDING_INDICES = 1 };

bool renderer_create(struct renderer *renderer, struct failure *failure)
{
    *renderer = (struct renderer){0};
    renderer->mesh_program = shaders_draw_program("mesh.vert", "mesh.frag", failure);
    if (renderer->mesh_program)
        renderer->background_program =
            shaders_draw_program("background.vert", "background.frag", failure);
    if (renderer->background_program)
        renderer->curve_program = shaders_draw_program("curve.vert", "curve.frag", failure);
    if (!renderer->curve_program) {
        renderer_destroy(renderer);
        return false;
    }
    glGenVertexArrays(1, &renderer->no_vertices);
    return true;
}

void renderer_destroy(struct renderer *renderer)
{
    glDeleteVertexArrays(1, &renderer->no_vertices);
    glDeleteProgram(renderer->mesh_program);
    glDeleteProgram(renderer->background_program);
    glDeleteProgram(renderer->curve_program);
    *renderer = (struct renderer){0};
}

uint32_t renderer_shown(const struct renderer_look *look, const struct mesh_segment *segment)
{
    uint32_t before = look->of_each ? 0 : segment->first;
    uint32_t left = look->first > before ? look->first - before : 0;
    return left < segment->count ? left : segment->count;
}

/* How far an instance's colours are taken back. */
static float fading(const struct renderer_look *look, uint32_t segment)
{
    if (look->picked != RENDERER_NO_SEGMENT && look->picked != segment)
        return 0.93f;
    return look->curve ? 0.82f : 0;
}

static void draw_background(const struct renderer *renderer)
{
    glUseProgram(renderer->background_program);
    glBindVertexArray(renderer->no_vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

struct drawing {
    const struct renderer *renderer;
    const struct model *model;
    const struct renderer_look *look;
    const struct renderer_pane *pane;
};

/* To the right, by so much of half the width. */
static void shift(mat4 projection, float right)
{
    for (int column = 0; column < 4; column++)
        projection[column][0] += right * projection[column][3];
}

static void use_program(const struct drawing *drawing, GLuint program)
{
    const struct renderer_pane *pane = drawing->pane;
    mat4 view = {{0}}, projection = {{0}};
    camera_view(drawing->look->camera, view);
    camera_projection(drawing->look->camera, (float)pane->width / (float)pane->height, projection);
    shift(projection, (float)(pane->left - pane->right) / (float)pane->width);
    glUseProgram(program);
    glUniformMatrix4fv(UNIFORM_VIEW, 1, GL_FALSE, view[0]);
    glUniformMatrix4fv(UNIFORM_PROJECTION, 1, GL_FALSE, projection[0]);
}

/* The positions have moved as the first instance of their segment does. */
static bool moves_by_itself(const struct drawing *drawing, uint32_t number)
{
    const struct model *model = drawing->model;
    return drawing->look->seconds >= 0 &&
           model->shown_at[model->mesh.instances[number].segment] != number;
}

/* Sets what the shaders of triangles and of curves have in common. */
static void set_instance(const struct drawing *drawing, uint32_t number)
{
    const struct mesh_instance *instance = &drawing->model->mesh.instances[number];
    mat4 place = {{0}};
    camera_place(drawing->look->camera, instance->matrix, place);
    glUniformMatrix4fv(UNIFORM_PLACE, 1, GL_FALSE, place[0]);
    glUniform1ui(UNIFORM_COUNT, drawing->model->mesh.segments[instance->segment].count);
    glUniform1f(UNIFORM_FADED, fading(drawing->look, instance->segment));
    glUniform1f(UNIFORM_TIME, moves_by_itself(drawing, number) ? drawing->look->seconds : -1);
}

/* A draw call for each instance, so that gl_PrimitiveID is the place within the segment. All of them,
 * or those of the picked segment alone. */
static void draw_triangles(const struct drawing *drawing, bool picked)
{
    const struct mesh *mesh = &drawing->model->mesh;
    glBindVertexArray(drawing->model->arrays[drawing->pane->order]);
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        const struct mesh_segment *segment = &mesh->segments[mesh->instances[i].segment];
        uint32_t shown = renderer_shown(drawing->look, segment);
        uintptr_t start = 3 * sizeof(uint32_t) * (uintptr_t)segment->first;
        /* GL takes the offset into the index buffer as a pointer. */
        const void *offset = (const void *)start; /* NOLINT(performance-no-int-to-ptr) */
        set_instance(drawing, i);
        if (shown > 0 && (!picked || mesh->instances[i].segment == drawing->look->picked))
            glDrawElements(GL_TRIANGLES, (GLsizei)(3 * shown), GL_UNSIGNED_INT, offset);
    }
}

/* Where one is picked, the others have no curves. */
static bool is_in_front(const struct drawing *drawing, uint32_t segment)
{
    uint32_t picked = drawing->look->picked;
    return picked == RENDERER_NO_SEGMENT || picked == segment;
}

/* A square of two triangles for each piece between two centroids. */
static void draw_curves(const struct drawing *drawing)
{
    const struct mesh *mesh = &drawing->model->mesh;
    const struct mesh_buffers *buffers = &drawing->model->buffers;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_INDICES,
                     buffers->orders[drawing->pane->order]);
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        const struct mesh_segment *segment = &mesh->segments[mesh->instances[i].segment];
        uint32_t shown = renderer_shown(drawing->look, segment);
        set_instance(drawing, i);
        glUniform1ui(UNIFORM_FIRST, segment->first);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_POSITIONS,
                         moves_by_itself(drawing, i) ? buffers->rest : buffers->positions);
        if (shown > 1 && is_in_front(drawing, mesh->instances[i].segment))
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)(shown - 1));
    }
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_POSITIONS, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_INDICES, 0);
}

/* What is behind the mesh, so that the curve doesn't fall apart. */
static void draw_faint_curves(const struct drawing *drawing)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_GREATER);
    glUniform1f(UNIFORM_OPACITY, 0.07f);
    draw_curves(drawing);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
}

static void draw_all_curves(const struct drawing *drawing)
{
    use_program(drawing, drawing->renderer->curve_program);
    glBindVertexArray(drawing->renderer->no_vertices);
    glUniform2f(UNIFORM_SIZE, (float)drawing->pane->width, (float)drawing->pane->height);
    if (drawing->look->through)
        draw_faint_curves(drawing);
    glUniform1f(UNIFORM_OPACITY, 1);
    draw_curves(drawing);
}

/* The picked segment again, in front of all that may hide it. */
static void draw_picked(const struct drawing *drawing)
{
    const struct renderer_pane *pane = drawing->pane;
    glEnable(GL_SCISSOR_TEST);
    glScissor(pane->x, pane->y, pane->width, pane->height);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    draw_triangles(drawing, true);
}

void renderer_draw(const struct renderer *renderer, const struct model *model,
                   const struct renderer_look *look, const struct renderer_pane *pane)
{
    const struct drawing drawing = {renderer, model, look, pane};
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, order_names[pane->order]);
    glViewport(pane->x, pane->y, pane->width, pane->height);
    draw_background(renderer);
    glEnable(GL_DEPTH_TEST);
    use_program(&drawing, renderer->mesh_program);
    draw_triangles(&drawing, false);
    if (look->picked != RENDERER_NO_SEGMENT)
        draw_picked(&drawing);
    if (look->curve)
        draw_all_curves(&drawing);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
    glPopDebugGroup();
}
