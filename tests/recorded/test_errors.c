/* Every error of gl_segsort_plan_create and gl_segsort_sort: its code, its sentence, and that
 * nothing was recorded. */
#include "check.h"
#include "recorded.h"

#include <stdarg.h>
#include <stdlib.h>

static const uint32_t lengths[] = {12, 11, 3, 0, 1};
#define LENGTHS 5
#define ROWS 27

static gl_segsort_context *context;
static gl_segsort_plan *plan;

static void begin_with(gl_segsort_state_policy policy, const gl_segsort_segment *segments,
                       uint32_t count)
{
    context = recorded_context(policy);
    gl_segsort_plan_desc desc = {.label = "mesh", .segments = segments, .segment_count = count};
    CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    fake_gl_clear_trace();
}

static void begin(gl_segsort_state_policy policy)
{
    recorded_begin();
    context = recorded_context(policy);
    plan = recorded_plan(context, lengths, LENGTHS);
    fake_gl_clear_trace();
}

static void end(gl_segsort_state_policy policy)
{
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

/* The sentence has to have each of the comma-separated parts, and the log has to get the same one.
 */
static void check_sentence(const char *parts)
{
    const char *sentence = gl_segsort_last_error(context);
    char list[200], logged[sizeof recorded.log];
    snprintf(list, sizeof list, "%s", parts);
    CHECK(recorded_is_sentence(sentence), "no sentence: '%s'", sentence);
    for (char *part = strtok(list, ","); part; part = strtok(NULL, ","))
        CHECK(strstr(sentence, part), "'%s' is not in '%s'", part, sentence);
    snprintf(logged, sizeof logged, "gl_segsort: %.2900s", sentence);
    CHECK(strcmp(recorded.log, logged) == 0, "logged '%s', last_error '%s'", recorded.log,
          sentence);
}

/* pure: found without asking GL about buffers. */
static void expect_sort_fails(const gl_segsort_sort_desc *desc, bool pure,
                              gl_segsort_result expected, const char *parts)
{
    fake_gl_clear_trace();
    size_t logged = recorded.log_counts[GL_SEGSORT_LOG_ERROR];
    gl_segsort_result result = gl_segsort_sort(plan, desc);
    CHECK(result == expected, "'%s': %s, expected %s (%s)", parts, gl_segsort_result_string(result),
          gl_segsort_result_string(expected), gl_segsort_last_error(context));
    check_sentence(parts);
    CHECK(recorded.log_counts[GL_SEGSORT_LOG_ERROR] == logged + 1, "'%s': %zu messages", parts,
          recorded.log_counts[GL_SEGSORT_LOG_ERROR] - logged);
    CHECK(fake_gl.calls_of[FAKE_GL_DispatchCompute] == 0, "'%s': dispatched", parts);
    CHECK(fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0, "'%s': a barrier", parts);
    if (pure)
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "'%s': %zu GL calls", parts, fake_gl.trace_count);
    const char *problem = recorded_state_problem();
    CHECK(!problem, "'%s': %s", parts, problem);
}

static void expect_sort_works(const gl_segsort_sort_desc *desc, const char *case_name)
{
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, desc) == GL_SEGSORT_SUCCESS, "%s: %s", case_name,
          gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count > 0, "%s: nothing was dispatched", case_name);
}

static gl_segsort_view *view_of(gl_segsort_sort_desc *desc, int stream)
{
    gl_segsort_view *const views[] = {&desc->keys, &desc->values, &desc->output_keys,
                                      &desc->output_values};
    return views[stream];
}

static const char *const stream_names[] = {"keys", "values", "output_keys", "output_values"};

/* "output_keys" alone would be found by "keys" too. */
static const char *with_stream(int stream, const char *format, ...) SEGSORT_PRINTF(2, 3);
static const char *with_stream(int stream, const char *format, ...)
{
    static char text[200];
    int length = snprintf(text, sizeof text, "%s,", stream_names[stream]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    return text;
}

/* ---------------------------------------------------------------------------------------------- */
/* INVALID_ARGUMENT */

static void sort_without_a_description(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    expect_sort_fails(NULL, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "desc,NULL");
    end(GL_SEGSORT_STATE_RESTORE);
}

static void buffer_names(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    /* A name that was generated is no buffer before it was bound. */
    uint32_t generated = fake_gl_host_buffer(0, "generated");
    fake_gl_find_buffer(generated)->exists = false;
    for (int s = 0; s < 4; s++) {
        gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
        view_of(&desc, s)->buffer = 0;
        expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                          with_stream(s, "buffer,0"));
        view_of(&desc, s)->buffer = 98765;
        expect_sort_fails(&desc, false, GL_SEGSORT_ERROR_INVALID_ARGUMENT, with_stream(s, "98765"));
        view_of(&desc, s)->buffer = generated;
        expect_sort_fails(&desc, false, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                          with_stream(s, "%u", generated));
    }
    gl_segsort_sort_desc empty = {0};
    expect_sort_fails(&empty, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "keys,buffer,0");
    end(GL_SEGSORT_STATE_RESTORE);
}

