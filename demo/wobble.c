#include "wobble.h"

#include <float.h>
#include <stdlib.h>

#include "shaders.h"

/* As in demo/shaders/wobble.comp. */
enum { UNIFORM_PLACE = 0, UNIFORM_INVERSE = 1, UNIFORM_RANGE = 2, UNIFORM_TIME = 3 };
enum { GROUP = 128 };

GLuint wobble_create(struct failure *failure)
{
    return shaders_compute_program("wobble.comp", failure);
}

/* The linear part's, made of cofactors; all 0 where it has none. */
static void invert(mat4 place, mat4 inverse)
{
    mat3 linear, inverted;
    glm_mat4_pick3(place, linear);
    float determinant = glm_mat3_det(linear);
    glm_mat4_zero(inverse);
    if (!(fabsf(determinant) > FLT_MIN) || !(fabsf(determinant) < FLT_MAX))
        return;
    glm_mat3_inv(linear, inverted);
    glm_mat4_ins3(inverted, inverse);
}

/* Each segment moves as its first instance has to. */
static void move_segment(const struct mesh *mesh, const struct mesh_instance *instance,
                         const struct camera *camera)
{
    const struct mesh_segment *segment = &mesh->segments[instance->segment];
    mat4 place = {{0}}, inverse = {{0}};
    camera_place(camera, instance->matrix, place);
    invert(place, inverse);
    glUniformMatrix4fv(UNIFORM_PLACE, 1, GL_FALSE, place[0]);
    glUniformMatrix4fv(UNIFORM_INVERSE, 1, GL_FALSE, inverse[0]);
    for (uint32_t first = 0; first < segment->vertex_count; first += 65535 * GROUP) {
        uint32_t left = segment->vertex_count - first;
        uint32_t count = left < 65535 * GROUP ? left : 65535 * GROUP;
        glUniform2ui(UNIFORM_RANGE, segment->first_vertex + first, count);
        glDispatchCompute((count + GROUP - 1) / GROUP, 1, 1);
    }
}

void wobble_move(GLuint program, const struct model *model, const struct camera *camera,
                 float seconds)
{
    const struct mesh *mesh = &model->mesh;
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "wobble");
    glUseProgram(program);
    glUniform1f(UNIFORM_TIME, seconds);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, model->buffers.rest);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, model->buffers.positions);
    for (uint32_t s = 0; s < mesh->segment_count; s++)
        if (model->shown_at[s] != UINT32_MAX)
            move_segment(mesh, &mesh->instances[model->shown_at[s]], camera);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, 0);
    glUseProgram(0);
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |
                    GL_BUFFER_UPDATE_BARRIER_BIT);
    glPopDebugGroup();
}

void wobble_rest(const struct model *model)
{
    glBindBuffer(GL_COPY_READ_BUFFER, model->buffers.rest);
    glBindBuffer(GL_COPY_WRITE_BUFFER, model->buffers.positions);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                        (GLsizeiptr)(3 * sizeof(float) * (size_t)model->mesh.vertex_count));
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}
