/* Layer 4: the host's own scratch. Its size is told beforehand, whatever it holds gives the same
 * result, plans share it, and no byte around it changes. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static struct test_gl test;

/* Whose tuning splits, which takes scratch for splitters. */
static const char tuned_for[] = "NVIDIA";

static const uint32_t long_lengths[] = {4097, 9000, 3, 64, 600, 0};
static const uint32_t short_lengths[] = {3, 64, 600, 0, 4096};

/* 16 combinations of types are enough to meet every width of a scratch row. */
static struct sort_case make_case(gl_segsort_segment *segments, const uint32_t *lengths,
                                  uint32_t count, int types)
{
    generate_packed_segments(lengths, count, 1, segments);
    return (struct sort_case){.name = "scratch",
                              .segments = segments,
                              .segment_count = count,
                              .order = {.key_type = (gl_segsort_key_type)(types % 4),
                                        .value_type = (gl_segsort_value_type)(types / 4 % 4)},
                              .kind = GENERATE_RANDOM,
                              .seed = (uint64_t)types,
                              .byte_offset = 8};
}

static uint64_t size_of(const gl_segsort_plan_desc *desc)
{
    uint64_t bytes = UINT64_MAX;
    CHECK(gl_segsort_plan_scratch_size(test.context, desc, &bytes) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(test.context));
    return bytes;
}

/* Of exactly that size, full of that byte, its guard words poisoned. */
static struct guarded make_scratch(uint64_t bytes, uint32_t byte_offset, int fill)
{
    struct guarded scratch;
    guarded_make(&scratch, "the scratch", (size_t)bytes / 4, byte_offset);
    memset(guarded_before(&scratch), fill, (size_t)bytes);
    guarded_upload(&scratch);
    return scratch;
}

/* ---------------------------------------------------------------------------------------------- */
/* Its size */

static void check_size(const gl_segsort_plan_desc *desc, bool needed, const char *what)
{
    gl_segsort_plan_description description = {0};
    gl_segsort_plan *plan = test_gl_plan(&test, desc);
    uint64_t bytes = size_of(desc);
    gl_segsort_plan_describe(plan, &description);
    CHECK(bytes == description.scratch_bytes && bytes % 4 == 0 && (bytes > 0) == needed,
          "%s: %llu bytes, the plan has %llu", what, (unsigned long long)bytes,
          (unsigned long long)description.scratch_bytes);
    /* The description's own scratch is not looked at. */
    gl_segsort_plan_desc other = *desc;
    other.scratch = (gl_segsort_view){0x7ffffff0, 3, 1};
    CHECK(size_of(&other) == bytes, "%s, with a scratch", what);
    gl_segsort_plan_destroy(plan);
}

static void size_is_what_a_plan_has(void)
{
    gl_segsort_segment segments[16];
    const uint32_t set_counts[] = {1, 2, 0, 3};
    for (int i = 0; i < 16 * 3; i++) {
        struct sort_case sort = make_case(segments, long_lengths, COUNT_OF(long_lengths), i % 16);
        sort.algorithm = (gl_segsort_algorithm)(i / 16);
        gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
        check_size(&desc, true, "long segments");
        desc.set_count = COUNT_OF(set_counts);
        desc.set_segment_counts = set_counts;
        check_size(&desc, true, "a batch");
        desc.begin_bit = desc.end_bit = 32;
        check_size(&desc, sort.algorithm == GL_SEGSORT_ALGORITHM_BITONIC, "no digit");
        desc = sort_case_plan_desc(&sort);
        desc.segment_count = 0;
        check_size(&desc, false, "nothing");
        sort = make_case(segments, short_lengths, COUNT_OF(short_lengths), i % 16);
        sort.algorithm = (gl_segsort_algorithm)(i / 16);
        desc = sort_case_plan_desc(&sort);
        if (sort.algorithm != GL_SEGSORT_ALGORITHM_BITONIC)
            check_size(&desc, false, "short segments");
    }
    CHECK(test_gl_clean(), "GL error");
}

