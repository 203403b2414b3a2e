/* Layer 3: plans that split long segments into buckets, on the GPU beside the kernels' CPU twins:
 * after every level of passes all buffers have to be equal, the work section and guard words
 * included, and after the last one the outputs have to be what the CPU reference gives. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "twin_gpu.h"

#include <glad/gl.h>
#include <math.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { KEY_TYPES = 4, VALUE_TYPES = 4, DIRECTIONS = 2, SETS = 2 };

static uint32_t shared_bytes; /* the driver's */
static uint32_t work_groups;  /* the limit along each axis that plans are built for */

/* A plan of one set, or a batch of two of which the second is in place where the first is not. */
struct run {
    segsort_plan plan;
    gl_segsort_plan_desc desc;
    struct twin_memory memories[SETS], expected[SETS];
    struct twin_gpu gpus[SETS];
};

static void make_run(struct run *run, enum twin_in_place in_place)
{
    for (uint32_t i = 0; i < run->plan.set_count; i++) {
        const gl_segsort_plan_desc of_set = twin_set_desc(&run->desc, i);
        enum twin_in_place own = i == 0 ? in_place : TWIN_BOTH - in_place;
        twin_memory_make_set(&run->memories[i], &run->plan, i, &of_set, own, i + 7);
        twin_memory_make_set(&run->expected[i], &run->plan, i, &of_set, own, i + 7);
        twin_memory_expect(&run->expected[i], &of_set);
        run->gpus[i] = twin_gpu_make(&run->memories[i]);
    }
}

static void free_run(struct run *run)
{
    for (uint32_t i = 0; i < run->plan.set_count; i++) {
        twin_gpu_delete(&run->gpus[i]);
        twin_memory_release(&run->memories[i]);
        twin_memory_release(&run->expected[i]);
    }
}

/* The GPU runs the passes of a level from the first to the last, the twins from the last to the
 * first, and their work groups backwards: they depend on none of each other. */
static bool compare_level(struct run *run, uint32_t begin, uint32_t end)
{
    const segsort_pass *passes = run->plan.passes;
    bool right = true;
    for (uint32_t i = begin; i < end; i++)
        if (twin_pass_is_due(&passes[i], run->memories[passes[i].set].in_place))
            right = twin_gpu_dispatch(&run->gpus[passes[i].set], &passes[i]) && right;
    for (uint32_t i = end; i > begin; i--) {
        const segsort_pass *pass = &passes[i - 1];
        struct twin twin = twin_memory_twin(&run->memories[pass->set]);
        twin.backwards = true;
        if (twin_pass_is_due(pass, run->memories[pass->set].in_place))
            twin_run_pass(&twin, pass);
    }
    for (uint32_t i = 0; i < run->plan.set_count; i++)
        right = twin_gpu_equal(&run->gpus[i], &passes[begin]) && right;
    return CHECK(right, "level %u, from %s on", passes[begin].level, passes[begin].label);
}

static void compare_levels(struct run *run, enum twin_in_place in_place)
{
    const segsort_plan *plan = &run->plan;
    char what[128] = "";
    make_run(run, in_place);
    for (uint32_t begin = 0, end; begin < plan->pass_count; begin = end) {
        for (end = begin + 1; end < plan->pass_count; end++)
            if (plan->passes[end].level != plan->passes[begin].level)
                break;
        if (!compare_level(run, begin, end))
            break;
    }
    for (uint32_t i = 0; i < plan->set_count; i++)
        CHECK(twin_memory_equal(&run->memories[i], &run->expected[i], what, sizeof what),
              "set %u: %s", i, what);
    free_run(run);
}

static uint32_t count_passes(const segsort_plan *plan, segsort_kernel_id kernel)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->pass_count; i++)
        count += plan->passes[i].variant.kernel == kernel;
    return count;
}

