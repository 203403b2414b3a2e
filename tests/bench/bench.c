#include "bench.h"

#include "cpu_sort.h"
#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_ROWS_MAX ((size_t)1 << 26)

/* A case's inputs, where they lie. */
struct subject {
    const struct bench_case *measured;
    struct inputs_data data;
    struct buffers buffers;
};

struct copy_work {
    const struct copies *copies;
    enum copy_kind kind;
    const struct buffers *buffers;
};

static void run_copy(void *user)
{
    const struct copy_work *work = user;
    copies_run(work->copies, work->kind, work->buffers);
}

/* Asked of a copy of some milliseconds on a driver that could not tell. */
static bool find_timer(struct bench *bench)
{
    const struct inputs inputs = {.parameter = 1u << 20, .rows = 1u << 22};
    struct subject subject = {0};
    if (!inputs_create(&inputs, &subject.data) || !buffers_create(&subject.data, &subject.buffers))
        return false;
    struct copy_work copy = {&bench->copies, COPY_SIMPLE, &subject.buffers};
    bench->effort.timer.host_clock = !timer_stamps(&(struct timer_work){run_copy, &copy, NULL});
    buffers_destroy(&subject.buffers);
    inputs_destroy(&subject.data);
    return true;
}

bool bench_open(struct bench *bench)
{
    const struct options *options = bench->options;
    bench->effort = (struct ours_effort){
        .timer = {.warm_up = options->warm_up, .repetitions = options->repetitions},
        .algorithm = options->algorithm,
        .verify = !options->quick,
        .passes = options->passes,
        .tuning = bench->tuning};
    if (!copies_create(&bench->copies))
        return false;
    if (!find_timer(bench)) {
        fprintf(stderr, "bench: out of memory\n");
        return false;
    }
    if (options->peers && options_wants(options, "peers") &&
        peers_open(options->peers, &bench->peers))
        printf("peers: %s\n", bench->peers.device);
    return true;
}

void bench_close(struct bench *bench)
{
    peers_close(&bench->peers);
    results_close(&bench->results);
    copies_destroy(&bench->copies);
}

static const char *timer_name(const struct bench *bench)
{
    return bench->effort.timer.host_clock ? "host" : "gpu";
}

static struct results_row row_of(const struct subject *subject, const char *implementation)
{
    return (struct results_row){
        .measured = subject->measured, .data = &subject->data, .implementation = implementation};
}

static bool complain(const struct subject *subject, const char *implementation,
                     const char *sentence)
{
    fprintf(stderr, "bench: %s: %s: %s\n", subject->measured->name, implementation, sentence);
    return false;
}

/* Within a percent of the rows: that is less than a copy's spread. */
static const struct bench_copy *find_copy(const struct bench *bench, const struct buffers *buffers)
{
    for (int i = 0; i < bench->copy_count; i++) {
        const struct bench_copy *copy = &bench->measured_copies[i];
        size_t more = copy->rows > buffers->rows ? copy->rows : buffers->rows;
        size_t less = copy->rows + buffers->rows - more;
        if (copy->key_words == buffers->key_words && (more - less) * 100 <= more)
            return copy;
    }
    return NULL;
}

static struct bench_copy *measure_copies(struct bench *bench, const struct subject *subject)
{
    const struct buffers *buffers = &subject->buffers;
    struct bench_copy *copy = &bench->measured_copies[bench->copy_count % BENCH_COPIES_MAX];
    *copy = (struct bench_copy){.rows = buffers->rows, .key_words = buffers->key_words};
    for (int kind = 0; kind < COPY_KINDS; kind++) {
        struct copy_work work = {&bench->copies, (enum copy_kind)kind, buffers};
        buffers_forget(buffers);
        run_copy(&work);
        if (bench->effort.verify && !buffers_copied(buffers, &subject->data))
            return NULL;
        copy->times[kind] =
            timer_measure(&bench->effort.timer, &(struct timer_work){run_copy, &work, NULL});
    }
    if (bench->copy_count < BENCH_COPIES_MAX)
        bench->copy_count++;
    return copy;
}

static bool tell_copies(struct bench *bench, const struct subject *subject)
{
    static const char *const names[COPY_KINDS] = {"copy", "copy-walk"};
    const struct bench_copy *copy = find_copy(bench, &subject->buffers);
    if (!copy)
        copy = measure_copies(bench, subject);
    if (!copy)
        return complain(subject, "copy", "wrong result");
    double simple = copy->times[COPY_SIMPLE].milliseconds.median;
    double walk = copy->times[COPY_WALK].milliseconds.median;
    bench->results.copy_ms = walk < simple ? walk : simple;
    for (int kind = 0; kind < COPY_KINDS; kind++) {
        struct results_row row = row_of(subject, names[kind]);
        row.time = copy->times[kind];
        row.timer = timer_name(bench);
        row.verified = bench->effort.verify;
        results_add(&bench->results, &row);
    }
    return true;
}

