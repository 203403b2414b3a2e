/* Times gl_segsort beside a plain copy of the same bytes, in one run on one device; every result is verified first.
 *
 *     gl_segsort_bench [--rows LOG2] [--algorithm auto|bitonic|radix] [--lengths 8,4096,...]
 *                      [--segments host|gpu] [--passes yes|no]
 */
#include "bench_gpu.h"
#include "cpu_sort.h"
#include "generate.h"
#include "headless_gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPETITIONS 15

struct bench {
    gl_segsort_context *context;
    gl_segsort_algorithm algorithm;
    const char *lengths; /* NULL: all cases */
    bool gpu_listed;     /* cases are run with segments that the GPU lists, too */
    bool passes;         /* each pass's time is told */
    struct bench_copy copy;
    size_t rows;
    uint32_t *keys, *values, *expected;
    GLuint buffers[4]; /* keys, values, output keys, output values */
};

struct bench_sort {
    gl_segsort_plan *plan;
    gl_segsort_sort_desc desc;
};

static void run_sort(void *user)
{
    const struct bench_sort *sort = user;
    gl_segsort_sort(sort->plan, &sort->desc);
}

static void run_copy(void *user)
{
    const struct bench *bench = user;
    bench_copy_run(&bench->copy, bench->buffers, bench->rows);
}

static bool verify(const struct bench *bench, const gl_segsort_segment *segments, size_t count,
                   size_t rows)
{
    uint32_t *got = malloc(rows * 8), *expected = bench->expected;
    cpu_sort_segments(bench->keys, bench->values, expected, expected + bench->rows, segments, count,
                      GL_SEGSORT_ASCENDING);
    bench_read(bench->buffers[2], rows, got);
    bench_read(bench->buffers[3], rows, got + rows);
    bool right = memcmp(got, expected, rows * 4) == 0 &&
                 memcmp(got + rows, expected + bench->rows, rows * 4) == 0;
    free(got);
    return right;
}

static void print_row(const char *name, size_t segments, size_t rows, struct bench_time time,
                      double copy)
{
    printf("%-24s %9zu %9.4f %9.4f %9.4f %9.3f", name, segments, time.median, time.least, time.most,
           1e-6 * (double)rows / time.median);
    if (copy > 0)
        printf(" %8.2f", time.median / copy);
    printf("%s\n", time.host_clock ? "  (host clock)" : "");
    fflush(stdout);
}

/* Host time of one call in microseconds, the median of some. The GPU is idle before each, so that a
 * full queue doesn't hold the call up. */
static double call_microseconds(struct bench_sort *sort)
{
    enum { CALLS = 21 };
    double times[CALLS];
    for (int i = 0; i < CALLS; i++) {
        glFinish();
        double start = bench_seconds();
        run_sort(sort);
        times[i] = 1e6 * (bench_seconds() - start);
    }
    qsort(times, CALLS, sizeof times[0], bench_compare_doubles);
    return times[CALLS / 2];
}

/* Of the last sort of some, so that the GPU doesn't wait for the host to record it. The plan is
 * timed. */
static void pass_times(struct bench_sort *sort, gl_segsort_plan_description *description,
                       gl_segsort_timings *timings)
{
    for (int i = 0; i < 4; i++)
        run_sort(sort);
    glFinish();
    gl_segsort_plan_describe(sort->plan, description);
    gl_segsort_plan_timings(sort->plan, timings);
}

static void print_passes(struct bench_sort *sort)
{
    gl_segsort_plan_description description;
    gl_segsort_timings timings = {0};
    pass_times(sort, &description, &timings);
    for (uint32_t i = 0; i < timings.pass_count; i++)
        printf("    %-20s %9.4f\n", description.passes[i].kernel, timings.pass_milliseconds[i]);
}

