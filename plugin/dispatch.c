#include "dispatch.h"

#include "gl_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A sort or a gather: one of the two lists of descriptions is there. Morton codes have one, and the
 * sort that they are for. */
typedef struct segsort_call {
    gl_segsort_plan *plan;
    const char *doing; /* "recording the sort" */
    const gl_segsort_sort_desc *sorts;
    const gl_segsort_gather_desc *gathers;
    const gl_segsort_morton_keys_desc *morton;
    bool writes_own; /* memory of the plan's, which no host can know */
    bool uses_scratch;
    segsort_timer *timer; /* NULL: the call is never timed */
    const segsort_pass *passes;
    uint32_t pass_count;
    uint32_t first_pass; /* among the plan's programs and parameters */
} segsort_call;

static segsort_call segsort_sort_call(gl_segsort_plan *plan, const gl_segsort_sort_desc *descs)
{
    return (segsort_call){.plan = plan,
                          .doing = "recording the sort",
                          .sorts = descs,
                          .writes_own = plan->plan.scratch_bytes > 0,
                          .uses_scratch = plan->plan.scratch_bytes > 0,
                          .timer = &plan->timer,
                          .passes = plan->plan.passes,
                          .pass_count = plan->plan.pass_count};
}

static segsort_call segsort_gather_call(gl_segsort_plan *plan, const gl_segsort_gather_desc *descs)
{
    return (segsort_call){.plan = plan,
                          .doing = "recording the gather",
                          .gathers = descs,
                          .passes = plan->plan.gather_passes,
                          .pass_count = plan->plan.gather_pass_count,
                          .first_pass = plan->plan.pass_count};
}

static segsort_call segsort_morton_call(gl_segsort_plan *plan, const gl_segsort_sort_desc *sort,
                                        const gl_segsort_morton_keys_desc *desc)
{
    return (segsort_call){.plan = plan,
                          .doing = "recording Morton codes",
                          .sorts = sort,
                          .morton = desc,
                          .writes_own = plan->plan.has_boxes,
                          .passes = plan->plan.morton_passes,
                          .pass_count = plan->plan.morton_pass_count,
                          .first_pass = plan->plan.pass_count + plan->plan.gather_pass_count};
}

/* ---------------------------------------------------------------------------------------------- */
/* Before the first pass */

static gl_segsort_result segsort_find_set_sections(gl_segsort_plan *plan, const segsort_call *call,
                                                   uint32_t number)
{
    gl_segsort_context *context = plan->context;
    const segsort_set *set = &plan->plan.sets[number];
    segsort_sections *sections = &plan->sections[number];
    if (call->morton)
        return segsort_bind_find_morton(context, call->sorts, call->morton, set, &plan->own,
                                        sections);
    if (call->sorts)
        return segsort_bind_find_sort(context, &call->sorts[number], set, &plan->own, sections);
    return segsort_bind_find_gather(context, &call->gathers[number], set, sections);
}

/* In LEAVE_DIRTY mode GL isn't asked for anything. */
static gl_segsort_result segsort_find_sections(gl_segsort_plan *plan, const segsort_call *call)
{
    gl_segsort_context *context = plan->context;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < plan->plan.set_count && result == GL_SEGSORT_SUCCESS; i++) {
        if (plan->plan.sets[i].layout.row_count == 0)
            continue;
        result = segsort_find_set_sections(plan, call, i);
        if (result != GL_SEGSORT_SUCCESS && plan->plan.batch)
            segsort_fail_in_set(&context->error, i);
    }
    if (result == GL_SEGSORT_SUCCESS && call->uses_scratch && plan->scratch_buffer == 0)
        result = segsort_bind_check_scratch(context, &plan->own.scratch, plan->plan.scratch_bytes);
    return result;
}

static bool segsort_is_listed_plan(const gl_segsort_plan *plan)
{
    return plan->plan.listed;
}

/* The table, and in RESTORE mode each set's views, so that GL can refuse one of them before
 * anything is dispatched. */
static gl_segsort_result segsort_bind_first(gl_segsort_plan *plan, segsort_bound *bound)
{
    const segsort_gl *gl = &plan->context->gl;
    gl->BindBufferBase(SEGSORT_GL_SHADER_STORAGE_BUFFER, SEGSORT_BINDING_TABLE, plan->table_buffer);
    if (segsort_is_listed_plan(plan))
        gl->BindBuffer(SEGSORT_GL_DISPATCH_INDIRECT_BUFFER, plan->commands_buffer);
    if (plan->context->state_policy != GL_SEGSORT_STATE_RESTORE)
        return GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < plan->plan.set_count; i++)
        if (plan->plan.sets[i].layout.row_count > 0)
            segsort_bind_places(gl, &plan->sections[i], SEGSORT_PLACE_INPUT, SEGSORT_PLACE_OUTPUT,
                                bound);
    return segsort_gl_errors_check(gl, "binding the buffers of a call", &plan->context->error);
}

typedef struct segsort_call_barriers {
    uint32_t before, after;
} segsort_call_barriers;

