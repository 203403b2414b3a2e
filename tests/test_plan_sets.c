/* Layer 1: plans of batches: each set as in a plan of its own, the passes of all by level, and the
 * scratch, measured and built. Pure C, no GL. */
#include "plan_sets.h"

static const uint32_t bit_ranges[][2] = {{0, 0}, {5, 5}, {0, 8}, {3, 12}, {8, 32}};

/* A description for each combination of types, bits and algorithm. */
#define LIKES (KEY_TYPES * VALUE_TYPES * ALGORITHMS * (int)COUNT_OF(bit_ranges))

static gl_segsort_plan_desc like(int number)
{
    int bits = number / (KEY_TYPES * VALUE_TYPES * ALGORITHMS);
    return (gl_segsort_plan_desc){
        .key_type = (gl_segsort_key_type)(number % KEY_TYPES),
        .value_type = (gl_segsort_value_type)(number / KEY_TYPES % VALUE_TYPES),
        .algorithm = (gl_segsort_algorithm)(number / (KEY_TYPES * VALUE_TYPES) % ALGORITHMS),
        .direction = (gl_segsort_direction)(number % 2),
        .begin_bit = bit_ranges[bits][0],
        .end_bit = bit_ranges[bits][1]};
}

/* ---------------------------------------------------------------------------------------------- */
/* A batch is its sets side by side */

/* Whether it is of segments that are split; their words never lie at the table's start. */
static bool is_split(const segsort_pass *pass)
{
    return pass->params.finish_word > 0;
}

/* Whether a pass of a batch is that one of the set's own plan, whose table starts at base. */
static bool is_same_pass(const segsort_pass *pass, const segsort_pass *alone, uint32_t base)
{
    struct segsort_pass_params params = alone->params;
    params.segment_word += base;
    params.tile_word += base;
    params.long_word += base;
    params.chunk_word += base;
    if (is_split(alone)) {
        params.split_word += base;
        params.finish_word += base;
    }
    return memcmp(&params, &pass->params, sizeof params) == 0 &&
           segsort_variant_equal(&pass->variant, &alone->variant) &&
           memcmp(pass->work_groups, alone->work_groups, sizeof pass->work_groups) == 0 &&
           pass->condition == alone->condition && pass->level == alone->level &&
           pass->barriers == alone->barriers && pass->width == alone->width &&
           pass->stage == alone->stage && pass->stride == alone->stride &&
           pass->begin_bit == alone->begin_bit && pass->bit_count == alone->bit_count &&
           pass->segment_count == alone->segment_count && pass->row_count == alone->row_count &&
           strcmp(pass->label, alone->label) == 0;
}

/* Each pass of the set alone is one of the batch's, and there are no others. */
static void check_passes_of(const segsort_pass *passes, uint32_t count, uint32_t set,
                            const segsort_pass *alone, uint32_t alone_count, uint32_t base)
{
    bool found[512] = {false};
    uint32_t of_set = 0;
    for (uint32_t i = 0; i < count; i++)
        of_set += passes[i].set == set;
    CHECK(of_set == alone_count && alone_count <= 512, "set %u has %u passes, alone %u", set,
          of_set, alone_count);
    for (uint32_t a = 0; a < alone_count && a < 512; a++) {
        uint32_t i = 0;
        while (i < count && i < 512 &&
               (found[i] || passes[i].set != set || !is_same_pass(&passes[i], &alone[a], base)))
            i++;
        if (CHECK(i < count && i < 512, "set %u has no pass like %s of level %u", set,
                  alone[a].label, alone[a].level))
            found[i] = true;
    }
}

