/* Layer 4: batches. Each chunk of a batch lies in buffers of its own, is sorted as if it were alone,
 * and no byte changes but its outputs'. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define SETS_MAX 100
#define SEGMENTS_MAX 256

static struct test_gl test;

/* ---------------------------------------------------------------------------------------------- */
/* A batch: a sort case for each set */

static struct batch {
    struct cpu_order order;
    gl_segsort_algorithm algorithm;
    gl_segsort_segment segments[SEGMENTS_MAX];
    uint32_t segment_count, set_count;
    uint32_t set_segment_counts[SETS_MAX];
    struct sort_case cases[SETS_MAX];
    char names[SETS_MAX][32];
    struct sort_buffers buffers[SETS_MAX];
    gl_segsort_sort_desc descs[SETS_MAX];
} batch;

static void begin(const struct cpu_order *order, gl_segsort_algorithm algorithm)
{
    memset(&batch, 0, sizeof batch);
    batch.order = *order;
    batch.algorithm = algorithm;
}

/* Out of place the outputs' segments lie in another order than the inputs', with other gaps. */
static void scatter_outputs(gl_segsort_segment *segments, uint32_t count)
{
    uint32_t keys_row = 1, values_row = 2;
    for (uint32_t i = count; i > 0; i--) {
        segments[i - 1].output_keys_offset = keys_row;
        segments[i - 1].output_values_offset = values_row;
        keys_row += segments[i - 1].length;
        values_row += segments[i - 1].length + 3;
    }
}

/* Adds a set of such segments. */
static void add_set(const uint32_t *lengths, uint32_t count, bool in_place)
{
    uint32_t set = batch.set_count++;
    gl_segsort_segment *segments = batch.segments + batch.segment_count;
    generate_packed_segments(lengths, count, set % 3, segments);
    if (!in_place)
        scatter_outputs(segments, count);
    snprintf(batch.names[set], sizeof batch.names[set], "set %u", set);
    batch.cases[set] = (struct sort_case){.name = batch.names[set],
                                          .segments = segments,
                                          .segment_count = count,
                                          .order = batch.order,
                                          .algorithm = batch.algorithm,
                                          .kind = set % 3 ? GENERATE_RANDOM : GENERATE_FEW_DISTINCT,
                                          .seed = set,
                                          .in_place = in_place,
                                          .byte_offset = set % 5 * 36};
    batch.set_segment_counts[set] = count;
    batch.segment_count += count;
}

static void add_chunks(const uint32_t *lengths, uint32_t count, uint32_t first_in_place,
                       uint32_t in_place_stride)
{
    for (uint32_t i = 0; i < count; i++)
        add_set(&lengths[i], 1, i >= first_in_place && (i - first_in_place) % in_place_stride == 0);
}

/* Sets without rows use none of their views. */
static void make_buffers(void)
{
    for (uint32_t i = 0; i < batch.set_count; i++) {
        bool rows = false;
        for (uint32_t s = 0; s < batch.set_segment_counts[i]; s++)
            rows = rows || batch.cases[i].segments[s].length > 0;
        sort_buffers_make(&batch.buffers[i], &batch.cases[i]);
        batch.descs[i] = rows ? sort_buffers_desc(&batch.buffers[i])
                              : (gl_segsort_sort_desc){.barriers_after = 0};
    }
}

static void free_buffers(void)
{
    for (uint32_t i = 0; i < batch.set_count; i++)
        sort_buffers_free(&batch.buffers[i]);
}

static gl_segsort_plan_desc plan_desc(void)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(&batch.cases[0]);
    desc.label = "batch";
    desc.segments = batch.segments;
    desc.segment_count = batch.segment_count;
    desc.set_count = batch.set_count;
    desc.set_segment_counts = batch.set_segment_counts;
    return desc;
}

