#include "listed_case.h"

#include "cpu_steps.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words behind each view that nobody may touch, and what fills everything that isn't input. */
#define GUARD_WORDS 64
#define POISON 0xcdcdcdcdu

/* ---------------------------------------------------------------------------------------------- */
/* A list and what is to come of it */

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes + 4);
    if (!memory)
        abort();
    return memory;
}

/* Entry i as the list has it: offsets in each stream, rows; false when it makes no sense. */
static bool read_entry(const struct listed_case *listed, uint32_t i, uint64_t at[LISTED_STREAMS],
                       uint64_t *rows)
{
    const gl_segsort_plan_desc *plan = &listed->plan;
    const uint32_t *list = listed->list;
    if (plan->segment_source == GL_SEGSORT_SEGMENTS_GPU_RANGES) {
        for (int s = 0; s < LISTED_STREAMS; s++)
            at[s] = list[5 * (size_t)i + (size_t)s];
        *rows = list[5 * (size_t)i + 4];
        return true;
    }
    bool offsets = plan->segment_source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    uint64_t first = offsets ? list[i] : (uint64_t)i * plan->segment_stride;
    for (int s = 0; s < LISTED_STREAMS; s++)
        at[s] = first;
    *rows = offsets ? (uint64_t)list[i + 1] - first : list[i];
    return offsets ? list[i + 1] >= first : *rows <= plan->segment_stride;
}

static bool fits(const struct listed_case *listed, const uint64_t at[LISTED_STREAMS], uint64_t rows)
{
    const gl_segsort_plan_desc *plan = &listed->plan;
    const bool used[LISTED_STREAMS] = {true, cpu_input_value_words(plan->value_type) > 0, true,
                                       cpu_output_value_words(plan->value_type) > 0};
    if (rows > plan->max_rows || (plan->max_length > 0 && rows > plan->max_length))
        return false;
    for (int s = 0; s < LISTED_STREAMS; s++)
        if (used[s] && at[s] + rows > listed->view_rows[s])
            return false;
    return !listed->in_place ||
           (at[LISTED_KEYS] == at[LISTED_OUTPUT_KEYS] &&
            (!used[LISTED_VALUES] || at[LISTED_VALUES] == at[LISTED_OUTPUT_VALUES]));
}

/* Entries that are looked at: behind them everything is refused. */
static uint32_t entries_of(const struct listed_case *listed)
{
    uint32_t entries = listed->list_rows;
    if (listed->plan.segment_source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS && entries > 0)
        entries--;
    if (entries > listed->plan.max_segments)
        entries = listed->plan.max_segments;
    return entries < listed->count ? entries : listed->count;
}

gl_segsort_segment *listed_case_believe(const struct listed_case *listed, size_t *count,
                                        gl_segsort_status *status)
{
    uint32_t entries = entries_of(listed), i = 0;
    gl_segsort_segment *segments = allocate(((size_t)entries + 1) * sizeof *segments);
    uint64_t sum = 0;
    *count = 0;
    *status = (gl_segsort_status){.segments_seen = listed->count, .first_refused = UINT32_MAX};
    for (; i < entries; i++) {
        uint64_t at[LISTED_STREAMS], rows;
        bool sane = read_entry(listed, i, at, &rows);
        if (sane && rows == 0)
            continue;
        if (!sane || !fits(listed, at, rows)) {
            status->segments_refused++;
            status->first_refused = i < status->first_refused ? i : status->first_refused;
            continue;
        }
        if (sum + rows > listed->plan.max_rows)
            break;
        sum += rows;
        status->longest = rows > status->longest ? (uint32_t)rows : status->longest;
        segments[(*count)++] = (gl_segsort_segment){
            (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2], (uint32_t)at[3], (uint32_t)rows};
    }
    status->segments_refused += listed->count - i;
    if (i < listed->count && i < status->first_refused)
        status->first_refused = i;
    status->rows_sorted = (uint32_t)sum;
    return segments;
}

