/* The GL calls of a sort: which, in which order, and with which barriers. */
#include "check.h"
#include "recorded.h"

#include <stdlib.h>

/* Three networks, of 16, 4 and 2 rows, and a segment without rows. */
static const uint32_t short_lengths[] = {12, 11, 3, 0, 1};
#define SHORT_COUNT 5
#define SHORT_ROWS 27

/* 10000 rows are more than one work group sorts, whatever the shared memory. */
static const uint32_t mixed_lengths[] = {10000, 12, 3, 5000, 200};
#define MIXED_COUNT 5
#define MIXED_ROWS 15215

#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define CONSUMERS_OF_43 0x00003aefu
#define CONSUMERS_OF_44 0x0000faefu

/* ---------------------------------------------------------------------------------------------- */
/* Order */

static void expect_binding_saved(struct recorded_lines *lines, const char *target, int index)
{
    recorded_line(lines, "GetIntegeri_v %s_BUFFER_BINDING %d", target, index);
    recorded_line(lines, "GetInteger64i_v %s_BUFFER_START %d", target, index);
    recorded_line(lines, "GetInteger64i_v %s_BUFFER_SIZE %d", target, index);
}

static void expect_state_saved(struct recorded_lines *lines)
{
    recorded_line(lines, "GetIntegerv CURRENT_PROGRAM");
    recorded_line(lines, "GetProgramiv host-program DELETE_STATUS");
    recorded_line(lines, "GetIntegerv TRANSFORM_FEEDBACK_ACTIVE");
    recorded_line(lines, "GetIntegerv STORAGE_BUFFER_BINDING");
    recorded_line(lines, "GetIntegerv UNIFORM_BUFFER_BINDING");
    for (int i = 0; i < SEGSORT_BINDING_LIST; i++)
        expect_binding_saved(lines, "STORAGE", i);
    expect_binding_saved(lines, "UNIFORM", 0);
    recorded_line(lines, "GetIntegerv DEBUG_GROUP_STACK_DEPTH");
    recorded_line(lines, "GetIntegerv MAX_DEBUG_GROUP_STACK_DEPTH");
}

static void expect_state_restored(struct recorded_lines *lines)
{
    recorded_line(lines, "BindBufferBase STORAGE 0 host-storage-0");
    recorded_line(lines, "BindBufferRange STORAGE 1 host-storage-1 256 101");
    recorded_line(lines, "BindBufferBase STORAGE 2 0");
    recorded_line(lines, "BindBufferRange STORAGE 3 host-storage-3 768 103");
    recorded_line(lines, "BindBufferBase STORAGE 4 host-storage-4");
    recorded_line(lines, "BindBufferRange STORAGE 5 host-storage-5 1280 105");
    recorded_line(lines, "BindBufferRange UNIFORM 0 host-uniform-0 256 64");
    recorded_line(lines, "BindBuffer STORAGE host-generic-storage-0");
    recorded_line(lines, "BindBuffer UNIFORM host-generic-uniform-0");
    recorded_line(lines, "UseProgram host-program");
}

static const char *const stream_names[] = {"keys", "values", "output_keys", "output_values"};

/* From the inputs to the outputs. */
static void expect_streams_bound(struct recorded_lines *lines)
{
    for (int i = 0; i < 4; i++)
        recorded_line(lines, "BindBufferRange STORAGE %d %s 0 %d", i, stream_names[i],
                      SHORT_ROWS * 4);
}

/* checked: GL is asked whether the buffers are there and how large, and may refuse a binding before
 * anything is dispatched. */
static void expect_start(struct recorded_lines *lines)
{
    for (int i = 0; i < 4; i++) {
        recorded_line(lines, "IsBuffer %s", stream_names[i]);
        recorded_line(lines, "BindBuffer STORAGE %s", stream_names[i]);
        recorded_line(lines, "GetBufferParameteri64v STORAGE BUFFER_SIZE");
    }
    recorded_line(lines, "BindBufferBase STORAGE 4 mesh-table");
    expect_streams_bound(lines);
}

