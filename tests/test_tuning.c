/* Layer 1: tunings: which entry is whose, what becomes of numbers that no kernel can do, and what
 * plans choose by them. Pure C, no GL. */
#include "plan_setup.h"

#define SEGMENTS_MAX 1200u

static gl_segsort_segment segments[SEGMENTS_MAX];

/* ---------------------------------------------------------------------------------------------- */
/* Entries */

static void entries_by_strings(void)
{
    const struct {
        const char *vendor, *renderer, *name;
    } drivers[] = {
        {"NVIDIA Corporation", "NVIDIA H200/PCIe/SSE2", "NVIDIA"},
        {"Google Inc. (NVIDIA)", "ANGLE (NVIDIA, Vulkan 1.3.0 (NVIDIA T4))", "NVIDIA"},
        {"AMD", "AMD Radeon RX 7900 XTX (radeonsi, navi31, LLVM 15.0.6)", "AMD"},
        {"ATI Technologies Inc.", "FirePro W7100", "AMD"},
        {"Intel", "Mesa Intel(R) UHD Graphics 620 (KBL GT2)", "Intel"},
        {"Mesa", "llvmpipe (LLVM 15.0.6, 256 bits)", "software drivers"},
        {"Mesa/X.org", "llvmpipe (LLVM 15.0.6, 256 bits)", "software drivers"},
        {"Mesa", "zink Vulkan 1.3 (llvmpipe (LLVM 15.0.6, 256 bits))", "software drivers"},
        {"Google Inc. (Intel)", "ANGLE (Intel, SwiftShader Device)", "software drivers"},
        {"Mesa", "softpipe", "software drivers"},
        {"Qualcomm", "Adreno (TM) 740", "any driver"},
        {"unknown", "unknown", "any driver"},
        {"", "", "any driver"},
    };
    for (size_t i = 0; i < COUNT_OF(drivers); i++) {
        const segsort_tuning_entry *entry =
            segsort_tuning_find(drivers[i].vendor, drivers[i].renderer);
        CHECK(strcmp(entry->name, drivers[i].name) == 0, "%s of %s is tuned for %s",
              drivers[i].renderer, drivers[i].vendor, entry->name);
    }
}

/* The last one is for all, and no other one is: those behind it would be nobody's. */
static void entries_of_the_table(void)
{
    uint32_t count = 0;
    for (; segsort_tuning_get(count); count++) {
        const segsort_tuning_entry *entry = segsort_tuning_get(count);
        CHECK(entry->name && strlen(entry->name) > 0, "entry %u has no name", count);
        CHECK((entry->marks[0] == NULL) == !segsort_tuning_get(count + 1), "%s has no mark",
              entry->name);
        CHECK(entry->tuning.tile_rows > 0 && entry->tuning.sample_apart > 0 &&
                  entry->tuning.rank_threads > 0,
              "%s has fields of 0", entry->name);
    }
    CHECK(count >= 5, "%u entries", count);
}

static void fields_by_number(void)
{
    segsort_tuning tuning;
    for (uint32_t i = 0; i < SEGSORT_TUNING_FIELD_COUNT; i++)
        *segsort_tuning_at(&tuning, i) = 100 + i;
    CHECK(tuning.rank_threads == 100 && tuning.sample_apart == 99 + SEGSORT_TUNING_FIELD_COUNT,
          "fields are not where they should be");
    CHECK(strcmp(segsort_tuning_name(SEGSORT_TUNING_tile_rows), "tile_rows") == 0 &&
              strlen(segsort_tuning_says(SEGSORT_TUNING_tile_rows)) > 0,
          "%s", segsort_tuning_name(SEGSORT_TUNING_tile_rows));
}

/* ---------------------------------------------------------------------------------------------- */
/* Numbers that no kernel can do */

