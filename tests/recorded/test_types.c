/* Key and value types, and bits of the key: which streams they use, in which bytes, and which
 * descriptions are refused. */
#include "check.h"
#include "recorded_places.h"

#include <stdlib.h>

/* A long one, and one for each kernel that sorts within a work group. */
static const uint32_t lengths[] = {5000, 300, 12};
#define LENGTHS 3
#define ROWS 5312

static gl_segsort_context *context;
static gl_segsort_plan *plan;

static void begin(void)
{
    recorded_begin();
    context = recorded_context(GL_SEGSORT_STATE_RESTORE);
}

static void end(void)
{
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void make_plan(const gl_segsort_plan_desc *desc)
{
    CHECK(gl_segsort_plan_create(context, desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
}

static void make_packed_plan(const gl_segsort_plan_desc *like)
{
    CHECK(recorded_plan_create_like(context, like, lengths, LENGTHS, &plan) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(context));
}

static void sort(const gl_segsort_sort_desc *desc, const char *case_name)
{
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, desc) == GL_SEGSORT_SUCCESS, "%s: %s", case_name,
          gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count > 0, "%s: nothing is dispatched", case_name);
    const char *problem = recorded_state_problem();
    CHECK(!problem, "%s: %s", case_name, problem);
}

static void expect_refused(const gl_segsort_sort_desc *desc, gl_segsort_result expected,
                           const char *part)
{
    fake_gl_clear_trace();
    gl_segsort_result result = gl_segsort_sort(plan, desc);
    CHECK(result == expected, "%s: %s, expected %s", part, gl_segsort_result_string(result),
          gl_segsort_result_string(expected));
    CHECK(strstr(gl_segsort_last_error(context), part), "'%s' is not in '%s'", part,
          gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count == 0, "%s: dispatched", part);
}

/* ---------------------------------------------------------------------------------------------- */
/* Streams that are not used */

/* Views that would be refused if anybody looked at them. */
static const gl_segsort_view views_to_ignore[] = {{0, 0, 0}, {98765, 3, 1}, {0, UINT64_MAX, 0}};
#define VIEWS_TO_IGNORE 3

static bool binding_is_the_hosts(const struct fake_gl_dispatch *dispatch, int binding)
{
    const struct fake_gl_binding *a = &dispatch->storage[binding];
    const struct fake_gl_binding *b = &recorded.state.storage_at[binding];
    return a->buffer == b->buffer && a->start == b->start && a->size == b->size;
}

/* Keys alone: bindings 1 and 3 stay as the host has them, whatever the views and the offsets say.
 * */
static void keys_without_values(void)
{
    for (int i = 0; i < VIEWS_TO_IGNORE * RECORDED_ALGORITHMS; i++) {
        const gl_segsort_plan_desc like = {.value_type = GL_SEGSORT_VALUE_NONE,
                                           .algorithm = (gl_segsort_algorithm)(i % 3),
                                           .end_bit = 24};
        begin();
        make_packed_plan(&like);
        for (int in_place = 0; in_place < 2; in_place++) {
            gl_segsort_sort_desc desc =
                in_place ? recorded_in_place_desc(ROWS) : recorded_sort_desc(ROWS);
            desc.values = desc.output_values = views_to_ignore[i / 3];
            sort(&desc, recorded_algorithm_name(i % 3));
            for (size_t d = 0; d < fake_gl.dispatch_count; d++) {
                const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[d];
                CHECK(!fake_gl_uses(dispatch, 1) && !fake_gl_uses(dispatch, 3),
                      "%s declares values", dispatch->program_label);
                CHECK(binding_is_the_hosts(dispatch, 1) && binding_is_the_hosts(dispatch, 3),
                      "%s has values bound", dispatch->program_label);
            }
            CHECK(fake_gl.calls_of[FAKE_GL_IsBuffer] == 2, "%zu buffers are looked at",
                  fake_gl.calls_of[FAKE_GL_IsBuffer]);
        }
        gl_segsort_plan_destroy(plan);
        end();
    }
}

/* Row numbers: no view of input values is bound. Further digits, and the sort of a split's buckets,
 * read them from where the pass before wrote them. */
static void row_numbers_for_values(void)
{
    const unsigned expected[RECORDED_ALGORITHMS] = {
        [GL_SEGSORT_ALGORITHM_AUTO] = 1, [GL_SEGSORT_ALGORITHM_RADIX] = 3};
    for (int i = 0; i < VIEWS_TO_IGNORE * RECORDED_ALGORITHMS; i++) {
        const gl_segsort_plan_desc like = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                           .algorithm = (gl_segsort_algorithm)(i % 3)};
        begin();
        make_packed_plan(&like);
        gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
        desc.values = views_to_ignore[i / 3];
        sort(&desc, recorded_algorithm_name(i % 3));
        for (size_t t = 0; t < fake_gl.trace_count; t++)
            CHECK(!strstr(fake_gl.trace[t].text, "STORAGE 1 values"), "%s", fake_gl.trace[t].text);
        CHECK(fake_gl.calls_of[FAKE_GL_IsBuffer] == 3, "%zu buffers are looked at",
              fake_gl.calls_of[FAKE_GL_IsBuffer]);
        unsigned read_back = 0;
        for (size_t d = 0; d < fake_gl.dispatch_count; d++) {
            const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[d];
            read_back += (recorded_is_kernel(dispatch, "radix-scatter") ||
                          recorded_is_kernel(dispatch, "split-finish")) &&
                         dispatch->params.source != SEGSORT_PLACE_INPUT &&
                         fake_gl_uses(dispatch, SEGSORT_BINDING_VALUES) &&
                         !binding_is_the_hosts(dispatch, SEGSORT_BINDING_VALUES);
        }
        CHECK(read_back == expected[i % 3], "%s: %u passes take row numbers over",
              recorded_algorithm_name(i % 3), read_back);
        gl_segsort_plan_destroy(plan);
        end();
    }
}

