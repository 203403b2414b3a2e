/* What is sorted in the network scene, and the options of the command line that say so. */
#ifndef NETWORK_SETTINGS_H
#define NETWORK_SETTINGS_H

#include "failure.h"
#include "gl_segsort.h"

enum { NETWORK_SEGMENTS_MAX = 32, NETWORK_ROWS_MIN = 8, NETWORK_ROWS_MAX = 65536 };

/* Keys are less than this, so that the radix sort has two digits. */
#define NETWORK_KEY_END 65536u
#define NETWORK_KEY_BITS 16u

enum network_keys { NETWORK_RANDOM, NETWORK_SORTED, NETWORK_REVERSED, NETWORK_FEW_DISTINCT };
enum network_lengths { NETWORK_UNEVEN, NETWORK_EQUAL, NETWORK_POWER_LAW };

struct network_settings {
    uint32_t rows;          /* of all segments, NETWORK_ROWS_MIN .. NETWORK_ROWS_MAX */
    uint32_t segment_count; /* 1 .. NETWORK_SEGMENTS_MAX */
    enum network_lengths lengths;
    enum network_keys keys;
    uint32_t distinct; /* keys that there are at most; 0: all, or 5 of NETWORK_FEW_DISTINCT */
    gl_segsort_direction direction;
    gl_segsort_algorithm algorithm;
    uint64_t seed;
};

/* As the options call them, with NULL behind the last one. */
extern const char *const network_keys_names[];
extern const char *const network_lengths_names[];
extern const char *const network_algorithm_names[];
extern const char *const network_direction_names[];

/* Whether settings have that option: --rows, --segments, --lengths, --row-keys, --distinct,
 * --algorithm or --direction. Each takes a value. */
bool network_settings_have(const char *option);
bool network_settings_set(struct network_settings *settings, const char *option, const char *value,
                          struct failure *failure);

/* A decimal number in low .. high. */
bool network_settings_number(const char *option, const char *value, uint32_t low, uint32_t high,
                             uint32_t *number, struct failure *failure);

/* Whether all numbers are in their ranges. */
bool network_settings_check(const struct network_settings *settings, struct failure *failure);

#endif
