#include "recorded.h"

#include "context.h"
#include "generate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recorded recorded;

/* ---------------------------------------------------------------------------------------------- */
/* What the host gives the library */

static void *allocate(size_t size, void *user)
{
    struct recorded *host = user;
    if (++host->memory_calls == host->memory_fail_at || size == 0)
        return NULL;
    void *memory = malloc(size);
    if (memory) {
        /* Whatever the library does not set shows. */
        memset(memory, 0xcd, size);
        host->memory_live++;
    }
    return memory;
}

static void release(void *memory, void *user)
{
    struct recorded *host = user;
    if (memory)
        host->memory_live--;
    free(memory);
}

static void keep_log(gl_segsort_log_level level, const char *message, void *user)
{
    struct recorded *host = user;
    host->log_counts[level]++;
    if (level == GL_SEGSORT_LOG_ERROR)
        snprintf(host->log, sizeof host->log, "%s", message);
    if (level == GL_SEGSORT_LOG_WARNING)
        snprintf(host->warning, sizeof host->warning, "%s", message);
}

static void *current_context(void)
{
    return fake_gl.current_context;
}

gl_segsort_context_desc recorded_context_desc(gl_segsort_state_policy policy)
{
    return (gl_segsort_context_desc){.get_proc_address = fake_gl_get_proc_address,
                                     .log = keep_log,
                                     .log_user = &recorded,
                                     .allocator = {allocate, release, &recorded},
                                     .state_policy = policy,
                                     .get_current_context = current_context};
}

void recorded_context_without_parts(gl_segsort_context *context)
{
    static segsort_tuning tuning;
    tuning = *context->limits.tuning;
    tuning.part_length_max = tuning.child_rows = 0;
    context->limits.tuning = &tuning;
}

gl_segsort_context *recorded_context(gl_segsort_state_policy policy)
{
    gl_segsort_context_desc desc = recorded_context_desc(policy);
    gl_segsort_context *context;
    if (gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS)
        recorded_context_without_parts(context);
    return context;
}

gl_segsort_result recorded_plan_create_like(gl_segsort_context *context,
                                            const gl_segsort_plan_desc *like,
                                            const uint32_t *lengths, uint32_t count,
                                            gl_segsort_plan **plan)
{
    gl_segsort_segment *segments = calloc(count ? count : 1, sizeof *segments);
    generate_packed_segments(lengths, count, 0, segments);
    gl_segsort_plan_desc desc = like ? *like : (gl_segsort_plan_desc){0};
    desc.label = "mesh";
    desc.segments = segments;
    desc.segment_count = count;
    gl_segsort_result result = gl_segsort_plan_create(context, &desc, plan);
    free(segments);
    return result;
}

gl_segsort_result recorded_plan_create(gl_segsort_context *context, const uint32_t *lengths,
                                       uint32_t count, gl_segsort_plan **plan)
{
    return recorded_plan_create_like(context, NULL, lengths, count, plan);
}

gl_segsort_plan *recorded_plan(gl_segsort_context *context, const uint32_t *lengths, uint32_t count)
{
    gl_segsort_plan *plan;
    recorded_plan_create(context, lengths, count, &plan);
    return plan;
}

gl_segsort_sort_desc recorded_sort_desc(uint64_t rows)
{
    return (gl_segsort_sort_desc){.keys = {recorded.keys, 0, rows},
                                  .values = {recorded.values, 0, rows},
                                  .output_keys = {recorded.output_keys, 0, rows},
                                  .output_values = {recorded.output_values, 0, rows}};
}

gl_segsort_sort_desc recorded_in_place_desc(uint64_t rows)
{
    gl_segsort_sort_desc desc = recorded_sort_desc(rows);
    desc.keys = desc.output_keys;
    desc.values = desc.output_values;
    return desc;
}

const char *recorded_algorithm_name(int algorithm)
{
    static const char *const names[RECORDED_ALGORITHMS] = {"AUTO", "BITONIC", "RADIX"};
    return names[algorithm];
}

