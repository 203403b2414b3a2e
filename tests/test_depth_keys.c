/* gl_segsort_depth_keys end to end: every key equals the CPU reference's bit for bit, and nothing
 * else is written. */
#include "check.h"
#include "cpu_keys.h"
#include "generate.h"
#include "guarded.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;

/* ---------------------------------------------------------------------------------------------- */
/* Numbers */

typedef uint32_t (*make_float)(uint64_t *state);

static uint32_t random_bits(uint64_t *state)
{
    return (uint32_t)(generate_random(state) >> 32);
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint32_t near_float(uint64_t *state)
{
    return bits_of((float)(int32_t)random_bits(state) * 0x1p-24f);
}

/* All magnitudes, finite ones. */
static uint32_t wide_float(uint64_t *state)
{
    uint32_t bits = random_bits(state);
    return (bits & 0x7f800000u) == 0x7f800000u ? bits & 0xbfffffffu : bits;
}

/* Their products lie around the least normal number. */
static uint32_t small_float(uint64_t *state)
{
    return (random_bits(state) & 0x807fffffu) | (generate_below(state, 4) + 62) << 23;
}

static uint32_t odd_float(uint64_t *state)
{
    static const uint32_t odd[] = {0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x80000001,
                                   0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x3f800000,
                                   0xbf800000, 0x3f800000, 0x01000000, 0x00ffffff};
    return odd[generate_below(state, COUNT_OF(odd))];
}

static uint32_t odd_finite_float(uint64_t *state)
{
    uint32_t bits = odd_float(state);
    return (bits & 0x7f800000u) == 0x7f800000u ? 0x40490fdb : bits;
}

/* ---------------------------------------------------------------------------------------------- */
/* A case */

struct depth_case {
    const char *name;
    gl_segsort_depth_keys_desc desc; /* measure, matrix, plane, position_words */
    uint32_t rows;                   /* of keys */
    uint32_t position_rows;          /* 0: as many */
    uint32_t indices_below;          /* more than 0: indices are random ones below */
    bool counted;
    uint32_t row_count;
    uint32_t offsets[4]; /* of positions, indices, keys and row_count, in bytes */
    make_float make;     /* of positions */
    uint64_t seed;
};

enum { POSITIONS, INDICES, KEYS, ROW_COUNT, BUFFERS };

static uint32_t words_of(const struct depth_case *depth)
{
    return depth->desc.position_words > 0 ? depth->desc.position_words : 3;
}

/* The positions end with the last z, and their buffer with them. */
static void make_buffers(const struct depth_case *depth, struct guarded buffers[BUFFERS])
{
    static const char *const names[BUFFERS] = {"positions", "indices", "keys", "row_count"};
    uint32_t position_rows = depth->position_rows ? depth->position_rows : depth->rows;
    const size_t words[BUFFERS] = {(size_t)position_rows * words_of(depth) - (words_of(depth) - 3),
                                   depth->rows, depth->rows, 1};
    uint64_t state = depth->seed + 1;
    for (int i = 0; i < BUFFERS; i++)
        guarded_make(&buffers[i], names[i], words[i], depth->offsets[i]);
    for (size_t i = 0; i < words[POSITIONS]; i++)
        guarded_before(&buffers[POSITIONS])[i] = depth->make(&state);
    for (uint32_t i = 0; i < depth->rows; i++)
        guarded_before(&buffers[INDICES])[i] =
            depth->indices_below ? generate_below(&state, depth->indices_below) : 0;
    if (depth->indices_below && depth->rows > 2)
        guarded_before(&buffers[INDICES])[2] = 0xffffffff;
    guarded_before(&buffers[ROW_COUNT])[0] = depth->row_count;
    for (int i = 0; i < BUFFERS; i++)
        if (i == POSITIONS)
            guarded_upload_tight(&buffers[i]);
        else
            guarded_upload(&buffers[i]);
}

static void expect(const struct depth_case *depth, struct guarded buffers[BUFFERS])
{
    const struct cpu_points points = {
        .positions = guarded_before(&buffers[POSITIONS]),
        .position_words = words_of(depth),
        .position_count = depth->position_rows ? depth->position_rows : depth->rows,
        .indices = depth->indices_below ? guarded_before(&buffers[INDICES]) : NULL};
    uint32_t rows =
        depth->counted && depth->row_count < depth->rows ? depth->row_count : depth->rows;
    for (uint32_t row = 0; row < rows; row++)
        guarded_expected(&buffers[KEYS])[row] = cpu_depth_key(&depth->desc, &points, row);
}

static bool check_depth(gl_segsort_context *of, const struct depth_case *depth)
{
    struct guarded buffers[BUFFERS];
    make_buffers(depth, buffers);
    expect(depth, buffers);
    gl_segsort_depth_keys_desc desc = depth->desc;
    desc.keys = guarded_view(&buffers[KEYS], depth->rows);
    desc.positions = guarded_view(&buffers[POSITIONS],
                                  depth->position_rows ? depth->position_rows : depth->rows);
    if (depth->indices_below)
        desc.indices = guarded_view(&buffers[INDICES], depth->rows);
    if (depth->counted)
        desc.row_count = guarded_view(&buffers[ROW_COUNT], 1);
    bool right = CHECK(gl_segsort_depth_keys(of, &desc) == GL_SEGSORT_SUCCESS, "%s: %s",
                       depth->name, gl_segsort_last_error(of));
    for (int i = 0; i < BUFFERS; i++) {
        const char *difference = guarded_difference(&buffers[i]);
        right = CHECK(!difference, "%s, measure %d: %s", depth->name, (int)depth->desc.measure,
                      difference) &&
                right;
        guarded_free(&buffers[i]);
    }
    return CHECK(glGetError() == GL_NO_ERROR, "%s: a GL error", depth->name) && right;
}

static void fill_numbers(gl_segsort_depth_keys_desc *desc, make_float make, uint64_t seed)
{
    uint64_t state = seed;
    for (int i = 0; i < 16; i++)
        desc->view_matrix[i] = float_of(make(&state));
    for (int i = 0; i < 4; i++)
        desc->plane[i] = float_of(make(&state));
}

/* ---------------------------------------------------------------------------------------------- */
/* Orders */

/* The row numbers that a sort of the keys gives. */
static void sort_keys(const gl_segsort_view *keys, gl_segsort_direction direction, uint32_t *order)
{
    const gl_segsort_segment segment = {.length = (uint32_t)keys->rows};
    const gl_segsort_plan_desc plan_desc = {.key_type = GL_SEGSORT_KEY_F32,
                                            .value_type = GL_SEGSORT_VALUE_INDEX,
                                            .direction = direction,
                                            .segments = &segment,
                                            .segment_count = 1};
    gl_segsort_plan *plan;
    struct guarded sorted, numbers;
    guarded_make(&sorted, "sorted keys", keys->rows, 0);
    guarded_make(&numbers, "order", keys->rows, 0);
    guarded_upload(&sorted);
    guarded_upload(&numbers);
    const gl_segsort_sort_desc sort = {.keys = *keys,
                                       .output_keys = guarded_view(&sorted, keys->rows),
                                       .output_values = guarded_view(&numbers, keys->rows)};
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS &&
              gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(context));
    glBindBuffer(GL_COPY_READ_BUFFER, numbers.buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(4 * keys->rows), order);
    gl_segsort_plan_destroy(plan);
    guarded_free(&sorted);
    guarded_free(&numbers);
}

