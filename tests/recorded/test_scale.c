/* What the size of a plan costs, for each algorithm: barriers, dispatches under GL's limits,
 * memory. */
#include "check.h"
#include "kernels.h"
#include "recorded_places.h"

/* More tiles than a chunk has, a few tiles twice, and three segments that a work group sorts. */
static const uint32_t lengths[] = {300000, 5000, 300, 12, 0, 4097, 4096};
#define LENGTHS 7

#define STORAGE GL_SEGSORT_BARRIER_STORAGE

static struct recorded_run begin(const gl_segsort_plan_desc *like, uint32_t max_work_groups,
                                 bool in_place)
{
    recorded_begin();
    struct recorded_run run = recorded_run_begin(like, max_work_groups, lengths, LENGTHS, in_place);
    CHECK(run.result == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(run.context));
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

/* Whether it is of segments that are split; their words never lie at the table's start. */
static bool is_split(const struct fake_gl_dispatch *dispatch)
{
    return dispatch->params.finish_word > 0;
}

/* ---------------------------------------------------------------------------------------------- */
/* Barriers */

/* What a pass reads and writes of the long segments: a bit for each place, and one for the work
 * section. */
struct accesses {
    unsigned reads, writes;
};
#define WORK_BIT (1u << SEGSORT_PLACES)

static unsigned place_bit(uint32_t place, bool aliased)
{
    return 1u << (aliased && place == SEGSORT_PLACE_INPUT ? SEGSORT_PLACE_OUTPUT : place);
}

static struct accesses accesses_of(const struct fake_gl_dispatch *dispatch, bool aliased)
{
    struct accesses accesses = {0, 0};
    if (fake_gl_uses(dispatch, SEGSORT_BINDING_KEYS))
        accesses.reads |= place_bit(dispatch->params.source, aliased);
    if (fake_gl_uses(dispatch, SEGSORT_BINDING_OUTPUT_KEYS))
        accesses.writes |= place_bit(dispatch->params.destination, aliased);
    if (fake_gl_uses(dispatch, SEGSORT_BINDING_WORK))
        accesses.writes |= WORK_BIT;
    return accesses;
}

/* Whether it takes up where the dispatch before it ended, in the same pass. */
static bool goes_on(const struct recorded_run *run, size_t number)
{
    if (number == 0)
        return false;
    const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[number], *before = dispatch - 1;
    return dispatch->params.first_group > before->params.first_group &&
           dispatch->program == before->program &&
           strcmp(recorded_due_pass(&run->description, run->in_place, number)->label,
                  recorded_due_pass(&run->description, run->in_place, number - 1)->label) == 0;
}

/* Whether a dispatch has to wait for one of those since the last barrier of its kind. Segments that
 * are split and others have rows and parts of the work section to themselves. */
static bool has_to_wait(const struct recorded_run *run, size_t number,
                        const struct accesses since[2], bool aliased)
{
    const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[number];
    const struct accesses own = accesses_of(dispatch, aliased), *other = &since[is_split(dispatch)];
    return !is_local(dispatch) && !goes_on(run, number) &&
           ((own.reads & other->writes) != 0 || (own.writes & other->reads) != 0 ||
            (own.writes & other->writes) != 0);
}

static uint32_t level_of(const struct recorded_run *run, size_t number)
{
    return recorded_due_pass(&run->description, run->in_place, number)->level;
}

/* A level has one barrier, before its first dispatch, if any of them has to wait, and none of them
 * has to wait for another. Other segments' rows are nobody's business: passes over them need no
 * barrier. */
static void check_barriers(const struct recorded_run *run, bool aliased, const char *case_name)
{
    struct accesses since[2] = {{0, 0}, {0, 0}};
    for (size_t first = 0, end = 0; first < fake_gl.dispatch_count; first = end) {
        bool waits[2] = {false, false};
        for (end = first; end < fake_gl.dispatch_count; end++) {
            if (level_of(run, end) != level_of(run, first))
                break;
            waits[is_split(&fake_gl.dispatches[end])] |= has_to_wait(run, end, since, aliased);
        }
        for (int split = 0; split < 2; split++)
            since[split] = waits[split] ? (struct accesses){0, 0} : since[split];
        uint32_t barriers = waits[0] || waits[1] ? STORAGE : 0;
        for (size_t i = first; i < end; i++) {
            const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
            const struct accesses own = accesses_of(dispatch, aliased);
            CHECK(!has_to_wait(run, i, since, aliased), "%s: pass %zu, %s, waits in its level",
                  case_name, i, dispatch->program_label);
            if (i > 0)
                CHECK(dispatch->barriers == (i == first ? barriers : 0),
                      "%s: pass %zu, %s: barriers 0x%x", case_name, i, dispatch->program_label,
                      dispatch->barriers);
            if (is_local(dispatch))
                continue;
            since[is_split(dispatch)].reads |= own.reads;
            since[is_split(dispatch)].writes |= own.writes;
        }
    }
}

/* What is described of a level's passes is what its first dispatch waited for. */
static void check_described_barriers(const struct recorded_run *run, const char *case_name)
{
    for (size_t first = 0, end = 0; first < fake_gl.dispatch_count; first = end) {
        uint32_t barriers = 0;
        for (end = first; end < fake_gl.dispatch_count; end++) {
            if (level_of(run, end) != level_of(run, first))
                break;
            barriers |= recorded_due_pass(&run->description, run->in_place, end)->barriers;
        }
        CHECK(first == 0 || barriers == fake_gl.dispatches[first].barriers,
              "%s: pass %zu is described with other barriers", case_name, first);
    }
}

static void barriers_between_dependent_passes_only(void)
{
    static const uint32_t ends[] = {7, 8, 16, 24, 32};
    for (int algorithm = 0; algorithm < RECORDED_ALGORITHMS; algorithm++)
        for (int in_place = 0; in_place < 2; in_place++)
            for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
                const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm,
                                                   .end_bit = ends[e]};
                char name[100];
                snprintf(name, sizeof name, "%s, %u bits, %s", recorded_algorithm_name(algorithm),
                         ends[e], in_place ? "in place" : "out of place");
                struct recorded_run run = begin(&like, 0, in_place);
                check_barriers(&run, in_place, name);
                check_described_barriers(&run, name);
                end(&run);
            }
}

