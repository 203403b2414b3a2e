/* Rows of several segments, and what gl_segsort leaves of them after a number of steps. */
#ifndef NETWORK_SORT_H
#define NETWORK_SORT_H

#include <glad/gl.h>

#include "network_settings.h"

/* Rows in GL: keys, and the rows of their segments that they came from. */
struct network_rows {
    GLuint keys, sources;
};

/* The same, read from GL. */
struct network_copy {
    uint32_t *keys, *sources;
};

/* The step that was done last, counted. */
struct network_counts {
    uint32_t compared;  /* comparators of the step; of a digit, rows */
    uint32_t exchanged; /* of these, whose rows changed places; of a digit, rows that moved */
    bool right;         /* keys and sources equal those of the CPU after as many steps */
    bool sorted;        /* they equal the CPU's stable sort */
};

struct network_sort {
    struct network_settings settings;
    gl_segsort_segment segments[NETWORK_SEGMENTS_MAX];
    uint32_t *keys; /* as they were in the beginning */
    uint32_t step_count;
    uint32_t step;
    uint32_t network_rows_max; /* the longest segment that the network sorts */
    float entropy;             /* of the keys, in bits */
    gl_segsort_context *context;
    gl_segsort_plan *whole, *limited; /* of all steps; up to this one, NULL at either end */
    struct network_rows input, rows[2];
    unsigned current; /* which of rows has those of the step, the other one has the step before */
    uint32_t *memory; /* of the following */
    struct network_copy after, before; /* what GL has for this step and the one before */
    uint32_t *places;                  /* of each row after the step, its row before it */
    GLuint places_buffer;              /* the same in GL */
    struct network_counts counts;
};

/* Makes the rows and the context, at step 0. On an error nothing is left. */
bool network_sort_create(struct network_sort *sort, const struct network_settings *settings,
                         gl_segsort_get_proc_address get_proc_address,
                         gl_segsort_program_cache program_cache, struct failure *failure);
void network_sort_destroy(struct network_sort *sort);

/* Other rows, at step 0; compiled programs stay. On an error all is as it was. */
bool network_sort_change(struct network_sort *sort, const struct network_settings *settings,
                         struct failure *failure);

/* Runs the sort again, with plans that end after so many steps and after one less; steps past the
 * last one are the last one. Waits for the GPU, to count. */
bool network_sort_set_step(struct network_sort *sort, uint32_t step, struct failure *failure);

/* The rows after the step, and before it. */
const struct network_rows *network_sort_rows(const struct network_sort *sort);
const struct network_rows *network_sort_rows_before(const struct network_sort *sort);

/* Whether a segment is sorted by the network; else it is digit by digit. */
bool network_sort_by_network(const struct network_sort *sort, uint32_t segment);

/* Whether all segments are sorted digit by digit. */
bool network_sort_by_digits(const struct network_sort *sort);

/* Whether some are, and others by the network. */
bool network_sort_by_both(const struct network_sort *sort);

/* The last segment that starts at a row or before it, and has rows. */
uint32_t network_sort_segment_of(const struct network_sort *sort, uint32_t row);

/* The other end of a row's comparator in a step of the network, or the row where it has none. */
uint32_t network_sort_partner(const struct network_sort *sort, uint32_t step, uint32_t row);

/* Which kernels do a step, as the plan tells. */
struct network_step {
    uint32_t stage, stride; /* 0: no step of the network */
    uint32_t digit_shift;   /* the digit's lowest bit, 32: none is sorted by */
    uint32_t long_shift;    /* beside a step of the network: that of segments too long for it */
    bool shared;            /* in shared memory of work groups, else from dispatch to dispatch */
    char kernels[96];
};
void network_sort_tell_step(const struct network_sort *sort, uint32_t step,
                            struct network_step *told);

#endif
