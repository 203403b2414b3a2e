#include "picture_name.h"

#include <stdio.h>
#include <string.h>

/* How many characters of the path come before the extension. */
static size_t stem_length(const char *path)
{
    const char *base = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            base = at + 1;
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - path) : strlen(path);
}

bool picture_name(char name[PICTURE_NAME_SIZE], const char *path, unsigned number,
                  struct failure *failure)
{
    size_t stem = stem_length(path);
    if (strlen(path) + sizeof "-4294967295" > PICTURE_NAME_SIZE)
        return failure_set(failure, "%.60s...: the name is too long", path);
    snprintf(name, PICTURE_NAME_SIZE, "%.*s-%04u%s", (int)stem, path, number, path + stem);
    return true;
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

bool picture_name_free(char name[PICTURE_NAME_SIZE], const char *path, unsigned *number,
                       struct failure *failure)
{
    for (;; ++*number) {
        if (!picture_name(name, path, *number, failure))
            return false;
        if (!exists(name))
            return true;
    }
}
