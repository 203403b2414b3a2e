/* The radix sort across work groups: from where to where its passes move rows, in place and not,
 * and with which calls. */
#include "check.h"
#include "kernels.h"
#include "recorded_places.h"

#include <stdlib.h>

/* More tiles than a chunk has, a few tiles twice, and three segments that a work group sorts. */
static const uint32_t lengths[] = {300000, 5000, 300, 12, 0, 4097, 4096};
#define LENGTHS 7
#define ROWS 313505

#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define CONSUMERS_OF_44 0x0000faefu

/* Which streams have their outputs where their inputs are. */
enum aliasing { OUT_OF_PLACE, IN_PLACE, KEYS_IN_PLACE, VALUES_IN_PLACE, ALIASINGS };
static const char *const aliasing_names[ALIASINGS] = {"out of place", "in place", "keys in place",
                                                      "values in place"};

static gl_segsort_sort_desc sort_desc(enum aliasing aliasing)
{
    gl_segsort_sort_desc desc = recorded_sort_desc(ROWS);
    if (aliasing == IN_PLACE || aliasing == KEYS_IN_PLACE)
        desc.keys = desc.output_keys;
    if (aliasing == IN_PLACE || aliasing == VALUES_IN_PLACE)
        desc.values = desc.output_values;
    return desc;
}

static gl_segsort_plan_desc of_bits(gl_segsort_key_type type, uint32_t begin, uint32_t end)
{
    return (gl_segsort_plan_desc){.key_type = type,
                                  .value_type = GL_SEGSORT_VALUE_U64,
                                  .algorithm = GL_SEGSORT_ALGORITHM_RADIX,
                                  .begin_bit = begin,
                                  .end_bit = end};
}

static struct recorded_run begin(const gl_segsort_plan_desc *like, enum aliasing aliasing)
{
    recorded_begin();
    struct recorded_run run = recorded_run_begin(like, 0, lengths, LENGTHS, false);
    CHECK(run.result == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(run.context));
    gl_segsort_sort_desc desc = sort_desc(aliasing);
    run.in_place = aliasing != OUT_OF_PLACE;
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(run.plan, &desc) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(run.context));
    return run;
}

static void end(struct recorded_run *run)
{
    recorded_run_end(run);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static bool is_local(const struct fake_gl_dispatch *dispatch)
{
    return recorded_is_kernel(dispatch, "-local-");
}

/* ---------------------------------------------------------------------------------------------- */
/* From place to place */

/* The long segments' rows on their way. */
struct walk {
    bool aliased;
    uint32_t place;        /* where they are */
    uint32_t bits;         /* of the key that they are sorted by so far */
    uint32_t step;         /* of a digit: which of its passes is next */
    unsigned copies;       /* passes that only move rows */
    const char *case_name; /* for messages */
};

static const char *const digit_kernels[] = {"radix-count", "radix-chunk", "radix-spine",
                                            "radix-scatter"};
#define DIGIT_KERNELS 4

/* Reading one and writing the other would be reading rows that are overwritten. */
static bool same_rows(const struct walk *walk, uint32_t a, uint32_t b)
{
    bool scratch = a == SEGSORT_PLACE_SCRATCH || b == SEGSORT_PLACE_SCRATCH;
    return a == b || (walk->aliased && !scratch);
}

static void move(struct walk *walk, const struct fake_gl_dispatch *dispatch)
{
    const struct segsort_pass_params *params = &dispatch->params;
    CHECK(params->source == walk->place, "%s: %s reads place %u, the rows are at %u",
          walk->case_name, dispatch->program_label, params->source, walk->place);
    CHECK(!same_rows(walk, params->source, params->destination), "%s: %s from %u to %u",
          walk->case_name, dispatch->program_label, params->source, params->destination);
    CHECK(params->destination != SEGSORT_PLACE_INPUT, "%s: %s writes the inputs", walk->case_name,
          dispatch->program_label);
    walk->place = params->destination;
}

static void take_step(struct walk *walk, const struct fake_gl_dispatch *dispatch,
                      const gl_segsort_plan_desc *like)
{
    const struct segsort_pass_params *params = &dispatch->params;
    if (recorded_is_kernel(dispatch, "copy-rows")) {
        CHECK(walk->step == 0, "%s: a copy in the middle of a digit", walk->case_name);
        move(walk, dispatch);
        walk->copies++;
        return;
    }
    CHECK(recorded_is_kernel(dispatch, digit_kernels[walk->step]), "%s: %s, expected %s",
          walk->case_name, dispatch->program_label, digit_kernels[walk->step]);
    CHECK(params->digit_shift == like->begin_bit + walk->bits, "%s: %s of digit %u, expected %u",
          walk->case_name, dispatch->program_label, params->digit_shift,
          like->begin_bit + walk->bits);
    CHECK(params->digit_bits >= 1 && params->digit_bits <= SEGSORT_DIGIT_BITS,
          "%s: a digit of %u bits", walk->case_name, params->digit_bits);
    if (walk->step == 0)
        CHECK(params->source == walk->place, "%s: rows of place %u are counted, they are at %u",
              walk->case_name, params->source, walk->place);
    if (walk->step == DIGIT_KERNELS - 1) {
        move(walk, dispatch);
        walk->bits += params->digit_bits;
    }
    walk->step = (walk->step + 1) % DIGIT_KERNELS;
}

/* All passes of the last sort; it was of the key's bits as like has them. */
static void check_walk(const gl_segsort_plan_desc *like, bool aliased, const char *case_name)
{
    struct walk walk = {.aliased = aliased, .place = SEGSORT_PLACE_INPUT, .case_name = case_name};
    uint32_t bits = like->end_bit - like->begin_bit, digits = (bits + 7) / 8;
    for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        if (!is_local(dispatch))
            take_step(&walk, dispatch, like);
        else
            CHECK(dispatch->params.source == SEGSORT_PLACE_INPUT &&
                      dispatch->params.destination == SEGSORT_PLACE_OUTPUT,
                  "%s: %s from %u to %u", case_name, dispatch->program_label,
                  dispatch->params.source, dispatch->params.destination);
    }
    CHECK(walk.place == SEGSORT_PLACE_OUTPUT && walk.step == 0, "%s: the rows end at place %u",
          case_name, walk.place);
    CHECK(walk.bits == bits, "%s: sorted by %u bits of %u", case_name, walk.bits, bits);
    CHECK(walk.copies == (aliased && digits % 2 == 1), "%s: %u copies", case_name, walk.copies);
}