/* GL wants a buffer behind each block that a program has, even if no row is read from it: without
 * one the results may be undefined. The host's own binding can't be relied on. */
static void row_numbers_without_bindings_of_the_host(void)
{
    for (int i = 0; i < 4 * RECORDED_ALGORITHMS; i++) {
        const gl_segsort_plan_desc like = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                           .algorithm = (gl_segsort_algorithm)(i / 4),
                                           .begin_bit = i / 2 % 2 ? 24 : 0,
                                           .end_bit = 24};
        begin();
        for (int b = 0; b < FAKE_GL_BINDINGS; b++)
            fake_gl.state.storage_at[b] = (struct fake_gl_binding){0};
        recorded.state = fake_gl.state;
        make_packed_plan(&like);
        gl_segsort_sort_desc desc = i % 2 ? recorded_in_place_desc(ROWS) : recorded_sort_desc(ROWS);
        desc.values = (gl_segsort_view){0};
        fake_gl_clear_trace();
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        gl_segsort_plan_destroy(plan);
        end();
    }
}

/* Values and output values of a plan that has none may be anywhere; those of row numbers' inputs,
 * too. Neither is looked at for a wrap, an overlap, a span that is too large or being in place. */
static void offsets_of_unused_streams(void)
{
    static const gl_segsort_value_type types[] = {GL_SEGSORT_VALUE_NONE, GL_SEGSORT_VALUE_INDEX};
    for (int i = 0; i < 2 * RECORDED_ALGORITHMS; i++) {
        bool none = i % 2 == 0;
        const gl_segsort_segment segments[] = {
            {0, 0xffffffff, 0, none ? 77 : 0, 5000},
            {5000, 0, 5000, none ? 0xfffffff0 : 5000, 300},
            {5300, 0xfffffff0, 5300, none ? 77 : 5300, 12},
        };
        const gl_segsort_plan_desc desc = {.value_type = types[i % 2],
                                           .algorithm = (gl_segsort_algorithm)(i / 2),
                                           .end_bit = 24,
                                           .segments = segments,
                                           .segment_count = 3};
        begin();
        make_plan(&desc);
        gl_segsort_plan_description description;
        gl_segsort_plan_describe(plan, &description);
        gl_segsort_sort_desc apart = recorded_sort_desc(ROWS), same = recorded_in_place_desc(ROWS);
        apart.values = apart.output_values;
        same.values = (gl_segsort_view){0};
        sort(&apart, "out of place");
        CHECK(fake_gl.dispatch_count == recorded_due_count(&description, false),
              "%s: unused values count as in place", recorded_algorithm_name(i / 2));
        sort(&same, "in place");
        CHECK(fake_gl.dispatch_count == recorded_due_count(&description, true),
              "%s: not in place, for unused values", recorded_algorithm_name(i / 2));
        gl_segsort_plan_destroy(plan);
        end();
    }
}