/* ---------------------------------------------------------------------------------------------- */
/* Limits and numbers */

static uint64_t groups_of(const struct fake_gl_dispatch *dispatch)
{
    return (uint64_t)dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
}

/* The first item of a pass: that of split segments comes behind those of the one that is not, which
 * has this many tiles and chunks. */
static uint32_t first_item(const struct fake_gl_dispatch *dispatch)
{
    const uint32_t tiles = (300000 + SEGSORT_RADIX_TILE_ROWS - 1) / SEGSORT_RADIX_TILE_ROWS;
    const uint32_t chunks = (tiles + SEGSORT_CHUNK_TILES - 1) / SEGSORT_CHUNK_TILES;
    if (!is_split(dispatch) || recorded_is_kernel(dispatch, "-split-finish-"))
        return 0;
    if (recorded_is_kernel(dispatch, "-radix-chunk-"))
        return chunks;
    bool takes_segments = recorded_is_kernel(dispatch, "-split-sample-") ||
                          recorded_is_kernel(dispatch, "-split-spine-");
    return takes_segments ? 1 : tiles;
}

/* Behind the segments that samples are drawn from come work groups that clear sums. */
static uint64_t items_of(const struct segsort_pass_params *params)
{
    return params->item_count +
           (params->sum_count + SEGSORT_CLEARED_SUMS - 1) / SEGSORT_CLEARED_SUMS;
}

/* Each pass, in however many dispatches, takes each of its items once: a dispatch starts where the
 * one before it ended, and nothing else about it is different. */
