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
