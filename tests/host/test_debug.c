/* KHR_debug: what a host that listens hears of the library, what its tools can read, and its own
 * groups. */
#include "host_listed.h"

#define FRAMES 300
#define MAX_EVENTS 256

static const uint32_t lengths[] = {3, 50, 64, 0, 1000, 5000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

/* ---------------------------------------------------------------------------------------------- */
/* The host's callback */

static size_t serious_messages;

/* Groups pushed, "push <label>", and popped, "pop <label>", since events_begin. */
static char events[MAX_EVENTS][160];
static size_t event_count;

static const char *severity_name(GLenum severity)
{
    return severity == GL_DEBUG_SEVERITY_HIGH     ? "high"
           : severity == GL_DEBUG_SEVERITY_MEDIUM ? "medium"
                                                  : "low";
}

static void note_event(const char *kind, const GLchar *message)
{
    if (event_count < MAX_EVENTS)
        snprintf(events[event_count], sizeof events[0], "%s %s", kind, message);
    event_count++;
}

static void GLAD_API_PTR hear(GLenum source, GLenum type, GLuint id, GLenum severity,
                              GLsizei length, const GLchar *message, const void *user)
{
    (void)length;
    (void)user;
    if (severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM) {
        serious_messages++;
        fprintf(stderr, "GL says (%s, source 0x%04x, type 0x%04x, id %u): %s\n",
                severity_name(severity), source, type, id, message);
    }
    if (source == GL_DEBUG_SOURCE_THIRD_PARTY && type == GL_DEBUG_TYPE_PUSH_GROUP)
        note_event("push", message);
    if (source == GL_DEBUG_SOURCE_THIRD_PARTY && type == GL_DEBUG_TYPE_POP_GROUP)
        note_event("pop", message);
}

static void listen(void)
{
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(hear, NULL);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
    serious_messages = event_count = 0;
}

static void stop_listening(void)
{
    glDebugMessageCallback(NULL, NULL);
    glDisable(GL_DEBUG_OUTPUT);
}

static void the_callback_hears(void)
{
    listen();
    glEnable(0xffff);
    CHECK(serious_messages == 1, "a mistake of the host's gives %zu messages", serious_messages);
    while (glGetError() != GL_NO_ERROR)
        continue;
    stop_listening();
}

/* ---------------------------------------------------------------------------------------------- */
/* runelite 7665 */

static void frames_say_nothing_serious(gl_segsort_state_policy policy)
{
    struct host_sort sort;
    listen();
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(policy);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    for (int frame = 0; frame < FRAMES; frame++) {
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
        if (frame % 50 == 49) { /* a new layout now and then */
            gl_segsort_plan_destroy(plan);
            plan = host_sort_plan(context, &sort);
        }
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    stop_listening(); /* drivers have things to say of a host that reads its buffers back */
    CHECK(serious_messages == 0, "%zu messages of medium severity or more", serious_messages);
    CHECK(host_sort_right(&sort), "the sort");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    host_sort_free(&sort);
}

static void three_hundred_frames(void)
{
    frames_say_nothing_serious(GL_SEGSORT_STATE_RESTORE);
}

static void three_hundred_dirty_frames(void)
{
    frames_say_nothing_serious(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

/* Times are asked for every frame, inside of a query of the host's own; the number of segments
 * changes from frame to frame. */
static void listed_frames_say_nothing_serious(gl_segsort_state_policy policy)
{
    struct host_listed listed;
    struct host_names names, names_after;
    GLuint query;
    host_listed_make(&listed, lengths, LENGTHS);
    const uint32_t none[2] = {0, 2};
    GLuint counts = host_buffer(none, sizeof none);
    listen();
    gl_segsort_context *context = host_context(policy);
    gl_segsort_plan *plan = host_listed_plan(context, &listed, true);
    glGenQueries(1, &query);
    for (int frame = 0; frame < FRAMES; frame++) {
        gl_segsort_sort_desc desc = listed.sort_desc;
        gl_segsort_timings timings;
        if (frame % 3 > 0 && frame != FRAMES - 1)
            desc.segment_count = (gl_segsort_view){counts, frame % 3 == 1 ? 0 : 4, 1};
        glBeginQuery(GL_TIME_ELAPSED, query);
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS &&
                  gl_segsort_gather(plan, &listed.gather_desc) == GL_SEGSORT_SUCCESS &&
                  gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_SUCCESS,
              "%s", host_log_text());
        glEndQuery(GL_TIME_ELAPSED);
        if (frame == 4)
            host_next_names(&names);
        if (frame == 48) {
            host_next_names(&names_after);
            CHECK(host_names_equal(&names, &names_after), "a frame made GL objects");
        }
        if (frame % 50 == 49) { /* a new layout now and then */
            gl_segsort_plan_destroy(plan);
            plan = host_listed_plan(context, &listed, true);
        }
    }
    CHECK(gl_segsort_sort(plan, &listed.sort_desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    stop_listening(); /* drivers have things to say of a host that reads its buffers back */
    CHECK(serious_messages == 0, "%zu messages of medium severity or more", serious_messages);
    CHECK(host_times_come_in(plan), "times");
    CHECK(host_listed_right(&listed, true), "the sort");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    glDeleteQueries(1, &query);
    glDeleteBuffers(1, &counts);
    host_listed_free(&listed);
}

static void three_hundred_listed_frames(void)
{
    listed_frames_say_nothing_serious(GL_SEGSORT_STATE_RESTORE);
}

static void three_hundred_dirty_listed_frames(void)
{
    listed_frames_say_nothing_serious(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

/* A buffer that isn't there is told by a result, not by a GL error that the host's callback would
 * break on. */
static void refusals_say_nothing_serious(void)
{
    struct host_sort sort;
    listen();
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.keys.buffer = 0x7ffffff0;
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "unknown buffer");
    desc = host_sort_desc(&sort);
    desc.keys.byte_offset = 1 << 20;
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_OUT_OF_RANGE, "past the end");
    desc = host_sort_desc(&sort);
    desc.barriers_after = 1u << 30;
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "barrier bits");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    stop_listening();
    CHECK(serious_messages == 0, "%zu messages of medium severity or more", serious_messages);
    host_sort_free(&sort);
}

/* Hosts that listen often never call glGetError, so that an old error is pending all the time.
 * Keeping it pending is no reason to raise it again: the host would hear of a mistake that nobody
 * made just now, every frame. */
static void pending_error_is_not_heard_again(void)
{
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    glEnable(0xffff);
    listen();
    for (int frame = 0; frame < 3; frame++)
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    CHECK(glIsEnabled(GL_DEBUG_OUTPUT), "the host can't hear any more");
    stop_listening();
    CHECK(serious_messages == 0, "three frames with an old error pending give %zu messages",
          serious_messages);
    CHECK(glGetError() == GL_INVALID_ENUM, "the pending error is gone");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

/* ---------------------------------------------------------------------------------------------- */
/* Groups */

static void groups_carry_the_passes_labels(void)
{
    struct host_sort sort;
    gl_segsort_plan_description description;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    gl_segsort_plan_describe(plan, &description);
    listen();
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    stop_listening();
    CHECK(event_count == 2 * (size_t)description.pass_count, "%zu events for %u passes",
          event_count, description.pass_count);
    for (uint32_t i = 0; i < description.pass_count && 2 * i + 1 < MAX_EVENTS; i++) {
        const char *label = description.passes[i].label;
        CHECK(strncmp(events[2 * i], "push ", 5) == 0 && strcmp(events[2 * i] + 5, label) == 0,
              "pass %u is '%s', heard was '%s'", i, label, events[2 * i]);
        CHECK(strncmp(events[2 * i + 1], "pop ", 4) == 0, "heard was '%s'", events[2 * i + 1]);
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

static bool heard(const char *event)
{
    for (size_t i = 0; i < event_count && i < MAX_EVENTS; i++)
        if (strcmp(events[i], event) == 0)
            return true;
    return false;
}

/* <label>-bitonic-local-<width>, and the plan's default label. */
static void groups_are_called_as_documented(void)
{
    static const uint32_t short_lengths[] = {3, 50, 64, 100};
    struct host_sort sort;
    host_sort_make(&sort, short_lengths, 4, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan;
    gl_segsort_plan_desc plan_desc = host_sort_plan_desc(&sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    plan_desc.algorithm = GL_SEGSORT_ALGORITHM_BITONIC;
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "plan");
    listen();
    gl_segsort_sort(plan, &desc);
    CHECK(heard("push mesh-bitonic-local-4") && heard("push mesh-bitonic-local-64") &&
              heard("push mesh-bitonic-local-128") && event_count == 6,
          "%zu events, the first is '%s'", event_count, events[0]);
    gl_segsort_plan_destroy(plan);
    plan_desc.label = NULL;
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "plan");
    event_count = 0;
    gl_segsort_sort(plan, &desc);
    CHECK(heard("push segsort-bitonic-local-64"), "the first event is '%s'", events[0]);
    stop_listening();
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

static GLint group_depth(void)
{
    GLint depth = 0;
    glGetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &depth);
    return depth;
}

/* Pushes so many groups of the host's, sorts, and sees that they are still there. */
static void host_groups_stay(gl_segsort_state_policy policy, GLint groups)
{
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(policy);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    for (GLint i = 0; i < groups; i++)
        glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, (GLuint)i, -1, "host");
    GLint before = group_depth();
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    GLenum error = glGetError();
    CHECK(error == GL_NO_ERROR, "policy %d, %d groups: GL error 0x%04x", policy, groups, error);
    CHECK(group_depth() == before, "policy %d: there were %d groups, there are %d", policy,
          before - 1, group_depth() - 1);
    CHECK(host_sort_right(&sort), "the sort");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(group_depth() == before, "there were %d groups, there are %d", before - 1,
          group_depth() - 1);
    while (group_depth() > 1)
        glPopDebugGroup();
    host_sort_free(&sort);
}

static void group_stack_unchanged(void)
{
    host_groups_stay(GL_SEGSORT_STATE_RESTORE, 0);
    host_groups_stay(GL_SEGSORT_STATE_RESTORE, 3);
    host_groups_stay(GL_SEGSORT_STATE_LEAVE_DIRTY, 3);
}

/* GL's stack starts at a depth of 1, so this fills it. */
static void full_group_stack(void)
{
    GLint max = 0;
    glGetIntegerv(GL_MAX_DEBUG_GROUP_STACK_DEPTH, &max);
    host_groups_stay(GL_SEGSORT_STATE_RESTORE, max - 2);
    host_groups_stay(GL_SEGSORT_STATE_RESTORE, max - 1);
}

/* Nothing is asked of GL in this mode: the host keeps one level free, and one is enough. */
static void almost_full_group_stack_in_dirty_mode(void)
{
    GLint max = 0;
    glGetIntegerv(GL_MAX_DEBUG_GROUP_STACK_DEPTH, &max);
    host_groups_stay(GL_SEGSORT_STATE_LEAVE_DIRTY, max - 2);
}

/* ---------------------------------------------------------------------------------------------- */
/* Labels */

#define MAX_LABELED 64

static struct {
    GLenum type;
    GLuint name;
} labeled[MAX_LABELED];
static size_t labeled_count;

static void GLAD_API_PTR note_label(GLenum type, GLuint name, GLsizei length, const GLchar *label)
{
    glObjectLabel(type, name, length, label);
    if (labeled_count < MAX_LABELED) {
        labeled[labeled_count].type = type;
        labeled[labeled_count++].name = name;
    }
}

/* Of the objects that the library has: whether GL gives that label for exactly one. */
static bool one_has_label(GLenum type, const char *label)
{
    size_t found = 0;
    for (size_t i = 0; i < labeled_count; i++) {
        GLchar text[256] = "";
        if (labeled[i].type == type)
            glGetObjectLabel(type, labeled[i].name, sizeof text, NULL, text);
        found += strcmp(text, label) == 0;
    }
    if (found != 1)
        fprintf(stderr, "%zu objects are called '%s'\n", found, label);
    return found == 1;
}

/* Nothing but the plan's own passes and objects are to be heard of, and no known-answer test. */
static gl_segsort_context *portable_context(const char *label)
{
    gl_segsort_context_desc desc = host_context_desc();
    gl_segsort_context *context = NULL;
    desc.label = label;
    desc.kernel_path = GL_SEGSORT_KERNEL_PATH_PORTABLE;
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    return context;
}

static void objects_have_labels(void)
{
    struct host_sort sort;
    struct host_objects before, after;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    host_count_objects(&before);
    host_swap("glObjectLabel", (gl_segsort_proc)note_label);
    labeled_count = 0;
    gl_segsort_context *context = portable_context("host");
    host_swap_back();
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    CHECK(one_has_label(GL_BUFFER, "mesh-table") && one_has_label(GL_BUFFER, "mesh-parameters") &&
              one_has_label(GL_BUFFER, "mesh-scratch"),
          "buffers");
    CHECK(one_has_label(GL_PROGRAM, "host-bucket-local-1024"), "programs");
    host_count_objects(&after);
    CHECK(labeled_count == after.buffers - before.buffers + after.programs - before.programs,
          "%zu objects have labels, but there are %zu more buffers and %zu more programs",
          labeled_count, after.buffers - before.buffers, after.programs - before.programs);
    CHECK(after.shaders == before.shaders, "%zu shaders are left", after.shaders - before.shaders);
    CHECK(after.queries == before.queries && after.textures == before.textures, "other objects");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    host_sort_free(&sort);
}

/* Longer than what is kept, up to GL's own limit and over it. */
static void long_labels(void)
{
    struct host_sort sort;
    char label[1024];
    memset(label, 'a', sizeof label);
    label[sizeof label - 1] = '\0';
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    listen();
    gl_segsort_context *context = portable_context(label);
    gl_segsort_plan_desc plan_desc = host_sort_plan_desc(&sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    plan_desc.label = label;
    gl_segsort_plan *plan = NULL;
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          host_log_text());
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    stop_listening();
    CHECK(strncmp(events[0], "push ", 5) == 0 && strspn(events[0] + 5, "a") == 63 &&
              events[0][5 + 63] == '-',
          "63 bytes of the label are kept, heard was '%s'", events[0]);
    CHECK(serious_messages == 0 && glGetError() == GL_NO_ERROR, "GL complains of long labels");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

/* ---------------------------------------------------------------------------------------------- */

/* The host's callback, its user pointer and its filters are the host's. */
static void callback_stays(void)
{
    int user;
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    listen();
    glDebugMessageCallback(hear, &user);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    void *callback = NULL, *now_user = NULL;
    glGetPointerv(GL_DEBUG_CALLBACK_FUNCTION, &callback);
    glGetPointerv(GL_DEBUG_CALLBACK_USER_PARAM, &now_user);
    void (*expected)(void) = (void (*)(void))hear;
    CHECK(memcmp(&callback, &expected, sizeof callback) == 0 && now_user == &user,
          "the callback was changed");
    CHECK(glIsEnabled(GL_DEBUG_OUTPUT) && glIsEnabled(GL_DEBUG_OUTPUT_SYNCHRONOUS), "enables");
    serious_messages = 0;
    glEnable(0xffff);
    CHECK(serious_messages == 1, "the filters were changed");
    while (glGetError() != GL_NO_ERROR)
        continue;
    stop_listening(); /* drivers have things to say of a host that reads its buffers back */
    CHECK(host_sort_right(&sort), "the sort");
    host_sort_free(&sort);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(the_callback_hears),
                                              CHECK_TEST(three_hundred_frames),
                                              CHECK_TEST(three_hundred_dirty_frames),
                                              CHECK_TEST(three_hundred_listed_frames),
                                              CHECK_TEST(three_hundred_dirty_listed_frames),
                                              CHECK_TEST(refusals_say_nothing_serious),
                                              CHECK_TEST(pending_error_is_not_heard_again),
                                              CHECK_TEST(groups_carry_the_passes_labels),
                                              CHECK_TEST(groups_are_called_as_documented),
                                              CHECK_TEST(group_stack_unchanged),
                                              CHECK_TEST(full_group_stack),
                                              CHECK_TEST(almost_full_group_stack_in_dirty_mode),
                                              CHECK_TEST(objects_have_labels),
                                              CHECK_TEST(long_labels),
                                              CHECK_TEST(callback_stays)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], true);
}
