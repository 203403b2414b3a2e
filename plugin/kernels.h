/*
 * The registry of kernels. The plan picks from it, the pipeline compiles from it, tests check each kernel against it,
 * docs/kernels.md describes it. Pure C.
 *
 * A kernel is a file of glsl/; a variant of it is a width, a direction and so on, given to the shader as
 * macros. Widths are powers of two.
 */
#ifndef SEGSORT_KERNELS_H
#define SEGSORT_KERNELS_H

#include "gl_segsort.h"
#include "layout.h"

#define SEGSORT_USES(binding) (1u << SEGSORT_BINDING_##binding)
#define SEGSORT_USES_ALL_VIEWS                                                                     \
    (SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_KEYS) |                       \
     SEGSORT_USES(OUTPUT_VALUES))
#define SEGSORT_USES_OUTPUTS (SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(OUTPUT_VALUES))

/* What a row takes of shared memory, in 32-bit words. */
typedef struct segsort_shared_words {
    uint32_t fixed;      /* whatever the types are */
    uint32_t key_copies; /* a key's words so many times */
    uint32_t value_copies;
} segsort_shared_words;

/* X(enumerator, name, file, shader storage bindings that it uses, fixed, key_copies, value_copies):
 * the last three are a row's shared memory, 0 for kernels whose tile size is fixed. */
