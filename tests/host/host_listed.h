/* A sort whose segments the GPU lists, with buffers that exist before the calls. */
#ifndef HOST_LISTED_H
#define HOST_LISTED_H

#include "host.h"

/* Segments that the count claims and the list doesn't have. */
#define HOST_LISTED_SURPLUS 1000

struct host_listed {
    struct host_sort sort;
    GLuint list, count, status, ordered;
    gl_segsort_sort_desc sort_desc;
    /* Orders the values, which are row numbers of the view, by themselves: the ordered ones have to
     * be the output values again. */
    gl_segsort_gather_desc gather_desc;
};

void host_listed_make(struct host_listed *listed, const uint32_t *lengths, size_t count);
void host_listed_free(struct host_listed *listed);

/* Called "listed", with room for a few more segments and rows than there are. */
gl_segsort_plan_desc host_listed_plan_desc(const struct host_listed *listed, bool timed);

/* A plan for the sort; NULL on an error, which is printed. */
gl_segsort_plan *host_listed_plan(gl_segsort_context *context, const struct host_listed *listed,
                                  bool timed);

/* Whether outputs and status are right, and the gathered values if there was a gather. */
bool host_listed_right(const struct host_listed *listed, bool gathered);

/* Whether the plan tells the times of a sort once all have ended, and what it says makes sense. */
bool host_times_come_in(gl_segsort_plan *plan);

#endif
