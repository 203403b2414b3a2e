/* Sorts of batches: their barriers, their calls, and what each dispatch has bound. */
#include "check.h"
#include "recorded_batch.h"

#include <stdlib.h>

#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define RESTORE GL_SEGSORT_STATE_RESTORE
#define DIRTY GL_SEGSORT_STATE_LEAVE_DIRTY
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static struct recorded_batch batch;

/* Three digits are an odd number of them: sorts in place take passes of their own. */
static gl_segsort_plan_desc odd_digits(int algorithm)
{
    return (gl_segsort_plan_desc){.algorithm = (gl_segsort_algorithm)algorithm, .end_bit = 24};
}

static void make_plan(const gl_segsort_plan_desc *desc)
{
    CHECK(gl_segsort_plan_create(context, desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    fake_gl_clear_trace();
}

static void begin(gl_segsort_state_policy policy, const gl_segsort_plan_desc *like,
                  const struct recorded_set *sets, uint32_t count, uint64_t in_place)
{
    recorded_begin();
    recorded_batch_make(&batch, like, sets, count, in_place);
    context = recorded_context(policy);
    make_plan(&batch.desc);
}

static void end(gl_segsort_state_policy policy)
{
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

static void sort_batch(const char *case_name)
{
    fake_gl_clear_trace();
    fake_gl.barriers = 0;
    CHECK(gl_segsort_sort_batch(plan, batch.sorts, batch.set_count) == GL_SEGSORT_SUCCESS, "%s: %s",
          case_name, gl_segsort_last_error(context));
    CHECK(fake_gl.raised_count == 0, "%s: %s", case_name, fake_gl.raised);
}

/* ---------------------------------------------------------------------------------------------- */
/* Barriers */

/* Before, after, and one for each level that something due has to wait for. */
static size_t expected_barriers(void)
{
    gl_segsort_plan_description description;
    size_t count = 2;
    gl_segsort_plan_describe(plan, &description);
    for (uint32_t level = 0, seen = 0; seen < description.pass_count; level++) {
        uint32_t barriers = 0;
        for (uint32_t i = 0; i < description.pass_count; i++) {
            const gl_segsort_pass_description *pass = &description.passes[i];
            seen += pass->level == level;
            if (pass->level == level && recorded_batch_due(&batch, pass))
                barriers |= pass->barriers;
        }
        count += barriers != 0;
    }
    return count;
}

/* How many calls of glMemoryBarrier a sort of so many sets takes, each of a long and a short
 * segment. bare: in a plan that is no batch. */
static size_t barriers_of(uint32_t sets, int algorithm, uint64_t in_place, bool bare)
{
    struct recorded_set list[RECORDED_SETS_MAX];
    const gl_segsort_plan_desc like = odd_digits(algorithm);
    for (uint32_t i = 0; i < sets; i++)
        list[i] = (struct recorded_set){2, {20000 - i, 300 + i}};
    begin(RESTORE, &like, list, sets, in_place);
    if (bare) {
        gl_segsort_plan_destroy(plan);
        const gl_segsort_plan_desc alone = recorded_batch_alone(&batch, 0);
        make_plan(&alone);
    }
    sort_batch("barriers");
    size_t calls = fake_gl.calls_of[FAKE_GL_MemoryBarrier];
    CHECK(calls == expected_barriers(), "%u sets: %zu barriers, %zu expected", sets, calls,
          expected_barriers());
    for (size_t i = 0; i < fake_gl.dispatch_count; i++)
        CHECK(fake_gl.dispatches[i].barriers == 0 || fake_gl.dispatches[i].barriers == STORAGE,
              "barriers 0x%x", fake_gl.dispatches[i].barriers);
    end(RESTORE);
    return calls;
}

static void sets_add_no_barriers(void)
{
    const uint64_t none = 0, all = UINT64_MAX, even = UINT64_MAX / 3;
    const uint64_t patterns[] = {none, all, even, even << 1};
    for (int a = 0; a < RECORDED_ALGORITHMS; a++) {
        for (size_t p = 0; p < COUNT_OF(patterns); p++) {
            uint64_t in_place = patterns[p];
            size_t two = barriers_of(2, a, in_place, false);
            size_t fifty = barriers_of(50, a, in_place, false);
            CHECK(two == fifty, "%s: %zu barriers of 2 sets, %zu of 50", recorded_algorithm_name(a),
                  two, fifty);
            if (in_place != none && in_place != all)
                continue;
            size_t one = barriers_of(1, a, in_place, false);
            CHECK(one == two && one == barriers_of(1, a, in_place, true),
                  "%s: %zu barriers of one set, %zu of 2", recorded_algorithm_name(a), one, two);
            /* A split has four levels to wait for, whatever the digits are. */
            CHECK(a == GL_SEGSORT_ALGORITHM_AUTO ? one == 6 : one > 6, "%zu barriers", one);
        }
    }
}

/* Local sorts wait for nobody, in whichever order the sets come. */
static void short_segments_take_no_barriers(void)
{
    struct recorded_set list[20];
    for (uint32_t i = 0; i < 20; i++)
        list[i] = (struct recorded_set){3, {4096 - i * 200, 3 + i, 600}};
    for (int a = 0; a < RECORDED_ALGORITHMS; a++) {
        const gl_segsort_plan_desc like = odd_digits(a);
        begin(RESTORE, &like, list, 20, 0x55555);
        sort_batch("short segments");
        CHECK(fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 2, "%zu barriers",
              fake_gl.calls_of[FAKE_GL_MemoryBarrier]);
        CHECK(fake_gl.dispatch_count >= 20, "%zu dispatches", fake_gl.dispatch_count);
        end(RESTORE);
    }
}

/* "00002000 00000000 ...": a mask for each glMemoryBarrier call. */
static const char *masks(void)
{
    static char text[200];
    text[0] = '\0';
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        size_t length = strlen(text);
        if (fake_gl.trace[i].function == FAKE_GL_MemoryBarrier)
            snprintf(text + length, sizeof text - length, "%s ",
                     fake_gl.trace[i].text + strlen("MemoryBarrier 0x"));
    }
    return text;
}

static void masks_are_the_sets_union(void)
{
    const uint32_t none = GL_SEGSORT_BARRIER_NONE, all = UINT32_MAX;
    static const struct recorded_set sets[] = {{1, {12}}, {1, {0}}, {1, {12}}, {0, {0}}};
    const struct {
        uint32_t before[4], after[4];
        const char *masks;
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0, 0, 0}, "00002000 0000faef "},
        {{none, 0, none, 0}, {none, 0, none, 0}, ""},
        {{none, 0x40, none, 0x80}, {none, 0x40, none, 0x80}, ""},
        {{0x40, none, none, none}, {0x1, none, none, none}, "00000040 00000001 "},
        {{none, none, 0x40, none}, {none, none, 0x1, none}, "00000040 00000001 "},
        {{0x200, 0x8, 0x40, 0x4}, {0x2, 0x8, 0x1, 0x4}, "00000240 00000003 "},
        {{0, none, 0x40, none}, {none, none, 0x1, none}, "00002040 00000001 "},
        {{none, none, none, none}, {0x2, none, 0, none}, "0000faef "},
        {{all, none, 0x40, none}, {0x2, none, all, none}, "ffffffff ffffffff "},
    };
    for (int policy = 0; policy < 2; policy++)
        for (size_t c = 0; c < COUNT_OF(cases); c++) {
            begin((gl_segsort_state_policy)policy, NULL, sets, 4, 0);
            for (uint32_t i = 0; i < 4; i++) {
                batch.sorts[i].barriers_before = cases[c].before[i];
                batch.sorts[i].barriers_after = cases[c].after[i];
            }
            sort_batch("masks");
            CHECK(strcmp(masks(), cases[c].masks) == 0, "case %zu: '%s', expected '%s'", c, masks(),
                  cases[c].masks);
            end((gl_segsort_state_policy)policy);
        }
}