/* As a set's description has them. */
static segsort_call_barriers segsort_set_barriers(const segsort_call *call, uint32_t set)
{
    if (call->morton)
        return (segsort_call_barriers){call->morton->barriers_before, call->morton->barriers_after};
    if (call->sorts)
        return (segsort_call_barriers){call->sorts[set].barriers_before,
                                       call->sorts[set].barriers_after};
    return (segsort_call_barriers){call->gathers[set].barriers_before,
                                   call->gathers[set].barriers_after};
}

/* What the sets ask for together. */
static segsort_call_barriers segsort_find_barriers(const gl_segsort_plan *plan,
                                                   const segsort_call *call)
{
    segsort_call_barriers barriers = {0};
    for (uint32_t i = 0; i < plan->plan.set_count; i++) {
        if (plan->plan.sets[i].layout.row_count == 0)
            continue;
        segsort_call_barriers set = segsort_set_barriers(call, i);
        barriers.before |= segsort_desc_barriers_before(set.before);
        barriers.after |= segsort_desc_barriers_after(set.after, &plan->context->limits);
    }
    if (call->writes_own)
        barriers.before |= GL_SEGSORT_BARRIER_STORAGE;
    /* A listed plan's table, parameters and commands are written, which the call before may read
     * yet. */
    if (segsort_is_listed_plan(plan))
        barriers.before |= GL_SEGSORT_BARRIER_STORAGE | GL_SEGSORT_BARRIER_UNIFORM_BUFFER |
                           GL_SEGSORT_BARRIER_INDIRECT_COMMAND;
    return barriers;
}

/* ---------------------------------------------------------------------------------------------- */
/* Passes */

static bool segsort_pass_is_due(const gl_segsort_plan *plan, const segsort_pass *pass)
{
    return pass->condition == GL_SEGSORT_PASS_ALWAYS ||
           (pass->condition == GL_SEGSORT_PASS_IN_PLACE) == plan->sections[pass->set].in_place;
}

/* What the due passes of a level need between them and the levels before: the level that the pass
 * starts. */
static uint32_t segsort_level_barriers(const gl_segsort_plan *plan, const segsort_call *call,
                                       uint32_t first)
{
    uint32_t barriers = 0, level = call->passes[first].level;
    for (uint32_t i = first; i < call->pass_count && call->passes[i].level == level; i++)
        if (segsort_pass_is_due(plan, &call->passes[i]))
            barriers |= call->passes[i].barriers;
    return barriers;
}

/* The uniforms belong to the program, which plans share; they seldom change. */
static void segsort_set_words(const segsort_gl *gl, segsort_program *program,
                              const segsort_sections *sections)
{
    bool list = segsort_kernel_reads_list(program->variant.kernel);
    bool view = segsort_kernel_reads_views(program->variant.kernel);
    if (view && (!program->words_known ||
                 memcmp(program->view_word, sections->view_word, sizeof program->view_word) != 0))
        gl->ProgramUniform4uiv(program->program, SEGSORT_LOCATION_VIEW_WORD, SEGSORT_VIEW_WORDS / 4,
                               sections->view_word);
    if (list && (!program->words_known ||
                 memcmp(program->list_word, sections->list_word, sizeof program->list_word) != 0))
        gl->ProgramUniform4uiv(program->program, SEGSORT_LOCATION_LIST_WORD, SEGSORT_LIST_WORDS / 4,
                               sections->list_word);
    program->words_known = true;
    memcpy(program->view_word, sections->view_word, sizeof program->view_word);
    memcpy(program->list_word, sections->list_word, sizeof program->list_word);
}

static void segsort_record_pass(gl_segsort_plan *plan, const segsort_call *call, uint32_t number,
                                uint32_t barriers)
{
    const segsort_gl *gl = &plan->context->gl;
    const segsort_pass *pass = &call->passes[number];
    uint32_t place = call->first_pass + number;
    if (barriers)
        gl->MemoryBarrier(barriers);
    segsort_set_words(gl, plan->programs[place], &plan->sections[pass->set]);
    gl->BindBufferRange(SEGSORT_GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, plan->params_buffer,
                        (ptrdiff_t)place * (ptrdiff_t)plan->params_stride, SEGSORT_PARAMS_BYTES);
    if (pass->indirect)
        gl->DispatchComputeIndirect((ptrdiff_t)place * SEGSORT_COMMAND_WORDS * SEGSORT_WORD_BYTES);
    else
        gl->DispatchCompute(pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]);
}

