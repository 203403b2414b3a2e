/* Layer 3: how kernels part the rows of a long segment, and sort its buckets, for keys of every kind:
 * each pass on the GPU beside its twin. */
#include "split_run.h"

#include <math.h>

enum { PARTED_ROWS = 20000, MANY_PARTED_ROWS = 300000 };

/* Keys of one segment, and whether they lie evenly. */
struct parted {
    const char *name;
    uint32_t (*key)(uint32_t row, uint32_t random);
    gl_segsort_key_type type;
    bool even;
    uint32_t begin_bit, end_bit;
    gl_segsort_direction direction;
    bool even_parts; /* whether they lie so evenly that four buckets with parts may be even */
};

static uint32_t any_key(uint32_t row, uint32_t random)
{
    (void)row;
    return random;
}

static uint32_t narrow_key(uint32_t row, uint32_t random)
{
    (void)row;
    return 0x7ffff000 + random % 9000;
}

static uint32_t rising_key(uint32_t row, uint32_t random)
{
    (void)random;
    return 5 + row * 1000;
}

/* One row in 20 lies outside of what the others' span is, one of them far away. */
static uint32_t outlying_key(uint32_t row, uint32_t random)
{
    return row % 20 ? 1000000 + random % 100000 : row == 10000 ? UINT32_MAX : random % 2000000;
}

static uint32_t few_key(uint32_t row, uint32_t random)
{
    (void)row;
    return random % 200 * 20000000;
}

static uint32_t crowded_key(uint32_t row, uint32_t random)
{
    return row % 4 ? random : 77;
}

static uint32_t equal_key(uint32_t row, uint32_t random)
{
    (void)row;
    (void)random;
    return 123;
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Evenly from 0 to 1, which their bits aren't. */
static uint32_t float_key(uint32_t row, uint32_t random)
{
    (void)row;
    return bits_of((float)(random >> 8) / 16777216.0f);
}

/* To either side of 0, and zeros of both signs. */
static uint32_t signed_float_key(uint32_t row, uint32_t random)
{
    return row % 512 ? bits_of((float)(random >> 8) / 64.0f - 100000.0f) : (random & 1) << 31;
}

/* Here and there one that is no number, by different bits. */
static uint32_t nan_key(uint32_t row, uint32_t random)
{
    return row % 100 == 7 ? 0x7fc00000u | (random & 0x80000fffu) : float_key(row, random);
}

/* Rows that are no samples may be infinite or far away. */
static uint32_t far_float_key(uint32_t row, uint32_t random)
{
    static const float far[] = {INFINITY, -INFINITY, 3e38f, -1e20f};
    return row % 5000 == 3 ? bits_of(far[row / 5000 % 4]) : float_key(row, random);
}

static uint32_t infinite_key(uint32_t row, uint32_t random)
{
    return row % 8 == 3 ? bits_of(random & 1 ? INFINITY : -INFINITY) : float_key(row, random);
}

/* Their bits lie evenly, their values don't. */
static uint32_t any_size_key(uint32_t row, uint32_t random)
{
    (void)row;
    return (random & 0x807fffffu) | (64 + random % 127) << 23;
}

/* Too close together for a power of two to part. */
static uint32_t tiny_float_key(uint32_t row, uint32_t random)
{
    (void)row;
    return random % 100000;
}

static uint32_t zero_key(uint32_t row, uint32_t random)
{
    (void)row;
    return (random & 1) << 31;
}

static uint32_t no_number_key(uint32_t row, uint32_t random)
{
    (void)row;
    return 0x7fc00000u | (random & 0x80000fffu);
}

/* buckets_max: so few that each has parts; 0: none has. */
static void check_parted(const struct parted *parted, uint32_t rows, uint32_t buckets_max)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, rows};
    struct run run = {.desc = {.key_type = parted->type,
                               .direction = parted->direction,
                               .begin_bit = parted->begin_bit,
                               .end_bit = parted->end_bit,
                               .segments = &segment,
                               .segment_count = 1}};
    segsort_limits limits = twin_limits();
    segsort_error error;
    uint64_t state = 5;
    const segsort_tuning tuning = tuning_of(buckets_max);
    limits.tuning = &tuning;
    if (!CHECK(twin_plan_build(&run.desc, &limits, &run.plan, &error), "%s", error.text))
        return;
    struct twin_memory *memory = &run.memories[0];
    twin_memory_make(memory, &run.plan, &run.desc, TWIN_NEITHER, 3);
    uint32_t *keys = twin_memory_view(memory, SEGSORT_STREAM_KEYS);
    uint32_t words = segsort_key_words(parted->type);
    for (uint32_t i = 0; i < rows * words; i++)
        keys[i] = parted->key(i / words, (uint32_t)(generate_random(&state) >> 32));
    run.gpus[0] = twin_gpu_make(memory);
    const segsort_pass *sample = find_pass(&run.plan, SEGSORT_KERNEL_SPLIT_SAMPLE);
    static const segsort_kernel_id kernels[] = {
        SEGSORT_KERNEL_SPLIT_SAMPLE, SEGSORT_KERNEL_SPLIT_COUNT, SEGSORT_KERNEL_SPLIT_SPINE,
        SEGSORT_KERNEL_SPLIT_SCATTER};
    for (size_t i = 0; i < COUNT_OF(kernels) && CHECK(sample, "nothing is split"); i++)
        if (!run_pass(&run, kernels[i]))
            break;
    CHECK(
        run_pass(&run, buckets_max > 0 ? SEGSORT_KERNEL_SPLIT_PARTS : SEGSORT_KERNEL_SPLIT_FINISH),
        "%s keys in %u buckets", parted->name, buckets_max);
    if (sample) {
        uint32_t scale = twin_memory_view(memory, TWIN_WORK)[sample->params.splitters];
        CHECK((words == 1 && scale != 0) == (buckets_max > 0 ? parted->even_parts : parted->even),
              "%s keys in %u buckets: scale %u", parted->name, buckets_max, scale);
    }
    twin_gpu_delete(&run.gpus[0]);
    twin_memory_release(memory);
    twin_plan_release(&run.plan);
}

