/* A triangle mesh in submeshes, the segments that are sorted, and where each is shown. No GL. */
#ifndef MESH_H
#define MESH_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "mesh_progress.h"

struct mesh_segment {
    uint32_t first; /* triangle */
    uint32_t count; /* of triangles, at least 1 */
    uint32_t first_vertex;
    uint32_t vertex_count; /* all of the segment's indices are in this range */
};

/* A segment is sorted once, in its own coordinates, however often it is shown. */
struct mesh_instance {
    uint32_t segment;
    float matrix[16]; /* to the scene's coordinates, column by column */
};

struct mesh {
    char *name;        /* as shown: the file's name without its folders */
    float *positions;  /* 3 a vertex; may hold infinities and NaN */
    uint32_t *indices; /* 3 a triangle, each below vertex_count */
    struct mesh_segment *segments;
    struct mesh_instance *instances;
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t segment_count;
    uint32_t instance_count;
    uint32_t degenerate_count; /* triangles left out: two of their corners are at one place */
    uint32_t non_finite_count; /* triangles with an infinite or NaN coordinate, kept */
    uint32_t vertex_capacity;
    uint32_t triangle_capacity;
    uint32_t segment_capacity;
    uint32_t instance_capacity;
};

/* Starts an empty mesh; false without memory. */
bool mesh_create(struct mesh *mesh, const char *name, struct failure *failure);
void mesh_destroy(struct mesh *mesh);

/*
 * Appends a submesh. Vertices at bitwise the same place become one, in the order of their first
 * appearance, and vertices without a triangle are left out; triangles keep their order. Finite
 * triangles with two corners at one place are left out and counted, and a submesh that has no
 * others adds nothing. Fails on an index out of range.
 *
 * positions  3 * vertex_count coordinates
 * indices    3 * triangle_count vertices, relative to positions
 */
bool mesh_add_segment(struct mesh *mesh, const float *positions, uint32_t vertex_count,
                      const uint32_t *indices, uint32_t triangle_count, struct failure *failure);

/* Shows a segment; matrix is column by column, NULL for as it is. */
bool mesh_add_instance(struct mesh *mesh, uint32_t segment, const float matrix[16],
                       struct failure *failure);

/* Whether all nine coordinates are finite. */
bool mesh_triangle_is_finite(const struct mesh *mesh, uint32_t triangle);

/* Called with a vertex in the scene's coordinates. */
typedef void (*mesh_visit)(const float position[3], void *user);

/* Visits the corners of the finite triangles of every instance. Corners that an instance's matrix
 * takes out of the finite are passed over. */
void mesh_visit_corners(const struct mesh *mesh, mesh_visit visit, void *user);

/* Reads FILE by assimp; errors name the file. Defined in mesh_file.c. */
bool mesh_load(struct mesh *mesh, const char *path, struct failure *failure);
bool mesh_load_watched(struct mesh *mesh, const char *path, struct mesh_progress *progress,
                       struct failure *failure);

/* Where the default mesh is installed, looked for in the folders of XDG_DATA_DIRS; NULL when it is
 * not. The caller frees it. Defined in mesh_file.c. */
char *mesh_default_path(void);

/* What to install where mesh_default_path gives NULL. */
extern const char mesh_default_hint[];

/* A scene of several submeshes made by code, each with its triangles in a random but fixed order,
 * as a careless exporter would write them. Defined in mesh_generated.c. */
bool mesh_generate(struct mesh *mesh, struct failure *failure);

#endif