/* Where each pass has its parameters is looked at in test_dispatch.c. */
static void expect_passes(struct recorded_lines *lines, bool streams_bound)
{
    static const int widths[] = {16, 4, 2};
    recorded_line(lines, "MemoryBarrier 0x%08x", STORAGE);
    for (size_t i = 0; i < fake_gl.dispatch_count && i < 3; i++) {
        recorded_line(lines, "PushDebugGroup mesh-bitonic-local-%d", widths[i]);
        recorded_line(lines, "UseProgram gl_segsort-bitonic-local-%d", widths[i]);
        if (i == 0 && !streams_bound)
            expect_streams_bound(lines);
        recorded_line(lines, "BindBufferRange UNIFORM 0 mesh-parameters %d %d",
                      (int)fake_gl.dispatches[i].uniform.start,
                      (int)fake_gl.dispatches[i].uniform.size);
        recorded_line(lines, "DispatchCompute 1 1 1");
        recorded_line(lines, "PopDebugGroup");
    }
    recorded_line(lines, "MemoryBarrier 0x%08x", CONSUMERS_OF_44);
}

/* By the network, which has a pass a width. */
static gl_segsort_plan *short_plan(gl_segsort_context *context)
{
    const gl_segsort_plan_desc like = {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
    gl_segsort_plan *plan;
    recorded_plan_create_like(context, &like, short_lengths, SHORT_COUNT, &plan);
    return plan;
}

/* Sorts twice and keeps the trace of the second sort alone. */
static void record_second_sort(gl_segsort_plan *plan)
{
    gl_segsort_sort_desc sort = recorded_sort_desc(SHORT_ROWS);
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "first sort");
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "second sort");
    CHECK(fake_gl.dispatch_count == 3, "%zu dispatches", fake_gl.dispatch_count);
}

/* How often in between the library asks for errors is its own business. */
static void drop_error_queries(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < fake_gl.trace_count; i++)
        if (fake_gl.trace[i].function != FAKE_GL_GetError)
            fake_gl.trace[kept++] = fake_gl.trace[i];
    fake_gl.trace_count = kept;
}

static void order_of_a_restoring_sort(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = short_plan(context);
    record_second_sort(plan);
    CHECK(fake_gl.trace_count > 2 && fake_gl.trace[1].function == FAKE_GL_GetError,
          "the host's error is not looked at before anything else");
    CHECK(fake_gl.trace_count > 2 &&
              fake_gl.trace[fake_gl.trace_count - 1].function == FAKE_GL_GetError,
          "the last call does not ask for errors");
    drop_error_queries();
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    recorded_line(lines, "GetGraphicsResetStatus");
    expect_state_saved(lines);
    expect_start(lines);
    expect_passes(lines, true);
    expect_state_restored(lines);
    const char *difference = recorded_trace_difference(lines);
    CHECK(!difference, "%s", difference);
    free(lines);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void order_of_a_dirty_sort(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan *plan = short_plan(context);
    record_second_sort(plan);
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    recorded_line(lines, "BindBufferBase STORAGE 4 mesh-table");
    expect_passes(lines, false);
    recorded_line(lines, "UseProgram 0");
    const char *difference = recorded_trace_difference(lines);
    CHECK(!difference, "%s", difference);
    free(lines);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

static gl_segsort_plan *mixed_plan(gl_segsort_context *context, int algorithm)
{
    const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm};
    gl_segsort_plan *plan;
    recorded_plan_create_like(context, &like, mixed_lengths, MIXED_COUNT, &plan);
    return plan;
}

static void dirty_sort_asks_nothing_of(int algorithm)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan *plan = mixed_plan(context, algorithm);
    gl_segsort_sort_desc sort = recorded_sort_desc(MIXED_ROWS);
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count > 3, "%zu dispatches", fake_gl.dispatch_count);
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        const char *text = fake_gl.trace[i].text;
        CHECK(strncmp(text, "Get", 3) != 0 && strncmp(text, "Is", 2) != 0, "%s", text);
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

static void dirty_sort_asks_nothing(void)
{
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++)
        dirty_sort_asks_nothing_of(algorithm);
}

