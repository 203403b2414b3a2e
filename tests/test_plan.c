/* Layer 1: plans: which passes they have, in which order, on how much memory. Pure C, no GL. */
#include "plan_setup.h"

static bool build_lengths(gl_segsort_plan_desc *desc, gl_segsort_segment *segments,
                          const uint32_t *lengths, size_t count)
{
    generate_packed_segments(lengths, count, 0, segments);
    desc->label = "plan";
    desc->segments = segments;
    desc->segment_count = (uint32_t)count;
    return build(desc);
}

/* ---------------------------------------------------------------------------------------------- */

static void folded_groups_cover(void)
{
    const uint32_t limit_sets[][3] = {
        {2, 2, 2}, {65535, 65535, 65535}, {2147483647, 65535, 65535}, {3, 5, 7}};
    const uint64_t counts[] = {1,     2,     3,     4,     5,      7,      8,        100,       105,
                               65534, 65535, 65536, 65537, 131070, 131071, 10000000, 4294967295};
    for (size_t l = 0; l < sizeof limit_sets / sizeof limit_sets[0]; l++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const uint32_t *set = limit_sets[l];
            if (counts[c] > (uint64_t)set[0] * set[1] * (set[2] < 8 ? set[2] : 8))
                continue;
            uint32_t groups[3];
            segsort_fold_groups(counts[c], set, groups);
            uint64_t covered = (uint64_t)groups[0] * groups[1] * groups[2];
            CHECK(groups[0] <= set[0] && groups[1] <= set[1] && groups[2] <= set[2],
                  "%llu groups over the limits", (unsigned long long)counts[c]);
            CHECK(covered >= counts[c], "%llu groups, %llu covered", (unsigned long long)counts[c],
                  (unsigned long long)covered);
            CHECK(covered - counts[c] < (uint64_t)groups[1] * groups[2] * 2 + set[0] / 64,
                  "%llu groups, %llu surplus", (unsigned long long)counts[c],
                  (unsigned long long)(covered - counts[c]));
        }
}

/* ---------------------------------------------------------------------------------------------- */
/* Which passes there are */

/* A pass for each of so many widths down from 256, with labels of that format, and nothing lost. Slots of 8 rows and fewer
 * are the network's. */
static void check_local_passes(uint32_t passes, const char *kernel)
{
    const char *narrow = strcmp(kernel, "bucket-slots") == 0 ? "bitonic-local" : kernel;
    uint64_t segments = 0, rows = 0;
    CHECK(plan.pass_count == passes, "%u passes", plan.pass_count);
    CHECK(plan.scratch_bytes == 0, "scratch without long segments");
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        char label[64];
        snprintf(label, sizeof label, "plan-%s-%u", 256u >> i < 16 ? narrow : kernel, 256u >> i);
        CHECK(strcmp(plan.passes[i].label, label) == 0, "%s", plan.passes[i].label);
        CHECK(plan.passes[i].barriers == 0, "a barrier between independent passes");
        segments += plan.passes[i].segment_count;
        rows += plan.passes[i].row_count;
    }
    CHECK(segments == plan.sets[0].layout.segment_count - plan.sets[0].layout.empty_count,
          "segments lost");
    CHECK(rows == plan.sets[0].layout.row_count, "rows lost");
    twin_plan_release(&plan);
}

/* A million random lengths up to 256 rows, most of them short: at most eight dispatches, each
 * width's label once. AUTO takes one for all of them, unless they lie far apart. */
