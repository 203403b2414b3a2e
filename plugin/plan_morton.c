#include "plan_build.h"

static bool segsort_fits_codes(const segsort_builder *builder)
{
    return builder->types.key == GL_SEGSORT_KEY_U32 || builder->types.key == GL_SEGSORT_KEY_U64;
}

/* Batches have boxes too, though no codes: so a set's part of the table is that of a plan of its
 * own. */
uint64_t segsort_box_words(const segsort_builder *builder)
{
    return segsort_fits_codes(builder) ? (uint64_t)builder->set.long_count * SEGSORT_BOX_WORDS : 0;
}

/* The passes don't sort, so neither direction nor values make variants of theirs. */
static segsort_pass segsort_make_morton_pass(const segsort_builder *builder,
                                             segsort_kernel_id kernel, const segsort_class *class)
{
    segsort_pass pass = segsort_make_pass(builder, kernel, SEGSORT_MORTON_ROWS, class);
    pass.variant = segsort_untyped_variant(kernel, SEGSORT_MORTON_ROWS);
    pass.params.box_word = builder->set.box_word;
    if (segsort_kernel_writes_codes(kernel))
        pass.variant.types.key = builder->types.key;
    return pass;
}

static gl_segsort_result segsort_add_slots(segsort_builder *builder, segsort_kernel_id kernel,
                                           const segsort_class *class, uint32_t barriers)
{
    segsort_pass pass = segsort_make_morton_pass(builder, kernel, class);
    pass.barriers = barriers;
    return segsort_add_leveled(builder, &pass, segsort_take_slots(builder, class, &pass));
}

static gl_segsort_result segsort_add_local_codes(segsort_builder *builder)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = builder->local_class_count; i > 0 && result == GL_SEGSORT_SUCCESS; i--)
        if (builder->set.classes[i - 1].segment_count > 0)
            result = segsort_add_slots(builder, SEGSORT_KERNEL_MORTON_LOCAL,
                                       &builder->set.classes[i - 1], 0);
    return result;
}

static gl_segsort_result segsort_add_clear(segsort_builder *builder)
{
    segsort_pass pass =
        segsort_make_morton_pass(builder, SEGSORT_KERNEL_MORTON_CLEAR, segsort_long_class(builder));
    pass.slots = segsort_variant_threads(&pass.variant);
    return segsort_add_leveled(builder, &pass, (builder->set.long_count - 1) / pass.slots + 1);
}

/* Long segments' boxes are emptied and widened before their codes can be made. */
gl_segsort_result segsort_list_morton(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    if (builder->plan->batch || !segsort_fits_codes(builder))
        return GL_SEGSORT_SUCCESS;
    builder->plan->has_boxes = set->long_count > 0;
    segsort_start_list(builder, &builder->morton_passes);
    if (segsort_is_listed(builder))
        result = segsort_list_listed(builder, SEGSORT_KERNEL_MORTON_SCATTER);
    if (result == GL_SEGSORT_SUCCESS && set->long_count > 0)
        result = segsort_add_clear(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_local_codes(builder);
    if (result == GL_SEGSORT_SUCCESS && set->long_count > 0)
        result = segsort_add_slots(builder, SEGSORT_KERNEL_MORTON_BOUNDS,
                                   segsort_long_class(builder), GL_SEGSORT_BARRIER_STORAGE);
    if (result == GL_SEGSORT_SUCCESS && set->long_count > 0)
        result = segsort_add_slots(builder, SEGSORT_KERNEL_MORTON_CODES,
                                   segsort_long_class(builder), GL_SEGSORT_BARRIER_STORAGE);
    return result;
}
