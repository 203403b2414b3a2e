/* The CPU reference of gl_segsort_keys.h: what every key has to equal, bit for bit. Written from the
 * header's words alone; it shares nothing with the shaders. */
#ifndef CPU_KEYS_H
#define CPU_KEYS_H

#include "gl_segsort_keys.h"

/* Points, or triangles of them, in memory. */
struct cpu_points {
    const void *positions; /* the first x */
    size_t position_words; /* from one to the next */
    size_t position_count;
    const uint32_t *indices; /* of positions: one a key, for Morton codes three; NULL: none */
};

/* The depth key of a row, as the measure, matrix and plane of the description have it. */
uint32_t cpu_depth_key(const gl_segsort_depth_keys_desc *desc, const struct cpu_points *points,
                       size_t row);

/* Bits of a code, 30 or 63, are key_bits everywhere. */

/* The greatest code. */
uint64_t cpu_morton_last(unsigned key_bits);

/* Bits 3i, 3i + 1 and 3i + 2 are bit i of z, y and x, each below 2^21. */
uint64_t cpu_morton_interleave(uint32_t x, uint32_t y, uint32_t z);

/* Axes of a lesser extent are flat. */
#define CPU_MORTON_MIN_EXTENT 0x1p-100f

/* The coordinate q of a distance from the minimum. */
uint32_t cpu_morton_coordinate(float distance, float extent, unsigned key_bits);

/* The codes of a segment, rows first .. first + length - 1, as keys: a word each for 30 bits, two for
 * 63, the low one first. */
void cpu_morton_codes(const struct cpu_points *points, unsigned key_bits, size_t first,
                      size_t length, uint32_t *codes);

#endif
