/* What can only be told of a sort's results on the CPU: how the Morton order does in caches, which
 * triangles share their code, and whether it all equals the CPU's own sort of the same positions.
 * Results are copied on the GPU, fetched when they are there, and looked at in a thread, so that no
 * frame waits. */
#ifndef FIGURES_H
#define FIGURES_H

#include "model.h"
#include "worker.h"

enum figures_stream {
    FIGURES_POSITIONS,
    FIGURES_KEYS, /* sorted */
    FIGURES_VALUES,
    FIGURES_INDICES,
    FIGURES_STREAM_COUNT
};

struct figures_result {
    bool known;
    bool right;      /* order, codes and index buffer equal the CPU's */
    char wrong[160]; /* why not */
    unsigned frame;  /* as given to figures_start */
    unsigned key_bits;
    uint32_t shared;        /* triangles that share their code with another of their segment */
    struct metrics metrics; /* of the Morton order; only when it's right */
};

struct figures {
    const struct model *model;
    GLuint copies[FIGURES_STREAM_COUNT];
    void *data[FIGURES_STREAM_COUNT];
    size_t sizes[FIGURES_STREAM_COUNT];
    uint32_t *cpu_codes, *cpu_sorted, *cpu_values;
    uint32_t *segment_shared, *latest_shared; /* a number a segment */
    gl_segsort_segment *segments;
    GLsync fence; /* behind the copies that were recorded last */
    struct worker worker;
    struct figures_result next, latest;
    unsigned wrong_count; /* of all there were */
};

/* Has to stay where it is. */
bool figures_create(struct figures *figures, const struct model *model, struct failure *failure);
void figures_destroy(struct figures *figures);

/* Whether nothing is under way. */
bool figures_idle(const struct figures *figures);

/* Takes what the latest sort left; nothing when something is under way. */
void figures_start(struct figures *figures, unsigned frame);

/* Goes on with what is under way, without waiting, or with. Results are in latest and, a number for
 * each segment, in latest_shared. */
void figures_poll(struct figures *figures, bool wait);

#endif
