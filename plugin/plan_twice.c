#include "plan_splits.h"

#include <string.h>

/* Digits that are sorted as fast as segments are split twice. */
#define SEGSORT_TWICE_DIGITS_FEW 3u

/* Invocations of split-again: as many as every GL 4.3 driver has, since they write all tiles. */
#define SEGSORT_TWICE_THREADS 1024u

/* Rows of bunches that a work group has of a child that is longer than others, in bunches. */
#define SEGSORT_TWICE_LONG_BUNCHES 16u

static uint32_t segsort_children_of(const segsort_builder *builder, uint32_t length)
{
    uint32_t most = builder->tuning.buckets_max;
    uint32_t children = (length - 1) / builder->tuning.child_rows + 1;
    children = children < most ? children : most;
    return children > 2 ? children : 2;
}

/* Into bunches that are segments to the second split; so small ones are put together as one work
 * group sorts at once. */
segsort_split segsort_first_split_of(const segsort_builder *builder, uint32_t length)
{
    segsort_split split = {.buckets = 0};
    if (builder->tuning.child_rows == 0)
        return split;
    uint32_t children = segsort_children_of(builder, length);
    if (segsort_digit_count(builder) <= SEGSORT_TWICE_DIGITS_FEW ||
        segsort_sample_count(builder, length) < children)
        return split;
    split.buckets = split.bunches_max = children;
    split.samples_apart = segsort_sample_count(builder, length) / children;
    split.bunch_rows = segsort_finish_rows(builder, SEGSORT_FINISH_NARROW);
    split.sums = segsort_sum_count(builder, length);
    split.room_samples = 5 * split.samples_apart;
    return split;
}

/* The longest segment that is finished so; longer ones would take too many buckets. */
static uint32_t segsort_finish_length_max(const segsort_builder *builder, segsort_finish_id finish)
{
    uint32_t length = 0;
    for (uint32_t step = 1u << 30; step > 0; step /= 2)
        if (segsort_count_buckets_of(builder, length + step, finish) > 0)
            length += step;
    return length;
}

/* What all children of a set go by. */
typedef struct segsort_child_rules {
    uint32_t length_max, bunch_rows, group_rows;
    uint32_t part_bunch_rows, part_group_rows;
    uint32_t bucket_rows;
} segsort_child_rules;

/* Rows that a work group has of bunches, which lack three quarters of a bucket: but two neighbouring
 * ones are more than full. */
static uint32_t segsort_group_rows(uint32_t bunch_rows, uint32_t bucket_rows)
{
    uint32_t lacking = bucket_rows * 3 / 4;
    return bunch_rows - (lacking < bunch_rows / 2 ? lacking : bunch_rows / 2);
}

static segsort_child_rules segsort_child_rules_of(const segsort_builder *builder)
{
    segsort_finish_id finish = builder->set.children.finish;
    uint32_t most = builder->tuning.buckets_max;
    segsort_child_rules rules = {.bucket_rows = builder->tuning.bucket_rows,
                                 .part_bunch_rows =
                                     segsort_finish_rows(builder, SEGSORT_FINISH_PARTS)};
    /* Most children, or only those that are much longer than others. */
    rules.part_group_rows = finish == SEGSORT_FINISH_PARTS
                                ? rules.part_bunch_rows
                                : SEGSORT_TWICE_LONG_BUNCHES * rules.part_bunch_rows;
    if (finish == SEGSORT_FINISH_PARTS)
        return rules;
    rules.length_max = segsort_finish_length_max(builder, finish);
    rules.bunch_rows = segsort_finish_rows(builder, finish);
    /* The longest has the fewest samples for its rows: what does for its buckets does for others. */
    uint32_t bucket_rows = rules.length_max > most ? rules.length_max / most : 1;
    if (rules.bucket_rows > bucket_rows)
        rules.bucket_rows = bucket_rows;
    rules.group_rows = segsort_group_rows(rules.bunch_rows, bucket_rows);
    return rules;
}

/* The most that a segment's children can have together. */
typedef struct segsort_twice {
    uint32_t children, tiles, sums, groups, part_groups;
} segsort_twice;