static void check_set_alone(const struct batch *batch, uint32_t set, uint32_t *table_base,
                            uint64_t *scratch_base)
{
    segsort_plan alone;
    if (!build_alone(batch, set, &alone))
        return;
    const segsort_scratch *scratch = &plan.sets[set].scratch, *own = &alone.sets[0].scratch;
    CHECK(*table_base + alone.table_words <= plan.table_words, "set %u: the table ends", set);
    CHECK(alone.table_words == 0 ||
              memcmp(plan.table + *table_base, alone.table, (size_t)alone.table_words * 4) == 0,
          "set %u has other words in the table", set);
    check_passes_of(plan.passes, plan.pass_count, set, alone.passes, alone.pass_count, *table_base);
    check_passes_of(plan.gather_passes, plan.gather_pass_count, set, alone.gather_passes,
                    alone.gather_pass_count, *table_base);
    CHECK(scratch->key_bytes == own->key_bytes && scratch->value_bytes == own->value_bytes &&
              scratch->work_bytes == own->work_bytes && own->byte_offset == 0,
          "set %u has sections of other sizes", set);
    CHECK(segsort_scratch_bytes(scratch) == 0 || scratch->byte_offset == *scratch_base,
          "set %u: its scratch starts at byte %llu, the set before ends at %llu", set,
          (unsigned long long)scratch->byte_offset, (unsigned long long)*scratch_base);
    CHECK(alone.scratch_bytes == segsort_scratch_bytes(scratch) && alone.scratch_bytes % 4 == 0,
          "set %u: %llu bytes", set, (unsigned long long)alone.scratch_bytes);
    CHECK(plan.local_rows_max == alone.local_rows_max, "set %u: %u local rows, alone %u", set,
          plan.local_rows_max, alone.local_rows_max);
    *table_base += (uint32_t)alone.table_words;
    *scratch_base += alone.scratch_bytes;
    twin_plan_release(&alone);
}

/* With what is in the table and scratch behind each other, no two sets share a word of them. */
static void each_set_is_as_it_is_alone(void)
{
    const uint32_t work_groups[] = {65535, 3};
    for (size_t w = 0; w < COUNT_OF(work_groups); w++)
        for (int l = 0; l < LIKES; l += 7)
            for (size_t k = 0; k < COUNT_OF(batch_kinds); k++) {
                struct batch batch;
                uint32_t table_base = 0;
                uint64_t scratch_base = 0;
                const gl_segsort_plan_desc desc = like(l);
                reset_limits(work_groups[w]);
                make_batch(&batch, &desc, &batch_kinds[k]);
                if (!build(&batch.desc))
                    continue;
                CHECK(plan.set_count == batch_kinds[k].count, "%u sets", plan.set_count);
                for (uint32_t i = 0; i < plan.set_count; i++)
                    check_set_alone(&batch, i, &table_base, &scratch_base);
                CHECK(plan.table_words == table_base, "%llu words, the sets have %u",
                      (unsigned long long)plan.table_words, table_base);
                CHECK(plan.scratch_bytes == scratch_base, "%llu bytes, the sets have %llu",
                      (unsigned long long)plan.scratch_bytes, (unsigned long long)scratch_base);
                twin_plan_release(&plan);
            }
}

/* A batch that says nothing of counts has a segment a set. */
static void one_segment_a_set(void)
{
    const uint32_t lengths[] = {5000, 3, 0, 600};
    gl_segsort_segment segments[4];
    reset_limits(65535);
    generate_packed_segments(lengths, 4, 0, segments);
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 4, .set_count = 4};
    if (!build(&desc))
        return;
    for (uint32_t i = 0; i < 4; i++)
        CHECK(plan.sets[i].layout.segment_count == 1 && plan.sets[i].layout.row_count == lengths[i],
              "set %u has %u segments", i, plan.sets[i].layout.segment_count);
    for (uint32_t i = 0; i < plan.pass_count; i++)
        CHECK(plan.passes[i].segment_count == 1 &&
                  plan.passes[i].row_count == lengths[plan.passes[i].set],
              "%s of set %u", plan.passes[i].label, plan.passes[i].set);
    twin_plan_release(&plan);
}

/* ---------------------------------------------------------------------------------------------- */
/* Levels */

static bool is_local(const segsort_pass *pass)
{
    return pass->variant.kernel == SEGSORT_KERNEL_BITONIC_LOCAL ||
           pass->variant.kernel == SEGSORT_KERNEL_RADIX_LOCAL ||
           segsort_kernel_takes_packs(pass->variant.kernel);
}

/* Of all sets the most: one more than the last pass's. 0: there is no pass. */
static uint32_t level_count(uint32_t set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if ((set == SEGSORT_NO_SET || plan.passes[i].set == set) && plan.passes[i].level >= count)
            count = plan.passes[i].level + 1;
    return count;
}

