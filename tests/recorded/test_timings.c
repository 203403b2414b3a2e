/* Times of a plan's passes: where its sorts are stamped, a ring of four of them, and reading it
 * without a wait. */
#include "check.h"
#include "recorded_listed.h"

#include <stdlib.h>

#define RESTORE GL_SEGSORT_STATE_RESTORE
#define DIRTY GL_SEGSORT_STATE_LEAVE_DIRTY
#define SORTS 4 /* that may be under way */
#define PASSES_MAX 128

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static gl_segsort_plan_description description;
static gl_segsort_sort_desc sorts[2]; /* out of place, in place */

/* Three digits, so that each call leaves out passes of the other. */
static const uint32_t lengths[] = {10000, 12, 3, 5000, 200};
#define LENGTHS 5
#define ROWS 15215

static void begin(gl_segsort_state_policy policy, bool timed)
{
    recorded_begin();
    context = recorded_context(policy);
    const gl_segsort_plan_desc like = {
        .algorithm = GL_SEGSORT_ALGORITHM_RADIX, .end_bit = 24, .timed = timed};
    recorded_plan_create_like(context, &like, lengths, LENGTHS, &plan);
    CHECK(plan, "%s", gl_segsort_last_error(context));
    gl_segsort_plan_describe(plan, &description);
    sorts[0] = recorded_sort_desc(ROWS);
    sorts[1] = recorded_in_place_desc(ROWS);
    fake_gl_clear_trace();
}

