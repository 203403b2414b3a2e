/* Layer 4: gathering. Records are moved into the order that a sort found, against the CPU reference;
 * every byte of every buffer is compared, guard words included. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define SEGMENTS_MAX 64

static struct test_gl test;

/* ---------------------------------------------------------------------------------------------- */
/* A sort and what is gathered by it */

struct gather_case {
    struct sort_case sort; /* of VALUE_INDEX, or of VALUE_U32 with the indices that base means */
    uint32_t record_words;
    gl_segsort_index_base base;
    uint32_t more_records;                  /* than the segments reach */
    uint32_t records_offset, output_offset; /* in bytes */
};

struct gather_buffers {
    const struct gather_case *of;
    struct sort_buffers sort;
    uint32_t *values; /* of a sort with VALUE_U32 */
    struct guarded records, output;
    size_t record_rows, output_rows;
};

/* Rows that segments reach where keys lie, where values do and where output keys do. */
static size_t rows_reached(const struct sort_case *sort, int stream)
{
    size_t end = 0;
    for (uint32_t i = 0; i < sort->segment_count; i++) {
        const gl_segsort_segment *s = &sort->segments[i];
        const uint32_t offsets[] = {s->keys_offset, s->values_offset, s->output_keys_offset};
        if (s->length > 0 && (size_t)offsets[stream] + s->length > end)
            end = (size_t)offsets[stream] + s->length;
    }
    return end;
}

/* Each row's own number, counted from where the base says. */
static uint32_t *make_values(const struct gather_case *of)
{
    size_t rows = rows_reached(&of->sort, SORT_VALUES);
    uint32_t *values = guarded_allocate(4 * rows);
    memset(values, 0xcd, 4 * rows);
    for (uint32_t i = 0; i < of->sort.segment_count; i++) {
        const gl_segsort_segment *s = &of->sort.segments[i];
        uint32_t first = of->base == GL_SEGSORT_INDEX_IN_VIEW ? s->keys_offset : 0;
        for (uint32_t row = 0; row < s->length; row++)
            values[s->values_offset + row] = first + row;
    }
    return values;
}

/* What a gather has to do with these indices, which lie as output values do. */
static void expect(struct gather_buffers *buffers, const uint32_t *indices)
{
    const struct gather_case *of = buffers->of;
    uint32_t *ordered = guarded_expect(&buffers->output);
    size_t words = of->record_words;
    for (uint32_t i = 0; i < of->sort.segment_count; i++) {
        const gl_segsort_segment *s = &of->sort.segments[i];
        bool in_view = of->base == GL_SEGSORT_INDEX_IN_VIEW;
        const uint32_t *records = guarded_before(&buffers->records);
        for (uint32_t row = 0; row < s->length; row++) {
            uint32_t index = indices[s->output_values_offset + row];
            size_t record = in_view ? index : (size_t)s->keys_offset + index;
            if (index < (in_view ? buffers->record_rows : s->length))
                memcpy(ordered + (s->output_keys_offset + row) * words, records + record * words,
                       4 * words);
        }
    }
}

static void make_buffers(struct gather_buffers *buffers, struct gather_case *of)
{
    *buffers = (struct gather_buffers){.of = of};
    if (of->sort.order.value_type == GL_SEGSORT_VALUE_U32)
        of->sort.values = buffers->values = make_values(of);
    sort_buffers_make(&buffers->sort, &of->sort);
    buffers->record_rows = rows_reached(&of->sort, SORT_KEYS) + of->more_records;
    buffers->output_rows = rows_reached(&of->sort, SORT_OUTPUT_KEYS);
    guarded_make(&buffers->records, of->records_offset, buffers->record_rows * of->record_words);
    guarded_make(&buffers->output, of->output_offset, buffers->output_rows * of->record_words);
    generate_identity(guarded_before(&buffers->records), buffers->records.view_words);
    const struct guarded *sorted = sort_buffers_stream(&buffers->sort, SORT_OUTPUT_VALUES);
    expect(buffers, sorted->expected + sorted->first_word);
    guarded_upload(&buffers->records);
    guarded_upload(&buffers->output);
}

static void free_buffers(struct gather_buffers *buffers)
{
    sort_buffers_free(&buffers->sort);
    guarded_free(&buffers->records);
    guarded_free(&buffers->output);
    free(buffers->values);
}

