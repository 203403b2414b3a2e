/* A host in the recorded tests: its buffers and bindings in the fake GL, its memory, its log. */
#ifndef RECORDED_H
#define RECORDED_H

#include "fake_gl.h"

/* Bytes of each of the four streams' buffers; none of them takes memory. */
#define RECORDED_STREAM_BYTES ((uint64_t)1 << 26)

struct recorded {
    size_t memory_live;    /* allocations that were not released */
    size_t memory_calls;   /* allocations asked for since recorded_begin */
    size_t memory_fail_at; /* the one of them that fails, from 1; 0: none */
    size_t log_counts[3];  /* messages by level */
    char log[3000];        /* the last error message */
    char warning[600];     /* the last warning */
    uint32_t keys, values, output_keys, output_values;
    struct fake_gl_state state; /* the host's bindings, as they have to be found again */
};
extern struct recorded recorded;

/* A fresh fake GL, in which a host has something bound everywhere, SSBO bindings as bases and as
 * ranges in turn. */
void recorded_begin(void);

/* A buffer of the host's that dispatches may write. */
uint32_t recorded_output_buffer(uint64_t bytes, const char *label);

/* Frees what recorded_begin made. Gives what is wrong, or NULL: objects or memory that leaked, and
 * whatever recorded_state_problem finds. A host that chose LEAVE_DIRTY does not look at its
 * bindings. */
const char *recorded_end(gl_segsort_state_policy policy);

/* Ends a test that includes check.h. */
#define CHECK_END(policy)                                                                          \
    do {                                                                                           \
        const char *problem_ = recorded_end(policy);                                               \
        CHECK(!problem_, "%s", problem_);                                                          \
    } while (0)

/* What a host would find changed: bindings, a pending error, buffers that are none of the library's
 * business. NULL: nothing. */
const char *recorded_state_problem(void);

/* The same without the bindings. */
const char *recorded_other_problem(void);

/* With the fake GL's loader and current context, the counting allocator, the log and the label
 * "gl_segsort". */
gl_segsort_context_desc recorded_context_desc(gl_segsort_state_policy policy);

/* NULL when that fails, which a test sees to. Segments too long for buckets in one go are sorted
 * digit by digit. */
gl_segsort_context *recorded_context(gl_segsort_state_policy policy);

/* The same of a context that a test made itself. */
void recorded_context_without_parts(gl_segsort_context *context);

/* A plan called "mesh" of segments of these lengths, one behind the other. */
gl_segsort_plan *recorded_plan(gl_segsort_context *context, const uint32_t *lengths,
                               uint32_t count);
gl_segsort_result recorded_plan_create(gl_segsort_context *context, const uint32_t *lengths,
                                       uint32_t count, gl_segsort_plan **plan);

/* The same with the types, bits, direction and algorithm of a description without segments. */
gl_segsort_result recorded_plan_create_like(gl_segsort_context *context,
                                            const gl_segsort_plan_desc *like,
                                            const uint32_t *lengths, uint32_t count,
                                            gl_segsort_plan **plan);

/* All algorithms, for tests that hold for each. */
#define RECORDED_ALGORITHMS 3
const char *recorded_algorithm_name(int algorithm);

/* The four streams from their buffers' start, not in place, and in place in the outputs' buffers.
 */
gl_segsort_sort_desc recorded_sort_desc(uint64_t rows);
gl_segsort_sort_desc recorded_in_place_desc(uint64_t rows);

/* A plan on a context of its own, sorted once and recorded from there. */
struct recorded_run {
    gl_segsort_result result; /* of the first call that failed */
    gl_segsort_context *context;
    gl_segsort_plan *plan;
    gl_segsort_plan_description description;
    bool in_place;
    const uint32_t *table; /* what the plan uploaded */
};

/* like: as for recorded_plan_create_like; NULL: all defaults. in_place: every stream. */
struct recorded_run recorded_run_begin(const gl_segsort_plan_desc *like, uint32_t max_work_groups,
                                       const uint32_t *lengths, uint32_t count, bool in_place);
void recorded_run_end(struct recorded_run *run);

/* The passes that a sort call runs, and the one among them of that number. NULL: there are not so
 * many. */
size_t recorded_due_count(const gl_segsort_plan_description *description, bool in_place);
const gl_segsort_pass_description *recorded_due_pass(const gl_segsort_plan_description *description,
                                                     bool in_place, size_t number);

/* Whether the dispatch is one of that kernel, and what it does with rows. */
bool recorded_is_kernel(const struct fake_gl_dispatch *dispatch, const char *kernel);
bool recorded_moves_rows(const struct fake_gl_dispatch *dispatch);

/* Whether text could be read out to somebody: long enough, one line. */
bool recorded_is_sentence(const char *text);

/* Expected trace lines; recorded_line adds one. */
#define RECORDED_LINES_MAX 160
struct recorded_lines {
    size_t count;
    char text[RECORDED_LINES_MAX][FAKE_GL_TEXT_BYTES];
};
void recorded_line(struct recorded_lines *lines, const char *format, ...) SEGSORT_PRINTF(2, 3);

/* The first difference of the trace from the lines, or NULL. */
const char *recorded_trace_difference(const struct recorded_lines *lines);

#endif
