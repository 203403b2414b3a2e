#include "figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_sort.h"

static bool allocate(struct figures *figures)
{
    const struct mesh *mesh = &figures->model->mesh;
    size_t triangles = mesh->triangle_count;
    /* For codes of two words, whatever they have now. */
    const size_t sizes[FIGURES_STREAM_COUNT] = {
        3 * sizeof(float) * (size_t)mesh->vertex_count, 2 * sizeof(uint32_t) * triangles,
        sizeof(uint32_t) * triangles, 3 * sizeof(uint32_t) * triangles};
    bool fits = true;
    for (int i = 0; i < FIGURES_STREAM_COUNT; i++) {
        figures->sizes[i] = sizes[i];
        figures->data[i] = malloc(sizes[i]);
        fits = fits && figures->data[i];
    }
    figures->cpu_codes = malloc(2 * sizeof(uint32_t) * triangles);
    figures->cpu_sorted = malloc(2 * sizeof(uint32_t) * triangles);
    figures->cpu_values = malloc(sizeof(uint32_t) * triangles);
    figures->segment_shared = calloc(mesh->segment_count, sizeof(uint32_t));
    figures->latest_shared = calloc(mesh->segment_count, sizeof(uint32_t));
    figures->segments = malloc(mesh->segment_count * sizeof *figures->segments);
    return fits && figures->cpu_codes && figures->cpu_sorted && figures->cpu_values &&
           figures->segment_shared && figures->latest_shared && figures->segments;
}

/* One that is only ever copied to and read: of others that are read drivers say that they move them. */
static GLuint create_copy(const char *label, size_t size)
{
    GLuint copy;
    glGenBuffers(1, &copy);
    glBindBuffer(GL_COPY_WRITE_BUFFER, copy);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    glObjectLabel(GL_BUFFER, copy, -1, label);
    return copy;
}

bool figures_create(struct figures *figures, const struct model *model, struct failure *failure)
{
    static const char *const labels[FIGURES_STREAM_COUNT] = {"copied positions", "copied codes",
                                                             "copied order", "copied indices"};
    const struct mesh *mesh = &model->mesh;
    *figures = (struct figures){.model = model};
    if (!allocate(figures)) {
        figures_destroy(figures);
        return failure_set(failure, "%s: out of memory", mesh->name);
    }
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first;
        figures->segments[s] =
            (gl_segsort_segment){first, first, first, first, mesh->segments[s].count};
    }
    for (int i = 0; i < FIGURES_STREAM_COUNT; i++)
        figures->copies[i] = create_copy(labels[i], figures->sizes[i]);
    return true;
}

void figures_destroy(struct figures *figures)
{
    worker_join(&figures->worker);
    if (figures->fence)
        glDeleteSync(figures->fence);
    glDeleteBuffers(FIGURES_STREAM_COUNT, figures->copies);
    for (int i = 0; i < FIGURES_STREAM_COUNT; i++)
        free(figures->data[i]);
    free(figures->cpu_codes);
    free(figures->cpu_sorted);
    free(figures->cpu_values);
    free(figures->segment_shared);
    free(figures->latest_shared);
    free(figures->segments);
    *figures = (struct figures){0};
}

bool figures_idle(const struct figures *figures)
{
    return !figures->fence && !figures->worker.busy;
}

void figures_start(struct figures *figures, unsigned frame)
{
    const struct model *model = figures->model;
    const GLuint from[FIGURES_STREAM_COUNT] = {model->buffers.positions, model->morton.sorted_keys,
                                               model->morton.sorted_values,
                                               model->buffers.orders[ORDER_MORTON]};
    if (!figures_idle(figures))
        return;
    figures->next = (struct figures_result){.frame = frame, .key_bits = model->morton.key_bits};
    figures->sizes[FIGURES_KEYS] = morton_words(figures->next.key_bits) * sizeof(uint32_t) *
                                   (size_t)model->mesh.triangle_count;
    for (int i = 0; i < FIGURES_STREAM_COUNT; i++) {
        glBindBuffer(GL_COPY_READ_BUFFER, from[i]);
        glBindBuffer(GL_COPY_WRITE_BUFFER, figures->copies[i]);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                            (GLsizeiptr)figures->sizes[i]);
    }
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    figures->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* --- in the thread --- */

