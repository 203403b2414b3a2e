/* Layer 4: what GPUSort, the sibling that sorts one packed domain, promises its users: a test a
 * line of it. A domain is a plan of one segment that fills its views. */
#include "check.h"
#include "sort_case.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define ALGORITHMS 3

static struct test_gl test;
static gl_segsort_context *context;

static const char *const algorithm_names[ALGORITHMS] = {"auto", "bitonic", "radix"};

/* ---------------------------------------------------------------------------------------------- */
/* What the library has GL do */

static unsigned dispatches, barriers;

static void count_dispatch(GLuint x, GLuint y, GLuint z)
{
    dispatches++;
    glDispatchCompute(x, y, z);
}

static void count_barrier(GLbitfield bits)
{
    barriers++;
    glMemoryBarrier(bits);
}

static gl_segsort_proc counting_get_proc_address(const char *name)
{
    if (strcmp(name, "glDispatchCompute") == 0)
        return (gl_segsort_proc)count_dispatch;
    if (strcmp(name, "glMemoryBarrier") == 0)
        return (gl_segsort_proc)count_barrier;
    return test_gl_get_proc_address(name);
}

static bool open_context(void)
{
    /* What is chosen is a card's choice, whatever driver this is. */
    if (!test_gl_open_as(&test, 0, "NVIDIA"))
        return false;
    gl_segsort_context_desc desc = {.get_proc_address = counting_get_proc_address};
    return gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- */
/* Domains */

/* The segment is the caller's, since the case only points to it. */
static struct sort_case make_domain(gl_segsort_segment *segment, uint32_t rows,
                                    const struct cpu_order *order, gl_segsort_algorithm algorithm)
{
    *segment = (gl_segsort_segment){.length = rows};
    return (struct sort_case){.name = algorithm_names[algorithm],
                              .segments = segment,
                              .segment_count = 1,
                              .order = *order,
                              .algorithm = algorithm,
                              .seed = rows};
}

static gl_segsort_plan *make_plan(const struct sort_case *sort,
                                  gl_segsort_plan_description *description)
{
    gl_segsort_plan_desc desc = {.key_type = sort->order.key_type,
                                 .value_type = sort->order.value_type,
                                 .direction = sort->order.direction,
                                 .begin_bit = sort->order.begin_bit,
                                 .end_bit = sort->order.end_bit,
                                 .algorithm = sort->algorithm,
                                 .segments = sort->segments,
                                 .segment_count = sort->segment_count};
    gl_segsort_plan *plan = NULL;
    *description = (gl_segsort_plan_description){0};
    CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "plan: %s",
          gl_segsort_last_error(context));
    CHECK(gl_segsort_plan_describe(plan, description) == GL_SEGSORT_SUCCESS, "describe");
    return plan;
}

/* Sorts rows of random keys, then of few distinct ones, which show a lost order of equal keys. */
static void check_domain(uint32_t rows, const struct cpu_order *order,
                         gl_segsort_algorithm algorithm, bool in_place)
{
    gl_segsort_segment segment;
    struct sort_case sort = make_domain(&segment, rows, order, algorithm);
    sort.in_place = in_place;
    gl_segsort_plan_description description;
    gl_segsort_plan *plan = make_plan(&sort, &description);
    const enum generate_keys_kind kinds[] = {GENERATE_RANDOM, GENERATE_FEW_DISTINCT};
    for (size_t i = 0; plan && i < COUNT_OF(kinds); i++) {
        sort.kind = kinds[i];
        CHECK(sort_case_check_plan(plan, &sort), "%s, %u rows of %s keys, bits %u..%u, %s%s",
              algorithm_names[algorithm], rows, generate_keys_name(kinds[i]), order->begin_bit,
              order->end_bit, order->direction ? "descending" : "ascending",
              in_place ? ", in place" : "");
    }
    gl_segsort_plan_destroy(plan);
}

/* Sorts keys whose order is written out: by the reference too, so that it has an oracle of its own.
 */