/* Whether it is a further dispatch of the pass before. */
static bool goes_on(uint32_t number)
{
    if (number == 0)
        return false;
    const segsort_pass *pass = &plan.passes[number], *before = pass - 1;
    return before->set == pass->set && before->level == pass->level &&
           before->condition == pass->condition && strcmp(before->label, pass->label) == 0;
}

/* The passes of a level, of segments that are split or of the others: the first one waits. */
static uint32_t check_level_of(uint32_t set, uint32_t level, bool split)
{
    uint32_t passes = 0, with_barriers = 0;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        if (pass->set != set || pass->level != level || is_split(pass) != split)
            continue;
        passes++;
        with_barriers += pass->barriers != 0;
        CHECK(pass->barriers == 0 || pass->barriers == GL_SEGSORT_BARRIER_STORAGE,
              "%s: barriers 0x%x", pass->label, pass->barriers);
        CHECK(pass->barriers == 0 || !goes_on(i), "%s waits for itself", pass->label);
    }
    CHECK(with_barriers == (passes > 0 && level > 0), "set %u: %u passes of level %u begin it", set,
          with_barriers, level);
    return passes;
}

static void check_levels_of(uint32_t set)
{
    uint32_t count = level_count(set);
    for (uint32_t level = 0; level < count; level++)
        CHECK(check_level_of(set, level, false) + check_level_of(set, level, true) > 0,
              "set %u has nothing at level %u of %u", set, level, count);
}

/* What a pass on long segments reads and writes: a bit a place, and one for the work section. */
static unsigned bit_of(uint32_t place, bool in_place)
{
    return 1u << (in_place && place == SEGSORT_PLACE_INPUT ? SEGSORT_PLACE_OUTPUT : place);
}

static unsigned writes_of(const segsort_pass *pass, bool in_place)
{
    uint32_t bindings = segsort_variant_bindings(&pass->variant);
    unsigned writes = bindings & SEGSORT_USES(WORK) ? 1u << SEGSORT_PLACES : 0;
    return bindings & SEGSORT_USES(OUTPUT_KEYS)
               ? writes | bit_of(pass->params.destination, in_place)
               : writes;
}

static unsigned reads_of(const segsort_pass *pass, bool in_place)
{
    uint32_t bindings = segsort_variant_bindings(&pass->variant);
    return bindings & SEGSORT_USES(KEYS) ? bit_of(pass->params.source, in_place) : 0;
}

/* Which items of long segments a pass takes: of whichever, split ones come last. */
enum items { TILES, CHUNKS, SEGMENTS, FINISHES };

static enum items items_of(const segsort_pass *pass)
{
    segsort_kernel_id kernel = pass->variant.kernel;
    return kernel == SEGSORT_KERNEL_RADIX_CHUNK    ? CHUNKS
           : kernel == SEGSORT_KERNEL_RADIX_SPINE  ? SEGMENTS
           : kernel == SEGSORT_KERNEL_SPLIT_SAMPLE ? SEGMENTS
           : kernel == SEGSORT_KERNEL_SPLIT_SPINE  ? SEGMENTS
           : kernel == SEGSORT_KERNEL_SPLIT_FINISH ? FINISHES
                                                   : TILES;
}

/* A pass of split segments, and one of others of the same set, whichever levels they are of. */
static void check_apart(const segsort_pass *split, const segsort_pass *other)
{
    CHECK(items_of(split) != items_of(other) ||
              other->params.item_count <= split->params.first_group,
          "%s goes up to item %u, %s starts with %u", other->label, other->params.item_count,
          split->label, split->params.first_group);
}

/* Passes of a level that a call runs, of one set's long segments, can run side by side. In as many
 * dispatches as limits call for, a pass does not meet itself. Those of split segments have rows and
 * parts of the work section to themselves, as long as they have other items. */
static void check_independence(bool in_place)
{
    for (uint32_t i = 0; i < plan.pass_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const segsort_pass *a = &plan.passes[i], *b = &plan.passes[j];
            bool one_pass = strcmp(a->label, b->label) == 0 && a->condition == b->condition;
            if (a->set == b->set && is_split(a) != is_split(b) && !is_local(a) && !is_local(b))
                check_apart(is_split(a) ? a : b, is_split(a) ? b : a);
            if (a->set != b->set || a->level != b->level || is_local(a) || is_local(b) ||
                is_split(a) != is_split(b) || one_pass || !twin_pass_is_due(a, in_place) ||
                !twin_pass_is_due(b, in_place))
                continue;
            unsigned writes_a = writes_of(a, in_place), writes_b = writes_of(b, in_place);
            CHECK((writes_a & (writes_b | reads_of(b, in_place))) == 0 &&
                      (writes_b & reads_of(a, in_place)) == 0,
                  "%s and %s of set %u are both of level %u", a->label, b->label, a->set, a->level);
        }
}