static gl_segsort_plan *make_plan(const gl_segsort_plan_desc *desc)
{
    gl_segsort_plan *plan = NULL;
    CHECK(gl_segsort_plan_create(test.context, desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(test.context));
    return plan;
}

static gl_segsort_plan *make_batch_plan(void)
{
    gl_segsort_plan_desc desc = plan_desc();
    return make_plan(&desc);
}

static bool right(void)
{
    bool all = true;
    for (uint32_t i = 0; i < batch.set_count; i++)
        all = sort_buffers_right(&batch.buffers[i]) && all;
    return all;
}

static bool untouched(void)
{
    bool all = true;
    for (uint32_t i = 0; i < batch.set_count; i++)
        all = sort_buffers_untouched(&batch.buffers[i]) && all;
    return all;
}

static bool no_gl_error(void)
{
    GLenum error = glGetError();
    return CHECK(error == GL_NO_ERROR, "GL error 0x%04x", error);
}

static bool sort_and_compare(gl_segsort_plan *plan, const char *what)
{
    bool sorted = plan && CHECK(gl_segsort_sort_batch(plan, batch.descs, batch.set_count) ==
                                    GL_SEGSORT_SUCCESS,
                                "%s: %s", what, gl_segsort_last_error(test.context));
    return sorted && CHECK(right(), "%s", what) && no_gl_error();
}

/* From the sets that were added to a verdict. */
static void check_batch(const char *what)
{
    make_buffers();
    gl_segsort_plan *plan = make_batch_plan();
    sort_and_compare(plan, what);
    gl_segsort_plan_destroy(plan);
    free_buffers();
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorting */

static const uint32_t chunk_lengths[] = {0, 1, 2, 31, 300, 4096, 4097, 70000};

/* Every third chunk in place. The longest one takes the network its time, and is one more of the
 * long segments for it: one type is enough. */
static void check_types(const struct cpu_order *order, gl_segsort_algorithm algorithm)
{
    char what[128];
    uint32_t count = COUNT_OF(chunk_lengths);
    if (algorithm == GL_SEGSORT_ALGORITHM_BITONIC && order->value_type != GL_SEGSORT_VALUE_U32)
        count--;
    snprintf(what, sizeof what, "key type %d, value type %d, direction %d, algorithm %d",
             (int)order->key_type, (int)order->value_type, (int)order->direction, (int)algorithm);
    begin(order, algorithm);
    add_chunks(chunk_lengths, count, 2 * (uint32_t)order->direction, 3);
    check_batch(what);
}

static void chunks_of_every_type(void)
{
    for (int key = 0; key < 4; key++)
        for (int value = 0; value < 4; value++)
            for (int direction = 0; direction < 2; direction++)
                for (int algorithm = 0; algorithm < 3; algorithm++) {
                    const struct cpu_order order = {.key_type = (gl_segsort_key_type)key,
                                                    .value_type = (gl_segsort_value_type)value,
                                                    .direction = (gl_segsort_direction)direction};
                    check_types(&order, (gl_segsort_algorithm)algorithm);
                }
}

/* One, two, three and no digits, cut short: an odd number of them makes a set in place start by
 * another way than the others, and any one of the sets may be it. */
static void one_set_in_place_and_odd_digits(void)
{
    const uint32_t ranges[][2] = {{0, 8}, {3, 15}, {8, 27}, {9, 9}, {0, 1}};
    const uint32_t lengths[] = {5000, 40, 9001, 4097};
    for (size_t r = 0; r < COUNT_OF(ranges); r++)
        for (uint32_t in_place = 0; in_place <= COUNT_OF(lengths); in_place++)
            for (int algorithm = 0; algorithm < 3; algorithm++) {
                char what[96];
                const struct cpu_order order = {.key_type = (gl_segsort_key_type)(in_place % 4),
                                                .value_type = (gl_segsort_value_type)(r % 4),
                                                .begin_bit = ranges[r][0],
                                                .end_bit = ranges[r][1]};
                snprintf(what, sizeof what, "bits %u..%u, set %u in place, algorithm %d",
                         order.begin_bit, order.end_bit, in_place, algorithm);
                begin(&order, (gl_segsort_algorithm)algorithm);
                add_chunks(lengths, COUNT_OF(lengths), in_place, COUNT_OF(lengths));
                check_batch(what);
            }
}

/* One segment a set is what no list of counts means as well. */
static void numbers_of_sets(void)
{
    const uint32_t counts[] = {1, 2, 3, SETS_MAX};
    uint32_t lengths[SETS_MAX];
    uint64_t state = 3;
    for (uint32_t i = 0; i < SETS_MAX; i++)
        lengths[i] = i % 10 == 1 ? 4097 + i : generate_below(&state, i % 4 ? 600 : 4);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (int listed = 0; listed < 2; listed++) {
            const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_INDEX};
            begin(&order, GL_SEGSORT_ALGORITHM_AUTO);
            add_chunks(lengths, counts[i], 1, 4);
            make_buffers();
            gl_segsort_plan_desc desc = plan_desc();
            if (!listed)
                desc.set_segment_counts = NULL;
            gl_segsort_plan *plan = make_plan(&desc);
            sort_and_compare(plan, "numbers of sets");
            gl_segsort_plan_description description = {0};
            gl_segsort_plan_describe(plan, &description);
            CHECK(description.set_count == counts[i], "%u sets", description.set_count);
            gl_segsort_plan_destroy(plan);
            free_buffers();
        }
}

/* Sets of several segments, of none, and of empty ones. */
static void sets_of_several_segments(void)
{
    const uint32_t some[] = {300, 0, 4097, 5}, empty[] = {0, 0, 0};
    const uint32_t many[] = {1, 2, 3, 9000, 4, 65, 0, 4098, 512, 513, 1025};
    for (int i = 0; i < 6; i++) {
        const struct cpu_order order = {.key_type = (gl_segsort_key_type)(i % 4),
                                        .value_type = (gl_segsort_value_type)(i % 3),
                                        .direction = (gl_segsort_direction)(i % 2)};
        begin(&order, (gl_segsort_algorithm)(i % 3));
        if (i % 2)
            add_set(NULL, 0, false);
        add_set(some, COUNT_OF(some), i % 2);
        add_set(NULL, 0, false);
        add_set(many, COUNT_OF(many), false);
        add_set(empty, COUNT_OF(empty), false);
        add_set(many, 2, true);
        add_set(NULL, 0, false);
        check_batch("sets of several segments");
    }
}

static void batches_of_nothing(void)
{
    const uint32_t empty[] = {0, 0};
    const struct cpu_order order = {0};
    for (uint32_t segments = 0; segments <= COUNT_OF(empty); segments++) {
        begin(&order, GL_SEGSORT_ALGORITHM_AUTO);
        for (int i = 0; i < 3; i++)
            add_set(empty, segments, false);
        make_buffers();
        gl_segsort_plan_desc desc = plan_desc();
        desc.segments = segments > 0 ? batch.segments : NULL;
        gl_segsort_plan *plan = make_plan(&desc);
        sort_and_compare(plan, "nothing");
        gl_segsort_plan_description description = {.pass_count = 1};
        gl_segsort_plan_describe(plan, &description);
        CHECK(description.pass_count == 0 && description.gather_pass_count == 0 &&
                  description.set_count == 3 && description.empty_count == 3 * segments,
              "%u passes, %u sets, %u empty", description.pass_count, description.set_count,
              description.empty_count);
        gl_segsort_plan_destroy(plan);
        free_buffers();
    }
}

/* Two work groups an axis: each set's lists go on in further dispatches, with surplus groups. */
static void tiny_dispatch_limit(void)
{
    struct test_gl unlimited = test;
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                    .max_work_groups = 2};
    const uint32_t lengths[] = {30000, 5, 9000, 4097, 1, 256};
    const struct cpu_order order = {.direction = GL_SEGSORT_DESCENDING};
    if (!CHECK(!gl_segsort_context_create(&desc, &test.context), "context"))
        return;
    for (int algorithm = 0; algorithm < 3; algorithm++) {
        begin(&order, (gl_segsort_algorithm)algorithm);
        add_chunks(lengths, COUNT_OF(lengths), 0, 2);
        add_set(lengths, COUNT_OF(lengths), true);
        check_batch("two groups at a time");
    }
    gl_segsort_context_destroy(test.context);
    test = unlimited;
}

