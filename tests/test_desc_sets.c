/* Layer 1: the sets of a batch and the host's scratch in a description. Pure C, no GL. */
#include "desc_setup.h"
#include "generate.h"

#include <stdlib.h>

enum { SETS_MAX = 8 };

static segsort_layout layouts[SETS_MAX];

static gl_segsort_result check_plan(const gl_segsort_plan_desc *desc)
{
    return check_layouts(desc, layouts);
}

/* ---------------------------------------------------------------------------------------------- */
/* How many segments a set has */

static void counts_that_do_not_add_up(void)
{
    const gl_segsort_segment segments[4] = {
        {0, 0, 0, 0, 1}, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 1}, {3, 3, 3, 3, 1}};
    const uint32_t counts[][3] = {{1, 1, 1}, {2, 2, 1}, {0, 0, 0}, {4, 0, 1}};
    for (size_t i = 0; i < 4; i++) {
        gl_segsort_plan_desc desc = {.segments = segments,
                                     .segment_count = 4,
                                     .set_count = 3,
                                     .set_segment_counts = counts[i]};
        char have[32];
        snprintf(have, sizeof have, "have %u segments", counts[i][0] + counts[i][1] + counts[i][2]);
        CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "the 3 sets", have,
                     "gl_segsort_plan_desc.segment_count is 4");
    }
    /* A sum modulo 2^32 would be right. */
    const uint32_t wrapping[] = {0xfffffffe, 4, 2};
    gl_segsort_plan_desc desc = {
        .segments = segments, .segment_count = 4, .set_count = 3, .set_segment_counts = wrapping};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "4294967300 segments");
}

static void counts_without_sets(void)
{
    const uint32_t counts[] = {1};
    const gl_segsort_segment segment = {0, 0, 0, 0, 1};
    gl_segsort_plan_desc desc = {
        .segments = &segment, .segment_count = 1, .set_segment_counts = counts};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "set_segment_counts is given, but set_count is 0");
    desc = (gl_segsort_plan_desc){.set_segment_counts = counts};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "set_count is 0");
}

/* Without counts each set has one segment. */
static void sets_without_counts(void)
{
    const gl_segsort_segment segments[3] = {{0, 0, 0, 0, 5}, {7, 7, 7, 7, 0}, {2, 2, 2, 2, 9}};
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 3, .set_count = 3};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    for (uint32_t i = 0; i < 3; i++)
        CHECK(layouts[i].segment_count == 1 && layouts[i].row_count == segments[i].length &&
                  segsort_desc_set_segments(&desc, i) == 1,
              "set %u has %u segments", i, layouts[i].segment_count);
    for (uint32_t sets = 1; sets <= 5; sets++) {
        char words[32];
        desc.set_count = sets;
        if (sets == 3)
            continue;
        snprintf(words, sizeof words, "the %u sets have %u segments", sets, sets);
        CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, words, "segment_count is 3");
    }
    desc = (gl_segsort_plan_desc){.set_count = 0xffffffff};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "4294967295 segments",
                 "segment_count is 0");
}

static void number_of_sets(void)
{
    const uint32_t counts[] = {4, 0, 3};
    gl_segsort_plan_desc desc = {.segment_count = 7};
    CHECK(segsort_desc_set_count(&desc) == 1, "no batch is one set");
    CHECK(segsort_desc_set_segments(&desc, 0) == 7, "which has all segments");
    desc.set_count = 3;
    desc.set_segment_counts = counts;
    CHECK(segsort_desc_set_count(&desc) == 3, "%u sets", segsort_desc_set_count(&desc));
    for (uint32_t i = 0; i < 3; i++)
        CHECK(segsort_desc_set_segments(&desc, i) == counts[i], "set %u", i);
}

/* Of all sets, of the first, of one in the middle, of the last. */
static void sets_with_no_segments(void)
{
    const gl_segsort_segment segments[2] = {{3, 3, 3, 3, 5}, {8, 8, 8, 8, 1}};
    const uint32_t counts[][4] = {{0, 1, 0, 1}, {2, 0, 0, 0}, {0, 0, 0, 2}, {0, 1, 1, 0}};
    for (size_t c = 0; c < 4; c++) {
        gl_segsort_plan_desc desc = {.segments = segments,
                                     .segment_count = 2,
                                     .set_count = 4,
                                     .set_segment_counts = counts[c]};
        CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
        for (uint32_t i = 0; i < 4; i++)
            CHECK(layouts[i].segment_count == counts[c][i] &&
                      (layouts[i].row_count == 0) == (counts[c][i] == 0),
                  "set %u of case %zu has %u segments", i, c, layouts[i].segment_count);
    }
    const uint32_t none[4] = {0};
    gl_segsort_plan_desc desc = {.set_count = 4, .set_segment_counts = none};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
}

