/* What plan_splits.c and plan_twice.c share: how long segments are split, and the passes that do it. Pure C. */
#ifndef SEGSORT_PLAN_SPLITS_H
#define SEGSORT_PLAN_SPLITS_H

#include "plan_build.h"

/* How a long segment is split; into 0 buckets: it can't be. */
typedef struct segsort_split {
    segsort_finish_id finish;
    uint32_t buckets, samples_apart;
    uint32_t bunch_rows;   /* that a bunch of several buckets has at most */
    uint32_t bunches_max;  /* that it can have */
    uint32_t groups;       /* work groups that sort them */
    uint32_t sums;         /* runs of its tiles that are counted together */
    uint32_t room_samples; /* an even bucket is to have half of them at most */
} segsort_split;

/* Rows of a bunch of more than one bucket at most. */
uint32_t segsort_finish_rows(const segsort_builder *builder, segsort_finish_id finish);

/* Samples that a segment's splitters are drawn from. */
uint32_t segsort_sample_count(const segsort_builder *builder, uint32_t length);

/* Buckets of a segment of that length if it is finished so; 0: it would take more than there can be. */
uint32_t segsort_count_buckets_of(const segsort_builder *builder, uint32_t length,
                                  segsort_finish_id finish);

uint32_t segsort_sum_count(const segsort_builder *builder, uint32_t length);
uint32_t segsort_long_length(const segsort_set_builder *set, uint32_t number);

/* Segments that are parted in the same passes: how many there are, and where the table and the work
 * section have what. */
typedef struct segsort_split_group {
    struct segsort_pass_params params;
    uint32_t first, end;           /* segments */
    uint32_t first_tile, tile_end; /* their tiles */
    uint32_t longest;              /* of about so many rows */
    uint32_t buckets_max, sums;    /* of one of them */
    uint32_t first_sum, sum_count; /* of all of them */
    uint32_t segment_count;        /* 0: the GPU alone knows */
    uint64_t row_count;
} segsort_split_group;

segsort_pass segsort_make_split_pass(const segsort_builder *builder,
                                     const segsort_split_group *group, segsort_kernel_id kernel,
                                     uint32_t width, uint32_t first, uint32_t item_count);

/* What is said of all segments that are split, once or twice. */
segsort_split_group segsort_first_splits(const segsort_builder *builder);

/* Samples, counts and the scan, of which the first needs those barriers; and then the rows are moved. */
gl_segsort_result segsort_add_counting(segsort_builder *builder, const segsort_split_group *group,
                                       uint32_t barriers);
gl_segsort_result segsort_add_moving(segsort_builder *builder, const segsort_split_group *group);

/* The passes that sort bunches of a group, in each way that it has work groups of: side by side, behind
 * one barrier. */
gl_segsort_result segsort_add_finishes(segsort_builder *builder, const segsort_split_group *group,
                                       const segsort_finish finishes[SEGSORT_FINISHES]);

/* plan_twice.c: whether a segment that can't be split once can be split twice, and how its first
 * split is; then as plan_build.h has it for those of plan_splits.c. */
segsort_split segsort_first_split_of(const segsort_builder *builder, uint32_t length);
void segsort_count_children(segsort_builder *builder);
uint64_t segsort_lay_out_twice(segsort_builder *builder, uint64_t word);
void segsort_write_twice(segsort_builder *builder);
uint64_t segsort_twice_words(const segsort_builder *builder);
gl_segsort_result segsort_add_twice_passes(segsort_builder *builder);

#endif
