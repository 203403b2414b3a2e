/* The public functions: each checks, then calls the layers below in order. */
#include "dispatch.h"
#include "plan_make.h"
#include "self_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t gl_segsort_version(void)
{
    return GL_SEGSORT_VERSION;
}

const char *gl_segsort_last_error(const gl_segsort_context *context)
{
    return context ? context->error.text : "";
}

/* ---------------------------------------------------------------------------------------------- */
/* Contexts */

/* For failures that have no context to tell them. */
static gl_segsort_result segsort_report_early(const gl_segsort_context_desc *desc,
                                              const segsort_error *error)
{
    if (desc && desc->log)
        desc->log(GL_SEGSORT_LOG_ERROR, error->text, desc->log_user);
    return error->result;
}

gl_segsort_result gl_segsort_context_create(const gl_segsort_context_desc *desc,
                                            gl_segsort_context **context)
{
    segsort_error error = {0};
    if (context)
        *context = NULL;
    if (!desc || !context) {
        segsort_fail(&error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                     "gl_segsort_context_create: %s is NULL", desc ? "context" : "desc");
        return segsort_report_early(desc, &error);
    }
    if (segsort_desc_check_context(desc, &error) != GL_SEGSORT_SUCCESS)
        return segsort_report_early(desc, &error);
    gl_segsort_allocator allocator = segsort_desc_allocator(desc);
    gl_segsort_context *made = allocator.allocate(sizeof *made, allocator.user);
    if (!made) {
        segsort_fail(&error, GL_SEGSORT_ERROR_OUT_OF_MEMORY, "out of memory for a context");
        return segsort_report_early(desc, &error);
    }
    *made =
        (gl_segsort_context){.allocator = allocator, .log = desc->log, .log_user = desc->log_user};
    gl_segsort_result result = segsort_context_report(made, segsort_context_init(made, desc));
    if (result == GL_SEGSORT_SUCCESS)
        *context = made;
    else
        segsort_context_release(made, made);
    return result;
}

/* Frees the context once neither the host nor a plan has it any more. */
static void segsort_context_release_unused(gl_segsort_context *context)
{
    if (context->destroyed && !context->plans)
        segsort_context_release(context, context);
}

void gl_segsort_context_abandon(gl_segsort_context *context)
{
    if (!context)
        return;
    context->lost = context->destroyed = true;
    segsort_pipeline_release(context);
    segsort_context_release_unused(context);
}

void gl_segsort_context_destroy(gl_segsort_context *context)
{
    if (!context)
        return;
    if (segsort_context_check_reset(context) == GL_SEGSORT_SUCCESS) {
        for (gl_segsort_plan *plan = context->plans; plan; plan = plan->next)
            segsort_plan_objects_release(plan);
        segsort_pipeline_release(context);
    } else if (!context->lost) {
        segsort_context_report(context, context->error.result);
    }
    gl_segsort_context_abandon(context);
}

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

static void segsort_plan_link(gl_segsort_plan *plan)
{
    plan->next = plan->context->plans;
    if (plan->next)
        plan->next->previous = plan;
    plan->context->plans = plan;
}

static void segsort_plan_unlink(gl_segsort_plan *plan)
{
    if (plan->previous)
        plan->previous->next = plan->next;
    else
        plan->context->plans = plan->next;
    if (plan->next)
        plan->next->previous = plan->previous;
}

/* Each set's layout, for the caller to free. */
static gl_segsort_result segsort_plan_lay_out(gl_segsort_context *context,
                                              const gl_segsort_plan_desc *desc,
                                              segsort_layout **layouts)
{
    *layouts = NULL;
    gl_segsort_result result = segsort_context_check_reset(context);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_fields(desc, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    *layouts = segsort_context_allocate(context, segsort_desc_set_count(desc) * sizeof **layouts);
    if (!*layouts)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for the layouts of %" PRIu32 " sets",
                            segsort_desc_set_count(desc));
    return segsort_desc_check_plan(desc, &context->limits, &context->allocator, *layouts,
                                   &context->error);
}

/* Builds the plan, tests what it has of kernels for subgroups, and builds it anew where the test
 * changes what there is to take. */
static gl_segsort_result segsort_plan_begin_tested(gl_segsort_context *context,
                                                   const gl_segsort_plan_desc *desc,
                                                   const segsort_layout *layouts,
                                                   gl_segsort_plan **plan)
{
    segsort_limits limits = context->limits;
    uint32_t size = limits.subgroup_size;
    segsort_subgroup_api api = limits.subgroup_api;
    gl_segsort_result result = segsort_plan_begin(context, desc, layouts, &limits, plan);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_self_test_plan(context, &(*plan)->plan, &limits);
    bool same = limits.subgroup_size == size && limits.subgroup_api == api;
    if (result != GL_SEGSORT_SUCCESS || same)
        return result;
    segsort_plan_free(*plan);
    return segsort_plan_begin(context, desc, layouts, &limits, plan);
}

