/* The known-answer test of kernels for subgroups, as far as it needs no GL: what is sorted, and the
 * right answers. Pure C. */
#ifndef SEGSORT_SELF_TEST_ANSWERS_H
#define SEGSORT_SELF_TEST_ANSWERS_H

#include "tuning.h"

#define SEGSORT_PROBE_BUFFER_WORDS (SEGSORT_PROBE_THREADS * SEGSORT_PROBE_WORDS)

/* What the probe has to write for subgroups of that size. */
void segsort_probe_answers(segsort_subgroup_api api, uint32_t size, uint32_t *words);

/* "ballot of odd numbers": what a word of the probe's record is. */
const char *segsort_probe_word_name(uint32_t word);

#define SEGSORT_SORT_TEST_SEGMENTS 30
#define SEGSORT_SORT_TEST_ROWS_MAX 20000

/* One sort of u32 keys and values. Together they reach every kernel that has a variant. */
typedef struct segsort_sort_test {
    const char *name;
    gl_segsort_algorithm algorithm;
    uint64_t kernels; /* a bit for each one that it is the test of */
    /* Buckets of a segment at most, else as many as the driver's tuning says: so few that some
     * thousand rows take what long segments do. */
    uint32_t buckets_max;
    gl_segsort_segment segments[SEGSORT_SORT_TEST_SEGMENTS];
    uint32_t segment_count, row_count;
} segsort_sort_test;

#define SEGSORT_SORT_TESTS 6
void segsort_sort_test_get(uint32_t number, segsort_sort_test *test);

/* What its plan goes by: the driver's tuning but for what the test says. */
segsort_tuning segsort_sort_test_tuning(const segsort_sort_test *test,
                                        const segsort_tuning *driver);

/* Rows with many equal keys, crowded ones, the least and the greatest; values are row numbers. */
void segsort_sort_test_input(const segsort_sort_test *test, uint32_t *keys, uint32_t *values);

/* Sorts them as gl_segsort does. spare has room for twice the rows. */
void segsort_sort_test_answers(const segsort_sort_test *test, uint32_t *keys, uint32_t *values,
                               uint32_t *spare);

#endif
