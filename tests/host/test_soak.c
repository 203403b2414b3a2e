/* flycast 2462: what a host that runs for hours notices. Names, host memory and the process's size
 * stay where they are. */
#include "host_batch.h"
#include "host_listed.h"

#include <stdlib.h>

#define SORTS 10000
#define SORTS_A_FRAME 50
#define PLANS 300
#define CONTEXTS 40

/* What the driver may add to the process on its own, for its pools and threads. A leak of 1 KiB a
 * sort comes to 10 MiB. */
#define TOLERANCE_BYTES ((int64_t)8 << 20)

/* A sanitizer keeps freed memory back, so the process grows with every call that allocates, the
 * driver's own included. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static struct host_memory memory;

static gl_segsort_context *counting_context(gl_segsort_state_policy policy)
{
    gl_segsort_context_desc desc = host_context_desc();
    desc.allocator = host_allocator(&memory);
    desc.state_policy = policy;
    gl_segsort_context *context = NULL;
    if (gl_segsort_context_create(&desc, &context) != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "gl_segsort_context_create: %s\n", host_log_text());
    return context;
}

/* The process's resident bytes where Linux's /proc tells them, else -1. */
static int64_t resident_bytes(void)
{
    FILE *file = SANITIZED ? NULL : fopen("/proc/self/status", "r");
    if (!file)
        return -1;
    char line[256];
    long long kibibytes = -1;
    while (kibibytes < 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %lld kB", &kibibytes) != 1)
            kibibytes = -1;
    fclose(file);
    return kibibytes < 0 ? -1 : (int64_t)kibibytes * 1024;
}

static void check_resident(int64_t before, const char *what)
{
    int64_t after = resident_bytes();
    if (before < 0 || after < 0) {
        printf("       %s: the process's size is not known here\n", what);
        return;
    }
    printf("       %s: %+lld KiB\n", what, (long long)(after - before) / 1024);
    CHECK(after - before < TOLERANCE_BYTES, "%s: the process grew by %lld bytes", what,
          (long long)(after - before));
}

static void sort_times(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc, int times)
{
    int failed = 0;
    for (int i = 0; i < times; i++) {
        failed += gl_segsort_sort(plan, desc) != GL_SEGSORT_SUCCESS;
        if (i % SORTS_A_FRAME == 0)
            glFinish(); /* a frame's end, so that the queue doesn't grow in place of the library */
    }
    glFinish();
    CHECK(failed == 0, "%d sorts failed: %s", failed, host_log_text());
}

/* A tenth as many sorts first, until the driver has what it wants. */
static void sort_over_and_over(gl_segsort_state_policy policy, const uint32_t *lengths,
                               size_t count, int sorts, const char *what)
{
    struct host_sort sort;
    struct host_names before, after;
    host_sort_make(&sort, lengths, count, GENERATE_RANDOM);
    gl_segsort_context *context = counting_context(policy);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    sort_times(plan, &desc, sorts / 10);
    size_t allocations = memory.allocations;
    host_next_names(&before);
    int64_t resident = resident_bytes();
    sort_times(plan, &desc, sorts);
    check_resident(resident, what);
    host_next_names(&after);
    CHECK(host_names_equal(&before, &after), "%s: a sort made GL objects", what);
    CHECK(memory.allocations == allocations, "%s: %zu allocations in %d sorts", what,
          memory.allocations - allocations, sorts);
    CHECK(host_sort_right(&sort), "%s", what);
    CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", what);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

static const uint32_t short_lengths[] = {3, 8, 30, 64};
static const uint32_t long_lengths[] = {3, 4500};

static void sorts_that_restore(void)
{
    sort_over_and_over(GL_SEGSORT_STATE_RESTORE, short_lengths, 4, SORTS, "10,000 sorts");
}

static void sorts_that_leave_dirty(void)
{
    sort_over_and_over(GL_SEGSORT_STATE_LEAVE_DIRTY, short_lengths, 4, SORTS,
                       "10,000 sorts that leave dirty");
}

static void sorts_of_long_segments(void)
{
    sort_over_and_over(GL_SEGSORT_STATE_RESTORE, long_lengths, 2, SORTS / 50,
                       "200 sorts of a long segment");
}

/* ---------------------------------------------------------------------------------------------- */
/* Batches, gathers and scratch sizes */

static void batch_times(gl_segsort_context *context, gl_segsort_plan *plan,
                        const struct host_batch *batch, int times)
{
    gl_segsort_plan_desc desc = host_batch_plan_desc(batch);
    uint64_t bytes;
    int failed = 0;
    for (int i = 0; i < times; i++) {
        failed += gl_segsort_sort_batch(plan, batch->sort_descs, HOST_SETS) != GL_SEGSORT_SUCCESS;
        failed +=
            gl_segsort_gather_batch(plan, batch->gather_descs, HOST_SETS) != GL_SEGSORT_SUCCESS;
        if (i % 10 == 0)
            failed += gl_segsort_plan_scratch_size(context, &desc, &bytes) != GL_SEGSORT_SUCCESS;
        if (i % SORTS_A_FRAME == 0)
            glFinish();
    }
    glFinish();
    CHECK(failed == 0, "%d calls failed: %s", failed, host_log_text());
}

/* Batches and gathers allocate nothing; a scratch size gives back what it took. */
static void batch_over_and_over(gl_segsort_state_policy policy, const uint32_t *lengths,
                                size_t count, int times, const char *what)
{
    struct host_batch batch;
    struct host_names before, after;
    host_batch_make(&batch, lengths, count);
    gl_segsort_context *context = counting_context(policy);
    gl_segsort_plan *plan = host_batch_plan(context, &batch);
    batch_times(context, plan, &batch, times / 10);
    size_t live = memory.live, allocations = memory.allocations;
    gl_segsort_plan_desc desc = host_batch_plan_desc(&batch);
    uint64_t bytes;
    CHECK(gl_segsort_plan_scratch_size(context, &desc, &bytes) == GL_SEGSORT_SUCCESS, "size");
    size_t size_allocations = memory.allocations - allocations;
    allocations = memory.allocations;
    host_next_names(&before);
    int64_t resident = resident_bytes();
    batch_times(context, plan, &batch, times);
    check_resident(resident, what);
    host_next_names(&after);
    CHECK(host_names_equal(&before, &after), "%s: a call made GL objects", what);
    CHECK(memory.allocations - allocations == (size_t)(times + 9) / 10 * size_allocations,
          "%s: %zu allocations, of which a scratch size makes %zu", what,
          memory.allocations - allocations, size_allocations);
    CHECK(memory.live == live, "%s: %zu allocations left behind", what, memory.live - live);
    CHECK(host_batch_right(&batch), "%s", what);
    CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", what);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_batch_free(&batch);
}

static void batches_that_restore(void)
{
    batch_over_and_over(GL_SEGSORT_STATE_RESTORE, short_lengths, 4, SORTS / 5,
                        "2,000 batches and gathers");
}

static void batches_that_leave_dirty(void)
{
    batch_over_and_over(GL_SEGSORT_STATE_LEAVE_DIRTY, short_lengths, 4, SORTS / 10,
                        "1,000 batches and gathers that leave dirty");
}

static void batches_of_long_segments(void)
{
    batch_over_and_over(GL_SEGSORT_STATE_RESTORE, long_lengths, 2, SORTS / 100,
                        "100 batches and gathers of long segments");
}

/* Plans of batches that use the host's scratch make a table and parameters, and take them along. */
static void batch_plans_that_come_and_go(void)
{
    struct host_objects before, after, during;
    struct host_batch batch;
    size_t live = 0;
    host_batch_make(&batch, long_lengths, 2);
    gl_segsort_context *context = counting_context(GL_SEGSORT_STATE_RESTORE);
    for (int i = 0; i < PLANS / 5; i++) {
        gl_segsort_plan *plan = host_batch_plan(context, &batch);
        CHECK(gl_segsort_sort_batch(plan, batch.sort_descs, HOST_SETS) == GL_SEGSORT_SUCCESS &&
                  gl_segsort_gather_batch(plan, batch.gather_descs, HOST_SETS) ==
                      GL_SEGSORT_SUCCESS,
              "%s", host_log_text());
        glFinish();
        host_count_objects(&during);
        gl_segsort_plan_destroy(plan);
        host_count_objects(&after);
        if (i == 0) { /* the programs stay */
            before = after;
            live = memory.live;
        }
        CHECK(during.buffers == after.buffers + 2, "a plan has %zu buffers",
              during.buffers - after.buffers);
        CHECK(host_objects_equal(&before, &after) && memory.live == live, "plan %d", i);
    }
    CHECK(host_batch_right(&batch), "the last plan's batch");
    gl_segsort_context_destroy(context);
    host_batch_free(&batch);
    CHECK(memory.live == 0, "the context leaves %zu allocations behind", memory.live);
}

/* ---------------------------------------------------------------------------------------------- */

/* ---------------------------------------------------------------------------------------------- */
/* Listed segments and times */

static void listed_times(gl_segsort_plan *plan, const struct host_listed *listed, int times)
{
    gl_segsort_timings timings;
    int failed = 0;
    for (int i = 0; i < times; i++) {
        failed += gl_segsort_sort(plan, &listed->sort_desc) != GL_SEGSORT_SUCCESS;
        failed += gl_segsort_gather(plan, &listed->gather_desc) != GL_SEGSORT_SUCCESS;
        if (i % 3 != 0) /* some sorts find the ring full */
            failed += gl_segsort_plan_timings(plan, &timings) != GL_SEGSORT_SUCCESS;
        if (i % SORTS_A_FRAME == 0)
            glFinish();
    }
    CHECK(failed == 0, "%d calls failed: %s", failed, host_log_text());
    CHECK(host_times_come_in(plan), "times");
}

static void listed_over_and_over(gl_segsort_state_policy policy, const uint32_t *lengths,
                                 size_t count, int times, const char *what)
{
    struct host_listed listed;
    struct host_names before, after;
    host_listed_make(&listed, lengths, count);
    gl_segsort_context *context = counting_context(policy);
    gl_segsort_plan *plan = host_listed_plan(context, &listed, true);
    listed_times(plan, &listed, times / 5);
    size_t allocations = memory.allocations;
    host_next_names(&before);
    int64_t resident = resident_bytes();
    listed_times(plan, &listed, times);
    check_resident(resident, what);
    host_next_names(&after);
    CHECK(host_names_equal(&before, &after), "%s: a call made GL objects", what);
    CHECK(memory.allocations == allocations, "%s: %zu allocations", what,
          memory.allocations - allocations);
    CHECK(host_listed_right(&listed, true), "%s", what);
    CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", what);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_listed_free(&listed);
    CHECK(memory.live == 0, "%s leave %zu allocations behind", what, memory.live);
}

static void listed_sorts(void)
{
    listed_over_and_over(GL_SEGSORT_STATE_RESTORE, short_lengths, 4, SORTS / 10,
                         "1,000 timed sorts of listed segments");
    listed_over_and_over(GL_SEGSORT_STATE_LEAVE_DIRTY, short_lengths, 4, SORTS / 10,
                         "1,000 that leave dirty");
}

static void listed_sorts_of_long_segments(void)
{
    listed_over_and_over(GL_SEGSORT_STATE_RESTORE, long_lengths, 2, SORTS / 100,
                         "100 of long segments");
}

/* Queries and commands go with their plan. */
static void listed_plans_that_come_and_go(void)
{
    struct host_objects before, after;
    struct host_listed listed;
    size_t live = 0;
    host_listed_make(&listed, short_lengths, 4);
    gl_segsort_context *context = counting_context(GL_SEGSORT_STATE_RESTORE);
    for (int i = 0; i < PLANS / 5; i++) {
        gl_segsort_plan *plan = host_listed_plan(context, &listed, true);
        CHECK(gl_segsort_sort(plan, &listed.sort_desc) == GL_SEGSORT_SUCCESS, "%s",
              host_log_text());
        glFinish();
        gl_segsort_plan_destroy(plan);
        host_count_objects(&after);
        if (i == 0) { /* the programs stay */
            before = after;
            live = memory.live;
        }
        CHECK(host_objects_equal(&before, &after) && memory.live == live, "plan %d", i);
    }
    gl_segsort_context_destroy(context);
    host_listed_free(&listed);
    CHECK(memory.live == 0, "the context leaves %zu allocations behind", memory.live);
}

/* A plan for a moving layout every frame: its buffers and memory go, its programs stay and are not
 * compiled again. */
static void plans_that_come_and_go(void)
{
    struct host_objects before, after;
    size_t live_before = 0;
    int64_t resident = -1;
    struct host_sort sort;
    gl_segsort_context *context = counting_context(GL_SEGSORT_STATE_RESTORE);
    host_sort_make(&sort, long_lengths, 2, GENERATE_RANDOM);
    for (int i = 0; i < PLANS + PLANS / 3; i++) {
        if (i % SORTS_A_FRAME == 0)
            glFinish(); /* until then drivers keep what was deleted */
        if (i == PLANS / 3) {
            glFinish();
            host_count_objects(&before);
            live_before = memory.live;
            resident = resident_bytes();
        }
        gl_segsort_plan *plan = host_sort_plan(context, &sort);
        gl_segsort_sort_desc desc = host_sort_desc(&sort);
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
        gl_segsort_plan_destroy(plan);
    }
    glFinish();
    check_resident(resident, "300 plans");
    host_count_objects(&after);
    CHECK(host_objects_equal(&before, &after), "plans leave GL objects behind");
    CHECK(memory.live == live_before, "plans leave %zu allocations behind",
          memory.live - live_before);
    CHECK(host_sort_right(&sort), "the last plan's sort");
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
    CHECK(memory.live == 0, "the context leaves %zu allocations behind", memory.live);
}

static void contexts_that_come_and_go(void)
{
    struct host_objects before, after;
    host_count_objects(&before);
    for (int i = 0; i < CONTEXTS; i++) {
        gl_segsort_context *context = counting_context((gl_segsort_state_policy)(i % 2));
        CHECK(context && host_sorts(context), "context %d", i);
        gl_segsort_context_destroy(context);
    }
    host_count_objects(&after);
    CHECK(host_objects_equal(&before, &after), "contexts leave GL objects behind");
    CHECK(memory.live == 0, "contexts leave %zu allocations behind", memory.live);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(sorts_that_restore),
                                              CHECK_TEST(sorts_that_leave_dirty),
                                              CHECK_TEST(sorts_of_long_segments),
                                              CHECK_TEST(batches_that_restore),
                                              CHECK_TEST(batches_that_leave_dirty),
                                              CHECK_TEST(batches_of_long_segments),
                                              CHECK_TEST(batch_plans_that_come_and_go),
                                              CHECK_TEST(listed_sorts),
                                              CHECK_TEST(listed_sorts_of_long_segments),
                                              CHECK_TEST(listed_plans_that_come_and_go),
                                              CHECK_TEST(plans_that_come_and_go),
                                              CHECK_TEST(contexts_that_come_and_go)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