static bool is_power(uint32_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

static void check_threads(const segsort_tuning *fitted, segsort_types types, uint32_t bytes)
{
    for (uint32_t width = SEGSORT_BUCKET_MIN; width <= SEGSORT_BUCKET_MAX; width *= 2) {
        const segsort_variant variant = {
            .kernel = SEGSORT_KERNEL_BUCKET_LOCAL,
            .width = width,
            .types = types,
            .threads = segsort_tuning_threads(fitted, SEGSORT_KERNEL_BUCKET_LOCAL, width)};
        CHECK(is_power(variant.threads) && variant.threads >= 16 && variant.threads <= 1024 &&
                  variant.threads <= width / 2 &&
                  segsort_bucket_count(width) / variant.threads <= 32,
              "%u invocations for %u rows", variant.threads, width);
        CHECK(segsort_variant_tile_rows(&variant) == width, "%u rows",
              segsort_variant_tile_rows(&variant));
        CHECK(width > segsort_bucket_width_max(types, bytes) ||
                  segsort_bucket_bytes(&variant) <= bytes,
              "%u invocations for %u rows take %u of %u bytes", variant.threads, width,
              segsort_bucket_bytes(&variant), bytes);
    }
    CHECK(is_power(fitted->rank_threads) && fitted->rank_threads <= 128, "%u",
          fitted->rank_threads);
    CHECK(is_power(fitted->quads_threads) && fitted->quads_rows_max <= 4 * fitted->quads_threads &&
              fitted->quads_rows_max <= SEGSORT_RANK_QUADS_MAX,
          "%u and %u", fitted->quads_threads, fitted->quads_rows_max);
}

static segsort_tuning random_tuning(uint64_t *state)
{
    segsort_tuning tuning;
    for (uint32_t i = 0; i < SEGSORT_TUNING_FIELD_COUNT; i++) {
        uint32_t value = (uint32_t)generate_random(state) >> generate_below(state, 32);
        *segsort_tuning_at(&tuning, i) = generate_below(state, 8) ? value : UINT32_MAX;
    }
    return tuning;
}

static segsort_tuning constant_tuning(uint32_t value)
{
    segsort_tuning tuning;
    for (uint32_t i = 0; i < SEGSORT_TUNING_FIELD_COUNT; i++)
        *segsort_tuning_at(&tuning, i) = value;
    return tuning;
}

static void fitted_numbers(void)
{
    uint64_t state = 3;
    for (int i = 0; i < 600; i++) {
        segsort_tuning tuning = i < 2 ? constant_tuning(i ? UINT32_MAX : 0) : random_tuning(&state);
        const segsort_types types = {(gl_segsort_key_type)(i % 4),
                                     (gl_segsort_value_type)(i / 4 % 4)};
        uint32_t bytes = i % 5 ? 32768 : 1024 + generate_below(&state, 64000);
        segsort_tuning fitted = segsort_tuning_fit(&tuning, types, bytes);
        segsort_tuning again = segsort_tuning_fit(&fitted, types, bytes);
        check_threads(&fitted, types, bytes);
        CHECK(memcmp(&fitted, &again, sizeof fitted) == 0, "fitting twice gives another tuning");
        CHECK(fitted.pack_rows_max <= segsort_bucket_width_max(types, bytes) &&
                  fitted.split_rows <= segsort_bucket_width_max(types, bytes),
              "packs of %u rows", fitted.pack_rows_max);
        CHECK(is_power(fitted.network_rows_max) && fitted.network_rows_max >= 256 &&
                  fitted.network_rows_max <= SEGSORT_RADIX_LOCAL_MAX,
              "the network to %u rows", fitted.network_rows_max);
        CHECK(is_power(fitted.tile_rows) && fitted.tile_rows >= 512 &&
                  fitted.tile_rows <= (bytes < 40960 ? 2048u : 4096u),
              "tiles of %u rows", fitted.tile_rows);
    }
}

/* All of the table can be done as it is, in the 48 KiB that cards have. */
static void entries_fit(void)
{
    const segsort_types types = {GL_SEGSORT_KEY_U32, GL_SEGSORT_VALUE_U32};
    for (uint32_t i = 0; segsort_tuning_get(i); i++) {
        const segsort_tuning_entry *entry = segsort_tuning_get(i);
        segsort_tuning fitted = segsort_tuning_fit(&entry->tuning, types, 49152);
        CHECK(memcmp(&fitted, &entry->tuning, sizeof fitted) == 0, "%s is not done as it says",
              entry->name);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

static void check_sorted(const gl_segsort_plan_desc *desc, int number)
{
    struct twin_memory memory, expected;
    char what[128] = "";
    twin_memory_make(&memory, &plan, desc, TWIN_NEITHER, (uint64_t)number);
    twin_memory_make(&expected, &plan, desc, TWIN_NEITHER, (uint64_t)number);
    twin_memory_expect(&expected, desc);
    struct twin twin = twin_memory_twin(&memory);
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if (twin_pass_is_due(&plan.passes[i], memory.in_place))
            twin_run_pass(&twin, &plan.passes[i]);
    CHECK(twin_memory_equal(&memory, &expected, what, sizeof what), "plan %d: %s", number, what);
    twin_memory_release(&memory);
    twin_memory_release(&expected);
}

/* Equal ones, mixed ones, apart or not, and some that no work group sorts. */
static uint32_t make_segments(int number, uint64_t *state)
{
    uint32_t lengths[SEGMENTS_MAX];
    uint32_t longest = 1u << generate_below(state, 14), equal = 1 + generate_below(state, longest);
    uint32_t count = 1 + generate_below(state, 40000 / longest < 600 ? 40000 / longest + 1 : 600);
    for (uint32_t i = 0; i < count; i++)
        lengths[i] = number % 3 ? generate_below(state, longest + 1) : equal;
    if (number % 5 == 0)
        lengths[count++] = 5000 + generate_below(state, 40000);
    generate_packed_segments(lengths, count, number % 4 == 1, segments);
    return count;
}

/* Whatever the numbers are, the twins sort; the GPU's listed plans are only built. */
static void any_tuning_sorts(void)
{
    uint64_t state = 11;
    for (int i = 0; i < 240; i++) {
        segsort_tuning tuning =
            i < 12 ? constant_tuning(i % 2 ? UINT32_MAX : 0) : random_tuning(&state);
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % 4),
                                     .value_type = (gl_segsort_value_type)(i / 4 % 4),
                                     .segments = segments,
                                     .segment_count = make_segments(i, &state),
                                     .algorithm = (gl_segsort_algorithm)(i % 7 ? 0 : i % 3)};
        reset_limits(65535);
        limits.tuning = &tuning;
        limits.shared_bytes = i % 4 ? 32768 : 65536;
        if (build(&desc))
            check_sorted(&desc, i);
        twin_plan_release(&plan);
        desc.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES;
        desc.segments = NULL;
        desc.segment_count = 0;
        desc.max_segments = 100;
        desc.max_rows = 1000000;
        if (build(&desc))
            twin_plan_release(&plan);
    }
}

/* The kernel of the first pass over so many equal segments, or scattered ones. */
static const char *first_kernel(const segsort_tuning *tuning, uint32_t length, uint32_t count,
                                uint32_t gap, uint32_t *threads)
{
    uint32_t lengths[SEGMENTS_MAX];
    const char *kernel = "none";
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = count};
    for (uint32_t i = 0; i < count; i++)
        lengths[i] = length;
    generate_packed_segments(lengths, count, gap, segments);
    reset_limits(65535);
    limits.tuning = tuning;
    if (build(&desc)) {
        kernel = segsort_kernel_get(plan.passes[0].variant.kernel)->name;
        *threads = segsort_variant_threads(&plan.passes[0].variant);
        twin_plan_release(&plan);
    }
    return kernel;
}