/* Crowds within crowds: most rows in a thousandth of the span, most of these in a thousandth of it, and so on. */
static uint32_t nested_key(uint32_t row, uint32_t random)
{
    static const uint32_t spans[] = {0xffffffff, 4000000, 4000, 4};
    return 2000000000 + random % spans[row % 16 < 4 ? row % 4 : 1 + row % 3];
}

static const struct parted parted_keys[] = {
    {.name = "random",
     .key = any_key,
     .type = GL_SEGSORT_KEY_U32,
     .even = true,
     .even_parts = true},
    {.name = "signed",
     .key = any_key,
     .type = GL_SEGSORT_KEY_I32,
     .even = true,
     .even_parts = true},
    {.name = "some bits of random",
     .key = any_key,
     .type = GL_SEGSORT_KEY_U32,
     .even = true,
     .even_parts = true,
     .begin_bit = 5,
     .end_bit = 27},
    {.name = "too few bits of random",
     .key = any_key,
     .type = GL_SEGSORT_KEY_U32,
     .even = false,
     .even_parts = true,
     .begin_bit = 5,
     .end_bit = 9},
    {.name = "narrow",
     .key = narrow_key,
     .type = GL_SEGSORT_KEY_U32,
     .even = true,
     .even_parts = true},
    {.name = "rising",
     .key = rising_key,
     .type = GL_SEGSORT_KEY_U32,
     .even = true,
     .even_parts = true},
    {.name = "outlying", .key = outlying_key, .type = GL_SEGSORT_KEY_U32, .even = false},
    {.name = "few", .key = few_key, .type = GL_SEGSORT_KEY_U32, .even = true, .even_parts = true},
    {.name = "crowded",
     .key = crowded_key,
     .type = GL_SEGSORT_KEY_U32,
     .even = false,
     .even_parts = true},
    {.name = "equal", .key = equal_key, .type = GL_SEGSORT_KEY_U32, .even = false},
    {.name = "float",
     .key = float_key,
     .type = GL_SEGSORT_KEY_F32,
     .even = true,
     .even_parts = true},
    {.name = "falling float",
     .key = float_key,
     .type = GL_SEGSORT_KEY_F32,
     .even = true,
     .even_parts = true,
     .direction = GL_SEGSORT_DESCENDING},
    {.name = "signed float",
     .key = signed_float_key,
     .type = GL_SEGSORT_KEY_F32,
     .even = true,
     .even_parts = true},
    {.name = "falling signed float",
     .key = signed_float_key,
     .type = GL_SEGSORT_KEY_F32,
     .even = true,
     .even_parts = true,
     .direction = GL_SEGSORT_DESCENDING},
    {.name = "float or NaN",
     .key = nan_key,
     .type = GL_SEGSORT_KEY_F32,
     .even = true,
     .even_parts = true},
    {.name = "float or far away",
     .key = far_float_key,
     .type = GL_SEGSORT_KEY_F32,
     .even = true,
     .even_parts = true},
    {.name = "float or infinite", .key = infinite_key, .type = GL_SEGSORT_KEY_F32, .even = false},
    {.name = "float of any size", .key = any_size_key, .type = GL_SEGSORT_KEY_F32, .even = false},
    {.name = "some bits of float",
     .key = any_size_key,
     .type = GL_SEGSORT_KEY_F32,
     .even = true,
     .even_parts = true,
     .begin_bit = 2,
     .end_bit = 30},
    {.name = "tiny float", .key = tiny_float_key, .type = GL_SEGSORT_KEY_F32, .even = false},
    {.name = "no number", .key = no_number_key, .type = GL_SEGSORT_KEY_F32, .even = false},
    {.name = "zero", .key = zero_key, .type = GL_SEGSORT_KEY_F32, .even = false},
    {.name = "wide", .key = any_key, .type = GL_SEGSORT_KEY_U64, .even = false},
    {.name = "few wide", .key = few_key, .type = GL_SEGSORT_KEY_U64, .even = false},
    {.name = "crowded wide", .key = crowded_key, .type = GL_SEGSORT_KEY_U64, .even = false},
    {.name = "equal wide", .key = equal_key, .type = GL_SEGSORT_KEY_U64, .even = false},
    {.name = "some bits of wide",
     .key = any_key,
     .type = GL_SEGSORT_KEY_U64,
     .even = false,
     .begin_bit = 28,
     .end_bit = 36},
    {.name = "nested", .key = nested_key, .type = GL_SEGSORT_KEY_U32, .even = false},
    {.name = "nested wide", .key = nested_key, .type = GL_SEGSORT_KEY_U64, .even = false},
    {.name = "falling few",
     .key = few_key,
     .type = GL_SEGSORT_KEY_I32,
     .even = true,
     .even_parts = true,
     .direction = GL_SEGSORT_DESCENDING},
};