static void policy_that_leaves_dirty(void)
{
    struct test_gl restoring = test;
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                    .state_policy = GL_SEGSORT_STATE_LEAVE_DIRTY};
    const struct cpu_order order = {0};
    if (!CHECK(!gl_segsort_context_create(&desc, &test.context), "context"))
        return;
    begin(&order, GL_SEGSORT_ALGORITHM_AUTO);
    add_chunks(chunk_lengths, COUNT_OF(chunk_lengths), 1, 2);
    check_batch("leaving dirty");
    gl_segsort_context_destroy(test.context);
    test = restoring;
}

/* ---------------------------------------------------------------------------------------------- */
/* The same as alone */

static gl_segsort_plan *make_plan_alone(uint32_t set)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(&batch.cases[set]);
    return make_plan(&desc);
}

/* Bit by bit what one plan a chunk gives, floats and their NaNs among them. */
static void same_bits_as_one_plan_a_chunk(void)
{
    const struct cpu_order orders[] = {
        {.key_type = GL_SEGSORT_KEY_F32, .direction = GL_SEGSORT_DESCENDING},
        {.key_type = GL_SEGSORT_KEY_U64, .value_type = GL_SEGSORT_VALUE_U64}};
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        begin(&orders[i], GL_SEGSORT_ALGORITHM_AUTO);
        add_chunks(chunk_lengths, COUNT_OF(chunk_lengths), 0, 3);
        make_buffers();
        gl_segsort_plan *plan = make_batch_plan();
        sort_and_compare(plan, "the batch");
        gl_segsort_plan_destroy(plan);
        for (uint32_t set = 0; set < batch.set_count; set++) {
            sort_buffers_upload(&batch.buffers[set]);
            gl_segsort_plan *alone = make_plan_alone(set);
            CHECK(gl_segsort_sort(alone, &batch.descs[set]) == GL_SEGSORT_SUCCESS, "%s",
                  gl_segsort_last_error(test.context));
            gl_segsort_plan_destroy(alone);
        }
        CHECK(right(), "one plan a chunk");
        free_buffers();
    }
    no_gl_error();
}