/* What the passes over the list take of a sort, from its time stamps. */
static double list_milliseconds(struct bench_sort *sort)
{
    gl_segsort_plan_description description;
    gl_segsort_timings timings = {0};
    double sum = 0;
    pass_times(sort, &description, &timings);
    for (uint32_t i = 0; i < timings.pass_count; i++)
        if (strncmp(description.passes[i].kernel, "list-", 5) == 0)
            sum += timings.pass_milliseconds[i];
    return sum;
}

/* The same segments as ranges in a buffer, which the host doesn't look at. */
static bool bench_ranges(struct bench *bench, const char *name, const gl_segsort_segment *segments,
                         size_t count, size_t rows, uint32_t longest, double copy)
{
    gl_segsort_plan_desc desc = {.label = name,
                                 .algorithm = bench->algorithm,
                                 .segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                 .max_segments = (uint32_t)count,
                                 .max_rows = (uint32_t)rows,
                                 .max_length = longest,
                                 .timed = true};
    GLuint list = bench_buffer(count * sizeof *segments / 4, (const uint32_t *)segments);
    struct bench_sort sort = {.desc = {.keys = {bench->buffers[0], 0, rows},
                                       .values = {bench->buffers[1], 0, rows},
                                       .output_keys = {bench->buffers[2], 0, rows},
                                       .output_values = {bench->buffers[3], 0, rows},
                                       .segments = {list, 0, count}}};
    bool right = gl_segsort_plan_create(bench->context, &desc, &sort.plan) == GL_SEGSORT_SUCCESS &&
                 gl_segsort_sort(sort.plan, &sort.desc) == GL_SEGSORT_SUCCESS;
    if (!right)
        fprintf(stderr, "bench: %s: %s\n", name, gl_segsort_last_error(bench->context));
    else if (!verify(bench, segments, count, rows))
        fprintf(stderr, "bench: %s: GPU-listed: wrong result\n", name), right = false;
    if (right) {
        char row[64];
        snprintf(row, sizeof row, "  GPU-listed");
        print_row(row, count, rows, bench_time(run_sort, &sort, REPETITIONS), copy);
        printf("    of this the list %.4f ms; a call takes the host %.1f us\n",
               list_milliseconds(&sort), call_microseconds(&sort));
    }
    gl_segsort_plan_destroy(sort.plan);
    glDeleteBuffers(1, &list);
    return right;
}

static bool bench_lengths(struct bench *bench, const char *name, const uint32_t *lengths,
                          size_t count, double copy)
{
    gl_segsort_segment *segments = malloc(count * sizeof *segments);
    size_t rows = generate_packed_segments(lengths, count, 0, segments);
    gl_segsort_plan_desc desc = {.label = name,
                                 .algorithm = bench->algorithm,
                                 .segments = segments,
                                 .segment_count = (uint32_t)count,
                                 .timed = bench->passes};
    struct bench_sort sort = {.desc = {.keys = {bench->buffers[0], 0, rows},
                                       .values = {bench->buffers[1], 0, rows},
                                       .output_keys = {bench->buffers[2], 0, rows},
                                       .output_values = {bench->buffers[3], 0, rows}}};
    bool right = false;
    if (gl_segsort_plan_create(bench->context, &desc, &sort.plan) != GL_SEGSORT_SUCCESS ||
        gl_segsort_sort(sort.plan, &sort.desc) != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "bench: %s: %s\n", name, gl_segsort_last_error(bench->context));
    else if (!verify(bench, segments, count, rows))
        fprintf(stderr, "bench: %s: wrong result\n", name);
    else
        right = true;
    if (right)
        print_row(name, count, rows, bench_time(run_sort, &sort, REPETITIONS), copy);
    if (right && bench->passes)
        print_passes(&sort);
    if (right && bench->gpu_listed) {
        uint32_t longest = 0;
        for (size_t i = 0; i < count; i++)
            longest = lengths[i] > longest ? lengths[i] : longest;
        printf("    a call takes the host %.1f us\n", call_microseconds(&sort));
        right = bench_ranges(bench, name, segments, count, rows, longest, copy);
    }
    gl_segsort_plan_destroy(sort.plan);
    free(segments);
    return right;
}