/* In a plan of row numbers nothing is in place but the keys. */
static void unused_values_are_not_in_place(void)
{
    const gl_segsort_plan_desc like = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                       .algorithm = GL_SEGSORT_ALGORITHM_RADIX,
                                       .end_bit = 8};
    begin();
    make_packed_plan(&like);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.values = desc.output_values;
    sort(&desc, "values where the row numbers go");
    for (size_t i = 0; i < fake_gl.dispatch_count; i++)
        CHECK(!recorded_is_kernel(&fake_gl.dispatches[i], "copy-rows"), "rows are copied");
    gl_segsort_plan_destroy(plan);
    end();
}

/* ---------------------------------------------------------------------------------------------- */
/* Rows of 64 bits */

/* First rows that differ from stream to stream; the first segment is long, the others are not. */
static const gl_segsort_segment apart[] = {
    {310, 20, 900, 40, 5000}, {6000, 5100, 100, 5300, 61}, {5500, 5200, 6001, 6005, 300}};

static gl_segsort_view *view_of(gl_segsort_sort_desc *desc, int stream)
{
    gl_segsort_view *const views[] = {&desc->keys, &desc->values, &desc->output_keys,
                                      &desc->output_values};
    return views[stream];
}

static void ranges_of_each_type(void)
{
    static const uint64_t offsets[] = {0, 4, 252, 256, 1004};
    static const int32_t alignments[] = {4, 16, 256};
    for (int i = 0; i < 3 * 16 * RECORDED_ALGORITHMS; i++) {
        const gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % 4),
                                           .value_type = (gl_segsort_value_type)(i / 4 % 4),
                                           .algorithm = (gl_segsort_algorithm)(i / 16 % 3),
                                           .segments = apart,
                                           .segment_count = 3};
        begin();
        gl_segsort_context_destroy(context);
        fake_gl.storage_alignment = alignments[i / 48];
        context = recorded_context(GL_SEGSORT_STATE_RESTORE);
        make_plan(&desc);
        gl_segsort_plan_description description;
        gl_segsort_plan_describe(plan, &description);
        for (size_t o = 0; o < 5; o++) {
            gl_segsort_sort_desc sort_desc = recorded_sort_desc(10000);
            for (size_t s = 0; s < 4; s++)
                view_of(&sort_desc, (int)s)->byte_offset = offsets[(o + s) % 5];
            sort(&sort_desc, "apart");
            struct recorded_places places =
                recorded_places_of(&desc, description.local_rows_max, &sort_desc);
            const char *problem = recorded_all_places_problem(&places);
            CHECK(!problem, "%s, key type %d, value type %d: %s",
                  recorded_algorithm_name(i / 16 % 3), i % 4, i / 4 % 4, problem);
        }
        gl_segsort_plan_destroy(plan);
        end();
    }
}

/* A buffer that ends with the last row is enough, and one of a word less is not. */
static void buffers_of_64_bit_rows(void)
{
    const gl_segsort_plan_desc like = {.key_type = GL_SEGSORT_KEY_U64,
                                       .value_type = GL_SEGSORT_VALUE_U64};
    begin();
    make_packed_plan(&like);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    for (int s = 0; s < 4; s++) {
        uint64_t *size = &fake_gl_find_buffer(view_of(&desc, s)->buffer)->size;
        view_of(&desc, s)->byte_offset = 12;
        *size = 12 + 8 * ROWS;
        sort(&desc, "to the last byte");
        *size -= 4;
        expect_refused(&desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "up to 42508, but buffer");
        *size += 4;
        view_of(&desc, s)->rows = ROWS - 1;
        expect_refused(&desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "view of 5311 rows");
        view_of(&desc, s)->rows = ROWS;
    }
    gl_segsort_plan_destroy(plan);
    end();
}

