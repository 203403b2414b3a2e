#version 430
// Writes the segments of a list that only the GPU knows into the table. Segments of one row are
// finished here.
#define SEGSORT_TABLE_ACCESS
#include "shared/segments.glsl"
#include "shared/rows.glsl"
#include "shared/list.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

void segsort_finish_row(uvec4 offsets)
{
    SEGSORT_KEY key = segsort_read_key(view_word[0].x + offsets.x * SEGSORT_KEY_WORDS, 0u);
    segsort_write_output_key(view_word[0].z + offsets.z * SEGSORT_KEY_WORDS, 0u, key);
#if SEGSORT_VALUE_WORDS > 0
    uint output_word = view_word[0].w + offsets.w * SEGSORT_VALUE_WORDS;
#if SEGSORT_VALUE_INDEX
    segsort_write_output_value(output_word, 0u, 0u);
#else
    segsort_write_output_value(output_word, 0u,
                               segsort_read_value(view_word[0].y + offsets.y * SEGSORT_VALUE_WORDS, 0u));
#endif
#endif
}

#include "shared/list_scatter.glsl"

void main()
{
    segsort_scatter_list();
}
