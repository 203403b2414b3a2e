/* Layer 1: which long segments a plan splits into buckets, and the words and memory that it has for
 * that. Its passes, test_plan_split_passes.c has; what these do, test_split_twins.c compares. */
#include "plan_splits.h"

/* ---------------------------------------------------------------------------------------------- */
/* Which segments */

/* Buckets, samples between splitters and the work groups that sort bunches, worked out by hand from
 * what plan_splits.c says; 0 buckets: it is not split. The longest segments have 256 buckets and the
 * next longer one would take more. Where packs are narrow, more buckets than of 256 rows are needed:
 * 1024 samples of 25000 rows are expected to hit a pack of 1024 rows 41 times, less 5.4 deviations
 * that is 6. */
static void buckets_by_length(void)
{
    const struct {
        uint32_t shared_bytes;
        gl_segsort_key_type key_type;
        uint32_t length, buckets, apart, groups;
    } cases[] = {
        {KIB_32, GL_SEGSORT_KEY_U32, 4096, 0, 0, 0},
        {KIB_32, GL_SEGSORT_KEY_U32, 4097, 16, 16, 3},
        {KIB_32, GL_SEGSORT_KEY_U32, 4351, 16, 16, 3},
        {KIB_32, GL_SEGSORT_KEY_U32, 4352, 17, 16, 3},
        {KIB_32, GL_SEGSORT_KEY_U32, 8191, 31, 16, 5},
        {KIB_32, GL_SEGSORT_KEY_U32, 16384, 64, 16, 9},
        {KIB_32, GL_SEGSORT_KEY_U32, 65535, 255, 8, 36},
        {KIB_32, GL_SEGSORT_KEY_U32, 65536, 256, 8, 36},
        {KIB_32, GL_SEGSORT_KEY_U32, 95325, 256, 8, 54},
        {KIB_32, GL_SEGSORT_KEY_U32, 95326, 0, 0, 0},
        {KIB_32, GL_SEGSORT_KEY_U64, 95325, 256, 8, 54},
        {KIB_48, GL_SEGSORT_KEY_F32, 4097, 16, 16, 3},
        {KIB_48, GL_SEGSORT_KEY_U32, 65536, 256, 16, 36},
        {KIB_48, GL_SEGSORT_KEY_I32, 147168, 256, 16, 91},
        {KIB_48, GL_SEGSORT_KEY_U32, 147169, 256, 16, 41},
        {KIB_48, GL_SEGSORT_KEY_F32, 294337, 256, 16, 91},
        {KIB_48, GL_SEGSORT_KEY_U32, 294338, 0, 0, 0},
        {KIB_48, GL_SEGSORT_KEY_U64, 65536, 256, 8, 36},
        {KIB_48, GL_SEGSORT_KEY_U64, 95325, 256, 8, 54},
        {KIB_48, GL_SEGSORT_KEY_U64, 95326, 0, 0, 0},
        {KIB_32, GL_SEGSORT_KEY_U32, 1u << 24, 0, 0, 0},
        {KIB_16, GL_SEGSORT_KEY_U32, 16384, 64, 16, 20},
        {KIB_16, GL_SEGSORT_KEY_U32, 25000, 171, 5, 28},
        {1024, GL_SEGSORT_KEY_U32, 4097, 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = {.key_type = cases[i].key_type};
        reset_limits(65535);
        limits.shared_bytes = cases[i].shared_bytes;
        if (!build_lengths(&desc, &cases[i].length, 1))
            continue;
        const segsort_pass *pass = find_pass(SEGSORT_KERNEL_SPLIT_SAMPLE);
        if (cases[i].buckets == 0)
            CHECK(splits_nothing(), "%u rows are split", cases[i].length);
        else
            CHECK(pass, "%u rows are not split", cases[i].length);
        if (pass) {
            const uint32_t *words = split_words(pass, 0);
            CHECK(words[0] == 0 && words[1] == cases[i].buckets && words[2] == cases[i].apart &&
                      words[3] == cases[i].groups,
                  "%u rows: %u buckets, %u samples apart, %u work groups", cases[i].length,
                  words[1], words[2], words[3]);
            CHECK(words[1] * words[2] <= pass->variant.width, "more samples than a pack's rows");
            CHECK((uint64_t)words[1] * words[2] * 16 <= cases[i].length,
                  "more samples than one in 16 rows");
        }
        twin_plan_release(&plan);
    }
}

/* Rows of a tile of the plan. */
static uint32_t sample_tile_rows(void)
{
    const segsort_pass *count = find_pass(SEGSORT_KERNEL_SPLIT_COUNT);
    return count ? count->variant.width : 1;
}

/* Whether each way that has segments, and no other, has a pass of these: 1 narrow, 2 wide, 3 parts.
 * rows: segments, rows, and those of a bunch. Their work groups follow each other, and those of one
 * way are side by side with the others'. */
static void check_finishes(size_t number, uint32_t rows[4][3], uint32_t narrow)
{
    uint32_t group = 0, level = 0;
    for (uint32_t way = 1; way < 4; way++) {
        const segsort_pass *found = NULL;
        for (uint32_t i = 0; i < plan.pass_count; i++) {
            const segsort_pass *pass = &plan.passes[i];
            bool parts = pass->variant.kernel == SEGSORT_KERNEL_SPLIT_PARTS;
            bool finishes = pass->variant.kernel == SEGSORT_KERNEL_SPLIT_FINISH;
            uint32_t own = parts                                       ? 3
                           : finishes && pass->variant.width == narrow ? 1
                           : finishes                                  ? 2
                                                                       : 0;
            found = own == way ? pass : found;
        }
        CHECK((found != NULL) == (rows[way][0] > 0), "case %zu: way %u has %u segments", number,
              way, rows[way][0]);
        if (!found)
            continue;
        CHECK(found->segment_count == rows[way][0] && found->row_count == rows[way][1],
              "case %zu: %s has %u segments", number, found->label, found->segment_count);
        CHECK(found->variant.width == rows[way][2], "case %zu: %s", number, found->label);
        CHECK(found->params.first_group == group, "case %zu: %s starts with work group %u", number,
              found->label, found->params.first_group);
        CHECK(level == 0 || found->level == level, "case %zu: %s is on level %u", number,
              found->label, found->level);
        group = found->params.item_count;
        level = found->level;
    }
}

/* Of a segment the way in which its buckets are sorted, and rows of a bunch. Wide bunches split
 * longer segments and are slower for the others, parts more so: each segment has the first way that
 * can do it. 48 KiB are enough for 4096 rows; in 32 KiB a tuning of half as many has the same
 * choice, and parts of 2048 rows. */
static void bunches_by_length(void)
{
    enum { NONE, NARROW, WIDE, PARTS };
    const struct {
        uint32_t shared_bytes, narrow, wide, parts_max, buckets_max;
        struct {
            uint32_t length, way, buckets, rows;
        } segments[5];
    } cases[] = {
        {KIB_48, 2048, 4096, 0, 256, {{147168, NARROW, 256, 2048}, {5000, NARROW, 19, 2048}}},
        {KIB_48, 2048, 4096, 0, 256, {{147169, WIDE, 256, 4096}, {5000, NARROW, 19, 2048}}},
        {KIB_48, 2048, 4096, 0, 256, {{294338, NONE, 0, 0}, {200000, WIDE, 256, 4096}}},
        {KIB_48, 2048, 4096, 294337, 256, {{294338, NONE, 0, 0}, {294337, WIDE, 256, 4096}}},
        {KIB_48,
         2048,
         4096,
         1u << 22,
         256,
         {{1u << 22, PARTS, 256, 4096},
          {294338, PARTS, 256, 4096},
          {294337, WIDE, 256, 4096},
          {147168, NARROW, 256, 2048},
          {5000, NARROW, 19, 2048}}},
        {KIB_48,
         2048,
         4096,
         1u << 22,
         256,
         {{(1u << 22) + 1, NONE, 0, 0}, {5000, NARROW, 19, 2048}}},
        {KIB_48, 2048, 0, 1u << 22, 256, {{147169, PARTS, 256, 2048}, {5000, NARROW, 19, 2048}}},
        {KIB_48, 2048, 2048, 0, 256, {{147169, NONE, 0, 0}, {5000, NARROW, 19, 2048}}},
        {KIB_48, 2048, 4096, 1u << 22, 16, {{20000, WIDE, 16, 4096}, {80000, PARTS, 16, 4096}}},
        {KIB_32,
         2048,
         4096,
         1u << 22,
         256,
         {{95326, PARTS, 256, 2048}, {95325, NARROW, 256, 2048}}},
        {KIB_32,
         1024,
         2048,
         0,
         256,
         {{95326, NONE, 0, 0}, {47663, WIDE, 186, 2048}, {47662, NARROW, 256, 1024}}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = {0};
        segsort_tuning tuning = *segsort_tuning_default();
        uint32_t lengths[5], rows[4][3] = {{0}}, first_split = 0, number = 0;
        size_t count = 0;
        for (; count < 5 && cases[i].segments[count].length > 0; count++)
            lengths[count] = cases[i].segments[count].length;
        reset_limits(65535);
        tuning.split_rows = cases[i].narrow;
        tuning.long_split_rows = cases[i].wide;
        tuning.part_length_max = cases[i].parts_max;
        tuning.child_rows = 0;
        tuning.buckets_max = cases[i].buckets_max;
        limits.shared_bytes = cases[i].shared_bytes;
        limits.tuning = &tuning;
        if (!build_lengths(&desc, lengths, count))
            continue;
        const segsort_pass *sample = find_pass(SEGSORT_KERNEL_SPLIT_SAMPLE);
        if (!CHECK(sample, "case %zu: nothing is split", i)) {
            twin_plan_release(&plan);
            continue;
        }
        first_split = sample->params.first_group;
        for (size_t n = 0; n < count; n++) {
            const uint32_t way = cases[i].segments[n].way, length = lengths[n];
            for (number = 0; number < count; number++)
                if (plan.table[sample->params.segment_word + number * SEGSORT_SEGMENT_WORDS + 4] ==
                    length)
                    break;
            CHECK((number >= first_split) == (way != NONE),
                  "case %zu: %u rows are number %u of the long ones, which are split from %u on", i,
                  length, number, first_split);
            if (way == NONE || number < first_split)
                continue;
            const uint32_t *words = split_words(sample, number);
            /* Of the average bucket five times the samples, or as many as a full bunch has. */
            const uint64_t samples = words[1] * words[2];
            const uint64_t room = way == PARTS ? 5 * words[2] : words[8] * samples / length;
            CHECK(words[1] == cases[i].segments[n].buckets &&
                      words[8] == cases[i].segments[n].rows && words[9] == room,
                  "case %zu: %u rows in %u buckets, bunches of %u rows, room for %u samples", i,
                  length, words[1], words[8], words[9]);
            CHECK(words[7] == ((length + sample_tile_rows() - 1) / sample_tile_rows() + 7) / 8,
                  "case %zu: %u sums of %u rows", i, words[7], length);
            rows[way][0] += 1;
            rows[way][1] += length;
            rows[way][2] = words[8];
        }
        check_finishes(i, rows, cases[i].narrow);
        twin_plan_release(&plan);
    }
}

/* The passes' widths: the narrowest that has room for the longest segment's samples, 2048 rows for
 * a bunch or fewer; digits wide enough for the most buckets. */
static void widths_and_bits(void)
{
    const struct {
        uint32_t shared_bytes, lengths[3], sample_width, finish_width, bits;
    } cases[] = {
        {KIB_32, {4097}, 256, 2048, 4},          {KIB_32, {4111}, 256, 2048, 4},
        {KIB_32, {4112, 4097}, 512, 2048, 4},    {KIB_32, {4352}, 512, 2048, 5},
        {KIB_32, {8447, 4097}, 1024, 2048, 5},   {KIB_32, {4097, 8448}, 1024, 2048, 6},
        {KIB_32, {95325, 95326}, 2048, 2048, 8}, {KIB_48, {147168, 5000}, 4096, 2048, 8},
        {KIB_16, {16384}, 1024, 1024, 6},        {KIB_16, {25000}, 1024, 1024, 8},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = {0};
        size_t count = 1;
        while (count < 3 && cases[i].lengths[count] > 0)
            count++;
        reset_limits(65535);
        limits.shared_bytes = cases[i].shared_bytes;
        if (!build_lengths(&desc, cases[i].lengths, count))
            continue;
        const segsort_pass *sample = find_pass(SEGSORT_KERNEL_SPLIT_SAMPLE);
        const segsort_pass *scatter = find_pass(SEGSORT_KERNEL_SPLIT_SCATTER);
        const segsort_pass *finish = find_pass(SEGSORT_KERNEL_SPLIT_FINISH);
        CHECK(sample && scatter && finish, "case %zu: nothing is split", i);
        if (sample && scatter && finish) {
            const uint32_t *words = split_words(sample, sample->params.first_group);
            CHECK(sample->variant.width == cases[i].sample_width &&
                      finish->variant.width == cases[i].finish_width &&
                      words[8] == cases[i].finish_width,
                  "case %zu: samples' width %u, bunches' %u, of %u rows", i, sample->variant.width,
                  finish->variant.width, words[8]);
            CHECK(scatter->params.digit_bits == cases[i].bits, "case %zu: %u bits", i,
                  scatter->params.digit_bits);
        }
        twin_plan_release(&plan);
    }
}

/* Only AUTO splits, segments that the host lists, and where the order is by any bits at all; a
 * limit of steps counts digits. */
static void plans_without_splits(void)
{
    const uint32_t length = 20000;
    const gl_segsort_plan_desc cases[] = {
        {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC},
        {.algorithm = GL_SEGSORT_ALGORITHM_RADIX},
        {.step_limit = 4},
        {.step_limit = 1000},
        {.begin_bit = 32, .end_bit = 32},
        {.begin_bit = 7, .end_bit = 7},
    };
    gl_segsort_plan_desc split = {0};
    reset_limits(65535);
    if (build_lengths(&split, &length, 1))
        CHECK(!splits_nothing(), "AUTO splits nothing");
    twin_plan_release(&plan);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = cases[i];
        if (!build_lengths(&desc, &length, 1))
            continue;
        CHECK(splits_nothing(), "case %zu splits", i);
        /* 10 tiles and a segment */
        if (i >= 1 && i <= 3)
            CHECK(plan.sets[0].scratch.work_bytes == 11 * 256 * 4, "case %zu: %llu bytes", i,
                  (unsigned long long)plan.sets[0].scratch.work_bytes);
        twin_plan_release(&plan);
    }
    const gl_segsort_plan_desc listed = {
        .segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES, .max_segments = 10, .max_rows = 50000};
    if (build(&listed))
        CHECK(splits_nothing(), "a list of the GPU's is split");
    twin_plan_release(&plan);
}

/* ---------------------------------------------------------------------------------------------- */
/* Words */

/* Long segments: those that digits sort come first. */
struct longs {
    uint32_t count, radix, tiles, chunks, groups;
};

static void mark_work(const struct longs *longs, const segsort_pass *sample,
                      const segsort_pass *scatter)
{
    const uint32_t splitter_words = segsort_key_words(sample->variant.types.key) + 1;
    struct marks work = make_marks("work", plan.sets[sample->set].scratch.work_bytes / 4);
    mark(&work, "tiles' counts", 0, (uint64_t)longs->tiles * 256);
    CHECK(scatter->params.chunk_counts == 0, "counts of chunks");
    if (longs->chunks > 0)
        mark(&work, "chunks' counts", longs->tiles * 256, (uint64_t)longs->chunks * 256);
    mark(&work, "digits' starts", scatter->params.digit_starts, (uint64_t)longs->count * 256);
    for (uint32_t i = longs->radix; i < longs->count; i++) {
        const uint32_t *words = split_words(sample, i);
        const uint32_t rows = plan.table[sample->params.segment_word + i * 5 + 4];
        const uint32_t bunches = 2 * ((rows - 1) / 2048) + 1;
        mark(&work, "splitters", sample->params.splitters + words[4] * splitter_words,
             (uint64_t)words[1] * splitter_words);
        mark(&work, "sums", scatter->params.tile_sums + words[6] * 256, (uint64_t)words[7] * 256);
        mark(&work, "bunches", scatter->params.bunch_starts + words[5],
             2 + (bunches < words[1] ? bunches : words[1]));
    }
    CHECK(work.marked == work.count, "%llu words are nobody's",
          (unsigned long long)(work.count - work.marked));
    free(work.words);
}

static void mark_table(const struct longs *longs, const segsort_pass *pass)
{
    const struct segsort_pass_params *params = &pass->params;
    struct marks table = make_marks("table", plan.table_words);
    mark(&table, "segments", params->segment_word, (uint64_t)longs->count * SEGSORT_SEGMENT_WORDS);
    mark(&table, "tiles", params->tile_word, (uint64_t)longs->tiles * SEGSORT_TILE_WORDS);
    mark(&table, "long words", params->long_word, (uint64_t)longs->count * SEGSORT_LONG_WORDS);
    mark(&table, "chunks", params->chunk_word, (uint64_t)longs->chunks * SEGSORT_CHUNK_WORDS);
    mark(&table, "splits", params->split_word + longs->radix * SEGSORT_SPLIT_WORDS,
         (uint64_t)(longs->count - longs->radix) * SEGSORT_SPLIT_WORDS);
    mark(&table, "work groups", params->finish_word, longs->groups);
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *other = &plan.passes[i];
        if (other->set == pass->set && other->variant.kernel == SEGSORT_KERNEL_BUCKET_LOCAL)
            mark(&table, "packs", other->params.segment_word,
                 (uint64_t)other->params.item_count * SEGSORT_PACK_WORDS(other->width));
    }
    free(table.words);
}

