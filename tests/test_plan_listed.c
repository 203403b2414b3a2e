/* Layer 1: plans whose segments only the GPU knows: room for the most there can be, which passes
 * they have, and the recipes that the GPU counts work groups by. Pure C, no GL. */
#include "plan_setup.h"

#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define LIST_BARRIERS                                                                              \
    (STORAGE | GL_SEGSORT_BARRIER_UNIFORM_BUFFER | GL_SEGSORT_BARRIER_INDIRECT_COMMAND)

static const struct most {
    uint32_t segments, rows, length;
} mosts[] = {{1, 1, 0},
             {1, 2, 0},
             {7, 7, 3},
             {5000, 300000, 0},
             {5000, 300000, 4096},
             {5000, 300000, 4097},
             {5000, 300000, 100},
             {5000, 4096, 0},
             {5000, 4097, 0},
             {3, 1000000, 0},
             {100000, 100, 0},
             {100000, 1000000, 2},
             {100000, 1000000, 1},
             {2048, 500000, CHUNK_ROWS},
             {2049, 500000, CHUNK_ROWS + 1},
             {4096, 5000, 513},
             {4097, 5000, 512}};

static gl_segsort_plan_desc listed_desc(const struct most *most, int algorithm)
{
    return (gl_segsort_plan_desc){.label = "plan",
                                  .algorithm = (gl_segsort_algorithm)algorithm,
                                  .segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                  .max_segments = most->segments,
                                  .max_rows = most->rows,
                                  .max_length = most->length};
}

static uint32_t longest_of(const struct most *most)
{
    return most->length > 0 && most->length < most->rows ? most->length : most->rows;
}

/* Each maximum with each algorithm; the plan is there while check runs. */
static void for_each_plan(uint32_t work_groups,
                          void (*check)(const struct most *most, const gl_segsort_plan_desc *desc))
{
    reset_limits(work_groups);
    for (size_t i = 0; i < COUNT_OF(mosts); i++)
        for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
            const gl_segsort_plan_desc desc = listed_desc(&mosts[i], algorithm);
            if (build(&desc))
                check(&mosts[i], &desc);
            twin_plan_release(&plan);
        }
}

static const char *kernel_name(const segsort_pass *pass)
{
    return segsort_kernel_get(pass->variant.kernel)->name;
}

static bool lists(const segsort_pass *pass)
{
    return strncmp(kernel_name(pass), "list-", 5) == 0;
}

static bool is_local(const segsort_pass *pass)
{
    return strstr(kernel_name(pass), "-local") != NULL ||
           strcmp(kernel_name(pass), "bucket-slots") == 0;
}

