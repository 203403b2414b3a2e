/* More than one GL context, none, a lost one, an old one: who may call what, and whose objects are
 * whose. */
#include "host.h"
#include "snapshot.h"

#include <stdlib.h>
#include <threads.h>

static const uint32_t lengths[] = {3, 64, 0, 1000, 9000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static struct headless_gl other; /* second to host_gl */

static void enter(const struct headless_gl *gl)
{
    if (!headless_gl_make_current(gl)) {
        fprintf(stderr, "a context cannot be made current\n");
        abort();
    }
}

static void make_other(bool share)
{
    if (!headless_gl_create_another(&host_gl, share, &other)) {
        fprintf(stderr, "EGL gives no second context\n");
        abort();
    }
}

/* A library context, a plan and a sort in the current GL context. */
struct user {
    gl_segsort_context *context;
    gl_segsort_plan *plan;
    struct host_sort sort;
};

static void user_make(struct user *user)
{
    user->context = host_context(GL_SEGSORT_STATE_RESTORE);
    host_sort_make(&user->sort, lengths, LENGTHS, GENERATE_FEW_DISTINCT);
    user->plan = host_sort_plan(user->context, &user->sort);
}

static void user_free(struct user *user)
{
    gl_segsort_plan_destroy(user->plan);
    gl_segsort_context_destroy(user->context);
    host_sort_free(&user->sort);
}

static gl_segsort_result user_sort(struct user *user)
{
    gl_segsort_sort_desc desc = host_sort_desc(&user->sort);
    return gl_segsort_sort(user->plan, &desc);
}

/* ---------------------------------------------------------------------------------------------- */
/* The wrong one, or none */

static void refuses_while_wrong(struct user *user, const char *what)
{
    gl_segsort_plan *made = (gl_segsort_plan *)user;
    gl_segsort_plan_desc plan_desc = host_sort_plan_desc(&user->sort);
    gl_segsort_result result = user_sort(user);
    CHECK(result == GL_SEGSORT_ERROR_WRONG_CONTEXT, "%s: sort gives %s", what,
          gl_segsort_result_string(result));
    CHECK(*gl_segsort_last_error(user->context), "%s: no sentence", what);
    result = gl_segsort_plan_create(user->context, &plan_desc, &made);
    CHECK(result == GL_SEGSORT_ERROR_WRONG_CONTEXT && !made, "%s: plan_create gives %s", what,
          gl_segsort_result_string(result));
}

static void works_in_its_own(struct user *user, const char *what)
{
    CHECK(host_sort_untouched(&user->sort), "%s: the refused sort wrote", what);
    CHECK(user_sort(user) == GL_SEGSORT_SUCCESS && host_sort_right(&user->sort), "%s: %s", what,
          gl_segsort_last_error(user->context));
    CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", what);
}

static void wrong_context_current(void)
{
    struct user user;
    struct snapshot before, after, own_before, own_after;
    user_make(&user);
    snapshot_take(&own_before);
    make_other(false);
    enter(&other);
    snapshot_take(&before);
    refuses_while_wrong(&user, "another context");
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "refused calls, in the other context"), "wrong context");
    CHECK(glGetError() == GL_NO_ERROR, "GL error in the other context");
    enter(&host_gl);
    snapshot_take(&own_after);
    CHECK(snapshot_equal(&own_before, &own_after, "refused calls, in its own"), "wrong context");
    works_in_its_own(&user, "another context");
    user_free(&user);
    headless_gl_destroy(&other);
}

static void no_context_current(void)
{
    struct user user;
    user_make(&user);
    headless_gl_make_none_current(&host_gl);
    refuses_while_wrong(&user, "no context");
    enter(&host_gl);
    works_in_its_own(&user, "no context");
    user_free(&user);
}

/* Sharing objects is not being the same: bindings and pipelines are each context's own. */
static void sharing_context_current(void)
{
    struct user user;
    user_make(&user);
    make_other(true);
    enter(&other);
    refuses_while_wrong(&user, "a sharing context");
    enter(&host_gl);
    works_in_its_own(&user, "a sharing context");
    user_free(&user);
    headless_gl_destroy(&other);
}

static void created_without_a_context(void)
{
    headless_gl_make_none_current(&host_gl);
    gl_segsort_context_desc desc = host_context_desc();
    gl_segsort_context *context = (gl_segsort_context *)&desc;
    host_log_clear();
    gl_segsort_result result = gl_segsort_context_create(&desc, &context);
    CHECK(result == GL_SEGSORT_ERROR_WRONG_CONTEXT, "%s", gl_segsort_result_string(result));
    CHECK(!context && strstr(host_log_text(), "no GL context"), "%s", host_log_text());
    enter(&host_gl);
}

