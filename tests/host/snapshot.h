/* All of a host's GL state that glGet* can tell, so that two moments can be compared. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SNAPSHOT_MAX 512

struct snapshot_entry {
    char name[56]; /* as GL calls it, with the index in brackets */
    int64_t value; /* a float's bits where it is one */
};

struct snapshot {
    size_t count;
    struct snapshot_entry entries[SNAPSHOT_MAX];
};

/* Raises no GL error and leaves none behind; doesn't ask for pending ones either. */
void snapshot_take(struct snapshot *snapshot);

/* Whether nothing changed. Prints everything that did. */
bool snapshot_equal(const struct snapshot *before, const struct snapshot *after, const char *doing);

/* A value by name; prints and gives -1 for one that isn't in it. */
int64_t snapshot_value(const struct snapshot *snapshot, const char *name);

#endif