/* Programs change as seldom as a level's kernels and widths allow. */
static void check_neighbours(const segsort_pass *passes, uint32_t count)
{
    for (uint32_t i = 2; i < count; i++)
        for (uint32_t j = 0; j + 1 < i && passes[i].level == passes[i - 1].level; j++)
            CHECK(passes[j].level != passes[i].level ||
                      !segsort_variant_equal(&passes[j].variant, &passes[i].variant) ||
                      segsort_variant_equal(&passes[i - 1].variant, &passes[i].variant),
                  "pass %u is like pass %u, but others are between them", i, j);
}

static void passes_are_ordered_by_level(void)
{
    for (int l = 0; l < LIKES; l += 5)
        for (size_t k = 0; k < COUNT_OF(batch_kinds); k++) {
            struct batch batch;
            uint32_t most = 0;
            const gl_segsort_plan_desc desc = like(l);
            reset_limits(l % 2 ? 65535 : 4);
            make_batch(&batch, &desc, &batch_kinds[k]);
            if (!build(&batch.desc))
                continue;
            for (uint32_t i = 1; i < plan.pass_count; i++)
                CHECK(plan.passes[i - 1].level <= plan.passes[i].level,
                      "level %u comes before level %u", plan.passes[i - 1].level,
                      plan.passes[i].level);
            for (uint32_t i = 0; i < plan.set_count; i++) {
                check_levels_of(i);
                most = level_count(i) > most ? level_count(i) : most;
            }
            CHECK(level_count(SEGSORT_NO_SET) == most, "%u levels, the sets have up to %u",
                  level_count(SEGSORT_NO_SET), most);
            check_independence(false);
            check_independence(true);
            check_neighbours(plan.passes, plan.pass_count);
            twin_plan_release(&plan);
        }
}

/* However many sets there are, and whatever the others have. */
static void sets_do_not_add_levels(void)
{
    static gl_segsort_segment segments[1000];
    uint32_t lengths[1000];
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        uint32_t levels = 0;
        for (uint32_t sets = 1; sets <= 1000; sets = sets == 1 ? 2 : sets * 500) {
            for (uint32_t i = 0; i < sets; i++)
                lengths[i] = i == 0 ? 20000 : 1 + i * 7 % 19999;
            generate_packed_segments(lengths, sets, 0, segments);
            reset_limits(65535);
            const gl_segsort_plan_desc desc = {.algorithm = (gl_segsort_algorithm)algorithm,
                                               .segments = segments,
                                               .segment_count = sets,
                                               .set_count = sets};
            if (!build(&desc))
                continue;
            CHECK(levels == 0 || level_count(SEGSORT_NO_SET) == levels,
                  "%u sets: %u levels, not %u", sets, level_count(SEGSORT_NO_SET), levels);
            levels = level_count(SEGSORT_NO_SET);
            twin_plan_release(&plan);
        }
        CHECK(levels > 4, "only %u levels", levels);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* The scratch, measured and built */

static uint64_t measure(const gl_segsort_plan_desc *desc)
{
    gl_segsort_allocator allocator = default_allocator();
    uint64_t bytes = 77;
    segsort_layout *layouts = make_layouts(desc);
    if (error.result == GL_SEGSORT_SUCCESS)
        segsort_plan_measure(desc, layouts, &limits, &allocator, &bytes, &error);
    CHECK(error.result == GL_SEGSORT_SUCCESS, "%s", error.text);
    free(layouts);
    return bytes;
}

/* What a set's segments longer than one work group sorts need: the network a word a row, the radix
 * sort their rows once more and 256 counts for each tile, each chunk of 64 tiles where a segment
 * has more than one, and each segment; and splitters, bunches and sums for each that AUTO splits,
 * which have no chunks. */
struct need {
    uint64_t row_bytes, total;
};

static struct need need_of(const gl_segsort_plan_desc *desc)
{
    const uint64_t key_bytes[KEY_TYPES] = {4, 4, 4, 8}, value_bytes[VALUE_TYPES] = {4, 0, 4, 8};
    uint64_t rows = 0, tiles = 0, chunks = 0, segments = 0, longest = 0, split_words = 0;
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        uint64_t length = desc->segments[i].length;
        if (length <= plan.local_rows_max)
            continue;
        rows += length;
        tiles += (length + 2047) / 2048;
        segments++;
        if (desc->algorithm == GL_SEGSORT_ALGORITHM_AUTO && length <= SPLIT_ROWS_MAX)
            split_words += split_work_words(length, key_bytes[desc->key_type] / 4);
        else
            chunks += ((length + 2047) / 2048 + 63) / 64;
        longest = length > longest ? length : longest;
    }
    struct need need = {.row_bytes =
                            rows * (key_bytes[desc->key_type] + value_bytes[desc->value_type])};
    if (desc->algorithm == GL_SEGSORT_ALGORITHM_BITONIC)
        need.total = 4 * rows;
    else if (desc->begin_bit != desc->end_bit || desc->end_bit == 0)
        need.total = need.row_bytes +
                     1024 * (tiles + segments + (longest > 64 * 2048 ? chunks : 0)) +
                     split_words * 4;
    return need;
}

