#include "twin_twice.h"

#include <string.h>

/* A segment that is split twice, as the table has it. */
struct parent {
    const uint32_t *record;  /* first rows in the four streams, rows */
    const uint32_t *twice;   /* what its children have in common */
    const uint32_t *bunches; /* how many, their first rows, the segment's rows */
    uint32_t scratch_row;
};

/* Words of twice: */
enum {
    FIRST_CHILD,
    CHILDREN,
    FIRST_TILE,
    TILES,
    FIRST_SUM,
    FIRST_GROUP,
    GROUPS,
    FIRST_PART_GROUP,
    PART_GROUPS,
    LENGTH_MAX,
    BUNCH_ROWS,
    GROUP_ROWS,
    PART_BUNCH_ROWS,
    PART_GROUP_ROWS,
    BUCKET_ROWS,
    BUCKETS_MAX,
    SAMPLE_APART,
    SAMPLES_MAX,
    WORDS
};

/* What the next child, its tiles and so on come to. */
struct next {
    uint32_t tile, sum, group, part_group;
};

static struct parent parent_of(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    const struct segsort_pass_params *params = &pass->params;
    const uint32_t *table = twin->plan->table;
    const uint32_t *split = table + (uint32_t)(params->split_word + segment * 10);
    return (struct parent){.record = table + params->segment_word + (size_t)segment * 5,
                           .twice = table + (uint32_t)(params->twice_word + segment * WORDS),
                           .bunches = twin->work + params->bunch_starts + split[5],
                           .scratch_row = table[params->long_word + segment * 3 + 2]};
}

static void write_split(uint32_t *words, const struct segsort_pass_params *params,
                        const uint32_t *twice, uint32_t number, uint32_t rows, uint32_t groups,
                        uint32_t first_group, uint32_t first_sum, uint32_t sums)
{
    bool in_parts = rows > twice[LENGTH_MAX];
    uint32_t bunch_rows = in_parts ? twice[PART_BUNCH_ROWS] : twice[BUNCH_ROWS];
    uint32_t samples = rows / twice[SAMPLE_APART], buckets = 1, apart = 1;
    if (samples > twice[SAMPLES_MAX])
        samples = twice[SAMPLES_MAX];
    if (rows > bunch_rows) {
        buckets = (rows + twice[BUCKET_ROWS] - 1) / twice[BUCKET_ROWS];
        if (buckets > twice[BUCKETS_MAX])
            buckets = twice[BUCKETS_MAX];
        if (buckets > samples)
            buckets = samples > 0 ? samples : 1;
    }
    if (buckets > 1)
        apart = samples / buckets;
    /* Twice the samples of an average bucket and half as many again, or those that a full bunch
     * would have. */
    uint64_t room =
        rows == 0 ? (uint64_t)bunch_rows * apart : (uint64_t)bunch_rows * apart * buckets / rows;
    const uint32_t split[] = {first_group,
                              buckets,
                              apart,
                              groups > 0 ? groups : 1,
                              number * twice[BUCKETS_MAX],
                              number * params->child_bunch_words,
                              first_sum,
                              sums,
                              bunch_rows,
                              in_parts ? 5 * apart : (uint32_t)room};
    memcpy(words, split, sizeof split);
}

/* Adds a child, and its tiles and work groups. */
static void write_child(const struct twin *twin, const segsort_pass *pass,
                        const struct parent *parent, uint32_t number, uint32_t first, uint32_t rows,
                        struct next *next)
{
    const struct segsort_pass_params *params = &pass->params;
    uint32_t *table = twin->plan->table, width = pass->variant.width;
    uint32_t *record = table + params->child_segment_word + (size_t)number * 5;
    bool in_parts = rows > parent->twice[LENGTH_MAX];
    uint32_t tiles = (rows + width - 1) / width, sums = (tiles + 7) / 8;
    uint32_t group_rows = parent->twice[in_parts ? PART_GROUP_ROWS : GROUP_ROWS];
    uint32_t groups = rows > 0 ? rows / group_rows + 1 : 0;
    uint32_t *group = in_parts ? &next->part_group : &next->group;
    for (int stream = 0; stream < 4; stream++)
        record[stream] = parent->record[stream] + first;
    record[4] = rows;
    const uint32_t further[] = {next->tile, 0, parent->scratch_row + first};
    memcpy(table + params->child_long_word + (size_t)number * 3, further, sizeof further);
    write_split(table + params->child_split_word + (size_t)number * 10, params, parent->twice,
                number, rows, groups, *group, next->sum, sums);
    next->sum += sums;
    for (uint32_t tile = 0; tile < tiles; tile++, next->tile++) {
        const uint32_t entry[] = {number, tile * width, parent->scratch_row + first + tile * width};
        memcpy(table + (uint32_t)(params->child_tile_word + next->tile * 3), entry, sizeof entry);
    }
    while (groups-- > 0)
        table[params->child_finish_word + (*group)++] = number;
}

/* What is left of the segment's tiles and work groups is the one's that has no rows. */
static void write_rest(const struct twin *twin, const segsort_pass *pass,
                       const struct parent *parent, uint32_t nobody, struct next *next)
{
    const struct segsort_pass_params *params = &pass->params;
    const uint32_t *twice = parent->twice, entry[] = {nobody, 0, 0};
    uint32_t *table = twin->plan->table;
    for (; next->tile < twice[FIRST_TILE] + twice[TILES]; next->tile++)
        memcpy(table + (uint32_t)(params->child_tile_word + next->tile * 3), entry, sizeof entry);
    for (; next->group < twice[FIRST_GROUP] + twice[GROUPS]; next->group++)
        table[params->child_finish_word + next->group] = nobody;
    for (; next->part_group < twice[FIRST_PART_GROUP] + twice[PART_GROUPS]; next->part_group++)
        table[params->child_finish_word + next->part_group] = nobody;
}

void twin_twice_run(const struct twin *twin, const segsort_pass *pass, uint32_t segment)
{
    uint32_t last = pass->params.item_count - 1;
    const struct parent parent = parent_of(twin, pass, segment),
                        behind = parent_of(twin, pass, last);
    uint32_t nobody = behind.twice[FIRST_CHILD] + behind.twice[CHILDREN];
    struct next next = {parent.twice[FIRST_TILE], parent.twice[FIRST_SUM],
                        parent.twice[FIRST_GROUP], parent.twice[FIRST_PART_GROUP]};
    for (uint32_t i = 0; i < parent.twice[CHILDREN]; i++) {
        bool there = i < parent.bunches[0];
        uint32_t first = there ? parent.bunches[1 + i] : 0;
        write_child(twin, pass, &parent, parent.twice[FIRST_CHILD] + i, first,
                    there ? parent.bunches[2 + i] - first : 0, &next);
    }
    write_rest(twin, pass, &parent, nobody, &next);
    struct next none = {0};
    if (segment == last) {
        write_child(twin, pass, &parent, nobody, 0, 0, &none);
        twin->work[pass->params.child_bunch_starts + nobody * pass->params.child_bunch_words] = 0;
    }
}
