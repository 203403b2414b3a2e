#include "plan_build.h"

#include "numbers.h"
#include "steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void segsort_fold_groups(uint64_t groups, const uint32_t limits[3], uint32_t work_groups[3])
{
    uint64_t rest = groups;
    for (int axis = 2; axis > 0; axis--) {
        uint64_t below = 1;
        for (int lower = 0; lower < axis; lower++)
            below *= limits[lower];
        uint64_t layers = (rest + below - 1) / below;
        work_groups[axis] = (uint32_t)layers;
        rest = (rest + layers - 1) / layers;
    }
    work_groups[0] = (uint32_t)rest;
}

static segsort_pass *segsort_add_pass(const segsort_builder *builder, segsort_pass_list *list)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
        segsort_pass *passes =
            builder->allocator->allocate(capacity * sizeof *passes, builder->allocator->user);
        if (!passes)
            return NULL;
        if (list->passes) {
            memcpy(passes, list->passes, list->count * sizeof *passes);
            builder->allocator->release(list->passes, builder->allocator->user);
        }
        list->passes = passes;
        list->capacity = capacity;
    }
    return &list->passes[list->count++];
}

static void segsort_write_label(const segsort_builder *builder, segsort_pass *pass)
{
    const char *label = builder->desc->label ? builder->desc->label : "segsort";
    const char *kernel = segsort_kernel_get(pass->variant.kernel)->name;
    int length = snprintf(pass->label, sizeof pass->label, "%.*s-%s", SEGSORT_LABEL_BYTES - 1,
                          label, kernel);
    char *end = pass->label + length;
    size_t left = sizeof pass->label - (size_t)length;
    if (pass->stride > 0)
        snprintf(end, left, "-%" PRIu32 "-%" PRIu32, pass->stage, pass->stride);
    else if (pass->stage > 0)
        snprintf(end, left, "-%" PRIu32, pass->stage);
    else if (pass->bit_count > 0)
        snprintf(end, left, "-%" PRIu32 "-%" PRIu32, pass->begin_bit,
                 pass->begin_bit + pass->bit_count);
    else
        snprintf(end, left, "-%" PRIu32, pass->width);
}

/* Adds a pass of so many work groups to a list, in as many dispatches as the limits call for: one, on any GL
 * there is. */
static gl_segsort_result segsort_add_passes(segsort_builder *builder, segsort_pass_list *list,
                                            const segsort_pass *like, uint64_t groups)
{
    const uint32_t *limits = builder->limits->work_groups;
    uint64_t dispatch_max = (uint64_t)limits[0] * limits[1];
    dispatch_max = dispatch_max > UINT32_MAX ? UINT32_MAX : dispatch_max * limits[2];
    for (uint64_t first = 0; first < groups; first += dispatch_max) {
        segsort_pass *pass = segsort_add_pass(builder, list);
        if (!pass)
            return segsort_fail_memory(builder, "the passes");
        *pass = *like;
        pass->params.first_group = like->params.first_group + (uint32_t)first;
        pass->barriers = first == 0 ? like->barriers : 0;
        uint64_t rest = groups - first;
        pass->groups_max = (uint32_t)(rest < dispatch_max ? rest : dispatch_max);
        segsort_fold_groups(pass->groups_max, limits, pass->work_groups);
        segsort_write_label(builder, pass);
    }
    return GL_SEGSORT_SUCCESS;
}

void segsort_start_list(segsort_builder *builder, segsort_pass_list *list)
{
    builder->set.list = list;
    builder->set.level = builder->set.entry_level = builder->set.entry_barriers = 0;
}

/* Adds a pass to the list. One that needs a barrier starts a new level; a listed plan's first ones
 * need one for their segments. */
gl_segsort_result segsort_add_leveled(segsort_builder *builder, segsort_pass *pass, uint64_t groups)
{
    segsort_set_builder *set = &builder->set;
    set->level += pass->barriers != 0;
    pass->level = set->level;
    if (pass->level == set->entry_level)
        pass->barriers |= set->entry_barriers;
    return segsort_add_passes(builder, set->list, pass, groups);
}

