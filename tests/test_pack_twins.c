/* Layer 3: the kernels that sort packs, beside their CPU twins: every type, width and length, and
 * keys that crowd, on which they go another way. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "twin_gpu.h"

#include <glad/gl.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define SEGMENTS_MAX 1200

enum { KEY_TYPES = 4, VALUE_TYPES = 4, DIRECTIONS = 2 };

static uint32_t shared_bytes;        /* the driver's */
static uint32_t work_groups;         /* the limit along each axis that plans are built for */
static const segsort_tuning *tuning; /* and by which table */

/* ---------------------------------------------------------------------------------------------- */
/* Keys */

/* What the keys of a test are like. Where nothing else is said, both words of a u64 are. */
enum keys_kind {
    SPREAD, /* as twin_memory_make has them: half of them random, ties and special floats */
    RANDOM, /* all bits */
    ZEROS,
    ONES, /* of all bits: NaN */
    ONE_KEY,
    FEW, /* three, far from each other */
    EXTREMES,
    SORTED,
    REVERSED,
    SPARSE,     /* few bits are set */
    OUTLIER,    /* a small range, and one key far away */
    NARROW,     /* a small range */
    FLOATS,     /* from 1 to 1.0625 */
    HIGH_EQUAL, /* random in the lowest word alone */
    LOW_EQUAL,  /* and in the highest */
    ONE_BIT,    /* of the lowest word's highest */
    OTHER_BIT,  /* of the highest word's lowest */
    NANS,       /* with either sign, zeros and infinities */
    KEYS_KINDS
};

static const char *const kind_names[KEYS_KINDS] = {
    "spread",   "random",     "zeros",     "ones",    "one key",   "few",
    "extremes", "sorted",     "reversed",  "sparse",  "outlier",   "narrow",
    "floats",   "high equal", "low equal", "one bit", "other bit", "nans"};

static uint32_t key_word(enum keys_kind kind, uint32_t row, bool high, uint64_t *state)
{
    static const uint32_t few[] = {0x10, 0x7fff0000, 0xf0000001};
    static const uint32_t nans[] = {0x7fc00000, 0xffc00001, 0x7f800001, 0,
                                    0x80000000, 0x7f800000, 0xff800000, 0x3f800000};
    uint32_t random = (uint32_t)(generate_random(state) >> 16);
    switch (kind) {
    case ZEROS:
        return 0;
    case ONES:
        return UINT32_MAX;
    case ONE_KEY:
        return 0x3e99999a;
    case FEW:
        return few[row % 3];
    case EXTREMES:
        return row % 2 ? UINT32_MAX : 0;
    case SORTED:
        return high ? 0 : row * 40503u;
    case REVERSED:
        return high ? 7 : ~(row * 40503u);
    case SPARSE:
        return random & (uint32_t)(generate_random(state) >> 9) &
               (uint32_t)(generate_random(state) >> 5) & (uint32_t)(generate_random(state) >> 7);
    case OUTLIER:
        return row % 251 == 77 ? UINT32_MAX - 5 : high ? 0 : random % 5000;
    case NARROW:
        return high ? 9 : 0x40000000 + random % 5000;
    case FLOATS:
        return 0x3f800000 + random % (1u << 19);
    case HIGH_EQUAL:
        return high ? 0x80000001 : random;
    case LOW_EQUAL:
        return high ? random : 77;
    case ONE_BIT:
        return high ? 5 : 5 | (random & 0x80000000);
    case OTHER_BIT:
        return high ? 4 | (random & 1) : 5;
    case NANS:
        return nans[random % COUNT_OF(nans)];
    default:
        return random;
    }
}

static void make_keys(struct twin_memory *memory, const gl_segsort_plan_desc *desc,
                      enum keys_kind kind)
{
    uint32_t *keys = twin_memory_view(memory, SEGSORT_STREAM_KEYS);
    size_t words = memory->arrays[SEGSORT_STREAM_KEYS].view_words;
    bool wide = desc->key_type == GL_SEGSORT_KEY_U64;
    uint64_t state = 77 + kind;
    for (size_t i = 0; i < words && kind != SPREAD; i++)
        keys[i] = key_word(kind, (uint32_t)(wide ? i / 2 : i), wide && i % 2, &state);
}

