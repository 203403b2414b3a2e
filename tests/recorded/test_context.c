/* Loading GL, versions, which context is current, and contexts that are lost. */
#include "check.h"
#include "recorded.h"

static const uint32_t lengths[] = {12, 11, 5000};
#define LENGTHS 3
#define ROWS 5023

/* Tries to make a context on this version, and expects the result. */
static void expect_create(gl_segsort_result expected, const char *case_name)
{
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_context *context = (gl_segsort_context *)&desc;
    gl_segsort_result result = gl_segsort_context_create(&desc, &context);
    CHECK(result == expected, "%s: %s, expected %s (%s)", case_name,
          gl_segsort_result_string(result), gl_segsort_result_string(expected), recorded.log);
    CHECK((context != NULL) == (result == GL_SEGSORT_SUCCESS), "%s: context %p", case_name,
          (void *)context);
    if (expected != GL_SEGSORT_SUCCESS) {
        CHECK(recorded.log_counts[GL_SEGSORT_LOG_ERROR] == 1, "%s: %zu messages", case_name,
              recorded.log_counts[GL_SEGSORT_LOG_ERROR]);
        CHECK(recorded_is_sentence(recorded.log), "%s: '%s'", case_name, recorded.log);
    }
    gl_segsort_context_destroy(context);
}

