#include "mesh_list.h"

#include <assimp/cimport.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char models[] = "assimp/models/";

bool mesh_list_visit_folders(bool (*visit)(const char *folder, size_t length, void *user),
                             void *user)
{
    const char *folders = getenv("XDG_DATA_DIRS");
    if (!folders || !folders[0])
        folders = "/usr/local/share:/usr/share:/opt/homebrew/share";
    while (*folders) {
        size_t length = strcspn(folders, ":");
        if (length > 0 && visit(folders, length, user))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

const char *mesh_list_name(const struct mesh_list *list, size_t number)
{
    return list->paths[number] + list->roots[number];
}

bool mesh_list_matches(const struct mesh_list *list, size_t number, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = mesh_list_name(list, number);; at++) {
        size_t same = 0;
        while (same < length && at[same] &&
               tolower((unsigned char)at[same]) == tolower((unsigned char)text[same]))
            same++;
        if (same == length)
            return true;
        if (!*at)
            return false;
    }
}

void mesh_list_destroy(struct mesh_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    free(list->roots);
    *list = (struct mesh_list){0};
}

#if defined(_WIN32)

void mesh_list_create(struct mesh_list *list)
{
    *list = (struct mesh_list){0};
}

#else
#include <dirent.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 8, MAX_FILES = 10000 };

static bool reserve(struct mesh_list *list)
{
    if (list->count < list->capacity)
        return true;
    size_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
    char **paths = realloc(list->paths, capacity * sizeof *paths);
    if (paths)
        list->paths = paths;
    size_t *roots = realloc(list->roots, capacity * sizeof *roots);
    if (roots)
        list->roots = roots;
    if (!paths || !roots)
        return false;
    list->capacity = capacity;
    return true;
}

/* Takes path over. */
static void add(struct mesh_list *list, char *path, size_t root)
{
    const char *dot = strrchr(path, '.');
    if (dot && !strchr(dot, '/') && aiIsExtensionSupported(dot) && list->count < MAX_FILES &&
        reserve(list)) {
        list->paths[list->count] = path;
        list->roots[list->count++] = root;
    } else {
        free(path);
    }
}

/* folder ends with a slash; NULL without memory. */
static char *join(const char *folder, const char *name, bool is_folder)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, name, is_folder ? "/" : "");
    return path;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as folders are, up to a limit */
static void walk(struct mesh_list *list, const char *folder, size_t root, unsigned depth)
{
    DIR *entries = depth < MAX_DEPTH ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char *path = entry->d_name[0] != '.' ? join(folder, entry->d_name, false) : NULL;
        if (!path)
            continue;
        if (!is_folder(path)) {
            add(list, path, root);
            continue;
        }
        free(path);
        path = join(folder, entry->d_name, true);
        if (path)
            walk(list, path, root, depth + 1);
        free(path);
    }
    if (entries)
        closedir(entries);
}

static bool list_folder(const char *folder, size_t length, void *user)
{
    size_t size = length + sizeof models + 1;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%.*s/%s", (int)length, folder, models);
        walk(user, path, strlen(path), 0);
    }
    free(path);
    return false;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Paths of one folder of XDG_DATA_DIRS share their root, so that these need no sort of their own
 * as long as paths are sorted folder by folder. */
static bool list_and_sort(const char *folder, size_t length, void *user)
{
    struct mesh_list *list = user;
    size_t before = list->count;
    list_folder(folder, length, list);
    if (list->count > before)
        qsort(list->paths + before, list->count - before, sizeof *list->paths, compare);
    return false;
}

void mesh_list_create(struct mesh_list *list)
{
    *list = (struct mesh_list){0};
    mesh_list_visit_folders(list_and_sort, list);
}

#endif
