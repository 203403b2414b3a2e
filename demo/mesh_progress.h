/* How far a mesh has come that another thread loads. */
#ifndef MESH_PROGRESS_H
#define MESH_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

enum mesh_phase {
    MESH_PHASE_READ,  /* bytes of the file */
    MESH_PHASE_PARSE, /* assimp doesn't tell how far it is */
    MESH_PHASE_WELD,  /* submeshes */
    MESH_PHASE_ORDER, /* submeshes, by meshoptimizer */
    MESH_PHASE_COUNT
};

/* {0} is the start. One thread loads and tells, others look on. */
struct mesh_progress {
    atomic_uint phase;
    atomic_uint thousandths; /* of the phase */
    atomic_bool cancelled;   /* by who looks on: loading fails soon */
};

void mesh_progress_tell(struct mesh_progress *progress, enum mesh_phase phase, uint64_t done,
                        uint64_t total);

/* Of all phases, 0 to 1; name receives what is done now. */
float mesh_progress_fraction(const struct mesh_progress *progress, const char **name);

#endif
