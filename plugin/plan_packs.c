#include "plan_build.h"

#include <string.h>

/* A pack that more segments may join. */
typedef struct segsort_open_pack {
    const gl_segsort_segment *first;
    uint32_t rows;
    uint32_t *record; /* in the table, when it is written */
} segsort_open_pack;

/* ---------------------------------------------------------------------------------------------- */
/* Equal segments */

/* Whether a segment begins, in every stream that is used, so many rows behind another one's. */
static bool segsort_lies_behind(const segsort_builder *builder, const gl_segsort_segment *segment,
                                const gl_segsort_segment *first, uint64_t rows)
{
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        if (builder->set.set->layout.row_bytes[i] > 0 &&
            segsort_segment_offset(segment, (segsort_stream)i) !=
                segsort_segment_offset(first, (segsort_stream)i) + rows)
            return false;
    return true;
}

/* The length that all segments have when they lie one behind the other, else 0. */
static uint32_t segsort_find_equal_length(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    const gl_segsort_segment *segments = set->segments;
    uint32_t length = segments[0].length;
    for (uint32_t i = 1; i < set->segment_count; i++)
        if (segments[i].length != length ||
            !segsort_lies_behind(builder, &segments[i], &segments[0], (uint64_t)i * length))
            return 0;
    return length;
}

/* The narrowest pack that segments of such a length fill to nine tenths, or of which there are few,
 * since then a card runs all of them at a time and narrow ones are done sooner; or else the one
 * that they fill best. */
static uint32_t segsort_equal_width(const segsort_builder *builder, uint32_t length)
{
    uint32_t best = 0, segment_count = builder->set.segment_count;
    uint64_t best_rows = 0;
    for (uint32_t width = SEGSORT_BUCKET_MIN; width <= builder->pack_rows_max; width *= 2) {
        uint32_t segments = width / length;
        uint64_t rows = (uint64_t)segments * length;
        bool few = segments > 0 && (segment_count - 1) / segments < builder->tuning.packs_few;
        if (10 * rows >= 9 * (uint64_t)width || few)
            return width;
        /* Of each row's worth of the pack. */
        if (best == 0 || rows * best > best_rows * width) {
            best = width;
            best_rows = rows;
        }
    }
    return best;
}

static bool segsort_is_quads_length(const segsort_builder *builder, uint32_t length)
{
    const segsort_tuning *tuning = &builder->tuning;
    /* As long as no subgroup is known it is asked for: the plan's kernels tell what has to be tested. */
    bool lanes = builder->limits->subgroup_size > 0
                     ? segsort_takes_subgroups(builder, SEGSORT_KERNEL_RANK_QUADS, length)
                     : segsort_plan_wants_subgroup(builder->limits, SEGSORT_KERNEL_RANK_QUADS);
    return length >= (lanes ? tuning->lane_quads_rows_min : tuning->quads_rows_min) &&
           length <= tuning->quads_rows_max && length % 4 == 0 &&
           segsort_key_words(builder->types.key) == 1;
}

static segsort_pack_class segsort_equal_class(const segsort_builder *builder, uint32_t length)
{
    const segsort_tuning *tuning = &builder->tuning;
    segsort_pack_class class = {
        .kernel = SEGSORT_KERNEL_BUCKET_EQUAL, .width = length, .equal_length = length};
    if (segsort_is_quads_length(builder, length))
        class.kernel = SEGSORT_KERNEL_RANK_QUADS;
    else if (length <= tuning->rank_rows_max)
        class.kernel = SEGSORT_KERNEL_RANK_LOCAL;
    else
        class.width = segsort_equal_width(builder, length);
    const segsort_variant variant = {.kernel = class.kernel,
                                     .width = class.width,
                                     .threads =
                                         segsort_tuning_threads(tuning, class.kernel, class.width)};
    class.pack_segments = segsort_variant_tile_rows(&variant) / length;
    class.segment_count = builder->set.segment_count;
    class.row_count = (uint64_t)length * class.segment_count;
    class.pack_count = class.segment_count / class.pack_segments +
                       (class.segment_count % class.pack_segments != 0);
    return class;
}

/* ---------------------------------------------------------------------------------------------- */
/* Other segments */

static segsort_pack_class *segsort_pack_class_of(segsort_builder *builder, uint32_t length)
{
    segsort_set_builder *set = &builder->set;
    if (length == 0 || length > builder->pack_rows_max)
        return NULL;
    uint32_t number = 0;
    while (number + 1 < set->pack_class_count && set->packs[number].width < length)
        number++;
    return &set->packs[number];
}

static bool segsort_joins_pack(const segsort_builder *builder, const segsort_open_pack *pack,
                               const gl_segsort_segment *segment, uint32_t width)
{
    return pack->first && pack->rows + segment->length <= width &&
           segsort_lies_behind(builder, segment, pack->first, pack->rows);
}

static uint32_t *segsort_start_record(const segsort_builder *builder, segsort_pack_class *class)
{
    uint32_t *record = builder->plan->table + class->next_word;
    class->next_word += SEGSORT_PACK_WORDS(class->width);
    memset(record, 0, SEGSORT_PACK_WORDS(class->width) * sizeof *record);
    return record;
}

/* A segment at the pack's end. */
static void segsort_record_segment(const segsort_open_pack *pack, const segsort_pack_class *class,
                                   uint32_t length)
{
    uint32_t *starts = pack->record + SEGSORT_PACK_HEAD_WORDS;
    uint32_t word = pack->rows / 32;
    for (int s = 0; s < SEGSORT_STREAM_COUNT; s++)
        pack->record[s] = segsort_segment_offset(pack->first, (segsort_stream)s);
    pack->record[SEGSORT_STREAM_COUNT] = pack->rows + length;
    starts[word] |= 1u << pack->rows % 32;
    starts[SEGSORT_PACK_START_WORDS(class->width) + word / 32] |= 1u << word % 32;
}

