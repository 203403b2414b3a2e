/* Layer 4: gathering. Records are moved into the order that a sort found, against the CPU reference;
 * every byte of every buffer is compared, guard words included. */
#include "check.h"
#include "gather_case.h"
#include "test_gl.h"

#include <glad/gl.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static struct test_gl test;
static gl_segsort_segment segments[16];

static gl_segsort_plan *make_case_plan(const struct gather_case *of)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(&of->sort);
    return test_gl_plan(&test, &desc);
}

/* Sorts and gathers at once; afterwards the sort's outputs are the sort's. */
static void check_case(struct gather_case *of)
{
    struct gather_buffers buffers;
    gather_buffers_make(&buffers, of);
    gl_segsort_plan *plan = make_case_plan(of);
    gl_segsort_sort_desc sort = sort_buffers_desc(&buffers.sort);
    gl_segsort_gather_desc gather = gather_buffers_desc(&buffers);
    CHECK(plan && gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS,
          "%s: %s", of->sort.name, gl_segsort_last_error(test.context));
    CHECK(sort_buffers_right(&buffers.sort) && gather_buffers_right(&buffers),
          "%s: key type %d, value type %d, direction %d, algorithm %d, %u words, base %d",
          of->sort.name, (int)of->sort.order.key_type, (int)of->sort.order.value_type,
          (int)of->sort.order.direction, (int)of->sort.algorithm, of->record_words, (int)of->base);
    CHECK(test_gl_clean(), "GL error");
    gl_segsort_plan_destroy(plan);
    gather_buffers_free(&buffers);
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
                struct gather_case of =
                    gather_case_make("records of many sizes", segments, mixed_lengths, MIXED,
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
        struct gather_case of = gather_case_make("records of many words", segments, lengths, count,
                                                 index_types[i % 2], words[i]);
        of.base = i % 2 ? GL_SEGSORT_INDEX_IN_VIEW : GL_SEGSORT_INDEX_IN_SEGMENT;
        check_case(&of);
    }
}

