/* Morton codes on the CPU against known values, and on the GPU against the CPU's. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cpu_keys.h"
#include "generate.h"
#include "headless_gl.h"
#include "morton.h"
#include "morton_gpu.h"

static struct failure failure;

/* Each check runs with both. */
static const unsigned all_key_bits[] = {30, 63};

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

static void check_codes(const float (*points)[3], uint32_t count, unsigned key_bits,
                        const uint64_t *expected)
{
    struct mesh mesh = mesh_around(points, count, 0.125f);
    uint32_t *codes = malloc(2 * sizeof *codes * count);
    morton_codes(&mesh, key_bits, codes);
    for (uint32_t t = 0; t < count; t++) {
        unsigned long long code = morton_load(codes, key_bits, t), wanted = expected[t];
        CHECK(code == wanted, "%u bits, triangle %u: 0x%llx, not 0x%llx", key_bits, t, code,
              wanted);
    }
    free(codes);
    mesh_destroy(&mesh);
}

static void interleaves_bits(void)
{
    CHECK(cpu_morton_interleave(0, 0, 0) == 0, "of zero");
    CHECK(cpu_morton_interleave(1, 0, 0) == 4, "x is the highest of three");
    CHECK(cpu_morton_interleave(0, 1, 0) == 2, "y is the middle one");
    CHECK(cpu_morton_interleave(0, 0, 1) == 1, "z is the lowest");
    CHECK(cpu_morton_interleave(1023, 1023, 1023) == 0x3fffffff, "of ten ones each");
    CHECK(cpu_morton_interleave(512, 0, 0) == 1u << 29, "x's tenth bit");
    CHECK(cpu_morton_interleave(0x1fffff, 0x1fffff, 0x1fffff) == INT64_MAX, "of 21 ones each");
    CHECK(cpu_morton_interleave(0x155555, 0x0aaaaa, 0x155555) == 0x5555555555555555,
          "every other bit");
    CHECK(cpu_morton_interleave(0x0f0f0f, 0x1fffff, 0x00ff00) == 0x2db66dbfff492db6, "a mixture");
    for (uint32_t bit = 0; bit < 21; bit++) {
        uint64_t place = (uint64_t)1 << 3 * bit;
        CHECK(cpu_morton_interleave(0, 0, 1u << bit) == place, "bit %u of z", bit);
        CHECK(cpu_morton_interleave(0, 1u << bit, 0) == place << 1, "bit %u of y", bit);
        CHECK(cpu_morton_interleave(1u << bit, 0, 0) == place << 2, "bit %u of x", bit);
    }
}

static void keeps_codes_as_words(void)
{
    static const uint32_t words[4] = {1, 2, 3, 0x40000000};
    CHECK(morton_words(30) == 1 && morton_words(63) == 2, "words of a code");
    CHECK(cpu_morton_last(30) == 0x3fffffff, "the last short code");
    CHECK(cpu_morton_last(63) == 0x7fffffffffffffff, "the last long code");
    CHECK(morton_load(words, 30, 2) == 3, "a short code");
    CHECK(morton_load(words, 63, 0) == 0x200000001, "a long code, low word first");
    CHECK(morton_load(words, 63, 1) == 0x4000000000000003, "the next long code");
}

static void cuts_an_axis_into_cells(void)
{
    for (size_t i = 0; i < 2; i++) {
        unsigned bits = all_key_bits[i];
        uint32_t cells = 1u << bits / 3;
        float extent = (float)cells;
        CHECK(cpu_morton_coordinate(0, extent, bits) == 0, "the minimum");
        CHECK(cpu_morton_coordinate(0.999f, extent, bits) == 0, "inside the first cell");
        CHECK(cpu_morton_coordinate(1, extent, bits) == 1, "the second cell's start");
        CHECK(cpu_morton_coordinate(extent - 1.25f, extent, bits) == cells - 2, "the last but one");
        CHECK(cpu_morton_coordinate(extent, extent, bits) == cells - 1, "the maximum");
        float cell = 0.1f / extent;
        for (uint32_t q = 1; q < cells; q++) {
            float start = (float)q * cell;
            CHECK(cpu_morton_coordinate(start, 0.1f, bits) == q, "cell %u from its start", q);
            CHECK(cpu_morton_coordinate(nextafterf(start, 0), 0.1f, bits) == q - 1,
                  "just before cell %u", q);
        }
    }
}

