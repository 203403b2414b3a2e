#include "plan_build.h"

#include "steps.h"

#include <inttypes.h>
#include <string.h>

uint32_t segsort_plan_pass_total(const segsort_plan *plan)
{
    return plan->pass_count + plan->gather_pass_count + plan->morton_pass_count;
}

const segsort_pass *segsort_plan_pass(const segsort_plan *plan, uint32_t number)
{
    if (number < plan->pass_count)
        return &plan->passes[number];
    number -= plan->pass_count;
    if (number < plan->gather_pass_count)
        return &plan->gather_passes[number];
    return &plan->morton_passes[number - plan->gather_pass_count];
}

uint64_t segsort_scratch_bytes(const segsort_scratch *scratch)
{
    return scratch->key_bytes + scratch->value_bytes + scratch->work_bytes;
}

segsort_class *segsort_long_class(segsort_builder *builder)
{
    return &builder->set.classes[builder->local_class_count];
}

uint32_t segsort_tile_count(const segsort_builder *builder, uint32_t length)
{
    return length / builder->tile_rows + (length % builder->tile_rows != 0);
}

uint32_t segsort_chunk_count(const segsort_builder *builder, uint32_t length)
{
    return (segsort_tile_count(builder, length) + SEGSORT_CHUNK_TILES - 1) / SEGSORT_CHUNK_TILES;
}

uint32_t segsort_counted_tiles(const segsort_set_builder *set)
{
    return set->tile_count + set->children.count;
}

gl_segsort_result segsort_fail_memory(const segsort_builder *builder, const char *what)
{
    return segsort_fail(builder->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                        "out of memory for %s of a plan with %" PRIu32 " segments", what,
                        builder->desc->segment_count);
}

static void segsort_add_class(segsort_builder *builder, segsort_kernel_id kernel, uint32_t width)
{
    builder->classes[builder->local_class_count++] =
        (segsort_class){.kernel = kernel, .width = width};
    builder->plan->local_rows_max = width;
}

static bool segsort_has_fewer_rows(const gl_segsort_plan_desc *desc, uint32_t count)
{
    uint64_t rows = desc->max_rows;
    for (uint32_t i = 0; i < desc->segment_count && rows < count; i++)
        rows += desc->segments[i].length;
    return rows < count;
}

/* Few rows leave most of a card idle in long tiles, and 64-bit keys of long ones don't fit an
 * invocation's registers. No tile is shorter than a portable kernel's, which the scratch is measured
 * for. */
static uint32_t segsort_radix_tile_rows(const segsort_builder *builder)
{
    const segsort_tuning *tuning = &builder->tuning;
    if (!segsort_kernel_matches(SEGSORT_KERNEL_RADIX_SCATTER, builder->limits->subgroup_size) ||
        tuning->team_tile_rows <= tuning->tile_rows)
        return tuning->tile_rows;
    bool halved = segsort_key_words(builder->types.key) == 2 ||
                  segsort_has_fewer_rows(builder->desc, tuning->team_rows_few);
    return halved ? tuning->team_tile_rows / 2 : tuning->team_tile_rows;
}

/* Segments up to that length, of those in no pack. */
static segsort_kernel_id segsort_choose_local(const segsort_builder *builder, uint32_t width)
{
    const segsort_tuning *tuning = &builder->tuning;
    bool slots = builder->desc->algorithm == GL_SEGSORT_ALGORITHM_AUTO &&
                 builder->step_limit == SEGSORT_STEPS_ALL && tuning->slots_rows_min > 0 &&
                 width >= tuning->slots_rows_min && width <= tuning->pack_rows_max;
    if (slots)
        return SEGSORT_KERNEL_BUCKET_SLOTS;
    return width <= builder->network_max ? SEGSORT_KERNEL_BITONIC_LOCAL
                                         : SEGSORT_KERNEL_RADIX_LOCAL;
}

