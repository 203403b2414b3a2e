/* Loads meshes in a thread of its own, one at a time. */
#ifndef MESH_LOADER_H
#define MESH_LOADER_H

#include "mesh_orders.h"
#include "worker.h"

struct mesh_loader {
    struct worker worker;
    struct mesh_progress progress;
    char *path; /* that is loaded; NULL: none is */
    char *next; /* that was asked for meanwhile */
    /* What came of it, the caller's when loaded. */
    struct mesh mesh;
    struct mesh_orders orders;
    bool loaded;
    struct failure failure;
};

/* {0} is a loader. Starts loading, or puts it off until what is loaded now is cancelled; of several
 * the last one counts. "generated" is the generated mesh, as with --mesh. */
bool mesh_loader_start(struct mesh_loader *loader, const char *path, struct failure *failure);

bool mesh_loader_busy(const struct mesh_loader *loader);

/* Whether something has ended, well (loader->loaded; who takes the mesh and orders makes them {0})
 * or not (loader->failure). Waits for it if so wished. */
bool mesh_loader_finish(struct mesh_loader *loader, bool wait);

void mesh_loader_destroy(struct mesh_loader *loader);

/* A mesh and its orders, right here: the path, the default one for NULL. Says on standard output
 * what to install where that is missing. */
bool mesh_loader_load_now(const char *path, struct mesh *mesh, struct mesh_orders *orders,
                          struct failure *failure);

#endif
