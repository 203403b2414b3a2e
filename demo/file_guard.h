/* Keeps files that claim to be huge from taking all of the machine's memory while they are read. */
#ifndef FILE_GUARD_H
#define FILE_GUARD_H

#include <stdint.h>

#include "failure.h"

/* Checks that the file can be opened, isn't empty, and, if it is an OFF file, isn't too short for
 * the vertices and faces that its header counts. size receives its length in bytes. Errors name
 * the file. */
bool file_guard_check(const char *path, uint64_t *size, struct failure *failure);

struct file_guard {
    bool limited;
    uint64_t saved; /* the soft limit before */
};

/* From here on memory for this process runs out at what reading a file of that size can sensibly
 * take. Only on Linux, and not under AddressSanitizer, which can't go on when memory is out. */
void file_guard_begin(struct file_guard *guard, uint64_t size);
void file_guard_end(const struct file_guard *guard);

#endif
