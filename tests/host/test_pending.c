/* GL errors that the host raised and has not asked for yet. Where GL has a way to put one back
 * every call leaves it pending; otherwise a call that has to ask for errors returns it, and does
 * nothing. */
#include "host.h"

static const uint32_t lengths[] = {3, 64, 0, 1000, 9000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static struct host_sort sort;
static gl_segsort_context *context;
static gl_segsort_plan *plan;

static void raise_invalid_enum(void)
{
    glEnable(0xffff);
}

static void raise_invalid_value(void)
{
    glLineWidth(-1.0f);
}

static void raise_invalid_operation(void)
{
    glEndQuery(GL_ANY_SAMPLES_PASSED);
}

static void raise_invalid_framebuffer_operation(void)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
}

static void raise_stack_underflow(void)
{
    glPopDebugGroup();
}

#define REPLACEABLE 3 /* so many of these GL lets a library commit again */

static const struct pending {
    const char *name;
    void (*raise)(void);
    GLenum error;
} pendings[] = {
    {"GL_INVALID_ENUM", raise_invalid_enum, GL_INVALID_ENUM},
    {"GL_INVALID_VALUE", raise_invalid_value, GL_INVALID_VALUE},
    {"GL_INVALID_OPERATION", raise_invalid_operation, GL_INVALID_OPERATION},
    {"GL_INVALID_FRAMEBUFFER_OPERATION", raise_invalid_framebuffer_operation,
     GL_INVALID_FRAMEBUFFER_OPERATION},
    {"GL_STACK_UNDERFLOW", raise_stack_underflow, GL_STACK_UNDERFLOW},
};

static bool still_pending(const struct pending *pending, const char *after)
{
    GLenum error = glGetError(), second = glGetError();
    if (error == pending->error && second == GL_NO_ERROR)
        return true;
    fprintf(stderr, "%s was pending before %s, then it was 0x%04x and 0x%04x\n", pending->name,
            after, error, second);
    return false;
}

static void pending_error_stays(const struct pending *pending, gl_segsort_state_policy policy)
{
    gl_segsort_context_desc context_desc = host_context_desc();
    gl_segsort_plan_desc plan_desc = host_sort_plan_desc(&sort);
    gl_segsort_sort_desc sort_desc = host_sort_desc(&sort);
    context_desc.state_policy = policy;
    pending->raise();
    CHECK(gl_segsort_context_create(&context_desc, &context) == GL_SEGSORT_SUCCESS, "%s: %s",
          pending->name, host_log_text());
    CHECK(still_pending(pending, "gl_segsort_context_create"), "policy %d", policy);
    pending->raise();
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "%s: %s",
          pending->name, host_log_text());
    CHECK(still_pending(pending, "gl_segsort_plan_create"), "policy %d", policy);
    pending->raise();
    gl_segsort_result result = gl_segsort_sort(plan, &sort_desc);
    CHECK(still_pending(pending, "gl_segsort_sort"), "policy %d", policy);
    CHECK(result == GL_SEGSORT_SUCCESS && host_sort_right(&sort), "%s: %s", pending->name,
          gl_segsort_result_string(result));
    host_sort_upload(&sort);
    pending->raise();
    gl_segsort_plan_destroy(plan);
    CHECK(still_pending(pending, "gl_segsort_plan_destroy"), "policy %d", policy);
    pending->raise();
    gl_segsort_context_destroy(context);
    CHECK(still_pending(pending, "gl_segsort_context_destroy"), "policy %d", policy);
}

static void pending_errors_stay(void)
{
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    for (size_t i = 0; i < REPLACEABLE; i++)
        for (int policy = 0; policy < 2; policy++)
            pending_error_stays(&pendings[i], (gl_segsort_state_policy)policy);
    host_sort_free(&sort);
}

/* The call returned the error, told its number, and there is no other. */
static bool was_returned(const struct pending *pending, gl_segsort_result result, const char *by)
{
    char number[16];
    GLenum error = glGetError();
    snprintf(number, sizeof number, "0x%04x", pending->error);
    if (result == GL_SEGSORT_ERROR_GL && strstr(host_log_text(), number) && error == GL_NO_ERROR)
        return true;
    fprintf(stderr, "%s was pending before %s, which gives %s (%s) and leaves 0x%04x\n",
            pending->name, by, gl_segsort_result_string(result), host_log_text(), error);
    return false;
}

static void pending_error_is_returned(const struct pending *pending, gl_segsort_state_policy policy)
{
    gl_segsort_context_desc context_desc = host_context_desc();
    gl_segsort_plan_desc plan_desc = host_sort_plan_desc(&sort);
    gl_segsort_sort_desc sort_desc = host_sort_desc(&sort);
    context_desc.state_policy = policy;
    pending->raise();
    gl_segsort_result result = gl_segsort_context_create(&context_desc, &context);
    CHECK(was_returned(pending, result, "gl_segsort_context_create") && !context, "context");
    context = host_context(policy);
    pending->raise();
    result = gl_segsort_plan_create(context, &plan_desc, &plan);
    CHECK(was_returned(pending, result, "gl_segsort_plan_create") && !plan, "plan");
    plan = host_sort_plan(context, &sort);
    pending->raise();
    result = gl_segsort_sort(plan, &sort_desc);
    if (policy == GL_SEGSORT_STATE_RESTORE) {
        CHECK(was_returned(pending, result, "gl_segsort_sort"), "sort");
        CHECK(host_sort_untouched(&sort), "%s: a refused sort wrote", pending->name);
        result = gl_segsort_sort(plan, &sort_desc);
    } else {
        CHECK(still_pending(pending, "gl_segsort_sort that asks for nothing"), "sort");
    }
    CHECK(result == GL_SEGSORT_SUCCESS && host_sort_right(&sort), "%s: %s", pending->name,
          gl_segsort_last_error(context));
    host_sort_upload(&sort);
    pending->raise();
    gl_segsort_plan_destroy(plan);
    CHECK(still_pending(pending, "gl_segsort_plan_destroy"), "policy %d", policy);
    pending->raise();
    gl_segsort_context_destroy(context);
    CHECK(still_pending(pending, "gl_segsort_context_destroy"), "policy %d", policy);
}

static void pending_errors_of_other_kinds_are_returned(void)
{
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    for (size_t i = REPLACEABLE; i < sizeof pendings / sizeof pendings[0]; i++)
        for (int policy = 0; policy < 2; policy++)
            pending_error_is_returned(&pendings[i], (gl_segsort_state_policy)policy);
    host_sort_free(&sort);
}

static void GLAD_API_PTR dispatch_too_much(GLuint x, GLuint y, GLuint z)
{
    (void)x;
    (void)y;
    (void)z;
    glDispatchCompute(1, 0xffffffffu, 1);
}

/* The host's error doesn't hide the library's, nor the other way round. */
static void pending_error_and_own_error(void)
{
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    host_swap("glDispatchCompute", (gl_segsort_proc)dispatch_too_much);
    context = host_context(GL_SEGSORT_STATE_RESTORE);
    host_swap_back();
    plan = host_sort_plan(context, &sort);
    raise_invalid_enum();
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_GL, "GL's refusal went unnoticed");
    CHECK(still_pending(&pendings[0], "a sort that GL refuses"), "mixed");
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_GL, "GL's refusal went unnoticed");
    CHECK(glGetError() == GL_NO_ERROR, "the library's own error was left to the host");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {
        CHECK_TEST(pending_errors_stay), CHECK_TEST(pending_errors_of_other_kinds_are_returned),
        CHECK_TEST(pending_error_and_own_error)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
