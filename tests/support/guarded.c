#include "guarded.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD_WORDS 64
#define POISON 0xcdcdcdcdu

static uint32_t *allocate(size_t words)
{
    uint32_t *memory = malloc(4 * (words + 1));
    if (!memory)
        abort();
    return memory;
}

void guarded_make(struct guarded *guarded, const char *name, size_t words, uint32_t byte_offset)
{
    *guarded = (struct guarded){
        .name = name, .first = byte_offset / 4, .words = words, .byte_offset = byte_offset};
    guarded->total = guarded->first + words + GUARD_WORDS;
    guarded->before = allocate(guarded->total);
    guarded->expected = allocate(guarded->total);
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

void guarded_upload_tight(struct guarded *guarded)
{
    guarded->total = guarded->first + guarded->words;
    guarded_upload(guarded);
}

gl_segsort_view guarded_view(const struct guarded *guarded, uint64_t rows)
{
    return (gl_segsort_view){guarded->buffer, guarded->byte_offset, rows};
}

const char *guarded_difference(const struct guarded *guarded)
{
    static char text[200];
    uint32_t *after = allocate(guarded->total);
    glBindBuffer(GL_COPY_READ_BUFFER, guarded->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(4 * guarded->total), after);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    size_t i = 0;
    while (i < guarded->total && after[i] == guarded->expected[i])
        i++;
    bool equal = i == guarded->total;
    if (!equal)
        snprintf(text, sizeof text, "%s: word %td is 0x%08x, should be 0x%08x", guarded->name,
                 (ptrdiff_t)i - (ptrdiff_t)guarded->first, after[i], guarded->expected[i]);
    free(after);
    return equal ? NULL : text;
}

void guarded_free(struct guarded *guarded)
{
    glDeleteBuffers(1, &guarded->buffer);
    free(guarded->before);
    free(guarded->expected);
    *guarded = (struct guarded){0};
}
