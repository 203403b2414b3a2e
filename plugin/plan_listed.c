#include "plan_build.h"

#include <inttypes.h>

/* Between the kernels that read the list and whoever goes by what they wrote: the table, the pass
 * parameters, the numbers of work groups. */
#define SEGSORT_LIST_BARRIERS                                                                      \
    (GL_SEGSORT_BARRIER_STORAGE | GL_SEGSORT_BARRIER_UNIFORM_BUFFER |                              \
     GL_SEGSORT_BARRIER_INDIRECT_COMMAND)

/* Table words, of which the head comes first and the recipes last. */
typedef struct segsort_listed_words {
    uint64_t head, groups, segments, tiles, longs, chunks, boxes, recipes;
} segsort_listed_words;

bool segsort_is_listed(const segsort_builder *builder)
{
    return builder->desc->segment_source != GL_SEGSORT_SEGMENTS_HOST;
}

static uint32_t segsort_list_groups(const segsort_builder *builder)
{
    return (builder->desc->max_segments - 1) / SEGSORT_LIST_GROUP + 1;
}

/* As many as have room in max_rows, when each has at least so many. */
static uint32_t segsort_most_segments(const segsort_builder *builder, uint32_t least_length)
{
    uint32_t most = builder->desc->max_rows / least_length;
    if (least_length > builder->set.set->layout.longest)
        return 0;
    return most < builder->desc->max_segments ? most : builder->desc->max_segments;
}

static void segsort_count_capacities(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    uint32_t least_length = 1, most_tiles;
    for (uint32_t i = 0; i <= builder->local_class_count; i++) {
        segsort_class *class = &set->classes[i];
        class->segment_count = segsort_most_segments(builder, least_length);
        class->row_count = class->segment_count > 0 ? builder->desc->max_rows : 0;
        least_length = class->width + 1;
    }
    set->long_count = segsort_long_class(builder)->segment_count;
    if (set->long_count == 0)
        return;
    most_tiles = segsort_tile_count(builder, set->set->layout.longest);
    set->tile_count = builder->desc->max_rows / builder->tile_rows + set->long_count;
    if (builder->long_radix && most_tiles > builder->tuning.chunk_tiles_few)
        set->chunk_count = set->tile_count / SEGSORT_CHUNK_TILES + set->long_count;
    set->spine_counts = segsort_most_spine_counts(set, most_tiles);
}

static segsort_listed_words segsort_find_words(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    segsort_listed_words words = {.head = 0, .groups = SEGSORT_HEAD_WORDS};
    words.segments = words.groups + (uint64_t)segsort_list_groups(builder) * SEGSORT_GROUP_WORDS;
    words.tiles = words.segments + (uint64_t)builder->desc->max_segments * SEGSORT_SEGMENT_WORDS;
    words.longs = words.tiles + (uint64_t)set->tile_count * SEGSORT_TILE_WORDS;
    words.chunks = words.longs + (uint64_t)set->long_count * SEGSORT_LONG_WORDS;
    words.boxes = words.chunks + (uint64_t)set->chunk_count * SEGSORT_CHUNK_WORDS;
    words.recipes = words.boxes + segsort_box_words(builder);
    return words;
}

static gl_segsort_result segsort_check_table(const segsort_builder *builder, uint64_t words)
{
    if (words * 4 <= builder->limits->storage_bytes)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(builder->error, GL_SEGSORT_ERROR_UNSUPPORTED,
                        "the table of max_segments %" PRIu32 " and max_rows %" PRIu32
                        " takes %" PRIu64 " bytes, over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                        builder->desc->max_segments, builder->desc->max_rows, words * 4,
                        builder->limits->storage_bytes);
}

gl_segsort_result segsort_lay_out_listed(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    if (set->set->layout.row_count == 0)
        return GL_SEGSORT_SUCCESS;
    segsort_count_capacities(builder);
    segsort_find_splits(builder);
    segsort_listed_words words = segsort_find_words(builder);
    for (uint32_t i = 0; i <= builder->local_class_count; i++)
        set->classes[i].first_word = (uint32_t)words.segments;
    set->tile_word = (uint32_t)words.tiles;
    set->long_word = (uint32_t)words.longs;
    set->chunk_word = set->chunk_count > 0 ? (uint32_t)words.chunks : 0;
    set->box_word = (uint32_t)words.boxes;
    builder->plan->recipe_word = builder->plan->table_words = words.recipes;
    return segsort_check_table(builder, words.recipes);
}

/* ---------------------------------------------------------------------------------------------- */
/* Passes */

static uint32_t segsort_log2(uint32_t power)
{
    uint32_t log2 = 0;
    while (power >> log2 > 1)
        log2++;
    return log2;
}