static void check_by_hand(const char *name, const struct cpu_order *order, const uint32_t *keys,
                          const uint32_t *rows, uint32_t count)
{
    uint32_t reference[8];
    cpu_sort_order(order, keys, count, reference);
    CHECK(memcmp(reference, rows, 4 * count) == 0, "%s: the reference", name);
    for (int a = 0; a < ALGORITHMS; a++) {
        gl_segsort_segment segment;
        struct sort_case sort = make_domain(&segment, count, order, (gl_segsort_algorithm)a);
        sort.keys = keys;
        CHECK(sort_case_check(context, &sort), "%s, %s", name, algorithm_names[a]);
    }
}

/* Whether all passes' kernels are of those that packs of segments are sorted by. */
static bool sorts_packs(const gl_segsort_plan_description *description)
{
    bool packs = description->pass_count > 0;
    for (uint32_t i = 0; i < description->pass_count; i++)
        packs = packs && (strncmp(description->passes[i].kernel, "rank-", 5) == 0 ||
                          strncmp(description->passes[i].kernel, "bucket-", 7) == 0);
    return packs;
}

/* Whether they are those that segments are split by, in their order, each once: the last in bunches
 * or, for the longest, in parts. */
static bool sorts_splits(const gl_segsort_plan_description *description)
{
    static const char *const kernels[] = {"split-sample", "split-count", "split-spine",
                                          "split-scatter", "split-finish"};
    if (description->pass_count != COUNT_OF(kernels))
        return false;
    for (size_t i = 0; i < COUNT_OF(kernels); i++) {
        const char *kernel = description->passes[i].kernel;
        bool parts = i + 1 == COUNT_OF(kernels) && strcmp(kernel, "split-parts") == 0;
        if (!parts && strcmp(kernel, kernels[i]) != 0)
            return false;
    }
    return true;
}

/* One more pass tells of what is split again; of the others some are for one way of sorting alone. */
static bool sorts_twice(const gl_segsort_plan_description *description, uint32_t *out_of_place)
{
    uint32_t again = 0, scatters = 0;
    *out_of_place = 0;
    for (uint32_t i = 0; i < description->pass_count; i++) {
        const gl_segsort_pass_description *pass = &description->passes[i];
        bool due = pass->condition != GL_SEGSORT_PASS_IN_PLACE;
        *out_of_place += due;
        again += strcmp(pass->kernel, "split-again") == 0;
        scatters += due && strcmp(pass->kernel, "split-scatter") == 0;
    }
    return again == 1 && scatters == 2;
}

/* The algorithm that a plan came to, as its passes' kernels tell. */
static gl_segsort_algorithm resolved(const gl_segsort_plan_description *description)
{
    bool bitonic = description->pass_count > 0, radix = bitonic;
    for (uint32_t i = 0; i < description->pass_count; i++) {
        const char *kernel = description->passes[i].kernel;
        bool copies = strcmp(kernel, "copy-rows") == 0;
        bitonic = bitonic && strncmp(kernel, "bitonic-", 8) == 0;
        radix = radix && (copies || strncmp(kernel, "radix-", 6) == 0);
    }
    return bitonic ? GL_SEGSORT_ALGORITHM_BITONIC
           : radix ? GL_SEGSORT_ALGORITHM_RADIX
                   : GL_SEGSORT_ALGORITHM_AUTO;
}

/* ---------------------------------------------------------------------------------------------- */
/* One packed view */

static void one_packed_domain(void)
{
    const uint32_t lengths[] = {2,   3,    100,  255,  256,  257,   511,   512,
                                513, 1000, 4095, 4096, 4097, 10007, 150001};
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        for (int a = 0; a < ALGORITHMS; a++)
            check_domain(lengths[i], &(struct cpu_order){0}, (gl_segsort_algorithm)a, false);
}

/* ---------------------------------------------------------------------------------------------- */
/* Algorithms */

enum way { PACKS, SPLITS, TWICE };