static void check_scratch(const struct batch *batch)
{
    uint64_t total = 0, row_bytes = 0, end = 0;
    for (uint32_t i = 0; i < plan.set_count; i++) {
        const segsort_scratch *scratch = &plan.sets[i].scratch;
        const gl_segsort_plan_desc alone = set_alone(batch, i);
        struct need need = need_of(&alone);
        CHECK(segsort_scratch_bytes(scratch) == need.total, "set %u: %llu bytes, needed are %llu",
              i, (unsigned long long)segsort_scratch_bytes(scratch),
              (unsigned long long)need.total);
        total += need.total;
        row_bytes += need.row_bytes;
        if (need.total == 0)
            continue;
        CHECK(scratch->byte_offset >= end, "set %u starts in the one before", i);
        end = scratch->byte_offset + need.total;
    }
    CHECK(plan.scratch_bytes == total && end <= total, "%llu bytes, needed are %llu up to %llu",
          (unsigned long long)plan.scratch_bytes, (unsigned long long)total,
          (unsigned long long)end);
    CHECK(total > 0 || row_bytes == 0 || batch->desc.begin_bit == batch->desc.end_bit,
          "no scratch for long segments");
}

static void measured_as_built(void)
{
    for (int l = 0; l < LIKES; l++)
        for (size_t k = 0; k < COUNT_OF(batch_kinds); k++) {
            struct batch batch;
            const gl_segsort_plan_desc desc = like(l);
            reset_limits(65535);
            make_batch(&batch, &desc, &batch_kinds[k]);
            uint64_t bytes = measure(&batch.desc);
            if (!build(&batch.desc))
                continue;
            CHECK(bytes == plan.scratch_bytes && bytes % 4 == 0,
                  "batch %zu of type %d: measured %llu, built %llu", k, l,
                  (unsigned long long)bytes, (unsigned long long)plan.scratch_bytes);
            check_scratch(&batch);
            twin_plan_release(&plan);
        }
}

/* Where the local sorts end, for each of them: 4096 rows, or less of wide keys in the network. */
static void scratch_starts_behind_local_lengths(void)
{
    for (int l = 0; l < LIKES; l++) {
        gl_segsort_plan_desc desc = like(l);
        gl_segsort_segment segments[3] = {{0, 0, 0, 0, 1}, {9, 9, 9, 9, 100}};
        bool wide =
            desc.algorithm == GL_SEGSORT_ALGORITHM_BITONIC && desc.key_type == GL_SEGSORT_KEY_U64;
        bool copies = desc.algorithm != GL_SEGSORT_ALGORITHM_BITONIC && desc.end_bit > 0 &&
                      desc.begin_bit == desc.end_bit;
        uint32_t local = wide ? 2048 : 4096;
        desc.segments = segments;
        desc.segment_count = 3;
        for (uint32_t length = local - 1; length <= local + 1; length++) {
            segments[2] = (gl_segsort_segment){1000, 1000, 1000, 1000, length};
            reset_limits(65535);
            uint64_t bytes = measure(&desc);
            CHECK((bytes > 0) == (length > local && !copies), "type %d, %u rows: %llu bytes", l,
                  length, (unsigned long long)bytes);
        }
    }
}