/* ---------------------------------------------------------------------------------------------- */
/* Cases */

/* Runs the passes on the GPU and by their twins, from keys of each kind of a set of bits. */
static void compare_kinds(const gl_segsort_plan_desc *desc, const segsort_plan *plan,
                          enum twin_in_place in_place, uint32_t kinds)
{
    for (int kind = 0; kind < KEYS_KINDS; kind++) {
        if ((kinds >> kind & 1) == 0)
            continue;
        struct twin_memory memory;
        twin_memory_make(&memory, plan, desc, in_place, plan->sets[0].layout.row_count);
        make_keys(&memory, desc, (enum keys_kind)kind);
        struct twin twin = twin_memory_twin(&memory);
        struct twin_gpu gpu = twin_gpu_make(&memory);
        for (uint32_t i = 0; i < plan->pass_count; i++) {
            const segsort_pass *pass = &plan->passes[i];
            bool right = twin_gpu_dispatch(&gpu, pass);
            twin_run_pass(&twin, pass);
            right = twin_gpu_equal(&gpu, pass) && right;
            CHECK(right, "%s, %s keys of type %d, values %d, direction %d, bits %u..%u",
                  pass->label, kind_names[kind], (int)desc->key_type, (int)desc->value_type,
                  (int)desc->direction, desc->begin_bit, desc->end_bit);
        }
        twin_gpu_delete(&gpu);
        twin_memory_release(&memory);
    }
}

/* A list whose segments lie one behind the other, in each stream from another row on; in place, from
 * the same. like has the types, the direction and the bits. Every pass has to be such a kernel's. */
static void compare_lengths(const gl_segsort_plan_desc *like, segsort_kernel_id kernel,
                            const uint32_t *lengths, size_t count, enum twin_in_place in_place,
                            uint32_t kinds)
{
    gl_segsort_segment segments[SEGMENTS_MAX];
    segsort_limits limits = twin_limits();
    segsort_plan plan;
    segsort_error error;
    limits.shared_bytes = shared_bytes;
    limits.tuning = tuning;
    for (int axis = 0; axis < 3; axis++)
        limits.work_groups[axis] = work_groups;
    generate_packed_segments(lengths, count, 0, segments);
    for (size_t i = 0; i < count; i++) {
        bool apart = in_place == TWIN_NEITHER;
        segments[i].keys_offset += apart ? 3 : 1;
        segments[i].values_offset += apart ? 2 : 1;
        segments[i].output_keys_offset += 1;
        segments[i].output_values_offset += apart ? 4 : 1;
    }
    gl_segsort_plan_desc desc = *like;
    desc.segments = segments;
    desc.segment_count = (uint32_t)count;
    if (!CHECK(twin_plan_build(&desc, &limits, &plan, &error), "%s", error.text))
        return;
    for (uint32_t i = 0; i < plan.pass_count; i++)
        CHECK(plan.passes[i].variant.kernel == kernel, "%s", plan.passes[i].label);
    compare_kinds(&desc, &plan, in_place, kinds);
    twin_plan_release(&plan);
}

static void compare_equal(const gl_segsort_plan_desc *like, segsort_kernel_id kernel,
                          uint32_t length, size_t count, enum twin_in_place in_place,
                          uint32_t kinds)
{
    uint32_t lengths[SEGMENTS_MAX];
    for (size_t i = 0; i < count; i++)
        lengths[i] = length;
    compare_lengths(like, kernel, lengths, count, in_place, kinds);
}

