/* The steps of the network, counted over all of it. Pure C. */
#ifndef SEGSORT_STEPS_H
#define SEGSORT_STEPS_H

#include <stdint.h>

/* No step_limit. */
#define SEGSORT_STEPS_ALL UINT32_MAX

/* Of the network of so many rows. */
uint32_t segsort_network_steps(uint32_t rows);

#endif
