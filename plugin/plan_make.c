#include "plan_make.h"

#include <inttypes.h>
#include <stdio.h>

void segsort_plan_free(gl_segsort_plan *plan)
{
    if (!plan)
        return;
    gl_segsort_context *context = plan->context;
    segsort_plan_release(&plan->plan, &context->allocator);
    segsort_context_release(context, plan->descriptions);
    segsort_context_release(context, plan->programs);
    segsort_context_release(context, plan->sections);
    segsort_context_release(context, plan->spans);
    segsort_context_release(context, plan->span_numbers);
    segsort_context_release(context, plan->timer_memory);
    segsort_context_release(context, plan);
}

static void segsort_describe_pass(const segsort_pass *pass,
                                  gl_segsort_pass_description *description)
{
    *description = (gl_segsort_pass_description){
        .label = pass->label,
        .kernel = segsort_kernel_get(pass->variant.kernel)->name,
        .width = pass->width,
        .stage = pass->stage,
        .stride = pass->stride,
        .segment_count = pass->segment_count,
        .row_count = pass->row_count,
        .work_groups = {pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]},
        .barriers = pass->barriers,
        .begin_bit = pass->begin_bit,
        .bit_count = pass->bit_count,
        .condition = pass->condition,
        .set = pass->set,
        .level = pass->level,
        .subgroup_size = pass->variant.subgroup_size};
}

/* Memory that calls use again and again. */
static gl_segsort_result segsort_plan_allocate(gl_segsort_plan *plan)
{
    gl_segsort_context *context = plan->context;
    const segsort_plan *built = &plan->plan;
    uint32_t passes = segsort_plan_pass_total(built);
    size_t spans = (size_t)built->set_count * SEGSORT_USES_MAX + 1; /* the scratch has one */
    plan->descriptions = segsort_context_allocate(context, passes * sizeof *plan->descriptions);
    plan->programs = segsort_context_allocate(context, passes * sizeof *plan->programs);
    plan->sections = segsort_context_allocate(context, built->set_count * sizeof *plan->sections);
    plan->spans = segsort_context_allocate(context, spans * sizeof *plan->spans);
    plan->span_numbers = segsort_context_allocate(context, spans * sizeof *plan->span_numbers);
    if (plan->timed)
        plan->timer_memory =
            segsort_context_allocate(context, segsort_timer_bytes(built->pass_count));
    if (!plan->descriptions || !plan->programs || !plan->sections || !plan->spans ||
        !plan->span_numbers || (plan->timed && !plan->timer_memory))
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for %" PRIu32 " passes and %" PRIu32 " sets", passes,
                            built->set_count);
    for (uint32_t i = 0; i < passes; i++) {
        segsort_describe_pass(segsort_plan_pass(built, i), &plan->descriptions[i]);
        plan->programs[i] = NULL;
    }
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_plan_begin(gl_segsort_context *context, const gl_segsort_plan_desc *desc,
                                     const segsort_layout *layouts, const segsort_limits *limits,
                                     gl_segsort_plan **plan)
{
    gl_segsort_plan *made = *plan = segsort_context_allocate(context, sizeof *made);
    if (!made)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for a plan");
    *made =
        (gl_segsort_plan){.context = context, .own.scratch = desc->scratch, .timed = desc->timed};
    snprintf(made->label, sizeof made->label, "%s", desc->label ? desc->label : "segsort");
    gl_segsort_result result = segsort_plan_build(desc, layouts, limits, &context->allocator,
                                                  &made->plan, &context->error);
    if (result == GL_SEGSORT_SUCCESS)
        result =
            segsort_desc_check_scratch(&desc->scratch, made->plan.scratch_bytes, &context->error);
    return result;
}

/* A plan without rows has no passes and needs nothing of GL. */
gl_segsort_result segsort_plan_finish(gl_segsort_plan *plan)
{
    gl_segsort_context *context = plan->context;
    if (plan->plan.pass_count == 0)
        return GL_SEGSORT_SUCCESS;
    gl_segsort_result result = segsort_plan_allocate(plan);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_objects_guarded(plan, "making a plan's objects",
                                              segsort_plan_objects_create);
    segsort_plan_release_table(&plan->plan, &context->allocator);
    if (result != GL_SEGSORT_SUCCESS)
        segsort_plan_objects_release(plan);
    return result;
}
