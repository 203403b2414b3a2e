/* The list kernels on the GPU beside their CPU twins, each from the same memory: table, parameters,
 * commands, status and rows have to be equal word by word. Only the order of segments within a
 * group and class, and of long segments' tiles, is free: there sets are compared. */
#ifndef TWIN_LIST_RUN_H
#define TWIN_LIST_RUN_H

#include "twin_list.h"

/* Rows of the buffers that single rows are copied in. Views are said to be larger, as nothing else
 * is read or written of them here. */
#define TWIN_LIST_STREAM_ROWS 16384u
#define TWIN_LIST_VIEW_ROWS (1u << 30)

struct twin_list_case {
    const char *name; /* for messages */
    gl_segsort_plan_desc plan;
    const uint32_t *list;
    uint32_t entries; /* of the list */
    uint32_t seen;
    bool counted; /* by the count's buffer */
    bool no_status;
    bool in_place;
    uint32_t work_groups; /* that a dispatch may have along each axis */
};

/* Runs kernel by kernel. Prints the first difference; returns whether there was none. */
bool twin_list_compare(const struct twin_list_case *list_case);

/* Programs are kept, since cases share them. */
void twin_list_delete_programs(void);

#endif