static gl_segsort_gather_desc gather_desc(const struct gather_buffers *buffers)
{
    const struct gather_case *of = buffers->of;
    return (gl_segsort_gather_desc){
        .indices = sort_buffers_desc(&buffers->sort).output_values,
        .records = {buffers->records.buffer, of->records_offset, buffers->record_rows},
        .output_records = {buffers->output.buffer, of->output_offset, buffers->output_rows},
        .record_words = of->record_words,
        .index_base = of->base};
}

static bool records_right(const struct gather_buffers *buffers)
{
    bool kept = guarded_untouched(&buffers->records, "records");
    return guarded_right(&buffers->output, "output_records") && kept;
}

static bool no_gl_error(void)
{
    GLenum error = glGetError();
    return CHECK(error == GL_NO_ERROR, "GL error 0x%04x", error);
}

static gl_segsort_plan *make_plan(const gl_segsort_plan_desc *desc)
{
    gl_segsort_plan *plan = NULL;
    CHECK(gl_segsort_plan_create(test.context, desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(test.context));
    return plan;
}

static gl_segsort_plan *make_case_plan(const struct gather_case *of)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(&of->sort);
    return make_plan(&desc);
}

/* Sorts and gathers at once; afterwards the sort's outputs are the sort's. */
static void check_case(struct gather_case *of)
{
    struct gather_buffers buffers;
    make_buffers(&buffers, of);
    gl_segsort_plan *plan = make_case_plan(of);
    gl_segsort_sort_desc sort = sort_buffers_desc(&buffers.sort);
    gl_segsort_gather_desc gather = gather_desc(&buffers);
    CHECK(plan && gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS,
          "%s: %s", of->sort.name, gl_segsort_last_error(test.context));
    CHECK(sort_buffers_right(&buffers.sort) && records_right(&buffers),
          "%s: key type %d, value type %d, direction %d, algorithm %d, %u words, base %d",
          of->sort.name, (int)of->sort.order.key_type, (int)of->sort.order.value_type,
          (int)of->sort.order.direction, (int)of->sort.algorithm, of->record_words, (int)of->base);
    no_gl_error();
    gl_segsort_plan_destroy(plan);
    free_buffers(&buffers);
}

/* ---------------------------------------------------------------------------------------------- */
/* Segments */

static gl_segsort_segment segments[SEGMENTS_MAX];

/* In another order and with other gaps in each stream. */
static void make_segments(const uint32_t *lengths, uint32_t count)
{
    uint32_t values_row = 3, output_row = 1, index_row = 2;
    generate_packed_segments(lengths, count, 2, segments);
    generate_shuffled_segments(segments, count, 5);
    for (uint32_t i = 0; i < count; i++) {
        segments[i].values_offset = values_row;
        values_row += segments[i].length + 1;
    }
    for (uint32_t i = count; i > 0; i--) {
        segments[i - 1].output_keys_offset = output_row;
        output_row += segments[i - 1].length + 2;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t even_first = i < (count + 1) / 2 ? 2 * i : 2 * (i - (count + 1) / 2) + 1;
        segments[even_first].output_values_offset = index_row;
        index_row += segments[even_first].length + 3;
    }
}

static struct gather_case make_case(const char *name, const uint32_t *lengths, uint32_t count,
                                    gl_segsort_value_type value_type, uint32_t record_words)
{
    make_segments(lengths, count);
    return (struct gather_case){.sort = {.name = name,
                                         .segments = segments,
                                         .segment_count = count,
                                         .order = {.value_type = value_type},
                                         .seed = record_words,
                                         .byte_offset = 20},
                                .record_words = record_words,
                                .records_offset = 4,
                                .output_offset = 252};
}

static const uint32_t mixed_lengths[] = {3, 0, 64, 1, 300, 9000, 2, 512, 4096, 65, 1000, 31};
#define MIXED COUNT_OF(mixed_lengths)

static const gl_segsort_value_type index_types[] = {GL_SEGSORT_VALUE_INDEX, GL_SEGSORT_VALUE_U32};

/* ---------------------------------------------------------------------------------------------- */
/* Records */

/* Index triples, structs of 12 to 128 bytes, single words and odd widths. Records that no segment
 * reaches may be named where indices count from the view's start. */