static void eight_dispatches(void)
{
    enum { COUNT = 1000000 };
    uint32_t *lengths = malloc(COUNT * sizeof *lengths);
    gl_segsort_segment *segments = malloc(COUNT * sizeof *segments);
    gl_segsort_plan_desc desc = {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
    uint64_t state = 7;
    for (size_t i = 0; i < COUNT; i++)
        lengths[i] =
            i % 10 == 0 ? 0 : 1 + (generate_below(&state, 256) >> generate_below(&state, 10));
    reset_limits(65535);
    if (build_lengths(&desc, segments, lengths, COUNT))
        check_local_passes(8, "bitonic-local");
    desc.algorithm = GL_SEGSORT_ALGORITHM_AUTO;
    if (build_lengths(&desc, segments, lengths, COUNT))
        check_local_passes(1, "bucket-local");
    twin_scatter_segments(segments, COUNT);
    if (build(&desc))
        check_local_passes(8, "bucket-slots");
    free(lengths);
    free(segments);
}

static const char *kernel_name(const segsort_pass *pass)
{
    return segsort_kernel_get(pass->variant.kernel)->name;
}

/* The first pass of one segment of that length. */
static void check_first_pass(const gl_segsort_plan_desc *like, uint32_t length, const char *kernel,
                             uint32_t width)
{
    gl_segsort_plan_desc desc = *like;
    gl_segsort_segment segment;
    if (!build_lengths(&desc, &segment, &length, 1))
        return;
    CHECK(strcmp(kernel_name(&plan.passes[0]), kernel) == 0 &&
              plan.passes[0].variant.width == width,
          "%u rows start with %s, not %s of width %u", length, plan.passes[0].label, kernel, width);
    bool local = strcmp(kernel, "radix-count") != 0 && strcmp(kernel, "bitonic-block") != 0 &&
                 strcmp(kernel, "split-sample") != 0;
    CHECK((plan.pass_count == 1) == local, "%u rows: %u passes", length, plan.pass_count);
    CHECK((length <= plan.local_rows_max) == local, "%u rows: %u are local", length,
          plan.local_rows_max);
    twin_plan_release(&plan);
}

/* What AUTO takes for one segment, which always is a pack if shared memory has room for it; longer
 * ones are split, the longest sorted by digits. */
static void packs_by_length(void)
{
    reset_limits(65535);
    for (int key = 0; key < KEY_TYPES; key++) {
        const gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)key};
        for (uint32_t length = 1; length <= 33; length++) {
            bool quads = length >= 12 && length % 4 == 0 && length <= 32;
            if (length <= 8)
                check_first_pass(&desc, length, "rank-local", length);
            else if (quads && key != GL_SEGSORT_KEY_U64)
                check_first_pass(&desc, length, "rank-quads", length);
            else
                check_first_pass(&desc, length, "bucket-equal", 256);
        }
        for (uint32_t width = 256; width <= 2048; width *= 2) /* in 32 KiB */
            check_first_pass(&desc, width, "bucket-equal", width);
        check_first_pass(&desc, 2049, "radix-local", 4096);
        check_first_pass(&desc, SEGSORT_RADIX_LOCAL_MAX, "radix-local", 4096);
        check_first_pass(&desc, SEGSORT_RADIX_LOCAL_MAX + 1, "split-sample", 256);
        check_first_pass(&desc, SPLIT_ROWS_MAX, "split-sample", 2048);
        check_first_pass(&desc, SPLIT_ROWS_MAX + 1, "radix-count", SEGSORT_RADIX_TILE_ROWS);
    }
    const gl_segsort_plan_desc narrow = {0}, wide = {.key_type = GL_SEGSORT_KEY_U64};
    limits.shared_bytes = 49152; /* the widest packs fit */
    check_first_pass(&narrow, 2049, "bucket-equal", 4096);
    check_first_pass(&narrow, 4096, "bucket-equal", 4096);
    check_first_pass(&wide, 2049, "radix-local", 4096);
}

/* What AUTO takes for which length where there are no packs, as in plans that can stop at a step,
 * and the two that can be asked for. */