static const segsort_pass *find_pass(const char *kernel)
{
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if (strcmp(kernel_name(&plan.passes[i]), kernel) == 0)
            return &plan.passes[i];
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- */
/* Classes */

/* The widths that an algorithm has local kernels for, from docs/kernels.md: with 32 KiB and keys of
 * 32 bits the network has all of them. */
static size_t widths_of(int algorithm, uint32_t widths[16])
{
    size_t count = 0;
    uint32_t first = algorithm == GL_SEGSORT_ALGORITHM_RADIX ? 512 : 2;
    for (uint32_t width = first; width <= 4096; width *= 2)
        widths[count++] = width;
    return count;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* A pass for each width whose least segment there can be, with room for as many of those as fit. */
static void check_classes(const struct most *most, const gl_segsort_plan_desc *desc)
{
    uint32_t widths[16], least_length = 1, seen = 0;
    size_t count = widths_of((int)desc->algorithm, widths);
    for (size_t w = 0; w < count; w++, least_length = widths[w - 1] + 1) {
        const segsort_pass *found = NULL;
        uint32_t room =
            least_length <= longest_of(most) ? least(most->rows / least_length, most->segments) : 0;
        for (uint32_t i = 0; i < plan.pass_count; i++)
            if (is_local(&plan.passes[i]) && plan.passes[i].width == widths[w])
                found = &plan.passes[i];
        if (!CHECK((found != NULL) == (room > 0), "%u of %u: width %u", most->rows,
                   longest_of(most), widths[w]) ||
            !found)
            continue;
        bool network = strcmp(kernel_name(found), "bitonic-local") == 0;
        uint32_t slots = segsort_variant_tile_rows(&found->variant) / widths[w];
        uint32_t tile = network ? 512 : 256;
        CHECK(slots == (widths[w] < tile ? tile / widths[w] : 1), "%s has %u slots", found->label,
              slots);
        CHECK(found->segment_count == room && found->row_count == most->rows,
              "%s has room for %u segments, not %u", found->label, found->segment_count, room);
        CHECK(found->items == SEGSORT_ITEMS_SEGMENTS && found->item_class == w &&
                  found->slots == slots && found->groups_max == (room - 1) / slots + 1,
              "%s: class %u, %u slots, %u groups", found->label, found->item_class, found->slots,
              found->groups_max);
        seen++;
    }
    for (uint32_t i = 0; i < plan.pass_count; i++)
        seen -= is_local(&plan.passes[i]);
    CHECK(seen == 0, "a width twice, or one that there is not");
}

static void classes_have_room_for_the_most(void)
{
    for_each_plan(65535, check_classes);
}

/* Without segments of more rows than a work group sorts, there is nothing for them. */
static void check_long_passes(const struct most *most, const gl_segsort_plan_desc *desc)
{
    bool longs = longest_of(most) > plan.local_rows_max;
    bool chunks =
        longs && desc->algorithm != GL_SEGSORT_ALGORITHM_BITONIC && longest_of(most) > CHUNK_ROWS;
    CHECK(plan.local_rows_max == 4096, "%u", plan.local_rows_max);
    CHECK((find_pass("list-tiles") != NULL) == longs, "longest %u: list-tiles", longest_of(most));
    CHECK((find_pass("radix-chunk") != NULL) == chunks, "longest %u: chunks", longest_of(most));
    CHECK((plan.scratch_bytes > 0) == longs, "longest %u: scratch", longest_of(most));
    for (uint32_t i = 0; i < plan.pass_count && !longs; i++)
        CHECK(lists(&plan.passes[i]) || is_local(&plan.passes[i]), "%s", plan.passes[i].label);
    const segsort_pass *scatter = find_pass("list-scatter");
    CHECK((scatter->params.chunk_word != 0) == chunks, "the scatter's chunks");
    CHECK(plan.pass_count > (longest_of(most) > 1 ? 3 : 2) + (uint32_t)longs, "%u passes",
          plan.pass_count);
}

static void long_passes_only_when_needed(void)
{
    for_each_plan(65535, check_long_passes);
}

/* ---------------------------------------------------------------------------------------------- */
/* The table */

struct room {
    uint64_t groups, tiles, longs, chunks;
};

/* As the passes tell, who would work on more than there is. */
static struct room room_of(const struct most *most)
{
    struct room room = {.groups = (most->segments + 2047u) / 2048u};
    const segsort_pass *tiles = find_pass("list-tiles");
    for (uint32_t i = 0; i < plan.pass_count && tiles; i++) {
        const segsort_pass *pass = &plan.passes[i];
        room.longs = tiles->groups_max;
        if (pass->items == SEGSORT_ITEMS_TILES)
            room.tiles = pass->groups_max;
        if (pass->items == SEGSORT_ITEMS_CHUNKS)
            room.chunks = pass->groups_max;
    }
    return room;
}

/* One section behind the other, none of them larger than its entries. */
static void check_sections(const struct most *most, const gl_segsort_plan_desc *desc)
{
    (void)desc;
    struct room room = room_of(most);
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const struct segsort_pass_params *params = &plan.passes[i].params;
        uint64_t end = 16;
        if (lists(&plan.passes[i])) {
            CHECK(params->head_word == 0 && params->group_word == end, "%s: head %u, groups %u",
                  plan.passes[i].label, params->head_word, params->group_word);
            CHECK(params->recipe_word == plan.recipe_word, "%s: recipes", plan.passes[i].label);
        }
        end += 20 * room.groups;
        CHECK(params->segment_word == end, "%s: segments at %u, not %llu", plan.passes[i].label,
              params->segment_word, (unsigned long long)end);
        end += 5 * (uint64_t)most->segments;
        CHECK(params->tile_word == end, "%s: tiles at %u, not %llu", plan.passes[i].label,
              params->tile_word, (unsigned long long)end);
        end += 3 * room.tiles;
        CHECK(params->long_word == end, "%s: long at %u, not %llu", plan.passes[i].label,
              params->long_word, (unsigned long long)end);
        end += 3 * room.longs;
        CHECK(params->chunk_word == (room.chunks ? end : 0), "%s: chunks at %u, not %llu",
              plan.passes[i].label, params->chunk_word, (unsigned long long)end);
        end += 2 * room.chunks;
        end += plan.has_boxes ? 6 * (uint64_t)room.longs : 0;
        CHECK(plan.recipe_word == end && plan.table_words == end + 7ull * plan.recipe_count,
              "recipes at %llu, not %llu, of %llu words", (unsigned long long)plan.recipe_word,
              (unsigned long long)end, (unsigned long long)plan.table_words);
    }
}

static void sections_of_the_table(void)
{
    for_each_plan(65535, check_sections);
}

/* Lists that are made to have as many tiles or chunks as they can. */
static void check_hostile_lists(const struct most *most, const gl_segsort_plan_desc *desc)
{
    (void)desc;
    struct room room = room_of(most);
    const segsort_pass *listing = find_pass("list-tiles");
    if (!listing)
        return;
    uint64_t tile_rows = listing->params.tile_rows;
    const uint64_t lengths[] = {4097, 2 * tile_rows + 1, CHUNK_ROWS + 1, 3 * CHUNK_ROWS - 1,
                                9999, longest_of(most)};
    for (size_t first = 0; first < COUNT_OF(lengths); first++) {
        uint64_t rows = most->rows, tiles = 0, longs = 0, chunks = 0;
        for (size_t l = first; l < COUNT_OF(lengths); l++)
            while (lengths[l] <= rows && lengths[l] <= longest_of(most) && lengths[l] > 4096 &&
                   longs < most->segments) {
                uint64_t own = (lengths[l] + tile_rows - 1) / tile_rows;
                rows -= lengths[l];
                longs++;
                tiles += own;
                chunks += (own + 63) / 64;
            }
        CHECK(longs <= room.longs && tiles <= room.tiles, "%llu of %llu long, %llu of %llu tiles",
              (unsigned long long)longs, (unsigned long long)room.longs, (unsigned long long)tiles,
              (unsigned long long)room.tiles);
        CHECK(room.chunks == 0 || chunks <= room.chunks, "%llu of %llu chunks",
              (unsigned long long)chunks, (unsigned long long)room.chunks);
    }
    CHECK(room.longs == least(most->rows / 4097, most->segments), "%llu long",
          (unsigned long long)room.longs);
    CHECK(room.tiles <= most->rows / tile_rows + room.longs, "%llu tiles are too many",
          (unsigned long long)room.tiles);
    CHECK(room.chunks <= room.tiles / 64 + room.longs, "%llu chunks are too many",
          (unsigned long long)room.chunks);
}

static void hostile_lists_have_room(void)
{
    for_each_plan(65535, check_hostile_lists);
}

/* ---------------------------------------------------------------------------------------------- */
/* Passes */

static void check_order(const struct most *most, const gl_segsort_plan_desc *desc)
{
    static const char *const kernels[] = {"list-count", "list-layout", "list-scatter",
                                          "list-tiles"};
    static const uint32_t barriers[] = {0, STORAGE, STORAGE, LIST_BARRIERS};
    uint32_t listing = longest_of(most) > plan.local_rows_max ? 4 : 3;
    uint64_t groups = (most->segments + 2047u) / 2048u;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        bool indirect = i >= listing || i == 3;
        CHECK(lists(pass) == (i < listing), "pass %u is %s", i, pass->label);
        CHECK(pass->indirect == indirect, "%s", pass->label);
        if (i >= listing) {
            bool first = pass->level == plan.passes[listing].level;
            CHECK(pass->level > plan.passes[listing - 1].level, "%s waits for nothing",
                  pass->label);
            CHECK(pass->barriers == (first ? LIST_BARRIERS : pass->barriers & STORAGE),
                  "%s has barriers 0x%x", pass->label, pass->barriers);
            continue;
        }
        CHECK(strcmp(kernel_name(pass), kernels[i]) == 0 && pass->barriers == barriers[i] &&
                  pass->level == i,
              "pass %u is %s, level %u, barriers 0x%x", i, pass->label, pass->level,
              pass->barriers);
        uint64_t own = i == 1 ? 1 : i == 3 ? pass->groups_max : groups;
        CHECK(pass->work_groups[0] == own && pass->work_groups[1] == 1 && pass->work_groups[2] == 1,
              "%s has %u work groups", pass->label, pass->work_groups[0]);
        CHECK(pass->segment_count == most->segments && pass->row_count == most->rows &&
                  pass->width == 2048,
              "%s: %u segments", pass->label, pass->segment_count);
        CHECK(pass->params.rows_max == most->rows && pass->params.length_max == longest_of(most) &&
                  pass->params.list_source == (uint32_t)desc->segment_source &&
                  pass->params.list_stride == desc->segment_stride,
              "%s: what the list is held to", pass->label);
        uint32_t widths[16];
        size_t width_count = widths_of((int)desc->algorithm, widths);
        CHECK(pass->params.class_count == width_count + 1 &&
                  1u << pass->params.class_shift == widths[0] &&
                  pass->params.recipe_count == (i == 1 ? plan.recipe_count : 0),
              "%s: %u classes from 2^%u", pass->label, pass->params.class_count,
              pass->params.class_shift);
        CHECK(pass->params.source == (i == 1 ? SEGSORT_PLACE_COMMANDS : SEGSORT_PLACE_INPUT) &&
                  pass->params.destination ==
                      (i == 1 ? SEGSORT_PLACE_STATUS : SEGSORT_PLACE_OUTPUT),
              "%s: places", pass->label);
    }
}

