/* The public functions: each checks, then calls the layers below in order. */
#include "dispatch.h"

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
            segsort_dispatch_release(plan);
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

static void segsort_plan_free(gl_segsort_plan *plan)
{
    gl_segsort_context *context = plan->context;
    segsort_plan_release(&plan->plan, &context->allocator);
    segsort_context_release(context, plan->descriptions);
    segsort_context_release(context, plan->programs);
    segsort_context_release(context, plan);
}

static void segsort_describe_pass(const segsort_pass *pass,
                                  gl_segsort_pass_description *description)
{
    *description = (gl_segsort_pass_description){
        .label = pass->label,
        .kernel = segsort_kernel_get(pass->variant.kernel)->name,
        .width = pass->variant.width,
        .stage = pass->stage,
        .stride = pass->stride,
        .segment_count = pass->segment_count,
        .row_count = pass->row_count,
        .work_groups = {pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]},
        .barriers = pass->barriers,
        .begin_bit = pass->begin_bit,
        .bit_count = pass->bit_count,
        .condition = pass->condition};
}

/* The arrays that go with the passes. */
static gl_segsort_result segsort_plan_allocate(gl_segsort_plan *plan)
{
    gl_segsort_context *context = plan->context;
    size_t count = plan->plan.pass_count;
    plan->descriptions = segsort_context_allocate(context, count * sizeof *plan->descriptions);
    plan->programs = segsort_context_allocate(context, count * sizeof *plan->programs);
    if (!plan->descriptions || !plan->programs)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for %zu passes", count);
    for (size_t i = 0; i < count; i++)
        segsort_describe_pass(&plan->plan.passes[i], &plan->descriptions[i]);
    return GL_SEGSORT_SUCCESS;
}

/* A plan without rows has no passes and needs nothing of GL. */
static gl_segsort_result segsort_plan_fill(gl_segsort_plan *plan, const gl_segsort_plan_desc *desc,
                                           const segsort_layout *layout)
{
    gl_segsort_context *context = plan->context;
    gl_segsort_result result = segsort_plan_build(
        desc, layout, &context->limits, &context->allocator, &plan->plan, &context->error);
    if (result != GL_SEGSORT_SUCCESS || plan->plan.pass_count == 0)
        return result;
    result = segsort_plan_allocate(plan);
    if (result == GL_SEGSORT_SUCCESS)
        result =
            segsort_dispatch_guarded(plan, "making a plan's objects", segsort_dispatch_prepare);
    segsort_plan_release_table(&plan->plan, &context->allocator);
    return result;
}

static gl_segsort_result segsort_plan_make(gl_segsort_context *context,
                                           const gl_segsort_plan_desc *desc, gl_segsort_plan **plan)
{
    segsort_layout layout;
    gl_segsort_result result = segsort_context_check_reset(context);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_plan(desc, &context->limits, &context->allocator, &layout,
                                         &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl_segsort_plan *made = segsort_context_allocate(context, sizeof *made);
    if (!made)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for a plan");
    *made = (gl_segsort_plan){.context = context};
    snprintf(made->label, sizeof made->label, "%s", desc->label ? desc->label : "segsort");
    result = segsort_plan_fill(made, desc, &layout);
    if (result != GL_SEGSORT_SUCCESS) {
        segsort_dispatch_release(made);
        segsort_plan_free(made);
        return result;
    }
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
    return segsort_context_report(context, segsort_plan_make(context, desc, plan));
}

void gl_segsort_plan_destroy(gl_segsort_plan *plan)
{
    if (!plan)
        return;
    gl_segsort_context *context = plan->context;
    if (segsort_context_check_reset(context) == GL_SEGSORT_SUCCESS)
        segsort_dispatch_release(plan);
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
    *description = (gl_segsort_plan_description){
        .passes = plan->descriptions,
        .pass_count = built->pass_count,
        .segment_count = built->layout.segment_count,
        .empty_count = built->layout.empty_count,
        .local_rows_max = built->local_rows_max,
        .row_count = built->layout.row_count,
        .table_bytes = built->table_words * 4 + (uint64_t)plan->params_stride * built->pass_count,
        .scratch_bytes = segsort_scratch_bytes(&built->scratch)};
    return GL_SEGSORT_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts */

static gl_segsort_result segsort_sort(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc)
{
    gl_segsort_context *context = plan->context;
    gl_segsort_result result = context->state_policy == GL_SEGSORT_STATE_RESTORE
                                   ? segsort_context_check_reset(context)
                                   : segsort_context_check(context);
    if (result == GL_SEGSORT_SUCCESS)
        result =
            segsort_desc_check_sort(desc, &plan->plan.layout, &context->limits, &context->error);
    if (result != GL_SEGSORT_SUCCESS || plan->plan.layout.row_count == 0)
        return result;
    return segsort_dispatch_sort(plan, desc);
}

gl_segsort_result gl_segsort_sort(gl_segsort_plan *plan, const gl_segsort_sort_desc *desc)
{
    if (!plan)
        return GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    if (!desc)
        return segsort_context_report(plan->context, segsort_fail(&plan->context->error,
                                                                  GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                                                                  "gl_segsort_sort: desc is NULL"));
    return segsort_context_report(plan->context, segsort_sort(plan, desc));
}
