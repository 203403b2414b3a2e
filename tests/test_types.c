/* Layer 4: every key type with every value type, direction, algorithm and bit range, in place and
 * out of place, at the edges of every kernel's range. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static struct test_gl test;

static const char *const key_names[] = {"u32", "i32", "f32", "u64"};
static const char *const value_names[] = {"u32", "none", "index", "u64"};
static const char *const algorithm_names[] = {"auto", "bitonic", "radix"};

static bool check_order(const gl_segsort_segment *segments, size_t count,
                        const struct cpu_order *order, gl_segsort_algorithm algorithm,
                        enum generate_keys_kind kind, bool in_place)
{
    char name[160];
    snprintf(name, sizeof name, "%s keys, %s values, %s, %s, bits %u..%u, %s keys, %s",
             key_names[order->key_type], value_names[order->value_type],
             order->direction ? "descending" : "ascending", algorithm_names[algorithm],
             order->begin_bit, order->end_bit, generate_keys_name(kind),
             in_place ? "in place" : "out of place");
    struct sort_case sort = {.name = name,
                             .segments = segments,
                             .segment_count = (uint32_t)count,
                             .order = *order,
                             .algorithm = algorithm,
                             .kind = kind,
                             .seed = count,
                             .in_place = in_place,
                             .byte_offset = 12};
    return CHECK(sort_case_check(test.context, &sort), "%s", name);
}

/* Calls visit for every combination of types, direction and algorithm. */
static void each_order(void (*visit)(const struct cpu_order *order, gl_segsort_algorithm algorithm))
{
    for (int key = 0; key < 4; key++)
        for (int value = 0; value < 4; value++)
            for (int direction = 0; direction < 2; direction++)
                for (int algorithm = 0; algorithm < 3; algorithm++) {
                    const struct cpu_order order = {.key_type = (gl_segsort_key_type)key,
                                                    .value_type = (gl_segsort_value_type)value,
                                                    .direction = (gl_segsort_direction)direction};
                    visit(&order, (gl_segsort_algorithm)algorithm);
                }
}

/* One below, at and above each width, tile and chunk. The last ones are those of the widest local
 * kernels, whose programs take a software driver longest. */
static const uint32_t edges[] = {0,   1,    2,    3,    4,    5,    8,    9,    31,
                                 32,  33,   63,   64,   65,   127,  128,  129,  255,
                                 256, 257,  511,  512,  4097, 8191, 8192, 8193, 12289,
                                 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096};
enum { WIDE_EDGES = 9 };

/* Direction is the key's alone: where it falls, the widest are sorted with two value types. Segments
 * lie apart and in any order, and one behind the other. */
static void check_edges(const struct cpu_order *order, gl_segsort_algorithm algorithm)
{
    gl_segsort_segment segments[COUNT_OF(edges)];
    bool wide = order->direction == GL_SEGSORT_ASCENDING || order->value_type % 2;
    size_t count = COUNT_OF(edges) - (wide ? 0 : WIDE_EDGES);
    for (int in_place = 0; in_place < 2; in_place++) {
        generate_packed_segments(edges, count, 1 - (uint32_t)in_place, segments);
        if (!in_place)
            generate_shuffled_segments(segments, count, 3);
        check_order(segments, count, order, algorithm, GENERATE_RANDOM, in_place);
    }
}

static void every_type_at_every_edge(void)
{
    each_order(check_edges);
}

/* The radix sort scans tiles of 2048 rows by chunks of 64 only in segments of more than 64 tiles. */
static void check_chunks(const struct cpu_order *order, gl_segsort_algorithm algorithm)
{
    const uint32_t lengths[] = {31 * 4096 + 1, 32 * 4096, 5, 32 * 4096 + 1, 4097, 65 * 4096 + 7};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 0, segments);
    if (algorithm == GL_SEGSORT_ALGORITHM_RADIX && order->direction == GL_SEGSORT_DESCENDING &&
        order->key_type != GL_SEGSORT_KEY_I32)
        check_order(segments, COUNT_OF(lengths), order, algorithm, GENERATE_RANDOM,
                    order->value_type % 2);
}

static void long_segments_of_every_type(void)
{
    each_order(check_chunks);
}