static void size_of_a_wrong_plan(void)
{
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 5000}, {4999, 0, 4999, 4999, 3}};
    const gl_segsort_plan_desc good = {.segments = segments, .segment_count = 1};
    const uint32_t counts[] = {1};
    gl_segsort_plan_desc wrong[] = {good, good, good, good};
    wrong[0].value_type = (gl_segsort_value_type)4;
    wrong[1].segment_count = 2;
    wrong[2].end_bit = 33;
    wrong[3].segment_count = 2;
    wrong[3].set_count = 1;
    wrong[3].set_segment_counts = counts;
    const gl_segsort_result results[] = {GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                                         GL_SEGSORT_ERROR_OVERLAP, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                                         GL_SEGSORT_ERROR_OUT_OF_RANGE};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        uint64_t bytes = 1;
        gl_segsort_result result = gl_segsort_plan_scratch_size(test.context, &wrong[i], &bytes);
        CHECK(result == results[i] && bytes == 0 && *gl_segsort_last_error(test.context),
              "case %zu: %s, %llu bytes", i, gl_segsort_result_string(result),
              (unsigned long long)bytes);
    }
    uint64_t bytes = 1;
    const gl_segsort_result invalid = GL_SEGSORT_ERROR_INVALID_ARGUMENT;
    CHECK(gl_segsort_plan_scratch_size(NULL, &good, &bytes) == invalid, "NULL context");
    CHECK(gl_segsort_plan_scratch_size(test.context, NULL, &bytes) == invalid && bytes == 0,
          "NULL description");
    CHECK(gl_segsort_plan_scratch_size(test.context, &good, NULL) == invalid, "NULL bytes");
    CHECK(test_gl_clean(), "GL error");
}

/* ---------------------------------------------------------------------------------------------- */
/* What it holds, and where it lies */

static bool sorts_with(struct guarded *scratch, const struct sort_case *sort)
{
    gl_segsort_plan_desc desc = sort_case_plan_desc(sort);
    desc.scratch = guarded_view(scratch, scratch->words);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    bool right = sort_case_check_plan(plan, sort);
    gl_segsort_plan_destroy(plan);
    return CHECK(glIsBuffer(scratch->buffer), "the plan deleted the host's scratch") && right &&
           guarded_kept(scratch);
}

/* raylib 2185: full of something, or of what another plan left. */
static void check_contents(const struct sort_case *sort, const struct sort_case *other,
                           uint32_t byte_offset)
{
    const int fills[] = {0xcd, 0xff, 0x00};
    gl_segsort_plan_desc desc = sort_case_plan_desc(sort), other_desc = sort_case_plan_desc(other);
    uint64_t bytes = size_of(&desc), other_bytes = size_of(&other_desc);
    struct guarded scratch;
    for (size_t i = 0; i < COUNT_OF(fills); i++) {
        scratch = make_scratch(bytes, byte_offset, fills[i]);
        CHECK(sorts_with(&scratch, sort),
              "scratch of 0x%02x at byte %u, key type %d, value type %d, algorithm %d", fills[i],
              byte_offset, (int)sort->order.key_type, (int)sort->order.value_type,
              (int)sort->algorithm);
        guarded_free(&scratch);
    }
    scratch = make_scratch(bytes > other_bytes ? bytes : other_bytes, byte_offset, 0xcd);
    CHECK(sorts_with(&scratch, other) && sorts_with(&scratch, sort),
          "left by another plan, key type %d, value type %d, algorithm %d",
          (int)sort->order.key_type, (int)sort->order.value_type, (int)sort->algorithm);
    guarded_free(&scratch);
}

static void whatever_the_scratch_holds(void)
{
    const uint32_t offsets[] = {4, 252, 0, 144};
    const uint32_t bits[][2] = {{0, 0}, {0, 20}, {3, 11}};
    gl_segsort_segment segments[8], other_segments[8];
    for (int i = 0; i < 16 * 3; i++) {
        struct sort_case sort = make_case(segments, long_lengths, COUNT_OF(long_lengths), i % 16);
        struct sort_case other =
            make_case(other_segments, long_lengths, COUNT_OF(long_lengths) - 2, (i + 7) % 16);
        sort.algorithm = (gl_segsort_algorithm)(i / 16);
        sort.order.begin_bit = bits[i % 3][0];
        sort.order.end_bit = bits[i % 3][1];
        sort.in_place = i / 3 % 2;
        other.algorithm = (gl_segsort_algorithm)((i + 1) % 3);
        other.kind = GENERATE_FEW_DISTINCT;
        check_contents(&sort, &other, offsets[i % 4]);
    }
    CHECK(test_gl_clean(), "GL error");
}