/* Whatever is sorted by, and however. */
static void gathers_by_every_sort(void)
{
    for (int i = 0; i < 4 * 2 * 3 * 2; i++) {
        struct gather_case of = gather_case_make("gathers by every sort", segments, mixed_lengths,
                                                 MIXED, index_types[i % 2], 3);
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
        struct gather_case of = gather_case_make("long segments", segments, lengths,
                                                 COUNT_OF(lengths), index_types[algorithm % 2], 5);
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
            struct gather_case of =
                gather_case_make("byte offsets", segments, lengths, COUNT_OF(lengths),
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
        struct gather_case of = gather_case_make("after a sort in place", segments, lengths,
                                                 COUNT_OF(lengths), index_types[type], 6);
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
        struct gather_case of =
            gather_case_make(name, segments, mixed_lengths, MIXED, index_types[i % 2], 3);
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
    struct gather_case of = gather_case_make("nothing", segments, lengths, COUNT_OF(lengths),
                                             GL_SEGSORT_VALUE_INDEX, 3);
    gl_segsort_plan *plan = make_case_plan(&of);
    CHECK(gl_segsort_gather(plan, &(gl_segsort_gather_desc){.record_words = 0}) ==
              GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(test.context));
    CHECK(test_gl_clean(), "GL error");
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
    guarded_restore(indices);
    gather_buffers_expect(buffers, guarded_before(indices));
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
        struct gather_case of =
            gather_case_make("indices out of range", segments, mixed_lengths, MIXED,
                             GL_SEGSORT_VALUE_U32, words[i / 2 % COUNT_OF(words)]);
        struct gather_buffers buffers;
        of.base = (gl_segsort_index_base)(i % 2);
        gather_buffers_make(&buffers, &of);
        /* The view ends before records that the buffer still has. */
        if (of.base == GL_SEGSORT_INDEX_IN_VIEW)
            buffers.record_rows -= 7;
        put_indices(&buffers, choices[i / 2 / COUNT_OF(words)]);
        gl_segsort_plan *plan = make_case_plan(&of);
        gl_segsort_gather_desc gather = gather_buffers_desc(&buffers);
        CHECK(gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(test.context));
        CHECK(gather_buffers_right(&buffers) && sort_buffers_untouched(&buffers.sort),
              "choice %zu, %u words, base %d", i / 2 / COUNT_OF(words), of.record_words,
              (int)of.base);
        gl_segsort_plan_destroy(plan);
        gather_buffers_free(&buffers);
    }
    CHECK(test_gl_clean(), "GL error");
}

/* Both are only read, so they may share a buffer, even its bytes: each record is its own index. */
static void indices_within_the_records(void)
{
    const uint32_t lengths[] = {300};
    struct gather_case of = gather_case_make("indices within the records", segments, lengths, 1,
                                             GL_SEGSORT_VALUE_U32, 1);
    struct gather_buffers buffers;
    segments[0] = (gl_segsort_segment){.length = 300};
    gather_buffers_make(&buffers, &of);
    for (uint32_t i = 0; i < 300; i++)
        guarded_before(&buffers.records)[i] = 299 - i;
    guarded_restore(&buffers.records);
    gather_buffers_expect(&buffers, guarded_before(&buffers.records));
    gl_segsort_plan *plan = make_case_plan(&of);
    gl_segsort_gather_desc gather = gather_buffers_desc(&buffers);
    gather.indices = gather.records;
    CHECK(gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS && gather_buffers_right(&buffers),
          "%s", gl_segsort_last_error(test.context));
    gl_segsort_plan_destroy(plan);
    gather_buffers_free(&buffers);
    CHECK(test_gl_clean(), "GL error");
}

/* ---------------------------------------------------------------------------------------------- */
/* Frames */

/* Triangles back to front, frame by frame: depths change, the sort and the gather follow each other
 * with the barriers that descriptions have, and the ordered triples are what an index buffer needs.
 */
static void frames_of_triangles(void)
{
    const uint32_t meshes[] = {500, 4, 6000};
    struct gather_case of =
        gather_case_make("frame", segments, meshes, COUNT_OF(meshes), GL_SEGSORT_VALUE_INDEX, 3);
    gl_segsort_plan *plan = NULL;
    of.sort.order.key_type = GL_SEGSORT_KEY_F32;
    of.sort.order.direction = GL_SEGSORT_DESCENDING;
    for (uint32_t frame = 0; frame < 10; frame++) {
        struct gather_buffers buffers;
        of.sort.seed = frame;
        gather_buffers_make(&buffers, &of);
        if (!plan)
            plan = make_case_plan(&of);
        gl_segsort_sort_desc sort = sort_buffers_desc(&buffers.sort);
        gl_segsort_gather_desc gather = gather_buffers_desc(&buffers);
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
        CHECK(gather_buffers_right(&buffers) && sort_buffers_right(&buffers.sort), "frame %u",
              frame);
        gather_buffers_free(&buffers);
    }
    gl_segsort_plan_destroy(plan);
    CHECK(test_gl_clean(), "GL error");
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
        gather_buffers_make(&batch->buffers[set], &batch->cases[set]);
        batch->sorts[set] = sort_buffers_desc(&batch->buffers[set].sort);
        batch->gathers[set] = gather_buffers_desc(&batch->buffers[set]);
    }
    batch->sorts[3] = (gl_segsort_sort_desc){.barriers_after = 0};
    batch->gathers[3] = (gl_segsort_gather_desc){.record_words = 0};
    desc.segments = batch->segments;
    desc.segment_count = COUNT_OF(lengths);
    desc.set_count = SETS;
    desc.set_segment_counts = batch->counts;
    batch->plan = test_gl_plan(&test, &desc);
}

static void free_batch(struct gather_batch *batch)
{
    gl_segsort_plan_destroy(batch->plan);
    for (uint32_t set = 0; set < SETS; set++)
        gather_buffers_free(&batch->buffers[set]);
}

static bool batch_right(const struct gather_batch *batch)
{
    bool right = true;
    for (uint32_t set = 0; set < SETS; set++) {
        bool sorted = sort_buffers_right(&batch->buffers[set].sort);
        right = CHECK(gather_buffers_right(&batch->buffers[set]) && sorted, "set %u", set) && right;
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
    CHECK(test_gl_clean(), "GL error");
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
        CHECK(gather_buffers_untouched(&batch.buffers[set]), "set %u", set);
    CHECK(test_gl_clean(), "GL error");
    free_batch(&batch);
}

/* For a plan that is no batch the two calls are one. */
static void batch_call_for_a_plan_that_is_none(void)
{
    const uint32_t lengths[] = {300, 7};
    struct gather_case of = gather_case_make("no batch", segments, lengths, COUNT_OF(lengths),
                                             GL_SEGSORT_VALUE_INDEX, 3);
    struct gather_buffers buffers;
    gather_buffers_make(&buffers, &of);
    gl_segsort_plan *plan = make_case_plan(&of);
    gl_segsort_sort_desc sort = sort_buffers_desc(&buffers.sort);
    gl_segsort_gather_desc gather = gather_buffers_desc(&buffers);
    CHECK(gl_segsort_sort_batch(plan, &sort, 1) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather_batch(plan, &gather, 1) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(test.context));
    CHECK(gather_buffers_right(&buffers), "no batch");
    gl_segsort_plan_destroy(plan);
    gather_buffers_free(&buffers);
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
                                              CHECK_TEST(batch_call_for_a_plan_that_is_none)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
