#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kept_program *find(struct kept *kept, const char *key)
{
    for (size_t i = 0; i < kept->count; i++)
        if (strcmp(kept->programs[i].key, key) == 0)
            return &kept->programs[i];
    return NULL;
}

static size_t load(const char *key, void *data, size_t capacity, void *user)
{
    const struct kept_program *program = find(user, key);
    if (program && capacity >= program->size)
        memcpy(data, program->data, program->size);
    return program ? program->size : 0;
}

static void store(const char *key, const void *data, size_t size, void *user)
{
    struct kept *kept = user;
    void *copy = find(kept, key) || kept->count == KEPT_MAX ? NULL : malloc(size);
    if (!copy)
        return;
    struct kept_program *program = &kept->programs[kept->count++];
    snprintf(program->key, sizeof program->key, "%s", key);
    program->data = memcpy(copy, data, size);
    program->size = size;
}

gl_segsort_program_cache kept_cache(struct kept *kept)
{
    return (gl_segsort_program_cache){load, store, kept};
}

void kept_release(struct kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->programs[i].data);
    *kept = (struct kept){0};
}
