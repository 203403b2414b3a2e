/* Calls that fail, one for every way that each error comes about: the right code, a sentence, the
 * host's state as it was, no buffer written, nothing left behind, and the next call works. */
#include "busy.h"
#include "snapshot.h"

static const uint32_t lengths[] = {3, 64, 0, 1000, 9000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static struct host_sort sort;
static struct host_memory memory;
static gl_segsort_context *context;
static gl_segsort_plan *plan; /* a good one */

static void *fake_current_context;

static void *get_fake_current_context(void)
{
    return fake_current_context ? fake_current_context : host_current_context();
}

static gl_segsort_context_desc counting_desc(void)
{
    gl_segsort_context_desc desc = host_context_desc();
    desc.allocator = host_allocator(&memory);
    desc.get_current_context = get_fake_current_context;
    return desc;
}

/* A context on functions that were swapped; gives what its plan creation or a sort with it comes
 * to. */
static gl_segsort_result with_swapped_context(bool sorts)
{
    gl_segsort_context_desc desc = counting_desc();
    gl_segsort_plan_desc plan_desc = host_sort_plan_desc(&sort);
    gl_segsort_sort_desc sort_desc = host_sort_desc(&sort);
    gl_segsort_context *swapped;
    gl_segsort_plan *made = NULL;
    gl_segsort_result result = gl_segsort_context_create(&desc, &swapped);
    host_swap_back();
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    result = gl_segsort_plan_create(swapped, &plan_desc, &made);
    if (sorts && result == GL_SEGSORT_SUCCESS)
        result = gl_segsort_sort(made, &sort_desc);
    gl_segsort_plan_destroy(made);
    gl_segsort_context_destroy(swapped);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* INVALID_ARGUMENT */

static gl_segsort_result sort_desc_null(void)
{
    return gl_segsort_sort(plan, NULL);
}

static gl_segsort_result buffer_zero(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.output_values.buffer = 0;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result buffer_unknown(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.output_values.buffer = 0x7ffffff0;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result offset_misaligned(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.values.byte_offset = 2;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result barrier_unknown(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.barriers_after = 0x10;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result plan_desc_null(void)
{
    gl_segsort_plan *made;
    return gl_segsort_plan_create(context, NULL, &made);
}

static gl_segsort_result enumerator_unknown(void)
{
    gl_segsort_plan *made;
    gl_segsort_plan_desc desc = host_sort_plan_desc(&sort);
    desc.direction = (gl_segsort_direction)2;
    return gl_segsort_plan_create(context, &desc, &made);
}

static gl_segsort_result loader_missing(void)
{
    gl_segsort_context_desc desc = counting_desc();
    gl_segsort_context *made;
    desc.get_proc_address = NULL;
    return gl_segsort_context_create(&desc, &made);
}

/* ---------------------------------------------------------------------------------------------- */
/* OUT_OF_RANGE, OVERLAP */

static gl_segsort_result view_too_small(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.output_keys.rows--;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result buffer_too_small(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.output_values.byte_offset = 4;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result offset_past_everything(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.keys.byte_offset = UINT64_MAX - 3;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result segment_wraps(void)
{
    static const gl_segsort_segment segment = {0xfffffff0u, 0, 0, 0, 0x20};
    gl_segsort_plan_desc desc = {.segments = &segment, .segment_count = 1};
    gl_segsort_plan *made;
    return gl_segsort_plan_create(context, &desc, &made);
}

static gl_segsort_result outputs_overlap(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.output_values = desc.output_keys;
    return gl_segsort_sort(plan, &desc);
}

static gl_segsort_result segments_overlap(void)
{
    static const gl_segsort_segment segments[] = {{0, 0, 0, 0, 3}, {2, 2, 2, 2, 2}};
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 2};
    gl_segsort_plan *made;
    return gl_segsort_plan_create(context, &desc, &made);
}

/* ---------------------------------------------------------------------------------------------- */
/* UNSUPPORTED: a driver with less to offer */

static void GLAD_API_PTR tell_small_blocks(GLenum name, GLint64 *data)
{
    glGetInteger64v(name, data);
    if (name == GL_MAX_SHADER_STORAGE_BLOCK_SIZE)
        *data = 1024;
}

static gl_segsort_result blocks_too_small(void)
{
    host_swap("glGetInteger64v", (gl_segsort_proc)tell_small_blocks);
    return with_swapped_context(false);
}

static const GLubyte *GLAD_API_PTR tell_version_33(GLenum name)
{
    return name == GL_VERSION ? (const GLubyte *)"3.3.0 of the test" : glGetString(name);
}

static gl_segsort_result version_too_old(void)
{
    host_swap("glGetString", (gl_segsort_proc)tell_version_33);
    return with_swapped_context(false);
}

static gl_segsort_result function_missing(void)
{
    host_swap("glDispatchCompute", NULL);
    return with_swapped_context(false);
}

/* ---------------------------------------------------------------------------------------------- */
/* COMPILE */

static void GLAD_API_PTR give_wrong_source(GLuint shader, GLsizei count,
                                           const GLchar *const *strings, const GLint *lengths_)
{
    static const GLchar *const text = "#version 430 core\nthis is no GLSL\n";
    (void)count;
    (void)strings;
    (void)lengths_;
    glShaderSource(shader, 1, &text, NULL);
}

static gl_segsort_result source_wrong(void)
{
    host_swap("glShaderSource", (gl_segsort_proc)give_wrong_source);
    return with_swapped_context(false);
}

static void GLAD_API_PTR link_nothing(GLuint program)
{
    (void)program;
}

static gl_segsort_result link_fails(void)
{
    host_swap("glLinkProgram", (gl_segsort_proc)link_nothing);
    return with_swapped_context(false);
}

/* ---------------------------------------------------------------------------------------------- */
/* OUT_OF_MEMORY */

static gl_segsort_result allocator_fails_for_plan(void)
{
    gl_segsort_plan_desc desc = host_sort_plan_desc(&sort);
    gl_segsort_plan *made;
    memory.fail_after = memory.allocations + 3;
    gl_segsort_result result = gl_segsort_plan_create(context, &desc, &made);
    memory.fail_after = 0;
    return result;
}

static gl_segsort_result allocator_fails_for_context(void)
{
    memory.fail_after = memory.allocations;
    gl_segsort_context_desc desc = counting_desc();
    gl_segsort_context *made;
    gl_segsort_result result = gl_segsort_context_create(&desc, &made);
    memory.fail_after = 0;
    return result;
}

static void GLAD_API_PTR store_nothing(GLenum target, GLsizeiptr size, const void *data,
                                       GLenum usage)
{
    (void)size;
    (void)data;
    glBufferData(target, 0, NULL, usage);
}

static gl_segsort_result gl_has_no_storage(void)
{
    host_swap("glBufferData", (gl_segsort_proc)store_nothing);
    return with_swapped_context(false);
}

static void GLAD_API_PTR generate_nothing(GLsizei count, GLuint *buffers)
{
    (void)count;
    (void)buffers;
}

static gl_segsort_result gl_has_no_names(void)
{
    host_swap("glGenBuffers", (gl_segsort_proc)generate_nothing);
    return with_swapped_context(false);
}

/* ---------------------------------------------------------------------------------------------- */
/* WRONG_CONTEXT, CONTEXT_LOST */

static gl_segsort_result sort_under_another_context(void)
{
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    fake_current_context = &sort;
    gl_segsort_result result = gl_segsort_sort(plan, &desc);
    fake_current_context = NULL;
    return result;
}

static gl_segsort_result plan_under_another_context(void)
{
    gl_segsort_plan_desc desc = host_sort_plan_desc(&sort);
    gl_segsort_plan *made;
    fake_current_context = &sort;
    gl_segsort_result result = gl_segsort_plan_create(context, &desc, &made);
    fake_current_context = NULL;
    return result;
}

static const GLubyte *GLAD_API_PTR tell_version_46(GLenum name)
{
    return name == GL_VERSION ? (const GLubyte *)"4.6.0 of the test" : glGetString(name);
}

static int resets_until_lost;

static GLenum GLAD_API_PTR tell_reset(void)
{
    return resets_until_lost-- == 0 ? 0x8253 /* GL_GUILTY_CONTEXT_RESET */ : GL_NO_ERROR;
}

/* The reset is told once only: the library has to remember. */
static gl_segsort_result reset_before(int calls)
{
    host_swap("glGetString", (gl_segsort_proc)tell_version_46);
    host_swap("glGetGraphicsResetStatus", (gl_segsort_proc)tell_reset);
    resets_until_lost = calls;
    return with_swapped_context(true);
}

static gl_segsort_result reset_before_context(void)
{
    return reset_before(0);
}

static gl_segsort_result reset_before_plan(void)
{
    return reset_before(1);
}

static gl_segsort_result reset_before_sort(void)
{
    return reset_before(2);
}

static gl_segsort_result context_destroyed(void)
{
    gl_segsort_context_desc desc = counting_desc();
    gl_segsort_sort_desc sort_desc = host_sort_desc(&sort);
    gl_segsort_context *short_lived;
    if (gl_segsort_context_create(&desc, &short_lived) != GL_SEGSORT_SUCCESS)
        return GL_SEGSORT_SUCCESS;
    gl_segsort_plan *orphan = host_sort_plan(short_lived, &sort);
    gl_segsort_context_destroy(short_lived);
    gl_segsort_result result = gl_segsort_sort(orphan, &sort_desc);
    gl_segsort_plan_destroy(orphan);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* GL: errors of the driver's own in the middle of a call */

static void GLAD_API_PTR dispatch_too_much(GLuint x, GLuint y, GLuint z)
{
    (void)x;
    (void)y;
    (void)z;
    glDispatchCompute(1, 0xffffffffu, 1);
}

static gl_segsort_result dispatch_refused(void)
{
    host_swap("glDispatchCompute", (gl_segsort_proc)dispatch_too_much);
    return with_swapped_context(true);
}

static void GLAD_API_PTR label_nothing(GLenum type, GLuint object, GLsizei length,
                                       const GLchar *label)
{
    (void)type;
    glObjectLabel(0xffff, object, length, label);
}

static gl_segsort_result label_refused(void)
{
    host_swap("glObjectLabel", (gl_segsort_proc)label_nothing);
    return with_swapped_context(false);
}

/* ---------------------------------------------------------------------------------------------- */

static const struct failure {
    const char *name;
    gl_segsort_result (*provoke)(void);
    gl_segsort_result result;
} failures[] = {
    {"sort_desc_null", sort_desc_null, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"buffer_zero", buffer_zero, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"buffer_unknown", buffer_unknown, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"offset_misaligned", offset_misaligned, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"barrier_unknown", barrier_unknown, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"plan_desc_null", plan_desc_null, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"enumerator_unknown", enumerator_unknown, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"loader_missing", loader_missing, GL_SEGSORT_ERROR_INVALID_ARGUMENT},
    {"view_too_small", view_too_small, GL_SEGSORT_ERROR_OUT_OF_RANGE},
    {"buffer_too_small", buffer_too_small, GL_SEGSORT_ERROR_OUT_OF_RANGE},
    {"offset_past_everything", offset_past_everything, GL_SEGSORT_ERROR_OUT_OF_RANGE},
    {"segment_wraps", segment_wraps, GL_SEGSORT_ERROR_OUT_OF_RANGE},
    {"outputs_overlap", outputs_overlap, GL_SEGSORT_ERROR_OVERLAP},
    {"segments_overlap", segments_overlap, GL_SEGSORT_ERROR_OVERLAP},
    {"blocks_too_small", blocks_too_small, GL_SEGSORT_ERROR_UNSUPPORTED},
    {"version_too_old", version_too_old, GL_SEGSORT_ERROR_UNSUPPORTED},
    {"function_missing", function_missing, GL_SEGSORT_ERROR_UNSUPPORTED},
    {"source_wrong", source_wrong, GL_SEGSORT_ERROR_COMPILE},
    {"link_fails", link_fails, GL_SEGSORT_ERROR_COMPILE},
    {"allocator_fails_for_plan", allocator_fails_for_plan, GL_SEGSORT_ERROR_OUT_OF_MEMORY},
    {"allocator_fails_for_context", allocator_fails_for_context, GL_SEGSORT_ERROR_OUT_OF_MEMORY},
    {"gl_has_no_storage", gl_has_no_storage, GL_SEGSORT_ERROR_OUT_OF_MEMORY},
    {"gl_has_no_names", gl_has_no_names, GL_SEGSORT_ERROR_OUT_OF_MEMORY},
    {"sort_under_another_context", sort_under_another_context, GL_SEGSORT_ERROR_WRONG_CONTEXT},
    {"plan_under_another_context", plan_under_another_context, GL_SEGSORT_ERROR_WRONG_CONTEXT},
    {"reset_before_context", reset_before_context, GL_SEGSORT_ERROR_CONTEXT_LOST},
    {"context_destroyed", context_destroyed, GL_SEGSORT_ERROR_CONTEXT_LOST},
    {"dispatch_refused", dispatch_refused, GL_SEGSORT_ERROR_GL},
    {"label_refused", label_refused, GL_SEGSORT_ERROR_GL},
    /* GL objects can't be deleted after a reset, so these are let off the check for them. */
    {"reset_before_plan", reset_before_plan, GL_SEGSORT_ERROR_CONTEXT_LOST},
    {"reset_before_sort", reset_before_sort, GL_SEGSORT_ERROR_CONTEXT_LOST},
};

static void check_failure(const struct failure *failure, gl_segsort_state_policy policy)
{
    struct snapshot before, after;
    struct host_objects objects_before, objects_after;
    size_t live = memory.live;
    host_log_clear();
    snapshot_take(&before);
    host_count_objects(&objects_before);
    gl_segsort_result result = failure->provoke();
    host_swap_back();
    CHECK(result == failure->result, "%s: %s (%s)", failure->name, gl_segsort_result_string(result),
          host_log_text());
    CHECK(*host_log_text(), "%s: nothing was logged", failure->name);
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, failure->name), "policy %d", policy);
    CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", failure->name);
    CHECK(memory.live == live, "%s: %zu allocations left behind", failure->name,
          memory.live - live);
    host_count_objects(&objects_after);
    CHECK(result == GL_SEGSORT_ERROR_CONTEXT_LOST ||
              host_objects_equal(&objects_before, &objects_after),
          "%s", failure->name);
}

/* Buffers themselves are not checked in LEAVE_DIRTY mode. */
static bool checked(const struct failure *failure, gl_segsort_state_policy policy)
{
    return policy == GL_SEGSORT_STATE_RESTORE ||
           (failure->provoke != buffer_unknown && failure->provoke != buffer_too_small);
}

static void check_failures_of(gl_segsort_state_policy policy)
{
    struct busy busy;
    gl_segsort_context_desc desc = counting_desc();
    desc.state_policy = policy;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    if (!CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s",
               host_log_text()))
        return;
    plan = host_sort_plan(context, &sort);
    busy_begin(&busy, BUSY_PROGRAM, 0);
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        if (checked(&failures[i], policy))
            check_failure(&failures[i], policy);
    CHECK(busy_end(&busy), "busy");
    CHECK(host_sort_untouched(&sort), "a failed call wrote");
    gl_segsort_sort_desc good = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &good) == GL_SEGSORT_SUCCESS && host_sort_right(&sort),
          "after the failures: %s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(memory.live == 0, "%zu allocations left behind", memory.live);
    host_sort_free(&sort);
}

static void every_error_restores(void)
{
    check_failures_of(GL_SEGSORT_STATE_RESTORE);
}

/* Without restoring a failed call has nothing to leave dirty: all its checks come before its first
 * binding. */
static void every_error_leaves_dirty_mode_clean(void)
{
    check_failures_of(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

static void every_code_is_provoked(void)
{
    for (int code = GL_SEGSORT_ERROR_INVALID_ARGUMENT; code <= GL_SEGSORT_ERROR_GL; code++) {
        bool provoked = false;
        for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
            provoked = provoked || (int)failures[i].result == code;
        CHECK(provoked, "%s", gl_segsort_result_string((gl_segsort_result)code));
    }
    CHECK(strncmp(gl_segsort_result_string((gl_segsort_result)(GL_SEGSORT_ERROR_GL + 1)),
                  "GL_SEGSORT_", 11) != 0,
          "there is a code that this test does not know");
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(every_error_restores),
                                              CHECK_TEST(every_error_leaves_dirty_mode_clean),
                                              CHECK_TEST(every_code_is_provoked)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
