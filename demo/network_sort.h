/* Rows of several segments, and what gl_segsort leaves of them after a number of steps. */
#ifndef NETWORK_SORT_H
#define NETWORK_SORT_H

#include <glad/gl.h>

#include "failure.h"
#include "gl_segsort.h"

enum { NETWORK_SEGMENTS_MAX = 8, NETWORK_ROWS_MIN = 8, NETWORK_ROWS_MAX = 65536 };

/* Keys are less than this, so that the radix sort has two digits. */
#define NETWORK_KEY_END 65536u
#define NETWORK_KEY_BITS 16u

enum network_keys { NETWORK_RANDOM, NETWORK_SORTED, NETWORK_REVERSED, NETWORK_FEW_DISTINCT };

struct network_settings {
    uint32_t rows;          /* of all segments, NETWORK_ROWS_MIN .. NETWORK_ROWS_MAX */
    uint32_t segment_count; /* 1 .. NETWORK_SEGMENTS_MAX, of different lengths */
    enum network_keys keys;
    gl_segsort_direction direction;
    gl_segsort_algorithm algorithm;
    uint64_t seed;
};

/* Rows in GL: keys, and the rows of their segments that they came from. */
struct network_rows {
    GLuint keys, sources;
};

struct network_sort {
    struct network_settings settings;
    gl_segsort_segment segments[NETWORK_SEGMENTS_MAX];
    uint32_t *keys; /* as they were in the beginning */
    uint32_t step_count;
    uint32_t step;
    uint32_t network_rows_max; /* the longest segment that the network sorts */
    gl_segsort_context *context;
    struct network_rows input, rows[2];
    unsigned current; /* which of rows has those of the step, the other one has the step before */
};

/* Makes the rows and the context, at step 0. On an error nothing is left. */
bool network_sort_create(struct network_sort *sort, const struct network_settings *settings,
                         gl_segsort_get_proc_address get_proc_address, struct failure *failure);
void network_sort_destroy(struct network_sort *sort);

/* Runs the sort again, with plans that end after so many steps and after one less; steps past the
 * last one are the last one. */
bool network_sort_set_step(struct network_sort *sort, uint32_t step, struct failure *failure);

/* The rows after the step, and before it. */
const struct network_rows *network_sort_rows(const struct network_sort *sort);
const struct network_rows *network_sort_rows_before(const struct network_sort *sort);

/* Whether a segment is sorted by the network; else it is digit by digit. */
bool network_sort_by_network(const struct network_sort *sort, uint32_t segment);

#endif
