/* The GL calls of depth keys and Morton codes: which, in which order, and with which barriers. */
#include "check.h"
#include "gl_segsort_keys.h"
#include "recorded.h"

#define RESTORE GL_SEGSORT_STATE_RESTORE
#define DIRTY GL_SEGSORT_STATE_LEAVE_DIRTY
#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define LIST_BARRIERS                                                                              \
    (GL_SEGSORT_BARRIER_STORAGE | GL_SEGSORT_BARRIER_UNIFORM_BUFFER |                              \
     GL_SEGSORT_BARRIER_INDIRECT_COMMAND)
#define ROWS 15215

static const uint32_t lengths[] = {10000, 12, 3, 5000, 200};
#define LENGTHS 5

static gl_segsort_depth_keys_desc depth_desc(uint64_t rows)
{
    return (gl_segsort_depth_keys_desc){.keys = {recorded.output_keys, 0, rows},
                                        .positions = {recorded.keys, 404, rows},
                                        .position_words = 3,
                                        .measure = GL_SEGSORT_DEPTH_PLANE,
                                        .plane = {1, 2, 0, -1}};
}

/* Keys are made where they are sorted in place, and positions are elsewhere. */
static gl_segsort_morton_keys_desc morton_desc(uint64_t rows)
{
    return (gl_segsort_morton_keys_desc){.positions = {recorded.keys, 4, rows},
                                         .position_words = 4};
}

static void check_nothing_made(size_t memory)
{
    static const enum fake_gl_function makers[] = {
        FAKE_GL_GenBuffers,   FAKE_GL_DeleteBuffers, FAKE_GL_BufferData,    FAKE_GL_BufferSubData,
        FAKE_GL_CreateShader, FAKE_GL_ShaderSource,  FAKE_GL_CompileShader, FAKE_GL_CreateProgram,
        FAKE_GL_LinkProgram,  FAKE_GL_GetShaderiv,   FAKE_GL_ObjectLabel};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        CHECK(fake_gl.calls_of[makers[i]] == 0, "%s is called", fake_gl_function_name(makers[i]));
    CHECK(recorded.memory_calls == memory, "%zu allocations", recorded.memory_calls - memory);
}

/* ---------------------------------------------------------------------------------------------- */
/* Depth keys */

static void depth_keys_in_a_dirty_host(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(DIRTY);
    const gl_segsort_depth_keys_desc desc = depth_desc(1000);
    struct recorded_lines lines = {0};
    CHECK(gl_segsort_depth_keys(context, &desc) == GL_SEGSORT_SUCCESS, "first");
    size_t memory = recorded.memory_calls;
    fake_gl_clear_trace();
    CHECK(gl_segsort_depth_keys(context, &desc) == GL_SEGSORT_SUCCESS, "second");
    /* Words from 256, where the alignment puts the range, to the view's row 0 at 404. */
    recorded_line(&lines, "BindBufferRange STORAGE 0 keys 256 12148");
    recorded_line(&lines, "BindBufferRange STORAGE 1 keys 256 12148");
    recorded_line(&lines, "BindBufferRange STORAGE 2 output_keys 0 4000");
    recorded_line(&lines, "BindBufferRange STORAGE 4 keys 256 12148");
    recorded_line(&lines, "MemoryBarrier 0x%08x", STORAGE);
    recorded_line(&lines, "PushDebugGroup gl_segsort-depth-keys");
    recorded_line(&lines, "UseProgram gl_segsort-depth-keys-256");
    recorded_line(&lines,
                  "ProgramUniform4uiv gl_segsort-depth-keys-256 0 2 37 0 0 0 3 1000 1000 0");
    recorded_line(&lines, "ProgramUniform4uiv gl_segsort-depth-keys-256 5 3 1065353216 1073741824 "
                          "0 3212836864 0 0 0 0 0 0 0 0");
    recorded_line(&lines, "DispatchCompute 4 1 1");
    recorded_line(&lines, "PopDebugGroup");
    recorded_line(&lines, "MemoryBarrier 0x0000faef");
    recorded_line(&lines, "UseProgram 0");
    CHECK(fake_gl.storage_alignment == 256, "the test needs that alignment");
    const char *difference = recorded_trace_difference(&lines);
    CHECK(!difference, "%s", difference);
    check_nothing_made(memory);
    gl_segsort_context_destroy(context);
    CHECK_END(DIRTY);
}

