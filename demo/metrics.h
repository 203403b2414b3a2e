/* How an order of triangles does in a GPU's vertex caches, by meshoptimizer's models, and the orders
 * that meshoptimizer itself would choose. */
#ifndef METRICS_H
#define METRICS_H

#include "mesh.h"

enum { METRICS_CACHE_SIZE = 16 };

struct metrics {
    double acmr;      /* vertices transformed a triangle, with a FIFO cache of METRICS_CACHE_SIZE */
    double atvr;      /* the same a vertex: 1 is as good as can be */
    double overfetch; /* bytes of vertices fetched for each byte there is */
};

/* indices is the mesh's index buffer in any order. */
struct metrics metrics_measure(const struct mesh *mesh, const uint32_t *indices);

/* Writes the index buffer with each segment ordered by meshopt_spatialSortTriangles, or by
 * meshopt_optimizeVertexCache. */
bool metrics_spatial_sort(const struct mesh *mesh, uint32_t *indices, struct failure *failure);
bool metrics_cache_sort(const struct mesh *mesh, uint32_t *indices, struct failure *failure);

#endif