static void kernels_by_tuning(void)
{
    const struct {
        uint32_t field, value; /* of the default tuning, changed */
        uint32_t length, count, gap;
        const char *kernel;
        uint32_t threads;
    } cases[] = {
        {SEGSORT_TUNING_rank_threads, 64, 8, 9, 0, "rank-local", 64},
        {SEGSORT_TUNING_rank_threads, 32, 8, 9, 0, "rank-local", 32},
        {SEGSORT_TUNING_quads_rows_min, 8, 8, 9, 0, "rank-quads", 64},
        {SEGSORT_TUNING_rank_rows_max, 4, 8, 9, 0, "bucket-equal", 128},
        {SEGSORT_TUNING_rank_rows_max, 0, 1, 9, 0, "rank-local", 32},
        {SEGSORT_TUNING_quads_threads, 128, 32, 9, 0, "rank-quads", 128},
        {SEGSORT_TUNING_quads_rows_max, 16, 32, 9, 0, "bucket-equal", 128},
        {SEGSORT_TUNING_quads_rows_max, 64, 64, 9, 0, "rank-quads", 64},
        {SEGSORT_TUNING_pack_threads_256, 32, 64, 9, 0, "bucket-equal", 32},
        {SEGSORT_TUNING_pack_threads_2048, 128, 2000, 9, 0, "bucket-equal", 128},
        {SEGSORT_TUNING_pack_rows_max, 0, 8, 9, 0, "bitonic-local", 256},
        {SEGSORT_TUNING_pack_rows_max, 512, 600, 9, 0, "radix-local", 256},
        {SEGSORT_TUNING_packs_few, 1024, 20, 9, 1, "bucket-local", 128},
        {SEGSORT_TUNING_packs_few, 8, 20, 9, 1, "bucket-slots", 128},
        {SEGSORT_TUNING_pack_fill, 8, 20, 1100, 1, "bucket-slots", 128},
        {SEGSORT_TUNING_slots_rows_min, 0, 20, 1100, 1, "bitonic-local", 256},
        {SEGSORT_TUNING_slots_rows_min, 64, 20, 1100, 1, "bitonic-local", 256},
        {SEGSORT_TUNING_pack_fill, 7, 20, 1100, 1, "bucket-local", 128},
        {SEGSORT_TUNING_split_length_max, 4999, 5000, 2, 0, "radix-count", 256},
        {SEGSORT_TUNING_split_length_max, 5000, 5000, 2, 0, "split-sample", 256},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        segsort_tuning tuning = *segsort_tuning_default();
        uint32_t threads = 0;
        *segsort_tuning_at(&tuning, cases[i].field) = cases[i].value;
        const char *kernel =
            first_kernel(&tuning, cases[i].length, cases[i].count, cases[i].gap, &threads);
        CHECK(strcmp(kernel, cases[i].kernel) == 0 && threads == cases[i].threads,
              "%s of %u: %u rows by %s with %u invocations", segsort_tuning_name(cases[i].field),
              cases[i].value, cases[i].length, kernel, threads);
    }
}