static void depth_keys_restore_what_they_bind(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(RESTORE);
    gl_segsort_depth_keys_desc desc = depth_desc(1000);
    for (int i = 0; i < 3; i++) {
        size_t memory = recorded.memory_calls;
        fake_gl_clear_trace();
        CHECK(gl_segsort_depth_keys(context, &desc) == GL_SEGSORT_SUCCESS, "call %d", i);
        const char *problem = recorded_state_problem();
        CHECK(!problem, "call %d: %s", i, problem);
        if (i > 0)
            check_nothing_made(memory);
    }
    gl_segsort_context_destroy(context);
    CHECK_END(RESTORE);
}

static void depth_keys_take_the_callers_barriers(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(DIRTY);
    gl_segsort_depth_keys_desc desc = depth_desc(1000);
    desc.barriers_before = desc.barriers_after = GL_SEGSORT_BARRIER_NONE;
    gl_segsort_depth_keys(context, &desc);
    CHECK(fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0, "a barrier that nobody wants");
    desc.barriers_before = GL_SEGSORT_BARRIER_IMAGE;
    desc.barriers_after = GL_SEGSORT_BARRIER_INDEX;
    fake_gl_clear_trace();
    gl_segsort_depth_keys(context, &desc);
    CHECK(fake_gl.dispatch_count == 1 && fake_gl.dispatches[0].barriers == GL_SEGSORT_BARRIER_IMAGE,
          "another barrier before");
    CHECK(fake_gl.barriers == GL_SEGSORT_BARRIER_INDEX, "another barrier behind");
    gl_segsort_context_destroy(context);
    CHECK_END(DIRTY);
}

