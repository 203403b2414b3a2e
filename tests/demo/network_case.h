/* A CPU imitation of the network scene's sorts. Results are to be freed. */
#ifndef NETWORK_CASE_H
#define NETWORK_CASE_H

#include "scene_network.h"

/* Aborts without memory. */
void *network_allocate(size_t bytes);

/* The keys that the step leaves, and the rows of their segments that they came from. */
uint32_t *network_imitate(const struct scene_network *scene, uint32_t step, uint32_t *sources);

/* The rows before the step that the rows after it were. */
uint32_t *network_imitate_places(const struct scene_network *scene, uint32_t step);

#endif