/* The passes that ran are those that the description calls due, in that order. */
static void check_due(const struct recorded_run *run, const char *case_name)
{
    size_t due = recorded_due_count(&run->description, run->in_place);
    CHECK(fake_gl.dispatch_count == due, "%s: %zu dispatches, %zu passes are due", case_name,
          fake_gl.dispatch_count, due);
    for (size_t i = 0; i < fake_gl.dispatch_count && i < due; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        const gl_segsort_pass_description *pass =
            recorded_due_pass(&run->description, run->in_place, i);
        bool digit = pass->bit_count > 0;
        CHECK(recorded_is_kernel(dispatch, pass->kernel), "%s: pass %zu is %s, due is %s",
              case_name, i, dispatch->program_label, pass->label);
        CHECK(memcmp(dispatch->groups, pass->work_groups, sizeof dispatch->groups) == 0,
              "%s: %s has other work groups", case_name, pass->label);
        CHECK(dispatch->width == pass->width, "%s: %s has width %u", case_name, pass->label,
              dispatch->width);
        CHECK(!digit || (dispatch->params.digit_shift == pass->begin_bit &&
                         dispatch->params.digit_bits == pass->bit_count),
              "%s: %s is of another digit", case_name, pass->label);
    }
}

/* No other binding than the outputs' is written through. */
static void check_inputs_are_not_outputs(const char *case_name)
{
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        static const char *const outputs[] = {"BindBufferRange STORAGE 2 ",
                                              "BindBufferRange STORAGE 3 "};
        const char *text = fake_gl.trace[i].text;
        for (int o = 0; o < 2; o++) {
            const char *buffer = text + strlen(outputs[o]);
            if (strncmp(text, outputs[o], strlen(outputs[o])) == 0)
                CHECK(strncmp(buffer, "keys ", 5) != 0 && strncmp(buffer, "values ", 7) != 0,
                      "%s: %s", case_name, text);
        }
    }
    CHECK(fake_gl_find_buffer(recorded.keys)->written == 0 &&
              fake_gl_find_buffer(recorded.values)->written == 0,
          "%s: an input was written", case_name);
}