static void check_items(const struct recorded_run *run, uint32_t limit)
{
    uint64_t next = 0, slots = 1;
    for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        const char *label = recorded_due_pass(&run->description, run->in_place, i)->label;
        struct segsort_pass_params params = dispatch->params;
        for (int axis = 0; axis < 3; axis++)
            CHECK(dispatch->groups[axis] >= 1 && dispatch->groups[axis] <= limit,
                  "%s: %u groups on axis %d", label, dispatch->groups[axis], axis);
        slots = is_local(dispatch) ? dispatch->tile_rows / dispatch->width : 1;
        uint64_t start = next > 0 ? next : first_item(dispatch);
        CHECK(params.first_group == start, "%s starts with group %u, expected %llu", label,
              params.first_group, (unsigned long long)start);
        CHECK(params.first_group * slots < items_of(&params), "%s has nothing to do", label);
        if (next > 0) {
            params.first_group = fake_gl.dispatches[i - 1].params.first_group;
            CHECK(memcmp(&params, &fake_gl.dispatches[i - 1].params, sizeof params) == 0,
                  "%s goes on with other parameters", label);
            CHECK(dispatch->barriers == 0, "%s waits for itself", label);
        }
        next = start + groups_of(dispatch);
        if (next * slots >= items_of(&params))
            next = 0;
    }
    CHECK(next == 0, "the last pass is not done");
}

static void limits_of_few_groups_an_axis(void)
{
    static const uint32_t limits[] = {1, 2, 3, 5};
    for (int c = 0; c < 4 * 2 * RECORDED_ALGORITHMS; c++) {
        uint32_t limit = limits[c % 4];
        bool in_place = c / 4 % 2;
        const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)(c / 8),
                                           .end_bit = 24};
        struct recorded_run run = begin(&like, limit, in_place);
        size_t due = recorded_due_count(&run.description, in_place);
        CHECK(fake_gl.dispatch_count == due, "%zu dispatches of %zu passes", fake_gl.dispatch_count,
              due);
        check_items(&run, limit);
        check_barriers(&run, in_place, "few groups");
        end(&run);
    }
}

/* How many dispatches a sort of so many segments of that length takes. */
static size_t dispatches_of(uint32_t count, uint32_t length, int algorithm, bool in_place)
{
    static uint32_t equal[10000];
    const uint64_t bytes = (uint64_t)1 << 31;
    const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm, .end_bit = 24};
    for (uint32_t i = 0; i < count; i++)
        equal[i] = length;
    recorded_begin();
    fake_gl.storage_block_bytes = (int64_t)bytes;
    const uint32_t buffers[] = {recorded.keys, recorded.values, recorded.output_keys,
                                recorded.output_values};
    for (int i = 0; i < 4; i++)
        fake_gl_find_buffer(buffers[i])->size = bytes;
    struct recorded_run run = recorded_run_begin(&like, 0, equal, count, in_place);
    CHECK(run.result == GL_SEGSORT_SUCCESS, "%u of %u: %s", count, length,
          gl_segsort_last_error(run.context));
    size_t dispatches = fake_gl.dispatch_count;
    end(&run);
    return dispatches;
}

