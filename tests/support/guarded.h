/* GL buffers whose every word is watched: what lies around a view and between its rows has to stay
 * as it was. */
#ifndef GUARDED_H
#define GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gl_segsort.h"

struct guarded {
    const char *name;
    uint32_t *before, *expected; /* all words of the buffer */
    size_t first, words, total;  /* where the view's words are */
    uint32_t byte_offset;
    unsigned buffer;
};

/* Host memory for a view of so many words at an offset, full of poison, with more of it behind. */
void guarded_make(struct guarded *guarded, const char *name, size_t words, uint32_t byte_offset);

/* The view's words before and after the call that is tested. */
uint32_t *guarded_before(const struct guarded *guarded);
uint32_t *guarded_expected(const struct guarded *guarded);

/* Makes the GL buffer; what is expected starts as what is there. */
void guarded_upload(struct guarded *guarded);

/* Writes before to the buffer again. What is expected stays. */
void guarded_restore(const struct guarded *guarded);

/* The same without words behind the view: an access there is past the buffer's end. */
void guarded_upload_tight(struct guarded *guarded);

gl_segsort_view guarded_view(const struct guarded *guarded, uint64_t rows);

/* The first word that isn't as expected, as a sentence, or NULL. Reads the buffer. */
const char *guarded_difference(const struct guarded *guarded);

/* Whether the buffer is as expected; as before; as before around the view. They print the first
 * word that isn't. */
bool guarded_right(const struct guarded *guarded);
bool guarded_untouched(const struct guarded *guarded);
bool guarded_kept(const struct guarded *guarded);

void guarded_free(struct guarded *guarded);

/* malloc that ends the program when there is no memory. */
void *guarded_allocate(size_t bytes);

#endif
