/* Layer 1: whole plans. Pure C, no GL. The passes are run by the kernels' CPU twins on the real
 * segment table, so that a wrong table, order, condition, barrier or fold shows without a GPU. */
#include "plan_setup.h"

enum { IN_PLACES = 4 };

/* Runs the passes that are due. Backwards, work groups run from the last to the first, and so do
 * passes without a barrier between them: neither order may matter. */
static void run_passes(const struct twin_memory *memory, bool backwards)
{
    struct twin twin = twin_memory_twin(memory);
    twin.backwards = backwards;
    uint32_t begin = 0;
    while (begin < plan.pass_count) {
        uint32_t end = begin + 1;
        while (end < plan.pass_count && (!twin_pass_is_due(&plan.passes[end], memory->in_place) ||
                                         plan.passes[end].barriers == 0))
            end++;
        for (uint32_t i = 0; i < end - begin; i++) {
            const segsort_pass *pass = &plan.passes[backwards ? end - 1 - i : begin + i];
            if (twin_pass_is_due(pass, memory->in_place))
                twin_run_pass(&twin, pass);
        }
        begin = end;
    }
}

static void check_sorts(const gl_segsort_plan_desc *desc, enum twin_in_place in_place,
                        bool backwards)
{
    if (!build(desc))
        return;
    struct twin_memory memory, expected;
    char what[128] = "";
    twin_memory_make(&memory, &plan, desc, in_place, desc->segment_count);
    twin_memory_make(&expected, &plan, desc, in_place, desc->segment_count);
    twin_memory_expect(&expected, desc);
    run_passes(&memory, backwards);
    CHECK(twin_memory_equal(&memory, &expected, what, sizeof what),
          "key type %d, value type %d, direction %d, algorithm %d, bits %u..%u, in place %d, "
          "%u work groups, %u bytes shared: %s",
          (int)desc->key_type, (int)desc->value_type, (int)desc->direction, (int)desc->algorithm,
          desc->begin_bit, desc->end_bit, (int)in_place, limits.work_groups[0], limits.shared_bytes,
          what);
    twin_memory_release(&memory);
    twin_memory_release(&expected);
    twin_plan_release(&plan);
}

/* Out of place the streams' segments lie in different orders; in place they can't. */
static void check_lengths(gl_segsort_plan_desc *desc, const uint32_t *lengths, size_t count,
                          uint64_t seed)
{
    gl_segsort_segment segments[32];
    for (int in_place = 0; in_place < IN_PLACES; in_place++) {
        if (desc->value_type != GL_SEGSORT_VALUE_U32 && desc->value_type != GL_SEGSORT_VALUE_U64 &&
            in_place >= TWIN_VALUES)
            continue;
        generate_packed_segments(lengths, count, 2, segments);
        if (in_place == TWIN_NEITHER)
            twin_scatter_segments(segments, count);
        generate_shuffled_segments(segments, count, seed);
        desc->segments = segments;
        desc->segment_count = (uint32_t)count;
        check_sorts(desc, (enum twin_in_place)in_place, (seed + (uint64_t)in_place) % 2);
    }
}

static void plans_sort_every_type(void)
{
    const uint32_t lengths[] = {3, 0, 1, 2, 256, 257, 4096, 4097, 5, 600, 8193, 0, 2047, 2049, 7};
    reset_limits(65535);
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES * DIRECTIONS * ALGORITHMS; i++) {
        gl_segsort_plan_desc desc = {
            .key_type = (gl_segsort_key_type)(i % KEY_TYPES),
            .value_type = (gl_segsort_value_type)(i / KEY_TYPES % VALUE_TYPES),
            .direction = (gl_segsort_direction)(i / (KEY_TYPES * VALUE_TYPES) % DIRECTIONS),
            .algorithm = (gl_segsort_algorithm)(i / (KEY_TYPES * VALUE_TYPES * DIRECTIONS))};
        check_lengths(&desc, lengths, COUNT_OF(lengths), (uint64_t)i);
    }
}