/* ---------------------------------------------------------------------------------------------- */
/* A plan that was sorted once */

struct recorded_run recorded_run_begin(const gl_segsort_plan_desc *like, uint32_t max_work_groups,
                                       const uint32_t *lengths, uint32_t count, bool in_place)
{
    struct recorded_run run = {.in_place = in_place};
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    desc.max_work_groups = max_work_groups;
    run.result = gl_segsort_context_create(&desc, &run.context);
    if (run.result == GL_SEGSORT_SUCCESS)
        recorded_context_without_parts(run.context);
    if (run.result == GL_SEGSORT_SUCCESS)
        run.result = recorded_plan_create_like(run.context, like, lengths, count, &run.plan);
    if (run.result != GL_SEGSORT_SUCCESS)
        return run;
    gl_segsort_plan_describe(run.plan, &run.description);
    uint64_t rows = run.description.row_count;
    gl_segsort_sort_desc sort = in_place ? recorded_in_place_desc(rows) : recorded_sort_desc(rows);
    fake_gl_clear_trace();
    run.result = gl_segsort_sort(run.plan, &sort);
    if (fake_gl.dispatch_count > 0) {
        uint32_t name = fake_gl.dispatches[0].storage[SEGSORT_BINDING_TABLE].buffer;
        const struct fake_gl_buffer *table = fake_gl_find_buffer(name);
        run.table = table ? (const uint32_t *)(const void *)table->data : NULL;
    }
    return run;
}

void recorded_run_end(struct recorded_run *run)
{
    gl_segsort_plan_destroy(run->plan);
    gl_segsort_context_destroy(run->context);
}

static bool is_due(const gl_segsort_pass_description *pass, bool in_place)
{
    return pass->condition == GL_SEGSORT_PASS_ALWAYS ||
           pass->condition == (in_place ? GL_SEGSORT_PASS_IN_PLACE : GL_SEGSORT_PASS_OUT_OF_PLACE);
}

size_t recorded_due_count(const gl_segsort_plan_description *description, bool in_place)
{
    size_t count = 0;
    for (uint32_t i = 0; i < description->pass_count; i++)
        count += is_due(&description->passes[i], in_place);
    return count;
}

const gl_segsort_pass_description *recorded_due_pass(const gl_segsort_plan_description *description,
                                                     bool in_place, size_t number)
{
    for (uint32_t i = 0; i < description->pass_count; i++)
        if (is_due(&description->passes[i], in_place) && number-- == 0)
            return &description->passes[i];
    return NULL;
}

bool recorded_is_kernel(const struct fake_gl_dispatch *dispatch, const char *kernel)
{
    return strstr(dispatch->program_label, kernel) != NULL;
}

bool recorded_moves_rows(const struct fake_gl_dispatch *dispatch)
{
    return fake_gl_uses(dispatch, SEGSORT_BINDING_KEYS) &&
           fake_gl_uses(dispatch, SEGSORT_BINDING_OUTPUT_KEYS);
}

/* ---------------------------------------------------------------------------------------------- */
/* Start and end */

static uint32_t bystander(const char *what, int number)
{
    char label[32];
    snprintf(label, sizeof label, "%s-%d", what, number);
    return fake_gl_host_buffer(65536, label);
}

/* Tests that sort in place do so in these, too. */
uint32_t recorded_output_buffer(uint64_t bytes, const char *label)
{
    uint32_t name = fake_gl_host_buffer(bytes, label);
    fake_gl_find_buffer(name)->output = true;
    return name;
}