/* By radix, a million rows of 8 bytes need little more than their own bytes. */
static void scratch_is_little_more_than_the_rows(void)
{
    gl_segsort_segment segments[3];
    const uint32_t lengths[] = {1u << 20, 40001, 1u << 19};
    generate_packed_segments(lengths, 3, 0, segments);
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i++) {
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % KEY_TYPES),
                                     .value_type = (gl_segsort_value_type)(i / KEY_TYPES),
                                     .segments = segments,
                                     .segment_count = 3,
                                     .set_count = 3};
        uint64_t row_bytes =
            4 * (segsort_key_words(desc.key_type) + (uint64_t)segsort_value_words(desc.value_type));
        uint64_t rows = (1u << 20) + 40001 + (1u << 19);
        reset_limits(65535);
        uint64_t bytes = measure(&desc);
        CHECK(bytes > rows * row_bytes, "%llu bytes", (unsigned long long)bytes);
        CHECK(row_bytes < 8 || bytes * 10 <= rows * row_bytes * 11, "%llu bytes for %llu",
              (unsigned long long)bytes, (unsigned long long)(rows * row_bytes));
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Errors */

static void expect_refused(const gl_segsort_plan_desc *desc, const char *words)
{
    CHECK(!try_build(desc) && error.result == GL_SEGSORT_ERROR_UNSUPPORTED &&
              strncmp(error.text, words, strlen(words)) == 0,
          "'%s' does not start '%s'", words, error.text);
    CHECK(!plan.table && !plan.passes && !plan.gather_passes && !plan.sets,
          "something is left allocated");
}

/* The table is one buffer for all sets. */
static void too_large_a_table(void)
{
    const gl_segsort_segment segments[9] = {{0, 0, 0, 0, 1}, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 1},
                                            {0, 0, 0, 0, 1}, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 1},
                                            {0, 0, 0, 0, 1}, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 1}};
    const uint32_t counts[] = {3, 3, 0, 3};
    const gl_segsort_plan_desc desc = {
        .segments = segments, .segment_count = 9, .set_count = 4, .set_segment_counts = counts};
    reset_limits(65535);
    limits.storage_bytes = 9 * 20 - 1;
    expect_refused(&desc, "set 3: the table of 9 segments takes 180 bytes");
    limits.storage_bytes = 6 * 20 - 1;
    expect_refused(&desc, "set 1: the table of 9 segments takes 120 bytes");
    limits.storage_bytes = 9 * 20;
    if (build(&desc))
        twin_plan_release(&plan);
}

/* Sections start anywhere in the scratch, and the scratch anywhere in the host's buffer: what is
 * bound starts at an aligned byte. */
static void too_large_a_section(void)
{
    const gl_segsort_segment segments[2] = {{0, 0, 0, 0, 5000}, {0, 0, 0, 0, 5001}};
    const uint64_t offsets[] = {0, 4, 144, 252, 256};
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        const gl_segsort_plan_desc desc = {.value_type = GL_SEGSORT_VALUE_NONE,
                                           .segments = segments,
                                           .segment_count = 2,
                                           .set_count = 2,
                                           .scratch = {1, offsets[i], UINT64_MAX}};
        gl_segsort_allocator allocator = default_allocator();
        reset_limits(65535);
        segsort_layout *layouts = make_layouts(&desc);
        /* The second set's keys lie behind the first one's, its 3 tiles' and own counts, and how it
         * is split. */
        uint64_t first = offsets[i] + 4 * 5000 + 4 * 1024 + 4 * split_work_words(5000, 1);
        limits.storage_bytes = 4 * 5001 + first % limits.storage_alignment - 1;
        gl_segsort_result result =
            segsort_plan_build(&desc, layouts, &limits, &allocator, &plan, &error);
        bool first_fits = 4 * 5000 + offsets[i] % limits.storage_alignment <= limits.storage_bytes;
        CHECK(result == GL_SEGSORT_ERROR_UNSUPPORTED &&
                  strstr(error.text, first_fits ? "set 1: the scratch of 5001 rows"
                                                : "set 0: the scratch of 5000 rows"),
              "offset %d: %s", (int)offsets[i], error.text);
        limits.storage_bytes = 4 * 5001 + limits.storage_alignment - 4;
        result = segsort_plan_build(&desc, layouts, &limits, &allocator, &plan, &error);
        CHECK(result == GL_SEGSORT_SUCCESS, "offset %d: %s", (int)offsets[i], error.text);
        twin_plan_release(&plan);
        free(layouts);
    }
}