/* The description has to be true: of each pass GL sees a dispatch. */
static void check_auto(uint32_t rows, enum way way)
{
    gl_segsort_segment segment;
    gl_segsort_plan_description description;
    struct sort_case sort =
        make_domain(&segment, rows, &(struct cpu_order){0}, GL_SEGSORT_ALGORITHM_AUTO);
    gl_segsort_plan *plan = make_plan(&sort, &description);
    uint32_t out_of_place;
    bool twice = sorts_twice(&description, &out_of_place);
    CHECK(sorts_packs(&description) == (way == PACKS) &&
              sorts_splits(&description) == (way == SPLITS) && twice == (way == TWICE) &&
              resolved(&description) == GL_SEGSORT_ALGORITHM_AUTO,
          "%u rows came to %s", rows, description.passes[0].kernel);
    dispatches = 0;
    CHECK(sort_case_check_plan(plan, &sort), "%u rows", rows);
    CHECK(dispatches == out_of_place, "%u rows: %u dispatches, %u passes", rows, dispatches,
          out_of_place);
    if (way == PACKS)
        CHECK(dispatches == 1 && description.scratch_bytes == 0,
              "%u rows: %u dispatches, %d bytes of scratch", rows, dispatches,
              (int)description.scratch_bytes);
    gl_segsort_plan_destroy(plan);
}

/* Where exactly it changes over is a matter of measurement. */
static void auto_fuses_short_domains_and_splits_long_ones_once_or_twice(void)
{
    const uint32_t short_ones[] = {2, 3, 16, 17, 100, 255, 256, 1024},
                   long_ones[] = {4097, 45000, 150001, 300000, 1u << 20, 1u << 22},
                   longer_ones[] = {(1u << 22) + 1};
    for (size_t i = 0; i < COUNT_OF(short_ones); i++)
        check_auto(short_ones[i], PACKS);
    for (size_t i = 0; i < COUNT_OF(long_ones); i++)
        check_auto(long_ones[i], SPLITS);
    for (size_t i = 0; i < COUNT_OF(longer_ones); i++)
        check_auto(longer_ones[i], TWICE);
}

/* Whoever asks for an algorithm gets it, for any length; and the plan tells before it sorts. */
static void resolved_algorithm_can_be_queried(void)
{
    const uint32_t lengths[] = {1, 2, 256, 257, 4096, 4097, 150001};
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        for (int a = 1; a < ALGORITHMS; a++) {
            gl_segsort_segment segment;
            gl_segsort_plan_description description;
            struct sort_case sort =
                make_domain(&segment, lengths[i], &(struct cpu_order){0}, (gl_segsort_algorithm)a);
            gl_segsort_plan *plan = make_plan(&sort, &description);
            CHECK(resolved(&description) == sort.algorithm, "%u rows by %s came to %s", lengths[i],
                  algorithm_names[a], algorithm_names[resolved(&description)]);
            gl_segsort_plan_destroy(plan);
        }
}

/* ---------------------------------------------------------------------------------------------- */
/* Direction */

static void both_directions(void)
{
    const uint32_t keys[] = {2, 1, 0xffffffff, 2, 1, 0}, up[] = {5, 1, 4, 0, 3, 2},
                   down[] = {2, 0, 3, 1, 4, 5}, lengths[] = {2, 200, 700, 4096, 9000};
    check_by_hand("ascending", &(struct cpu_order){.direction = GL_SEGSORT_ASCENDING}, keys, up, 6);
    check_by_hand("descending", &(struct cpu_order){.direction = GL_SEGSORT_DESCENDING}, keys, down,
                  6);
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        for (int d = 0; d < 2; d++)
            for (int a = 0; a < ALGORITHMS; a++)
                check_domain(lengths[i], &(struct cpu_order){.direction = (gl_segsort_direction)d},
                             (gl_segsort_algorithm)a, false);
}

/* ---------------------------------------------------------------------------------------------- */
/* keyBits: end_bit */

