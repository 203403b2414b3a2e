#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in demo/shaders/mesh.vert. */
enum { LOCATION_POSITION = 0, LOCATION_REST = 1 };

static void add_attribute(GLuint location, GLuint buffer)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static void create_arrays(struct model *model)
{
    glGenVertexArrays(ORDER_COUNT, model->arrays);
    for (int order = 0; order < ORDER_COUNT; order++) {
        glBindVertexArray(model->arrays[order]);
        add_attribute(LOCATION_POSITION, model->buffers.positions);
        add_attribute(LOCATION_REST, model->buffers.rest);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, model->buffers.orders[order]);
    }
    glBindVertexArray(0);
}

static bool find_instances(struct model *model, struct failure *failure)
{
    const struct mesh *mesh = &model->mesh;
    model->shown_at = malloc(mesh->segment_count * sizeof *model->shown_at);
    if (!model->shown_at)
        return failure_set(failure, "%s: out of memory", mesh->name);
    for (uint32_t s = 0; s < mesh->segment_count; s++)
        model->shown_at[s] = UINT32_MAX;
    for (uint32_t i = mesh->instance_count; i > 0; i--)
        model->shown_at[mesh->instances[i - 1].segment] = i - 1;
    return true;
}

static void free_lists(struct mesh_orders *orders)
{
    for (int order = 0; order < ORDER_COUNT; order++) {
        free(orders->indices[order]);
        orders->indices[order] = NULL;
    }
}

struct model *model_create(struct mesh *mesh, struct mesh_orders *orders, unsigned key_bits,
                           struct morton_context *context, struct failure *failure)
{
    struct model *model = malloc(sizeof *model);
    if (!model) {
        failure_set(failure, "%s: out of memory", mesh->name);
        return NULL;
    }
    *model = (struct model){.mesh = *mesh, .orders = *orders};
    if (!find_instances(model, failure) ||
        !mesh_buffers_create(&model->buffers, &model->mesh, orders, failure) ||
        !morton_gpu_create(&model->morton, context, &model->mesh, key_bits, &model->buffers,
                           failure)) {
        mesh_buffers_destroy(&model->buffers);
        free(model->shown_at);
        free(model);
        return NULL;
    }
    create_arrays(model);
    free_lists(&model->orders);
    *mesh = (struct mesh){0};
    *orders = (struct mesh_orders){0};
    return model;
}

void model_destroy(struct model *model)
{
    if (!model)
        return;
    glDeleteVertexArrays(ORDER_COUNT, model->arrays);
    morton_gpu_destroy(&model->morton);
    mesh_buffers_destroy(&model->buffers);
    mesh_orders_destroy(&model->orders);
    mesh_destroy(&model->mesh);
    free(model->shown_at);
    free(model);
}

bool model_set_key_bits(struct model *model, unsigned key_bits, struct morton_context *context,
                        struct failure *failure)
{
    struct morton_gpu other;
    if (!morton_gpu_create(&other, context, &model->mesh, key_bits, &model->buffers, failure))
        return false;
    morton_gpu_destroy(&model->morton);
    model->morton = other;
    return true;
}

/* Whether a pass of one work group's sorts takes segments of that length: a width of packs those over half of it,
 * the narrowest one all shorter ones, too. Of the other kernels each has a pass wherever there are segments for it,
 * so that the narrowest that has room is theirs. */
static bool takes_length(const gl_segsort_pass_description *pass, uint32_t length)
{
    bool packs = strcmp(pass->kernel, "bucket-local") == 0;
    if (!packs)
        return pass->width >= length && (strstr(pass->kernel, "-local") != NULL ||
                                         strcmp(pass->kernel, "bucket-slots") == 0);
    return pass->width >= length && (pass->width == 256 || pass->width / 2 < length);
}

static const gl_segsort_pass_description *find_local_pass(const gl_segsort_plan_description *plan,
                                                          uint32_t length)
{
    const gl_segsort_pass_description *found = NULL;
    for (uint32_t i = 0; i < plan->pass_count && length <= plan->local_rows_max; i++) {
        const gl_segsort_pass_description *pass = &plan->passes[i];
        if (!takes_length(pass, length))
            continue;
        if (strcmp(pass->kernel, "bucket-local") == 0)
            return pass;
        if (!found || pass->width < found->width)
            found = pass;
    }
    return found;
}

/* Of the long segments the longest are sorted digit by digit, and the others split. */
static void name_long_kernel(const struct model *model, const gl_segsort_plan_description *plan,
                             uint32_t length, char *text, size_t size)
{
    uint32_t rounds = 0, by_digits = 0, longer = 0;
    for (uint32_t i = 0; i < plan->pass_count; i++) {
        const gl_segsort_pass_description *pass = &plan->passes[i];
        if (strcmp(pass->kernel, "radix-scatter") != 0 ||
            pass->condition == GL_SEGSORT_PASS_IN_PLACE)
            continue;
        rounds++;
        by_digits = pass->segment_count;
    }
    for (uint32_t s = 0; s < model->mesh.segment_count; s++)
        longer += model->mesh.segments[s].count > length;
    if (longer < by_digits)
        snprintf(text, size, "radix, %u rounds", rounds);
    else
        snprintf(text, size, "split into buckets");
}

void model_name_kernel(const struct model *model, uint32_t length, char *text, size_t size)
{
    gl_segsort_plan_description plan;
    snprintf(text, size, "?");
    if (gl_segsort_plan_describe(model->morton.plan, &plan) != GL_SEGSORT_SUCCESS)
        return;
    const gl_segsort_pass_description *local = find_local_pass(&plan, length);
    if (local)
        snprintf(text, size, "%s-%u", local->kernel, local->width);
    else if (length > plan.local_rows_max)
        name_long_kernel(model, &plan, length, text, size);
}
