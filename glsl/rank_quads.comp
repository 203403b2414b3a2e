#version 430
// Sorts segments of SEGSORT_WIDTH rows, 12, 16, ... 32, and 32-bit keys: an invocation holds four
// neighbouring rows and counts for each how many rows of the segment come before it. One barrier.
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

#define SEGSORT_QUADS (uint(SEGSORT_WIDTH) / 4u)

// The same buffers by four words, for rows that start at a multiple of 16 bytes.
layout(std430, binding = SEGSORT_BINDING_KEYS) readonly buffer SegsortKeyQuads { uvec4 key_quads[]; };
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
layout(std430, binding = SEGSORT_BINDING_VALUES) readonly buffer SegsortValueQuads { uvec4 value_quads[]; };
#endif

shared uvec4 shared_quad[SEGSORT_THREADS];

uvec4 segsort_load_keys(uint word)
{
    if ((word & 3u) == 0u)
        return key_quads[word >> 2];
    return uvec4(keys[word], keys[word + 1u], keys[word + 2u], keys[word + 3u]);
}

#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
uvec4 segsort_load_values(uint word)
{
    if ((word & 3u) == 0u)
        return value_quads[word >> 2];
    return uvec4(values[word], values[word + 1u], values[word + 2u], values[word + 3u]);
}
#endif

uvec4 segsort_order_quad(uvec4 quad)
{
    return uvec4(segsort_order_of(quad.x), segsort_order_of(quad.y), segsort_order_of(quad.z), segsort_order_of(quad.w));
}

// Places of four rows among themselves; equal ones stay as they are.
uvec4 segsort_rank_own(uvec4 quad)
{
    uint xy = uint(quad.x <= quad.y), xz = uint(quad.x <= quad.z), xw = uint(quad.x <= quad.w);
    uint yz = uint(quad.y <= quad.z), yw = uint(quad.y <= quad.w), zw = uint(quad.z <= quad.w);
    return uvec4(3u - xy - xz - xw, 2u + xy - yz - yw, 1u + xz + yz - zw, xw + yw + zw);
}

uint segsort_count_less(uvec4 others, uint bound)
{
    return uint(others.x < bound) + uint(others.y < bound) + uint(others.z < bound) + uint(others.w < bound);
}

// lane is the quad's number in its segment, first the invocation that has the
// segment's first one. Of the rows before, equal ones count too: those less than the number one
// above. Above the last number there is none, but then all rows before count.
uvec4 segsort_rank_quad(uvec4 own, uint first, uint lane)
{
    uvec4 rank = segsort_rank_own(own);
    rank += lane * 4u * uvec4(equal(own, uvec4(0xffffffffu)));
    for (uint i = 1u; i < SEGSORT_QUADS; i++) {
        uint other = lane + i;
        other -= other >= SEGSORT_QUADS ? SEGSORT_QUADS : 0u;
        uvec4 others = shared_quad[first + other], bounds = own + (other < lane ? 1u : 0u);
        rank.x += segsort_count_less(others, bounds.x);
        rank.y += segsort_count_less(others, bounds.y);
        rank.z += segsort_count_less(others, bounds.z);
        rank.w += segsort_count_less(others, bounds.w);
    }
    return rank;
}

#if SEGSORT_VALUE_WORDS > 0
void segsort_load_lane_values(SegsortPack pack, uint row, uint in_segment, out SEGSORT_VALUE moved[4])
{
#if SEGSORT_VALUE_INDEX
    for (uint n = 0u; n < 4u; n++)
        moved[n] = in_segment + n;
#elif SEGSORT_VALUE_WORDS == 1
    uvec4 quad = segsort_load_values(pack.values + row);
    moved = uint[4](quad.x, quad.y, quad.z, quad.w);
#else
    uvec4 low = segsort_load_values(pack.values + row * 2u), high = segsort_load_values(pack.values + row * 2u + 4u);
    moved = uvec2[4](low.xy, low.zw, high.xy, high.zw);
#endif
}
#endif

void main()
{
    SegsortPack pack = segsort_pack_or_empty(segsort_group());
    uint row = 4u * gl_LocalInvocationIndex, first = row - row % uint(SEGSORT_WIDTH);
    uvec4 quad = uvec4(0u), order = uvec4(0u);
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE moved[4];
#endif
    if (row < pack.rows) {
        quad = segsort_load_keys(pack.keys + row);
        order = segsort_order_quad(quad);
#if SEGSORT_VALUE_WORDS > 0
        segsort_load_lane_values(pack, row, row - first, moved);
#endif
    }
    shared_quad[gl_LocalInvocationIndex] = order;
    memoryBarrierShared();
    barrier();
    if (row < pack.rows) {
        uvec4 places = first + segsort_rank_quad(order, first / 4u, (row - first) / 4u);
        for (uint n = 0u; n < 4u; n++) {
            segsort_write_output_key(pack.output_keys, places[n], quad[n]);
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(pack.output_values, places[n], moved[n]);
#endif
        }
    }
}
