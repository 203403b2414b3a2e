/* The rows that the network scene sorts. */
#ifndef NETWORK_ROWS_H
#define NETWORK_ROWS_H

#include "network_settings.h"

/* One behind the other; some may be empty where there are few rows. */
void network_rows_segments(const struct network_settings *settings, gl_segsort_segment *segments);

/* The keys of all segments, 1 .. NETWORK_KEY_END - 1. */
void network_rows_keys(const struct network_settings *settings, const gl_segsort_segment *segments,
                       uint32_t *keys);

/* Shannon's, in bits a key; less than 0 without memory. */
float network_rows_entropy(const uint32_t *keys, uint32_t count);

#endif