static void list_passes_come_first(void)
{
    for_each_plan(65535, check_order);
}

/* Types go to the scatter, which finishes segments of one row; what it does is no order. */
static void variants_of_list_kernels(void)
{
    reset_limits(65535);
    for (int type = 0; type < KEY_TYPES * VALUE_TYPES; type++) {
        gl_segsort_plan_desc desc = listed_desc(&mosts[3], 0);
        desc.key_type = (gl_segsort_key_type)(type % KEY_TYPES);
        desc.value_type = (gl_segsort_value_type)(type / KEY_TYPES);
        desc.direction = GL_SEGSORT_DESCENDING;
        desc.end_bit = 7;
        if (!build(&desc))
            continue;
        for (uint32_t i = 0; i < plan.pass_count; i++) {
            const segsort_variant *variant = &plan.passes[i].variant;
            if (!lists(&plan.passes[i]))
                continue;
            bool typed = strcmp(kernel_name(&plan.passes[i]), "list-scatter") == 0;
            CHECK(variant->width == 2048 && variant->direction == GL_SEGSORT_ASCENDING &&
                      !variant->masked && variant->types.key == (typed ? desc.key_type : 0) &&
                      variant->types.value == (typed ? desc.value_type : 0),
                  "%s has more variants than it needs", plan.passes[i].label);
        }
        twin_plan_release(&plan);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Recipes */

static const uint32_t *check_list_recipes(const uint32_t *recipe, const segsort_pass *passes,
                                          uint32_t count, uint32_t first_place)
{
    for (uint32_t i = 0; i < count; i++) {
        const segsort_pass *pass = &passes[i];
        if (!pass->indirect)
            continue;
        CHECK(pass->params.item_count == 0, "%s has %u items before anybody counts", pass->label,
              pass->params.item_count);
        CHECK(recipe[0] == first_place + i && recipe[1] == pass->items &&
                  recipe[2] == pass->item_class && recipe[3] == pass->slots &&
                  recipe[4] == pass->params.first_group && recipe[5] == pass->groups_max &&
                  recipe[6] == pass->length_min,
              "%s: its recipe is %u %u %u %u %u %u %u", pass->label, recipe[0], recipe[1],
              recipe[2], recipe[3], recipe[4], recipe[5], recipe[6]);
        recipe += 7;
    }
    return recipe;
}

static void check_recipes(const struct most *most, const gl_segsort_plan_desc *desc)
{
    const uint32_t *end = check_list_recipes(plan.table, plan.passes, plan.pass_count, 0);
    end = check_list_recipes(end, plan.gather_passes, plan.gather_pass_count, plan.pass_count);
    end = check_list_recipes(end, plan.morton_passes, plan.morton_pass_count,
                             plan.pass_count + plan.gather_pass_count);
    CHECK((uint64_t)(end - plan.table) == 7ull * plan.recipe_count, "%td words of %u recipes",
          end - plan.table, plan.recipe_count);
    uint32_t widths[16];
    uint32_t long_class = (uint32_t)widths_of((int)desc->algorithm, widths);
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        if (!pass->indirect || is_local(pass))
            continue;
        bool spine = strcmp(kernel_name(pass), "radix-spine") == 0;
        bool chunk = strcmp(kernel_name(pass), "radix-chunk") == 0;
        uint32_t items = lists(pass) || spine ? SEGSORT_ITEMS_SEGMENTS
                         : chunk              ? SEGSORT_ITEMS_CHUNKS
                                              : SEGSORT_ITEMS_TILES;
        CHECK(pass->items == items && pass->item_class == long_class && pass->slots == 1,
              "%s: items %u of class %u", pass->label, pass->items, pass->item_class);
        /* A stage of the network has nothing to do for segments of half of it. */
        CHECK(pass->length_min == (pass->stage > 0 ? pass->stage / 2 + 1 : 0) ||
                  (pass->stage == 0 && pass->length_min <= 1),
              "%s runs from %u rows on", pass->label, pass->length_min);
    }
    uint32_t classes = longest_of(most) > plan.local_rows_max, gathers = 0;
    for (uint32_t i = 0; i < plan.pass_count; i++)
        classes += is_local(&plan.passes[i]) && plan.passes[i].params.first_group == 0;
    for (uint32_t i = 0; i < plan.gather_pass_count; i++) {
        gathers += plan.gather_passes[i].params.first_group == 0;
        CHECK(plan.gather_passes[i].indirect, "%s", plan.gather_passes[i].label);
    }
    CHECK(gathers == classes, "gathers of %u classes, not %u", gathers, classes);
}

static void recipes(void)
{
    for_each_plan(65535, check_recipes);
}

/* Where a dispatch has few work groups, the passes of a class follow each other without a gap. */
static void check_split(const struct most *most, const gl_segsort_plan_desc *desc)
{
    check_recipes(most, desc);
    uint64_t groups = 0;
    for (uint32_t i = 0; i < plan.pass_count; i++) {
        const segsort_pass *pass = &plan.passes[i];
        uint64_t own = (uint64_t)pass->work_groups[0] * pass->work_groups[1] * pass->work_groups[2];
        if (pass->params.first_group == 0)
            groups = 0;
        CHECK(pass->params.first_group == groups && pass->groups_max <= 27 && own <= 27 &&
                  own >= pass->groups_max,
              "%s: from %u on %u groups in %llu", pass->label, pass->params.first_group,
              pass->groups_max, (unsigned long long)own);
        groups += pass->groups_max;
        CHECK(!lists(pass) || (pass->params.groups_x == 3 && pass->params.groups_xy == 9),
              "%s: %u groups along x", pass->label, pass->params.groups_x);
    }
}

static void split_dispatches(void)
{
    for_each_plan(3, check_split);
}

static void limits_of_a_dispatch(void)
{
    reset_limits(65535);
    limits.work_groups[0] = UINT32_MAX;
    const gl_segsort_plan_desc desc = listed_desc(&mosts[3], 0);
    if (!build(&desc))
        return;
    CHECK(plan.passes[1].params.groups_x == UINT32_MAX &&
              plan.passes[1].params.groups_xy == UINT32_MAX,
          "%u, %u", plan.passes[1].params.groups_x, plan.passes[1].params.groups_xy);
    twin_plan_release(&plan);
}

/* ---------------------------------------------------------------------------------------------- */
/* Memory */

static void check_scratch(const struct most *most, const gl_segsort_plan_desc *desc)
{
    struct room room = room_of(most);
    uint64_t expected = 0, measured = 1;
    if (room.longs > 0 && desc->algorithm == GL_SEGSORT_ALGORITHM_BITONIC)
        expected = 4ull * most->rows;
    else if (room.longs > 0)
        expected = 8ull * most->rows + 1024 * (room.tiles + room.chunks + room.longs);
    CHECK(plan.scratch_bytes == expected, "%llu bytes of scratch, should be %llu",
          (unsigned long long)plan.scratch_bytes, (unsigned long long)expected);
    gl_segsort_allocator allocator = default_allocator();
    segsort_layout *layouts = make_layouts(desc);
    CHECK(segsort_plan_measure(desc, layouts, &limits, &allocator, &measured, &error) ==
                  GL_SEGSORT_SUCCESS &&
              measured == expected,
          "measured %llu bytes, %s", (unsigned long long)measured, error.text);
    free(layouts);
}

static void scratch_for_the_most(void)
{
    for_each_plan(65535, check_scratch);
}

/* Tables and scratches that GL would not let be bound. */
static void over_the_limits(void)
{
    reset_limits(65535);
    const struct most segments = {1u << 30, 1000, 0}, rows = {10, 1u << 30, 0},
                      both = {1u << 24, 1u << 24, 0};
    gl_segsort_plan_desc desc = listed_desc(&segments, 0);
    limits.storage_bytes = 1u << 31;
    CHECK(!try_build(&desc) && error.result == GL_SEGSORT_ERROR_UNSUPPORTED &&
              strstr(error.text, "the table of max_segments 1073741824 and max_rows 1000") &&
              strstr(error.text, "GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 2147483648"),
          "%s", error.text);
    desc = listed_desc(&rows, 0);
    CHECK(!try_build(&desc) && error.result == GL_SEGSORT_ERROR_UNSUPPORTED &&
              strstr(error.text, "the scratch of 1073741824 rows"),
          "%s", error.text);
    /* The recipes count. */
    limits.storage_bytes = 1ull << 34;
    desc = listed_desc(&both, 0);
    if (!build(&desc))
        return;
    uint64_t words = plan.table_words, recipe_words = plan.recipe_count * 7;
    twin_plan_release(&plan);
    limits.storage_bytes = 4 * words;
    CHECK(try_build(&desc), "%s", error.text);
    twin_plan_release(&plan);
    limits.storage_bytes = 4 * words - 4;
    CHECK(!try_build(&desc) && strstr(error.text, "the table of"), "%s", error.text);
    limits.storage_bytes = 4 * (words - recipe_words) - 4;
    CHECK(!try_build(&desc) && strstr(error.text, "the table of"), "%s", error.text);
}

static void plans_of_nothing(void)
{
    const struct most none[] = {{0, 1000, 0}, {1000, 0, 0}, {0, 0, 7}};
    reset_limits(65535);
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        const gl_segsort_plan_desc desc = listed_desc(&none[i], 0);
        if (!build(&desc))
            continue;
        CHECK(plan.pass_count == 0 && plan.gather_pass_count == 0 && plan.recipe_count == 0 &&
                  plan.table_words == 0 && plan.scratch_bytes == 0,
              "%u passes, %llu words", plan.pass_count, (unsigned long long)plan.table_words);
        twin_plan_release(&plan);
    }
}

