/* Plans whose segments the GPU lists: the calls of a sort and of a gather, which depend on no
 * count, what each dispatch has bound, and what is left of it. */
#include "check.h"
#include "recorded_listed.h"

#include <stdlib.h>

#define RESTORE GL_SEGSORT_STATE_RESTORE
#define DIRTY GL_SEGSORT_STATE_LEAVE_DIRTY
#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define LIST_BARRIERS                                                                              \
    (STORAGE | GL_SEGSORT_BARRIER_UNIFORM_BUFFER | GL_SEGSORT_BARRIER_INDIRECT_COMMAND)
#define CONSUMERS_OF_44 0x0000faefu
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static struct recorded_listed listed;
static bool is_in_place;

static const gl_segsort_segment_source sources[] = {GL_SEGSORT_SEGMENTS_GPU_OFFSETS,
                                                    GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                                    GL_SEGSORT_SEGMENTS_GPU_STRIDED};
#define SOURCES COUNT_OF(sources)

static void make_plan(gl_segsort_state_policy policy, const gl_segsort_plan_desc *like,
                      gl_segsort_segment_source source, bool in_place)
{
    recorded_listed_make(&listed, like, source, in_place);
    is_in_place = in_place;
    context = recorded_context(policy);
    CHECK(gl_segsort_plan_create(context, &listed.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    fake_gl_clear_trace();
}

static void begin(gl_segsort_state_policy policy, const gl_segsort_plan_desc *like,
                  gl_segsort_segment_source source, bool in_place)
{
    recorded_begin();
    make_plan(policy, like, source, in_place);
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
    fake_gl.barriers = 0;
    CHECK(gl_segsort_sort(plan, &listed.sort) == GL_SEGSORT_SUCCESS, "%s: %s", case_name,
          gl_segsort_last_error(context));
    CHECK(fake_gl.raised_count == 0, "%s: %s", case_name, fake_gl.raised);
    const char *problem = recorded_listed_problem(&listed, plan, is_in_place);
    CHECK(!problem, "%s: %s", case_name, problem);
}

/* Every source, algorithm and policy, in place and out of place in turn. */
static void for_all(void (*check)(gl_segsort_state_policy policy))
{
    for (int i = 0; i < 2 * RECORDED_ALGORITHMS * (int)SOURCES * 2; i++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(i % 2);
        /* Three digits are an odd number of them, which in place takes passes of its own. */
        const gl_segsort_plan_desc like = {
            .algorithm = (gl_segsort_algorithm)(i / 2 % RECORDED_ALGORITHMS), .end_bit = 24};
        begin(policy, &like, sources[i / 6 % 3], i / 18 == 1);
        check(policy);
        end(policy);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Order */

static void expect_streams_bound(struct recorded_lines *lines)
{
    const gl_segsort_view *const views[] = {&listed.sort.keys, &listed.sort.values,
                                            &listed.sort.output_keys, &listed.sort.output_values};
    static const char *const names[] = {"keys", "values", "output_keys", "output_values"};
    for (int i = 0; i < 4; i++) {
        int start = (int)(views[i]->byte_offset / 256 * 256);
        int bytes = (int)(views[i]->byte_offset + 4 * views[i]->rows) - start;
        recorded_line(lines, "BindBufferRange STORAGE %d %s %d %d", i, names[i], start, bytes);
    }
}

static void expect_list_bound(struct recorded_lines *lines)
{
    int list = (int)listed.sort.segment_lengths.byte_offset,
        count = (int)listed.sort.segment_count.byte_offset;
    recorded_line(lines, "BindBufferRange STORAGE 6 list %d %d", list / 256 * 256,
                  list % 256 + 4 * 4444);
    recorded_line(lines, "BindBufferRange STORAGE 7 count %d %d", count / 256 * 256,
                  count % 256 + 4);
}

/* A whole block's, as std140 may round it up. */
#define PARAMS_BYTES ((int)(sizeof(struct segsort_pass_params) + 15) / 16 * 16)

static void expect_pass(struct recorded_lines *lines, int number, const char *name, int width)
{
    recorded_line(lines, "PushDebugGroup mesh-%s-%d", name, width);
    recorded_line(lines, "UseProgram gl_segsort-%s-%d", name, width);
    if (number == 1) { /* the layout's own view of the plan */
        int status = (int)listed.sort.status.byte_offset;
        int passes = (int)(fake_gl_find_buffer(fake_gl.dispatches[1].storage[1].buffer)->size / 16);
        recorded_line(lines, "BindBufferRange STORAGE 0 mesh-parameters 0 %d", 256 * passes);
        recorded_line(lines, "BindBufferRange STORAGE 1 mesh-commands 0 %d", 16 * passes);
        recorded_line(lines, "BindBufferRange STORAGE 2 status %d %d", status / 256 * 256,
                      status % 256 + 20);
        recorded_line(lines, "MemoryBarrier 0x%08x", STORAGE);
    } else if (number == 2) {
        expect_streams_bound(lines);
        recorded_line(lines, "MemoryBarrier 0x%08x", STORAGE);
    } else if (number == 3) {
        recorded_line(lines, "MemoryBarrier 0x%08x", LIST_BARRIERS);
    }
    recorded_line(lines, "BindBufferRange UNIFORM 0 mesh-parameters %d %d", 256 * number,
                  PARAMS_BYTES);
    if (number > 2)
        recorded_line(lines, "DispatchComputeIndirect %d", 16 * number);
    else
        recorded_line(lines, "DispatchCompute %d 1 1", number == 1 ? 1 : 3);
    recorded_line(lines, "PopDebugGroup");
}

/* Segments of up to 4 rows: two classes. */
static void expect_passes(struct recorded_lines *lines, bool dirty)
{
    recorded_line(lines, "MemoryBarrier 0x%08x", LIST_BARRIERS);
    for (int i = 0; i < 5; i++) {
        static const char *const names[] = {"list-count", "list-layout", "list-scatter",
                                            "bitonic-local", "bitonic-local"};
        static const int widths[] = {2048, 2048, 2048, 4, 2};
        if (i == 0 && dirty) {
            recorded_line(lines, "PushDebugGroup mesh-list-count-2048");
            recorded_line(lines, "UseProgram gl_segsort-list-count-2048");
            expect_list_bound(lines);
            expect_streams_bound(lines);
            recorded_line(lines, "BindBufferRange UNIFORM 0 mesh-parameters 0 %d", PARAMS_BYTES);
            recorded_line(lines, "DispatchCompute 3 1 1");
            recorded_line(lines, "PopDebugGroup");
            continue;
        }
        expect_pass(lines, i, names[i], widths[i]);
    }
    recorded_line(lines, "MemoryBarrier 0x%08x", CONSUMERS_OF_44);
}

static void begin_order(gl_segsort_state_policy policy)
{
    const gl_segsort_plan_desc like = {.max_length = 4};
    begin(policy, &like, GL_SEGSORT_SEGMENTS_GPU_STRIDED, false);
    sort("first");
    sort("second");
}

static void check_order(const struct recorded_lines *lines)
{
    const char *difference = recorded_trace_difference(lines);
    CHECK(!difference, "%s", difference);
    if (difference)
        fake_gl_print_trace();
}

static void order_of_a_dirty_sort(void)
{
    begin_order(DIRTY);
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    recorded_line(lines, "BindBufferBase STORAGE 4 mesh-table");
    recorded_line(lines, "BindBuffer DISPATCH_INDIRECT mesh-commands");
    expect_passes(lines, true);
    recorded_line(lines, "UseProgram 0");
    check_order(lines);
    free(lines);
    end(DIRTY);
}

static void drop_error_queries(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < fake_gl.trace_count; i++)
        if (fake_gl.trace[i].function != FAKE_GL_GetError)
            fake_gl.trace[kept++] = fake_gl.trace[i];
    fake_gl.trace_count = kept;
}

static void expect_saved(struct recorded_lines *lines, const char *target, int index)
{
    recorded_line(lines, "GetIntegeri_v %s_BUFFER_BINDING %d", target, index);
    recorded_line(lines, "GetInteger64i_v %s_BUFFER_START %d", target, index);
    recorded_line(lines, "GetInteger64i_v %s_BUFFER_SIZE %d", target, index);
}

/* Bindings 6 and 7 and that of the indirect commands are saved as well, and put back. */
static void order_of_a_restoring_sort(void)
{
    static const char *const buffers[] = {"keys", "values", "output_keys", "output_values",
                                          "list", "count",  "status"};
    begin_order(RESTORE);
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    recorded_line(lines, "GetGraphicsResetStatus");
    recorded_line(lines, "GetIntegerv CURRENT_PROGRAM");
    recorded_line(lines, "GetProgramiv host-program DELETE_STATUS");
    recorded_line(lines, "GetIntegerv TRANSFORM_FEEDBACK_ACTIVE");
    recorded_line(lines, "GetIntegerv STORAGE_BUFFER_BINDING");
    recorded_line(lines, "GetIntegerv UNIFORM_BUFFER_BINDING");
    recorded_line(lines, "GetIntegerv DISPATCH_INDIRECT_BUFFER_BINDING");
    for (int i = 0; i < 8; i++)
        expect_saved(lines, "STORAGE", i);
    expect_saved(lines, "UNIFORM", 0);
    recorded_line(lines, "GetIntegerv DEBUG_GROUP_STACK_DEPTH");
    recorded_line(lines, "GetIntegerv MAX_DEBUG_GROUP_STACK_DEPTH");
    for (size_t i = 0; i < COUNT_OF(buffers); i++) {
        recorded_line(lines, "IsBuffer %s", buffers[i]);
        recorded_line(lines, "BindBuffer STORAGE %s", buffers[i]);
        recorded_line(lines, "GetBufferParameteri64v STORAGE BUFFER_SIZE");
    }
    recorded_line(lines, "BindBufferBase STORAGE 4 mesh-table");
    recorded_line(lines, "BindBuffer DISPATCH_INDIRECT mesh-commands");
    expect_list_bound(lines);
    expect_streams_bound(lines);
    expect_passes(lines, false);
    recorded_line(lines, "BindBufferBase STORAGE 0 host-storage-0");
    recorded_line(lines, "BindBufferRange STORAGE 1 host-storage-1 256 101");
    recorded_line(lines, "BindBufferBase STORAGE 2 0");
    recorded_line(lines, "BindBufferRange STORAGE 3 host-storage-3 768 103");
    recorded_line(lines, "BindBufferBase STORAGE 4 host-storage-4");
    recorded_line(lines, "BindBufferRange STORAGE 5 host-storage-5 1280 105");
    recorded_line(lines, "BindBufferBase STORAGE 6 host-storage-6");
    recorded_line(lines, "BindBufferRange STORAGE 7 host-storage-7 1792 107");
    recorded_line(lines, "BindBufferRange UNIFORM 0 host-uniform-0 256 64");
    recorded_line(lines, "BindBuffer STORAGE host-generic-storage-0");
    recorded_line(lines, "BindBuffer UNIFORM host-generic-uniform-0");
    recorded_line(lines, "BindBuffer DISPATCH_INDIRECT host-indirect-0");
    recorded_line(lines, "UseProgram host-program");
    drop_error_queries();
    check_order(lines);
    free(lines);
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Nothing is asked, made or waited for */

static bool is_one_of(enum fake_gl_function function, const enum fake_gl_function *functions,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (functions[i] == function)
            return true;
    return false;
}

static void check_calls(gl_segsort_state_policy policy)
{
    static const enum fake_gl_function records[] = {
        FAKE_GL_BindBuffer,      FAKE_GL_BindBufferBase,
        FAKE_GL_BindBufferRange, FAKE_GL_MemoryBarrier,
        FAKE_GL_PushDebugGroup,  FAKE_GL_PopDebugGroup,
        FAKE_GL_UseProgram,      FAKE_GL_ProgramUniform4uiv,
        FAKE_GL_DispatchCompute, FAKE_GL_DispatchComputeIndirect};
    static const enum fake_gl_function asks[] = {
        FAKE_GL_GetError,      FAKE_GL_GetGraphicsResetStatus, FAKE_GL_GetIntegerv,
        FAKE_GL_GetIntegeri_v, FAKE_GL_GetInteger64i_v,        FAKE_GL_GetProgramiv,
        FAKE_GL_IsBuffer,      FAKE_GL_GetBufferParameteri64v};
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        enum fake_gl_function function = fake_gl.trace[i].function;
        bool may_ask = policy == RESTORE && is_one_of(function, asks, COUNT_OF(asks));
        CHECK(may_ask || is_one_of(function, records, COUNT_OF(records)), "%s",
              fake_gl.trace[i].text);
    }
}

static void check_nothing_made(gl_segsort_state_policy policy)
{
    sort("first");
    check_calls(policy);
    size_t memory = recorded.memory_calls;
    for (int i = 0; i < 3; i++) {
        sort("again");
        check_calls(policy);
    }
    CHECK(gl_segsort_gather(plan, &listed.gather) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    fake_gl_clear_trace();
    CHECK(gl_segsort_gather(plan, &listed.gather) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    check_calls(policy);
    /* A first gather makes its program. */
    CHECK(recorded.memory_calls <= memory + 1, "%zu allocations", recorded.memory_calls - memory);
}

static void nothing_is_asked_or_made(void)
{
    for_all(check_nothing_made);
}

static struct recorded_lines kept;

/* ---------------------------------------------------------------------------------------------- */
/* What making a plan costs: the driver makes its buffers, whose contents nobody uploads. */

struct counted_bytes {
    gl_segsort_allocator allocator;
    size_t bytes;
};

static void *allocate_counted(size_t size, void *user)
{
    struct counted_bytes *counted = user;
    counted->bytes += size;
    return counted->allocator.allocate(size, counted->allocator.user);
}

static void release_counted(void *memory, void *user)
{
    struct counted_bytes *counted = user;
    counted->allocator.release(memory, counted->allocator.user);
}

struct creation {
    size_t calls, bytes; /* of GL, and of the host's memory */
};

static struct creation create_for_rows(uint32_t max_rows)
{
    recorded_begin();
    const gl_segsort_plan_desc like = {.max_rows = max_rows};
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    struct counted_bytes counted = {.allocator = desc.allocator};
    desc.allocator = (gl_segsort_allocator){allocate_counted, release_counted, &counted};
    recorded_listed_make(&listed, &like, GL_SEGSORT_SEGMENTS_GPU_RANGES, false);
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "no context");
    struct creation creation = {fake_gl.call_count, counted.bytes};
    CHECK(gl_segsort_plan_create(context, &listed.desc, &plan) == GL_SEGSORT_SUCCESS, "%u rows: %s",
          max_rows, gl_segsort_last_error(context));
    creation.calls = fake_gl.call_count - creation.calls;
    creation.bytes = counted.bytes - creation.bytes;
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
    return creation;
}

static void any_max_rows_costs_the_same(void)
{
    const struct creation few = create_for_rows(RECORDED_LISTED_ROWS);
    for (uint32_t times = 2; times <= 32; times *= 4) {
        const struct creation many = create_for_rows(times * RECORDED_LISTED_ROWS);
        CHECK(many.calls == few.calls && many.bytes == few.bytes,
              "%u times the rows take %zu GL calls and %zu bytes, not %zu and %zu", times,
              many.calls, many.bytes, few.calls, few.bytes);
    }
}

static void keep_trace(void)
{
    kept.count = 0;
    for (size_t i = 0; i < fake_gl.trace_count; i++)
        recorded_line(&kept, "%s", fake_gl.trace[i].text);
    CHECK(fake_gl.trace_count < RECORDED_LINES_MAX, "%zu lines", fake_gl.trace_count);
}

/* As if a GPU had counted: work groups, parameters and the list's count are whatever they are. */
static void change_counts(uint32_t number)
{
    for (size_t i = 0; i < fake_gl.buffer_count; i++) {
        struct fake_gl_buffer *buffer = &fake_gl.buffers[i];
        if (strcmp(buffer->label, "count") == 0 && !buffer->data)
            buffer->data = calloc(1, (size_t)buffer->size);
        bool commands = strcmp(buffer->label, "mesh-commands") == 0;
        if (!commands && strcmp(buffer->label, "count") != 0)
            continue;
        uint32_t *words = (uint32_t *)(void *)buffer->data;
        for (size_t w = 0; w < buffer->size / 4; w++)
            words[w] = commands ? (w % 4 == 0 ? number % 65536 : 1) : number;
    }
}

/* The host's count goes along in the words and is the only thing that differs. */
static void same_calls_for_every_count(void)
{
    static const uint32_t counts[] = {0, 1, 17, 5000, 5001, 1u << 20, UINT32_MAX};
    for (int policy = 0; policy < 2; policy++) {
        const gl_segsort_plan_desc like = {.max_length = 600};
        begin((gl_segsort_state_policy)policy, &like, GL_SEGSORT_SEGMENTS_GPU_OFFSETS, false);
        sort("first");
        sort("second");
        keep_trace();
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            change_counts(counts[i]);
            fake_gl_clear_trace();
            CHECK(gl_segsort_sort(plan, &listed.sort) == GL_SEGSORT_SUCCESS, "%u", counts[i]);
            const char *difference = recorded_trace_difference(&kept);
            CHECK(!difference, "%u in the buffer: %s", counts[i], difference);
            change_counts(0);
            listed.sort.host_segment_count = counts[i];
            sort("the host's count");
            CHECK(fake_gl.calls_of[FAKE_GL_ProgramUniform4uiv] == 3 * (counts[i] % 5000 != 0),
                  "%zu words", fake_gl.calls_of[FAKE_GL_ProgramUniform4uiv]);
            sort("the host's count again");
            difference = recorded_trace_difference(&kept);
            CHECK(!difference, "the host's %u: %s", counts[i], difference);
            listed.sort.host_segment_count = 0;
            sort("none");
        }
        end((gl_segsort_state_policy)policy);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Bindings and words */

static void check_options(gl_segsort_state_policy policy)
{
    (void)policy;
    gl_segsort_view *list = recorded_listed_view(&listed);
    const gl_segsort_view count = listed.sort.segment_count, status = listed.sort.status;
    for (uint32_t i = 0; i < 16; i++) {
        listed.sort.segment_count = i & 1 ? (gl_segsort_view){0} : count;
        listed.sort.status = i & 2 ? (gl_segsort_view){0} : status;
        listed.sort.host_segment_count = i & 4 ? 77 + i : 0;
        list->rows = i & 8 ? 6000 : 4;
        sort("options");
    }
}

static void what_a_call_leaves_out(void)
{
    for_all(check_options);
}

static void every_type_and_alignment(void)
{
    static const int32_t alignments[] = {4, 64, 256};
    for (int type = 0; type < 2 * 16 * 3; type++) {
        const gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(type % 4),
                                           .value_type = (gl_segsort_value_type)(type / 4 % 4)};
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(type / 8 % 2);
        recorded_begin();
        fake_gl.storage_alignment = alignments[type / 32];
        fake_gl.uniform_alignment = alignments[type / 32];
        make_plan(policy, &like, sources[type % 3], type / 16 % 2 == 1);
        sort("types");
        sort("types again");
        end(policy);
    }
}

/* Programs are shared, and the words belong to them. */
static void plans_take_turns(void)
{
    gl_segsort_plan *others[2];
    struct recorded_listed other[2];
    begin(RESTORE, NULL, GL_SEGSORT_SEGMENTS_GPU_STRIDED, false);
    const struct recorded_listed first = listed;
    for (int i = 0; i < 2; i++) {
        recorded_listed_make(&other[i], NULL, sources[i], i == 1);
        other[i].desc.label = i ? "second" : "third";
        CHECK(gl_segsort_plan_create(context, &other[i].desc, &others[i]) == GL_SEGSORT_SUCCESS,
              "%s", gl_segsort_last_error(context));
    }
    for (int i = 0; i < 6; i++) {
        sort("in turn");
        CHECK(gl_segsort_sort(others[i % 2], &other[i % 2].sort) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        listed = first;
    }
    for (int i = 0; i < 2; i++)
        gl_segsort_plan_destroy(others[i]);
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Barriers */

static bool dispatch_lists(size_t number)
{
    return recorded_is_kernel(&fake_gl.dispatches[number], "list-");
}

static void check_barriers(gl_segsort_state_policy policy)
{
    static const uint32_t before[] = {0, GL_SEGSORT_BARRIER_NONE, GL_SEGSORT_BARRIER_PIXEL_BUFFER};
    (void)policy;
    for (size_t b = 0; b < COUNT_OF(before); b++) {
        listed.sort.barriers_before = before[b];
        sort("barriers");
        size_t first_sort = 0;
        while (first_sort < fake_gl.dispatch_count && dispatch_lists(first_sort))
            first_sort++;
        CHECK(first_sort == 4 && fake_gl.dispatch_count > 6, "%zu passes list", first_sort);
        const uint32_t bits = b == 2 ? LIST_BARRIERS | before[b] : LIST_BARRIERS;
        const uint32_t expected[] = {bits, STORAGE, STORAGE, LIST_BARRIERS, LIST_BARRIERS};
        for (size_t i = 0; i < COUNT_OF(expected) && i < fake_gl.dispatch_count; i++)
            CHECK(fake_gl.dispatches[i].barriers == expected[i], "%s has 0x%x before it, not 0x%x",
                  fake_gl.dispatches[i].program_label, fake_gl.dispatches[i].barriers, expected[i]);
        for (size_t i = COUNT_OF(expected); i < fake_gl.dispatch_count; i++)
            CHECK((fake_gl.dispatches[i].barriers & ~STORAGE) == 0, "%s has 0x%x before it",
                  fake_gl.dispatches[i].program_label, fake_gl.dispatches[i].barriers);
    }
}

static void barriers_between_passes(void)
{
    for_all(check_barriers);
}

/* Without long segments nothing lists tiles, and the first sort pass waits for the scatter. */
static void barriers_without_tiles(void)
{
    const gl_segsort_plan_desc like = {.max_length = 300};
    begin(DIRTY, &like, GL_SEGSORT_SEGMENTS_GPU_RANGES, false);
    listed.sort.barriers_after = GL_SEGSORT_BARRIER_NONE;
    sort("no tiles");
    CHECK(fake_gl.dispatch_count == 3 + 9 && fake_gl.dispatches[3].barriers == LIST_BARRIERS,
          "%zu dispatches, 0x%x", fake_gl.dispatch_count, fake_gl.dispatches[3].barriers);
    for (size_t i = 4; i < fake_gl.dispatch_count; i++)
        CHECK(fake_gl.dispatches[i].barriers == 0, "pass %zu waits", i);
    CHECK(fake_gl.barriers == 0, "0x%x after the last", fake_gl.barriers);
    end(DIRTY);
}

/* ---------------------------------------------------------------------------------------------- */
/* What is left */

/* The header's list. */
static void dirty_sorts_change_what_is_documented(void)
{
    for (int i = 0; i < 2; i++) {
        begin(DIRTY, NULL, GL_SEGSORT_SEGMENTS_GPU_RANGES, false);
        CHECK(!recorded_state_problem(), "making a plan: %s", recorded_state_problem());
        struct fake_gl_state expected = recorded.state;
        sort("dirty");
        memcpy(expected.storage_at, fake_gl.state.storage_at, 8 * sizeof expected.storage_at[0]);
        expected.program = 0;
        expected.dispatch_indirect = fake_gl.state.dispatch_indirect;
        expected.storage = fake_gl.state.storage;
        expected.uniform = fake_gl.state.uniform;
        expected.uniform_at[0] = fake_gl.state.uniform_at[0];
        const char *problem = fake_gl_state_difference(&expected, &fake_gl.state);
        CHECK(!problem, "%s", problem);
        CHECK(expected.dispatch_indirect != recorded.state.dispatch_indirect, "it was not used");
        end(DIRTY);
    }
}

static void check_restored(gl_segsort_state_policy policy)
{
    if (policy == DIRTY)
        return;
    sort("restored");
    const char *problem = recorded_state_problem();
    CHECK(!problem, "%s", problem);
    CHECK(gl_segsort_gather(plan, &listed.gather) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    problem = recorded_state_problem();
    CHECK(!problem, "gather: %s", problem);
}

static void restoring_sorts_change_nothing(void)
{
    for_all(check_restored);
}

/* Whoever lists segments on the host pays for none of it. */
static void other_plans_touch_none_of_it(void)
{
    static const uint32_t lengths[] = {10000, 12, 3};
    for (int policy = 0; policy < 2; policy++) {
        recorded_begin();
        context = recorded_context((gl_segsort_state_policy)policy);
        plan = recorded_plan(context, lengths, 3);
        const gl_segsort_sort_desc desc = recorded_sort_desc(10015);
        fake_gl_clear_trace();
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        for (size_t i = 0; i < fake_gl.trace_count; i++) {
            const char *text = fake_gl.trace[i].text;
            CHECK(!strstr(text, "STORAGE 6") && !strstr(text, "STORAGE 7") &&
                      !strstr(text, "BINDING 6") && !strstr(text, "BINDING 7") &&
                      !strstr(text, "INDIRECT") && !strstr(text, "Indirect"),
                  "%s", text);
        }
        CHECK(fake_gl.trace_count > 20, "%zu calls", fake_gl.trace_count);
        end((gl_segsort_state_policy)policy);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Gathers */

static void check_gather(gl_segsort_state_policy policy)
{
    (void)policy;
    for (int i = 0; i < 3; i++) {
        listed.gather.index_base = (gl_segsort_index_base)(i % 2);
        listed.gather.barriers_before = i == 2 ? GL_SEGSORT_BARRIER_NONE : 0;
        fake_gl_clear_trace();
        fake_gl.barriers = 0;
        CHECK(gl_segsort_gather(plan, &listed.gather) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        const char *problem = recorded_listed_gather_problem(&listed, plan);
        CHECK(!problem, "%s", problem);
        for (size_t d = 0; d < fake_gl.dispatch_count; d++)
            CHECK(fake_gl.dispatches[d].barriers == (d == 0 ? LIST_BARRIERS : 0), "pass %zu: 0x%x",
                  d, fake_gl.dispatches[d].barriers);
        sort("in turn");
    }
}

static void gathers_are_indirect(void)
{
    for_all(check_gather);
}

CHECK_MAIN(CHECK_TEST(order_of_a_dirty_sort), CHECK_TEST(order_of_a_restoring_sort),
           CHECK_TEST(nothing_is_asked_or_made), CHECK_TEST(any_max_rows_costs_the_same),
           CHECK_TEST(same_calls_for_every_count), CHECK_TEST(what_a_call_leaves_out),
           CHECK_TEST(every_type_and_alignment), CHECK_TEST(plans_take_turns),
           CHECK_TEST(barriers_between_passes), CHECK_TEST(barriers_without_tiles),
           CHECK_TEST(dirty_sorts_change_what_is_documented),
           CHECK_TEST(restoring_sorts_change_nothing), CHECK_TEST(other_plans_touch_none_of_it),
           CHECK_TEST(gathers_are_indirect))