/* A loader that knows no way to tell the current context leaves that to the host's callback. */
static gl_segsort_proc get_gl_only(const char *name)
{
    return strncmp(name, "gl", 2) == 0 && strncmp(name, "glX", 3) != 0
               ? headless_gl_get_proc_address(name)
               : NULL;
}

static void host_tells_the_current_context(void)
{
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context_desc desc = host_context_desc();
    desc.get_proc_address = get_gl_only;
    desc.get_current_context = host_current_context;
    gl_segsort_context *context = NULL;
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc sort_desc = host_sort_desc(&sort);
    headless_gl_make_none_current(&host_gl);
    CHECK(gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_ERROR_WRONG_CONTEXT, "none");
    enter(&host_gl);
    CHECK(gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort), "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

static void nobody_tells_the_current_context(void)
{
    gl_segsort_context_desc desc = host_context_desc();
    desc.get_proc_address = get_gl_only;
    gl_segsort_context *context = NULL;
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    CHECK(context && host_sorts(context), "unknown");
    gl_segsort_context_destroy(context);
}

/* ---------------------------------------------------------------------------------------------- */
/* The ends of contexts */

#define SQUATTERS 400

/* Destroying a library context or a plan under another GL context leaves that context's objects
 * alone, although theirs have the same names as the library's. */
static void destroyed_under_another_context(void)
{
    struct user user;
    user_make(&user);
    make_other(false);
    enter(&other);
    GLuint buffers[SQUATTERS], programs[SQUATTERS];
    for (GLuint i = 0; i < SQUATTERS; i++) {
        buffers[i] = host_buffer(&i, sizeof i);
        programs[i] = glCreateProgram();
    }
    host_log_clear();
    gl_segsort_plan_destroy(user.plan);
    CHECK(*host_log_text(), "the plan's leak is not logged");
    host_log_clear();
    gl_segsort_context_destroy(user.context);
    CHECK(*host_log_text(), "the context's leak is not logged");
    for (GLuint i = 0; i < SQUATTERS; i++) {
        CHECK(glIsBuffer(buffers[i]) && host_buffer_equals(buffers[i], &i, sizeof i, "buffer"),
              "buffer %u of the other context is gone", buffers[i]);
        CHECK(glIsProgram(programs[i]), "program %u of the other context is gone", programs[i]);
    }
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    headless_gl_destroy(&other);
    enter(&host_gl);
    host_sort_free(&user.sort);
}

static void destroyed_without_a_context(void)
{
    struct user user;
    user_make(&user);
    headless_gl_make_none_current(&host_gl);
    gl_segsort_plan_destroy(user.plan);
    gl_segsort_context_destroy(user.context);
    enter(&host_gl);
    CHECK(host_sort_untouched(&user.sort) && glGetError() == GL_NO_ERROR, "none");
    host_sort_free(&user.sort);
}

static void plan_destroyed_after_its_context(void)
{
    struct user user;
    struct host_objects before, after;
    host_count_objects(&before);
    user_make(&user);
    gl_segsort_plan *second = host_sort_plan(user.context, &user.sort);
    gl_segsort_context_destroy(user.context);
    CHECK(user_sort(&user) == GL_SEGSORT_ERROR_CONTEXT_LOST, "a sort after the end");
    CHECK(host_sort_untouched(&user.sort), "written");
    gl_segsort_plan_destroy(second);
    gl_segsort_plan_destroy(user.plan);
    host_sort_free(&user.sort);
    host_count_objects(&after);
    CHECK(host_objects_equal(&before, &after), "GL objects are left");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
}

/* The GL context is gone, and another one is current whose objects have the same names. */
static void abandoned(void)
{
    struct user user;
    make_other(false);
    enter(&other);
    user_make(&user);
    CHECK(user_sort(&user) == GL_SEGSORT_SUCCESS && host_sort_right(&user.sort), "before");
    headless_gl_destroy(&other);
    enter(&host_gl);
    GLuint buffers[SQUATTERS];
    for (GLuint i = 0; i < SQUATTERS; i++)
        buffers[i] = host_buffer(&i, sizeof i);
    gl_segsort_context_abandon(user.context);
    gl_segsort_result result = user_sort(&user);
    CHECK(result == GL_SEGSORT_ERROR_CONTEXT_LOST, "%s", gl_segsort_result_string(result));
    gl_segsort_plan_destroy(user.plan);
    for (GLuint i = 0; i < SQUATTERS; i++)
        CHECK(host_buffer_equals(buffers[i], &i, sizeof i, "a buffer of the other context"),
              "buffer %u", buffers[i]);
    glDeleteBuffers(SQUATTERS, buffers);
    memset(user.sort.buffers, 0, sizeof user.sort.buffers);
    host_sort_free(&user.sort);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
}

/* ---------------------------------------------------------------------------------------------- */
/* Several that work */

static void two_side_by_side(void)
{
    struct user here, there;
    user_make(&here);
    make_other(false);
    enter(&other);
    user_make(&there);
    for (int turn = 0; turn < 4; turn++) {
        enter(&host_gl);
        host_sort_upload(&here.sort);
        CHECK(user_sort(&here) == GL_SEGSORT_SUCCESS && host_sort_right(&here.sort), "%s",
              gl_segsort_last_error(here.context));
        enter(&other);
        host_sort_upload(&there.sort);
        CHECK(user_sort(&there) == GL_SEGSORT_SUCCESS && host_sort_right(&there.sort), "%s",
              gl_segsort_last_error(there.context));
    }
    enter(&host_gl);
    user_free(&here);
    enter(&other);
    host_sort_upload(&there.sort);
    CHECK(user_sort(&there) == GL_SEGSORT_SUCCESS && host_sort_right(&there.sort),
          "after the end of the first: %s", gl_segsort_last_error(there.context));
    user_free(&there);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    headless_gl_destroy(&other);
    enter(&host_gl);
}

/* Two library contexts in one GL context, as two plugins of one host would have. */
static void two_in_one(void)
{
    struct user first, second;
    user_make(&first);
    user_make(&second);
    CHECK(user_sort(&first) == GL_SEGSORT_SUCCESS && user_sort(&second) == GL_SEGSORT_SUCCESS,
          "sort");
    CHECK(host_sort_right(&first.sort) && host_sort_right(&second.sort), "two");
    user_free(&first);
    host_sort_upload(&second.sort);
    CHECK(user_sort(&second) == GL_SEGSORT_SUCCESS && host_sort_right(&second.sort),
          "after the end of the first");
    user_free(&second);
}

/* A loader context uploads, the renderer's context sorts, a third reads. Changes in one shared
 * context are seen in another once they are complete and the object is bound there. */
static void shared_buffers(void)
{
    struct user user;
    user_make(&user);
    make_other(true);
    enter(&other);
    host_sort_upload(&user.sort);
    glFinish();
    enter(&host_gl);
    CHECK(user_sort(&user) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(user.context));
    glFinish();
    enter(&other);
    CHECK(host_sort_right(&user.sort), "read in the sharing context");
    gl_segsort_context *second = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(second, &user.sort);
    gl_segsort_sort_desc desc = host_sort_desc(&user.sort);
    host_sort_upload(&user.sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&user.sort), "%s",
          gl_segsort_last_error(second));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(second);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    enter(&host_gl);
    host_sort_upload(&user.sort);
    CHECK(user_sort(&user) == GL_SEGSORT_SUCCESS && host_sort_right(&user.sort),
          "after the end of the sharing one: %s", gl_segsort_last_error(user.context));
    user_free(&user);
    headless_gl_destroy(&other);
}