static void end(gl_segsort_state_policy policy)
{
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

/* What the stamps of a sort come to. */
struct stamps {
    size_t count;
    uint64_t last; /* in nanoseconds */
    double milliseconds[PASSES_MAX];
};

static uint64_t nanoseconds_of(uint32_t query)
{
    for (size_t i = 0; i < fake_gl.timer_count; i++)
        if (fake_gl.timers[i].name == query)
            return fake_gl.timers[i].nanoseconds;
    return 0;
}

/* Sorts, and takes the times from the stamps in the trace: one in front, and one behind each pass
 * that is due. */
static struct stamps sort(bool in_place)
{
    struct stamps stamps = {0};
    uint64_t before = 0;
    size_t dispatches = 0;
    uint32_t pass = 0;
    fake_gl_clear_trace();
    fake_gl.raised_count = 0;
    CHECK(gl_segsort_sort(plan, &sorts[in_place]) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    CHECK(fake_gl.raised_count == 0, "%s", fake_gl.raised);
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        const struct fake_gl_call *call = &fake_gl.trace[i];
        dispatches += call->function == FAKE_GL_DispatchCompute ||
                      call->function == FAKE_GL_DispatchComputeIndirect;
        if (call->function != FAKE_GL_QueryCounter)
            continue;
        uint64_t now = nanoseconds_of((uint32_t)atoi(call->text + strlen("QueryCounter ")));
        CHECK(dispatches == stamps.count, "stamp %zu is behind %zu dispatches", stamps.count,
              dispatches);
        if (stamps.count > 0) {
            const gl_segsort_pass_description *due =
                recorded_due_pass(&description, in_place, stamps.count - 1);
            while (due && pass < description.pass_count && due != &description.passes[pass])
                pass++;
            if (pass < PASSES_MAX)
                stamps.milliseconds[pass] = 1e-6 * (double)(now - before);
        }
        before = stamps.last = now;
        stamps.count++;
    }
    return stamps;
}

/* Asks, and compares with the stamps of that sort. */
static void expect_times(const struct stamps *stamps, uint64_t number, const char *case_name)
{
    gl_segsort_timings timings = {0};
    fake_gl.raised_count = 0;
    CHECK(gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_SUCCESS, "%s: %s", case_name,
          gl_segsort_last_error(context));
    CHECK(fake_gl.raised_count == 0, "%s: %s", case_name, fake_gl.raised);
    CHECK(fake_gl.complaint_count == 0, "%s: %s", case_name, fake_gl.complaint);
    CHECK(timings.sort_number == number, "%s: sort %llu, should be %llu", case_name,
          (unsigned long long)timings.sort_number, (unsigned long long)number);
    CHECK(timings.pass_count == description.pass_count && timings.pass_milliseconds,
          "%s: %u passes", case_name, timings.pass_count);
    for (uint32_t i = 0; i < timings.pass_count; i++) {
        double expected = stamps ? stamps->milliseconds[i] : 0,
               off = timings.pass_milliseconds[i] - expected;
        CHECK(off < 1e-9 && off > -1e-9, "%s: pass %s took %g ms, should be %g", case_name,
              description.passes[i].label, timings.pass_milliseconds[i], expected);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Stamps */

static void stamps_around_each_pass(void)
{
    for (int i = 0; i < 4; i++) {
        bool in_place = i / 2;
        begin((gl_segsort_state_policy)(i % 2), true);
        size_t due = recorded_due_count(&description, in_place);
        CHECK(due < description.pass_count, "all %zu passes are due", due);
        struct stamps stamps = sort(in_place);
        CHECK(stamps.count == due + 1, "%zu stamps of %zu passes", stamps.count, due);
        expect_times(&stamps, 1, "one sort");
        size_t zeros = 0;
        for (uint32_t p = 0; p < description.pass_count; p++)
            zeros += stamps.milliseconds[p] <= 0;
        CHECK(zeros == description.pass_count - due, "%zu passes without a time", zeros);
        expect_times(&stamps, 1, "and again");
        end((gl_segsort_state_policy)(i % 2));
    }
}

/* Stamps are all that a timed sort adds. */
static void timing_adds_nothing_else(void)
{
    for (int policy = 0; policy < 2; policy++) {
        struct recorded_lines *lines = calloc(1, sizeof *lines);
        for (int timed = 0; timed < 2; timed++) {
            begin((gl_segsort_state_policy)policy, timed);
            sort(false);
            size_t memory = recorded.memory_calls, stamps = sort(false).count, kept = 0;
            CHECK(recorded.memory_calls == memory, "it allocates");
            CHECK((stamps > 0) == timed, "%zu stamps", stamps);
            for (size_t i = 0; i < fake_gl.trace_count; i++) {
                if (fake_gl.trace[i].function == FAKE_GL_QueryCounter)
                    continue;
                fake_gl.trace[kept++] = fake_gl.trace[i];
                if (!timed)
                    recorded_line(lines, "%s", fake_gl.trace[i].text);
            }
            fake_gl.trace_count = kept;
            CHECK(kept < RECORDED_LINES_MAX, "%zu lines", kept);
            const char *difference = recorded_trace_difference(lines);
            CHECK(!difference, "%s", difference);
            end((gl_segsort_state_policy)policy);
        }
        free(lines);
    }
}

static void listed_plans_are_timed(void)
{
    for (int policy = 0; policy < 2; policy++) {
        const gl_segsort_plan_desc like = {.timed = true, .max_length = 9000};
        struct recorded_listed listed;
        recorded_begin();
        recorded_listed_make(&listed, &like, GL_SEGSORT_SEGMENTS_GPU_RANGES, false);
        context = recorded_context((gl_segsort_state_policy)policy);
        CHECK(gl_segsort_plan_create(context, &listed.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        gl_segsort_plan_describe(plan, &description);
        sorts[0] = listed.sort;
        struct stamps stamps = sort(false);
        CHECK(stamps.count == description.pass_count + 1 && stamps.count > 10, "%zu stamps",
              stamps.count);
        expect_times(&stamps, 1, "a listed sort");
        end((gl_segsort_state_policy)policy);
    }
}

static void gathers_are_not_timed(void)
{
    begin(DIRTY, true);
    const gl_segsort_gather_desc gather = {.indices = {recorded.output_values, 0, ROWS},
                                           .records = {recorded.keys, 0, ROWS},
                                           .output_records = {recorded.output_keys, 0, ROWS},
                                           .record_words = 2};
    struct stamps stamps = sort(false);
    fake_gl_clear_trace();
    CHECK(gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    CHECK(fake_gl.calls_of[FAKE_GL_QueryCounter] == 0 && fake_gl.dispatch_count > 0, "%zu stamps",
          fake_gl.calls_of[FAKE_GL_QueryCounter]);
    expect_times(&stamps, 1, "after a gather");
    end(DIRTY);
}

/* ---------------------------------------------------------------------------------------------- */
/* The ring */

static void before_any_sort(void)
{
    begin(RESTORE, true);
    expect_times(NULL, 0, "no sort yet");
    fake_gl.timers_late = true;
    sort(false);
    expect_times(NULL, 0, "none has ended");
    end(RESTORE);
}

static void the_latest_sort_wins(void)
{
    begin(RESTORE, true);
    struct stamps stamps = {0};
    for (uint64_t number = 1; number <= 3; number++)
        stamps = sort(number == 2);
    expect_times(&stamps, 3, "three sorts");
    /* Passes that the sort before left out and this one doesn't, and the other way round. */
    for (uint64_t number = 4; number <= 30; number++) {
        stamps = sort(number % 2 == 0);
        CHECK(stamps.count > 0, "sort %llu goes untimed", (unsigned long long)number);
        if (number % 3 == 0)
            expect_times(&stamps, number, "in turn");
    }
    end(RESTORE);
}

/* The fifth sort goes untimed while four are under way, and counts all the same. */
static void a_fifth_sort_goes_untimed(void)
{
    for (int policy = 0; policy < 2; policy++) {
        struct stamps stamps = {0}, early;
        begin((gl_segsort_state_policy)policy, true);
        early = sort(true);
        expect_times(&early, 1, "an early one");
        fake_gl.timers_late = true;
        for (uint64_t number = 2; number <= 1 + SORTS; number++) {
            stamps = sort(false);
            CHECK(stamps.count > 0, "sort %llu is not timed", (unsigned long long)number);
            expect_times(&early, 1, "an earlier one's times");
        }
        for (int n = 0; n < 3; n++)
            CHECK(sort(true).count == 0, "a fifth sort is stamped");
        expect_times(&early, 1, "still the earlier one's");
        fake_gl.timers_late = false;
        expect_times(&stamps, 1 + SORTS, "the last one that was timed");
        stamps = sort(true);
        CHECK(stamps.count > 0, "none is under way, and it goes untimed");
        expect_times(&stamps, 1 + SORTS + 3 + 1, "the next one");
        end((gl_segsort_state_policy)policy);
    }
}

/* Without anybody who asks, the ring fills up once. */
static void nobody_asks(void)
{
    begin(DIRTY, true);
    struct stamps stamps[12];
    for (int i = 0; i < 12; i++)
        stamps[i] = sort(false);
    for (int i = 0; i < 12; i++)
        CHECK((stamps[i].count > 0) == (i < SORTS), "sort %d: %zu stamps", i, stamps[i].count);
    expect_times(&stamps[SORTS - 1], SORTS, "after twelve");
    end(DIRTY);
}

/* A sort is read once its last stamp is in, and a place in the ring is taken again before those
 * behind it are free. */
static void sorts_that_end_one_by_one(void)
{
    begin(RESTORE, true);
    struct stamps stamps[SORTS + 1];
    for (int i = 0; i < SORTS; i++)
        stamps[i] = sort(i % 2);
    for (int i = 0; i < SORTS; i++) {
        fake_gl.timers_late_from = stamps[i].last;
        expect_times(i > 0 ? &stamps[i - 1] : NULL, (uint64_t)i, "all but its last stamp are in");
        fake_gl.timers_late_from = stamps[i].last + 1;
        expect_times(&stamps[i], (uint64_t)i + 1, "one by one");
        if (i == 0)
            stamps[SORTS] = sort(false);
        CHECK(i > 0 || stamps[SORTS].count > 0, "the first sort's place is not free");
    }
    fake_gl.timers_late_from = 0;
    expect_times(&stamps[SORTS], SORTS + 1, "the fifth in the first one's place");
    end(RESTORE);
}

/* The fifth sort's times are there before those of the four before are read. */
static void earlier_sorts_read_later(void)
{
    begin(RESTORE, true);
    struct stamps stamps[SORTS + 1];
    for (int i = 0; i < SORTS; i++)
        stamps[i] = sort(i % 2);
    fake_gl.timers_late_from = stamps[0].last + 1;
    expect_times(&stamps[0], 1, "the first");
    stamps[SORTS] = sort(false);
    fake_gl.timers_late_from = 0;
    expect_times(&stamps[SORTS], SORTS + 1, "the fifth");
    expect_times(&stamps[SORTS], SORTS + 1, "and still the fifth");
    end(RESTORE);
}

/* A time that runs backwards, as drivers have been seen to do, is 0 and not 10^19. */
static void stamps_that_run_backwards(void)
{
    begin(RESTORE, true);
    struct stamps stamps = sort(false);
    for (size_t i = 0; i < fake_gl.timer_count; i++)
        if (fake_gl.timers[i].stamped)
            fake_gl.timers[i].nanoseconds = 1000000 - i;
    memset(stamps.milliseconds, 0, sizeof stamps.milliseconds);
    expect_times(&stamps, 1, "backwards");
    end(RESTORE);
}

/* What GL refused has no times, is no sort that counts, and takes no place in the ring. */
static void sorts_that_failed(void)
{
    begin(RESTORE, true);
    struct stamps stamps = sort(false);
    expect_times(&stamps, 1, "the first");
    fake_gl.timers_late = true;
    for (int i = 0; i < 2 * SORTS; i++) {
        fake_gl.fail_next[i % 2 ? FAKE_GL_DispatchCompute : FAKE_GL_QueryCounter] = true;
        CHECK(gl_segsort_sort(plan, &sorts[0]) == GL_SEGSORT_ERROR_GL, "%s",
              gl_segsort_last_error(context));
        fake_gl.raised_count = 0;
        expect_times(&stamps, 1, "after a failure");
        CHECK(fake_gl.error == SEGSORT_GL_NO_ERROR, "0x%04x is left", fake_gl.error);
    }
    fake_gl.timers_late = false;
    fake_gl.raised_count = 0;
    stamps = sort(true);
    CHECK(stamps.count > 0, "the ring is full of failures");
    expect_times(&stamps, 2, "the next one");
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Queries */

static size_t queries_alive(void)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_gl.timer_count; i++)
        count += fake_gl.timers[i].alive;
    return count;
}

static void queries_come_and_go_with_the_plan(void)
{
    for (int i = 0; i < 4; i++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(i % 2);
        begin(policy, true);
        CHECK(queries_alive() == SORTS * (description.pass_count + 1), "%zu queries",
              queries_alive());
        for (int n = 0; n < 7; n++) {
            gl_segsort_timings timings;
            sort(n % 2);
            CHECK(fake_gl.calls_of[FAKE_GL_GenQueries] == 0, "a sort makes queries");
            CHECK(fake_gl.calls_of[FAKE_GL_GetQueryObjectiv] == 0 &&
                      fake_gl.calls_of[FAKE_GL_GetQueryObjectui64v] == 0,
                  "a sort reads queries");
            gl_segsort_plan_timings(plan, &timings);
            CHECK(fake_gl.calls_of[FAKE_GL_GenQueries] == 0, "timings make queries");
        }
        if (i / 2) {
            gl_segsort_context_destroy(context);
            context = NULL;
        } else {
            gl_segsort_plan_destroy(plan);
            plan = NULL;
        }
        CHECK(queries_alive() == 0, "%zu queries are left", queries_alive());
        CHECK(fake_gl.calls_of[FAKE_GL_DeleteQueries] == 1, "%zu deletions",
              fake_gl.calls_of[FAKE_GL_DeleteQueries]);
        end(policy);
    }
}

static void untimed_plans_have_none(void)
{
    begin(RESTORE, false);
    gl_segsort_timings timings = {.sort_number = 7};
    sort(false);
    CHECK(fake_gl.timer_count == 0 && fake_gl.calls_of[FAKE_GL_QueryCounter] == 0, "queries");
    fake_gl_clear_trace();
    CHECK(gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "success");
    CHECK(strstr(gl_segsort_last_error(context), "'mesh'") &&
              strstr(gl_segsort_last_error(context), "gl_segsort_plan_desc.timed") &&
              strstr(recorded.log, gl_segsort_last_error(context)),
          "'%s', '%s'", gl_segsort_last_error(context), recorded.log);
    CHECK(fake_gl.trace_count == 0, "%zu GL calls", fake_gl.trace_count);
    end(RESTORE);
}

static void plans_without_passes(void)
{
    begin(RESTORE, false);
    const gl_segsort_plan_desc desc = {.timed = true};
    gl_segsort_plan *nothing;
    gl_segsort_timings timings;
    fake_gl_clear_trace();
    CHECK(gl_segsort_plan_create(context, &desc, &nothing) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    CHECK(gl_segsort_sort(nothing, &sorts[0]) == GL_SEGSORT_SUCCESS &&
              gl_segsort_plan_timings(nothing, &timings) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(context));
    CHECK(timings.pass_count == 0 && timings.sort_number == 0, "%u passes, sort %llu",
          timings.pass_count, (unsigned long long)timings.sort_number);
    CHECK(fake_gl.timer_count == 0, "%zu queries", fake_gl.timer_count);
    gl_segsort_plan_destroy(nothing);
    end(RESTORE);
}

static void queries_that_gl_does_not_give(void)
{
    begin(RESTORE, true);
    gl_segsort_plan *other;
    const gl_segsort_plan_desc like = {.timed = true};
    size_t alive = queries_alive();
    fake_gl.fail_next[FAKE_GL_GenQueries] = true;
    gl_segsort_result result = recorded_plan_create_like(context, &like, lengths, LENGTHS, &other);
    CHECK(result == GL_SEGSORT_ERROR_OUT_OF_MEMORY &&
              strstr(gl_segsort_last_error(context), "queries"),
          "%s: %s", gl_segsort_result_string(result), gl_segsort_last_error(context));
    CHECK(!other && queries_alive() == alive, "%zu queries", queries_alive());
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Errors */

static void nothing_is_given(void)
{
    gl_segsort_timings timings;
    begin(RESTORE, true);
    CHECK(gl_segsort_plan_timings(NULL, &timings) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "no plan");
    CHECK(gl_segsort_plan_timings(plan, NULL) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              strstr(gl_segsort_last_error(context), "timings is NULL"),
          "%s", gl_segsort_last_error(context));
    end(RESTORE);
}

static void other_contexts(void)
{
    gl_segsort_timings timings;
    begin(RESTORE, true);
    struct stamps stamps = sort(false);
    void *home = fake_gl.current_context;
    fake_gl_clear_trace();
    for (int none = 0; none < 2; none++) {
        fake_gl.current_context = none ? NULL : &home;
        CHECK(gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_ERROR_WRONG_CONTEXT, "%s",
              gl_segsort_last_error(context));
        CHECK(fake_gl.trace_count == 0, "%s", fake_gl.trace[0].text);
    }
    fake_gl.current_context = home;
    expect_times(&stamps, 1, "back home");
    end(RESTORE);
}

static void lost_contexts(void)
{
    for (int i = 0; i < 2; i++) {
        gl_segsort_timings timings;
        begin(RESTORE, true);
        sort(false);
        if (i == 0) {
            fake_gl.reset_status = 0x8253;
            CHECK(gl_segsort_sort(plan, &sorts[0]) == GL_SEGSORT_ERROR_CONTEXT_LOST, "not lost");
        } else {
            gl_segsort_context_destroy(context);
            context = NULL;
        }
        fake_gl_clear_trace();
        CHECK(gl_segsort_plan_timings(plan, &timings) == GL_SEGSORT_ERROR_CONTEXT_LOST, "success");
        CHECK(fake_gl.trace_count == 0, "%s", fake_gl.trace[0].text);
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK(fake_gl.calls_of[FAKE_GL_DeleteQueries] == 0, "a lost context's queries are deleted");
        CHECK(recorded.memory_live == 0, "%zu allocations leaked", recorded.memory_live);
        fake_gl_free();
    }
}

CHECK_MAIN(CHECK_TEST(stamps_around_each_pass), CHECK_TEST(timing_adds_nothing_else),
           CHECK_TEST(listed_plans_are_timed), CHECK_TEST(gathers_are_not_timed),
           CHECK_TEST(before_any_sort), CHECK_TEST(the_latest_sort_wins),
           CHECK_TEST(a_fifth_sort_goes_untimed), CHECK_TEST(nobody_asks),
           CHECK_TEST(sorts_that_end_one_by_one), CHECK_TEST(earlier_sorts_read_later),
           CHECK_TEST(stamps_that_run_backwards), CHECK_TEST(sorts_that_failed),
           CHECK_TEST(queries_come_and_go_with_the_plan), CHECK_TEST(untimed_plans_have_none),
           CHECK_TEST(plans_without_passes), CHECK_TEST(queries_that_gl_does_not_give),
           CHECK_TEST(nothing_is_given), CHECK_TEST(other_contexts), CHECK_TEST(lost_contexts))
