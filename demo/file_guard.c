#include "file_guard.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER
#endif
#if defined(__linux__) && !defined(HAS_ADDRESS_SANITIZER)
#include <sys/resource.h>
#include <unistd.h>
#define CAN_LIMIT
#endif

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at) || *at == '#')
        at += *at == '#' ? strcspn(at, "\n") : 1;
    return at;
}

/* No element of an OFF file is shorter than a byte. */
static bool check_off(const char *start, uint64_t size, const char *path, struct failure *failure)
{
    const char *at = start + strspn(start, "STCN4n");
    if (strncmp(at, "OFF", 3) != 0)
        return true;
    at = skip_space(at + 3);
    for (int i = 0; i < 2 && isdigit((unsigned char)*at); i++) {
        char *end;
        errno = 0;
        unsigned long long count = strtoull(at, &end, 10);
        if (errno == ERANGE || count > size)
            return failure_set(failure, "%s: it says it has %.*s %s, and is only %llu bytes long",
                               path, (int)(end - at), at, i == 0 ? "vertices" : "faces",
                               (unsigned long long)size);
        at = skip_space(end);
    }
    return true;
}

static bool find_size(FILE *file, uint64_t *size)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return false;
    long length = ftell(file);
    *size = length > 0 ? (uint64_t)length : 0;
    return length >= 0 && fseek(file, 0, SEEK_SET) == 0;
}

bool file_guard_check(const char *path, uint64_t *size, struct failure *failure)
{
    char start[512] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return failure_set(failure, "%s: %s", path, strerror(errno));
    errno = 0;
    bool read = find_size(file, size);
    size_t length = read ? fread(start, 1, sizeof start - 1, file) : 0;
    bool failed = !read || ferror(file);
    int error = errno;
    fclose(file);
    if (failed)
        return failure_set(failure, "%s: %s", path, error ? strerror(error) : "can't be read");
    if (length == 0)
        return failure_set(failure, "%s: the file is empty", path);
    return check_off(start, *size, path, failure);
}

#ifdef CAN_LIMIT

/* The process's address space in bytes; 0 where it can't be told. */
static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Readers take up to some 50 bytes for each of a text file's; packed files hold more. */
void file_guard_begin(struct file_guard *guard, uint64_t size)
{
    struct rlimit limit;
    uint64_t used = address_space();
    uint64_t allowed = used + ((uint64_t)2 << 30) + 100 * size;
    guard->limited = false;
    if (used == 0 || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur <= allowed)
        return;
    guard->saved = limit.rlim_cur;
    limit.rlim_cur = allowed;
    guard->limited = setrlimit(RLIMIT_AS, &limit) == 0;
}

void file_guard_end(const struct file_guard *guard)
{
    struct rlimit limit;
    if (!guard->limited || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    limit.rlim_cur = guard->saved;
    setrlimit(RLIMIT_AS, &limit);
}

#else

void file_guard_begin(struct file_guard *guard, uint64_t size)
{
    (void)size;
    guard->limited = false;
}

void file_guard_end(const struct file_guard *guard)
{
    (void)guard;
}

#endif