/* As long as any set has one. */
static void scratch_adds_its_barrier(void)
{
    static const struct recorded_set sets[] = {{1, {12}}, {1, {5000}}, {1, {12}}};
    begin(RESTORE, NULL, sets, 3, 0);
    for (uint32_t i = 0; i < 3; i++)
        batch.sorts[i].barriers_before = batch.sorts[i].barriers_after = GL_SEGSORT_BARRIER_NONE;
    batch.sorts[0].barriers_before = 0x40;
    sort_batch("scratch");
    CHECK(strncmp(masks(), "00002040 00002000 ", 18) == 0, "%s", masks());
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Bindings and conditions */

/* All kinds side by side. */
static const struct recorded_set mixed_sets[] = {{2, {5000, 300}},        {1, {0}},
                                                 {3, {12, 3, 200}},       {1, {300000}},
                                                 {4, {4097, 7000, 0, 1}}, {0, {0}}};
#define MIXED_SETS (sizeof mixed_sets / sizeof mixed_sets[0])

/* Each policy, type, algorithm, and pattern of sets in place, with odd and even numbers of digits:
 * a dispatch has its own set's streams, scratch and view words. */
static void each_dispatch_has_its_sets_buffers(void)
{
    static const unsigned patterns[] = {0x00, 0x3f, 0x01, 0x08, 0x11, 0x15, 0x0c};
    for (int i = 0; i < 2 * 16 * RECORDED_ALGORITHMS * (int)COUNT_OF(patterns); i++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(i % 2);
        gl_segsort_plan_desc like = odd_digits(i / 32 % RECORDED_ALGORITHMS);
        like.key_type = (gl_segsort_key_type)(i / 2 % 4);
        like.value_type = (gl_segsort_value_type)(i / 8 % 4);
        like.end_bit = i % 3 == 0 ? 16 : 24;
        begin(policy, &like, mixed_sets, MIXED_SETS, patterns[i / 96]);
        for (int n = 0; n < 2; n++) {
            sort_batch("mixed sets");
            const char *problem = recorded_batch_problem(&batch, plan);
            CHECK(!problem, "case %d, sort %d: %s", i, n, problem);
        }
        end(policy);
    }
}

/* The next call may have other sets in place, in buffers that were others' before. */
static void sets_may_change_their_places(void)
{
    for (int policy = 0; policy < 2; policy++) {
        const gl_segsort_plan_desc like = odd_digits(GL_SEGSORT_ALGORITHM_RADIX);
        begin((gl_segsort_state_policy)policy, &like, mixed_sets, MIXED_SETS, 0);
        for (unsigned n = 0; n < 8; n++) {
            for (uint32_t i = 0; i < MIXED_SETS; i++) {
                gl_segsort_sort_desc *sort = &batch.sorts[i];
                batch.in_place[i] = (n * 11 >> i & 1) != 0 && batch.rows[i] > 0;
                if (batch.in_place[i]) {
                    sort->keys = sort->output_keys;
                    sort->values = sort->output_values;
                } else if (sort->keys.buffer == sort->output_keys.buffer) {
                    sort->keys.buffer = recorded.keys;
                    sort->values.buffer = recorded.values;
                    sort->keys.byte_offset = 4 * n;
                }
            }
            sort_batch("other places");
            const char *problem = recorded_batch_problem(&batch, plan);
            CHECK(!problem, "sort %u: %s", n, problem);
        }
        end((gl_segsort_state_policy)policy);
    }
}

/* One set in place and one not: each runs its own passes, and none of the other's. */
static void conditions_are_each_sets_own(void)
{
    for (unsigned in_place = 0; in_place < 4; in_place++) {
        static const struct recorded_set sets[] = {{1, {5000}}, {1, {6000}}};
        const gl_segsort_plan_desc like = odd_digits(GL_SEGSORT_ALGORITHM_RADIX);
        begin(RESTORE, &like, sets, 2, in_place);
        sort_batch("conditions");
        size_t copies[2] = {0, 0}, scatters[2] = {0, 0};
        for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
            const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
            /* 5000 rows are 3 tiles of 2048 rows, and so are 6000: the buffers tell the set. */
            bool second = false;
            for (int b = 0; b < SEGSORT_BINDING_TABLE; b++) {
                uint32_t buffer = dispatch->storage[b].buffer;
                second = second || buffer == batch.sorts[1].keys.buffer ||
                         buffer == batch.sorts[1].output_keys.buffer;
            }
            copies[second] += recorded_is_kernel(dispatch, "copy-rows");
            scatters[second] += recorded_is_kernel(dispatch, "radix-scatter");
        }
        for (unsigned set = 0; set < 2; set++)
            CHECK(copies[set] == (in_place >> set & 1) && scatters[set] == 3,
                  "pattern %u, set %u: %zu copies, %zu digits", in_place, set, copies[set],
                  scatters[set]);
        end(RESTORE);
    }
}