static gl_segsort_result segsort_plan_make(gl_segsort_context *context,
                                           const gl_segsort_plan_desc *desc,
                                           const segsort_layout *layouts, gl_segsort_plan **plan)
{
    gl_segsort_plan *made = NULL;
    gl_segsort_result result = segsort_plan_begin_tested(context, desc, layouts, &made);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_finish(made);
    if (result != GL_SEGSORT_SUCCESS) {
        segsort_plan_free(made);
        return result;
    }
    segsort_self_test_tell(context, &made->plan);
    segsort_plan_link(made);
    *plan = made;
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result gl_segsort_plan_create(gl_segsort_context *context,
                                         const gl_segsort_plan_desc *desc, gl_segsort_plan **plan)
{
    if (plan)
        *plan = NULL;
    if (!context)
        return GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    if (!desc || !plan)
        return segsort_context_report(
            context, segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                                  "gl_segsort_plan_create: %s is NULL", desc ? "plan" : "desc"));
    segsort_layout *layouts;
    gl_segsort_result result = segsort_plan_lay_out(context, desc, &layouts);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_make(context, desc, layouts, plan);
    segsort_context_release(context, layouts);
    return segsort_context_report(context, result);
}

gl_segsort_result gl_segsort_plan_scratch_size(gl_segsort_context *context,
                                               const gl_segsort_plan_desc *desc, uint64_t *bytes)
{
    if (bytes)
        *bytes = 0;
    if (!context)
        return GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    if (!desc || !bytes)
        return segsort_context_report(
            context,
            segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                         "gl_segsort_plan_scratch_size: %s is NULL", desc ? "bytes" : "desc"));
    gl_segsort_plan_desc own = *desc;
    own.scratch = (gl_segsort_view){0};
    segsort_layout *layouts;
    gl_segsort_result result = segsort_plan_lay_out(context, &own, &layouts);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_measure(&own, layouts, &context->limits, &context->allocator, bytes,
                                      &context->error);
    segsort_context_release(context, layouts);
    return segsort_context_report(context, result);
}

void gl_segsort_plan_destroy(gl_segsort_plan *plan)
{
    if (!plan)
        return;
    gl_segsort_context *context = plan->context;
    if (segsort_context_check_reset(context) == GL_SEGSORT_SUCCESS)
        segsort_plan_objects_release(plan);
    else if (!context->lost)
        segsort_context_report(context, context->error.result);
    segsort_plan_unlink(plan);
    segsort_plan_free(plan);
    segsort_context_release_unused(context);
}

gl_segsort_result gl_segsort_plan_describe(const gl_segsort_plan *plan,
                                           gl_segsort_plan_description *description)
{
    if (!plan || !description)
        return GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    const segsort_plan *built = &plan->plan;
    uint32_t passes = segsort_plan_pass_total(built);
    *description = (gl_segsort_plan_description){
        .passes = plan->descriptions,
        .pass_count = built->pass_count,
        .local_rows_max = built->local_rows_max,
        .table_bytes = built->table_words * 4 + (uint64_t)plan->params_stride * passes,
        .scratch_bytes = built->scratch_bytes,
        .gather_pass_count = built->gather_pass_count,
        .set_count = built->set_count,
        .morton_pass_count = built->morton_pass_count,
        .step_count = built->step_count};
    if (plan->descriptions) {
        description->gather_passes = plan->descriptions + built->pass_count;
        description->morton_passes = description->gather_passes + built->gather_pass_count;
    }
    for (uint32_t i = 0; i < built->set_count; i++) {
        description->segment_count += built->sets[i].layout.segment_count;
        description->empty_count += built->sets[i].layout.empty_count;
        description->row_count += built->sets[i].layout.row_count;
    }
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_read_timer(gl_segsort_plan *plan)
{
    segsort_timer_read(&plan->timer, &plan->context->gl);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result gl_segsort_plan_timings(gl_segsort_plan *plan, gl_segsort_timings *timings)
{
    if (!plan)
        return GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    gl_segsort_context *context = plan->context;
    if (!timings)
        return segsort_context_report(
            context, segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                                  "gl_segsort_plan_timings: timings is NULL"));
    gl_segsort_result result = segsort_context_check(context);
    if (!plan->timed)
        result = segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                              "the plan '%s' was created without gl_segsort_plan_desc.timed",
                              plan->label);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_objects_guarded(plan, "reading a plan's times", segsort_read_timer);
    if (result != GL_SEGSORT_SUCCESS)
        return segsort_context_report(context, result);
    *timings = (gl_segsort_timings){.pass_milliseconds = plan->timer.milliseconds,
                                    .pass_count = plan->timer.pass_count,
                                    .sort_number = plan->timer.read_number};
    return GL_SEGSORT_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts and gathers */

static gl_segsort_result segsort_check_call(gl_segsort_plan *plan, const char *function,
                                            const void *descs, uint32_t count)
{
    gl_segsort_context *context = plan->context;
    if (!descs)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "%s: the description is NULL", function);
    if (count != plan->plan.set_count)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "%s: the plan '%s' has %" PRIu32 " sets, but %" PRIu32
                            " descriptions are given",
                            function, plan->label, plan->plan.set_count, count);
    return segsort_context_check_call(context);
}