/* The digits of a domain longer than a work group sorts: one behind the other from bit 0 on, and
 * together bits. */
static void check_digits(uint32_t end_bit, uint32_t bits)
{
    gl_segsort_segment segment;
    gl_segsort_plan_description description;
    struct sort_case sort = make_domain(&segment, 5000, &(struct cpu_order){.end_bit = end_bit},
                                        GL_SEGSORT_ALGORITHM_RADIX);
    gl_segsort_plan *plan = make_plan(&sort, &description);
    uint32_t done = 0;
    for (uint32_t i = 0; i < description.pass_count; i++) {
        const gl_segsort_pass_description *pass = &description.passes[i];
        if (strcmp(pass->kernel, "radix-scatter") != 0 ||
            pass->condition == GL_SEGSORT_PASS_IN_PLACE)
            continue;
        CHECK(pass->begin_bit == done, "end_bit %u: a digit starts with bit %u instead of %u",
              end_bit, pass->begin_bit, done);
        done += pass->bit_count;
    }
    CHECK(done == bits, "end_bit %u: %u bits are sorted by", end_bit, done);
    gl_segsort_plan_destroy(plan);
}

/* The others are ignored but carried; none given means all 32. */
static void key_bits_alone_decide(void)
{
    const uint32_t bits[] = {1, 5, 8, 12, 31, 32}, lengths[] = {2, 300, 3000, 5000};
    /* Whole keys, and bits beyond the second, would give other orders. */
    const uint32_t keys[] = {0xf0000001, 0x00000003, 0x80000000, 0x7fffffe2, 0x00000005},
                   up[] = {2, 0, 4, 3, 1}, down[] = {1, 3, 0, 4, 2};
    check_by_hand("two bits", &(struct cpu_order){.end_bit = 2}, keys, up, 5);
    check_by_hand("two bits, descending",
                  &(struct cpu_order){.end_bit = 2, .direction = GL_SEGSORT_DESCENDING}, keys, down,
                  5);
    check_digits(0, 32);
    for (size_t b = 0; b < COUNT_OF(bits); b++) {
        check_digits(bits[b], bits[b]);
        for (size_t i = 0; i < COUNT_OF(lengths); i++)
            for (int a = 0; a < ALGORITHMS; a++) {
                const struct cpu_order order = {.end_bit = bits[b],
                                                .direction = (gl_segsort_direction)((b + i) % 2)};
                check_domain(lengths[i], &order, (gl_segsort_algorithm)a, false);
            }
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Nothing, and one row */

/* A call on views of poison, or on none at all. */
static void check_empty_call(gl_segsort_plan *plan, bool views)
{
    enum { ROWS = 64 };
    uint32_t before[4 * ROWS], after[4 * ROWS];
    GLuint buffer;
    memset(before, 0xcd, sizeof before);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glBufferData(GL_COPY_READ_BUFFER, sizeof before, before, GL_DYNAMIC_COPY);
    gl_segsort_sort_desc desc = {0};
    if (views)
        desc = (gl_segsort_sort_desc){.keys = {buffer, 0, ROWS},
                                      .values = {buffer, 4 * ROWS, ROWS},
                                      .output_keys = {buffer, 8 * ROWS, ROWS},
                                      .output_values = {buffer, 12 * ROWS, ROWS}};
    dispatches = barriers = 0;
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(dispatches == 0 && barriers == 0, "%u dispatches, %u barriers", dispatches, barriers);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof after, after);
    CHECK(memcmp(before, after, sizeof after) == 0, "a buffer changed");
    CHECK(glGetError() == GL_NO_ERROR, "a GL error");
    glDeleteBuffers(1, &buffer);
}

static void empty_input_records_no_work(void)
{
    /* Offsets of empty segments are ignored. */
    const gl_segsort_segment empty[] = {{0, 0, 0, 0, 0}, {UINT32_MAX, 7, 7, UINT32_MAX, 0}};
    for (uint32_t count = 0; count <= COUNT_OF(empty); count++)
        for (int a = 0; a < ALGORITHMS; a++) {
            gl_segsort_plan_description description;
            const struct sort_case sort = {.segments = count > 0 ? empty : NULL,
                                           .segment_count = count,
                                           .algorithm = (gl_segsort_algorithm)a};
            gl_segsort_plan *plan = make_plan(&sort, &description);
            CHECK(description.pass_count == 0 && description.gather_pass_count == 0,
                  "%u empty segments: %u passes, %u of a gather", count, description.pass_count,
                  description.gather_pass_count);
            CHECK(description.row_count == 0 && description.scratch_bytes == 0,
                  "%u empty segments: %d rows, %d bytes of scratch", count,
                  (int)description.row_count, (int)description.scratch_bytes);
            CHECK(description.segment_count == count && description.empty_count == count,
                  "%u empty segments: %u, %u of them empty", count, description.segment_count,
                  description.empty_count);
            check_empty_call(plan, false);
            check_empty_call(plan, true);
            gl_segsort_plan_destroy(plan);
        }
}

/* Whatever the types are, and however few bits count: in one dispatch. */
static void one_row_is_a_copy(void)
{
    for (int n = 0; n < 4 * 4 * ALGORITHMS; n++) {
        const struct cpu_order order = {.key_type = (gl_segsort_key_type)(n % 4),
                                        .value_type = (gl_segsort_value_type)(n / 4 % 4),
                                        .direction = (gl_segsort_direction)(n / 3 % 2),
                                        .end_bit = n / 5 % 2 ? 7 : 0};
        gl_segsort_segment segment;
        gl_segsort_plan_description description;
        struct sort_case sort = make_domain(&segment, 1, &order, (gl_segsort_algorithm)(n / 16));
        gl_segsort_plan *plan = make_plan(&sort, &description);
        CHECK(description.pass_count == 1, "%u passes", description.pass_count);
        dispatches = 0;
        for (int in_place = 0; in_place < 2; in_place++) {
            sort.in_place = in_place;
            CHECK(sort_case_check_plan(plan, &sort), "key type %d, value type %d, in place %d",
                  (int)order.key_type, (int)order.value_type, in_place);
        }
        CHECK(dispatches == 2, "%u dispatches of two sorts", dispatches);
        gl_segsort_plan_destroy(plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Ping-pong */

/* Digits that a call moves rows by, across work groups. */
static uint32_t count_scatters(const gl_segsort_plan_description *description,
                               gl_segsort_pass_condition left_out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < description->pass_count; i++)
        count += strcmp(description->passes[i].kernel, "radix-scatter") == 0 &&
                 description->passes[i].condition != left_out;
    return count;
}

static void check_digit_passes(uint32_t rows, gl_segsort_key_type key_type, uint32_t digits)
{
    const struct cpu_order order = {.key_type = key_type, .end_bit = 8 * digits};
    gl_segsort_segment segment;
    gl_segsort_plan_description description;
    struct sort_case sort = make_domain(&segment, rows, &order, GL_SEGSORT_ALGORITHM_RADIX);
    gl_segsort_plan *plan = make_plan(&sort, &description);
    bool local = rows <= description.local_rows_max;
    uint32_t due = local ? 0 : digits;
    CHECK(count_scatters(&description, GL_SEGSORT_PASS_IN_PLACE) == due &&
              count_scatters(&description, GL_SEGSORT_PASS_OUT_OF_PLACE) == due,
          "%u rows by %u digits: another number of scatters", rows, digits);
    CHECK((description.scratch_bytes == 0) == local, "%u rows: %d bytes of scratch", rows,
          (int)description.scratch_bytes);
    gl_segsort_plan_destroy(plan);
    for (int in_place = 0; in_place < 2; in_place++)
        check_domain(rows, &order, GL_SEGSORT_ALGORITHM_RADIX, in_place);
}

/* Odd and even numbers of them; 140,000 rows are more tiles than one chunk has. */
static void last_digit_lands_in_the_outputs(void)
{
    const uint32_t lengths[] = {2000, 5000, 140000};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        for (uint32_t digits = 1; digits <= 4; digits++)
            check_digit_passes(lengths[i], GL_SEGSORT_KEY_U32, digits);
        for (uint32_t digits = 1; digits <= 8; digits++)
            check_digit_passes(lengths[i], GL_SEGSORT_KEY_U64, digits);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Inputs */

static GLuint make_buffer(size_t words, const uint32_t *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(4 * words), data, GL_DYNAMIC_COPY);
    return buffer;
}

enum { INPUT_ROWS = 20000 };

/* Sorts the first rows of the input, which are keys and values alike. */
static void check_input(const uint32_t *input, const GLuint buffers[2], uint32_t rows,
                        const struct cpu_order *order, gl_segsort_algorithm algorithm)
{
    static uint32_t expected[2 * INPUT_ROWS], sorted[2 * INPUT_ROWS], after[INPUT_ROWS];
    gl_segsort_segment segment;
    gl_segsort_plan_description description;
    struct sort_case sort = make_domain(&segment, rows, order, algorithm);
    gl_segsort_plan *plan = make_plan(&sort, &description);
    const gl_segsort_sort_desc desc = {.keys = {buffers[0], 0, rows},
                                       .values = {buffers[0], 0, rows},
                                       .output_keys = {buffers[1], 0, rows},
                                       .output_values = {buffers[1], 4 * INPUT_ROWS, rows}};
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    cpu_sort_rows(order, input, input, expected, expected + INPUT_ROWS, rows);
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[1]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof sorted, sorted);
    CHECK(memcmp(sorted, expected, 4 * rows) == 0 &&
              memcmp(sorted + INPUT_ROWS, expected + INPUT_ROWS, 4 * rows) == 0,
          "%s, %u rows: wrong result", algorithm_names[algorithm], rows);
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[0]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof after, after);
    CHECK(memcmp(after, input, sizeof after) == 0, "%s, %u rows: the input changed",
          algorithm_names[algorithm], rows);
}

/* One buffer is the input of them all, so that whatever a sort writes there the later ones read. */
static void inputs_are_never_modified(void)
{
    const uint32_t lengths[] = {1, 200, 3000, INPUT_ROWS}, bits[] = {0, 7, 20};
    static uint32_t input[INPUT_ROWS];
    generate_keys(GENERATE_RANDOM, input, INPUT_ROWS, 5);
    const GLuint buffers[] = {make_buffer(INPUT_ROWS, input),
                              make_buffer(2 * (size_t)INPUT_ROWS, NULL)};
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        for (size_t b = 0; b < COUNT_OF(bits); b++)
            for (int a = 0; a < ALGORITHMS; a++) {
                const struct cpu_order order = {.direction = (gl_segsort_direction)((i + b) % 2),
                                                .end_bit = bits[b]};
                check_input(input, buffers, lengths[i], &order, (gl_segsort_algorithm)a);
            }
    glDeleteBuffers(2, buffers);
    CHECK(glGetError() == GL_NO_ERROR, "a GL error");
}

int main(int argc, char **argv)
{
    if (!open_context())
        return 1;
    static const struct check_test tests[] = {
        CHECK_TEST(one_packed_domain),
        CHECK_TEST(auto_fuses_short_domains_and_splits_long_ones_once_or_twice),
        CHECK_TEST(resolved_algorithm_can_be_queried),
        CHECK_TEST(both_directions),
        CHECK_TEST(key_bits_alone_decide),
        CHECK_TEST(empty_input_records_no_work),
        CHECK_TEST(one_row_is_a_copy),
        CHECK_TEST(last_digit_lands_in_the_outputs),
        CHECK_TEST(inputs_are_never_modified)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    gl_segsort_context_destroy(context);
    test_gl_close(&test);
    return result;
}
