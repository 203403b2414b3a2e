#include "twin.h"

#include "cpu_sort.h"

static bool precedes(uint32_t key_a, uint32_t index_a, uint32_t key_b, uint32_t index_b,
                     gl_segsort_direction direction)
{
    if (key_a != key_b)
        return direction == GL_SEGSORT_ASCENDING ? key_a < key_b : key_a > key_b;
    return index_a < index_b;
}

/* The part of a segment that a tile holds. */
struct tile {
    uint32_t *keys, *values; /* of the segment's row 0 in the outputs */
    uint32_t *index;         /* likewise in the scratch */
    uint32_t first, end;     /* the tile's rows */
    gl_segsort_direction direction;
};

/* Comparators whose lower end lies in the tile and whose upper end lies before limit. */
static void step(const struct tile *tile, uint32_t partner_mask, uint32_t limit)
{
    for (uint32_t row = tile->first; row < tile->end; row++) {
        uint32_t partner = row ^ partner_mask;
        if (partner <= row || partner >= limit)
            continue;
        uint32_t *keys = tile->keys, *values = tile->values, *index = tile->index;
        if (!precedes(keys[partner], index[partner], keys[row], index[row], tile->direction))
            continue;
        uint32_t key = keys[row], value = values[row], source = index[row];
        keys[row] = keys[partner];
        values[row] = values[partner];
        index[row] = index[partner];
        keys[partner] = key;
        values[partner] = value;
        index[partner] = source;
    }
}

static void strides(const struct tile *tile, uint32_t first_stride)
{
    for (uint32_t stride = first_stride; stride > 0; stride /= 2)
        step(tile, stride, tile->end);
}

static void run_tile(struct twin *twin, const segsort_pass *pass, uint32_t number)
{
    const uint32_t *entry =
        twin->plan->table + pass->params.tile_word + (size_t)number * SEGSORT_TILE_WORDS;
    const uint32_t *segment =
        twin->plan->table + pass->params.segment_word + (size_t)entry[0] * SEGSORT_SEGMENT_WORDS;
    uint32_t width = pass->variant.width, length = segment[4], first = entry[1];
    struct tile tile = {.keys = twin->output_keys + segment[2],
                        .values = twin->output_values + segment[3],
                        .index = twin->index + (entry[2] - first),
                        .first = first,
                        .end = width < length - first ? first + width : length,
                        .direction = pass->variant.direction};
    if (pass->variant.kernel == SEGSORT_KERNEL_BITONIC_STEP) {
        step(&tile, pass->params.partner_mask, length);
        return;
    }
    if (pass->variant.kernel == SEGSORT_KERNEL_BITONIC_MERGE) {
        strides(&tile, width / 2);
        return;
    }
    for (uint32_t row = first; row < tile.end; row++) {
        tile.keys[row] = twin->keys[segment[0] + row];
        tile.values[row] = twin->values[segment[1] + row];
        tile.index[row] = row;
    }
    for (uint32_t stage = 2; stage <= width; stage *= 2) {
        step(&tile, stage - 1, tile.end);
        strides(&tile, stage / 4);
    }
}

static void run_local(struct twin *twin, const segsort_pass *pass, uint32_t group)
{
    uint32_t slots = segsort_variant_tile_rows(&pass->variant) / pass->variant.width;
    for (uint32_t i = group * slots; i < (group + 1) * slots && i < pass->params.item_count; i++) {
        const uint32_t *s =
            twin->plan->table + pass->params.segment_word + (size_t)i * SEGSORT_SEGMENT_WORDS;
        cpu_sort(twin->keys + s[0], twin->values + s[1], twin->output_keys + s[2],
                 twin->output_values + s[3], s[4], pass->variant.direction);
    }
}

void twin_run_pass(struct twin *twin, uint32_t number)
{
    const segsort_pass *pass = &twin->plan->passes[number];
    uint64_t groups = (uint64_t)pass->work_groups[0] * pass->work_groups[1] * pass->work_groups[2];
    for (uint64_t i = 0; i < groups; i++) {
        uint32_t group = pass->params.first_group + (uint32_t)i;
        if (pass->variant.kernel == SEGSORT_KERNEL_BITONIC_LOCAL)
            run_local(twin, pass, group);
        else if (group < pass->params.item_count)
            run_tile(twin, pass, group);
    }
}
