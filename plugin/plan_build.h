/* What plan.c, plan_table.c and plan_passes.c share while a plan is built. Pure C. */
#ifndef SEGSORT_PLAN_BUILD_H
#define SEGSORT_PLAN_BUILD_H

#include "plan.h"

/* Widths 2 to 4096, and the long segments behind them. */
#define SEGSORT_CLASSES_MAX 16

/* Segments of up to width rows that one kernel sorts in one dispatch. */
typedef struct segsort_class {
    segsort_kernel_id kernel;
    uint32_t width;
    uint32_t segment_count;
    uint64_t row_count;
    bool packed; /* they are in packs besides: a class's lengths are all of one width of packs */
    uint32_t first_word;   /* table word of its first segment */
    uint32_t next_segment; /* while the table is written */
} segsort_class;

/* Packs of one width, each a run of whole segments that lie one behind the other. */
#define SEGSORT_PACK_CLASSES_MAX 5

typedef struct segsort_pack_class {
    segsort_kernel_id kernel;
    uint32_t width;         /* rows that a pack has room for */
    uint32_t equal_length;  /* of all segments of the set, 0: they differ */
    uint32_t pack_segments; /* then, what a pack takes */
    bool used;              /* else its segments are sorted as those of classes are */
    uint32_t pack_count, segment_count;
    uint64_t row_count;
    uint32_t first_word; /* table word of its first pack */
    uint32_t next_word;  /* while the table is written */
} segsort_pack_class;

/* How the buckets of a split segment are sorted: neighbouring ones together, in narrow bunches or
 * in wide ones, or those that have more rows than a work group has room for part by part. */
typedef enum segsort_finish_id {
    SEGSORT_FINISH_NARROW,
    SEGSORT_FINISH_WIDE,
    SEGSORT_FINISH_PARTS,
    SEGSORT_FINISHES
} segsort_finish_id;

/* Segments that are finished in a way, and work groups that do it. */
typedef struct segsort_finish {
    uint32_t segment_count, first_group, group_count;
    uint64_t row_count;
} segsort_finish;

/* What the segments that are split twice are split into: the most of each that there can be. The
 * last six are table words. */
typedef struct segsort_children {
    uint32_t count, sums, groups, part_groups;
    uint32_t sums_each;       /* runs of tiles that one of usual length has */
    segsort_finish_id finish; /* of those that are not sorted part by part */
    uint32_t twice_word, segment_word, tile_word, long_word, split_word, finish_word;
} segsort_children;

/* Passes while they are being listed. */
typedef struct segsort_pass_list {
    segsort_pass *passes;
    uint32_t count, capacity;
} segsort_pass_list;

/* The set being built. */
typedef struct segsort_set_builder {
    uint32_t number;
    const gl_segsort_segment *segments;
    uint32_t segment_count;
    segsort_set *set;
    segsort_class classes[SEGSORT_CLASSES_MAX];         /* by width, the long class last */
    segsort_pack_class packs[SEGSORT_PACK_CLASSES_MAX]; /* by width, or one of equal segments */
    uint32_t pack_class_count;
    uint32_t *long_segments; /* the long class, longest first */
    uint32_t long_count;
    uint32_t tile_word, tile_count;
    uint32_t long_word;               /* table word of the long segments' further words */
    uint32_t chunk_word, chunk_count; /* 0 chunks: no segment has tiles enough to need them */
    uint32_t spine_counts; /* the most chunks of a segment, or tiles if there are no chunks */
    /* Long segments from first_split on are split into buckets, those before first_once twice; the
     * ones before all of them are sorted digit by digit, and of these alone there are chunks. Their
     * tiles come first, and those of the ones that are split twice last. */
    uint32_t first_split, first_split_tile;
    uint32_t first_once, first_twice_tile;
    uint32_t bucket_count, buckets_max; /* of all of them, the most of one */
    /* Runs of tiles that are counted together; those of segments that are split twice come first. */
    uint32_t sum_count, sums_max, twice_sums;
    uint32_t bunch_words;
    segsort_finish finishes[SEGSORT_FINISHES];
    uint64_t split_rows, twice_rows;
    segsort_children children;
    uint32_t split_word, finish_word; /* table words, the former as if all long segments had them */
    uint32_t box_word;       /* table word of the long segments' boxes, if codes are made */
    segsort_pass_list *list; /* that passes are added to */
    uint32_t level;          /* of its last pass */
    uint32_t steps;          /* of the network that the long segments' passes have done */
    uint32_t entry_level;    /* where passes wait for the list, in a listed plan */
    uint32_t entry_barriers;
} segsort_set_builder;