/* Whether GL knows the ranges is found out before anything is dispatched, of the last set too. */
static void ranges_are_bound_before_the_first_dispatch(void)
{
    static const struct recorded_set sets[] = {{1, {12}}, {1, {0}}, {1, {12}}};
    begin(RESTORE, NULL, sets, 3, 0);
    sort_batch("binding");
    const char *const wanted[] = {
        "BindBufferRange STORAGE 0 keys-0 ", "BindBufferRange STORAGE 3 output_values-0 ",
        "BindBufferRange STORAGE 1 values-2 ", "BindBufferRange STORAGE 2 output_keys-2 "};
    for (size_t w = 0; w < COUNT_OF(wanted); w++) {
        size_t i = 0;
        while (i < fake_gl.trace_count &&
               strncmp(fake_gl.trace[i].text, wanted[w], strlen(wanted[w])) != 0 &&
               fake_gl.trace[i].function != FAKE_GL_MemoryBarrier)
            i++;
        CHECK(i < fake_gl.trace_count && fake_gl.trace[i].function == FAKE_GL_BindBufferRange,
              "no %s before the first barrier", wanted[w]);
    }
    /* The very last binding before the barrier is the one that GL refuses. */
    fake_gl.fail_call = fake_gl.call_count;
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        fake_gl.fail_call++;
        if (strncmp(fake_gl.trace[i].text, wanted[3], strlen(wanted[3])) == 0)
            break;
    }
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort_batch(plan, batch.sorts, 3) == GL_SEGSORT_ERROR_GL, "%s",
          gl_segsort_last_error(context));
    CHECK(strncmp(fake_gl.failed.text, wanted[3], strlen(wanted[3])) == 0, "%s",
          fake_gl.failed.text);
    CHECK(fake_gl.dispatch_count == 0 && fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0,
          "%zu dispatches", fake_gl.dispatch_count);
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* The calls of a sort */

