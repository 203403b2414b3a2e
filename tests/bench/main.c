/* Times gl_segsort beside copies of the same bytes, a plain network, the CPU and CUDA's sorts, in
 * one run on one device; every result is verified first. docs/benchmark.md tells how to read it.
 * Measures; asserts nothing, and is no test. */
#include "bench.h"
#include "headless_gl.h"
#include "options.h"
#include "tune.h"
#include "tuning_file.h"

#include <stdio.h>
#include <string.h>

/* Software drivers get a size that ends within some minutes. */
static uint32_t default_size(const char *renderer)
{
    return strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") ? 18 : 24;
}

static bool list_cases(const struct options *options)
{
    struct cases_filter filter = options->filter;
    struct bench_cases cases = {0};
    filter.log2_rows = options->size_count ? options->sizes[0] : 24;
    bool any = cases_create(&filter, &cases);
    for (size_t i = 0; any && i < cases.count; i++)
        printf("%s\n", cases.items[i].name);
    cases_destroy(&cases);
    return any;
}

static bool open_results(const struct options *options, struct results *results)
{
    if (!options->csv)
        return true;
    printf("results: %s\n", options->csv);
    return results_open(results, options->csv, options->append);
}

static void tell_slug(void)
{
    char slug[64];
    results_slug((const char *)glGetString(GL_RENDERER), slug, sizeof slug);
    printf("%s\n", slug);
}

/* Of one size. */
static bool run_cases(struct bench *bench, uint32_t log2_rows)
{
    struct cases_filter filter = bench->options->filter;
    struct bench_cases cases = {0};
    filter.log2_rows = log2_rows;
    bench->results.log2_rows = log2_rows;
    bool right = cases_create(&filter, &cases);
    printf("\n2^%u rows\n", log2_rows);
    results_heading();
    for (size_t i = 0; right && i < cases.count; i++) {
        printf("[%zu/%zu] %s\n", i + 1, cases.count, cases.items[i].name);
        bench->failed |= !bench_case(bench, &cases.items[i]);
    }
    cases_destroy(&cases);
    return right;
}

/* Before a file is opened, which empties it. */
static bool have_cases(const struct options *options, const uint32_t *sizes, int count)
{
    bool right = true;
    for (int i = 0; right && i < count; i++) {
        struct cases_filter filter = options->filter;
        struct bench_cases cases = {0};
        filter.log2_rows = sizes[i];
        right = cases_create(&filter, &cases);
        cases_destroy(&cases);
    }
    return right;
}

static void tell_setting(const struct bench *bench)
{
    const struct options *options = bench->options;
    printf("%s, OpenGL %s, algorithm %s\n", bench->results.gpu, bench->results.driver,
           bench->results.algorithm);
    printf("warm-up %g s, %d repetitions%s\n", options->warm_up, options->repetitions,
           options->quick ? "; QUICK: nothing is verified" : "; every result is verified first");
    if (bench->effort.timer.host_clock)
        printf("the driver has no timer: times are the host's, with its waits\n");
}

/* The driver's, or the file's. */
static bool find_tuning(const struct options *options, segsort_tuning *tuning, const char **name)
{
    const segsort_tuning_entry *entry = segsort_tuning_find((const char *)glGetString(GL_VENDOR),
                                                            (const char *)glGetString(GL_RENDERER));
    *tuning = entry->tuning;
    *name = options->tuning ? options->tuning : entry->name;
    return !options->tuning || tuning_file_read(options->tuning, tuning);
}

static bool run_tune(const struct options *options, const segsort_tuning *tuning)
{
    struct bench bench = {.options = options};
    uint32_t size = default_size((const char *)glGetString(GL_RENDERER));
    bool right = bench_open(&bench);
    right = right && tune(options, tuning, bench.effort.timer.host_clock,
                          options->size_count ? options->sizes[0] : size);
    bench_close(&bench);
    return right;
}

static bool run(const struct options *options, const segsort_tuning *tuning)
{
    struct bench bench = {.options = options,
                          .tuning = options->tuning ? tuning : NULL,
                          .results = {.gpu = (const char *)glGetString(GL_RENDERER),
                                      .driver = (const char *)glGetString(GL_VERSION),
                                      .algorithm = options_algorithm_name(options->algorithm)}};
    uint32_t size = default_size(bench.results.gpu);
    const uint32_t *sizes = options->size_count ? options->sizes : &size;
    int count = options->size_count ? options->size_count : 1;
    if (!have_cases(options, sizes, count) || !open_results(options, &bench.results))
        return false;
    bool right = bench_open(&bench);
    if (right)
        tell_setting(&bench);
    for (int i = 0; right && i < count; i++)
        right = run_cases(&bench, sizes[i]);
    bench_close(&bench);
    return right && !bench.failed;
}

int main(int argc, char **argv)
{
    struct options options;
    struct headless_gl gl;
    if (!options_read(argc, argv, &options)) {
        fputs(options_help, stderr);
        return 2;
    }
    if (options.help) {
        fputs(options_help, stdout);
        return 0;
    }
    if (options.list)
        return list_cases(&options) ? 0 : 2;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "bench: %s\n", gl.error);
        return 1;
    }
    segsort_tuning tuning;
    const char *name;
    bool right = find_tuning(&options, &tuning, &name);
    if (right && options.slug) {
        tell_slug();
    } else if (right && options.print_tuning) {
        printf("%s: tuned for %s\n", (const char *)glGetString(GL_RENDERER), name);
        tuning_file_print(&tuning);
    } else if (right) {
        right = options.tune ? run_tune(&options, &tuning) : run(&options, &tuning);
    }
    headless_gl_destroy(&gl);
    return right ? 0 : 1;
}
