/*
 * 30-bit Morton codes of triangles within their submesh, on the CPU: what the GPU's have to equal,
 * bit for bit. (G. M. Morton, "A computer oriented geodetic data base and a new technique in file
 * sequencing", IBM 1966.)
 *
 * A triangle's place is the sum of its corners, each divided by 8, which is 3/8 of its centroid:
 * no division by 3, and no overflow. The box of a segment's places is cut into 1024 cells along
 * each axis, and a place's coordinate there is the last cell q whose start is not beyond it:
 *
 *     q = the largest of 0..1023 with float(q) * cell <= place - minimum, cell = extent / 1024
 *
 * All of it is exact or correctly rounded, so no driver's division or contraction can change a bit.
 * Numbers too small to be normal count as 0 everywhere, because GPUs may flush them. Along an axis
 * whose extent is below MORTON_MIN_EXTENT q is 0. A triangle with an infinite or NaN coordinate is
 * kept out of the box, and has the last code, MORTON_LAST.
 */
#ifndef MORTON_H
#define MORTON_H

#include "mesh.h"

#define MORTON_LAST 0x3fffffffu
#define MORTON_MIN_EXTENT 0x1p-100f

/* Bits 3i, 3i + 1 and 3i + 2 are bit i of z, y and x, each in 0..1023. */
uint32_t morton_interleave(uint32_t x, uint32_t y, uint32_t z);

/* The coordinate q of a distance from the minimum; see above. */
uint32_t morton_coordinate(float distance, float extent);

/* codes[triangle] for all triangles of the mesh. */
void morton_codes(const struct mesh *mesh, uint32_t *codes);

/* How many triangles share their code with another of their segment. sorted holds each segment's
 * codes in ascending order. */
uint32_t morton_count_shared(const struct mesh *mesh, const uint32_t *sorted);

#endif