static void records_of_many_sizes(void)
{
    const uint32_t words[] = {1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 24, 31, 32, 33, 61};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        for (size_t type = 0; type < COUNT_OF(index_types); type++)
            for (int base = 0; base < 2; base++) {
                struct gather_case of = make_case("records of many sizes", mixed_lengths, MIXED,
                                                  index_types[type], words[i]);
                of.base = (gl_segsort_index_base)base;
                of.more_records = (uint32_t)(i % 3) * 5;
                of.sort.order.direction = (gl_segsort_direction)(i % 2);
                check_case(&of);
            }
}

/* More words than a work group has invocations. */
static void records_of_many_words(void)
{
    const uint32_t lengths[] = {2, 300, 1, 0, 5, 17, 4097};
    const uint32_t words[] = {255, 256, 257, 511, 1000};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        uint32_t count = i == 0 ? COUNT_OF(lengths) : COUNT_OF(lengths) - 1;
        struct gather_case of =
            make_case("records of many words", lengths, count, index_types[i % 2], words[i]);
        of.base = i % 2 ? GL_SEGSORT_INDEX_IN_VIEW : GL_SEGSORT_INDEX_IN_SEGMENT;
        check_case(&of);
    }
}

/* Whatever is sorted by, and however. */
static void gathers_by_every_sort(void)
{
    for (int i = 0; i < 4 * 2 * 3 * 2; i++) {
        struct gather_case of =
            make_case("gathers by every sort", mixed_lengths, MIXED, index_types[i % 2], 3);
        of.sort.order.key_type = (gl_segsort_key_type)(i / 2 % 4);
        of.sort.order.direction = (gl_segsort_direction)(i / 8 % 2);
        of.sort.algorithm = (gl_segsort_algorithm)(i / 16);
        of.base = i % 2 && i % 3 ? GL_SEGSORT_INDEX_IN_VIEW : GL_SEGSORT_INDEX_IN_SEGMENT;
        check_case(&of);
    }
}

static void long_segments(void)
{
    const uint32_t lengths[] = {70000, 4097, 12, 8192};
    for (int algorithm = 0; algorithm < 3; algorithm++) {
        struct gather_case of =
            make_case("long segments", lengths, COUNT_OF(lengths), index_types[algorithm % 2], 5);
        of.sort.algorithm = (gl_segsort_algorithm)algorithm;
        check_case(&of);
    }
}

/* ufps 71: any alignment will do, of each view apart from the others. */
static void byte_offsets(void)
{
    const uint32_t offsets[] = {4, 144, 252};
    const uint32_t lengths[] = {40, 3, 700};
    for (size_t i = 0; i < 27; i++)
        for (int base = 0; base < 2; base++) {
            struct gather_case of = make_case("byte offsets", lengths, COUNT_OF(lengths),
                                              GL_SEGSORT_VALUE_U32, 3 + (uint32_t)i % 2);
            of.base = (gl_segsort_index_base)base;
            of.sort.byte_offset = offsets[i % 3];
            of.records_offset = offsets[i / 3 % 3];
            of.output_offset = offsets[i / 9];
            check_case(&of);
        }
}

/* The outputs of a sort in place are where indices and output records lie. */
static void after_a_sort_in_place(void)
{
    const uint32_t lengths[] = {40, 3, 700, 5000};
    for (size_t type = 0; type < COUNT_OF(index_types); type++) {
        struct gather_case of =
            make_case("after a sort in place", lengths, COUNT_OF(lengths), index_types[type], 6);
        generate_packed_segments(lengths, COUNT_OF(lengths), 3, segments);
        of.sort.in_place = true;
        check_case(&of);
    }
}

static void with_context(gl_segsort_context_desc desc, const char *name)
{
    struct test_gl usual = test;
    desc.get_proc_address = headless_gl_get_proc_address;
    if (!CHECK(!gl_segsort_context_create(&desc, &test.context), "context"))
        return;
    for (int i = 0; i < 6; i++) {
        struct gather_case of = make_case(name, mixed_lengths, MIXED, index_types[i % 2], 3);
        of.base = (gl_segsort_index_base)(i % 2);
        of.sort.algorithm = (gl_segsort_algorithm)(i / 2);
        check_case(&of);
    }
    gl_segsort_context_destroy(test.context);
    test = usual;
}

static void tiny_dispatch_limit(void)
{
    with_context((gl_segsort_context_desc){.max_work_groups = 2}, "two groups at a time");
}

static void policy_that_leaves_dirty(void)
{
    with_context((gl_segsort_context_desc){.state_policy = GL_SEGSORT_STATE_LEAVE_DIRTY},
                 "leaving dirty");
}

