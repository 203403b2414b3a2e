/* GL_SEGSORT_STATE_LEAVE_DIRTY: gl_segsort_sort changes exactly the bindings that the header lists,
 * to what it says, gl_segsort_gather some of them, and no other call changes anything. */
#include "busy.h"
#include "host_batch.h"
#include "host_listed.h"
#include "snapshot.h"

static const uint32_t long_lengths[] = {3, 64, 0, 1000, 9000};
static const uint32_t short_lengths[] = {3, 64, 0, 1000};

static struct snapshot before, after;

static bool changed(const char *name)
{
    return snapshot_value(&before, name) != snapshot_value(&after, name);
}

/* What else a plan may leave whose segments the GPU lists. */
static bool listed_plan;

/* SSBO bindings 0..5 and UBO binding 0 with their ranges, the generic ones, and the program. */
static bool documented(const char *name)
{
    const char last = listed_plan ? '7' : '5';
    static const char *const plain[] = {
        "GL_CURRENT_PROGRAM",         "GL_SHADER_STORAGE_BUFFER_BINDING",
        "GL_UNIFORM_BUFFER_BINDING",  "GL_UNIFORM_BUFFER_BINDING[0]",
        "GL_UNIFORM_BUFFER_START[0]", "GL_UNIFORM_BUFFER_SIZE[0]"};
    static const char *const indexed[] = {"GL_SHADER_STORAGE_BUFFER_BINDING[",
                                          "GL_SHADER_STORAGE_BUFFER_START[",
                                          "GL_SHADER_STORAGE_BUFFER_SIZE["};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(name, plain[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof indexed / sizeof indexed[0]; i++) {
        size_t length = strlen(indexed[i]);
        if (strncmp(name, indexed[i], length) == 0 && name[length] >= '0' && name[length] <= last)
            return true;
    }
    return listed_plan && strcmp(name, "GL_DISPATCH_INDIRECT_BUFFER_BINDING") == 0;
}

static void check_only_documented(const char *what)
{
    for (size_t i = 0; i < before.count; i++)
        CHECK(before.entries[i].value == after.entries[i].value ||
                  documented(before.entries[i].name),
              "%s: %s was %lld, is %lld, and the header does not say so", what,
              before.entries[i].name, (long long)before.entries[i].value,
              (long long)after.entries[i].value);
}

static void check_documented_values(const struct host_sort *sort, bool scratch)
{
    CHECK(snapshot_value(&after, "GL_CURRENT_PROGRAM") == 0, "a program is left in use");
    for (int i = 0; i < HOST_STREAMS; i++) {
        char name[64];
        snprintf(name, sizeof name, "GL_SHADER_STORAGE_BUFFER_BINDING[%d]", i);
        /* A sort across work groups reads its scratch in the end. */
        long long bound = (long long)snapshot_value(&after, name);
        bool by_scratch =
            scratch && i < HOST_OUTPUT_KEYS &&
            bound == (long long)snapshot_value(&after, "GL_SHADER_STORAGE_BUFFER_BINDING[5]");
        CHECK(by_scratch || bound == (long long)sort->buffers[i], "%s is %lld, should be %u", name,
              bound, sort->buffers[i]);
    }
    CHECK(changed("GL_SHADER_STORAGE_BUFFER_BINDING[4]"), "the table is not bound");
    CHECK(changed("GL_SHADER_STORAGE_BUFFER_BINDING[5]") == scratch, "scratch");
    CHECK(changed("GL_UNIFORM_BUFFER_BINDING[0]"), "the parameters are not bound");
    CHECK(changed("GL_SHADER_STORAGE_BUFFER_BINDING"), "generic storage binding");
    CHECK(changed("GL_UNIFORM_BUFFER_BINDING"), "generic uniform binding");
}

static void changes_documented_bindings(enum busy_program program, const uint32_t *lengths,
                                        size_t count, bool scratch)
{
    struct busy busy;
    struct host_sort sort;
    host_sort_make(&sort, lengths, count, GENERATE_FEW_DISTINCT);
    busy_begin(&busy, program, 0);
    snapshot_take(&before);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "creating a context and a plan"), "create");
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    snapshot_take(&after);
    check_only_documented("gl_segsort_sort");
    check_documented_values(&sort, scratch);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    snapshot_take(&after);
    check_only_documented("a second gl_segsort_sort");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    struct host_sort other;
    host_sort_make(&other, lengths, count, GENERATE_RANDOM);
    snapshot_take(&before);
    gl_segsort_plan *other_plan = host_sort_plan(context, &other);
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "creating another plan"), "create");
    gl_segsort_plan_destroy(other_plan);
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "destroying a plan that was not used"), "destroy");
    CHECK(busy_end(&busy), "busy");
    CHECK(host_sort_right(&sort), "the sort");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    host_sort_free(&sort);
    host_sort_free(&other);
}

