/* Which kernel path a context takes on GLs that say different things about subgroups, and what the
 * known-answer test does to the host when it fails: no shader runs here, so it does. */
#include "check.h"
#include "recorded.h"

static const uint32_t lengths[] = {300000, 12, 0, 3, 200, 5000};
#define LENGTHS 6

/* A GL as it is told of: what extensions it has, and what it says about them. */
struct gl_case {
    const char *name;
    const char *extensions[5];
    int32_t size, stages, features;
    bool khr, arb; /* what is taken */
};
static const struct gl_case gl_cases[] = {
    {.name = "nothing"},
    {"KHR", {"GL_ARB_debug_output", "GL_KHR_shader_subgroup"}, 32, 0x20, 0xff, true, false},
    {"KHR of 64", {"GL_KHR_shader_subgroup"}, 64, 0x3f, 0x1d, true, false},
    {"KHR of 128", {"GL_KHR_shader_subgroup"}, 128, 0x20, 0xff, false, false},
    {"KHR of 4", {"GL_KHR_shader_subgroup"}, 4, 0x20, 0xff, false, false},
    {"KHR of 0", {"GL_KHR_shader_subgroup"}, 0, 0x20, 0xff, false, false},
    {"KHR without ballots", {"GL_KHR_shader_subgroup"}, 32, 0x20, 0xf7, false, false},
    {"KHR without arithmetic", {"GL_KHR_shader_subgroup"}, 32, 0x20, 0xfb, false, false},
    {"KHR without shuffles", {"GL_KHR_shader_subgroup"}, 32, 0x20, 0xef, false, false},
    {"KHR in other stages", {"GL_KHR_shader_subgroup"}, 32, 0x1f, 0xff, false, false},
    {"ARB", {"GL_ARB_gpu_shader_int64", "GL_ARB_shader_ballot"}, 0, 0, 0, false, true},
    {"half of ARB", {"GL_ARB_shader_ballot"}, 0, 0, 0, false, false},
    {"the other half", {"GL_ARB_gpu_shader_int64", "GL_ARB_shader_ballots"}, 0, 0, 0, false, false},
    {"KHR that is not enough, and ARB",
     {"GL_KHR_shader_subgroup", "GL_ARB_shader_ballot", "GL_ARB_gpu_shader_int64"},
     32,
     0x20,
     0x1,
     false,
     true},
};

static void use_case(const struct gl_case *gl_case)
{
    for (int i = 0; i < 5; i++)
        fake_gl.extensions[i] = gl_case->extensions[i];
    fake_gl.subgroup_size = gl_case->size;
    fake_gl.subgroup_stages = gl_case->stages;
    fake_gl.subgroup_features = gl_case->features;
}

static gl_segsort_context *make_context(gl_segsort_kernel_path path, gl_segsort_state_policy policy)
{
    gl_segsort_context_desc desc = recorded_context_desc(policy);
    gl_segsort_context *context = NULL;
    desc.kernel_path = path;
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s", recorded.log);
    return context;
}

/* Shaders that were made with an extension, by its name. */
static size_t count_sources(const char *extension)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_gl.program_count; i++)
        count += fake_gl.programs[i].is_shader && fake_gl.programs[i].source &&
                 strstr(fake_gl.programs[i].source, extension);
    return count;
}

/* How a plan comes out: portable whatever the test was of. */
static void check_portable(gl_segsort_plan *plan, const char *name)
{
    gl_segsort_plan_description description;
    CHECK(gl_segsort_plan_describe(plan, &description) == GL_SEGSORT_SUCCESS, "%s", name);
    for (uint32_t i = 0; i < description.pass_count; i++)
        CHECK(description.passes[i].subgroup_size == 0, "%s: %s", name,
              description.passes[i].label);
}

