/* Layer 4: inputs that broke other people's sorts, each named after the report about it. Whole
 * buffers are compared, guard rows included, so "nothing else written" is part of every case. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

static struct test_gl test;

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Runs the case in both directions, and in place as well where it can be. */
static void check_case(struct sort_case sort, bool in_place_too)
{
    for (int d = 0; d < 2; d++)
        for (int in_place = 0; in_place <= in_place_too; in_place++) {
            sort.order.direction = (gl_segsort_direction)d;
            sort.in_place = in_place;
            CHECK(sort_case_check(test.context, &sort), "%s, direction %d, in place %d", sort.name,
                  d, in_place);
        }
}

static void check_lengths(const char *name, const uint32_t *lengths, size_t count,
                          enum generate_keys_kind kind)
{
    gl_segsort_segment *segments = malloc((count + 1) * sizeof *segments);
    generate_packed_segments(lengths, count, 1, segments);
    check_case((struct sort_case){.name = name,
                                  .segments = segments,
                                  .segment_count = (uint32_t)count,
                                  .kind = kind,
                                  .seed = count},
               true);
    free(segments);
}

/* cccl 2061: a part of a larger array. */
static void segments_with_a_hole(void)
{
    const gl_segsort_segment segments[] = {{512, 512, 512, 512, 300}, {900, 900, 900, 900, 100}};
    check_case((struct sort_case){.name = "cccl 2061", .segments = segments, .segment_count = 2},
               true);
}

/* cub 731: rows between the segments, and no total anywhere in the API. */
static void rows_between_segments(void)
{
    const uint32_t keys[] = {3, 2, 1, 0, 0, 0, 4, 5, 6}, values[] = {1, 2, 3, 0, 0, 0, 6, 5, 4};
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 3}, {6, 6, 6, 6, 3}};
    check_case((struct sort_case){.name = "cub 731",
                                  .segments = segments,
                                  .segment_count = 2,
                                  .keys = keys,
                                  .values = values},
               true);
}

/* moderngpu 22, cub 424 */
static void degenerate_lists(void)
{
    const uint32_t one_list[] = {24}, one[] = {1}, two[] = {2}, none[] = {0};
    const uint32_t some[] = {0, 1, 2, 0, 257};
    static const uint32_t thousand[1000];
    check_lengths("one segment of 24", one_list, 1, GENERATE_RANDOM);
    check_lengths("one of 1", one, 1, GENERATE_RANDOM);
    check_lengths("one of 2", two, 1, GENERATE_RANDOM);
    check_lengths("one of 0", none, 1, GENERATE_RANDOM);
    check_lengths("0, 1, 2, 0, 257", some, COUNT_OF(some), GENERATE_RANDOM);
    check_lengths("no segments", none, 0, GENERATE_RANDOM);
    check_lengths("1000 empty segments", thousand, COUNT_OF(thousand), GENERATE_RANDOM);
}

/* A plan without rows sorts without views. */
static void nothing_to_sort(void)
{
    gl_segsort_plan_desc desc = {0};
    gl_segsort_sort_desc sort = {0};
    gl_segsort_plan *plan;
    CHECK(gl_segsort_plan_create(test.context, &desc, &plan) == GL_SEGSORT_SUCCESS, "create");
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "sort");
    gl_segsort_plan_destroy(plan);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
}

/* CARE 398 */
static void list_order_does_not_matter(void)
{
    const uint32_t lengths[] = {7, 300, 1, 0, 64, 5000, 65, 2, 1024, 3};
    gl_segsort_segment segments[COUNT_OF(lengths)], reversed[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 2, segments);
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        reversed[i] = segments[COUNT_OF(lengths) - 1 - i];
    struct sort_case sort = {
        .name = "ascending list", .segments = segments, .segment_count = COUNT_OF(lengths)};
    check_case(sort, true);
    sort.name = "descending list";
    sort.segments = reversed;
    check_case(sort, true);
    sort.name = "shuffled list";
    sort.segments = segments;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        generate_shuffled_segments(segments, COUNT_OF(lengths), seed);
        check_case(sort, true);
    }
}