bool segsort_takes_subgroups(const segsort_builder *builder, segsort_kernel_id kernel,
                             uint32_t width)
{
    const segsort_limits *limits = builder->limits;
    return limits->subgroup_size > 0 && segsort_plan_wants_subgroup(limits, kernel) &&
           segsort_kernel_fits_subgroup(kernel, width,
                                        segsort_tuning_threads(&builder->tuning, kernel, width),
                                        limits->subgroup_size);
}

static segsort_variant segsort_make_variant(const segsort_builder *builder,
                                            segsort_kernel_id kernel, uint32_t width)
{
    uint32_t key_bits = 32 * segsort_key_words(builder->types.key);
    const segsort_limits *limits = builder->limits;
    bool subgroups = segsort_takes_subgroups(builder, kernel, width);
    uint32_t threads = segsort_tuning_threads(&builder->tuning, kernel, width);
    /* The least that scans by subgroups take. */
    if (subgroups && threads > 0 && threads < limits->subgroup_size)
        threads = limits->subgroup_size;
    return (segsort_variant){
        .kernel = kernel,
        .width = width,
        .direction = builder->desc->direction,
        .types = builder->types,
        .masked = segsort_kernel_compares(kernel) && builder->set.set->layout.bit_count < key_bits,
        .subgroup_api = subgroups ? limits->subgroup_api : SEGSORT_SUBGROUP_NONE,
        .subgroup_size = subgroups ? limits->subgroup_size : 0,
        .threads = threads};
}

/* What the passes of a class have in common. */
segsort_pass segsort_make_pass(const segsort_builder *builder, segsort_kernel_id kernel,
                               uint32_t width, const segsort_class *class)
{
    const segsort_layout *layout = &builder->set.set->layout;
    uint64_t mask =
        layout->bit_count == 0 ? 0 : UINT64_MAX >> (64 - layout->bit_count) << layout->begin_bit;
    return (segsort_pass){
        .variant = segsort_make_variant(builder, kernel, width),
        .params = {.item_count = class->segment_count,
                   .segment_word = class->first_word,
                   .tile_word = builder->set.tile_word,
                   .key_mask_low = (uint32_t)mask,
                   .key_mask_high = (uint32_t)(mask >> 32),
                   .source = SEGSORT_PLACE_INPUT,
                   .destination = SEGSORT_PLACE_OUTPUT,
                   .long_word = builder->set.long_word,
                   .chunk_word = builder->set.chunk_word},
        .set = builder->set.number,
        .width = width,
        .indirect = segsort_is_listed(builder),
        .item_class = segsort_is_listed(builder) ? (uint32_t)(class - builder->set.classes) : 0,
        .slots = 1,
        .segment_count = class->segment_count,
        .row_count = class->row_count};
}

uint32_t segsort_most_spine_counts(const segsort_set_builder *set, uint32_t tiles)
{
    return set->chunk_count > 0 ? (tiles - 1) / SEGSORT_CHUNK_TILES + 1 : tiles;
}

#define SEGSORT_SPINE_THREADS_MAX 1024u /* every GL 4.3 driver has as many */

/* So many that each has 32 counts at most, as far as there are. */
uint32_t segsort_spine_threads(uint32_t counts)
{
    uint32_t threads = SEGSORT_DIGITS;
    while (threads < SEGSORT_SPINE_THREADS_MAX && threads / SEGSORT_DIGITS * 32 < counts)
        threads *= 2;
    return threads;
}

/* Bits of the key that the radix sort goes by: a step is a digit. */
static uint32_t segsort_radix_bits(const segsort_builder *builder)
{
    uint64_t limited = (uint64_t)builder->step_limit * SEGSORT_DIGIT_BITS;
    uint32_t bits = builder->set.set->layout.bit_count;
    return limited < bits ? (uint32_t)limited : bits;
}

/* ---------------------------------------------------------------------------------------------- */
/* Segments that one work group sorts */

