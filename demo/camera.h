/* A camera that orbits a mesh. The scene is moved and scaled into the unit sphere first, in double
 * precision, so that neither its size nor its distance from the origin matters. */
#ifndef CAMERA_H
#define CAMERA_H

#include <cglm/cglm.h>

#include "mesh.h"

struct camera {
    double centre[3]; /* of the scene's box */
    double scale;     /* to the unit sphere */
    vec3 target;      /* in the unit sphere's coordinates, as is distance */
    float distance;
    float yaw; /* radians, as is pitch */
    float pitch;
};

/* Looks at the whole mesh from slightly above, with a margin, for a picture of width:height =
 * aspect. */
void camera_frame(struct camera *camera, const struct mesh *mesh, float aspect);

/* Turns around the target, by radians. */
void camera_orbit(struct camera *camera, float right, float down);

/* Comes nearer by a wheel's steps, or goes away by negative ones. */
void camera_zoom(struct camera *camera, float steps);

void camera_view(const struct camera *camera, mat4 view);
void camera_projection(const struct camera *camera, float aspect, mat4 projection);

/* From an instance's coordinates to the unit sphere's. */
void camera_place(const struct camera *camera, const float matrix[16], mat4 placed);

#endif