static void versions_that_are_too_old(void)
{
    const struct {
        const char *version;
        const char *named; /* in the sentence */
    } cases[] = {
        {"3.3.0 vendor", "3.3"},
        {"4.2 (Core Profile) Mesa 9.0", "4.2"},
        {"2.1", "2.1"},
        {"OpenGL ES 3.2 Mesa", "OpenGL ES 3.2"},
        {"OpenGL ES-CM 1.1", "OpenGL ES-CM 1.1"},
        {"garbage", "garbage"},
        {"", "GL_VERSION"},
        {"4", "4"},
        {"-4.-5", "-4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        recorded_begin();
        fake_gl.version = cases[i].version;
        expect_create(GL_SEGSORT_ERROR_UNSUPPORTED, cases[i].version);
        CHECK(strstr(recorded.log, cases[i].named), "'%s' is not told of: %s", cases[i].version,
              recorded.log);
        CHECK(fake_gl.call_count == fake_gl.calls_of[FAKE_GL_GetString],
              "'%s': functions other than glGetString were called", cases[i].version);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

static void required_version_is_named(void)
{
    recorded_begin();
    fake_gl.version = "3.3";
    expect_create(GL_SEGSORT_ERROR_UNSUPPORTED, "3.3");
    CHECK(strstr(recorded.log, "4.3"), "%s", recorded.log);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void version_null_means_no_context(void)
{
    recorded_begin();
    fake_gl.version = NULL;
    expect_create(GL_SEGSORT_ERROR_WRONG_CONTEXT, "NULL");
    CHECK(fake_gl.call_count == 1, "%zu calls", fake_gl.call_count);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void versions_that_are_enough(void)
{
    static const char *const versions[] = {
        "4.3",  "4.3.0 NVIDIA 535.1", "4.4", "4.5 (Core Profile) Mesa 22.3.6", "4.6.0",
        "4.10", "5.0 of the future"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        recorded_begin();
        fake_gl.version = versions[i];
        expect_create(GL_SEGSORT_SUCCESS, versions[i]);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

/* glGetGraphicsResetStatus belongs to GL 4.5: a stub of the loader's must not be called below it.
 */
static void reset_status_is_only_asked_from_45(void)
{
    static const char *const versions[] = {"4.3", "4.4", "4.5", "4.6"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        recorded_begin();
        fake_gl.version = versions[i];
        expect_create(GL_SEGSORT_SUCCESS, versions[i]);
        CHECK((fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus] > 0) == (i >= 2), "%s: %zu",
              versions[i], fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus]);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

static void each_missing_function_is_named(void)
{
    for (int i = 0; i < FAKE_GL_FUNCTIONS; i++) {
        if (i == FAKE_GL_GetGraphicsResetStatus)
            continue;
        const char *name = fake_gl_function_name((enum fake_gl_function)i);
        recorded_begin();
        fake_gl.missing[i] = true;
        expect_create(GL_SEGSORT_ERROR_UNSUPPORTED, name);
        const char *found = strstr(recorded.log, name);
        char after = found ? found[strlen(name)] : 'x';
        CHECK(after == '\0' || after == ',' || after == ' ', "%s is not named: %s", name,
              recorded.log);
        CHECK(fake_gl.call_count == fake_gl.calls_of[FAKE_GL_GetString],
              "%s: functions were called before all were there", name);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

static void all_missing_functions_are_named(void)
{
    recorded_begin();
    for (int i = 0; i < FAKE_GL_FUNCTIONS; i++)
        fake_gl.missing[i] = i != FAKE_GL_GetString;
    expect_create(GL_SEGSORT_ERROR_UNSUPPORTED, "everything but glGetString");
    for (int i = 0; i < FAKE_GL_GetGraphicsResetStatus; i++)
        if (i != FAKE_GL_GetString)
            CHECK(strstr(recorded.log, fake_gl_function_name((enum fake_gl_function)i)),
                  "%s is not named: %s", fake_gl_function_name((enum fake_gl_function)i),
                  recorded.log);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void reset_status_may_be_missing(void)
{
    recorded_begin();
    fake_gl.missing[FAKE_GL_GetGraphicsResetStatus] = true;
    expect_create(GL_SEGSORT_SUCCESS, "no glGetGraphicsResetStatus");
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void bad_context_descriptions(void)
{
    recorded_begin();
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_context *context = NULL;
    CHECK(gl_segsort_context_create(NULL, &context) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "desc");
    CHECK(gl_segsort_context_create(&desc, NULL) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "context");
    gl_segsort_context_desc no_loader = desc, half = desc, policy = desc;
    no_loader.get_proc_address = NULL;
    half.allocator.release = NULL;
    policy.state_policy = (gl_segsort_state_policy)7;
    const gl_segsort_context_desc *const bad[] = {&no_loader, &half, &policy};
    for (size_t i = 0; i < 3; i++) {
        context = (gl_segsort_context *)&desc;
        CHECK(gl_segsort_context_create(bad[i], &context) == GL_SEGSORT_ERROR_INVALID_ARGUMENT,
              "case %zu", i);
        CHECK(context == NULL, "case %zu leaves a context", i);
        CHECK(recorded_is_sentence(recorded.log), "case %zu: '%s'", i, recorded.log);
    }
    CHECK(fake_gl.call_count == 0, "%zu GL calls", fake_gl.call_count);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void malloc_serves_without_an_allocator(void)
{
    recorded_begin();
    gl_segsort_context_desc desc = {.get_proc_address = fake_gl_get_proc_address};
    gl_segsort_context *context;
    gl_segsort_plan *plan;
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "{0} is not enough");
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(recorded.memory_calls == 0, "%zu", recorded.memory_calls);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Which context is current */

/* Every call on a context and its plans while current is the current one: WRONG_CONTEXT, and not
 * one GL call. */
static void expect_wrong_context(gl_segsort_state_policy policy, void *current)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(policy);
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS), *other = NULL;
    gl_segsort_sort_desc sort = recorded_sort_desc(ROWS);
    void *home = fake_gl.current_context;
    fake_gl.current_context = current;
    size_t calls = fake_gl.call_count;
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_ERROR_WRONG_CONTEXT, "sort");
    CHECK(recorded_is_sentence(gl_segsort_last_error(context)), "%s",
          gl_segsort_last_error(context));
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &other) == GL_SEGSORT_ERROR_WRONG_CONTEXT,
          "plan");
    CHECK(other == NULL, "a plan came of it");
    CHECK(fake_gl.call_count == calls, "%zu GL calls", fake_gl.call_count - calls);

    /* Nothing is spoiled for when the right one is current again. */
    fake_gl.current_context = home;
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

static void calls_under_another_context(void)
{
    int other;
    expect_wrong_context(GL_SEGSORT_STATE_RESTORE, &other);
    expect_wrong_context(GL_SEGSORT_STATE_LEAVE_DIRTY, &other);
    expect_wrong_context(GL_SEGSORT_STATE_RESTORE, NULL);
    expect_wrong_context(GL_SEGSORT_STATE_LEAVE_DIRTY, NULL);
}

/* The names might be somebody else's: they are left alone, memory is freed, and the log tells of
 * it. */
static void destroy_under_another_context(void)
{
    int other;
    char alive[400];
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
    size_t calls = fake_gl.call_count;
    fake_gl.current_context = &other;
    gl_segsort_plan_destroy(plan);
    CHECK(recorded.log_counts[GL_SEGSORT_LOG_ERROR] == 1, "the plan's leak is not told of");
    gl_segsort_context_destroy(context);
    CHECK(recorded.log_counts[GL_SEGSORT_LOG_ERROR] == 2, "the context's leak is not told of");
    CHECK(fake_gl.call_count == calls, "%zu GL calls", fake_gl.call_count - calls);
    CHECK(recorded.memory_live == 0, "%zu allocations leaked", recorded.memory_live);
    CHECK(fake_gl_alive(alive, sizeof alive) > 0, "the fake GL has lost the objects");
    fake_gl_free();
}

/* Where the host tells that none is current, GL must not be asked: that crashes on some drivers. */
static void create_without_a_current_context(void)
{
    recorded_begin();
    fake_gl.current_context = NULL;
    expect_create(GL_SEGSORT_ERROR_WRONG_CONTEXT, "none current");
    CHECK(fake_gl.call_count == 0, "%zu GL calls, the first of them %s", fake_gl.call_count,
          fake_gl.trace_count ? fake_gl.trace[0].text : "");
    fake_gl_free();
}

static gl_segsort_result create_with_the_loader_alone(gl_segsort_context **context)
{
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    desc.get_current_context = NULL;
    return gl_segsort_context_create(&desc, context);
}

static void current_context_is_found_through_the_loader(void)
{
    static const char *const names[] = {"eglGetCurrentContext", "wglGetCurrentContext",
                                        "glXGetCurrentContext"};
    for (size_t i = 0; i < 3; i++) {
        int other;
        recorded_begin();
        fake_gl.window_function = names[i];
        gl_segsort_context *context;
        gl_segsort_plan *plan;
        CHECK(create_with_the_loader_alone(&context) == GL_SEGSORT_SUCCESS, "%s", names[i]);
        CHECK(fake_gl.window_calls > 0, "%s was not called", names[i]);
        void *home = fake_gl.current_context;
        fake_gl.current_context = &other;
        CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) ==
                  GL_SEGSORT_ERROR_WRONG_CONTEXT,
              "%s is not used", names[i]);
        fake_gl.current_context = home;
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

/* Dispatch libraries hand out a stub for any name that starts with gl. */
static void made_up_functions_are_not_believed(void)
{
    recorded_begin();
    fake_gl.makes_up_stubs = true;
    gl_segsort_context *context;
    gl_segsort_plan *plan;
    CHECK(create_with_the_loader_alone(&context) == GL_SEGSORT_SUCCESS, "%s", recorded.log);
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(fake_gl.stub_calls == 0, "a made-up function was called %zu times", fake_gl.stub_calls);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void unknown_window_systems_are_fine(void)
{
    recorded_begin();
    gl_segsort_context *context;
    gl_segsort_plan *plan;
    CHECK(create_with_the_loader_alone(&context) == GL_SEGSORT_SUCCESS, "%s", recorded.log);
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Lost contexts */

#define GUILTY_CONTEXT_RESET 0x8253

static void reset_is_noticed_and_final(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS), *other;
    gl_segsort_sort_desc sort = recorded_sort_desc(ROWS);
    fake_gl.reset_status = GUILTY_CONTEXT_RESET;
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_ERROR_CONTEXT_LOST, "sort");
    CHECK(recorded_is_sentence(gl_segsort_last_error(context)), "%s",
          gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count == 0, "it was sorted all the same");
    /* GL says that once; the objects stay lost. */
    fake_gl.reset_status = 0;
    size_t calls = fake_gl.call_count;
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_ERROR_CONTEXT_LOST, "second sort");
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &other) == GL_SEGSORT_ERROR_CONTEXT_LOST,
          "plan");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(fake_gl.call_count == calls, "%zu GL calls on a lost context",
          fake_gl.call_count - calls);
    CHECK(recorded.memory_live == 0, "%zu allocations leaked", recorded.memory_live);
    fake_gl_free();
}

static void reset_is_noticed_by_each_call(void)
{
    for (int call = 0; call < 3; call++) {
        recorded_begin();
        gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
        gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS), *other;
        fake_gl.reset_status = GUILTY_CONTEXT_RESET;
        fake_gl_clear_trace();
        if (call == 0)
            CHECK(recorded_plan_create(context, lengths, LENGTHS, &other) ==
                      GL_SEGSORT_ERROR_CONTEXT_LOST,
                  "plan_create");
        if (call <= 1)
            gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        if (call == 2)
            gl_segsort_plan_destroy(plan);
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "case %d: calls other than glGetGraphicsResetStatus", call);
        CHECK(recorded.memory_live == 0, "case %d: %zu allocations leaked", call,
              recorded.memory_live);
        fake_gl_free();
    }
}

static void create_on_a_context_that_is_lost(void)
{
    recorded_begin();
    fake_gl.reset_status = GUILTY_CONTEXT_RESET;
    expect_create(GL_SEGSORT_ERROR_CONTEXT_LOST, "reset");
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void abandon_makes_no_gl_call(void)
{
    for (int plan_first = 0; plan_first < 2; plan_first++) {
        recorded_begin();
        gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
        gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
        gl_segsort_plan *second = recorded_plan(context, lengths, 2);
        gl_segsort_sort_desc sort = recorded_sort_desc(ROWS);
        if (plan_first)
            gl_segsort_plan_destroy(second);
        fake_gl.current_context = NULL;
        size_t calls = fake_gl.call_count;
        gl_segsort_context_abandon(context);
        CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_ERROR_CONTEXT_LOST, "sort");
        gl_segsort_plan_destroy(plan);
        if (!plan_first)
            gl_segsort_plan_destroy(second);
        CHECK(fake_gl.call_count == calls, "%zu GL calls", fake_gl.call_count - calls);
        CHECK(recorded.memory_live == 0, "%zu allocations leaked", recorded.memory_live);
        fake_gl_free();
    }
}

static void plans_outlive_their_context(void)
{
    char alive[400];
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plans[3];
    for (int i = 0; i < 3; i++)
        plans[i] = recorded_plan(context, lengths, LENGTHS);
    gl_segsort_sort_desc sort = recorded_sort_desc(ROWS);
    gl_segsort_context_destroy(context);
    CHECK(fake_gl_alive(alive, sizeof alive) == 0, "still there: %s", alive);
    size_t calls = fake_gl.call_count;
    gl_segsort_plan_description description;
    for (int i = 0; i < 3; i++) {
        CHECK(gl_segsort_sort(plans[i], &sort) == GL_SEGSORT_ERROR_CONTEXT_LOST, "plan %d", i);
        CHECK(gl_segsort_plan_describe(plans[i], &description) == GL_SEGSORT_SUCCESS, "plan %d", i);
    }
    gl_segsort_plan_destroy(plans[1]);
    gl_segsort_plan_destroy(plans[2]);
    gl_segsort_plan_destroy(plans[0]);
    CHECK(fake_gl.call_count == calls, "%zu GL calls", fake_gl.call_count - calls);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void null_is_ignored(void)
{
    gl_segsort_context_destroy(NULL);
    gl_segsort_context_abandon(NULL);
    gl_segsort_plan_destroy(NULL);
    CHECK(gl_segsort_last_error(NULL)[0] == '\0', "last_error");
    gl_segsort_plan *plan = (gl_segsort_plan *)&plan;
    gl_segsort_plan_desc desc = {0};
    CHECK(gl_segsort_plan_create(NULL, &desc, &plan) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "plan");
    CHECK(plan == NULL, "a plan came of it");
    CHECK(gl_segsort_sort(NULL, NULL) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "sort");
    CHECK(gl_segsort_plan_describe(NULL, NULL) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "describe");
}

CHECK_MAIN(CHECK_TEST(versions_that_are_too_old), CHECK_TEST(required_version_is_named),
           CHECK_TEST(version_null_means_no_context), CHECK_TEST(versions_that_are_enough),
           CHECK_TEST(reset_status_is_only_asked_from_45),
           CHECK_TEST(each_missing_function_is_named), CHECK_TEST(all_missing_functions_are_named),
           CHECK_TEST(reset_status_may_be_missing), CHECK_TEST(bad_context_descriptions),
           CHECK_TEST(malloc_serves_without_an_allocator), CHECK_TEST(calls_under_another_context),
           CHECK_TEST(destroy_under_another_context), CHECK_TEST(create_without_a_current_context),
           CHECK_TEST(current_context_is_found_through_the_loader),
           CHECK_TEST(made_up_functions_are_not_believed),
           CHECK_TEST(unknown_window_systems_are_fine), CHECK_TEST(reset_is_noticed_and_final),
           CHECK_TEST(reset_is_noticed_by_each_call), CHECK_TEST(create_on_a_context_that_is_lost),
           CHECK_TEST(abandon_makes_no_gl_call), CHECK_TEST(plans_outlive_their_context),
           CHECK_TEST(null_is_ignored))