static void nothing_to_gather(void)
{
    const uint32_t lengths[] = {0, 0};
    struct gather_case of =
        make_case("nothing", lengths, COUNT_OF(lengths), GL_SEGSORT_VALUE_INDEX, 3);
    gl_segsort_plan *plan = make_case_plan(&of);
    CHECK(gl_segsort_gather(plan, &(gl_segsort_gather_desc){.record_words = 0}) ==
              GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(test.context));
    no_gl_error();
    gl_segsort_plan_destroy(plan);
}

/* ---------------------------------------------------------------------------------------------- */
/* Indices */

/* Replaces the indices, sorted or not, and what is expected of them. */
static void put_indices(struct gather_buffers *buffers,
                        uint32_t (*choose)(uint64_t *state, uint32_t count, uint32_t row))
{
    struct guarded *indices = sort_buffers_stream(&buffers->sort, SORT_OUTPUT_VALUES);
    uint64_t state = 77;
    for (uint32_t i = 0; i < buffers->of->sort.segment_count; i++) {
        const gl_segsort_segment *s = &segments[i];
        uint32_t count = buffers->of->base == GL_SEGSORT_INDEX_IN_VIEW
                             ? (uint32_t)buffers->record_rows
                             : s->length;
        for (uint32_t row = 0; row < s->length; row++)
            guarded_before(indices)[s->output_values_offset + row] = choose(&state, count, row);
    }
    guarded_upload(indices);
    expect(buffers, guarded_before(indices));
}

static uint32_t none(uint64_t *state, uint32_t count, uint32_t row)
{
    const uint32_t wrong[] = {0xffffffff, count, count + 1, 0x80000000, 0xcdcdcdcd};
    (void)row;
    return wrong[generate_below(state, COUNT_OF(wrong))];
}

static uint32_t first_and_last(uint64_t *state, uint32_t count, uint32_t row)
{
    (void)state;
    return row % 2 ? 0 : count - 1;
}

static uint32_t some(uint64_t *state, uint32_t count, uint32_t row)
{
    return row % 3 ? generate_below(state, count) : none(state, count, row);
}

/* Indices that name no record move nothing: the record behind the segment's last one is there, and
 * so is the one behind the view's, and both stay where they are. No sort comes before. */
static void indices_out_of_range(void)
{
    uint32_t (*const choices[])(uint64_t *, uint32_t, uint32_t) = {none, first_and_last, some};
    const uint32_t words[] = {1, 3, 8, 33};
    for (size_t i = 0; i < COUNT_OF(choices) * COUNT_OF(words) * 2; i++) {
        struct gather_case of = make_case("indices out of range", mixed_lengths, MIXED,
                                          GL_SEGSORT_VALUE_U32, words[i / 2 % COUNT_OF(words)]);
        struct gather_buffers buffers;
        of.base = (gl_segsort_index_base)(i % 2);
        make_buffers(&buffers, &of);
        /* The view ends before records that the buffer still has. */
        if (of.base == GL_SEGSORT_INDEX_IN_VIEW)
            buffers.record_rows -= 7;
        put_indices(&buffers, choices[i / 2 / COUNT_OF(words)]);
        gl_segsort_plan *plan = make_case_plan(&of);
        gl_segsort_gather_desc gather = gather_desc(&buffers);
        CHECK(gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(test.context));
        CHECK(records_right(&buffers) && sort_buffers_untouched(&buffers.sort),
              "choice %zu, %u words, base %d", i / 2 / COUNT_OF(words), of.record_words,
              (int)of.base);
        gl_segsort_plan_destroy(plan);
        free_buffers(&buffers);
    }
    no_gl_error();
}

/* Both are only read, so they may share a buffer, even its bytes: each record is its own index. */
static void indices_within_the_records(void)
{
    const uint32_t lengths[] = {300};
    struct gather_case of =
        make_case("indices within the records", lengths, 1, GL_SEGSORT_VALUE_U32, 1);
    struct gather_buffers buffers;
    segments[0] = (gl_segsort_segment){.length = 300};
    make_buffers(&buffers, &of);
    for (uint32_t i = 0; i < 300; i++)
        guarded_before(&buffers.records)[i] = 299 - i;
    guarded_upload(&buffers.records);
    expect(&buffers, guarded_before(&buffers.records));
    gl_segsort_plan *plan = make_case_plan(&of);
    gl_segsort_gather_desc gather = gather_desc(&buffers);
    gather.indices = gather.records;
    CHECK(gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS && records_right(&buffers), "%s",
          gl_segsort_last_error(test.context));
    gl_segsort_plan_destroy(plan);
    free_buffers(&buffers);
    no_gl_error();
}

