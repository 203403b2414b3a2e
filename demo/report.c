#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_sort.h"
#include "metrics.h"
#include "morton.h"

/* The number with commas between thousands. */
static const char *grouped(uint64_t number, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *at = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}

void report_mesh(const struct mesh *mesh)
{
    char text[3][32];
    uint32_t shortest = UINT32_MAX, longest = 0;
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t count = mesh->segments[s].count;
        shortest = count < shortest ? count : shortest;
        longest = count > longest ? count : longest;
    }
    printf("mesh             %s\n", mesh->name);
    printf("triangles        %s, of %s vertices\n", grouped(mesh->triangle_count, text[0]),
           grouped(mesh->vertex_count, text[1]));
    printf("segments         %s submeshes of %s to %s triangles\n",
           grouped(mesh->segment_count, text[0]), grouped(shortest, text[1]),
           grouped(longest, text[2]));
    if (mesh->instance_count != mesh->segment_count)
        printf("instances        %s\n", grouped(mesh->instance_count, text[0]));
    if (mesh->degenerate_count > 0)
        printf("left out         %s triangles with two corners at one place\n",
               grouped(mesh->degenerate_count, text[0]));
    if (mesh->non_finite_count > 0)
        printf("non-finite       %s triangles with an infinite or NaN coordinate: last in the "
               "order, not drawn\n",
               grouped(mesh->non_finite_count, text[0]));
}

static void print_plan(const gl_segsort_plan *plan)
{
    gl_segsort_plan_description description;
    char text[32];
    if (gl_segsort_plan_describe(plan, &description) != GL_SEGSORT_SUCCESS)
        return;
    printf("\n%-32s %9s %12s  work groups\n", "pass", "segments", "rows");
    for (uint32_t i = 0; i < description.pass_count; i++) {
        const gl_segsort_pass_description *pass = &description.passes[i];
        if (pass->condition == GL_SEGSORT_PASS_IN_PLACE)
            continue; /* the sorted codes go to a buffer of their own */
        printf("%-32s %9u %12s  %ux%ux%u\n", pass->label, pass->segment_count,
               grouped(pass->row_count, text), pass->work_groups[0], pass->work_groups[1],
               pass->work_groups[2]);
    }
}

static void print_times(const struct morton_times *times)
{
    printf("\n%-32s %9s\n", "step", "ms");
    printf("%-32s %9.3f\n", "boxes and Morton codes", times->keys);
    printf("%-32s %9.3f\n", "sort", times->sort);
    printf("%-32s %9.3f\n", "index buffer", times->gather);
    printf("median of %d runs, %s\n", MORTON_GPU_RUNS,
           times->by_host ? "by the host's clock: this driver's GL timestamps stand still"
                          : "GPU time by GL timestamps");
}

/* The GPU's results and the CPU's. One block of memory. Triangles
 * are numbers within their segment. */
struct orders {
    uint32_t *codes, *sorted_codes, *sorted_triangles, *sorted_indices;
    uint32_t *cpu_codes, *cpu_sorted_codes, *cpu_sorted_triangles;
    uint32_t *short_codes, *sorted_short_codes; /* of 30 bits, on the CPU */
    unsigned key_bits;
    gl_segsort_key_type key_type;
};

static bool orders_create(struct orders *orders, const struct morton_gpu *gpu,
                          struct failure *failure)
{
    size_t count = gpu->mesh->triangle_count, code = morton_words(gpu->key_bits);
    size_t row = (4 * code + 7) * sizeof(uint32_t);
    uint32_t *block = count <= SIZE_MAX / row ? malloc(row * count) : NULL;
    if (!block) {
        failure_set(failure, "%s: out of memory", gpu->mesh->name);
        return false;
    }
    uint32_t *numbers = block + 4 * code * count;
    *orders = (struct orders){.codes = block,
                              .sorted_codes = block + code * count,
                              .cpu_codes = block + 2 * code * count,
                              .cpu_sorted_codes = block + 3 * code * count,
                              .sorted_triangles = numbers,
                              .cpu_sorted_triangles = numbers + count,
                              .short_codes = numbers + 2 * count,
                              .sorted_short_codes = numbers + 3 * count,
                              .sorted_indices = numbers + 4 * count,
                              .key_bits = gpu->key_bits,
                              .key_type = gpu->key_type};
    return true;
}

static void orders_destroy(struct orders *orders)
{
    free(orders->codes);
}

/* The stable order of each segment. */
static bool sort_on_cpu(const struct orders *orders, const struct mesh *mesh,
                        struct failure *failure)
{
    gl_segsort_segment *segments = malloc(mesh->segment_count * sizeof *segments);
    if (!segments)
        return failure_set(failure, "%s: out of memory", mesh->name);
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first;
        segments[s] = (gl_segsort_segment){first, first, first, first, mesh->segments[s].count};
    }
    const struct cpu_order order = {.key_type = orders->key_type,
                                    .value_type = GL_SEGSORT_VALUE_INDEX};
    morton_codes(mesh, orders->key_bits, orders->cpu_codes);
    cpu_sort_typed_segments(&order, orders->cpu_codes, NULL, orders->cpu_sorted_codes,
                            orders->cpu_sorted_triangles, segments, mesh->segment_count);
    free(segments);
    return true;
}