static struct {
    size_t count, bytes, live, fail_at;
} memory;

static void *count_allocate(size_t size, void *user)
{
    (void)user;
    if (++memory.count == memory.fail_at)
        return NULL;
    memory.bytes += size;
    memory.live++;
    return malloc(size);
}

static void count_release(void *pointer, void *user)
{
    (void)user;
    memory.live--;
    free(pointer);
}

static const gl_segsort_allocator counting = {count_allocate, count_release, NULL};

static gl_segsort_result build_counting(const gl_segsort_plan_desc *desc)
{
    segsort_layout layout;
    memory.count = memory.bytes = 0;
    plan = (segsort_plan){0};
    error = (segsort_error){0};
    gl_segsort_result result = segsort_desc_check_plan(desc, &limits, &counting, &layout, &error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_plan_build(desc, &layout, &limits, &counting, &plan, &error);
    return result;
}

/* The host's memory depends on the passes alone, and these on max_length. */
static void memory_is_the_same_for_all_maxima(void)
{
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        static const uint32_t numbers[] = {20000, 1000000, 1000000000, UINT32_MAX - 1};
        size_t count = 0, bytes = 0;
        reset_limits(INT32_MAX);
        limits.storage_bytes = UINT64_MAX / 2;
        for (size_t i = 0; i < COUNT_OF(numbers) * COUNT_OF(numbers); i++) {
            const struct most most = {numbers[i % COUNT_OF(numbers)],
                                      numbers[i / COUNT_OF(numbers)], 10000};
            const gl_segsort_plan_desc desc = listed_desc(&most, algorithm);
            CHECK(build_counting(&desc) == GL_SEGSORT_SUCCESS, "%s", error.text);
            if (i == 0) {
                count = memory.count;
                bytes = memory.bytes;
                CHECK(count > 1 && bytes > 100, "%zu allocations of %zu bytes", count, bytes);
            }
            CHECK(memory.count == count && memory.bytes == bytes,
                  "%u segments, %u rows: %zu allocations of %zu bytes, not %zu of %zu",
                  most.segments, most.rows, memory.count, memory.bytes, count, bytes);
            segsort_plan_release(&plan, &counting);
            CHECK(memory.live == 0, "%zu are left", memory.live);
        }
    }
}

