/* GPU time of each pass of a plan's sorts, read whenever it is there. */
#ifndef SEGSORT_TIMER_H
#define SEGSORT_TIMER_H

#include "gl_table.h"

/* Sorts that may be under way before one goes untimed. */
#define SEGSORT_TIMER_SORTS 4

/* Stamps of one sort: before its first pass, then after each. */
typedef struct segsort_timer_sort {
    uint64_t number; /* counts the plan's sorts from 1; 0: nothing is pending */
    uint32_t last;   /* the stamp taken last */
} segsort_timer_sort;

typedef struct segsort_timer {
    uint32_t pass_count; /* 0: the plan is not timed */
    uint32_t *queries;   /* SEGSORT_TIMER_SORTS times pass_count + 1 */
    bool *stamped;       /* likewise: not every pass is due */
    double *milliseconds;
    segsort_timer_sort sorts[SEGSORT_TIMER_SORTS];
    segsort_timer_sort *recording; /* NULL: this sort is not timed */
    uint64_t sort_count, read_number;
} segsort_timer;

/* Memory that a timer of so many passes needs, in bytes. */
size_t segsort_timer_bytes(uint32_t pass_count);

/* Makes the queries. memory stays the caller's. */
gl_segsort_result segsort_timer_create(segsort_timer *timer, const segsort_gl *gl,
                                       uint32_t pass_count, void *memory, segsort_error *error);
void segsort_timer_destroy(segsort_timer *timer, const segsort_gl *gl);

/* Before the first pass of a sort, and behind each that is due. */
void segsort_timer_begin(segsort_timer *timer, const segsort_gl *gl);
void segsort_timer_pass(segsort_timer *timer, const segsort_gl *gl, uint32_t pass);

/* After a sort call. One that failed doesn't count: its stamps may not be there to be read. */
void segsort_timer_end(segsort_timer *timer, bool recorded);

/* Reads what has come in, without waiting. */
void segsort_timer_read(segsort_timer *timer, const segsort_gl *gl);

#endif