static void what_gl_says_is_tested(void)
{
    for (size_t i = 0; i < sizeof gl_cases / sizeof gl_cases[0]; i++) {
        const struct gl_case *own = &gl_cases[i];
        recorded_begin();
        use_case(own);
        gl_segsort_context *context =
            make_context(GL_SEGSORT_KERNEL_PATH_SUBGROUP, GL_SEGSORT_STATE_RESTORE);
        CHECK(fake_gl.calls_of[FAKE_GL_CreateShader] == 0, "%s: a shader at creation", own->name);
        gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
        CHECK((count_sources("#extension GL_KHR_shader_subgroup_arithmetic : require") > 0) ==
                  own->khr,
              "%s: KHR", own->name);
        CHECK((count_sources("#extension GL_ARB_shader_ballot : require") > 0) == own->arb,
              "%s: ARB", own->name);
        CHECK(recorded.log_counts[GL_SEGSORT_LOG_WARNING] >= 1, "%s: no warning", own->name);
        CHECK(fake_gl.calls_of[FAKE_GL_FenceSync] <= 1, "%s: it goes on after a wrong answer",
              own->name);
        check_portable(plan, own->name);
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

static void portable_asks_for_nothing(void)
{
    recorded_begin();
    use_case(&gl_cases[1]);
    gl_segsort_context *context =
        make_context(GL_SEGSORT_KERNEL_PATH_PORTABLE, GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
    CHECK(fake_gl.calls_of[FAKE_GL_GetStringi] == 0, "extensions were asked for");
    CHECK(fake_gl.calls_of[FAKE_GL_FenceSync] == 0, "a test was run");
    CHECK(count_sources("#extension") == 0, "a source has an extension");
    CHECK(recorded.log_counts[GL_SEGSORT_LOG_WARNING] == 0, "a warning");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* A GL that doesn't answer in time is not asked for the answer: that would wait. */
static void late_answers_are_not_read(void)
{
    recorded_begin();
    use_case(&gl_cases[1]);
    fake_gl.fences_late = true;
    gl_segsort_context *context =
        make_context(GL_SEGSORT_KERNEL_PATH_AUTO, GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
    CHECK(fake_gl.calls_of[FAKE_GL_ClientWaitSync] == 1, "%zu waits",
          fake_gl.calls_of[FAKE_GL_ClientWaitSync]);
    CHECK(fake_gl.calls_of[FAKE_GL_GetBufferSubData] == 0, "a buffer was read");
    CHECK(recorded.log_counts[GL_SEGSORT_LOG_WARNING] == 1, "%zu warnings",
          recorded.log_counts[GL_SEGSORT_LOG_WARNING]);
    check_portable(plan, "late");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* What was not read is not compared: the warning says what failed, not which word is wrong. */
static void failed_reads_are_told(void)
{
    static const enum fake_gl_function steps[] = {FAKE_GL_CopyBufferSubData,
                                                  FAKE_GL_GetBufferSubData};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        recorded_begin();
        use_case(&gl_cases[1]);
        fake_gl.fail_next[steps[i]] = true;
        gl_segsort_context *context =
            make_context(GL_SEGSORT_KERNEL_PATH_AUTO, GL_SEGSORT_STATE_RESTORE);
        gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
        CHECK(fake_gl.failed.function == steps[i], "%s was never called",
              fake_gl_function_name(steps[i]));
        CHECK(recorded.log_counts[GL_SEGSORT_LOG_WARNING] == 1 &&
                  strstr(recorded.warning, "while reading a buffer"),
              "%s: %s", fake_gl_function_name(steps[i]), recorded.warning);
        check_portable(plan, fake_gl_function_name(steps[i]));
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

/* No program may be used while transform feedback is active: the plan is made without a test, and a
 * later one is made with it. */
static void the_test_waits_for_transform_feedback(void)
{
    recorded_begin();
    use_case(&gl_cases[1]);
    fake_gl.feedback_active = 1;
    gl_segsort_context *context =
        make_context(GL_SEGSORT_KERNEL_PATH_AUTO, GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *first = recorded_plan(context, lengths, LENGTHS);
    CHECK(fake_gl.calls_of[FAKE_GL_FenceSync] == 0 && count_sources("#extension") == 0, "a test");
    CHECK(recorded.log_counts[GL_SEGSORT_LOG_WARNING] == 0, "a warning");
    check_portable(first, "during feedback");
    fake_gl.feedback_active = 0;
    gl_segsort_plan *second = recorded_plan(context, lengths, LENGTHS);
    CHECK(fake_gl.calls_of[FAKE_GL_FenceSync] == 1, "no test");
    gl_segsort_plan_destroy(first);
    gl_segsort_plan_destroy(second);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Faults while the test runs */

static bool fault_is(const char *start)
{
    return strncmp(fake_gl.failed.text, start, strlen(start)) == 0;
}

/* As in test_faults.c: what nobody can do anything about. */
static bool may_leave_traces(void)
{
    return fault_is("Delete") || strstr(fake_gl.failed.text, "host-") ||
           fault_is("BindBufferBase STORAGE 2 0") || fault_is("PushDebugGroup") ||
           fault_is("PopDebugGroup") || fault_is("GetError") || fault_is("GetGraphicsResetStatus");
}

/* Makes a plan in which GL call or allocation `number` fails. Whether it did. */
static bool run_fault(gl_segsort_state_policy policy, size_t number, bool memory)
{
    char alive[400];
    recorded_begin();
    use_case(&gl_cases[1]);
    gl_segsort_context *context = make_context(GL_SEGSORT_KERNEL_PATH_AUTO, policy);
    gl_segsort_plan *plan = NULL;
    fake_gl.fail_call = memory ? 0 : fake_gl.call_count + number;
    recorded.memory_fail_at = memory ? recorded.memory_calls + number : 0;
    size_t memory_last = recorded.memory_fail_at;
    fake_gl.error = SEGSORT_GL_INVALID_VALUE;
    gl_segsort_result result = recorded_plan_create(context, lengths, LENGTHS, &plan);
    bool fell = memory ? recorded.memory_calls >= memory_last : fake_gl.failed.text[0] != '\0';
    fake_gl.fail_call = recorded.memory_fail_at = 0;
    CHECK((plan != NULL) == (result == GL_SEGSORT_SUCCESS), "%zu: plan %p", number, (void *)plan);
    CHECK(!memory || !fell || result == GL_SEGSORT_ERROR_OUT_OF_MEMORY, "allocation %zu: %s",
          number, gl_segsort_result_string(result));
    if (!may_leave_traces() && !fault_is("IsEnabled") && !fault_is("GetIntegeri_v")) {
        CHECK(fake_gl.error == SEGSORT_GL_INVALID_VALUE, "%s: the host's error is 0x%04x",
              fake_gl.failed.text, fake_gl.error);
        fake_gl.error = SEGSORT_GL_NO_ERROR;
        const char *problem = recorded_state_problem();
        CHECK(!problem, "%s: %s", fake_gl.failed.text, problem);
    }
    fake_gl.error = SEGSORT_GL_NO_ERROR;
    fake_gl.state = recorded.state;
    bool lost = fault_is("GetGraphicsResetStatus");
    if (result != GL_SEGSORT_SUCCESS && !lost)
        CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == GL_SEGSORT_SUCCESS,
              "%s, and then '%s'", fake_gl.failed.text, gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(fault_is("Delete") || fault_is("UseProgram host-program") || lost ||
              fake_gl_alive(alive, sizeof alive) == 0,
          "%s: still there: %s", fake_gl.failed.text, alive);
    CHECK(fake_gl.fences_alive == 0 || fault_is("DeleteSync"), "a fence is left");
    CHECK(recorded.memory_live == 0, "%s: %zu allocations leaked", fake_gl.failed.text,
          recorded.memory_live);
    fake_gl_free();
    return fell;
}

static void each_call_and_allocation_fails(void)
{
    for (int policy = 0; policy < 2; policy++)
        for (int memory = 0; memory < 2; memory++) {
            size_t number = 1;
            while (run_fault((gl_segsort_state_policy)policy, number, memory))
                number++;
            CHECK(number > (memory ? 10 : 100), "only %zu faults", number);
        }
}

CHECK_MAIN(CHECK_TEST(what_gl_says_is_tested), CHECK_TEST(portable_asks_for_nothing),
           CHECK_TEST(late_answers_are_not_read), CHECK_TEST(failed_reads_are_told),
           CHECK_TEST(the_test_waits_for_transform_feedback),
           CHECK_TEST(each_call_and_allocation_fails))