static void check_order(const float *points, uint32_t rows, gl_segsort_depth_measure measure,
                        gl_segsort_direction direction, const uint32_t *order)
{
    struct guarded positions, keys;
    uint32_t *numbers = malloc(4 * (size_t)rows);
    if (!numbers)
        abort();
    guarded_make(&positions, "positions", 3 * (size_t)rows, 0);
    guarded_make(&keys, "keys", rows, 0);
    memcpy(guarded_before(&positions), points, 12 * (size_t)rows);
    guarded_upload(&positions);
    guarded_upload(&keys);
    /* The sort's own barriers_before is all that is needed in between. */
    const gl_segsort_depth_keys_desc desc = {.keys = guarded_view(&keys, rows),
                                             .positions = guarded_view(&positions, rows),
                                             .measure = measure,
                                             .plane = {0, 0, -1, 0},
                                             .barriers_after = GL_SEGSORT_BARRIER_NONE};
    CHECK(gl_segsort_depth_keys(context, &desc) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    sort_keys(&desc.keys, direction, numbers);
    for (uint32_t i = 0; i < rows; i++)
        if (!CHECK(numbers[i] == order[i], "row %u is %u, should be %u", i, numbers[i], order[i]))
            break;
    guarded_free(&positions);
    guarded_free(&keys);
    free(numbers);
}

/* splatapult 4, and the example in the header: nobody has to guess which way round. */
static void worked_example(void)
{
    static const float points[3][3] = {{0, 0, -1}, {0, 0, -10}, {0, 0, 2}};
    static const float expected[3] = {1, 10, -2};
    static const uint32_t back_to_front[] = {1, 0, 2}, front_to_back[] = {2, 0, 1};
    const gl_segsort_depth_keys_desc desc = {0};
    const struct cpu_points cpu = {points, 3, 3, NULL};
    for (uint32_t i = 0; i < 3; i++)
        CHECK(cpu_depth_key(&desc, &cpu, i) == bits_of(expected[i]), "key %u", i);
    check_order(&points[0][0], 3, GL_SEGSORT_DEPTH_VIEW_Z, GL_SEGSORT_DESCENDING, back_to_front);
    check_order(&points[0][0], 3, GL_SEGSORT_DEPTH_VIEW_Z, GL_SEGSORT_ASCENDING, front_to_back);
    check_order(&points[0][0], 3, GL_SEGSORT_DEPTH_PLANE, GL_SEGSORT_DESCENDING, back_to_front);
    static const uint32_t by_distance[] = {1, 2, 0};
    check_order(&points[0][0], 3, GL_SEGSORT_DEPTH_DISTANCE, GL_SEGSORT_DESCENDING, by_distance);
}

/* Babylon-Lite 446: nothing is divided by a range of depths that is 0. */
static void equal_depths_keep_their_order(void)
{
    enum { ROWS = 1000 };
    static float points[3 * ROWS];
    static uint32_t order[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        points[3 * i] = (float)(i * 7 % 100);
        points[3 * i + 2] = -5;
        order[i] = i;
    }
    for (int i = 0; i < 2; i++)
        check_order(points, ROWS, GL_SEGSORT_DEPTH_VIEW_Z, (gl_segsort_direction)i, order);
}

static void not_a_number_comes_last(void)
{
    const float nan = float_of(0xffc12345), infinity = float_of(0x7f800000);
    const float points[5][3] = {{0, 0, -1}, {nan, 0, 0}, {0, 0, -2}, {0, infinity, 0}, {0, 0, -3}};
    static const uint32_t back_to_front[] = {4, 2, 0, 1, 3}, front_to_back[] = {0, 2, 4, 1, 3};
    check_order(&points[0][0], 5, GL_SEGSORT_DEPTH_VIEW_Z, GL_SEGSORT_DESCENDING, back_to_front);
    check_order(&points[0][0], 5, GL_SEGSORT_DEPTH_VIEW_Z, GL_SEGSORT_ASCENDING, front_to_back);
}

/* ---------------------------------------------------------------------------------------------- */
/* Bits */

static void every_stride_and_measure(void)
{
    for (uint32_t words = 3; words <= 12; words++)
        for (int measure = 0; measure < 3; measure++) {
            struct depth_case depth = {.name = "strides",
                                       .desc = {.position_words = words == 3 ? 0 : words,
                                                .measure = (gl_segsort_depth_measure)measure},
                                       .rows = 700 + words,
                                       .make = near_float,
                                       .seed = words};
            fill_numbers(&depth.desc, near_float, 40 + words);
            check_depth(context, &depth);
        }
}

static void every_offset(void)
{
    static const uint32_t offsets[] = {4, 144, 252};
    for (uint32_t i = 0; i < 81; i++) {
        struct depth_case depth = {
            .name = "offsets",
            .desc = {.position_words = 3 + i % 4, .measure = (gl_segsort_depth_measure)(i % 3)},
            .rows = 33,
            .position_rows = 50,
            .indices_below = 55,
            .counted = true,
            .row_count = 31,
            .offsets = {offsets[i % 3], offsets[i / 3 % 3], offsets[i / 9 % 3], offsets[i / 27]},
            .make = near_float,
            .seed = i};
        fill_numbers(&depth.desc, near_float, 90 + i);
        check_depth(context, &depth);
    }
}

static void row_counts_of_the_gpu(void)
{
    static const uint32_t counts[] = {0, 1, 7, 299, 300, 301, 0x7fffffff, 0xffffffff};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        struct depth_case depth = {.name = "row counts",
                                   .rows = 300,
                                   .counted = true,
                                   .row_count = counts[i],
                                   .make = near_float};
        check_depth(context, &depth);
        depth.indices_below = 300;
        check_depth(context, &depth);
    }
}

