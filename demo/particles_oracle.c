/* The particles' order from the CPU reference, in the place of what the GPU's sorts would write. */
#include <stdlib.h>

#include "cpu_keys.h"
#include "cpu_sort.h"
#include "particles.h"
#include "read_back.h"

static const struct cpu_order back_to_front = {.key_type = GL_SEGSORT_KEY_F32,
                                               .value_type = GL_SEGSORT_VALUE_INDEX,
                                               .direction = GL_SEGSORT_DESCENDING};

static void read_buffer(const struct particles *particles, enum particles_buffer buffer,
                        size_t size, void *data)
{
    read_back(particles->buffers[buffer], size, data);
}

static void write_buffer(const struct particles *particles, enum particles_buffer buffer,
                         size_t size, const void *data)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, particles->buffers[buffer]);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void particles_order_emitters_on_cpu(const struct particles *particles, mat4 view)
{
    float places[PARTICLES_EMITTERS][4];
    uint32_t keys[PARTICLES_EMITTERS], order[PARTICLES_EMITTERS];
    const gl_segsort_depth_keys_desc desc = particles_emitter_keys_desc(particles, view);
    const struct cpu_points points = {places, desc.position_words, PARTICLES_EMITTERS, NULL};
    read_buffer(particles, PARTICLES_PLACES, sizeof places, places);
    for (size_t i = 0; i < PARTICLES_EMITTERS; i++)
        keys[i] = cpu_depth_key(&desc, &points, i);
    cpu_sort_order(&back_to_front, keys, PARTICLES_EMITTERS, order);
    write_buffer(particles, PARTICLES_EMITTER_ORDER, sizeof order, order);
}

/* The list's rows from first on, sorted into the same rows of sequence. */
static void order_domain(const gl_segsort_depth_keys_desc *desc, const struct cpu_points *points,
                         size_t first, size_t length, uint32_t *keys, uint32_t *sequence)
{
    for (size_t i = 0; i < length; i++)
        keys[i] = cpu_depth_key(desc, points, first + i);
    cpu_sort_order(&back_to_front, keys, length, sequence + first);
    for (size_t i = first; i < first + length; i++)
        sequence[i] = points->indices[first + sequence[i]];
}

bool particles_order_on_cpu(const struct particles *particles, mat4 view, struct failure *failure)
{
    size_t rows = (size_t)particles->slot * PARTICLES_EMITTERS, words = rows * sizeof(uint32_t);
    struct particles_counts counts;
    struct particle *records = malloc(rows * sizeof *records);
    uint32_t *list = malloc(words), *keys = malloc(words), *sequence = calloc(rows, sizeof *list);
    bool enough = records && list && keys && sequence;
    if (enough) {
        const gl_segsort_depth_keys_desc desc = particles_keys_desc(particles, view);
        const struct cpu_points points = {records, desc.position_words, rows, list};
        read_buffer(particles, PARTICLES_RECORDS, rows * sizeof *records, records);
        read_buffer(particles, PARTICLES_LIST, words, list);
        particles_read_counts(particles, &counts);
        if (particles->one_domain)
            order_domain(&desc, &points, 0, counts.total, keys, sequence);
        for (size_t e = 0; e < PARTICLES_EMITTERS && !particles->one_domain; e++)
            order_domain(&desc, &points, e * particles->slot, counts.count[e], keys, sequence);
        write_buffer(particles, PARTICLES_SEQUENCE, words, sequence);
    }
    free(records);
    free(list);
    free(keys);
    free(sequence);
    return enough || failure_set(failure, "particles: out of memory");
}