/* ---------------------------------------------------------------------------------------------- */
/* Running it */

struct words {
    uint32_t *before, *expected;
    bool *vague; /* words that have no oracle, or NULL */
    size_t first, view, total;
    GLuint buffer;
};

static void make_words(struct words *words, size_t view, uint32_t byte_offset)
{
    words->first = byte_offset / 4;
    words->view = view;
    words->total = words->first + view + GUARD_WORDS;
    words->before = allocate(words->total * 4);
    words->expected = allocate(words->total * 4);
    for (size_t i = 0; i < words->total; i++)
        words->before[i] = POISON;
}

static void upload(struct words *words)
{
    glGenBuffers(1, &words->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, words->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(words->total * 4), words->before,
                 GL_DYNAMIC_COPY);
}

static bool compare(const struct listed_case *listed, const struct words *words, const char *name)
{
    uint32_t *after = allocate(words->total * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, words->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(words->total * 4), after);
    size_t i = 0;
    while (i < words->total &&
           (after[i] == words->expected[i] || (words->vague && words->vague[i])))
        i++;
    if (i < words->total)
        fprintf(stderr, "%s: %s word %td is 0x%08x, should be 0x%08x\n", listed->name, name,
                (ptrdiff_t)i - (ptrdiff_t)words->first, after[i], words->expected[i]);
    free(after);
    return i == words->total;
}

enum { LIST = LISTED_STREAMS, COUNT, STATUS, BUFFERS };
static const char *const names[BUFFERS] = {"keys", "values",        "output_keys", "output_values",
                                           "list", "segment_count", "status"};

static struct cpu_order order_of(const gl_segsort_plan_desc *plan)
{
    return (struct cpu_order){plan->key_type, plan->value_type, plan->direction, plan->begin_bit,
                              plan->end_bit};
}

static void make_buffers(const struct listed_case *listed, struct words words[BUFFERS])
{
    const gl_segsort_plan_desc *plan = &listed->plan;
    const size_t row_words[LISTED_STREAMS] = {
        cpu_key_words(plan->key_type), cpu_input_value_words(plan->value_type),
        cpu_key_words(plan->key_type), cpu_output_value_words(plan->value_type)};
    for (int s = 0; s < LISTED_STREAMS; s++)
        make_words(&words[s], listed->view_rows[s] * row_words[s], listed->byte_offset);
    make_words(&words[LIST], listed->list_words, listed->byte_offset);
    make_words(&words[COUNT], 1, listed->byte_offset);
    make_words(&words[STATUS], 5, listed->byte_offset);
    generate_keys(listed->kind, words[LISTED_KEYS].before + words[LISTED_KEYS].first,
                  words[LISTED_KEYS].view, listed->seed);
    generate_identity(words[LISTED_VALUES].before + words[LISTED_VALUES].first,
                      words[LISTED_VALUES].view);
    memcpy(words[LIST].before + words[LIST].first, listed->list, listed->list_words * 4);
    words[COUNT].before[words[COUNT].first] = listed->count;
    for (int i = 0; i < BUFFERS; i++) {
        memcpy(words[i].expected, words[i].before, words[i].total * 4);
        upload(&words[i]);
    }
}

/* Where the outputs are. */
static int keys_of(const struct listed_case *listed)
{
    return listed->in_place ? LISTED_KEYS : LISTED_OUTPUT_KEYS;
}

static int values_of(const struct listed_case *listed)
{
    bool index = listed->plan.value_type == GL_SEGSORT_VALUE_INDEX;
    return listed->in_place && !index ? LISTED_VALUES : LISTED_OUTPUT_VALUES;
}

static void mark_vague(struct words *words, size_t row_words, uint32_t offset, uint32_t rows)
{
    if (!words->vague)
        words->vague = allocate(words->total * sizeof *words->vague);
    for (size_t i = 0; i < rows * row_words; i++)
        words->vague[words->first + offset * row_words + i] = true;
}

