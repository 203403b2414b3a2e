#include "mesh_orders.h"

#include <stdlib.h>

const char *const order_names[ORDER_COUNT] = {"file", "Morton", "spatial", "cache"};

static bool make(struct mesh_orders *orders, const struct mesh *mesh, enum order order,
                 bool (*sort)(const struct mesh *, uint32_t *, struct failure *),
                 struct failure *failure)
{
    size_t size = 3 * sizeof(uint32_t) * (size_t)mesh->triangle_count;
    orders->indices[order] = malloc(size);
    if (!orders->indices[order])
        return failure_set(failure, "%s: out of memory", mesh->name);
    if (!sort(mesh, orders->indices[order], failure))
        return false;
    orders->metrics[order] = metrics_measure(mesh, orders->indices[order]);
    return true;
}

static bool tell(struct mesh_progress *progress, const struct mesh *mesh, unsigned third,
                 struct failure *failure)
{
    if (progress && atomic_load(&progress->cancelled))
        return failure_set(failure, "%s: cancelled", mesh->name);
    if (progress)
        mesh_progress_tell(progress, MESH_PHASE_ORDER, third, 3);
    return true;
}

bool mesh_orders_create(struct mesh_orders *orders, const struct mesh *mesh,
                        struct mesh_progress *progress, struct failure *failure)
{
    *orders = (struct mesh_orders){0};
    orders->metrics[ORDER_FILE] = metrics_measure(mesh, mesh->indices);
    if (tell(progress, mesh, 0, failure) &&
        make(orders, mesh, ORDER_SPATIAL, metrics_spatial_sort, failure) &&
        tell(progress, mesh, 1, failure) &&
        make(orders, mesh, ORDER_CACHE, metrics_cache_sort, failure) &&
        tell(progress, mesh, 3, failure))
        return true;
    mesh_orders_destroy(orders);
    return false;
}

void mesh_orders_destroy(struct mesh_orders *orders)
{
    for (int order = 0; order < ORDER_COUNT; order++)
        free(orders->indices[order]);
    *orders = (struct mesh_orders){0};
}
