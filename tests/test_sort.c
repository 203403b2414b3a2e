/* Layer 4: whole sorts on a headless context against the CPU reference. */
#include "check.h"
#include "headless_gl.h"
#include "sort_case.h"

#include <glad/gl.h>
#include <stdlib.h>

static struct headless_gl gl;
static gl_segsort_context *context;

static void smoke(void)
{
    uint32_t lengths[] = {1,   2,   3,   4,   5,    12,   11,   0,    31,    64,
                          100, 255, 256, 257, 1000, 1025, 4096, 4097, 10000, 70000};
    size_t count = sizeof lengths / sizeof lengths[0];
    gl_segsort_segment segments[64];
    generate_packed_segments(lengths, count, 3, segments);
    for (int d = 0; d < 2; d++)
        for (int in_place = 0; in_place < 2; in_place++)
            for (int kind = 0; kind < GENERATE_KEYS_KINDS; kind++) {
                struct sort_case c = {.name = generate_keys_name((enum generate_keys_kind)kind),
                                      .segments = segments,
                                      .segment_count = (uint32_t)count,
                                      .direction = (gl_segsort_direction)d,
                                      .kind = (enum generate_keys_kind)kind,
                                      .in_place = in_place,
                                      .byte_offset = 144};
                CHECK(sort_case_check(context, &c), "smoke %d %d %d", d, in_place, kind);
            }
}

static void print_log(gl_segsort_log_level level, const char *message, void *user)
{
    (void)user;
    fprintf(stderr, "[%d] %s\n", level, message);
}

int main(int argc, char **argv)
{
    if (!headless_gl_create(&gl, 4, 3, true) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                    .log = print_log};
    if (gl_segsort_context_create(&desc, &context))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(smoke)};
    int r = check_main(argc, argv, tests, 1);
    gl_segsort_context_destroy(context);
    headless_gl_destroy(&gl);
    return r;
}
