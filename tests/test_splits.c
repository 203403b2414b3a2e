/* Layer 4: segments that are split into buckets, against the CPU reference: all types on keys of
 * every kind that splitters could do badly on, and keys that are made to crowd into one bucket. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"
#include "twin_memory.h"
#include "twin_split.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { KEY_TYPES = 4, VALUE_TYPES = 4 };

static struct test_gl test;

/* Whose tuning splits, as the twins have it. */
static const char tuned_for[] = "NVIDIA";

static struct cpu_order order_of(size_t i)
{
    return (struct cpu_order){.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                              .value_type = (gl_segsort_value_type)((i + i / 4) % VALUE_TYPES),
                              .direction = (gl_segsort_direction)((i + i / 8) % 2)};
}

static uint32_t *allocate_words(size_t count)
{
    uint32_t *words = malloc(count * 4);
    if (!words)
        abort();
    return words;
}

/* ---------------------------------------------------------------------------------------------- */
/* Keys of every kind */

/* Some that are shortest and longest, some in between; one that isn't split, one that digits
 * sort. */
static const uint32_t lengths[] = {4097, 100, 65536, 5000, 95325, 100001, 20011};

enum {
    KIND_AND = GENERATE_KEYS_KINDS, /* few bits set: most keys are near 0 */
    KIND_OUTLIER,                   /* all within 100, but for one key */
    KIND_CLUSTERS,                  /* each row of 64 differs in the lowest bits alone */
    KINDS
};

static const char *const own_kind_names[] = {"and-reduced", "outlier", "clusters"};

static void make_own_keys(int kind, uint32_t *keys, size_t words)
{
    uint64_t state = 77;
    for (size_t i = 0; i < words; i++) {
        uint32_t random = (uint32_t)generate_random(&state);
        if (kind == KIND_AND)
            keys[i] = random & (uint32_t)generate_random(&state) &
                      (uint32_t)generate_random(&state) & (uint32_t)generate_random(&state);
        else if (kind == KIND_OUTLIER)
            keys[i] = i == words / 2 ? 0xfffffff0 : 0x3f800000 + random % 100;
        else
            keys[i] = (uint32_t)(i / 64 * 2654435761u & 0xffffff00) | random % 64;
    }
}

static void check_kind(int kind, size_t number)
{
    gl_segsort_segment segments[COUNT_OF(lengths)];
    size_t rows = generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    uint32_t *keys = NULL;
    char name[64];
    bool own = kind >= GENERATE_KEYS_KINDS;
    if (own) {
        keys = allocate_words(2 * rows);
        make_own_keys(kind, keys, 2 * rows);
    }
    snprintf(name, sizeof name, "%s, %zu",
             own ? own_kind_names[kind - GENERATE_KEYS_KINDS]
                 : generate_keys_name((enum generate_keys_kind)kind),
             number);
    const struct sort_case sort = {.name = name,
                                   .segments = segments,
                                   .segment_count = COUNT_OF(lengths),
                                   .order = order_of(number),
                                   .keys = keys,
                                   .kind = own ? GENERATE_RANDOM : (enum generate_keys_kind)kind,
                                   .seed = number,
                                   .in_place = number / 2 % 2,
                                   .byte_offset = 12};
    CHECK(sort_case_check(test.context, &sort), "%s", name);
    free(keys);
}

/* Each with every key type, and all the other things now and then. */
static void kinds_of_keys(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t key_type = 0; key_type < KEY_TYPES; key_type++)
            check_kind(kind, (size_t)kind * 5 / 4 * 4 + key_type);
}

/* Some of the bits: an odd number of digits for the segment that isn't split. */
static void kinds_of_bits(void)
{
    const uint32_t bits[][2] = {{0, 1}, {31, 32}, {5, 24}, {0, 8}, {12, 12}};
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    for (size_t i = 0; i < COUNT_OF(bits) * KEY_TYPES; i++) {
        struct sort_case sort = {.name = "bits",
                                 .segments = segments,
                                 .segment_count = COUNT_OF(lengths),
                                 .order = order_of(i),
                                 .kind = GENERATE_RANDOM,
                                 .seed = i,
                                 .in_place = i % 3 == 0};
        sort.order.begin_bit = bits[i / KEY_TYPES][0];
        sort.order.end_bit = bits[i / KEY_TYPES][1];
        CHECK(sort_case_check(test.context, &sort), "bits %u to %u, %zu", sort.order.begin_bit,
              sort.order.end_bit, i);
    }
}