/* Indices may name any number; what lies past the view is nowhere. */
static void hostile_indices(void)
{
    struct depth_case depth = {.name = "hostile indices",
                               .desc = {.position_words = 5},
                               .rows = 4000,
                               .position_rows = 300,
                               .make = near_float};
    static const uint32_t below[] = {300, 301, 600, 1u << 20, 1u << 31, 0xffffffff};
    for (size_t i = 0; i < COUNT_OF(below); i++) {
        depth.indices_below = below[i];
        check_depth(context, &depth);
    }
}

/* Numbers that are tiny, huge or none, and products that drivers round differently. */
static void every_kind_of_number(void)
{
    static const make_float positions[] = {near_float, wide_float, small_float, odd_float,
                                           random_bits};
    static const make_float numbers[] = {near_float, wide_float, small_float, odd_finite_float};
    for (uint32_t i = 0; i < 240; i++) {
        struct depth_case depth = {.name = "kinds of numbers",
                                   .desc = {.measure = (gl_segsort_depth_measure)(i % 3)},
                                   .rows = 2000,
                                   .make = positions[i % 5],
                                   .seed = i};
        fill_numbers(&depth.desc, numbers[i / 3 % 4], i + 1);
        check_depth(context, &depth);
    }
}

static void every_size(void)
{
    static const uint32_t sizes[] = {1, 2, 255, 256, 257, 511, 512, 513, 65536, 300001};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const struct depth_case depth = {.name = "sizes", .rows = sizes[i], .make = near_float};
        check_depth(context, &depth);
    }
}

