#include "morton_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "shaders.h"

enum { TILE = 256 /* triangles a work group, as in demo/shaders/work.glsl */ };

/* As in demo/shaders/tile.glsl. */
struct tile {
    uint32_t first;
    uint32_t count;
    uint32_t segment;
    uint32_t segment_first;
};

static bool create_tiles(struct morton_gpu *gpu, struct failure *failure)
{
    const struct mesh *mesh = gpu->mesh;
    for (uint32_t s = 0; s < mesh->segment_count; s++)
        gpu->tile_count += (mesh->segments[s].count + TILE - 1) / TILE;
    struct tile *tiles = malloc(gpu->tile_count * sizeof *tiles);
    if (!tiles)
        return failure_set(failure, "%s: out of memory", mesh->name);
    uint32_t filled = 0;
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        const struct mesh_segment *segment = &mesh->segments[s];
        for (uint32_t at = 0; at < segment->count; at += TILE) {
            uint32_t left = segment->count - at;
            tiles[filled++] =
                (struct tile){segment->first + at, left < TILE ? left : TILE, s, segment->first};
        }
    }
    gpu->tiles = mesh_buffers_create_buffer("tiles", filled * sizeof *tiles, tiles);
    free(tiles);
    return true;
}

static void create_buffers(struct morton_gpu *gpu)
{
    size_t box_size = 3 * sizeof(uint32_t) * (size_t)gpu->mesh->segment_count;
    size_t stream_size = sizeof(uint32_t) * (size_t)gpu->mesh->triangle_count;
    gpu->minima = mesh_buffers_create_buffer("minima", box_size, NULL);
    gpu->maxima = mesh_buffers_create_buffer("maxima", box_size, NULL);
    size_t keys_size = morton_words(gpu->key_bits) * stream_size;
    gpu->keys = mesh_buffers_create_buffer("Morton codes", keys_size, NULL);
    gpu->sorted_keys = mesh_buffers_create_buffer("sorted Morton codes", keys_size, NULL);
    gpu->sorted_values = mesh_buffers_create_buffer("sorted triangles", stream_size, NULL);
}

static void keep_message(gl_segsort_log_level level, const char *message, void *user)
{
    if (level == GL_SEGSORT_LOG_ERROR)
        failure_set(user, "%s", message);
}

/* Each submesh is a segment, at the same rows of all streams. The values are the triangles' numbers
 * in their submesh, which the library makes itself. */
static bool create_plan(struct morton_gpu *gpu, gl_segsort_get_proc_address get_proc_address,
                        struct failure *failure)
{
    const struct mesh *mesh = gpu->mesh;
    gl_segsort_context_desc context_desc = {.get_proc_address = get_proc_address,
                                            .label = "gl_segsort_viewer",
                                            .log = keep_message,
                                            .log_user = failure};
    if (gl_segsort_context_create(&context_desc, &gpu->context) != GL_SEGSORT_SUCCESS)
        return false;
    gl_segsort_segment *segments = malloc(mesh->segment_count * sizeof *segments);
    if (!segments)
        return failure_set(failure, "%s: out of memory", mesh->name);
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first;
        segments[s] = (gl_segsort_segment){first, first, first, first, mesh->segments[s].count};
    }
    gl_segsort_plan_desc plan_desc = {.label = "morton",
                                      .key_type = gpu->key_type,
                                      .value_type = GL_SEGSORT_VALUE_INDEX,
                                      .segments = segments,
                                      .segment_count = mesh->segment_count};
    gl_segsort_result result = gl_segsort_plan_create(gpu->context, &plan_desc, &gpu->plan);
    free(segments);
    return result == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(gpu->context));
}

bool morton_gpu_create(struct morton_gpu *gpu, const struct mesh *mesh, unsigned key_bits,
                       const struct mesh_buffers *buffers,
                       gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    *gpu = (struct morton_gpu){.mesh = mesh, .buffers = buffers, .key_bits = key_bits};
    gpu->key_type = morton_words(key_bits) == 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32;
    char definitions[64];
    snprintf(definitions, sizeof definitions, "#define MORTON_AXIS_BITS %u\n", key_bits / 3);
    gpu->bounds_program = shaders_compute_program("morton_bounds.comp", "", failure);
    gpu->keys_program = shaders_compute_program("morton_keys.comp", definitions, failure);
    gpu->gather_program = shaders_compute_program("gather_triangles.comp", "", failure);
    if (!gpu->bounds_program || !gpu->keys_program || !gpu->gather_program ||
        !create_tiles(gpu, failure) || !create_plan(gpu, get_proc_address, failure)) {
        morton_gpu_destroy(gpu);
        return false;
    }
    create_buffers(gpu);
    return true;
}

void morton_gpu_destroy(struct morton_gpu *gpu)
{
    const GLuint buffers[] = {gpu->tiles, gpu->minima,      gpu->maxima,
                              gpu->keys,  gpu->sorted_keys, gpu->sorted_values};
    gl_segsort_plan_destroy(gpu->plan);
    gl_segsort_context_destroy(gpu->context);
    glDeleteBuffers(sizeof buffers / sizeof buffers[0], buffers);
    glDeleteProgram(gpu->bounds_program);
    glDeleteProgram(gpu->keys_program);
    glDeleteProgram(gpu->gather_program);
    *gpu = (struct morton_gpu){0};
}

static void bind_storage(const GLuint *buffers, GLuint count)
{
    for (GLuint i = 0; i < count; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
}

/* GL promises 65535 work groups an axis. */
static void dispatch(GLuint program, uint32_t work_groups)
{
    GLuint rows = (work_groups + 65534) / 65535;
    glUseProgram(program);
    glDispatchCompute((work_groups + rows - 1) / rows, rows, 1);
    glUseProgram(0);
}

static void clear(GLuint buffer, GLuint number)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &number);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

