#include "self_test.h"

#include "dispatch.h"
#include "gl_buffer.h"
#include "gl_state.h"
#include "plan_make.h"
#include "self_test_answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A driver that needs longer for so few rows is not to be trusted with more. */
#define SEGSORT_SELF_TEST_NANOSECONDS UINT64_C(2000000000)

/* Where only a shader can tell the size, the probe is made for this one first. */
#define SEGSORT_SUBGROUP_SIZE_GUESSED 8u

#define SEGSORT_PROBE_BIT ((uint64_t)1 << SEGSORT_KERNEL_SUBGROUP_PROBE)
#define SEGSORT_PROBE_BYTES (SEGSORT_PROBE_BUFFER_WORDS * SEGSORT_WORD_BYTES)

/* The context's error becomes the sentence about a wrong answer. */
static gl_segsort_result segsort_fail_answer(gl_segsort_context *context, const char *what,
                                             uint32_t place, uint32_t got, uint32_t expected)
{
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_GL,
                        "%s %" PRIu32 " is 0x%08" PRIx32 " instead of 0x%08" PRIx32, what, place,
                        got, expected);
}

/* Waits for all commands so far, so that a kernel that never ends is noticed: nothing may be read
 * then. */
static gl_segsort_result segsort_await(gl_segsort_context *context)
{
    const segsort_gl *gl = &context->gl;
    void *sync = gl->FenceSync(SEGSORT_GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!sync)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_GL, "GL makes no fence");
    uint32_t answer =
        gl->ClientWaitSync(sync, SEGSORT_GL_SYNC_FLUSH_COMMANDS_BIT, SEGSORT_SELF_TEST_NANOSECONDS);
    gl->DeleteSync(sync);
    if (answer == SEGSORT_GL_ALREADY_SIGNALED || answer == SEGSORT_GL_CONDITION_SATISFIED)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_GL, "%s",
                        answer == SEGSORT_GL_TIMEOUT_EXPIRED ? "no answer came within 2 s"
                                                             : "GL can't wait for the answer");
}

static gl_segsort_result segsort_await_buffer(gl_segsort_context *context, uint32_t buffer,
                                              uint64_t bytes, uint32_t *words)
{
    gl_segsort_result result = segsort_await(context);
    return result == GL_SEGSORT_SUCCESS
               ? segsort_gl_buffer_read(&context->gl, buffer, bytes, words, &context->error)
               : result;
}

/* What kernels write their answers into. */
static gl_segsort_result segsort_create_answers(gl_segsort_context *context, uint64_t bytes,
                                                const uint32_t *words, uint32_t *buffer)
{
    return segsort_gl_buffer_create(&context->gl, bytes, words, SEGSORT_GL_DYNAMIC_COPY,
                                    "self-test", buffer, &context->error);
}

/* ---------------------------------------------------------------------------------------------- */
/* The probe */

typedef struct segsort_probe_call {
    gl_segsort_context *context;
    segsort_program *program;
    uint32_t buffer;
} segsort_probe_call;

