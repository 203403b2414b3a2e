#include "plan_objects.h"

#include "gl_buffer.h"
#include "gl_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static gl_segsort_result segsort_create_buffer(gl_segsort_plan *plan, uint64_t bytes,
                                               const void *data, const char *what, uint32_t *buffer)
{
    char label[SEGSORT_PASS_LABEL_BYTES];
    snprintf(label, sizeof label, "%s-%s", plan->label, what);
    uint32_t usage = data ? SEGSORT_GL_STATIC_DRAW : SEGSORT_GL_DYNAMIC_COPY;
    return segsort_gl_buffer_create(&plan->context->gl, bytes, data, usage, label, buffer,
                                    &plan->context->error);
}

/* The parameters of all passes, each at an offset that glBindBufferRange takes. */
static gl_segsort_result segsort_create_params(gl_segsort_plan *plan)
{
    gl_segsort_context *context = plan->context;
    const segsort_plan *built = &plan->plan;
    uint32_t alignment = context->limits.uniform_alignment;
    uint32_t size = (uint32_t)sizeof(struct segsort_pass_params);
    uint32_t count = segsort_plan_pass_total(built);
    plan->params_stride =
        (uint32_t)((SEGSORT_PARAMS_BYTES + alignment - 1) / alignment * alignment);
    size_t bytes = (size_t)plan->params_stride * count;
    unsigned char *params = segsort_context_allocate(context, bytes);
    if (!params)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for the parameters of %" PRIu32 " passes", count);
    memset(params, 0, bytes);
    for (uint32_t i = 0; i < count; i++)
        memcpy(params + (size_t)i * plan->params_stride, &segsort_plan_pass(built, i)->params,
               size);
    gl_segsort_result result =
        segsort_create_buffer(plan, bytes, params, "parameters", &plan->params_buffer);
    segsort_context_release(context, params);
    return result;
}

/* A listed plan's table is large, and only its recipes are known. */
static gl_segsort_result segsort_create_table(gl_segsort_plan *plan)
{
    const segsort_plan *built = &plan->plan;
    uint64_t bytes = built->table_words * SEGSORT_WORD_BYTES;
    if (!built->listed)
        return segsort_create_buffer(plan, bytes, built->table, "table", &plan->table_buffer);
    gl_segsort_result result =
        segsort_create_buffer(plan, bytes, NULL, "table", &plan->table_buffer);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_gl_buffer_write(
            &plan->context->gl, plan->table_buffer, built->recipe_word * SEGSORT_WORD_BYTES,
            (uint64_t)built->recipe_count * SEGSORT_RECIPE_WORDS * SEGSORT_WORD_BYTES, built->table,
            &plan->context->error);
    plan->own.table = (segsort_section){plan->table_buffer, {.byte_size = bytes}};
    return result;
}

/* No work groups until the GPU has counted them. */
static gl_segsort_result segsort_create_commands(gl_segsort_plan *plan)
{
    gl_segsort_context *context = plan->context;
    const segsort_plan *built = &plan->plan;
    uint32_t count = segsort_plan_pass_total(built);
    size_t bytes = (size_t)count * SEGSORT_COMMAND_WORDS * SEGSORT_WORD_BYTES;
    if (!built->listed)
        return GL_SEGSORT_SUCCESS;
    uint32_t *commands = segsort_context_allocate(context, bytes);
    if (!commands)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for the commands of %" PRIu32 " passes", count);
    memset(commands, 0, bytes);
    gl_segsort_result result =
        segsort_create_buffer(plan, bytes, commands, "commands", &plan->commands_buffer);
    segsort_context_release(context, commands);
    plan->own.params = (segsort_section){plan->params_buffer,
                                         {.byte_size = (uint64_t)plan->params_stride * count}};
    plan->own.commands = (segsort_section){plan->commands_buffer, {.byte_size = bytes}};
    plan->own.params_words = plan->params_stride / SEGSORT_WORD_BYTES;
    return result;
}

static gl_segsort_result segsort_create_scratch(gl_segsort_plan *plan)
{
    uint64_t bytes = plan->plan.scratch_bytes;
    if (bytes == 0 || plan->own.scratch.buffer != 0)
        return GL_SEGSORT_SUCCESS;
    gl_segsort_result result =
        segsort_create_buffer(plan, bytes, NULL, "scratch", &plan->scratch_buffer);
    plan->own.scratch =
        (gl_segsort_view){.buffer = plan->scratch_buffer, .rows = bytes / SEGSORT_WORD_BYTES};
    return result;
}

/* All of them are begun before any is waited for. */
static gl_segsort_result segsort_create_programs(gl_segsort_plan *plan, uint32_t first,
                                                 uint32_t count)
{
    gl_segsort_context *context = plan->context;
    segsort_program **programs = plan->programs + first;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < count && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_pipeline_begin(
            context, &segsort_plan_pass(&plan->plan, first + i)->variant, &programs[i]);
    for (uint32_t i = 0; i < count && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_pipeline_finish(context, programs[i]);
    if (result == GL_SEGSORT_SUCCESS)
        return GL_SEGSORT_SUCCESS;
    segsort_pipeline_drop(context);
    for (uint32_t i = 0; i < count; i++)
        programs[i] = NULL;
    return result;
}

gl_segsort_result segsort_plan_objects_create(gl_segsort_plan *plan)
{
    gl_segsort_result result = segsort_create_programs(plan, 0, plan->plan.pass_count);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_table(plan);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_params(plan);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_commands(plan);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_create_scratch(plan);
    if (result == GL_SEGSORT_SUCCESS && plan->timer_memory)
        result = segsort_timer_create(&plan->timer, &plan->context->gl, plan->plan.pass_count,
                                      plan->timer_memory, &plan->context->error);
    return result;
}

gl_segsort_result segsort_plan_objects_create_gather(gl_segsort_plan *plan)
{
    return segsort_create_programs(plan, plan->plan.pass_count, plan->plan.gather_pass_count);
}

gl_segsort_result segsort_plan_objects_create_morton(gl_segsort_plan *plan)
{
    return segsort_create_programs(plan, plan->plan.pass_count + plan->plan.gather_pass_count,
                                   plan->plan.morton_pass_count);
}

gl_segsort_result segsort_plan_objects_guarded(gl_segsort_plan *plan, const char *doing,
                                               gl_segsort_result (*work)(gl_segsort_plan *plan))
{
    gl_segsort_context *context = plan->context;
    uint32_t host_error;
    gl_segsort_result result = segsort_gl_errors_begin(&context->gl, &host_error, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    return segsort_gl_errors_end(&context->gl, host_error, work(plan), doing, &context->error);
}

void segsort_plan_objects_release(gl_segsort_plan *plan)
{
    const segsort_gl *gl = &plan->context->gl;
    if (!plan->context->lost) {
        segsort_gl_buffer_delete(gl, &plan->table_buffer);
        segsort_gl_buffer_delete(gl, &plan->params_buffer);
        segsort_gl_buffer_delete(gl, &plan->commands_buffer);
        segsort_gl_buffer_delete(gl, &plan->scratch_buffer);
        segsort_timer_destroy(&plan->timer, gl);
    }
    plan->table_buffer = plan->params_buffer = plan->commands_buffer = plan->scratch_buffer = 0;
}
