#include "mesh_loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool load(const char *path, struct mesh *mesh, struct mesh_orders *orders,
                 struct mesh_progress *progress, struct failure *failure)
{
    bool made = strcmp(path, "generated") == 0 ? mesh_generate(mesh, failure)
                                               : mesh_load_watched(mesh, path, progress, failure);
    if (made && !mesh_orders_create(orders, mesh, progress, failure)) {
        mesh_destroy(mesh);
        made = false;
    }
    return made;
}

bool mesh_loader_load_now(const char *path, struct mesh *mesh, struct mesh_orders *orders,
                          struct failure *failure)
{
    struct mesh_progress progress = {0};
    if (path)
        return load(path, mesh, orders, &progress, failure);
    char *found = mesh_default_path();
    if (!found)
        printf("%s\n", mesh_default_hint);
    bool loaded = load(found ? found : "generated", mesh, orders, &progress, failure);
    free(found);
    return loaded;
}

static void work(void *user)
{
    struct mesh_loader *loader = user;
    loader->loaded =
        load(loader->path, &loader->mesh, &loader->orders, &loader->progress, &loader->failure);
}

static void start(struct mesh_loader *loader, char *path)
{
    loader->path = path;
    loader->mesh = (struct mesh){0};
    loader->orders = (struct mesh_orders){0};
    atomic_store(&loader->progress.cancelled, false);
    mesh_progress_tell(&loader->progress, MESH_PHASE_READ, 0, 1);
    worker_start(&loader->worker, work, loader);
}

bool mesh_loader_start(struct mesh_loader *loader, const char *path, struct failure *failure)
{
    size_t size = strlen(path) + 1;
    char *copy = malloc(size);
    if (!copy)
        return failure_set(failure, "%s: out of memory", path);
    memcpy(copy, path, size);
    if (!loader->path) {
        start(loader, copy);
        return true;
    }
    free(loader->next);
    loader->next = copy;
    atomic_store(&loader->progress.cancelled, true);
    return true;
}

bool mesh_loader_busy(const struct mesh_loader *loader)
{
    return loader->path != NULL;
}

static void drop_result(struct mesh_loader *loader)
{
    mesh_orders_destroy(&loader->orders);
    mesh_destroy(&loader->mesh);
}

bool mesh_loader_finish(struct mesh_loader *loader, bool wait)
{
    while (loader->path && (wait || worker_done(&loader->worker))) {
        char *next = loader->next;
        worker_join(&loader->worker);
        free(loader->path);
        loader->path = loader->next = NULL;
        if (!next)
            return true;
        drop_result(loader);
        start(loader, next);
    }
    return false;
}

void mesh_loader_destroy(struct mesh_loader *loader)
{
    atomic_store(&loader->progress.cancelled, true);
    free(loader->next);
    loader->next = NULL;
    if (mesh_loader_finish(loader, true))
        drop_result(loader);
}
