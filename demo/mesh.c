#include "mesh.h"

#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

/* GL counts indices in a GLsizei. */
#define MAX_TRIANGLES (0x7fffffffu / 3)

bool mesh_create(struct mesh *mesh, const char *name, struct failure *failure)
{
    *mesh = (struct mesh){0};
    size_t size = strlen(name) + 1;
    mesh->name = malloc(size);
    if (!mesh->name)
        return failure_set(failure, "%s: out of memory", name);
    memcpy(mesh->name, name, size);
    return true;
}

void mesh_destroy(struct mesh *mesh)
{
    free(mesh->name);
    free(mesh->positions);
    free(mesh->indices);
    free(mesh->segments);
    free(mesh->instances);
    *mesh = (struct mesh){0};
}

/* Gives array, or a larger copy of it that holds count elements of size bytes, at least doubled;
 * NULL without memory, with the array as it was. */
static void *reserve(void *array, uint32_t *capacity, uint64_t count, size_t size)
{
    if (array && count <= *capacity)
        return array;
    uint64_t wanted = count < 2ull * *capacity ? 2ull * *capacity : count;
    if (wanted > UINT32_MAX)
        wanted = UINT32_MAX;
    if (wanted > SIZE_MAX / size)
        return NULL;
    void *grown = realloc(array, (size_t)wanted * size);
    if (grown)
        *capacity = (uint32_t)wanted;
    return grown;
}

static bool reserve_segment(struct mesh *mesh, uint32_t vertex_count, uint32_t triangle_count)
{
    float *positions = reserve(mesh->positions, &mesh->vertex_capacity,
                               (uint64_t)mesh->vertex_count + vertex_count, 3 * sizeof *positions);
    if (!positions)
        return false;
    mesh->positions = positions;
    uint32_t *indices =
        reserve(mesh->indices, &mesh->triangle_capacity,
                (uint64_t)mesh->triangle_count + triangle_count, 3 * sizeof *indices);
    if (!indices)
        return false;
    mesh->indices = indices;
    struct mesh_segment *segments = reserve(mesh->segments, &mesh->segment_capacity,
                                            (uint64_t)mesh->segment_count + 1, sizeof *segments);
    if (!segments)
        return false;
    mesh->segments = segments;
    return true;
}

/* By the exponent's bits: isfinite() may be optimised away. */
static bool is_finite(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (bits & 0x7f800000u) != 0x7f800000u;
}

/* positions is where the corners count from. */
static bool corners_are_finite(const float *positions, const uint32_t *corners)
{
    for (size_t i = 0; i < 9; i++)
        if (!is_finite(positions[3 * (size_t)corners[i / 3] + i % 3]))
            return false;
    return true;
}

bool mesh_triangle_is_finite(const struct mesh *mesh, uint32_t triangle)
{
    return corners_are_finite(mesh->positions, mesh->indices + 3 * (size_t)triangle);
}

/* Moves the triangles to keep to the front of corners, whose vertices are made distinct by remap,
 * and returns how many these are. */
static uint32_t weld(uint32_t *corners, const uint32_t *remap, const float *positions,
                     const uint32_t *indices, uint32_t triangle_count)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < triangle_count; t++) {
        const uint32_t *source = indices + 3 * (size_t)t;
        uint32_t *target = corners + 3 * (size_t)kept;
        for (size_t k = 0; k < 3; k++)
            target[k] = remap[source[k]];
        bool degenerate =
            target[0] == target[1] || target[1] == target[2] || target[2] == target[0];
        kept += !degenerate || !corners_are_finite(positions, source);
    }
    return kept;
}

/* Numbers the distinct vertices that corners use, in places, and returns how many these are. */
static uint32_t number_used(uint32_t *places, uint32_t vertex_count, const uint32_t *corners,
                            uint32_t triangle_count)
{
    memset(places, 0, vertex_count * sizeof *places);
    for (size_t i = 0; i < 3 * (size_t)triangle_count; i++)
        places[corners[i]] = 1;
    uint32_t used = 0;
    for (uint32_t v = 0; v < vertex_count; v++)
        places[v] = places[v] ? used++ : UINT32_MAX;
    return used;
}

