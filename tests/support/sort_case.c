#include "sort_case.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words behind each view that nobody may touch, and what fills everything that isn't input. */
#define GUARD_WORDS 64
#define POISON 0xcdcdcdcdu

enum { KEYS, VALUES, OUTPUT_KEYS, OUTPUT_VALUES, STREAMS };

/* A stream's buffer as it was uploaded, and as it should be afterwards. */
struct stream {
    size_t row_words; /* 0: the stream is not used */
    size_t view_rows;
    size_t first_word; /* of the view in the buffer */
    size_t view_words, total_words;
    uint32_t *before, *expected;
    GLuint buffer;
};

static const char *const stream_names[STREAMS] = {"keys", "values", "output_keys", "output_values"};

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "sort_case: out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

static size_t rows_reached(const struct sort_case *sort, int stream)
{
    size_t end = 0;
    for (uint32_t i = 0; i < sort->segment_count; i++) {
        const gl_segsort_segment *s = &sort->segments[i];
        const uint32_t offsets[STREAMS] = {s->keys_offset, s->values_offset, s->output_keys_offset,
                                           s->output_values_offset};
        size_t reached = (size_t)offsets[stream] + s->length;
        if (s->length > 0 && reached > end)
            end = reached;
    }
    return end;
}

/* Whatever a key's type is, its words come from the same kinds; a u64 key's high word varies
 * little, so that low words decide now and then. Floats get what is special about them here and
 * there. */
static void make_keys(const struct sort_case *sort, uint32_t *keys, size_t words)
{
    generate_keys(sort->kind, keys, words, sort->seed);
    static const uint32_t floats[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                      0xffc00001, 0x7f800001, 0x3f800000, 0xbf800000, 1};
    uint64_t state = sort->seed + 1;
    if (sort->order.key_type == GL_SEGSORT_KEY_U64)
        for (size_t i = 1; i < words; i += 2)
            keys[i] %= 3;
    if (sort->order.key_type == GL_SEGSORT_KEY_F32)
        for (size_t i = 0; i < words; i += 1 + generate_below(&state, 5))
            keys[i] = floats[generate_below(&state, sizeof floats / sizeof floats[0])];
}

static void make_streams(const struct sort_case *sort, struct stream streams[STREAMS])
{
    const size_t row_words[STREAMS] = {
        cpu_key_words(sort->order.key_type), cpu_input_value_words(sort->order.value_type),
        cpu_key_words(sort->order.key_type), cpu_output_value_words(sort->order.value_type)};
    for (int i = 0; i < STREAMS; i++) {
        struct stream *s = &streams[i];
        s->row_words = row_words[i];
        s->view_rows = rows_reached(sort, i);
        s->first_word = sort->byte_offset / 4;
        s->view_words = s->view_rows * s->row_words;
        s->total_words = s->first_word + s->view_words + GUARD_WORDS;
        s->before = allocate(s->total_words * 4);
        s->expected = allocate(s->total_words * 4);
        for (size_t word = 0; word < s->total_words; word++)
            s->before[word] = POISON;
    }
    uint32_t *keys = streams[KEYS].before + streams[KEYS].first_word;
    uint32_t *values = streams[VALUES].before + streams[VALUES].first_word;
    if (sort->keys)
        memcpy(keys, sort->keys, streams[KEYS].view_words * 4);
    else
        make_keys(sort, keys, streams[KEYS].view_words);
    if (sort->values)
        memcpy(values, sort->values, streams[VALUES].view_words * 4);
    else
        generate_identity(values, streams[VALUES].view_words);
}

/* In place the values of row numbers have a buffer of their own all the same. */
static int output_of(const struct sort_case *sort, int output)
{
    if (!sort->in_place)
        return output;
    if (output == OUTPUT_KEYS)
        return KEYS;
    return sort->order.value_type == GL_SEGSORT_VALUE_INDEX ? OUTPUT_VALUES : VALUES;
}

