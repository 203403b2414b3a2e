#include "kernels.h"

#include <stdio.h>

/* 256 invocations let a work group take many short segments and still leave several groups a core; wide networks get
 * one invocation a pair of rows, up to the 1024 that every GL 4.3 driver has. */
#define SEGSORT_THREADS_MIN 256u
#define SEGSORT_THREADS_MAX 1024u
#define SEGSORT_WIDTH_MAX 4096u

const segsort_kernel *segsort_kernel_get(segsort_kernel_id id)
{
    static const segsort_kernel kernels[SEGSORT_KERNEL_COUNT] = {
#define SEGSORT_KERNEL_ENTRY(id, name, file, bindings, fixed, keys, values)                        \
    {name, file, bindings, {fixed, keys, values}},
        SEGSORT_KERNELS(SEGSORT_KERNEL_ENTRY)
#undef SEGSORT_KERNEL_ENTRY
    };
    return &kernels[id];
}

uint32_t segsort_key_words(gl_segsort_key_type type)
{
    return type == GL_SEGSORT_KEY_U64 ? 2 : 1;
}

uint32_t segsort_value_words(gl_segsort_value_type type)
{
    if (type == GL_SEGSORT_VALUE_NONE)
        return 0;
    return type == GL_SEGSORT_VALUE_U64 ? 2 : 1;
}

bool segsort_kernel_is_network(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_BITONIC_LOCAL || id == SEGSORT_KERNEL_BITONIC_BLOCK ||
           id == SEGSORT_KERNEL_BITONIC_STEP || id == SEGSORT_KERNEL_BITONIC_MERGE;
}

bool segsort_kernel_takes_equal(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_BUCKET_EQUAL || id == SEGSORT_KERNEL_RANK_LOCAL ||
           id == SEGSORT_KERNEL_RANK_QUADS;
}

bool segsort_kernel_takes_packs(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_BUCKET_LOCAL || segsort_kernel_takes_equal(id);
}

bool segsort_kernel_takes_whole(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_BUCKET_SLOTS || segsort_kernel_takes_packs(id);
}

bool segsort_kernel_takes_single(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_SPLIT_SAMPLE || id == SEGSORT_KERNEL_SPLIT_FINISH ||
           id == SEGSORT_KERNEL_SPLIT_PARTS;
}

bool segsort_kernel_is_split(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_SPLIT_COUNT || id == SEGSORT_KERNEL_SPLIT_SPINE ||
           id == SEGSORT_KERNEL_SPLIT_SCATTER;
}

bool segsort_kernel_compares(segsort_kernel_id id)
{
    /* The spine has counts alone. */
    bool finds_buckets = segsort_kernel_is_split(id) && id != SEGSORT_KERNEL_SPLIT_SPINE;
    return segsort_kernel_is_network(id) || segsort_kernel_takes_whole(id) ||
           segsort_kernel_takes_single(id) || finds_buckets;
}

segsort_variant segsort_untyped_variant(segsort_kernel_id id, uint32_t width)
{
    return (segsort_variant){.kernel = id, .width = width};
}

bool segsort_kernel_reads_views(segsort_kernel_id id)
{
    const uint32_t views = SEGSORT_USES(KEYS) | SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(WORK);
    return id != SEGSORT_KERNEL_LIST_LAYOUT && id != SEGSORT_KERNEL_SUBGROUP_PROBE &&
           (segsort_kernel_get(id)->storage_bindings & views) != 0;
}

bool segsort_kernel_reads_list(segsort_kernel_id id)
{
    return (segsort_kernel_get(id)->storage_bindings & SEGSORT_USES(LIST)) != 0;
}

bool segsort_kernel_writes_codes(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_MORTON_LOCAL || id == SEGSORT_KERNEL_MORTON_CODES ||
           id == SEGSORT_KERNEL_MORTON_SCATTER;
}

