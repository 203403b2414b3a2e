/* The same bits every time: o3de 17210, and raylib 2185's scratch full of something else. */
#include "host.h"

#include <stdlib.h>

#define FRAMES 100

/* Many equal keys, so that an unstable moment would show; short, medium and long segments side by
 * side. */
static void hundred_identical_frames(void)
{
    static const uint32_t lengths[] = {5, 64, 300, 2500, 6000};
    struct host_sort sort;
    host_sort_make(&sort, lengths, 5, GENERATE_FEW_DISTINCT);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    size_t bytes = sort.rows * 4;
    unsigned char *first = host_allocate(bytes);
    for (int frame = 0; frame < FRAMES; frame++) {
        host_sort_upload(&sort);
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
        if (frame == 0) {
            host_read(sort.buffers[HOST_OUTPUT_VALUES], first, bytes);
            CHECK(host_sort_right(&sort), "the first frame");
        }
        CHECK(host_buffer_equals(sort.buffers[HOST_OUTPUT_VALUES], first, bytes, "permutation"),
              "frame %d", frame);
    }
    free(first);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

/* A plan made anew, by another library context, gives the same bits again. */
static void identical_across_plans_and_contexts(void)
{
    static const uint32_t lengths[] = {9000, 64, 0, 300};
    struct host_sort sort;
    host_sort_make(&sort, lengths, 4, GENERATE_FEW_DISTINCT);
    for (int i = 0; i < 5; i++) {
        gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
        gl_segsort_plan *plan = host_sort_plan(context, &sort);
        gl_segsort_sort_desc desc = host_sort_desc(&sort);
        host_sort_upload(&sort);
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort),
              "time %d: %s", i, host_log_text());
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
    }
    host_sort_free(&sort);
}

/* ---------------------------------------------------------------------------------------------- */
/* What a fresh buffer holds is up to the driver: here it is up to the test. */

static unsigned char fill;
static size_t filled_bytes;

static void GLAD_API_PTR fill_fresh_storage(GLenum target, GLsizeiptr size, const void *data,
                                            GLenum usage)
{
    unsigned char *content = data ? NULL : host_allocate((size_t)size);
    if (content) {
        memset(content, fill, (size_t)size);
        filled_bytes += (size_t)size;
    }
    glBufferData(target, size, data ? data : content, usage);
    free(content);
}

static void check_with_scratch(unsigned char byte, const uint32_t *lengths, size_t count,
                               enum generate_keys_kind kind)
{
    struct host_sort sort;
    host_sort_make(&sort, lengths, count, kind);
    fill = byte;
    filled_bytes = 0;
    host_swap("glBufferData", (gl_segsort_proc)fill_fresh_storage);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    host_swap_back();
    /* A context's first plan may be told by others what the driver can do. */
    gl_segsort_plan_destroy(host_sort_plan(context, &sort));
    filled_bytes = 0;
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    CHECK(description.scratch_bytes > 0 && filled_bytes == description.scratch_bytes,
          "%zu bytes were filled, the scratch has %llu", filled_bytes,
          (unsigned long long)description.scratch_bytes);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort),
          "scratch of 0x%02x, %u rows: %s", byte, lengths[0], host_log_text());
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

static void scratch_full_of_something(void)
{
    static const unsigned char bytes[] = {0xcd, 0x00, 0xff};
    static const uint32_t medium[] = {10000, 7}, large[] = {70000, 12, 5000};
    for (size_t i = 0; i < sizeof bytes; i++)
        for (int kind = 0; kind < GENERATE_KEYS_KINDS; kind++)
            check_with_scratch(bytes[i], medium, 2, (enum generate_keys_kind)kind);
    check_with_scratch(0xcd, large, 3, GENERATE_RANDOM);
    check_with_scratch(0xcd, large, 3, GENERATE_FEW_DISTINCT);
}

/* The scratch of one sort is the fresh memory of the next. */
static void scratch_left_by_another_sort(void)
{
    static const uint32_t lengths[] = {10000, 6000};
    struct host_sort sort, other;
    host_sort_make(&sort, lengths, 2, GENERATE_FEW_DISTINCT);
    host_sort_make(&other, lengths, 2, GENERATE_REVERSED);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort), other_desc = host_sort_desc(&other);
    for (int i = 0; i < 3; i++) {
        CHECK(gl_segsort_sort(plan, &other_desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
        CHECK(host_sort_right(&sort) && host_sort_right(&other), "turn %d", i);
        host_sort_upload(&sort);
        host_sort_upload(&other);
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
    host_sort_free(&other);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {
        CHECK_TEST(hundred_identical_frames), CHECK_TEST(identical_across_plans_and_contexts),
        CHECK_TEST(scratch_full_of_something), CHECK_TEST(scratch_left_by_another_sort)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