/* Every stream has its own offsets, in its own order. */
static void streams_with_offsets_of_their_own(void)
{
    const gl_segsort_segment segments[] = {{100, 0, 7, 20000, 90},
                                           {0, 500, 9000, 0, 100},
                                           {300, 400, 5000, 15000, 33},
                                           {1000, 1000, 10000, 1000, 5000}};
    check_case((struct sort_case){.name = "own offsets", .segments = segments, .segment_count = 4},
               false);
    /* Inputs may overlap: the same rows sorted into two places. */
    const gl_segsort_segment twice[] = {
        {5, 5, 0, 0, 70}, {5, 5, 100, 100, 70}, {40, 0, 200, 200, 40}};
    check_case((struct sort_case){.name = "shared inputs", .segments = twice, .segment_count = 3},
               false);
}

/* bevy_hanabi 412 */
static void neighbour_becomes_empty(void)
{
    gl_segsort_segment segments[] = {
        {0, 0, 0, 0, 100}, {4096, 4096, 4096, 4096, 100}, {8192, 8192, 8192, 8192, 100}};
    struct sort_case sort = {.name = "three live", .segments = segments, .segment_count = 3};
    check_case(sort, true);
    segments[1].length = 0;
    sort.name = "the middle one empty";
    check_case(sort, true);
}

/* cccl 4733, llama.cpp 28389 */
static void in_place_sizes(void)
{
    const uint32_t sizes[] = {1023, 1025, 2000000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const gl_segsort_segment segment = {0, 0, 0, 0, sizes[i]};
        struct sort_case sort = {
            .name = "in place", .segments = &segment, .segment_count = 1, .in_place = true};
        CHECK(sort_case_check(test.context, &sort), "%u rows", sizes[i]);
    }
}

/* TypeGPU 3026, x86-simd-sort 39, Babylon-Lite 446: the keys that others use as padding are keys.
 * */
static void extreme_keys_are_ordinary(void)
{
    const uint32_t ones[] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
    const uint32_t zeros[5] = {0}, values[] = {10, 11, 12, 13, 14};
    const gl_segsort_segment segment = {0, 0, 0, 0, 5};
    struct sort_case sort = {.name = "five of all ones",
                             .segments = &segment,
                             .segment_count = 1,
                             .keys = ones,
                             .values = values};
    check_case(sort, true);
    sort.name = "five zeros";
    sort.keys = zeros;
    check_case(sort, true);
    const uint32_t lengths[] = {3, 5, 31, 100, 257, 1000, 4097, 9000};
    check_lengths("all ones", lengths, COUNT_OF(lengths), GENERATE_ALL_ONES);
    check_lengths("constant", lengths, COUNT_OF(lengths), GENERATE_CONSTANT);
    check_lengths("0 and all ones in turn (fgumi 606)", lengths, COUNT_OF(lengths),
                  GENERATE_EXTREMES);
}

/* cub 43, swenson/sort 65: i % 3 shows a lost order of equal keys at once. */
static void sizes_around_powers_of_two(void)
{
    const uint32_t sizes[] = {1,    2,    3,    31,   32,   33,   63,   64,   65,   127,
                              128,  129,  255,  256,  257,  511,  512,  513,  1023, 1024,
                              1025, 1792, 1793, 2047, 2048, 2049, 4095, 4096, 4097};
    for (int kind = 0; kind < GENERATE_KEYS_KINDS; kind++)
        check_lengths(generate_keys_name((enum generate_keys_kind)kind), sizes, COUNT_OF(sizes),
                      (enum generate_keys_kind)kind);
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        check_lengths("alone", &sizes[i], 1, GENERATE_FEW_DISTINCT);
}

/* qdrant 5756: every n of 33..130, each by itself. */
static void every_size_by_itself(void)
{
    for (uint32_t n = 33; n <= 130; n++)
        check_lengths("33..130", &n, 1, GENERATE_RANDOM);
}

static GLuint make_buffer(size_t rows, const uint32_t *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(4 * rows), data, GL_DYNAMIC_COPY);
    return buffer;
}

static void read_buffer(GLuint buffer, size_t rows, uint32_t *data)
{
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(4 * rows), data);
}

