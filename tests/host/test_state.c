/* GL_SEGSORT_STATE_RESTORE: whatever the host has bound, set and begun is the same after every
 * call. */
#include "busy.h"
#include "draw.h"
#include "host_batch.h"
#include "host_listed.h"
#include "snapshot.h"

/* Short, medium and long segments, so that all kernels run and the scratch exists. */
static const uint32_t lengths[] = {3, 64, 0, 1000, 9000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static struct snapshot before;

static bool unchanged(const char *doing)
{
    struct snapshot after;
    snapshot_take(&after);
    return snapshot_equal(&before, &after, doing);
}

/* With the host's scratch. The first gather compiles its program. */
static void every_call_of_a_batch(gl_segsort_context *context, const char *host)
{
    struct host_batch batch;
    uint64_t bytes = 0;
    host_batch_make(&batch, lengths, LENGTHS);
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    gl_segsort_gather_desc wrong[] = {batch.gather_descs[0], batch.gather_descs[1]};
    wrong[1].record_words = 0;
    snapshot_take(&before);
    CHECK(gl_segsort_plan_scratch_size(context, &desc, &bytes) == GL_SEGSORT_SUCCESS &&
              unchanged("gl_segsort_plan_scratch_size"),
          "%s", host);
    CHECK(bytes > 0 && bytes / 4 <= desc.scratch.rows, "the test's scratch doesn't fit");
    gl_segsort_plan *plan = host_batch_plan(context, &batch);
    CHECK(plan && unchanged("gl_segsort_plan_create of a batch"), "%s", host);
    CHECK(gl_segsort_sort(plan, batch.sort_descs) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              unchanged("a refused sort of a batch"),
          "%s", host);
    CHECK(gl_segsort_gather_batch(plan, wrong, HOST_SETS) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              unchanged("a refused gl_segsort_gather_batch"),
          "%s", host);
    for (int repeat = 0; repeat < 2; repeat++) {
        CHECK(gl_segsort_sort_batch(plan, batch.sort_descs, HOST_SETS) == GL_SEGSORT_SUCCESS &&
                  unchanged("gl_segsort_sort_batch"),
              "%s: %s", host, gl_segsort_last_error(context));
        CHECK(gl_segsort_gather_batch(plan, batch.gather_descs, HOST_SETS) == GL_SEGSORT_SUCCESS &&
                  unchanged("gl_segsort_gather_batch"),
              "%s: %s", host, gl_segsort_last_error(context));
    }
    gl_segsort_plan_destroy(plan);
    CHECK(unchanged("gl_segsort_plan_destroy of a batch"), "%s", host);
    CHECK(host_batch_right(&batch), "%s", host);
    host_batch_free(&batch);
}

/* A gather of the first set alone, with the plan of a sort that is no batch. */
static void every_call_of_a_gather(gl_segsort_context *context, const char *host)
{
    struct host_batch batch;
    host_batch_make(&batch, lengths, LENGTHS);
    snapshot_take(&before);
    gl_segsort_plan *plan = host_sort_plan(context, &batch.sorts[0]);
    for (int repeat = 0; repeat < 2; repeat++)
        CHECK(gl_segsort_gather(plan, batch.gather_descs) == GL_SEGSORT_SUCCESS &&
                  unchanged("gl_segsort_gather"),
              "%s: %s", host, gl_segsort_last_error(context));
    CHECK(gl_segsort_gather(plan, NULL) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              unchanged("a refused gl_segsort_gather"),
          "%s", host);
    gl_segsort_plan_destroy(plan);
    host_batch_free(&batch);
}

/* Timed, beside whatever queries the host has begun. */
static void every_call_of_a_listed_plan(gl_segsort_context *context, const char *host)
{
    struct host_listed listed;
    gl_segsort_timings timings;
    host_listed_make(&listed, lengths, LENGTHS);
    gl_segsort_sort_desc wrong = listed.sort_desc;
    wrong.status = wrong.keys;
    snapshot_take(&before);
    gl_segsort_plan *plan = host_listed_plan(context, &listed, true);
    CHECK(plan && unchanged("gl_segsort_plan_create of a listed plan"), "%s", host);
    for (int repeat = 0; repeat < 6; repeat++) {
        CHECK(gl_segsort_sort(plan, &listed.sort_desc) == GL_SEGSORT_SUCCESS &&
                  unchanged("gl_segsort_sort of a listed plan"),
              "%s: %s", host, gl_segsort_last_error(context));
        CHECK(gl_segsort_gather(plan, &listed.gather_desc) == GL_SEGSORT_SUCCESS &&
                  unchanged("gl_segsort_gather of a listed plan"),
              "%s: %s", host, gl_segsort_last_error(context));
        CHECK(gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_SUCCESS &&
                  unchanged("gl_segsort_plan_timings"),
              "%s: %s", host, gl_segsort_last_error(context));
    }
    CHECK(gl_segsort_sort(plan, &wrong) == GL_SEGSORT_ERROR_OVERLAP &&
              unchanged("a refused sort of a listed plan"),
          "%s", host);
    wrong = listed.sort_desc;
    wrong.segments.buffer = 0x7ffffff0;
    CHECK(gl_segsort_sort(plan, &wrong) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              unchanged("a sort without a list"),
          "%s", host);
    CHECK(host_times_come_in(plan) && unchanged("gl_segsort_plan_timings"), "%s", host);
    gl_segsort_plan_destroy(plan);
    CHECK(unchanged("gl_segsort_plan_destroy of a listed plan"), "%s", host);
    CHECK(host_listed_right(&listed, true), "%s", host);
    host_listed_free(&listed);
}

static void every_call(const char *host)
{
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    CHECK(unchanged("gl_segsort_context_create"), "%s", host);
    if (!CHECK(context, "%s: no context", host))
        return;
    struct snapshot busy = before;
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_FEW_DISTINCT);
    snapshot_take(&before);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    CHECK(plan && unchanged("gl_segsort_plan_create"), "%s", host);
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    CHECK(unchanged("gl_segsort_plan_describe"), "%s", host);
    CHECK(description.scratch_bytes > 0, "the test needs a plan with a scratch");
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    for (int repeat = 0; repeat < 2; repeat++)
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && unchanged("gl_segsort_sort"),
              "%s: %s", host, gl_segsort_last_error(context));
    CHECK(*gl_segsort_last_error(context) == '\0', "%s: %s", host, gl_segsort_last_error(context));
    CHECK(gl_segsort_version() == GL_SEGSORT_VERSION && unchanged("gl_segsort_version"), "%s",
          host);
    CHECK(unchanged("gl_segsort_last_error"), "%s", host);
    gl_segsort_plan_destroy(plan);
    CHECK(unchanged("gl_segsort_plan_destroy"), "%s", host);
    CHECK(host_sort_right(&sort), "%s", host);
    every_call_of_a_gather(context, host);
    every_call_of_a_batch(context, host);
    every_call_of_a_listed_plan(context, host);
    gl_segsort_plan *orphan = host_sort_plan(context, &sort);
    snapshot_take(&before);
    gl_segsort_context_destroy(context);
    CHECK(unchanged("gl_segsort_context_destroy"), "%s", host);
    gl_segsort_plan_destroy(orphan);
    CHECK(unchanged("gl_segsort_plan_destroy of an orphan"), "%s", host);
    host_sort_free(&sort);
    before = busy;
}

