/* Layer 3: each gather pass of a plan on the GPU beside the kernel's CPU twin, from the same memory:
 * afterwards all buffers have to be equal, guard words included. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "twin_gpu.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define SEGMENTS_MAX 128

static segsort_limits limits;

static void reset_limits(uint32_t shared_bytes, uint32_t work_groups)
{
    limits = twin_limits();
    limits.shared_bytes = shared_bytes;
    for (int axis = 0; axis < 3; axis++)
        limits.work_groups[axis] = work_groups;
}

/* ---------------------------------------------------------------------------------------------- */

/* Mostly indices of records that there are, some of them more than once; and here and there the
 * last one, the one behind it and others that name no record. Between segments there are right ones,
 * which nobody may follow. */
static void write_indices(const struct twin_memory *memory, const gl_segsort_plan_desc *desc)
{
    uint32_t *indices = twin_memory_view(memory, SEGSORT_STREAM_VALUES);
    uint64_t state = memory->gather.record_words;
    for (size_t i = 0; i < memory->arrays[SEGSORT_STREAM_VALUES].view_words; i++)
        indices[i] = 0;
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        const gl_segsort_segment *segment = &desc->segments[i];
        bool in_view = memory->gather.index_base == GL_SEGSORT_INDEX_IN_VIEW;
        uint32_t count = in_view ? memory->gather.record_rows : segment->length;
        const uint32_t odd[] = {count - 1, count, count + 1, 0x80000000, 0xffffffff};
        for (uint32_t row = 0; row < segment->length; row++) {
            uint32_t kind = generate_below(&state, 20);
            indices[segment->output_values_offset + row] =
                kind < COUNT_OF(odd) ? odd[kind] : generate_below(&state, count);
        }
    }
}

/* What all passes together have to leave: what the segments say, without the plan's table. */
static void expect(const struct twin_memory *memory, const gl_segsort_plan_desc *desc,
                   uint32_t *expected)
{
    const struct twin_gather *gather = &memory->gather;
    const uint32_t *records = twin_memory_view(memory, SEGSORT_STREAM_KEYS);
    const uint32_t *indices = twin_memory_view(memory, SEGSORT_STREAM_VALUES);
    size_t words = gather->record_words;
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        const gl_segsort_segment *segment = &desc->segments[i];
        bool in_view = gather->index_base == GL_SEGSORT_INDEX_IN_VIEW;
        for (uint32_t row = 0; row < segment->length; row++) {
            uint32_t index_row = segment->output_values_offset + row, index = indices[index_row];
            uint32_t output_row = segment->output_keys_offset + row;
            size_t record = in_view ? index : (size_t)segment->keys_offset + index;
            if (index_row < gather->index_rows && output_row < gather->output_rows &&
                (in_view || index < segment->length) && record < gather->record_rows)
                memcpy(expected + output_row * words, records + record * words, words * 4);
        }
    }
}

static bool as_expected(const struct twin_memory *memory, const uint32_t *expected)
{
    return memcmp(expected, twin_memory_view(memory, SEGSORT_STREAM_OUTPUT_KEYS),
                  memory->arrays[SEGSORT_STREAM_OUTPUT_KEYS].view_words * 4) == 0;
}

static void compare_passes(const struct twin_memory *memory, const gl_segsort_plan_desc *desc)
{
    const segsort_plan *plan = memory->plan;
    size_t bytes = memory->arrays[SEGSORT_STREAM_OUTPUT_KEYS].view_words * 4;
    uint32_t *expected = malloc(bytes);
    write_indices(memory, desc);
    memcpy(expected, twin_memory_view(memory, SEGSORT_STREAM_OUTPUT_KEYS), bytes);
    expect(memory, desc, expected);
    struct twin twin = twin_memory_twin(memory);
    struct twin_gpu gpu = twin_gpu_make(memory);
    for (uint32_t i = 0; i < plan->gather_pass_count; i++) {
        const segsort_pass *pass = &plan->gather_passes[i];
        bool right = twin_gpu_dispatch(&gpu, pass);
        twin_run_pass(&twin, pass);
        right = twin_gpu_equal(&gpu, pass) && right;
        if (!CHECK(right, "%s: records of %u words, index base %d, %u records in the view",
                   pass->label, memory->gather.record_words, (int)memory->gather.index_base,
                   memory->gather.record_rows))
            break;
    }
    CHECK(as_expected(memory, expected), "the passes together: records of %u words",
          memory->gather.record_words);
    free(expected);
    twin_gpu_delete(&gpu);
}