static void segsort_record_passes(gl_segsort_plan *plan, const segsort_call *call,
                                  segsort_bound *bound, bool groups)
{
    const segsort_gl *gl = &plan->context->gl;
    segsort_timer *timer = call->timer;
    uint32_t program = 0, barriers = 0;
    if (timer)
        segsort_timer_begin(timer, gl);
    for (uint32_t i = 0; i < call->pass_count; i++) {
        const segsort_pass *pass = &call->passes[i];
        uint32_t pass_program = plan->programs[call->first_pass + i]->program;
        if (i == 0 || pass->level != call->passes[i - 1].level)
            barriers = segsort_level_barriers(plan, call, i);
        if (!segsort_pass_is_due(plan, pass))
            continue;
        if (groups)
            gl->PushDebugGroup(SEGSORT_GL_THIRD_PARTY, i, -1, pass->label);
        if (pass_program != program)
            gl->UseProgram(pass_program);
        program = pass_program;
        segsort_bind_places(gl, &plan->sections[pass->set], pass->params.source,
                            pass->params.destination, bound);
        segsort_record_pass(plan, call, i, barriers);
        barriers = 0;
        if (timer)
            segsort_timer_pass(timer, gl, i);
        if (groups)
            gl->PopDebugGroup();
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Calls */

static gl_segsort_result segsort_record_call(void *user, bool groups)
{
    const segsort_call *call = user;
    gl_segsort_plan *plan = call->plan;
    const segsort_gl *gl = &plan->context->gl;
    segsort_bound bound = {0};
    gl_segsort_result result = segsort_find_sections(plan, call);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_bind_first(plan, &bound);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    segsort_call_barriers barriers = segsort_find_barriers(plan, call);
    if (barriers.before)
        gl->MemoryBarrier(barriers.before);
    segsort_record_passes(plan, call, &bound, groups);
    if (barriers.after)
        gl->MemoryBarrier(barriers.after);
    return GL_SEGSORT_SUCCESS;
}

/* A push that overflows would let the pop take a group of the host's. */
static bool segsort_debug_group_fits(const segsort_gl *gl)
{
    int32_t depth = 0, depth_max = 0;
    gl->GetIntegerv(SEGSORT_GL_DEBUG_GROUP_STACK_DEPTH, &depth);
    gl->GetIntegerv(SEGSORT_GL_MAX_DEBUG_GROUP_STACK_DEPTH, &depth_max);
    return depth < depth_max;
}

static gl_segsort_result segsort_record_restoring(gl_segsort_context *context,
                                                  const segsort_recording *recording)
{
    const segsort_gl *gl = &context->gl;
    uint32_t host_error;
    gl_segsort_result result = segsort_gl_errors_begin(gl, &host_error, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    segsort_gl_state state;
    segsort_gl_state_save(gl, recording->listed, &state);
    bool groups = segsort_debug_group_fits(gl);
    result = segsort_gl_errors_check(gl, "reading the host's state", &context->error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_gl_state_check(&state, &context->error);
    if (result == GL_SEGSORT_SUCCESS) {
        result = recording->record(recording->user, groups);
        segsort_gl_state_restore(gl, &state);
    }
    return segsort_gl_errors_end(gl, host_error, result, recording->doing, &context->error);
}

gl_segsort_result segsort_dispatch_record(gl_segsort_context *context,
                                          const segsort_recording *recording)
{
    if (context->state_policy == GL_SEGSORT_STATE_RESTORE)
        return segsort_record_restoring(context, recording);
    gl_segsort_result result = recording->record(recording->user, true);
    context->gl.UseProgram(0);
    return result;
}

static gl_segsort_result segsort_dispatch_call(segsort_call *call)
{
    gl_segsort_plan *plan = call->plan;
    char doing[SEGSORT_LABEL_BYTES + 32];
    snprintf(doing, sizeof doing, "%s '%s'", call->doing, plan->label);
    const segsort_recording recording = {.doing = doing,
                                         .listed = segsort_is_listed_plan(plan),
                                         .record = segsort_record_call,
                                         .user = call};
    gl_segsort_result result = segsort_dispatch_record(plan->context, &recording);
    /* Whether the programs have their uniform, nobody knows then. */
    for (uint32_t i = 0; result != GL_SEGSORT_SUCCESS && i < call->pass_count; i++)
        plan->programs[call->first_pass + i]->words_known = false;
    return result;
}

gl_segsort_result segsort_dispatch_sort(gl_segsort_plan *plan, const gl_segsort_sort_desc *descs)
{
    segsort_call call = segsort_sort_call(plan, descs);
    gl_segsort_result result = segsort_dispatch_call(&call);
    segsort_timer_end(&plan->timer, result == GL_SEGSORT_SUCCESS);
    return result;
}

gl_segsort_result segsort_dispatch_gather(gl_segsort_plan *plan,
                                          const gl_segsort_gather_desc *descs)
{
    segsort_call call = segsort_gather_call(plan, descs);
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    if (!plan->programs[call.first_pass])
        result = segsort_plan_objects_guarded(plan, "making the program of a gather",
                                              segsort_plan_objects_create_gather);
    return result == GL_SEGSORT_SUCCESS ? segsort_dispatch_call(&call) : result;
}

gl_segsort_result segsort_dispatch_morton(gl_segsort_plan *plan, const gl_segsort_sort_desc *sort,
                                          const gl_segsort_morton_keys_desc *desc)
{
    segsort_call call = segsort_morton_call(plan, sort, desc);
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    /* They are made in order, so the last one tells of all. */
    if (!plan->programs[call.first_pass + call.pass_count - 1])
        result = segsort_plan_objects_guarded(plan, "making the programs of Morton codes",
                                              segsort_plan_objects_create_morton);
    return result == GL_SEGSORT_SUCCESS ? segsort_dispatch_call(&call) : result;
}
