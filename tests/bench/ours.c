#include "ours.h"

#include "context.h"
#include "headless_gl.h"
#include "kept.h"

#include <stdio.h>
#include <string.h>

struct sorter {
    const struct bench_case *measured;
    const struct buffers *buffers;
    const struct copies *copies;
    const segsort_tuning *tuning;
    gl_segsort_program_cache program_cache;
    gl_segsort_context *context;
    gl_segsort_plan_desc plan_desc;
    gl_segsort_sort_desc sort_desc;
    gl_segsort_plan *plan;
};

static double milliseconds_since(double start)
{
    return 1e3 * (spread_seconds() - start);
}

static void run_sort(void *user)
{
    const struct sorter *sorter = user;
    gl_segsort_sort(sorter->plan, &sorter->sort_desc);
}

/* In place a sort has eaten its inputs. */
static void put_inputs_back(void *user)
{
    const struct sorter *sorter = user;
    copies_run(sorter->copies, COPY_SIMPLE, sorter->buffers);
}

static struct timer_work work_of(struct sorter *sorter)
{
    return (struct timer_work){run_sort, sorter,
                               sorter->measured->in_place ? put_inputs_back : NULL};
}

static gl_segsort_plan_desc plan_desc(const struct bench_case *measured,
                                      const struct inputs_data *data,
                                      gl_segsort_algorithm algorithm)
{
    gl_segsort_plan_desc desc = {.label = measured->name,
                                 .key_type = measured->inputs.key_type,
                                 .direction = measured->inputs.direction,
                                 .algorithm = algorithm};
    if (measured->gpu_listed) {
        desc.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES;
        desc.max_segments = (uint32_t)data->count;
        desc.max_rows = (uint32_t)data->rows;
        desc.max_length = data->longest;
    } else {
        desc.segments = data->segments;
        desc.segment_count = (uint32_t)data->count;
    }
    return desc;
}

static gl_segsort_sort_desc sort_desc(const struct bench_case *measured,
                                      const struct inputs_data *data, const struct buffers *buffers)
{
    gl_segsort_sort_desc desc = {.keys = {buffers->keys, 0, data->rows},
                                 .values = {buffers->values, 0, data->rows},
                                 .output_keys = {buffers->output_keys, 0, data->rows},
                                 .output_values = {buffers->output_values, 0, data->rows}};
    if (measured->in_place) {
        desc.keys = desc.output_keys;
        desc.values = desc.output_values;
    }
    if (measured->gpu_listed)
        desc.segments = (gl_segsort_view){buffers->segments, 0, data->count};
    return desc;
}

static bool complain(const struct sorter *sorter, const char *sentence)
{
    fprintf(stderr, "bench: %s: %s\n", sorter->measured->name, sentence);
    return false;
}

static bool make_context(struct sorter *sorter, gl_segsort_state_policy policy)
{
    const gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                          .state_policy = policy,
                                          .program_cache = sorter->program_cache};
    gl_segsort_result result = gl_segsort_context_create(&desc, &sorter->context);
    if (result == GL_SEGSORT_SUCCESS && sorter->tuning)
        segsort_context_set_tuning(sorter->context, sorter->tuning);
    return result == GL_SEGSORT_SUCCESS || complain(sorter, gl_segsort_result_string(result));
}

static bool make_plan(struct sorter *sorter)
{
    return gl_segsort_plan_create(sorter->context, &sorter->plan_desc, &sorter->plan) ==
               GL_SEGSORT_SUCCESS ||
           complain(sorter, gl_segsort_last_error(sorter->context));
}

/* What comes before the steady state: the context, the plan with its programs, the first sort. */
static bool set_up(struct sorter *sorter, struct ours *ours)
{
    glFinish();
    double start = spread_seconds();
    if (!make_context(sorter, GL_SEGSORT_STATE_RESTORE))
        return false;
    ours->context_ms = milliseconds_since(start);
    start = spread_seconds();
    if (!make_plan(sorter))
        return false;
    ours->plan_first_ms = milliseconds_since(start);
    if (sorter->measured->in_place)
        put_inputs_back(sorter);
    glFinish();
    start = spread_seconds();
    if (gl_segsort_sort(sorter->plan, &sorter->sort_desc) != GL_SEGSORT_SUCCESS)
        return complain(sorter, gl_segsort_last_error(sorter->context));
    glFinish();
    ours->sort_first_ms = milliseconds_since(start);
    return true;
}

static bool measure_second_plan(const struct sorter *sorter, struct ours *ours)
{
    struct sorter second = *sorter;
    glFinish();
    double start = spread_seconds();
    if (!make_plan(&second))
        return false;
    ours->plan_again_ms = milliseconds_since(start);
    gl_segsort_plan_destroy(second.plan);
    return true;
}

