#include "plan_build.h"

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

static segsort_pass *segsort_add_pass(segsort_builder *builder)
{
    segsort_plan *plan = builder->plan;
    if (plan->pass_count == plan->pass_capacity) {
        uint32_t capacity = plan->pass_capacity ? 2 * plan->pass_capacity : 16;
        const gl_segsort_allocator *allocator = builder->allocator;
        segsort_pass *passes = allocator->allocate(capacity * sizeof *passes, allocator->user);
        if (!passes)
            return NULL;
        if (plan->passes) {
            memcpy(passes, plan->passes, plan->pass_count * sizeof *passes);
            allocator->release(plan->passes, allocator->user);
        }
        plan->passes = passes;
        plan->pass_capacity = capacity;
    }
    return &plan->passes[plan->pass_count++];
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
        snprintf(end, left, "-%" PRIu32, pass->variant.width);
}

/* Adds a pass of so many work groups, in as many dispatches as the limits call for: one, on any GL
 * there is. */
static gl_segsort_result segsort_add_passes(segsort_builder *builder, const segsort_pass *like,
                                            uint64_t groups)
{
    const uint32_t *limits = builder->limits->work_groups;
    uint64_t dispatch_max = (uint64_t)limits[0] * limits[1];
    dispatch_max = dispatch_max > UINT32_MAX ? UINT32_MAX : dispatch_max * limits[2];
    for (uint64_t first = 0; first < groups; first += dispatch_max) {
        segsort_pass *pass = segsort_add_pass(builder);
        if (!pass)
            return segsort_fail_memory(builder, "the passes");
        *pass = *like;
        pass->params.first_group = (uint32_t)first;
        pass->barriers = first == 0 ? like->barriers : 0;
        uint64_t rest = groups - first;
        segsort_fold_groups(rest < dispatch_max ? rest : dispatch_max, limits, pass->work_groups);
        segsort_write_label(builder, pass);
    }
    return GL_SEGSORT_SUCCESS;
}

static segsort_variant segsort_make_variant(const segsort_builder *builder,
                                            segsort_kernel_id kernel, uint32_t width)
{
    uint32_t key_bits = 32 * segsort_key_words(builder->types.key);
    return (segsort_variant){.kernel = kernel,
                             .width = width,
                             .direction = builder->desc->direction,
                             .types = builder->types,
                             .masked = segsort_kernel_is_network(kernel) &&
                                       builder->plan->layout.bit_count < key_bits};
}

/* What the passes of a class have in common. */
static segsort_pass segsort_make_pass(const segsort_builder *builder, segsort_kernel_id kernel,
                                      uint32_t width, const segsort_class *class)
{
    const segsort_layout *layout = &builder->plan->layout;
    uint64_t mask =
        layout->bit_count == 0 ? 0 : UINT64_MAX >> (64 - layout->bit_count) << layout->begin_bit;
    return (segsort_pass){.variant = segsort_make_variant(builder, kernel, width),
                          .params = {.item_count = class->segment_count,
                                     .segment_word = class->first_word,
                                     .tile_word = builder->tile_word,
                                     .key_mask_low = (uint32_t)mask,
                                     .key_mask_high = (uint32_t)(mask >> 32),
                                     .source = SEGSORT_PLACE_INPUT,
                                     .destination = SEGSORT_PLACE_OUTPUT,
                                     .long_word = builder->long_word,
                                     .chunk_word = builder->chunk_word},
                          .segment_count = class->segment_count,
                          .row_count = class->row_count};
}

/* ---------------------------------------------------------------------------------------------- */
/* Segments that one work group sorts */

