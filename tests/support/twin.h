/* CPU twins of the kernels: they work on the same segment table and parameters, a pass at a time.
 * They are written from what a kernel has to leave behind, not from how it gets there, and share no
 * code with the CPU reference. */
#ifndef TWIN_H
#define TWIN_H

#include "plan.h"

/* What a gather's call says. It has records, indices and ordered records where a sort has keys,
 * values and output keys. */
struct twin_gather {
    uint32_t record_words; /* 0: it is a sort */
    gl_segsort_index_base index_base;
    uint32_t record_rows, index_rows, output_rows; /* of the views */
};

/* What the passes of a plan work on: the words of row 0 in each place. In place the outputs are the
 * inputs. */
struct twin {
    const segsort_plan *plan; /* with its table */
    uint32_t *keys[SEGSORT_PLACES], *values[SEGSORT_PLACES];
    uint32_t *work;
    bool backwards; /* work groups run from the last to the first: GL promises no order */
    struct twin_gather gather;
};

/* Whether a sort runs the pass. */
bool twin_pass_is_due(const segsort_pass *pass, bool in_place);

/* The number that kernels compare a key by: without the bits that don't count, the lesser one comes
 * first. */
uint64_t twin_masked_number(const segsort_pass *pass, uint64_t key);

/* Does what the pass's dispatch does. */
void twin_run_pass(const struct twin *twin, const segsort_pass *pass);

#endif