/* The list in the header: program 0, SSBO 0..5, UBO 0, and the generic bindings of both. */
static void dirty_sort_changes_only_what_is_documented_of(int algorithm)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan *plan = mixed_plan(context, algorithm);
    const char *problem = recorded_state_problem();
    CHECK(!problem, "making a plan: %s", problem);
    gl_segsort_sort_desc sort = recorded_sort_desc(MIXED_ROWS);
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    struct fake_gl_state expected = recorded.state;
    expected.program = 0;
    expected.storage = fake_gl.state.storage;
    expected.uniform = fake_gl.state.uniform;
    memcpy(expected.storage_at, fake_gl.state.storage_at, 6 * sizeof expected.storage_at[0]);
    expected.uniform_at[0] = fake_gl.state.uniform_at[0];
    problem = fake_gl_state_difference(&expected, &fake_gl.state);
    CHECK(!problem, "%s", problem);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

static void dirty_sort_changes_only_what_is_documented(void)
{
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++)
        dirty_sort_changes_only_what_is_documented_of(algorithm);
}

/* Nothing is made, compiled or read back once a plan exists, and no memory is asked for. In place
 * and out of place take turns, which run different passes. */
static void steady_state_makes_nothing(void)
{
    static const enum fake_gl_function makers[] = {
        FAKE_GL_GenBuffers,       FAKE_GL_DeleteBuffers,    FAKE_GL_BufferData,
        FAKE_GL_CreateShader,     FAKE_GL_ShaderSource,     FAKE_GL_CompileShader,
        FAKE_GL_CreateProgram,    FAKE_GL_LinkProgram,      FAKE_GL_GetShaderiv,
        FAKE_GL_ObjectLabel,      FAKE_GL_FenceSync,        FAKE_GL_ClientWaitSync,
        FAKE_GL_GetBufferSubData, FAKE_GL_CopyBufferSubData};
    for (int p = 0; p < 2 * RECORDED_ALGORITHMS; p++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(p % 2);
        recorded_begin();
        gl_segsort_context *context = recorded_context(policy);
        const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)(p / 2),
                                           .end_bit = 24};
        gl_segsort_plan *plan;
        recorded_plan_create_like(context, &like, mixed_lengths, MIXED_COUNT, &plan);
        gl_segsort_sort_desc sorts[] = {recorded_sort_desc(MIXED_ROWS),
                                        recorded_in_place_desc(MIXED_ROWS)};
        size_t memory = recorded.memory_calls;
        fake_gl_clear_trace();
        for (int i = 0; i < 10; i++) {
            fake_gl.raised_count = 0;
            CHECK(gl_segsort_sort(plan, &sorts[i % 2]) == GL_SEGSORT_SUCCESS, "sort %d", i);
            CHECK(fake_gl.raised_count == 0, "sort %d raises %s", i, fake_gl.raised);
        }
        for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
            CHECK(fake_gl.calls_of[makers[i]] == 0, "%s is called",
                  fake_gl_function_name(makers[i]));
        CHECK(recorded.memory_calls == memory, "%zu allocations", recorded.memory_calls - memory);
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(policy);
    }
}

/* The library cannot wait: the table has no function that does but for reading queries, which only
 * gl_segsort_plan_timings does, once they are in, and for the known-answer test of kernels for
 * subgroups, which no call that records ever runs (steady_state_makes_nothing). */
static void table_has_no_function_that_waits(void)
{
    static const char *const waiting[] = {"Finish", "Flush", "glWait", "Map", "ReadPixel"};
    for (int i = 0; i < FAKE_GL_FUNCTIONS; i++)
        for (size_t w = 0; w < sizeof waiting / sizeof waiting[0]; w++)
            CHECK(!strstr(fake_gl_function_name((enum fake_gl_function)i), waiting[w]), "%s",
                  fake_gl_function_name((enum fake_gl_function)i));
}