static gl_segsort_result segsort_add_local_passes(segsort_builder *builder)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = builder->local_class_count; i > 0 && result == GL_SEGSORT_SUCCESS; i--) {
        const segsort_class *class = &builder->classes[i - 1];
        if (class->segment_count == 0)
            continue;
        segsort_pass pass = segsort_make_pass(builder, class->kernel, class->width, class);
        if (class->kernel == SEGSORT_KERNEL_RADIX_LOCAL) {
            pass.params.digit_shift = builder->plan->layout.begin_bit;
            pass.params.digit_bits = builder->plan->layout.bit_count;
        }
        uint32_t slots = segsort_variant_tile_rows(&pass.variant) / pass.variant.width;
        uint64_t groups = ((uint64_t) class->segment_count + slots - 1) / slots;
        result = segsort_add_passes(builder, &pass, groups);
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* The network across work groups */

/* The long segments that a stage still has work for are those longer than half of it. */
static gl_segsort_result segsort_add_network_pass(segsort_builder *builder,
                                                  segsort_kernel_id kernel, uint64_t stage,
                                                  uint64_t stride, uint64_t partner_mask)
{
    segsort_pass pass =
        segsort_make_pass(builder, kernel, builder->tile_rows, segsort_long_class(builder));
    pass.params.item_count = pass.segment_count = 0;
    pass.row_count = 0;
    while (pass.segment_count < builder->long_count) {
        uint32_t length =
            builder->desc->segments[builder->long_segments[pass.segment_count]].length;
        if (length <= stage / 2)
            break;
        pass.params.item_count += segsort_tile_count(builder, length);
        pass.row_count += length;
        pass.segment_count++;
    }
    pass.params.partner_mask = (uint32_t)partner_mask;
    if (kernel != SEGSORT_KERNEL_BITONIC_BLOCK)
        pass.params.source = SEGSORT_PLACE_OUTPUT;
    pass.barriers = stage > 0 ? GL_SEGSORT_BARRIER_STORAGE : 0;
    pass.stage = (uint32_t)stage;
    pass.stride = (uint32_t)stride;
    return segsort_add_passes(builder, &pass, pass.params.item_count);
}

static gl_segsort_result segsort_add_stages(segsort_builder *builder)
{
    uint64_t tile_rows = builder->tile_rows;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint64_t stage = 2 * tile_rows; stage / 2 < builder->plan->layout.longest; stage *= 2) {
        /* The reflected step compares rows stage - 1, stage - 3, ... 1 apart; its stride is called
         * stage / 2. */
        result = segsort_add_network_pass(builder, SEGSORT_KERNEL_BITONIC_STEP, stage, stage / 2,
                                          stage - 1);
        for (uint64_t stride = stage / 4; stride >= tile_rows && result == GL_SEGSORT_SUCCESS;
             stride /= 2)
            result = segsort_add_network_pass(builder, SEGSORT_KERNEL_BITONIC_STEP, stage, stride,
                                              stride);
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_add_network_pass(builder, SEGSORT_KERNEL_BITONIC_MERGE, stage, 0, 0);
        if (result != GL_SEGSORT_SUCCESS)
            break;
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------- */
/* The radix sort across work groups */

/* One digit: from where to where, and under which condition. */
typedef struct segsort_digit {
    uint32_t begin_bit, bit_count;
    uint32_t source, destination;
    gl_segsort_pass_condition condition;
    uint32_t barriers; /* before its first pass */
} segsort_digit;

static gl_segsort_result segsort_add_digit_pass(segsort_builder *builder,
                                                const segsort_digit *digit,
                                                segsort_kernel_id kernel, uint32_t item_count,
                                                uint32_t barriers)
{
    segsort_pass pass =
        segsort_make_pass(builder, kernel, builder->tile_rows, segsort_long_class(builder));
    pass.condition = digit->condition;
    pass.barriers = barriers;
    pass.begin_bit = digit->begin_bit;
    pass.bit_count = digit->bit_count;
    pass.params.item_count = item_count;
    pass.params.source = digit->source;
    pass.params.destination = digit->destination;
    pass.params.digit_shift = digit->begin_bit;
    pass.params.digit_bits = digit->bit_count;
    if (builder->chunk_count > 0)
        pass.params.chunk_counts = builder->tile_count * SEGSORT_DIGITS;
    pass.params.digit_starts = (builder->tile_count + builder->chunk_count) * SEGSORT_DIGITS;
    return segsort_add_passes(builder, &pass, item_count);
}

static gl_segsort_result segsort_add_digit(segsort_builder *builder, const segsort_digit *digit)
{
    const uint32_t storage = GL_SEGSORT_BARRIER_STORAGE;
    gl_segsort_result result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_COUNT,
                                                      builder->tile_count, digit->barriers);
    if (result == GL_SEGSORT_SUCCESS && builder->chunk_count > 0)
        result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_CHUNK,
                                        builder->chunk_count, storage);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_SPINE,
                                        builder->long_count, storage);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_digit_pass(builder, digit, SEGSORT_KERNEL_RADIX_SCATTER,
                                        builder->tile_count, storage);
    return result;
}

