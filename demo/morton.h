/*
 * Morton codes of triangles within their submesh, of 30 or 63 bits, on the CPU: what the GPU's have
 * to equal, bit for bit. plugin/gl_segsort_keys.h defines them; tests/support/cpu_keys.h has the
 * reference.
 */
#ifndef MORTON_H
#define MORTON_H

#include "mesh.h"

/* key_bits is 30 or 63 everywhere: what a code has. */

/* 32-bit words of a code in memory: 1, or 2 with the low one first. */
size_t morton_words(unsigned key_bits);

/* The code in memory. */
uint64_t morton_load(const uint32_t *codes, unsigned key_bits, size_t triangle);

/* The code of each triangle of the mesh, morton_words(key_bits) words each. */
void morton_codes(const struct mesh *mesh, unsigned key_bits, uint32_t *codes);

/* How many of a segment's triangles share their code with another of it, and how many of all do.
 * sorted holds each segment's codes in ascending order. */
uint32_t morton_count_shared_in(const struct mesh_segment *segment, unsigned key_bits,
                                const uint32_t *sorted);
uint32_t morton_count_shared(const struct mesh *mesh, unsigned key_bits, const uint32_t *sorted);

#endif
