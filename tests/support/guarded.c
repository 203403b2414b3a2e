#include "guarded.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD_WORDS 64
#define POISON 0xcdcdcdcdu

void *guarded_allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "guarded: out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

void guarded_make(struct guarded *guarded, const char *name, size_t words, uint32_t byte_offset)
{
    *guarded = (struct guarded){
        .name = name, .first = byte_offset / 4, .words = words, .byte_offset = byte_offset};
    guarded->total = guarded->first + words + GUARD_WORDS;
    guarded->before = guarded_allocate(4 * guarded->total);
    guarded->expected = guarded_allocate(4 * guarded->total);
    for (size_t i = 0; i < guarded->total; i++)
        guarded->before[i] = POISON;
}

uint32_t *guarded_before(const struct guarded *guarded)
{
    return guarded->before + guarded->first;
}

uint32_t *guarded_expected(const struct guarded *guarded)
{
    return guarded->expected + guarded->first;
}

void guarded_upload(struct guarded *guarded)
{
    memcpy(guarded->expected, guarded->before, 4 * guarded->total);
    glGenBuffers(1, &guarded->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, guarded->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(4 * guarded->total), guarded->before,
                 GL_DYNAMIC_COPY);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void guarded_restore(const struct guarded *guarded)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, guarded->buffer);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)(4 * guarded->total), guarded->before);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void guarded_upload_tight(struct guarded *guarded)
{
    guarded->total = guarded->first + guarded->words;
    guarded_upload(guarded);
}

gl_segsort_view guarded_view(const struct guarded *guarded, uint64_t rows)
{
    return (gl_segsort_view){guarded->buffer, guarded->byte_offset, rows};
}

/* Words skip .. skip_end - 1 may be anything. */
static const char *difference(const struct guarded *guarded, const uint32_t *wanted, size_t skip,
                              size_t skip_end)
{
    static char text[200];
    uint32_t *after = guarded_allocate(4 * guarded->total);
    glBindBuffer(GL_COPY_READ_BUFFER, guarded->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(4 * guarded->total), after);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    size_t i = 0;
    while (i < guarded->total && (after[i] == wanted[i] || (i >= skip && i < skip_end)))
        i++;
    bool equal = i == guarded->total;
    if (!equal)
        snprintf(text, sizeof text, "%s: word %td is 0x%08x, should be 0x%08x", guarded->name,
                 (ptrdiff_t)i - (ptrdiff_t)guarded->first, after[i], wanted[i]);
    free(after);
    return equal ? NULL : text;
}

const char *guarded_difference(const struct guarded *guarded)
{
    return difference(guarded, guarded->expected, 0, 0);
}

static bool print_difference(const char *sentence)
{
    if (sentence)
        fprintf(stderr, "%s\n", sentence);
    return !sentence;
}

bool guarded_right(const struct guarded *guarded)
{
    return print_difference(guarded_difference(guarded));
}

bool guarded_untouched(const struct guarded *guarded)
{
    return print_difference(difference(guarded, guarded->before, 0, 0));
}

bool guarded_kept(const struct guarded *guarded)
{
    return print_difference(
        difference(guarded, guarded->before, guarded->first, guarded->first + guarded->words));
}

void guarded_free(struct guarded *guarded)
{
    glDeleteBuffers(1, &guarded->buffer);
    free(guarded->before);
    free(guarded->expected);
    *guarded = (struct guarded){0};
}