static void check_case(const gl_segsort_plan_desc *like, enum aliasing aliasing)
{
    char name[100];
    snprintf(name, sizeof name, "key type %d, bits %u..%u, %s", (int)like->key_type,
             like->begin_bit, like->end_bit, aliasing_names[aliasing]);
    struct recorded_run run = begin(like, aliasing);
    gl_segsort_sort_desc desc = sort_desc(aliasing);
    check_walk(like, aliasing != OUT_OF_PLACE, name);
    check_due(&run, name);
    check_inputs_are_not_outputs(name);
    struct recorded_places places = recorded_packed_places(&run, like, lengths, LENGTHS, &desc);
    const char *problem = recorded_all_places_problem(&places);
    CHECK(!problem, "%s: %s", name, problem);
    end(&run);
}

static void each_number_of_digits(void)
{
    for (int aliasing = 0; aliasing < ALIASINGS; aliasing++)
        for (uint32_t digits = 1; digits <= 8; digits++) {
            gl_segsort_plan_desc whole = of_bits(GL_SEGSORT_KEY_U64, 0, 8 * digits);
            gl_segsort_plan_desc part = of_bits(GL_SEGSORT_KEY_U64, 64 - (8 * digits - 7), 64);
            check_case(&whole, (enum aliasing)aliasing);
            check_case(&part, (enum aliasing)aliasing);
        }
}

static void each_number_of_bits(void)
{
    static const gl_segsort_key_type types[] = {GL_SEGSORT_KEY_U32, GL_SEGSORT_KEY_I32,
                                                GL_SEGSORT_KEY_F32};
    for (uint32_t begin_bit = 0; begin_bit < 32; begin_bit += 5)
        for (uint32_t end_bit = begin_bit + 1; end_bit <= 32; end_bit++) {
            gl_segsort_plan_desc like = of_bits(types[end_bit % 3], begin_bit, end_bit);
            check_case(&like, (enum aliasing)(end_bit % 2));
        }
}

/* No bit decides: the rows stay in order, and have to arrive all the same. Whatever stream is not
 * where it belongs yet has to be moved there. */
static void no_bits_at_all(void)
{
    for (int a = 0; a < ALIASINGS; a++) {
        gl_segsort_plan_desc like = of_bits(GL_SEGSORT_KEY_U32, 7, 7);
        struct recorded_run run = begin(&like, (enum aliasing)a);
        unsigned copies = 0;
        for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
            const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
            bool copy = recorded_is_kernel(dispatch, "copy-rows");
            copies += copy && dispatch->params.source == SEGSORT_PLACE_INPUT &&
                      dispatch->params.destination == SEGSORT_PLACE_OUTPUT;
            CHECK(copy || is_local(dispatch), "%s: %s", aliasing_names[a], dispatch->program_label);
        }
        CHECK(copies == 1 || (copies == 0 && a == IN_PLACE),
              "%s: the long segments' rows are copied %u times", aliasing_names[a], copies);
        end(&run);
    }
}

/* Row numbers have no input that could be in place, so that they always have to be written. */
static void no_bits_and_row_numbers(void)
{
    gl_segsort_plan_desc like = of_bits(GL_SEGSORT_KEY_U32, 7, 7);
    like.value_type = GL_SEGSORT_VALUE_INDEX;
    struct recorded_run run = begin(&like, KEYS_IN_PLACE);
    unsigned written = 0;
    for (size_t i = 0; i < fake_gl.dispatch_count; i++)
        written += !is_local(&fake_gl.dispatches[i]) &&
                   fake_gl.dispatches[i].params.destination == SEGSORT_PLACE_OUTPUT;
    CHECK(written > 0, "nobody writes the row numbers of the long segments");
    end(&run);
}

/* The places are right for each type and algorithm, and for plans that share programs. */
static void places_of_all_plans(void)
{
    for (int i = 0; i < 4 * 4 * RECORDED_ALGORITHMS; i++) {
        const gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i % 4),
                                           .value_type = (gl_segsort_value_type)(i / 4 % 4),
                                           .algorithm = (gl_segsort_algorithm)(i / 16)};
        struct recorded_run run = begin(&like, OUT_OF_PLACE);
        gl_segsort_plan *other;
        recorded_plan_create_like(run.context, &like, lengths + 1, LENGTHS - 1, &other);
        gl_segsort_sort_desc descs[2] = {sort_desc(OUT_OF_PLACE), sort_desc(OUT_OF_PLACE)};
        descs[1].keys.byte_offset = descs[1].output_values.byte_offset = 4 * 77;
        for (int n = 0; n < 6; n++) {
            const gl_segsort_sort_desc *desc = &descs[n % 3 == 2];
            struct recorded_places places = recorded_packed_places(
                &run, &like, lengths + n % 2, (uint32_t)(LENGTHS - n % 2), desc);
            fake_gl_clear_trace();
            CHECK(gl_segsort_sort(n % 2 ? other : run.plan, desc) == GL_SEGSORT_SUCCESS, "%s",
                  gl_segsort_last_error(run.context));
            const char *problem = recorded_all_places_problem(&places);
            CHECK(!problem, "%s, key type %d, value type %d, sort %d: %s",
                  recorded_algorithm_name(i / 16), i % 4, i / 4 % 4, n, problem);
        }
        gl_segsort_plan_destroy(other);
        end(&run);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* The calls of a sort */