static segsort_kernel_id equal_kernel(const gl_segsort_plan_desc *like, uint32_t length)
{
    const segsort_tuning fitted =
        segsort_tuning_fit(tuning, (segsort_types){like->key_type, like->value_type}, shared_bytes);
    bool quads = length >= fitted.quads_rows_min && length <= fitted.quads_rows_max &&
                 length % 4 == 0 && like->key_type != GL_SEGSORT_KEY_U64;
    return quads                            ? SEGSORT_KERNEL_RANK_QUADS
           : length <= fitted.rank_rows_max ? SEGSORT_KERNEL_RANK_LOCAL
                                            : SEGSORT_KERNEL_BUCKET_EQUAL;
}

static uint32_t widest_pack(const gl_segsort_plan_desc *like)
{
    return segsort_bucket_width_max((segsort_types){like->key_type, like->value_type},
                                    shared_bytes);
}

/* Bits that leave ties, and of a u64 lie across its words. */
static void mask_bits(gl_segsort_plan_desc *like)
{
    like->begin_bit = like->key_type == GL_SEGSORT_KEY_U64 ? 25 : 3;
    like->end_bit = like->begin_bit + 13;
}

/* ---------------------------------------------------------------------------------------------- */

/* All kernels, each in two packs at least, the last of them not full. Where bits are masked, in
 * place and in one direction for each pair of types; buckets of equal segments, whose text is that
 * of the others, in the other one where they are not. */
static void every_type(void)
{
    const uint32_t lengths[] = {3, 1, 70, 9, 1, 2, 33, 100, 5, 64, 200, 31, 4, 128, 129, 1};
    for (int i = 0; i < 2 * KEY_TYPES * VALUE_TYPES * DIRECTIONS; i++) {
        gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i / 2 % KEY_TYPES),
                                     .value_type = (gl_segsort_value_type)(i / 8 % VALUE_TYPES),
                                     .direction = (gl_segsort_direction)(i / 32)};
        const uint32_t equal[] = {3, 12, 33};
        bool masks = i / 32 == (i / 2 + i / 8) % 2; /* of key and value type */
        size_t kernels = i % 2 || !masks ? 3 : 2;
        enum twin_in_place in_place = TWIN_NEITHER;
        if (i % 2 && !masks)
            continue;
        if (i % 2) {
            mask_bits(&like);
            in_place = i / 8 % 3 ? TWIN_BOTH : TWIN_KEYS;
        }
        compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, lengths, COUNT_OF(lengths), in_place,
                        1u << SPREAD | 1u << NARROW | 1u << NANS);
        for (size_t e = 0; e < kernels; e++)
            compare_equal(&like, equal_kernel(&like, equal[e]), equal[e], 1000 / equal[e] / (1 + e),
                          in_place, 1u << SPREAD | 1u << EXTREMES);
    }
}

/* Two types, one of them in place, of which one takes 64 bits where there are quads for 32. */
static void every_equal_length(void)
{
    for (uint32_t length = 1; length <= 36; length += length < 8 ? 1 : 4)
        for (int wide = 0; wide < 2; wide++) {
            const gl_segsort_plan_desc like = {
                .key_type = wide ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_F32,
                .value_type = wide ? GL_SEGSORT_VALUE_U32 : GL_SEGSORT_VALUE_U64};
            compare_equal(&like, equal_kernel(&like, length), length, 1 + 1100 / length,
                          wide ? TWIN_BOTH : TWIN_NEITHER,
                          1u << SPREAD | 1u << FEW | 1u << ONES | 1u << RANDOM);
        }
}

/* One pair of types goes through all widths, the others through one of them each. The ends of a
 * width's lengths, and equal ones, several to a pack. */
