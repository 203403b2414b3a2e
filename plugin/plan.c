#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A class for each width from 2 up, and one behind them for segments longer than a work group sorts. */
#define SEGSORT_CLASSES_MAX 33

typedef struct segsort_class {
    uint32_t segment_count;
    uint64_t row_count;
    uint32_t first_word;   /* table word of its first segment */
    uint32_t next_segment; /* while the table is written */
} segsort_class;

typedef struct segsort_builder {
    const gl_segsort_plan_desc *desc;
    const segsort_limits *limits;
    const gl_segsort_allocator *allocator;
    segsort_error *error;
    segsort_plan *plan;
    segsort_class classes[SEGSORT_CLASSES_MAX];
    uint32_t local_class_count;
    uint32_t tile_rows;      /* of the segments in the long class */
    uint32_t tile_word;      /* table word of the first tile */
    uint32_t *long_segments; /* the long class, longest first */
    uint32_t long_count;
} segsort_builder;

static uint32_t segsort_ceil_log2(uint32_t n)
{
    uint32_t log2 = 0;
    while (log2 < 32 && ((uint64_t)1 << log2) < n)
        log2++;
    return log2;
}

/* One row shares the class of two. */
static uint32_t segsort_class_of(const segsort_builder *builder, uint32_t length)
{
    if (length > builder->plan->local_rows_max)
        return builder->local_class_count;
    return length <= 2 ? 0 : segsort_ceil_log2(length) - 1;
}

static uint32_t segsort_class_width(uint32_t number)
{
    return 2u << number;
}

static segsort_class *segsort_long_class(segsort_builder *builder)
{
    return &builder->classes[builder->local_class_count];
}

static uint64_t segsort_tile_count(const segsort_builder *builder, uint32_t length)
{
    return ((uint64_t)length + builder->tile_rows - 1) / builder->tile_rows;
}

/* ---------------------------------------------------------------------------------------------- */
/* The segment table */

static int segsort_compare_lengths(const gl_segsort_segment *segments, uint32_t a, uint32_t b)
{
    if (segments[a].length != segments[b].length)
        return segments[a].length > segments[b].length ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void segsort_sift_down(const gl_segsort_segment *segments, uint32_t *numbers, uint32_t root,
                              uint32_t count)
{
    for (;;) {
        uint32_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count &&
            segsort_compare_lengths(segments, numbers[child], numbers[child + 1]) < 0)
            child++;
        if (segsort_compare_lengths(segments, numbers[root], numbers[child]) >= 0)
            return;
        uint32_t swap = numbers[root];
        numbers[root] = numbers[child];
        numbers[child] = swap;
        root = child;
    }
}

/* Longest first: the segments that still take part in a stage are then a prefix. A heap sort, because qsort passes
 * no pointer to the lengths. */
static void segsort_sort_by_length(const gl_segsort_segment *segments, uint32_t *numbers,
                                   uint32_t count)
{
    for (uint32_t root = count / 2; root > 0; root--)
        segsort_sift_down(segments, numbers, root - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        uint32_t swap = numbers[0];
        numbers[0] = numbers[end - 1];
        numbers[end - 1] = swap;
        segsort_sift_down(segments, numbers, 0, end - 1);
    }
}

static void segsort_write_segment(uint32_t *words, const gl_segsort_segment *segment)
{
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        words[i] = segsort_segment_offset(segment, (segsort_stream)i);
    words[SEGSORT_STREAM_COUNT] = segment->length;
}

static void segsort_write_long_segments(segsort_builder *builder)
{
    const gl_segsort_segment *segments = builder->desc->segments;
    const segsort_class *class = segsort_long_class(builder);
    uint32_t *table = builder->plan->table;
    uint32_t *tile = table + builder->tile_word;
    uint32_t index_row = 0;
    for (uint32_t i = 0; i < builder->long_count; i++) {
        const gl_segsort_segment *segment = &segments[builder->long_segments[i]];
        segsort_write_segment(table + class->first_word + i * SEGSORT_SEGMENT_WORDS, segment);
        for (uint64_t row = 0; row < segment->length; row += builder->tile_rows) {
            tile[0] = i;
            tile[1] = (uint32_t)row;
            tile[2] = index_row + (uint32_t)row;
            tile += SEGSORT_TILE_WORDS;
        }
        index_row += segment->length;
    }
}