/* cub 481, and digits that are cut short, lie across words, or are none at all. */
static void bit_ranges(void)
{
    const uint32_t ranges[][2] = {{0, 1},   {0, 4},   {0, 5},   {0, 8},   {0, 12},
                                  {0, 20},  {0, 32},  {5, 5},   {3, 4},   {7, 12},
                                  {24, 32}, {31, 32}, {13, 29}, {28, 36}, {20, 60},
                                  {33, 64}, {0, 64},  {63, 64}, {64, 64}};
    const uint32_t lengths[] = {1, 2, 7, 100, 256, 300, 1000, 4096, 4097, 9000};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    for (size_t r = 0; r < COUNT_OF(ranges); r++)
        for (int key = 0; key < 4; key++)
            for (int algorithm = 0; algorithm < 3; algorithm++) {
                struct cpu_order order = {.key_type = (gl_segsort_key_type)key,
                                          .value_type = (gl_segsort_value_type)((r + 2) % 4),
                                          .direction = (gl_segsort_direction)(r % 2),
                                          .begin_bit = ranges[r][0],
                                          .end_bit = ranges[r][1]};
                if (order.end_bit > 32 * cpu_key_words(order.key_type))
                    continue;
                for (int in_place = 0; in_place < 2; in_place++)
                    check_order(segments, COUNT_OF(lengths), &order,
                                (gl_segsort_algorithm)algorithm, GENERATE_RANDOM, in_place);
            }
}

static void every_kind_of_keys(void)
{
    const uint32_t lengths[] = {5, 200, 600, 3000, 4096, 20000};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 0, segments);
    for (int kind = 0; kind < GENERATE_KEYS_KINDS; kind++)
        for (int key = 0; key < 4; key++)
            for (int algorithm = 0; algorithm < 3; algorithm++) {
                const struct cpu_order order = {.key_type = (gl_segsort_key_type)key,
                                                .value_type = kind % 2 ? GL_SEGSORT_VALUE_U64
                                                                       : GL_SEGSORT_VALUE_INDEX,
                                                .direction = (gl_segsort_direction)(kind % 2)};
                check_order(segments, COUNT_OF(lengths), &order, (gl_segsort_algorithm)algorithm,
                            (enum generate_keys_kind)kind, kind % 3 == 0);
            }
}

/* cub 218, numr 9, WebGPU-Radix-Sort 1, x86-simd-sort 39: floats whose order is written out here.
 * */