static void every_width(void)
{
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i++) {
        gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                     .value_type = (gl_segsort_value_type)(i / KEY_TYPES),
                                     .direction = (gl_segsort_direction)(i % 2)};
        uint32_t width = 512, number = 0;
        for (; width <= widest_pack(&like); width *= 2, number++) {
            const uint32_t lengths[] = {width, width / 2 + 1, width - 1, width / 2 + 100};
            const uint32_t kinds = 1u << SPREAD | 1u << RANDOM | 1u << NARROW | 1u << OUTLIER;
            if (i > 0 && number != (uint32_t)i % 3)
                continue;
            if (i % 3 == 1)
                mask_bits(&like);
            compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, lengths, COUNT_OF(lengths),
                            i % 2 ? TWIN_BOTH : TWIN_NEITHER, kinds);
            compare_equal(&like, SEGSORT_KERNEL_BUCKET_EQUAL, width / 4 - 3, 9,
                          i % 2 ? TWIN_NEITHER : TWIN_BOTH, kinds);
            compare_equal(&like, SEGSORT_KERNEL_BUCKET_EQUAL, width - 1, 2, TWIN_NEITHER, kinds);
        }
    }
}

/* All kinds of keys, on segments so short that the guess does, so long that they are measured, and
 * so long that runs have to be merged. */
static void keys_that_crowd(void)
{
    const uint32_t lengths[] = {250, 7, 17, 40, 1, 200, 160, 31};
    for (int i = 0; i < KEY_TYPES * DIRECTIONS; i++) {
        gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                     .value_type = GL_SEGSORT_VALUE_INDEX,
                                     .direction = (gl_segsort_direction)(i / KEY_TYPES)};
        uint32_t kinds = (1u << KEYS_KINDS) - 1, wide = i / KEY_TYPES ? 1024 : 512;
        compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, lengths, COUNT_OF(lengths),
                        TWIN_NEITHER, kinds);
        const uint32_t longer[] = {wide, wide / 2 + 1};
        compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, longer, 2, TWIN_KEYS, kinds);
        compare_equal(&like, SEGSORT_KERNEL_BUCKET_EQUAL, 125, 9, TWIN_KEYS, kinds);
        compare_equal(&like, equal_kernel(&like, 16), 16, 33, TWIN_KEYS, kinds);
        like.begin_bit = 31;
        like.end_bit = 32; /* the sign of floats, and of a u64 one bit of the lower word */
        compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, longer, 2, TWIN_NEITHER, kinds);
    }
}

/* Where no pack pays: slots of every width that they have, several to a work group and with room left, by all types;
 * keys that crowd, compared and merged. */
static void slots(void)
{
    segsort_tuning none = *segsort_tuning_default();
    none.packs_few = 0;
    none.pack_fill = 101;
    none.slots_rows_min = 2;
    tuning = &none;
    const uint32_t lengths[] = {3,  2,   70, 9, 2,   2,   33, 100, 5,
                                64, 200, 31, 4, 128, 129, 8,  17,  256};
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i++) {
        gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                     .value_type = (gl_segsort_value_type)(i / KEY_TYPES),
                                     .direction = (gl_segsort_direction)(i % 2)};
        const uint32_t most = widest_pack(&like);
        const uint32_t longer[] = {most, most / 2 + 1, most / 2, most / 4 + 1};
        if (i % 3 == 1)
            mask_bits(&like);
        compare_lengths(&like, SEGSORT_KERNEL_BUCKET_SLOTS, lengths, COUNT_OF(lengths),
                        i % 3 ? TWIN_NEITHER : TWIN_BOTH,
                        1u << SPREAD | 1u << EXTREMES | 1u << NANS);
        compare_lengths(&like, SEGSORT_KERNEL_BUCKET_SLOTS, longer, COUNT_OF(longer),
                        i % 2 ? TWIN_KEYS : TWIN_NEITHER, 1u << RANDOM | 1u << FEW);
    }
    const gl_segsort_plan_desc like = {0};
    compare_lengths(&like, SEGSORT_KERNEL_BUCKET_SLOTS, lengths, COUNT_OF(lengths), TWIN_NEITHER,
                    (1u << KEYS_KINDS) - 1);
    tuning = segsort_tuning_default();
}