static gl_segsort_result segsort_add_local_passes(segsort_builder *builder)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = builder->local_class_count; i > 0 && result == GL_SEGSORT_SUCCESS; i--) {
        const segsort_class *class = &builder->set.classes[i - 1];
        if (class->segment_count == 0 || class->packed)
            continue;
        segsort_pass pass = segsort_make_pass(builder, class->kernel, class->width, class);
        if (class->kernel == SEGSORT_KERNEL_RADIX_LOCAL) {
            pass.params.digit_shift = builder->set.set->layout.begin_bit;
            pass.params.digit_bits = segsort_radix_bits(builder);
        } else {
            pass.params.step_limit = builder->step_limit;
        }
        pass.slots = segsort_variant_tile_rows(&pass.variant) / pass.variant.width;
        uint64_t groups = ((uint64_t) class->segment_count + pass.slots - 1) / pass.slots;
        result = segsort_add_leveled(builder, &pass, groups);
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* The network across work groups */

/* A pass that does one stage or one step of the network, or all of it within tiles. */
typedef struct segsort_network_part {
    segsort_kernel_id kernel;
    uint64_t stage, stride, partner_mask;
    uint32_t steps; /* that it has */
} segsort_network_part;

/* The long segments that a stage still has work for are those longer than half of it. */
static gl_segsort_result segsort_add_network_pass(segsort_builder *builder,
                                                  const segsort_network_part *part)
{
    segsort_set_builder *set = &builder->set;
    uint64_t stage = part->stage;
    if (set->steps >= builder->step_limit)
        return GL_SEGSORT_SUCCESS;
    segsort_pass pass =
        segsort_make_pass(builder, part->kernel, builder->tile_rows, segsort_long_class(builder));
    pass.items = SEGSORT_ITEMS_TILES;
    if (pass.indirect) {
        pass.length_min = (uint32_t)(stage / 2 + 1);
        pass.params.item_count = set->tile_count;
    } else {
        pass.params.item_count = pass.segment_count = 0;
        pass.row_count = 0;
    }
    while (!pass.indirect && pass.segment_count < set->long_count) {
        uint32_t length = set->segments[set->long_segments[pass.segment_count]].length;
        if (length <= stage / 2)
            break;
        pass.params.item_count += segsort_tile_count(builder, length);
        pass.row_count += length;
        pass.segment_count++;
    }
    pass.params.partner_mask = (uint32_t)part->partner_mask;
    if (part->kernel != SEGSORT_KERNEL_BITONIC_STEP)
        pass.params.step_limit = builder->step_limit - set->steps;
    if (part->kernel != SEGSORT_KERNEL_BITONIC_BLOCK)
        pass.params.source = SEGSORT_PLACE_OUTPUT;
    pass.barriers = stage > 0 ? GL_SEGSORT_BARRIER_STORAGE : 0;
    pass.stage = (uint32_t)stage;
    pass.stride = (uint32_t)part->stride;
    set->steps += part->steps;
    return segsort_add_leveled(builder, &pass, pass.params.item_count);
}

static gl_segsort_result segsort_add_block(segsort_builder *builder)
{
    const segsort_network_part block = {.kernel = SEGSORT_KERNEL_BITONIC_BLOCK,
                                        .steps = segsort_network_steps(builder->tile_rows)};
    return segsort_add_network_pass(builder, &block);
}

static gl_segsort_result segsort_add_stage(segsort_builder *builder, uint64_t stage)
{
    uint32_t tile_rows = builder->tile_rows;
    /* The reflected step compares rows stage - 1, stage - 3, ... 1 apart; its stride is called
     * stage / 2. */
    segsort_network_part part = {.kernel = SEGSORT_KERNEL_BITONIC_STEP,
                                 .stage = stage,
                                 .stride = stage / 2,
                                 .partner_mask = stage - 1,
                                 .steps = 1};
    gl_segsort_result result = segsort_add_network_pass(builder, &part);
    for (uint64_t stride = stage / 4; stride >= tile_rows && result == GL_SEGSORT_SUCCESS;
         stride /= 2) {
        part.stride = part.partner_mask = stride;
        result = segsort_add_network_pass(builder, &part);
    }
    const segsort_network_part merge = {.kernel = SEGSORT_KERNEL_BITONIC_MERGE,
                                        .stage = stage,
                                        .steps = segsort_network_steps(tile_rows) -
                                                 segsort_network_steps(tile_rows / 2)};
    return result == GL_SEGSORT_SUCCESS ? segsort_add_network_pass(builder, &merge) : result;
}

static gl_segsort_result segsort_add_stages(segsort_builder *builder)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint64_t stage = 2 * (uint64_t)builder->tile_rows;
         stage / 2 < builder->set.set->layout.longest && result == GL_SEGSORT_SUCCESS; stage *= 2)
        result = segsort_add_stage(builder, stage);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* The radix sort across work groups */