static void expect(const struct listed_case *listed, struct words words[BUFFERS])
{
    const gl_segsort_plan_desc *plan = &listed->plan;
    struct words *keys = &words[keys_of(listed)], *values = &words[values_of(listed)];
    const struct words *from_keys = &words[LISTED_KEYS], *from_values = &words[LISTED_VALUES];
    const struct cpu_order order = order_of(plan);
    gl_segsort_status status;
    size_t count;
    gl_segsort_segment *segments = listed_case_believe(listed, &count, &status);
    cpu_step_segments(&order, listed->plan.algorithm, listed->plan.step_limit,
                      from_keys->before + from_keys->first,
                      from_values->before + from_values->first, keys->expected + keys->first,
                      values->expected + values->first, segments, count);
    for (size_t i = 0; i < count && listed->overlapping; i++) {
        const gl_segsort_segment *segment = &segments[i];
        mark_vague(keys, cpu_key_words(plan->key_type), segment->output_keys_offset,
                   segment->length);
        mark_vague(values, cpu_output_value_words(plan->value_type), segment->output_values_offset,
                   segment->length);
    }
    if (!listed->no_status)
        memcpy(words[STATUS].expected + words[STATUS].first, &status, sizeof status);
    free(segments);
}

static gl_segsort_view view_of(const struct listed_case *listed, const struct words *words,
                               uint64_t rows)
{
    return (gl_segsort_view){words->buffer, listed->byte_offset, rows};
}

static gl_segsort_sort_desc sort_desc(const struct listed_case *listed,
                                      const struct words words[BUFFERS])
{
    bool strided = listed->plan.segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    int keys = keys_of(listed), values = values_of(listed);
    gl_segsort_sort_desc desc = {
        .keys = view_of(listed, &words[LISTED_KEYS], listed->view_rows[LISTED_KEYS]),
        .values = view_of(listed, &words[LISTED_VALUES], listed->view_rows[LISTED_VALUES]),
        .output_keys = view_of(listed, &words[keys], listed->view_rows[keys]),
        .output_values = view_of(listed, &words[values], listed->view_rows[values])};
    if (!listed->no_status)
        desc.status = view_of(listed, &words[STATUS], 1);
    if (strided)
        desc.segment_lengths = view_of(listed, &words[LIST], listed->list_rows);
    else
        desc.segments = view_of(listed, &words[LIST], listed->list_rows);
    if (listed->count_on_gpu)
        desc.segment_count = view_of(listed, &words[COUNT], 1);
    else
        desc.host_segment_count = listed->count;
    return desc;
}

bool listed_case_check_plan(gl_segsort_context *context, gl_segsort_plan *plan,
                            const struct listed_case *listed)
{
    struct words words[BUFFERS] = {0};
    make_buffers(listed, words);
    expect(listed, words);
    gl_segsort_sort_desc desc = sort_desc(listed, words);
    bool right = gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS;
    if (!right)
        fprintf(stderr, "%s: %s\n", listed->name, gl_segsort_last_error(context));
    for (int i = 0; i < BUFFERS; i++) {
        right = right && compare(listed, &words[i], names[i]);
        glDeleteBuffers(1, &words[i].buffer);
        free(words[i].before);
        free(words[i].expected);
        free(words[i].vague);
    }
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        fprintf(stderr, "%s: GL error 0x%04x\n", listed->name, error);
    return right && error == GL_NO_ERROR;
}

bool listed_case_check(gl_segsort_context *context, const struct listed_case *listed)
{
    gl_segsort_plan *plan;
    if (gl_segsort_plan_create(context, &listed->plan, &plan) != GL_SEGSORT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", listed->name, gl_segsort_last_error(context));
        return false;
    }
    bool right = listed_case_check_plan(context, plan, listed);
    gl_segsort_plan_destroy(plan);
    return right;
}
