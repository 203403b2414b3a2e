/* Plans whose segments the GPU lists: errors that only GL can tell, and plans of nothing. */
#include "check.h"
#include "recorded_listed.h"

#define RESTORE GL_SEGSORT_STATE_RESTORE

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static struct recorded_listed listed;

static void begin(const gl_segsort_plan_desc *like, gl_segsort_segment_source source)
{
    recorded_begin();
    recorded_listed_make(&listed, like, source, false);
    context = recorded_context(RESTORE);
    CHECK(gl_segsort_plan_create(context, &listed.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
}

static void end(gl_segsort_state_policy policy)
{
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

static void sort(const char *case_name)
{
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, &listed.sort) == GL_SEGSORT_SUCCESS, "%s: %s", case_name,
          gl_segsort_last_error(context));
    const char *problem = recorded_listed_problem(&listed, plan, false);
    CHECK(!problem, "%s: %s", case_name, problem);
}

static void check_refused(gl_segsort_result expected, const char *words)
{
    fake_gl_clear_trace();
    gl_segsort_result result = gl_segsort_sort(plan, &listed.sort);
    CHECK(result == expected && strstr(gl_segsort_last_error(context), words), "%s: %s, '%s'",
          words, gl_segsort_result_string(result), gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count == 0 && fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0,
          "%s: something was recorded", words);
    const char *problem = recorded_state_problem();
    CHECK(!problem, "%s: %s", words, problem);
}

static void buffers_that_are_not_there(void)
{
    static const char *const names[] = {"segments", "segment_lengths", "segment_count", "status"};
    for (int i = 0; i < 4; i++) {
        char words[80];
        begin(NULL, i == 1 ? GL_SEGSORT_SEGMENTS_GPU_STRIDED : GL_SEGSORT_SEGMENTS_GPU_RANGES);
        const struct recorded_listed whole = listed;
        gl_segsort_view *const views[] = {&listed.sort.segments, &listed.sort.segment_lengths,
                                          &listed.sort.segment_count, &listed.sort.status};
        views[i]->buffer = 4711;
        snprintf(words, sizeof words, "%s.buffer 4711 is no buffer", names[i]);
        check_refused(GL_SEGSORT_ERROR_INVALID_ARGUMENT, words);
        listed = whole;
        uint64_t size = fake_gl_find_buffer(views[i]->buffer)->size;
        uint64_t bytes = i == 0 ? 4444 * 20 : i == 1 ? 4444 * 4 : i == 2 ? 4 : 20;
        views[i]->byte_offset = size - bytes;
        sort("up to the end");
        views[i]->byte_offset += 4;
        snprintf(words, sizeof words, "%s needs bytes up to %llu", names[i],
                 (unsigned long long)size + 4);
        check_refused(GL_SEGSORT_ERROR_OUT_OF_RANGE, words);
        end(RESTORE);
    }
}

/* The list's bytes count only as far as there can be segments. */
static void long_lists_in_short_buffers(void)
{
    const gl_segsort_plan_desc like = {.max_segments = 10};
    begin(&like, GL_SEGSORT_SEGMENTS_GPU_OFFSETS);
    fake_gl_find_buffer(listed.list)->size = listed.sort.segments.byte_offset + 4 * 11;
    listed.sort.segments.rows = UINT32_MAX;
    sort("eleven offsets");
    fake_gl_find_buffer(listed.list)->size--;
    check_refused(GL_SEGSORT_ERROR_OUT_OF_RANGE, "segments needs bytes");
    end(RESTORE);
}

static void plans_of_nothing(void)
{
    for (int i = 0; i < 2 * 2 * 3; i++) {
        recorded_begin();
        context = recorded_context((gl_segsort_state_policy)(i % 2));
        gl_segsort_plan_desc desc = {.segment_source = (gl_segsort_segment_source)(1 + i / 4),
                                     .segment_stride = i / 4 == 2 ? 7 : 0};
        desc.max_segments = i / 2 % 2 ? 10 : 0;
        desc.max_rows = i / 2 % 2 ? 0 : 10;
        fake_gl_clear_trace();
        CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        const gl_segsort_sort_desc nothing = {0};
        const gl_segsort_gather_desc gather = {0};
        CHECK(gl_segsort_sort(plan, &nothing) == GL_SEGSORT_SUCCESS &&
                  gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS,
              "%s", gl_segsort_last_error(context));
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "%zu GL calls", fake_gl.trace_count);
        end((gl_segsort_state_policy)(i % 2));
    }
}

CHECK_MAIN(CHECK_TEST(buffers_that_are_not_there), CHECK_TEST(long_lists_in_short_buffers),
           CHECK_TEST(plans_of_nothing))