/* One plan sorts what differs from time to time: nothing is left of the sort before. */
static void a_plan_again(void)
{
    gl_segsort_segment segments[COUNT_OF(lengths)];
    generate_packed_segments(lengths, COUNT_OF(lengths), 1, segments);
    const struct sort_case sort = {.segments = segments, .segment_count = COUNT_OF(lengths)};
    gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    CHECK(plan && sort_case_check_again(plan, &sort), "sorted again");
    gl_segsort_plan_destroy(plan);
}

/* Many lengths at a time, so that buckets of all sizes come up. */
static void random_lengths(void)
{
    uint64_t state = 5;
    for (size_t run = 0; run < 6; run++) {
        gl_segsort_segment segments[24];
        uint32_t some[24];
        for (size_t i = 0; i < COUNT_OF(some); i++)
            some[i] = i % 4 ? 4097 + generate_below(&state, 9000) : generate_below(&state, 50000);
        generate_packed_segments(some, COUNT_OF(some), 0, segments);
        generate_shuffled_segments(segments, COUNT_OF(some), run + 1);
        const struct sort_case sort = {.name = "random lengths",
                                       .segments = segments,
                                       .segment_count = COUNT_OF(some),
                                       .order = order_of(run * 3),
                                       .seed = run};
        CHECK(sort_case_check(test.context, &sort), "run %zu", run);
    }
}

/* Folded dispatches with surplus groups. */
static void tiny_dispatch_limit(void)
{
    const uint32_t some[] = {4097, 9000, 98000, 5000, 20000};
    struct test_gl tiny = {0};
    gl_segsort_segment segments[COUNT_OF(some)];
    generate_packed_segments(some, COUNT_OF(some), 3, segments);
    test_gl_close(&test);
    if (CHECK(test_gl_open_as(&tiny, 3, tuned_for), "no context")) {
        const struct sort_case sort = {
            .name = "tiny limit", .segments = segments, .segment_count = COUNT_OF(some)};
        CHECK(sort_case_check(tiny.context, &sort), "a limit of 3 groups");
        test_gl_close(&tiny);
    }
    CHECK(test_gl_open_as(&test, 0, tuned_for), "no context");
}

/* ---------------------------------------------------------------------------------------------- */
/* Crowded buckets */

/* A segment's samples, as plan and kernel have them. */
struct samples {
    uint32_t segment, width, buckets, apart; /* of the plan's long segments */
    bool *is_sample;                         /* a row of the segment's is */
};

/* How the driver's plan splits a segment, of which it has no other. */
static bool find_samples(const gl_segsort_plan_desc *desc, struct samples *samples)
{
    segsort_limits limits = twin_limits();
    segsort_plan plan;
    segsort_error error;
    GLint bytes = 0;
    bool found = false;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    limits.shared_bytes = (uint32_t)bytes;
    if (!CHECK(twin_plan_build(desc, &limits, &plan, &error), "%s", error.text))
        return false;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        if (pass->variant.kernel != SEGSORT_KERNEL_SPLIT_SAMPLE)
            continue;
        const uint32_t *words = plan.table + pass->params.split_word;
        *samples =
            (struct samples){.width = pass->variant.width, .buckets = words[1], .apart = words[2]};
        found = true;
    }
    twin_plan_release(&plan);
    return CHECK(found, "nothing is split");
}

static void mark_samples(struct samples *samples, uint32_t rows)
{
    uint32_t count = samples->buckets * samples->apart;
    samples->is_sample = calloc(rows, sizeof *samples->is_sample);
    if (!samples->is_sample)
        abort();
    for (uint32_t i = 0; i < count; i++)
        samples->is_sample[twin_split_sample_row(0, samples->width, rows, i, count)] = true;
}

/* What crowds and what does not, in an order. */
struct crowd {
    const char *name;
    struct cpu_order order;
    uint32_t sample_mask, row_bit; /* of the samples' keys; what the other rows' have besides */
    bool equal;                    /* the other rows' keys are all alike */
    bool in_place;
};