struct lengths {
    uint32_t list[12];
    size_t count;
    uint32_t first_set;   /* segments of the first of two sets; 0: there is one */
    bool radix;           /* one of them is too long to be split */
    bool chunks;          /* and has tiles enough for chunks */
    uint32_t buckets_max; /* so few that some have parts; 0: no segment is so long */
};

/* Segments that are too long for narrow bunches are sorted digit by digit, or in so few buckets that these have parts. */
static segsort_tuning tuning_of(uint32_t buckets_max)
{
    segsort_tuning tuning = *segsort_tuning_default();
    tuning.part_length_max = buckets_max > 0 ? UINT32_MAX : 0;
    if (buckets_max > 0)
        tuning.buckets_max = buckets_max;
    return tuning;
}

/* like has the types, the direction and the bits. */
static void compare(const gl_segsort_plan_desc *like, const struct lengths *lengths,
                    uint32_t plan_shared_bytes, enum twin_in_place in_place)
{
    gl_segsort_segment segments[COUNT_OF(lengths->list)];
    const uint32_t counts[SETS] = {lengths->first_set,
                                   (uint32_t)lengths->count - lengths->first_set};
    struct run run = {.desc = *like};
    segsort_limits limits = twin_limits();
    segsort_error error;
    const segsort_tuning tuning = tuning_of(lengths->buckets_max);
    limits.shared_bytes = plan_shared_bytes;
    limits.tuning = &tuning;
    for (int axis = 0; axis < 3; axis++)
        limits.work_groups[axis] = work_groups;
    generate_packed_segments(lengths->list, lengths->count, 3, segments);
    if (in_place == TWIN_NEITHER && lengths->first_set == 0)
        twin_scatter_segments(segments, lengths->count);
    run.desc.segments = segments;
    run.desc.segment_count = (uint32_t)lengths->count;
    if (lengths->first_set > 0) {
        run.desc.set_count = SETS;
        run.desc.set_segment_counts = counts;
    }
    if (!CHECK(twin_plan_build(&run.desc, &limits, &run.plan, &error), "%s", error.text))
        return;
    CHECK(count_passes(&run.plan, SEGSORT_KERNEL_SPLIT_FINISH) > 0, "nothing is split");
    CHECK((count_passes(&run.plan, SEGSORT_KERNEL_SPLIT_PARTS) > 0) == (lengths->buckets_max > 0),
          "buckets have parts");
    CHECK((count_passes(&run.plan, SEGSORT_KERNEL_RADIX_SCATTER) > 0) == lengths->radix,
          "digits are sorted by");
    CHECK((count_passes(&run.plan, SEGSORT_KERNEL_RADIX_CHUNK) > 0) == lengths->chunks,
          "there are chunks");
    compare_levels(&run, in_place);
    twin_plan_release(&run.plan);
}

static gl_segsort_plan_desc types_of(int i)
{
    return (gl_segsort_plan_desc){
        .key_type = (gl_segsort_key_type)(i % KEY_TYPES),
        .value_type = (gl_segsort_value_type)(i / KEY_TYPES % VALUE_TYPES),
        .direction = (gl_segsort_direction)(i / (KEY_TYPES * VALUE_TYPES) % DIRECTIONS)};
}

/* Some of the bits, an odd number of digits, in u64 keys across their words. */
static void mask_bits(gl_segsort_plan_desc *desc)
{
    desc->begin_bit = desc->key_type == GL_SEGSORT_KEY_U64 ? 20 : 3;
    desc->end_bit = desc->begin_bit + 21;
}

/* Three long segments, the shortest there is among them, and one that isn't. */
static void all_types(void)
{
    const struct lengths lengths = {.list = {4097, 3, 20011, 9000}, .count = 4};
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES * DIRECTIONS; i++) {
        gl_segsort_plan_desc desc = types_of(i);
        compare(&desc, &lengths, shared_bytes, i % 3 ? TWIN_NEITHER : TWIN_BOTH);
    }
}