static void network_by_tuning(void)
{
    segsort_tuning tuning = *segsort_tuning_default();
    uint32_t threads = 0;
    tuning.pack_rows_max = 0;
    for (uint32_t width = 256; width <= 4096; width *= 2) {
        tuning.network_rows_max = width;
        const char *within = first_kernel(&tuning, width, 3, 1, &threads);
        CHECK(strcmp(within, "bitonic-local") == 0 || width == 4096, "%u rows by %s", width,
              within);
        const char *beyond = first_kernel(&tuning, width + 1, 3, 1, &threads);
        CHECK(strcmp(beyond, width < 4096 ? "radix-local" : "split-sample") == 0, "%u rows by %s",
              width + 1, beyond);
    }
    tuning.network_threads = 32;
    first_kernel(&tuning, 16, 3, 1, &threads);
    CHECK(threads == 32, "%u invocations", threads);
    first_kernel(&tuning, 200, 3, 1, &threads);
    CHECK(threads == 256, "%u invocations of 200 rows", threads);
}

static void long_segments_by_tuning(void)
{
    for (uint32_t rows = 512; rows <= 4096; rows *= 2) {
        segsort_tuning tuning = *segsort_tuning_default();
        const gl_segsort_segment segment = {0, 0, 0, 0, 20000};
        const gl_segsort_plan_desc desc = {.segments = &segment, .segment_count = 1};
        tuning.tile_rows = rows;
        tuning.split_length_max = 0;
        reset_limits(65535);
        limits.tuning = &tuning;
        limits.shared_bytes = 49152;
        if (!build(&desc))
            continue;
        CHECK(plan.passes[0].variant.kernel == SEGSORT_KERNEL_RADIX_COUNT &&
                  plan.passes[0].variant.width == rows &&
                  plan.passes[0].params.item_count == (20000 + rows - 1) / rows,
              "tiles of %u rows", plan.passes[0].variant.width);
        twin_plan_release(&plan);
        tuning.split_length_max = UINT32_MAX;
        tuning.split_rows = rows;
        /* Buckets of 512 would have to be more than 256. */
        if (rows == 512 || !build(&desc))
            continue;
        const segsort_pass *last = &plan.passes[plan.pass_count - 1];
        CHECK(last->variant.kernel == SEGSORT_KERNEL_SPLIT_FINISH && last->variant.width == rows,
              "buckets of %u rows", last->variant.width);
        twin_plan_release(&plan);
    }
}

/* Of a segment of so many tiles. */
static bool has_chunks(const segsort_tuning *tuning, uint32_t tiles)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, tiles * tuning->tile_rows};
    const gl_segsort_plan_desc desc = {
        .algorithm = GL_SEGSORT_ALGORITHM_RADIX, .segments = &segment, .segment_count = 1};
    bool found = false;
    reset_limits(65535);
    limits.tuning = tuning;
    if (!build(&desc))
        return false;
    for (uint32_t i = 0; i < plan.pass_count; i++)
        found = found || plan.passes[i].variant.kernel == SEGSORT_KERNEL_RADIX_CHUNK;
    twin_plan_release(&plan);
    return found;
}

static void chunks_by_tuning(void)
{
    const uint32_t few[] = {0, 64, 65, 128}, most[] = {64, 64, 65, 128};
    for (size_t i = 0; i < COUNT_OF(few); i++) {
        segsort_tuning tuning = *segsort_tuning_default();
        tuning.chunk_tiles_few = few[i];
        CHECK(!has_chunks(&tuning, most[i]), "%u: chunks of %u tiles", few[i], most[i]);
        CHECK(has_chunks(&tuning, most[i] + 1), "%u: no chunks of %u tiles", few[i], most[i] + 1);
    }
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {
        CHECK_TEST(chunks_by_tuning),     CHECK_TEST(entries_by_strings),
        CHECK_TEST(entries_of_the_table), CHECK_TEST(fields_by_number),
        CHECK_TEST(fitted_numbers),       CHECK_TEST(entries_fit),
        CHECK_TEST(any_tuning_sorts),     CHECK_TEST(kernels_by_tuning),
        CHECK_TEST(network_by_tuning),    CHECK_TEST(long_segments_by_tuning)};
    return check_main(argc, argv, tests, COUNT_OF(tests));
}