/* ---------------------------------------------------------------------------------------------- */
/* Each set as if there were no other */

static bool extents_equal(const segsort_layout *a, const segsort_layout *b)
{
    for (int s = 0; s < SEGSORT_STREAM_COUNT; s++) {
        const segsort_extent *left = &a->extents[s], *right = &b->extents[s];
        if (left->first_row != right->first_row || left->end_row != right->end_row ||
            left->end_segment != right->end_segment || left->end_length != right->end_length ||
            a->row_bytes[s] != b->row_bytes[s])
            return false;
    }
    return true;
}

static bool layouts_equal(const segsort_layout *a, const segsort_layout *b)
{
    return extents_equal(a, b) && a->begin_bit == b->begin_bit && a->bit_count == b->bit_count &&
           a->row_count == b->row_count && a->segment_count == b->segment_count &&
           a->empty_count == b->empty_count && a->longest == b->longest &&
           a->keys_shifted == b->keys_shifted && a->values_shifted == b->values_shifted &&
           a->keys_shift == b->keys_shift && a->values_shift == b->values_shift;
}

static void layouts_are_those_of_sets_alone(void)
{
    uint64_t state = 5;
    for (int round = 0; round < 300; round++) {
        gl_segsort_segment segments[40];
        uint32_t counts[SETS_MAX], count = 0;
        for (uint32_t i = 0; i < SETS_MAX; i++) {
            uint32_t lengths[5];
            counts[i] = generate_below(&state, 6);
            for (uint32_t s = 0; s < counts[i]; s++)
                lengths[s] = generate_below(&state, 9);
            generate_packed_segments(lengths, counts[i], generate_below(&state, 3),
                                     segments + count);
            for (uint32_t s = 0; s < counts[i]; s++)
                segments[count + s].keys_offset += generate_below(&state, 2) * 100;
            generate_shuffled_segments(segments + count, counts[i], state);
            count += counts[i];
        }
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(round % 4),
                                     .value_type = (gl_segsort_value_type)(round / 4 % 4),
                                     .end_bit = round % 3 ? 20 : 0,
                                     .segments = segments,
                                     .segment_count = count,
                                     .set_count = SETS_MAX,
                                     .set_segment_counts = counts};
        CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
        desc.set_count = 0;
        desc.set_segment_counts = NULL;
        for (uint32_t i = 0; i < SETS_MAX; i++) {
            segsort_layout alone;
            desc.segment_count = counts[i];
            CHECK_RESULT(check_layouts(&desc, &alone), GL_SEGSORT_SUCCESS, "");
            CHECK(layouts_equal(&alone, &layouts[i]), "round %d, set %u of %u segments", round, i,
                  counts[i]);
            desc.segments += counts[i];
        }
    }
}

/* Each kind of error in each set, with segments that count from the set's first. */
static void errors_tell_the_set(void)
{
    const uint32_t counts[] = {2, 0, 2, 2};
    const struct {
        gl_segsort_segment second;
        gl_segsort_result result;
        const char *words[2];
    } cases[] = {
        {{0xfffffffe, 9, 9, 9, 3},
         GL_SEGSORT_ERROR_OUT_OF_RANGE,
         {": segment 1: keys_offset 4294967294", "wrap around"}},
        {{9, 9, 2, 9, 3},
         GL_SEGSORT_ERROR_OVERLAP,
         {": segment 0 and segment 1 overlap in output_keys", "0..2 and 2..4"}},
        {{9, 9, 9, 1, 3}, GL_SEGSORT_ERROR_OVERLAP, {": segment 0 and segment 1", "output_values"}},
        {{1u << 25, 9, 9, 9, 3},
         GL_SEGSORT_ERROR_UNSUPPORTED,
         {": the segments span 134217740 bytes of keys (up to segment 1)", "134217728"}},
    };
    for (uint32_t set = 0; set < 4; set++)
        for (size_t c = 0; c < sizeof cases / sizeof cases[0] && set != 1; c++) {
            gl_segsort_segment segments[6];
            for (size_t s = 0; s < 6; s += 2) {
                segments[s] = (gl_segsort_segment){0, 0, 0, 0, 3};
                segments[s + 1] = (gl_segsort_segment){3, 3, 3, 3, 3};
            }
            segments[set == 0 ? 1 : 2 * set - 1] = cases[c].second;
            gl_segsort_plan_desc desc = {.segments = segments,
                                         .segment_count = 6,
                                         .set_count = 4,
                                         .set_segment_counts = counts};
            char prefix[16];
            snprintf(prefix, sizeof prefix, "set %u: ", set);
            CHECK_RESULT(check_plan(&desc), cases[c].result, cases[c].words[0], cases[c].words[1]);
            CHECK(strncmp(error.text, prefix, strlen(prefix)) == 0, "no '%s' starts '%s'", prefix,
                  error.text);
            CHECK(!strstr(error.text + 1, prefix), "twice in '%s'", error.text);
        }
}