static void idle_host(void)
{
    snapshot_take(&before);
    every_call("idle host");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
}

static void busy_host(enum busy_program program, int whole_parity, const char *name)
{
    struct busy busy;
    busy_begin(&busy, program, whole_parity);
    CHECK(glGetError() == GL_NO_ERROR, "%s: the host's own calls raise a GL error", name);
    snapshot_take(&before);
    every_call(name);
    CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", name);
    CHECK(busy_end(&busy), "%s", name);
}

static void busy_host_even_slots_whole(void)
{
    busy_host(BUSY_PROGRAM, 0, "program, even slots whole");
}

static void busy_host_odd_slots_whole(void)
{
    busy_host(BUSY_PROGRAM, 1, "program, odd slots whole");
}

static void busy_host_pipeline_only(void)
{
    busy_host(BUSY_PIPELINE_ONLY, 0, "pipeline only");
}

static void abandon_changes_nothing(void)
{
    struct host_sort sort;
    struct busy busy;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    busy_begin(&busy, BUSY_PROGRAM, 0);
    snapshot_take(&before);
    gl_segsort_context_abandon(context);
    CHECK(unchanged("gl_segsort_context_abandon"), "abandon");
    gl_segsort_plan_destroy(plan);
    CHECK(unchanged("gl_segsort_plan_destroy after it"), "abandon");
    CHECK(busy_end(&busy), "abandon");
    host_sort_free(&sort);
}