/* For a plan that is no batch the two calls are one. */
static void batch_call_for_a_plan_that_is_none(void)
{
    const uint32_t lengths[] = {40, 300, 9000, 0, 3};
    const struct cpu_order order = {0};
    begin(&order, GL_SEGSORT_ALGORITHM_AUTO);
    add_set(lengths, COUNT_OF(lengths), false);
    make_buffers();
    gl_segsort_plan *plan = make_plan_alone(0);
    sort_and_compare(plan, "gl_segsort_sort_batch");
    sort_buffers_upload(&batch.buffers[0]);
    CHECK(gl_segsort_sort(plan, batch.descs) == GL_SEGSORT_SUCCESS && right(), "gl_segsort_sort");
    CHECK(gl_segsort_sort_batch(plan, batch.descs, 2) == GL_SEGSORT_ERROR_INVALID_ARGUMENT,
          "two descriptions");
    gl_segsort_plan_destroy(plan);
    free_buffers();
}

/* How to sort is chosen for each chunk: its passes are those of a plan for it alone. */
static void algorithm_is_chosen_for_each_chunk(void)
{
    const uint32_t lengths[] = {300, 3000, 9000, 2, 0, 512, 513};
    const char *const first_kernels[] = {"bitonic-local", "radix-local", "radix-count",
                                         "bitonic-local", NULL,          "bitonic-local",
                                         "radix-local"};
    const struct cpu_order order = {0};
    begin(&order, GL_SEGSORT_ALGORITHM_AUTO);
    add_chunks(lengths, COUNT_OF(lengths), SETS_MAX, 1);
    gl_segsort_plan *plan = make_batch_plan();
    gl_segsort_plan_description all = {0}, own = {0};
    gl_segsort_plan_describe(plan, &all);
    for (uint32_t set = 0; set < batch.set_count; set++) {
        uint32_t matched = 0;
        gl_segsort_plan *alone = make_plan_alone(set);
        gl_segsort_plan_describe(alone, &own);
        for (uint32_t i = 0; i < all.pass_count; i++) {
            const gl_segsort_pass_description *pass = &all.passes[i];
            if (pass->set != set)
                continue;
            if (!CHECK(matched < own.pass_count, "set %u has a pass too many, %s", set,
                       pass->label))
                break;
            const gl_segsort_pass_description *wanted = &own.passes[matched++];
            CHECK(strcmp(pass->kernel, wanted->kernel) == 0 && pass->width == wanted->width &&
                      pass->row_count == lengths[set] && pass->segment_count == 1 &&
                      pass->begin_bit == wanted->begin_bit && pass->level == wanted->level &&
                      pass->condition == wanted->condition,
                  "set %u: pass %s is not %s", set, pass->label, wanted->label);
        }
        CHECK(matched == own.pass_count, "set %u has %u passes of %u", set, matched,
              own.pass_count);
        CHECK(first_kernels[set] ? strcmp(own.passes[0].kernel, first_kernels[set]) == 0
                                 : own.pass_count == 0,
              "set %u starts with another kernel", set);
        gl_segsort_plan_destroy(alone);
    }
    gl_segsort_plan_destroy(plan);
}