struct worker {
    struct user *user;
    gl_segsort_result result;
};

static int sort_in_a_thread(void *argument)
{
    struct worker *worker = argument;
    enter(&host_gl);
    worker->result = user_sort(worker->user);
    headless_gl_make_none_current(&host_gl);
    return 0;
}

/* The GL context is what counts, not the thread that it was current on at creation. */
static void context_moves_to_another_thread(void)
{
    struct user user;
    user_make(&user);
    struct worker worker = {&user, GL_SEGSORT_ERROR_GL};
    headless_gl_make_none_current(&host_gl);
    thrd_t thread;
    if (CHECK(thrd_create(&thread, sort_in_a_thread, &worker) == thrd_success, "no thread"))
        thrd_join(thread, NULL);
    enter(&host_gl);
    CHECK(worker.result == GL_SEGSORT_SUCCESS && host_sort_right(&user.sort), "%s",
          gl_segsort_last_error(user.context));
    user_free(&user);
}

/* ---------------------------------------------------------------------------------------------- */
/* Old ones */

static size_t stubs_called;

static void GLAD_API_PTR count_call(void)
{
    stubs_called++;
}

static const GLubyte *GLAD_API_PTR tell_version_33(GLenum name)
{
    return name == GL_VERSION ? (const GLubyte *)"3.3.7 of the test" : glGetString(name);
}