/* The mesh has room. The corners of its new triangles are in place, as vertices of remap. */
static void append(struct mesh *mesh, const float *positions, uint32_t vertex_count,
                   const uint32_t *remap, const uint32_t *places, uint32_t used, uint32_t kept)
{
    struct mesh_segment segment = {mesh->triangle_count, kept, mesh->vertex_count, used};
    for (uint32_t v = 0; v < vertex_count; v++)
        if (places[remap[v]] != UINT32_MAX)
            memcpy(mesh->positions + 3 * ((size_t)segment.first_vertex + places[remap[v]]),
                   positions + 3 * (size_t)v, 3 * sizeof *positions);
    uint32_t *corners = mesh->indices + 3 * (size_t)segment.first;
    for (size_t i = 0; i < 3 * (size_t)kept; i++)
        corners[i] = segment.first_vertex + places[corners[i]];
    for (uint32_t t = 0; t < kept; t++)
        mesh->non_finite_count += !corners_are_finite(mesh->positions, corners + 3 * (size_t)t);
    mesh->vertex_count += used;
    mesh->triangle_count += kept;
    mesh->segments[mesh->segment_count++] = segment;
}

bool mesh_add_segment(struct mesh *mesh, const float *positions, uint32_t vertex_count,
                      const uint32_t *indices, uint32_t triangle_count, struct failure *failure)
{
    if (triangle_count > MAX_TRIANGLES - mesh->triangle_count ||
        vertex_count > MAX_TRIANGLES - mesh->vertex_count)
        return failure_set(failure, "%s: more than %u triangles or vertices", mesh->name,
                           MAX_TRIANGLES);
    for (size_t i = 0; i < 3 * (size_t)triangle_count; i++)
        if (indices[i] >= vertex_count)
            return failure_set(failure, "%s: triangle %zu uses vertex %u of %u", mesh->name, i / 3,
                               indices[i], vertex_count);
    if (triangle_count == 0)
        return true;
    uint32_t *remap = malloc(2 * (size_t)vertex_count * sizeof *remap);
    if (!remap || !reserve_segment(mesh, vertex_count, triangle_count)) {
        free(remap);
        return failure_set(failure, "%s: out of memory", mesh->name);
    }
    uint32_t *places = remap + vertex_count;
    uint32_t *corners = mesh->indices + 3 * (size_t)mesh->triangle_count;
    meshopt_generateVertexRemap(remap, NULL, vertex_count, positions, vertex_count,
                                3 * sizeof *positions);
    uint32_t kept = weld(corners, remap, positions, indices, triangle_count);
    uint32_t used = number_used(places, vertex_count, corners, kept);
    mesh->degenerate_count += triangle_count - kept;
    if (kept > 0)
        append(mesh, positions, vertex_count, remap, places, used, kept);
    free(remap);
    return true;
}

bool mesh_add_instance(struct mesh *mesh, uint32_t segment, const float matrix[16],
                       struct failure *failure)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    struct mesh_instance *instances =
        reserve(mesh->instances, &mesh->instance_capacity, (uint64_t)mesh->instance_count + 1,
                sizeof *instances);
    if (!instances)
        return failure_set(failure, "%s: out of memory", mesh->name);
    mesh->instances = instances;
    instances[mesh->instance_count].segment = segment;
    memcpy(instances[mesh->instance_count].matrix, matrix ? matrix : identity, sizeof identity);
    mesh->instance_count++;
    return true;
}

static void visit_corner(const float matrix[16], const float *from, mesh_visit visit, void *user)
{
    float position[3];
    for (size_t row = 0; row < 3; row++) {
        position[row] = matrix[row] * from[0] + matrix[4 + row] * from[1] +
                        matrix[8 + row] * from[2] + matrix[12 + row];
        if (!is_finite(position[row]))
            return;
    }
    visit(position, user);
}

void mesh_visit_corners(const struct mesh *mesh, mesh_visit visit, void *user)
{
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        const struct mesh_instance *instance = &mesh->instances[i];
        const struct mesh_segment *segment = &mesh->segments[instance->segment];
        for (uint32_t t = segment->first; t < segment->first + segment->count; t++) {
            if (!mesh_triangle_is_finite(mesh, t))
                continue;
            for (size_t k = 0; k < 3; k++)
                visit_corner(instance->matrix,
                             mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)t + k], visit,
                             user);
        }
    }
}