static gl_segsort_result segsort_fail_memory(const segsort_builder *builder, const char *what)
{
    return segsort_fail(builder->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                        "out of memory for %s of a plan with %" PRIu32 " segments", what,
                        builder->desc->segment_count);
}

static gl_segsort_result segsort_lay_out_table(segsort_builder *builder)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i <= builder->local_class_count; i++) {
        builder->classes[i].first_word = (uint32_t)words;
        words += (uint64_t)builder->classes[i].segment_count * SEGSORT_SEGMENT_WORDS;
    }
    builder->tile_word = (uint32_t)words;
    for (uint32_t i = 0; i < builder->long_count; i++) {
        uint32_t length = builder->desc->segments[builder->long_segments[i]].length;
        words += segsort_tile_count(builder, length) * SEGSORT_TILE_WORDS;
    }
    uint64_t index_rows = segsort_long_class(builder)->row_count;
    if (words * 4 > builder->limits->storage_bytes ||
        index_rows * 4 > builder->limits->storage_bytes)
        return segsort_fail(builder->error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "the table of %" PRIu32 " segments takes %" PRIu64
                            " bytes and the scratch %" PRIu64
                            "; GL_MAX_SHADER_STORAGE_BLOCK_SIZE is %" PRIu64,
                            builder->desc->segment_count, words * 4, index_rows * 4,
                            builder->limits->storage_bytes);
    builder->plan->table_words = words;
    builder->plan->index_rows = index_rows;
    return GL_SEGSORT_SUCCESS;
}

static void segsort_count_classes(segsort_builder *builder)
{
    const gl_segsort_plan_desc *desc = builder->desc;
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        uint32_t length = desc->segments[i].length;
        if (length == 0)
            continue;
        segsort_class *class = &builder->classes[segsort_class_of(builder, length)];
        class->segment_count++;
        class->row_count += length;
    }
}

static gl_segsort_result segsort_list_long_segments(segsort_builder *builder)
{
    const gl_segsort_plan_desc *desc = builder->desc;
    uint32_t count = segsort_long_class(builder)->segment_count;
    if (count == 0)
        return GL_SEGSORT_SUCCESS;
    builder->long_segments = builder->allocator->allocate(count * sizeof *builder->long_segments,
                                                          builder->allocator->user);
    if (!builder->long_segments)
        return segsort_fail_memory(builder, "the long segments");
    for (uint32_t i = 0; i < desc->segment_count; i++)
        if (desc->segments[i].length > builder->plan->local_rows_max)
            builder->long_segments[builder->long_count++] = i;
    segsort_sort_by_length(desc->segments, builder->long_segments, builder->long_count);
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_build_table(segsort_builder *builder)
{
    const gl_segsort_plan_desc *desc = builder->desc;
    segsort_count_classes(builder);
    gl_segsort_result result = segsort_list_long_segments(builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_lay_out_table(builder);
    if (result != GL_SEGSORT_SUCCESS || builder->plan->table_words == 0)
        return result;
    builder->plan->table = builder->allocator->allocate((size_t)builder->plan->table_words * 4,
                                                        builder->allocator->user);
    if (!builder->plan->table)
        return segsort_fail_memory(builder, "the segment table");
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        const gl_segsort_segment *segment = &desc->segments[i];
        if (segment->length == 0 || segment->length > builder->plan->local_rows_max)
            continue;
        segsort_class *class = &builder->classes[segsort_class_of(builder, segment->length)];
        uint32_t at = class->first_word + class->next_segment++ * SEGSORT_SEGMENT_WORDS;
        segsort_write_segment(builder->plan->table + at, segment);
    }
    segsort_write_long_segments(builder);
    return GL_SEGSORT_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- */
/* Passes */

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
    else
        snprintf(end, left, "-%" PRIu32, pass->variant.width);
}

/* Adds a pass of so many work groups, in as many dispatches as the limits call for: one, on any GL there is. */
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

static gl_segsort_result segsort_add_local_passes(segsort_builder *builder)
{
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = builder->local_class_count; i > 0 && result == GL_SEGSORT_SUCCESS; i--) {
        const segsort_class *class = &builder->classes[i - 1];
        if (class->segment_count == 0)
            continue;
        segsort_pass pass = {
            .variant = {.kernel = SEGSORT_KERNEL_BITONIC_LOCAL,
                        .width = segsort_class_width(i - 1),
                        .direction = builder->desc->direction},
            .params = {.item_count = class->segment_count, .segment_word = class->first_word},
            .segment_count = class->segment_count,
            .row_count = class->row_count};
        uint32_t slots = segsort_variant_tile_rows(&pass.variant) / pass.variant.width;
        result = segsort_add_passes(builder, &pass,
                                    ((uint64_t) class->segment_count + slots - 1) / slots);
    }
    return result;
}

