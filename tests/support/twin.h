/* CPU twins of the kernels: they work on the same segment table and parameters, a pass at a time. */
#ifndef TWIN_H
#define TWIN_H

#include "plan.h"

/* The buffers that a pass has bound; views start at row 0. */
struct twin {
    const segsort_plan *plan; /* with its table */
    const uint32_t *keys, *values;
    uint32_t *output_keys, *output_values;
    uint32_t *index; /* plan->index_rows words */
};

/* Does what the pass's dispatch does. */
void twin_run_pass(struct twin *twin, uint32_t pass);

#endif
