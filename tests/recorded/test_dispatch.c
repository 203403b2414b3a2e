/* What the dispatches of a sort work on: work groups, bindings, parameters, programs, labels. */
#include "check.h"
#include "generate.h"
#include "recorded.h"

#include <stdlib.h>

static const uint32_t lengths[] = {10000, 12, 3, 5000, 200, 0, 1};
#define LENGTHS 7
#define ROWS 15216

/* ---------------------------------------------------------------------------------------------- */
/* Every segment by exactly one work group */

static struct recorded_run run_begin(int algorithm, uint32_t max_work_groups,
                                     const uint32_t *run_lengths, uint32_t count)
{
    const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm};
    struct recorded_run run = recorded_run_begin(&like, max_work_groups, run_lengths, count, false);
    CHECK(run.result == GL_SEGSORT_SUCCESS, "%s: %s", recorded_algorithm_name(algorithm),
          gl_segsort_last_error(run.context));
    size_t due = recorded_due_count(&run.description, false);
    CHECK(fake_gl.dispatch_count == due, "%s: %zu dispatches of %zu passes",
          recorded_algorithm_name(algorithm), fake_gl.dispatch_count, due);
    return run;
}

static void run_end(struct recorded_run *run)
{
    recorded_run_end(run);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* Whether it takes whole segments, as many in a work group as fit. */
static bool is_local(const struct fake_gl_dispatch *dispatch)
{
    return recorded_is_kernel(dispatch, "-bitonic-local-") ||
           recorded_is_kernel(dispatch, "-radix-local-") ||
           recorded_is_kernel(dispatch, "-bucket-slots-");
}

/* Whether it takes packs: runs of whole segments. */
static bool takes_packs(const struct fake_gl_dispatch *dispatch)
{
    return recorded_is_kernel(dispatch, "-bucket-local-") ||
           recorded_is_kernel(dispatch, "-bucket-equal-") || recorded_is_kernel(dispatch, "-rank-");
}

/* Whether it is a pass that takes rows over from the inputs: of a segment's passes that is one. */
static bool takes_inputs(const struct fake_gl_dispatch *dispatch)
{
    return recorded_moves_rows(dispatch) && dispatch->params.source == SEGSORT_PLACE_INPUT;
}

/* The items that the work groups of a dispatch take. */
struct items {
    uint64_t first, end;
};

static struct items items_of(const struct fake_gl_dispatch *dispatch)
{
    const struct segsort_pass_params *params = &dispatch->params;
    uint64_t slots = is_local(dispatch) ? dispatch->tile_rows / dispatch->width : 1;
    uint64_t groups = (uint64_t)dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
    uint64_t end = (params->first_group + groups) * slots;
    return (struct items){params->first_group * slots,
                          end < params->item_count ? end : params->item_count};
}

/* Counts, for each word of the table, how often a work group of the dispatch takes the item that
 * starts there. */
static void count_visits(const struct fake_gl_dispatch *dispatch, unsigned char *visits)
{
    const struct segsort_pass_params *params = &dispatch->params;
    bool local = is_local(dispatch);
    uint32_t words = local ? SEGSORT_SEGMENT_WORDS : SEGSORT_TILE_WORDS;
    uint32_t first_word = local ? params->segment_word : params->tile_word;
    const struct items items = items_of(dispatch);
    for (uint64_t item = items.first; item < items.end; item++)
        visits[first_word + item * words]++;
}

/* Adds to what is sorted of each segment, at its first row, the rows that a dispatch takes: whole
 * segments or tiles. */
static void add_rows(const struct recorded_run *run, const struct fake_gl_dispatch *dispatch,
                     const unsigned char *visits, uint32_t *sorted_rows)
{
    const struct segsort_pass_params *params = &dispatch->params;
    const struct items items = items_of(dispatch);
    for (uint64_t n = items.first; n < items.end; n++) {
        size_t item = params->tile_word + (size_t)n * SEGSORT_TILE_WORDS;
        size_t segment = params->segment_word + (size_t)n * SEGSORT_SEGMENT_WORDS;
        if (is_local(dispatch)) {
            CHECK(visits[segment] == 1, "a segment is sorted %u times", visits[segment]);
            CHECK(run->table[segment + 4] <= dispatch->width, "%u rows in a work group for %u",
                  run->table[segment + 4], dispatch->width);
            sorted_rows[run->table[segment]] += run->table[segment + 4];
            continue;
        }
        segment = params->segment_word + (size_t)run->table[item] * SEGSORT_SEGMENT_WORDS;
        uint32_t left = run->table[segment + 4] - run->table[item + 1];
        CHECK(visits[item] == 1, "a tile is sorted %u times", visits[item]);
        sorted_rows[run->table[segment]] += left < dispatch->width ? left : dispatch->width;
    }
}

/* Adds the lengths of a pack's segments to what is sorted of them, each at its first row. */
static void add_pack(const struct recorded_run *run, const struct fake_gl_dispatch *dispatch,
                     uint64_t group, uint32_t *sorted_rows)
{
    const struct segsort_pass_params *params = &dispatch->params;
    if (params->slot_rows > 0) {
        for (uint64_t n = group * params->slot_count; n < (group + 1) * params->slot_count; n++)
            if (n * params->slot_rows < params->equal_rows)
                sorted_rows[params->equal_keys + n * params->slot_rows] += params->slot_rows;
        return;
    }
    const uint32_t *record =
        run->table + params->segment_word + group * SEGSORT_PACK_WORDS(dispatch->width);
    const uint32_t *starts = record + SEGSORT_PACK_HEAD_WORDS;
    CHECK(record[4] <= dispatch->width, "%u rows in a pack for %u", record[4], dispatch->width);
    for (uint32_t row = 0, first = 0; row < record[4]; row++) {
        first = starts[row / 32] >> row % 32 & 1 ? row : first;
        sorted_rows[record[0] + first]++;
    }
}

static void add_packs(const struct recorded_run *run, const struct fake_gl_dispatch *dispatch,
                      uint32_t *sorted_rows)
{
    const struct segsort_pass_params *params = &dispatch->params;
    uint64_t groups = (uint64_t)dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
    for (uint64_t i = 0; i < groups && params->first_group + i < params->item_count; i++)
        add_pack(run, dispatch, params->first_group + i, sorted_rows);
}

/* Whether the passes that take over the inputs visit each segment with rows exactly once: those
 * that one work group sorts as a whole, alone or in packs, the longer ones tile by tile. */
static void check_each_segment_once(const struct recorded_run *run, const uint32_t *run_lengths,
                                    uint32_t count)
{
    size_t words = (size_t)(run->description.table_bytes / 4);
    unsigned char *visits = calloc(words, 1);
    for (size_t i = 0; i < fake_gl.dispatch_count; i++)
        if (takes_inputs(&fake_gl.dispatches[i]) && !takes_packs(&fake_gl.dispatches[i]))
            count_visits(&fake_gl.dispatches[i], visits);
    uint32_t *sorted_rows = calloc(ROWS + run->description.row_count, sizeof *sorted_rows);
    for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        if (takes_packs(dispatch))
            add_packs(run, dispatch, sorted_rows);
        else if (takes_inputs(dispatch))
            add_rows(run, dispatch, visits, sorted_rows);
    }
    uint64_t row = 0;
    for (uint32_t i = 0; i < count; row += run_lengths[i++])
        if (run_lengths[i] > 0)
            CHECK(sorted_rows[row] == run_lengths[i], "segment %u: %u of %u rows are sorted", i,
                  sorted_rows[row], run_lengths[i]);
    free(sorted_rows);
    free(visits);
}

