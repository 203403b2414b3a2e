#include "program_files.h"

#ifdef _WIN32

gl_segsort_program_cache program_files_cache(void)
{
    return (gl_segsort_program_cache){0};
}

#else

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1024 };

/* Appends to a path; false: there is no room. */
static bool append(char path[PATH_SIZE], const char *text)
{
    size_t length = strlen(path), more = strlen(text);
    if (length + more >= PATH_SIZE)
        return false;
    memcpy(path + length, text, more + 1);
    return true;
}

/* The folder, which is made where make is true. The rules are those of freedesktop.org, by which a
 * path that does not start at the root counts as none. */
static bool find_folder(char path[PATH_SIZE], bool make)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    path[0] = '\0';
    bool found = cache && cache[0] == '/'
                     ? append(path, cache)
                     : home && home[0] == '/' && append(path, home) && append(path, "/.cache");
    if (found && make)
        mkdir(path, 0700);
    found = found && append(path, "/gl_segsort");
    if (found && make)
        mkdir(path, 0700);
    return found;
}

static bool find_file(char path[PATH_SIZE], const char *key, bool make)
{
    return find_folder(path, make) && append(path, "/") && append(path, key);
}

static size_t load(const char *key, void *data, size_t capacity, void *user)
{
    char path[PATH_SIZE];
    (void)user;
    FILE *file = find_file(path, key, false) ? fopen(path, "rb") : NULL;
    if (!file)
        return 0;
    size_t got = capacity > 0 ? fread(data, 1, capacity, file) : 0;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    fclose(file);
    return size < 0 || (capacity > 0 && got == 0) ? 0 : (size_t)size;
}

/* Another viewer may be reading: it finds the old file or the new one, whole. */
static void store(const char *key, const void *data, size_t size, void *user)
{
    char path[PATH_SIZE], temporary[PATH_SIZE];
    (void)user;
    if (!find_file(path, key, true) || !find_file(temporary, key, false) ||
        !append(temporary, ".XXXXXX"))
        return;
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    bool written = file && fwrite(data, 1, size, file) == size;
    if (file)
        written &= fclose(file) == 0;
    else if (descriptor >= 0)
        close(descriptor);
    if (descriptor >= 0 && (!written || rename(temporary, path) != 0))
        remove(temporary);
}

gl_segsort_program_cache program_files_cache(void)
{
    return (gl_segsort_program_cache){.load = load, .store = store};
}

#endif