/* A range that the host bound before it made the buffer smaller is still that range. */
static void range_past_a_shrunk_buffer(void)
{
    GLuint buffer = host_buffer(NULL, 4096);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 2, buffer, 1024, 2048);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, 1024, 2048);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, 512, NULL, GL_STATIC_DRAW);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    snapshot_take(&before);
    CHECK(host_sorts(context), "shrunk");
    CHECK(unchanged("a sort"), "shrunk");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    gl_segsort_context_destroy(context);
    glDeleteBuffers(1, &buffer);
}

/* What the host's own bindings feed its shaders with is what they get after a sort: the names alone
 * could be right. */
static void bindings_still_feed_shaders(void)
{
    static const char vertex[] =
        "#version 430 core\n"
        "layout(std140, binding = 0) uniform A { uint a; };\n"
        "layout(std430, binding = 1) readonly buffer B { uint b; };\n"
        "layout(std430, binding = 4) readonly buffer C { uint c; };\n"
        "out float sum;\n"
        "void main() { sum = float(a + 10u * b + 100u * c); gl_Position = vec4(0.0); }\n";
    GLuint program = draw_program(vertex, NULL, "sum");
    uint32_t words[256] = {0};
    words[0] = 9;
    words[64] = 3;
    words[128] = 4;
    struct draw_target unused; /* GL draws nothing without a framebuffer, not even to a buffer */
    draw_target_create(&unused, 1, 1, 1);
    draw_target_begin(&unused, 0);
    GLuint source = host_buffer(words, sizeof words), target = host_buffer(NULL, 4), vertex_array;
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glUseProgram(program);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, source, 256, 16);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, source, 512, 16);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, source);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    CHECK(host_sorts(context), "sort");
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 1);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    float sum = 0.0f;
    host_read(target, &sum, sizeof sum);
    CHECK(sum == 943.0f, "the host's shader read %g from its bindings, should be 943", (double)sum);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    gl_segsort_context_destroy(context);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteVertexArrays(1, &vertex_array);
    glDeleteBuffers(1, &source);
    glDeleteBuffers(1, &target);
    draw_target_destroy(&unused);
}

/* ---------------------------------------------------------------------------------------------- */
/* Transform feedback. GL refuses glUseProgram while it runs, but not while it is paused. */

struct feedback {
    GLuint program, buffer, vertex_array;
};

static void feedback_begin(struct feedback *feedback)
{
    static const char vertex[] = "#version 430 core\n"
                                 "out vec4 captured;\n"
                                 "void main() { gl_Position = captured = vec4(gl_VertexID); }\n";
    feedback->program = draw_program(vertex, NULL, "captured");
    feedback->buffer = host_buffer(NULL, 1024);
    glGenVertexArrays(1, &feedback->vertex_array);
    glBindVertexArray(feedback->vertex_array);
    glUseProgram(feedback->program);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback->buffer);
    glBeginTransformFeedback(GL_POINTS);
}

static void feedback_end(struct feedback *feedback)
{
    glEndTransformFeedback();
    glUseProgram(0);
    glDeleteProgram(feedback->program);
    glDeleteVertexArrays(1, &feedback->vertex_array);
    glDeleteBuffers(1, &feedback->buffer);
}