/* Every work group's segment, and each segment's first one: they count on from segment to segment. */
static uint32_t check_groups(const struct longs *longs, const segsort_pass *pass)
{
    uint32_t group = 0;
    for (uint32_t i = longs->radix; i < longs->count; i++) {
        const uint32_t *words = split_words(pass, i);
        CHECK(words[0] == group, "segment %u starts with work group %u", i, words[0]);
        for (uint32_t end = group + words[3]; group < end; group++)
            CHECK(plan.table[pass->params.finish_word + group] == i, "work group %u is of %u",
                  group, plan.table[pass->params.finish_word + group]);
    }
    return group;
}

/* Splits alone, beside digits, beside chunks, and in the second set of a batch; narrow and wide
 * keys. */
static void words_of_splits(void)
{
    const uint32_t first_chunk = CHUNK_ROWS + 1;
    const struct {
        uint32_t lengths[6];
        size_t count;
        struct longs longs; /* work groups are counted */
    } cases[] = {
        {{4097, 9000, 3}, 3, {2, 0, 3 + 5, 0, 0}},
        {{4097, 100000, 9000, 700, 120000}, 5, {4, 2, 3 + 49 + 5 + 59, 0, 0}},
        {{first_chunk, 5000, 90000, 2, 5001}, 5, {4, 1, 65 + 3 + 44 + 3, 2, 0}},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        const size_t c = i / 2;
        struct longs longs = cases[c].longs;
        gl_segsort_plan_desc desc = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32};
        uint32_t lengths[8] = {6000, 5};
        const uint32_t counts[2] = {2, (uint32_t)cases[c].count};
        reset_limits(65535);
        memcpy(lengths + 2, cases[c].lengths, sizeof cases[c].lengths);
        desc.set_count = i % 2 ? 2 : 0;
        desc.set_segment_counts = i % 2 ? counts : NULL;
        if (!build_lengths(&desc, lengths + (i % 2 ? 0 : 2), cases[c].count + (i % 2 ? 2 : 0)))
            continue;
        const segsort_pass *sample = NULL, *scatter = NULL, *finish = NULL;
        for (uint32_t p = 0; p < plan.pass_count; p++) {
            const segsort_pass *pass = &plan.passes[p];
            if (pass->set != i % 2)
                continue;
            sample = pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SAMPLE ? pass : sample;
            scatter = pass->variant.kernel == SEGSORT_KERNEL_SPLIT_SCATTER ? pass : scatter;
            finish = pass->variant.kernel == SEGSORT_KERNEL_SPLIT_FINISH ? pass : finish;
        }
        CHECK(sample && scatter && finish, "case %zu: nothing is split", i);
        if (sample && scatter && finish) {
            longs.groups = check_groups(&longs, sample);
            CHECK(finish->params.item_count == longs.groups && finish->params.first_group == 0,
                  "bunches are sorted by %u work groups", finish->params.item_count);
            mark_table(&longs, sample);
            mark_work(&longs, sample, scatter);
        }
        twin_plan_release(&plan);
    }
}