static void misaligned_offsets(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    for (int s = 0; s < 4; s++)
        for (uint64_t offset = 1; offset < 4; offset++) {
            gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
            view_of(&desc, s)->byte_offset = 1000 + offset;
            expect_sort_fails(
                &desc, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                with_stream(s, "byte_offset,%u,multiple of 4", (unsigned)(1000 + offset)));
        }
    end(GL_SEGSORT_STATE_RESTORE);
}

static void unknown_barrier_bits(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.barriers_before = 0x00010010;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "barriers_before,0x00010010");
    desc.barriers_before = 0;
    desc.barriers_after = 0x40002000;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "barriers_after,0x40000000");
    end(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* OUT_OF_RANGE */

static void segments_past_their_view(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    /* Segment 4 is row 26; without it the last one is segment 2, rows 23..25. */
    for (int s = 0; s < 4; s++) {
        gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
        view_of(&desc, s)->rows = 26;
        expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                          with_stream(s, "segment 4:,26..26,26 rows"));
        view_of(&desc, s)->rows = 0;
        expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                          with_stream(s, "segment 4:,26..26, 0 rows"));
        view_of(&desc, s)->rows = ROWS;
        expect_sort_works(&desc, "a view of exactly its rows");
    }
    end(GL_SEGSORT_STATE_RESTORE);
}

static void the_segment_that_reaches_furthest_is_named(void)
{
    /* In the values it is segment 1, everywhere else segment 0. */
    const gl_segsort_segment segments[] = {{50, 0, 50, 50, 10}, {0, 70, 0, 0, 20}};
    recorded_begin();
    begin_with(GL_SEGSORT_STATE_RESTORE, segments, 2);
    gl_segsort_sort_desc desc = recorded_sort_desc(90);
    expect_sort_works(&desc, "all fits");
    desc.values.rows = 89;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OUT_OF_RANGE, "segment 1:,70..89,values,89");
    desc.values.rows = 90;
    desc.output_keys.rows = 59;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                      "segment 0:,50..59,output_keys,59");
    end(GL_SEGSORT_STATE_RESTORE);
}

static void views_past_their_buffer(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    uint32_t small = fake_gl_host_buffer(ROWS * 4 + 252 - 4, "small");
    for (int s = 0; s < 4; s++) {
        gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
        *view_of(&desc, s) = (gl_segsort_view){small, 252, ROWS};
        expect_sort_fails(&desc, false, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                          with_stream(s, "%u,360,356", small));
        view_of(&desc, s)->byte_offset = 248;
        if (s >= 2) /* else the dispatch would show up as a write to somebody else's buffer */
            continue;
        expect_sort_works(&desc, "up to the last byte");
    }
    end(GL_SEGSORT_STATE_RESTORE);
}

static void a_buffer_that_shrank(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    expect_sort_works(&desc, "before");
    fake_gl_find_buffer(recorded.values)->size = 100;
    expect_sort_fails(&desc, false, GL_SEGSORT_ERROR_OUT_OF_RANGE, "values,108,100");
    fake_gl_find_buffer(recorded.values)->size = 108;
    expect_sort_works(&desc, "after");
    fake_gl_find_buffer(recorded.output_keys)->alive = false;
    expect_sort_fails(&desc, false, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "output_keys");
    end(GL_SEGSORT_STATE_RESTORE);
}

static void offsets_past_everything(void)
{
    static const uint64_t offsets[] = {0xfffffffffffffffcu, 0x8000000000000000u,
                                       0x7ffffffffffffffcu, 0x4000000000000000u,
                                       0x3ffffffffffffffcu, (uint64_t)1 << 40};
    begin(GL_SEGSORT_STATE_RESTORE);
    for (int s = 0; s < 4; s++)
        for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
            gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
            view_of(&desc, s)->byte_offset = offsets[i];
            expect_sort_fails(&desc, false, GL_SEGSORT_ERROR_OUT_OF_RANGE, stream_names[s]);
        }
    gl_segsort_sort_desc desc = recorded_sort_desc(UINT64_MAX);
    expect_sort_works(&desc, "views of no particular end");
    end(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* OVERLAP */

static void outputs_that_overlap(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.output_values.buffer = desc.output_keys.buffer;
    char parts[100];
    snprintf(parts, sizeof parts, "output_keys,output_values,0..107,buffer %u",
             desc.output_keys.buffer);
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OVERLAP, parts);
    desc.output_values.byte_offset = ROWS * 4 - 4;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OVERLAP,
                      "output_keys,output_values,0..107,104..211");
    desc.output_values.byte_offset = ROWS * 4;
    expect_sort_works(&desc, "one behind the other");
    end(GL_SEGSORT_STATE_RESTORE);
}

