/* The orders that a mesh's triangles are shown in, and how those do that the CPU makes. */
#ifndef MESH_ORDERS_H
#define MESH_ORDERS_H

#include "metrics.h"

enum order { ORDER_FILE, ORDER_MORTON, ORDER_SPATIAL, ORDER_CACHE, ORDER_COUNT };

/* "file", "Morton", ... */
extern const char *const order_names[ORDER_COUNT];

/* The Morton order is the GPU's, and has nothing here. */
struct mesh_orders {
    uint32_t *indices[ORDER_COUNT]; /* the mesh's index buffer; NULL for the file order too */
    struct metrics metrics[ORDER_COUNT];
};

/* progress may be NULL. */
bool mesh_orders_create(struct mesh_orders *orders, const struct mesh *mesh,
                        struct mesh_progress *progress, struct failure *failure);
void mesh_orders_destroy(struct mesh_orders *orders);

#endif