/* Has stubs for every GL name, as some loaders do: a pointer that isn't NULL proves nothing. */
static gl_segsort_proc get_stubs_of_33(const char *name)
{
    if (strcmp(name, "glGetString") == 0)
        return (gl_segsort_proc)tell_version_33;
    return strncmp(name, "gl", 2) == 0 ? (gl_segsort_proc)count_call : NULL;
}

static void version_is_checked_before_any_function_is_used(void)
{
    gl_segsort_context_desc desc = host_context_desc();
    desc.get_proc_address = get_stubs_of_33;
    gl_segsort_context *context;
    stubs_called = 0;
    gl_segsort_result result = gl_segsort_context_create(&desc, &context);
    CHECK(result == GL_SEGSORT_ERROR_UNSUPPORTED, "%s", gl_segsort_result_string(result));
    CHECK(stubs_called == 0, "%zu functions were called in a 3.3 context", stubs_called);
    CHECK(strstr(host_log_text(), "4.3") && strstr(host_log_text(), "3.3"), "%s", host_log_text());
}

/* glad 415: all missing functions are listed, not only the first. */
static void missing_functions_are_listed(void)
{
    static const char *const names[] = {"glDispatchCompute", "glMemoryBarrier", "glBindBufferRange",
                                        "glPushDebugGroup"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        host_swap(names[i], NULL);
    gl_segsort_context_desc desc = host_context_desc();
    gl_segsort_context *context;
    gl_segsort_result result = gl_segsort_context_create(&desc, &context);
    host_swap_back();
    CHECK(result == GL_SEGSORT_ERROR_UNSUPPORTED && !context, "%s",
          gl_segsort_result_string(result));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(strstr(host_log_text(), names[i]), "%s is not in '%s'", names[i], host_log_text());
    CHECK(!strstr(host_log_text(), "glUseProgram"), "%s", host_log_text());
}

/* A real context of 3.3 where the driver makes such a thing; most give their newest version
 * whatever is asked for. CTest runs this one a second time, with Mesa told to; there is no context
 * of 4.3 then. */
static void real_version_33(void)
{
    struct headless_gl old;
    if (host_gl.context)
        headless_gl_make_none_current(&host_gl);
    if (CHECK(headless_gl_create(&old, 3, 3, false), "%s", old.error)) {
        if (!host_gl.context)
            gladLoadGL(headless_gl_get_proc_address);
        GLint major = 0, minor = 0;
        glGetIntegerv(GL_MAJOR_VERSION, &major);
        glGetIntegerv(GL_MINOR_VERSION, &minor);
        bool enough = major > 4 || (major == 4 && minor >= 3);
        printf("       a context of 3.3 turns out to be %d.%d\n", major, minor);
        gl_segsort_context_desc desc = host_context_desc();
        gl_segsort_context *context;
        gl_segsort_result result = gl_segsort_context_create(&desc, &context);
        CHECK(result == (enough ? GL_SEGSORT_SUCCESS : GL_SEGSORT_ERROR_UNSUPPORTED), "%d.%d: %s",
              major, minor, gl_segsort_result_string(result));
        char version[32];
        snprintf(version, sizeof version, "%d.%d", major, minor);
        CHECK(enough || (strstr(host_log_text(), version) && strstr(host_log_text(), "4.3")), "%s",
              host_log_text());
        CHECK(glGetError() == GL_NO_ERROR, "GL error");
        gl_segsort_context_destroy(context);
        headless_gl_destroy(&old);
    }
    if (host_gl.context)
        enter(&host_gl);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {
        CHECK_TEST(wrong_context_current),
        CHECK_TEST(no_context_current),
        CHECK_TEST(sharing_context_current),
        CHECK_TEST(created_without_a_context),
        CHECK_TEST(host_tells_the_current_context),
        CHECK_TEST(nobody_tells_the_current_context),
        CHECK_TEST(destroyed_under_another_context),
        CHECK_TEST(destroyed_without_a_context),
        CHECK_TEST(plan_destroyed_after_its_context),
        CHECK_TEST(abandoned),
        CHECK_TEST(two_side_by_side),
        CHECK_TEST(two_in_one),
        CHECK_TEST(shared_buffers),
        CHECK_TEST(context_moves_to_another_thread),
        CHECK_TEST(version_is_checked_before_any_function_is_used),
        CHECK_TEST(missing_functions_are_listed),
        CHECK_TEST(real_version_33)};
    if (argc > 1 && strcmp(argv[1], "real_version_33") == 0)
        return check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
