#include "dispatch.h"

#include "gl_state.h"

#include <stdio.h>

/* A call, and what it comes to. */
typedef struct segsort_depth_call {
    gl_segsort_context *context;
    const gl_segsort_depth_keys_desc *desc;
    const segsort_program *program;
    segsort_section positions, indices, keys, row_count;
    uint32_t view_word[SEGSORT_VIEW_WORDS];
    uint32_t planes[SEGSORT_DEPTH_PLANE_WORDS];
} segsort_depth_call;

static gl_segsort_result segsort_find_depth_views(segsort_depth_call *call)
{
    segsort_use uses[SEGSORT_USES_MAX];
    const struct {
        segsort_section *section;
        int use, word;
    } views[] = {
        {&call->positions, SEGSORT_MAKE_POSITIONS, SEGSORT_VIEW_WORD_POSITIONS},
        {&call->indices, SEGSORT_MAKE_INDICES, SEGSORT_VIEW_WORD_POSITION_INDICES},
        {&call->keys, SEGSORT_MAKE_KEYS, SEGSORT_VIEW_WORD_MADE_KEYS},
        {&call->row_count, SEGSORT_MAKE_ROW_COUNT, SEGSORT_VIEW_WORD_ROW_COUNT},
    };
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    segsort_desc_depth_uses(call->desc, uses);
    for (size_t i = 0; i < sizeof views / sizeof views[0] && result == GL_SEGSORT_SUCCESS; i++)
        result = segsort_bind_find_use(call->context, &uses[views[i].use], views[i].section,
                                       &call->view_word[views[i].word]);
    return result;
}

static void segsort_set_depth_words(segsort_depth_call *call)
{
    const gl_segsort_depth_keys_desc *desc = call->desc;
    uint32_t *words = call->view_word;
    words[SEGSORT_VIEW_WORD_POSITION_WORDS] = segsort_desc_position_words(desc->position_words);
    words[SEGSORT_VIEW_WORD_POSITION_ROWS] = segsort_bind_row_limit(&desc->positions);
    words[SEGSORT_VIEW_WORD_KEY_ROWS] = (uint32_t)desc->keys.rows;
    words[SEGSORT_VIEW_WORD_DEPTH_FLAGS] =
        (desc->measure == GL_SEGSORT_DEPTH_DISTANCE ? SEGSORT_DEPTH_DISTANCE : 0u) |
        (segsort_desc_has_view(&desc->indices) ? SEGSORT_DEPTH_INDEXED : 0u) |
        (segsort_desc_has_view(&desc->row_count) ? SEGSORT_DEPTH_COUNTED : 0u);
    segsort_desc_depth_planes(desc, call->planes);
}

/* GL wants a buffer behind every block, so the positions stand in for what the call leaves out. In
 * RESTORE mode GL can refuse one before anything is dispatched. */
static gl_segsort_result segsort_bind_depth(const segsort_depth_call *call)
{
    gl_segsort_context *context = call->context;
    const segsort_gl *gl = &context->gl;
    const segsort_section *indices = call->indices.buffer ? &call->indices : &call->positions;
    const segsort_section *count = call->row_count.buffer ? &call->row_count : &call->positions;
    segsort_bind_section(gl, SEGSORT_BINDING_KEYS, &call->positions);
    segsort_bind_section(gl, SEGSORT_BINDING_VALUES, indices);
    segsort_bind_section(gl, SEGSORT_BINDING_OUTPUT_KEYS, &call->keys);
    segsort_bind_section(gl, SEGSORT_BINDING_TABLE, count);
    if (context->state_policy != GL_SEGSORT_STATE_RESTORE)
        return GL_SEGSORT_SUCCESS;
    return segsort_gl_errors_check(gl, "binding the buffers of a call", &context->error);
}

/* One dispatch: where the limits allow too few work groups, they take more rows each. */
static void segsort_dispatch_rows(const segsort_depth_call *call)
{
    const uint32_t *limits = call->context->limits.work_groups;
    uint64_t groups = (call->desc->keys.rows - 1) / SEGSORT_DEPTH_ROWS + 1;
    uint64_t groups_max = (uint64_t)limits[0] * limits[1];
    uint32_t work_groups[3];
    if (groups_max < groups)
        groups_max *= limits[2];
    segsort_fold_groups(groups < groups_max ? groups : groups_max, limits, work_groups);
    call->context->gl.DispatchCompute(work_groups[0], work_groups[1], work_groups[2]);
}

static gl_segsort_result segsort_record_depth(void *user, bool groups)
{
    segsort_depth_call *call = user;
    gl_segsort_context *context = call->context;
    const segsort_gl *gl = &context->gl;
    char label[SEGSORT_PASS_LABEL_BYTES];
    gl_segsort_result result = segsort_find_depth_views(call);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_bind_depth(call);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    segsort_set_depth_words(call);
    uint32_t before = segsort_desc_barriers_before(call->desc->barriers_before);
    uint32_t after = segsort_desc_barriers_after(call->desc->barriers_after, &context->limits);
    snprintf(label, sizeof label, "%s-depth-keys", context->label);
    if (before)
        gl->MemoryBarrier(before);
    if (groups)
        gl->PushDebugGroup(SEGSORT_GL_THIRD_PARTY, 0, -1, label);
    gl->UseProgram(call->program->program);
    gl->ProgramUniform4uiv(call->program->program, SEGSORT_LOCATION_VIEW_WORD,
                           SEGSORT_VIEW_WORDS / 4, call->view_word);
    gl->ProgramUniform4uiv(call->program->program, SEGSORT_LOCATION_DEPTH_PLANES,
                           SEGSORT_DEPTH_PLANES, call->planes);
    segsort_dispatch_rows(call);
    if (groups)
        gl->PopDebugGroup();
    if (after)
        gl->MemoryBarrier(after);
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_dispatch_depth(gl_segsort_context *context,
                                         const gl_segsort_depth_keys_desc *desc)
{
    const segsort_variant variant =
        segsort_untyped_variant(SEGSORT_KERNEL_DEPTH_KEYS, SEGSORT_DEPTH_ROWS);
    if (!context->depth_program) {
        gl_segsort_result result = segsort_pipeline_get_guarded(
            context, &variant, "making the program of depth keys", &context->depth_program);
        if (result != GL_SEGSORT_SUCCESS)
            return result;
    }
    segsort_depth_call call = {.context = context, .desc = desc, .program = context->depth_program};
    const segsort_recording recording = {
        .doing = "recording depth keys", .record = segsort_record_depth, .user = &call};
    return segsort_dispatch_record(context, &recording);
}