/* No bit decides: a stable copy. */
static void no_bits(void)
{
    const uint32_t lengths[] = {250, 7, 17}, equal[] = {5, 16, 90};
    const gl_segsort_plan_desc like = {
        .value_type = GL_SEGSORT_VALUE_U32, .begin_bit = 32, .end_bit = 32};
    compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, lengths, COUNT_OF(lengths), TWIN_NEITHER,
                    1u << RANDOM);
    for (size_t i = 0; i < COUNT_OF(equal); i++)
        compare_equal(&like, equal_kernel(&like, equal[i]), equal[i], 30, TWIN_BOTH, 1u << RANDOM);
}

/* Limits so low that passes are folded over three axes with surplus groups, and go on in further
 * dispatches. */
static void folded_dispatches(void)
{
    const gl_segsort_plan_desc like = {.key_type = GL_SEGSORT_KEY_I32,
                                       .value_type = GL_SEGSORT_VALUE_U32};
    uint32_t lengths[60];
    for (uint32_t i = 0; i < 60; i++)
        lengths[i] = 90 + i;
    for (work_groups = 2; work_groups <= 3; work_groups++) {
        const uint32_t equal[] = {1, 6, 20, 85};
        compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, lengths, 60, TWIN_NEITHER,
                        1u << SPREAD);
        for (size_t i = 0; i < COUNT_OF(equal); i++)
            compare_equal(&like, equal_kernel(&like, equal[i]), equal[i], 1200 / (i + 1),
                          TWIN_NEITHER, 1u << SPREAD);
    }
    work_groups = 65535;
}

/* Other tables: software drivers', and the fewest and the most invocations that there can be, with
 * ranks for no segment and for all that they can do. */
static void other_tunings(void)
{
    segsort_tuning least = *segsort_tuning_default(), most = least;
    for (uint32_t i = SEGSORT_TUNING_rank_threads; i <= SEGSORT_TUNING_quads_rows_max; i++) {
        *segsort_tuning_at(&least, i) = 0;
        *segsort_tuning_at(&most, i) = UINT32_MAX;
    }
    most.quads_rows_min = most.lane_quads_rows_min = 0;
    const segsort_tuning *const tunings[] = {&segsort_tuning_find("", "llvmpipe")->tuning, &least,
                                             &most};
    for (size_t i = 0; i < COUNT_OF(tunings); i++) {
        const gl_segsort_plan_desc like = {
            .key_type = i == 1 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_F32,
            .value_type = i == 2 ? GL_SEGSORT_VALUE_INDEX : GL_SEGSORT_VALUE_U32};
        tuning = tunings[i];
        for (uint32_t width = 256; width <= widest_pack(&like); width *= 2) {
            const uint32_t lengths[] = {width, width / 2 + 1, width - 1};
            compare_lengths(&like, SEGSORT_KERNEL_BUCKET_LOCAL, lengths, COUNT_OF(lengths),
                            TWIN_NEITHER, 1u << SPREAD | 1u << OUTLIER);
            compare_equal(&like, SEGSORT_KERNEL_BUCKET_EQUAL, width - 1, 3, TWIN_BOTH,
                          1u << SPREAD);
        }
        for (uint32_t length = 1; length <= 256; length += length < 8 ? 1 : 62)
            compare_equal(&like, equal_kernel(&like, length), length, 1 + 1100 / length, TWIN_KEYS,
                          1u << SPREAD | 1u << FEW);
    }
    tuning = segsort_tuning_default();
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    GLint bytes = 0;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    shared_bytes = (uint32_t)bytes;
    work_groups = 65535;
    tuning = segsort_tuning_default();
    static const struct check_test tests[] = {CHECK_TEST(every_type),
                                              CHECK_TEST(every_equal_length),
                                              CHECK_TEST(every_width),
                                              CHECK_TEST(keys_that_crowd),
                                              CHECK_TEST(slots),
                                              CHECK_TEST(no_bits),
                                              CHECK_TEST(folded_dispatches),
                                              CHECK_TEST(other_tunings)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_gpu_delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