static void memory_that_runs_out(void)
{
    const gl_segsort_plan_desc desc = listed_desc(&mosts[3], 0);
    reset_limits(65535);
    CHECK(build_counting(&desc) == GL_SEGSORT_SUCCESS, "%s", error.text);
    segsort_plan_release(&plan, &counting);
    size_t count = memory.count;
    for (size_t i = 1; i <= count; i++) {
        memory.fail_at = i;
        CHECK(build_counting(&desc) == GL_SEGSORT_ERROR_OUT_OF_MEMORY && memory.live == 0,
              "allocation %zu of %zu: %s, %zu are left", i, count, error.text, memory.live);
        CHECK(strstr(error.text, "out of memory"), "%s", error.text);
    }
    memory.fail_at = 0;
}

CHECK_MAIN(CHECK_TEST(classes_have_room_for_the_most), CHECK_TEST(long_passes_only_when_needed),
           CHECK_TEST(sections_of_the_table), CHECK_TEST(hostile_lists_have_room),
           CHECK_TEST(list_passes_come_first), CHECK_TEST(variants_of_list_kernels),
           CHECK_TEST(recipes), CHECK_TEST(split_dispatches), CHECK_TEST(limits_of_a_dispatch),
           CHECK_TEST(scratch_for_the_most), CHECK_TEST(over_the_limits),
           CHECK_TEST(plans_of_nothing), CHECK_TEST(memory_is_the_same_for_all_maxima),
           CHECK_TEST(memory_that_runs_out))
