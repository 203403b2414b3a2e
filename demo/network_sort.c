#include "network_sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_steps.h"
#include "generate.h"
#include "network_rows.h"
#include "read_back.h"

enum { COPIES = 5, DIGIT_BITS = 8, NO_DIGIT = 32, DIGITS = NETWORK_KEY_BITS / DIGIT_BITS };

/* ---------------------------------------------------------------------------------------------- */
/* Rows */

static GLuint make_buffer(size_t bytes, const void *data)
{
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

static bool allocate(struct network_sort *sort)
{
    size_t rows = sort->settings.rows;
    sort->keys = malloc(rows * sizeof *sort->keys);
    sort->memory = malloc(COPIES * rows * sizeof *sort->memory);
    if (!sort->keys || !sort->memory)
        return false;
    sort->after = (struct network_copy){sort->memory, sort->memory + rows};
    sort->before = (struct network_copy){sort->memory + 2 * rows, sort->memory + 3 * rows};
    sort->places = sort->memory + 4 * rows;
    return true;
}

static bool make_rows(struct network_sort *sort, struct failure *failure)
{
    size_t bytes = sort->settings.rows * sizeof(uint32_t);
    if (!allocate(sort))
        return failure_set(failure, "%u rows: out of memory", sort->settings.rows);
    network_rows_segments(&sort->settings, sort->segments);
    network_rows_keys(&sort->settings, sort->segments, sort->keys);
    sort->entropy = network_rows_entropy(sort->keys, sort->settings.rows);
    for (uint32_t i = 0; i < sort->settings.segment_count; i++)
        generate_identity(sort->places + sort->segments[i].keys_offset, sort->segments[i].length);
    sort->input =
        (struct network_rows){make_buffer(bytes, sort->keys), make_buffer(bytes, sort->places)};
    for (int i = 0; i < 2; i++)
        sort->rows[i] = (struct network_rows){make_buffer(bytes, NULL), make_buffer(bytes, NULL)};
    sort->places_buffer = make_buffer(bytes, NULL);
    return true;
}

uint32_t network_sort_segment_of(const struct network_sort *sort, uint32_t row)
{
    uint32_t segment = 0;
    while (segment + 1 < sort->settings.segment_count &&
           row >= sort->segments[segment + 1].keys_offset)
        segment++;
    return segment;
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorting */

/* A limit, be it past the last step, asks for kernels that have steps. */
#define NO_END 0x7fffffffu

static bool make_plan(const struct network_sort *sort, uint32_t step, gl_segsort_plan **plan,
                      struct failure *failure)
{
    const gl_segsort_plan_desc desc = {.label = "network",
                                       .value_type = GL_SEGSORT_VALUE_INDEX,
                                       .direction = sort->settings.direction,
                                       .algorithm = sort->settings.algorithm,
                                       .end_bit = NETWORK_KEY_BITS,
                                       .segments = sort->segments,
                                       .segment_count = sort->settings.segment_count,
                                       .timed = true,
                                       .step_limit = step};
    return gl_segsort_plan_create(sort->context, &desc, plan) == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(sort->context));
}

static gl_segsort_view view_of(const struct network_sort *sort, GLuint buffer)
{
    return (gl_segsort_view){.buffer = buffer, .rows = sort->settings.rows};
}

static bool sort_by(const struct network_sort *sort, gl_segsort_plan *plan,
                    const struct network_rows *rows, struct failure *failure)
{
    const gl_segsort_sort_desc desc = {.keys = view_of(sort, sort->input.keys),
                                       .output_keys = view_of(sort, rows->keys),
                                       .output_values = view_of(sort, rows->sources),
                                       .barriers_after = GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE |
                                                         GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    return gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(sort->context));
}

/* The rows that a sort of so many steps leaves. A limit of 0 would be none. The plan receives the
 * one with a limit that did it. */
static bool sort_to(const struct network_sort *sort, uint32_t step, const struct network_rows *rows,
                    gl_segsort_plan **plan, struct failure *failure)
{
    *plan = NULL;
    if (step == 0)
        return true;
    if (step == sort->step_count)
        return sort_by(sort, sort->whole, rows, failure);
    return make_plan(sort, step, plan, failure) && sort_by(sort, *plan, rows, failure);
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

bool network_sort_by_digits(const struct network_sort *sort)
{
    for (uint32_t i = 0; i < sort->settings.segment_count; i++)
        if (network_sort_by_network(sort, i))
            return false;
    return true;
}

bool network_sort_by_both(const struct network_sort *sort)
{
    uint32_t by_network = 0, segments = sort->settings.segment_count;
    for (uint32_t i = 0; i < segments; i++)
        by_network += network_sort_by_network(sort, i);
    return by_network > 0 && by_network < segments;
}

/* ---------------------------------------------------------------------------------------------- */
/* Counting */

static void read_buffer(GLuint buffer, uint32_t *words, uint32_t count)
{
    read_back(buffer, count * sizeof *words, words);
}

static void read_rows(const struct network_sort *sort, const struct network_rows *rows,
                      const struct network_copy *copy)
{
    read_buffer(rows->keys, copy->keys, sort->settings.rows);
    read_buffer(rows->sources, copy->sources, sort->settings.rows);
}

/* The row of each row before the step. Sources are a permutation, or else the sort is wrong and
 * what is told of it no matter, as long as nothing is touched out of bounds. */
static bool find_places(struct network_sort *sort, const gl_segsort_segment *segment)
{
    uint32_t first = segment->keys_offset, length = segment->length;
    uint32_t *inverse = malloc((length + 1) * sizeof *inverse);
    if (!inverse)
        return false;
    generate_identity(inverse, length);
    for (uint32_t lane = 0; lane < length; lane++)
        if (sort->before.sources[first + lane] < length)
            inverse[sort->before.sources[first + lane]] = lane;
    for (uint32_t lane = 0; lane < length; lane++) {
        uint32_t source = sort->after.sources[first + lane];
        sort->places[first + lane] = first + (source < length ? inverse[source] : lane);
    }
    free(inverse);
    return true;
}

uint32_t network_sort_partner(const struct network_sort *sort, uint32_t step, uint32_t row)
{
    uint32_t stage, stride, segment = network_sort_segment_of(sort, row);
    uint32_t first = sort->segments[segment].keys_offset, lane = row - first;
    if (!network_sort_by_network(sort, segment) || !gl_segsort_network_step(step, &stage, &stride))
        return row;
    uint32_t partner = lane ^ (stride == stage / 2 ? stage - 1 : stride);
    return partner < sort->segments[segment].length ? first + partner : row;
}

static bool network_has_step(uint32_t length, uint32_t step)
{
    return step > 0 && step <= cpu_network_steps(length);
}

static void count_segment(struct network_sort *sort, uint32_t segment)
{
    const gl_segsort_segment *at = &sort->segments[segment];
    bool network = network_sort_by_network(sort, segment);
    if (network ? !network_has_step(at->length, sort->step)
                : sort->step == 0 || sort->step > DIGITS)
        return;
    for (uint32_t row = at->keys_offset; row < at->keys_offset + at->length; row++) {
        bool counted = !network || network_sort_partner(sort, sort->step, row) > row;
        sort->counts.compared += counted;
        sort->counts.exchanged += counted && sort->places[row] != row;
    }
}

/* Whether what GL has equals the CPU's after so many steps; 0: all of them. */
static bool equals_cpu(const struct network_sort *sort, uint32_t steps)
{
    const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                    .direction = sort->settings.direction,
                                    .end_bit = NETWORK_KEY_BITS};
    size_t bytes = sort->settings.rows * sizeof(uint32_t);
    uint32_t *keys = malloc(2 * bytes);
    if (!keys)
        return false;
    uint32_t *sources = keys + sort->settings.rows;
    cpu_step_segments(&order, sort->settings.algorithm, steps, sort->keys, NULL, keys, sources,
                      sort->segments, sort->settings.segment_count);
    bool equal = memcmp(keys, sort->after.keys, bytes) == 0 &&
                 memcmp(sources, sort->after.sources, bytes) == 0;
    free(keys);
    return equal;
}

static bool count(struct network_sort *sort, struct failure *failure)
{
    read_rows(sort, network_sort_rows(sort), &sort->after);
    read_rows(sort, network_sort_rows_before(sort), &sort->before);
    sort->counts = (struct network_counts){0};
    for (uint32_t i = 0; i < sort->settings.segment_count; i++)
        if (!find_places(sort, &sort->segments[i]))
            return failure_set(failure, "%u rows: out of memory", sort->settings.rows);
    for (uint32_t i = 0; i < sort->settings.segment_count; i++)
        count_segment(sort, i);
    sort->counts.right = sort->step == 0 || equals_cpu(sort, sort->step);
    sort->counts.sorted = equals_cpu(sort, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, sort->places_buffer);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0,
                    (GLsizeiptr)(sort->settings.rows * sizeof *sort->places), sort->places);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return true;
}

