/* Programs of a plan: all of them go to the compiler before any is waited for. */
#include "check.h"
#include "recorded.h"

/* Short and long segments, so that there are many programs. */
static const uint32_t lengths[] = {300000, 12, 0, 3, 200, 9000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static bool is_asking(const struct fake_gl_call *call)
{
    return call->function == FAKE_GL_GetProgramiv || call->function == FAKE_GL_GetShaderiv ||
           call->function == FAKE_GL_ObjectLabel;
}

static void nothing_is_asked_before_all_are_begun(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    fake_gl_clear_trace();
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
    size_t links = fake_gl.calls_of[FAKE_GL_LinkProgram], linked = 0;
    CHECK(plan && links >= 5, "%zu programs", links);
    CHECK(fake_gl.calls_of[FAKE_GL_CompileShader] == links &&
              fake_gl.calls_of[FAKE_GL_DetachShader] == links &&
              fake_gl.calls_of[FAKE_GL_DeleteShader] == links,
          "of %zu programs", links);
    for (size_t i = 0; i < fake_gl.trace_count && linked < links; i++) {
        linked += fake_gl.trace[i].function == FAKE_GL_LinkProgram;
        CHECK(!is_asking(&fake_gl.trace[i]), "after %zu of %zu programs: %s", linked, links,
              fake_gl.trace[i].text);
    }

    /* They are there already. */
    fake_gl_clear_trace();
    gl_segsort_plan_destroy(recorded_plan(context, lengths, LENGTHS));
    CHECK(fake_gl.calls_of[FAKE_GL_CreateProgram] == 0 &&
              fake_gl.calls_of[FAKE_GL_GetProgramiv] == 0,
          "programs are made again");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* Makes the first call of the function fail that a plan's programs make. */
static void one_program_fails(enum fake_gl_function function, gl_segsort_result expected)
{
    char alive[400];
    gl_segsort_plan *plan;
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    /* One of the programs is there, and has to stay. */
    gl_segsort_plan *small = recorded_plan(context, &lengths[1], 1);
    size_t objects = fake_gl_alive(alive, sizeof alive);
    fake_gl.fail_next[function] = true;
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == expected, "%s: %s",
          fake_gl_function_name(function), gl_segsort_last_error(context));
    size_t left = fake_gl_alive(alive, sizeof alive);
    CHECK(left >= objects && !strstr(alive, "shader") && !strstr(alive, "unlabelled"),
          "%s leaves %s", fake_gl_function_name(function), alive);
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == GL_SEGSORT_SUCCESS, "%s: %s",
          fake_gl_function_name(function), gl_segsort_last_error(context));
    gl_segsort_sort_desc sort = recorded_sort_desc(400000);
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(small);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void programs_that_fail_leave_nothing_begun(void)
{
    one_program_fails(FAKE_GL_CompileShader, GL_SEGSORT_ERROR_COMPILE);
    one_program_fails(FAKE_GL_LinkProgram, GL_SEGSORT_ERROR_COMPILE);
    one_program_fails(FAKE_GL_AttachShader, GL_SEGSORT_ERROR_COMPILE);
    one_program_fails(FAKE_GL_CreateShader, GL_SEGSORT_ERROR_OUT_OF_MEMORY);
    one_program_fails(FAKE_GL_CreateProgram, GL_SEGSORT_ERROR_OUT_OF_MEMORY);
}

CHECK_MAIN(CHECK_TEST(nothing_is_asked_before_all_are_begun),
           CHECK_TEST(programs_that_fail_leave_nothing_begun))
