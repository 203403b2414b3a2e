/* Morton codes on the CPU against known values, and on the GPU against the CPU's. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "morton.h"
#include "morton_gpu.h"

static struct failure failure;

static float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* A mesh of one segment whose triangles are small, around the given points. */
static struct mesh mesh_around(const float (*points)[3], uint32_t count, float size)
{
    struct mesh mesh;
    float *positions = malloc(9 * sizeof(float) * count);
    uint32_t *indices = malloc(3 * sizeof(uint32_t) * count);
    static const float corners[3][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 1}};
    for (size_t t = 0; t < count; t++)
        for (size_t k = 0; k < 3; k++) {
            indices[3 * t + k] = (uint32_t)(3 * t + k);
            for (size_t axis = 0; axis < 3; axis++)
                positions[9 * t + 3 * k + axis] = points[t][axis] + size * corners[k][axis];
        }
    CHECK(mesh_create(&mesh, "points", &failure), "%s", failure.text);
    CHECK(mesh_add_segment(&mesh, positions, 3 * count, indices, count, &failure), "%s",
          failure.text);
    CHECK(mesh.triangle_count == count, "%u triangles of %u", mesh.triangle_count, count);
    free(positions);
    free(indices);
    return mesh;
}

static void check_codes(const float (*points)[3], uint32_t count, const uint32_t *expected)
{
    struct mesh mesh = mesh_around(points, count, 0.125f);
    uint32_t *codes = malloc(count * sizeof *codes);
    morton_codes(&mesh, codes);
    for (uint32_t t = 0; t < count; t++)
        CHECK(codes[t] == expected[t], "triangle %u: 0x%08x, not 0x%08x", t, codes[t], expected[t]);
    free(codes);
    mesh_destroy(&mesh);
}

static void interleaves_bits(void)
{
    CHECK(morton_interleave(0, 0, 0) == 0, "of zero");
    CHECK(morton_interleave(1, 0, 0) == 4, "x is the highest of three");
    CHECK(morton_interleave(0, 1, 0) == 2, "y is the middle one");
    CHECK(morton_interleave(0, 0, 1) == 1, "z is the lowest");
    CHECK(morton_interleave(1023, 1023, 1023) == MORTON_LAST, "of all ones");
    CHECK(morton_interleave(512, 0, 0) == 1u << 29, "x's last bit");
    for (uint32_t bit = 0; bit < 10; bit++)
        CHECK(morton_interleave(0, 0, 1u << bit) == 1u << 3 * bit, "bit %u", bit);
}

static void cuts_an_axis_into_1024_cells(void)
{
    CHECK(morton_coordinate(0, 1024) == 0, "the minimum");
    CHECK(morton_coordinate(0.999f, 1024) == 0, "inside the first cell");
    CHECK(morton_coordinate(1, 1024) == 1, "the second cell's start");
    CHECK(morton_coordinate(1022.99f, 1024) == 1022, "the last cell but one");
    CHECK(morton_coordinate(1024, 1024) == 1023, "the maximum is in the last cell");
    for (uint32_t q = 1; q < 1024; q++) {
        float cell = 0.1f / 1024, start = (float)q * cell;
        CHECK(morton_coordinate(start, 0.1f) == q, "cell %u from its start", q);
        CHECK(morton_coordinate(nextafterf(start, 0), 0.1f) == q - 1, "just before cell %u", q);
    }
}

static void takes_small_extents_for_flat(void)
{
    CHECK(morton_coordinate(0, 0) == 0, "no extent");
    CHECK(morton_coordinate(0x1p-120f, 0x1p-120f) == 0, "a tiny extent");
    CHECK(morton_coordinate(MORTON_MIN_EXTENT, MORTON_MIN_EXTENT) == 1023, "the least extent");
    CHECK(morton_coordinate(0.7f * FLT_MAX, 0.7f * FLT_MAX) == 1023, "a huge extent");
}

static void orders_corners_of_a_cube(void)
{
    static const float points[8][3] = {{0, 0, 0}, {0, 0, 8}, {0, 8, 0}, {0, 8, 8},
                                       {8, 0, 0}, {8, 0, 8}, {8, 8, 0}, {8, 8, 8}};
    static const uint32_t codes[8] = {0x00000000, 0x09249249, 0x12492492, 0x1b6db6db,
                                      0x24924924, 0x2db6db6d, 0x36db6db6, 0x3fffffff};
    check_codes(points, 8, codes);
}

static void handles_flat_sets_and_single_points(void)
{
    static const float line[3][3] = {{0, 5, 5}, {4, 5, 5}, {8, 5, 5}};
    static const uint32_t line_codes[3] = {0, 1u << 29, 0x24924924};
    static const float point[1][3] = {{1e6f, -3, 7}};
    static const uint32_t point_code[1] = {0};
    check_codes(line, 3, line_codes);
    check_codes(point, 1, point_code);
}

