/* Layer 4: where the sets of a batch may lie, and batches that are refused, which write nothing in
 * any set. */
#include "batch_case.h"
#include "check.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static struct test_gl test;
static struct batch_case batch;

static gl_segsort_plan *make_batch_plan(void)
{
    gl_segsort_plan_desc desc = batch_case_plan_desc(&batch);
    return test_gl_plan(&test, &desc);
}

static bool sort_and_compare(gl_segsort_plan *plan, const char *what)
{
    return CHECK(batch_case_check(&batch, plan), "%s", what) && CHECK(test_gl_clean(), "%s", what);
}

/* ---------------------------------------------------------------------------------------------- */
/* Where sets may lie */

static gl_segsort_view *view_of(gl_segsort_sort_desc *desc, int stream)
{
    gl_segsort_view *const views[SORT_STREAMS] = {&desc->keys, &desc->values, &desc->output_keys,
                                                  &desc->output_values};
    return views[stream];
}

/* All streams of all sets in one buffer, outputs and inputs in turn, not a byte between them: what
 * crosses into a neighbour shows. */
static void move_into_one_buffer(struct guarded *whole)
{
    size_t words = 0, at = 0;
    for (uint32_t set = 0; set < batch.set_count; set++)
        for (int stream = 0; stream < SORT_STREAMS; stream++)
            words += batch.buffers[set].streams[stream].words;
    guarded_make(whole, "the buffer", words, 36);
    for (int stream = SORT_STREAMS - 1; stream >= 0; stream--)
        for (uint32_t set = 0; set < batch.set_count; set++) {
            struct guarded *moved = &batch.buffers[set].streams[stream];
            for (int user = 0; user < SORT_STREAMS; user++)
                if (sort_buffers_stream(&batch.buffers[set], user) == moved && moved->words > 0) {
                    view_of(&batch.descs[set], user)->buffer = UINT32_MAX;
                    view_of(&batch.descs[set], user)->byte_offset = 36 + 4 * at;
                }
            memcpy(guarded_before(whole) + at, guarded_before(moved), 4 * moved->words);
            at += moved->words;
        }
    guarded_upload(whole);
    at = 0;
    for (int stream = SORT_STREAMS - 1; stream >= 0; stream--)
        for (uint32_t set = 0; set < batch.set_count; set++) {
            const struct guarded *moved = &batch.buffers[set].streams[stream];
            memcpy(guarded_expected(whole) + at, guarded_expected(moved), 4 * moved->words);
            at += moved->words;
        }
    for (uint32_t set = 0; set < batch.set_count; set++)
        for (int stream = 0; stream < SORT_STREAMS; stream++)
            if (view_of(&batch.descs[set], stream)->buffer == UINT32_MAX)
                view_of(&batch.descs[set], stream)->buffer = whole->buffer;
}

static void sets_in_one_buffer(void)
{
    const uint32_t lengths[] = {300, 4097, 2, 0, 9000, 31};
    for (int i = 0; i < 8; i++) {
        struct guarded whole;
        const struct cpu_order order = {.key_type = (gl_segsort_key_type)(i % 4),
                                        .value_type = (gl_segsort_value_type)((i + i / 4) % 4)};
        batch_case_begin(&batch, &order, (gl_segsort_algorithm)(i % 3));
        batch_case_add_chunks(&batch, lengths, COUNT_OF(lengths), (uint32_t)i % 3, 2);
        /* Nothing in front of a set's first row, so that rows of two sets touch. */
        for (uint32_t set = 0; set < batch.set_count; set++)
            batch.segments[set] = (gl_segsort_segment){.length = lengths[set]};
        batch_case_make_buffers(&batch);
        move_into_one_buffer(&whole);
        gl_segsort_plan *plan = make_batch_plan();
        CHECK(plan &&
                  gl_segsort_sort_batch(plan, batch.descs, batch.set_count) == GL_SEGSORT_SUCCESS,
              "%s", gl_segsort_last_error(test.context));
        CHECK(guarded_right(&whole), "case %d", i);
        CHECK(batch_case_untouched(&batch), "buffers that are in no view");
        gl_segsort_plan_destroy(plan);
        guarded_free(&whole);
        batch_case_free_buffers(&batch);
    }
    CHECK(test_gl_clean(), "GL error");
}

