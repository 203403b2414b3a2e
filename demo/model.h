/* A mesh with all that GL has of it: buffers, the Morton sort, and what each order is drawn from. */
#ifndef MODEL_H
#define MODEL_H

#include "camera.h"
#include "morton_gpu.h"

struct model {
    struct mesh mesh;
    struct mesh_orders orders; /* its index lists are gone: they are in the buffers */
    struct mesh_buffers buffers;
    struct morton_gpu morton;
    GLuint arrays[ORDER_COUNT];
    uint32_t *shown_at; /* a segment's first instance; UINT32_MAX: it has none */
};

/* Takes the mesh and orders over, unless it fails, and gives NULL then. Sorts nothing yet. */
struct model *model_create(struct mesh *mesh, struct mesh_orders *orders, unsigned key_bits,
                           struct morton_context *context, struct failure *failure);
void model_destroy(struct model *model);

/* Sorts by codes of other bits from here on; the old plan stays where that fails. */
bool model_set_key_bits(struct model *model, unsigned key_bits, struct morton_context *context,
                        struct failure *failure);

/* What sorts a segment of that length: a pass of the plan, "bitonic-local-64", or of those that
 * several work groups share, "radix, 4 rounds". */
void model_name_kernel(const struct model *model, uint32_t length, char *text, size_t size);

#endif