/* FidelityFX-ParallelSort 4: what lies behind the range does not matter, not even nothing. */
static void exact_buffers(void)
{
    const uint32_t sizes[] = {1, 3, 1023};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        uint32_t n = sizes[i], outputs[3][2 * 1023];
        const gl_segsort_segment segment = {0, 0, 0, 0, n};
        gl_segsort_plan_desc desc = {.segments = &segment, .segment_count = 1};
        gl_segsort_plan *plan;
        if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
            return;
        for (int tail = 0; tail < 3; tail++) {
            /* No tail, then 1000 rows of zeros, then of all ones. */
            size_t rows = n + (tail ? 1000 : 0);
            uint32_t *data = malloc(4 * rows);
            memset(data, tail == 2 ? 0xff : 0, 4 * rows);
            generate_keys(GENERATE_RANDOM, data, n, 3);
            GLuint buffers[4];
            for (int b = 0; b < 4; b++)
                buffers[b] = make_buffer(rows, data);
            gl_segsort_sort_desc sort = {.keys = {buffers[0], 0, n},
                                         .values = {buffers[1], 0, n},
                                         .output_keys = {buffers[2], 0, n},
                                         .output_values = {buffers[3], 0, n}};
            CHECK(!gl_segsort_sort(plan, &sort), "%s", gl_segsort_last_error(test.context));
            read_buffer(buffers[2], n, outputs[tail]);
            read_buffer(buffers[3], n, outputs[tail] + n);
            glDeleteBuffers(4, buffers);
            free(data);
            CHECK(memcmp(outputs[0], outputs[tail], 8 * n) == 0, "%u rows, tail %d", n, tail);
        }
        gl_segsort_plan_destroy(plan);
    }
}

/* splat 59: the smallest and the largest key are both there once, wherever they were. */
static void least_and_greatest_survive(void)
{
    uint32_t keys[300];
    for (uint32_t n = 2; n <= 300; n += 149)
        for (uint32_t at = 0; at < n; at += 7) {
            for (uint32_t i = 0; i < n; i++)
                keys[i] = 1000 + i % 5;
            keys[at] = 0;
            keys[n - 1 - at == at ? 0 : n - 1 - at] = 0xffffffff;
            const gl_segsort_segment segment = {0, 0, 0, 0, n};
            check_case((struct sort_case){.name = "least and greatest",
                                          .segments = &segment,
                                          .segment_count = 1,
                                          .keys = keys},
                       true);
        }
}

/* SaschaWillems 374: a race shows only now and then. */
static void two_hundred_random_runs(void)
{
    const uint32_t lengths[] = {2,   4,   7,    16,   30,   64,   128, 250,
                                256, 500, 1024, 2048, 4096, 4097, 9001};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 0, segments);
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = COUNT_OF(lengths)};
    gl_segsort_plan *plan;
    if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
        return;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct sort_case sort = {.name = "random run",
                                 .segments = segments,
                                 .segment_count = COUNT_OF(lengths),
                                 .seed = seed,
                                 .in_place = seed % 2};
        CHECK(sort_case_check_plan(plan, &sort), "seed %d", (int)seed);
    }
    gl_segsort_plan_destroy(plan);
}

/* ufps 71 */
static void byte_offsets(void)
{
    const uint32_t lengths[] = {1, 2, 30, 257, 4097};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    const uint32_t offsets[] = {4, 12, 144, 252, 256, 260};
    for (size_t i = 0; i < COUNT_OF(offsets); i++)
        check_case((struct sort_case){.name = "byte offset",
                                      .segments = segments,
                                      .segment_count = COUNT_OF(lengths),
                                      .byte_offset = offsets[i]},
                   true);
}

/* panda3d 1717: what one sort wrote is what the next one reads. */
static void swap_twice(void)
{
    const uint32_t keys[] = {1, 0}, values[] = {70, 71};
    const gl_segsort_segment segment = {0, 0, 0, 0, 2};
    gl_segsort_plan_desc desc = {.segments = &segment, .segment_count = 1};
    gl_segsort_plan *plan;
    if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
        return;
    GLuint key = make_buffer(2, keys), sorted = make_buffer(2, NULL),
           value = make_buffer(2, values);
    gl_segsort_sort_desc sort = {.keys = {key, 0, 2},
                                 .values = {value, 0, 2},
                                 .output_keys = {sorted, 0, 2},
                                 .output_values = {value, 0, 2}};
    uint32_t got[2];
    gl_segsort_sort(plan, &sort);
    read_buffer(value, 2, got);
    CHECK(got[0] == 71 && got[1] == 70, "once: %u %u", got[0], got[1]);
    gl_segsort_sort(plan, &sort);
    gl_segsort_sort(plan, &sort);
    gl_segsort_sort(plan, &sort);
    read_buffer(value, 2, got);
    CHECK(got[0] == 70 && got[1] == 71, "four times: %u %u", got[0], got[1]);
    const GLuint buffers[] = {key, sorted, value};
    glDeleteBuffers(3, buffers);
    gl_segsort_plan_destroy(plan);
}