void recorded_begin(void)
{
    fake_gl_reset();
    recorded = (struct recorded){0};
    recorded.keys = fake_gl_host_buffer(RECORDED_STREAM_BYTES, "keys");
    recorded.values = fake_gl_host_buffer(RECORDED_STREAM_BYTES, "values");
    recorded.output_keys = recorded_output_buffer(RECORDED_STREAM_BYTES, "output_keys");
    recorded.output_values = recorded_output_buffer(RECORDED_STREAM_BYTES, "output_values");
    struct fake_gl_state *state = &fake_gl.state;
    for (int i = 0; i < FAKE_GL_BINDINGS; i++) {
        int64_t start = i % 2 ? 256 * i : 0, size = i % 2 ? 100 + i : 0;
        state->storage_at[i] = (struct fake_gl_binding){bystander("host-storage", i), start, size};
        state->uniform_at[i] =
            (struct fake_gl_binding){bystander("host-uniform", i), 256 * (i + 1), 64};
    }
    state->storage_at[2] = (struct fake_gl_binding){0};
    state->storage = bystander("host-generic-storage", 0);
    state->uniform = bystander("host-generic-uniform", 0);
    state->copy_read = bystander("host-copy-read", 0);
    state->copy_write = bystander("host-copy-write", 0);
    state->array = bystander("host-array", 0);
    state->dispatch_indirect = bystander("host-indirect", 0);
    state->program = fake_gl_host_program("host-program");
    state->debug_depth = fake_gl.host_debug_depth = 3;
    recorded.state = *state;
}

const char *recorded_other_problem(void)
{
    static char text[400];
    if (fake_gl.complaint_count > 0)
        return fake_gl.complaint;
    if (fake_gl.error != SEGSORT_GL_NO_ERROR) {
        snprintf(text, sizeof text, "GL error 0x%04" PRIx32 " is pending; the last one raised: %s",
                 fake_gl.error, fake_gl.raised);
        return text;
    }
    for (size_t i = 0; i < fake_gl.buffer_count; i++) {
        const struct fake_gl_buffer *buffer = &fake_gl.buffers[i];
        bool written = buffer->written > 0 && !buffer->output;
        if (!buffer->host || (!written && buffer->specified == 0))
            continue;
        snprintf(text, sizeof text, "the host's buffer '%s' was %s", buffer->label,
                 written ? "written by a dispatch" : "given new data");
        return text;
    }
    return NULL;
}

const char *recorded_state_problem(void)
{
    const char *difference = fake_gl_state_difference(&recorded.state, &fake_gl.state);
    return difference ? difference : recorded_other_problem();
}

const char *recorded_end(gl_segsort_state_policy policy)
{
    static char text[600];
    char alive[400];
    const char *problem =
        policy == GL_SEGSORT_STATE_RESTORE ? recorded_state_problem() : recorded_other_problem();
    text[0] = '\0';
    if (problem)
        snprintf(text, sizeof text, "%s", problem);
    else if (fake_gl.fences_alive > 0)
        snprintf(text, sizeof text, "%zu fences leaked", fake_gl.fences_alive);
    else if (fake_gl_alive(alive, sizeof alive) > 0)
        snprintf(text, sizeof text, "GL objects leaked: %s", alive);
    else if (recorded.memory_live > 0)
        snprintf(text, sizeof text, "%zu allocations leaked", recorded.memory_live);
    fake_gl_free();
    return text[0] ? text : NULL;
}

/* ---------------------------------------------------------------------------------------------- */
/* What tests look for */

bool recorded_is_sentence(const char *text)
{
    return strlen(text) > 10 && strchr(text, ' ') && !strchr(text, '\n');
}

void recorded_line(struct recorded_lines *lines, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (lines->count < RECORDED_LINES_MAX)
        vsnprintf(lines->text[lines->count++], FAKE_GL_TEXT_BYTES, format, arguments);
    va_end(arguments);
}

const char *recorded_trace_difference(const struct recorded_lines *lines)
{
    static char text[3 * FAKE_GL_TEXT_BYTES];
    for (size_t i = 0; i < lines->count || i < fake_gl.trace_count; i++) {
        const char *expected = i < lines->count ? lines->text[i] : "nothing";
        const char *happened = i < fake_gl.trace_count ? fake_gl.trace[i].text : "nothing";
        if (strcmp(expected, happened) == 0)
            continue;
        snprintf(text, sizeof text, "call %zu: expected '%s', got '%s'", i, expected, happened);
        return text;
    }
    return NULL;
}