/* One dispatch whatever the limits: folded over the axes, then by more rows for each work group. */
static void depth_keys_are_one_dispatch(void)
{
    static const struct {
        uint32_t max_work_groups, rows, groups[3];
    } cases[] = {{0, 1, {1, 1, 1}},    {0, 256, {1, 1, 1}},
                 {0, 257, {2, 1, 1}},  {0, 1u << 24, {32768, 2, 1}},
                 {2, 2048, {2, 2, 2}}, {2, 1u << 20, {2, 2, 2}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        recorded_begin();
        gl_segsort_context_desc context_desc = recorded_context_desc(RESTORE);
        context_desc.max_work_groups = cases[i].max_work_groups;
        gl_segsort_context *context;
        gl_segsort_context_create(&context_desc, &context);
        gl_segsort_depth_keys_desc desc = depth_desc(cases[i].rows);
        desc.positions.rows = 1; /* the buffers are too small for more */
        desc.indices = (gl_segsort_view){recorded.values, 0, cases[i].rows};
        CHECK(gl_segsort_depth_keys(context, &desc) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        if (CHECK(fake_gl.dispatch_count == 1, "%zu dispatches", fake_gl.dispatch_count))
            for (int axis = 0; axis < 3; axis++)
                CHECK(fake_gl.dispatches[0].groups[axis] == cases[i].groups[axis],
                      "%u rows: %u groups along axis %d", cases[i].rows,
                      fake_gl.dispatches[0].groups[axis], axis);
        gl_segsort_context_destroy(context);
        CHECK_END(RESTORE);
    }
}

/* -z is the row's opposite; a matrix of nothing is the identity. */
static void depth_planes_are_rows_of_the_matrix(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(RESTORE);
    gl_segsort_depth_keys_desc desc = depth_desc(10);
    float planes[12];
    desc.measure = GL_SEGSORT_DEPTH_VIEW_Z;
    gl_segsort_depth_keys(context, &desc);
    memcpy(planes, fake_gl.dispatches[0].depth_planes, sizeof planes);
    CHECK(planes[2] == -1.0f && planes[3] == 0.0f && planes[4] == 0.0f, "the identity's row");
    for (int i = 0; i < 16; i++)
        desc.view_matrix[i] = (float)(i + 1);
    gl_segsort_depth_keys(context, &desc);
    memcpy(planes, fake_gl.dispatches[1].depth_planes, sizeof planes);
    CHECK(planes[0] == -3.0f && planes[1] == -7.0f && planes[2] == -11.0f && planes[3] == -15.0f,
          "row 2 is %g %g %g %g", (double)planes[0], (double)planes[1], (double)planes[2],
          (double)planes[3]);
    CHECK(fake_gl.dispatches[1].view_word[SEGSORT_VIEW_WORD_DEPTH_FLAGS] == 0, "flags");
    desc.measure = GL_SEGSORT_DEPTH_DISTANCE;
    gl_segsort_depth_keys(context, &desc);
    memcpy(planes, fake_gl.dispatches[2].depth_planes, sizeof planes);
    for (int i = 0; i < 12; i++)
        CHECK(planes[i] == (float)(1 + i / 4 + i % 4 * 4), "plane word %d is %g", i,
              (double)planes[i]);
    CHECK(fake_gl.dispatches[2].view_word[SEGSORT_VIEW_WORD_DEPTH_FLAGS] == SEGSORT_DEPTH_DISTANCE,
          "flags");
    gl_segsort_context_destroy(context);
    CHECK_END(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Morton codes */

struct step {
    const char *kernel;
    uint32_t barriers; /* before it */
    bool indirect;
};

static void check_steps(const struct step *steps, size_t count)
{
    CHECK(fake_gl.dispatch_count == count, "%zu dispatches instead of %zu", fake_gl.dispatch_count,
          count);
    for (size_t i = 0; i < count && i < fake_gl.dispatch_count; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        CHECK(recorded_is_kernel(dispatch, steps[i].kernel), "dispatch %zu is %s instead of %s", i,
              dispatch->program_label, steps[i].kernel);
        CHECK(dispatch->barriers == steps[i].barriers, "%s: barriers 0x%x instead of 0x%x",
              steps[i].kernel, dispatch->barriers, steps[i].barriers);
        CHECK(dispatch->indirect == steps[i].indirect, "%s: indirect or not", steps[i].kernel);
    }
}

/* Long segments' boxes: emptied, then widened, then used. */
static void morton_codes_of_host_lists(void)
{
    static const struct step steps[] = {
        {"morton-clear", STORAGE, false},  {"morton-local", 0, false},
        {"morton-local", 0, false},        {"morton-local", 0, false},
        {"morton-bounds", STORAGE, false}, {"morton-codes", STORAGE, false}};
    for (int policy = 0; policy < 2; policy++) {
        recorded_begin();
        gl_segsort_context *context = recorded_context((gl_segsort_state_policy)policy);
        gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
        gl_segsort_plan_description description;
        gl_segsort_plan_describe(plan, &description);
        CHECK(description.morton_pass_count == 6 &&
                  strcmp(description.morton_passes[0].kernel, "morton-clear") == 0,
              "%u passes are told", description.morton_pass_count);
        const gl_segsort_sort_desc sort = recorded_in_place_desc(ROWS);
        gl_segsort_morton_keys_desc desc = morton_desc(ROWS);
        /* What the boxes need is there nevertheless. */
        desc.barriers_before = GL_SEGSORT_BARRIER_NONE;
        desc.barriers_after = GL_SEGSORT_BARRIER_INDEX;
        for (int i = 0; i < 3; i++) {
            size_t memory = recorded.memory_calls;
            fake_gl_clear_trace();
            fake_gl.barriers = 0;
            CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS, "%s",
                  gl_segsort_last_error(context));
            check_steps(steps, sizeof steps / sizeof steps[0]);
            CHECK(fake_gl.barriers == GL_SEGSORT_BARRIER_INDEX, "behind: 0x%x", fake_gl.barriers);
            if (i > 0)
                check_nothing_made(memory);
            const char *problem = policy == RESTORE ? recorded_state_problem() : NULL;
            CHECK(!problem, "%s", problem ? problem : "");
        }
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END((gl_segsort_state_policy)policy);
    }
}

/* Short segments leave nothing of the plan's behind, so NONE is none. */
static void short_segments_need_no_barrier(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(DIRTY);
    gl_segsort_plan *plan = recorded_plan(context, lengths + 1, 2);
    const gl_segsort_sort_desc sort = recorded_in_place_desc(15);
    gl_segsort_morton_keys_desc desc = morton_desc(15);
    desc.barriers_before = desc.barriers_after = GL_SEGSORT_BARRIER_NONE;
    CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    CHECK(fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0, "a barrier that nobody wants");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(DIRTY);
}

static void morton_codes_of_gpu_lists(void)
{
    static const struct step steps[] = {{"list-count", LIST_BARRIERS, false},
                                        {"list-layout", STORAGE, false},
                                        {"morton-scatter", STORAGE, false},
                                        {"list-tiles", LIST_BARRIERS, true},
                                        {"morton-clear", LIST_BARRIERS, true}};
    recorded_begin();
    gl_segsort_context *context = recorded_context(RESTORE);
    const gl_segsort_plan_desc plan_desc = {.label = "mesh",
                                            .key_type = GL_SEGSORT_KEY_U64,
                                            .value_type = GL_SEGSORT_VALUE_NONE,
                                            .segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS,
                                            .max_segments = 10,
                                            .max_rows = ROWS};
    gl_segsort_plan *plan;
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_sort_desc sort = recorded_in_place_desc(ROWS);
    sort.segments = (gl_segsort_view){recorded.values, 0, 11};
    gl_segsort_morton_keys_desc desc = morton_desc(ROWS);
    desc.barriers_before = GL_SEGSORT_BARRIER_NONE;
    for (int i = 0; i < 2; i++) {
        size_t memory = recorded.memory_calls;
        fake_gl_clear_trace();
        fake_gl.barriers = 0;
        CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        size_t count = fake_gl.dispatch_count;
        if (!CHECK(count > 8, "%zu dispatches", count))
            break;
        CHECK(recorded_is_kernel(&fake_gl.dispatches[count - 1], "morton-codes") &&
                  fake_gl.dispatches[count - 1].barriers == STORAGE,
              "codes last");
        CHECK(recorded_is_kernel(&fake_gl.dispatches[count - 2], "morton-bounds") &&
                  fake_gl.dispatches[count - 2].barriers == STORAGE,
              "bounds before");
        for (size_t n = 5; n < count - 2; n++)
            CHECK(recorded_is_kernel(&fake_gl.dispatches[n], "morton-local") &&
                      fake_gl.dispatches[n].indirect && fake_gl.dispatches[n].barriers == 0,
                  "dispatch %zu is %s", n, fake_gl.dispatches[n].program_label);
        fake_gl.dispatch_count = 5;
        check_steps(steps, 5);
        const char *problem = recorded_state_problem();
        CHECK(!problem, "%s", problem);
        if (i > 0)
            check_nothing_made(memory);
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(RESTORE);
}

/* A plan whose keys can't be codes pays nothing. */
static void other_plans_have_no_passes(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(RESTORE);
    uint64_t table_bytes[2] = {0};
    for (int type = 0; type < 4; type++) {
        const gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)type};
        gl_segsort_plan *plan;
        gl_segsort_plan_description description;
        recorded_plan_create_like(context, &like, lengths, LENGTHS, &plan);
        gl_segsort_plan_describe(plan, &description);
        bool codes = type == GL_SEGSORT_KEY_U32 || type == GL_SEGSORT_KEY_U64;
        CHECK(description.morton_pass_count == (codes ? 6 : 0), "type %d: %u passes", type,
              description.morton_pass_count);
        if (type < 2)
            table_bytes[type] = description.table_bytes;
        gl_segsort_plan_destroy(plan);
    }
    CHECK(table_bytes[1] < table_bytes[0], "boxes in a plan without codes");
    gl_segsort_context_destroy(context);
    CHECK_END(RESTORE);
}

/* Under the wrong context nothing is recorded. */
static void wrong_contexts_are_noticed(void)
{
    static int other;
    for (int policy = 0; policy < 2; policy++) {
        recorded_begin();
        gl_segsort_context *context = recorded_context((gl_segsort_state_policy)policy);
        gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
        void *home = fake_gl.current_context;
        const gl_segsort_depth_keys_desc depth = depth_desc(10);
        const gl_segsort_sort_desc sort = recorded_in_place_desc(ROWS);
        const gl_segsort_morton_keys_desc morton = morton_desc(ROWS);
        fake_gl.current_context = &other;
        fake_gl_clear_trace();
        CHECK(gl_segsort_depth_keys(context, &depth) == GL_SEGSORT_ERROR_WRONG_CONTEXT, "depth");
        CHECK(gl_segsort_morton_keys(plan, &sort, &morton) == GL_SEGSORT_ERROR_WRONG_CONTEXT,
              "Morton");
        CHECK(fake_gl.trace_count == 0, "%zu GL calls", fake_gl.trace_count);
        fake_gl.current_context = home;
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END((gl_segsort_state_policy)policy);
    }
}

CHECK_MAIN(CHECK_TEST(depth_keys_in_a_dirty_host), CHECK_TEST(depth_keys_restore_what_they_bind),
           CHECK_TEST(depth_keys_take_the_callers_barriers),
           CHECK_TEST(depth_keys_are_one_dispatch), CHECK_TEST(depth_planes_are_rows_of_the_matrix),
           CHECK_TEST(morton_codes_of_host_lists), CHECK_TEST(short_segments_need_no_barrier),
           CHECK_TEST(morton_codes_of_gpu_lists), CHECK_TEST(other_plans_have_no_passes),
           CHECK_TEST(wrong_contexts_are_noticed))
