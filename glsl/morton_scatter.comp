#version 430
// list_scatter for Morton codes: segments of one row get their code here.
#define SEGSORT_TABLE_ACCESS
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/list.glsl"
#include "shared/morton.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

// Its box has no extent.
void segsort_finish_row(uvec4 offsets)
{
    segsort_write_code(offsets.x, SegsortGrid(vec3(0.0), vec3(0.0)));
}

#include "shared/list_scatter.glsl"

void main()
{
    segsort_scatter_list();
}