static void expect(const struct sort_case *sort, struct stream streams[STREAMS])
{
    for (int i = 0; i < STREAMS; i++)
        memcpy(streams[i].expected, streams[i].before, streams[i].total_words * 4);
    struct stream *to_keys = &streams[output_of(sort, OUTPUT_KEYS)];
    struct stream *to_values = &streams[output_of(sort, OUTPUT_VALUES)];
    cpu_sort_typed_segments(&sort->order, streams[KEYS].before + streams[KEYS].first_word,
                            streams[VALUES].before + streams[VALUES].first_word,
                            to_keys->expected + to_keys->first_word,
                            to_values->expected + to_values->first_word, sort->segments,
                            sort->segment_count);
}

static void upload(struct stream *s)
{
    glGenBuffers(1, &s->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, s->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(s->total_words * 4), s->before,
                 GL_DYNAMIC_COPY);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

static bool compare(const struct sort_case *sort, const struct stream *s, const char *name)
{
    uint32_t *after = allocate(s->total_words * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, s->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(s->total_words * 4), after);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    size_t word = 0;
    if (memcmp(after, s->expected, s->total_words * 4) == 0)
        word = s->total_words;
    while (word < s->total_words && after[word] == s->expected[word])
        word++;
    if (word < s->total_words)
        fprintf(stderr, "%s: %s word %td is 0x%08x, should be 0x%08x (it was 0x%08x)\n", sort->name,
                name, (ptrdiff_t)word - (ptrdiff_t)s->first_word, after[word], s->expected[word],
                s->before[word]);
    free(after);
    return word == s->total_words;
}

static gl_segsort_view view_of(const struct sort_case *sort, const struct stream *s)
{
    if (s->row_words == 0)
        return (gl_segsort_view){0};
    return (gl_segsort_view){s->buffer, sort->byte_offset, s->view_rows};
}

bool sort_case_check_plan(gl_segsort_plan *plan, const struct sort_case *sort)
{
    struct stream streams[STREAMS] = {0};
    make_streams(sort, streams);
    expect(sort, streams);
    for (int i = 0; i < STREAMS; i++)
        upload(&streams[i]);
    gl_segsort_sort_desc desc = {
        .keys = view_of(sort, &streams[KEYS]),
        .values = view_of(sort, &streams[VALUES]),
        .output_keys = view_of(sort, &streams[output_of(sort, OUTPUT_KEYS)]),
        .output_values = view_of(sort, &streams[output_of(sort, OUTPUT_VALUES)])};
    gl_segsort_result result = gl_segsort_sort(plan, &desc);
    bool right = result == GL_SEGSORT_SUCCESS;
    if (!right)
        fprintf(stderr, "%s: %s\n", sort->name, gl_segsort_result_string(result));
    for (int i = 0; i < STREAMS; i++) {
        right = right && compare(sort, &streams[i], stream_names[i]);
        glDeleteBuffers(1, &streams[i].buffer);
        free(streams[i].before);
        free(streams[i].expected);
    }
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        fprintf(stderr, "%s: GL error 0x%04x\n", sort->name, error);
    return right && error == GL_NO_ERROR;
}

bool sort_case_check(gl_segsort_context *context, const struct sort_case *sort)
{
    gl_segsort_plan_desc desc = {.label = "case",
                                 .key_type = sort->order.key_type,
                                 .value_type = sort->order.value_type,
                                 .direction = sort->order.direction,
                                 .begin_bit = sort->order.begin_bit,
                                 .end_bit = sort->order.end_bit,
                                 .algorithm = sort->algorithm,
                                 .segments = sort->segments,
                                 .segment_count = sort->segment_count};
    gl_segsort_plan *plan;
    if (gl_segsort_plan_create(context, &desc, &plan) != GL_SEGSORT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", sort->name, gl_segsort_last_error(context));
        return false;
    }
    bool right = sort_case_check_plan(plan, sort);
    gl_segsort_plan_destroy(plan);
    return right;
}
