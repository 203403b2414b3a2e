#version 430
// Sorts segments of SEGSORT_WIDTH rows, 4, 8, ... 256, and 32-bit keys: an invocation holds four
// neighbouring rows and counts for each how many rows of the segment come before it. One barrier.
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

#define SEGSORT_QUADS (uint(SEGSORT_WIDTH) / 4u)
#define SEGSORT_LANE_QUADS ((SEGSORT_TILE_ROWS + 4 * SEGSORT_THREADS - 1) / (4 * SEGSORT_THREADS))

// The same buffers by four words, for rows that start at a multiple of 16 bytes.
layout(std430, binding = SEGSORT_BINDING_KEYS) readonly buffer SegsortKeyQuads { uvec4 key_quads[]; };
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
layout(std430, binding = SEGSORT_BINDING_VALUES) readonly buffer SegsortValueQuads { uvec4 value_quads[]; };
#endif

shared uvec4 shared_quad[SEGSORT_LANE_QUADS * SEGSORT_THREADS];

uvec4 segsort_load_keys(uint word)
{
    return uvec4(keys[word], keys[word + 1u], keys[word + 2u], keys[word + 3u]);
}

#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
uvec4 segsort_load_values(uint word)
{
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
// What an invocation loads of its rows' values.
#if SEGSORT_VALUE_INDEX
#define SEGSORT_VALUE_QUADS 1
uvec4 segsort_made_values(uint in_segment)
{
    return in_segment + uvec4(0u, 1u, 2u, 3u);
}
#else
#define SEGSORT_VALUE_QUADS SEGSORT_VALUE_WORDS
#endif

SEGSORT_VALUE segsort_lane_value(uvec4 quads[SEGSORT_VALUE_QUADS], uint n)
{
#if SEGSORT_VALUE_WORDS == 1
    return quads[0][n];
#else
    return n < 2u ? uvec2(quads[0][2u * n], quads[0][2u * n + 1u]) : uvec2(quads[1][2u * n - 4u], quads[1][2u * n - 3u]);
#endif
}
#endif

// Four neighbouring rows of an invocation.
struct SegsortQuad {
    uint row;   // the first one's in the pack
    uint first; // the first row of its segment
    uvec4 keys;
    uvec4 order;
#if SEGSORT_VALUE_WORDS > 0
    uvec4 values[SEGSORT_VALUE_QUADS];
#endif
};

// Invocations behind the pack's end do what the last one does.
void segsort_load_quad(SegsortPack pack, uint number, out SegsortQuad quad)
{
    quad.row = min(4u * number, max(pack.rows, 4u) - 4u);
    quad.first = quad.row - quad.row % uint(SEGSORT_WIDTH);
    uint key_word = pack.keys + quad.row;
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
    uint value_word = pack.values + quad.row * SEGSORT_VALUE_WORDS;
    if (((key_word | value_word) & 3u) == 0u) {
        quad.keys = key_quads[key_word >> 2];
        for (uint i = 0u; i < SEGSORT_VALUE_QUADS; i++)
            quad.values[i] = value_quads[(value_word >> 2) + i];
    } else {
        quad.keys = segsort_load_keys(key_word);
        for (uint i = 0u; i < SEGSORT_VALUE_QUADS; i++)
            quad.values[i] = segsort_load_values(value_word + 4u * i);
    }
#else
    if ((key_word & 3u) == 0u)
        quad.keys = key_quads[key_word >> 2];
    else
        quad.keys = segsort_load_keys(key_word);
#endif
#if SEGSORT_VALUE_INDEX
    quad.values[0] = segsort_made_values(quad.row - quad.first);
#endif
}

void segsort_store_quad(SegsortPack pack, SegsortQuad quad)
{
    uvec4 places = quad.first + segsort_rank_quad(quad.order, quad.first / 4u, (quad.row - quad.first) / 4u);
    for (uint i = 0u; i < 4u; i++) {
        segsort_write_output_key(pack.output_keys, places[i], quad.keys[i]);
#if SEGSORT_VALUE_WORDS > 0
        segsort_write_output_value(pack.output_values, places[i], segsort_lane_value(quad.values, i));
#endif
    }
}

void main()
{
    SegsortPack pack = segsort_pack_or_empty(segsort_group());
    SegsortQuad quads[SEGSORT_LANE_QUADS];
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
        segsort_load_quad(pack, gl_LocalInvocationIndex + n * SEGSORT_THREADS, quads[n]);
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++) {
        quads[n].order = segsort_order_quad(quads[n].keys);
        shared_quad[quads[n].row / 4u] = quads[n].order;
    }
    memoryBarrierShared();
    barrier();
    if (pack.rows > 0u)
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            segsort_store_quad(pack, quads[n]);
}
