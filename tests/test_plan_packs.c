/* Layer 1: packs: which segments are in which, and what the table and the parameters say of them.
 * Pure C, no GL. */
#include "plan_setup.h"

#define ROWS_MAX 300000u
#define SEGMENTS_MAX 6000u

static gl_segsort_segment segments[SEGMENTS_MAX];
static uint32_t lengths[SEGMENTS_MAX];

/* ---------------------------------------------------------------------------------------------- */
/* Whether each segment is where it has to be, once */

/* The set that is looked at: its segments, and by keys_offset - base which of them has rows there. */
static struct {
    const gl_segsort_plan_desc *desc;
    uint32_t set, base;
    uint32_t at_row[ROWS_MAX]; /* one more than its number, 0: none */
    uint32_t seen[SEGMENTS_MAX];
} look;

static const uint32_t *stream_offsets(const gl_segsort_segment *segment)
{
    return &segment->keys_offset;
}

/* desc has the set's segments alone. */
static void look_at(const gl_segsort_plan_desc *desc, uint32_t set)
{
    memset(&look, 0, sizeof look);
    look.desc = desc;
    look.set = set;
    look.base = UINT32_MAX;
    for (uint32_t i = 0; i < desc->segment_count; i++)
        if (desc->segments[i].length > 0 && desc->segments[i].keys_offset < look.base)
            look.base = desc->segments[i].keys_offset;
    for (uint32_t i = 0; i < desc->segment_count; i++)
        if (desc->segments[i].length > 0)
            look.at_row[desc->segments[i].keys_offset - look.base] = i + 1;
}

/* So many rows from there on in each stream have to be a segment. */
static void see(const segsort_pass *pass, const uint32_t *offsets, uint32_t row, uint32_t length)
{
    uint32_t at = offsets[0] + row - look.base;
    uint32_t number = at < ROWS_MAX ? look.at_row[at] : 0;
    if (!CHECK(number > 0, "%s: no segment has its keys at %u", pass->label, offsets[0] + row))
        return;
    const gl_segsort_segment *segment = &look.desc->segments[number - 1];
    CHECK(segment->length == length, "%s: %u rows of a segment of %u", pass->label, length,
          segment->length);
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        CHECK(plan.sets[look.set].layout.row_bytes[i] == 0 ||
                  stream_offsets(segment)[i] == offsets[i] + row,
              "%s: stream %d of segment %u at %u instead of %u", pass->label, i, number - 1,
              offsets[i] + row, stream_offsets(segment)[i]);
    look.seen[number - 1]++;
}

/* The bits behind the rows are 0, and each word of start bits has one of its own. */
static void check_start_words(const segsort_pass *pass, const uint32_t *record)
{
    const uint32_t *starts = record + SEGSORT_PACK_HEAD_WORDS;
    uint32_t words = pass->width / 32, groups = (words + 31) / 32;
    CHECK((starts[0] & 1) == 1, "%s: row 0 starts nothing", pass->label);
    for (uint32_t row = record[4]; row < pass->width; row++)
        CHECK((starts[row / 32] >> row % 32 & 1) == 0, "%s: row %u of %u starts a segment",
              pass->label, row, record[4]);
    for (uint32_t word = 0; word < 32 * groups; word++)
        CHECK((starts[words + word / 32] >> word % 32 & 1) == (word < words && starts[word] != 0),
              "%s: the bit of word %u", pass->label, word);
}

static void see_pack(const segsort_pass *pass, const uint32_t *record)
{
    const uint32_t *starts = record + SEGSORT_PACK_HEAD_WORDS;
    uint32_t rows = record[4];
    if (!CHECK(rows > 0 && rows <= pass->width, "%s: a pack of %u rows", pass->label, rows))
        return;
    check_start_words(pass, record);
    for (uint32_t first = 0, row = 1; row <= rows; row++)
        if (row == rows || starts[row / 32] >> row % 32 & 1) {
            uint32_t length = row - first;
            CHECK(pass->width == 256 || length > pass->width / 2, "%s: a segment of %u rows",
                  pass->label, length);
            see(pass, record, first, length);
            first = row;
        }
}