static void program_in_use_long_segments(void)
{
    changes_documented_bindings(BUSY_PROGRAM, long_lengths, 5, true);
}

static void program_in_use_short_segments(void)
{
    changes_documented_bindings(BUSY_PROGRAM, short_lengths, 4, false);
}

static void pipeline_only(void)
{
    changes_documented_bindings(BUSY_PIPELINE_ONLY, long_lengths, 5, true);
}

/* A gather has no output values and no scratch. Even its first call, which compiles. */
static void batches_and_gathers(void)
{
    struct busy busy;
    struct host_batch batch;
    uint64_t bytes;
    host_batch_make(&batch, long_lengths, 5);
    busy_begin(&busy, BUSY_PROGRAM, 0);
    snapshot_take(&before);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    CHECK(gl_segsort_plan_scratch_size(context, &desc, &bytes) == GL_SEGSORT_SUCCESS, "%s",
          host_log_text());
    gl_segsort_plan *plan = host_batch_plan(context, &batch);
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "a scratch size and a plan"), "create");
    for (int repeat = 0; repeat < 2; repeat++) {
        CHECK(gl_segsort_sort_batch(plan, batch.sort_descs, HOST_SETS) == GL_SEGSORT_SUCCESS, "%s",
              host_log_text());
        snapshot_take(&after);
        check_only_documented("gl_segsort_sort_batch");
        before = after;
        CHECK(gl_segsort_gather_batch(plan, batch.gather_descs, HOST_SETS) == GL_SEGSORT_SUCCESS,
              "%s", host_log_text());
        snapshot_take(&after);
        check_only_documented("gl_segsort_gather_batch");
        CHECK(snapshot_value(&after, "GL_CURRENT_PROGRAM") == 0, "a program is left in use");
        CHECK(changed("GL_SHADER_STORAGE_BUFFER_BINDING[0]") &&
                  !changed("GL_SHADER_STORAGE_BUFFER_BINDING[3]") &&
                  !changed("GL_SHADER_STORAGE_BUFFER_BINDING[5]"),
              "storage bindings of a gather");
        before = after;
    }
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    CHECK(busy_end(&busy), "busy");
    CHECK(host_batch_right(&batch), "the batch");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_batch_free(&batch);
}

/* The list and its count stay bound, and the commands. Times are asked for in the middle. */
static void listed_segments(void)
{
    struct busy busy;
    struct host_listed listed;
    gl_segsort_timings timings;
    host_listed_make(&listed, long_lengths, 5);
    busy_begin(&busy, BUSY_PROGRAM, 0);
    snapshot_take(&before);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan *plan = host_listed_plan(context, &listed, true);
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "a listed plan"), "create");
    listed_plan = true;
    CHECK(gl_segsort_sort(plan, &listed.sort_desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    snapshot_take(&after);
    check_only_documented("gl_segsort_sort of a listed plan");
    check_documented_values(&listed.sort, true);
    CHECK(snapshot_value(&after, "GL_SHADER_STORAGE_BUFFER_BINDING[6]") == listed.list &&
              snapshot_value(&after, "GL_SHADER_STORAGE_BUFFER_BINDING[7]") == listed.count &&
              changed("GL_DISPATCH_INDIRECT_BUFFER_BINDING"),
          "the list is not bound");
    before = after;
    CHECK(gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "gl_segsort_plan_timings"), "times");
    CHECK(gl_segsort_gather(plan, &listed.gather_desc) == GL_SEGSORT_SUCCESS, "%s",
          host_log_text());
    snapshot_take(&after);
    check_only_documented("gl_segsort_gather of a listed plan");
    CHECK(!changed("GL_SHADER_STORAGE_BUFFER_BINDING[6]") &&
              !changed("GL_SHADER_STORAGE_BUFFER_BINDING[7]"),
          "a gather binds the list");
    listed_plan = false;
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    CHECK(busy_end(&busy), "busy");
    CHECK(host_listed_right(&listed, true), "the sort");
    CHECK(host_times_come_in(plan), "times");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_listed_free(&listed);
}

/* A plan without rows has nothing to bind. */
static void nothing_to_sort(void)
{
    static const uint32_t empty[] = {0, 0};
    struct busy busy;
    struct host_sort sort;
    host_sort_make(&sort, empty, 2, GENERATE_RANDOM);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = {0};
    busy_begin(&busy, BUSY_PROGRAM, 0);
    snapshot_take(&before);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "a sort of nothing"), "nothing");
    CHECK(busy_end(&busy), "busy");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