/* Of the long segments those that are not split, whose tiles come first. */
static segsort_pass segsort_make_radix_pass(const segsort_builder *builder,
                                            segsort_kernel_id kernel)
{
    const segsort_set_builder *set = &builder->set;
    const segsort_class *class = &set->classes[builder->local_class_count];
    segsort_pass pass = segsort_make_pass(builder, kernel, builder->tile_rows, class);
    pass.segment_count = set->first_split;
    pass.row_count = class->row_count - set->split_rows;
    return pass;
}

/* One digit: from where to where, and under which condition. */
typedef struct segsort_digit {
    uint32_t begin_bit, bit_count;
    uint32_t source, destination;
    gl_segsort_pass_condition condition;
    uint32_t barriers; /* before its first pass */
} segsort_digit;

uint32_t segsort_digit_count(const segsort_builder *builder)
{
    return (segsort_radix_bits(builder) + SEGSORT_DIGIT_BITS - 1) / SEGSORT_DIGIT_BITS;
}

static gl_segsort_result segsort_add_digit_pass(segsort_builder *builder,
                                                const segsort_digit *digit,
                                                segsort_kernel_id kernel, uint32_t item_count,
                                                uint32_t barriers)
{
    segsort_pass pass = segsort_make_radix_pass(builder, kernel);
    pass.condition = digit->condition;
    pass.barriers = barriers;
    pass.begin_bit = digit->begin_bit;
    pass.bit_count = digit->bit_count;
    pass.items = kernel == SEGSORT_KERNEL_RADIX_SPINE   ? SEGSORT_ITEMS_SEGMENTS
                 : kernel == SEGSORT_KERNEL_RADIX_CHUNK ? SEGSORT_ITEMS_CHUNKS
                                                        : SEGSORT_ITEMS_TILES;
    if (kernel == SEGSORT_KERNEL_RADIX_SPINE)
        pass.variant.threads = segsort_spine_threads(builder->set.spine_counts);
    pass.params.item_count = item_count;
    pass.params.source = digit->source;
    pass.params.destination = digit->destination;
    pass.params.digit_shift = digit->begin_bit;
    pass.params.digit_bits = digit->bit_count;
    if (builder->set.chunk_count > 0)
        pass.params.chunk_counts = segsort_counted_tiles(&builder->set) * SEGSORT_DIGITS;
    pass.params.digit_starts =
        (segsort_counted_tiles(&builder->set) + builder->set.chunk_count) * SEGSORT_DIGITS;
    return segsort_add_leveled(builder, &pass, item_count);
}

static gl_segsort_result segsort_add_digit(segsort_builder *builder, const segsort_digit *digit)
{
    const uint32_t storage = GL_SEGSORT_BARRIER_STORAGE;
    const segsort_set_builder *set = &builder->set;
    gl_segsort_result result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_COUNT,
                                                      set->first_split_tile, digit->barriers);
    if (result == GL_SEGSORT_SUCCESS && set->chunk_count > 0)
        result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_CHUNK,
                                        set->chunk_count, storage);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_SPINE,
                                        set->first_split, storage);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_SCATTER,
                                        set->first_split_tile, storage);
    return result;
}

static gl_segsort_result segsort_add_copy(segsort_builder *builder, uint32_t destination,
                                          gl_segsort_pass_condition condition)
{
    segsort_pass pass = segsort_make_radix_pass(builder, SEGSORT_KERNEL_COPY_ROWS);
    pass.condition = condition;
    pass.items = SEGSORT_ITEMS_TILES;
    pass.params.item_count = builder->set.first_split_tile;
    pass.params.destination = destination;
    return segsort_add_leveled(builder, &pass, builder->set.first_split_tile);
}