static void check_limits(uint32_t limit)
{
    for (size_t i = 0; i < fake_gl.dispatch_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            uint32_t groups = fake_gl.dispatches[i].groups[axis];
            CHECK(groups >= 1 && groups <= limit, "dispatch %zu has %u groups on axis %d", i,
                  groups, axis);
        }
}

static void limits_of_two_groups_an_axis(void)
{
    enum { COUNT = 70000 };
    static uint32_t of_three[COUNT];
    for (int i = 0; i < COUNT; i++)
        of_three[i] = 3;
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++) {
        recorded_begin();
        struct recorded_run run = run_begin(algorithm, 2, of_three, COUNT);
        CHECK(fake_gl.dispatch_count > 8, "%zu dispatches", fake_gl.dispatch_count);
        check_limits(2);
        check_each_segment_once(&run, of_three, COUNT);
        run_end(&run);
    }
}

/* The same with GL's own limit, on segments of all kinds, one of them too long to be split, and limits that are no powers of two. */
static void limits_that_gl_has(void)
{
    static const uint32_t limits[] = {1, 2, 3, 5};
    for (size_t l = 0; l < 4 * RECORDED_ALGORITHMS; l++) {
        enum { COUNT = 3000 };
        static uint32_t mixed[COUNT];
        uint64_t state = 7 + l;
        for (int i = 0; i < COUNT; i++)
            mixed[i] = i == 700       ? 100000
                       : i % 100 == 0 ? 4097 + generate_below(&state, 10000)
                       : i % 100 == 1 ? generate_below(&state, 4097)
                                      : generate_below(&state, 300);
        recorded_begin();
        for (int axis = 0; axis < 3; axis++)
            fake_gl.work_groups[axis] = (int32_t)limits[l % 4];
        struct recorded_run run = run_begin((int)l / 4, 0, mixed, COUNT);
        check_limits(limits[l % 4]);
        check_each_segment_once(&run, mixed, COUNT);
        run_end(&run);
    }
}