static void outputs_over_inputs(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    for (int input = 0; input < 2; input++)
        for (int output = 2; output < 4; output++) {
            gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
            gl_segsort_view *view = view_of(&desc, output);
            /* The buffer must be one that the host lets be written. */
            view_of(&desc, input)->buffer = view->buffer;
            if (output == input + 2)
                expect_sort_works(&desc, "in place");
            else
                expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OVERLAP,
                                  with_stream(input, "%s", stream_names[output]));
            view->byte_offset = 4;
            expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OVERLAP,
                              with_stream(input, "%s", stream_names[output]));
            view->byte_offset = ROWS * 4;
            expect_sort_works(&desc, "behind the input");
        }
    end(GL_SEGSORT_STATE_RESTORE);
}

/* Both in place in one buffer; and two inputs that share their rows. */
static void streams_of_one_buffer(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.keys = desc.output_keys = (gl_segsort_view){recorded.output_keys, 0, ROWS};
    desc.values = desc.output_values = (gl_segsort_view){recorded.output_keys, ROWS * 4, ROWS};
    expect_sort_works(&desc, "in place, values behind keys");
    desc = recorded_sort_desc(ROWS);
    desc.values = desc.keys;
    expect_sort_works(&desc, "values are the keys");
    end(GL_SEGSORT_STATE_RESTORE);
}

/* In place means segment by segment: the same rows in another order are not. */
static void the_same_rows_for_other_segments(void)
{
    const gl_segsort_segment swapped[] = {{0, 0, 10, 0, 10}, {10, 10, 0, 10, 10}};
    recorded_begin();
    begin_with(GL_SEGSORT_STATE_RESTORE, swapped, 2);
    gl_segsort_sort_desc desc = recorded_sort_desc(20);
    expect_sort_works(&desc, "from buffer to buffer");
    desc.keys.buffer = desc.output_keys.buffer;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OVERLAP, "keys,output_keys,0..79");
    end(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* UNSUPPORTED */

/* The plan just fits GL_MAX_SHADER_STORAGE_BLOCK_SIZE; a view whose start has to be rounded down
 * does not. */
static void range_over_the_storage_limit(void)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, 1024};
    recorded_begin();
    fake_gl.storage_block_bytes = 4096;
    begin_with(GL_SEGSORT_STATE_RESTORE, &segment, 1);
    gl_segsort_sort_desc desc = recorded_sort_desc(1024);
    expect_sort_works(&desc, "exactly the limit");
    for (int s = 0; s < 4; s++) {
        view_of(&desc, s)->byte_offset = 4;
        expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_UNSUPPORTED,
                          with_stream(s, "4100,4096,GL_MAX_SHADER_STORAGE_BLOCK_SIZE"));
        view_of(&desc, s)->byte_offset = 256;
        expect_sort_works(&desc, "aligned");
    }
    end(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

static void expect_plan_fails(const gl_segsort_plan_desc *desc, gl_segsort_result expected,
                              const char *parts)
{
    size_t memory = recorded.memory_live;
    fake_gl_clear_trace();
    gl_segsort_plan *made = (gl_segsort_plan *)&memory;
    gl_segsort_result result = gl_segsort_plan_create(context, desc, &made);
    CHECK(result == expected, "'%s': %s, expected %s", parts, gl_segsort_result_string(result),
          gl_segsort_result_string(expected));
    CHECK(made == NULL, "'%s': a plan came of it", parts);
    check_sentence(parts);
    CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
          "'%s': %zu GL calls", parts, fake_gl.trace_count);
    CHECK(recorded.memory_live == memory, "'%s': memory leaked", parts);
}

