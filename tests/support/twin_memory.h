/* Plans without a GL context, and memory for their passes to run on: the views with words around
 * them that nobody may touch. */
#ifndef TWIN_MEMORY_H
#define TWIN_MEMORY_H

#include "twin.h"

/* In the order of the shaders' view words: keys and values of each place, then the work section. */
enum { TWIN_WORK = 2 * SEGSORT_PLACES, TWIN_ARRAYS };

struct twin_array {
    uint32_t *words;
    size_t first_word; /* of the view: row 0, or the section's first word */
    size_t view_words;
    size_t count; /* with the guard words before and behind */
};

struct twin_memory {
    const segsort_plan *plan;
    uint32_t set; /* of a batch, whose views and scratch it has */
    struct twin_array arrays[TWIN_ARRAYS];
    int backing[TWIN_ARRAYS]; /* the array that it lies in: the input's for outputs in place */
    bool in_place;            /* what segsort_desc_in_place makes of it */
    struct twin_gather gather;
};

/* Which streams are sorted in place. */
enum twin_in_place { TWIN_NEITHER, TWIN_KEYS, TWIN_VALUES, TWIN_BOTH };

/* The limits of a driver with 32 KiB of shared memory. */
segsort_limits twin_limits(void);

/* Checks the description and builds its plan, with its table. On an error the plan is empty and
 * error tells. */
bool twin_plan_build(const gl_segsort_plan_desc *desc, const segsort_limits *limits,
                     segsort_plan *plan, segsort_error *error);
void twin_plan_release(segsort_plan *plan);

/* Moves packed segments so that no stream has them where another has them, nor in the same order.
 * */
void twin_scatter_segments(gl_segsort_segment *segments, size_t count);

/* Allocates what the plan's segments reach, its inputs generated for desc's types, all else
 * poisoned. */
void twin_memory_make(struct twin_memory *memory, const segsort_plan *plan,
                      const gl_segsort_plan_desc *desc, enum twin_in_place in_place, uint64_t seed);

/* The same for one set of a batch. */
void twin_memory_make_set(struct twin_memory *memory, const segsort_plan *plan, uint32_t set,
                          const gl_segsort_plan_desc *desc, enum twin_in_place in_place,
                          uint64_t seed);

/* The description of one set's segments alone. */
gl_segsort_plan_desc twin_set_desc(const gl_segsort_plan_desc *desc, uint32_t set);

/* What a gather with the plan's first set reads and writes: no two words of the records are alike.
 * Indices are for the caller to write. more_records: than the segments reach. */
void twin_memory_make_gather(struct twin_memory *memory, const segsort_plan *plan,
                             uint32_t record_words, gl_segsort_index_base index_base,
                             int32_t more_records);
void twin_memory_release(struct twin_memory *memory);

/* Row 0 of the view, or the section. */
uint32_t *twin_memory_view(const struct twin_memory *memory, int array);

struct twin twin_memory_twin(const struct twin_memory *memory);

/* Writes into expected, made like memory and not yet sorted, what a sort has to leave in inputs and
 * outputs. desc has the set's segments alone. */
void twin_memory_expect(struct twin_memory *expected, const gl_segsort_plan_desc *desc);

/* Whether inputs and outputs are as expected and the words around scratch and work untouched; what
 * receives the place of the first difference. */
bool twin_memory_equal(const struct twin_memory *memory, const struct twin_memory *expected,
                       char *what, size_t size);

const char *twin_array_name(int array);

#endif
