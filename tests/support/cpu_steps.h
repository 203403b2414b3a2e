/* The sorts on the CPU, stopped after a number of steps. They share nothing with the shaders. */
#ifndef CPU_STEPS_H
#define CPU_STEPS_H

#include "cpu_sort.h"

/* Steps of the network of so many rows, and digits of such an order. */
uint32_t cpu_network_steps(size_t length);
uint32_t cpu_radix_steps(const struct cpu_order *order);

/* The source row of each row after so many steps of the network, or digits of 8 bits; more of them
 * than there are change nothing. */
void cpu_network_order(const struct cpu_order *order, const uint32_t *keys, size_t length,
                       uint32_t steps, uint32_t *rows);
void cpu_radix_order(const struct cpu_order *order, const uint32_t *keys, size_t length,
                     uint32_t steps, uint32_t *rows);

/* As cpu_sort_typed_segments, but each segment stopped after that many steps of its algorithm. 0
 * steps: it is sorted. */
void cpu_step_segments(const struct cpu_order *order, gl_segsort_algorithm algorithm,
                       uint32_t steps, const uint32_t *keys, const uint32_t *values,
                       uint32_t *output_keys, uint32_t *output_values,
                       const gl_segsort_segment *segments, size_t count);

#endif