static void a_plan_without_rows_records_nothing(void)
{
    static const uint32_t none[] = {0, 0, 0};
    for (uint32_t count = 0; count <= 3; count += 3) {
        recorded_begin();
        gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
        gl_segsort_plan *plan = recorded_plan(context, none, count);
        gl_segsort_sort_desc sort = {0};
        fake_gl_clear_trace();
        CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "%zu GL calls", fake_gl.trace_count);
        CHECK(fake_gl.buffer_count > 0 && fake_gl.calls_of[FAKE_GL_GenBuffers] == 0,
              "it has GL objects");
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Barriers */

/* The masks of all glMemoryBarrier calls of a sort of the short segments, in hexadecimal, in order.
 */
static const char *masks_of_a_sort(const char *version, uint32_t before, uint32_t after)
{
    static char masks[200];
    recorded_begin();
    fake_gl.version = version;
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = recorded_plan(context, short_lengths, SHORT_COUNT);
    gl_segsort_sort_desc sort = recorded_sort_desc(SHORT_ROWS);
    sort.barriers_before = before;
    sort.barriers_after = after;
    fake_gl_clear_trace();
    gl_segsort_result result = gl_segsort_sort(plan, &sort);
    masks[0] = '\0';
    bool dispatched = false;
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        const struct fake_gl_call *call = &fake_gl.trace[i];
        size_t length = strlen(masks);
        if (call->function == FAKE_GL_MemoryBarrier)
            snprintf(masks + length, sizeof masks - length, "%s ",
                     call->text + strlen("MemoryBarrier 0x"));
        if (call->function == FAKE_GL_DispatchCompute && !dispatched)
            snprintf(masks + length, sizeof masks - length, "sort ");
        dispatched = dispatched || call->function == FAKE_GL_DispatchCompute;
    }
    if (result != GL_SEGSORT_SUCCESS)
        snprintf(masks, sizeof masks, "%s", gl_segsort_result_string(result));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
    return masks;
}

static void masks_before_and_after(void)
{
    const uint32_t none = GL_SEGSORT_BARRIER_NONE, all = 0xffffffffu;
    const struct {
        const char *version;
        uint32_t before, after;
        const char *masks;
    } cases[] = {
        {"4.3", 0, 0, "00002000 sort 00003aef "},
        {"4.4", 0, 0, "00002000 sort 0000faef "},
        {"4.5", 0, 0, "00002000 sort 0000faef "},
        {"4.6", 0, 0, "00002000 sort 0000faef "},
        {"4.5", none, none, "sort "},
        {"4.5", none, 0x2, "sort 00000002 "},
        {"4.5", 0x200, none, "00000200 sort "},
        {"4.5", 0x2041, 0x3, "00002041 sort 00000003 "},
        {"4.5", none | 0x40, none | 0x1, "00000040 sort 00000001 "},
        {"4.5", all, all, "ffffffff sort ffffffff "},
        {"4.3", all, all, "ffffffff sort ffffffff "},
        {"4.4", 0xc000, 0x8000, "0000c000 sort 00008000 "},
        /* Bits that GL has and the library has no name for. */
        {"4.3", 0x100, 0x400, "00000100 sort 00000400 "},
        {"4.3", 0x3fef, 0x3fef, "00003fef sort 00003fef "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *masks = masks_of_a_sort(cases[i].version, cases[i].before, cases[i].after);
        CHECK(strcmp(masks, cases[i].masks) == 0, "GL %s, 0x%x and 0x%x: expected %s, got %s",
              cases[i].version, cases[i].before, cases[i].after, cases[i].masks, masks);
    }
}

/* Bits that GL would answer with INVALID_VALUE never get there. */
static void masks_of_no_barrier(void)
{
    const uint32_t none = GL_SEGSORT_BARRIER_NONE;
    const struct {
        const char *version;
        uint32_t mask;
    } cases[] = {{"4.3", 0x4000},      {"4.3", 0x8000},     {"4.3", 0x10},
                 {"4.5", 0x10},        {"4.5", 0x10000},    {"4.6", 0x40000000},
                 {"4.5", none | 0x10}, {"4.5", 0x7fffffff}, {"4.5", 0xfffffffe}};
    const char *expected = gl_segsort_result_string(GL_SEGSORT_ERROR_INVALID_ARGUMENT);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *masks = masks_of_a_sort(cases[i].version, cases[i].mask, 0);
        CHECK(strcmp(masks, expected) == 0, "before 0x%x: %s", cases[i].mask, masks);
        masks = masks_of_a_sort(cases[i].version, 0, cases[i].mask);
        CHECK(strcmp(masks, expected) == 0, "after 0x%x: %s", cases[i].mask, masks);
    }
}

