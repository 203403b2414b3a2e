#version 430
// Makes a depth key for each row (plugin/gl_segsort_keys.h defines it). Belongs to no plan: all that
// it works by are uniforms.
#define SEGSORT_NO_PASS
#include "shared/buffers.glsl"
#include "shared/positions.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

layout(location = SEGSORT_LOCATION_DEPTH_PLANES) uniform uvec4 depth_planes[SEGSORT_DEPTH_PLANES];

#define SEGSORT_NAN 0x7fc00000u

bool segsort_depth_has(uint flag)
{
    return (view_word[1].w & flag) != 0u;
}

// 0 below 2^-125, not just below the least normal number: drivers disagree about what rounds up to
// that.
float segsort_product(float a, float b)
{
    precise float number = a * b;
    return (floatBitsToUint(number) & 0x7f000000u) == 0u ? 0.0 : number;
}

float segsort_plane_distance(uint plane, vec3 position)
{
    uvec4 bits = depth_planes[plane];
    float x = segsort_product(segsort_normal(bits.x), position.x);
    float y = segsort_product(segsort_normal(bits.y), position.y);
    float z = segsort_product(segsort_normal(bits.z), position.z);
    return segsort_sum(segsort_sum(segsort_sum(x, y), z), segsort_normal(bits.w));
}

float segsort_square(float number)
{
    return segsort_product(number, number);
}

float segsort_depth(vec3 position)
{
    float x = segsort_plane_distance(0u, position);
    if (!segsort_depth_has(SEGSORT_DEPTH_DISTANCE))
        return x;
    float y = segsort_plane_distance(1u, position), z = segsort_plane_distance(2u, position);
    return segsort_sum(segsort_sum(segsort_square(x), segsort_square(y)), segsort_square(z));
}

// One NaN for all, whatever drivers make of infinities that cancel each other out.
uint segsort_depth_key(uint row)
{
    uint position = segsort_depth_has(SEGSORT_DEPTH_INDEXED) ? values[view_word[0].y + row] : row;
    uvec3 bits = segsort_load_position(position);
    vec3 normal = vec3(segsort_normal(bits.x), segsort_normal(bits.y), segsort_normal(bits.z));
    uint key = floatBitsToUint(segsort_depth(normal));
    return segsort_is_finite(bits) && (key & 0x7fffffffu) <= 0x7f800000u ? key : SEGSORT_NAN;
}

// Where a dispatch has fewer work groups than there is work, each goes on with what is left.
void main()
{
    uint rows = view_word[1].z;
    if (segsort_depth_has(SEGSORT_DEPTH_COUNTED))
        rows = min(rows, table[view_word[0].w]);
    uint group = gl_WorkGroupID.x + gl_NumWorkGroups.x * (gl_WorkGroupID.y + gl_NumWorkGroups.y * gl_WorkGroupID.z);
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
    uint end = rows == 0u ? 0u : (rows - 1u) / SEGSORT_THREADS + 1u;
    for (; group < end; group += groups) {
        uint row = group * SEGSORT_THREADS + gl_LocalInvocationIndex;
        if (row < rows)
            output_keys[view_word[0].z + row] = segsort_depth_key(row);
    }
}
