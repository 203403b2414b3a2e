/* What gl_segsort_morton_keys refuses: the sentence names the culprit, and nothing is written. */
#include "morton_case.h"

static void check_error(gl_segsort_plan *plan, const gl_segsort_sort_desc *sort,
                        const gl_segsort_morton_keys_desc *desc, gl_segsort_result expected,
                        const char *sentence)
{
    gl_segsort_result result = gl_segsort_morton_keys(plan, sort, desc);
    CHECK(result == expected && strstr(gl_segsort_last_error(context), sentence),
          "%s instead of %s: %s", gl_segsort_result_string(result), sentence,
          gl_segsort_last_error(context));
}

#define CHECK_ERROR(change, result, sentence)                                                      \
    do {                                                                                           \
        gl_segsort_sort_desc sort = right_sort;                                                    \
        gl_segsort_morton_keys_desc desc = right;                                                  \
        change;                                                                                    \
        check_error(plan, &sort, &desc, GL_SEGSORT_ERROR_##result, sentence);                      \
    } while (0)

static void errors_in_plans(const gl_segsort_sort_desc *sort,
                            const gl_segsort_morton_keys_desc *desc)
{
    const gl_segsort_segment segments[2] = {{0, 0, 0, 0, 5}, {5, 5, 5, 5, 5}};
    gl_segsort_plan_desc plan_desc = {.segments = segments, .segment_count = 2};
    gl_segsort_plan *plan;
    for (int type = GL_SEGSORT_KEY_I32; type <= GL_SEGSORT_KEY_F32; type++) {
        plan_desc.key_type = (gl_segsort_key_type)type;
        gl_segsort_plan_create(context, &plan_desc, &plan);
        check_error(plan, sort, desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "neither KEY_U32 nor");
        gl_segsort_plan_destroy(plan);
    }
    plan_desc.key_type = GL_SEGSORT_KEY_U32;
    for (plan_desc.set_count = 1; plan_desc.set_count <= 2; plan_desc.set_count++) {
        plan_desc.segment_count = plan_desc.set_count;
        gl_segsort_plan_create(context, &plan_desc, &plan);
        check_error(plan, sort, desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "is for a batch");
        gl_segsort_plan_destroy(plan);
    }
    CHECK(gl_segsort_morton_keys(NULL, sort, desc) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "NULL");
}

static void errors_name_the_field(void)
{
    const gl_segsort_segment segment = {3, 0, 0, 0, 10};
    struct morton_case morton = {.name = "errors",
                                 .segments = &segment,
                                 .segment_count = 1,
                                 .rows = 20,
                                 .position_rows = 20,
                                 .triangles = true};
    struct guarded buffers[BUFFERS];
    gl_segsort_plan *plan;
    make_plan(context, &morton, &plan);
    make_buffers(&morton, buffers);
    const gl_segsort_sort_desc right_sort = sort_desc(&morton, buffers);
    const gl_segsort_morton_keys_desc right = morton_desc(&morton, buffers);
    check_error(plan, NULL, &right, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "of the sort is NULL");
    check_error(plan, &right_sort, NULL, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "description is NULL");
    CHECK_ERROR(desc.position_words = 1, INVALID_ARGUMENT, "position_words is 1");
    CHECK_ERROR(desc.barriers_before = 0x10, INVALID_ARGUMENT, "morton_keys_desc.barriers_before");
    CHECK_ERROR(desc.barriers_after = 0x10, INVALID_ARGUMENT, "morton_keys_desc.barriers_after");
    CHECK_ERROR(desc.positions.buffer = 0, INVALID_ARGUMENT, "positions.buffer is 0");
    CHECK_ERROR(desc.indices.buffer = 0, INVALID_ARGUMENT, "indices.buffer is 0");
    CHECK_ERROR(desc.indices.byte_offset = 6, INVALID_ARGUMENT, "indices.byte_offset 6");
    CHECK_ERROR(sort.keys.buffer = 0, INVALID_ARGUMENT, "keys.buffer is 0");
    CHECK_ERROR(sort.output_values.buffer = 0, INVALID_ARGUMENT, "output_values.buffer is 0");
    CHECK_ERROR(desc.indices.rows = 12, OUT_OF_RANGE, "rows 3..12 of indices exceed its view");
    CHECK_ERROR((desc.indices = (gl_segsort_view){0}, desc.positions.rows = 12), OUT_OF_RANGE,
                "rows 3..12 of positions exceed its view");
    CHECK_ERROR(desc.positions.rows = 0, OUT_OF_RANGE, "positions has no rows");
    CHECK_ERROR(desc.positions.rows = 21, OUT_OF_RANGE, "positions needs bytes up to");
    CHECK_ERROR(desc.positions = guarded_view(&buffers[KEYS], 20 / 3), OVERLAP, "positions (bytes");
    CHECK_ERROR((desc.indices = guarded_view(&buffers[KEYS], 20), desc.indices.rows = 13), OVERLAP,
                "indices (bytes 36..");
    CHECK_ERROR(sort.values = guarded_view(&buffers[KEYS], 20), OVERLAP, "values (bytes");
    CHECK_ERROR(sort.output_keys = guarded_view(&buffers[KEYS], 20), OVERLAP, "output_keys (bytes");
    memcpy(buffers[KEYS].expected, buffers[KEYS].before, 4 * buffers[KEYS].total);
    for (int i = 0; i < BUFFERS; i++)
        if (i != KEYS) {
            const char *difference = guarded_difference(&buffers[i]);
            CHECK(!difference, "%s", difference);
        }
    errors_in_plans(&right_sort, &right);
    gl_segsort_plan_destroy(plan);
    for (int i = 0; i < BUFFERS; i++)
        guarded_free(&buffers[i]);
}

static void errors_of_lists(void)
{
    static const uint32_t list[6] = {0, 2};
    struct morton_case morton = {.name = "errors of lists",
                                 .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS,
                                          .max_segments = 1,
                                          .max_rows = 20},
                                 .list = list,
                                 .list_words = 6,
                                 .list_rows = 2,
                                 .count = 1,
                                 .rows = 20,
                                 .position_rows = 20,
                                 .triangles = true,
                                 .seed = 1};
    struct guarded buffers[BUFFERS];
    gl_segsort_plan *plan;
    make_plan(context, &morton, &plan);
    make_buffers(&morton, buffers);
    const gl_segsort_sort_desc right_sort = sort_desc(&morton, buffers);
    const gl_segsort_morton_keys_desc right = morton_desc(&morton, buffers);
    CHECK_ERROR(desc.indices.rows = 19, OUT_OF_RANGE, "indices has 19 rows, fewer than keys");
    CHECK_ERROR((desc.indices = (gl_segsort_view){0}, desc.positions.rows = 19), OUT_OF_RANGE,
                "positions has 19 rows, fewer than keys");
    CHECK_ERROR(sort.segments = guarded_view(&buffers[KEYS], 2), OVERLAP, "segments (bytes");
    CHECK_ERROR(sort.segment_count = guarded_view(&buffers[KEYS], 1), OVERLAP, "segment_count (");
    CHECK_ERROR(sort.status.buffer = buffers[POSITIONS].buffer, OVERLAP, "status (bytes");
    CHECK_ERROR(sort.status.buffer = buffers[INDICES].buffer, OVERLAP, "status (bytes");
    CHECK_ERROR(sort.segments.buffer = 0, INVALID_ARGUMENT, "segments.buffer is 0");
    for (int i = 0; i < BUFFERS; i++) {
        const char *difference = guarded_difference(&buffers[i]);
        CHECK(!difference, "%s", difference);
        guarded_free(&buffers[i]);
    }
    gl_segsort_plan_destroy(plan);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(errors_name_the_field),
                                              CHECK_TEST(errors_of_lists)};
    struct test_gl gl;
    if (!test_gl_open(&gl, 0))
        return 1;
    context = gl.context;
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&gl);
    return status;
}
