#include "recorded_places.h"

#include "generate.h"
#include "kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORK_SECTION SEGSORT_VIEW_WORD_WORK

static const char *const section_names[RECORDED_SECTIONS] = {
    "keys", "values", "output_keys", "output_values", "scratch keys", "scratch values", "work"};

static uint32_t key_bytes(gl_segsort_key_type type)
{
    return type == GL_SEGSORT_KEY_U64 ? 8 : 4;
}

static uint32_t value_bytes(gl_segsort_value_type type)
{
    return type == GL_SEGSORT_VALUE_NONE ? 0 : type == GL_SEGSORT_VALUE_U64 ? 8 : 4;
}

static uint32_t section_row_bytes(const gl_segsort_plan_desc *plan, int section)
{
    if (section % 2 == 0)
        return key_bytes(plan->key_type);
    if (section == 1 && plan->value_type == GL_SEGSORT_VALUE_INDEX)
        return 0;
    return value_bytes(plan->value_type);
}

/* Whether AUTO splits a segment of that length: with less than 48 KiB of shared memory, and by
 * recorded_context's tuning. */
static bool is_split(const gl_segsort_plan_desc *plan, uint64_t length)
{
    bool no_bits = plan->end_bit > 0 && plan->begin_bit == plan->end_bit;
    return plan->algorithm == GL_SEGSORT_ALGORITHM_AUTO && plan->step_limit == 0 && !no_bits &&
           length > SEGSORT_RADIX_LOCAL_MAX && length <= 95325;
}

uint64_t recorded_histograms(const gl_segsort_plan_desc *plan)
{
    uint64_t tiles = 0, chunks = 0, segments = 0;
    bool chunked = false;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        uint32_t length = plan->segments[i].length;
        if (length <= SEGSORT_RADIX_LOCAL_MAX)
            continue;
        uint32_t own = (length + SEGSORT_RADIX_TILE_ROWS - 1) / SEGSORT_RADIX_TILE_ROWS;
        tiles += own;
        segments++;
        if (is_split(plan, length))
            continue;
        chunks += (own + SEGSORT_CHUNK_TILES - 1) / SEGSORT_CHUNK_TILES;
        chunked = chunked || own > SEGSORT_CHUNK_TILES;
    }
    return tiles + (chunked ? chunks : 0) + segments;
}

/* Splitters are an ordered key and a row, one less than buckets, of which 256 rows get one. Bunches
 * of them, at most 2048 rows each and with a neighbour more, are a word each and two besides. Eight
 * tiles have 256 counts together. */
uint64_t recorded_split_bytes(const gl_segsort_plan_desc *plan)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        uint64_t length = plan->segments[i].length;
        uint64_t buckets = length / 256 < 256 ? length / 256 : 256;
        uint64_t bunches = 2 * ((length - 1) / 2048) + 1;
        bunches = bunches < buckets ? bunches : buckets;
        uint64_t sums = (length - 1) / (8 * SEGSORT_RADIX_TILE_ROWS) + 1;
        if (is_split(plan, length))
            bytes += buckets * (key_bytes(plan->key_type) + 4) + 4 * (bunches + 2) + 1024 * sums;
    }
    return bytes;
}

static void set_stream(struct recorded_section *section, const gl_segsort_plan_desc *plan,
                       const gl_segsort_view *view, int stream)
{
    uint64_t first = UINT64_MAX, end = 0;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        const gl_segsort_segment *segment = &plan->segments[i];
        const uint32_t offsets[] = {segment->keys_offset, segment->values_offset,
                                    segment->output_keys_offset, segment->output_values_offset};
        uint64_t segment_end = (uint64_t)offsets[stream] + segment->length;
        if (segment->length == 0)
            continue;
        first = offsets[stream] < first ? offsets[stream] : first;
        end = segment_end > end ? segment_end : end;
    }
    uint32_t row_bytes = section_row_bytes(plan, stream);
    *section = (struct recorded_section){.used = row_bytes > 0 && end > 0,
                                         .known = true,
                                         .buffer = view->buffer,
                                         .first_byte = view->byte_offset + first * row_bytes,
                                         .first_word = (uint32_t)(first * row_bytes / 4),
                                         .bytes = (end - first) * row_bytes};
}