static void see_equal(const segsort_pass *pass)
{
    const struct segsort_pass_params *params = &pass->params;
    const uint32_t offsets[] = {params->equal_keys, params->equal_values, params->equal_output_keys,
                                params->equal_output_values};
    uint32_t rows = params->slot_rows;
    for (uint32_t row = 0; row < params->equal_rows; row += rows)
        see(pass, offsets, row, rows);
    uint32_t count = params->equal_rows / rows, packs = (count - 1) / params->slot_count + 1;
    CHECK(params->item_count == packs, "%s: %u packs of %u segments for %u", pass->label,
          params->item_count, params->slot_count, count);
    CHECK(params->slot_count * rows <= segsort_variant_tile_rows(&pass->variant),
          "%s: %u segments a pack", pass->label, params->slot_count);
}

static void see_class(const segsort_pass *pass)
{
    for (uint32_t i = 0; i < pass->params.item_count; i++) {
        const uint32_t *segment =
            plan.table + pass->params.segment_word + (size_t)i * SEGSORT_SEGMENT_WORDS;
        CHECK(segment[4] <= pass->width, "%s: %u rows", pass->label, segment[4]);
        see(pass, segment, 0, segment[4]);
    }
}

static uint64_t seen_rows(void)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < look.desc->segment_count; i++)
        rows += (uint64_t)look.seen[i] * look.desc->segments[i].length;
    return rows;
}

static void see_pass(const segsort_pass *pass)
{
    uint64_t before = seen_rows();
    if (segsort_kernel_takes_equal(pass->variant.kernel))
        see_equal(pass);
    else if (!segsort_kernel_takes_packs(pass->variant.kernel))
        see_class(pass);
    for (uint32_t i = 0; pass->variant.kernel == SEGSORT_KERNEL_BUCKET_LOCAL; i++) {
        if (i == pass->params.item_count)
            break;
        see_pack(pass, plan.table + pass->params.segment_word +
                           (size_t)i * SEGSORT_PACK_WORDS(pass->width));
    }
    CHECK(seen_rows() - before == pass->row_count, "%s: %llu rows", pass->label,
          (unsigned long long)pass->row_count);
    CHECK(pass->level == 0 && pass->barriers == 0, "%s waits", pass->label);
}

/* All local segments are sorted once, and each one has its place in its class besides, for gathers.
 * */
static void check_set(const gl_segsort_plan_desc *desc, uint32_t set)
{
    look_at(desc, set);
    for (uint32_t p = 0; p < plan.pass_count; p++)
        if (plan.passes[p].set == set && plan.passes[p].params.first_group == 0 &&
            (segsort_kernel_takes_packs(plan.passes[p].variant.kernel) ||
             plan.passes[p].variant.kernel == SEGSORT_KERNEL_BUCKET_SLOTS ||
             strstr(plan.passes[p].label, "-local-")))
            see_pass(&plan.passes[p]);
    for (uint32_t i = 0; i < desc->segment_count; i++) {
        uint32_t length = desc->segments[i].length;
        CHECK(look.seen[i] == (length > 0 && length <= plan.local_rows_max),
              "segment %u of %u rows is sorted %u times", i, length, look.seen[i]);
    }
    memset(look.seen, 0, sizeof look.seen);
    for (uint32_t p = 0; p < plan.gather_pass_count; p++)
        if (plan.gather_passes[p].set == set && plan.gather_passes[p].params.slot_count > 0 &&
            plan.gather_passes[p].params.first_group == 0)
            see_class(&plan.gather_passes[p]);
    for (uint32_t i = 0; i < desc->segment_count; i++)
        CHECK(look.seen[i] == 1 || desc->segments[i].length == 0 ||
                  desc->segments[i].length > plan.local_rows_max,
              "segment %u is in %u places of classes", i, look.seen[i]);
}

/* ---------------------------------------------------------------------------------------------- */
/* What they sort, by the kernels' twins */