/* ---------------------------------------------------------------------------------------------- */
/* Frames */

/* Triangles back to front, frame by frame: depths change, the sort and the gather follow each other
 * with the barriers that descriptions have, and the ordered triples are what an index buffer needs.
 */
static void frames_of_triangles(void)
{
    const uint32_t meshes[] = {500, 4, 6000};
    struct gather_case of = make_case("frame", meshes, COUNT_OF(meshes), GL_SEGSORT_VALUE_INDEX, 3);
    gl_segsort_plan *plan = NULL;
    of.sort.order.key_type = GL_SEGSORT_KEY_F32;
    of.sort.order.direction = GL_SEGSORT_DESCENDING;
    for (uint32_t frame = 0; frame < 10; frame++) {
        struct gather_buffers buffers;
        of.sort.seed = frame;
        make_buffers(&buffers, &of);
        if (!plan)
            plan = make_case_plan(&of);
        gl_segsort_sort_desc sort = sort_buffers_desc(&buffers.sort);
        gl_segsort_gather_desc gather = gather_desc(&buffers);
        /* Who waits for the indices: the sort, the gather, or both. */
        if (frame % 3 == 1)
            sort.barriers_after = GL_SEGSORT_BARRIER_NONE;
        if (frame % 3 == 2)
            gather.barriers_before = GL_SEGSORT_BARRIER_NONE;
        gather.barriers_after = GL_SEGSORT_BARRIER_INDEX | GL_SEGSORT_BARRIER_BUFFER_UPDATE;
        CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS &&
                  gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS,
              "%s", gl_segsort_last_error(test.context));
        glMemoryBarrier(GL_ALL_BARRIER_BITS); /* for the readback of the sort's outputs */
        CHECK(records_right(&buffers) && sort_buffers_right(&buffers.sort), "frame %u", frame);
        free_buffers(&buffers);
    }
    gl_segsort_plan_destroy(plan);
    no_gl_error();
}

/* ---------------------------------------------------------------------------------------------- */
/* Batches */

#define SETS 5

/* Each set with records of its own width and base; the fourth one has no rows and no views. */
struct gather_batch {
    gl_segsort_segment segments[16];
    uint32_t counts[SETS];
    struct gather_case cases[SETS];
    struct gather_buffers buffers[SETS];
    gl_segsort_sort_desc sorts[SETS];
    gl_segsort_gather_desc gathers[SETS];
    gl_segsort_plan *plan;
};

static void make_batch(struct gather_batch *batch, gl_segsort_algorithm algorithm)
{
    const uint32_t lengths[] = {300, 5, 9000, 31, 4097, 40, 0, 0, 1, 513, 2};
    const uint32_t counts[SETS] = {3, 1, 2, 2, 3}, words[SETS] = {3, 32, 1, 3, 257};
    gl_segsort_plan_desc desc = {.value_type = GL_SEGSORT_VALUE_U32, .algorithm = algorithm};
    memcpy(batch->counts, counts, sizeof counts);
    for (uint32_t set = 0, first = 0; set < SETS; first += counts[set++]) {
        generate_packed_segments(lengths + first, counts[set], 1, batch->segments + first);
        batch->cases[set] = (struct gather_case){.sort = {.name = "set",
                                                          .segments = batch->segments + first,
                                                          .segment_count = counts[set],
                                                          .order = {.value_type = desc.value_type},
                                                          .seed = set,
                                                          .in_place = set == 1,
                                                          .byte_offset = 4 * set},
                                                 .record_words = words[set],
                                                 .base = set % 2 ? GL_SEGSORT_INDEX_IN_VIEW
                                                                 : GL_SEGSORT_INDEX_IN_SEGMENT,
                                                 .records_offset = 144,
                                                 .output_offset = 252};
        make_buffers(&batch->buffers[set], &batch->cases[set]);
        batch->sorts[set] = sort_buffers_desc(&batch->buffers[set].sort);
        batch->gathers[set] = gather_desc(&batch->buffers[set]);
    }
    batch->sorts[3] = (gl_segsort_sort_desc){.barriers_after = 0};
    batch->gathers[3] = (gl_segsort_gather_desc){.record_words = 0};
    desc.segments = batch->segments;
    desc.segment_count = COUNT_OF(lengths);
    desc.set_count = SETS;
    desc.set_segment_counts = batch->counts;
    batch->plan = make_plan(&desc);
}