static bool tell_ours(struct bench *bench, const struct subject *subject)
{
    struct ours ours;
    buffers_forget(&subject->buffers);
    if (!ours_measure(&bench->effort, subject->measured, &subject->data, &subject->buffers,
                      &bench->copies, &ours))
        return false;
    struct results_row row = row_of(subject, "ours");
    row.time = ours.time;
    row.timer = timer_name(bench);
    row.verified = bench->effort.verify;
    row.scratch_bytes = ours.scratch_bytes;
    row.ours = &ours;
    results_add(&bench->results, &row);
    return true;
}

struct network_work {
    struct network network;
    const struct buffers *buffers;
};

static void run_network(void *user)
{
    const struct network_work *work = user;
    network_run(&work->network, work->buffers);
}

static bool tell_network(struct bench *bench, const struct subject *subject)
{
    struct network_work network = {.buffers = &subject->buffers};
    if (!network_fits(&subject->measured->inputs, &subject->data))
        return true;
    if (!network_create(&subject->data, &network.network))
        return false;
    buffers_forget(&subject->buffers);
    run_network(&network);
    bool right = !bench->effort.verify ||
                 buffers_sorted(&subject->buffers, &subject->measured->inputs, &subject->data);
    if (right) {
        struct results_row row = row_of(subject, "network");
        row.time =
            timer_measure(&bench->effort.timer, &(struct timer_work){run_network, &network, NULL});
        row.timer = timer_name(bench);
        row.verified = bench->effort.verify;
        results_add(&bench->results, &row);
    }
    network_destroy(&network.network);
    return right || complain(subject, "network", "wrong result");
}

/* The tests' reference, a merge sort in one thread, once. */
static bool tell_cpu(struct bench *bench, const struct subject *subject)
{
    const struct inputs_data *data = &subject->data;
    const struct inputs *inputs = &subject->measured->inputs;
    const struct cpu_order order = {.key_type = inputs->key_type, .direction = inputs->direction};
    if (data->rows > CPU_ROWS_MAX)
        return true;
    uint32_t *keys = malloc(data->rows * (data->key_words + 1) * 4);
    if (!keys)
        return complain(subject, "cpu", "out of memory");
    uint32_t *values = keys + data->rows * data->key_words;
    memset(keys, 0, data->rows * (data->key_words + 1) * 4);
    double start = spread_seconds();
    cpu_sort_typed_segments(&order, data->keys, data->values, keys, values, data->segments,
                            data->count);
    double time = 1e3 * (spread_seconds() - start);
    struct results_row row = row_of(subject, "cpu");
    row.time.milliseconds = spread_of(&time, 1);
    row.timer = "host";
    row.verified = bench->effort.verify;
    bool right = !bench->effort.verify || inputs_sorted(inputs, data, keys, values);
    free(keys);
    if (!right)
        return complain(subject, "cpu", "wrong result");
    results_add(&bench->results, &row);
    return true;
}

static bool tell_peers(struct bench *bench, const struct subject *subject)
{
    struct peers_time time;
    bool right = true;
    if (bench->peers.process == 0)
        return true;
    peers_ask(&bench->peers, &bench->effort.timer, bench->effort.verify,
              &subject->measured->inputs);
    while (peers_next(&bench->peers, &time)) {
        struct results_row row = row_of(subject, time.name);
        row.time = time.time;
        row.timer = "events";
        row.verified = time.verified;
        row.scratch_bytes = time.scratch_bytes;
        if (bench->effort.verify && !time.verified)
            right = complain(subject, time.name, "wrong result");
        else
            results_add(&bench->results, &row);
    }
    return right;
}

static bool tell_all(struct bench *bench, const struct subject *subject)
{
    const struct options *options = bench->options;
    bool right = true;
    bench->results.copy_ms = 0;
    if (options_wants(options, "copy"))
        right &= tell_copies(bench, subject);
    if (options_wants(options, "ours"))
        right &= tell_ours(bench, subject);
    if (options_wants(options, "network"))
        right &= tell_network(bench, subject);
    if (options_wants(options, "cpu"))
        right &= tell_cpu(bench, subject);
    return tell_peers(bench, subject) && right;
}

bool bench_case(struct bench *bench, const struct bench_case *measured)
{
    struct subject subject = {.measured = measured};
    bool made = inputs_create(&measured->inputs, &subject.data) &&
                buffers_create(&subject.data, &subject.buffers);
    bool right = made ? tell_all(bench, &subject) : complain(&subject, "inputs", "out of memory");
    buffers_destroy(&subject.buffers);
    inputs_destroy(&subject.data);
    return right;
}