bool network_sort_set_step(struct network_sort *sort, uint32_t step, struct failure *failure)
{
    gl_segsort_plan *before = NULL;
    if (step > sort->step_count)
        step = sort->step_count;
    bool next = step > 0 && step == sort->step + 1;
    sort->current ^= 1;
    sort->step = step;
    gl_segsort_plan_destroy(sort->limited);
    /* One step further on, the rows before it are there already. */
    bool done = sort_to(sort, step, &sort->rows[sort->current], &sort->limited, failure) &&
                (next || step == 0 ||
                 sort_to(sort, step - 1, &sort->rows[sort->current ^ 1], &before, failure));
    gl_segsort_plan_destroy(before);
    return done && count(sort, failure);
}

/* ---------------------------------------------------------------------------------------------- */
/* What the plan tells */

static bool does_step(const gl_segsort_pass_description *pass, const struct network_step *step)
{
    /* Within a work group a pass does all digits. */
    if (strcmp(pass->kernel, "radix-local") == 0)
        return step->digit_shift != NO_DIGIT;
    if (step->digit_shift != NO_DIGIT)
        return pass->begin_bit <= step->digit_shift &&
               step->digit_shift < pass->begin_bit + pass->bit_count;
    if (pass->bit_count > 0)
        return false;
    if (pass->stride > 0)
        return pass->stage == step->stage && pass->stride == step->stride;
    return pass->stage > 0 ? pass->stage == step->stage && step->stride < pass->width
                           : step->stage <= pass->width;
}

