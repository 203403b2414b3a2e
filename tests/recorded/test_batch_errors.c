/* Errors of batches: one in any set, or between sets, keeps all of them from being recorded. And how
 * batches end. */
#include "check.h"
#include "recorded_batch.h"

#define RESTORE GL_SEGSORT_STATE_RESTORE
#define DIRTY GL_SEGSORT_STATE_LEAVE_DIRTY
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static struct recorded_batch batch;

static void begin(gl_segsort_state_policy policy, const struct recorded_set *sets, uint32_t count,
                  uint64_t in_place)
{
    recorded_begin();
    recorded_batch_make(&batch, NULL, sets, count, in_place);
    context = recorded_context(policy);
    CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    fake_gl_clear_trace();
}

static void end(gl_segsort_state_policy policy)
{
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

/* parts: comma-separated. pure: found without a question to GL. */
static void expect_fails(const gl_segsort_sort_desc *sorts, uint32_t count, bool pure,
                         gl_segsort_result expected, const char *parts)
{
    char list[200];
    fake_gl_clear_trace();
    size_t logged = recorded.log_counts[GL_SEGSORT_LOG_ERROR];
    gl_segsort_result result = gl_segsort_sort_batch(plan, sorts, count);
    const char *sentence = gl_segsort_last_error(context);
    CHECK(result == expected, "'%s': %s, '%s'", parts, gl_segsort_result_string(result), sentence);
    CHECK(recorded_is_sentence(sentence) && strstr(recorded.log, sentence) &&
              recorded.log_counts[GL_SEGSORT_LOG_ERROR] == logged + 1,
          "logged '%s', last error '%s'", recorded.log, sentence);
    snprintf(list, sizeof list, "%s", parts);
    for (char *part = strtok(list, ","); part; part = strtok(NULL, ","))
        CHECK(strstr(sentence, part), "'%s' is not in '%s'", part, sentence);
    CHECK(fake_gl.dispatch_count == 0 && fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0 &&
              fake_gl.calls_of[FAKE_GL_BindBufferRange] <= SEGSORT_STORAGE_BINDINGS + 3,
          "'%s': something was recorded", parts);
    if (pure)
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "'%s': %zu GL calls", parts, fake_gl.trace_count);
    const char *problem = recorded_state_problem();
    CHECK(!problem, "'%s': %s", parts, problem);
}

static const struct recorded_set three_sets[] = {{2, {12, 3}}, {1, {5000}}, {1, {200}}};

static void begin_three(gl_segsort_state_policy policy)
{
    begin(policy, three_sets, 3, 0x4);
}

static void wrong_numbers_of_descriptions(void)
{
    for (int policy = 0; policy < 2; policy++) {
        begin_three((gl_segsort_state_policy)policy);
        const uint32_t counts[] = {0, 1, 2, 4, 0xffffffff};
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            char parts[100];
            snprintf(parts, sizeof parts, "gl_segsort_sort_batch,'mesh' has 3 sets,%u descriptions",
                     counts[i]);
            expect_fails(batch.sorts, counts[i], true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, parts);
        }
        expect_fails(NULL, 3, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                     "gl_segsort_sort_batch,NULL");
        CHECK(gl_segsort_sort(plan, batch.sorts) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
                  strstr(gl_segsort_last_error(context), "gl_segsort_sort: the plan 'mesh' has 3"),
              "%s", gl_segsort_last_error(context));
        CHECK(gl_segsort_sort_batch(NULL, batch.sorts, 3) == GL_SEGSORT_ERROR_INVALID_ARGUMENT,
              "no plan");
        end((gl_segsort_state_policy)policy);
    }
}

