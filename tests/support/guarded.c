#include "guarded.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words behind each view that nobody may touch, and what fills everything that isn't input. */
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

void guarded_make(struct guarded *guarded, uint32_t byte_offset, size_t view_words)
{
    *guarded = (struct guarded){.first_word = byte_offset / 4,
                                .view_words = view_words,
                                .total_words = byte_offset / 4 + view_words + GUARD_WORDS};
    guarded->before = guarded_allocate(guarded->total_words * 4);
    guarded->expected = guarded_allocate(guarded->total_words * 4);
    for (size_t word = 0; word < guarded->total_words; word++)
        guarded->before[word] = guarded->expected[word] = POISON;
}

void guarded_free(struct guarded *guarded)
{
    glDeleteBuffers(1, &guarded->buffer);
    free(guarded->before);
    free(guarded->expected);
    *guarded = (struct guarded){0};
}

uint32_t *guarded_before(const struct guarded *guarded)
{
    return guarded->before + guarded->first_word;
}

uint32_t *guarded_expect(const struct guarded *guarded)
{
    memcpy(guarded->expected, guarded->before, guarded->total_words * 4);
    return guarded->expected + guarded->first_word;
}

void guarded_upload(struct guarded *guarded)
{
    GLsizeiptr bytes = (GLsizeiptr)(guarded->total_words * 4);
    bool fresh = guarded->buffer == 0;
    if (fresh)
        glGenBuffers(1, &guarded->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, guarded->buffer);
    if (fresh)
        glBufferData(GL_COPY_WRITE_BUFFER, bytes, guarded->before, GL_DYNAMIC_COPY);
    else
        glBufferSubData(GL_COPY_WRITE_BUFFER, 0, bytes, guarded->before);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

/* Words skip .. skip_end - 1 may be anything. */
static bool compare(const struct guarded *guarded, const uint32_t *wanted, size_t skip,
                    size_t skip_end, const char *name)
{
    uint32_t *after = guarded_allocate(guarded->total_words * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, guarded->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(guarded->total_words * 4), after);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    size_t word = 0;
    while (word < guarded->total_words &&
           (after[word] == wanted[word] || (word >= skip && word < skip_end)))
        word++;
    if (word < guarded->total_words)
        fprintf(stderr, "%s: word %td is 0x%08x, should be 0x%08x (it was 0x%08x)\n", name,
                (ptrdiff_t)word - (ptrdiff_t)guarded->first_word, after[word], wanted[word],
                guarded->before[word]);
    free(after);
    return word == guarded->total_words;
}

bool guarded_right(const struct guarded *guarded, const char *name)
{
    return compare(guarded, guarded->expected, 0, 0, name);
}

bool guarded_untouched(const struct guarded *guarded, const char *name)
{
    return compare(guarded, guarded->before, 0, 0, name);
}

bool guarded_kept(const struct guarded *guarded, const char *name)
{
    return compare(guarded, guarded->before, guarded->first_word,
                   guarded->first_word + guarded->view_words, name);
}