/* What was measured of the sets before the one that fails is no size. */
static void measuring_may_fail(void)
{
    const gl_segsort_segment segments[2] = {{0, 0, 0, 0, 5000}, {0, 0, 0, 0, 50000}};
    const gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 2, .set_count = 2};
    gl_segsort_allocator allocator = default_allocator();
    uint64_t bytes = 77;
    reset_limits(65535);
    segsort_layout *layouts = make_layouts(&desc);
    limits.storage_bytes = 100000;
    CHECK(segsort_plan_measure(&desc, layouts, &limits, &allocator, &bytes, &error) ==
                  GL_SEGSORT_ERROR_UNSUPPORTED &&
              strncmp(error.text, "set 1: the scratch of 50000 rows", 32) == 0,
          "%s", error.text);
    CHECK(bytes == 0, "%llu bytes of a plan that can't be", (unsigned long long)bytes);
    free(layouts);
}

static size_t live, calls, fail_at;

static void *counting_allocate(size_t size, void *user)
{
    (void)user;
    if (++calls == fail_at || size == 0)
        return NULL;
    void *memory = malloc(size);
    memset(memory, 0xcd, size);
    live++;
    return memory;
}

static void counting_release(void *memory, void *user)
{
    (void)user;
    live--;
    free(memory);
}

/* Each allocation of building or measuring a batch fails in turn; nothing is left then. */
static void each_allocation_fails(void)
{
    const gl_segsort_allocator counting = {counting_allocate, counting_release, NULL};
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++)
        for (int only_measure = 0; only_measure < 2; only_measure++) {
            struct batch batch;
            const gl_segsort_plan_desc desc = {.algorithm = (gl_segsort_algorithm)algorithm};
            uint64_t bytes;
            reset_limits(65535);
            make_batch(&batch, &desc, &batch_kinds[7]);
            segsort_layout *layouts = make_layouts(&batch.desc);
            gl_segsort_result result = GL_SEGSORT_ERROR_OUT_OF_MEMORY;
            unsigned of_sets = 0;
            for (fail_at = 1; result != GL_SEGSORT_SUCCESS && fail_at < 200; fail_at++) {
                calls = live = 0;
                error = (segsort_error){0};
                result = only_measure ? segsort_plan_measure(&batch.desc, layouts, &limits,
                                                             &counting, &bytes, &error)
                                      : segsort_plan_build(&batch.desc, layouts, &limits, &counting,
                                                           &plan, &error);
                if (result == GL_SEGSORT_SUCCESS) {
                    CHECK(calls < fail_at, "allocation %zu fails, and nobody notices", fail_at);
                    break;
                }
                CHECK(result == GL_SEGSORT_ERROR_OUT_OF_MEMORY && live == 0 &&
                          strstr(error.text, "out of memory for"),
                      "allocation %zu: %zu are left, '%s'", fail_at, live, error.text);
                of_sets += strncmp(error.text, "set ", 4) == 0;
            }
            CHECK(fail_at > (only_measure ? 3u : 10u) && of_sets > 0, "%zu allocations, %u of sets",
                  fail_at - 1, of_sets);
            if (!only_measure)
                segsort_plan_release(&plan, &counting);
            CHECK(result == GL_SEGSORT_SUCCESS && live == 0, "%zu are left", live);
            free(layouts);
        }
}

CHECK_MAIN(CHECK_TEST(each_set_is_as_it_is_alone), CHECK_TEST(one_segment_a_set),
           CHECK_TEST(passes_are_ordered_by_level), CHECK_TEST(sets_do_not_add_levels),
           CHECK_TEST(measured_as_built), CHECK_TEST(scratch_starts_behind_local_lengths),
           CHECK_TEST(scratch_is_little_more_than_the_rows), CHECK_TEST(too_large_a_table),
           CHECK_TEST(too_large_a_section), CHECK_TEST(measuring_may_fail),
           CHECK_TEST(each_allocation_fails))