static void check_sorted(const gl_segsort_plan_desc *desc, enum twin_in_place in_place)
{
    struct twin_memory memory, expected;
    char what[128] = "";
    twin_memory_make(&memory, &plan, desc, in_place, desc->segment_count);
    twin_memory_make(&expected, &plan, desc, in_place, desc->segment_count);
    twin_memory_expect(&expected, desc);
    struct twin twin = twin_memory_twin(&memory);
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if (twin_pass_is_due(&plan.passes[i], memory.in_place))
            twin_run_pass(&twin, &plan.passes[i]);
    CHECK(twin_memory_equal(&memory, &expected, what, sizeof what), "%s", what);
    twin_memory_release(&memory);
    twin_memory_release(&expected);
}

static bool build_packed(gl_segsort_plan_desc *desc, size_t count, uint32_t gap)
{
    generate_packed_segments(lengths, count, gap, segments);
    desc->label = "plan";
    desc->segments = segments;
    desc->segment_count = (uint32_t)count;
    return build(desc);
}

static const segsort_pass *find_pass(segsort_kernel_id kernel, uint32_t width)
{
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if (plan.passes[i].variant.kernel == kernel && plan.passes[i].variant.width == width)
            return &plan.passes[i];
    return NULL;
}

static uint32_t pack_count(uint32_t width)
{
    const segsort_pass *pass = find_pass(SEGSORT_KERNEL_BUCKET_LOCAL, width);
    return pass ? pass->params.item_count : 0;
}

/* ---------------------------------------------------------------------------------------------- */
/* Packs of segments that differ */

/* Lengths up to several powers of two, with empty ones, breaks in one stream now and then, and in
 * any order. */
static void every_segment_once(void)
{
    uint64_t state = 5;
    for (int i = 0; i < 96; i++) {
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % 4),
                                     .value_type = (gl_segsort_value_type)(i / 4 % 4),
                                     .end_bit = i % 3 ? 0 : 17};
        uint32_t longest = 1u << (i % 14), count = 1 + generate_below(&state, 600 >> i % 14 / 3);
        for (uint32_t s = 0; s < count; s++)
            lengths[s] = generate_below(&state, longest + 1) >> generate_below(&state, 6);
        generate_packed_segments(lengths, count, 0, segments);
        for (uint32_t s = 1, stream = 0; s < count; s++) {
            stream = generate_below(&state, 50);
            uint32_t *offsets = &segments[s].keys_offset;
            for (uint32_t later = s; stream < 4 && later < count; later++)
                (&segments[later].keys_offset)[stream] += 1;
            CHECK(offsets[0] < ROWS_MAX, "too many rows");
        }
        if (i % 5 == 0)
            generate_shuffled_segments(segments, count, (uint64_t)i);
        reset_limits(i % 2 ? 65535 : 3);
        limits.shared_bytes = i % 7 ? 32768 : 65536;
        desc.segments = segments;
        desc.segment_count = count;
        if (!build(&desc))
            continue;
        check_set(&desc, 0);
        if (i % 2)
            check_sorted(&desc, TWIN_NEITHER);
        twin_plan_release(&plan);
    }
}

static void words_of_a_record(void)
{
    const gl_segsort_segment list[] = {{100, 20, 3000, 0, 3},    {5, 5, 5, 5, 0},
                                       {103, 23, 3003, 3, 62},   {165, 85, 3065, 65, 1},
                                       {166, 86, 3066, 66, 190}, {356, 276, 3256, 256, 2}};
    const uint32_t words[] = {100,  20,
                              3000, 0,
                              256,  1 | 1u << 3,
                              0,    1u << 1 | 1u << 2,
                              0,    0,
                              0,    0,
                              0,    5, /* and the other pack */
                              356,  276,
                              3256, 256,
                              2,    1,
                              0,    0,
                              0,    0,
                              0,    0,
                              0,    1};
    gl_segsort_plan_desc desc = {.segments = list, .segment_count = COUNT_OF(list)};
    reset_limits(65535);
    if (!build(&desc))
        return;
    const segsort_pass *pass = &plan.passes[0];
    CHECK(plan.pass_count == 1 && pass->variant.kernel == SEGSORT_KERNEL_BUCKET_LOCAL &&
              pass->variant.width == 256 && pass->params.item_count == 2 &&
              pass->params.slot_rows == 0,
          "%u passes, %u packs", plan.pass_count, pass->params.item_count);
    CHECK(pass->segment_count == 5 && pass->row_count == 258, "%u segments", pass->segment_count);
    CHECK(plan.table_words == pass->params.segment_word + COUNT_OF(words), "the table ends at %llu",
          (unsigned long long)plan.table_words);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        CHECK(plan.table[pass->params.segment_word + i] == words[i], "word %zu is 0x%x", i,
              plan.table[pass->params.segment_word + i]);
    twin_plan_release(&plan);
}

