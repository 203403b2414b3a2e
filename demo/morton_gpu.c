#include "morton_gpu.h"

#include "gl_segsort_keys.h"
#include "read_back.h"

#include <stdlib.h>
#include <time.h>

static void create_buffers(struct morton_gpu *gpu)
{
    size_t stream_size = sizeof(uint32_t) * (size_t)gpu->mesh->triangle_count;
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

bool morton_context_create(struct morton_context *context,
                           gl_segsort_get_proc_address get_proc_address,
                           gl_segsort_program_cache program_cache, struct failure *failure)
{
    *context = (struct morton_context){0};
    gl_segsort_context_desc desc = {.get_proc_address = get_proc_address,
                                    .label = "gl_segsort_viewer",
                                    .log = keep_message,
                                    .log_user = &context->said,
                                    .program_cache = program_cache};
    return gl_segsort_context_create(&desc, &context->handle) == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", context->said.text);
}

void morton_context_destroy(struct morton_context *context)
{
    gl_segsort_context_destroy(context->handle);
    *context = (struct morton_context){0};
}

/* Each submesh is a segment, at the same rows of all streams. The values are the triangles' numbers
 * in their submesh, which the library makes itself. */
static bool create_plan(struct morton_gpu *gpu, struct failure *failure)
{
    const struct mesh *mesh = gpu->mesh;
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
                                      .segment_count = mesh->segment_count,
                                      .timed = true};
    gl_segsort_result result = gl_segsort_plan_create(gpu->context, &plan_desc, &gpu->plan);
    free(segments);
    return result == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(gpu->context));
}

bool morton_gpu_create(struct morton_gpu *gpu, struct morton_context *context,
                       const struct mesh *mesh, unsigned key_bits,
                       const struct mesh_buffers *buffers, struct failure *failure)
{
    *gpu = (struct morton_gpu){
        .mesh = mesh, .buffers = buffers, .key_bits = key_bits, .context = context->handle};
    gpu->key_type = morton_words(key_bits) == 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32;
    if (!create_plan(gpu, failure)) {
        morton_gpu_destroy(gpu);
        return false;
    }
    create_buffers(gpu);
    glGenQueries(MORTON_GPU_TIMED * MORTON_GPU_STAMPS, gpu->stamps[0]);
    return true;
}

void morton_gpu_destroy(struct morton_gpu *gpu)
{
    const GLuint buffers[] = {gpu->keys, gpu->sorted_keys, gpu->sorted_values};
    gl_segsort_plan_destroy(gpu->plan);
    glDeleteBuffers(sizeof buffers / sizeof buffers[0], buffers);
    if (gpu->stamps[0][0])
        glDeleteQueries(MORTON_GPU_TIMED * MORTON_GPU_STAMPS, gpu->stamps[0]);
    *gpu = (struct morton_gpu){0};
}

static bool check(const struct morton_gpu *gpu, gl_segsort_result result, struct failure *failure)
{
    return result == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(gpu->context));
}

static gl_segsort_sort_desc sort_desc(const struct morton_gpu *gpu)
{
    uint64_t rows = gpu->mesh->triangle_count;
    return (gl_segsort_sort_desc){.keys = {gpu->keys, 0, rows},
                                  .output_keys = {gpu->sorted_keys, 0, rows},
                                  .output_values = {gpu->sorted_values, 0, rows},
                                  .barriers_before = GL_SEGSORT_BARRIER_STORAGE,
                                  .barriers_after = GL_SEGSORT_BARRIER_STORAGE |
                                                    GL_SEGSORT_BARRIER_BUFFER_UPDATE};
}

