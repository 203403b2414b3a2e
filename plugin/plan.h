/* From a checked description and the driver's limits to a list of passes and a segment table. Pure
 * C. */
#ifndef SEGSORT_PLAN_H
#define SEGSORT_PLAN_H

#include "desc.h"
#include "kernels.h"

#define SEGSORT_LABEL_BYTES 64
#define SEGSORT_PASS_LABEL_BYTES 128

/* One dispatch. */
typedef struct segsort_pass {
    segsort_variant variant;
    struct segsort_pass_params params;
    gl_segsort_pass_condition condition; /* only the sort call tells whether it sorts in place */
    uint32_t work_groups[3];
    uint32_t set;      /* whose segments it works on */
    uint32_t level;    /* passes of one level depend on none of each other */
    uint32_t barriers; /* between it and the lower levels of its set */
    uint32_t width;    /* rows that a slot of a work group holds */
    /* In a listed plan the GPU counts work groups and items: */
    bool indirect;
    uint32_t items;      /* SEGSORT_ITEMS_* */
    uint32_t item_class; /* of the items, or of the segments that they are parts of */
    uint32_t slots;      /* items that a work group takes */
    uint32_t groups_max;
    uint32_t length_min; /* of the longest segment, for there to be anything to do */
    uint32_t stage, stride;
    uint32_t begin_bit, bit_count; /* of a radix pass's digit */
    uint32_t segment_count;
    uint64_t row_count;
    char label[SEGSORT_PASS_LABEL_BYTES];
} segsort_pass;

/* A set's scratch: keys and values of its long segments' rows, then the work section, one behind
 * the other. */
typedef struct segsort_scratch {
    uint64_t key_bytes, value_bytes, work_bytes;
    uint64_t byte_offset; /* in the plan's scratch */
} segsort_scratch;

/* What lies in one set of views. */
typedef struct segsort_set {
    segsort_layout layout;
    segsort_scratch scratch;
} segsort_set;

typedef struct segsort_plan {
    gl_segsort_key_type key_type;
    gl_segsort_value_type value_type;
    segsort_set *sets;
    uint32_t set_count;
    bool batch;  /* sentences name the set */
    bool listed; /* the GPU lists the segments */
    uint32_t pass_count, gather_pass_count, morton_pass_count;
    segsort_pass *passes; /* by level */
    segsort_pass *gather_passes;
    segsort_pass *morton_passes; /* by level; none where keys can't be Morton codes */
    bool has_boxes;              /* the table is written by calls that make them */
    uint32_t local_rows_max;     /* longest segment that one work group sorts */
    uint32_t *table;             /* as layout.h has it, set by set; of a listed plan, its recipes */
    uint64_t table_words;
    uint64_t recipe_word; /* where a listed plan's recipes go in its table */
    uint32_t recipe_count;
    uint64_t scratch_bytes;
    uint32_t step_count; /* without a step_limit */
} segsort_plan;

/* All passes: those of the sort, of the gather, of Morton codes, in that order. */
uint32_t segsort_plan_pass_total(const segsort_plan *plan);
const segsort_pass *segsort_plan_pass(const segsort_plan *plan, uint32_t number);

/* Of a set: all its sections. */
uint64_t segsort_scratch_bytes(const segsort_scratch *scratch);

/* Builds the plan of a description that segsort_desc_check_plan found right; layouts has one a set.
 * On an error nothing is left allocated. */
gl_segsort_result segsort_plan_build(const gl_segsort_plan_desc *desc,
                                     const segsort_layout *layouts, const segsort_limits *limits,
                                     const gl_segsort_allocator *allocator, segsort_plan *plan,
                                     segsort_error *error);

/* The scratch that such a plan needs, without building it. */
gl_segsort_result segsort_plan_measure(const gl_segsort_plan_desc *desc,
                                       const segsort_layout *layouts, const segsort_limits *limits,
                                       const gl_segsort_allocator *allocator,
                                       uint64_t *scratch_bytes, segsort_error *error);

/* Whether a kernel has a variant for the driver's subgroups that the tuning takes. */
bool segsort_plan_wants_subgroup(const segsort_limits *limits, segsort_kernel_id kernel);

/* Frees the table once it is on the GPU. */
void segsort_plan_release_table(segsort_plan *plan, const gl_segsort_allocator *allocator);

void segsort_plan_release(segsort_plan *plan, const gl_segsort_allocator *allocator);

/* Folds a number of work groups over the axes: x * y * z >= groups with little surplus. groups must
 * not exceed the product of the limits. */
void segsort_fold_groups(uint64_t groups, const uint32_t limits[3], uint32_t work_groups[3]);

#endif
