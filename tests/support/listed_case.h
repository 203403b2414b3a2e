/* A list of segments that only the GPU knows, from generated inputs to a verdict: what a plan makes
 * of it has to be what the header promises, byte by byte, whatever stands in the list. */
#ifndef LISTED_CASE_H
#define LISTED_CASE_H

#include "cpu_sort.h"
#include "generate.h"

enum { LISTED_KEYS, LISTED_VALUES, LISTED_OUTPUT_KEYS, LISTED_OUTPUT_VALUES, LISTED_STREAMS };

struct listed_case {
    const char *name;          /* for messages */
    gl_segsort_plan_desc plan; /* segment_source, maxima, types */
    const uint32_t *list;      /* words as the source has them */
    size_t list_words;
    uint32_t list_rows; /* of the view */
    uint32_t count;     /* as the count buffer or the host says */
    bool count_on_gpu;
    bool no_status;
    size_t view_rows[LISTED_STREAMS];
    bool in_place;
    /* Output ranges may meet: then only what lies outside of all of them is compared. */
    bool overlapping;
    uint32_t byte_offset; /* of all views */
    uint64_t seed;
    enum generate_keys_kind kind;
};

/* The segments that the list is good for, in its order, and the status that has to come of it. The
 * result is to be freed. */
gl_segsort_segment *listed_case_believe(const struct listed_case *listed, size_t *count,
                                        gl_segsort_status *status);

/* Runs the case with a plan of listed->plan, and compares the whole of all buffers. Prints the
 * first difference; returns whether there was none. */
bool listed_case_check_plan(gl_segsort_context *context, gl_segsort_plan *plan,
                            const struct listed_case *listed);
bool listed_case_check(gl_segsort_context *context, const struct listed_case *listed);

#endif