/* Keys of 8 bytes before values of 4 in one buffer, up to the byte. */
static void overlap_counts_in_bytes(void)
{
    const gl_segsort_plan_desc like = {.key_type = GL_SEGSORT_KEY_U64};
    begin();
    make_packed_plan(&like);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    desc.output_values.buffer = desc.output_keys.buffer;
    desc.output_values.byte_offset = 8 * ROWS - 4;
    expect_refused(&desc, GL_SEGSORT_ERROR_OVERLAP, "0..42495) and output_values (bytes 42492..");
    desc.output_values.byte_offset = 8 * ROWS;
    sort(&desc, "values behind keys");
    desc.output_values.byte_offset = 0;
    desc.output_keys.byte_offset = 4 * ROWS - 4;
    expect_refused(&desc, GL_SEGSORT_ERROR_OVERLAP, "output_keys (bytes 21244..");
    desc.output_keys.byte_offset = 4 * ROWS;
    sort(&desc, "keys behind values");
    gl_segsort_plan_destroy(plan);
    end();
}

/* The same bytes through views that start 10 rows apart, which is 80 bytes and 40. Three digits are
 * an odd number of them, which takes a copy in place. */
static void in_place_counts_in_bytes(void)
{
    const gl_segsort_segment segments[] = {{10, 0, 0, 10, 5000}, {5010, 5000, 5000, 5010, 300}};
    const gl_segsort_plan_desc plan_desc = {
        .key_type = GL_SEGSORT_KEY_U64, .segments = segments, .segment_count = 2, .begin_bit = 40};
    gl_segsort_plan_desc odd = plan_desc;
    odd.end_bit = 64;
    odd.algorithm = GL_SEGSORT_ALGORITHM_RADIX;
    begin();
    make_plan(&odd);
    gl_segsort_sort_desc desc = recorded_in_place_desc(6000);
    desc.output_keys.byte_offset = 80;
    desc.values.byte_offset = 40;
    sort(&desc, "in place");
    unsigned copies = 0;
    for (size_t i = 0; i < fake_gl.dispatch_count; i++)
        copies += recorded_is_kernel(&fake_gl.dispatches[i], "copy-rows");
    CHECK(copies == 1, "%u copies", copies);
    desc.output_keys.byte_offset = 40;
    expect_refused(&desc, GL_SEGSORT_ERROR_OVERLAP, "keys");
    desc.output_keys.byte_offset = 80;
    desc.values.byte_offset = 80;
    expect_refused(&desc, GL_SEGSORT_ERROR_OVERLAP, "values");
    gl_segsort_plan_destroy(plan);
    end();
}

/* ---------------------------------------------------------------------------------------------- */
/* Descriptions */

static void expect_plan(const gl_segsort_plan_desc *desc, gl_segsort_result expected,
                        const char *parts)
{
    char list[200];
    size_t memory = recorded.memory_live;
    fake_gl_clear_trace();
    plan = (gl_segsort_plan *)&memory;
    gl_segsort_result result = gl_segsort_plan_create(context, desc, &plan);
    CHECK(result == expected, "'%s', bits %u..%u: %s, expected %s", parts, desc->begin_bit,
          desc->end_bit, gl_segsort_result_string(result), gl_segsort_result_string(expected));
    CHECK((plan != NULL) == (result == GL_SEGSORT_SUCCESS), "'%s': plan %p", parts, (void *)plan);
    gl_segsort_plan_destroy(plan);
    CHECK(result == GL_SEGSORT_SUCCESS || recorded.memory_live == memory, "'%s': memory leaked",
          parts);
    if (result == GL_SEGSORT_SUCCESS)
        return;
    const char *sentence = gl_segsort_last_error(context);
    CHECK(recorded_is_sentence(sentence) && strstr(recorded.log, sentence), "'%s'", sentence);
    snprintf(list, sizeof list, "%s", parts);
    for (char *part = strtok(list, ","); part; part = strtok(NULL, ","))
        CHECK(strstr(sentence, part), "'%s' is not in '%s'", part, sentence);
    CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
          "'%s': %zu GL calls", parts, fake_gl.trace_count);
}