static void takes_small_extents_for_flat(void)
{
    for (size_t i = 0; i < 2; i++) {
        unsigned bits = all_key_bits[i];
        uint32_t last = (1u << bits / 3) - 1;
        float least = CPU_MORTON_MIN_EXTENT, huge = 0.75f * FLT_MAX;
        CHECK(cpu_morton_coordinate(0, 0, bits) == 0, "no extent");
        CHECK(cpu_morton_coordinate(0x1p-120f, 0x1p-120f, bits) == 0, "a tiny extent");
        CHECK(cpu_morton_coordinate(least, least, bits) == last, "the least extent");
        CHECK(cpu_morton_coordinate(huge, huge, bits) == last, "a huge extent");
        CHECK(cpu_morton_coordinate(0.5f * huge, huge, bits) == last / 2 + 1, "half of it");
    }
}

/* The definition's q without a division: bit by bit from the top, as starts rise with q. */
static uint32_t search_coordinate(float distance, float extent, unsigned key_bits)
{
    uint32_t q = 0;
    float cell = ldexpf(extent, -(int)key_bits / 3);
    for (uint32_t bit = 1u << (key_bits / 3 - 1); bit > 0; bit >>= 1) {
        /* Kept in memory: no wider product may be compared. */
        volatile float start = (float)(q | bit) * cell;
        q |= start <= distance ? bit : 0;
    }
    return q;
}

static void finds_the_defined_cell(void)
{
    uint64_t state = 21;
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t exponent = 27 + generate_below(&state, 227);
        float extent = float_of(exponent << 23 | (uint32_t)(generate_random(&state) >> 41));
        float part = (float)(generate_random(&state) >> 40) * 0x1p-24f;
        float distance = i % 8 == 0 ? extent : extent * part;
        if (i % 4 == 1) /* at a cell's start or next to it */
            distance =
                nextafterf(floorf(part * 0x1p21f) * ldexpf(extent, -21), i % 16 == 1 ? 0 : extent);
        uint32_t q[2];
        for (size_t k = 0; k < 2; k++) {
            q[k] = cpu_morton_coordinate(distance, extent, all_key_bits[k]);
            uint32_t wanted = search_coordinate(distance, extent, all_key_bits[k]);
            CHECK(q[k] == wanted, "%a of %a: cell %u, not %u", (double)distance, (double)extent,
                  q[k], wanted);
        }
        CHECK(q[0] == q[1] >> 11, "%a of %a: cells %u and %u", (double)distance, (double)extent,
              q[0], q[1]);
    }
}

static void orders_corners_of_a_cube(void)
{
    static const float points[8][3] = {{0, 0, 0}, {0, 0, 8}, {0, 8, 0}, {0, 8, 8},
                                       {8, 0, 0}, {8, 0, 8}, {8, 8, 0}, {8, 8, 8}};
    static const uint64_t short_codes[8] = {0x00000000, 0x09249249, 0x12492492, 0x1b6db6db,
                                            0x24924924, 0x2db6db6d, 0x36db6db6, 0x3fffffff};
    static const uint64_t long_codes[8] = {
        0x0000000000000000, 0x1249249249249249, 0x2492492492492492, 0x36db6db6db6db6db,
        0x4924924924924924, 0x5b6db6db6db6db6d, 0x6db6db6db6db6db6, 0x7fffffffffffffff};
    check_codes(points, 8, 30, short_codes);
    check_codes(points, 8, 63, long_codes);
}

/* Steps of a 4096th of the box: four of them make a cell of the short codes. */
static void tells_near_triangles_apart_by_long_codes(void)
{
    static const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {4096, 4096, 4096}};
    static const uint64_t short_codes[4] = {0, 0, 0, 0x3fffffff};
    static const uint64_t long_codes[4] = {0, (uint64_t)1 << 29, (uint64_t)1 << 32,
                                           0x7fffffffffffffff};
    check_codes(points, 4, 30, short_codes);
    check_codes(points, 4, 63, long_codes);
}

static void handles_flat_sets_and_single_points(void)
{
    static const float line[3][3] = {{0, 5, 5}, {4, 5, 5}, {8, 5, 5}};
    static const uint64_t short_codes[3] = {0, 1u << 29, 0x24924924};
    static const uint64_t long_codes[3] = {0, (uint64_t)1 << 62, 0x4924924924924924};
    static const float point[1][3] = {{1e6f, -3, 7}};
    static const uint64_t point_code[1] = {0};
    check_codes(line, 3, 30, short_codes);
    check_codes(line, 3, 63, long_codes);
    check_codes(point, 1, 30, point_code);
    check_codes(point, 1, 63, point_code);
}

static void keeps_non_finite_triangles_out(void)
{
    static const float points[4][3] = {{0, 0, 0}, {NAN, 1, 1}, {8, 8, 8}, {1, -INFINITY, 1}};
    for (size_t i = 0; i < 2; i++) {
        uint64_t last = cpu_morton_last(all_key_bits[i]);
        const uint64_t codes[4] = {0, last, last, last};
        check_codes(points, 4, all_key_bits[i], codes);
    }
}