/* Goes through the segments and has each join its class's pack, or start another one: counts them,
 * or writes their records. */
static void segsort_fill_packs(segsort_builder *builder, bool write)
{
    segsort_set_builder *set = &builder->set;
    segsort_open_pack open[SEGSORT_PACK_CLASSES_MAX] = {{0}};
    for (uint32_t i = 0; i < set->segment_count; i++) {
        const gl_segsort_segment *segment = &set->segments[i];
        segsort_pack_class *class = segsort_pack_class_of(builder, segment->length);
        if (!class || (write && !class->used))
            continue;
        segsort_open_pack *pack = &open[class - set->packs];
        bool joins = segsort_joins_pack(builder, pack, segment, class->width);
        if (!joins)
            *pack = (segsort_open_pack){
                .first = segment, .record = write ? segsort_start_record(builder, class) : NULL};
        if (write) {
            segsort_record_segment(pack, class, segment->length);
        } else {
            class->pack_count += !joins;
            class->segment_count++;
            class->row_count += segment->length;
        }
        pack->rows += segment->length;
    }
}

/* Packs with fewer rows than a part of what fits leave so many invocations idle that slots or the
 * network, whose work groups take segments from anywhere, are faster: where there are more of them
 * than a card runs at a time. */
static bool segsort_packs_pay(const segsort_builder *builder, const segsort_pack_class *class)
{
    uint32_t few = builder->tuning.packs_few, fill = builder->tuning.pack_fill;
    return class->pack_count > 0 &&
           (class->pack_count <= few ||
            class->row_count * 100 >= (uint64_t) class->pack_count * class->width * fill);
}

/* ---------------------------------------------------------------------------------------------- */

bool segsort_is_packed(segsort_builder *builder, uint32_t length)
{
    const segsort_set_builder *set = &builder->set;
    if (set->pack_class_count == 0)
        return false;
    if (set->packs[0].equal_length > 0)
        return true;
    const segsort_pack_class *class = segsort_pack_class_of(builder, length);
    return class && class->used;
}

void segsort_count_packs(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    if (builder->pack_rows_max == 0 || set->set->layout.row_count == 0)
        return;
    uint32_t equal_length = segsort_find_equal_length(builder);
    if (equal_length > 0 && equal_length <= builder->pack_rows_max) {
        set->packs[0] = segsort_equal_class(builder, equal_length);
        set->packs[0].used = true;
        set->pack_class_count = 1;
        return;
    }
    for (uint32_t width = SEGSORT_BUCKET_MIN; width <= builder->pack_rows_max; width *= 2)
        set->packs[set->pack_class_count++] =
            (segsort_pack_class){.kernel = SEGSORT_KERNEL_BUCKET_LOCAL, .width = width};
    segsort_fill_packs(builder, false);
    for (uint32_t i = 0; i < set->pack_class_count; i++)
        set->packs[i].used = segsort_packs_pay(builder, &set->packs[i]);
}

uint64_t segsort_lay_out_packs(segsort_builder *builder, uint64_t word)
{
    segsort_set_builder *set = &builder->set;
    for (uint32_t i = 0; i < set->pack_class_count; i++) {
        segsort_pack_class *class = &set->packs[i];
        if (!class->used)
            continue;
        class->first_word = class->next_word = (uint32_t)word;
        if (class->equal_length == 0)
            word += (uint64_t) class->pack_count * SEGSORT_PACK_WORDS(class->width);
    }
    return word;
}

void segsort_write_packs(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    if (set->pack_class_count > 0 && set->packs[0].equal_length == 0)
        segsort_fill_packs(builder, true);
}

static void segsort_set_equal(segsort_pass *pass, const segsort_pack_class *packs,
                              const gl_segsort_segment *first)
{
    struct segsort_pass_params *params = &pass->params;
    pass->slots = params->slot_count = packs->pack_segments;
    params->slot_rows = packs->equal_length;
    /* Rows of their own need no quotient, and 2^32 has no word. */
    params->slot_inverse = packs->equal_length > 1 ? UINT32_MAX / packs->equal_length + 1 : 0;
    params->equal_keys = segsort_segment_offset(first, SEGSORT_STREAM_KEYS);
    params->equal_values = segsort_segment_offset(first, SEGSORT_STREAM_VALUES);
    params->equal_output_keys = segsort_segment_offset(first, SEGSORT_STREAM_OUTPUT_KEYS);
    params->equal_output_values = segsort_segment_offset(first, SEGSORT_STREAM_OUTPUT_VALUES);
    params->equal_rows = (uint32_t)packs->row_count;
}

gl_segsort_result segsort_add_pack_passes(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    for (uint32_t i = set->pack_class_count; i > 0 && result == GL_SEGSORT_SUCCESS; i--) {
        const segsort_pack_class *packs = &set->packs[i - 1];
        const segsort_class class = {.kernel = packs->kernel,
                                     .width = packs->width,
                                     .segment_count = packs->segment_count,
                                     .row_count = packs->row_count,
                                     .first_word = packs->first_word};
        if (!packs->used)
            continue;
        segsort_pass pass = segsort_make_pass(builder, class.kernel, class.width, &class);
        pass.params.item_count = packs->pack_count;
        if (packs->equal_length > 0)
            segsort_set_equal(&pass, packs, &set->segments[0]);
        result = segsort_add_leveled(builder, &pass, packs->pack_count);
    }
    return result;
}