static void paused_transform_feedback(void)
{
    struct feedback feedback;
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    feedback_begin(&feedback);
    glPauseTransformFeedback();
    snapshot_take(&before);
    CHECK(host_sorts(context), "paused");
    CHECK(unchanged("a sort"), "paused");
    glResumeTransformFeedback();
    CHECK(glGetError() == GL_NO_ERROR, "paused: GL error");
    feedback_end(&feedback);
    gl_segsort_context_destroy(context);
}

static void running_transform_feedback(void)
{
    struct feedback feedback;
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    feedback_begin(&feedback);
    snapshot_take(&before);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_GL, "not refused");
    CHECK(unchanged("a refused sort"), "running");
    CHECK(*gl_segsort_last_error(context), "running: no sentence");
    CHECK(glGetError() == GL_NO_ERROR, "running: GL error");
    feedback_end(&feedback);
    CHECK(host_sort_untouched(&sort), "running");
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort),
          "after it: %s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

/* While transform feedback runs the library's program can't be made current. A compute stage of the
 * host's pipeline must not run in its place, on the library's bindings. */
static void running_transform_feedback_with_a_compute_pipeline(void)
{
    static const char vertex[] = "#version 430 core\n"
                                 "out gl_PerVertex { vec4 gl_Position; };\n"
                                 "out vec4 captured;\n"
                                 "void main() { gl_Position = captured = vec4(0.0); }\n";
    static const char *const compute = "#version 430 core\n"
                                       "layout(local_size_x = 1) in;\n"
                                       "layout(std430, binding = 2) buffer B { uint b[]; };\n"
                                       "void main() { b[0] = 0xbadu; }\n";
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    GLuint vertex_program = draw_separable_program(vertex, NULL, "captured");
    GLuint compute_program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &compute);
    GLuint pipeline, vertex_array, target = host_buffer(NULL, 1024);
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex_program);
    glUseProgramStages(pipeline, GL_COMPUTE_SHADER_BIT, compute_program);
    glBindProgramPipeline(pipeline);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, target);
    glBeginTransformFeedback(GL_POINTS);
    CHECK(glGetError() == GL_NO_ERROR, "the host's own calls raise a GL error");
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_GL, "not refused");
    glEndTransformFeedback();
    CHECK(host_sort_untouched(&sort), "the host's compute program ran on the sort's buffers");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    glBindProgramPipeline(0);
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteProgram(vertex_program);
    glDeleteProgram(compute_program);
    glDeleteVertexArrays(1, &vertex_array);
    glDeleteBuffers(1, &target);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

/* A program that is deleted while in use lives until another one is used, so nobody could put it
 * back. */
static void program_deleted_while_in_use(void)
{
    struct busy busy;
    struct host_sort sort;
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    busy_begin(&busy, BUSY_PROGRAM, 0);
    glDeleteProgram(busy.program);
    snapshot_take(&before);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_GL, "not refused");
    CHECK(strstr(gl_segsort_last_error(context), "deleted"), "%s", gl_segsort_last_error(context));
    CHECK(unchanged("a refused sort"), "deleted program");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    busy.program = 0;
    CHECK(busy_end(&busy), "deleted program");
    CHECK(host_sort_untouched(&sort), "a refused sort wrote");
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort),
          "after it: %s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {
        CHECK_TEST(idle_host),
        CHECK_TEST(busy_host_even_slots_whole),
        CHECK_TEST(busy_host_odd_slots_whole),
        CHECK_TEST(busy_host_pipeline_only),
        CHECK_TEST(abandon_changes_nothing),
        CHECK_TEST(range_past_a_shrunk_buffer),
        CHECK_TEST(bindings_still_feed_shaders),
        CHECK_TEST(paused_transform_feedback),
        CHECK_TEST(running_transform_feedback),
        CHECK_TEST(running_transform_feedback_with_a_compute_pipeline),
        CHECK_TEST(program_deleted_while_in_use)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