#define SEGSORT_KERNELS(X)                                                                         \
    X(BITONIC_LOCAL, "bitonic-local", "bitonic_local.comp",                                        \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE), 1, 1, 0)                                       \
    X(BITONIC_BLOCK, "bitonic-block", "bitonic_block.comp",                                        \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 1, 1, 0)                  \
    X(BITONIC_STEP, "bitonic-step", "bitonic_step.comp",                                           \
      SEGSORT_USES_OUTPUTS | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                    \
    X(BITONIC_MERGE, "bitonic-merge", "bitonic_merge.comp",                                        \
      SEGSORT_USES_OUTPUTS | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 1, 1, 1)                    \
    X(RADIX_LOCAL, "radix-local", "radix_local.comp",                                              \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE), 0, 0, 0)                                       \
    X(RADIX_COUNT, "radix-count", "radix_count.comp",                                              \
      SEGSORT_USES(KEYS) | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                      \
    X(RADIX_CHUNK, "radix-chunk", "radix_chunk.comp", SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, \
      0, 0)                                                                                        \
    X(RADIX_SPINE, "radix-spine", "radix_spine.comp", SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, \
      0, 0)                                                                                        \
    X(RADIX_SCATTER, "radix-scatter", "radix_scatter.comp",                                        \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                  \
    X(COPY_ROWS, "copy-rows", "copy_rows.comp", SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE), 0,   \
      0, 0)                                                                                        \
    X(BUCKET_LOCAL, "bucket-local", "bucket_local.comp",                                           \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE), 0, 0, 0)                                       \
    X(BUCKET_EQUAL, "bucket-equal", "bucket_local.comp", SEGSORT_USES_ALL_VIEWS, 0, 0, 0)          \
    X(BUCKET_SLOTS, "bucket-slots", "bucket_local.comp",                                           \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE), 0, 0, 0)                                       \
    X(RANK_LOCAL, "rank-local", "rank_local.comp", SEGSORT_USES_ALL_VIEWS, 0, 0, 0)                \
    X(RANK_QUADS, "rank-quads", "rank_quads.comp", SEGSORT_USES_ALL_VIEWS, 0, 0, 0)                \
    X(SPLIT_SAMPLE, "split-sample", "split_sample.comp",                                           \
      SEGSORT_USES(KEYS) | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                      \
    X(SPLIT_COUNT, "split-count", "radix_count.comp",                                              \
      SEGSORT_USES(KEYS) | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                      \
    X(SPLIT_SPINE, "split-spine", "radix_spine.comp", SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, \
      0, 0)                                                                                        \
    X(SPLIT_SCATTER, "split-scatter", "radix_scatter.comp",                                        \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                  \
    X(SPLIT_FINISH, "split-finish", "split_finish.comp",                                           \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                  \
    X(SPLIT_PARTS, "split-parts", "split_parts.comp",                                              \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, 0, 0)                  \
    X(GATHER, "gather", "gather.comp",                                                             \
      SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(TABLE), \
      0, 0, 0)                                                                                     \
    X(SPLIT_AGAIN, "split-again", "split_again.comp", SEGSORT_USES(TABLE) | SEGSORT_USES(WORK), 0, \
      0, 0)                                                                                        \
    X(LIST_COUNT, "list-count", "list_count.comp",                                                 \
      SEGSORT_USES(TABLE) | SEGSORT_USES(LIST) | SEGSORT_USES(LIST_COUNT), 0, 0, 0)                \
    X(LIST_LAYOUT, "list-layout", "list_layout.comp",                                              \
      SEGSORT_USES(PARAMS) | SEGSORT_USES(COMMANDS) | SEGSORT_USES(STATUS) | SEGSORT_USES(TABLE) | \
          SEGSORT_USES(LIST),                                                                      \
      0, 0, 0)                                                                                     \
    X(LIST_SCATTER, "list-scatter", "list_scatter.comp",                                           \
      SEGSORT_USES_ALL_VIEWS | SEGSORT_USES(TABLE) | SEGSORT_USES(LIST), 0, 0, 0)                  \
    X(LIST_TILES, "list-tiles", "list_tiles.comp", SEGSORT_USES(TABLE), 0, 0, 0)                   \
    X(DEPTH_KEYS, "depth-keys", "depth_keys.comp",                                                 \
      SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(TABLE), \
      0, 0, 0)                                                                                     \
    X(MORTON_LOCAL, "morton-local", "morton_local.comp",                                           \
      SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(TABLE), \
      0, 0, 0)                                                                                     \
    X(MORTON_CLEAR, "morton-clear", "morton_clear.comp", SEGSORT_USES(TABLE), 0, 0, 0)             \
    X(MORTON_BOUNDS, "morton-bounds", "morton_bounds.comp",                                        \
      SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(TABLE), 0, 0, 0)                    \
    X(MORTON_CODES, "morton-codes", "morton_codes.comp",                                           \
      SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_KEYS) | SEGSORT_USES(TABLE), \
      0, 0, 0)                                                                                     \
    X(MORTON_SCATTER, "morton-scatter", "morton_scatter.comp",                                     \
      SEGSORT_USES(KEYS) | SEGSORT_USES(VALUES) | SEGSORT_USES(OUTPUT_KEYS) |                      \
          SEGSORT_USES(TABLE) | SEGSORT_USES(LIST),                                                \
      0, 0, 0)                                                                                     \
    X(SUBGROUP_PROBE, "subgroup-probe", "subgroup_probe.comp", SEGSORT_USES(WORK), 0, 0, 0)

/* Rows that a work group sorts by radix: the most whose ranking fits the 32 KiB of shared memory
 * that GL guarantees. A tile of the radix sort across work groups has half of them where the tuning
 * says nothing else. */
#define SEGSORT_RADIX_LOCAL_MIN 512u
#define SEGSORT_RADIX_LOCAL_MAX 4096u
#define SEGSORT_RADIX_TILE_ROWS 2048u

/* Rows of a pack that is sorted by buckets, from the least to the most; and the most of the equal
 * segments that an invocation sorts by ranks, or several of them. What is faster where, the tuning
 * tells. */
#define SEGSORT_BUCKET_MIN 256u
#define SEGSORT_BUCKET_MAX 4096u
#define SEGSORT_RANK_LOCAL_MAX 8u
#define SEGSORT_RANK_QUADS_MAX 256u

/* Rows that an invocation of rank-local takes, as far as they make up whole segments. */
#define SEGSORT_RANK_LOCAL_ROWS 8u

typedef enum segsort_kernel_id {
#define SEGSORT_KERNEL_ENUMERATOR(id, name, file, bindings, fixed, keys, values)                   \
    SEGSORT_KERNEL_##id,
    SEGSORT_KERNELS(SEGSORT_KERNEL_ENUMERATOR)
#undef SEGSORT_KERNEL_ENUMERATOR
        SEGSORT_KERNEL_COUNT
} segsort_kernel_id;

typedef struct segsort_kernel {
    const char *name;
    const char *file;
    uint32_t storage_bindings;
    segsort_shared_words shared_words;
} segsort_kernel;

/* The types that a row has, as far as kernels tell them apart. */
typedef struct segsort_types {
    gl_segsort_key_type key;
    gl_segsort_value_type value;
} segsort_types;

uint32_t segsort_key_words(gl_segsort_key_type type);

/* Of a value in outputs and scratch. */
uint32_t segsort_value_words(gl_segsort_value_type type);

/* How a shader comes to know of its subgroup; SEGSORT_SUBGROUP_API of the shader. */
typedef enum segsort_subgroup_api {
    SEGSORT_SUBGROUP_NONE = SEGSORT_SUBGROUP_API_NONE,
    SEGSORT_SUBGROUP_KHR =
        SEGSORT_SUBGROUP_API_KHR, /* GL_KHR_shader_subgroup_basic, _ballot, _arithmetic, _shuffle */
    SEGSORT_SUBGROUP_ARB =
        SEGSORT_SUBGROUP_API_ARB, /* GL_ARB_shader_ballot and GL_ARB_gpu_shader_int64: ballots alone */
    SEGSORT_SUBGROUP_APIS
} segsort_subgroup_api;

#define SEGSORT_SUBGROUP_SIZE_MAX 64u

/* One program: everything that its source text depends on. */
typedef struct segsort_variant {
    segsort_kernel_id kernel;
    uint32_t width;
    gl_segsort_direction direction;
    segsort_types types;
    bool masked; /* not all bits of the key count */
    segsort_subgroup_api subgroup_api;
    uint32_t subgroup_size; /* 0: portable */
    uint32_t threads; /* invocations of a work group, 0: as many as the kernel has by itself */
} segsort_variant;

const segsort_kernel *segsort_kernel_get(segsort_kernel_id id);

/* Rows that a work group gathers, where segments are shorter. */
#define SEGSORT_GATHER_ROWS 512u

/* Rows that a work group makes depth keys of at a time, and Morton codes where segments are
 * shorter. */
#define SEGSORT_DEPTH_ROWS 256u
#define SEGSORT_MORTON_ROWS 512u

/* The only variant of a kernel that knows no rows, or moves records of any width. */
segsort_variant segsort_untyped_variant(segsort_kernel_id id, uint32_t width);

/* Whether it has rows or a work section, and so the uniforms that tell where they start. */
bool segsort_kernel_reads_views(segsort_kernel_id id);

/* Whether it has a listed plan's list, and so the uniforms that tell of it. */
bool segsort_kernel_reads_list(segsort_kernel_id id);

/* Whether it writes Morton codes, and so has a variant for each length of them. */
bool segsort_kernel_writes_codes(segsort_kernel_id id);

/* Whether it compares keys whole, and so has to mask the bits that do not count. */
bool segsort_kernel_is_network(segsort_kernel_id id);
bool segsort_kernel_compares(segsort_kernel_id id);

/* Whether it has a variant for subgroups that such an api is enough for; whether kernels are made for
 * subgroups of that size. */
bool segsort_kernel_has_subgroup(segsort_kernel_id id, segsort_subgroup_api api);
bool segsort_subgroup_fits(segsort_subgroup_api api, uint32_t size);

/* Whether it moves a tile's rows to where their digits, or buckets, go. */
bool segsort_kernel_scatters(segsort_kernel_id id);

/* Whether it ranks rows by teams of invocations (shared/scatter_matched.glsl) where subgroups are of
 * that size. */
#define SEGSORT_TEAMS 8u
#define SEGSORT_TEAM_LANES_MIN 8u
bool segsort_kernel_matches(segsort_kernel_id id, uint32_t subgroup_size);

/* Whether a kernel that has a variant for subgroups has one of that width, so many invocations and such
 * subgroups: lanes that hold a segment's quads have to be of one. */
bool segsort_kernel_fits_subgroup(segsort_kernel_id id, uint32_t width, uint32_t threads,
                                  uint32_t subgroup_size);

/* "GL_KHR_shader_subgroup" */
const char *segsort_subgroup_name(segsort_subgroup_api api);

/* Whether its work groups take packs (plan_packs.c), and whether these are of equal segments. */
bool segsort_kernel_takes_packs(segsort_kernel_id id);
bool segsort_kernel_takes_equal(segsort_kernel_id id);

/* Whether its work groups take whole segments as packs have them: in one, or each in a slot. */
bool segsort_kernel_takes_whole(segsort_kernel_id id);

/* Whether it has a pack's memory, for samples or buckets of a long segment (plan_splits.c); whether
 * splitters part the rows of tiles for it, not digits. */
bool segsort_kernel_takes_single(segsort_kernel_id id);
bool segsort_kernel_is_split(segsort_kernel_id id);

/* Invocations of a work group, and rows that it takes at a time. */
uint32_t segsort_variant_threads(const segsort_variant *variant);
uint32_t segsort_variant_tile_rows(const segsort_variant *variant);

/* The registered bindings less those that a value type has no use for. */
uint32_t segsort_variant_bindings(const segsort_variant *variant);

/* The widest power of two whose rows fit shared memory of that size, and no wider than widths are
 * made. */
uint32_t segsort_kernel_width_max(segsort_kernel_id id, segsort_types types, uint32_t shared_bytes);

/* The rows of the largest pack that the bucket sort has shared memory for, 0 where there is none. */
uint32_t segsort_bucket_width_max(segsort_types types, uint32_t shared_bytes);

/* What a variant of it takes of shared memory, and its buckets. */
uint32_t segsort_bucket_bytes(const segsort_variant *variant);
uint32_t segsort_bucket_count(uint32_t width);

/* What a work group of split-parts takes of it, with or without subgroups, whatever the types
 * are. */
uint32_t segsort_parts_bytes(uint32_t width);

bool segsort_variant_equal(const segsort_variant *a, const segsort_variant *b);

/* Writes the lines that go before the shader's text: #version, extensions and the macros. Returns the
 * length, as snprintf. */
int segsort_variant_preamble(const segsort_variant *variant, char *text, size_t size);

#endif