/* A single set was checked against itself; a batch and the host's scratch take a look at all. */
static gl_segsort_result segsort_check_spans(gl_segsort_plan *plan,
                                             const gl_segsort_sort_desc *sorts,
                                             const gl_segsort_gather_desc *gathers)
{
    const segsort_plan *built = &plan->plan;
    const gl_segsort_view *memory = &plan->own.scratch;
    bool scratch = sorts && built->scratch_bytes > 0 && plan->scratch_buffer == 0;
    uint32_t count = 0;
    if (built->set_count == 1 && !scratch)
        return GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < built->set_count; i++) {
        segsort_use uses[SEGSORT_USES_MAX];
        const segsort_layout *layout = &built->sets[i].layout;
        if (layout->row_count == 0)
            continue;
        if (sorts)
            segsort_desc_sort_uses(&sorts[i], layout, uses);
        else
            segsort_desc_gather_uses(&gathers[i], layout, uses);
        count = segsort_spans_add(plan->spans, count, uses, built->batch ? i : SEGSORT_NO_SET);
    }
    if (scratch)
        plan->spans[count++] = (segsort_span){.buffer = memory->buffer,
                                              .first = memory->byte_offset,
                                              .end = memory->byte_offset + built->scratch_bytes,
                                              .name = "the scratch",
                                              .set = SEGSORT_NO_SET,
                                              .output = true};
    return segsort_spans_check(plan->spans, plan->span_numbers, count, &plan->context->error);
}

static gl_segsort_result segsort_check_sort(gl_segsort_plan *plan,
                                            const gl_segsort_sort_desc *descs)
{
    gl_segsort_context *context = plan->context;
    for (uint32_t i = 0; i < plan->plan.set_count; i++) {
        gl_segsort_result result = segsort_desc_check_sort(&descs[i], &plan->plan.sets[i].layout,
                                                           &context->limits, &context->error);
        if (result != GL_SEGSORT_SUCCESS && plan->plan.batch)
            segsort_fail_in_set(&context->error, i);
        if (result != GL_SEGSORT_SUCCESS)
            return result;
    }
    return segsort_check_spans(plan, descs, NULL);
}

static gl_segsort_result segsort_sort(gl_segsort_plan *plan, const char *function,
                                      const gl_segsort_sort_desc *descs, uint32_t count)
{
    gl_segsort_result result = segsort_check_call(plan, function, descs, count);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_sort(plan, descs);
    if (result == GL_SEGSORT_SUCCESS && plan->plan.pass_count > 0)
        result = segsort_dispatch_sort(plan, descs);
    return segsort_context_report(plan->context, result);
}

gl_segsort_result gl_segsort_sort(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc)
{
    return plan ? segsort_sort(plan, "gl_segsort_sort", desc, 1)
                : GL_SEGSORT_ERROR_INVALID_ARGUMENT;
}

gl_segsort_result gl_segsort_sort_batch(gl_segsort_plan *plan, const gl_segsort_sort_desc *descs,
                                        uint32_t count)
{
    return plan ? segsort_sort(plan, "gl_segsort_sort_batch", descs, count)
                : GL_SEGSORT_ERROR_INVALID_ARGUMENT;
}

static gl_segsort_result segsort_check_gather(gl_segsort_plan *plan,
                                              const gl_segsort_gather_desc *descs)
{
    gl_segsort_context *context = plan->context;
    if (plan->plan.value_type != GL_SEGSORT_VALUE_U32 &&
        plan->plan.value_type != GL_SEGSORT_VALUE_INDEX)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "the plan '%s' has no 32-bit values, which could be indices",
                            plan->label);
    for (uint32_t i = 0; i < plan->plan.set_count; i++) {
        gl_segsort_result result = segsort_desc_check_gather(&descs[i], &plan->plan.sets[i].layout,
                                                             &context->limits, &context->error);
        if (result != GL_SEGSORT_SUCCESS && plan->plan.batch)
            segsort_fail_in_set(&context->error, i);
        if (result != GL_SEGSORT_SUCCESS)
            return result;
    }
    return segsort_check_spans(plan, NULL, descs);
}

static gl_segsort_result segsort_gather(gl_segsort_plan *plan, const char *function,
                                        const gl_segsort_gather_desc *descs, uint32_t count)
{
    gl_segsort_result result = segsort_check_call(plan, function, descs, count);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_gather(plan, descs);
    if (result == GL_SEGSORT_SUCCESS && plan->plan.gather_pass_count > 0)
        result = segsort_dispatch_gather(plan, descs);
    return segsort_context_report(plan->context, result);
}

gl_segsort_result gl_segsort_gather(gl_segsort_plan *plan, const gl_segsort_gather_desc *desc)
{
    return plan ? segsort_gather(plan, "gl_segsort_gather", desc, 1)
                : GL_SEGSORT_ERROR_INVALID_ARGUMENT;
}

gl_segsort_result gl_segsort_gather_batch(gl_segsort_plan *plan,
                                          const gl_segsort_gather_desc *descs, uint32_t count)
{
    return plan ? segsort_gather(plan, "gl_segsort_gather_batch", descs, count)
                : GL_SEGSORT_ERROR_INVALID_ARGUMENT;
}
