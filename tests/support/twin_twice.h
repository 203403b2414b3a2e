/* CPU twin of split-again, which lists the children of segments that are split twice. */
#ifndef TWIN_TWICE_H
#define TWIN_TWICE_H

#include "twin.h"

/* Does what the work group of a segment does: writes in the plan's table, as the kernel in the GPU's. */
void twin_twice_run(const struct twin *twin, const segsort_pass *pass, uint32_t segment);

#endif
