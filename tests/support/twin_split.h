/* CPU twins of the kernels that split long segments into buckets, and of the buckets' sorts. They
 * share no code with the shaders nor with the plan. */
#ifndef TWIN_SPLIT_H
#define TWIN_SPLIT_H

#include "twin.h"

bool twin_split_has(segsort_kernel_id kernel);

/* Does what a work group of such a pass does: item is a segment, a tile of it or one of the work
 * groups that sort its bunches; or behind all of them. */
void twin_split_run(const struct twin *twin, const segsort_pass *pass, uint32_t item);

/* The row of a segment that its sample of a number is. samples is how many there are, width the
 * pass's. */
uint32_t twin_split_sample_row(uint32_t segment, uint32_t width, uint32_t rows, uint32_t sample,
                               uint32_t samples);

#endif