static void algorithms_by_length(void)
{
    reset_limits(65535);
    for (int key = 0; key < KEY_TYPES; key++) {
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)key, .step_limit = 1000};
        check_first_pass(&desc, 1, "bitonic-local", 2);
        for (uint32_t width = 2; width <= segsort_tuning_default()->network_rows_max; width *= 2) {
            check_first_pass(&desc, width / 2 + 1, "bitonic-local", width);
            check_first_pass(&desc, width, "bitonic-local", width);
        }
        for (int algorithm = 0; algorithm < ALGORITHMS; algorithm += 2) {
            desc.algorithm = (gl_segsort_algorithm)algorithm;
            uint32_t narrowest = algorithm == GL_SEGSORT_ALGORITHM_AUTO
                                     ? 2 * segsort_tuning_default()->network_rows_max
                                     : SEGSORT_RADIX_LOCAL_MIN;
            for (uint32_t width = narrowest; width <= SEGSORT_RADIX_LOCAL_MAX; width *= 2) {
                check_first_pass(&desc, width / 2 + 1, "radix-local", width);
                check_first_pass(&desc, width, "radix-local", width);
            }
            check_first_pass(&desc, SEGSORT_RADIX_LOCAL_MAX + 1, "radix-count",
                             SEGSORT_RADIX_TILE_ROWS);
        }
        desc.algorithm = GL_SEGSORT_ALGORITHM_RADIX;
        check_first_pass(&desc, 1, "radix-local", SEGSORT_RADIX_LOCAL_MIN);
        desc.algorithm = GL_SEGSORT_ALGORITHM_BITONIC;
        uint32_t local = key == GL_SEGSORT_KEY_U64 ? 2048 : 4096; /* of 12 or 8 bytes a row */
        check_first_pass(&desc, local / 2 + 1, "bitonic-local", local);
        check_first_pass(&desc, local, "bitonic-local", local);
        /* 16 or 12 bytes a row, with a 32-bit value */
        check_first_pass(&desc, local + 1, "bitonic-block", 2048);
        desc.value_type = GL_SEGSORT_VALUE_U64;
        check_first_pass(&desc, 20000, "bitonic-block", key == GL_SEGSORT_KEY_U64 ? 1024 : 2048);
        desc.value_type = GL_SEGSORT_VALUE_NONE;
        check_first_pass(&desc, 20000, "bitonic-block", key == GL_SEGSORT_KEY_U64 ? 2048 : 4096);
    }
}

