/* Layer 1: plans that split long segments twice: their passes, the words of the table and of the work
 * section, and that there is room for whatever children there can be. */
#include "plan_splits.h"

enum { IN = SEGSORT_PLACE_INPUT, OUT = SEGSORT_PLACE_OUTPUT, TEMP = SEGSORT_PLACE_SCRATCH };

static segsort_tuning tuning;

/* Short segments are split twice, unless child_rows is 0. */
static void reset_twice(uint32_t child_rows, uint32_t buckets_max)
{
    reset_limits(65535);
    tuning = *segsort_tuning_default();
    tuning.part_length_max = 0;
    tuning.child_rows = child_rows;
    tuning.buckets_max = buckets_max;
    limits.tuning = &tuning;
}

static const uint32_t *twice_words(const segsort_pass *again, uint32_t segment)
{
    return plan.table + (uint32_t)(again->params.twice_word + segment * SEGSORT_TWICE_WORDS);
}

/* ---------------------------------------------------------------------------------------------- */
/* Passes */

/* The first split goes to the outputs, in place from where the rows were moved to; children are told
 * meanwhile. The second one goes to the scratch, from where bunches are sorted. */
static void passes_of_two_splits(void)
{
    const struct {
        const char *label;
        uint32_t level, source, destination;
        gl_segsort_pass_condition condition;
        bool waits;
    } expected[] = {
        {"plan-copy-rows-2048", 0, IN, TEMP, GL_SEGSORT_PASS_IN_PLACE, false},
        {"plan-split-sample-2048", 0, IN, TEMP, GL_SEGSORT_PASS_ALWAYS, false},
        {"plan-split-count-2048", 1, IN, TEMP, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-spine-2048", 2, IN, TEMP, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-again-2048", 3, IN, TEMP, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-scatter-2048", 3, IN, OUT, GL_SEGSORT_PASS_OUT_OF_PLACE, false},
        {"plan-split-scatter-2048", 3, TEMP, OUT, GL_SEGSORT_PASS_IN_PLACE, false},
        {"plan-split-sample-2048", 4, OUT, TEMP, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-count-2048", 5, OUT, TEMP, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-spine-2048", 6, OUT, TEMP, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-scatter-2048", 7, OUT, TEMP, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-finish-2048", 8, TEMP, OUT, GL_SEGSORT_PASS_ALWAYS, true},
        {"plan-split-parts-2048", 8, TEMP, OUT, GL_SEGSORT_PASS_ALWAYS, false},
    };
    const uint32_t lengths[] = {30000};
    gl_segsort_plan_desc desc = {0};
    reset_twice(4000, 16);
    if (!build_lengths(&desc, lengths, 1))
        return;
    CHECK(plan.pass_count == COUNT_OF(expected), "%u passes", plan.pass_count);
    for (uint32_t i = 0; i < plan.pass_count && i < COUNT_OF(expected); i++) {
        const segsort_pass *pass = &plan.passes[i];
        CHECK(strcmp(pass->label, expected[i].label) == 0, "pass %u is %s, not %s", i, pass->label,
              expected[i].label);
        CHECK(pass->level == expected[i].level && pass->condition == expected[i].condition,
              "%s: level %u, condition %d", pass->label, pass->level, (int)pass->condition);
        CHECK((pass->barriers == GL_SEGSORT_BARRIER_STORAGE) == expected[i].waits,
              "%s: barriers 0x%x", pass->label, pass->barriers);
        CHECK(pass->params.source == expected[i].source &&
                  pass->params.destination == expected[i].destination,
              "%s: from place %u to %u", pass->label, pass->params.source,
              pass->params.destination);
    }
    twin_plan_release(&plan);
}

/* Three digits are as fast, and more are not; and the tuning has the last word. */
static void which_are_split_twice(void)
{
    const struct {
        uint32_t begin_bit, end_bit, child_rows, split_length_max, length;
        gl_segsort_algorithm algorithm;
        bool twice;
    } cases[] = {
        {0, 32, 4000, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_AUTO, true},
        {0, 25, 4000, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_AUTO, true},
        {3, 28, 4000, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_AUTO, true},
        {0, 24, 4000, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_AUTO, false},
        {8, 32, 4000, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_AUTO, false},
        {0, 32, 0, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_AUTO, false},
        {0, 32, 4000, 20000, 30000, GL_SEGSORT_ALGORITHM_AUTO, false},
        {0, 32, 4000, UINT32_MAX, 5000, GL_SEGSORT_ALGORITHM_AUTO, false},
        {0, 32, 4000, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_RADIX, false},
        {0, 32, 4000, UINT32_MAX, 30000, GL_SEGSORT_ALGORITHM_BITONIC, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = {.begin_bit = cases[i].begin_bit,
                                     .end_bit = cases[i].end_bit,
                                     .algorithm = cases[i].algorithm};
        reset_twice(cases[i].child_rows, 16);
        tuning.split_length_max = cases[i].split_length_max;
        if (!build_lengths(&desc, &cases[i].length, 1))
            continue;
        CHECK((find_pass(SEGSORT_KERNEL_SPLIT_AGAIN) != NULL) == cases[i].twice,
              "case %zu: split twice or not", i);
        twin_plan_release(&plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Words */

/* What two segments that are split twice, one that is split once and three others have. */
struct words {
    const segsort_pass *first, *single, *second, *again; /* scatter passes, and the one between */
    uint32_t twice, once, longs, tiles, children;
};

static const segsort_pass *find_scatter(uint32_t level, uint32_t destination)
{
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        if (pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SCATTER && pass->level == level &&
            pass->params.destination == destination)
            return pass;
    }
    return NULL;
}

static void mark_table(const struct words *words)
{
    const struct segsort_pass_params *first = &words->first->params, *again = &words->again->params,
                                     *second = &words->second->params;
    struct marks table = make_marks("table", plan.table_words);
    uint32_t groups = 0, child_groups = 0, rows = words->children + 1;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        bool finishes = pass->variant.kernel == SEGSORT_KERNEL_SPLIT_FINISH ||
                        pass->variant.kernel == SEGSORT_KERNEL_SPLIT_PARTS;
        if (finishes && pass->level == 4 && pass->params.item_count > groups)
            groups = pass->params.item_count;
        if (finishes && pass->level == 8 && pass->params.item_count > child_groups)
            child_groups = pass->params.item_count;
    }
    mark(&table, "segments", first->segment_word, words->longs * SEGSORT_SEGMENT_WORDS);
    mark(&table, "tiles", first->tile_word, words->tiles * SEGSORT_TILE_WORDS);
    mark(&table, "long words", first->long_word, words->longs * SEGSORT_LONG_WORDS);
    mark(&table, "splits", first->split_word, (words->twice + words->once) * SEGSORT_SPLIT_WORDS);
    mark(&table, "work groups", first->finish_word, groups);
    mark(&table, "twice", again->twice_word, words->twice * SEGSORT_TWICE_WORDS);
    mark(&table, "children", second->segment_word, rows * SEGSORT_SEGMENT_WORDS);
    mark(&table, "children's long words", second->long_word, rows * SEGSORT_LONG_WORDS);
    mark(&table, "children's splits", second->split_word, rows * SEGSORT_SPLIT_WORDS);
    mark(&table, "children's tiles", second->tile_word + second->first_group * SEGSORT_TILE_WORDS,
         (second->item_count - second->first_group) * SEGSORT_TILE_WORDS);
    mark(&table, "children's work groups", second->finish_word, child_groups);
    CHECK(again->child_segment_word == second->segment_word &&
              again->child_tile_word == second->tile_word &&
              again->child_long_word == second->long_word &&
              again->child_split_word == second->split_word &&
              again->child_finish_word == second->finish_word &&
              again->child_bunch_starts == second->bunch_starts,
          "children are looked for where they are not written");
    free(table.words);
}

static void mark_work(const struct words *words)
{
    const struct segsort_pass_params *first = &words->first->params,
                                     *second = &words->second->params;
    uint32_t key_words = segsort_key_words(words->first->variant.types.key), sums = 0;
    struct marks work = make_marks("work", plan.sets[0].scratch.work_bytes / 4);
    mark(&work, "tiles' counts", 0, (uint64_t)second->item_count * 256);
    mark(&work, "digits' starts", first->digit_starts, words->longs * 256);
    for (uint32_t i = 0; i < words->twice + words->once; i++) {
        const uint32_t *split = split_words(words->first, i);
        uint32_t rows = plan.table[first->segment_word + i * 5 + 4];
        uint32_t bunches = i < words->twice ? split[1] : 2 * ((rows - 1) / split[8]) + 1;
        mark(&work, "sums", first->tile_sums + split[6] * 256, split[7] * 256);
        mark(&work, "splitters", first->splitters + split[4] * (key_words + 1),
             split[1] * (key_words + 1));
        mark(&work, "bunches", first->bunch_starts + split[5],
             2 + (bunches < split[1] ? bunches : split[1]));
    }
    for (uint32_t i = 0; i < words->twice; i++) {
        const uint32_t *twice = twice_words(words->again, i);
        CHECK(twice[SEGSORT_TWICE_FIRST_SUM] == sums, "sums of segment %u", i);
        sums += twice[SEGSORT_TWICE_TILES] / 8 + twice[SEGSORT_TWICE_CHILDREN];
    }
    uint32_t children = words->children + 1, most = tuning.buckets_max;
    mark(&work, "children's starts", second->digit_starts, children * 256);
    mark(&work, "children's sums", second->tile_sums, sums * 256);
    mark(&work, "children's splitters", second->splitters, children * most * (key_words + 1));
    mark(&work, "children's bunches", second->bunch_starts,
         children * words->again->params.child_bunch_words);
    CHECK(words->again->params.child_bunch_words == most + 2, "words for %u bunches",
          words->again->params.child_bunch_words - 2);
    CHECK(work.marked == work.count, "%llu words are nobody's",
          (unsigned long long)(work.count - work.marked));
    free(work.words);
}

/* Neither side takes what is the other's: tiles of segments that are split once lie before those of
 * the ones that are split twice, which the children's counts go over. */
static void words_of_two_splits(void)
{
    const uint32_t lengths[] = {5000, 30000, 3, 24001, 4097};
    for (int type = 0; type < 2; type++) {
        gl_segsort_plan_desc desc = {.key_type = type ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32};
        reset_twice(4000, 16);
        if (!build_lengths(&desc, lengths, COUNT_OF(lengths)))
            continue;
        struct words words = {.first = find_scatter(3, OUT),
                              .single = find_scatter(3, TEMP),
                              .second = find_scatter(7, TEMP),
                              .again = find_pass(SEGSORT_KERNEL_SPLIT_AGAIN),
                              .twice = 2,
                              .once = 2,
                              .longs = 4,
                              .tiles = 3 + 15 + 12 + 3,
                              .children = 8 + 7};
        if (CHECK(words.first && words.single && words.second && words.again, "passes")) {
            CHECK(words.single->params.first_group == 0 && words.single->params.item_count == 6 &&
                      words.first->params.first_group == 6 && words.first->params.item_count == 33,
                  "tiles %u to %u, %u to %u", words.single->params.first_group,
                  words.single->params.item_count, words.first->params.first_group,
                  words.first->params.item_count);
            CHECK(words.second->params.first_group == 6 &&
                      words.second->params.item_count == 33 + words.children,
                  "children's tiles %u to %u", words.second->params.first_group,
                  words.second->params.item_count);
            mark_table(&words);
            mark_work(&words);
        }
        twin_plan_release(&plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Room */

/* Cuts a length into so many children, at random or all in one; returns what they need. */
struct needs {
    uint64_t tiles, sums, groups, part_groups;
};

static struct needs needs_of(const uint32_t *twice, uint32_t length, uint64_t *state, int way)
{
    struct needs needs = {0};
    uint32_t left = length, count = twice[SEGSORT_TWICE_CHILDREN];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rows = i + 1 == count ? left : generate_below(state, 2 * (left / (count - i)) + 1);
        if (way == 1 && i + 1 < count)
            rows = left > 1 ? 1 : 0;
        if (way == 2 && i + 1 < count)
            rows = left > twice[SEGSORT_TWICE_LENGTH_MAX] ? twice[SEGSORT_TWICE_LENGTH_MAX] + 1 : 0;
        rows = rows < left ? rows : left;
        left -= rows;
        uint64_t tiles = (rows + 2047) / 2048;
        needs.tiles += tiles;
        needs.sums += (tiles + 7) / 8;
        if (rows > twice[SEGSORT_TWICE_LENGTH_MAX])
            needs.part_groups += rows / twice[SEGSORT_TWICE_PART_GROUP_ROWS] + 1;
        else if (rows > 0)
            needs.groups += rows / twice[SEGSORT_TWICE_GROUP_ROWS] + 1;
    }
    return needs;
}

static void room_for_any_children(void)
{
    const struct {
        uint32_t length, child_rows, buckets_max;
    } cases[] = {{30000, 4000, 16},         {24001, 1000, 16},       {50000, 30000, 16},
                 {60000, 2000, 4},          {5000000, 65536, 256},   {1u << 24, 65536, 256},
                 {1u << 24, 1u << 18, 256}, {100000007, 65536, 256}, {1u << 28, 98304, 256}};
    uint64_t state = 1;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = {0};
        reset_twice(cases[i].child_rows, cases[i].buckets_max);
        limits.storage_bytes = UINT64_C(1) << 34;
        if (!build_lengths(&desc, &cases[i].length, 1))
            continue;
        const segsort_pass *again = find_pass(SEGSORT_KERNEL_SPLIT_AGAIN);
        for (int run = 0; CHECK(again, "case %zu: no pass", i) && run < 30; run++) {
            const uint32_t *twice = twice_words(again, 0);
            const struct needs needs = needs_of(twice, cases[i].length, &state, run % 3);
            uint32_t sums = twice[SEGSORT_TWICE_TILES] / 8 + twice[SEGSORT_TWICE_CHILDREN];
            CHECK(needs.tiles <= twice[SEGSORT_TWICE_TILES] && needs.sums <= sums &&
                      needs.groups <= twice[SEGSORT_TWICE_GROUPS] &&
                      needs.part_groups <= twice[SEGSORT_TWICE_PART_GROUPS],
                  "case %zu, run %d: %llu tiles of %u, %llu sums of %u, %llu groups of %u, %llu of "
                  "parts of %u",
                  i, run, (unsigned long long)needs.tiles, twice[SEGSORT_TWICE_TILES],
                  (unsigned long long)needs.sums, sums, (unsigned long long)needs.groups,
                  twice[SEGSORT_TWICE_GROUPS], (unsigned long long)needs.part_groups,
                  twice[SEGSORT_TWICE_PART_GROUPS]);
        }
        twin_plan_release(&plan);
    }
}

/* No more than a tenth of the rows besides the rows once more, by all entries of the table. */
static void scratch_of_two_splits(void)
{
    const uint32_t lengths[] = {(1u << 22) + 1, 1u << 23, 1u << 24, 1u << 26};
    gl_segsort_allocator allocator = default_allocator();
    for (uint32_t e = 0; segsort_tuning_get(e); e++)
        for (size_t i = 0; i < COUNT_OF(lengths); i++) {
            const gl_segsort_segment segment = {0, 0, 0, 0, lengths[i]};
            gl_segsort_plan_desc desc = {.segments = &segment, .segment_count = 1};
            uint64_t bytes = 0;
            reset_limits(65535);
            limits.tuning = &segsort_tuning_get(e)->tuning;
            limits.storage_bytes = UINT64_C(1) << 34;
            segsort_layout *layouts = make_layouts(&desc);
            CHECK(segsort_plan_measure(&desc, layouts, &limits, &allocator, &bytes, &error) ==
                      GL_SEGSORT_SUCCESS,
                  "%s", error.text);
            CHECK((double)bytes <= 1.1 * 8 * lengths[i], "%s: %u rows take %.3f times their bytes",
                  segsort_tuning_get(e)->name, lengths[i], (double)bytes / (8.0 * lengths[i]));
            free(layouts);
        }
}

CHECK_MAIN(CHECK_TEST(passes_of_two_splits), CHECK_TEST(which_are_split_twice),
           CHECK_TEST(words_of_two_splits), CHECK_TEST(room_for_any_children),
           CHECK_TEST(scratch_of_two_splits))
