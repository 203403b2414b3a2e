/* Plans whose segments the GPU lists, in the recorded tests: a sort of one with a buffer for
 * everything, and what each of its dispatches has to have bound. */
#ifndef RECORDED_LISTED_H
#define RECORDED_LISTED_H

#include "recorded.h"

/* More than a chunk of tiles, so that AUTO and RADIX have every kernel there is. */
#define RECORDED_LISTED_ROWS 300000u
#define RECORDED_LISTED_SEGMENTS 5000u
#define RECORDED_LISTED_STRIDE 300000u

struct recorded_listed {
    gl_segsort_plan_desc desc; /* called "mesh" */
    /* Its views start at odd words, and each has rows of its own number. */
    gl_segsort_sort_desc sort;
    gl_segsort_gather_desc gather; /* records of 3 words */
    uint32_t list, count, status;  /* buffers */
};

/* like: types, bits and algorithm, and maxima where they are not 0; NULL: all defaults. */
void recorded_listed_make(struct recorded_listed *listed, const gl_segsort_plan_desc *like,
                          gl_segsort_segment_source source, bool in_place);

/* The view of the list that the source reads. */
gl_segsort_view *recorded_listed_view(struct recorded_listed *listed);

/* What is wrong with the dispatches of the last sort: they are not those of the due passes in their
 * order, don't take their work groups from where they should, or have other bytes bound or other
 * words than the call's. NULL: nothing. */
const char *recorded_listed_problem(const struct recorded_listed *listed,
                                    const gl_segsort_plan *plan, bool in_place);

/* The same of the last gather. */
const char *recorded_listed_gather_problem(const struct recorded_listed *listed,
                                           const gl_segsort_plan *plan);

#endif