/* No digit, odd and even numbers of them, digits cut short and across a u64's words. */
static void plans_sort_by_some_bits(void)
{
    const uint32_t ranges[][2] = {{0, 1},   {5, 5},   {0, 8},   {3, 12},  {8, 32},  {4, 28},
                                  {31, 32}, {28, 36}, {20, 60}, {33, 64}, {63, 64}, {64, 64}};
    const uint32_t lengths[] = {1, 2, 7, 100, 256, 300, 4096, 4097, 9000};
    reset_limits(65535);
    for (size_t r = 0; r < COUNT_OF(ranges); r++)
        for (int i = 0; i < KEY_TYPES * ALGORITHMS; i++) {
            gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                         .value_type =
                                             (gl_segsort_value_type)((r + 2) % VALUE_TYPES),
                                         .direction = (gl_segsort_direction)(r % DIRECTIONS),
                                         .algorithm = (gl_segsort_algorithm)(i / KEY_TYPES),
                                         .begin_bit = ranges[r][0],
                                         .end_bit = ranges[r][1]};
            if (desc.end_bit <= 32 * segsort_key_words(desc.key_type))
                check_lengths(&desc, lengths, COUNT_OF(lengths), r);
        }
}

/* Limits low enough that a pass takes several dispatches. */
static void plans_sort_within_dispatch_limits(void)
{
    const uint32_t lengths[] = {3, 4097, 1, 40000, 256, 65, 2, 9, 9000, 4096};
    const uint32_t work_groups[] = {2, 5, 65535};
    for (size_t l = 0; l < COUNT_OF(work_groups); l++)
        for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
            gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(algorithm + 1),
                                         .value_type = (gl_segsort_value_type)algorithm,
                                         .direction = (gl_segsort_direction)(l % DIRECTIONS),
                                         .algorithm = (gl_segsort_algorithm)algorithm,
                                         .end_bit = l == 1 ? 20 : 32};
            reset_limits(work_groups[l]);
            check_lengths(&desc, lengths, COUNT_OF(lengths), l);
        }
}

/* One segment has two chunks of tiles, another exactly one, a third a part of one. */
static void plans_sort_by_chunks(void)
{
    const uint32_t chunk = SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS;
    const uint32_t lengths[] = {4097, chunk + 1, 5, chunk};
    gl_segsort_plan_desc desc = {
        .key_type = GL_SEGSORT_KEY_F32, .value_type = GL_SEGSORT_VALUE_INDEX, .begin_bit = 12};
    for (uint32_t work_groups = 2; work_groups <= 4; work_groups += 2) {
        reset_limits(work_groups);
        desc.end_bit = work_groups == 2 ? 32 : 20;
        check_lengths(&desc, lengths, COUNT_OF(lengths), work_groups);
    }
}

/* Children of about 3,500 rows, of which the last segment's are sorted part by part. */
static void plans_sort_twice(void)
{
    const uint32_t lengths[] = {4097, 20000, 5, 30001};
    segsort_tuning tuning = *segsort_tuning_default();
    tuning.part_length_max = 0;
    tuning.child_rows = 3500;
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i += 3)
        for (tuning.buckets_max = 16; tuning.buckets_max >= 4; tuning.buckets_max /= 4) {
            gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                         .value_type = (gl_segsort_value_type)(i / KEY_TYPES),
                                         .direction = (gl_segsort_direction)(i % DIRECTIONS)};
            reset_limits(65535);
            limits.tuning = &tuning;
            check_lengths(&desc, lengths, COUNT_OF(lengths), (uint64_t)i);
        }
}

/* Shared memory down to what a width of 2 takes: the plan adapts. */
static void plans_adapt_to_shared_memory(void)
{
    const uint32_t lengths[] = {1, 9, 63, 64, 65, 500, 512, 513, 4096, 5000};
    for (uint32_t bytes = 64; bytes <= 49152; bytes = bytes * 3 / 2)
        for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
            reset_limits(65535);
            limits.shared_bytes = bytes;
            gl_segsort_plan_desc desc = {
                .key_type = bytes % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_I32,
                .value_type = bytes % 5 ? GL_SEGSORT_VALUE_U32 : GL_SEGSORT_VALUE_U64,
                .algorithm = (gl_segsort_algorithm)algorithm};
            check_lengths(&desc, lengths, COUNT_OF(lengths), bytes);
        }
}

CHECK_MAIN(CHECK_TEST(plans_sort_every_type), CHECK_TEST(plans_sort_by_some_bits),
           CHECK_TEST(plans_sort_within_dispatch_limits), CHECK_TEST(plans_sort_by_chunks),
           CHECK_TEST(plans_sort_twice), CHECK_TEST(plans_adapt_to_shared_memory))