/* All four streams in one buffer, and views of one buffer for the whole of two plans. */
static void one_buffer_for_all_streams(void)
{
    enum { N = 300 };
    uint32_t data[4 * N], expected[4 * N];
    generate_keys(GENERATE_RANDOM, data, N, 9);
    generate_identity(data + N, N);
    memset(data + 2 * N, 0, 8 * N);
    GLuint buffer = make_buffer(4 * N, data);
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 100}, {100, 100, 100, 100, 200}};
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 2};
    gl_segsort_plan *plan;
    if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
        return;
    gl_segsort_sort_desc sort = {.keys = {buffer, 0, N},
                                 .values = {buffer, 4 * N, N},
                                 .output_keys = {buffer, 8 * N, N},
                                 .output_values = {buffer, 12 * N, N}};
    CHECK(!gl_segsort_sort(plan, &sort), "%s", gl_segsort_last_error(test.context));
    read_buffer(buffer, 4 * N, expected);
    for (size_t i = 0; i + 1 < N; i++)
        CHECK(i == 99 || expected[2 * N + i] <= expected[2 * N + i + 1], "row %zu", i);
    for (size_t i = 0; i < N; i++)
        CHECK(expected[2 * N + i] == data[expected[3 * N + i]] && expected[i] == data[i], "row %zu",
              i);
    glDeleteBuffers(1, &buffer);
    gl_segsort_plan_destroy(plan);
}

/* The list may change or go once the plan is there. */
static void plan_keeps_its_own_list(void)
{
    gl_segsort_segment *segments = malloc(2 * sizeof *segments), kept[2];
    const uint32_t lengths[] = {50, 5000};
    generate_packed_segments(lengths, 2, 0, segments);
    memcpy(kept, segments, sizeof kept);
    char label[] = "borrowed";
    gl_segsort_plan_desc desc = {.label = label, .segments = segments, .segment_count = 2};
    gl_segsort_plan *plan;
    if (!CHECK(!gl_segsort_plan_create(test.context, &desc, &plan), "plan"))
        return;
    memset(segments, 0xee, 2 * sizeof *segments);
    memset(label, 'x', sizeof label - 1);
    free(segments);
    struct sort_case sort = {.name = "freed list", .segments = kept, .segment_count = 2};
    CHECK(sort_case_check_plan(plan, &sort), "freed list");
    gl_segsort_plan_description description;
    CHECK(!gl_segsort_plan_describe(plan, &description), "describe");
    CHECK(strncmp(description.passes[0].label, "borrowed-", 9) == 0, "%s",
          description.passes[0].label);
    gl_segsort_plan_destroy(plan);
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(segments_with_a_hole),
                                              CHECK_TEST(rows_between_segments),
                                              CHECK_TEST(degenerate_lists),
                                              CHECK_TEST(nothing_to_sort),
                                              CHECK_TEST(list_order_does_not_matter),
                                              CHECK_TEST(streams_with_offsets_of_their_own),
                                              CHECK_TEST(neighbour_becomes_empty),
                                              CHECK_TEST(in_place_sizes),
                                              CHECK_TEST(extreme_keys_are_ordinary),
                                              CHECK_TEST(sizes_around_powers_of_two),
                                              CHECK_TEST(every_size_by_itself),
                                              CHECK_TEST(exact_buffers),
                                              CHECK_TEST(least_and_greatest_survive),
                                              CHECK_TEST(two_hundred_random_runs),
                                              CHECK_TEST(byte_offsets),
                                              CHECK_TEST(swap_twice),
                                              CHECK_TEST(one_buffer_for_all_streams),
                                              CHECK_TEST(plan_keeps_its_own_list)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