/* Rows once more, counts for each tile, chunk and segment, splitters and bunches for each split
 * segment; and as much is measured without building the plan. */
static void scratch_of_splits(void)
{
    const uint64_t key_bytes[KEY_TYPES] = {4, 4, 4, 8}, value_bytes[VALUE_TYPES] = {4, 0, 4, 8};
    const uint32_t lengths[] = {100000, 5000, 12, 4097, CHUNK_ROWS + 1};
    const uint64_t rows = 100000 + 5000 + 4097 + CHUNK_ROWS + 1, tiles = 49 + 3 + 3 + 65;
    gl_segsort_allocator allocator = default_allocator();
    reset_limits(65535);
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i++) {
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                     .value_type = (gl_segsort_value_type)(i / KEY_TYPES)};
        uint64_t measured = 0;
        if (!build_lengths(&desc, lengths, COUNT_OF(lengths)))
            continue;
        /* 19 and 16 buckets, at most 5 bunches each; a sum each; chunks of the two that digits
         * sort. */
        uint64_t splits = (19 + 16) * (key_bytes[desc.key_type] + 4) + 2 * (5 + 2) * 4;
        uint64_t work = (tiles + 3 + 4 + 2) * 256 * 4 + splits;
        CHECK(plan.sets[0].scratch.key_bytes == rows * key_bytes[desc.key_type] &&
                  plan.sets[0].scratch.value_bytes == rows * value_bytes[desc.value_type] &&
                  plan.sets[0].scratch.work_bytes == work,
              "types %d: %llu bytes of work, not %llu", i,
              (unsigned long long)plan.sets[0].scratch.work_bytes, (unsigned long long)work);
        segsort_layout *layouts = make_layouts(&desc);
        segsort_plan_measure(&desc, layouts, &limits, &allocator, &measured, &error);
        CHECK(measured == plan.scratch_bytes, "%llu bytes measured, %llu planned",
              (unsigned long long)measured, (unsigned long long)plan.scratch_bytes);
        free(layouts);
        twin_plan_release(&plan);
    }
}

CHECK_MAIN(CHECK_TEST(buckets_by_length), CHECK_TEST(bunches_by_length),
           CHECK_TEST(widths_and_bits), CHECK_TEST(plans_without_splits),
           CHECK_TEST(words_of_splits), CHECK_TEST(scratch_of_splits))