struct recorded_places recorded_places_of(const gl_segsort_plan_desc *plan, uint32_t local_rows_max,
                                          const gl_segsort_sort_desc *sort)
{
    struct recorded_places places = {0};
    const gl_segsort_view *const views[] = {&sort->keys, &sort->values, &sort->output_keys,
                                            &sort->output_values};
    for (int i = 0; i < 4; i++)
        set_stream(&places.sections[i], plan, views[i], i);
    uint64_t long_rows = 0;
    for (uint32_t i = 0; i < plan->segment_count; i++)
        if (plan->segments[i].length > local_rows_max)
            long_rows += plan->segments[i].length;
    bool network = plan->algorithm == GL_SEGSORT_ALGORITHM_BITONIC;
    for (int i = 4; i < WORK_SECTION && !network; i++)
        places.sections[i].bytes = long_rows * section_row_bytes(plan, i);
    places.sections[WORK_SECTION].bytes =
        network ? 4 * long_rows
                : recorded_histograms(plan) * SEGSORT_DIGITS * 4 + recorded_split_bytes(plan);
    for (int i = 4; i < RECORDED_SECTIONS; i++)
        places.sections[i].used = places.sections[i].bytes > 0;
    return places;
}

struct recorded_places recorded_packed_places(const struct recorded_run *run,
                                              const gl_segsort_plan_desc *like,
                                              const uint32_t *lengths, uint32_t count,
                                              const gl_segsort_sort_desc *sort)
{
    gl_segsort_segment *segments = calloc(count ? count : 1, sizeof *segments);
    generate_packed_segments(lengths, count, 0, segments);
    gl_segsort_plan_desc desc = *like;
    desc.segments = segments;
    desc.segment_count = count;
    struct recorded_places places =
        recorded_places_of(&desc, run->description.local_rows_max, sort);
    free(segments);
    return places;
}

/* ---------------------------------------------------------------------------------------------- */

/* Which section a binding has to show, -1: none that rows are in. */
static int section_at(const struct fake_gl_dispatch *dispatch, int binding)
{
    uint32_t source = dispatch->params.source, destination = dispatch->params.destination;
    switch (binding) {
    case SEGSORT_BINDING_KEYS:
    case SEGSORT_BINDING_VALUES:
        return (int)(2 * source) + (binding - SEGSORT_BINDING_KEYS);
    case SEGSORT_BINDING_OUTPUT_KEYS:
    case SEGSORT_BINDING_OUTPUT_VALUES:
        return (int)(2 * destination) + (binding - SEGSORT_BINDING_OUTPUT_KEYS);
    case SEGSORT_BINDING_WORK:
        return WORK_SECTION;
    default:
        return -1;
    }
}

static const char *complain(const struct fake_gl_dispatch *dispatch, int section, const char *what,
                            uint64_t is, uint64_t expected)
{
    static char text[500];
    snprintf(text, sizeof text, "%s: %s: %s %" PRIu64 ", expected %" PRIu64,
             dispatch->program_label, section_names[section], what, is, expected);
    return text;
}

/* The scratch is the library's to divide: its sections only have to be there and stay there. */
static const char *learn_scratch(struct recorded_places *places,
                                 const struct fake_gl_dispatch *dispatch, int number,
                                 const struct fake_gl_binding *binding, uint64_t first_byte)
{
    struct recorded_section *section = &places->sections[number];
    const struct fake_gl_buffer *buffer = fake_gl_find_buffer(binding->buffer);
    if (!buffer || !strstr(buffer->label, "-scratch"))
        return complain(dispatch, number, "is no scratch, but buffer", binding->buffer, 0);
    if (places->scratch_buffer == 0)
        places->scratch_buffer = binding->buffer;
    if (!section->known) {
        section->known = true;
        section->buffer = places->scratch_buffer;
        section->first_byte = first_byte;
    }
    return NULL;
}