/* The number of dispatches depends on the longest segment alone. */
static void long_segments_share_passes(void)
{
    gl_segsort_segment segments[200];
    uint32_t lengths[200], passes = 0;
    for (size_t count = 1; count <= 200; count += 199) {
        for (size_t i = 0; i < count; i++)
            lengths[i] = i == 0 ? 100000 : 5000 + (uint32_t)i;
        reset_limits(65535);
        gl_segsort_plan_desc desc = {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
        build_lengths(&desc, segments, lengths, count);
        CHECK(passes == 0 || plan.pass_count == passes, "%u passes, then %u", passes,
              plan.pass_count);
        passes = plan.pass_count;
        for (uint32_t i = 0; i < plan.pass_count; i++) {
            const segsort_pass *pass = &plan.passes[i];
            bool first = pass->variant.kernel == SEGSORT_KERNEL_BITONIC_BLOCK;
            CHECK(first == (i == 0) && (pass->barriers != 0) == !first, "%s", pass->label);
            CHECK(pass->segment_count == (pass->stage > 8192 ? 1 : count), "%s: %u segments",
                  pass->label, pass->segment_count);
        }
        CHECK(plan.scratch_bytes == 4 * plan.sets[0].layout.row_count, "one index word a row");
        twin_plan_release(&plan);
    }
}

/* The radix sort's depends not even on that, but for the scan by chunks. */
static void long_radix_segments_share_passes(void)
{
    enum { COUNT = 10000 };
    gl_segsort_segment *segments = malloc(COUNT * sizeof *segments);
    uint32_t *lengths = malloc(COUNT * sizeof *lengths);
    const uint32_t longest[] = {5000, CHUNK_ROWS, CHUNK_ROWS + 1, 1u << 21};
    for (size_t i = 0; i < COUNT; i++)
        lengths[i] = SEGSORT_RADIX_LOCAL_MAX + 1 + (uint32_t)i % 900;
    for (size_t l = 0; l < COUNT_OF(longest); l++) {
        uint32_t kernels = longest[l] > CHUNK_ROWS ? 4 : 3;
        lengths[0] = longest[l];
        reset_limits(65535);
        for (size_t count = 1; count <= COUNT; count += COUNT - 1) {
            gl_segsort_plan_desc desc = {.algorithm = GL_SEGSORT_ALGORITHM_RADIX};
            if (!build_lengths(&desc, segments, lengths, count))
                continue;
            CHECK(plan.pass_count == 4 * kernels, "%zu segments up to %u: %u passes", count,
                  longest[l], plan.pass_count);
            for (uint32_t i = 0; i < plan.pass_count; i++)
                CHECK(plan.passes[i].segment_count == count &&
                          plan.passes[i].row_count == plan.sets[0].layout.row_count,
                      "%s: %u segments", plan.passes[i].label, plan.passes[i].segment_count);
            twin_plan_release(&plan);
        }
    }
    free(segments);
    free(lengths);
}

/* A pass of a plan whose label starts with "plan-". */
struct expected_pass {
    const char *label;
    uint32_t begin_bit, bit_count, source, destination;
    gl_segsort_pass_condition condition;
    bool barrier;
};

static void check_passes(const struct expected_pass *expected, size_t count)
{
    CHECK(plan.pass_count == count, "%u passes instead of %zu", plan.pass_count, count);
    for (size_t i = 0; i < count && i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        const struct expected_pass *e = &expected[i];
        CHECK(strncmp(pass->label, "plan-", 5) == 0 && strcmp(pass->label + 5, e->label) == 0,
              "pass %zu is %s, not %s", i, pass->label, e->label);
        CHECK(pass->begin_bit == e->begin_bit && pass->bit_count == e->bit_count, "%s: bits %u, %u",
              e->label, pass->begin_bit, pass->bit_count);
        CHECK(pass->params.source == e->source && pass->params.destination == e->destination,
              "%s: from place %u to %u", e->label, pass->params.source, pass->params.destination);
        CHECK(pass->condition == e->condition, "%s: condition %d", e->label, (int)pass->condition);
        CHECK((pass->barriers == GL_SEGSORT_BARRIER_STORAGE) == e->barrier, "%s: barriers 0x%x",
              e->label, pass->barriers);
    }
    twin_plan_release(&plan);
}

enum { IN = SEGSORT_PLACE_INPUT, OUT = SEGSORT_PLACE_OUTPUT, TEMP = SEGSORT_PLACE_SCRATCH };
#define ALWAYS GL_SEGSORT_PASS_ALWAYS
#define AWAY GL_SEGSORT_PASS_OUT_OF_PLACE
#define HERE GL_SEGSORT_PASS_IN_PLACE

/* Of segments that are too long to be split. Also: segments of other lengths come first, with no
 * barrier, and what depends on an earlier pass has one. */
static void radix_passes(void)
{
    const uint32_t lengths[] = {SPLIT_ROWS_MAX + 1, 3, 2 * CHUNK_ROWS}, shorter = 5000;
    gl_segsort_segment segments[3];
    char copy[32];
    snprintf(copy, sizeof copy, "copy-rows-%u", SEGSORT_RADIX_TILE_ROWS);
    reset_limits(65535);
    gl_segsort_plan_desc desc = {.begin_bit = 4, .end_bit = 17};
    const struct expected_pass even[] = {
        {"bucket-local-256", 0, 0, IN, OUT, ALWAYS, false},
        {"radix-count-4-12", 4, 8, IN, TEMP, ALWAYS, false},
        {"radix-chunk-4-12", 4, 8, IN, TEMP, ALWAYS, true},
        {"radix-spine-4-12", 4, 8, IN, TEMP, ALWAYS, true},
        {"radix-scatter-4-12", 4, 8, IN, TEMP, ALWAYS, true},
        {"radix-count-12-17", 12, 5, TEMP, OUT, ALWAYS, true},
        {"radix-chunk-12-17", 12, 5, TEMP, OUT, ALWAYS, true},
        {"radix-spine-12-17", 12, 5, TEMP, OUT, ALWAYS, true},
        {"radix-scatter-12-17", 12, 5, TEMP, OUT, ALWAYS, true},
    };
    if (build_lengths(&desc, segments, lengths, 3))
        check_passes(even, COUNT_OF(even));
    desc.begin_bit = 0;
    desc.end_bit = 8;
    const struct expected_pass odd[] = {
        {copy, 0, 0, IN, TEMP, HERE, false},
        {"radix-count-0-8", 0, 8, TEMP, OUT, HERE, true},
        {"radix-spine-0-8", 0, 8, TEMP, OUT, HERE, true},
        {"radix-scatter-0-8", 0, 8, TEMP, OUT, HERE, true},
        {"radix-count-0-8", 0, 8, IN, OUT, AWAY, false},
        {"radix-spine-0-8", 0, 8, IN, OUT, AWAY, true},
        {"radix-scatter-0-8", 0, 8, IN, OUT, AWAY, true},
    };
    if (build_lengths(&desc, segments, lengths, 1))
        check_passes(odd, COUNT_OF(odd));
    /* Shorter ones too, where nothing else is asked for. */
    desc.algorithm = GL_SEGSORT_ALGORITHM_RADIX;
    if (build_lengths(&desc, segments, &shorter, 1))
        check_passes(odd, COUNT_OF(odd));
    /* No bit: a stable copy, of any length. In place too, since only one of the streams may be. */
    desc.begin_bit = 8;
    const struct expected_pass none[] = {{copy, 0, 0, IN, OUT, ALWAYS, false}};
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm += 2)
        for (int i = 0; i < 2; i++) {
            desc.algorithm = (gl_segsort_algorithm)algorithm;
            if (build_lengths(&desc, segments, i ? lengths : &shorter, 1))
                check_passes(none, COUNT_OF(none));
        }
}