/* Only a gap in a stream that is used ends a pack. */
static void gaps_end_packs(void)
{
    for (int value = 0; value < VALUE_TYPES; value++)
        for (int stream = 0; stream < SEGSORT_STREAM_COUNT; stream++)
            for (int32_t by = -30; by <= 1; by += 31) {
                gl_segsort_segment list[] = {{90, 90, 90, 90, 10}, {100, 100, 100, 100, 20}};
                /* Behind or before where it should be, and in outputs not on the other. */
                uint32_t *offset = (uint32_t *)&list[1] + stream;
                *offset = (uint32_t)((int32_t)*offset + by);
                gl_segsort_plan_desc desc = {.segments = list,
                                             .segment_count = 2,
                                             .value_type = (gl_segsort_value_type)value};
                reset_limits(65535);
                if (!build(&desc))
                    continue;
                bool used = plan.sets[0].layout.row_bytes[stream] > 0;
                CHECK(pack_count(256) == (used ? 2 : 1), "stream %d, value type %d: %u packs",
                      stream, value, pack_count(256));
                twin_plan_release(&plan);
            }
}

static void empty_segments_end_no_packs(void)
{
    const gl_segsort_segment list[] = {
        {9, 8, 7, 6, 0},     {0, 0, 0, 0, 40},    {0, 0, 0, 0, 0}, {UINT32_MAX, 1, 2, 3, 0},
        {40, 40, 40, 40, 2}, {42, 42, 42, 42, 7}, {1, 1, 1, 1, 0}};
    gl_segsort_plan_desc desc = {.segments = list, .segment_count = COUNT_OF(list)};
    reset_limits(65535);
    if (!build(&desc))
        return;
    CHECK(plan.pass_count == 1 && pack_count(256) == 1 && plan.passes[0].segment_count == 3,
          "%u packs", pack_count(256));
    twin_plan_release(&plan);
    desc.segment_count = 1;
    if (!build(&desc))
        return;
    CHECK(plan.pass_count == 0 && plan.table_words == 0, "passes for nothing");
    twin_plan_release(&plan);
}

/* Offsets that no 32-bit sum reaches: behind the last row there is none. */
static void offsets_at_the_end(void)
{
    for (uint32_t equal = 0; equal < 2; equal++) {
        uint32_t first = UINT32_MAX - 299, rest = equal ? 100 : 99;
        const gl_segsort_segment list[] = {
            {first, first, first, first, 100},
            {first + 100, first + 100, first + 100, first + 100, 100},
            {first + 200, first + 200, first + 200, first + 200, rest}};
        gl_segsort_plan_desc desc = {.segments = list, .segment_count = 3};
        reset_limits(65535);
        if (!build(&desc))
            continue;
        const segsort_pass *pass = &plan.passes[0];
        CHECK(plan.pass_count == 1 && pass->params.item_count == 2, "%u passes", plan.pass_count);
        if (equal)
            CHECK(pass->params.equal_keys == first && pass->params.equal_rows == 300 &&
                      pass->params.equal_output_values == first,
                  "from row %u", pass->params.equal_keys);
        else
            CHECK(plan.table[pass->params.segment_word] == first, "from row %u",
                  plan.table[pass->params.segment_word]);
        check_set(&desc, 0);
        twin_plan_release(&plan);
    }
}

/* Each length goes into the narrowest pack that has room for it, as far as shared memory goes: the
 * sizes at which a width fits are those of docs/kernels/bucket-local.md. */