/* Any Morton order is one by the 30-bit codes, which are the first bits of the longer ones. */
static uint32_t count_short_shared(const struct orders *orders, const struct mesh *mesh)
{
    morton_codes(mesh, 30, orders->short_codes);
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first, end = first + mesh->segments[s].count;
        for (uint32_t i = first; i < end; i++)
            orders->sorted_short_codes[i] =
                orders->short_codes[first + orders->cpu_sorted_triangles[i]];
    }
    return morton_count_shared(mesh, 30, orders->sorted_short_codes);
}

static void print_shared(const struct orders *orders, const struct mesh *mesh)
{
    char text[2][32];
    uint32_t shared = morton_count_shared(mesh, orders->key_bits, orders->cpu_sorted_codes);
    printf("\n%s triangles share their 30-bit code with another of their segment",
           grouped(count_short_shared(orders, mesh), text[0]));
    if (orders->key_bits != 30)
        printf("; %u-bit codes leave %s", orders->key_bits, grouped(shared, text[1]));
    printf("\n");
}

/* Prints the verdict, and where the first difference is. */
static bool check_equal(const char *what, const uint32_t *gpu, const uint32_t *cpu,
                        unsigned key_bits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned long long is = morton_load(gpu, key_bits, i);
        unsigned long long wanted = morton_load(cpu, key_bits, i);
        if (is != wanted) {
            printf("%s: no, entry %u is 0x%llx and should be 0x%llx\n", what, i, is, wanted);
            return false;
        }
    }
    printf("%s: yes\n", what);
    return true;
}

static bool check_indices(const struct orders *orders, const struct mesh *mesh)
{
    for (uint32_t s = 0; s < mesh->segment_count; s++) {
        uint32_t first = mesh->segments[s].first, end = first + mesh->segments[s].count;
        for (uint32_t i = first; i < end; i++) {
            size_t triangle = (size_t)first + orders->cpu_sorted_triangles[i];
            const uint32_t *source = mesh->indices + 3 * triangle;
            if (memcmp(orders->sorted_indices + 3 * (size_t)i, source, 3 * sizeof *source) != 0) {
                printf("index buffer follows the order: no, triangle %u differs\n", i);
                return false;
            }
        }
    }
    printf("index buffer follows the order: yes\n");
    return true;
}

static bool check_orders(const struct orders *orders, const struct mesh *mesh)
{
    uint32_t count = mesh->triangle_count;
    print_shared(orders, mesh);
    bool codes = check_equal("codes equal the CPU's", orders->codes, orders->cpu_codes,
                             orders->key_bits, count);
    bool sorted = check_equal("sorted codes equal the CPU oracle", orders->sorted_codes,
                              orders->cpu_sorted_codes, orders->key_bits, count);
    /* Numbers of a word each, as 30-bit codes are. */
    bool order = check_equal("order equals the CPU oracle", orders->sorted_triangles,
                             orders->cpu_sorted_triangles, 30, count);
    bool indices = check_indices(orders, mesh);
    return codes && sorted && order && indices;
}

static void print_metrics_row(const char *name, const struct metrics *metrics)
{
    printf("%-32s %9.3f %9.3f %9.3f\n", name, metrics->acmr, metrics->atvr, metrics->overfetch);
}

static void print_metrics(const struct orders *orders, const struct mesh *mesh,
                          const struct mesh_orders *others)
{
    const struct metrics morton = metrics_measure(mesh, orders->sorted_indices);
    printf("\n%-32s %9s %9s %9s\n", "order", "ACMR", "ATVR", "overfetch");
    print_metrics_row("file", &others->metrics[ORDER_FILE]);
    print_metrics_row("Morton (gl_segsort)", &morton);
    print_metrics_row("meshopt_spatialSortTriangles", &others->metrics[ORDER_SPATIAL]);
    print_metrics_row("meshopt_optimizeVertexCache", &others->metrics[ORDER_CACHE]);
    printf("vertices transformed a triangle (ACMR) and a vertex (ATVR), FIFO cache of %d vertices; "
           "overfetch:\nbytes fetched for each byte of the vertices; all as meshoptimizer models "
           "them\n",
           METRICS_CACHE_SIZE);
}

bool report_sort(struct morton_gpu *gpu, const struct mesh_orders *others, bool *correct,
                 struct failure *failure)
{
    struct morton_times times;
    struct orders orders;
    printf("GL               %s, %s\n", (const char *)glGetString(GL_RENDERER),
           (const char *)glGetString(GL_VERSION));
    printf(
        "keys             %u-bit Morton codes in %s; values: triangles' numbers in their submesh\n",
        gpu->key_bits, morton_words(gpu->key_bits) == 2 ? "u64" : "u32");
    if (!morton_gpu_measure(gpu, &times, failure))
        return false;
    print_plan(gpu->plan);
    print_times(&times);
    if (!orders_create(&orders, gpu, failure))
        return false;
    morton_gpu_read(gpu, orders.codes, orders.sorted_codes, orders.sorted_triangles,
                    orders.sorted_indices);
    bool compared = sort_on_cpu(&orders, gpu->mesh, failure);
    if (compared)
        *correct = check_orders(&orders, gpu->mesh);
    /* meshoptimizer trusts its indices, which a wrong sort may have garbled. */
    if (compared && *correct)
        print_metrics(&orders, gpu->mesh, others);
    orders_destroy(&orders);
    fflush(stdout);
    return compared;
}