/* The long segments that a stage still has work for are those longer than half of it. */
static gl_segsort_result segsort_add_long_pass(segsort_builder *builder, segsort_kernel_id kernel,
                                               uint64_t stage, uint64_t stride,
                                               uint64_t partner_mask)
{
    const segsort_class *class = segsort_long_class(builder);
    uint64_t tiles = 0, rows = 0;
    uint32_t count = 0;
    while (count < builder->long_count) {
        uint32_t length = builder->desc->segments[builder->long_segments[count]].length;
        if (length <= stage / 2)
            break;
        tiles += segsort_tile_count(builder, length);
        rows += length;
        count++;
    }
    segsort_pass pass = {.variant = {.kernel = kernel,
                                     .width = builder->tile_rows,
                                     .direction = builder->desc->direction},
                         .params = {.item_count = (uint32_t)tiles,
                                    .segment_word = class->first_word,
                                    .tile_word = builder->tile_word,
                                    .partner_mask = (uint32_t)partner_mask},
                         .barriers = stage > 0 ? GL_SEGSORT_BARRIER_STORAGE : 0,
                         .stage = (uint32_t)stage,
                         .stride = (uint32_t)stride,
                         .segment_count = count,
                         .row_count = rows};
    return segsort_add_passes(builder, &pass, tiles);
}

static gl_segsort_result segsort_add_stages(segsort_builder *builder)
{
    uint64_t tile_rows = builder->tile_rows;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint64_t stage = 2 * tile_rows; stage / 2 < builder->plan->layout.longest; stage *= 2) {
        /* The reflected step compares rows stage - 1, stage - 3, ... 1 apart; its stride is called stage / 2. */
        result = segsort_add_long_pass(builder, SEGSORT_KERNEL_BITONIC_STEP, stage, stage / 2,
                                       stage - 1);
        for (uint64_t stride = stage / 4; stride >= tile_rows && result == GL_SEGSORT_SUCCESS;
             stride /= 2)
            result =
                segsort_add_long_pass(builder, SEGSORT_KERNEL_BITONIC_STEP, stage, stride, stride);
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_add_long_pass(builder, SEGSORT_KERNEL_BITONIC_MERGE, stage, 0, 0);
        if (result != GL_SEGSORT_SUCCESS)
            break;
    }
    return result;
}

/* Whatever depends on nothing comes first, so that it runs side by side: the long segments' tiles, then the
 * other segments from wide to narrow. */
static gl_segsort_result segsort_build_passes(segsort_builder *builder)
{
    bool any_long = builder->long_count > 0;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    if (any_long)
        result = segsort_add_long_pass(builder, SEGSORT_KERNEL_BITONIC_BLOCK, 0, 0, 0);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_local_passes(builder);
    if (result == GL_SEGSORT_SUCCESS && any_long)
        result = segsort_add_stages(builder);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */

gl_segsort_result segsort_plan_build(const gl_segsort_plan_desc *desc, const segsort_layout *layout,
                                     const segsort_limits *limits,
                                     const gl_segsort_allocator *allocator, segsort_plan *plan,
                                     segsort_error *error)
{
    *plan = (segsort_plan){.layout = *layout};
    plan->local_rows_max =
        segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, limits->shared_bytes);
    segsort_builder builder = {
        .desc = desc, .limits = limits, .allocator = allocator, .error = error, .plan = plan};
    builder.local_class_count = segsort_ceil_log2(plan->local_rows_max);
    builder.tile_rows =
        segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_MERGE, limits->shared_bytes);
    gl_segsort_result result = segsort_build_table(&builder);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_build_passes(&builder);
    if (builder.long_segments)
        allocator->release(builder.long_segments, allocator->user);
    if (result != GL_SEGSORT_SUCCESS)
        segsort_plan_release(plan, allocator);
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
    *plan = (segsort_plan){0};
}
