#include "mesh_progress.h"

void mesh_progress_tell(struct mesh_progress *progress, enum mesh_phase phase, uint64_t done,
                        uint64_t total)
{
    unsigned thousandths = total > 0 && done < total ? (unsigned)(1000 * done / total) : 1000;
    atomic_store(&progress->thousandths, phase == MESH_PHASE_PARSE ? 0 : thousandths);
    atomic_store(&progress->phase, (unsigned)phase);
}

float mesh_progress_fraction(const struct mesh_progress *progress, const char **name)
{
    static const char *const names[MESH_PHASE_COUNT] = {"reading", "parsing", "welding",
                                                        "ordering"};
    unsigned phase = atomic_load(&progress->phase);
    float within = 1e-3f * (float)atomic_load(&progress->thousandths);
    *name = names[phase];
    return ((float)phase + within) / MESH_PHASE_COUNT;
}
