#include "metrics.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>

struct metrics metrics_measure(const struct mesh *mesh, const uint32_t *indices)
{
    size_t index_count = 3 * (size_t)mesh->triangle_count;
    struct meshopt_VertexCacheStatistics cache = meshopt_analyzeVertexCache(
        indices, index_count, mesh->vertex_count, METRICS_CACHE_SIZE, 0, 0);
    struct meshopt_VertexFetchStatistics fetch =
        meshopt_analyzeVertexFetch(indices, index_count, mesh->vertex_count, 3 * sizeof(float));
    return (struct metrics){(double)cache.acmr, (double)cache.atvr, (double)fetch.overfetch};
}

/* meshoptimizer turns positions into integers, which is undefined for those that no integer comes
 * near after scaling by the extent. */
static float tame(float number)
{
    return fabsf(number) < 1e30f ? number : 0.0f;
}

/* Orders count indices of a segment, which count from its first vertex. */
typedef void (*order_segment)(uint32_t *ordered, const uint32_t *indices, size_t count,
                              const float *positions, size_t vertex_count);

static void order_in_space(uint32_t *ordered, const uint32_t *indices, size_t count,
                           const float *positions, size_t vertex_count)
{
    meshopt_spatialSortTriangles(ordered, indices, count, positions, vertex_count,
                                 3 * sizeof *positions);
}

static void order_for_cache(uint32_t *ordered, const uint32_t *indices, size_t count,
                            const float *positions, size_t vertex_count)
{
    (void)positions;
    meshopt_optimizeVertexCache(ordered, indices, count, vertex_count);
}

static void order_segments(const struct mesh *mesh, const float *positions, uint32_t *local,
                           uint32_t *indices, order_segment order)
{
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        const struct mesh_segment *segment = &mesh->segments[s];
        size_t first = 3 * (size_t)segment->first, count = 3 * (size_t)segment->count;
        for (size_t i = first; i < first + count; i++)
            local[i] = mesh->indices[i] - segment->first_vertex;
        order(indices + first, local + first, count, positions + 3 * (size_t)segment->first_vertex,
              segment->vertex_count);
        for (size_t i = first; i < first + count; i++)
            indices[i] += segment->first_vertex;
    }
}

static bool sort_by(const struct mesh *mesh, uint32_t *indices, order_segment order,
                    struct failure *failure)
{
    size_t coordinates = 3 * (size_t)mesh->vertex_count;
    size_t index_count = 3 * (size_t)mesh->triangle_count;
    float *positions = malloc(coordinates * sizeof *positions);
    uint32_t *local = malloc(index_count * sizeof *local);
    bool fits = positions && local;
    for (size_t i = 0; fits && i < coordinates; i++)
        positions[i] = tame(mesh->positions[i]);
    if (fits)
        order_segments(mesh, positions, local, indices, order);
    free(positions);
    free(local);
    return fits || failure_set(failure, "%s: out of memory", mesh->name);
}

bool metrics_spatial_sort(const struct mesh *mesh, uint32_t *indices, struct failure *failure)
{
    return sort_by(mesh, indices, order_in_space, failure);
}

bool metrics_cache_sort(const struct mesh *mesh, uint32_t *indices, struct failure *failure)
{
    return sort_by(mesh, indices, order_for_cache, failure);
}