static void free_batch(struct gather_batch *batch)
{
    gl_segsort_plan_destroy(batch->plan);
    for (uint32_t set = 0; set < SETS; set++)
        free_buffers(&batch->buffers[set]);
}

static bool batch_right(const struct gather_batch *batch)
{
    bool right = true;
    for (uint32_t set = 0; set < SETS; set++) {
        bool sorted = sort_buffers_right(&batch->buffers[set].sort);
        right = CHECK(records_right(&batch->buffers[set]) && sorted, "set %u", set) && right;
    }
    return right;
}

static void batches(void)
{
    struct gather_batch batch;
    for (int algorithm = 0; algorithm < 3; algorithm++) {
        make_batch(&batch, (gl_segsort_algorithm)algorithm);
        CHECK(gl_segsort_sort_batch(batch.plan, batch.sorts, SETS) == GL_SEGSORT_SUCCESS &&
                  gl_segsort_gather_batch(batch.plan, batch.gathers, SETS) == GL_SEGSORT_SUCCESS,
              "%s", gl_segsort_last_error(test.context));
        CHECK(batch_right(&batch), "algorithm %d", algorithm);
        free_batch(&batch);
    }
    no_gl_error();
}

/* Inputs may be shared by sets, outputs lie on nothing. */
static void refused_batches(void)
{
    struct gather_batch batch;
    const gl_segsort_result wrong = GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    make_batch(&batch, GL_SEGSORT_ALGORITHM_AUTO);
    gl_segsort_gather_desc kept[SETS];
    memcpy(kept, batch.gathers, sizeof kept);
    const struct {
        gl_segsort_view *view, onto;
        const char *part, *other_part;
    } aliases[] = {{&batch.gathers[0].output_records, kept[2].output_records,
                    "set 0's output_records", "set 2's output_records"},
                   {&batch.gathers[2].output_records, kept[0].records, "set 2's output_records",
                    "set 0's records"},
                   {&batch.gathers[2].output_records, kept[4].indices, "set 2's output_records",
                    "set 4's indices"},
                   {&batch.gathers[1].records, kept[4].output_records, "set 1's records",
                    "set 4's output_records"}};
    for (size_t i = 0; i < COUNT_OF(aliases); i++) {
        *aliases[i].view = aliases[i].onto;
        aliases[i].view->rows = 100000;
        if (aliases[i].view == &batch.gathers[1].records)
            aliases[i].view->rows = kept[1].records.rows;
        gl_segsort_result result = gl_segsort_gather_batch(batch.plan, batch.gathers, SETS);
        const char *text = gl_segsort_last_error(test.context);
        CHECK(result == GL_SEGSORT_ERROR_OVERLAP && strstr(text, aliases[i].part) &&
                  strstr(text, aliases[i].other_part),
              "alias %zu: %s, '%s'", i, gl_segsort_result_string(result), text);
        memcpy(batch.gathers, kept, sizeof kept);
    }
    batch.gathers[2].record_words = 0;
    CHECK(gl_segsort_gather_batch(batch.plan, batch.gathers, SETS) == wrong &&
              strstr(gl_segsort_last_error(test.context), "set 2: "),
          "%s", gl_segsort_last_error(test.context));
    batch.gathers[2] = kept[2];
    batch.gathers[4].output_records.byte_offset += 1 << 20;
    CHECK(gl_segsort_gather_batch(batch.plan, batch.gathers, SETS) ==
                  GL_SEGSORT_ERROR_OUT_OF_RANGE &&
              strstr(gl_segsort_last_error(test.context), "set 4: output_records"),
          "%s", gl_segsort_last_error(test.context));
    batch.gathers[4] = kept[4];
    CHECK(gl_segsort_gather(batch.plan, batch.gathers) == wrong, "a batch's plan");
    CHECK(gl_segsort_gather_batch(batch.plan, batch.gathers, SETS - 1) == wrong, "4 of 5");
    CHECK(gl_segsort_gather_batch(batch.plan, NULL, SETS) == wrong, "NULL");
    CHECK(gl_segsort_gather_batch(NULL, batch.gathers, SETS) == wrong, "NULL plan");
    for (uint32_t set = 0; set < SETS; set++)
        CHECK(sort_buffers_untouched(&batch.buffers[set].sort) &&
                  guarded_untouched(&batch.buffers[set].records, "records") &&
                  guarded_untouched(&batch.buffers[set].output, "output_records"),
              "set %u", set);
    no_gl_error();
    free_batch(&batch);
}

