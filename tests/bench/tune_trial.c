#include "tune_trial.h"

#include "context.h"
#include "headless_gl.h"

#include <stdio.h>
#include <stdlib.h>

#define FAILED_MS 1e9

bool trial_open(struct trial *trial, uint32_t log2_rows)
{
    const gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address};
    uint32_t rows = (uint32_t)1 << log2_rows;
    trial->inputs = (struct inputs){.parameter = rows, .rows = rows};
    if (gl_segsort_context_create(&desc, &trial->context) == GL_SEGSORT_SUCCESS &&
        inputs_create(&trial->inputs, &trial->data) &&
        buffers_create(&trial->data, &trial->buffers))
        return true;
    fprintf(stderr, "bench: no context, or out of memory\n");
    return false;
}

void trial_close(struct trial *trial)
{
    buffers_destroy(&trial->buffers);
    inputs_destroy(&trial->data);
    gl_segsort_context_destroy(trial->context);
}

static uint32_t make_segments(const struct trial_case *sorted, uint32_t rows,
                              gl_segsort_segment *segments)
{
    uint32_t count = 0, row = 0, limit = sorted->segments_max ? sorted->segments_max : UINT32_MAX;
    while (count < limit && rows - row >= sorted->length) {
        uint32_t length = sorted->length;
        if (sorted->uneven && count % 2 == 1 && length > 3)
            length -= 3;
        segments[count++] = (gl_segsort_segment){row, row, row, row, length};
        row += length;
        if (sorted->scattered)
            row += sorted->length < rows - row ? sorted->length : rows - row;
    }
    return count;
}

struct trial_sort {
    gl_segsort_plan *plan;
    gl_segsort_sort_desc desc;
    bool failed;
};

static void run_sort(void *user)
{
    struct trial_sort *sort = user;
    sort->failed |= gl_segsort_sort(sort->plan, &sort->desc) != GL_SEGSORT_SUCCESS;
}

static double measure(struct trial *trial, struct trial_sort *sort)
{
    const struct timer_work work = {run_sort, sort, NULL};
    buffers_forget(&trial->buffers);
    run_sort(sort);
    if (!sort->failed && trial->verify &&
        !buffers_sorted(&trial->buffers, &trial->inputs, &trial->data)) {
        fprintf(stderr, "bench: a tuning gives a wrong result\n");
        trial->failed = true;
        return FAILED_MS;
    }
    double time = timer_measure(&trial->effort, &work).milliseconds.median;
    return sort->failed ? FAILED_MS : time;
}

double trial_run(struct trial *trial, const struct trial_case *sorted, const segsort_tuning *tuning)
{
    gl_segsort_segment *segments =
        malloc((trial->data.rows / sorted->length * 2 + 2) * sizeof *segments);
    const gl_segsort_segment *whole = trial->data.segments;
    const size_t rows = trial->data.rows;
    double time = FAILED_MS;
    if (!segments)
        return time;
    trial->data.count = make_segments(sorted, (uint32_t)rows, segments);
    trial->data.segments = segments;
    const gl_segsort_plan_desc desc = {.label = "trial",
                                       .algorithm = sorted->algorithm,
                                       .segments = segments,
                                       .segment_count = (uint32_t)trial->data.count};
    struct trial_sort sort = {.desc = {.keys = {trial->buffers.keys, 0, rows},
                                       .values = {trial->buffers.values, 0, rows},
                                       .output_keys = {trial->buffers.output_keys, 0, rows},
                                       .output_values = {trial->buffers.output_values, 0, rows}}};
    segsort_context_set_tuning(trial->context, tuning);
    if (gl_segsort_plan_create(trial->context, &desc, &sort.plan) == GL_SEGSORT_SUCCESS)
        time = measure(trial, &sort);
    if (time >= FAILED_MS) {
        fprintf(stderr, "bench: %s\n", gl_segsort_last_error(trial->context));
        trial->failed = true;
    }
    gl_segsort_plan_destroy(sort.plan);
    trial->data.segments = (gl_segsort_segment *)whole;
    trial->data.count = 1;
    free(segments);
    return time;
}
