/* Inputs that the demo, the tests and the benchmark share, the same on every machine for the same
 * seed. */
#ifndef GENERATE_H
#define GENERATE_H

#include "gl_segsort.h"

/* xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003). Never 0 from a state that isn't 0. */
uint64_t generate_random(uint64_t *state);

/* A random number in 0 .. count - 1; count > 0. */
uint32_t generate_below(uint64_t *state, uint32_t count);

enum generate_keys_kind {
    GENERATE_RANDOM,       /* all 32 bits */
    GENERATE_SORTED,       /* rising, every key a different one */
    GENERATE_REVERSED,     /* falling */
    GENERATE_CONSTANT,     /* one key */
    GENERATE_FEW_DISTINCT, /* three keys in turn, i % 3 */
    GENERATE_ORGAN_PIPE,   /* rising, then falling */
    GENERATE_ALL_ONES,     /* 0xffffffff */
    GENERATE_EXTREMES,     /* 0 and 0xffffffff in turn */
    GENERATE_KEYS_KINDS
};

const char *generate_keys_name(enum generate_keys_kind kind);
void generate_keys(enum generate_keys_kind kind, uint32_t *keys, size_t count, uint64_t seed);

/* values[i] = i. */
void generate_identity(uint32_t *values, size_t count);

/* Lengths of a power law: floor(1 / u) with u uniform, capped, until they would pass rows; returns
 * how many. lengths may be NULL to count only. */
size_t generate_power_law(uint32_t cap, size_t rows, uint32_t *lengths);

/* Segments of the given lengths one behind the other in all four streams, gap rows before each.
 * Returns the rows up to the end of the last. */
size_t generate_packed_segments(const uint32_t *lengths, size_t count, uint32_t gap,
                                gl_segsort_segment *segments);

/* Puts the list (not the rows) into a random order. */
void generate_shuffled_segments(gl_segsort_segment *segments, size_t count, uint64_t seed);

#endif