static void masks(void)
{
    gl_segsort_segment segment;
    const uint32_t length = 20000;
    reset_limits(65535);
    const struct {
        gl_segsort_key_type type;
        uint32_t begin, end;
        bool masked;
        uint64_t mask;
    } cases[] = {
        {GL_SEGSORT_KEY_U32, 0, 0, false, 0xffffffff},
        {GL_SEGSORT_KEY_F32, 0, 32, false, 0xffffffff},
        {GL_SEGSORT_KEY_I32, 1, 32, true, 0xfffffffe},
        {GL_SEGSORT_KEY_U32, 7, 7, true, 0},
        {GL_SEGSORT_KEY_U64, 0, 0, false, UINT64_MAX},
        {GL_SEGSORT_KEY_U64, 0, 32, true, 0xffffffff},
        {GL_SEGSORT_KEY_U64, 28, 36, true, 0xff0000000},
        {GL_SEGSORT_KEY_U64, 64, 64, true, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = {.key_type = cases[i].type,
                                     .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
                                     .begin_bit = cases[i].begin,
                                     .end_bit = cases[i].end};
        if (!build_lengths(&desc, &segment, &length, 1))
            continue;
        for (uint32_t p = 0; p < plan.pass_count; p++) {
            const struct segsort_pass_params *params = &plan.passes[p].params;
            uint64_t mask = params->key_mask_low | (uint64_t)params->key_mask_high << 32;
            CHECK(mask == cases[i].mask && plan.passes[p].variant.masked == cases[i].masked,
                  "bits %u..%u: mask 0x%llx", desc.begin_bit, desc.end_bit,
                  (unsigned long long)mask);
        }
        twin_plan_release(&plan);
        /* A digit is cut from the key itself, so one program serves all bits. */
        desc.algorithm = GL_SEGSORT_ALGORITHM_RADIX;
        if (!build_lengths(&desc, &segment, &length, 1))
            continue;
        for (uint32_t p = 0; p < plan.pass_count; p++)
            CHECK(!plan.passes[p].variant.masked, "%s is masked", plan.passes[p].label);
        twin_plan_release(&plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Memory */

/* Keys and values once more, and 256 counts a tile, a chunk and a segment, which is little beside a
 * million rows; where AUTO splits a segment, splitters and bunches besides. */
static void radix_scratch(void)
{
    const uint32_t lengths[][3] = {
        {4097, 0, 0}, {4097, 4097, 4097}, {5000, 3, 700}, {1u << 20, 1, 0}, {1u << 22, 300000, 9}};
    const uint64_t key_bytes[KEY_TYPES] = {4, 4, 4, 8}, value_bytes[VALUE_TYPES] = {4, 0, 4, 8};
    gl_segsort_segment segments[3];
    reset_limits(65535);
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (int i = 0; i < 2 * KEY_TYPES * VALUE_TYPES; i++) {
            bool splits = i < KEY_TYPES * VALUE_TYPES;
            gl_segsort_plan_desc desc = {
                .key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                .value_type = (gl_segsort_value_type)(i / KEY_TYPES % VALUE_TYPES),
                .algorithm = splits ? GL_SEGSORT_ALGORITHM_AUTO : GL_SEGSORT_ALGORITHM_RADIX};
            if (!build_lengths(&desc, segments, lengths[l], 3))
                continue;
            uint64_t rows = 0, counts = 0, chunks = 0, split_words = 0;
            bool chunked = false;
            for (size_t s = 0; s < 3; s++) {
                uint64_t length = lengths[l][s];
                if (length <= SEGSORT_RADIX_LOCAL_MAX)
                    continue;
                rows += length;
                counts += (length - 1) / SEGSORT_RADIX_TILE_ROWS + 2;
                chunks += (length - 1) / CHUNK_ROWS + 1;
                chunked = chunked || length > CHUNK_ROWS;
                if (splits && length <= SPLIT_ROWS_MAX)
                    split_words += split_work_words(length, key_bytes[desc.key_type] / 4);
            }
            uint64_t work_bytes = (counts + (chunked ? chunks : 0)) * 256 * 4 + split_words * 4;
            uint64_t row_bytes = key_bytes[desc.key_type] + value_bytes[desc.value_type];
            CHECK(plan.sets[0].scratch.key_bytes == rows * key_bytes[desc.key_type] &&
                      plan.sets[0].scratch.value_bytes == rows * value_bytes[desc.value_type] &&
                      plan.sets[0].scratch.work_bytes == work_bytes,
                  "%llu rows: scratch of %llu, %llu, %llu bytes", (unsigned long long)rows,
                  (unsigned long long)plan.sets[0].scratch.key_bytes,
                  (unsigned long long)plan.sets[0].scratch.value_bytes,
                  (unsigned long long)plan.sets[0].scratch.work_bytes);
            uint64_t bytes = plan.scratch_bytes;
            CHECK(row_bytes < 8 || rows < 1u << 20 || bytes * 10 <= rows * row_bytes * 11,
                  "%llu rows of %llu bytes: %llu bytes of scratch", (unsigned long long)rows,
                  (unsigned long long)row_bytes, (unsigned long long)bytes);
            twin_plan_release(&plan);
        }
}

static void check_refused(const gl_segsort_plan_desc *desc, const char *words)
{
    CHECK(!try_build(desc) && error.result == GL_SEGSORT_ERROR_UNSUPPORTED &&
              strstr(error.text, words),
          "no '%s' in '%s'", words, error.text);
    CHECK(!plan.table && !plan.passes, "something is left allocated");
}

static void too_large_a_table(void)
{
    gl_segsort_segment segments[10];
    const uint32_t lengths[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    generate_packed_segments(lengths, 10, 0, segments);
    reset_limits(65535);
    limits.storage_bytes = 199;
    const gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 10};
    check_refused(&desc, "200 bytes");
}

/* A section's range starts at an aligned byte and may so be over the limit where no stream is.
 * (Without that, an output would be over it too, and refused earlier.) The plan looks for itself,
 * so this test can give it limits of its own. */
static void too_large_a_scratch(void)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, 5000};
    const gl_segsort_allocator allocator = default_allocator();
    const struct {
        gl_segsort_algorithm algorithm;
        gl_segsort_key_type key_type;
        gl_segsort_value_type value_type;
        uint64_t bytes, before; /* of the section, and from an aligned byte to it */
    } cases[] = {
        {GL_SEGSORT_ALGORITHM_RADIX, GL_SEGSORT_KEY_U64, GL_SEGSORT_VALUE_U32, 40000, 0},
        {GL_SEGSORT_ALGORITHM_RADIX, GL_SEGSORT_KEY_U32, GL_SEGSORT_VALUE_U64, 40000, 20000 % 256},
        {GL_SEGSORT_ALGORITHM_BITONIC, GL_SEGSORT_KEY_U64, GL_SEGSORT_VALUE_U32, 20000, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const gl_segsort_plan_desc desc = {.segments = &segment,
                                           .segment_count = 1,
                                           .algorithm = cases[i].algorithm,
                                           .key_type = cases[i].key_type,
                                           .value_type = cases[i].value_type};
        segsort_layout layout;
        reset_limits(65535);
        segsort_desc_check_plan(&desc, &limits, &allocator, &layout, &error);
        limits.storage_bytes = cases[i].bytes + cases[i].before - 1;
        gl_segsort_result result =
            segsort_plan_build(&desc, &layout, &limits, &allocator, &plan, &error);
        char words[64];
        snprintf(words, sizeof words, "%d bytes, over", (int)cases[i].bytes);
        CHECK(result == GL_SEGSORT_ERROR_UNSUPPORTED && strstr(error.text, words), "%s",
              error.text);
        CHECK(!plan.table && !plan.passes, "something is left allocated");
        /* A section that starts between two aligned offsets is bound from the lower one. */
        limits.storage_bytes = cases[i].bytes + limits.storage_alignment;
        result = segsort_plan_build(&desc, &layout, &limits, &allocator, &plan, &error);
        CHECK(result == GL_SEGSORT_SUCCESS, "%s", error.text);
        segsort_plan_release(&plan, &allocator);
    }
}

static void long_labels_are_cut(void)
{
    char label[301] = {0};
    memset(label, 'x', 300);
    const gl_segsort_segment segment = {0, 0, 0, 0, 1u << 20};
    reset_limits(65535);
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        gl_segsort_plan_desc desc = {.label = label,
                                     .segments = &segment,
                                     .segment_count = 1,
                                     .algorithm = (gl_segsort_algorithm)algorithm};
        build(&desc);
        for (uint32_t i = 0; i < plan.pass_count; i++) {
            CHECK(strspn(plan.passes[i].label, "x") == 63, "%s", plan.passes[i].label);
            CHECK(strlen(plan.passes[i].label) > 63, "%s", plan.passes[i].label);
        }
        twin_plan_release(&plan);
    }
}

CHECK_MAIN(CHECK_TEST(folded_groups_cover), CHECK_TEST(eight_dispatches),
           CHECK_TEST(packs_by_length), CHECK_TEST(algorithms_by_length),
           CHECK_TEST(long_segments_share_passes), CHECK_TEST(long_radix_segments_share_passes),
           CHECK_TEST(radix_passes), CHECK_TEST(masks), CHECK_TEST(radix_scratch),
           CHECK_TEST(too_large_a_table), CHECK_TEST(too_large_a_scratch),
           CHECK_TEST(long_labels_are_cut))
