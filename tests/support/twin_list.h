/* CPU twins of the kernels that list segments which only the GPU knows. They are written from what a
 * kernel has to leave in the plan's table, parameters and commands, not from how it gets there. */
#ifndef TWIN_LIST_H
#define TWIN_LIST_H

#include "twin.h"

#define TWIN_LIST_STREAMS 4

/* What a sort call says, and the plan's own memory. */
struct twin_list {
    const segsort_plan *plan;
    const gl_segsort_plan_desc *desc;
    const segsort_limits *limits;
    uint32_t view_rows[TWIN_LIST_STREAMS]; /* of keys, values, output_keys, output_values */
    bool in_place[2];                      /* keys, values */
    const uint32_t *list;                  /* the first entry */
    uint32_t entries;                      /* that the list has */
    uint32_t seen;                         /* and is said to have */
    uint32_t *table, *params, *commands;
    uint32_t params_words;                /* from a pass's parameters to the next one's */
    uint32_t *status;                     /* NULL: nobody asks */
    uint32_t *streams[TWIN_LIST_STREAMS]; /* row 0; segments of one row are finished at once */
};

/* Entry number of the list: its offsets, and its rows, 0 where there is nothing to sort. Returns
 * whether it is refused. */
bool twin_list_entry(const struct twin_list *twin, uint32_t number,
                     uint32_t offsets[TWIN_LIST_STREAMS], uint32_t *rows);

/* The class of a segment of two rows or more; the last one is that of the long segments. */
uint32_t twin_list_class(const struct twin_list *twin, uint32_t rows);
uint32_t twin_list_class_count(const struct twin_list *twin);

/* Each does what all dispatches of its kernel do. The scatter puts segments in the list's order,
 * where the GPU may order those of a group and class, and its long segments' tiles, chunks and
 * scratch rows, as it likes. */
void twin_list_count(const struct twin_list *twin);
void twin_list_layout(const struct twin_list *twin);
void twin_list_scatter(const struct twin_list *twin);
void twin_list_tiles(const struct twin_list *twin);

#endif