static gl_segsort_result segsort_record_probe(void *user, bool groups)
{
    const segsort_probe_call *call = user;
    const segsort_gl *gl = &call->context->gl;
    gl->BindBufferRange(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_BINDING_WORK, call->buffer, 0,
                        SEGSORT_PROBE_BYTES);
    /* Else the probe would write into a buffer of the host's. */
    gl_segsort_result result =
        segsort_gl_errors_check(gl, "binding the probe's buffer", &call->context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    if (groups)
        gl->PushDebugGroup(SEGSORT_GL_THIRD_PARTY, 0, -1, "self-test-subgroup-probe");
    gl->UseProgram(call->program->program);
    gl->DispatchCompute(1, 1, 1);
    gl->MemoryBarrier(GL_SEGSORT_BARRIER_BUFFER_UPDATE);
    if (groups)
        gl->PopDebugGroup();
    return GL_SEGSORT_SUCCESS;
}

/* What the probe for that size writes. */
static gl_segsort_result segsort_run_probe(gl_segsort_context *context, uint32_t size,
                                           uint32_t *words)
{
    segsort_variant variant =
        segsort_untyped_variant(SEGSORT_KERNEL_SUBGROUP_PROBE, SEGSORT_PROBE_THREADS);
    variant.subgroup_api = context->limits.subgroup_api;
    variant.subgroup_size = size;
    segsort_probe_call call = {.context = context};
    const segsort_recording recording = {
        .doing = "probing subgroups", .record = segsort_record_probe, .user = &call};
    memset(words, 0, SEGSORT_PROBE_BYTES);
    gl_segsort_result result = segsort_pipeline_get(context, &variant, &call.program);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_answers(context, SEGSORT_PROBE_BYTES, words, &call.buffer);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_dispatch_record(context, &recording);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_await_buffer(context, call.buffer, SEGSORT_PROBE_BYTES, words);
    segsort_gl_buffer_delete(&context->gl, &call.buffer);
    return result;
}

static gl_segsort_result segsort_compare_probe(gl_segsort_context *context, uint32_t size,
                                               const uint32_t *words, uint32_t *answers)
{
    char what[128];
    segsort_probe_answers(context->limits.subgroup_api, size, answers);
    for (uint32_t i = 0; i < SEGSORT_PROBE_BUFFER_WORDS; i++) {
        if (words[i] == answers[i])
            continue;
        snprintf(what, sizeof what,
                 "subgroup-probe: with subgroups of %" PRIu32 ", %s of invocation", size,
                 segsort_probe_word_name(i % SEGSORT_PROBE_WORDS));
        return segsort_fail_answer(context, what, i / SEGSORT_PROBE_WORDS, words[i], answers[i]);
    }
    return GL_SEGSORT_SUCCESS;
}

/* Finds the size and checks that it, and what shared/subgroup.glsl does, are right. memory holds the
 * probe's words twice. */
static gl_segsort_result segsort_probe(gl_segsort_context *context, uint32_t *memory,
                                       uint32_t *size)
{
    uint32_t told = context->trust.told_size;
    *size = told > 0 ? told : SEGSORT_SUBGROUP_SIZE_GUESSED;
    gl_segsort_result result = segsort_run_probe(context, *size, memory);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    if (told == 0)
        told = memory[SEGSORT_PROBE_SIZE];
    if (!segsort_subgroup_fits(context->limits.subgroup_api, told))
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_GL,
                            "subgroup-probe: there are no kernels for subgroups of %" PRIu32, told);
    if (told != *size) {
        *size = told;
        result = segsort_run_probe(context, *size, memory);
    }
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_compare_probe(context, *size, memory, memory + SEGSORT_PROBE_BUFFER_WORDS);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts */

/* The memory of a sort: keys, values and what they are sorted to, as in its buffer; then the right
 * answers, and twice the rows for working these out. */
typedef struct segsort_sort_memory {
    uint32_t *keys, *output_keys, *answers, *spare;
    uint64_t buffer_bytes;
} segsort_sort_memory;

#define SEGSORT_SORT_MEMORY_WORDS (8 * SEGSORT_SORT_TEST_ROWS_MAX)

static segsort_sort_memory segsort_fill_sort(const segsort_sort_test *test, uint32_t *memory)
{
    uint32_t rows = test->row_count;
    segsort_sort_memory sort = {.keys = memory,
                                .output_keys = memory + 2 * (size_t)rows,
                                .answers = memory + 4 * (size_t)rows,
                                .spare = memory + 6 * (size_t)rows,
                                .buffer_bytes = (uint64_t)4 * rows * SEGSORT_WORD_BYTES};
    memset(memory, 0, (size_t)sort.buffer_bytes);
    segsort_sort_test_input(test, sort.keys, sort.keys + rows);
    memcpy(sort.answers, sort.keys, (size_t)sort.buffer_bytes / 2);
    segsort_sort_test_answers(test, sort.answers, sort.answers + rows, sort.spare);
    return sort;
}

static gl_segsort_result segsort_compare_sort(gl_segsort_context *context,
                                              const segsort_sort_test *test,
                                              const segsort_sort_memory *sort)
{
    char what[160];
    uint32_t rows = test->row_count;
    for (uint32_t i = 0; i < 2 * rows; i++) {
        if (sort->output_keys[i] == sort->answers[i])
            continue;
        snprintf(what, sizeof what, "the sort of %s: the %s of row", test->name,
                 i < rows ? "key" : "value");
        return segsort_fail_answer(context, what, i % rows, sort->output_keys[i], sort->answers[i]);
    }
    return GL_SEGSORT_SUCCESS;
}

/* Makes the plan of a test, as the host's are made. */
static gl_segsort_result segsort_begin_sort(gl_segsort_context *context,
                                            const segsort_sort_test *test,
                                            const segsort_limits *limits, gl_segsort_plan **plan)
{
    const segsort_tuning tuning = segsort_sort_test_tuning(test, limits->tuning);
    segsort_limits tuned = *limits;
    tuned.tuning = &tuning;
    const gl_segsort_plan_desc desc = {.label = "self-test",
                                       .algorithm = test->algorithm,
                                       .segments = test->segments,
                                       .segment_count = test->segment_count};
    segsort_layout layout;
    *plan = NULL;
    gl_segsort_result result =
        segsort_desc_check_plan(&desc, &tuned, &context->allocator, &layout, &context->error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_begin(context, &desc, &layout, &tuned, plan);
    return result == GL_SEGSORT_SUCCESS ? segsort_plan_finish(*plan) : result;
}

static gl_segsort_result segsort_run_sort(gl_segsort_context *context,
                                          const segsort_sort_test *test,
                                          const segsort_limits *limits, uint32_t *memory)
{
    segsort_sort_memory sort = segsort_fill_sort(test, memory);
    gl_segsort_plan *plan;
    uint32_t buffer = 0;
    gl_segsort_result result = segsort_begin_sort(context, test, limits, &plan);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_answers(context, sort.buffer_bytes, memory, &buffer);
    if (result == GL_SEGSORT_SUCCESS) {
        uint64_t rows = test->row_count, bytes = rows * SEGSORT_WORD_BYTES;
        const gl_segsort_sort_desc desc = {.keys = {buffer, 0, rows},
                                           .values = {buffer, bytes, rows},
                                           .output_keys = {buffer, 2 * bytes, rows},
                                           .output_values = {buffer, 3 * bytes, rows},
                                           .barriers_after = GL_SEGSORT_BARRIER_BUFFER_UPDATE};
        result = segsort_dispatch_sort(plan, &desc);
    }
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_await_buffer(context, buffer, sort.buffer_bytes, memory);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_compare_sort(context, test, &sort);
    segsort_gl_buffer_delete(&context->gl, &buffer);
    if (plan)
        segsort_plan_objects_release(plan);
    segsort_plan_free(plan);
    return result;
}

/* Runs the tests of kernels that are wanted and have passed none. */
static gl_segsort_result segsort_test_sorts(gl_segsort_context *context, uint64_t wanted,
                                            const segsort_limits *limits, uint32_t *memory)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < SEGSORT_SORT_TESTS && result == GL_SEGSORT_SUCCESS; i++) {
        segsort_sort_test test;
        segsort_sort_test_get(i, &test);
        if ((test.kernels & wanted & ~context->trust.proven) == 0)
            continue;
        result = segsort_run_sort(context, &test, limits, memory);
        if (result != GL_SEGSORT_SUCCESS)
            break;
        context->trust.proven |= test.kernels;
        segsort_context_log(context, GL_SEGSORT_LOG_INFO,
                            "the known-answer test of %s passed with subgroups of %" PRIu32 " (%s)",
                            test.name, limits->subgroup_size,
                            segsort_subgroup_name(limits->subgroup_api));
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* All of it */

/* The plan's kernels that are to have variants for subgroups. */
static uint64_t segsort_wanted_kernels(const segsort_plan *plan, const segsort_limits *limits)
{
    uint64_t kernels = 0;
    uint32_t size =
        limits->subgroup_size > 0 ? limits->subgroup_size : SEGSORT_SUBGROUP_SIZE_GUESSED;
    for (uint32_t i = 0; i < segsort_plan_pass_total(plan); i++) {
        const segsort_variant *variant = &segsort_plan_pass(plan, i)->variant;
        if (segsort_plan_wants_subgroup(limits, variant->kernel) &&
            segsort_kernel_fits_subgroup(variant->kernel, variant->width,
                                         segsort_variant_threads(variant), size))
            kernels |= (uint64_t)1 << variant->kernel;
    }
    return kernels;
}

/* limits has no subgroups' size as long as nothing is known of it. */
static gl_segsort_result segsort_test(gl_segsort_context *context, uint64_t wanted,
                                      segsort_limits *limits, uint32_t *memory)
{
    if (!context->trust.probed) {
        uint32_t size;
        gl_segsort_result result = segsort_probe(context, memory, &size);
        segsort_pipeline_drop_subgroups(context, SEGSORT_PROBE_BIT);
        if (result != GL_SEGSORT_SUCCESS)
            return result;
        context->trust.probed = true;
        context->limits.subgroup_size = limits->subgroup_size = size;
        segsort_context_log(context, GL_SEGSORT_LOG_INFO,
                            "the known-answer test of subgroups of %" PRIu32 " (%s) passed", size,
                            segsort_subgroup_name(limits->subgroup_api));
    }
    return segsort_test_sorts(context, wanted, limits, memory);
}

/* The host's error and state are kept in either policy, as when its plans are made. */
static gl_segsort_result segsort_test_guarded(gl_segsort_context *context, uint64_t wanted,
                                              segsort_limits *limits)
{
    uint32_t host_error;
    uint32_t *memory =
        segsort_context_allocate(context, SEGSORT_SORT_MEMORY_WORDS * sizeof *memory);
    if (!memory)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for the known-answer test");
    gl_segsort_state_policy policy = context->state_policy;
    gl_segsort_result result = segsort_gl_errors_begin(&context->gl, &host_error, &context->error);
    if (result == GL_SEGSORT_SUCCESS) {
        context->state_policy = GL_SEGSORT_STATE_RESTORE;
        result = segsort_test(context, wanted, limits, memory);
        context->state_policy = policy;
        result = segsort_gl_errors_end(&context->gl, host_error, result,
                                       "running the known-answer test", &context->error);
    }
    segsort_context_release(context, memory);
    return result;
}

/* Whether GL lets programs be used, and the state be put back. */
static gl_segsort_result segsort_check_ready(gl_segsort_context *context, bool *ready)
{
    uint32_t host_error;
    segsort_gl_state state;
    segsort_error unready;
    *ready = false;
    gl_segsort_result result = segsort_gl_errors_begin(&context->gl, &host_error, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    segsort_gl_state_save(&context->gl, false, &state);
    *ready = segsort_gl_state_check(&state, &unready) == GL_SEGSORT_SUCCESS;
    return segsort_gl_errors_end(&context->gl, host_error, GL_SEGSORT_SUCCESS,
                                 "reading the host's state", &context->error);
}

/* The context goes on without; plans that it has keep kernels that have passed. */
static void segsort_give_up(gl_segsort_context *context, segsort_limits *limits)
{
    segsort_context_log(context, GL_SEGSORT_LOG_WARNING,
                        "portable kernels are used, since those for subgroups (%s) failed the "
                        "known-answer test: %s",
                        segsort_subgroup_name(limits->subgroup_api), context->error.text);
    segsort_pipeline_drop_subgroups(context, ~context->trust.proven);
    context->limits.subgroup_api = limits->subgroup_api = SEGSORT_SUBGROUP_NONE;
    context->limits.subgroup_size = limits->subgroup_size = 0;
}

static bool segsort_is_fatal(gl_segsort_result result)
{
    return result == GL_SEGSORT_ERROR_OUT_OF_MEMORY || result == GL_SEGSORT_ERROR_CONTEXT_LOST ||
           result == GL_SEGSORT_ERROR_WRONG_CONTEXT;
}

gl_segsort_result segsort_self_test_plan(gl_segsort_context *context, const segsort_plan *plan,
                                         segsort_limits *limits)
{
    segsort_subgroup_api api = limits->subgroup_api;
    uint64_t wanted = segsort_wanted_kernels(plan, limits);
    bool asked = context->kernel_path == GL_SEGSORT_KERNEL_PATH_SUBGROUP && plan->pass_count > 0;
    bool probe = !context->trust.probed && (wanted != 0 || asked), ready;
    if (api == SEGSORT_SUBGROUP_NONE || (!probe && (wanted & ~context->trust.proven) == 0))
        return GL_SEGSORT_SUCCESS;
    segsort_error error = context->error;
    gl_segsort_result result = segsort_check_ready(context, &ready);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    if (!ready) {
        limits->subgroup_size = 0;
        return GL_SEGSORT_SUCCESS;
    }
    result = segsort_test_guarded(context, wanted, limits);
    if (result == GL_SEGSORT_SUCCESS || segsort_is_fatal(result))
        return result;
    segsort_give_up(context, limits);
    context->error = error;
    return GL_SEGSORT_SUCCESS;
}

void segsort_self_test_tell(gl_segsort_context *context, const segsort_plan *plan)
{
    const segsort_limits *limits = &context->limits;
    if (context->kernel_path != GL_SEGSORT_KERNEL_PATH_SUBGROUP)
        return;
    for (uint32_t i = 0; i < segsort_plan_pass_total(plan); i++) {
        const segsort_variant *variant = &segsort_plan_pass(plan, i)->variant;
        uint64_t bit = (uint64_t)1 << variant->kernel;
        if (variant->subgroup_size > 0 || (context->trust.told_of & bit) != 0 ||
            !segsort_kernel_has_subgroup(variant->kernel, SEGSORT_SUBGROUP_KHR))
            continue;
        context->trust.told_of |= bit;
        segsort_context_log(context, GL_SEGSORT_LOG_WARNING,
                            "%s is portable in spite of kernel_path: %s",
                            segsort_kernel_get(variant->kernel)->name,
                            limits->subgroup_api == SEGSORT_SUBGROUP_NONE
                                ? "the driver has no subgroups that it can use"
                                : "it can't use those that the driver has, or not at the moment");
    }
}
