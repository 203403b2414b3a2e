/* Layer 3: each pass of a plan on the GPU beside the kernel's CPU twin, from the same memory: after
 * every pass all buffers have to be equal, guard words included. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "twin_gpu.h"

#include <glad/gl.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static uint32_t shared_bytes; /* the driver's */
static uint32_t work_groups;  /* the limit along each axis that plans are built for */

/* Every key type in both directions, every value type, and none with the same other twice. */
static const gl_segsort_plan_desc spread[] = {
    {.key_type = GL_SEGSORT_KEY_U32, .value_type = GL_SEGSORT_VALUE_U32},
    {.key_type = GL_SEGSORT_KEY_U32,
     .value_type = GL_SEGSORT_VALUE_U64,
     .direction = GL_SEGSORT_DESCENDING},
    {.key_type = GL_SEGSORT_KEY_I32,
     .value_type = GL_SEGSORT_VALUE_NONE,
     .direction = GL_SEGSORT_DESCENDING},
    {.key_type = GL_SEGSORT_KEY_I32, .value_type = GL_SEGSORT_VALUE_INDEX},
    {.key_type = GL_SEGSORT_KEY_F32,
     .value_type = GL_SEGSORT_VALUE_INDEX,
     .direction = GL_SEGSORT_DESCENDING},
    {.key_type = GL_SEGSORT_KEY_F32, .value_type = GL_SEGSORT_VALUE_U32},
    {.key_type = GL_SEGSORT_KEY_U64, .value_type = GL_SEGSORT_VALUE_U64},
    {.key_type = GL_SEGSORT_KEY_U64,
     .value_type = GL_SEGSORT_VALUE_NONE,
     .direction = GL_SEGSORT_DESCENDING},
};

/* ---------------------------------------------------------------------------------------------- */
/* Cases */

/* Runs the plan's passes on the GPU and by their twins, side by side. A pass after one that differs
 * would differ too. */
static void compare_passes(const segsort_plan *plan, const gl_segsort_plan_desc *desc,
                           enum twin_in_place in_place)
{
    struct twin_memory memory;
    twin_memory_make(&memory, plan, desc, in_place, plan->sets[0].layout.row_count);
    struct twin twin = twin_memory_twin(&memory);
    struct twin_gpu gpu = twin_gpu_make(&memory);
    bool right = true;
    for (uint32_t i = 0; i < plan->pass_count && right; i++) {
        const segsort_pass *pass = &plan->passes[i];
        if (!twin_pass_is_due(pass, memory.in_place))
            continue;
        right = twin_gpu_dispatch(&gpu, pass);
        twin_run_pass(&twin, pass);
        right = twin_gpu_equal(&gpu, pass) && right;
        CHECK(right, "%s", pass->label);
    }
    twin_gpu_delete(&gpu);
    twin_memory_release(&memory);
}

/* like has the types, the direction, the bits and the algorithm. */
static void compare_lengths(const gl_segsort_plan_desc *like, const uint32_t *lengths, size_t count,
                            uint32_t plan_shared_bytes, enum twin_in_place in_place)
{
    gl_segsort_segment segments[64];
    segsort_limits limits = twin_limits();
    limits.shared_bytes = plan_shared_bytes;
    for (int axis = 0; axis < 3; axis++)
        limits.work_groups[axis] = work_groups;
    generate_packed_segments(lengths, count, 3, segments);
    if (in_place == TWIN_NEITHER)
        twin_scatter_segments(segments, count);
    gl_segsort_plan_desc desc = *like;
    desc.segments = segments;
    desc.segment_count = (uint32_t)count;
    segsort_plan plan;
    segsort_error error;
    if (!CHECK(twin_plan_build(&desc, &limits, &plan, &error), "%s", error.text))
        return;
    compare_passes(&plan, &desc, in_place);
    twin_plan_release(&plan);
}

/* By all bits out of place, and by some of them in place. For the radix sort across work groups
 * these are an odd number of digits, the last one cut short, and in a u64 one that lies across the
 * words. */
