#include "sort_case.h"

#include "cpu_sort.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows in front of and behind each view that nobody may touch, and what fills everything that isn't input. */
#define GUARD_ROWS 64
#define POISON 0xcdcdcdcdu

enum { KEYS, VALUES, OUTPUT_KEYS, OUTPUT_VALUES, STREAMS };

/* A stream's buffer as it was uploaded, and as it should be afterwards. */
struct stream {
    size_t view_rows;
    size_t first_row; /* of the view in the buffer */
    size_t total_rows;
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

static void make_streams(const struct sort_case *sort, struct stream streams[STREAMS])
{
    for (int i = 0; i < STREAMS; i++) {
        struct stream *s = &streams[i];
        s->view_rows = rows_reached(sort, i);
        s->first_row = sort->byte_offset / 4;
        s->total_rows = s->first_row + s->view_rows + GUARD_ROWS;
        s->before = allocate(s->total_rows * 4);
        s->expected = allocate(s->total_rows * 4);
        for (size_t row = 0; row < s->total_rows; row++)
            s->before[row] = POISON;
    }
    uint32_t *keys = streams[KEYS].before + streams[KEYS].first_row;
    uint32_t *values = streams[VALUES].before + streams[VALUES].first_row;
    if (sort->keys)
        memcpy(keys, sort->keys, streams[KEYS].view_rows * 4);
    else
        generate_keys(sort->kind, keys, streams[KEYS].view_rows, sort->seed);
    if (sort->values)
        memcpy(values, sort->values, streams[VALUES].view_rows * 4);
    else
        generate_identity(values, streams[VALUES].view_rows);
}

static void expect(const struct sort_case *sort, struct stream streams[STREAMS])
{
    for (int i = 0; i < STREAMS; i++)
        memcpy(streams[i].expected, streams[i].before, streams[i].total_rows * 4);
    struct stream *to_keys = &streams[sort->in_place ? KEYS : OUTPUT_KEYS];
    struct stream *to_values = &streams[sort->in_place ? VALUES : OUTPUT_VALUES];
    cpu_sort_segments(streams[KEYS].before + streams[KEYS].first_row,
                      streams[VALUES].before + streams[VALUES].first_row,
                      to_keys->expected + to_keys->first_row,
                      to_values->expected + to_values->first_row, sort->segments,
                      sort->segment_count, sort->direction);
}

static void upload(struct stream *s)
{
    glGenBuffers(1, &s->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, s->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(s->total_rows * 4), s->before, GL_DYNAMIC_COPY);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

static bool compare(const struct sort_case *sort, const struct stream *s, const char *name)
{
    uint32_t *after = allocate(s->total_rows * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, s->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(s->total_rows * 4), after);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    size_t row = 0;
    if (memcmp(after, s->expected, s->total_rows * 4) == 0)
        row = s->total_rows;
    while (row < s->total_rows && after[row] == s->expected[row])
        row++;
    if (row < s->total_rows)
        fprintf(stderr, "%s: %s row %td is 0x%08x, should be 0x%08x (it was 0x%08x)\n", sort->name,
                name, (ptrdiff_t)row - (ptrdiff_t)s->first_row, after[row], s->expected[row],
                s->before[row]);
    free(after);
    return row == s->total_rows;
}

static gl_segsort_view view_of(const struct sort_case *sort, const struct stream *s)
{
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
        .output_keys = view_of(sort, &streams[sort->in_place ? KEYS : OUTPUT_KEYS]),
        .output_values = view_of(sort, &streams[sort->in_place ? VALUES : OUTPUT_VALUES])};
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
                                 .direction = sort->direction,
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