/* Buckets of 10,000 rows and more beside those that need no parts. */
static void parts_of_all_types(void)
{
    const struct lengths lengths = {
        .list = {4097, 3, 40000, 5000, 20011}, .count = 5, .buckets_max = 4};
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES * DIRECTIONS; i += 3) {
        gl_segsort_plan_desc desc = types_of(i);
        if (i % 4 == 1)
            mask_bits(&desc);
        compare(&desc, &lengths, shared_bytes, (enum twin_in_place)(i % 4));
    }
}

/* Each key type with each value type; and the ways that streams can be in place. */
static void masked_keys(void)
{
    const struct lengths lengths = {.list = {4097, 12288, 700}, .count = 3};
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i++) {
        gl_segsort_plan_desc desc = types_of(i);
        desc.direction = (gl_segsort_direction)((i + i / KEY_TYPES) % DIRECTIONS);
        mask_bits(&desc);
        compare(&desc, &lengths, shared_bytes, (enum twin_in_place)((i + i / KEY_TYPES) % 4));
    }
}

/* Passes of both ways to sort long segments share levels. Even numbers of digits start from the
 * inputs, odd ones in place with a copy. */
static void beside_longer_segments(void)
{
    const struct lengths longer = {
        .list = {5000, 100000, 40, 9000, 96000}, .count = 5, .radix = true};
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i += 5) {
        gl_segsort_plan_desc desc = types_of(i);
        mask_bits(&desc);
        compare(&desc, &longer, shared_bytes, i % 2 ? TWIN_NEITHER : TWIN_BOTH);
        desc.end_bit = desc.begin_bit + 11;
        compare(&desc, &longer, shared_bytes, i % 2 ? TWIN_BOTH : TWIN_NEITHER);
    }
}

/* Chunks of tiles: then those of split segments have some as well. */
static void beside_chunks(void)
{
    const uint32_t chunk = SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS;
    const struct lengths chunks = {
        .list = {5000, chunk + 1, 40, 70000}, .count = 4, .radix = true, .chunks = true};
    for (int i = 3; i < KEY_TYPES * VALUE_TYPES; i += 3) {
        gl_segsort_plan_desc desc = types_of(i);
        desc.begin_bit = 5;
        desc.end_bit = desc.begin_bit + (i % 2 ? 8 : 12);
        compare(&desc, &chunks, shared_bytes, i % 2 ? TWIN_BOTH : TWIN_NEITHER);
    }
}

/* So little shared memory that a pack has no more rows. */
static uint32_t bytes_of_width(const gl_segsort_plan_desc *desc, uint32_t width)
{
    const segsort_types types = {desc->key_type, desc->value_type};
    uint32_t bytes = 1024;
    while (segsort_bucket_width_max(types, bytes) < width)
        bytes += 256;
    return bytes;
}