static bool codes_are_right(struct figures *figures)
{
    struct figures_result *result = &figures->next;
    const struct mesh *mesh = &figures->model->mesh;
    const uint32_t *keys = figures->data[FIGURES_KEYS], *values = figures->data[FIGURES_VALUES];
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        if (morton_load(keys, result->key_bits, i) !=
                morton_load(figures->cpu_sorted, result->key_bits, i) ||
            values[i] != figures->cpu_values[i]) {
            snprintf(result->wrong, sizeof result->wrong,
                     "row %u is triangle %u of code 0x%llx, and should be triangle %u of 0x%llx", i,
                     values[i], (unsigned long long)morton_load(keys, result->key_bits, i),
                     figures->cpu_values[i],
                     (unsigned long long)morton_load(figures->cpu_sorted, result->key_bits, i));
            return false;
        }
    return true;
}

static bool indices_are_right(struct figures *figures)
{
    const struct mesh *mesh = &figures->model->mesh;
    const uint32_t *indices = figures->data[FIGURES_INDICES];
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first, end = first + mesh->segments[s].count;
        for (uint32_t i = first; i < end; i++) {
            size_t source = 3 * ((size_t)first + figures->cpu_values[i]);
            if (memcmp(indices + 3 * (size_t)i, mesh->indices + source, 3 * sizeof *indices) == 0)
                continue;
            snprintf(figures->next.wrong, sizeof figures->next.wrong,
                     "the index buffer's triangle %u isn't the order's", i);
            return false;
        }
    }
    return true;
}

static void look(void *user)
{
    struct figures *figures = user;
    struct figures_result *result = &figures->next;
    struct mesh mesh = figures->model->mesh;
    mesh.positions = figures->data[FIGURES_POSITIONS];
    const struct cpu_order order = {
        .key_type = morton_words(result->key_bits) == 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
        .value_type = GL_SEGSORT_VALUE_INDEX};
    morton_codes(&mesh, result->key_bits, figures->cpu_codes);
    cpu_sort_typed_segments(&order, figures->cpu_codes, NULL, figures->cpu_sorted,
                            figures->cpu_values, figures->segments, mesh.segment_count);
    for (uint32_t s = 0; s < mesh.segment_count; s++) {
        figures->segment_shared[s] =
            morton_count_shared_in(&mesh.segments[s], result->key_bits, figures->cpu_sorted);
        result->shared += figures->segment_shared[s];
    }
    result->right = codes_are_right(figures) && indices_are_right(figures);
    /* meshoptimizer trusts its indices, which a wrong sort may have garbled. */
    if (result->right)
        result->metrics = metrics_measure(&mesh, figures->data[FIGURES_INDICES]);
    result->known = true;
}

/* --- and around it --- */

static void fetch(struct figures *figures)
{
    for (int i = 0; i < FIGURES_STREAM_COUNT; i++) {
        glBindBuffer(GL_COPY_READ_BUFFER, figures->copies[i]);
        glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)figures->sizes[i], figures->data[i]);
    }
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

void figures_poll(struct figures *figures, bool wait)
{
    if (figures->fence) {
        GLenum state = glClientWaitSync(figures->fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
        if (state == GL_TIMEOUT_EXPIRED && !wait)
            return;
        /* What is not there yet is waited for by the fetch itself. */
        glDeleteSync(figures->fence);
        figures->fence = NULL;
        fetch(figures);
        worker_start(&figures->worker, look, figures);
    }
    if (!worker_done(&figures->worker) && !(wait && figures->worker.busy))
        return;
    worker_join(&figures->worker);
    figures->latest = figures->next;
    figures->wrong_count += !figures->latest.right;
    memcpy(figures->latest_shared, figures->segment_shared,
           figures->model->mesh.segment_count * sizeof(uint32_t));
}