static void compare_base(const segsort_plan *plan, const gl_segsort_plan_desc *desc,
                         uint32_t record_words, gl_segsort_index_base base, int32_t more_records)
{
    struct twin_memory memory;
    twin_memory_make_gather(&memory, plan, record_words, base, more_records);
    compare_passes(&memory, desc);
    twin_memory_release(&memory);
}

/* Both index bases; counted from the view's first record there are more records than the segments
 * reach, or fewer. And views that end before the segments do, as they may after a listed sort. */
static void compare_bases(const segsort_plan *plan, const gl_segsort_plan_desc *desc,
                          uint32_t record_words)
{
    int32_t reached = (int32_t)plan->sets[0].layout.extents[SEGSORT_STREAM_KEYS].end_row;
    compare_base(plan, desc, record_words, GL_SEGSORT_INDEX_IN_SEGMENT, 0);
    compare_base(plan, desc, record_words, GL_SEGSORT_INDEX_IN_VIEW, 3);
    if (record_words > 8)
        return;
    compare_base(plan, desc, record_words, GL_SEGSORT_INDEX_IN_VIEW, 1 - reached * 2 / 3);
    for (int short_view = 0; short_view < 3; short_view++) {
        struct twin_memory memory;
        twin_memory_make_gather(&memory, plan, record_words,
                                (gl_segsort_index_base)(short_view % 2), 0);
        uint32_t *const rows[] = {&memory.gather.record_rows, &memory.gather.index_rows,
                                  &memory.gather.output_rows};
        *rows[short_view] /= 2;
        compare_passes(&memory, desc);
        twin_memory_release(&memory);
    }
}

static void compare_widths(gl_segsort_algorithm algorithm, const uint32_t *lengths, size_t count,
                           const uint32_t *widths, size_t width_count)
{
    gl_segsort_segment segments[SEGMENTS_MAX];
    segsort_plan plan;
    segsort_error error;
    for (size_t i = 0; i < width_count; i++) {
        generate_packed_segments(lengths, count, 3, segments);
        twin_scatter_segments(segments, count);
        generate_shuffled_segments(segments, count, widths[i]);
        /* Offsets count rows, however wide keys are, and values aren't looked at by whom they come
         * from. */
        const gl_segsort_plan_desc desc = {
            .key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
            .value_type = i % 3 ? GL_SEGSORT_VALUE_INDEX : GL_SEGSORT_VALUE_U32,
            .direction = (gl_segsort_direction)(i % 2),
            .algorithm = algorithm,
            .segments = segments,
            .segment_count = (uint32_t)count};
        if (!CHECK(twin_plan_build(&desc, &limits, &plan, &error), "%s", error.text))
            return;
        compare_bases(&plan, &desc, widths[i]);
        twin_plan_release(&plan);
    }
}

/* One below, at and above the width of each class of slots. */
static size_t slot_edges(uint32_t widest, uint32_t *lengths)
{
    size_t count = 0;
    for (uint32_t width = 1; width <= widest; width *= 2)
        for (uint32_t d = 0; d < 3; d++)
            lengths[count++] = width + d - 1;
    return count;
}

/* Of words that divide the invocations of a work group, that don't, and that are more than them. */
static const uint32_t narrow_records[] = {1, 2, 3, 5, 8, 32};
static const uint32_t wide_records[] = {255, 256, 257, 1000};

/* ---------------------------------------------------------------------------------------------- */