/* Those that scan, which takes arithmetic, or shuffle, and those that only need to know the lane. */
bool segsort_kernel_has_subgroup(segsort_kernel_id id, segsort_subgroup_api api)
{
    switch (id) {
    case SEGSORT_KERNEL_RADIX_LOCAL:
    case SEGSORT_KERNEL_RADIX_SPINE:
    case SEGSORT_KERNEL_BUCKET_LOCAL:
    case SEGSORT_KERNEL_BUCKET_EQUAL:
    case SEGSORT_KERNEL_SPLIT_SAMPLE:
    case SEGSORT_KERNEL_SPLIT_SPINE:
    case SEGSORT_KERNEL_SPLIT_FINISH:
    case SEGSORT_KERNEL_SPLIT_PARTS:
    case SEGSORT_KERNEL_RANK_QUADS:
        return api == SEGSORT_SUBGROUP_KHR;
    case SEGSORT_KERNEL_RADIX_SCATTER:
    case SEGSORT_KERNEL_SPLIT_SCATTER:
    case SEGSORT_KERNEL_SUBGROUP_PROBE:
        return api != SEGSORT_SUBGROUP_NONE;
    default:
        return false;
    }
}

/* Narrower ones than KHR's least here no GPU has; Mesa's software driver does, by ARB. */
bool segsort_subgroup_fits(segsort_subgroup_api api, uint32_t size)
{
    uint32_t least = api == SEGSORT_SUBGROUP_ARB ? 4 : 8;
    return api != SEGSORT_SUBGROUP_NONE && size >= least && size <= SEGSORT_SUBGROUP_SIZE_MAX &&
           (size & (size - 1)) == 0;
}

const char *segsort_subgroup_name(segsort_subgroup_api api)
{
    static const char *const names[SEGSORT_SUBGROUP_APIS] = {
        "no subgroups", "GL_KHR_shader_subgroup", "GL_ARB_shader_ballot"};
    return names[api];
}

bool segsort_kernel_scatters(segsort_kernel_id id)
{
    return id == SEGSORT_KERNEL_RADIX_SCATTER || id == SEGSORT_KERNEL_SPLIT_SCATTER;
}

bool segsort_kernel_matches(segsort_kernel_id id, uint32_t subgroup_size)
{
    return segsort_kernel_scatters(id) && subgroup_size >= SEGSORT_TEAM_LANES_MIN;
}

/* Two quads an invocation are slower for short segments, and faster for others. */
static uint32_t segsort_quads_rows(uint32_t width)
{
    return width <= 16 ? 4 : 8;
}

bool segsort_kernel_fits_subgroup(segsort_kernel_id id, uint32_t width, uint32_t threads,
                                  uint32_t subgroup_size)
{
    if (segsort_kernel_scatters(id))
        return segsort_kernel_matches(id, subgroup_size);
    if (id != SEGSORT_KERNEL_RANK_QUADS)
        return true;
    return width > 4 && (width & (width - 1)) == 0 && threads >= subgroup_size &&
           width / segsort_quads_rows(width) <= subgroup_size;
}

/* Rows that a bucket kernel has shared memory for. */
static uint32_t segsort_bucket_rows(const segsort_variant *variant)
{
    return variant->width > SEGSORT_BUCKET_MIN ? variant->width : SEGSORT_BUCKET_MIN;
}

/* Where the tuning doesn't tell. */
static uint32_t segsort_pack_threads(const segsort_variant *variant)
{
    uint32_t rows = segsort_bucket_rows(variant);
    if (variant->kernel == SEGSORT_KERNEL_RANK_LOCAL ||
        variant->kernel == SEGSORT_KERNEL_RANK_QUADS)
        return 64;
    return rows <= 512 ? rows / 2 : rows / 4;
}

uint32_t segsort_variant_threads(const segsort_variant *variant)
{
    uint32_t pairs = variant->width / 2;
    if (variant->threads > 0)
        return variant->threads;
    if (segsort_kernel_takes_whole(variant->kernel) || segsort_kernel_takes_single(variant->kernel))
        return segsort_pack_threads(variant);
    if (segsort_kernel_matches(variant->kernel, variant->subgroup_size))
        return SEGSORT_TEAMS * (variant->subgroup_size < 32 ? variant->subgroup_size : 32);
    bool pair_a_thread = segsort_kernel_is_network(variant->kernel) &&
                         variant->kernel != SEGSORT_KERNEL_BITONIC_STEP;
    if (!pair_a_thread || pairs < SEGSORT_THREADS_MIN)
        return SEGSORT_THREADS_MIN;
    return pairs < SEGSORT_THREADS_MAX ? pairs : SEGSORT_THREADS_MAX;
}