/* For a plan that is no batch the two calls are one. */
static void batch_call_for_a_plan_that_is_none(void)
{
    const uint32_t lengths[] = {300, 7};
    struct gather_case of =
        make_case("no batch", lengths, COUNT_OF(lengths), GL_SEGSORT_VALUE_INDEX, 3);
    struct gather_buffers buffers;
    make_buffers(&buffers, &of);
    gl_segsort_plan *plan = make_case_plan(&of);
    gl_segsort_sort_desc sort = sort_buffers_desc(&buffers.sort);
    gl_segsort_gather_desc gather = gather_desc(&buffers);
    CHECK(gl_segsort_sort_batch(plan, &sort, 1) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather_batch(plan, &gather, 1) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(test.context));
    CHECK(records_right(&buffers), "no batch");
    gl_segsort_plan_destroy(plan);
    free_buffers(&buffers);
}

/* ---------------------------------------------------------------------------------------------- */
/* Errors: nothing is written */

static struct gather_buffers refused;

static void check_refused(gl_segsort_plan *plan, const gl_segsort_gather_desc *desc,
                          gl_segsort_result result, const char *part, const char *what)
{
    gl_segsort_result got = gl_segsort_gather(plan, desc);
    CHECK(got == result && strstr(gl_segsort_last_error(test.context), part), "%s: %s, '%s'", what,
          gl_segsort_result_string(got), gl_segsort_last_error(test.context));
    bool sort_kept = sort_buffers_untouched(&refused.sort);
    CHECK(guarded_untouched(&refused.records, "records") && sort_kept &&
              guarded_untouched(&refused.output, "output_records"),
          "%s", what);
    no_gl_error();
}

/* Output records on records and on indices: exactly, and with one row in common at either end. */
static void check_overlaps(gl_segsort_plan *plan)
{
    const gl_segsort_gather_desc good = gather_desc(&refused);
    const uint64_t record_bytes = 4 * refused.of->record_words, length = segments[0].length;
    const struct {
        const gl_segsort_view *onto;
        uint64_t first, end; /* bytes that are used */
        const char *name;
    } others[] = {{&good.records, good.records.byte_offset + segments[0].keys_offset * record_bytes,
                   good.records.byte_offset + (segments[0].keys_offset + length) * record_bytes,
                   "records (bytes"},
                  {&good.indices,
                   good.indices.byte_offset + 4 * (uint64_t)segments[0].output_values_offset,
                   good.indices.byte_offset + 4 * (segments[0].output_values_offset + length),
                   "indices (bytes"}};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        gl_segsort_gather_desc desc = good;
        const uint64_t used = segments[0].output_keys_offset * record_bytes;
        const uint64_t firsts[] = {others[i].first, others[i].end - 4,
                                   others[i].first + 4 - length * record_bytes};
        desc.output_records.buffer = others[i].onto->buffer;
        for (size_t f = 0; f < COUNT_OF(firsts); f++) {
            desc.output_records.byte_offset = firsts[f] - used;
            check_refused(plan, &desc, GL_SEGSORT_ERROR_OVERLAP, others[i].name, "overlap");
        }
    }
}

static void check_views(gl_segsort_plan *plan)
{
    static const char *const names[] = {"indices", "records", "output_records"};
    gl_segsort_gather_desc desc = gather_desc(&refused);
    gl_segsort_view *const views[] = {&desc.indices, &desc.records, &desc.output_records};
    GLuint deleted;
    glGenBuffers(1, &deleted);
    glBindBuffer(GL_COPY_WRITE_BUFFER, deleted);
    glDeleteBuffers(1, &deleted);
    for (size_t i = 0; i < COUNT_OF(views); i++) {
        const gl_segsort_view kept = *views[i];
        views[i]->buffer = 0;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i], "no buffer");
        views[i]->buffer = deleted;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i], "deleted buffer");
        *views[i] = kept;
        views[i]->byte_offset += 2;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i], "misaligned");
        *views[i] = kept;
        views[i]->rows--;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, names[i], "view too small");
        *views[i] = kept;
        views[i]->byte_offset += 1 << 20;
        check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, names[i], "buffer too small");
        *views[i] = kept;
    }
}