static void compare_orders(size_t types, gl_segsort_algorithm algorithm, const uint32_t *lengths,
                           size_t count, uint32_t plan_shared_bytes)
{
    gl_segsort_plan_desc like = spread[types];
    like.algorithm = algorithm;
    compare_lengths(&like, lengths, count, plan_shared_bytes, TWIN_NEITHER);
    like.begin_bit = like.key_type == GL_SEGSORT_KEY_U64 ? 20 : 3;
    like.end_bit = like.begin_bit + 21;
    compare_lengths(&like, lengths, count, plan_shared_bytes, TWIN_BOTH);
    compare_lengths(&like, lengths, count, plan_shared_bytes, types % 2 ? TWIN_KEYS : TWIN_NEITHER);
}

/* Compiling is what takes time, so one pair of types goes through all widths, and the others
 * through a few. */

/* Several segments a width, so that slots of one work group have different lengths. */
static size_t add_lengths(uint32_t *lengths, size_t count, uint32_t width)
{
    const uint32_t some[] = {width, width - 1, width / 2 + 1, width < 1024 ? width : 1, 2};
    memcpy(lengths + count, some, sizeof some);
    return count + COUNT_OF(some);
}

static void network_in_a_work_group(void)
{
    for (size_t types = 0; types < COUNT_OF(spread); types++) {
        const segsort_types of = {spread[types].key_type, spread[types].value_type};
        uint32_t lengths[64],
            widest = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, of, shared_bytes);
        size_t count = add_lengths(lengths, 0, widest);
        if (types > 0)
            count = add_lengths(lengths, count, 2u << types);
        for (uint32_t width = 2; types == 0 && width < widest; width *= 2)
            count = add_lengths(lengths, count, width);
        compare_orders(types, GL_SEGSORT_ALGORITHM_BITONIC, lengths, count, shared_bytes);
    }
}

/* The smaller shared memory is, the more of the network runs between tiles. */
static void network_across_work_groups(void)
{
    const uint32_t shared_sizes[] = {64, 512, 4096, 32768};
    for (size_t types = 0; types < COUNT_OF(spread); types++)
        for (size_t i = 0; i < COUNT_OF(shared_sizes); i++) {
            const segsort_types of = {spread[types].key_type, spread[types].value_type};
            uint32_t bytes = shared_sizes[i];
            if (bytes > shared_bytes || (types > 0 && i != 1 + types % 2))
                continue;
            uint32_t local = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, of, bytes);
            uint32_t tile = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_MERGE, of, bytes);
            const uint32_t lengths[] = {
                local + 1,     local + tile - 1, local + tile, local + tile + 1,
                2 * local + 1, 4 * tile - 1,     4 * tile + 1, local};
            compare_orders(types, GL_SEGSORT_ALGORITHM_BITONIC, lengths, COUNT_OF(lengths), bytes);
        }
}

static void radix_sort_in_a_work_group(void)
{
    const uint32_t narrow[] = {1, 2, 255, 256, 257, 511, 512};
    const uint32_t wide[] = {513, 1023, 1024, 1025, 2047, 2048};
    const uint32_t widest[] = {2049, 4095, 4096};
    for (size_t types = 0; types < COUNT_OF(spread); types++)
        compare_orders(types, GL_SEGSORT_ALGORITHM_RADIX, narrow, COUNT_OF(narrow), shared_bytes);
    compare_orders(0, GL_SEGSORT_ALGORITHM_RADIX, wide, COUNT_OF(wide), shared_bytes);
    /* u64 keys and values, which take the most */
    compare_orders(COUNT_OF(spread) - 2, GL_SEGSORT_ALGORITHM_RADIX, widest, COUNT_OF(widest),
                   shared_bytes);
}

static void radix_sort_across_work_groups(void)
{
    const uint32_t tile = SEGSORT_RADIX_TILE_ROWS, local = SEGSORT_RADIX_LOCAL_MAX;
    const uint32_t lengths[] = {local + 1, local + tile - 1, local + tile, local + tile + 1,
                                2 * local + 1};
    for (size_t types = 0; types < COUNT_OF(spread); types++)
        compare_orders(types, GL_SEGSORT_ALGORITHM_RADIX, lengths, COUNT_OF(lengths), shared_bytes);
}