/* Inputs may be shared, whole or in part, as long as no set is in place there. */
static void inputs_may_be_shared(void)
{
    const uint32_t lengths[] = {9000, 8990, 9000, 300};
    const uint32_t first_rows[] = {0, 10, 0, 4000};
    const struct cpu_order order = {.direction = GL_SEGSORT_DESCENDING};
    batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
    batch_case_add_chunks(&batch, lengths, COUNT_OF(lengths), BATCH_SETS_MAX, 1);
    batch.cases[0].segments = batch.segments;
    for (uint32_t set = 0; set < batch.set_count; set++)
        batch.segments[set] = (gl_segsort_segment){.length = lengths[set]};
    uint32_t *keys = guarded_allocate(4 * lengths[0]), *values = guarded_allocate(4 * lengths[0]);
    generate_keys(GENERATE_RANDOM, keys, lengths[0], 9);
    generate_identity(values, lengths[0]);
    for (uint32_t set = 0; set < batch.set_count; set++) {
        batch.cases[set].keys = keys + first_rows[set];
        batch.cases[set].values = values + first_rows[set];
    }
    batch_case_make_buffers(&batch);
    for (uint32_t set = 1; set < batch.set_count; set++)
        for (int stream = SORT_KEYS; stream <= SORT_VALUES; stream++) {
            gl_segsort_view *view = view_of(&batch.descs[set], stream);
            *view = *view_of(&batch.descs[0], stream);
            view->byte_offset += 4 * first_rows[set];
            view->rows -= first_rows[set];
        }
    gl_segsort_plan *plan = make_batch_plan();
    sort_and_compare(plan, "shared inputs");
    gl_segsort_plan_destroy(plan);
    batch_case_free_buffers(&batch);
    free(keys);
    free(values);
}

/* ---------------------------------------------------------------------------------------------- */
/* Refused batches: nothing is written, in no set */

#define REFUSED_SETS 4

static const uint32_t refused_lengths[REFUSED_SETS] = {30, 50, 40, 60};

/* The third set's keys are in place. */
static gl_segsort_plan *begin_refused(void)
{
    const struct cpu_order order = {0};
    batch_case_begin(&batch, &order, GL_SEGSORT_ALGORITHM_AUTO);
    for (uint32_t i = 0; i < REFUSED_SETS; i++) {
        batch_case_add_set(&batch, &refused_lengths[i], 1, i == 2);
        batch.cases[i].byte_offset = 252; /* room in front for the longest */
    }
    batch_case_make_buffers(&batch);
    return make_batch_plan();
}

static void check_refused(gl_segsort_plan *plan, gl_segsort_result result, const char *part,
                          const char *other_part, const char *what)
{
    gl_segsort_result got = gl_segsort_sort_batch(plan, batch.descs, REFUSED_SETS);
    const char *text = gl_segsort_last_error(test.context);
    CHECK(got == result, "%s: %s", what, gl_segsort_result_string(got));
    CHECK(strstr(text, part) && strstr(text, other_part), "%s: '%s' does not tell of %s, %s", what,
          text, part, other_part);
    CHECK(batch_case_untouched(&batch), "%s", what);
    CHECK(test_gl_clean(), "GL error");
}

/* An output of one set on any stream of another one, exactly, and with one row in common at either
 * end. */
