#version 430
// One work group adds up the groups' records of a listed plan: where each group's segments of each
// class go in the table, how many work groups each pass has, and what the status record says. Where
// the segments have more rows than the plan was made for, the list is cut.
#include "shared/layout.h"

layout(local_size_x = SEGSORT_THREADS) in;

layout(std430, binding = SEGSORT_BINDING_PARAMS) buffer SegsortParams { uint params[]; };
layout(std430, binding = SEGSORT_BINDING_COMMANDS) buffer SegsortCommands { uint commands[]; };
layout(std430, binding = SEGSORT_BINDING_STATUS) buffer SegsortStatus { uint status[]; };
layout(std430, binding = SEGSORT_BINDING_TABLE) coherent buffer SegsortTable { uint table[]; };

#include "shared/list.glsl"
#include "shared/list_record.glsl"

#define SEGSORT_NO_GROUP 0xffffffffu
#define SEGSORT_PARTS (SEGSORT_THREADS / SEGSORT_GROUP_COLUMNS)

shared uint shared_sum[SEGSORT_THREADS];
shared uint shared_cut_group, shared_cut_rows; // the group the cut lies in, rows of those before
shared uint shared_cut;                        // the first segment that is cut off
shared uint shared_total[SEGSORT_GROUP_COLUMNS];
shared uint shared_start[SEGSORT_LIST_CLASSES]; // of the classes, in segments
shared uint shared_rows, shared_refused, shared_first_refused, shared_longest;

uint segsort_record_word(uint group, uint column)
{
    return group_word + group * SEGSORT_GROUP_WORDS + column;
}

uint segsort_add_saturated(uint a, uint b)
{
    uint sum = a + b;
    return sum < a ? 0xffffffffu : sum;
}

// The sum of the numbers of all invocations before this one.
uint segsort_scan_saturated(uint number)
{
    shared_sum[gl_LocalInvocationIndex] = number;
    segsort_sync_shared();
    for (uint reach = 1u; reach < SEGSORT_THREADS; reach *= 2u) {
        uint sum = shared_sum[gl_LocalInvocationIndex];
        if (gl_LocalInvocationIndex >= reach)
            sum = segsort_add_saturated(sum, shared_sum[gl_LocalInvocationIndex - reach]);
        segsort_sync_shared();
        shared_sum[gl_LocalInvocationIndex] = sum;
        segsort_sync_shared();
    }
    uint before = gl_LocalInvocationIndex == 0u ? 0u : shared_sum[gl_LocalInvocationIndex - 1u];
    segsort_sync_shared();
    return before;
}

// The only group, or segment, that begins within rows_max and ends beyond it.
bool segsort_is_cut(uint before, uint rows)
{
    return before <= rows_max && segsort_add_saturated(before, rows) > rows_max;
}

void segsort_find_cut_group(uint groups)
{
    uint each = (groups + SEGSORT_THREADS - 1u) / SEGSORT_THREADS, sum = 0u;
    uint first = gl_LocalInvocationIndex * each, end = min(first + each, groups);
    if (gl_LocalInvocationIndex == 0u) {
        shared_cut_group = SEGSORT_NO_GROUP;
        shared_cut_rows = 0u;
    }
    for (uint group = first; group < end; group++)
        sum = segsort_add_saturated(sum, table[segsort_record_word(group, SEGSORT_GROUP_ROWS)]);
    uint before = segsort_scan_saturated(sum);
    for (uint group = first; group < end; group++) {
        uint rows = table[segsort_record_word(group, SEGSORT_GROUP_ROWS)];
        if (segsort_is_cut(before, rows)) {
            shared_cut_group = group;
            shared_cut_rows = before;
        }
        before = segsort_add_saturated(before, rows);
    }
    segsort_sync_shared();
}

void segsort_find_cut(uint group, uint end)
{
    const uint each = SEGSORT_LIST_GROUP / SEGSORT_THREADS;
    uint first = group * SEGSORT_LIST_GROUP + gl_LocalInvocationIndex * each, sum = 0u;
    for (uint n = 0u; n < each; n++)
        if (first + n < end)
            sum = segsort_add_saturated(sum, segsort_listed(first + n).rows);
    uint before = segsort_add_saturated(shared_cut_rows, segsort_scan_saturated(sum));
    for (uint n = 0u; n < each; n++) {
        uint rows = first + n < end ? segsort_listed(first + n).rows : 0u;
        if (segsort_is_cut(before, rows))
            shared_cut = first + n;
        before = segsort_add_saturated(before, rows);
    }
    segsort_sync_shared();
}

// Leaves the cut group's record as if the list ended there. Without a cut the same barriers are
// passed, over no segments.
void segsort_cut_list(uint count)
{
    bool cut = shared_cut_group != SEGSORT_NO_GROUP;
    uint group = cut ? shared_cut_group : 0u;
    segsort_find_cut(group, cut ? count : 0u);
    segsort_record_group(group, cut ? shared_cut : 0u);
    if (cut && gl_LocalInvocationIndex < SEGSORT_GROUP_WORDS)
        table[segsort_record_word(group, gl_LocalInvocationIndex)] = shared_record[gl_LocalInvocationIndex];
    memoryBarrierBuffer();
    barrier();
}