typedef struct segsort_builder {
    const gl_segsort_plan_desc *desc;
    const segsort_limits *limits;
    const gl_segsort_allocator *allocator;
    segsort_error *error;
    segsort_plan *plan;
    segsort_types types;
    segsort_class classes[SEGSORT_CLASSES_MAX]; /* without segments, as each set starts */
    uint32_t local_class_count;
    segsort_tuning tuning;  /* as the kernels can do it */
    uint32_t network_max;   /* rows that the network sorts in a work group, unless slots do */
    uint32_t pack_rows_max; /* 0: there are no packs */
    uint32_t samples_max;   /* of a long segment that is split, 0: none is */
    uint32_t step_limit;    /* SEGSORT_STEPS_ALL: none */
    bool long_radix;        /* long classes are sorted by radix, else by the network */
    uint32_t tile_rows;     /* of a long class */
    uint64_t table_capacity;
    segsort_pass_list passes, gather_passes, morton_passes;
    segsort_set_builder set;
} segsort_builder;

segsort_class *segsort_long_class(segsort_builder *builder);
uint32_t segsort_tile_count(const segsort_builder *builder, uint32_t length);
uint32_t segsort_chunk_count(const segsort_builder *builder, uint32_t length);
/* Tiles that the work section has counts of: what is split twice may have more the second time. */
uint32_t segsort_counted_tiles(const segsort_set_builder *set);
/* What the spine scans of a segment that has so many tiles; the most of any gives the invocations
 * of its work groups. */
uint32_t segsort_most_spine_counts(const segsort_set_builder *set, uint32_t tiles);
uint32_t segsort_spine_threads(uint32_t counts);
gl_segsort_result segsort_fail_memory(const segsort_builder *builder, const char *what);

/* plan_table.c: sorts a set's segments into classes and finds their words in the table, then writes
 * these. */
gl_segsort_result segsort_lay_out_table(segsort_builder *builder);
gl_segsort_result segsort_write_table(segsort_builder *builder);

/* plan_packs.c: puts a set's segments into packs where that pays, then finds the packs' words in the
 * table from the one given on, returning the first behind them, and writes these. */
void segsort_count_packs(segsort_builder *builder);
bool segsort_is_packed(segsort_builder *builder, uint32_t length);
uint64_t segsort_lay_out_packs(segsort_builder *builder, uint64_t word);
void segsort_write_packs(segsort_builder *builder);
gl_segsort_result segsort_add_pack_passes(segsort_builder *builder);

/* plan_splits.c: which long segments are split into buckets that work groups sort, their words in
 * the table and in the work section, and their passes; plan_twice.c for those that are split twice. */
void segsort_find_splits(segsort_builder *builder);
uint64_t segsort_lay_out_splits(segsort_builder *builder, uint64_t word);
void segsort_write_splits(segsort_builder *builder);
uint64_t segsort_split_bytes(const segsort_builder *builder);
gl_segsort_result segsort_add_split_passes(segsort_builder *builder);

/* plan_listed.c: the most that a list can have of each, its passes, and the recipes that the GPU
 * counts work groups by. */
bool segsort_is_listed(const segsort_builder *builder);
gl_segsort_result segsort_lay_out_listed(segsort_builder *builder);
gl_segsort_result segsort_list_listed(segsort_builder *builder, segsort_kernel_id scatter);
gl_segsort_result segsort_write_recipes(segsort_builder *builder);

/* plan_passes.c: sizes a set's scratch, lists its passes. */
gl_segsort_result segsort_size_scratch(segsort_builder *builder);
gl_segsort_result segsort_list_passes(segsort_builder *builder);

/* plan_morton.c: the table words that Morton codes take, and their passes, of plans that can have
 * any. */
uint64_t segsort_box_words(const segsort_builder *builder);
gl_segsort_result segsort_list_morton(segsort_builder *builder);

/* Digits that the long segments' keys have. */
uint32_t segsort_digit_count(const segsort_builder *builder);

/* For those who add passes: starting a list, a pass of a class, and its way into the list. */
void segsort_start_list(segsort_builder *builder, segsort_pass_list *list);
segsort_pass segsort_make_pass(const segsort_builder *builder, segsort_kernel_id kernel,
                               uint32_t width, const segsort_class *class);
/* Whether the kernel's variant of that width is the one for subgroups. */
bool segsort_takes_subgroups(const segsort_builder *builder, segsort_kernel_id kernel,
                             uint32_t width);
gl_segsort_result segsort_add_leveled(segsort_builder *builder, segsort_pass *pass,
                                      uint64_t groups);

/* For kernels whose work groups take slots of whole segments, or a tile of a long one: fills that in
 * and gives the number of work groups. */
uint64_t segsort_take_slots(const segsort_builder *builder, const segsort_class *class,
                            segsort_pass *pass);

/* And brings the passes of all sets into their order. */
gl_segsort_result segsort_order_passes(segsort_builder *builder);

#endif