static gl_segsort_result segsort_add_copy(segsort_builder *builder, uint32_t destination,
                                          gl_segsort_pass_condition condition)
{
    segsort_pass pass = segsort_make_pass(builder, SEGSORT_KERNEL_COPY_ROWS, builder->tile_rows,
                                          segsort_long_class(builder));
    pass.condition = condition;
    pass.params.item_count = builder->tile_count;
    pass.params.destination = destination;
    return segsort_add_passes(builder, &pass, builder->tile_count);
}

/* Digits go back and forth between scratch and outputs so that the last one lands in the outputs.
 * An odd number of them starts with a step from the inputs to the outputs, which can't be done in
 * place: then the rows are moved to the scratch first. */
static gl_segsort_result segsort_add_digits(segsort_builder *builder)
{
    const segsort_layout *layout = &builder->plan->layout;
    uint32_t count = (layout->bit_count + SEGSORT_DIGIT_BITS - 1) / SEGSORT_DIGIT_BITS;
    if (count == 0)
        return segsort_add_copy(builder, SEGSORT_PLACE_OUTPUT, GL_SEGSORT_PASS_ALWAYS);
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    uint32_t source = SEGSORT_PLACE_INPUT;
    for (uint32_t i = 0; i < count && result == GL_SEGSORT_SUCCESS; i++) {
        uint32_t rest = layout->bit_count - i * SEGSORT_DIGIT_BITS;
        segsort_digit digit = {.begin_bit = layout->begin_bit + i * SEGSORT_DIGIT_BITS,
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

static gl_segsort_result segsort_size_scratch(segsort_builder *builder)
{
    segsort_scratch *scratch = &builder->plan->scratch;
    uint64_t rows = segsort_long_class(builder)->row_count;
    if (builder->long_radix) {
        scratch->key_bytes = rows * 4 * segsort_key_words(builder->types.key);
        scratch->value_bytes = rows * 4 * segsort_value_words(builder->types.value);
        scratch->work_bytes =
            ((uint64_t)builder->tile_count + builder->chunk_count + builder->long_count) *
            SEGSORT_DIGITS * 4;
    } else {
        scratch->work_bytes = rows * 4;
    }
    const uint64_t sections[] = {scratch->key_bytes, scratch->value_bytes, scratch->work_bytes};
    uint64_t start = 0;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; start += sections[i++])
        if (sections[i] > 0 && sections[i] + start % builder->limits->storage_alignment >
                                   builder->limits->storage_bytes)
            return segsort_fail(builder->error, GL_SEGSORT_ERROR_UNSUPPORTED,
                                "the scratch of %" PRIu64 " rows has a section of %" PRIu64
                                " bytes, over GL_MAX_SHADER_STORAGE_BLOCK_SIZE, %" PRIu64,
                                rows, sections[i], builder->limits->storage_bytes);
    return GL_SEGSORT_SUCCESS;
}

/* Whatever depends on nothing comes first, so that it runs side by side: the long segments' first
 * pass, then the other segments from wide to narrow. */
gl_segsort_result segsort_build_passes(segsort_builder *builder)
{
    bool network = builder->long_count > 0 && !builder->long_radix;
    gl_segsort_result result = segsort_size_scratch(builder);
    if (result == GL_SEGSORT_SUCCESS && network)
        result = segsort_add_network_pass(builder, SEGSORT_KERNEL_BITONIC_BLOCK, 0, 0, 0);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_local_passes(builder);
    if (result == GL_SEGSORT_SUCCESS && network)
        result = segsort_add_stages(builder);
    if (result == GL_SEGSORT_SUCCESS && builder->long_count > 0 && builder->long_radix)
        result = segsort_add_digits(builder);
    return result;
}
