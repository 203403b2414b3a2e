/* What a host finds after each public call: its bindings and its pending error, as they were. */
#include "check.h"
#include "recorded.h"

static const uint32_t lengths[] = {10000, 12, 3, 0, 200};
#define LENGTHS 5
#define ROWS 10215

#define INVALID_FRAMEBUFFER_OPERATION 0x0506u

/* ---------------------------------------------------------------------------------------------- */
/* One public call of each outcome */

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static gl_segsort_plan_desc like; /* of the plans, without segments */

static gl_segsort_result create_context(void)
{
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_context *made;
    gl_segsort_result result = gl_segsort_context_create(&desc, &made);
    gl_segsort_context_destroy(made);
    return result;
}

static gl_segsort_result create_context_without_loader(void)
{
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    desc.get_proc_address = NULL;
    gl_segsort_context *made;
    return gl_segsort_context_create(&desc, &made);
}

static gl_segsort_result create_context_of_33(void)
{
    fake_gl.version = "3.3";
    gl_segsort_result result = create_context();
    fake_gl.version = "4.5";
    return result;
}

static gl_segsort_result create_context_without_limits(void)
{
    fake_gl.fail_next[FAKE_GL_GetInteger64v] = true;
    return create_context();
}

static gl_segsort_result create_context_without_memory(void)
{
    recorded.memory_fail_at = recorded.memory_calls + 1;
    return create_context();
}

static gl_segsort_result create_plan_of(const gl_segsort_segment *segments, uint32_t count)
{
    gl_segsort_plan_desc desc = like;
    desc.segments = segments;
    desc.segment_count = count;
    gl_segsort_plan *made;
    gl_segsort_result result = gl_segsort_plan_create(context, &desc, &made);
    gl_segsort_plan_destroy(made);
    return result;
}

/* A width that no plan of these tests had before, so that something is compiled. */
static gl_segsort_result create_plan(void)
{
    return create_plan_of(&(gl_segsort_segment){.length = 33}, 1);
}

static gl_segsort_result create_plan_of_nothing(void)
{
    return create_plan_of(NULL, 0);
}

static gl_segsort_result create_plan_without_list(void)
{
    return create_plan_of(NULL, 2);
}

static gl_segsort_result create_plan_that_wraps(void)
{
    return create_plan_of(&(gl_segsort_segment){.keys_offset = UINT32_MAX, .length = 2}, 1);
}

static gl_segsort_result create_plan_that_overlaps(void)
{
    const gl_segsort_segment twice[] = {{0, 0, 0, 0, 9}, {9, 9, 8, 9, 1}};
    return create_plan_of(twice, 2);
}

static gl_segsort_result create_plan_too_large(void)
{
    return create_plan_of(&(gl_segsort_segment){.length = 0x10000000}, 1);
}

static gl_segsort_result fail_plan(enum fake_gl_function function)
{
    fake_gl.fail_next[function] = true;
    gl_segsort_result result = create_plan_of(&(gl_segsort_segment){.length = 1000}, 1);
    fake_gl.fail_next[function] = false;
    return result;
}

static gl_segsort_result create_plan_without_gl_memory(void)
{
    return fail_plan(FAKE_GL_BufferData);
}

static gl_segsort_result create_plan_without_memory(void)
{
    recorded.memory_fail_at = recorded.memory_calls + 1;
    return create_plan();
}

static gl_segsort_result create_plan_that_does_not_compile(void)
{
    return fail_plan(FAKE_GL_CompileShader);
}

static gl_segsort_result create_plan_that_does_not_link(void)
{
    return fail_plan(FAKE_GL_LinkProgram);
}

static gl_segsort_result create_plan_that_gl_refuses(void)
{
    return fail_plan(FAKE_GL_ObjectLabel);
}

