/* What the viewer prints, and the checks behind it. */
#ifndef REPORT_H
#define REPORT_H

#include "mesh_orders.h"
#include "morton_gpu.h"

/* Prints the mesh: its name, triangles and segments. */
void report_mesh(const struct mesh *mesh);

/*
 * Runs the sort repeatedly, and prints its passes and times, whether its codes and order equal the
 * CPU's, and how each order does in vertex caches.
 *
 * correct  receives whether everything equals the CPU's
 */
bool report_sort(struct morton_gpu *gpu, const struct mesh_orders *orders, bool *correct,
                 struct failure *failure);

#endif