/* Enough tiles for counts of chunks. */
static void scratch_of_a_longer_segment(void)
{
    const uint32_t lengths[] = {140000, 5000};
    gl_segsort_segment segments[2], other_segments[2];
    struct sort_case sort = make_case(segments, lengths, COUNT_OF(lengths), 3);
    struct sort_case other = make_case(other_segments, lengths, COUNT_OF(lengths), 0);
    check_contents(&sort, &other, 252);
    CHECK(test_gl_clean(), "GL error");
}

/* Each set of a batch has its sections of it. */
static void scratch_of_a_batch(void)
{
    gl_segsort_segment segments[8];
    for (int i = 0; i < 6; i++) {
        struct sort_buffers buffers[3];
        gl_segsort_sort_desc descs[3];
        struct sort_case sort = make_case(segments, long_lengths, 3, 5 * i % 16), sets[3];
        sort.algorithm = (gl_segsort_algorithm)(i % 3);
        gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
        desc.set_count = 3;
        struct guarded scratch = make_scratch(size_of(&desc), i % 2 ? 4 : 252, 0xff);
        desc.scratch = guarded_view(&scratch, scratch.words);
        for (uint32_t set = 0; set < 3; set++) {
            sets[set] = sort;
            sets[set].segments = segments + set;
            sets[set].segment_count = 1;
            sets[set].in_place = set == 1;
            sort_buffers_make(&buffers[set], &sets[set]);
            descs[set] = sort_buffers_desc(&buffers[set]);
        }
        gl_segsort_plan *plan = test_gl_plan(&test, &desc);
        CHECK(gl_segsort_sort_batch(plan, descs, 3) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(test.context));
        for (uint32_t set = 0; set < 3; set++) {
            CHECK(sort_buffers_right(&buffers[set]), "set %u, case %d", set, i);
            sort_buffers_free(&buffers[set]);
        }
        CHECK(guarded_kept(&scratch), "case %d", i);
        gl_segsort_plan_destroy(plan);
        guarded_free(&scratch);
    }
    CHECK(test_gl_clean(), "GL error");
}

static void policy_that_leaves_dirty(void)
{
    struct test_gl restoring = test;
    gl_segsort_segment segments[8];
    gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                    .state_policy = GL_SEGSORT_STATE_LEAVE_DIRTY};
    if (!CHECK(!gl_segsort_context_create(&desc, &test.context), "context"))
        return;
    for (int i = 0; i < 3; i++) {
        struct sort_case sort = make_case(segments, long_lengths, COUNT_OF(long_lengths), i);
        sort.algorithm = (gl_segsort_algorithm)i;
        check_contents(&sort, &sort, 252);
    }
    gl_segsort_context_destroy(test.context);
    test = restoring;
}

/* ---------------------------------------------------------------------------------------------- */
/* Sharing */

/* Two plans turn the same rows around in place, again and again, with one scratch and no barrier of
 * the host's: the library's own have to do. Equal keys keep their order both ways. */
