#include "poisoned.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words behind each view that nobody may touch, and what fills everything that isn't input. */
#define GUARD_WORDS 64
#define POISON 0xcdcdcdcdu

void *poisoned_allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "poisoned: out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

void poisoned_make(struct poisoned *poisoned, uint32_t byte_offset, size_t view_words)
{
    *poisoned = (struct poisoned){.first_word = byte_offset / 4,
                                  .view_words = view_words,
                                  .total_words = byte_offset / 4 + view_words + GUARD_WORDS};
    poisoned->before = poisoned_allocate(poisoned->total_words * 4);
    poisoned->expected = poisoned_allocate(poisoned->total_words * 4);
    for (size_t word = 0; word < poisoned->total_words; word++)
        poisoned->before[word] = poisoned->expected[word] = POISON;
}

void poisoned_free(struct poisoned *poisoned)
{
    glDeleteBuffers(1, &poisoned->buffer);
    free(poisoned->before);
    free(poisoned->expected);
    *poisoned = (struct poisoned){0};
}

uint32_t *poisoned_before(const struct poisoned *poisoned)
{
    return poisoned->before + poisoned->first_word;
}

uint32_t *poisoned_expect(const struct poisoned *poisoned)
{
    memcpy(poisoned->expected, poisoned->before, poisoned->total_words * 4);
    return poisoned->expected + poisoned->first_word;
}

void poisoned_upload(struct poisoned *poisoned)
{
    GLsizeiptr bytes = (GLsizeiptr)(poisoned->total_words * 4);
    bool fresh = poisoned->buffer == 0;
    if (fresh)
        glGenBuffers(1, &poisoned->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, poisoned->buffer);
    if (fresh)
        glBufferData(GL_COPY_WRITE_BUFFER, bytes, poisoned->before, GL_DYNAMIC_COPY);
    else
        glBufferSubData(GL_COPY_WRITE_BUFFER, 0, bytes, poisoned->before);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

/* Words skip .. skip_end - 1 may be anything. */
static bool compare(const struct poisoned *poisoned, const uint32_t *wanted, size_t skip,
                    size_t skip_end, const char *name)
{
    uint32_t *after = poisoned_allocate(poisoned->total_words * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, poisoned->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(poisoned->total_words * 4), after);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    size_t word = 0;
    while (word < poisoned->total_words &&
           (after[word] == wanted[word] || (word >= skip && word < skip_end)))
        word++;
    if (word < poisoned->total_words)
        fprintf(stderr, "%s: word %td is 0x%08x, should be 0x%08x (it was 0x%08x)\n", name,
                (ptrdiff_t)word - (ptrdiff_t)poisoned->first_word, after[word], wanted[word],
                poisoned->before[word]);
    free(after);
    return word == poisoned->total_words;
}

bool poisoned_right(const struct poisoned *poisoned, const char *name)
{
    return compare(poisoned, poisoned->expected, 0, 0, name);
}

bool poisoned_untouched(const struct poisoned *poisoned, const char *name)
{
    return compare(poisoned, poisoned->before, 0, 0, name);
}

bool poisoned_kept(const struct poisoned *poisoned, const char *name)
{
    return compare(poisoned, poisoned->before, poisoned->first_word,
                   poisoned->first_word + poisoned->view_words, name);
}