static void even_segments_have_no_splitters(void)
{
    for (size_t i = 0; i < COUNT_OF(parted_keys); i++)
        check_parted(&parted_keys[i], PARTED_ROWS, 0);
}

/* Buckets of 5000 rows, which are a part or two, or windows in windows where the keys crowd. */
static void parts_of_any_keys(void)
{
    for (size_t i = 0; i < COUNT_OF(parted_keys); i++)
        check_parted(&parted_keys[i], PARTED_ROWS, 4);
}

/* Buckets of 75,000 rows: too many for windows where their keys crowd, and then sorted by few bits. */
static void parts_of_many_rows(void)
{
    static const char *const names[] = {"random",   "few",        "nested",      "zero", "wide",
                                        "few wide", "equal wide", "nested wide", "float"};
    for (size_t i = 0; i < COUNT_OF(parted_keys); i++)
        for (size_t n = 0; n < COUNT_OF(names); n++)
            if (strcmp(parted_keys[i].name, names[n]) == 0)
                check_parted(&parted_keys[i], MANY_PARTED_ROWS, 4);
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    static const struct check_test tests[] = {CHECK_TEST(even_segments_have_no_splitters),
                                              CHECK_TEST(parts_of_any_keys),
                                              CHECK_TEST(parts_of_many_rows)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_gpu_delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