/* Passes on rows of their own run side by side; those that take over another's rows wait for it. */
static void barriers_between_dependent_passes_only(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = mixed_plan(context, GL_SEGSORT_ALGORITHM_BITONIC);
    gl_segsort_sort_desc sort = recorded_sort_desc(MIXED_ROWS);
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count == description.pass_count, "%zu dispatches of %u passes",
          fake_gl.dispatch_count, description.pass_count);
    unsigned dependent = 0, independent = 0;
    for (size_t i = 1; i < fake_gl.dispatch_count && i < description.pass_count; i++) {
        const gl_segsort_pass_description *pass = &description.passes[i];
        uint32_t barriers = fake_gl.dispatches[i].barriers;
        bool first_on_its_rows = strcmp(pass->kernel, "bitonic-local") == 0;
        CHECK(barriers == (first_on_its_rows ? 0 : STORAGE), "%s: barriers 0x%x", pass->label,
              barriers);
        CHECK(barriers == pass->barriers, "%s is described with 0x%x and has 0x%x", pass->label,
              pass->barriers, barriers);
        dependent += !first_on_its_rows;
        independent += first_on_its_rows;
    }
    CHECK(dependent >= 4 && independent == 3, "%u dependent passes, %u others", dependent,
          independent);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static bool has_scratch(const struct fake_gl_dispatch *dispatch)
{
    return fake_gl_uses(dispatch, SEGSORT_BINDING_WORK) ||
           dispatch->params.source == SEGSORT_PLACE_SCRATCH ||
           dispatch->params.destination == SEGSORT_PLACE_SCRATCH;
}

/* The scratch is the library's own: a host that knows its keys to be ready and says NONE cannot
 * know that the next sort of the plan uses the scratch that the last one wrote. */
static void scratch_is_safe_from_one_sort_to_the_next(void)
{
    for (int p = 0; p < 2 * RECORDED_ALGORITHMS; p++) {
        recorded_begin();
        gl_segsort_context *context = recorded_context((gl_segsort_state_policy)(p % 2));
        gl_segsort_plan *plan = mixed_plan(context, p / 2);
        gl_segsort_sort_desc sort = recorded_sort_desc(MIXED_ROWS);
        sort.barriers_before = GL_SEGSORT_BARRIER_NONE;
        sort.barriers_after = GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE;
        gl_segsort_sort(plan, &sort);
        size_t first_count = fake_gl.dispatch_count;
        gl_segsort_sort(plan, &sort);
        uint32_t barriers = 0;
        size_t i = first_count;
        for (; i < fake_gl.dispatch_count; i++) {
            barriers |= fake_gl.dispatches[i].barriers;
            if (has_scratch(&fake_gl.dispatches[i]))
                break;
        }
        CHECK(first_count > 0 && i < fake_gl.dispatch_count, "no pass uses the scratch");
        CHECK(has_scratch(&fake_gl.dispatches[first_count - 1]), "the last pass leaves it alone");
        CHECK((barriers & STORAGE) != 0, "only 0x%x between two passes that write the scratch",
              barriers);
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END((gl_segsort_state_policy)(p % 2));
    }
}

CHECK_MAIN(CHECK_TEST(order_of_a_restoring_sort), CHECK_TEST(order_of_a_dirty_sort),
           CHECK_TEST(dirty_sort_asks_nothing),
           CHECK_TEST(dirty_sort_changes_only_what_is_documented),
           CHECK_TEST(steady_state_makes_nothing), CHECK_TEST(table_has_no_function_that_waits),
           CHECK_TEST(a_plan_without_rows_records_nothing), CHECK_TEST(masks_before_and_after),
           CHECK_TEST(masks_of_no_barrier), CHECK_TEST(barriers_between_dependent_passes_only),
           CHECK_TEST(scratch_is_safe_from_one_sort_to_the_next))