/* Two work groups an axis make eight, which then have to go round. */
static void few_work_groups(void)
{
    const gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                          .max_work_groups = 2};
    gl_segsort_context *narrow;
    if (!CHECK(gl_segsort_context_create(&desc, &narrow) == GL_SEGSORT_SUCCESS, "no context"))
        return;
    for (uint32_t rows = 250; rows < 9000; rows += 850) {
        const struct depth_case depth = {.name = "few groups", .rows = rows, .make = near_float};
        check_depth(narrow, &depth);
    }
    gl_segsort_context_destroy(narrow);
}

/* ---------------------------------------------------------------------------------------------- */
/* Errors */

static void check_error(const gl_segsort_depth_keys_desc *desc, gl_segsort_result expected,
                        const char *sentence)
{
    gl_segsort_result result = gl_segsort_depth_keys(context, desc);
    CHECK(result == expected && strstr(gl_segsort_last_error(context), sentence),
          "%s instead of %s: %s", gl_segsort_result_string(result), sentence,
          gl_segsort_last_error(context));
}

#define CHECK_ERROR(change, result, sentence)                                                      \
    do {                                                                                           \
        gl_segsort_depth_keys_desc desc = right;                                                   \
        change;                                                                                    \
        check_error(&desc, GL_SEGSORT_ERROR_##result, sentence);                                   \
    } while (0)

static void errors_name_the_field(void)
{
    struct guarded buffers[BUFFERS];
    const struct depth_case depth = {.name = "errors", .rows = 10, .make = near_float};
    make_buffers(&depth, buffers);
    const gl_segsort_depth_keys_desc right = {.keys = guarded_view(&buffers[KEYS], 10),
                                              .positions = guarded_view(&buffers[POSITIONS], 10),
                                              .indices = guarded_view(&buffers[INDICES], 10),
                                              .row_count = guarded_view(&buffers[ROW_COUNT], 1)};
    const float nan = float_of(0x7fc00000), infinity = float_of(0xff800000);
    check_error(NULL, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "NULL");
    CHECK(gl_segsort_depth_keys(NULL, &right) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "no context");
    CHECK_ERROR(desc.position_words = 2, INVALID_ARGUMENT, "position_words is 2");
    CHECK_ERROR(desc.measure = (gl_segsort_depth_measure)3, INVALID_ARGUMENT, "measure is 3");
    CHECK_ERROR(desc.view_matrix[6] = nan, INVALID_ARGUMENT, "view_matrix[6] is not finite");
    CHECK_ERROR((desc.plane[3] = infinity, desc.measure = GL_SEGSORT_DEPTH_PLANE), INVALID_ARGUMENT,
                "plane[3] is not finite");
    CHECK_ERROR(desc.barriers_before = 0x10, INVALID_ARGUMENT, "depth_keys_desc.barriers_before");
    CHECK_ERROR(desc.barriers_after = 0x10, INVALID_ARGUMENT, "depth_keys_desc.barriers_after");
    CHECK_ERROR(desc.keys.buffer = 0, INVALID_ARGUMENT, "keys.buffer is 0");
    CHECK_ERROR(desc.positions.buffer = 0, INVALID_ARGUMENT, "positions.buffer is 0");
    CHECK_ERROR(desc.indices.buffer = 0, INVALID_ARGUMENT, "indices.buffer is 0");
    CHECK_ERROR(desc.row_count.buffer = 0, INVALID_ARGUMENT, "row_count.buffer is 0");
    CHECK_ERROR(desc.keys.buffer = 99999, INVALID_ARGUMENT, "keys.buffer 99999 is no buffer");
    CHECK_ERROR(desc.positions.byte_offset = 2, INVALID_ARGUMENT, "positions.byte_offset 2");
    CHECK_ERROR(desc.row_count.rows = 0, OUT_OF_RANGE, "row_count has no rows");
    CHECK_ERROR(desc.indices.rows = 9, OUT_OF_RANGE, "indices has 9 rows, fewer than keys");
    CHECK_ERROR((desc.indices = (gl_segsort_view){0}, desc.positions.rows = 9), OUT_OF_RANGE,
                "positions has 9 rows, fewer than keys");
    CHECK_ERROR(desc.positions.rows = 11, OUT_OF_RANGE, "positions needs bytes up to 132");
    CHECK_ERROR(desc.position_words = 4, OUT_OF_RANGE, "positions needs bytes up to 156");
    CHECK_ERROR((desc.keys.rows = 75, desc.indices.rows = 75), OUT_OF_RANGE, "needs bytes up to");
    CHECK_ERROR(desc.positions.rows = (uint64_t)1 << 40, UNSUPPORTED, "positions needs a range");
    CHECK_ERROR(desc.positions = guarded_view(&buffers[KEYS], 3), OVERLAP, "positions (bytes");
    CHECK_ERROR(desc.indices = guarded_view(&buffers[KEYS], 10), OVERLAP, "indices (bytes");
    CHECK_ERROR((desc.row_count.buffer = desc.keys.buffer, desc.row_count.byte_offset = 36),
                OVERLAP, "row_count (bytes 36..39)");
    for (int i = 0; i < BUFFERS; i++) {
        const char *difference = guarded_difference(&buffers[i]);
        CHECK(!difference, "%s", difference);
    }
    /* What isn't looked at may be anything. */
    gl_segsort_depth_keys_desc desc = right;
    desc.view_matrix[0] = desc.view_matrix[15] = desc.plane[0] = nan;
    desc.row_count.buffer = desc.keys.buffer;
    desc.row_count.byte_offset = 40;
    CHECK(gl_segsort_depth_keys(context, &desc) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    CHECK(glGetError() == GL_NO_ERROR, "a GL error");
    for (int i = 0; i < BUFFERS; i++)
        guarded_free(&buffers[i]);
}

static void no_rows_are_no_error(void)
{
    const gl_segsort_depth_keys_desc desc = {0};
    CHECK(gl_segsort_depth_keys(context, &desc) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(worked_example),
                                              CHECK_TEST(equal_depths_keep_their_order),
                                              CHECK_TEST(not_a_number_comes_last),
                                              CHECK_TEST(every_stride_and_measure),
                                              CHECK_TEST(every_offset),
                                              CHECK_TEST(row_counts_of_the_gpu),
                                              CHECK_TEST(hostile_indices),
                                              CHECK_TEST(every_kind_of_number),
                                              CHECK_TEST(every_size),
                                              CHECK_TEST(few_work_groups),
                                              CHECK_TEST(errors_name_the_field),
                                              CHECK_TEST(no_rows_are_no_error)};
    struct test_gl gl;
    if (!test_gl_open(&gl, 0))
        return 1;
    context = gl.context;
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&gl);
    return status;
}