/* Sets of one kernel share the program; each binds its streams, and only a place that changes. */
static void order_of_a_dirty_batch(void)
{
    static const struct recorded_set sets[] = {{1, {12}}, {1, {11}}, {1, {3}}, {0, {0}}};
    const gl_segsort_plan_desc like = {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
    begin(DIRTY, &like, sets, 4, 0);
    sort_batch("first");
    sort_batch("second");
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    recorded_line(lines, "BindBufferBase STORAGE 4 mesh-table");
    recorded_line(lines, "MemoryBarrier 0x00002000");
    for (uint32_t i = 0; i < 3; i++) {
        const char *const names[] = {"keys", "values", "output_keys", "output_values"};
        const gl_segsort_view *const views[] = {&batch.sorts[i].keys, &batch.sorts[i].values,
                                                &batch.sorts[i].output_keys,
                                                &batch.sorts[i].output_values};
        uint32_t width = i < 2 ? 16 : 4, words[4];
        recorded_line(lines, "PushDebugGroup mesh-bitonic-local-%u", width);
        if (i != 1)
            recorded_line(lines, "UseProgram gl_segsort-bitonic-local-%u", width);
        for (int s = 0; s < 4; s++) {
            const gl_segsort_segment *segment = &batch.segments[batch.first_segment[i]];
            uint32_t row = s % 2 ? segment->values_offset : segment->keys_offset;
            uint64_t first = views[s]->byte_offset + 4 * row;
            uint64_t aligned = first / 256 * 256;
            words[s] = (uint32_t)((views[s]->byte_offset - aligned) / 4);
            recorded_line(lines, "BindBufferRange STORAGE %d %s-%u %d %d", s, names[s], i,
                          (int)aligned, (int)(first + 4 * segment->length - aligned));
        }
        if (i < 2) /* the program's last set was the other one */
            recorded_line(lines,
                          "ProgramUniform4uiv gl_segsort-bitonic-local-%u 0 2 %u %u %u %u 0 0 0 0",
                          width, words[0], words[1], words[2], words[3]);
        recorded_line(lines, "BindBufferRange UNIFORM 0 mesh-parameters %d %d", (int)i * 256,
                      (int)(sizeof(struct segsort_pass_params) + 15) / 16 * 16);
        recorded_line(lines, "DispatchCompute 1 1 1");
        recorded_line(lines, "PopDebugGroup");
    }
    recorded_line(lines, "MemoryBarrier 0x0000faef");
    recorded_line(lines, "UseProgram 0");
    const char *difference = recorded_trace_difference(lines);
    CHECK(!difference, "%s", difference);
    free(lines);
    end(DIRTY);
}

static void keep_trace(struct recorded_lines *lines)
{
    lines->count = 0;
    for (size_t i = 0; i < fake_gl.trace_count; i++)
        recorded_line(lines, "%s", fake_gl.trace[i].text);
}

/* A plan that is no batch, and a batch of one set, with either function. */
static void one_set_is_no_different(void)
{
    static const struct recorded_set set = {4, {5000, 12, 300, 0}};
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    for (int policy = 0; policy < 2; policy++)
        for (int algorithm = 1; algorithm < RECORDED_ALGORITHMS; algorithm++) {
            gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm,
                                         .end_bit = 8};
            begin((gl_segsort_state_policy)policy, &like, &set, 1, 0);
            const gl_segsort_plan_desc alone = recorded_batch_alone(&batch, 0);
            gl_segsort_plan *const one_set = plan;
            make_plan(&alone);
            for (int c = 0; c < 4; c++) {
                gl_segsort_plan *used = c / 2 ? one_set : plan;
                /* Once to have the programs' uniforms and the errors' end alike. */
                gl_segsort_sort(used, batch.sorts);
                fake_gl_clear_trace();
                gl_segsort_result result = c % 2 ? gl_segsort_sort_batch(used, batch.sorts, 1)
                                                 : gl_segsort_sort(used, batch.sorts);
                CHECK(result == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
                if (c == 0)
                    keep_trace(lines);
                const char *difference = recorded_trace_difference(lines);
                CHECK(!difference, "case %d: %s", c, difference);
                CHECK(fake_gl.trace_count <= RECORDED_LINES_MAX, "%zu calls", fake_gl.trace_count);
            }
            gl_segsort_plan_destroy(one_set);
            end((gl_segsort_state_policy)policy);
        }
    free(lines);
}

/* Once a plan exists, sorting makes, compiles and allocates nothing, whatever is in place. */
static void steady_state_makes_nothing(void)
{
    static const enum fake_gl_function makers[] = {
        FAKE_GL_GenBuffers,    FAKE_GL_DeleteBuffers, FAKE_GL_BufferData, FAKE_GL_CreateShader,
        FAKE_GL_CreateProgram, FAKE_GL_CompileShader, FAKE_GL_LinkProgram};
    for (int p = 0; p < 2 * RECORDED_ALGORITHMS; p++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(p % 2);
        const gl_segsort_plan_desc like = odd_digits(p / 2);
        begin(policy, &like, mixed_sets, MIXED_SETS, 0x0c);
        size_t memory = recorded.memory_calls;
        for (int i = 0; i < 5; i++) {
            sort_batch("again");
            for (size_t m = 0; m < COUNT_OF(makers); m++)
                CHECK(fake_gl.calls_of[makers[m]] == 0, "%s is called",
                      fake_gl_function_name(makers[m]));
            for (size_t t = 0; t < fake_gl.trace_count && policy == DIRTY; t++)
                CHECK(strncmp(fake_gl.trace[t].text, "Get", 3) != 0 &&
                          strncmp(fake_gl.trace[t].text, "Is", 2) != 0,
                      "%s", fake_gl.trace[t].text);
        }
        CHECK(recorded.memory_calls == memory, "%zu allocations", recorded.memory_calls - memory);
        end(policy);
    }
}

/* Sets without rows are not looked at, and a batch of nothing else calls nothing. */
static void a_batch_without_rows_records_nothing(void)
{
    static const struct recorded_set sets[] = {{1, {0}}, {0, {0}}, {3, {0, 0, 0}}};
    begin(RESTORE, NULL, sets, 3, 0);
    for (uint32_t i = 0; i < 3; i++)
        batch.sorts[i] = (gl_segsort_sort_desc){.keys = {4711, 3, 5}};
    sort_batch("nothing");
    CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus], "%zu GL calls",
          fake_gl.trace_count);
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    CHECK(description.set_count == 3 && description.segment_count == 4 &&
              description.empty_count == 4 && description.pass_count == 0,
          "%u sets, %u segments", description.set_count, description.segment_count);
    CHECK(gl_segsort_sort_batch(plan, batch.sorts, 2) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "%s",
          gl_segsort_last_error(context));
    end(RESTORE);
}