static segsort_twice segsort_twice_of(const segsort_builder *builder,
                                      const segsort_child_rules *rules, uint32_t length)
{
    segsort_twice twice = {.children = segsort_children_of(builder, length)};
    uint32_t longer = length / (rules->length_max + 1);
    /* Each child may have one that isn't full. */
    twice.tiles = segsort_tile_count(builder, length) + twice.children;
    twice.sums = twice.tiles / SEGSORT_SUM_TILES + twice.children;
    if (rules->group_rows > 0)
        twice.groups = length / rules->group_rows + twice.children;
    twice.part_groups =
        length / rules->part_group_rows + (longer < twice.children ? longer : twice.children);
    return twice;
}

/* Children are about equally long, unless keys are made for it; a sixteenth more is still usual. */
static segsort_finish_id segsort_choose_child_finish(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    uint32_t usual = 0;
    for (uint32_t i = set->first_split; i < set->first_once; i++) {
        uint32_t length = segsort_long_length(set, i);
        uint32_t rows = length / segsort_children_of(builder, length);
        usual = rows > usual ? rows : usual;
    }
    usual += usual / 16;
    for (uint32_t i = 0; i < SEGSORT_FINISH_PARTS; i++)
        if (usual <= segsort_finish_length_max(builder, (segsort_finish_id)i))
            return (segsort_finish_id)i;
    return SEGSORT_FINISH_PARTS;
}

void segsort_count_children(segsort_builder *builder)
{
    segsort_set_builder *set = &builder->set;
    segsort_children *children = &set->children;
    if (set->first_split == set->first_once)
        return;
    children->finish = segsort_choose_child_finish(builder);
    const segsort_child_rules rules = segsort_child_rules_of(builder);
    for (uint32_t i = set->first_split; i < set->first_once; i++) {
        uint32_t length = segsort_long_length(set, i);
        const segsort_twice twice = segsort_twice_of(builder, &rules, length);
        uint32_t sums = segsort_sum_count(builder, length / twice.children);
        children->count += twice.children;
        children->sums += twice.sums;
        children->groups += twice.groups;
        children->part_groups += twice.part_groups;
        children->sums_each = sums > children->sums_each ? sums : children->sums_each;
    }
}

/* Behind all children comes the one without rows. */
uint64_t segsort_lay_out_twice(segsort_builder *builder, uint64_t word)
{
    segsort_set_builder *set = &builder->set;
    segsort_children *children = &set->children;
    uint32_t segments = set->first_once - set->first_split;
    if (segments == 0)
        return word;
    /* Modulo 2^32, as shaders add: by the numbers of segments and of tiles. */
    children->twice_word = (uint32_t)word - set->first_split * SEGSORT_TWICE_WORDS;
    word += (uint64_t)segments * SEGSORT_TWICE_WORDS;
    children->segment_word = (uint32_t)word;
    word += ((uint64_t)children->count + 1) * SEGSORT_SEGMENT_WORDS;
    children->long_word = (uint32_t)word;
    word += ((uint64_t)children->count + 1) * SEGSORT_LONG_WORDS;
    children->split_word = (uint32_t)word;
    word += ((uint64_t)children->count + 1) * SEGSORT_SPLIT_WORDS;
    children->tile_word = (uint32_t)word - set->first_twice_tile * SEGSORT_TILE_WORDS;
    word +=
        ((uint64_t)set->tile_count - set->first_twice_tile + children->count) * SEGSORT_TILE_WORDS;
    children->finish_word = (uint32_t)word;
    return word + children->groups + children->part_groups;
}

