#include "network_sort.h"

#include <stdlib.h>
#include <string.h>

#include "generate.h"

/* ---------------------------------------------------------------------------------------------- */
/* Rows */

/* Of different lengths, so that some segments are done before others. */
static void make_segments(struct network_sort *sort)
{
    static const uint32_t weights[NETWORK_SEGMENTS_MAX] = {8, 5, 7, 3, 6, 4, 8, 2};
    uint32_t count = sort->settings.segment_count, sum = 0, before = 0, lengths[8];
    for (uint32_t i = 0; i < count; i++)
        sum += weights[i];
    for (uint32_t i = 0, weight = 0; i < count; i++) {
        weight += weights[i];
        uint32_t end = (uint32_t)((uint64_t)sort->settings.rows * weight / sum);
        lengths[i] = end - before;
        before = end;
    }
    generate_packed_segments(lengths, count, 0, sort->segments);
}

static void make_keys(const struct network_sort *sort, const gl_segsort_segment *segment,
                      uint64_t *state)
{
    /* Both digits differ, and not in the same order. */
    static const uint32_t few[] = {9199, 22340, 35081, 47622, 61155};
    for (uint32_t i = 0; i < segment->length; i++) {
        uint32_t rising = (uint32_t)((i + 1ull) * (NETWORK_KEY_END - 1) / segment->length);
        uint32_t *key = &sort->keys[segment->keys_offset + i];
        switch (sort->settings.keys) {
        case NETWORK_SORTED:
            *key = rising;
            break;
        case NETWORK_REVERSED:
            *key = NETWORK_KEY_END - rising;
            break;
        case NETWORK_FEW_DISTINCT:
            *key = few[generate_below(state, sizeof few / sizeof few[0])];
            break;
        default:
            *key = 1 + generate_below(state, NETWORK_KEY_END - 1);
        }
    }
}

