/* Layer 3: plans that split long segments into buckets, on the GPU beside the kernels' CPU twins:
 * after every level of passes all buffers have to be equal, the work section and guard words
 * included, and after the last one the outputs have to be what the CPU reference gives. */
#include "split_run.h"

enum { KEY_TYPES = 4, VALUE_TYPES = 4, DIRECTIONS = 2 };

static uint32_t shared_bytes; /* the driver's */
static uint32_t work_groups;  /* the limit along each axis that plans are built for */

struct lengths {
    uint32_t list[12];
    size_t count;
    uint32_t first_set;   /* segments of the first of two sets; 0: there is one */
    bool radix;           /* one of them is too long to be split */
    bool chunks;          /* and has tiles enough for chunks */
    uint32_t buckets_max; /* so few that some have parts; 0: no segment is so long */
};

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

/* As if they had been counted: the segment has few tiles, and a sum of all. */
static void write_counts(const struct twin_memory *memory, const segsort_pass *spine,
                         const struct buckets *buckets)
{
    uint32_t *sums = twin_memory_view(memory, TWIN_WORK) + spine->params.tile_sums;
    memset(sums, 0, 256 * 4);
    for (size_t bucket = 0; bucket < COUNT_OF(buckets->rows); bucket++)
        sums[bucket] = buckets->rows[bucket];
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
        CHECK_TEST(masked_keys),        CHECK_TEST(beside_longer_segments),
        CHECK_TEST(beside_chunks),      CHECK_TEST(widths),
        CHECK_TEST(bunches_of_buckets), CHECK_TEST(two_sets),
        CHECK_TEST(folded_dispatches)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_gpu_delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