uint32_t segsort_variant_tile_rows(const segsort_variant *variant)
{
    /* Whole segments. */
    if (variant->kernel == SEGSORT_KERNEL_RANK_LOCAL)
        return SEGSORT_RANK_LOCAL_ROWS / variant->width * variant->width *
               segsort_variant_threads(variant);
    if (variant->kernel == SEGSORT_KERNEL_RANK_QUADS)
        return segsort_quads_rows(variant->width) * segsort_variant_threads(variant) /
               variant->width * variant->width;
    if (variant->kernel == SEGSORT_KERNEL_BUCKET_SLOTS)
        return segsort_bucket_rows(variant);
    uint32_t rows = 2 * segsort_variant_threads(variant);
    return rows > variant->width ? rows : variant->width;
}

uint32_t segsort_variant_bindings(const segsort_variant *variant)
{
    uint32_t bindings = segsort_kernel_get(variant->kernel)->storage_bindings;
    bool from_inputs =
        segsort_kernel_is_network(variant->kernel) || segsort_kernel_takes_whole(variant->kernel);
    if (variant->types.value == GL_SEGSORT_VALUE_NONE)
        bindings &= ~(SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_VALUES));
    /* Row numbers are made where rows leave the inputs; from then on they are values like others.
     * */
    if (variant->types.value == GL_SEGSORT_VALUE_INDEX &&
        (from_inputs || variant->kernel == SEGSORT_KERNEL_RADIX_LOCAL ||
         variant->kernel == SEGSORT_KERNEL_LIST_SCATTER))
        bindings &= ~SEGSORT_USES(VALUES);
    return bindings;
}

uint32_t segsort_kernel_width_max(segsort_kernel_id id, segsort_types types, uint32_t shared_bytes)
{
    const segsort_shared_words *words = &segsort_kernel_get(id)->shared_words;
    uint32_t row_bytes = 4 * (words->fixed + words->key_copies * segsort_key_words(types.key) +
                              words->value_copies * segsort_value_words(types.value));
    uint32_t width = SEGSORT_WIDTH_MAX;
    while (width > 2 && width * row_bytes > shared_bytes)
        width /= 2;
    return width;
}

uint32_t segsort_bucket_count(uint32_t width)
{
    return width >= 1024 ? width / 2 : width;
}

/* As the arrays of bucket.glsl and what it includes come to. */
uint32_t segsort_bucket_bytes(const segsort_variant *variant)
{
    uint32_t key_words = segsort_key_words(variant->types.key),
             value_words = segsort_value_words(variant->types.value);
    uint32_t width = segsort_bucket_rows(variant), buckets = segsort_bucket_count(width),
             threads = segsort_variant_threads(variant);
    uint32_t words = width * (1 + key_words) + buckets + buckets / 32 + 1 + 32;
    words += threads + threads / 16 + width / 32 + (width + 1023) / 1024;
    words += width <= 1024 ? width * value_words : 0;
    if (variant->kernel == SEGSORT_KERNEL_BUCKET_SLOTS)
        words += width / variant->width * SEGSORT_SEGMENT_WORDS;
    return 4 * (words + 4 * key_words + 3);
}

uint32_t segsort_bucket_width_max(segsort_types types, uint32_t shared_bytes)
{
    segsort_variant variant = {
        .kernel = SEGSORT_KERNEL_BUCKET_LOCAL, .width = SEGSORT_BUCKET_MAX, .types = types};
    while (variant.width >= SEGSORT_BUCKET_MIN && segsort_bucket_bytes(&variant) > shared_bytes)
        variant.width /= 2;
    return variant.width >= SEGSORT_BUCKET_MIN ? variant.width : 0;
}

/* As the arrays of parts.glsl come to: more cells with subgroups, the portable scan's numbers
 * without. */