/* A host cannot ask for more than GL has; axes may differ. */
static void higher_limits_are_clamped(void)
{
    enum { COUNT = 40000 };
    static uint32_t of_200[COUNT];
    for (int i = 0; i < COUNT; i++)
        of_200[i] = 200;
    recorded_begin();
    fake_gl.work_groups[0] = 100;
    fake_gl.work_groups[1] = 7;
    fake_gl.work_groups[2] = 2;
    struct recorded_run run = run_begin(GL_SEGSORT_ALGORITHM_AUTO, 1000000, of_200, COUNT);
    check_limits(100);
    check_each_segment_once(&run, of_200, COUNT);
    run_end(&run);
}

static void at_most_eight_dispatches(void)
{
    enum { COUNT = 1000000 };
    static uint32_t many[COUNT];
    const struct {
        uint32_t count, longest;
    } cases[] = {{1, 256}, {70000, 256}, {COUNT, 8}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint64_t state = 99 + c;
        for (uint32_t i = 0; i < cases[c].count; i++)
            many[i] = cases[c].count == 1 ? 256 : generate_below(&state, cases[c].longest + 1);
        recorded_begin();
        struct recorded_run run = run_begin(GL_SEGSORT_ALGORITHM_AUTO, 0, many, cases[c].count);
        CHECK(fake_gl.dispatch_count >= 1 && fake_gl.dispatch_count <= 8,
              "%u segments: %zu dispatches", cases[c].count, fake_gl.dispatch_count);
        check_limits(65535);
        check_each_segment_once(&run, many, cases[c].count);
        run_end(&run);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Bindings */

/* Segments whose first rows differ from stream to stream, and are not 0. */
static const gl_segsort_segment apart[] = {{310, 20, 900, 40, 100}, {500, 200, 100, 300, 61}};
#define APART_FIRST                                                                                \
    {                                                                                              \
        310, 20, 100, 40                                                                           \
    }
#define APART_END                                                                                  \
    {                                                                                              \
        561, 261, 1000, 361                                                                        \
    }

static void check_stream(const struct fake_gl_dispatch *dispatch, int stream, uint64_t byte_offset)
{
    static const uint64_t first_row[] = APART_FIRST, end_row[] = APART_END;
    const struct fake_gl_binding *binding = &dispatch->storage[stream];
    uint64_t first = byte_offset + first_row[stream] * 4, end = byte_offset + end_row[stream] * 4;
    uint64_t start = (uint64_t)binding->start, alignment = (uint64_t)fake_gl.storage_alignment;
    CHECK(start % alignment == 0, "stream %d: start %u", stream, (unsigned)start);
    CHECK(start <= first && first - start < alignment, "stream %d: from %u, needed from %u", stream,
          (unsigned)start, (unsigned)first);
    CHECK(start + (uint64_t)binding->size == end, "stream %d: to %u, needed to %u", stream,
          (unsigned)(start + (uint64_t)binding->size), (unsigned)end);
    /* The shader finds row r at word view_word + r of the range, modulo 2^32. */
    uint32_t first_word = dispatch->view_word[stream] + (uint32_t)first_row[stream];
    CHECK(start + 4 * (uint64_t)first_word == first, "stream %d: its rows start at byte %u, not %u",
          stream, (unsigned)(start + 4 * (uint64_t)first_word), (unsigned)first);
}

static void ranges_cover_what_is_needed(void)
{
    static const int32_t alignments[] = {4, 16, 256};
    static const uint64_t offsets[] = {0, 4, 144, 252, 256, 1000, 65532, 4000004};
    enum { OFFSETS = sizeof offsets / sizeof offsets[0] };
    for (int a = 0; a < 3; a++) {
        recorded_begin();
        fake_gl.storage_alignment = alignments[a];
        gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
        gl_segsort_plan_desc plan_desc = {.segments = apart, .segment_count = 2};
        gl_segsort_plan *plan;
        gl_segsort_plan_create(context, &plan_desc, &plan);
        for (size_t i = 0; i < OFFSETS; i++) {
            gl_segsort_sort_desc sort = recorded_sort_desc(1000);
            gl_segsort_view *const views[] = {&sort.keys, &sort.values, &sort.output_keys,
                                              &sort.output_values};
            for (size_t s = 0; s < 4; s++)
                views[s]->byte_offset = offsets[(i + s) % OFFSETS];
            fake_gl_clear_trace();
            CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s",
                  gl_segsort_last_error(context));
            CHECK(fake_gl.raised_count == 0, "%s", fake_gl.raised);
            CHECK(fake_gl.dispatch_count > 0, "nothing is dispatched");
            for (size_t d = 0; d < fake_gl.dispatch_count; d++)
                for (int s = 0; s < 4; s++)
                    check_stream(&fake_gl.dispatches[d], s, views[s]->byte_offset);
        }
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

/* A buffer that ends with the last row is enough: nothing past it is bound. */
static void exact_buffers_are_enough(void)
{
    static const uint64_t end_row[] = APART_END;
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan_desc plan_desc = {.segments = apart, .segment_count = 2};
    gl_segsort_plan *plan;
    gl_segsort_plan_create(context, &plan_desc, &plan);
    gl_segsort_sort_desc sort = recorded_sort_desc(0);
    gl_segsort_view *const views[] = {&sort.keys, &sort.values, &sort.output_keys,
                                      &sort.output_values};
    for (size_t s = 0; s < 4; s++) {
        views[s]->byte_offset = 252;
        views[s]->rows = end_row[s];
        fake_gl_find_buffer(views[s]->buffer)->size = 252 + 4 * end_row[s];
    }
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void binding_indices_are_below_eight(void)
{
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++) {
        recorded_begin();
        struct recorded_run run = run_begin(algorithm, 0, lengths, LENGTHS);
        unsigned used = 0;
        for (size_t i = 0; i < fake_gl.trace_count; i++) {
            unsigned index;
            const char *text = fake_gl.trace[i].text;
            if (sscanf(text, "BindBufferBase STORAGE %u", &index) == 1 ||
                sscanf(text, "BindBufferRange STORAGE %u", &index) == 1) {
                CHECK(index < 8, "%s", text);
                used |= 1u << index % 32;
            }
        }
        CHECK(used == 0x3f, "bindings 0x%x", used);
        run_end(&run);
    }
}

/* A driver may round the size of a std140 block up to that of a vec4, and what a block's binding
 * lacks of that size is undefined behaviour. */
static void parameters_are_a_whole_block(void)
{
    static const int32_t alignments[] = {4, 16, 64, 256};
    for (int a = 0; a < 4 * RECORDED_ALGORITHMS; a++) {
        recorded_begin();
        fake_gl.uniform_alignment = alignments[a % 4];
        struct recorded_run run = run_begin(a / 4, 0, lengths, LENGTHS);
        int64_t least = INT64_MAX;
        for (size_t i = 0; i < fake_gl.dispatch_count; i++)
            if (fake_gl.dispatches[i].uniform.size < least)
                least = fake_gl.dispatches[i].uniform.size;
        CHECK(least >= (int64_t)(sizeof(struct segsort_pass_params) + 15) / 16 * 16,
              "alignment %d: %d bytes are bound", alignments[a % 4], (int)least);
        run_end(&run);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Programs */

static void new_layout_compiles_nothing(void)
{
    static const uint32_t first[] = {3, 12, 10000}, second[] = {4, 0, 9, 16, 3, 3, 9000};
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *a = recorded_plan(context, first, 3);
    size_t compiled = fake_gl.calls_of[FAKE_GL_CompileShader];
    CHECK(compiled > 0 && compiled == fake_gl.calls_of[FAKE_GL_LinkProgram], "%zu", compiled);
    gl_segsort_plan *b = recorded_plan(context, second, 7);
    CHECK(fake_gl.calls_of[FAKE_GL_CompileShader] == compiled, "%zu programs more",
          fake_gl.calls_of[FAKE_GL_CompileShader] - compiled);

    gl_segsort_sort_desc sort = recorded_sort_desc(20000);
    fake_gl_clear_trace();
    gl_segsort_sort(a, &sort);
    uint32_t program = fake_gl.dispatches[0].program;
    gl_segsort_plan_destroy(a);
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(b, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.dispatches[0].program == program, "the plans have programs of their own");
    gl_segsort_plan_destroy(b);

    /* Programs stay with the context. */
    a = recorded_plan(context, first, 3);
    CHECK(fake_gl.calls_of[FAKE_GL_CompileShader] == 0, "compiled again");
    gl_segsort_plan_destroy(a);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* The views' words are a uniform of programs that plans share. */
static void plans_do_not_spoil_each_others_views(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plans[2];
    gl_segsort_plan_desc plan_desc = {
        .segments = apart, .segment_count = 2, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC};
    gl_segsort_plan_create(context, &plan_desc, &plans[0]);
    gl_segsort_plan_create(context, &plan_desc, &plans[1]);
    gl_segsort_sort_desc sorts[2] = {recorded_sort_desc(1000), recorded_sort_desc(1000)};
    sorts[1].keys.byte_offset = 404;
    sorts[1].output_values.byte_offset = 8;
    for (int i = 0; i < 6; i++) {
        int which = i % 3 == 2;
        fake_gl_clear_trace();
        gl_segsort_sort(plans[i % 2], &sorts[which]);
        CHECK(fake_gl.dispatch_count == 2, "%zu", fake_gl.dispatch_count);
        for (size_t d = 0; d < fake_gl.dispatch_count; d++) {
            check_stream(&fake_gl.dispatches[d], 0, sorts[which].keys.byte_offset);
            check_stream(&fake_gl.dispatches[d], 3, sorts[which].output_values.byte_offset);
        }
    }
    gl_segsort_plan_destroy(plans[0]);
    gl_segsort_plan_destroy(plans[1]);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void the_other_direction_is_another_program(void)
{
    recorded_begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan_desc desc = {.segments = apart, .segment_count = 2};
    gl_segsort_plan *ascending, *descending;
    gl_segsort_plan_create(context, &desc, &ascending);
    size_t compiled = fake_gl.calls_of[FAKE_GL_CompileShader];
    desc.direction = GL_SEGSORT_DESCENDING;
    gl_segsort_plan_create(context, &desc, &descending);
    CHECK(fake_gl.calls_of[FAKE_GL_CompileShader] == 2 * compiled, "%zu, then %zu", compiled,
          fake_gl.calls_of[FAKE_GL_CompileShader]);
    gl_segsort_plan_destroy(ascending);
    gl_segsort_plan_destroy(descending);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Labels and debug groups */

static size_t count_text(const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_gl.trace_count; i++)
        count += strcmp(fake_gl.trace[i].text, text) == 0;
    return count;
}

static void passes_run_in_their_own_groups(void)
{
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++) {
        recorded_begin();
        struct recorded_run run = run_begin(algorithm, 0, lengths, LENGTHS);
        for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
            char push[200];
            const gl_segsort_pass_description *pass = recorded_due_pass(&run.description, false, i);
            snprintf(push, sizeof push, "PushDebugGroup %s", pass->label);
            CHECK(count_text(push) == 1, "%s: %zu times", push, count_text(push));
            CHECK(fake_gl.dispatches[i].debug_depth == fake_gl.host_debug_depth + 1, "pass %zu: %d",
                  i, fake_gl.dispatches[i].debug_depth);
        }
        size_t network = algorithm == GL_SEGSORT_ALGORITHM_BITONIC;
        size_t radix = algorithm == GL_SEGSORT_ALGORITHM_RADIX;
        size_t neither = algorithm == GL_SEGSORT_ALGORITHM_AUTO;
        CHECK(count_text("PushDebugGroup mesh-bitonic-local-256") == network, "200 rows");
        CHECK(count_text("PushDebugGroup mesh-bitonic-local-16") == network, "12 rows");
        CHECK(count_text("PushDebugGroup mesh-bitonic-step-4096-2048") == network, "10000 rows");
        CHECK(count_text("PushDebugGroup mesh-radix-local-512") == radix, "short ones");
        CHECK(count_text("PushDebugGroup mesh-radix-scatter-24-32") == radix, "10000 rows");
        CHECK(count_text("PushDebugGroup mesh-bucket-local-256") == neither, "short ones");
        CHECK(count_text("PushDebugGroup mesh-split-sample-1024") == neither, "10000 rows");
        CHECK(count_text("PushDebugGroup mesh-split-count-2048") == neither, "10000 rows");
        CHECK(count_text("PushDebugGroup mesh-split-spine-2048") == neither, "10000 rows");
        CHECK(count_text("PushDebugGroup mesh-split-scatter-2048") == neither, "10000 rows");
        CHECK(count_text("PushDebugGroup mesh-split-finish-2048") == neither, "10000 rows");
        CHECK(fake_gl.calls_of[FAKE_GL_PushDebugGroup] == fake_gl.dispatch_count, "%zu pushes",
              fake_gl.calls_of[FAKE_GL_PushDebugGroup]);
        CHECK(fake_gl.calls_of[FAKE_GL_PopDebugGroup] == fake_gl.dispatch_count, "%zu pops",
              fake_gl.calls_of[FAKE_GL_PopDebugGroup]);
        run_end(&run);
    }
}

/* A push that overflows would let the pop take a group of the host's. */
static void full_stack_of_groups(void)
{
    for (int32_t room = 0; room < 3; room++) {
        recorded_begin();
        fake_gl.debug_depth_max = fake_gl.state.debug_depth + room;
        struct recorded_run run = run_begin(GL_SEGSORT_ALGORITHM_AUTO, 0, lengths, LENGTHS);
        CHECK(fake_gl.dispatch_count > 3, "%zu dispatches", fake_gl.dispatch_count);
        CHECK((fake_gl.calls_of[FAKE_GL_PushDebugGroup] > 0) == (room > 0), "room %d: %zu pushes",
              room, fake_gl.calls_of[FAKE_GL_PushDebugGroup]);
        CHECK(fake_gl.calls_of[FAKE_GL_PushDebugGroup] == fake_gl.calls_of[FAKE_GL_PopDebugGroup],
              "room %d: %zu pops", room, fake_gl.calls_of[FAKE_GL_PopDebugGroup]);
        CHECK(fake_gl.raised_count == 0, "room %d: %s", room, fake_gl.raised);
        run_end(&run);
    }
}

static void objects_are_labelled(void)
{
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++) {
        recorded_begin();
        struct recorded_run run = run_begin(algorithm, 0, lengths, LENGTHS);
        for (size_t i = 0; i < fake_gl.buffer_count; i++)
            CHECK(fake_gl.buffers[i].host || strncmp(fake_gl.buffers[i].label, "mesh-", 5) == 0,
                  "buffer %u is called '%s'", fake_gl.buffers[i].name, fake_gl.buffers[i].label);
        for (size_t i = 0; i < fake_gl.program_count; i++)
            CHECK(fake_gl.programs[i].host || !fake_gl.programs[i].alive ||
                      strncmp(fake_gl.programs[i].label, "gl_segsort-bitonic-", 19) == 0 ||
                      strncmp(fake_gl.programs[i].label, "gl_segsort-radix-", 17) == 0 ||
                      strncmp(fake_gl.programs[i].label, "gl_segsort-split-", 17) == 0 ||
                      strncmp(fake_gl.programs[i].label, "gl_segsort-bucket-", 18) == 0,
                  "program %u is called '%s'", fake_gl.programs[i].name, fake_gl.programs[i].label);
        run_end(&run);
    }
}

static void very_long_labels_of(gl_segsort_algorithm algorithm)
{
    char label[301];
    memset(label, 'x', sizeof label - 1);
    label[300] = '\0';
    recorded_begin();
    gl_segsort_context_desc context_desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    context_desc.label = label;
    gl_segsort_context *context;
    gl_segsort_context_create(&context_desc, &context);
    gl_segsort_segment segments[] = {{0, 0, 0, 0, 10000}, {10000, 10000, 10000, 10000, 5}};
    gl_segsort_plan_desc desc = {
        .label = label, .segments = segments, .segment_count = 2, .algorithm = algorithm};
    gl_segsort_plan *plan;
    CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_sort_desc sort = recorded_sort_desc(10005);
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.raised_count == 0, "%s", fake_gl.raised);
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    for (uint32_t i = 0; i < description.pass_count; i++) {
        const char *pass = description.passes[i].label;
        CHECK(strspn(pass, "x") == 63 &&
                  (strncmp(pass + 63, "-bitonic-", 9) == 0 ||
                   strncmp(pass + 63, "-radix-", 7) == 0 || strncmp(pass + 63, "-split-", 7) == 0 ||
                   strcmp(pass + 63, "-bucket-local-256") == 0),
              "%s", pass);
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

/* GL refuses labels from GL_MAX_LABEL_LENGTH on, of which 256 bytes is the least that a driver has.
 */
static void very_long_labels(void)
{
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++)
        very_long_labels_of((gl_segsort_algorithm)algorithm);
}

CHECK_MAIN(CHECK_TEST(limits_of_two_groups_an_axis), CHECK_TEST(limits_that_gl_has),
           CHECK_TEST(higher_limits_are_clamped), CHECK_TEST(at_most_eight_dispatches),
           CHECK_TEST(ranges_cover_what_is_needed), CHECK_TEST(exact_buffers_are_enough),
           CHECK_TEST(binding_indices_are_below_eight), CHECK_TEST(parameters_are_a_whole_block),
           CHECK_TEST(new_layout_compiles_nothing),
           CHECK_TEST(plans_do_not_spoil_each_others_views),
           CHECK_TEST(the_other_direction_is_another_program),
           CHECK_TEST(passes_run_in_their_own_groups), CHECK_TEST(full_stack_of_groups),
           CHECK_TEST(objects_are_labelled), CHECK_TEST(very_long_labels))