static void plans_take_turns(void)
{
    gl_segsort_segment segments[8];
    for (int i = 0; i < 6; i++) {
        struct sort_case sort = make_case(segments, long_lengths, COUNT_OF(long_lengths), i % 4);
        struct sort_buffers buffers;
        sort.kind = GENERATE_FEW_DISTINCT;
        sort.algorithm = (gl_segsort_algorithm)(i % 3);
        sort.in_place = true;
        gl_segsort_plan_desc rising = sort_case_plan_desc(&sort), falling = rising;
        falling.direction = GL_SEGSORT_DESCENDING;
        falling.algorithm = (gl_segsort_algorithm)((i + i / 3) % 3);
        uint64_t bytes = size_of(&rising), other_bytes = size_of(&falling);
        struct guarded scratch = make_scratch(bytes > other_bytes ? bytes : other_bytes, 4, 0xcd);
        rising.scratch = falling.scratch = guarded_view(&scratch, scratch.words);
        gl_segsort_plan *plans[] = {test_gl_plan(&test, &rising), test_gl_plan(&test, &falling)};
        sort_buffers_make(&buffers, &sort);
        gl_segsort_sort_desc desc = sort_buffers_desc(&buffers);
        desc.barriers_before = i % 2 ? GL_SEGSORT_BARRIER_DEFAULT : GL_SEGSORT_BARRIER_NONE;
        desc.barriers_after = GL_SEGSORT_BARRIER_BUFFER_UPDATE;
        for (int turn = 0; turn < 41; turn++)
            CHECK(gl_segsort_sort(plans[turn % 2], &desc) == GL_SEGSORT_SUCCESS, "%s",
                  gl_segsort_last_error(test.context));
        CHECK(sort_buffers_right(&buffers) && guarded_kept(&scratch), "case %d", i);
        gl_segsort_plan_destroy(plans[0]);
        gl_segsort_plan_destroy(plans[1]);
        sort_buffers_free(&buffers);
        guarded_free(&scratch);
    }
    CHECK(test_gl_clean(), "GL error");
}

/* Between two sorts its contents are nobody's, so a gather's records may lie in it. */
static void gather_into_the_scratch(void)
{
    const uint32_t lengths[] = {5000};
    gl_segsort_segment segments[1];
    struct sort_case sort = make_case(segments, lengths, 1, 0);
    struct sort_buffers buffers;
    sort.order.value_type = GL_SEGSORT_VALUE_INDEX;
    segments[0] = (gl_segsort_segment){.length = lengths[0]};
    gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
    struct guarded scratch = make_scratch(size_of(&desc), 4, 0xcd);
    desc.scratch = guarded_view(&scratch, scratch.words);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    sort_buffers_make(&buffers, &sort);
    gl_segsort_sort_desc sort_desc = sort_buffers_desc(&buffers);
    /* The keys are the records, so that the output keys tell what comes out. */
    gl_segsort_gather_desc gather = {.indices = sort_desc.output_values,
                                     .records = sort_desc.keys,
                                     .output_records = guarded_view(&scratch, scratch.words),
                                     .record_words = 1};
    CHECK(gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_SUCCESS &&
              gl_segsort_gather(plan, &gather) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(test.context));
    const struct guarded *sorted = sort_buffers_stream(&buffers, SORT_OUTPUT_KEYS);
    uint32_t *gathered = guarded_allocate(4 * lengths[0]);
    glBindBuffer(GL_COPY_READ_BUFFER, scratch.buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 4, 4 * lengths[0], gathered);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    CHECK(memcmp(gathered, sorted->expected + sorted->first, 4 * lengths[0]) == 0,
          "what was gathered");
    CHECK(sort_buffers_right(&buffers) && guarded_kept(&scratch), "the sort");
    free(gathered);
    gl_segsort_plan_destroy(plan);
    sort_buffers_free(&buffers);
    guarded_free(&scratch);
    CHECK(test_gl_clean(), "GL error");
}

/* ---------------------------------------------------------------------------------------------- */
/* Refused scratches */

