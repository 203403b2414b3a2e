#include "camera.h"

#include <float.h>

static const float vertical_tangent = 0.30f; /* of half the field of view */
static const float margin = 0.90f;           /* of the picture that the mesh may fill */

struct box {
    double minimum[3];
    double maximum[3];
};

static void grow_box(const float position[3], void *user)
{
    struct box *box = user;
    for (int axis = 0; axis < 3; axis++) {
        if (position[axis] < box->minimum[axis])
            box->minimum[axis] = position[axis];
        if (position[axis] > box->maximum[axis])
            box->maximum[axis] = position[axis];
    }
}

static void fit_unit_sphere(struct camera *camera, const struct mesh *mesh)
{
    struct box box = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    double square = 0;
    mesh_visit_corners(mesh, grow_box, &box);
    for (int axis = 0; axis < 3; axis++) {
        if (box.minimum[axis] > box.maximum[axis])
            box.minimum[axis] = box.maximum[axis] = 0;
        camera->centre[axis] = 0.5 * (box.minimum[axis] + box.maximum[axis]);
        double half = 0.5 * (box.maximum[axis] - box.minimum[axis]);
        square += half * half;
    }
    camera->scale = square > 0 ? 1 / sqrt(square) : 1;
}

/* How far the mesh reaches beyond lines through the centre that go with the edges of the field of
 * view, to each side; the distance and target that fit follow from these. */
struct reach {
    const struct camera *camera;
    vec3 right, up, back;
    float tangent[2];
    float side[2][2];
    float front;
};

static void extend_reach(const float position[3], void *user)
{
    struct reach *reach = user;
    vec3 at;
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (float)((position[axis] - reach->camera->centre[axis]) * reach->camera->scale);
    float back = glm_vec3_dot(at, reach->back);
    const float across[2] = {glm_vec3_dot(at, reach->right), glm_vec3_dot(at, reach->up)};
    for (int i = 0; i < 2; i++) {
        float widened = back * reach->tangent[i];
        reach->side[i][0] = fmaxf(reach->side[i][0], across[i] + widened);
        reach->side[i][1] = fmaxf(reach->side[i][1], -across[i] + widened);
    }
    reach->front = fmaxf(reach->front, back);
}

static void fit_view(struct camera *camera, const struct mesh *mesh, float aspect)
{
    mat4 view = {{0}};
    camera_view(camera, view);
    struct reach reach = {
        .camera = camera,
        .right = {view[0][0], view[1][0], view[2][0]},
        .up = {view[0][1], view[1][1], view[2][1]},
        .back = {view[0][2], view[1][2], view[2][2]},
        .tangent = {margin * vertical_tangent * aspect, margin * vertical_tangent},
        .side = {{-FLT_MAX, -FLT_MAX}, {-FLT_MAX, -FLT_MAX}}};
    mesh_visit_corners(mesh, extend_reach, &reach);
    if (reach.side[0][0] == -FLT_MAX)
        return;
    camera->distance = fmaxf(1.1f * reach.front, 0.1f);
    for (int i = 0; i < 2; i++)
        camera->distance =
            fmaxf(camera->distance, (reach.side[i][0] + reach.side[i][1]) / (2 * reach.tangent[i]));
    glm_vec3_zero(camera->target);
    glm_vec3_muladds(reach.right, 0.5f * (reach.side[0][0] - reach.side[0][1]), camera->target);
    glm_vec3_muladds(reach.up, 0.5f * (reach.side[1][0] - reach.side[1][1]), camera->target);
}

void camera_frame(struct camera *camera, const struct mesh *mesh, float aspect)
{
    *camera = (struct camera){.distance = 4, .yaw = 0.65f, .pitch = 0.45f};
    fit_unit_sphere(camera, mesh);
    fit_view(camera, mesh, aspect);
}

void camera_orbit(struct camera *camera, float right, float down)
{
    camera->yaw = remainderf(camera->yaw - right, 2 * GLM_PIf);
    camera->pitch = glm_clamp(camera->pitch + down, -1.55f, 1.55f);
}

void camera_zoom(struct camera *camera, float steps)
{
    camera->distance = glm_clamp(camera->distance * powf(0.9f, steps), 0.02f, 50.0f);
}

void camera_view(const struct camera *camera, mat4 view)
{
    vec3 up = {0, 1, 0}, eye;
    vec3 back = {cosf(camera->pitch) * sinf(camera->yaw), sinf(camera->pitch),
                 cosf(camera->pitch) * cosf(camera->yaw)};
    vec3 target = {camera->target[0], camera->target[1], camera->target[2]};
    glm_vec3_copy(target, eye);
    glm_vec3_muladds(back, camera->distance, eye);
    glm_lookat(eye, target, up, view);
}

void camera_projection(const struct camera *camera, float aspect, mat4 projection)
{
    /* The sphere's far side is at most its diameter and the target's shift away. */
    float near = fmaxf(camera->distance - 2.5f, 0.01f * camera->distance);
    glm_perspective(2 * atanf(vertical_tangent), aspect, near, camera->distance + 2.5f, projection);
}

void camera_place(const struct camera *camera, const float matrix[16], mat4 placed)
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double number = (double)matrix[4 * column + row];
            if (row < 3 && column == 3)
                number -= camera->centre[row];
            placed[column][row] = (float)(row < 3 ? number * camera->scale : number);
        }
}