static void widths_by_length(void)
{
    const struct {
        uint32_t bytes, widest, widest_u64;
    } cases[] = {{23207, 1024, 1024}, {23208, 2048, 1024}, {31415, 2048, 1024},
                 {31416, 2048, 2048}, {32768, 2048, 2048}, {46255, 2048, 2048},
                 {46256, 4096, 2048}, {49152, 4096, 2048}, {62656, 4096, 4096}};
    for (size_t b = 0; b < COUNT_OF(cases); b++)
        for (int key = 0; key < KEY_TYPES; key++) {
            const uint32_t edges[] = {1, 9, 256, 257, 512, 513, 1024, 1025, 2048, 2049, 4096, 4097};
            const uint32_t least[] = {256, 512, 1024, 2048, 4096};
            gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)key};
            uint32_t widest = key == GL_SEGSORT_KEY_U64 ? cases[b].widest_u64 : cases[b].widest;
            memcpy(lengths, edges, sizeof edges);
            reset_limits(65535);
            limits.shared_bytes = cases[b].bytes;
            if (!build_packed(&desc, COUNT_OF(edges), 0))
                continue;
            check_set(&desc, 0);
            for (size_t i = 0; i < COUNT_OF(least); i++) {
                const segsort_pass *pass = find_pass(SEGSORT_KERNEL_BUCKET_LOCAL, least[i]);
                CHECK((pass != NULL) == (least[i] <= widest), "key type %d: width %u", key,
                      least[i]);
                CHECK(!pass || pass->segment_count == (i == 0 ? 3u : 2u), "%u of width %u",
                      pass ? pass->segment_count : 0, least[i]);
            }
            twin_plan_release(&plan);
        }
}

/* ---------------------------------------------------------------------------------------------- */
/* Where packs don't pay */

/* Scattered segments of few rows leave packs empty: as long as a card runs all of them at a time,
 * that is no matter, and where they fill three fifths neither. */
static void scattered_segments(void)
{
    const struct {
        uint32_t count, length;
        bool packed;
    } cases[] = {{2, 1, true},      {128, 2, true},    {129, 2, false},   {129, 153, false},
                 {129, 154, true},  {5000, 16, false}, {1500, 160, true}, {128, 257, true},
                 {129, 257, false}, {129, 307, false}, {129, 308, true}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        gl_segsort_plan_desc desc = {.value_type = GL_SEGSORT_VALUE_NONE};
        for (uint32_t s = 0; s < cases[i].count; s++)
            lengths[s] = cases[i].length;
        reset_limits(65535);
        if (!build_packed(&desc, cases[i].count, 1))
            continue;
        uint32_t width = cases[i].length > 256 ? 512 : 256;
        CHECK(plan.pass_count == 1 && pack_count(width) == (cases[i].packed ? cases[i].count : 0),
              "%u of %u rows: %u packs", cases[i].count, cases[i].length, pack_count(width));
        CHECK(cases[i].packed || plan.passes[0].variant.kernel ==
                                     (cases[i].length <= 8 ? SEGSORT_KERNEL_BITONIC_LOCAL
                                                           : SEGSORT_KERNEL_BUCKET_SLOTS),
              "%s", plan.passes[0].label);
        check_set(&desc, 0);
        twin_plan_release(&plan);
    }
}

/* Each width for itself: the short ones by the network or in slots, the others in packs; and in the classes'
 * tables the packed ones are the last. */
static void some_widths_pay(void)
{
    gl_segsort_plan_desc desc = {0};
    for (uint32_t s = 0; s < 2400; s++)
        lengths[s] = s % 12 == 5 ? 400 : 1 + s % 12;
    reset_limits(65535);
    if (!build_packed(&desc, 2400, 1))
        return;
    CHECK(pack_count(512) == 200 && pack_count(256) == 0, "%u and %u packs", pack_count(512),
          pack_count(256));
    CHECK(find_pass(SEGSORT_KERNEL_BUCKET_SLOTS, 16) && find_pass(SEGSORT_KERNEL_BITONIC_LOCAL, 2),
          "no network, or no slots");
    check_set(&desc, 0);
    check_sorted(&desc, TWIN_BOTH);
    twin_plan_release(&plan);
}