static void refused_plans(void)
{
    gl_segsort_segment segments[8];
    struct sort_case sort = make_case(segments, long_lengths, COUNT_OF(long_lengths), 0);
    gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
    uint64_t bytes = size_of(&desc);
    struct guarded scratch = make_scratch(bytes, 4, 0xcd);
    const gl_segsort_view good = guarded_view(&scratch, scratch.words);
    const struct {
        gl_segsort_view view;
        gl_segsort_result result;
        const char *part;
    } cases[] = {
        {{good.buffer, 4, good.rows - 1}, GL_SEGSORT_ERROR_OUT_OF_RANGE, "words of 4 bytes"},
        {{good.buffer, 4, 0}, GL_SEGSORT_ERROR_OUT_OF_RANGE, "words of 4 bytes"},
        {{good.buffer, 6, good.rows}, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.byte_offset"},
        {{0, 4, good.rows}, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer is 0"},
        {{0, 0, good.rows}, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer is 0"},
        {{good.buffer, UINT64_MAX - 3, good.rows},
         GL_SEGSORT_ERROR_OUT_OF_RANGE,
         "scratch.byte_offset"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan *plan;
        desc.scratch = cases[i].view;
        gl_segsort_result result = gl_segsort_plan_create(test.context, &desc, &plan);
        CHECK(result == cases[i].result && !plan &&
                  strstr(gl_segsort_last_error(test.context), cases[i].part),
              "case %zu: %s, '%s'", i, gl_segsort_result_string(result),
              gl_segsort_last_error(test.context));
    }
    CHECK(guarded_untouched(&scratch), "refused plans");
    /* Who needs none is not asked what it would be. */
    sort = make_case(segments, short_lengths, COUNT_OF(short_lengths), 0);
    desc = sort_case_plan_desc(&sort);
    desc.scratch = (gl_segsort_view){0x7ffffff0, 3, 1};
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    CHECK(sort_case_check_plan(plan, &sort), "a plan that needs no scratch");
    gl_segsort_plan_destroy(plan);
    guarded_free(&scratch);
    CHECK(test_gl_clean(), "GL error");
}

static void check_refused(gl_segsort_plan *plan, const struct sort_buffers *buffers,
                          const gl_segsort_sort_desc *desc, gl_segsort_result result,
                          const char *part, const char *what)
{
    gl_segsort_result got = gl_segsort_sort(plan, desc);
    CHECK(got == result && strstr(gl_segsort_last_error(test.context), part), "%s: %s, '%s'", what,
          gl_segsort_result_string(got), gl_segsort_last_error(test.context));
    CHECK(sort_buffers_untouched(buffers), "%s", what);
    CHECK(test_gl_clean(), "GL error");
}

/* The scratch may lie in a stream's buffer, before it or behind it, but not on its rows. */
static void check_overlap(const struct sort_case *sort, int stream, int at, bool overlaps)
{
    struct sort_buffers buffers;
    struct guarded joined;
    gl_segsort_plan_desc desc = sort_case_plan_desc(sort);
    size_t words = (size_t)size_of(&desc) / 4;
    sort_buffers_make(&buffers, sort);
    const struct guarded *own = sort_buffers_stream(&buffers, stream);
    /* The stream's rows in a larger buffer, with room for a scratch on either side of them. */
    guarded_make(&joined, "the stream and the scratch", 2 * words + own->words, 4);
    memcpy(guarded_before(&joined) + words, guarded_before(own), 4 * own->words);
    guarded_upload(&joined);
    memcpy(guarded_expected(&joined) + words, own->expected + own->first, 4 * own->words);
    gl_segsort_sort_desc sort_desc = sort_buffers_desc(&buffers);
    gl_segsort_view *const views[] = {&sort_desc.keys, &sort_desc.values, &sort_desc.output_keys,
                                      &sort_desc.output_values};
    for (int i = 0; i < SORT_STREAMS; i++)
        if (sort_buffers_stream(&buffers, i) == own) {
            views[i]->buffer = joined.buffer;
            views[i]->byte_offset = 4 * (1 + words);
        }
    /* The first row in use is the view's second one. */
    size_t first = at < 0 ? 1 : words + own->words;
    if (overlaps)
        first = at < 0 ? first + 1 : first - 1;
    desc.scratch = (gl_segsort_view){joined.buffer, 4 * (1 + first), words};
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    if (overlaps) {
        check_refused(plan, &buffers, &sort_desc, GL_SEGSORT_ERROR_OVERLAP, "the scratch",
                      "overlap");
        CHECK(guarded_untouched(&joined), "stream %d, at %d", stream, at);
    } else {
        CHECK(gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_SUCCESS, "stream %d, at %d: %s",
              stream, at, gl_segsort_last_error(test.context));
        /* The scratch's own words may be anything. Without the wait one driver writes over them
         * before the sort does (docs/integration.md). */
        glFinish();
        glBindBuffer(GL_COPY_WRITE_BUFFER, joined.buffer);
        glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)(4 * (1 + first)), (GLsizeiptr)(4 * words),
                        joined.expected + 1 + first);
        glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
        for (int i = 0; i < SORT_STREAMS; i++)
            if (&buffers.streams[i] != own)
                CHECK(guarded_right(&buffers.streams[i]), "stream %d", i);
        CHECK(guarded_right(&joined), "stream %d, at %d", stream, at);
    }
    gl_segsort_plan_destroy(plan);
    guarded_free(&joined);
    sort_buffers_free(&buffers);
}

static void scratch_next_to_streams_and_on_them(void)
{
    const uint32_t lengths[] = {5000, 4097};
    gl_segsort_segment segments[2];
    for (int i = 0; i < 2 * SORT_STREAMS * 4; i++) {
        struct sort_case sort = make_case(segments, lengths, COUNT_OF(lengths), 0);
        sort.in_place = i / (SORT_STREAMS * 4);
        sort.algorithm = i % 3 ? GL_SEGSORT_ALGORITHM_AUTO : GL_SEGSORT_ALGORITHM_BITONIC;
        check_overlap(&sort, i / 4 % SORT_STREAMS, i % 2 ? 1 : -1, i / 2 % 2);
    }
    CHECK(test_gl_clean(), "GL error");
}

/* bevy_hanabi 537: the host specifies the buffer anew between two sorts, or deletes it. */
static void scratch_that_changes(void)
{
    gl_segsort_segment segments[8];
    struct sort_case sort = make_case(segments, long_lengths, COUNT_OF(long_lengths), 0);
    struct sort_buffers buffers;
    gl_segsort_plan_desc desc = sort_case_plan_desc(&sort);
    uint64_t bytes = size_of(&desc);
    struct guarded scratch = make_scratch(bytes, 252, 0xcd);
    desc.scratch = guarded_view(&scratch, scratch.words);
    gl_segsort_plan *plan = test_gl_plan(&test, &desc);
    sort_buffers_make(&buffers, &sort);
    gl_segsort_sort_desc sort_desc = sort_buffers_desc(&buffers);
    glBindBuffer(GL_COPY_WRITE_BUFFER, scratch.buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes + 252 - 4, NULL, GL_DYNAMIC_COPY);
    check_refused(plan, &buffers, &sort_desc, GL_SEGSORT_ERROR_OUT_OF_RANGE, "scratch",
                  "a word too small");
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes + 252, NULL, GL_DYNAMIC_COPY);
    CHECK(gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_SUCCESS && sort_buffers_right(&buffers),
          "as large as needed: %s", gl_segsort_last_error(test.context));
    sort_buffers_upload(&buffers);
    glBindBuffer(GL_COPY_WRITE_BUFFER, scratch.buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, 4 * (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
    CHECK(gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_SUCCESS && sort_buffers_right(&buffers),
          "larger: %s", gl_segsort_last_error(test.context));
    sort_buffers_upload(&buffers);
    glDeleteBuffers(1, &scratch.buffer);
    check_refused(plan, &buffers, &sort_desc, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer",
                  "deleted");
    gl_segsort_plan_destroy(plan);
    sort_buffers_free(&buffers);
    scratch.buffer = 0;
    guarded_free(&scratch);
    CHECK(test_gl_clean(), "GL error");
}

int main(int argc, char **argv)
{
    if (!test_gl_open_as(&test, 0, tuned_for))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(size_is_what_a_plan_has),
                                              CHECK_TEST(size_of_a_wrong_plan),
                                              CHECK_TEST(whatever_the_scratch_holds),
                                              CHECK_TEST(scratch_of_a_longer_segment),
                                              CHECK_TEST(scratch_of_a_batch),
                                              CHECK_TEST(policy_that_leaves_dirty),
                                              CHECK_TEST(plans_take_turns),
                                              CHECK_TEST(gather_into_the_scratch),
                                              CHECK_TEST(refused_plans),
                                              CHECK_TEST(scratch_next_to_streams_and_on_them),
                                              CHECK_TEST(scratch_that_changes)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
