/* The public functions of gl_segsort_keys.h: each checks, then calls the layers below in order. */
#include "dispatch.h"

static gl_segsort_result segsort_depth_keys(gl_segsort_context *context,
                                            const gl_segsort_depth_keys_desc *desc)
{
    if (!desc)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_depth_keys: the description is NULL");
    gl_segsort_result result = segsort_context_check_call(context);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_depth(desc, &context->limits, &context->error);
    if (result == GL_SEGSORT_SUCCESS && desc->keys.rows > 0)
        result = segsort_dispatch_depth(context, desc);
    return result;
}

gl_segsort_result gl_segsort_depth_keys(gl_segsort_context *context,
                                        const gl_segsort_depth_keys_desc *desc)
{
    return context ? segsort_context_report(context, segsort_depth_keys(context, desc))
                   : GL_SEGSORT_ERROR_INVALID_ARGUMENT;
}

static gl_segsort_result segsort_check_codes_plan(gl_segsort_plan *plan)
{
    gl_segsort_key_type type = plan->plan.key_type;
    if (plan->plan.batch)
        return segsort_fail(&plan->context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_morton_keys: the plan '%s' is for a batch", plan->label);
    if (type != GL_SEGSORT_KEY_U32 && type != GL_SEGSORT_KEY_U64)
        return segsort_fail(&plan->context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_morton_keys: the plan '%s' has neither KEY_U32 nor KEY_U64",
                            plan->label);
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_morton_keys(gl_segsort_plan *plan,
                                             const gl_segsort_sort_desc *sort,
                                             const gl_segsort_morton_keys_desc *desc)
{
    gl_segsort_context *context = plan->context;
    if (!sort || !desc)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                            "gl_segsort_morton_keys: the description%s is NULL",
                            sort ? "" : " of the sort");
    gl_segsort_result result = segsort_check_codes_plan(plan);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_context_check_call(context);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_morton(sort, desc, &plan->plan.sets[0].layout, &context->limits,
                                           &context->error);
    if (result == GL_SEGSORT_SUCCESS && plan->plan.morton_pass_count > 0)
        result = segsort_dispatch_morton(plan, sort, desc);
    return result;
}

gl_segsort_result gl_segsort_morton_keys(gl_segsort_plan *plan, const gl_segsort_sort_desc *sort,
                                         const gl_segsort_morton_keys_desc *desc)
{
    return plan ? segsort_context_report(plan->context, segsort_morton_keys(plan, sort, desc))
                : GL_SEGSORT_ERROR_INVALID_ARGUMENT;
}
