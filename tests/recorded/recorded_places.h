/* Which bytes each pass of a sort has to have bound, worked out from the description alone. */
#ifndef RECORDED_PLACES_H
#define RECORDED_PLACES_H

#include "recorded.h"

/* Keys and values of each place, then the work section: as the view words have them. */
#define RECORDED_SECTIONS 7

struct recorded_section {
    bool used, known; /* known: where the scratch has it, the first pass that binds it tells */
    uint32_t buffer;
    uint64_t first_byte, bytes; /* of its rows */
    uint32_t first_word;        /* of its first row, from the view's row 0 */
};

struct recorded_places {
    struct recorded_section sections[RECORDED_SECTIONS];
    uint32_t scratch_buffer; /* 0 until it is known */
};

/* Of a plan of these segments and a sort of it. The segments have to be those of the plan. */
struct recorded_places recorded_places_of(const gl_segsort_plan_desc *plan, uint32_t local_rows_max,
                                          const gl_segsort_sort_desc *sort);

/* The same for segments one behind the other, as recorded_plan_create_like has them. */
struct recorded_places recorded_packed_places(const struct recorded_run *run,
                                              const gl_segsort_plan_desc *like,
                                              const uint32_t *lengths, uint32_t count,
                                              const gl_segsort_sort_desc *sort);

/* Tiles, chunks and long segments that the radix sort keeps 256 counts for. */
uint64_t recorded_histograms(const gl_segsort_plan_desc *plan);

/* The splitters and bunches of those long segments that AUTO splits. */
uint64_t recorded_split_bytes(const gl_segsort_plan_desc *plan);

/* What is wrong with the storage bindings of a dispatch: a stream that its program declares comes
 * from other bytes than its places tell, or from more or less than needed. NULL: nothing. */
const char *recorded_places_problem(struct recorded_places *places,
                                    const struct fake_gl_dispatch *dispatch);

/* What is wrong with the scratch sections of so many sets of places: they don't lie in the scratch,
 * or not apart. */
const char *recorded_sections_problem(const struct recorded_places *places, size_t count);

/* Both, for all dispatches. */
const char *recorded_all_places_problem(struct recorded_places *places);

#endif
