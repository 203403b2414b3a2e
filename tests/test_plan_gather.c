/* Layer 1: the passes of gathers: which there are, and that they move each row once. Pure C, no
 * GL. */
#include "plan_sets.h"

/* Rows that a work group gathers, where segments are shorter. */
#define GROUP_ROWS 512u

/* ---------------------------------------------------------------------------------------------- */
/* Which rows a pass moves, as gather.comp has it */

/* How often each row of a set's ordered records is written. */
struct visits {
    unsigned char *rows;
    uint64_t count;
};

static void visit(struct visits *visits, uint32_t at, uint32_t first_row, uint32_t rows_max)
{
    const uint32_t *segment = plan.table + at;
    uint32_t rest = segment[4] - first_row, rows = rest < rows_max ? rest : rows_max;
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t row = (uint64_t)segment[2] + first_row + i;
        if (CHECK(row < visits->count, "row %llu of %llu", (unsigned long long)row,
                  (unsigned long long)visits->count))
            visits->rows[row]++;
    }
}

static void run_group(const segsort_pass *pass, uint64_t group, struct visits *visits)
{
    const struct segsort_pass_params *params = &pass->params;
    for (uint32_t slot = 0; slot < (params->slot_count ? params->slot_count : 1); slot++) {
        uint64_t item = params->slot_count ? group * params->slot_count + slot : group;
        if (item >= params->item_count)
            continue;
        uint32_t at = params->segment_word + (uint32_t)item * SEGSORT_SEGMENT_WORDS;
        const uint32_t *tile = plan.table + params->tile_word + item * SEGSORT_TILE_WORDS;
        if (params->slot_count == 0)
            visit(visits, params->segment_word + tile[0] * SEGSORT_SEGMENT_WORDS, tile[1],
                  params->slot_rows);
        else if (CHECK(plan.table[at + 4] <= params->slot_rows, "%u rows in a slot of %u",
                       plan.table[at + 4], params->slot_rows))
            visit(visits, at, 0, params->slot_rows);
    }
}

static void check_each_row_once(const struct batch *batch, uint32_t set)
{
    struct visits visits = {.count = plan.sets[set].layout.extents[2].end_row};
    uint64_t written = 0;
    visits.rows = calloc(visits.count + 1, 1);
    for (uint32_t i = 0; i < plan.gather_pass_count; i++) {
        const segsort_pass *pass = &plan.gather_passes[i];
        uint64_t groups =
            (uint64_t)pass->work_groups[0] * pass->work_groups[1] * pass->work_groups[2];
        for (uint64_t group = 0; group < groups && pass->set == set; group++)
            run_group(pass, pass->params.first_group + group, &visits);
    }
    for (uint64_t row = 0; row < visits.count; row++)
        written += visits.rows[row];
    CHECK(written == plan.sets[set].layout.row_count, "set %u: %llu rows of %llu", set,
          (unsigned long long)written, (unsigned long long)plan.sets[set].layout.row_count);
    for (uint32_t i = 0; i < batch->counts[set]; i++)
        for (uint32_t row = 0; row < batch->of_set[set][i].length; row++)
            if (!CHECK(visits.rows[batch->of_set[set][i].output_keys_offset + row] == 1,
                       "set %u, segment %u: row %u is not written once", set, i, row))
                break;
    free(visits.rows);
}

/* With few work groups a dispatch, folded and over several dispatches. */
static void each_row_is_moved_once(void)
{
    const uint32_t work_groups[] = {65535, 4, 3, 2};
    for (size_t w = 0; w < COUNT_OF(work_groups); w++)
        for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++)
            for (size_t k = 0; k < COUNT_OF(batch_kinds); k++) {
                struct batch batch;
                const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm,
                                                   .value_type = GL_SEGSORT_VALUE_INDEX,
                                                   .key_type = (gl_segsort_key_type)(k % 4)};
                reset_limits(work_groups[w]);
                make_batch(&batch, &like, &batch_kinds[k]);
                if (!build(&batch.desc))
                    continue;
                for (uint32_t i = 0; i < plan.gather_pass_count; i++)
                    for (int axis = 0; axis < 3; axis++)
                        CHECK(plan.gather_passes[i].work_groups[axis] - 1 < work_groups[w],
                              "%u groups", plan.gather_passes[i].work_groups[axis]);
                for (uint32_t i = 0; i < plan.set_count; i++)
                    check_each_row_once(&batch, i);
                twin_plan_release(&plan);
            }
}

/* ---------------------------------------------------------------------------------------------- */
/* A pass for each class */

struct expected_pass {
    uint32_t width, slot_count, segment_count, item_count, groups;
    uint64_t row_count;
};

static void check_passes(const struct expected_pass *expected, uint32_t count)
{
    CHECK(plan.gather_pass_count == count, "%u passes instead of %u", plan.gather_pass_count,
          count);
    for (uint32_t i = 0; i < count && i < plan.gather_pass_count; i++) {
        const segsort_pass *pass = &plan.gather_passes[i];
        const struct expected_pass *e = &expected[i];
        char label[64];
        snprintf(label, sizeof label, "mesh-gather-%u", e->width);
        CHECK(strcmp(pass->label, label) == 0, "pass %u is %s, not %s", i, pass->label, label);
        CHECK(pass->width == e->width && pass->params.slot_rows == e->width &&
                  pass->params.slot_count == e->slot_count,
              "%s: %u slots of %u rows", label, pass->params.slot_count, pass->params.slot_rows);
        CHECK(pass->segment_count == e->segment_count && pass->row_count == e->row_count &&
                  pass->params.item_count == e->item_count,
              "%s: %u segments, %u items", label, pass->segment_count, pass->params.item_count);
        CHECK(pass->work_groups[0] == e->groups && pass->work_groups[1] == 1 &&
                  pass->work_groups[2] == 1,
              "%s: %u groups, not %u", label, pass->work_groups[0], e->groups);
        CHECK(pass->level == 0 && pass->barriers == 0 && pass->stage == 0 && pass->stride == 0 &&
                  pass->bit_count == 0 && pass->condition == GL_SEGSORT_PASS_ALWAYS &&
                  pass->variant.kernel == SEGSORT_KERNEL_GATHER,
              "%s is more than a gather", label);
    }
    twin_plan_release(&plan);
}