static void slots_of_narrow_records(void)
{
    uint32_t lengths[SEGMENTS_MAX];
    size_t count = slot_edges(4096, lengths);
    reset_limits(32768, 65535);
    for (int algorithm = 0; algorithm < 3; algorithm++)
        compare_widths((gl_segsort_algorithm)algorithm, lengths, count, narrow_records,
                       COUNT_OF(narrow_records));
}

static void slots_of_wide_records(void)
{
    uint32_t lengths[SEGMENTS_MAX];
    size_t count = slot_edges(512, lengths);
    reset_limits(32768, 65535);
    for (int algorithm = 0; algorithm < 3; algorithm++)
        compare_widths((gl_segsort_algorithm)algorithm, lengths, count, wide_records,
                       COUNT_OF(wide_records));
}

static void radix_tiles(void)
{
    const uint32_t local = SEGSORT_RADIX_LOCAL_MAX, tile = SEGSORT_RADIX_TILE_ROWS;
    const uint32_t lengths[] = {local + 1, local + tile - 1, local + tile, local + tile + 1, 70000};
    reset_limits(32768, 65535);
    compare_widths(GL_SEGSORT_ALGORITHM_RADIX, lengths, COUNT_OF(lengths), narrow_records,
                   COUNT_OF(narrow_records) - 1);
    compare_widths(GL_SEGSORT_ALGORITHM_AUTO, lengths, 1, wide_records, COUNT_OF(wide_records));
}

/* The less shared memory, the shorter the network's tiles: 4 rows, 64 and more. */
static void network_tiles(void)
{
    const uint32_t shared_bytes[] = {64, 1024, 32768};
    for (size_t i = 0; i < COUNT_OF(shared_bytes); i++) {
        const segsort_types types = {GL_SEGSORT_KEY_U64, GL_SEGSORT_VALUE_U32};
        uint32_t tile =
            segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_MERGE, types, shared_bytes[i]);
        uint32_t local = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL,
                                                  (segsort_types){GL_SEGSORT_KEY_U32, types.value},
                                                  shared_bytes[i]);
        const uint32_t lengths[] = {local + 1,        local + tile - 1, local + tile,
                                    local + tile + 1, 4 * local - 1,    4 * local + 1};
        reset_limits(shared_bytes[i], 65535);
        compare_widths(GL_SEGSORT_ALGORITHM_BITONIC, lengths, COUNT_OF(lengths), narrow_records,
                       COUNT_OF(narrow_records));
        if (shared_bytes[i] <= 1024)
            compare_widths(GL_SEGSORT_ALGORITHM_BITONIC, lengths, COUNT_OF(lengths), wide_records,
                           COUNT_OF(wide_records));
    }
}

/* Two work groups along an axis: dispatches are folded, have surplus groups, and go on in further
 * ones, for slots and for tiles. */
static void surplus_groups(void)
{
    uint32_t lengths[SEGMENTS_MAX];
    size_t count = 0;
    const uint32_t longer[] = {4097, 513, 9000, 12289, 1000, 4098};
    while (count < 90) {
        lengths[count] = count % 9 ? 300 + (uint32_t)count : (uint32_t)count / 9;
        count++;
    }
    for (size_t i = 0; i < COUNT_OF(longer); i++)
        lengths[count++] = longer[i];
    const uint32_t widths[] = {1, 3, 8};
    for (uint32_t groups = 2; groups <= 3; groups++) {
        reset_limits(32768, groups);
        compare_widths(GL_SEGSORT_ALGORITHM_AUTO, lengths, count, widths, COUNT_OF(widths));
        reset_limits(512, groups);
        compare_widths(GL_SEGSORT_ALGORITHM_BITONIC, lengths, count, widths, COUNT_OF(widths));
    }
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    static const struct check_test tests[] = {
        CHECK_TEST(slots_of_narrow_records), CHECK_TEST(slots_of_wide_records),
        CHECK_TEST(radix_tiles), CHECK_TEST(network_tiles), CHECK_TEST(surplus_groups)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_gpu_delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