/* Digits go back and forth between scratch and outputs so that the last one lands in the outputs.
 * An odd number of them starts with a step from the inputs to the outputs, which can't be done in
 * place: then the rows are moved to the scratch first. */
static gl_segsort_result segsort_add_digits(segsort_builder *builder)
{
    uint32_t begin_bit = builder->set.set->layout.begin_bit, bits = segsort_radix_bits(builder);
    uint32_t count = segsort_digit_count(builder);
    if (count == 0)
        return segsort_add_copy(builder, SEGSORT_PLACE_OUTPUT, GL_SEGSORT_PASS_ALWAYS);
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    uint32_t source = SEGSORT_PLACE_INPUT;
    for (uint32_t i = 0; i < count && result == GL_SEGSORT_SUCCESS; i++) {
        uint32_t rest = bits - i * SEGSORT_DIGIT_BITS;
        segsort_digit digit = {.begin_bit = begin_bit + i * SEGSORT_DIGIT_BITS,
                               .bit_count = rest < SEGSORT_DIGIT_BITS ? rest : SEGSORT_DIGIT_BITS,
                               .source = source,
                               .destination =
                                   (count - i) % 2 ? SEGSORT_PLACE_OUTPUT : SEGSORT_PLACE_SCRATCH,
                               .barriers = i == 0 ? 0 : GL_SEGSORT_BARRIER_STORAGE};
        if (i == 0 && digit.destination == SEGSORT_PLACE_OUTPUT) {
            segsort_digit in_place = digit;
            in_place.source = SEGSORT_PLACE_SCRATCH;
            in_place.condition = GL_SEGSORT_PASS_IN_PLACE;
            in_place.barriers = GL_SEGSORT_BARRIER_STORAGE;
            digit.condition = GL_SEGSORT_PASS_OUT_OF_PLACE;
            result = segsort_add_copy(builder, SEGSORT_PLACE_SCRATCH, GL_SEGSORT_PASS_IN_PLACE);
            if (result == GL_SEGSORT_SUCCESS)
                result = segsort_add_digit(builder, &in_place);
        }
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_add_digit(builder, &digit);
        source = digit.destination;
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */

gl_segsort_result segsort_size_scratch(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    segsort_scratch *scratch = &set->set->scratch;
    uint64_t rows = segsort_long_class(builder)->row_count;
    scratch->byte_offset = builder->plan->scratch_bytes;
    if (!builder->long_radix) {
        scratch->work_bytes = rows * 4;
    } else if (segsort_digit_count(builder) > 0) {
        scratch->key_bytes = rows * 4 * segsort_key_words(builder->types.key);
        scratch->value_bytes = rows * 4 * segsort_value_words(builder->types.value);
        scratch->work_bytes =
            ((uint64_t)segsort_counted_tiles(set) + set->chunk_count + set->long_count) *
                SEGSORT_DIGITS * 4 +
            segsort_split_bytes(builder);
    }
    const uint64_t sections[] = {scratch->key_bytes, scratch->value_bytes, scratch->work_bytes};
    uint64_t start = builder->desc->scratch.byte_offset + scratch->byte_offset;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; start += sections[i++])
        if (sections[i] > 0 && sections[i] + start % builder->limits->storage_alignment >
                                   builder->limits->storage_bytes)
            return segsort_fail(builder->error, GL_SEGSORT_ERROR_UNSUPPORTED,
                                "the scratch of %" PRIu64 " rows has a section of %" PRIu64
                                " bytes, over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                                rows, sections[i], builder->limits->storage_bytes);
    return GL_SEGSORT_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- */
/* Gathering */

uint64_t segsort_take_slots(const segsort_builder *builder, const segsort_class *class,
                            segsort_pass *pass)
{
    bool tiles = class == &builder->set.classes[builder->local_class_count];
    uint32_t rows = segsort_variant_tile_rows(&pass->variant);
    pass->width = pass->params.slot_rows = tiles ? builder->tile_rows : class->width;
    if (tiles) {
        pass->items = SEGSORT_ITEMS_TILES;
        pass->params.item_count = builder->set.tile_count;
        return builder->set.tile_count;
    }
    pass->slots = pass->params.slot_count = pass->width < rows ? rows / pass->width : 1;
    return ((uint64_t) class->segment_count + pass->slots - 1) / pass->slots;
}

/* A pass for each class. */
static gl_segsort_result segsort_add_gathers(segsort_builder *builder)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = builder->local_class_count + 1; i > 0 && result == GL_SEGSORT_SUCCESS; i--) {
        const segsort_class *class = &builder->set.classes[i - 1];
        if (class->segment_count == 0)
            continue;
        segsort_pass pass = segsort_make_pass(builder, SEGSORT_KERNEL_GATHER, 0, class);
        pass.variant = segsort_untyped_variant(SEGSORT_KERNEL_GATHER, SEGSORT_GATHER_ROWS);
        uint64_t groups = segsort_take_slots(builder, class, &pass);
        result = segsort_add_passes(builder, &builder->gather_passes, &pass, groups);
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */

/* Whatever depends on nothing comes first, so that it runs side by side: the long segments' first
 * pass, then the other segments from wide to narrow. */
gl_segsort_result segsort_list_passes(segsort_builder *builder)
{
    bool long_rows = builder->set.long_count > 0;
    bool network = long_rows && !builder->long_radix;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    if (network)
        result = segsort_add_block(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_pack_passes(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_local_passes(builder);
    if (result == GL_SEGSORT_SUCCESS && network)
        result = segsort_add_stages(builder);
    if (result == GL_SEGSORT_SUCCESS && builder->set.first_split > 0 && builder->long_radix)
        result = segsort_add_digits(builder);
    if (result == GL_SEGSORT_SUCCESS && builder->set.first_split < builder->set.long_count)
        result = segsort_add_split_passes(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_gathers(builder);
    return result;
}

/* Passes of a level run side by side; those of one kernel are neighbours, so that the program
 * changes seldom. */
static int segsort_compare_passes(const void *things, uint32_t a, uint32_t b)
{
    const segsort_pass *left = (const segsort_pass *)things + a;
    const segsort_pass *right = (const segsort_pass *)things + b;
    if (left->level != right->level)
        return left->level < right->level ? -1 : 1;
    if (left->variant.kernel != right->variant.kernel)
        return left->variant.kernel > right->variant.kernel ? -1 : 1;
    if (left->width != right->width)
        return left->width > right->width ? -1 : 1;
    return a < b ? -1 : a > b;
}

static gl_segsort_result segsort_order_list(segsort_builder *builder, segsort_pass_list *list)
{
    const gl_segsort_allocator *allocator = builder->allocator;
    if (list->count == 0)
        return GL_SEGSORT_SUCCESS;
    uint32_t *numbers = allocator->allocate(list->count * sizeof *numbers, allocator->user);
    segsort_pass *passes = allocator->allocate(list->count * sizeof *passes, allocator->user);
    bool allocated = numbers && passes;
    if (allocated) {
        for (uint32_t i = 0; i < list->count; i++)
            numbers[i] = i;
        segsort_numbers_sort(numbers, list->count, segsort_compare_passes, list->passes);
        for (uint32_t i = 0; i < list->count; i++)
            passes[i] = list->passes[numbers[i]];
        allocator->release(list->passes, allocator->user);
        list->passes = passes;
        list->capacity = list->count;
    } else if (passes) {
        allocator->release(passes, allocator->user);
    }
    if (numbers)
        allocator->release(numbers, allocator->user);
    return allocated ? GL_SEGSORT_SUCCESS : segsort_fail_memory(builder, "ordering the passes");
}

/* The passes of one set are in order, unless long segments are sorted in two ways. */
static bool segsort_is_in_order(const segsort_pass_list *list)
{
    for (uint32_t i = 1; i < list->count; i++)
        if (list->passes[i].level < list->passes[i - 1].level)
            return false;
    return true;
}

gl_segsort_result segsort_order_passes(segsort_builder *builder)
{
    if (builder->plan->set_count == 1 && segsort_is_in_order(&builder->passes))
        return GL_SEGSORT_SUCCESS;
    gl_segsort_result result = segsort_order_list(builder, &builder->passes);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_order_list(builder, &builder->gather_passes);
    return result;
}