/* A batch of one set is a batch; without sets there is none to tell of. */
static void errors_tell_the_set_of_a_batch_only(void)
{
    const gl_segsort_segment twice[] = {{0, 0, 0, 0, 3}, {0, 0, 0, 0, 3}};
    const uint32_t both = 2;
    gl_segsort_plan_desc desc = {.segments = twice, .segment_count = 2};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OVERLAP, "segment 0 and segment 1");
    CHECK(strncmp(error.text, "segment 0", 9) == 0, "%s", error.text);
    desc.set_count = 1;
    desc.set_segment_counts = &both;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OVERLAP, "set 0: segment 0 and segment 1");
    /* Fields are the whole description's. */
    desc.end_bit = 40;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "end_bit 40");
    CHECK(!strstr(error.text, "set 0"), "%s", error.text);
}

/* Sets have buffers of their own, so the same rows are other rows. */
static void sets_do_not_overlap_in_a_plan(void)
{
    const gl_segsort_segment same[3] = {{0, 0, 4, 4, 9}, {0, 0, 4, 4, 9}, {0, 0, 4, 4, 9}};
    gl_segsort_plan_desc desc = {.segments = same, .segment_count = 3, .set_count = 3};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    desc.set_count = 0;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OVERLAP, "segment 0 and segment 1");
}

/* Nor does the limit count what sets span together. */
static void each_set_may_span_the_limit(void)
{
    const gl_segsort_segment whole[3] = {
        {0, 0, 0, 0, 1u << 25}, {1u << 30, 0, 0, 0, 1u << 25}, {5, 6, 7, 8, 1u << 25}};
    gl_segsort_plan_desc desc = {.segments = whole, .segment_count = 3, .set_count = 3};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
}

/* The sentence may be as long as its buffer; what does not fit behind the set is cut off. */
static void long_sentences_are_cut(void)
{
    enum { SIZE = sizeof error.text };
    struct {
        segsort_error error;
        unsigned char behind[64];
    } guarded;
    char text[SIZE + 100];
    const uint32_t sets[] = {0, 7, 4294967295};
    for (size_t length = 0; length < sizeof text; length += length < SIZE - 40 ? 97 : 1)
        for (size_t s = 0; s < 3; s++) {
            char expected[SIZE + 200];
            memset(guarded.behind, 0x5a, sizeof guarded.behind);
            memset(text, 'x', length);
            text[length] = '\0';
            segsort_fail(&guarded.error, GL_SEGSORT_ERROR_OVERLAP, "%s", text);
            segsort_fail_in_set(&guarded.error, sets[s]);
            snprintf(expected, sizeof expected, "set %u: %s", sets[s], text);
            expected[SIZE - 1] = '\0';
            CHECK(memchr(guarded.error.text, '\0', SIZE), "%zu letters: no end", length);
            CHECK(strncmp(guarded.error.text, expected, SIZE) == 0,
                  "%zu letters in set %u: '%.20s'", length, sets[s], guarded.error.text);
            CHECK(guarded.error.result == GL_SEGSORT_ERROR_OVERLAP, "another result");
            for (size_t i = 0; i < sizeof guarded.behind; i++)
                CHECK(guarded.behind[i] == 0x5a, "%zu letters: written behind the text", length);
        }
}

/* ---------------------------------------------------------------------------------------------- */
/* Memory */

static size_t live, calls, fail_at, largest;

static void *counting_allocate(size_t size, void *user)
{
    (void)user;
    largest = size > largest ? size : largest;
    if (++calls == fail_at)
        return NULL;
    live++;
    return malloc(size);
}

static void counting_release(void *memory, void *user)
{
    (void)user;
    live--;
    free(memory);
}