static const char *binding_problem(struct recorded_places *places,
                                   const struct fake_gl_dispatch *dispatch, int at)
{
    int number = section_at(dispatch, at);
    if (number < 0)
        return NULL;
    if (number >= RECORDED_SECTIONS)
        return complain(dispatch, 0, "is read from or written to place", (uint64_t)number / 2, 2);
    struct recorded_section *section = &places->sections[number];
    if (!section->used)
        return NULL;
    const struct fake_gl_binding *binding = &dispatch->storage[at];
    uint64_t start = (uint64_t)binding->start, alignment = (uint64_t)fake_gl.storage_alignment;
    /* The shader counts words in 32 bits, from a row 0 that may lie before the range. */
    uint32_t word = dispatch->view_word[number] + section->first_word;
    uint64_t first_byte = start + 4 * (uint64_t)word;
    const char *problem =
        number >= 4 ? learn_scratch(places, dispatch, number, binding, first_byte) : NULL;
    if (problem)
        return problem;
    if (binding->buffer != section->buffer)
        return complain(dispatch, number, "is in buffer", binding->buffer, section->buffer);
    if (start % alignment != 0)
        return complain(dispatch, number, "is bound unaligned, from byte", start, 0);
    if (start > section->first_byte || section->first_byte - start >= alignment)
        return complain(dispatch, number, "is bound from byte", start, section->first_byte);
    if (start + (uint64_t)binding->size != section->first_byte + section->bytes)
        return complain(dispatch, number, "is bound up to byte", start + (uint64_t)binding->size,
                        section->first_byte + section->bytes);
    if (first_byte != section->first_byte)
        return complain(dispatch, number, "has its first row at byte", first_byte,
                        section->first_byte);
    return NULL;
}

/* Whether the stream's output begins where its input does: no other one may share rows with it. */
static bool is_in_place(const struct recorded_places *places, int stream)
{
    const struct recorded_section *input = &places->sections[stream],
                                  *output = &places->sections[stream + 2];
    return input->used && output->used && input->buffer == output->buffer &&
           input->first_byte == output->first_byte;
}

const char *recorded_places_problem(struct recorded_places *places,
                                    const struct fake_gl_dispatch *dispatch)
{
    bool in_place = is_in_place(places, 0) || is_in_place(places, 1);
    if (dispatch->view_word[SEGSORT_VIEW_WORD_IN_PLACE] != in_place)
        return complain(dispatch, 0,
                        "is told to be in place:", dispatch->view_word[SEGSORT_VIEW_WORD_IN_PLACE],
                        in_place);
    for (int i = 0; i < SEGSORT_STORAGE_BINDINGS; i++) {
        const char *problem =
            fake_gl_uses(dispatch, i) ? binding_problem(places, dispatch, i) : NULL;
        if (problem)
            return problem;
    }
    return NULL;
}

const char *recorded_sections_problem(const struct recorded_places *places, size_t count)
{
    static char text[200];
    const size_t each = RECORDED_SECTIONS - 4;
    for (size_t i = 0; i < each * count; i++) {
        const struct recorded_section *a = &places[i / each].sections[4 + i % each];
        const struct fake_gl_buffer *scratch = fake_gl_find_buffer(a->buffer);
        if (!a->used || !a->known)
            continue;
        if (!scratch || a->first_byte + a->bytes > scratch->size) {
            snprintf(text, sizeof text, "%s of set %zu reaches past the scratch",
                     section_names[4 + i % each], i / each);
            return text;
        }
        for (size_t j = 0; j < i; j++) {
            const struct recorded_section *b = &places[j / each].sections[4 + j % each];
            if (!b->used || !b->known || a->first_byte >= b->first_byte + b->bytes ||
                b->first_byte >= a->first_byte + a->bytes)
                continue;
            snprintf(text, sizeof text, "%s of set %zu and %s of set %zu overlap",
                     section_names[4 + j % each], j / each, section_names[4 + i % each], i / each);
            return text;
        }
    }
    return NULL;
}

const char *recorded_all_places_problem(struct recorded_places *places)
{
    for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
        const char *problem = recorded_places_problem(places, &fake_gl.dispatches[i]);
        if (problem)
            return problem;
    }
    return recorded_sections_problem(places, 1);
}
