/* One sort from generated inputs to a verdict: every byte of every buffer has to be what a CPU
 * stable sort gives. */
#ifndef SORT_CASE_H
#define SORT_CASE_H

#include "cpu_sort.h"
#include "generate.h"
#include "guarded.h"

struct sort_case {
    const char *name; /* for messages */
    const gl_segsort_segment *segments;
    uint32_t segment_count;
    struct cpu_order order; /* {0}: u32 keys and values, ascending, by all bits */
    gl_segsort_algorithm algorithm;
    uint32_t step_limit;          /* 0: the sort runs to its end */
    const uint32_t *keys;         /* as many words as the segments reach, or NULL: generated */
    enum generate_keys_kind kind; /* of generated keys */
    uint64_t seed;
    const uint32_t *values; /* likewise, or NULL: each word's number */
    bool in_place;          /* segments' offsets must allow it */
    uint32_t byte_offset;   /* of each view in its buffer */
};

/* Runs the case on the current GL context and compares the whole of all four buffers, rows outside
 * the segments and guard rows around the views included. Prints the first difference; returns
 * whether there was none. */
bool sort_case_check(gl_segsort_context *context, const struct sort_case *sort);

/* The same with a plan of the same segments that exists already. */
bool sort_case_check_plan(gl_segsort_plan *plan, const struct sort_case *sort);

/* And with keys of several kinds one after the other, in place and not in turn: nothing of a sort may
 * be left for the next. */
bool sort_case_check_again(gl_segsort_plan *plan, const struct sort_case *like);

/* ---------------------------------------------------------------------------------------------- */
/* Step by step */

enum { SORT_KEYS, SORT_VALUES, SORT_OUTPUT_KEYS, SORT_OUTPUT_VALUES, SORT_STREAMS };

/* A case's buffers. In place outputs have none that anybody uses. */
struct sort_buffers {
    const struct sort_case *sort;
    struct guarded streams[SORT_STREAMS];
    size_t view_rows[SORT_STREAMS];
};

gl_segsort_plan_desc sort_case_plan_desc(const struct sort_case *sort);

/* Makes and uploads the inputs, and works out what is expected. */
void sort_buffers_make(struct sort_buffers *buffers, const struct sort_case *sort);
void sort_buffers_free(struct sort_buffers *buffers);

/* Puts everything back as it was in the beginning. */
void sort_buffers_upload(struct sort_buffers *buffers);

gl_segsort_sort_desc sort_buffers_desc(const struct sort_buffers *buffers);

/* The buffer of a stream, which for an output in place is the input's. */
struct guarded *sort_buffers_stream(struct sort_buffers *buffers, int stream);

/* Whether all buffers are as they should be after the sort; or as they were before. */
bool sort_buffers_right(const struct sort_buffers *buffers);
bool sort_buffers_untouched(const struct sort_buffers *buffers);

#endif