static void record_keys(const struct morton_gpu *gpu)
{
    const GLuint bindings[] = {gpu->buffers->positions,
                               gpu->buffers->indices,
                               gpu->tiles,
                               gpu->minima,
                               gpu->maxima,
                               gpu->keys};
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "Morton codes");
    /* The boxes that an earlier run left are overwritten by clears. */
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    clear(gpu->minima, UINT32_MAX);
    clear(gpu->maxima, 0);
    bind_storage(bindings, sizeof bindings / sizeof bindings[0]);
    dispatch(gpu->bounds_program, gpu->tile_count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    dispatch(gpu->keys_program, gpu->tile_count);
    glPopDebugGroup();
}

static bool record_sort(const struct morton_gpu *gpu, struct failure *failure)
{
    uint64_t rows = gpu->mesh->triangle_count;
    gl_segsort_sort_desc desc = {.keys = {gpu->keys, 0, rows},
                                 .output_keys = {gpu->sorted_keys, 0, rows},
                                 .output_values = {gpu->sorted_values, 0, rows},
                                 .barriers_before = GL_SEGSORT_BARRIER_STORAGE,
                                 .barriers_after =
                                     GL_SEGSORT_BARRIER_STORAGE | GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    return gl_segsort_sort(gpu->plan, &desc) == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(gpu->context));
}

static void record_gather(const struct morton_gpu *gpu)
{
    const GLuint bindings[] = {gpu->sorted_values, gpu->buffers->indices, gpu->tiles,
                               gpu->buffers->sorted_indices};
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "index buffer in Morton order");
    bind_storage(bindings, sizeof bindings / sizeof bindings[0]);
    dispatch(gpu->gather_program, gpu->tile_count);
    glMemoryBarrier(GL_ELEMENT_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glPopDebugGroup();
}

bool morton_gpu_run(struct morton_gpu *gpu, struct failure *failure)
{
    record_keys(gpu);
    if (!record_sort(gpu, failure))
        return false;
    record_gather(gpu);
    return true;
}

/* Marks a moment: on the GPU when the commands so far are done, on the host after waiting for them.
 */
struct clock {
    GLuint queries[4];
    double host[4]; /* seconds */
};

static void mark(struct clock *clock, unsigned moment, bool by_host)
{
    if (by_host) {
        struct timespec now;
        glFinish();
        timespec_get(&now, TIME_UTC);
        clock->host[moment] = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    } else {
        glQueryCounter(clock->queries[moment], GL_TIMESTAMP);
    }
}

/* Milliseconds between the moments; false where GL's timestamps stand still. */
static bool read_clock(const struct clock *clock, bool by_host, double steps[3])
{
    GLuint64 nanoseconds[4] = {0};
    for (unsigned i = 0; i < 4 && !by_host; i++)
        glGetQueryObjectui64v(clock->queries[i], GL_QUERY_RESULT, &nanoseconds[i]);
    for (unsigned i = 0; i < 3; i++)
        steps[i] = by_host ? 1e3 * (clock->host[i + 1] - clock->host[i])
                           : 1e-6 * (double)(int64_t)(nanoseconds[i + 1] - nanoseconds[i]);
    return by_host || (steps[0] > 0 && steps[1] > 0 && steps[2] > 0);
}

static bool run_timed(struct morton_gpu *gpu, bool by_host, double steps[3], bool *advanced,
                      struct failure *failure)
{
    struct clock clock;
    glGenQueries(4, clock.queries);
    mark(&clock, 0, by_host);
    record_keys(gpu);
    mark(&clock, 1, by_host);
    bool sorted = record_sort(gpu, failure);
    mark(&clock, 2, by_host);
    record_gather(gpu);
    mark(&clock, 3, by_host);
    *advanced = read_clock(&clock, by_host, steps);
    glDeleteQueries(4, clock.queries);
    return sorted;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, MORTON_GPU_RUNS, sizeof *times, compare_doubles);
    return times[MORTON_GPU_RUNS / 2];
}

bool morton_gpu_measure(struct morton_gpu *gpu, struct morton_times *times, struct failure *failure)
{
    double runs[3][MORTON_GPU_RUNS], steps[3];
    bool by_host = false, advanced;
    /* The first run pays for what drivers put off, such as compiling for the machine. */
    if (!morton_gpu_run(gpu, failure))
        return false;
    glFinish();
    for (int run = 0; run < MORTON_GPU_RUNS; run++) {
        if (!run_timed(gpu, by_host, steps, &advanced, failure))
            return false;
        for (int step = 0; step < 3; step++)
            runs[step][run] = steps[step];
        if (!advanced) {
            by_host = true;
            run = -1; /* all over again, so that the numbers compare */
        }
    }
    *times = (struct morton_times){median(runs[0]), median(runs[1]), median(runs[2]), by_host};
    return true;
}

static void read_buffer(GLuint buffer, size_t size, void *data)
{
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

void morton_gpu_read(const struct morton_gpu *gpu, uint32_t *keys, uint32_t *sorted_keys,
                     uint32_t *sorted_values, uint32_t *sorted_indices)
{
    size_t size = sizeof(uint32_t) * (size_t)gpu->mesh->triangle_count;
    /* The codes were written by a shader whose run no barrier for readbacks has followed. */
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    read_buffer(gpu->keys, morton_words(gpu->key_bits) * size, keys);
    read_buffer(gpu->sorted_keys, morton_words(gpu->key_bits) * size, sorted_keys);
    read_buffer(gpu->sorted_values, size, sorted_values);
    read_buffer(gpu->buffers->sorted_indices, 3 * size, sorted_indices);
}