/* The scratch is one buffer for all chunks, of no more than their own plans need together. */
static void scratch_is_shared(void)
{
    const uint32_t lengths[] = {9000, 300, 70000, 0, 4097};
    for (int algorithm = 0; algorithm < 3; algorithm++) {
        const struct cpu_order order = {.value_type = GL_SEGSORT_VALUE_U64};
        uint64_t sum = 0;
        begin(&order, (gl_segsort_algorithm)algorithm);
        add_chunks(lengths, COUNT_OF(lengths), SETS_MAX, 1);
        for (uint32_t set = 0; set < batch.set_count; set++) {
            gl_segsort_plan *alone = make_plan_alone(set);
            gl_segsort_plan_description description = {0};
            gl_segsort_plan_describe(alone, &description);
            sum += description.scratch_bytes;
            gl_segsort_plan_destroy(alone);
        }
        gl_segsort_plan_description description = {0};
        gl_segsort_plan *plan = make_batch_plan();
        gl_segsort_plan_describe(plan, &description);
        CHECK(description.scratch_bytes > 0 && description.scratch_bytes <= sum,
              "algorithm %d: %llu bytes for all, %llu one by one", algorithm,
              (unsigned long long)description.scratch_bytes, (unsigned long long)sum);
        gl_segsort_plan_destroy(plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Where sets may lie */

static gl_segsort_view *view_of(gl_segsort_sort_desc *desc, int stream)
{
    gl_segsort_view *const views[SORT_STREAMS] = {&desc->keys, &desc->values, &desc->output_keys,
                                                  &desc->output_values};
    return views[stream];
}

/* All streams of all sets in one buffer, outputs and inputs in turn, not a byte between them: what
 * crosses into a neighbour shows. */
static void move_into_one_buffer(struct guarded *whole)
{
    size_t words = 0, at = 0;
    for (uint32_t set = 0; set < batch.set_count; set++)
        for (int stream = 0; stream < SORT_STREAMS; stream++)
            words += batch.buffers[set].streams[stream].view_words;
    guarded_make(whole, 36, words);
    for (int stream = SORT_STREAMS - 1; stream >= 0; stream--)
        for (uint32_t set = 0; set < batch.set_count; set++) {
            struct guarded *moved = &batch.buffers[set].streams[stream];
            for (int user = 0; user < SORT_STREAMS; user++)
                if (sort_buffers_stream(&batch.buffers[set], user) == moved &&
                    moved->view_words > 0) {
                    view_of(&batch.descs[set], user)->buffer = UINT32_MAX;
                    view_of(&batch.descs[set], user)->byte_offset = 36 + 4 * at;
                }
            memcpy(guarded_before(whole) + at, guarded_before(moved), 4 * moved->view_words);
            memcpy(whole->expected + whole->first_word + at, moved->expected + moved->first_word,
                   4 * moved->view_words);
            at += moved->view_words;
        }
    guarded_upload(whole);
    for (uint32_t set = 0; set < batch.set_count; set++)
        for (int stream = 0; stream < SORT_STREAMS; stream++)
            if (view_of(&batch.descs[set], stream)->buffer == UINT32_MAX)
                view_of(&batch.descs[set], stream)->buffer = whole->buffer;
}

static void sets_in_one_buffer(void)
{
    const uint32_t lengths[] = {300, 4097, 2, 0, 9000, 31};
    for (int i = 0; i < 8; i++) {
        struct guarded whole;
        const struct cpu_order order = {.key_type = (gl_segsort_key_type)(i % 4),
                                        .value_type = (gl_segsort_value_type)((i + i / 4) % 4)};
        begin(&order, (gl_segsort_algorithm)(i % 3));
        add_chunks(lengths, COUNT_OF(lengths), (uint32_t)i % 3, 2);
        /* Nothing in front of a set's first row, so that rows of two sets touch. */
        for (uint32_t set = 0; set < batch.set_count; set++)
            batch.segments[set] = (gl_segsort_segment){.length = lengths[set]};
        make_buffers();
        move_into_one_buffer(&whole);
        gl_segsort_plan *plan = make_batch_plan();
        CHECK(plan &&
                  gl_segsort_sort_batch(plan, batch.descs, batch.set_count) == GL_SEGSORT_SUCCESS,
              "%s", gl_segsort_last_error(test.context));
        CHECK(guarded_right(&whole, "the buffer"), "case %d", i);
        CHECK(untouched(), "buffers that are in no view");
        gl_segsort_plan_destroy(plan);
        guarded_free(&whole);
        free_buffers();
    }
    no_gl_error();
}

/* Inputs may be shared, whole or in part, as long as no set is in place there. */
static void inputs_may_be_shared(void)
{
    const uint32_t lengths[] = {9000, 8990, 9000, 300};
    const uint32_t first_rows[] = {0, 10, 0, 4000};
    const struct cpu_order order = {.direction = GL_SEGSORT_DESCENDING};
    begin(&order, GL_SEGSORT_ALGORITHM_AUTO);
    add_chunks(lengths, COUNT_OF(lengths), SETS_MAX, 1);
    batch.cases[0].segments = batch.segments;
    for (uint32_t set = 0; set < batch.set_count; set++)
        batch.segments[set] = (gl_segsort_segment){.length = lengths[set]};
    uint32_t *keys = guarded_allocate(4 * lengths[0]), *values = guarded_allocate(4 * lengths[0]);
    generate_keys(GENERATE_RANDOM, keys, lengths[0], 9);
    generate_identity(values, lengths[0]);
    for (uint32_t set = 0; set < batch.set_count; set++) {
        batch.cases[set].keys = keys + first_rows[set];
        batch.cases[set].values = values + first_rows[set];
    }
    make_buffers();
    for (uint32_t set = 1; set < batch.set_count; set++)
        for (int stream = SORT_KEYS; stream <= SORT_VALUES; stream++) {
            gl_segsort_view *view = view_of(&batch.descs[set], stream);
            *view = *view_of(&batch.descs[0], stream);
            view->byte_offset += 4 * first_rows[set];
            view->rows -= first_rows[set];
        }
    gl_segsort_plan *plan = make_batch_plan();
    sort_and_compare(plan, "shared inputs");
    gl_segsort_plan_destroy(plan);
    free_buffers();
    free(keys);
    free(values);
}

/* ---------------------------------------------------------------------------------------------- */
/* Refused batches: nothing is written, in no set */

#define REFUSED_SETS 4

static const uint32_t refused_lengths[REFUSED_SETS] = {30, 50, 40, 60};

/* The third set's keys are in place. */
static gl_segsort_plan *begin_refused(void)
{
    const struct cpu_order order = {0};
    begin(&order, GL_SEGSORT_ALGORITHM_AUTO);
    for (uint32_t i = 0; i < REFUSED_SETS; i++) {
        add_set(&refused_lengths[i], 1, i == 2);
        batch.cases[i].byte_offset = 252; /* room in front for the longest */
    }
    make_buffers();
    return make_batch_plan();
}

static void check_refused(gl_segsort_plan *plan, gl_segsort_result result, const char *part,
                          const char *other_part, const char *what)
{
    gl_segsort_result got = gl_segsort_sort_batch(plan, batch.descs, REFUSED_SETS);
    const char *text = gl_segsort_last_error(test.context);
    CHECK(got == result, "%s: %s", what, gl_segsort_result_string(got));
    CHECK(strstr(text, part) && strstr(text, other_part), "%s: '%s' does not tell of %s, %s", what,
          text, part, other_part);
    CHECK(untouched(), "%s", what);
    no_gl_error();
}

/* An output of one set on any stream of another one, exactly, and with one row in common at either
 * end. */
static void check_alias(gl_segsort_plan *plan, uint32_t a, int output, uint32_t b, int stream)
{
    static const char *const names[] = {"keys", "values", "output_keys", "output_values"};
    char what[96], part[32], other_part[32];
    gl_segsort_sort_desc kept = batch.descs[a];
    /* An input in place is named as the output that it is. */
    int named = b == 2 && stream < SORT_OUTPUT_KEYS ? stream + SORT_OUTPUT_KEYS : stream;
    snprintf(part, sizeof part, "set %u's %s ", a, names[output]);
    snprintf(other_part, sizeof other_part, "set %u's %s ", b, names[named]);
    for (int shift = -1; shift <= 1; shift++) {
        const gl_segsort_segment *mine = &batch.segments[a], *other = &batch.segments[b];
        const uint32_t offsets[2][SORT_STREAMS] = {
            {0, 0, mine->output_keys_offset, mine->output_values_offset},
            {other->keys_offset, other->values_offset, other->output_keys_offset,
             other->output_values_offset}};
        gl_segsort_view *view = view_of(&batch.descs[a], output);
        *view = *view_of(&batch.descs[b], stream);
        int64_t rows = shift == 0 ? 0 : shift < 0 ? 1 - (int64_t)mine->length : other->length - 1;
        int64_t at = (int64_t)view->byte_offset +
                     4 * (rows + offsets[1][stream] - (int64_t)offsets[0][output]);
        view->byte_offset = (uint64_t)at;
        view->rows = 1000;
        snprintf(what, sizeof what, "%son %s, shift %d", part, other_part, shift);
        check_refused(plan, GL_SEGSORT_ERROR_OVERLAP, part, other_part, what);
        batch.descs[a] = kept;
    }
}

static void outputs_may_alias_nothing(void)
{
    gl_segsort_plan *plan = begin_refused();
    for (uint32_t a = 0; a < REFUSED_SETS; a++)
        for (uint32_t b = 0; b < REFUSED_SETS; b++)
            for (int output = SORT_OUTPUT_KEYS; output < SORT_STREAMS; output++)
                for (int stream = 0; stream < SORT_STREAMS && a != b; stream++)
                    check_alias(plan, a, output, b, stream);
    /* Another set's inputs where a set is in place. */
    gl_segsort_view kept = batch.descs[3].keys;
    batch.descs[3].keys.buffer = batch.descs[2].keys.buffer;
    check_refused(plan, GL_SEGSORT_ERROR_OVERLAP, "set 2's output_keys", "set 3's keys",
                  "input on a set in place");
    batch.descs[3].keys = kept;
    sort_and_compare(plan, "after it");
    gl_segsort_plan_destroy(plan);
    free_buffers();
}

static void errors_name_the_set(void)
{
    gl_segsort_plan *plan = begin_refused();
    GLuint deleted;
    glGenBuffers(1, &deleted);
    glBindBuffer(GL_COPY_WRITE_BUFFER, deleted);
    glBufferData(GL_COPY_WRITE_BUFFER, 4096, NULL, GL_STATIC_DRAW);
    glDeleteBuffers(1, &deleted);
    for (uint32_t set = 0; set < REFUSED_SETS; set++) {
        char part[16];
        gl_segsort_sort_desc *desc = &batch.descs[set], kept = *desc;
        snprintf(part, sizeof part, "set %u: ", set);
        desc->keys.buffer = 0;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "keys.buffer", "no buffer");
        *desc = kept;
        desc->output_values.buffer = deleted;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "output_values.buffer",
                      "deleted buffer");
        *desc = kept;
        desc->values.byte_offset += 2;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "values.byte_offset",
                      "misaligned");
        *desc = kept;
        desc->output_keys.rows--;
        check_refused(plan, GL_SEGSORT_ERROR_OUT_OF_RANGE, part, "output_keys", "view too small");
        *desc = kept;
        desc->values.byte_offset += 4096;
        check_refused(plan, GL_SEGSORT_ERROR_OUT_OF_RANGE, part, "bytes", "buffer too small");
        *desc = kept;
        desc->barriers_after = 0x10;
        check_refused(plan, GL_SEGSORT_ERROR_INVALID_ARGUMENT, part, "barriers_after", "barrier");
        *desc = kept;
        desc->output_values = desc->output_keys;
        desc->output_values.rows++;
        check_refused(plan, GL_SEGSORT_ERROR_OVERLAP, part, "output_values", "overlap in the set");
        *desc = kept;
    }
    sort_and_compare(plan, "after the errors");
    gl_segsort_plan_destroy(plan);
    free_buffers();
}