static void counts_shared_codes_within_segments(void)
{
    struct mesh_segment segments[2] = {{.first = 0, .count = 5}, {.first = 5, .count = 2}};
    struct mesh mesh = {.segments = segments, .segment_count = 2, .triangle_count = 7};
    const uint32_t sorted[7] = {1, 1, 1, 2, 3, 3, 4};
    const uint32_t words[14] = {1, 0, 1, 0, 1, 1, 2, 1, 3, 1, 3, 1, 3, 2};
    CHECK(morton_count_shared(&mesh, 30, sorted) == 3, "a code shared across segments counts");
    CHECK(morton_count_shared(&mesh, 63, words) == 2, "of long codes both words count");
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

/* The codes alone: the viewer itself compares the orders. */
static void compare_with_cpu(const struct mesh *mesh, unsigned key_bits)
{
    struct mesh_buffers buffers;
    struct morton_context context;
    struct morton_gpu gpu;
    size_t count = mesh->triangle_count, code = morton_words(key_bits) * count;
    uint32_t *words = malloc((3 * code + 4 * count) * sizeof *words);
    uint32_t *sorted = words + code, *cpu = sorted + code, *numbers = cpu + code;
    if (CHECK(mesh_buffers_create(&buffers, mesh, NULL, &failure), "%s", failure.text) &&
        CHECK(morton_context_create(&context, headless_gl_get_proc_address,
                                    (gl_segsort_program_cache){0}, &failure),
              "%s", failure.text) &&
        CHECK(morton_gpu_create(&gpu, &context, mesh, key_bits, &buffers, &failure), "%s",
              failure.text)) {
        /* Twice: the second run finds the boxes of the first. */
        for (int run = 0; run < 2; run++)
            CHECK(morton_gpu_run(&gpu, &failure), "%s", failure.text);
        morton_gpu_read(&gpu, words, sorted, numbers, numbers + count);
        morton_codes(mesh, key_bits, cpu);
        uint32_t different = 0;
        for (size_t i = 0; i < count; i++)
            different += morton_load(words, key_bits, i) != morton_load(cpu, key_bits, i);
        CHECK(different == 0, "%u of %zu %u-bit codes differ from the CPU's", different, count,
              key_bits);
        morton_gpu_destroy(&gpu);
    }
    morton_context_destroy(&context);
    mesh_buffers_destroy(&buffers);
    free(words);
}

static struct mesh random_mesh(void)
{
    static uint32_t (*const kinds[])(uint64_t *) = {any_float, near_one_float, tiny_float,
                                                    spread_float, random_bits};
    struct mesh mesh;
    CHECK(mesh_create(&mesh, "random", &failure), "%s", failure.text);
    for (uint32_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (uint32_t count = 1; count <= 2048; count = count * 3 + 1)
            add_random(&mesh, kinds[kind], count, 7 + 100 * kind + count);
    CHECK(mesh.segment_count > 20, "%u segments", mesh.segment_count);
    return mesh;
}

static void long_codes_begin_with_the_short_ones(void)
{
    struct mesh mesh = random_mesh();
    size_t count = mesh.triangle_count;
    uint32_t *words = malloc(3 * sizeof *words * count);
    morton_codes(&mesh, 30, words);
    morton_codes(&mesh, 63, words + count);
    uint32_t different = 0;
    for (size_t i = 0; i < count; i++)
        different += morton_load(words + count, 63, i) >> 33 != words[i];
    CHECK(different == 0, "%u of %zu codes", different, count);
    free(words);
    mesh_destroy(&mesh);
}

static void gpu_codes_equal_the_cpus(void)
{
    struct headless_gl gl;
    if (!CHECK(headless_gl_create(&gl, 4, 3, false), "%s", gl.error))
        return;
    CHECK(gladLoadGL(headless_gl_get_proc_address) != 0, "glad loads");
    struct mesh mesh = random_mesh();
    for (size_t i = 0; i < 2; i++)
        compare_with_cpu(&mesh, all_key_bits[i]);
    mesh_destroy(&mesh);
    headless_gl_destroy(&gl);
}

CHECK_MAIN(CHECK_TEST(interleaves_bits), CHECK_TEST(keeps_codes_as_words),
           CHECK_TEST(cuts_an_axis_into_cells), CHECK_TEST(takes_small_extents_for_flat),
           CHECK_TEST(finds_the_defined_cell), CHECK_TEST(orders_corners_of_a_cube),
           CHECK_TEST(tells_near_triangles_apart_by_long_codes),
           CHECK_TEST(handles_flat_sets_and_single_points),
           CHECK_TEST(keeps_non_finite_triangles_out),
           CHECK_TEST(counts_shared_codes_within_segments),
           CHECK_TEST(long_codes_begin_with_the_short_ones), CHECK_TEST(gpu_codes_equal_the_cpus))