/* Sampled rows come before all others, so the last bucket has all but a few samples. */
static uint32_t make_crowd(const struct crowd *crowd, const struct samples *samples, uint32_t rows,
                           uint32_t *keys)
{
    uint32_t words = (uint32_t)cpu_key_words(crowd->order.key_type), others = 0;
    bool descending = crowd->order.direction == GL_SEGSORT_DESCENDING;
    uint64_t state = 3;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t random = crowd->equal ? 0 : (uint32_t)generate_random(&state);
        bool low = samples->is_sample[row];
        keys[row * words] = random & crowd->sample_mask;
        if (low == descending)
            keys[row * words + words - 1] = (words == 2 ? random % 2 : keys[row]) | crowd->row_bit;
        else if (words == 2)
            keys[row * words + 1] = random % 2;
        others += !low;
    }
    return others;
}

/* All of them come after the last splitter, by the reference's own numbers. */
static bool is_crowded(const struct crowd *crowd, const struct samples *samples, uint32_t rows,
                       const uint32_t *keys)
{
    size_t words = cpu_key_words(crowd->order.key_type);
    uint64_t greatest_sample = 0, least_row = UINT64_MAX;
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t number = cpu_key_number(&crowd->order, keys + row * words);
        if (samples->is_sample[row] && number > greatest_sample)
            greatest_sample = number;
        if (!samples->is_sample[row] && number < least_row)
            least_row = number;
    }
    return greatest_sample < least_row;
}

static void check_crowd(const struct crowd *crowd, uint32_t rows)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, rows};
    struct sort_case sort = {.name = crowd->name,
                             .segments = &segment,
                             .segment_count = 1,
                             .order = crowd->order,
                             .in_place = crowd->in_place};
    gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
    struct samples samples = {0};
    if (!find_samples(&desc, &samples))
        return;
    uint32_t *keys = allocate_words((size_t)2 * rows);
    mark_samples(&samples, rows);
    uint32_t crowded = make_crowd(crowd, &samples, rows, keys);
    CHECK(crowded > SEGSORT_BUCKET_MAX, "%u rows fit a work group", crowded);
    CHECK(is_crowded(crowd, &samples, rows, keys), "%s: not all rows are in the last bucket",
          crowd->name);
    sort.keys = keys;
    CHECK(sort_case_check(test.context, &sort), "%s of %u rows", crowd->name, rows);
    free(samples.is_sample);
    free(keys);
}

/* More rows than any work group sorts come into the last bucket, which then is merged in the
 * buffers. The lengths take even and odd numbers of rounds. */
static void crowded_buckets(void)
{
    const struct cpu_order u32 = {0};
    const struct crowd crowds[] = {
        {"u32", u32, 0xffff, 0x10000, false, false},
        {"u32 in place", u32, 0xff, 0x10000, false, true},
        {"u32, others equal", u32, 0xffff, 0x10000, true, false},
        {"i32 without values, descending",
         {.key_type = GL_SEGSORT_KEY_I32,
          .value_type = GL_SEGSORT_VALUE_NONE,
          .direction = GL_SEGSORT_DESCENDING},
         0xfff,
         0x40000000,
         false,
         true},
        {"f32 and row numbers, all others NaN",
         {.key_type = GL_SEGSORT_KEY_F32, .value_type = GL_SEGSORT_VALUE_INDEX},
         0x807fffff,
         0x7fc00000,
         false,
         false},
        {"u64",
         {.key_type = GL_SEGSORT_KEY_U64, .value_type = GL_SEGSORT_VALUE_U64},
         0xffffffff,
         0x80000000,
         false,
         true},
        {"masked",
         {.begin_bit = 12, .end_bit = 20, .direction = GL_SEGSORT_DESCENDING},
         0x7ffff,
         0x80000,
         false,
         false},
    };
    for (size_t i = 0; i < COUNT_OF(crowds); i++)
        check_crowd(&crowds[i], 5500 + 700 * (uint32_t)i);
    /* The longest that is split whatever the driver's shared memory is. */
    check_crowd(&crowds[1], 95325);
}

int main(int argc, char **argv)
{
    if (!test_gl_open_as(&test, 0, tuned_for) || !gladLoadGL(headless_gl_get_proc_address))
        return 1;
    static const struct check_test tests[] = {
        CHECK_TEST(kinds_of_keys),  CHECK_TEST(kinds_of_bits),   CHECK_TEST(a_plan_again),
        CHECK_TEST(random_lengths), CHECK_TEST(crowded_buckets), CHECK_TEST(tiny_dispatch_limit)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
