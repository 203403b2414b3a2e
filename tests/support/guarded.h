/* A view in a GL buffer of its own, with guard words around it: what it was uploaded with, and what
 * it has to hold later on. */
#ifndef GUARDED_H
#define GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guarded {
    size_t first_word; /* of the view in the buffer */
    size_t view_words;
    size_t total_words;
    uint32_t *before, *expected; /* the whole buffer */
    unsigned buffer;
};

/* The memory, all of it poisoned, and no buffer yet. */
void guarded_make(struct guarded *guarded, uint32_t byte_offset, size_t view_words);
void guarded_free(struct guarded *guarded);

/* The view's first word in before; and in expected, after it was made equal to before. */
uint32_t *guarded_before(const struct guarded *guarded);
uint32_t *guarded_expect(const struct guarded *guarded);

/* Makes the buffer, unless it is there, and writes before to it. */
void guarded_upload(struct guarded *guarded);

/* Whether the buffer is as expected; as before; as before around the view. They print the first
 * word that isn't. */
bool guarded_right(const struct guarded *guarded, const char *name);
bool guarded_untouched(const struct guarded *guarded, const char *name);
bool guarded_kept(const struct guarded *guarded, const char *name);

/* malloc that ends the program when there is no memory. */
void *guarded_allocate(size_t bytes);

#endif