static void many_segments_take_no_more_dispatches(void)
{
    static const uint32_t few_tiles = 5000, chunks = 300000;
    for (int a = 0; a < 2 * RECORDED_ALGORITHMS; a++) {
        bool in_place = a % 2, network = a / 2 == GL_SEGSORT_ALGORITHM_BITONIC;
        bool splits = a / 2 == GL_SEGSORT_ALGORITHM_AUTO;
        size_t one = dispatches_of(1, few_tiles, a / 2, in_place);
        size_t many = dispatches_of(10000, few_tiles, a / 2, in_place);
        CHECK(one == many, "%s: %zu, and %zu of 10,000 segments", recorded_algorithm_name(a / 2),
              one, many);
        CHECK(network || one == (splits ? 5 : 9 + (size_t)in_place),
              "%zu dispatches of a split, or of three digits", one);
        one = dispatches_of(1, chunks, a / 2, in_place);
        many = dispatches_of(1000, chunks, a / 2, in_place);
        CHECK(one == many, "%s: %zu, and %zu of 1,000 segments", recorded_algorithm_name(a / 2),
              one, many);
        CHECK(network || one == 12 + (size_t)in_place, "%zu dispatches of three digits", one);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Memory */

static void check_scratch(const gl_segsort_plan_desc *plan_desc, uint32_t row_bytes)
{
    recorded_begin();
    fake_gl.storage_block_bytes = (int64_t)1 << 30;
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan;
    CHECK(gl_segsort_plan_create(context, plan_desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    uint64_t rows = 0, counts = recorded_histograms(plan_desc) * SEGSORT_DIGITS * 4 +
                                recorded_split_bytes(plan_desc);
    for (uint32_t i = 0; i < plan_desc->segment_count; i++)
        if (plan_desc->segments[i].length > description.local_rows_max)
            rows += plan_desc->segments[i].length;
    CHECK(description.scratch_bytes <= rows * row_bytes * 11 / 10 + counts,
          "%llu bytes for %llu rows of %u bytes", (unsigned long long)description.scratch_bytes,
          (unsigned long long)rows, row_bytes);
    /* 256 counts for the rows of a tile are little beside rows of 8 bytes, once there are
     * tiles enough for the last one not to matter. */
    if (row_bytes >= 8 && plan_desc->segments[0].length > 40000)
        CHECK(description.scratch_bytes <= rows * row_bytes * 11 / 10,
              "%llu bytes for %llu rows of %u bytes", (unsigned long long)description.scratch_bytes,
              (unsigned long long)rows, row_bytes);
    CHECK((description.scratch_bytes == 0) == (rows == 0), "%llu bytes for %llu rows",
          (unsigned long long)description.scratch_bytes, (unsigned long long)rows);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static void scratch_is_little_more_than_the_rows(void)
{
    static const uint32_t row_lengths[] = {4096, 4097, 8192, 40001, 300000, 3000000};
    static const uint32_t key_bytes[] = {4, 4, 4, 8}, value_bytes[] = {4, 0, 4, 8};
    for (size_t i = 0; i < 6 * 16; i++) {
        uint32_t length = row_lengths[i / 16], key = i % 4, value = i / 4 % 4;
        gl_segsort_segment segments[] = {{0, 0, 0, 0, length},
                                         {length, length, length, length, 100},
                                         {9000000, 9000000, 9000000, 9000000, length}};
        const gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)key,
                                           .value_type = (gl_segsort_value_type)value,
                                           .segments = segments,
                                           .segment_count = 3};
        check_scratch(&desc, key_bytes[key] + value_bytes[value]);
    }
}

/* A section need not start where a binding may: what is bound is then a little more, and GL's limit
 * is for what is bound. The fake GL complains of a dispatch that works on too much. */
static void sections_at_the_storage_limit(void)
{
    static const uint32_t length[] = {5001};
    for (int64_t more = 0; more < 512; more += 4) {
        recorded_begin();
        fake_gl.storage_block_bytes = 4 * 5001 + more;
        struct recorded_run run = recorded_run_begin(NULL, 0, length, 1, false);
        bool refused = run.result == GL_SEGSORT_ERROR_UNSUPPORTED && !run.plan;
        CHECK(run.result == GL_SEGSORT_SUCCESS || refused, "%s",
              gl_segsort_last_error(run.context));
        CHECK(more < 252 || !refused, "%d bytes to spare, and refused: %s", (int)more,
              gl_segsort_last_error(run.context));
        end(&run);
    }
}

CHECK_MAIN(CHECK_TEST(barriers_between_dependent_passes_only),
           CHECK_TEST(limits_of_few_groups_an_axis),
           CHECK_TEST(many_segments_take_no_more_dispatches),
           CHECK_TEST(scratch_is_little_more_than_the_rows),
           CHECK_TEST(sections_at_the_storage_limit))
