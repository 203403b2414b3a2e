#version 430
// Makes the long segments' boxes empty ones. An invocation has a segment.
#define SEGSORT_TABLE_ACCESS
#include "shared/segments.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void main()
{
    uint segment = segsort_group() * SEGSORT_THREADS + gl_LocalInvocationIndex;
    if (segment < item_count)
        for (uint n = 0u; n < SEGSORT_BOX_WORDS; n++)
            table[box_word + segment * SEGSORT_BOX_WORDS + n] = n < SEGSORT_BOX_WORDS / 2u ? 0xffffffffu : 0u;
}