/* As many short segments in a work group as fit its 512 rows, longer ones alone, tiles of the
 * longest; those first. */
static void passes_of_each_class(void)
{
    static uint32_t lengths[1000];
    static gl_segsort_segment segments[1000];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 513; i++)
        lengths[count++] = 1 + i % 2;
    for (uint32_t i = 0; i < 130; i++)
        lengths[count++] = 4;
    for (uint32_t i = 0; i < 3; i++)
        lengths[count++] = 300;
    lengths[count++] = 513;
    lengths[count++] = 0;
    lengths[count++] = 4096;
    lengths[count++] = 4097;
    lengths[count++] = 10000;
    generate_packed_segments(lengths, count, 0, segments);
    gl_segsort_plan_desc desc = {.label = "mesh", .segments = segments, .segment_count = count};
    const struct expected_pass by_width[] = {
        {2048, 0, 2, 3 + 5, 3 + 5, 14097}, {4096, 1, 1, 1, 1, 4096},
        {1024, 1, 1, 1, 1, 513},           {512, 1, 3, 3, 3, 900},
        {4, 128, 130, 130, 2, 4 * 130},    {2, 256, 513, 513, 3, 769}};
    const struct expected_pass by_radix[] = {{2048, 0, 2, 3 + 5, 3 + 5, 14097},
                                             {4096, 1, 1, 1, 1, 4096},
                                             {1024, 1, 1, 1, 1, 513},
                                             {512, 1, 646, 646, 646, 769 + 4 * 130 + 900}};
    reset_limits(65535);
    if (build(&desc))
        check_passes(by_width, COUNT_OF(by_width));
    desc.algorithm = GL_SEGSORT_ALGORITHM_BITONIC;
    if (build(&desc))
        check_passes(by_width, COUNT_OF(by_width));
    desc.algorithm = GL_SEGSORT_ALGORITHM_RADIX;
    if (build(&desc))
        check_passes(by_radix, COUNT_OF(by_radix));
}

/* One program for whatever is gathered: types, direction and bits are nothing to it. */
static void one_program_for_all(void)
{
    segsort_variant first = {0};
    for (int i = 0; i < KEY_TYPES * 2 * DIRECTIONS * ALGORITHMS * 2; i++) {
        struct batch batch;
        const gl_segsort_plan_desc like = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                           .value_type = i / 4 % 2 ? GL_SEGSORT_VALUE_INDEX
                                                                   : GL_SEGSORT_VALUE_U32,
                                           .direction = (gl_segsort_direction)(i / 8 % 2),
                                           .algorithm = (gl_segsort_algorithm)(i / 16 % ALGORITHMS),
                                           .end_bit = i / 48 ? 20 : 0};
        reset_limits(65535);
        make_batch(&batch, &like, &batch_kinds[5]);
        if (!build(&batch.desc))
            continue;
        for (uint32_t p = 0; p < plan.gather_pass_count; p++) {
            const segsort_variant *variant = &plan.gather_passes[p].variant;
            if (i == 0 && p == 0)
                first = *variant;
            CHECK(segsort_variant_equal(variant, &first), "%s has a program of its own",
                  plan.gather_passes[p].label);
            CHECK(segsort_variant_threads(variant) == 256 &&
                      segsort_variant_tile_rows(variant) == GROUP_ROWS,
                  "%u rows a work group", segsort_variant_tile_rows(variant));
        }
        twin_plan_release(&plan);
    }
}

/* A slot's rows are found by a shift. */
static void slots_are_powers_of_two(void)
{
    for (uint32_t shared = 64; shared <= 65536; shared *= 2)
        for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
            struct batch batch;
            const gl_segsort_plan_desc like = {.algorithm = (gl_segsort_algorithm)algorithm};
            reset_limits(65535);
            limits.shared_bytes = shared;
            make_batch(&batch, &like, &batch_kinds[5]);
            if (!build(&batch.desc))
                continue;
            for (uint32_t p = 0; p < plan.gather_pass_count; p++) {
                const struct segsort_pass_params *params = &plan.gather_passes[p].params;
                uint32_t rows = params->slot_rows, slots = params->slot_count;
                CHECK((rows & (rows - 1)) == 0 && (slots <= 1 || rows * slots == GROUP_ROWS) &&
                          (slots != 1 || rows >= GROUP_ROWS),
                      "%u slots of %u rows", slots, rows);
            }
            for (uint32_t i = 0; i < plan.set_count; i++)
                check_each_row_once(&batch, i);
            twin_plan_release(&plan);
        }
}

static void nothing_to_gather(void)
{
    struct batch batch;
    const gl_segsort_plan_desc like = {0};
    reset_limits(65535);
    make_batch(&batch, &like, &batch_kinds[6]);
    if (!build(&batch.desc))
        return;
    CHECK(plan.set_count == 4 && plan.gather_pass_count == 0 && plan.pass_count == 0,
          "%u passes without rows", plan.gather_pass_count);
    twin_plan_release(&plan);
}

CHECK_MAIN(CHECK_TEST(each_row_is_moved_once), CHECK_TEST(passes_of_each_class),
           CHECK_TEST(one_program_for_all), CHECK_TEST(slots_are_powers_of_two),
           CHECK_TEST(nothing_to_gather))