/* From the view's start all its records may be named, so that all have to be there, and none of
 * them may be an output. */
static void check_whole_view(gl_segsort_plan *plan)
{
    gl_segsort_gather_desc desc = gather_desc(&refused);
    desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
    desc.records.rows = 0;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "no records");
    desc.records.rows = 100000;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "more than there are");
    desc.records.rows = UINT64_MAX;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "very many");
    desc.records.rows = (uint64_t)1 << 32;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_UNSUPPORTED, "GL_MAX_SHADER_STORAGE_BLOCK_SIZE",
                  "more than can be bound");
    desc = gather_desc(&refused);
    desc.records = desc.output_records;
    desc.records.rows = segments[0].output_keys_offset + 1; /* the last of them an output */
    desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OVERLAP, "records", "one record in common");
}

static void check_fields(gl_segsort_plan *plan)
{
    gl_segsort_gather_desc desc = gather_desc(&refused);
    const gl_segsort_result wrong = GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    desc.record_words = 0;
    check_refused(plan, &desc, wrong, "record_words", "no words");
    desc.record_words = UINT32_MAX;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_UNSUPPORTED, "GL_MAX_SHADER_STORAGE_BLOCK_SIZE",
                  "very wide records");
    desc.record_words = 4;
    check_refused(plan, &desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "records", "records too wide");
    desc = gather_desc(&refused);
    desc.index_base = (gl_segsort_index_base)2;
    check_refused(plan, &desc, wrong, "index_base", "unknown base");
    desc = gather_desc(&refused);
    desc.barriers_before = 0x10;
    check_refused(plan, &desc, wrong, "barriers_before", "unknown barrier");
    desc = gather_desc(&refused);
    desc.barriers_after = 0x10;
    check_refused(plan, &desc, wrong, "barriers_after", "unknown barrier");
    check_refused(plan, NULL, wrong, "NULL", "NULL description");
    CHECK(gl_segsort_gather(NULL, &desc) == wrong, "NULL plan");
}

/* Neither nothing nor 64 bits can be an index. */
static void check_value_types(const struct gather_case *of)
{
    const gl_segsort_value_type types[] = {GL_SEGSORT_VALUE_NONE, GL_SEGSORT_VALUE_U64};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        gl_segsort_plan_desc plan_desc = sort_case_plan_desc(&of->sort);
        plan_desc.value_type = types[i];
        gl_segsort_plan *plan = make_plan(&plan_desc);
        gl_segsort_gather_desc desc = gather_desc(&refused);
        check_refused(plan, &desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "values", "value type");
        gl_segsort_plan_destroy(plan);
    }
}

static void refused_gathers(void)
{
    const uint32_t lengths[] = {300};
    struct gather_case of = make_case("refused", lengths, 1, GL_SEGSORT_VALUE_U32, 3);
    of.sort.byte_offset = of.records_offset = 4000; /* room in front for an output */
    make_buffers(&refused, &of);
    gl_segsort_plan *plan = make_case_plan(&of);
    check_overlaps(plan);
    check_views(plan);
    check_whole_view(plan);
    check_fields(plan);
    check_value_types(&of);
    gl_segsort_sort_desc sort = sort_buffers_desc(&refused.sort);
    gl_segsort_gather_desc gather = gather_desc(&refused);
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS && records_right(&refused),
          "after the errors: %s", gl_segsort_last_error(test.context));
    gl_segsort_plan_destroy(plan);
    free_buffers(&refused);
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(records_of_many_sizes),
                                              CHECK_TEST(records_of_many_words),
                                              CHECK_TEST(gathers_by_every_sort),
                                              CHECK_TEST(long_segments),
                                              CHECK_TEST(byte_offsets),
                                              CHECK_TEST(after_a_sort_in_place),
                                              CHECK_TEST(tiny_dispatch_limit),
                                              CHECK_TEST(policy_that_leaves_dirty),
                                              CHECK_TEST(nothing_to_gather),
                                              CHECK_TEST(indices_out_of_range),
                                              CHECK_TEST(indices_within_the_records),
                                              CHECK_TEST(frames_of_triangles),
                                              CHECK_TEST(batches),
                                              CHECK_TEST(refused_batches),
                                              CHECK_TEST(batch_call_for_a_plan_that_is_none),
                                              CHECK_TEST(refused_gathers)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