/* One segment has two chunks of tiles, another exactly one, a third a part of one. */
static void radix_sort_by_chunks(void)
{
    const uint32_t chunk = SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS;
    const uint32_t lengths[] = {4097, chunk + 1, chunk};
    for (size_t types = 0; types < COUNT_OF(spread); types++) {
        gl_segsort_plan_desc like = spread[types];
        like.begin_bit = 5;
        like.end_bit = like.begin_bit + (types % 2 ? 10 : 8);
        compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes,
                        types % 4 < 2 ? TWIN_NEITHER : TWIN_BOTH);
    }
}

/* Limits so low that passes are folded over three axes with surplus groups, and go on in further
 * dispatches. */
static void folded_dispatches(void)
{
    const uint32_t tile = SEGSORT_RADIX_TILE_ROWS, chunk = SEGSORT_CHUNK_TILES * tile;
    const uint32_t few[] = {3, 511, 4097, 500, 9000, 510, 300, 4097, 509, 5001, 508, 4097, 7};
    const uint32_t chunks[] = {4097, chunk + 1, 5000, 4098}; /* five */
    for (work_groups = 2; work_groups <= 3; work_groups++) {
        compare_orders(1, GL_SEGSORT_ALGORITHM_BITONIC, few, COUNT_OF(few), 4096);
        compare_orders(1, GL_SEGSORT_ALGORITHM_RADIX, few, COUNT_OF(few), shared_bytes);
        gl_segsort_plan_desc like = spread[1];
        like.end_bit = 8;
        compare_lengths(&like, chunks, COUNT_OF(chunks), shared_bytes, TWIN_NEITHER);
    }
    work_groups = 65535;
}

/* No bit decides: local kernels and a copy have to keep the order. */
static void stable_copies(void)
{
    const uint32_t lengths[] = {3, 100, 511, 4097, 12288};
    for (size_t types = 0; types < COUNT_OF(spread); types++) {
        gl_segsort_plan_desc like = spread[types];
        like.algorithm = GL_SEGSORT_ALGORITHM_RADIX;
        like.begin_bit = like.end_bit = 32;
        compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes, TWIN_NEITHER);
        compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes, TWIN_KEYS);
        like.algorithm = GL_SEGSORT_ALGORITHM_BITONIC;
        if (types == 0)
            compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes, TWIN_NEITHER);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Batches */

#define BATCH_SETS 6

struct batch {
    segsort_plan plan;
    gl_segsort_plan_desc desc;
    struct twin_memory memories[BATCH_SETS], expected[BATCH_SETS];
    struct twin_gpu gpus[BATCH_SETS];
};

/* Every other set in place. */
static void make_batch(struct batch *batch)
{
    for (uint32_t i = 0; i < BATCH_SETS; i++) {
        const gl_segsort_plan_desc of_set = twin_set_desc(&batch->desc, i);
        enum twin_in_place in_place = i % 2 ? TWIN_BOTH : TWIN_NEITHER;
        twin_memory_make_set(&batch->memories[i], &batch->plan, i, &of_set, in_place, i);
        twin_memory_make_set(&batch->expected[i], &batch->plan, i, &of_set, in_place, i);
        twin_memory_expect(&batch->expected[i], &of_set);
        batch->gpus[i] = twin_gpu_make(&batch->memories[i]);
    }
}

static void free_batch(struct batch *batch)
{
    for (uint32_t i = 0; i < BATCH_SETS; i++) {
        twin_gpu_delete(&batch->gpus[i]);
        twin_memory_release(&batch->memories[i]);
        twin_memory_release(&batch->expected[i]);
    }
}

/* The GPU runs the passes of a level from the first to the last, the twins from the last to the
 * first: they depend on none of each other. */