static void check_alias(gl_segsort_plan *plan, uint32_t a, int output, uint32_t b, int stream)
{
    static const char *const names[] = {"keys", "values", "output_keys", "output_values"};
    char what[96], part[32], other_part[32];
    gl_segsort_sort_desc kept = batch.descs[a];
    /* An input in place is named as the output that it is. */
    int named = b == 2 && stream < SORT_OUTPUT_KEYS ? stream + SORT_OUTPUT_KEYS : stream;
    snprintf(part, sizeof part, "set %u's %s ", a, names[output]);
    snprintf(other_part, sizeof other_part, "set %u's %s ", b, names[named]);
    for (int shift = -1; shift <= 1; shift++) {
        const gl_segsort_segment *mine = &batch.segments[a], *other = &batch.segments[b];
        const uint32_t offsets[2][SORT_STREAMS] = {
            {0, 0, mine->output_keys_offset, mine->output_values_offset},
            {other->keys_offset, other->values_offset, other->output_keys_offset,
             other->output_values_offset}};
        gl_segsort_view *view = view_of(&batch.descs[a], output);
        *view = *view_of(&batch.descs[b], stream);
        int64_t rows = shift == 0 ? 0 : shift < 0 ? 1 - (int64_t)mine->length : other->length - 1;
        int64_t at = (int64_t)view->byte_offset +
                     4 * (rows + offsets[1][stream] - (int64_t)offsets[0][output]);
        view->byte_offset = (uint64_t)at;
        view->rows = 1000;
        snprintf(what, sizeof what, "%son %s, shift %d", part, other_part, shift);
        check_refused(plan, GL_SEGSORT_ERROR_OVERLAP, part, other_part, what);
        batch.descs[a] = kept;
    }
}

static void outputs_may_alias_nothing(void)
{
    gl_segsort_plan *plan = begin_refused();
    for (uint32_t a = 0; a < REFUSED_SETS; a++)
        for (uint32_t b = 0; b < REFUSED_SETS; b++)
            for (int output = SORT_OUTPUT_KEYS; output < SORT_STREAMS; output++)
                for (int stream = 0; stream < SORT_STREAMS && a != b; stream++)
                    check_alias(plan, a, output, b, stream);
    /* Another set's inputs where a set is in place. */
    gl_segsort_view kept = batch.descs[3].keys;
    batch.descs[3].keys.buffer = batch.descs[2].keys.buffer;
    check_refused(plan, GL_SEGSORT_ERROR_OVERLAP, "set 2's output_keys", "set 3's keys",
                  "input on a set in place");
    batch.descs[3].keys = kept;
    sort_and_compare(plan, "after it");
    gl_segsort_plan_destroy(plan);
    batch_case_free_buffers(&batch);
}

static void errors_name_the_set(void)
{
    gl_segsort_plan *plan = begin_refused();
    GLuint deleted;
    glGenBuffers(1, &deleted);
    glBindBuffer(GL_COPY_WRITE_BUFFER, deleted);
    glBufferData(GL_COPY_WRITE_BUFFER, 4096, NULL, GL_STATIC_DRAW);
    glDeleteBuffers(1, &deleted);
    for (uint32_t set = 0; set < REFUSED_SETS; set++) {
        char part[16];
        gl_segsort_sort_desc *desc = &batch.descs[set], kept = *desc;
        snprintf(part, sizeof part, "set %u: ", set);
        desc->keys.buffer = 0;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "keys.buffer", "no buffer");
        *desc = kept;
        desc->output_values.buffer = deleted;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "output_values.buffer",
                      "deleted buffer");
        *desc = kept;
        desc->values.byte_offset += 2;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "values.byte_offset",
                      "misaligned");
        *desc = kept;
        desc->output_keys.rows--;
        check_refused(plan, GL_SEGSORT_ERROR_OUT_OF_RANGE, part, "output_keys", "view too small");
        *desc = kept;
        desc->values.byte_offset += 4096;
        check_refused(plan, GL_SEGSORT_ERROR_OUT_OF_RANGE, part, "bytes", "buffer too small");
        *desc = kept;
        desc->barriers_after = 0x10;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "barriers_after", "barrier");
        *desc = kept;
        desc->output_values = desc->output_keys;
        desc->output_values.rows++;
        check_refused(plan, GL_SEGSORT_ERROR_OVERLAP, part, "output_values", "overlap in the set");
        *desc = kept;
    }
    sort_and_compare(plan, "after the errors");
    gl_segsort_plan_destroy(plan);
    batch_case_free_buffers(&batch);
}