/* Which kernel sorts which lengths: the one place where algorithms are chosen. */
static void segsort_choose_kernels(segsort_builder *builder)
{
    gl_segsort_algorithm algorithm = builder->desc->algorithm;
    uint32_t network_max = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, builder->types,
                                                    builder->limits->shared_bytes);
    if (algorithm == GL_SEGSORT_ALGORITHM_AUTO && network_max > builder->tuning.network_rows_max)
        network_max = builder->tuning.network_rows_max;
    builder->long_radix = algorithm != GL_SEGSORT_ALGORITHM_BITONIC;
    if (algorithm == GL_SEGSORT_ALGORITHM_RADIX)
        network_max = 0;
    builder->network_max = network_max;
    for (uint32_t width = 2; width <= network_max; width *= 2)
        segsort_add_class(builder, segsort_choose_local(builder, width), width);
    for (uint32_t width = SEGSORT_RADIX_LOCAL_MIN;
         builder->long_radix && width <= SEGSORT_RADIX_LOCAL_MAX; width *= 2)
        if (width > network_max)
            segsort_add_class(builder, segsort_choose_local(builder, width), width);
    if (algorithm == GL_SEGSORT_ALGORITHM_AUTO && builder->step_limit == SEGSORT_STEPS_ALL &&
        !segsort_is_listed(builder)) {
        builder->pack_rows_max = builder->tuning.pack_rows_max;
        builder->samples_max =
            segsort_bucket_width_max(builder->types, builder->limits->shared_bytes);
    }
    builder->tile_rows =
        builder->long_radix ? segsort_radix_tile_rows(builder)
                            : segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_MERGE, builder->types,
                                                       builder->limits->shared_bytes);
}

/* Steps that the longest segment of a class takes, where steps are counted: by the network or by digits. */
static uint32_t segsort_class_steps(const segsort_builder *builder, const segsort_class *class)
{
    const segsort_layout *layout = &builder->set.set->layout;
    bool long_rows = class == &builder->set.classes[builder->local_class_count];
    bool radix = long_rows ? builder->long_radix : class->width > builder->network_max;
    if (radix)
        return (layout->bit_count + SEGSORT_DIGIT_BITS - 1) / SEGSORT_DIGIT_BITS;
    bool whole = long_rows || layout->longest < class->width;
    return segsort_network_steps(whole ? layout->longest : class->width);
}

/* What it takes to be done with all segments. */
static void segsort_count_steps(segsort_builder *builder)
{
    segsort_plan *plan = builder->plan;
    for (uint32_t i = 0; i <= builder->local_class_count; i++) {
        const segsort_class *class = &builder->set.classes[i];
        uint32_t steps = class->segment_count > 0 ? segsort_class_steps(builder, class) : 0;
        if (steps > plan->step_count)
            plan->step_count = steps;
    }
}

