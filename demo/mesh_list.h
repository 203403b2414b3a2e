/* The meshes that are installed: files below assimp/models in the folders of XDG_DATA_DIRS whose
 * names end as one of assimp's formats does. */
#ifndef MESH_LIST_H
#define MESH_LIST_H

#include <stddef.h>

#include "failure.h"

struct mesh_list {
    char **paths;  /* in alphabetical order */
    size_t *roots; /* length of a path's part up to the models' folder, with its slash */
    size_t count;
    size_t capacity;
};

/* An empty list where there are none, or no memory. */
void mesh_list_create(struct mesh_list *list);
void mesh_list_destroy(struct mesh_list *list);

/* A path's part within the models' folder: "STL/triangle.stl". */
const char *mesh_list_name(const struct mesh_list *list, size_t number);

/* Whether text is part of that, whatever the letters' case. */
bool mesh_list_matches(const struct mesh_list *list, size_t number, const char *text);

/* Calls for each of the folders in XDG_DATA_DIRS, or where such are by default: its name, and how
 * long that is, until visit returns true; whether it did. */
bool mesh_list_visit_folders(bool (*visit)(const char *folder, size_t length, void *user),
                             void *user);

#endif