/* ---------------------------------------------------------------------------------------------- */
/* No question to GL, and no wait: any function that asks or waits counts. */

static size_t questions;

static void GLAD_API_PTR count_get_integer(GLenum name, GLint *data)
{
    questions++;
    glGetIntegerv(name, data);
}

static void GLAD_API_PTR count_get_integer_indexed(GLenum name, GLuint index, GLint *data)
{
    questions++;
    glGetIntegeri_v(name, index, data);
}

static void GLAD_API_PTR count_get_integer64_indexed(GLenum name, GLuint index, GLint64 *data)
{
    questions++;
    glGetInteger64i_v(name, index, data);
}

static void GLAD_API_PTR count_get_buffer(GLenum target, GLenum name, GLint64 *data)
{
    questions++;
    glGetBufferParameteri64v(target, name, data);
}

static GLboolean GLAD_API_PTR count_is_buffer(GLuint buffer)
{
    questions++;
    return glIsBuffer(buffer);
}

static GLenum GLAD_API_PTR count_get_error(void)
{
    questions++;
    return glGetError();
}

struct question_count {
    size_t sort, batch, gather; /* a gather that isn't the plan's first */
    size_t listed;              /* a timed sort of a listed plan */
};

static struct question_count count_questions(gl_segsort_state_policy policy)
{
    struct host_batch batch;
    struct question_count count;
    host_batch_make(&batch, long_lengths, 5);
    host_swap("glGetIntegerv", (gl_segsort_proc)count_get_integer);
    host_swap("glGetIntegeri_v", (gl_segsort_proc)count_get_integer_indexed);
    host_swap("glGetInteger64i_v", (gl_segsort_proc)count_get_integer64_indexed);
    host_swap("glGetBufferParameteri64v", (gl_segsort_proc)count_get_buffer);
    host_swap("glIsBuffer", (gl_segsort_proc)count_is_buffer);
    host_swap("glGetError", (gl_segsort_proc)count_get_error);
    gl_segsort_context *context = host_context(policy);
    host_swap_back();
    gl_segsort_plan *plan = host_sort_plan(context, &batch.sorts[0]);
    gl_segsort_plan *batch_plan = host_batch_plan(context, &batch);
    gl_segsort_gather_batch(batch_plan, batch.gather_descs, HOST_SETS);
    questions = 0;
    CHECK(gl_segsort_sort(plan, batch.sort_descs) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    count.sort = questions;
    questions = 0;
    CHECK(gl_segsort_sort_batch(batch_plan, batch.sort_descs, HOST_SETS) == GL_SEGSORT_SUCCESS,
          "%s", host_log_text());
    count.batch = questions;
    questions = 0;
    CHECK(gl_segsort_gather_batch(batch_plan, batch.gather_descs, HOST_SETS) == GL_SEGSORT_SUCCESS,
          "%s", host_log_text());
    count.gather = questions;
    struct host_listed listed;
    host_listed_make(&listed, long_lengths, 5);
    gl_segsort_plan *timed = host_listed_plan(context, &listed, true);
    questions = 0;
    CHECK(gl_segsort_sort(timed, &listed.sort_desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    count.listed = questions;
    gl_segsort_plan_destroy(timed);
    host_listed_free(&listed);
    gl_segsort_plan_destroy(plan);
    gl_segsort_plan_destroy(batch_plan);
    gl_segsort_context_destroy(context);
    host_batch_free(&batch);
    return count;
}

static void asks_gl_for_nothing(void)
{
    struct question_count restoring = count_questions(GL_SEGSORT_STATE_RESTORE);
    struct question_count dirty = count_questions(GL_SEGSORT_STATE_LEAVE_DIRTY);
    CHECK(restoring.listed > restoring.sort, "a listed sort saves more, and asks no more");
    CHECK(dirty.listed == 0, "a listed sort asked %zu times", dirty.listed);
    CHECK(restoring.sort > 0 && restoring.batch > 0 && restoring.gather > 0,
          "the test counts nothing");
    CHECK(dirty.sort == 0 && dirty.batch == 0 && dirty.gather == 0,
          "a sort asked %zu times, a batch %zu times, a gather %zu times", dirty.sort, dirty.batch,
          dirty.gather);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(program_in_use_long_segments),
                                              CHECK_TEST(program_in_use_short_segments),
                                              CHECK_TEST(pipeline_only),
                                              CHECK_TEST(batches_and_gathers),
                                              CHECK_TEST(listed_segments),
                                              CHECK_TEST(nothing_to_sort),
                                              CHECK_TEST(asks_gl_for_nothing)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
