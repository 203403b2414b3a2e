/* Layer 4: gathers that are refused. They write nothing, and leave GL without an error. */
#include "check.h"
#include "gather_case.h"
#include "test_gl.h"

#include <glad/gl.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static struct test_gl test;
static gl_segsort_segment segments[1];
static struct gather_buffers refused;

static void check_refused(gl_segsort_plan *plan, const gl_segsort_gather_desc *desc,
                          gl_segsort_result result, const char *part, const char *what)
{
    gl_segsort_result got = gl_segsort_gather(plan, desc);
    CHECK(got == result && strstr(gl_segsort_last_error(test.context), part), "%s: %s, '%s'", what,
          gl_segsort_result_string(got), gl_segsort_last_error(test.context));
    CHECK(gather_buffers_untouched(&refused), "%s", what);
    CHECK(test_gl_clean(), "GL error");
}

/* Output records on records and on indices: exactly, and with one row in common at either end. */
static void check_overlaps(gl_segsort_plan *plan)
{
    const gl_segsort_gather_desc good = gather_buffers_desc(&refused);
    const uint64_t record_bytes = 4 * refused.of->record_words, length = segments[0].length;
    const struct {
        const gl_segsort_view *onto;
        uint64_t first, end; /* bytes that are used */
        const char *name;
    } others[] = {{&good.records, good.records.byte_offset + segments[0].keys_offset * record_bytes,
                   good.records.byte_offset + (segments[0].keys_offset + length) * record_bytes,
                   "records (bytes"},
                  {&good.indices,
                   good.indices.byte_offset + 4 * (uint64_t)segments[0].output_values_offset,
                   good.indices.byte_offset + 4 * (segments[0].output_values_offset + length),
                   "indices (bytes"}};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        gl_segsort_gather_desc desc = good;
        const uint64_t used = segments[0].output_keys_offset * record_bytes;
        const uint64_t firsts[] = {others[i].first, others[i].end - 4,
                                   others[i].first + 4 - length * record_bytes};
        desc.output_records.buffer = others[i].onto->buffer;
        for (size_t f = 0; f < COUNT_OF(firsts); f++) {
            desc.output_records.byte_offset = firsts[f] - used;
            check_refused(plan, &desc, GL_SEGSORT_ERROR_OVERLAP, others[i].name, "overlap");
        }
    }
}

static void check_views(gl_segsort_plan *plan)
{
    static const char *const names[] = {"indices", "records", "output_records"};
    gl_segsort_gather_desc desc = gather_buffers_desc(&refused);
    gl_segsort_view *const views[] = {&desc.indices, &desc.records, &desc.output_records};
    GLuint deleted;
    glGenBuffers(1, &deleted);
    glBindBuffer(GL_COPY_WRITE_BUFFER, deleted);
    glDeleteBuffers(1, &deleted);
    for (size_t i = 0; i < COUNT_OF(views); i++) {
        const gl_segsort_view kept = *views[i];
        views[i]->buffer = 0;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i], "no buffer");
        views[i]->buffer = deleted;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i], "deleted buffer");
        *views[i] = kept;
        views[i]->byte_offset += 2;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i], "misaligned");
        *views[i] = kept;
        views[i]->rows--;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, names[i], "view too small");
        *views[i] = kept;
        views[i]->byte_offset += 1 << 20;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, names[i], "buffer too small");
        *views[i] = kept;
    }
}

/* From the view's start all its records may be named, so that all have to be there, and none of
 * them may be an output. */
static void check_whole_view(gl_segsort_plan *plan)
{
    gl_segsort_gather_desc desc = gather_buffers_desc(&refused);
    desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
    desc.records.rows = 0;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "no records");
    desc.records.rows = 100000;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "more than there are");
    desc.records.rows = UINT64_MAX;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "very many");
    desc.records.rows = (uint64_t)1 << 32;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_UNSUPPORTED, "GL_MAX_SHADER_STORAGE_BLOCK_SIZE",
                  "more than can be bound");
    desc = gather_buffers_desc(&refused);
    desc.records = desc.output_records;
    desc.records.rows = segments[0].output_keys_offset + 1; /* the last of them an output */
    desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OVERLAP, "records", "one record in common");
}

static void check_fields(gl_segsort_plan *plan)
{
    gl_segsort_gather_desc desc = gather_buffers_desc(&refused);
    const gl_segsort_result wrong = GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    desc.record_words = 0;
    check_refused(plan, &desc, wrong, "record_words", "no words");
    desc.record_words = UINT32_MAX;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_UNSUPPORTED, "GL_MAX_SHADER_STORAGE_BLOCK_SIZE",
                  "very wide records");
    desc.record_words = 4;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "records too wide");
    desc = gather_buffers_desc(&refused);
    desc.index_base = (gl_segsort_index_base)2;
    check_refused(plan, &desc, wrong, "index_base", "unknown base");
    desc = gather_buffers_desc(&refused);
    desc.barriers_before = 0x10;
    check_refused(plan, &desc, wrong, "barriers_before", "unknown barrier");
    desc = gather_buffers_desc(&refused);
    desc.barriers_after = 0x10;
    check_refused(plan, &desc, wrong, "barriers_after", "unknown barrier");
    check_refused(plan, NULL, wrong, "NULL", "NULL description");
    CHECK(gl_segsort_gather(NULL, &desc) == wrong, "NULL plan");
}

/* Neither nothing nor 64 bits can be an index. */
static void check_value_types(const struct gather_case *of)
{
    const gl_segsort_value_type types[] = {GL_SEGSORT_VALUE_NONE, GL_SEGSORT_VALUE_U64};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        gl_segsort_plan_desc plan_desc = sort_case_plan_desc(&of->sort);
        plan_desc.value_type = types[i];
        gl_segsort_plan *plan = test_gl_plan(&test, &plan_desc);
        gl_segsort_gather_desc desc = gather_buffers_desc(&refused);
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "values", "value type");
        gl_segsort_plan_destroy(plan);
    }
}

static void each_error(void)
{
    const uint32_t lengths[] = {300};
    struct gather_case of =
        gather_case_make("refused", segments, lengths, 1, GL_SEGSORT_VALUE_U32, 3);
    of.sort.byte_offset = of.records_offset = 4000; /* room in front for an output */
    gather_buffers_make(&refused, &of);
    gl_segsort_plan_desc plan_desc = sort_case_plan_desc(&of.sort);
    gl_segsort_plan *plan = test_gl_plan(&test, &plan_desc);
    check_overlaps(plan);
    check_views(plan);
    check_whole_view(plan);
    check_fields(plan);
    check_value_types(&of);
    gl_segsort_sort_desc sort = sort_buffers_desc(&refused.sort);
    gl_segsort_gather_desc gather = gather_buffers_desc(&refused);
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS &&
              gather_buffers_right(&refused),
          "after the errors: %s", gl_segsort_last_error(test.context));
    gl_segsort_plan_destroy(plan);
    gather_buffers_free(&refused);
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(each_error)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