static bool bench_fixed_length(struct bench *bench, uint32_t length, size_t rows, double copy)
{
    size_t count = rows / length;
    uint32_t *lengths = malloc(count * sizeof *lengths);
    for (size_t i = 0; i < count; i++)
        lengths[i] = length;
    char name[64];
    snprintf(name, sizeof name, "%u rows a segment", length);
    bool right = bench_lengths(bench, name, lengths, count, copy);
    free(lengths);
    return right;
}

static bool bench_power_law(struct bench *bench, uint32_t cap, double copy)
{
    size_t count = generate_power_law(cap, bench->rows, NULL);
    uint32_t *lengths = malloc(count * sizeof *lengths);
    generate_power_law(cap, bench->rows, lengths);
    char name[64];
    snprintf(name, sizeof name, "power law to %u", cap);
    bool right = bench_lengths(bench, name, lengths, count, copy);
    free(lengths);
    return right;
}

/* A thousand segments whose lengths spread over two decades and more: shares of the rows in
 * proportion to 1 / (10 + i), in a shuffled order; the last one takes what rounding leaves. */
static bool bench_uneven(struct bench *bench, double copy)
{
    enum { SEGMENTS = 1000 };
    uint32_t lengths[SEGMENTS];
    double sum = 0;
    size_t rest = bench->rows;
    uint64_t state = 1000;
    for (int i = 0; i < SEGMENTS; i++)
        sum += 1.0 / (10 + i);
    for (int i = 0; i < SEGMENTS; i++) {
        lengths[i] = (uint32_t)((double)bench->rows / (10 + i) / sum);
        rest -= lengths[i];
    }
    lengths[SEGMENTS - 1] += (uint32_t)rest;
    for (uint32_t i = SEGMENTS - 1; i > 0; i--) {
        uint32_t other = generate_below(&state, i + 1), length = lengths[i];
        lengths[i] = lengths[other];
        lengths[other] = length;
    }
    return bench_lengths(bench, "uneven", lengths, SEGMENTS, copy);
}

/* cub 361: the same rows cut into 1, 1,000 and 100,000 segments. */
static bool bench_cuts(struct bench *bench)
{
    const size_t cuts[] = {1, 1000, 100000};
    bool right = true;
    for (size_t i = 0; i < 3 && bench->rows >= 1000000; i++)
        right &= bench_fixed_length(bench, (uint32_t)(1000000 / cuts[i]), 1000000, 0);
    return right;
}

/* Fixed lengths from the command line. */
static bool bench_listed(struct bench *bench, double copy)
{
    bool right = true;
    char *rest;
    for (const char *at = bench->lengths; *at; at = *rest ? rest + 1 : rest) {
        uint32_t length = (uint32_t)strtoul(at, &rest, 10);
        if (length == 0 || length > bench->rows) {
            fprintf(stderr, "bench: no length: %s\n", at);
            return false;
        }
        right &= bench_fixed_length(bench, length, bench->rows, copy);
    }
    return right;
}

static bool bench_run(struct bench *bench)
{
    const uint32_t lengths[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 16384, 65536};
    printf("%-24s %9s %9s %9s %9s %9s %8s\n", "", "segments", "median ms", "least", "most",
           "Grow/s", "x copy");
    struct bench_time copy = bench_time(run_copy, bench, REPETITIONS);
    print_row("copy", 1, bench->rows, copy, 0);
    if (bench->lengths)
        return bench_listed(bench, copy.median);
    bool right = true;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        right &= bench_fixed_length(bench, lengths[i], bench->rows, copy.median);
    right &= bench_fixed_length(bench, (uint32_t)bench->rows, bench->rows, copy.median);
    right &= bench_uneven(bench, copy.median);
    right &= bench_power_law(bench, 256, copy.median);
    right &= bench_power_law(bench, 100000, copy.median);
    return bench_cuts(bench) && right;
}