/* What the packs are not for. */
static void plans_without_packs(void)
{
    const gl_segsort_plan_desc likes[] = {
        {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC},
        {.algorithm = GL_SEGSORT_ALGORITHM_RADIX},
        {.step_limit = 1},
        {.step_limit = 1000000},
        {.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS, .max_segments = 10, .max_rows = 1000},
        {0}};
    for (size_t i = 0; i < COUNT_OF(likes); i++) {
        gl_segsort_plan_desc desc = likes[i];
        for (uint32_t s = 0; s < 20; s++)
            lengths[s] = 5;
        reset_limits(65535);
        limits.shared_bytes = i == COUNT_OF(likes) - 1 ? 4096 : 32768; /* too little for any */
        if (desc.segment_source ? !build(&desc) : !build_packed(&desc, 20, 0))
            continue;
        for (uint32_t p = 0; p < plan.pass_count; p++)
            CHECK(!segsort_kernel_takes_packs(plan.passes[p].variant.kernel), "plan %zu: %s", i,
                  plan.passes[p].label);
        CHECK(plan.pass_count > 0, "plan %zu: no passes", i);
        twin_plan_release(&plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Equal segments */

/* The narrowest that is filled to nine tenths or of which there are few, or the one that is filled
 * best. */
static uint32_t expected_width(uint32_t length, uint32_t count, uint32_t widest, uint32_t few)
{
    uint32_t best = 0;
    double best_fill = 0;
    for (uint32_t width = 256; width <= widest; width *= 2) {
        uint32_t rows = width / length * length;
        bool is_few = few > 0 && rows > 0 && count <= few * (rows / length);
        if (rows * 10 >= width * 9 || is_few)
            return width;
        if ((double)rows / width > best_fill) {
            best = width;
            best_fill = (double)rows / width;
        }
    }
    return best;
}

static void check_equal_pass(const segsort_pass *pass, uint32_t length, uint32_t count,
                             uint32_t widest, uint32_t few)
{
    const struct segsort_pass_params *params = &pass->params;
    bool quads =
        length >= 12 && length % 4 == 0 && length <= 32 && plan.key_type != GL_SEGSORT_KEY_U64;
    segsort_kernel_id kernel = length <= 8 ? SEGSORT_KERNEL_RANK_LOCAL
                               : quads     ? SEGSORT_KERNEL_RANK_QUADS
                                           : SEGSORT_KERNEL_BUCKET_EQUAL;
    uint32_t width = length <= 8 || quads ? length : expected_width(length, count, widest, few);
    uint32_t threads = segsort_variant_threads(&pass->variant);
    uint32_t room = length <= 8 ? threads * (8 / length)
                    : quads     ? (length <= 16 ? 4 : 8) * threads / length
                                : width / length;
    CHECK(pass->variant.kernel == kernel && pass->variant.width == width,
          "%u rows: %s, not width %u", length, pass->label, width);
    CHECK(params->slot_rows == length && params->slot_count == room && pass->slots == room &&
              params->equal_rows == length * count,
          "%u rows: %u a pack instead of %u", length, params->slot_count, room);
    /* What the kernel divides by. */
    for (uint32_t row = 0; length > 1 && row < 4096; row++)
        CHECK((uint64_t)row * params->slot_inverse >> 32 == row / length, "row %u of %u", row,
              length);
    CHECK(plan.table_words == (uint64_t)count * SEGSORT_SEGMENT_WORDS, "%llu words of table",
          (unsigned long long)plan.table_words);
}

static void equal_lengths(void)
{
    const uint32_t few[] = {0, 1, 30, 128};
    segsort_tuning tuning = *segsort_tuning_default();
    for (uint32_t length = 1; length <= 4096; length += length < 300 ? 1 : 37)
        for (int key = 0; key < KEY_TYPES; key += 3)
            for (uint32_t i = 0; i < 2 * COUNT_OF(few); i++) {
                gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)key};
                uint32_t count = i % 2 ? 50 : 1;
                for (uint32_t s = 0; s < count; s++)
                    lengths[s] = length;
                uint32_t widest = key == GL_SEGSORT_KEY_U64 ? 1024 : 2048;
                tuning.packs_few = few[i / 2];
                reset_limits(65535);
                limits.tuning = &tuning;
                limits.shared_bytes = 31287; /* a byte too few for 2048 wide keys */
                if (!build_packed(&desc, count, 0))
                    continue;
                CHECK(plan.pass_count == 1, "%u rows: %u passes", length, plan.pass_count);
                if (length <= widest)
                    check_equal_pass(&plan.passes[0], length, count, widest, tuning.packs_few);
                if (count * length <= ROWS_MAX)
                    check_set(&desc, 0);
                twin_plan_release(&plan);
            }
}

/* With first rows of each stream's own, in place and by some bits. */
static void equal_segments_sort(void)
{
    const uint32_t some[] = {1, 2, 3, 7, 8, 9, 12, 16, 28, 32, 33, 100, 600};
    for (size_t i = 0; i < COUNT_OF(some) * 4; i++) {
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)(i % 4),
                                     .value_type = (gl_segsort_value_type)(i / 4 % 4),
                                     .end_bit = i % 3 ? 0 : 11};
        uint32_t length = some[i / 4], count = 5 + (uint32_t)i * 7;
        for (uint32_t s = 0; s < count; s++) {
            uint32_t row = s * length;
            segments[s] = (gl_segsort_segment){row + 3, row + 9, row + 1, row, length};
        }
        desc.segments = segments;
        desc.segment_count = count;
        reset_limits(i % 2 ? 2 : 65535);
        if (!build(&desc))
            continue;
        CHECK(segsort_kernel_takes_equal(plan.passes[0].variant.kernel), "%s",
              plan.passes[0].label);
        check_set(&desc, 0);
        check_sorted(&desc, TWIN_NEITHER);
        twin_plan_release(&plan);
    }
}