static void wrong_calls(void)
{
    gl_segsort_plan *plan = begin_refused();
    const gl_segsort_result wrong = GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    const uint32_t counts[] = {0, 1, REFUSED_SETS - 1, REFUSED_SETS + 1, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        CHECK(gl_segsort_sort_batch(plan, batch.descs, counts[i]) == wrong &&
                  strstr(gl_segsort_last_error(test.context), "4 sets"),
              "%u descriptions: %s", counts[i], gl_segsort_last_error(test.context));
    CHECK(gl_segsort_sort(plan, batch.descs) == wrong, "a batch's plan in gl_segsort_sort");
    CHECK(gl_segsort_sort_batch(plan, NULL, REFUSED_SETS) == wrong, "NULL descriptions");
    CHECK(gl_segsort_sort_batch(NULL, batch.descs, REFUSED_SETS) == wrong, "NULL plan");
    CHECK(untouched(), "wrong calls");
    gl_segsort_plan_destroy(plan);
    free_buffers();
    no_gl_error();
}

static void wrong_plans(void)
{
    const gl_segsort_segment segments[] = {
        {0, 0, 0, 0, 5}, {0, 0, 0, 0, 5}, {4, 4, 4, 4, 5}, {0, 0, 0, 0, 3}};
    const uint32_t apart[] = {1, 1, 1, 1}, together[] = {1, 2, 1}, short_by_one[] = {1, 1, 1};
    const struct {
        gl_segsort_plan_desc desc;
        gl_segsort_result result;
        const char *part;
    } cases[] = {{{.set_count = 4, .set_segment_counts = apart}, GL_SEGSORT_SUCCESS, ""},
                 {{.set_count = 4}, GL_SEGSORT_SUCCESS, ""},
                 {{.set_count = 3, .set_segment_counts = together},
                  GL_SEGSORT_ERROR_OVERLAP,
                  "set 1: segment 0 and segment 1"},
                 {{.set_count = 3, .set_segment_counts = short_by_one},
                  GL_SEGSORT_ERROR_OUT_OF_RANGE,
                  "3 sets have 3 segments"},
                 {{.set_count = 3}, GL_SEGSORT_ERROR_OUT_OF_RANGE, "3 sets"},
                 {{.set_count = 0, .set_segment_counts = apart},
                  GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                  "set_count is 0"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = cases[i].desc;
        desc.segments = segments;
        desc.segment_count = COUNT_OF(segments);
        gl_segsort_plan *plan;
        gl_segsort_result result = gl_segsort_plan_create(test.context, &desc, &plan);
        CHECK(result == cases[i].result && (plan != NULL) == (result == GL_SEGSORT_SUCCESS),
              "case %zu: %s", i, gl_segsort_result_string(result));
        CHECK(result == GL_SEGSORT_SUCCESS ||
                  strstr(gl_segsort_last_error(test.context), cases[i].part),
              "case %zu: %s", i, gl_segsort_last_error(test.context));
        gl_segsort_plan_destroy(plan);
    }
    no_gl_error();
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(chunks_of_every_type),
                                              CHECK_TEST(one_set_in_place_and_odd_digits),
                                              CHECK_TEST(numbers_of_sets),
                                              CHECK_TEST(sets_of_several_segments),
                                              CHECK_TEST(batches_of_nothing),
                                              CHECK_TEST(tiny_dispatch_limit),
                                              CHECK_TEST(policy_that_leaves_dirty),
                                              CHECK_TEST(same_bits_as_one_plan_a_chunk),
                                              CHECK_TEST(batch_call_for_a_plan_that_is_none),
                                              CHECK_TEST(algorithm_is_chosen_for_each_chunk),
                                              CHECK_TEST(scratch_is_shared),
                                              CHECK_TEST(sets_in_one_buffer),
                                              CHECK_TEST(inputs_may_be_shared),
                                              CHECK_TEST(outputs_may_alias_nothing),
                                              CHECK_TEST(errors_name_the_set),
                                              CHECK_TEST(wrong_calls),
                                              CHECK_TEST(wrong_plans)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