/* A context and a plan whose programs are kept, and how long each took. */
static bool make_kept(struct sorter *sorter, double *context_ms, double *plan_ms)
{
    sorter->context = NULL;
    sorter->plan = NULL;
    glFinish();
    double start = spread_seconds();
    bool made = make_context(sorter, GL_SEGSORT_STATE_RESTORE);
    *context_ms = milliseconds_since(start);
    start = spread_seconds();
    made = made && make_plan(sorter);
    *plan_ms = milliseconds_since(start);
    gl_segsort_plan_destroy(sorter->plan);
    gl_segsort_context_destroy(sorter->context);
    return made;
}

/* The first of two contexts has its programs compiled, the second one loads them. */
static bool measure_kept(const struct sorter *sorter, struct ours *ours)
{
    struct kept kept = {0};
    struct sorter keeping = *sorter;
    double context_ms = 0, plan_ms = 0;
    bool made = true;
    keeping.program_cache = kept_cache(&kept);
    for (int i = 0; i < 2 && made; i++)
        made = make_kept(&keeping, &context_ms, &plan_ms);
    if (made && kept.count > 0) {
        ours->context_kept_ms = context_ms;
        ours->plan_kept_ms = plan_ms;
    }
    kept_release(&kept);
    return made;
}

/* One call's host time where GL's state isn't put back. */
static bool measure_dirty(const struct sorter *sorter, struct ours *ours)
{
    struct sorter dirty = *sorter;
    bool made = make_context(&dirty, GL_SEGSORT_STATE_LEAVE_DIRTY);
    dirty.plan = NULL;
    made = made && make_plan(&dirty);
    if (made) {
        struct timer_work work = work_of(&dirty);
        ours->dirty_us = 1e6 * timer_host_seconds(&work);
    }
    gl_segsort_plan_destroy(dirty.plan);
    gl_segsort_context_destroy(dirty.context);
    return made;
}

/* Of the last sort of some, so that the GPU doesn't wait for the host to record it. */
static bool measure_passes(const struct sorter *sorter, bool print, struct ours *ours)
{
    struct sorter timed = *sorter;
    gl_segsort_plan_description description;
    gl_segsort_timings timings = {0};
    timed.plan_desc.timed = true;
    if (!make_plan(&timed))
        return false;
    for (int i = 0; i < 4; i++) {
        if (sorter->measured->in_place)
            put_inputs_back(&timed);
        run_sort(&timed);
    }
    glFinish();
    gl_segsort_plan_describe(timed.plan, &description);
    gl_segsort_plan_timings(timed.plan, &timings);
    for (uint32_t i = 0; i < timings.pass_count; i++) {
        if (strncmp(description.passes[i].kernel, "list-", 5) == 0)
            ours->list_ms += timings.pass_milliseconds[i];
        if (print)
            printf("    %-20s %9.4f\n", description.passes[i].kernel, timings.pass_milliseconds[i]);
    }
    gl_segsort_plan_destroy(timed.plan);
    return true;
}

static void measure_memory(const struct sorter *sorter, struct ours *ours)
{
    gl_segsort_plan_description description = {0};
    gl_segsort_plan_describe(sorter->plan, &description);
    ours->scratch_bytes = description.scratch_bytes;
    ours->table_bytes = description.table_bytes;
}

static bool measure_all(const struct ours_effort *effort, struct sorter *sorter,
                        const struct inputs_data *data, struct ours *ours)
{
    if (!set_up(sorter, ours))
        return false;
    if (effort->verify && !buffers_sorted(sorter->buffers, &sorter->measured->inputs, data))
        return complain(sorter, "wrong result");
    struct timer_work work = work_of(sorter);
    ours->time = timer_measure(&effort->timer, &work);
    ours->restore_us = 1e6 * timer_host_seconds(&work);
    measure_memory(sorter, ours);
    bool passes = effort->passes || sorter->measured->gpu_listed;
    return measure_second_plan(sorter, ours) && measure_kept(sorter, ours) &&
           measure_dirty(sorter, ours) && (!passes || measure_passes(sorter, effort->passes, ours));
}

bool ours_measure(const struct ours_effort *effort, const struct bench_case *measured,
                  const struct inputs_data *data, const struct buffers *buffers,
                  const struct copies *copies, struct ours *ours)
{
    struct sorter sorter = {.measured = measured,
                            .buffers = buffers,
                            .copies = copies,
                            .tuning = effort->tuning,
                            .plan_desc = plan_desc(measured, data, effort->algorithm),
                            .sort_desc = sort_desc(measured, data, buffers)};
    *ours = (struct ours){0};
    bool measured_all = measure_all(effort, &sorter, data, ours);
    gl_segsort_plan_destroy(sorter.plan);
    gl_segsort_context_destroy(sorter.context);
    return measured_all;
}
