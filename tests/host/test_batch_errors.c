/* Batches, gathers and scratch sizes that fail: the right code, a sentence, the host's state as it
 * was, no buffer written, nothing left behind, and the next call works. */
#include "busy.h"
#include "host_batch.h"
#include "snapshot.h"

static const uint32_t lengths[] = {3, 64, 0, 1000, 9000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static struct host_batch batch;
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

/* ---------------------------------------------------------------------------------------------- */
/* Batches */

static gl_segsort_result batch_null(void)
{
    return gl_segsort_sort_batch(plan, NULL, HOST_SETS);
}

static gl_segsort_result batch_too_few(void)
{
    return gl_segsort_sort_batch(plan, batch.sort_descs, 1);
}

static gl_segsort_result batch_in_gl_segsort_sort(void)
{
    return gl_segsort_sort(plan, batch.sort_descs);
}

static gl_segsort_result batch_view_too_small(void)
{
    gl_segsort_sort_desc descs[] = {batch.sort_descs[0], batch.sort_descs[1]};
    descs[1].output_values.rows--;
    return gl_segsort_sort_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result batch_buffer_unknown(void)
{
    gl_segsort_sort_desc descs[] = {batch.sort_descs[0], batch.sort_descs[1]};
    descs[1].output_values.buffer = 0x7ffffff0;
    return gl_segsort_sort_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result batch_buffer_too_small(void)
{
    gl_segsort_sort_desc descs[] = {batch.sort_descs[0], batch.sort_descs[1]};
    descs[1].keys.byte_offset = 4;
    return gl_segsort_sort_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result batch_sets_overlap(void)
{
    gl_segsort_sort_desc descs[] = {batch.sort_descs[0], batch.sort_descs[1]};
    descs[1].output_keys = descs[0].keys;
    return gl_segsort_sort_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result batch_on_its_scratch(void)
{
    gl_segsort_sort_desc descs[] = {batch.sort_descs[0], batch.sort_descs[1]};
    descs[1].keys.buffer = batch.scratch;
    return gl_segsort_sort_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result batch_under_another_context(void)
{
    fake_current_context = &batch;
    gl_segsort_result result = gl_segsort_sort_batch(plan, batch.sort_descs, HOST_SETS);
    fake_current_context = NULL;
    return result;
}

static gl_segsort_result sort_with_scratch(uint32_t buffer, uint64_t byte_offset)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    desc.scratch.buffer = buffer;
    desc.scratch.byte_offset = byte_offset;
    gl_segsort_plan *made;
    gl_segsort_result result = gl_segsort_plan_create(context, &desc, &made);
    if (result == GL_SEGSORT_SUCCESS)
        result = gl_segsort_sort_batch(made, batch.sort_descs, HOST_SETS);
    gl_segsort_plan_destroy(made);
    return result;
}

static gl_segsort_result scratch_unknown(void)
{
    return sort_with_scratch(0x7ffffff0, 0);
}

static gl_segsort_result scratch_buffer_too_small(void)
{
    return sort_with_scratch(batch.scratch, 1 << 20);
}

static gl_segsort_result scratch_misaligned(void)
{
    return sort_with_scratch(batch.scratch, 2);
}

static gl_segsort_result scratch_view_too_small(void)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    gl_segsort_plan *made;
    desc.scratch.rows = 1;
    return gl_segsort_plan_create(context, &desc, &made);
}

/* ---------------------------------------------------------------------------------------------- */
/* Gathers */

static gl_segsort_result gather_null(void)
{
    return gl_segsort_gather_batch(plan, NULL, HOST_SETS);
}

static gl_segsort_result gather_too_few(void)
{
    return gl_segsort_gather(plan, batch.gather_descs);
}

static gl_segsort_result gather_no_words(void)
{
    gl_segsort_gather_desc descs[] = {batch.gather_descs[0], batch.gather_descs[1]};
    descs[1].record_words = 0;
    return gl_segsort_gather_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result gather_buffer_unknown(void)
{
    gl_segsort_gather_desc descs[] = {batch.gather_descs[0], batch.gather_descs[1]};
    descs[1].indices.buffer = 0x7ffffff0;
    return gl_segsort_gather_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result gather_view_too_small(void)
{
    gl_segsort_gather_desc descs[] = {batch.gather_descs[0], batch.gather_descs[1]};
    descs[1].output_records.rows--;
    return gl_segsort_gather_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result gather_in_place(void)
{
    gl_segsort_gather_desc descs[] = {batch.gather_descs[0], batch.gather_descs[1]};
    descs[1].output_records = descs[1].records;
    return gl_segsort_gather_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result gather_too_wide(void)
{
    gl_segsort_gather_desc descs[] = {batch.gather_descs[0], batch.gather_descs[1]};
    descs[1].record_words = 0x7fffffff;
    return gl_segsort_gather_batch(plan, descs, HOST_SETS);
}

static gl_segsort_result gather_without_values(void)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    gl_segsort_plan *made;
    desc.value_type = GL_SEGSORT_VALUE_NONE;
    if (gl_segsort_plan_create(context, &desc, &made) != GL_SEGSORT_SUCCESS)
        return GL_SEGSORT_SUCCESS;
    gl_segsort_result result = gl_segsort_gather_batch(made, batch.gather_descs, HOST_SETS);
    gl_segsort_plan_destroy(made);
    return result;
}

static gl_segsort_result gather_under_another_context(void)
{
    fake_current_context = &batch;
    gl_segsort_result result = gl_segsort_gather_batch(plan, batch.gather_descs, HOST_SETS);
    fake_current_context = NULL;
    return result;
}

/* Once the plan exists the driver turns against what comes. */
static bool gather_has_begun;

static void GLAD_API_PTR give_wrong_source(GLuint shader, GLsizei count,
                                           const GLchar *const *strings, const GLint *lengths_)
{
    static const GLchar *const text = "#version 430 core\nthis is no GLSL\n";
    if (gather_has_begun)
        glShaderSource(shader, 1, &text, NULL);
    else
        glShaderSource(shader, count, strings, lengths_);
}

static void GLAD_API_PTR dispatch_too_much(GLuint x, GLuint y, GLuint z)
{
    (void)x;
    (void)y;
    (void)z;
    glDispatchCompute(1, 0xffffffffu, 1);
}

static gl_segsort_result gather_with_swapped_context(void)
{
    gl_segsort_context_desc desc = counting_desc();
    gl_segsort_context *swapped;
    gather_has_begun = false;
    gl_segsort_result result = gl_segsort_context_create(&desc, &swapped);
    host_swap_back();
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl_segsort_plan *made = host_batch_plan(swapped, &batch);
    gather_has_begun = true;
    result = gl_segsort_gather_batch(made, batch.gather_descs, HOST_SETS);
    gl_segsort_plan_destroy(made);
    gl_segsort_context_destroy(swapped);
    return result;
}

static gl_segsort_result gather_source_wrong(void)
{
    host_swap("glShaderSource", (gl_segsort_proc)give_wrong_source);
    return gather_with_swapped_context();
}

static gl_segsort_result gather_dispatch_refused(void)
{
    host_swap("glDispatchCompute", (gl_segsort_proc)dispatch_too_much);
    return gather_with_swapped_context();
}

static gl_segsort_result gather_after_its_context(void)
{
    gl_segsort_context_desc desc = counting_desc();
    gl_segsort_context *short_lived;
    if (gl_segsort_context_create(&desc, &short_lived) != GL_SEGSORT_SUCCESS)
        return GL_SEGSORT_SUCCESS;
    gl_segsort_plan *orphan = host_batch_plan(short_lived, &batch);
    gl_segsort_context_destroy(short_lived);
    gl_segsort_result result = gl_segsort_gather_batch(orphan, batch.gather_descs, HOST_SETS);
    gl_segsort_plan_destroy(orphan);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Scratch sizes */

static gl_segsort_result size_null(void)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    return gl_segsort_plan_scratch_size(context, &desc, NULL);
}

static gl_segsort_result size_of_wrong_sets(void)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    uint64_t bytes;
    desc.segment_count--;
    return gl_segsort_plan_scratch_size(context, &desc, &bytes);
}

static gl_segsort_result size_of_overlap(void)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    uint64_t bytes;
    desc.set_count = 0;
    desc.set_segment_counts = NULL;
    return gl_segsort_plan_scratch_size(context, &desc, &bytes);
}

static gl_segsort_result size_without_memory(void)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    uint64_t bytes;
    memory.fail_after = memory.allocations + 2;
    gl_segsort_result result = gl_segsort_plan_scratch_size(context, &desc, &bytes);
    memory.fail_after = 0;
    return result;
}

static gl_segsort_result size_under_another_context(void)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    uint64_t bytes;
    fake_current_context = &batch;
    gl_segsort_result result = gl_segsort_plan_scratch_size(context, &desc, &bytes);
    fake_current_context = NULL;
    return result;
}

/* ---------------------------------------------------------------------------------------------- */

static const struct failure {
    const char *name;
    gl_segsort_result (*provoke)(void);
    gl_segsort_result result;
    bool asks_gl; /* only GL knows, and in LEAVE_DIRTY mode it is not asked */
} failures[] = {
    {"batch_null", batch_null, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"batch_too_few", batch_too_few, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"batch_in_gl_segsort_sort", batch_in_gl_segsort_sort, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
     false},
    {"batch_view_too_small", batch_view_too_small, GL_SEGSORT_ERROR_OUT_OF_RANGE, false},
    {"batch_buffer_unknown", batch_buffer_unknown, GL_SEGSORT_ERROR_INVALID_ARGUMENT, true},
    {"batch_buffer_too_small", batch_buffer_too_small, GL_SEGSORT_ERROR_OUT_OF_RANGE, true},
    {"batch_sets_overlap", batch_sets_overlap, GL_SEGSORT_ERROR_OVERLAP, false},
    {"batch_on_its_scratch", batch_on_its_scratch, GL_SEGSORT_ERROR_OVERLAP, false},
    {"batch_under_another_context", batch_under_another_context, GL_SEGSORT_ERROR_WRONG_CONTEXT,
     false},
    {"scratch_unknown", scratch_unknown, GL_SEGSORT_ERROR_INVALID_ARGUMENT, true},
    {"scratch_buffer_too_small", scratch_buffer_too_small, GL_SEGSORT_ERROR_OUT_OF_RANGE, true},
    {"scratch_misaligned", scratch_misaligned, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"scratch_view_too_small", scratch_view_too_small, GL_SEGSORT_ERROR_OUT_OF_RANGE, false},
    {"gather_null", gather_null, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"gather_too_few", gather_too_few, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"gather_no_words", gather_no_words, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"gather_buffer_unknown", gather_buffer_unknown, GL_SEGSORT_ERROR_INVALID_ARGUMENT, true},
    {"gather_view_too_small", gather_view_too_small, GL_SEGSORT_ERROR_OUT_OF_RANGE, false},
    {"gather_in_place", gather_in_place, GL_SEGSORT_ERROR_OVERLAP, false},
    {"gather_too_wide", gather_too_wide, GL_SEGSORT_ERROR_UNSUPPORTED, false},
    {"gather_without_values", gather_without_values, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"gather_under_another_context", gather_under_another_context, GL_SEGSORT_ERROR_WRONG_CONTEXT,
     false},
    {"gather_source_wrong", gather_source_wrong, GL_SEGSORT_ERROR_COMPILE, false},
    {"gather_dispatch_refused", gather_dispatch_refused, GL_SEGSORT_ERROR_GL, false},
    {"gather_after_its_context", gather_after_its_context, GL_SEGSORT_ERROR_CONTEXT_LOST, false},
    {"size_null", size_null, GL_SEGSORT_ERROR_INVALID_ARGUMENT, false},
    {"size_of_wrong_sets", size_of_wrong_sets, GL_SEGSORT_ERROR_OUT_OF_RANGE, false},
    {"size_of_overlap", size_of_overlap, GL_SEGSORT_ERROR_OVERLAP, false},
    {"size_without_memory", size_without_memory, GL_SEGSORT_ERROR_OUT_OF_MEMORY, false},
    {"size_under_another_context", size_under_another_context, GL_SEGSORT_ERROR_WRONG_CONTEXT,
     false},
};

/* Twice: programs that the plans of a failing call are made with stay for the next ones. */
static void check_failure(const struct failure *failure, gl_segsort_state_policy policy)
{
    struct snapshot before, after;
    struct host_objects objects_before, objects_after;
    snapshot_take(&before);
    failure->provoke();
    host_swap_back();
    size_t live = memory.live;
    host_log_clear();
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
    CHECK(host_objects_equal(&objects_before, &objects_after), "%s", failure->name);
}

static void check_failures_of(gl_segsort_state_policy policy)
{
    struct busy busy;
    gl_segsort_context_desc desc = counting_desc();
    desc.state_policy = policy;
    host_batch_make(&batch, lengths, LENGTHS);
    if (!CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s",
               host_log_text()))
        return;
    plan = host_batch_plan(context, &batch);
    busy_begin(&busy, BUSY_PROGRAM, 0);
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        if (policy == GL_SEGSORT_STATE_RESTORE || !failures[i].asks_gl)
            check_failure(&failures[i], policy);
    CHECK(busy_end(&busy), "busy");
    CHECK(host_batch_untouched(&batch), "a failed call wrote");
    CHECK(gl_segsort_sort_batch(plan, batch.sort_descs, HOST_SETS) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather_batch(plan, batch.gather_descs, HOST_SETS) == GL_SEGSORT_SUCCESS &&
              host_batch_right(&batch),
          "after the failures: %s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(memory.live == 0, "%zu allocations left behind", memory.live);
    host_batch_free(&batch);
}

static void every_error_restores(void)
{
    check_failures_of(GL_SEGSORT_STATE_RESTORE);
}

static void every_error_leaves_dirty_mode_clean(void)
{
    check_failures_of(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

/* Each allocation of a batch's plan and of its scratch size may be the one that fails. */
static void memory_runs_out(void)
{
    gl_segsort_context_desc desc = counting_desc();
    gl_segsort_result result = GL_SEGSORT_ERROR_OUT_OF_MEMORY;
    host_batch_make(&batch, lengths, LENGTHS);
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    gl_segsort_plan_desc plan_desc = host_batch_plan_desc(&batch);
    size_t live = memory.live;
    for (size_t most = 0; result != GL_SEGSORT_SUCCESS && most < 100; most++) {
        uint64_t bytes = 1;
        memory.fail_after = memory.allocations + most;
        result = gl_segsort_plan_scratch_size(context, &plan_desc, &bytes);
        memory.fail_after = 0;
        CHECK(result == GL_SEGSORT_SUCCESS ||
                  (result == GL_SEGSORT_ERROR_OUT_OF_MEMORY && bytes == 0),
              "%zu allocations: %s, %llu bytes", most, gl_segsort_result_string(result),
              (unsigned long long)bytes);
        CHECK(memory.live == live, "%zu allocations: %zu are left", most, memory.live - live);
    }
    CHECK(result == GL_SEGSORT_SUCCESS, "no number of allocations is enough for a scratch size");
    result = GL_SEGSORT_ERROR_OUT_OF_MEMORY;
    for (size_t most = 0; result != GL_SEGSORT_SUCCESS && most < 1000; most++) {
        memory.fail_after = memory.allocations + most;
        result = gl_segsort_plan_create(context, &plan_desc, &plan);
        memory.fail_after = 0;
        CHECK(result == GL_SEGSORT_SUCCESS ||
                  (result == GL_SEGSORT_ERROR_OUT_OF_MEMORY && plan == NULL),
              "%zu allocations: %s", most, gl_segsort_result_string(result));
    }
    CHECK(gl_segsort_sort_batch(plan, batch.sort_descs, HOST_SETS) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather_batch(plan, batch.gather_descs, HOST_SETS) == GL_SEGSORT_SUCCESS &&
              host_batch_right(&batch),
          "after it: %s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK(memory.live == 0, "%zu allocations left behind", memory.live);
    host_batch_free(&batch);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(every_error_restores),
                                              CHECK_TEST(every_error_leaves_dirty_mode_clean),
                                              CHECK_TEST(memory_runs_out)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