void segsort_write_twice(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    const segsort_children *children = &set->children;
    uint32_t segments = set->first_once - set->first_split;
    if (segments == 0)
        return;
    const segsort_child_rules rules = segsort_child_rules_of(builder);
    uint32_t *table = builder->plan->table;
    uint32_t *words =
        table + (uint32_t)(children->twice_word + set->first_split * SEGSORT_TWICE_WORDS);
    uint32_t child = 0, tile = set->first_twice_tile, sum = 0, group = 0, part = children->groups;
    for (uint32_t i = set->first_split; i < set->first_once; i++, words += SEGSORT_TWICE_WORDS) {
        const segsort_twice twice = segsort_twice_of(builder, &rules, segsort_long_length(set, i));
        words[SEGSORT_TWICE_FIRST_CHILD] = child;
        words[SEGSORT_TWICE_CHILDREN] = twice.children;
        words[SEGSORT_TWICE_FIRST_TILE] = tile;
        words[SEGSORT_TWICE_TILES] = twice.tiles;
        words[SEGSORT_TWICE_FIRST_SUM] = sum;
        words[SEGSORT_TWICE_FIRST_GROUP] = group;
        words[SEGSORT_TWICE_GROUPS] = twice.groups;
        words[SEGSORT_TWICE_FIRST_PART_GROUP] = part;
        words[SEGSORT_TWICE_PART_GROUPS] = twice.part_groups;
        words[SEGSORT_TWICE_LENGTH_MAX] = rules.length_max;
        words[SEGSORT_TWICE_BUNCH_ROWS] = rules.bunch_rows;
        words[SEGSORT_TWICE_GROUP_ROWS] = rules.group_rows;
        words[SEGSORT_TWICE_PART_BUNCH_ROWS] = rules.part_bunch_rows;
        words[SEGSORT_TWICE_PART_GROUP_ROWS] = rules.part_group_rows;
        words[SEGSORT_TWICE_BUCKET_ROWS] = rules.bucket_rows;
        words[SEGSORT_TWICE_BUCKETS_MAX] = builder->tuning.buckets_max;
        words[SEGSORT_TWICE_SAMPLE_APART] = builder->tuning.sample_apart;
        words[SEGSORT_TWICE_SAMPLES_MAX] = builder->samples_max;
        child += twice.children;
        tile += twice.tiles;
        sum += twice.sums;
        group += twice.groups;
        part += twice.part_groups;
    }
    /* The rest is the GPU's to write. */
    memset(table + children->segment_word, 0,
           (size_t)(children->finish_word + children->groups + children->part_groups -
                    children->segment_word) *
               4);
}

/* ---------------------------------------------------------------------------------------------- */

/* Bunches of a child: no more than buckets. */
static uint32_t segsort_child_bunch_words(const segsort_builder *builder)
{
    return SEGSORT_BUNCH_WORDS(builder->tuning.buckets_max);
}

static uint32_t segsort_child_splitter_words(const segsort_builder *builder)
{
    return (builder->set.children.count + 1) * builder->tuning.buckets_max *
           SEGSORT_SPLITTER_WORDS(segsort_key_words(builder->types.key));
}

/* Behind the words of all first splits: where digits start in the children, sums of tiles, splitters, bunches. */
uint64_t segsort_twice_words(const segsort_builder *builder)
{
    const segsort_children *children = &builder->set.children;
    if (children->count == 0)
        return 0;
    return ((uint64_t)children->count + 1 + children->sums) * SEGSORT_DIGITS +
           segsort_child_splitter_words(builder) +
           ((uint64_t)children->count + 1) * segsort_child_bunch_words(builder);
}

/* Where the children are told, and what of them is counted. */
static segsort_split_group segsort_second_splits(const segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    const segsort_children *children = &set->children;
    segsort_split_group group = segsort_first_splits(builder);
    struct segsort_pass_params *params = &group.params;
    params->digit_starts = params->bunch_starts + set->bunch_words;
    params->tile_sums = params->digit_starts + (children->count + 1) * SEGSORT_DIGITS;
    params->splitters = params->tile_sums + children->sums * SEGSORT_DIGITS;
    params->bunch_starts = params->splitters + segsort_child_splitter_words(builder);
    params->segment_word = children->segment_word;
    params->tile_word = children->tile_word;
    params->long_word = children->long_word;
    params->split_word = children->split_word;
    params->finish_word = children->finish_word;
    params->source = SEGSORT_PLACE_OUTPUT;
    params->destination = SEGSORT_PLACE_SCRATCH;
    group.first = 0;
    group.end = children->count;
    group.first_tile = set->first_twice_tile;
    group.tile_end = set->tile_count + children->count;
    group.longest = UINT32_MAX;
    group.buckets_max = builder->tuning.buckets_max;
    group.sums = children->sums_each;
    group.sum_count = children->sums;
    group.segment_count = 0;
    group.row_count = set->twice_rows;
    return group;
}

/* In place the rows can't go to the outputs before they are moved out of the way. Nothing waits for
 * the children's words before that. */