static void add_kernel(struct network_step *told, const char *kernel)
{
    size_t length = strlen(told->kernels);
    if (!strstr(told->kernels, kernel))
        snprintf(told->kernels + length, sizeof told->kernels - length, "%s%s",
                 length > 0 ? ", " : "", kernel);
}

/* A pass over the network's steps that no tile holds, or over a digit of more than a work group,
 * goes through storage; the others stay in a work group. */
static bool is_shared(const char *kernel)
{
    static const char *const shared[] = {"bitonic-local", "bitonic-block", "bitonic-merge",
                                         "radix-local"};
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        if (strcmp(shared[i], kernel) == 0)
            return true;
    return false;
}

void network_sort_tell_step(const struct network_sort *sort, uint32_t step,
                            struct network_step *told)
{
    gl_segsort_plan_description description;
    *told = (struct network_step){.digit_shift = NO_DIGIT, .long_shift = NO_DIGIT, .shared = true};
    gl_segsort_plan_describe(sort->whole, &description);
    if (network_sort_by_digits(sort))
        told->digit_shift = step > 0 ? (step - 1) * DIGIT_BITS : NO_DIGIT;
    else
        gl_segsort_network_step(step, &told->stage, &told->stride);
    if (network_sort_by_both(sort) && step > 0 && step <= DIGITS)
        told->long_shift = (step - 1) * DIGIT_BITS;
    const struct network_step digit = {.digit_shift = told->long_shift};
    for (uint32_t i = 0; i < description.pass_count && step > 0; i++) {
        const gl_segsort_pass_description *pass = &description.passes[i];
        bool does =
            does_step(pass, told) || (told->long_shift != NO_DIGIT && does_step(pass, &digit));
        if (pass->condition == GL_SEGSORT_PASS_IN_PLACE || !does)
            continue;
        add_kernel(told, pass->kernel);
        told->shared = told->shared && is_shared(pass->kernel);
    }
}

static bool ask_plan(struct network_sort *sort, struct failure *failure)
{
    gl_segsort_plan_description description;
    if (!make_plan(sort, NO_END, &sort->whole, failure))
        return false;
    gl_segsort_plan_describe(sort->whole, &description);
    sort->step_count = description.step_count;
    if (sort->settings.algorithm == GL_SEGSORT_ALGORITHM_BITONIC)
        sort->network_rows_max = UINT32_MAX;
    for (uint32_t i = 0; i < description.pass_count; i++)
        if (strcmp(description.passes[i].kernel, "bitonic-local") == 0 &&
            description.passes[i].width > sort->network_rows_max)
            sort->network_rows_max = description.passes[i].width;
    return true;
}

/* ---------------------------------------------------------------------------------------------- */

static void delete_rows(const struct network_rows *rows)
{
    const GLuint buffers[] = {rows->keys, rows->sources};
    glDeleteBuffers(2, buffers);
}

/* All but the context. */
static void free_rows(struct network_sort *sort)
{
    delete_rows(&sort->input);
    delete_rows(&sort->rows[0]);
    delete_rows(&sort->rows[1]);
    glDeleteBuffers(1, &sort->places_buffer);
    gl_segsort_plan_destroy(sort->whole);
    gl_segsort_plan_destroy(sort->limited);
    free(sort->memory);
    free(sort->keys);
}

bool network_sort_change(struct network_sort *sort, const struct network_settings *settings,
                         struct failure *failure)
{
    struct network_sort made = {.settings = *settings, .context = sort->context};
    if (!network_settings_check(settings, failure))
        return false;
    /* Sorted once at first, so that there are times to tell. */
    if (!make_rows(&made, failure) || !ask_plan(&made, failure) ||
        !sort_by(&made, made.whole, &made.rows[0], failure) ||
        !network_sort_set_step(&made, 0, failure)) {
        free_rows(&made);
        return false;
    }
    free_rows(sort);
    *sort = made;
    return true;
}

bool network_sort_create(struct network_sort *sort, const struct network_settings *settings,
                         gl_segsort_get_proc_address get_proc_address,
                         gl_segsort_program_cache program_cache, struct failure *failure)
{
    const gl_segsort_context_desc desc = {
        .get_proc_address = get_proc_address, .label = "network", .program_cache = program_cache};
    *sort = (struct network_sort){0};
    gl_segsort_result result = gl_segsort_context_create(&desc, &sort->context);
    if (result != GL_SEGSORT_SUCCESS)
        return failure_set(failure, "gl_segsort: %s", gl_segsort_result_string(result));
    if (network_sort_change(sort, settings, failure))
        return true;
    network_sort_destroy(sort);
    return false;
}

void network_sort_destroy(struct network_sort *sort)
{
    free_rows(sort);
    gl_segsort_context_destroy(sort->context);
    *sort = (struct network_sort){0};
}