static void descriptions_count_all_sets(void)
{
    begin(RESTORE, NULL, mixed_sets, MIXED_SETS, 0);
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    CHECK(description.set_count == MIXED_SETS && description.segment_count == 11 &&
              description.empty_count == 2 && description.row_count == 316613,
          "%u sets, %u segments, %u empty, %u rows", description.set_count,
          description.segment_count, description.empty_count, (unsigned)description.row_count);
    CHECK(description.gather_passes == description.passes + description.pass_count,
          "the gathers' passes are elsewhere");
    for (uint32_t i = 0; i < description.pass_count; i++)
        CHECK(description.passes[i].set < MIXED_SETS && batch.rows[description.passes[i].set] > 0,
              "a pass of set %u", description.passes[i].set);
    end(RESTORE);
}

CHECK_MAIN(CHECK_TEST(sets_add_no_barriers), CHECK_TEST(short_segments_take_no_barriers),
           CHECK_TEST(masks_are_the_sets_union), CHECK_TEST(scratch_adds_its_barrier),
           CHECK_TEST(each_dispatch_has_its_sets_buffers), CHECK_TEST(sets_may_change_their_places),
           CHECK_TEST(conditions_are_each_sets_own),
           CHECK_TEST(ranges_are_bound_before_the_first_dispatch),
           CHECK_TEST(order_of_a_dirty_batch), CHECK_TEST(one_set_is_no_different),
           CHECK_TEST(steady_state_makes_nothing), CHECK_TEST(a_batch_without_rows_records_nothing),
           CHECK_TEST(descriptions_count_all_sets))
