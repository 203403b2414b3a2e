#include "renderer.h"

#include "shaders.h"

/* As in demo/shaders/mesh.vert, mesh.frag and curve.vert. */
enum {
    UNIFORM_MODEL_VIEW = 0,
    UNIFORM_PROJECTION = 1,
    UNIFORM_COUNT = 2,
    UNIFORM_FADED = 3,
    UNIFORM_FIRST = 4,
    UNIFORM_SIZE = 5
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
    return look->curve ? 0.75f : 0;
}

static void draw_background(const struct renderer *renderer)
{
    glUseProgram(renderer->background_program);
    glBindVertexArray(renderer->no_vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

struct drawing {
    const struct model *model;
    const struct renderer_look *look;
    const struct renderer_pane *pane;
    mat4 view;
};

/* Sets what the shaders of triangles and of curves have in common. */
static void set_instance(const struct drawing *drawing, const struct mesh_instance *instance)
{
    mat4 model_view;
    mat4 view;
    glm_mat4_copy((vec4 *)drawing->view, view);
    camera_place(drawing->look->camera, instance->matrix, model_view);
    glm_mat4_mul(view, model_view, model_view);
    glUniformMatrix4fv(UNIFORM_MODEL_VIEW, 1, GL_FALSE, model_view[0]);
    glUniform1ui(UNIFORM_COUNT, drawing->model->mesh.segments[instance->segment].count);
    glUniform1f(UNIFORM_FADED, fading(drawing->look, instance->segment));
}

/* A draw call for each instance, so that gl_PrimitiveID is the place within the segment. */
static void draw_triangles(const struct drawing *drawing)
{
    const struct mesh *mesh = &drawing->model->mesh;
    glBindVertexArray(drawing->model->arrays[drawing->pane->order]);
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        const struct mesh_segment *segment = &mesh->segments[mesh->instances[i].segment];
        uint32_t shown = renderer_shown(drawing->look, segment);
        uintptr_t start = 3 * sizeof(uint32_t) * (uintptr_t)segment->first;
        /* GL takes the offset into the index buffer as a pointer. */
        const void *offset = (const void *)start; /* NOLINT(performance-no-int-to-ptr) */
        set_instance(drawing, &mesh->instances[i]);
        if (shown > 0)
            glDrawElements(GL_TRIANGLES, (GLsizei)(3 * shown), GL_UNSIGNED_INT, offset);
    }
}

/* A square of two triangles for each piece between two centroids. */
static void draw_curves(const struct renderer *renderer, const struct drawing *drawing)
{
    const struct mesh *mesh = &drawing->model->mesh;
    const struct mesh_buffers *buffers = &drawing->model->buffers;
    glBindVertexArray(renderer->no_vertices);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_POSITIONS, buffers->positions);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_INDICES,
                     buffers->orders[drawing->pane->order]);
    glUniform2f(UNIFORM_SIZE, (float)drawing->pane->width, (float)drawing->pane->height);
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        const struct mesh_segment *segment = &mesh->segments[mesh->instances[i].segment];
        uint32_t shown = renderer_shown(drawing->look, segment);
        set_instance(drawing, &mesh->instances[i]);
        glUniform1ui(UNIFORM_FIRST, segment->first);
        if (shown > 1)
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)(shown - 1));
    }
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_POSITIONS, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_INDICES, 0);
}

void renderer_draw(const struct renderer *renderer, const struct model *model,
                   const struct renderer_look *look, const struct renderer_pane *pane)
{
    struct drawing drawing = {.model = model, .look = look, .pane = pane};
    mat4 projection = {{0}};
    camera_view(look->camera, drawing.view);
    camera_projection(look->camera, (float)pane->width / (float)pane->height, projection);
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, order_names[pane->order]);
    glViewport(pane->x, pane->y, pane->width, pane->height);
    draw_background(renderer);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CLIP_DISTANCE0);
    glUseProgram(renderer->mesh_program);
    glUniformMatrix4fv(UNIFORM_PROJECTION, 1, GL_FALSE, projection[0]);
    draw_triangles(&drawing);
    if (look->curve) {
        glUseProgram(renderer->curve_program);
        glUniformMatrix4fv(UNIFORM_PROJECTION, 1, GL_FALSE, projection[0]);
        draw_curves(renderer, &drawing);
    }
    glDisable(GL_CLIP_DISTANCE0);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
    glPopDebugGroup();
}