static void floats_by_hand(void)
{
    const struct {
        const char *name;
        gl_segsort_direction direction;
        uint32_t count;
        uint32_t keys[9];
        uint32_t values[9];
    } cases[] = {
        /* 3, NaN, 1, 2, NaN, 0 */
        {"numr 9",
         GL_SEGSORT_ASCENDING,
         6,
         {0x40400000, 0x7fc00000, 0x3f800000, 0x40000000, 0xffc00000, 0},
         {5, 2, 3, 0, 1, 4}},
        {"numr 9, descending",
         GL_SEGSORT_DESCENDING,
         6,
         {0x40400000, 0x7fc00000, 0x3f800000, 0x40000000, 0xffc00000, 0},
         {0, 3, 2, 5, 1, 4}},
        /* +0, -0, -inf, +inf, 1, 1, -0, +0 */
        {"cub 218",
         GL_SEGSORT_ASCENDING,
         8,
         {0, 0x80000000, 0xff800000, 0x7f800000, 0x3f800000, 0x3f800000, 0x80000000, 0},
         {2, 0, 1, 6, 7, 4, 5, 3}},
        {"cub 218, descending",
         GL_SEGSORT_DESCENDING,
         8,
         {0, 0x80000000, 0xff800000, 0x7f800000, 0x3f800000, 0x3f800000, 0x80000000, 0},
         {3, 4, 5, 0, 1, 6, 7, 2}},
        /* 3, -0.5, -5, 0.5, -1 */
        {"WebGPU-Radix-Sort 1",
         GL_SEGSORT_ASCENDING,
         5,
         {0x40400000, 0xbf000000, 0xc0a00000, 0x3f000000, 0xbf800000},
         {2, 4, 1, 3, 0}},
        {"WebGPU-Radix-Sort 1, descending",
         GL_SEGSORT_DESCENDING,
         5,
         {0x40400000, 0xbf000000, 0xc0a00000, 0x3f000000, 0xbf800000},
         {0, 3, 1, 4, 2}},
        /* 8 ... 1, +inf */
        {"x86-simd-sort 39",
         GL_SEGSORT_ASCENDING,
         9,
         {0x41000000, 0x40e00000, 0x40c00000, 0x40a00000, 0x40800000, 0x40400000, 0x40000000,
          0x3f800000, 0x7f800000},
         {7, 6, 5, 4, 3, 2, 1, 0, 8}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int algorithm = 0; algorithm < 3; algorithm++) {
            const struct cpu_order order = {.key_type = GL_SEGSORT_KEY_F32,
                                            .direction = cases[i].direction,
                                            .value_type = GL_SEGSORT_VALUE_INDEX};
            uint32_t rows[9];
            cpu_sort_order(&order, cases[i].keys, cases[i].count, rows);
            CHECK(memcmp(rows, cases[i].values, 4 * cases[i].count) == 0, "%s: the reference",
                  cases[i].name);
            const gl_segsort_segment segment = {0, 0, 0, 0, cases[i].count};
            struct sort_case sort = {.name = cases[i].name,
                                     .segments = &segment,
                                     .segment_count = 1,
                                     .order = order,
                                     .algorithm = (gl_segsort_algorithm)algorithm,
                                     .keys = cases[i].keys};
            CHECK(sort_case_check(test.context, &sort), "%s", cases[i].name);
        }
}

/* Packs take floats by their values first: what lies evenly, and all that has no scale. */
enum spread {
    SPREAD_EVEN,
    SPREAD_FEW_NAN,
    SPREAD_NAN,      /* one in three is none */
    SPREAD_ALL_NAN,  /* but one */
    SPREAD_INFINITE, /* some of both signs */
    SPREAD_HUGE,     /* further apart than the greatest float */
    SPREAD_DENORMAL,
    SPREAD_ZEROS,   /* of both signs */
    SPREAD_CLUSTER, /* within a few units of 1, and one far off */
    SPREADS
};

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t spread_key(enum spread spread, size_t i, uint32_t random)
{
    switch (spread) {
    case SPREAD_FEW_NAN:
        return i % 97 == 5 ? 0x7fc00000 | random << 31 : float_bits((float)random);
    case SPREAD_NAN:
        return i % 3 == 0 ? 0x7fc00000 | random << 31 : float_bits((float)random);
    case SPREAD_ALL_NAN:
        return i % 301 == 7 ? float_bits(-1.0F) : 0x7f800001 | random << 31;
    case SPREAD_INFINITE:
        return i % 5 == 0 ? 0x7f800000 | random << 31 : float_bits((float)random * -1e-3F);
    case SPREAD_HUGE:
        return float_bits(((float)random / 4294967296.0F - 0.5F) * 3e38F * 2.0F);
    case SPREAD_DENORMAL:
        return random % 0x00800000 | random << 31;
    case SPREAD_ZEROS:
        return random << 31;
    case SPREAD_CLUSTER:
        return i % 500 == 3 ? float_bits(1e30F) : 0x3f800000 + random % 40;
    default:
        return float_bits((float)random / 4294967296.0F);
    }
}

static void floats_by_their_values(void)
{
    const uint32_t lengths[] = {9, 33, 64, 300, 1000, 2048, 1, 5000, 257};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    size_t rows = generate_packed_segments(lengths, COUNT_OF(lengths), 0, segments);
    uint32_t *keys = malloc(rows * sizeof *keys);
    for (int run = 0; keys && run < 2 * SPREADS; run++) {
        uint64_t state = (uint64_t)run + 5;
        for (size_t i = 0; i < rows; i++)
            keys[i] =
                spread_key((enum spread)(run / 2), i, (uint32_t)(generate_random(&state) >> 16));
        const struct sort_case sort = {.name = "floats",
                                       .segments = segments,
                                       .segment_count = COUNT_OF(lengths),
                                       .order = {.key_type = GL_SEGSORT_KEY_F32,
                                                 .value_type = GL_SEGSORT_VALUE_U32,
                                                 .direction = (gl_segsort_direction)(run % 2)},
                                       .keys = keys};
        CHECK(sort_case_check(test.context, &sort), "spread %d, direction %d", run / 2, run % 2);
    }
    CHECK(keys, "no memory");
    free(keys);
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(every_type_at_every_edge),
                                              CHECK_TEST(long_segments_of_every_type),
                                              CHECK_TEST(bit_ranges),
                                              CHECK_TEST(every_kind_of_keys),
                                              CHECK_TEST(floats_by_hand),
                                              CHECK_TEST(floats_by_their_values)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