static GLuint make_buffer(size_t bytes, const void *data)
{
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

static bool make_rows(struct network_sort *sort, struct failure *failure)
{
    size_t bytes = sort->settings.rows * sizeof(uint32_t);
    uint64_t state = sort->settings.seed + 0x9e3779b97f4a7c15u;
    uint32_t *sources = malloc(bytes);
    sort->keys = malloc(bytes);
    if (!sources || !sort->keys) {
        free(sources);
        return failure_set(failure, "%u rows: out of memory", sort->settings.rows);
    }
    make_segments(sort);
    for (uint32_t i = 0; i < sort->settings.segment_count; i++) {
        const gl_segsort_segment *segment = &sort->segments[i];
        make_keys(sort, segment, &state);
        generate_identity(sources + segment->keys_offset, segment->length);
    }
    sort->input =
        (struct network_rows){make_buffer(bytes, sort->keys), make_buffer(bytes, sources)};
    for (int i = 0; i < 2; i++)
        sort->rows[i] = (struct network_rows){make_buffer(bytes, NULL), make_buffer(bytes, NULL)};
    free(sources);
    return true;
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorting */

static gl_segsort_plan_desc plan_desc(const struct network_sort *sort, uint32_t step)
{
    return (gl_segsort_plan_desc){.label = "network",
                                  .value_type = GL_SEGSORT_VALUE_INDEX,
                                  .direction = sort->settings.direction,
                                  .algorithm = sort->settings.algorithm,
                                  .end_bit = NETWORK_KEY_BITS,
                                  .segments = sort->segments,
                                  .segment_count = sort->settings.segment_count,
                                  .step_limit = step};
}

static bool make_plan(const struct network_sort *sort, uint32_t step, gl_segsort_plan **plan,
                      struct failure *failure)
{
    const gl_segsort_plan_desc desc = plan_desc(sort, step);
    return gl_segsort_plan_create(sort->context, &desc, plan) == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(sort->context));
}

static gl_segsort_view view_of(const struct network_sort *sort, GLuint buffer)
{
    return (gl_segsort_view){.buffer = buffer, .rows = sort->settings.rows};
}

/* The rows that a sort of so many steps leaves. A limit of 0 would be none. */
static bool sort_to(const struct network_sort *sort, uint32_t step, const struct network_rows *rows,
                    struct failure *failure)
{
    gl_segsort_plan *plan = NULL;
    if (step == 0 || !make_plan(sort, step, &plan, failure))
        return step == 0;
    const gl_segsort_sort_desc desc = {.keys = view_of(sort, sort->input.keys),
                                       .output_keys = view_of(sort, rows->keys),
                                       .output_values = view_of(sort, rows->sources),
                                       .barriers_after = GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE |
                                                         GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    bool sorted = gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS ||
                  failure_set(failure, "%s", gl_segsort_last_error(sort->context));
    gl_segsort_plan_destroy(plan);
    return sorted;
}

bool network_sort_set_step(struct network_sort *sort, uint32_t step, struct failure *failure)
{
    if (step > sort->step_count)
        step = sort->step_count;
    bool next = step > 0 && step == sort->step + 1;
    sort->current ^= 1;
    sort->step = step;
    /* One step further on, the rows before it are there already. */
    return sort_to(sort, step, &sort->rows[sort->current], failure) &&
           (next || step == 0 || sort_to(sort, step - 1, &sort->rows[sort->current ^ 1], failure));
}

const struct network_rows *network_sort_rows(const struct network_sort *sort)
{
    return sort->step == 0 ? &sort->input : &sort->rows[sort->current];
}

const struct network_rows *network_sort_rows_before(const struct network_sort *sort)
{
    return sort->step <= 1 ? &sort->input : &sort->rows[sort->current ^ 1];
}

bool network_sort_by_network(const struct network_sort *sort, uint32_t segment)
{
    return sort->segments[segment].length <= sort->network_rows_max;
}

/* What the plan tells of itself. */
static bool ask_plan(struct network_sort *sort, struct failure *failure)
{
    gl_segsort_plan *plan = NULL;
    gl_segsort_plan_description description;
    if (!make_plan(sort, 0, &plan, failure))
        return false;
    gl_segsort_plan_describe(plan, &description);
    sort->step_count = description.step_count;
    if (sort->settings.algorithm == GL_SEGSORT_ALGORITHM_BITONIC)
        sort->network_rows_max = UINT32_MAX;
    for (uint32_t i = 0; i < description.pass_count; i++)
        if (strcmp(description.passes[i].kernel, "bitonic-local") == 0 &&
            description.passes[i].width > sort->network_rows_max)
            sort->network_rows_max = description.passes[i].width;
    gl_segsort_plan_destroy(plan);
    return true;
}

static bool check_settings(const struct network_settings *settings, struct failure *failure)
{
    if (settings->rows < NETWORK_ROWS_MIN || settings->rows > NETWORK_ROWS_MAX)
        return failure_set(failure, "%u rows: there can be %d to %d", settings->rows,
                           NETWORK_ROWS_MIN, NETWORK_ROWS_MAX);
    if (settings->segment_count < 1 || settings->segment_count > NETWORK_SEGMENTS_MAX)
        return failure_set(failure, "%u segments: there can be 1 to %d", settings->segment_count,
                           NETWORK_SEGMENTS_MAX);
    return true;
}

bool network_sort_create(struct network_sort *sort, const struct network_settings *settings,
                         gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    const gl_segsort_context_desc desc = {.get_proc_address = get_proc_address, .label = "network"};
    *sort = (struct network_sort){.settings = *settings};
    if (!check_settings(settings, failure))
        return false;
    gl_segsort_result result = gl_segsort_context_create(&desc, &sort->context);
    bool made = result == GL_SEGSORT_SUCCESS
                    ? make_rows(sort, failure) && ask_plan(sort, failure)
                    : failure_set(failure, "gl_segsort: %s", gl_segsort_result_string(result));
    if (!made)
        network_sort_destroy(sort);
    return made;
}

static void delete_rows(const struct network_rows *rows)
{
    const GLuint buffers[] = {rows->keys, rows->sources};
    glDeleteBuffers(2, buffers);
}

void network_sort_destroy(struct network_sort *sort)
{
    delete_rows(&sort->input);
    delete_rows(&sort->rows[0]);
    delete_rows(&sort->rows[1]);
    free(sort->keys);
    gl_segsort_context_destroy(sort->context);
    *sort = (struct network_sort){0};
}
