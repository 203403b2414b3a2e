#include "sort_case.h"

#include "cpu_steps.h"

#include <glad/gl.h>
#include <stdio.h>
#include <string.h>

static const char *const stream_names[SORT_STREAMS] = {"keys", "values", "output_keys",
                                                       "output_values"};

static size_t rows_reached(const struct sort_case *sort, int stream)
{
    size_t end = 0;
    for (uint32_t i = 0; i < sort->segment_count; i++) {
        const gl_segsort_segment *s = &sort->segments[i];
        const uint32_t offsets[SORT_STREAMS] = {s->keys_offset, s->values_offset,
                                                s->output_keys_offset, s->output_values_offset};
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

/* In place the values of row numbers have a buffer of their own all the same. */
static int stream_of(const struct sort_case *sort, int stream)
{
    bool has_input = stream == SORT_OUTPUT_KEYS || sort->order.value_type != GL_SEGSORT_VALUE_INDEX;
    return sort->in_place && stream >= SORT_OUTPUT_KEYS && has_input ? stream - SORT_OUTPUT_KEYS
                                                                     : stream;
}

static size_t row_words(const struct sort_case *sort, int stream)
{
    if (stream == SORT_VALUES)
        return cpu_input_value_words(sort->order.value_type);
    return stream == SORT_OUTPUT_VALUES ? cpu_output_value_words(sort->order.value_type)
                                        : cpu_key_words(sort->order.key_type);
}

static void make_inputs(struct sort_buffers *buffers)
{
    const struct sort_case *sort = buffers->sort;
    const struct guarded *keys = &buffers->streams[SORT_KEYS];
    const struct guarded *values = &buffers->streams[SORT_VALUES];
    if (sort->keys)
        memcpy(guarded_before(keys), sort->keys, keys->words * 4);
    else
        make_keys(sort, guarded_before(keys), keys->words);
    if (sort->values)
        memcpy(guarded_before(values), sort->values, values->words * 4);
    else
        generate_identity(guarded_before(values), values->words);
}

static void expect(struct sort_buffers *buffers)
{
    const struct sort_case *sort = buffers->sort;
    uint32_t *views[SORT_STREAMS];
    for (int i = 0; i < SORT_STREAMS; i++)
        views[i] = guarded_expected(&buffers->streams[i]);
    cpu_step_segments(
        &sort->order, sort->algorithm, sort->step_limit,
        guarded_before(&buffers->streams[SORT_KEYS]),
        guarded_before(&buffers->streams[SORT_VALUES]), views[stream_of(sort, SORT_OUTPUT_KEYS)],
        views[stream_of(sort, SORT_OUTPUT_VALUES)], sort->segments, sort->segment_count);
}

void sort_buffers_make(struct sort_buffers *buffers, const struct sort_case *sort)
{
    *buffers = (struct sort_buffers){.sort = sort};
    for (int i = 0; i < SORT_STREAMS; i++) {
        buffers->view_rows[i] = rows_reached(sort, i);
        guarded_make(&buffers->streams[i], stream_names[i],
                     buffers->view_rows[i] * row_words(sort, i), sort->byte_offset);
    }
    make_inputs(buffers);
    for (int i = 0; i < SORT_STREAMS; i++)
        guarded_upload(&buffers->streams[i]);
    expect(buffers);
}

void sort_buffers_free(struct sort_buffers *buffers)
{
    for (int i = 0; i < SORT_STREAMS; i++)
        guarded_free(&buffers->streams[i]);
}

void sort_buffers_upload(struct sort_buffers *buffers)
{
    for (int i = 0; i < SORT_STREAMS; i++)
        guarded_restore(&buffers->streams[i]);
}

struct guarded *sort_buffers_stream(struct sort_buffers *buffers, int stream)
{
    return &buffers->streams[stream_of(buffers->sort, stream)];
}

static gl_segsort_view view_of(const struct sort_buffers *buffers, int stream)
{
    int number = stream_of(buffers->sort, stream);
    if (row_words(buffers->sort, number) == 0)
        return (gl_segsort_view){0};
    return guarded_view(&buffers->streams[number], buffers->view_rows[number]);
}

gl_segsort_sort_desc sort_buffers_desc(const struct sort_buffers *buffers)
{
    return (gl_segsort_sort_desc){.keys = view_of(buffers, SORT_KEYS),
                                  .values = view_of(buffers, SORT_VALUES),
                                  .output_keys = view_of(buffers, SORT_OUTPUT_KEYS),
                                  .output_values = view_of(buffers, SORT_OUTPUT_VALUES)};
}

static bool check_streams(const struct sort_buffers *buffers,
                          bool (*check)(const struct guarded *stream))
{
    bool holds = true;
    for (int i = 0; i < SORT_STREAMS; i++)
        holds = check(&buffers->streams[i]) && holds;
    if (!holds)
        fprintf(stderr, "(%s)\n", buffers->sort->name);
    return holds;
}

bool sort_buffers_right(const struct sort_buffers *buffers)
{
    return check_streams(buffers, guarded_right);
}

bool sort_buffers_untouched(const struct sort_buffers *buffers)
{
    return check_streams(buffers, guarded_untouched);
}

bool sort_case_check_plan(gl_segsort_plan *plan, const struct sort_case *sort)
{
    struct sort_buffers buffers;
    sort_buffers_make(&buffers, sort);
    gl_segsort_sort_desc desc = sort_buffers_desc(&buffers);
    gl_segsort_result result = gl_segsort_sort(plan, &desc);
    if (result != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "%s: %s\n", sort->name, gl_segsort_result_string(result));
    bool right = result == GL_SEGSORT_SUCCESS && sort_buffers_right(&buffers);
    sort_buffers_free(&buffers);
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        fprintf(stderr, "%s: GL error 0x%04x\n", sort->name, error);
    return right && error == GL_NO_ERROR;
}

bool sort_case_check_again(gl_segsort_plan *plan, const struct sort_case *like)
{
    static const enum generate_keys_kind kinds[] = {
        GENERATE_RANDOM, GENERATE_CONSTANT, GENERATE_REVERSED, GENERATE_EXTREMES, GENERATE_RANDOM};
    bool right = true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct sort_case sort = *like;
        sort.name = generate_keys_name(kinds[i]);
        sort.kind = kinds[i];
        sort.seed = i + 1;
        sort.in_place = i % 2;
        if (!sort_case_check_plan(plan, &sort)) {
            fprintf(stderr, "sort %zu, %s\n", i, sort.name);
            right = false;
        }
    }
    return right;
}

gl_segsort_plan_desc sort_case_plan_desc(const struct sort_case *sort)
{
    return (gl_segsort_plan_desc){.label = "case",
                                  .key_type = sort->order.key_type,
                                  .value_type = sort->order.value_type,
                                  .direction = sort->order.direction,
                                  .begin_bit = sort->order.begin_bit,
                                  .end_bit = sort->order.end_bit,
                                  .algorithm = sort->algorithm,
                                  .segments = sort->segments,
                                  .segment_count = sort->segment_count,
                                  .step_limit = sort->step_limit};
}

bool sort_case_check(gl_segsort_context *context, const struct sort_case *sort)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(sort);
    gl_segsort_plan *plan;
    if (gl_segsort_plan_create(context, &desc, &plan) != GL_SEGSORT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", sort->name, gl_segsort_last_error(context));
        return false;
    }
    bool right = sort_case_check_plan(plan, sort);
    gl_segsort_plan_destroy(plan);
    return right;
}