/* Lists out of order are sorted in memory for the set's segments, one set after the other. */
static void memory_for_the_overlap_check(void)
{
    const gl_segsort_allocator counting = {counting_allocate, counting_release, NULL};
    const gl_segsort_segment backwards[5] = {
        {9, 9, 9, 9, 1}, {8, 8, 8, 8, 1}, {7, 7, 7, 7, 1}, {6, 6, 6, 6, 1}, {5, 5, 5, 5, 1}};
    const uint32_t counts[] = {2, 3};
    gl_segsort_plan_desc desc = {
        .segments = backwards, .segment_count = 5, .set_count = 2, .set_segment_counts = counts};
    for (fail_at = 0; fail_at <= 4; fail_at++) {
        calls = live = largest = 0;
        error = (segsort_error){0};
        gl_segsort_result result =
            segsort_desc_check_plan(&desc, &limits, &counting, layouts, &error);
        CHECK(live == 0, "allocation %zu: %zu are left", fail_at, live);
        if (fail_at == 0) {
            CHECK(calls == 4 && largest == 3 * sizeof(uint32_t), "%zu allocations of up to %zu",
                  calls, largest);
            CHECK_RESULT(result, GL_SEGSORT_SUCCESS, "");
        } else {
            CHECK_RESULT(result, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                         fail_at <= 2 ? "set 0: out of memory" : "set 1: out of memory",
                         fail_at <= 2 ? "2 segments" : "3 segments");
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* The host's scratch */

static gl_segsort_result check_scratch(gl_segsort_view scratch, uint64_t bytes)
{
    error = (segsort_error){0};
    return segsort_desc_check_scratch(&scratch, bytes, &error);
}

static void scratch_of_the_host(void)
{
    CHECK_RESULT(check_scratch((gl_segsort_view){0}, 4000), GL_SEGSORT_SUCCESS, "");
    CHECK_RESULT(check_scratch((gl_segsort_view){7, 0, 1000}, 4000), GL_SEGSORT_SUCCESS, "");
    CHECK_RESULT(check_scratch((gl_segsort_view){7, 144, 1001}, 4000), GL_SEGSORT_SUCCESS, "");
    CHECK_RESULT(check_scratch((gl_segsort_view){7, 4, 999}, 4000), GL_SEGSORT_ERROR_OUT_OF_RANGE,
                 "the scratch has 999 words of 4 bytes", "needs 1000");
    CHECK_RESULT(check_scratch((gl_segsort_view){7, 0, 0}, 4), GL_SEGSORT_ERROR_OUT_OF_RANGE,
                 "has 0 words", "needs 1");
    CHECK_RESULT(check_scratch((gl_segsort_view){0, 0, 1000}, 4000),
                 GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer is 0");
    CHECK_RESULT(check_scratch((gl_segsort_view){0, 4, 0}, 4000), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "scratch.buffer is 0");
    for (uint64_t offset = 1; offset < 4; offset++) {
        char words[32];
        snprintf(words, sizeof words, "scratch.byte_offset %d ", (int)(256 + offset));
        CHECK_RESULT(check_scratch((gl_segsort_view){7, 256 + offset, 1000}, 4000),
                     GL_SEGSORT_ERROR_INVALID_ARGUMENT, words, "not a multiple of 4");
    }
    const uint64_t past_everything[] = {0x4000000000000000, 0x8000000000000000, 0xfffffffffffffffc};
    for (size_t i = 0; i < 3; i++)
        CHECK_RESULT(check_scratch((gl_segsort_view){7, past_everything[i], UINT64_MAX}, 4000),
                     GL_SEGSORT_ERROR_OUT_OF_RANGE, "scratch.byte_offset", "past the end");
    CHECK_RESULT(check_scratch((gl_segsort_view){7, 0x3ffffffffffffffc, UINT64_MAX}, 4000),
                 GL_SEGSORT_SUCCESS, "");
}

/* Whatever it is: a plan that needs none looks at nothing. */
static void scratch_that_nobody_needs(void)
{
    const gl_segsort_view views[] = {
        {0, 0, 5}, {7, 3, 0}, {0, UINT64_MAX, UINT64_MAX}, {7, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        CHECK_RESULT(check_scratch(views[i], 0), GL_SEGSORT_SUCCESS, "");
}

CHECK_MAIN(CHECK_TEST(counts_that_do_not_add_up), CHECK_TEST(counts_without_sets),
           CHECK_TEST(sets_without_counts), CHECK_TEST(number_of_sets),
           CHECK_TEST(sets_with_no_segments), CHECK_TEST(layouts_are_those_of_sets_alone),
           CHECK_TEST(errors_tell_the_set), CHECK_TEST(errors_tell_the_set_of_a_batch_only),
           CHECK_TEST(sets_do_not_overlap_in_a_plan), CHECK_TEST(each_set_may_span_the_limit),
           CHECK_TEST(long_sentences_are_cut), CHECK_TEST(memory_for_the_overlap_check),
           CHECK_TEST(scratch_of_the_host), CHECK_TEST(scratch_that_nobody_needs))
