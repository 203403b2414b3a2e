/* A view in a GL buffer of its own, with guard words around it: what it was uploaded with, and what
 * it has to hold later on. */
#ifndef POISONED_H
#define POISONED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct poisoned {
    size_t first_word; /* of the view in the buffer */
    size_t view_words;
    size_t total_words;
    uint32_t *before, *expected; /* the whole buffer */
    unsigned buffer;
};

/* The memory, all of it poisoned, and no buffer yet. */
void poisoned_make(struct poisoned *poisoned, uint32_t byte_offset, size_t view_words);
void poisoned_free(struct poisoned *poisoned);

/* The view's first word in before; and in expected, after it was made equal to before. */
uint32_t *poisoned_before(const struct poisoned *poisoned);
uint32_t *poisoned_expect(const struct poisoned *poisoned);

/* Makes the buffer, unless it is there, and writes before to it. */
void poisoned_upload(struct poisoned *poisoned);

/* Whether the buffer is as expected; as before; as before around the view. They print the first
 * word that isn't. */
bool poisoned_right(const struct poisoned *poisoned, const char *name);
bool poisoned_untouched(const struct poisoned *poisoned, const char *name);
bool poisoned_kept(const struct poisoned *poisoned, const char *name);

/* malloc that ends the program when there is no memory. */
void *poisoned_allocate(size_t bytes);

#endif