static void bits_of_a_key(void)
{
    static const struct {
        gl_segsort_key_type type;
        uint32_t begin, end;
        bool right;
        const char *parts;
    } cases[] = {
        {GL_SEGSORT_KEY_U32, 0, 0, true, ""},
        {GL_SEGSORT_KEY_U32, 0, 32, true, ""},
        {GL_SEGSORT_KEY_I32, 31, 32, true, ""},
        {GL_SEGSORT_KEY_F32, 32, 32, true, ""},
        {GL_SEGSORT_KEY_F32, 5, 5, true, ""},
        {GL_SEGSORT_KEY_U64, 0, 64, true, ""},
        {GL_SEGSORT_KEY_U64, 63, 64, true, ""},
        {GL_SEGSORT_KEY_U64, 33, 33, true, ""},
        {GL_SEGSORT_KEY_U32, 0, 33, false, "begin_bit 0,end_bit 33,32 bits"},
        {GL_SEGSORT_KEY_I32, 33, 33, false, "begin_bit 33,end_bit 33,32 bits"},
        {GL_SEGSORT_KEY_F32, 9, 8, false, "begin_bit 9,end_bit 8,32 bits"},
        {GL_SEGSORT_KEY_F32, 1, 0, false, "begin_bit 1,end_bit 0,32 bits"},
        {GL_SEGSORT_KEY_U32, 0, UINT32_MAX, false, "4294967295"},
        {GL_SEGSORT_KEY_U32, UINT32_MAX, UINT32_MAX, false, "4294967295"},
        {GL_SEGSORT_KEY_U64, 0, 65, false, "begin_bit 0,end_bit 65,64 bits"},
        {GL_SEGSORT_KEY_U64, 64, 63, false, "begin_bit 64,end_bit 63,64 bits"},
    };
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 5000}, {5000, 5000, 5000, 5000, 12}};
    begin();
    for (size_t i = 0; i < 3 * (sizeof cases / sizeof cases[0]); i++) {
        size_t c = i / 3;
        const gl_segsort_plan_desc desc = {.key_type = cases[c].type,
                                           .algorithm = (gl_segsort_algorithm)(i % 3),
                                           .begin_bit = cases[c].begin,
                                           .end_bit = cases[c].end,
                                           .segments = segments,
                                           .segment_count = 2};
        expect_plan(&desc, cases[c].right ? GL_SEGSORT_SUCCESS : GL_SEGSORT_ERROR_OUT_OF_RANGE,
                    cases[c].parts);
    }
    /* Also without a segment that they would matter to. */
    const gl_segsort_plan_desc empty = {.end_bit = 33};
    expect_plan(&empty, GL_SEGSORT_ERROR_OUT_OF_RANGE, "begin_bit 0,end_bit 33");
    end();
}

/* Shifting 64 bits by 64 is undefined; the mask is 0, as for no bits anywhere else. */
static void no_bits_at_the_end_of_the_longest_key(void)
{
    const gl_segsort_plan_desc like = {.key_type = GL_SEGSORT_KEY_U64,
                                       .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
                                       .begin_bit = 64,
                                       .end_bit = 64};
    begin();
    make_packed_plan(&like);
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    sort(&desc, "bits 64..64");
    for (size_t i = 0; i < fake_gl.dispatch_count; i++)
        CHECK(fake_gl.dispatches[i].params.key_mask_low == 0 &&
                  fake_gl.dispatches[i].params.key_mask_high == 0,
              "mask 0x%08x%08x", fake_gl.dispatches[i].params.key_mask_high,
              fake_gl.dispatches[i].params.key_mask_low);
    gl_segsort_plan_destroy(plan);
    end();
}

static void enumerators_that_there_are_not(void)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, 12};
    const gl_segsort_plan_desc fine = {.segments = &segment, .segment_count = 1};
    begin();
    gl_segsort_plan_desc desc = fine;
    desc.key_type = (gl_segsort_key_type)4;
    expect_plan(&desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "key_type is 4");
    desc = fine;
    desc.value_type = (gl_segsort_value_type)4;
    expect_plan(&desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "value_type is 4");
    desc = fine;
    desc.algorithm = (gl_segsort_algorithm)3;
    expect_plan(&desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "algorithm is 3");
    expect_plan(&fine, GL_SEGSORT_SUCCESS, "");
    end();
}