static void wrong_calls(void)
{
    gl_segsort_plan *plan = begin_refused();
    const gl_segsort_result wrong = GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    const uint32_t counts[] = {0, 1, REFUSED_SETS - 1, REFUSED_SETS + 1, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        CHECK(gl_segsort_sort_batch(plan, batch.descs, counts[i]) == wrong &&
                  strstr(gl_segsort_last_error(test.context), "4 sets"),
              "%u descriptions: %s", counts[i], gl_segsort_last_error(test.context));
    CHECK(gl_segsort_sort(plan, batch.descs) == wrong, "a batch's plan in gl_segsort_sort");
    CHECK(gl_segsort_sort_batch(plan, NULL, REFUSED_SETS) == wrong, "NULL descriptions");
    CHECK(gl_segsort_sort_batch(NULL, batch.descs, REFUSED_SETS) == wrong, "NULL plan");
    CHECK(batch_case_untouched(&batch), "wrong calls");
    gl_segsort_plan_destroy(plan);
    batch_case_free_buffers(&batch);
    CHECK(test_gl_clean(), "GL error");
}

static void wrong_plans(void)
{
    const gl_segsort_segment segments[] = {
        {0, 0, 0, 0, 5}, {0, 0, 0, 0, 5}, {4, 4, 4, 4, 5}, {0, 0, 0, 0, 3}};
    const uint32_t apart[] = {1, 1, 1, 1}, together[] = {1, 2, 1}, short_by_one[] = {1, 1, 1};
    const struct {
        gl_segsort_plan_desc desc;
        gl_segsort_result result;
        const char *part;
    } cases[] = {{{.set_count = 4, .set_segment_counts = apart}, GL_SEGSORT_SUCCESS, ""},
                 {{.set_count = 4}, GL_SEGSORT_SUCCESS, ""},
                 {{.set_count = 3, .set_segment_counts = together},
                  GL_SEGSORT_ERROR_OVERLAP,
                  "set 1: segment 0 and segment 1"},
                 {{.set_count = 3, .set_segment_counts = short_by_one},
                  GL_SEGSORT_ERROR_OUT_OF_RANGE,
                  "3 sets have 3 segments"},
                 {{.set_count = 3}, GL_SEGSORT_ERROR_OUT_OF_RANGE, "3 sets"},
                 {{.set_count = 0, .set_segment_counts = apart},
                  GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                  "set_count is 0"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = cases[i].desc;
        desc.segments = segments;
        desc.segment_count = COUNT_OF(segments);
        gl_segsort_plan *plan;
        gl_segsort_result result = gl_segsort_plan_create(test.context, &desc, &plan);
        CHECK(result == cases[i].result && (plan != NULL) == (result == GL_SEGSORT_SUCCESS),
              "case %zu: %s", i, gl_segsort_result_string(result));
        CHECK(result == GL_SEGSORT_SUCCESS ||
                  strstr(gl_segsort_last_error(test.context), cases[i].part),
              "case %zu: %s", i, gl_segsort_last_error(test.context));
        gl_segsort_plan_destroy(plan);
    }
    CHECK(test_gl_clean(), "GL error");
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(sets_in_one_buffer),
                                              CHECK_TEST(inputs_may_be_shared),
                                              CHECK_TEST(outputs_may_alias_nothing),
                                              CHECK_TEST(errors_name_the_set),
                                              CHECK_TEST(wrong_calls),
                                              CHECK_TEST(wrong_plans)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