static segsort_pass segsort_make_list_pass(const segsort_builder *builder, segsort_kernel_id kernel)
{
    const gl_segsort_plan_desc *desc = builder->desc;
    const uint32_t *limits = builder->limits->work_groups;
    uint64_t groups_xy = (uint64_t)limits[0] * limits[1];
    segsort_listed_words words = segsort_find_words(builder);
    const segsort_class *long_class = &builder->set.classes[builder->local_class_count];
    segsort_pass pass = segsort_make_pass(builder, kernel, SEGSORT_LIST_GROUP, long_class);
    if (kernel != SEGSORT_KERNEL_LIST_SCATTER)
        pass.variant = segsort_untyped_variant(kernel, SEGSORT_LIST_GROUP);
    pass.variant.direction = GL_SEGSORT_ASCENDING; /* it orders nothing */
    if (segsort_kernel_writes_codes(kernel))
        pass.variant.types.key = builder->types.key;
    pass.indirect = false;
    pass.segment_count = desc->max_segments;
    pass.row_count = desc->max_rows;
    pass.params.list_source = (uint32_t)desc->segment_source;
    pass.params.list_stride = desc->segment_stride;
    pass.params.rows_max = desc->max_rows;
    pass.params.length_max = builder->set.set->layout.longest;
    pass.params.class_count = builder->local_class_count + 1;
    pass.params.class_shift = segsort_log2(builder->set.classes[0].width);
    pass.params.tile_rows = builder->tile_rows;
    pass.params.head_word = (uint32_t)words.head;
    pass.params.group_word = (uint32_t)words.groups;
    pass.params.recipe_word = (uint32_t)words.recipes;
    pass.params.groups_x = limits[0];
    pass.params.groups_xy = groups_xy < UINT32_MAX ? (uint32_t)groups_xy : UINT32_MAX;
    return pass;
}

static gl_segsort_result segsort_add_list_pass(segsort_builder *builder, segsort_kernel_id kernel,
                                               uint64_t groups, uint32_t barriers)
{
    segsort_pass pass = segsort_make_list_pass(builder, kernel);
    pass.barriers = barriers;
    if (kernel == SEGSORT_KERNEL_LIST_LAYOUT) {
        pass.params.source = SEGSORT_PLACE_COMMANDS;
        pass.params.destination = SEGSORT_PLACE_STATUS;
    }
    pass.indirect = kernel == SEGSORT_KERNEL_LIST_TILES;
    return segsort_add_leveled(builder, &pass, groups);
}

gl_segsort_result segsort_list_listed(segsort_builder *builder, segsort_kernel_id scatter)
{
    segsort_set_builder *set = &builder->set;
    uint32_t groups = segsort_list_groups(builder);
    gl_segsort_result result = segsort_add_list_pass(builder, SEGSORT_KERNEL_LIST_COUNT, groups, 0);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_list_pass(builder, SEGSORT_KERNEL_LIST_LAYOUT, 1,
                                       GL_SEGSORT_BARRIER_STORAGE);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_list_pass(builder, scatter, groups, GL_SEGSORT_BARRIER_STORAGE);
    if (result == GL_SEGSORT_SUCCESS && set->long_count > 0)
        result = segsort_add_list_pass(builder, SEGSORT_KERNEL_LIST_TILES, set->long_count,
                                       SEGSORT_LIST_BARRIERS);
    set->entry_level = ++set->level;
    set->entry_barriers = SEGSORT_LIST_BARRIERS;
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Recipes */

static uint32_t segsort_count_recipes(const segsort_pass_list *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += list->passes[i].indirect;
    return count;
}

/* Places count the passes of the sort, then those of the gather and of Morton codes. */
static uint32_t *segsort_write_list_recipes(uint32_t *recipe, const segsort_pass_list *list,
                                            uint32_t first_place)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const segsort_pass *pass = &list->passes[i];
        if (!pass->indirect)
            continue;
        recipe[SEGSORT_RECIPE_PLACE] = first_place + i;
        recipe[SEGSORT_RECIPE_ITEMS] = pass->items;
        recipe[SEGSORT_RECIPE_CLASS] = pass->item_class;
        recipe[SEGSORT_RECIPE_SLOTS] = pass->slots;
        recipe[SEGSORT_RECIPE_FIRST_GROUP] = pass->params.first_group;
        recipe[SEGSORT_RECIPE_GROUPS_MAX] = pass->groups_max;
        recipe[SEGSORT_RECIPE_LENGTH_MIN] = pass->length_min;
        recipe += SEGSORT_RECIPE_WORDS;
    }
    return recipe;
}

/* Until the GPU has counted them, there is nothing to do. Whichever call reads the list counts for
 * the passes of all. */
static void segsort_finish_list(segsort_pass_list *list, uint32_t recipe_count)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->passes[i].indirect)
            list->passes[i].params.item_count = 0;
        if (list->passes[i].variant.kernel == SEGSORT_KERNEL_LIST_LAYOUT)
            list->passes[i].params.recipe_count = recipe_count;
    }
}

gl_segsort_result segsort_write_recipes(segsort_builder *builder)
{
    segsort_plan *plan = builder->plan;
    segsort_pass_list *const lists[] = {&builder->passes, &builder->gather_passes,
                                        &builder->morton_passes};
    const size_t list_count = sizeof lists / sizeof lists[0];
    uint32_t count = 0, place = 0;
    for (size_t i = 0; i < list_count; i++)
        count += segsort_count_recipes(lists[i]);
    plan->table = builder->allocator->allocate((size_t)count * SEGSORT_RECIPE_WORDS * 4,
                                               builder->allocator->user);
    if (!plan->table)
        return segsort_fail_memory(builder, "the recipes");
    uint32_t *recipe = plan->table;
    for (size_t i = 0; i < list_count; i++) {
        recipe = segsort_write_list_recipes(recipe, lists[i], place);
        segsort_finish_list(lists[i], count);
        place += lists[i]->count;
    }
    plan->recipe_count = count;
    plan->table_words += (uint64_t)count * SEGSORT_RECIPE_WORDS;
    return segsort_check_table(builder, plan->table_words);
}