/* The rows just fit GL_MAX_SHADER_STORAGE_BLOCK_SIZE, or just do not. */
static void spans_of_64_bit_rows(void)
{
    gl_segsort_segment segment = {0, 0, 0, 0, 512};
    gl_segsort_plan_desc desc = {.key_type = GL_SEGSORT_KEY_U64,
                                 .value_type = GL_SEGSORT_VALUE_U64,
                                 .segments = &segment,
                                 .segment_count = 1};
    recorded_begin();
    fake_gl.storage_block_bytes = 4096;
    context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    expect_plan(&desc, GL_SEGSORT_SUCCESS, "");
    segment.length = 513;
    expect_plan(&desc, GL_SEGSORT_ERROR_UNSUPPORTED, "4104 bytes of keys,4096");
    desc.key_type = GL_SEGSORT_KEY_U32;
    expect_plan(&desc, GL_SEGSORT_ERROR_UNSUPPORTED, "4104 bytes of values,4096");
    desc.value_type = GL_SEGSORT_VALUE_INDEX;
    expect_plan(&desc, GL_SEGSORT_SUCCESS, "");
    end();
}

/* ---------------------------------------------------------------------------------------------- */
/* Programs */

/* Each type is compiled once for each kernel; bits only matter where keys are compared, and a
 * program that masks them is another one. The radix sort has its digits from the parameters. */
static void each_type_is_compiled_once(void)
{
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++) {
        begin();
        size_t first = 0;
        for (int i = 0; i < 2 * 4 * 4; i++) {
            const gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i % 4),
                                               .value_type = (gl_segsort_value_type)(i / 4 % 4),
                                               .algorithm = (gl_segsort_algorithm)algorithm};
            fake_gl_clear_trace();
            make_packed_plan(&like);
            gl_segsort_plan_destroy(plan);
            size_t compiled = fake_gl.calls_of[FAKE_GL_CompileShader];
            first = i == 0 ? compiled : first;
            CHECK(i < 16 ? compiled == first : compiled == 0, "%s, round %d: %zu programs, not %zu",
                  recorded_algorithm_name(algorithm), i / 16, compiled, first);
        }
        const gl_segsort_plan_desc part = {
            .algorithm = (gl_segsort_algorithm)algorithm, .begin_bit = 3, .end_bit = 30};
        fake_gl_clear_trace();
        make_packed_plan(&part);
        size_t comparing = 0;
        gl_segsort_plan_description description;
        gl_segsort_plan_describe(plan, &description);
        for (uint32_t i = 0; i < description.pass_count; i++)
            comparing += strncmp(description.passes[i].kernel, "radix-", 6) != 0 &&
                         strcmp(description.passes[i].kernel, "split-spine") != 0;
        size_t compiled = fake_gl.calls_of[FAKE_GL_CompileShader];
        CHECK(algorithm == GL_SEGSORT_ALGORITHM_BITONIC ? compiled == first : compiled == comparing,
              "%s: %zu programs for a part of the bits", recorded_algorithm_name(algorithm),
              compiled);
        gl_segsort_plan_destroy(plan);
        end();
    }
}

CHECK_MAIN(CHECK_TEST(keys_without_values), CHECK_TEST(row_numbers_for_values),
           CHECK_TEST(row_numbers_without_bindings_of_the_host),
           CHECK_TEST(offsets_of_unused_streams), CHECK_TEST(unused_values_are_not_in_place),
           CHECK_TEST(ranges_of_each_type), CHECK_TEST(buffers_of_64_bit_rows),
           CHECK_TEST(overlap_counts_in_bytes), CHECK_TEST(in_place_counts_in_bytes),
           CHECK_TEST(bits_of_a_key), CHECK_TEST(no_bits_at_the_end_of_the_longest_key),
           CHECK_TEST(enumerators_that_there_are_not), CHECK_TEST(spans_of_64_bit_rows),
           CHECK_TEST(each_type_is_compiled_once))