/* Samples of each width; buckets of narrow packs keep their values in shared memory. */
static void widths(void)
{
    const struct lengths wide[] = {{.list = {4097, 4098}, .count = 2},
                                   {.list = {8200}, .count = 1},
                                   {.list = {16300}, .count = 1},
                                   {.list = {90000, 4097}, .count = 2}};
    const struct lengths narrow = {.list = {4097, 25000}, .count = 2};
    gl_segsort_plan_desc desc = types_of(0);
    for (size_t i = 0; i < COUNT_OF(wide); i++)
        compare(&desc, &wide[i], shared_bytes, TWIN_NEITHER);
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i += 3) {
        desc = types_of(i);
        compare(&desc, &narrow, bytes_of_width(&desc, 1024), i % 2 ? TWIN_BOTH : TWIN_NEITHER);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Bunches */

enum { BUNCH_ROWS = 2048, SEGMENT_ROWS = 3 * BUNCH_ROWS };

/* Buckets' rows, SEGMENT_ROWS together, and the first rows of the bunches that they are put into. */
struct buckets {
    uint32_t rows[24];
    uint32_t bunch_count, first_rows[5];
};

static const segsort_pass *find_pass(const segsort_plan *plan, segsort_kernel_id kernel)
{
    for (uint32_t i = 0; i < plan->pass_count; i++)
        if (plan->passes[i].variant.kernel == kernel)
            return &plan->passes[i];
    return NULL;
}

/* As if they had been counted: the segment has few tiles, and a sum of all. */
static void write_counts(const struct twin_memory *memory, const segsort_pass *spine,
                         const struct buckets *buckets)
{
    uint32_t *sums = twin_memory_view(memory, TWIN_WORK) + spine->params.tile_sums;
    memset(sums, 0, 256 * 4);
    for (size_t bucket = 0; bucket < COUNT_OF(buckets->rows); bucket++)
        sums[bucket] = buckets->rows[bucket];
}

/* Merging, and sorting by few bits, leave what they like in the scratch. */
static void forget_scratch(struct run *run, int array)
{
    const struct twin_array *words = &run->memories[0].arrays[array];
    if (words->view_words == 0)
        return;
    glBindBuffer(GL_COPY_READ_BUFFER, run->gpus[0].buffers[array]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)words->first_word * 4,
                       (GLsizeiptr)words->view_words * 4, words->words + words->first_word);
}

static bool run_pass(struct run *run, segsort_kernel_id kernel)
{
    const segsort_pass *pass = find_pass(&run->plan, kernel);
    struct twin twin = twin_memory_twin(&run->memories[0]);
    bool right = CHECK(pass && twin_gpu_dispatch(&run->gpus[0], pass), "no such pass");
    if (!right)
        return false;
    twin_run_pass(&twin, pass);
    bool finishes = kernel == SEGSORT_KERNEL_SPLIT_FINISH || kernel == SEGSORT_KERNEL_SPLIT_PARTS;
    for (int array = 4; finishes && array < TWIN_WORK; array++)
        forget_scratch(run, array);
    return CHECK(twin_gpu_equal(&run->gpus[0], pass), "%s differs", pass->label);
}

/* The spine puts them together, and whatever lies in the scratch is sorted bunch by bunch. */
static void check_bunches(const gl_segsort_plan_desc *like, const struct buckets *buckets)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, SEGMENT_ROWS};
    struct run run = {.desc = *like};
    segsort_limits limits = twin_limits();
    segsort_error error;
    run.desc.segments = &segment;
    run.desc.segment_count = 1;
    if (!CHECK(twin_plan_build(&run.desc, &limits, &run.plan, &error), "%s", error.text))
        return;
    struct twin_memory *memory = &run.memories[0];
    twin_memory_make(memory, &run.plan, &run.desc, TWIN_NEITHER, 3);
    const segsort_pass *spine = find_pass(&run.plan, SEGSORT_KERNEL_SPLIT_SPINE);
    if (CHECK(spine, "there is no spine"))
        write_counts(memory, spine, buckets);
    for (int array = 0; array < 2; array++) {
        const struct twin_array *from = &memory->arrays[array], *to = &memory->arrays[4 + array];
        size_t words = from->view_words < to->view_words ? from->view_words : to->view_words;
        memcpy(to->words + to->first_word, from->words + from->first_word, words * 4);
    }
    run.gpus[0] = twin_gpu_make(memory);
    if (spine && run_pass(&run, SEGSORT_KERNEL_SPLIT_SPINE)) {
        const uint32_t *bunches = twin_memory_view(memory, TWIN_WORK) + spine->params.bunch_starts;
        CHECK(bunches[0] == buckets->bunch_count &&
                  memcmp(bunches + 1, buckets->first_rows, buckets->bunch_count * 4) == 0 &&
                  bunches[1 + bunches[0]] == SEGMENT_ROWS,
              "%u bunches", bunches[0]);
        run_pass(&run, SEGSORT_KERNEL_SPLIT_FINISH);
    }
    twin_gpu_delete(&run.gpus[0]);
    twin_memory_release(memory);
    twin_plan_release(&run.plan);
}

