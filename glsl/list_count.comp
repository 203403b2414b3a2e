#version 430
// Looks through a list of segments that only the GPU knows: how many there are of each class, and
// what is wrong with them. A work group takes SEGSORT_LIST_GROUP of them and leaves a record.
#define SEGSORT_TABLE_ACCESS
#include "shared/segments.glsl"
#include "shared/list.glsl"
#include "shared/list_record.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

layout(std430, binding = SEGSORT_BINDING_LIST_COUNT) readonly buffer SegsortListCount { uint list_count[]; };

// As the list has it, which is believed only up to what there is room for.
uint segsort_segments_seen()
{
    return segsort_list_has(SEGSORT_LIST_COUNTED) ? list_count[list_word[1].z] : list_word[1].w;
}

void main()
{
    uint group = segsort_group(), seen = segsort_segments_seen();
    uint count = min(seen, list_word[1].y);
    segsort_record_group(group, count);
    if (group * SEGSORT_LIST_GROUP < count && gl_LocalInvocationIndex < SEGSORT_GROUP_WORDS)
        table[group_word + group * SEGSORT_GROUP_WORDS + gl_LocalInvocationIndex] =
            shared_record[gl_LocalInvocationIndex];
    if (group == 0u && gl_LocalInvocationIndex == 0u) {
        table[head_word + SEGSORT_HEAD_SEEN] = seen;
        table[head_word + SEGSORT_HEAD_COUNT] = count;
    }
}