/* What a set needs of the table and the scratch. */
static gl_segsort_result segsort_measure_set(segsort_builder *builder)
{
    segsort_plan *plan = builder->plan;
    gl_segsort_result result = segsort_is_listed(builder) ? segsort_lay_out_listed(builder)
                                                          : segsort_lay_out_table(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_size_scratch(builder);
    if (result == GL_SEGSORT_SUCCESS)
        plan->scratch_bytes += segsort_scratch_bytes(&builder->set.set->scratch);
    return result;
}

static gl_segsort_result segsort_build_set(segsort_builder *builder)
{
    gl_segsort_result result = segsort_measure_set(builder);
    if (result != GL_SEGSORT_SUCCESS || builder->set.set->layout.row_count == 0)
        return result;
    bool listed = segsort_is_listed(builder);
    segsort_count_steps(builder);
    segsort_start_list(builder, &builder->passes);
    result = listed ? segsort_list_listed(builder, SEGSORT_KERNEL_LIST_SCATTER)
                    : segsort_write_table(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_list_passes(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_list_morton(builder);
    if (result == GL_SEGSORT_SUCCESS && listed)
        result = segsort_write_recipes(builder);
    return result;
}

static gl_segsort_result segsort_each_set(segsort_builder *builder,
                                          gl_segsort_result (*work)(segsort_builder *builder))
{
    const gl_segsort_allocator *allocator = builder->allocator;
    const gl_segsort_segment *segments = builder->desc->segments;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = 0; i < builder->plan->set_count && result == GL_SEGSORT_SUCCESS; i++) {
        uint32_t count = segsort_desc_set_segments(builder->desc, i);
        builder->set = (segsort_set_builder){.number = i,
                                             .segments = segments,
                                             .segment_count = count,
                                             .set = &builder->plan->sets[i]};
        memcpy(builder->set.classes, builder->classes, sizeof builder->classes);
        result = work(builder);
        if (result != GL_SEGSORT_SUCCESS && builder->desc->set_count > 0)
            segsort_fail_in_set(builder->error, i);
        if (builder->set.long_segments)
            allocator->release(builder->set.long_segments, allocator->user);
        if (segments)
            segments += count;
    }
    return result;
}

static gl_segsort_result segsort_make_sets(segsort_builder *builder, const segsort_layout *layouts)
{
    segsort_plan *plan = builder->plan;
    plan->set_count = segsort_desc_set_count(builder->desc);
    plan->batch = builder->desc->set_count > 0;
    plan->listed = segsort_is_listed(builder);
    plan->sets = builder->allocator->allocate(plan->set_count * sizeof *plan->sets,
                                              builder->allocator->user);
    if (!plan->sets)
        return segsort_fail_memory(builder, "the sets");
    for (uint32_t i = 0; i < plan->set_count; i++)
        plan->sets[i] = (segsort_set){.layout = layouts[i]};
    return GL_SEGSORT_SUCCESS;
}

static segsort_builder segsort_begin(const gl_segsort_plan_desc *desc, const segsort_limits *limits,
                                     const gl_segsort_allocator *allocator, segsort_plan *plan,
                                     segsort_error *error)
{
    *plan = (segsort_plan){.key_type = desc->key_type, .value_type = desc->value_type};
    segsort_builder builder = {.desc = desc,
                               .limits = limits,
                               .allocator = allocator,
                               .error = error,
                               .plan = plan,
                               .types = {desc->key_type, desc->value_type},
                               .step_limit =
                                   desc->step_limit > 0 ? desc->step_limit : SEGSORT_STEPS_ALL};
    const segsort_tuning *tuning = limits->tuning ? limits->tuning : segsort_tuning_default();
    builder.tuning = segsort_tuning_fit(tuning, builder.types, limits->shared_bytes);
    segsort_choose_kernels(&builder);
    return builder;
}

gl_segsort_result segsort_plan_build(const gl_segsort_plan_desc *desc,
                                     const segsort_layout *layouts, const segsort_limits *limits,
                                     const gl_segsort_allocator *allocator, segsort_plan *plan,
                                     segsort_error *error)
{
    segsort_builder builder = segsort_begin(desc, limits, allocator, plan, error);
    gl_segsort_result result = segsort_make_sets(&builder, layouts);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_each_set(&builder, segsort_build_set);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_order_passes(&builder);
    plan->passes = builder.passes.passes;
    plan->pass_count = builder.passes.count;
    plan->gather_passes = builder.gather_passes.passes;
    plan->gather_pass_count = builder.gather_passes.count;
    plan->morton_passes = builder.morton_passes.passes;
    plan->morton_pass_count = builder.morton_passes.count;
    if (result != GL_SEGSORT_SUCCESS)
        segsort_plan_release(plan, allocator);
    return result;
}

bool segsort_plan_wants_subgroup(const segsort_limits *limits, segsort_kernel_id kernel)
{
    const segsort_tuning *tuning = limits->tuning ? limits->tuning : segsort_tuning_default();
    return segsort_kernel_has_subgroup(kernel, limits->subgroup_api) &&
           (!segsort_kernel_scatters(kernel) || tuning->team_tile_rows > 0);
}

gl_segsort_result segsort_plan_measure(const gl_segsort_plan_desc *desc,
                                       const segsort_layout *layouts, const segsort_limits *limits,
                                       const gl_segsort_allocator *allocator,
                                       uint64_t *scratch_bytes, segsort_error *error)
{
    segsort_plan plan;
    /* Portable kernels take smaller tiles, and so more scratch. Whether others may be used can change
     * until the plan is made. */
    segsort_limits portable = *limits;
    portable.subgroup_size = 0;
    segsort_builder builder = segsort_begin(desc, &portable, allocator, &plan, error);
    gl_segsort_result result = segsort_make_sets(&builder, layouts);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_each_set(&builder, segsort_measure_set);
    *scratch_bytes = result == GL_SEGSORT_SUCCESS ? plan.scratch_bytes : 0;
    segsort_plan_release(&plan, allocator);
    return result;
}

void segsort_plan_release_table(segsort_plan *plan, const gl_segsort_allocator *allocator)
{
    if (plan->table)
        allocator->release(plan->table, allocator->user);
    plan->table = NULL;
}

void segsort_plan_release(segsort_plan *plan, const gl_segsort_allocator *allocator)
{
    segsort_plan_release_table(plan, allocator);
    if (plan->passes)
        allocator->release(plan->passes, allocator->user);
    if (plan->gather_passes)
        allocator->release(plan->gather_passes, allocator->user);
    if (plan->morton_passes)
        allocator->release(plan->morton_passes, allocator->user);
    if (plan->sets)
        allocator->release(plan->sets, allocator->user);
    *plan = (segsort_plan){0};
}