/* Each error of a description, in each set: all sets stay as they are. */
static void errors_of_any_set(void)
{
    for (int policy = 0; policy < 2; policy++)
        for (uint32_t set = 0; set < 3; set++) {
            gl_segsort_sort_desc sorts[3];
            char parts[100];
            begin_three((gl_segsort_state_policy)policy);
            bool asks = policy == RESTORE;
#define EACH_SET(field, value, result, pure, words)                                                \
    do {                                                                                           \
        memcpy(sorts, batch.sorts, sizeof sorts);                                                  \
        sorts[set].field = (value);                                                                \
        snprintf(parts, sizeof parts, "set %u: ,%s", set, words);                                  \
        expect_fails(sorts, 3, pure, GL_SEGSORT_ERROR_##result, parts);                            \
    } while (0)
            EACH_SET(output_keys.buffer, 0, INVALID_ARGUMENT, true, "output_keys.buffer is 0");
            EACH_SET(keys.byte_offset, 7, INVALID_ARGUMENT, true, "keys.byte_offset 7");
            EACH_SET(barriers_after, 0x10, INVALID_ARGUMENT, true, "barriers_after,0x00000010");
            EACH_SET(values.rows, 1, OUT_OF_RANGE, true, "of values exceed its view of 1 rows");
            EACH_SET(output_values, sorts[set].output_keys, OVERLAP, true, "output_values (bytes");
            if (asks) {
                EACH_SET(values.buffer, 4711, INVALID_ARGUMENT, false, "values.buffer 4711");
                EACH_SET(keys.byte_offset, 1000000, OUT_OF_RANGE, false, "keys needs bytes up to");
            }
#undef EACH_SET
            end((gl_segsort_state_policy)policy);
        }
}

/* Views that are right one by one, where an output meets another set's rows. */
static void sets_that_meet(void)
{
    for (int policy = 0; policy < 2; policy++) {
        gl_segsort_sort_desc sorts[3];
        begin_three((gl_segsort_state_policy)policy);
        /* Two outputs, of one stream and of two. */
        memcpy(sorts, batch.sorts, sizeof sorts);
        sorts[1].output_keys.buffer = sorts[0].output_keys.buffer;
        expect_fails(sorts, 3, true, GL_SEGSORT_ERROR_OVERLAP,
                     "set 0's output_keys,set 1's output_keys");
        memcpy(sorts, batch.sorts, sizeof sorts);
        sorts[0].output_values.buffer = sorts[2].output_keys.buffer;
        expect_fails(sorts, 3, true, GL_SEGSORT_ERROR_OVERLAP,
                     "set 0's output_values,set 2's output_keys");
        /* An input of one that another writes, before and behind it in the batch. */
        memcpy(sorts, batch.sorts, sizeof sorts);
        sorts[0].keys = sorts[1].output_keys;
        expect_fails(sorts, 3, true, GL_SEGSORT_ERROR_OVERLAP, "set 0's keys,set 1's output_keys");
        memcpy(sorts, batch.sorts, sizeof sorts);
        sorts[1].values.buffer = sorts[2].values.buffer;
        sorts[1].values.byte_offset = 0;
        expect_fails(sorts, 3, true, GL_SEGSORT_ERROR_OVERLAP,
                     "set 1's values,set 2's output_values");
        /* One byte too near, and just near enough. */
        memcpy(sorts, batch.sorts, sizeof sorts);
        const gl_segsort_segment *last = &batch.segments[batch.first_segment[0] + 1];
        sorts[1].keys.buffer = sorts[0].output_keys.buffer;
        sorts[1].keys.byte_offset = sorts[0].output_keys.byte_offset +
                                    4 * (uint64_t)(last->output_keys_offset + last->length) -
                                    4 * (uint64_t)batch.segments[2].keys_offset;
        fake_gl_find_buffer(sorts[1].keys.buffer)->size = 100000;
        CHECK(gl_segsort_sort_batch(plan, sorts, 3) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        if (policy == DIRTY)
            fake_gl.state = recorded.state;
        sorts[1].keys.byte_offset -= 4;
        expect_fails(sorts, 3, true, GL_SEGSORT_ERROR_OVERLAP, "set 0's output_keys,set 1's keys");
        /* Inputs share. */
        memcpy(sorts, batch.sorts, sizeof sorts);
        sorts[0].keys = sorts[0].values = sorts[1].keys;
        CHECK(gl_segsort_sort_batch(plan, sorts, 3) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        end((gl_segsort_state_policy)policy);
    }
}

/* Creating the plan, and asking for its scratch, tells the set as well. */
static void plans_that_are_refused(void)
{
    const gl_segsort_segment twice[] = {{0, 0, 0, 0, 3}, {0, 0, 0, 0, 3}, {0, 0, 2, 2, 3}};
    const uint32_t counts[] = {1, 2}, too_many[] = {1, 3};
    const gl_segsort_plan_desc overlapping = {.segments = twice,
                                              .segment_count = 3,
                                              .set_count = 2,
                                              .set_segment_counts = counts},
                               miscounted = {.segments = twice,
                                             .segment_count = 3,
                                             .set_count = 2,
                                             .set_segment_counts = too_many};
    recorded_begin();
    context = recorded_context(RESTORE);
    for (int only_size = 0; only_size < 2; only_size++)
        for (int c = 0; c < 2; c++) {
            uint64_t bytes = 77;
            fake_gl_clear_trace();
            plan = (gl_segsort_plan *)&bytes;
            const gl_segsort_plan_desc *desc = c ? &miscounted : &overlapping;
            gl_segsort_result result = only_size
                                           ? gl_segsort_plan_scratch_size(context, desc, &bytes)
                                           : gl_segsort_plan_create(context, desc, &plan);
            CHECK(result == (c ? GL_SEGSORT_ERROR_OUT_OF_RANGE : GL_SEGSORT_ERROR_OVERLAP), "%s",
                  gl_segsort_last_error(context));
            CHECK(strstr(recorded.log, c ? "the 2 sets have 4 segments"
                                         : "set 1: segment 0 and segment 1 overlap"),
                  "%s", recorded.log);
            CHECK(only_size ? bytes == 0 : !plan, "something came of it");
            CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
                  "%zu GL calls", fake_gl.trace_count);
        }
    plan = NULL;
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Ends */

static const struct recorded_set mixed_sets[] = {{2, {5000, 300}},        {1, {0}},
                                                 {3, {12, 3, 200}},       {1, {300000}},
                                                 {4, {4097, 7000, 0, 1}}, {0, {0}}};
#define MIXED_SETS (sizeof mixed_sets / sizeof mixed_sets[0])

/* A context that is destroyed or lost before its plans leaves their memory to the plans. */
static void nothing_leaks(void)
{
    for (int how = 0; how < 4; how++) {
        begin(RESTORE, mixed_sets, MIXED_SETS, 0);
        CHECK(gl_segsort_sort_batch(plan, batch.sorts, MIXED_SETS) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        if (how == 1)
            gl_segsort_gather_batch(plan, batch.gathers, MIXED_SETS);
        if (how == 2)
            gl_segsort_context_destroy(context);
        if (how == 3) {
            fake_gl_clear_trace();
            gl_segsort_context_abandon(context);
            CHECK(fake_gl.trace_count == 0, "%zu GL calls", fake_gl.trace_count);
        }
        if (how >= 2)
            CHECK(gl_segsort_sort_batch(plan, batch.sorts, MIXED_SETS) ==
                          GL_SEGSORT_ERROR_CONTEXT_LOST &&
                      gl_segsort_gather_batch(plan, batch.gathers, MIXED_SETS) ==
                          GL_SEGSORT_ERROR_CONTEXT_LOST,
                  "a sort without a context");
        gl_segsort_plan_destroy(plan);
        if (how < 2)
            gl_segsort_context_destroy(context);
        CHECK(recorded.memory_live == 0, "way %d: %zu allocations leak", how, recorded.memory_live);
        if (how < 3)
            CHECK_END(RESTORE);
        else
            fake_gl_free();
    }
}

static void another_context_is_current(void)
{
    begin_three(RESTORE);
    void *home = fake_gl.current_context;
    fake_gl.current_context = &home;
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort_batch(plan, batch.sorts, 3) == GL_SEGSORT_ERROR_WRONG_CONTEXT, "%s",
          gl_segsort_last_error(context));
    uint64_t bytes;
    CHECK(gl_segsort_plan_scratch_size(context, &batch.desc, &bytes) ==
              GL_SEGSORT_ERROR_WRONG_CONTEXT,
          "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.trace_count == 0, "%zu GL calls", fake_gl.trace_count);
    fake_gl.current_context = home;
    end(RESTORE);
}

CHECK_MAIN(CHECK_TEST(wrong_numbers_of_descriptions), CHECK_TEST(errors_of_any_set),
           CHECK_TEST(sets_that_meet), CHECK_TEST(plans_that_are_refused),
           CHECK_TEST(nothing_leaks), CHECK_TEST(another_context_is_current))