static void plans_that_are_refused(void)
{
    const gl_segsort_segment wraps[] = {{0, 0, 0, 0, 5}, {8, 0xfffffff0, 8, 8, 0x20}};
    const gl_segsort_segment overlap[] = {{0, 0, 0, 0, 3}, {9, 9, 2, 9, 2}};
    const gl_segsort_segment far[] = {{0, 0, 0, 0, 3}, {4, 4, 4, 0x10000000, 3}};
    const gl_segsort_segment fine = {0, 0, 0, 0, 3};
    begin(GL_SEGSORT_STATE_RESTORE);
    const gl_segsort_plan_desc wrapping = {.segments = wraps, .segment_count = 2},
                               overlapping = {.segments = overlap, .segment_count = 2},
                               spread = {.segments = far, .segment_count = 2},
                               no_list = {.segment_count = 3};
    gl_segsort_plan_desc enumerator = {.segments = &fine, .segment_count = 1};
    expect_plan_fails(NULL, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "desc,NULL");
    expect_plan_fails(&no_list, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "segments,NULL,3");
    expect_plan_fails(&wrapping, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                      "segment 1:,values_offset,4294967280,32");
    expect_plan_fails(&overlapping, GL_SEGSORT_ERROR_OVERLAP,
                      "segment 0,segment 1,output_keys,0..2,2..3");
    expect_plan_fails(&spread, GL_SEGSORT_ERROR_UNSUPPORTED,
                      "output_values,GL_MAX_SHADER_STORAGE_BLOCK_SIZE,134217728,segment 1");
    enumerator.direction = (gl_segsort_direction)2;
    expect_plan_fails(&enumerator, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "direction,2");
    enumerator.direction = GL_SEGSORT_ASCENDING;
    enumerator.key_type = (gl_segsort_key_type)99;
    expect_plan_fails(&enumerator, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "key_type,99");
    CHECK(gl_segsort_plan_create(context, &no_list, NULL) == GL_SEGSORT_ERROR_INVALID_ARGUMENT,
          "no plan to put it in");
    end(GL_SEGSORT_STATE_RESTORE);
}

/* A driver's log has lines; what the library hands on has not. */
static void compile_errors_carry_the_log(void)
{
    static const enum fake_gl_function steps[] = {FAKE_GL_CompileShader, FAKE_GL_LinkProgram};
    for (int i = 0; i < 2; i++) {
        recorded_begin();
        context = recorded_context(GL_SEGSORT_STATE_RESTORE);
        fake_gl.fail_next[steps[i]] = true;
        CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == GL_SEGSORT_ERROR_COMPILE,
              "%s", gl_segsort_last_error(context));
        CHECK(plan == NULL, "a plan came of it");
        check_sentence(i == 0 ? "bucket-local,bucket_local.comp,width 256,the fake compiler"
                              : "bucket-local,bucket_local.comp,width 256,the fake linker");
        plan = recorded_plan(context, lengths, LENGTHS);
        CHECK(plan != NULL, "and again: %s", gl_segsort_last_error(context));
        end(GL_SEGSORT_STATE_RESTORE);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* The sentence, and the fast policy */

static void last_error_stays(void)
{
    begin(GL_SEGSORT_STATE_RESTORE);
    CHECK(gl_segsort_last_error(context)[0] == '\0', "an error before the first: %s",
          gl_segsort_last_error(context));
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.keys.rows = 7;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OUT_OF_RANGE, "keys,7");
    char first[300];
    snprintf(first, sizeof first, "%s", gl_segsort_last_error(context));
    desc.keys.rows = ROWS;
    expect_sort_works(&desc, "after an error");
    CHECK(strcmp(gl_segsort_last_error(context), first) == 0, "'%s' became '%s'", first,
          gl_segsort_last_error(context));
    desc.values.rows = 8;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OUT_OF_RANGE, "values,8");
    end(GL_SEGSORT_STATE_RESTORE);
}

/* What needs no GL is checked in that policy too. */
static void dirty_sorts_are_checked_without_gl(void)
{
    const gl_segsort_state_policy dirty = GL_SEGSORT_STATE_LEAVE_DIRTY;
    begin(dirty);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.keys.buffer = 0;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "keys,buffer,0");
    desc = recorded_sort_desc(26);
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OUT_OF_RANGE, "segment 4:,26..26,26 rows");
    desc = recorded_sort_desc(ROWS);
    desc.output_values.byte_offset = 2;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "byte_offset,2");
    desc = recorded_sort_desc(ROWS);
    desc.output_values.buffer = desc.keys.buffer;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_OVERLAP, "keys,output_values");
    desc = recorded_sort_desc(ROWS);
    desc.barriers_after = 0x10;
    expect_sort_fails(&desc, true, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "barriers_after");
    end(dirty);
}

CHECK_MAIN(CHECK_TEST(sort_without_a_description), CHECK_TEST(buffer_names),
           CHECK_TEST(misaligned_offsets), CHECK_TEST(unknown_barrier_bits),
           CHECK_TEST(segments_past_their_view),
           CHECK_TEST(the_segment_that_reaches_furthest_is_named),
           CHECK_TEST(views_past_their_buffer), CHECK_TEST(a_buffer_that_shrank),
           CHECK_TEST(offsets_past_everything), CHECK_TEST(outputs_that_overlap),
           CHECK_TEST(outputs_over_inputs), CHECK_TEST(streams_of_one_buffer),
           CHECK_TEST(the_same_rows_for_other_segments), CHECK_TEST(range_over_the_storage_limit),
           CHECK_TEST(plans_that_are_refused), CHECK_TEST(compile_errors_carry_the_log),
           CHECK_TEST(last_error_stays), CHECK_TEST(dirty_sorts_are_checked_without_gl))
