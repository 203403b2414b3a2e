/* The CPU reference: what every sort's output has to equal, bit for bit. */
#ifndef CPU_SORT_H
#define CPU_SORT_H

#include "gl_segsort.h"

/* A stable sort of length rows. Inputs and outputs must not overlap. */
void cpu_sort(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
              uint32_t *output_values, size_t length, gl_segsort_direction direction);

/* Each segment of the list by cpu_sort; rows outside the segments' outputs are left alone. */
void cpu_sort_segments(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
                       uint32_t *output_values, const gl_segsort_segment *segments, size_t count,
                       gl_segsort_direction direction);

#endif
