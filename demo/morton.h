/*
 * Morton codes of triangles within their submesh, of 30 or 63 bits, on the CPU: what the GPU's have
 * to equal, bit for bit. (G. M. Morton, "A computer oriented geodetic data base and a new technique
 * in file sequencing", IBM 1966.)
 *
 * A triangle's place is the sum of its corners, each divided by 8, which is 3/8 of its centroid:
 * no division by 3, and no overflow. The box of a segment's places is cut into n cells along each
 * axis, 2^10 for 30 bits and 2^21 for 63, and a place's coordinate there is the last cell q whose
 * start is not beyond it:
 *
 *     q = the largest of 0..n-1 with float(q) * cell <= place - minimum, cell = extent / n
 *
 * All of it is exact or correctly rounded, so no driver's division or contraction can change a bit:
 * q is below 2^24, and cell is an extent of at least MORTON_MIN_EXTENT with a smaller exponent.
 * Numbers too small to be normal count as 0 everywhere, because GPUs may flush them. Along an axis
 * whose extent is below MORTON_MIN_EXTENT q is 0. A triangle with an infinite or NaN coordinate is
 * kept out of the box, and has the last code, all of whose bits are 1.
 *
 * The 30-bit code is the 63-bit one's first 30 bits: the coarse cells start where every 2^11th of
 * the fine ones does. So an order by the long codes is one by the short ones too.
 */
#ifndef MORTON_H
#define MORTON_H

#include "mesh.h"

#define MORTON_MIN_EXTENT 0x1p-100f

/* key_bits is 30 or 63 everywhere: what a code has. */

/* 32-bit words of a code in memory: 1, or 2 with the low one first. */
size_t morton_words(unsigned key_bits);

/* The code in memory. */
uint64_t morton_load(const uint32_t *codes, unsigned key_bits, size_t triangle);

/* The greatest code. */
uint64_t morton_last(unsigned key_bits);

/* Bits 3i, 3i + 1 and 3i + 2 are bit i of z, y and x, each below 2^21. */
uint64_t morton_interleave(uint32_t x, uint32_t y, uint32_t z);

/* The coordinate q of a distance from the minimum; see above. */
uint32_t morton_coordinate(float distance, float extent, unsigned key_bits);

/* The code of each triangle of the mesh, morton_words(key_bits) words each. */
void morton_codes(const struct mesh *mesh, unsigned key_bits, uint32_t *codes);

/* How many triangles share their code with another of their segment. sorted holds each segment's
 * codes in ascending order. */
uint32_t morton_count_shared(const struct mesh *mesh, unsigned key_bits, const uint32_t *sorted);

#endif