static const struct expected_pass {
    const char *kernel, *label;
    const char *source, *destination; /* NULL: bound already */
    bool tiles;                       /* a work group a tile, else one a segment */
} two_digits[] = {
    {"count", "count-0-8", "in", "scratch", true}, {"spine", "spine-0-8", NULL, NULL, false},
    {"scatter", "scatter-0-8", NULL, NULL, true},  {"count", "count-8-16", "scratch", "out", true},
    {"spine", "spine-8-16", NULL, NULL, false},    {"scatter", "scatter-8-16", NULL, NULL, true},
};

/* How the scratch is divided, test_radix's other tests look at. */
static void expect_bound(struct recorded_lines *lines, const char *place, bool output, size_t pass)
{
    const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[pass];
    for (int i = output ? 2 : 0; place && i < (output ? 4 : 2); i++) {
        const char *name = strcmp(place, "scratch") == 0 ? "mesh-scratch"
                           : i % 2 == 0                  ? (output ? "output_keys" : "keys")
                                                         : (output ? "output_values" : "values");
        recorded_line(lines, "BindBufferRange STORAGE %d %s %d %d", i, name,
                      (int)dispatch->storage[i].start, (int)dispatch->storage[i].size);
    }
}

/* Bindings change where the place does, and programs where the kernel does. */
static void order_of_a_radix_sort(void)
{
    static const uint32_t length[] = {5000};
    uint32_t tiles = (5000 + SEGSORT_RADIX_TILE_ROWS - 1) / SEGSORT_RADIX_TILE_ROWS;
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan_desc like = {.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .end_bit = 16};
    gl_segsort_plan *plan;
    recorded_plan_create_like(context, &like, length, 1, &plan);
    gl_segsort_sort_desc desc = recorded_sort_desc(5000);
    gl_segsort_sort(plan, &desc);
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.dispatch_count == 6, "%zu dispatches", fake_gl.dispatch_count);
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    recorded_line(lines, "BindBufferBase STORAGE 4 mesh-table");
    for (size_t i = 0; i < fake_gl.dispatch_count && i < 6; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        if (i == 0)
            recorded_line(lines, "MemoryBarrier 0x%08x", STORAGE);
        recorded_line(lines, "PushDebugGroup mesh-radix-%s", two_digits[i].label);
        recorded_line(lines, "UseProgram gl_segsort-radix-%s-%u", two_digits[i].kernel,
                      SEGSORT_RADIX_TILE_ROWS);
        if (i == 0)
            recorded_line(lines, "BindBufferRange STORAGE 5 mesh-scratch %d %d",
                          (int)dispatch->storage[5].start, (int)dispatch->storage[5].size);
        expect_bound(lines, two_digits[i].source, false, i);
        expect_bound(lines, two_digits[i].destination, true, i);
        if (i > 0)
            recorded_line(lines, "MemoryBarrier 0x%08x", STORAGE);
        recorded_line(lines, "BindBufferRange UNIFORM 0 mesh-parameters %d %d",
                      (int)dispatch->uniform.start, (int)dispatch->uniform.size);
        recorded_line(lines, "DispatchCompute %u 1 1", two_digits[i].tiles ? tiles : 1);
        recorded_line(lines, "PopDebugGroup");
    }
    recorded_line(lines, "MemoryBarrier 0x%08x", CONSUMERS_OF_44);
    recorded_line(lines, "UseProgram 0");
    const char *difference = recorded_trace_difference(lines);
    CHECK(!difference, "%s", difference);
    free(lines);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

CHECK_MAIN(CHECK_TEST(each_number_of_digits), CHECK_TEST(each_number_of_bits),
           CHECK_TEST(no_bits_at_all), CHECK_TEST(no_bits_and_row_numbers),
           CHECK_TEST(places_of_all_plans), CHECK_TEST(order_of_a_radix_sort))