static gl_segsort_result segsort_add_first_moving(segsort_builder *builder,
                                                  const segsort_split_group *group)
{
    segsort_pass pass =
        segsort_make_split_pass(builder, group, SEGSORT_KERNEL_SPLIT_SCATTER, builder->tile_rows,
                                group->first_tile, group->tile_end);
    pass.params.destination = SEGSORT_PLACE_OUTPUT;
    pass.condition = GL_SEGSORT_PASS_OUT_OF_PLACE;
    pass.barriers = 0;
    segsort_pass in_place = pass;
    in_place.params.source = SEGSORT_PLACE_SCRATCH;
    in_place.condition = GL_SEGSORT_PASS_IN_PLACE;
    gl_segsort_result result =
        segsort_add_leveled(builder, &pass, group->tile_end - group->first_tile);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_leveled(builder, &in_place, group->tile_end - group->first_tile);
    return result;
}

static gl_segsort_result segsort_add_moving_away(segsort_builder *builder,
                                                 const segsort_split_group *group)
{
    segsort_pass pass =
        segsort_make_split_pass(builder, group, SEGSORT_KERNEL_COPY_ROWS, builder->tile_rows,
                                group->first_tile, group->tile_end);
    pass.condition = GL_SEGSORT_PASS_IN_PLACE;
    pass.barriers = 0;
    return segsort_add_leveled(builder, &pass, group->tile_end - group->first_tile);
}

/* A work group a segment, an invocation a child. */
static gl_segsort_result segsort_add_listing(segsort_builder *builder,
                                             const segsort_split_group *group)
{
    const segsort_children *children = &builder->set.children;
    segsort_pass pass = segsort_make_split_pass(builder, group, SEGSORT_KERNEL_SPLIT_AGAIN,
                                                builder->tile_rows, group->first, group->end);
    const segsort_split_group second = segsort_second_splits(builder);
    pass.variant = segsort_untyped_variant(SEGSORT_KERNEL_SPLIT_AGAIN, builder->tile_rows);
    pass.variant.threads = SEGSORT_TWICE_THREADS;
    pass.params.twice_word = children->twice_word;
    pass.params.child_segment_word = children->segment_word;
    pass.params.child_tile_word = children->tile_word;
    pass.params.child_long_word = children->long_word;
    pass.params.child_split_word = children->split_word;
    pass.params.child_finish_word = children->finish_word;
    pass.params.child_bunch_starts = second.params.bunch_starts;
    pass.params.child_bunch_words = segsort_child_bunch_words(builder);
    return segsort_add_leveled(builder, &pass, group->end - group->first);
}

static gl_segsort_result segsort_add_first_split(segsort_builder *builder)
{
    const segsort_set_builder *set = &builder->set;
    segsort_split_group group = segsort_first_splits(builder);
    group.first = set->first_split;
    group.end = set->first_once;
    group.first_tile = set->first_twice_tile;
    group.tile_end = set->tile_count;
    group.longest = segsort_long_length(set, set->first_split);
    group.sum_count = set->twice_sums;
    group.segment_count = set->first_once - set->first_split;
    group.row_count = set->twice_rows;
    gl_segsort_result result = segsort_add_moving_away(builder, &group);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_counting(builder, &group, 0);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_listing(builder, &group);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_first_moving(builder, &group);
    return result;
}

static gl_segsort_result segsort_add_second_split(segsort_builder *builder)
{
    const segsort_children *children = &builder->set.children;
    const segsort_split_group group = segsort_second_splits(builder);
    gl_segsort_result result = segsort_add_counting(builder, &group, GL_SEGSORT_BARRIER_STORAGE);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_add_moving(builder, &group);
    segsort_finish finishes[SEGSORT_FINISHES] = {{0}};
    finishes[children->finish].row_count = group.row_count;
    finishes[children->finish].group_count = children->groups;
    finishes[SEGSORT_FINISH_PARTS].first_group = children->groups;
    finishes[SEGSORT_FINISH_PARTS].group_count = children->part_groups;
    return result == GL_SEGSORT_SUCCESS ? segsort_add_finishes(builder, &group, finishes) : result;
}

gl_segsort_result segsort_add_twice_passes(segsort_builder *builder)
{
    gl_segsort_result result = segsort_add_first_split(builder);
    return result == GL_SEGSORT_SUCCESS ? segsort_add_second_split(builder) : result;
}