static bool compare_level(struct batch *batch, uint32_t begin, uint32_t end)
{
    const segsort_pass *passes = batch->plan.passes;
    bool right = true;
    for (uint32_t i = begin; i < end; i++)
        if (twin_pass_is_due(&passes[i], batch->memories[passes[i].set].in_place))
            right = twin_gpu_dispatch(&batch->gpus[passes[i].set], &passes[i]) && right;
    for (uint32_t i = end; i > begin; i--) {
        const segsort_pass *pass = &passes[i - 1];
        struct twin twin = twin_memory_twin(&batch->memories[pass->set]);
        if (twin_pass_is_due(pass, batch->memories[pass->set].in_place))
            twin_run_pass(&twin, pass);
    }
    for (uint32_t i = 0; i < BATCH_SETS; i++)
        right = CHECK(twin_gpu_equal(&batch->gpus[i], &passes[begin]), "set %u, level %u", i,
                      passes[begin].level) &&
                right;
    return CHECK(right, "level %u", passes[begin].level);
}

static void compare_batch(struct batch *batch)
{
    const segsort_plan *plan = &batch->plan;
    char what[128] = "";
    make_batch(batch);
    for (uint32_t begin = 0, end; begin < plan->pass_count; begin = end) {
        for (end = begin + 1; end < plan->pass_count; end++)
            if (plan->passes[end].level != plan->passes[begin].level)
                break;
        if (!compare_level(batch, begin, end))
            break;
    }
    for (uint32_t i = 0; i < BATCH_SETS; i++)
        CHECK(twin_memory_equal(&batch->memories[i], &batch->expected[i], what, sizeof what),
              "set %u: %s", i, what);
    free_batch(batch);
}

/* Sets of several lengths, of none, of one, and of long segments of which some need chunks; by all
 * bits, and by an odd number of digits, which makes a set in place start otherwise than the
 * others. */
static void batches(void)
{
    const uint32_t chunk = SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS;
    const uint32_t lengths[] = {300, 3, 4097, 5000, 40, 4099, 2, 4097, 511, chunk + 1};
    const uint32_t counts[BATCH_SETS] = {3, 2, 0, 1, 3, 1};
    for (size_t i = 0; i < 2 * COUNT_OF(spread); i++) {
        gl_segsort_segment segments[COUNT_OF(lengths)];
        struct batch batch = {.desc = spread[i / 2]};
        segsort_limits limits = twin_limits();
        segsort_error error;
        limits.shared_bytes = shared_bytes;
        generate_packed_segments(lengths, COUNT_OF(lengths), 3, segments);
        batch.desc.algorithm = (gl_segsort_algorithm)(i % 3);
        batch.desc.end_bit = i % 2 ? 19 : 0;
        batch.desc.segments = segments;
        /* The network takes its time over the segment of several chunks. */
        bool network = batch.desc.algorithm == GL_SEGSORT_ALGORITHM_BITONIC;
        segments[COUNT_OF(lengths) - 1].length = network || i % 2 == 0 ? 9000 : chunk + 1;
        batch.desc.segment_count = COUNT_OF(lengths);
        batch.desc.set_count = BATCH_SETS;
        batch.desc.set_segment_counts = counts;
        if (!CHECK(twin_plan_build(&batch.desc, &limits, &batch.plan, &error), "%s", error.text))
            return;
        CHECK(batch.plan.set_count == BATCH_SETS, "%u sets", batch.plan.set_count);
        compare_batch(&batch);
        twin_plan_release(&batch.plan);
    }
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
    static const struct check_test tests[] = {CHECK_TEST(network_in_a_work_group),
                                              CHECK_TEST(network_across_work_groups),
                                              CHECK_TEST(radix_sort_in_a_work_group),
                                              CHECK_TEST(radix_sort_across_work_groups),
                                              CHECK_TEST(radix_sort_by_chunks),
                                              CHECK_TEST(folded_dispatches),
                                              CHECK_TEST(stable_copies),
                                              CHECK_TEST(batches)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_gpu_delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
