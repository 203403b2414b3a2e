#version 430
// Sorts segments of SEGSORT_WIDTH rows, 4, 8, ... 256, and 32-bit keys: an invocation holds four
// neighbouring rows, or twice four, and counts for each how many rows of the segment come before it.
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"
#include "shared/subgroup.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

#include "shared/quads.glsl"
#if SEGSORT_SUBGROUP_SIZE > 0
#include "shared/quads_in_step.glsl"
#else
#include "shared/quads_apart.glsl"
#endif

void main()
{
    segsort_sort_quads(segsort_pack_or_empty(segsort_group()));
}