/* Hand-worked. A plan has 4 work groups for such a segment's bunches, so of 5 one takes two. */
static void bunches_of_buckets(void)
{
    const struct buckets cases[] = {
        /* As many rows as there is room for, and one more. */
        {{1024, 1024, 2048, 2000, 48}, 3, {0, 2048, 4096}},
        {{1024, 1025, 2047, 2000, 48}, 4, {0, 1024, 2049, 4096}},
        {{2047, 1, 1, 2047, 2048}, 3, {0, 2048, 4096}},
        /* The most that there can be. */
        {{1, 2048, 1, 2048, 1, 2045}, 5, {0, 1, 2049, 2050, 4098}},
        /* Buckets of more, alone, first, last and in between, side by side, and with empty ones. */
        {{6144}, 1, {0}},
        {{2049, 2048, 2047}, 3, {0, 2049, 4097}},
        {{2049, 0, 0, 7, 2049, 0, 0, 0, 0, 2039}, 4, {0, 2049, 2056, 4105}},
        {{0, 0, 2049, 0, 2046, 2049, 0}, 4, {0, 0, 2049, 4095}},
        {{100, 3000, 3044}, 3, {0, 100, 3100}},
        /* Equal ones; and in the last of the segment's 24 all but a few. */
        {{256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256,
          256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256},
         3,
         {0, 2048, 4096}},
        {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6121}, 2, {0, 23}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = types_of((int)i * 5);
        check_bunches(&desc, &cases[i]);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* How rows are parted */

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

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

/* Each with a segment of its own way; and one that has none that is split. */
static void two_sets(void)
{
    const uint32_t chunk = SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS;
    const struct lengths cases[] = {
        {.list = {300, 4097, 20000, 6000, 9, 9000}, .count = 6, .first_set = 3},
        {.list = {5000, 4096, 9000, 100000, 4100}, .count = 5, .first_set = 2, .radix = true},
        {.list = {chunk + 1, 5000, 100, 7000, 8000},
         .count = 5,
         .first_set = 2,
         .radix = true,
         .chunks = true},
        {.list = {3, 700, 30000, 8000}, .count = 4, .first_set = 2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = types_of((int)i * 5 % (KEY_TYPES * VALUE_TYPES));
        desc.end_bit = i % 2 ? 19 : 0;
        compare(&desc, &cases[i], shared_bytes, i % 2 ? TWIN_NEITHER : TWIN_BOTH);
    }
}

/* Limits so low that passes are folded over three axes with surplus groups, and go on in further
 * dispatches. */
static void folded_dispatches(void)
{
    const struct lengths lengths = {
        .list = {3, 9000, 100000, 500, 4097, 20000, 5000}, .count = 7, .radix = true};
    for (work_groups = 2; work_groups <= 3; work_groups++) {
        gl_segsort_plan_desc desc = types_of(work_groups == 2 ? 0 : 15);
        desc.begin_bit = 1;
        desc.end_bit = 9;
        compare(&desc, &lengths, shared_bytes, TWIN_NEITHER);
    }
    work_groups = 65535;
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    /* The lengths are those of 32 KiB. */
    shared_bytes = twin_limits().shared_bytes;
    work_groups = 65535;
    static const struct check_test tests[] = {
        CHECK_TEST(all_types),          CHECK_TEST(parts_of_all_types),
        CHECK_TEST(parts_of_any_keys),  CHECK_TEST(parts_of_many_rows),
        CHECK_TEST(masked_keys),        CHECK_TEST(beside_longer_segments),
        CHECK_TEST(beside_chunks),      CHECK_TEST(widths),
        CHECK_TEST(bunches_of_buckets), CHECK_TEST(two_sets),
        CHECK_TEST(folded_dispatches),  CHECK_TEST(even_segments_have_no_splitters)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_gpu_delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