static bool bench_open(struct bench *bench, uint32_t log2_rows)
{
    bench->rows = (size_t)1 << log2_rows;
    bench->keys = malloc(bench->rows * 16);
    if (!bench->keys || !bench_copy_create(&bench->copy))
        return false;
    bench->values = bench->keys + bench->rows;
    bench->expected = bench->values + bench->rows;
    generate_keys(GENERATE_RANDOM, bench->keys, bench->rows, 0);
    generate_identity(bench->values, bench->rows);
    bench->buffers[0] = bench_buffer(bench->rows, bench->keys);
    bench->buffers[1] = bench_buffer(bench->rows, bench->values);
    bench->buffers[2] = bench_buffer(bench->rows, NULL);
    bench->buffers[3] = bench_buffer(bench->rows, NULL);
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address};
    return gl_segsort_context_create(&desc, &bench->context) == GL_SEGSORT_SUCCESS;
}

static void bench_close(struct bench *bench)
{
    gl_segsort_context_destroy(bench->context);
    glDeleteBuffers(4, bench->buffers);
    bench_copy_destroy(&bench->copy);
    free(bench->keys);
}

/* Software drivers get a size that ends within a minute. */
static uint32_t default_log2_rows(void)
{
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    return strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") ? 20 : 24;
}

static const char *const algorithms[] = {"auto", "bitonic", "radix"};

/* False when the command line makes no sense. */
static bool read_options(int argc, char **argv, struct bench *bench, uint32_t *log2_rows)
{
    for (int i = 1; i < argc; i += 2) {
        bool known = false;
        if (i + 1 < argc && strcmp(argv[i], "--rows") == 0) {
            *log2_rows = (uint32_t)strtoul(argv[i + 1], NULL, 10);
            known = *log2_rows >= 16 && *log2_rows <= 28;
        }
        if (i + 1 < argc && strcmp(argv[i], "--lengths") == 0) {
            bench->lengths = argv[i + 1];
            known = true;
        }
        if (i + 1 < argc && strcmp(argv[i], "--segments") == 0) {
            bench->gpu_listed = strcmp(argv[i + 1], "gpu") == 0;
            known = bench->gpu_listed || strcmp(argv[i + 1], "host") == 0;
        }
        if (i + 1 < argc && strcmp(argv[i], "--passes") == 0) {
            bench->passes = strcmp(argv[i + 1], "yes") == 0;
            known = bench->passes || strcmp(argv[i + 1], "no") == 0;
        }
        for (int a = 0; a < 3 && i + 1 < argc && strcmp(argv[i], "--algorithm") == 0; a++)
            if (strcmp(argv[i + 1], algorithms[a]) == 0) {
                bench->algorithm = (gl_segsort_algorithm)a;
                known = true;
            }
        if (!known)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "bench: %s\n", gl.error);
        return 1;
    }
    struct bench bench = {0};
    uint32_t log2_rows = default_log2_rows();
    if (!read_options(argc, argv, &bench, &log2_rows)) {
        fprintf(stderr, "usage: gl_segsort_bench [--rows LOG2] [--algorithm auto|bitonic|radix]\n"
                        "                        [--lengths 8,4096,...] [--segments host|gpu]\n"
                        "                        [--passes yes|no]\n"
                        "LOG2 from 16 to 28\n");
        return 2;
    }
    printf("%s, OpenGL %s, 2^%u rows of u32 key and u32 value, algorithm %s\n",
           (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION), log2_rows,
           algorithms[bench.algorithm]);
    bool right = bench_open(&bench, log2_rows) && bench_run(&bench);
    bench_close(&bench);
    headless_gl_destroy(&gl);
    return right ? 0 : 1;
}
