#include "renderer.h"

#include "shaders.h"

/* As in demo/shaders/mesh.vert and mesh.frag. */
enum { LOCATION_POSITION = 0, UNIFORM_MODEL_VIEW = 0, UNIFORM_PROJECTION = 1, UNIFORM_COUNT = 2 };

static void create_vertex_array(GLuint array, GLuint positions, GLuint indices)
{
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, positions);
    glEnableVertexAttribArray(LOCATION_POSITION);
    glVertexAttribPointer(LOCATION_POSITION, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

bool renderer_create(struct renderer *renderer, const struct mesh *mesh,
                     const struct mesh_buffers *buffers, struct failure *failure)
{
    *renderer = (struct renderer){.mesh = mesh};
    renderer->mesh_program = shaders_draw_program("mesh.vert", "mesh.frag", failure);
    renderer->background_program =
        shaders_draw_program("background.vert", "background.frag", failure);
    if (!renderer->mesh_program || !renderer->background_program) {
        renderer_destroy(renderer);
        return false;
    }
    glGenVertexArrays(1, &renderer->no_vertices);
    glGenVertexArrays(ORDER_COUNT, renderer->vertex_arrays);
    create_vertex_array(renderer->vertex_arrays[ORDER_FILE], buffers->positions, buffers->indices);
    create_vertex_array(renderer->vertex_arrays[ORDER_MORTON], buffers->positions,
                        buffers->sorted_indices);
    return true;
}

void renderer_destroy(struct renderer *renderer)
{
    canvas_destroy(&renderer->canvas);
    glDeleteVertexArrays(ORDER_COUNT, renderer->vertex_arrays);
    glDeleteVertexArrays(1, &renderer->no_vertices);
    glDeleteProgram(renderer->mesh_program);
    glDeleteProgram(renderer->background_program);
    *renderer = (struct renderer){0};
}

bool renderer_resize(struct renderer *renderer, int width, int height, struct failure *failure)
{
    return canvas_resize(&renderer->canvas, width, height, failure);
}

static void draw_background(const struct renderer *renderer)
{
    glDisable(GL_DEPTH_TEST);
    glUseProgram(renderer->background_program);
    glBindVertexArray(renderer->no_vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* A draw call for each instance, so that gl_PrimitiveID is the place within the segment. */
static void draw_instances(const struct renderer *renderer, const struct camera *camera,
                           enum order order)
{
    mat4 view = {{0}}, projection = {{0}}, model_view;
    camera_view(camera, view);
    camera_projection(camera, (float)renderer->canvas.width / (float)renderer->canvas.height,
                      projection);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CLIP_DISTANCE0);
    glUseProgram(renderer->mesh_program);
    glUniformMatrix4fv(UNIFORM_PROJECTION, 1, GL_FALSE, projection[0]);
    glBindVertexArray(renderer->vertex_arrays[order]);
    for (uint32_t i = 0; i < renderer->mesh->instance_count; i++) {
        const struct mesh_instance *instance = &renderer->mesh->instances[i];
        const struct mesh_segment *segment = &renderer->mesh->segments[instance->segment];
        camera_place(camera, instance->matrix, model_view);
        glm_mat4_mul(view, model_view, model_view);
        glUniformMatrix4fv(UNIFORM_MODEL_VIEW, 1, GL_FALSE, model_view[0]);
        glUniform1ui(UNIFORM_COUNT, segment->count);
        uintptr_t start = 3 * sizeof(uint32_t) * (uintptr_t)segment->first;
        /* GL takes the offset into the index buffer as a pointer. */
        const void *offset = (const void *)start; /* NOLINT(performance-no-int-to-ptr) */
        glDrawElements(GL_TRIANGLES, (GLsizei)(3 * segment->count), GL_UNSIGNED_INT, offset);
    }
    glDisable(GL_CLIP_DISTANCE0);
    glDisable(GL_DEPTH_TEST);
}

void renderer_draw(const struct renderer *renderer, const struct camera *camera, enum order order)
{
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1,
                     order == ORDER_FILE ? "file order" : "Morton order");
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->canvas.framebuffer);
    glViewport(0, 0, renderer->canvas.width, renderer->canvas.height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_background(renderer);
    draw_instances(renderer, camera, order);
    glBindVertexArray(0);
    glUseProgram(0);
    canvas_resolve(&renderer->canvas);
    glPopDebugGroup();
}