static gl_segsort_result sort(void)
{
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result sort_in_place(void)
{
    gl_segsort_sort_desc desc = recorded_in_place_desc(ROWS);
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result sort_nothing(void)
{
    return gl_segsort_sort(plan, NULL);
}

static gl_segsort_result sort_unknown_buffer(void)
{
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.output_values.buffer = 4711;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result sort_short_buffer(void)
{
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.output_keys.byte_offset = RECORDED_STREAM_BYTES - 400;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result sort_short_view(void)
{
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS - 1);
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result sort_overlapping(void)
{
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.output_values = desc.output_keys;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result sort_that_gl_refuses(void)
{
    fake_gl.fail_next[FAKE_GL_DispatchCompute] = true;
    return sort();
}

static gl_segsort_result sort_elsewhere(void)
{
    void *home = fake_gl.current_context;
    fake_gl.current_context = &home;
    gl_segsort_result result = sort();
    fake_gl.current_context = home;
    return result;
}

static gl_segsort_result describe(void)
{
    gl_segsort_plan_description description;
    return gl_segsort_plan_describe(plan, &description);
}

static gl_segsort_result sort_a_destroyed_context(void)
{
    gl_segsort_context *destroyed = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *left = recorded_plan(destroyed, lengths, LENGTHS);
    gl_segsort_context_destroy(destroyed);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    gl_segsort_result result = gl_segsort_sort(left, &desc);
    gl_segsort_plan_destroy(left);
    return result;
}

static const struct action {
    const char *name;
    gl_segsort_result (*run)(void);
    gl_segsort_result expected;
} actions[] = {
#define ACTION(function, result)                                                                   \
    {                                                                                              \
#function, function, GL_SEGSORT_##result                                                   \
    }
    ACTION(create_context, SUCCESS),
    ACTION(create_context_without_loader, ERROR_INVALID_ARGUMENT),
    ACTION(create_context_of_33, ERROR_UNSUPPORTED),
    ACTION(create_context_without_limits, ERROR_GL),
    ACTION(create_context_without_memory, ERROR_OUT_OF_MEMORY),
    ACTION(create_plan, SUCCESS),
    ACTION(create_plan_of_nothing, SUCCESS),
    ACTION(create_plan_without_list, ERROR_INVALID_ARGUMENT),
    ACTION(create_plan_that_wraps, ERROR_OUT_OF_RANGE),
    ACTION(create_plan_that_overlaps, ERROR_OVERLAP),
    ACTION(create_plan_too_large, ERROR_UNSUPPORTED),
    ACTION(create_plan_without_gl_memory, ERROR_OUT_OF_MEMORY),
    ACTION(create_plan_without_memory, ERROR_OUT_OF_MEMORY),
    ACTION(create_plan_that_does_not_compile, ERROR_COMPILE),
    ACTION(create_plan_that_does_not_link, ERROR_COMPILE),
    ACTION(create_plan_that_gl_refuses, ERROR_GL),
    ACTION(sort, SUCCESS),
    ACTION(sort_in_place, SUCCESS),
    ACTION(sort_nothing, ERROR_INVALID_ARGUMENT),
    ACTION(sort_unknown_buffer, ERROR_INVALID_ARGUMENT),
    ACTION(sort_short_buffer, ERROR_OUT_OF_RANGE),
    ACTION(sort_short_view, ERROR_OUT_OF_RANGE),
    ACTION(sort_overlapping, ERROR_OVERLAP),
    ACTION(sort_that_gl_refuses, ERROR_GL),
    ACTION(sort_elsewhere, ERROR_WRONG_CONTEXT),
    ACTION(describe, SUCCESS),
    ACTION(sort_a_destroyed_context, ERROR_CONTEXT_LOST),
#undef ACTION
};
#define ACTIONS (sizeof actions / sizeof actions[0])

/* Three digits are an odd number of them, so that sorts in place have passes of their own. */
static void make_plan(gl_segsort_state_policy policy, int algorithm)
{
    context = recorded_context(policy);
    like = (gl_segsort_plan_desc){.algorithm = (gl_segsort_algorithm)algorithm, .end_bit = 24};
    recorded_plan_create_like(context, &like, lengths, LENGTHS, &plan);
    CHECK(plan != NULL, "%s: %s", recorded_algorithm_name(algorithm),
          gl_segsort_last_error(context));
}

static void begin(int algorithm)
{
    recorded_begin();
    make_plan(GL_SEGSORT_STATE_RESTORE, algorithm);
}

/* ---------------------------------------------------------------------------------------------- */

static void bindings_after_each_call(void)
{
    for (size_t i = 0; i < ACTIONS * RECORDED_ALGORITHMS; i++) {
        const struct action *action = &actions[i % ACTIONS];
        begin((int)(i / ACTIONS));
        gl_segsort_result result = action->run();
        CHECK(result == action->expected, "%s: %s, expected %s (%s)", action->name,
              gl_segsort_result_string(result), gl_segsort_result_string(action->expected),
              recorded.log);
        const char *problem = recorded_state_problem();
        CHECK(!problem, "%s: %s", action->name, problem);
        fake_gl.error = SEGSORT_GL_NO_ERROR;
        gl_segsort_plan_destroy(plan);
        problem = recorded_state_problem();
        CHECK(!problem, "plan_destroy: %s", problem);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

/* Each error there is, so that a new one gets a line above. */
static void every_error_has_a_call(void)
{
    for (int result = GL_SEGSORT_SUCCESS;
         strcmp(gl_segsort_result_string((gl_segsort_result)result), "unknown gl_segsort_result");
         result++) {
        size_t i = 0;
        while (i < ACTIONS && (int)actions[i].expected != result)
            i++;
        CHECK(i < ACTIONS, "no call above gives %s",
              gl_segsort_result_string((gl_segsort_result)result));
    }
}

/* The bindings that a host may have in other ways than recorded_begin's. */
static void bindings_of_all_kinds(void)
{
    for (int k = 0; k < 4 * RECORDED_ALGORITHMS; k++) {
        int kind = k % 4;
        recorded_begin();
        struct fake_gl_state *state = &fake_gl.state;
        for (int i = 0; i < FAKE_GL_BINDINGS; i++) {
            struct fake_gl_binding *binding = &state->storage_at[i];
            if (kind == 0) /* nothing bound */
                *binding = (struct fake_gl_binding){0};
            if (kind == 1 && binding->buffer) /* bases all over */
                binding->start = binding->size = 0;
            if (kind == 2 && binding->buffer) /* ranges, one from 0 and one past its buffer */
                *binding =
                    (struct fake_gl_binding){binding->buffer, i ? 512 : 0, i == 3 ? 1 << 20 : 12};
            if (kind == 3) /* one of the sort's own buffers */
                *binding = (struct fake_gl_binding){recorded.output_keys, 256, 64};
        }
        if (kind == 0)
            *state = (struct fake_gl_state){.debug_depth = state->debug_depth};
        if (kind == 1)
            state->uniform_at[0].start = state->uniform_at[0].size = 0;
        if (kind == 3)
            state->copy_write = state->storage = recorded.keys;
        recorded.state = *state;
        make_plan(GL_SEGSORT_STATE_RESTORE, k / 4);
        const char *problem = recorded_state_problem();
        CHECK(!problem, "plan_create, kind %d: %s", kind, problem);
        CHECK(sort() == GL_SEGSORT_SUCCESS, "kind %d: %s", kind, gl_segsort_last_error(context));
        CHECK(sort_in_place() == GL_SEGSORT_SUCCESS, "kind %d: %s", kind,
              gl_segsort_last_error(context));
        problem = recorded_state_problem();
        CHECK(!problem, "sort, kind %d: %s", kind, problem);
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Pending errors */

static void pending_errors_stay(void)
{
    static const uint32_t errors[] = {SEGSORT_GL_INVALID_ENUM, SEGSORT_GL_INVALID_VALUE,
                                      SEGSORT_GL_INVALID_OPERATION};
    for (size_t e = 0; e < 3; e++)
        for (size_t i = 0; i < ACTIONS * RECORDED_ALGORITHMS; i++) {
            const struct action *action = &actions[i % ACTIONS];
            begin((int)(i / ACTIONS));
            fake_gl.error = errors[e];
            gl_segsort_result result = action->run();
            CHECK(result == action->expected, "%s with 0x%04x pending: %s", action->name, errors[e],
                  gl_segsort_result_string(result));
            CHECK(fake_gl.error == errors[e], "%s: 0x%04x became 0x%04x", action->name, errors[e],
                  fake_gl.error);
            fake_gl.error = errors[e];
            gl_segsort_plan_destroy(plan);
            CHECK(fake_gl.error == errors[e], "plan_destroy: 0x%04x", fake_gl.error);
            gl_segsort_context_destroy(context);
            CHECK(fake_gl.error == errors[e], "context_destroy: 0x%04x", fake_gl.error);
            fake_gl.error = SEGSORT_GL_NO_ERROR;
            CHECK_END(GL_SEGSORT_STATE_RESTORE);
        }
}

/* These cannot be put back. The host hears of them from the call, which does nothing, or finds them
 * still pending. */
static void errors_that_cannot_be_put_back(void)
{
    static const uint32_t errors[] = {SEGSORT_GL_OUT_OF_MEMORY, INVALID_FRAMEBUFFER_OPERATION};
    static const char *const names[] = {"0x0505", "0x0506"};
    for (size_t e = 0; e < 2; e++)
        for (int call = 0; call < 2; call++) {
            begin(GL_SEGSORT_ALGORITHM_AUTO);
            fake_gl_clear_trace();
            fake_gl.error = errors[e];
            gl_segsort_result result = call ? sort() : create_plan();
            bool stays = fake_gl.error == errors[e];
            CHECK(stays || (result != GL_SEGSORT_SUCCESS &&
                            strstr(gl_segsort_last_error(context), names[e])),
                  "%s is swallowed: %s, '%s'", names[e], gl_segsort_result_string(result),
                  gl_segsort_last_error(context));
            if (result != GL_SEGSORT_SUCCESS)
                CHECK(fake_gl.dispatch_count == 0 && fake_gl.calls_of[FAKE_GL_GenBuffers] == 0 &&
                          fake_gl.calls_of[FAKE_GL_CreateShader] == 0,
                      "it failed with %s pending, and not before work began", names[e]);
            fake_gl.error = SEGSORT_GL_NO_ERROR;
            CHECK((call ? sort() : create_plan()) == GL_SEGSORT_SUCCESS, "and again: %s",
                  gl_segsort_last_error(context));
            gl_segsort_plan_destroy(plan);
            gl_segsort_context_destroy(context);
            CHECK_END(GL_SEGSORT_STATE_RESTORE);
        }
}

static void dirty_sorts_leave_errors_alone(void)
{
    static const uint32_t errors[] = {SEGSORT_GL_INVALID_ENUM, SEGSORT_GL_INVALID_VALUE,
                                      SEGSORT_GL_INVALID_OPERATION, SEGSORT_GL_OUT_OF_MEMORY,
                                      INVALID_FRAMEBUFFER_OPERATION};
    for (size_t i = 0; i < 5 * RECORDED_ALGORITHMS; i++) {
        size_t e = i % 5;
        recorded_begin();
        make_plan(GL_SEGSORT_STATE_LEAVE_DIRTY, (int)(i / 5));
        fake_gl_clear_trace();
        fake_gl.error = errors[e];
        CHECK(sort() == GL_SEGSORT_SUCCESS && sort_in_place() == GL_SEGSORT_SUCCESS, "0x%04x: %s",
              errors[e], gl_segsort_last_error(context));
        CHECK(fake_gl.error == errors[e], "0x%04x became 0x%04x", errors[e], fake_gl.error);
        CHECK(fake_gl.calls_of[FAKE_GL_GetError] == 0, "glGetError is called");
        fake_gl.error = SEGSORT_GL_NO_ERROR;
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_LEAVE_DIRTY);
    }
}

/* An error of the library's own comes back as a result and is taken off the queue, also when the
 * host has one pending. */
static void own_errors_are_told_from_the_hosts(void)
{
    begin(GL_SEGSORT_ALGORITHM_AUTO);
    CHECK(sort_that_gl_refuses() == GL_SEGSORT_ERROR_GL, "%s", gl_segsort_last_error(context));
    CHECK(strstr(gl_segsort_last_error(context), "0x0502") &&
              strstr(gl_segsort_last_error(context), "mesh"),
          "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.error == SEGSORT_GL_NO_ERROR, "0x%04x is left", fake_gl.error);
    CHECK(sort() == GL_SEGSORT_SUCCESS, "and again: %s", gl_segsort_last_error(context));
    fake_gl.error = SEGSORT_GL_INVALID_ENUM;
    CHECK(sort_that_gl_refuses() == GL_SEGSORT_ERROR_GL, "with an error pending");
    CHECK(strstr(gl_segsort_last_error(context), "0x0502"), "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.error == SEGSORT_GL_INVALID_ENUM, "0x%04x is left", fake_gl.error);
    fake_gl.error = SEGSORT_GL_NO_ERROR;
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* Where GL would not let the library's program be used or the host's be put back, nothing is
 * recorded. */
static void states_that_cannot_be_kept(void)
{
    for (int active = 0; active < 3; active++) {
        recorded_begin();
        context = recorded_context(GL_SEGSORT_STATE_RESTORE);
        plan = recorded_plan(context, lengths, 2);
        gl_segsort_sort_desc desc = recorded_sort_desc(20000);
        struct fake_gl_program *program = fake_gl_find_program(fake_gl.state.program);
        fake_gl.feedback_active = active > 0;
        fake_gl.feedback_paused = active == 2;
        program->delete_pending = active == 0;
        fake_gl_clear_trace();
        gl_segsort_result result = gl_segsort_sort(plan, &desc);
        const char *text = gl_segsort_last_error(context);
        if (active == 2)
            CHECK(result == GL_SEGSORT_SUCCESS, "paused transform feedback: %s", text);
        else
            CHECK(result == GL_SEGSORT_ERROR_GL && fake_gl.dispatch_count == 0 &&
                      strstr(text, active ? "transform feedback" : "deleted"),
                  "%s", text);
        program->delete_pending = false;
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

CHECK_MAIN(CHECK_TEST(bindings_after_each_call), CHECK_TEST(every_error_has_a_call),
           CHECK_TEST(bindings_of_all_kinds), CHECK_TEST(pending_errors_stay),
           CHECK_TEST(errors_that_cannot_be_put_back), CHECK_TEST(dirty_sorts_leave_errors_alone),
           CHECK_TEST(own_errors_are_told_from_the_hosts), CHECK_TEST(states_that_cannot_be_kept))
