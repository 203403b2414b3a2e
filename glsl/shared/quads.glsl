// Quads: four neighbouring rows of a segment, which an invocation holds. The number of its rows that
// come before each of them is what rank_quads.comp asks of every other quad of the segment.
#define SEGSORT_QUADS (uint(SEGSORT_WIDTH) / 4u)
#define SEGSORT_LANE_QUADS ((SEGSORT_TILE_ROWS + 4 * SEGSORT_THREADS - 1) / (4 * SEGSORT_THREADS))

// The same buffers by four words, for rows that start at a multiple of 16 bytes.
layout(std430, binding = SEGSORT_BINDING_KEYS) readonly buffer SegsortKeyQuads { uvec4 key_quads[]; };
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
layout(std430, binding = SEGSORT_BINDING_VALUES) readonly buffer SegsortValueQuads { uvec4 value_quads[]; };
#endif

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

// How many of four rows are less than a number, and than each of four. Of a segment's rows that come before a
// quad equal ones count too: those less than the number one above. Above the last number there is none, but
// then all rows before count.
uint segsort_count_less(uvec4 others, uint bound)
{
    uvec4 less;
    usubBorrow(others, uvec4(bound), less);
    return less.x + less.y + less.z + less.w;
}

uvec4 segsort_count_each(uvec4 others, uvec4 bounds)
{
    return uvec4(segsort_count_less(others, bounds.x), segsort_count_less(others, bounds.y),
                 segsort_count_less(others, bounds.z), segsort_count_less(others, bounds.w));
}

// Of those before, where the number is the last one: lane is the quad's number in its segment.
uvec4 segsort_count_all_before(uvec4 own, uint lane)
{
    return lane * 4u * uvec4(equal(own, uvec4(0xffffffffu)));
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

// Where an invocation's quads are; those behind the pack's end do what the last one does.
void segsort_place_quad(SegsortPack pack, uint number, out SegsortQuad quad)
{
    quad.row = min(4u * number, max(pack.rows, 4u) - 4u);
    quad.first = quad.row - quad.row % uint(SEGSORT_WIDTH);
}

// All of them behind one branch: a load behind a branch waits for the load before it.
void segsort_load_quads(SegsortPack pack, inout SegsortQuad quads[SEGSORT_LANE_QUADS])
{
#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_VALUE_INDEX == 0
    if (((pack.keys | pack.values) & 3u) == 0u) {
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            quads[n].keys = key_quads[(pack.keys + quads[n].row) >> 2];
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            for (uint i = 0u; i < SEGSORT_VALUE_QUADS; i++)
                quads[n].values[i] = value_quads[((pack.values + quads[n].row * SEGSORT_VALUE_WORDS) >> 2) + i];
    } else {
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            quads[n].keys = segsort_load_keys(pack.keys + quads[n].row);
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            for (uint i = 0u; i < SEGSORT_VALUE_QUADS; i++)
                quads[n].values[i] = segsort_load_values(pack.values + quads[n].row * SEGSORT_VALUE_WORDS + 4u * i);
    }
#else
    if ((pack.keys & 3u) == 0u)
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            quads[n].keys = key_quads[(pack.keys + quads[n].row) >> 2];
    else
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            quads[n].keys = segsort_load_keys(pack.keys + quads[n].row);
#endif
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++) {
#if SEGSORT_VALUE_INDEX
        quads[n].values[0] = segsort_made_values(quads[n].row - quads[n].first);
#endif
        quads[n].order = segsort_order_quad(quads[n].keys);
    }
}