// Each column of the records: the sum of the groups before, in place. An invocation has a column
// and a part of the groups.
void segsort_scan_columns(uint groups)
{
    uint column = gl_LocalInvocationIndex % SEGSORT_GROUP_COLUMNS;
    uint part = gl_LocalInvocationIndex / SEGSORT_GROUP_COLUMNS;
    uint each = (groups + SEGSORT_PARTS - 1u) / SEGSORT_PARTS;
    uint first = part * each, end = min(first + each, groups), sum = 0u, before = 0u;
    for (uint group = first; group < end; group++)
        sum += table[segsort_record_word(group, column)];
    shared_sum[gl_LocalInvocationIndex] = sum;
    segsort_sync_shared();
    for (uint other = 0u; other < part; other++)
        before += shared_sum[other * SEGSORT_GROUP_COLUMNS + column];
    if (part == SEGSORT_PARTS - 1u)
        shared_total[column] = before + sum;
    for (uint group = first; group < end; group++) {
        uint word = segsort_record_word(group, column), number = table[word];
        table[word] = before;
        before += number;
    }
    segsort_sync_shared();
}

void segsort_sum_up(uint groups)
{
    if (gl_LocalInvocationIndex == 0u) {
        shared_rows = shared_refused = shared_longest = 0u;
        shared_first_refused = 0xffffffffu;
    }
    segsort_sync_shared();
    for (uint group = gl_LocalInvocationIndex; group < groups; group += SEGSORT_THREADS) {
        atomicAdd(shared_rows, table[segsort_record_word(group, SEGSORT_GROUP_ROWS)]);
        atomicAdd(shared_refused, table[segsort_record_word(group, SEGSORT_GROUP_REFUSED)]);
        atomicMin(shared_first_refused, table[segsort_record_word(group, SEGSORT_GROUP_FIRST_REFUSED)]);
        atomicMax(shared_longest, table[segsort_record_word(group, SEGSORT_GROUP_LONGEST)]);
    }
    segsort_sync_shared();
}

void segsort_write_head(uint cut)
{
    if (gl_LocalInvocationIndex == 0u) {
        uint start = 0u;
        table[head_word + SEGSORT_HEAD_COUNT] = cut;
        for (uint number = 0u; number < class_count; number++) {
            table[head_word + SEGSORT_HEAD_CLASSES + number] = start;
            shared_start[number] = start;
            start += shared_total[number];
        }
    }
    segsort_sync_shared();
}

// As the plan folds what it knows itself: little surplus.
uvec3 segsort_fold_groups(uint groups)
{
    if (groups == 0u)
        return uvec3(0u, 1u, 1u);
    uint z = (groups - 1u) / groups_xy + 1u, layer = (groups - 1u) / z + 1u;
    uint y = (layer - 1u) / groups_x + 1u;
    return uvec3((layer - 1u) / y + 1u, y, z);
}

void segsort_follow_recipe(uint recipe)
{
    uint at = recipe_word + recipe * SEGSORT_RECIPE_WORDS;
    uint kind = table[at + SEGSORT_RECIPE_ITEMS], number_class = table[at + SEGSORT_RECIPE_CLASS];
    uint items = kind == SEGSORT_ITEMS_TILES    ? shared_total[SEGSORT_GROUP_TILES]
                 : kind == SEGSORT_ITEMS_CHUNKS ? shared_total[SEGSORT_GROUP_CHUNKS]
                                                : shared_total[number_class];
    uint groups = items == 0u ? 0u : (items - 1u) / table[at + SEGSORT_RECIPE_SLOTS] + 1u;
    uint first = table[at + SEGSORT_RECIPE_FIRST_GROUP];
    groups = groups > first ? min(groups - first, table[at + SEGSORT_RECIPE_GROUPS_MAX]) : 0u;
    if (shared_longest < table[at + SEGSORT_RECIPE_LENGTH_MIN])
        groups = 0u;
    uint place = table[at + SEGSORT_RECIPE_PLACE];
    params[place * list_word[2].z + SEGSORT_PARAM_ITEM_COUNT] = items;
    params[place * list_word[2].z + SEGSORT_PARAM_SEGMENT_WORD] =
        segment_word + shared_start[number_class] * SEGSORT_SEGMENT_WORDS;
    uvec3 work_groups = segsort_fold_groups(groups);
    commands[place * SEGSORT_COMMAND_WORDS] = work_groups.x;
    commands[place * SEGSORT_COMMAND_WORDS + 1u] = work_groups.y;
    commands[place * SEGSORT_COMMAND_WORDS + 2u] = work_groups.z;
}

void segsort_write_status(uint seen, uint cut)
{
    if (gl_LocalInvocationIndex == 0u && segsort_list_has(SEGSORT_LIST_STATUS)) {
        uint at = list_word[2].x;
        status[at] = seen;
        status[at + 1u] = shared_refused + (seen - cut);
        status[at + 2u] = seen > cut ? min(shared_first_refused, cut) : shared_first_refused;
        status[at + 3u] = shared_rows;
        status[at + 4u] = shared_longest;
    }
}

void main()
{
    uint seen = table[head_word + SEGSORT_HEAD_SEEN], count = table[head_word + SEGSORT_HEAD_COUNT];
    uint groups = (count + SEGSORT_LIST_GROUP - 1u) / SEGSORT_LIST_GROUP;
    if (gl_LocalInvocationIndex == 0u)
        shared_cut = count;
    segsort_find_cut_group(groups);
    segsort_cut_list(count);
    if (shared_cut_group != SEGSORT_NO_GROUP)
        groups = shared_cut_group + 1u;
    segsort_sum_up(groups);
    segsort_scan_columns(groups);
    segsort_write_head(shared_cut);
    for (uint recipe = gl_LocalInvocationIndex; recipe < recipe_count; recipe += SEGSORT_THREADS)
        segsort_follow_recipe(recipe);
    segsort_write_status(seen, shared_cut);
}