static void keeps_non_finite_triangles_out(void)
{
    static const float points[4][3] = {{0, 0, 0}, {NAN, 1, 1}, {8, 8, 8}, {1, -INFINITY, 1}};
    static const uint32_t codes[4] = {0, MORTON_LAST, MORTON_LAST, MORTON_LAST};
    check_codes(points, 4, codes);
}

static void counts_shared_codes_within_segments(void)
{
    struct mesh_segment segments[2] = {{.first = 0, .count = 5}, {.first = 5, .count = 2}};
    struct mesh mesh = {.segments = segments, .segment_count = 2, .triangle_count = 7};
    const uint32_t sorted[7] = {1, 1, 1, 2, 3, 3, 4};
    CHECK(morton_count_shared(&mesh, sorted) == 3, "a code shared across segments counts");
}

/* --- on the GPU --- */

static uint32_t random_bits(uint64_t *state)
{
    return (uint32_t)(generate_random(state) >> 32);
}

static uint32_t any_float(uint64_t *state)
{
    static const uint32_t odd[] = {0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x80000001,
                                   0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0xffc00001, 0x7f800001, 0x0d800000, 0x3f800000};
    return odd[generate_below(state, sizeof odd / sizeof odd[0])];
}

static uint32_t near_one_float(uint64_t *state)
{
    return 0x3f800000u + (random_bits(state) >> 24);
}

static uint32_t tiny_float(uint64_t *state)
{
    return (random_bits(state) & 0x80ffffffu) + (generate_below(state, 40) << 23);
}

static uint32_t spread_float(uint64_t *state)
{
    float number = (float)(int32_t)random_bits(state) * 1e-7f;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Adds a segment of count triangles with random corners. */
static void add_random(struct mesh *mesh, uint32_t (*make)(uint64_t *), uint32_t count,
                       uint64_t seed)
{
    float *positions = malloc(9 * sizeof(float) * count);
    uint32_t *indices = malloc(3 * sizeof(uint32_t) * count);
    uint64_t state = seed;
    for (size_t i = 0; i < 9 * (size_t)count; i++)
        positions[i] = float_of(make(&state));
    for (uint32_t i = 0; i < 3 * count; i++)
        indices[i] = i;
    CHECK(mesh_add_segment(mesh, positions, 3 * count, indices, count, &failure), "%s",
          failure.text);
    free(positions);
    free(indices);
}

static void compare_with_cpu(const struct mesh *mesh)
{
    struct mesh_buffers buffers;
    struct morton_gpu gpu;
    size_t count = mesh->triangle_count;
    uint32_t *words = malloc(7 * count * sizeof *words);
    if (CHECK(mesh_buffers_create(&buffers, mesh, &failure), "%s", failure.text) &&
        CHECK(morton_gpu_create(&gpu, mesh, &buffers, headless_gl_get_proc_address, &failure), "%s",
              failure.text)) {
        /* Twice: the second run finds the boxes of the first. */
        for (int run = 0; run < 2; run++)
            CHECK(morton_gpu_run(&gpu, &failure), "%s", failure.text);
        morton_gpu_read(&gpu, words, words + count, words + 2 * count, words + 3 * count);
        morton_codes(mesh, words + 6 * count);
        uint32_t different = 0;
        for (size_t i = 0; i < count; i++)
            different += words[i] != words[6 * count + i];
        CHECK(different == 0, "%u of %zu codes differ from the CPU's", different, count);
        morton_gpu_destroy(&gpu);
    }
    mesh_buffers_destroy(&buffers);
    free(words);
}

static void gpu_codes_equal_the_cpus(void)
{
    static uint32_t (*const kinds[])(uint64_t *) = {any_float, near_one_float, tiny_float,
                                                    spread_float, random_bits};
    struct headless_gl gl;
    if (!CHECK(headless_gl_create(&gl, 4, 3, false), "%s", gl.error))
        return;
    CHECK(gladLoadGL(headless_gl_get_proc_address) != 0, "glad loads");
    struct mesh mesh;
    CHECK(mesh_create(&mesh, "random", &failure), "%s", failure.text);
    for (uint32_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (uint32_t count = 1; count <= 2048; count = count * 3 + 1)
            add_random(&mesh, kinds[kind], count, 7 + 100 * kind + count);
    CHECK(mesh.segment_count > 20, "%u segments", mesh.segment_count);
    compare_with_cpu(&mesh);
    mesh_destroy(&mesh);
    headless_gl_destroy(&gl);
}

CHECK_MAIN(CHECK_TEST(interleaves_bits), CHECK_TEST(cuts_an_axis_into_1024_cells),
           CHECK_TEST(takes_small_extents_for_flat), CHECK_TEST(orders_corners_of_a_cube),
           CHECK_TEST(handles_flat_sets_and_single_points),
           CHECK_TEST(keeps_non_finite_triangles_out),
           CHECK_TEST(counts_shared_codes_within_segments), CHECK_TEST(gpu_codes_equal_the_cpus))
