/* Sorting lists of numbers in host memory, without allocating. Pure C. */
#ifndef SEGSORT_NUMBERS_H
#define SEGSORT_NUMBERS_H

#include <stdint.h>

/* Less than 0: a comes before b. What the numbers stand for, things tells; 0 only for a == b. */
typedef int (*segsort_compare)(const void *things, uint32_t a, uint32_t b);

/* A heap sort: qsort passes no pointer to the things, and may allocate behind the host's back. */
void segsort_numbers_sort(uint32_t *numbers, uint32_t count, segsort_compare compare,
                          const void *things);

#endif