/* The sort's barriers let it see the codes; reading them back takes one of its own. */
static bool record_keys(const struct morton_gpu *gpu, struct failure *failure)
{
    const struct mesh *mesh = gpu->mesh;
    const gl_segsort_sort_desc sort = sort_desc(gpu);
    const gl_segsort_morton_keys_desc desc = {
        .positions = {gpu->buffers->positions, 0, mesh->vertex_count},
        .indices = {gpu->buffers->orders[ORDER_FILE], 0, mesh->triangle_count},
        .barriers_after = GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    return check(gpu, gl_segsort_morton_keys(gpu->plan, &sort, &desc), failure);
}

static bool record_sort(const struct morton_gpu *gpu, struct failure *failure)
{
    const gl_segsort_sort_desc sort = sort_desc(gpu);
    return check(gpu, gl_segsort_sort(gpu->plan, &sort), failure);
}

/* A triangle is a record of three words, at the same rows as its key. */
static bool record_gather(const struct morton_gpu *gpu, struct failure *failure)
{
    uint64_t rows = gpu->mesh->triangle_count;
    const gl_segsort_gather_desc desc = {
        .indices = {gpu->sorted_values, 0, rows},
        .records = {gpu->buffers->orders[ORDER_FILE], 0, rows},
        .output_records = {gpu->buffers->orders[ORDER_MORTON], 0, rows},
        .record_words = 3,
        .barriers_after = GL_SEGSORT_BARRIER_INDEX | GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    return check(gpu, gl_segsort_gather(gpu->plan, &desc), failure);
}

static void stamp(bool timed, GLuint query)
{
    if (timed)
        glQueryCounter(query, GL_TIMESTAMP);
}

bool morton_gpu_run(struct morton_gpu *gpu, struct failure *failure)
{
    const GLuint *stamps = gpu->stamps[gpu->run];
    bool timed = !gpu->under_way[gpu->run];
    stamp(timed, stamps[0]);
    bool recorded = record_keys(gpu, failure);
    stamp(timed, stamps[1]);
    recorded = recorded && record_sort(gpu, failure);
    stamp(timed, stamps[2]);
    recorded = recorded && record_gather(gpu, failure);
    stamp(timed, stamps[3]);
    if (timed) {
        gpu->under_way[gpu->run] = true;
        gpu->run = (gpu->run + 1) % MORTON_GPU_TIMED;
    }
    return recorded;
}

/* False where the run has not ended, or GL's timestamps stand still. */
static bool read_stamps(struct morton_gpu *gpu, unsigned run)
{
    GLuint64 at[MORTON_GPU_STAMPS];
    GLuint available = 0;
    glGetQueryObjectuiv(gpu->stamps[run][MORTON_GPU_STAMPS - 1], GL_QUERY_RESULT_AVAILABLE,
                        &available);
    if (!available)
        return false;
    for (unsigned i = 0; i < MORTON_GPU_STAMPS; i++)
        glGetQueryObjectui64v(gpu->stamps[run][i], GL_QUERY_RESULT, &at[i]);
    gpu->under_way[run] = false;
    gpu->times = (struct morton_times){.keys = 1e-6 * (double)(int64_t)(at[1] - at[0]),
                                       .sort = 1e-6 * (double)(int64_t)(at[2] - at[1]),
                                       .gather = 1e-6 * (double)(int64_t)(at[3] - at[2])};
    return true;
}

struct morton_times morton_gpu_times(struct morton_gpu *gpu)
{
    gl_segsort_timings timings;
    double sort = 0;
    /* From the oldest on, so that the latest is what stays. */
    for (unsigned i = 0; i < MORTON_GPU_TIMED; i++) {
        unsigned run = (gpu->run + i) % MORTON_GPU_TIMED;
        if (gpu->under_way[run] && !read_stamps(gpu, run))
            break;
    }
    if (gl_segsort_plan_timings(gpu->plan, &timings) == GL_SEGSORT_SUCCESS)
        for (uint32_t pass = 0; pass < timings.pass_count; pass++)
            sort += timings.pass_milliseconds[pass];
    if (sort > 0)
        gpu->times.sort = sort;
    return gpu->times;
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
    bool recorded = record_keys(gpu, failure);
    mark(&clock, 1, by_host);
    recorded = recorded && record_sort(gpu, failure);
    mark(&clock, 2, by_host);
    recorded = recorded && record_gather(gpu, failure);
    mark(&clock, 3, by_host);
    *advanced = read_clock(&clock, by_host, steps);
    glDeleteQueries(4, clock.queries);
    return recorded;
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

void morton_gpu_read(const struct morton_gpu *gpu, uint32_t *keys, uint32_t *sorted_keys,
                     uint32_t *sorted_values, uint32_t *sorted_indices)
{
    size_t size = sizeof(uint32_t) * (size_t)gpu->mesh->triangle_count;
    read_back(gpu->keys, morton_words(gpu->key_bits) * size, keys);
    read_back(gpu->sorted_keys, morton_words(gpu->key_bits) * size, sorted_keys);
    read_back(gpu->sorted_values, size, sorted_values);
    read_back(gpu->buffers->orders[ORDER_MORTON], 3 * size, sorted_indices);
}