uint32_t segsort_parts_bytes(uint32_t width)
{
    const segsort_variant variant = {.kernel = SEGSORT_KERNEL_SPLIT_PARTS, .width = width};
    uint32_t threads = segsort_variant_threads(&variant), rows = 2 * width + width / 8;
    uint32_t cells = width >= 4 * threads ? 3 * threads : width / 2;
    uint32_t with = cells + cells / 32 + threads / 8;
    uint32_t without = width / 2 + width / 64 + threads + threads / 16;
    return 4 * (rows + (with > without ? with : without) + 1 + 64 + 1 + 4);
}

bool segsort_variant_equal(const segsort_variant *a, const segsort_variant *b)
{
    return a->kernel == b->kernel && a->width == b->width && a->direction == b->direction &&
           a->types.key == b->types.key && a->types.value == b->types.value &&
           a->masked == b->masked && a->subgroup_api == b->subgroup_api &&
           a->subgroup_size == b->subgroup_size &&
           segsort_variant_threads(a) == segsort_variant_threads(b);
}

/* #version has to come first and nothing but #extension next: some drivers want no #if around it. */
#define SEGSORT_REQUIRE(extension) "#extension " extension " : require\n"
#define SEGSORT_REQUIRE_KHR                                                                        \
    SEGSORT_REQUIRE("GL_KHR_shader_subgroup_basic")                                                \
    SEGSORT_REQUIRE("GL_KHR_shader_subgroup_ballot")                                               \
    SEGSORT_REQUIRE("GL_KHR_shader_subgroup_arithmetic")                                           \
    SEGSORT_REQUIRE("GL_KHR_shader_subgroup_shuffle")
#define SEGSORT_REQUIRE_ARB                                                                        \
    SEGSORT_REQUIRE("GL_ARB_shader_ballot") SEGSORT_REQUIRE("GL_ARB_gpu_shader_int64")

static const char *segsort_variant_extensions(const segsort_variant *variant)
{
    static const char *const extensions[SEGSORT_SUBGROUP_APIS] = {"", SEGSORT_REQUIRE_KHR,
                                                                  SEGSORT_REQUIRE_ARB};
    return extensions[variant->subgroup_api];
}

int segsort_variant_preamble(const segsort_variant *variant, char *text, size_t size)
{
    return snprintf(
        text, size,
        "#version 430 core\n"
        "%s"
        "#define SEGSORT_GLSL 1\n"
        "#define SEGSORT_USES %u\n"
        "#define SEGSORT_KEY_TYPE %d\n"
        "#define SEGSORT_KEY_WORDS %u\n"
        "#define SEGSORT_KEY_MASKED %d\n"
        "#define SEGSORT_VALUE_WORDS %u\n"
        "#define SEGSORT_VALUE_INDEX %d\n"
        "#define SEGSORT_DESCENDING %d\n"
        "#define SEGSORT_PACK_EQUAL %d\n"
        "#define SEGSORT_PACK_SINGLE %d\n"
        "#define SEGSORT_PACK_SLOTS %d\n"
        "#define SEGSORT_SPLIT %d\n"
        "#define SEGSORT_WIDTH %u\n"
        "#define SEGSORT_THREADS %u\n"
        "#define SEGSORT_TILE_ROWS %u\n"
        "#define SEGSORT_SUBGROUP_API %d\n"
        "#define SEGSORT_SUBGROUP_SIZE %u\n",
        segsort_variant_extensions(variant), segsort_variant_bindings(variant),
        (int)variant->types.key, segsort_key_words(variant->types.key), variant->masked,
        segsort_value_words(variant->types.value), variant->types.value == GL_SEGSORT_VALUE_INDEX,
        variant->direction == GL_SEGSORT_DESCENDING, segsort_kernel_takes_equal(variant->kernel),
        segsort_kernel_takes_single(variant->kernel),
        variant->kernel == SEGSORT_KERNEL_BUCKET_SLOTS, segsort_kernel_is_split(variant->kernel),
        variant->width, segsort_variant_threads(variant), segsort_variant_tile_rows(variant),
        (int)variant->subgroup_api, variant->subgroup_size);
}