/* One row more or less, a gap in one stream or another order, at either end, and they are packs of
 * segments that differ. */
static void nearly_equal_segments(void)
{
    for (int i = 0; i < 6; i++) {
        gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 40};
        for (uint32_t s = 0; s < 40; s++)
            lengths[s] = 6;
        lengths[39] = i == 0 ? 5 : i == 1 ? 7 : 6;
        lengths[0] = i == 2 ? 0 : 6;
        reset_limits(65535);
        generate_packed_segments(lengths, 40, 0, segments);
        segments[39].output_values_offset += i == 3;
        if (i == 4) {
            gl_segsort_segment first = segments[0];
            segments[0] = segments[1];
            segments[1] = first;
        }
        if (!build(&desc))
            continue;
        CHECK((pack_count(256) > 0) == (i < 5), "case %d: %s", i, plan.passes[0].label);
        check_set(&desc, 0);
        twin_plan_release(&plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Batches */

/* Segments of two sets may have the same rows, or such that lie one behind the other: they are in
 * other buffers. */
static void sets_have_packs_of_their_own(void)
{
    const uint32_t counts[] = {30, 0, 50, 1},
                   kinds[] = {SEGSORT_KERNEL_RANK_LOCAL, 0, SEGSORT_KERNEL_BUCKET_LOCAL,
                              SEGSORT_KERNEL_RANK_QUADS};
    for (uint32_t s = 0; s < 81; s++)
        lengths[s] = s < 30 ? 4 : s < 80 ? 1 + s % 9 : 12;
    gl_segsort_plan_desc desc = {.set_count = 4, .set_segment_counts = counts};
    reset_limits(65535);
    if (!build_packed(&desc, 81, 0))
        return;
    CHECK(plan.pass_count == 3, "%u passes", plan.pass_count);
    for (uint32_t p = 0; p < plan.pass_count; p++)
        CHECK(plan.passes[p].variant.kernel == kinds[plan.passes[p].set], "set %u: %s",
              plan.passes[p].set, plan.passes[p].label);
    for (uint32_t set = 0; set < 4; set++) {
        const gl_segsort_plan_desc alone = twin_set_desc(&desc, set);
        check_set(&alone, set);
    }
    twin_plan_release(&plan);
}

CHECK_MAIN(CHECK_TEST(every_segment_once), CHECK_TEST(words_of_a_record),
           CHECK_TEST(gaps_end_packs), CHECK_TEST(empty_segments_end_no_packs),
           CHECK_TEST(offsets_at_the_end), CHECK_TEST(widths_by_length),
           CHECK_TEST(scattered_segments), CHECK_TEST(some_widths_pay),
           CHECK_TEST(plans_without_packs), CHECK_TEST(equal_lengths),
           CHECK_TEST(equal_segments_sort), CHECK_TEST(nearly_equal_segments),
           CHECK_TEST(sets_have_packs_of_their_own))
