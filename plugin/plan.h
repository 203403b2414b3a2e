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
    uint32_t barriers; /* before it */
    uint32_t stage, stride;
    uint32_t begin_bit, bit_count; /* of a radix pass's digit */
    uint32_t segment_count;
    uint64_t row_count;
    char label[SEGSORT_PASS_LABEL_BYTES];
} segsort_pass;

/* The scratch: keys and values of the long segments' rows, then the work section, one behind the
 * other. */
typedef struct segsort_scratch {
    uint64_t key_bytes, value_bytes, work_bytes;
} segsort_scratch;

typedef struct segsort_plan {
    segsort_layout layout;
    segsort_pass *passes;
    uint32_t pass_count;
    uint32_t pass_capacity;
    uint32_t local_rows_max; /* longest segment that one work group sorts */
    uint32_t *table;         /* as layout.h has it */
    uint64_t table_words;
    segsort_scratch scratch;
} segsort_plan;

uint64_t segsort_scratch_bytes(const segsort_scratch *scratch);

/* Builds the plan of a description that segsort_desc_check_plan found right. On an error nothing is
 * left allocated. */
gl_segsort_result segsort_plan_build(const gl_segsort_plan_desc *desc, const segsort_layout *layout,
                                     const segsort_limits *limits,
                                     const gl_segsort_allocator *allocator, segsort_plan *plan,
                                     segsort_error *error);

/* Frees the table once it is on the GPU. */
void segsort_plan_release_table(segsort_plan *plan, const gl_segsort_allocator *allocator);

void segsort_plan_release(segsort_plan *plan, const gl_segsort_allocator *allocator);

/* Folds a number of work groups over the axes: x * y * z >= groups with little surplus. groups must
 * not exceed the product of the limits. */
void segsort_fold_groups(uint64_t groups, const uint32_t limits[3], uint32_t work_groups[3]);

#endif
