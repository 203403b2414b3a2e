// Sorts a pack by quads that the lanes of a subgroup hand to each other, where a power of two of them hold a
// segment: no barrier. Lanes have neighbouring quads. Rows go to their places by way of shared memory, so that
// each lane stores neighbouring rows as well: else every store would touch all of a segment's memory.
#define SEGSORT_SEGMENT_LANES (SEGSORT_QUADS / uint(SEGSORT_LANE_QUADS))

shared uint shared_key[4 * SEGSORT_LANE_QUADS * SEGSORT_THREADS];
#if SEGSORT_VALUE_WORDS > 0
shared SEGSORT_VALUE shared_value[4 * SEGSORT_LANE_QUADS * SEGSORT_THREADS];
#if SEGSORT_VALUE_WORDS == 1
layout(std430, binding = SEGSORT_BINDING_OUTPUT_KEYS) writeonly buffer SegsortOutputKeyQuads { uvec4 output_key_quads[]; };
layout(std430, binding = SEGSORT_BINDING_OUTPUT_VALUES) writeonly buffer SegsortOutputValueQuads { uvec4 output_value_quads[]; };
#endif
#endif

void segsort_rank_quads(SegsortQuad quads[SEGSORT_LANE_QUADS], out uvec4 ranks[SEGSORT_LANE_QUADS])
{
    uint own = segsort_lane() % SEGSORT_SEGMENT_LANES;
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++) {
        ranks[n] = segsort_rank_own(quads[n].order) + segsort_count_all_before(quads[n].order, own * SEGSORT_LANE_QUADS + n);
        for (uint i = 0u; i < SEGSORT_LANE_QUADS; i++)
            if (i != n)
                ranks[n] += segsort_count_each(quads[i].order, quads[n].order + (i < n ? 1u : 0u));
    }
    for (uint distance = 1u; distance < SEGSORT_SEGMENT_LANES; distance++) {
        uint before = (own ^ distance) < own ? 1u : 0u;
        for (uint i = 0u; i < SEGSORT_LANE_QUADS; i++) {
            uvec4 others = segsort_lane_apart(quads[i].order, distance);
            for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
                ranks[n] += segsort_count_each(others, quads[n].order + before);
        }
    }
}

// The pack's rows from that one on, four of them.
void segsort_store_quad(SegsortPack pack, uint row)
{
    uvec4 row_keys = uvec4(shared_key[row], shared_key[row + 1u], shared_key[row + 2u], shared_key[row + 3u]);
    uint key_word = pack.output_keys + row;
#if SEGSORT_VALUE_WORDS == 1
    uvec4 row_values = uvec4(shared_value[row], shared_value[row + 1u], shared_value[row + 2u], shared_value[row + 3u]);
    uint value_word = pack.output_values + row;
    if (((key_word | value_word) & 3u) == 0u) {
        output_key_quads[key_word >> 2] = row_keys;
        output_value_quads[value_word >> 2] = row_values;
        return;
    }
#endif
    for (uint i = 0u; i < 4u; i++) {
        segsort_write_output_key(key_word, i, row_keys[i]);
#if SEGSORT_VALUE_WORDS > 0
        segsort_write_output_value(pack.output_values, row + i, shared_value[row + i]);
#endif
    }
}

// A lane behind the pack's end loads what others have; what it does with it nobody looks at.
void segsort_sort_quads(SegsortPack pack)
{
    SegsortQuad quads[SEGSORT_LANE_QUADS];
    uvec4 ranks[SEGSORT_LANE_QUADS];
    uint own = gl_LocalInvocationIndex * SEGSORT_LANE_QUADS, first = 4u * (own - own % SEGSORT_QUADS);
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
        segsort_place_quad(pack, own + n, quads[n]);
    segsort_load_quads(pack, quads);
    segsort_rank_quads(quads, ranks);
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
        for (uint i = 0u; i < 4u; i++) {
            shared_key[first + ranks[n][i]] = quads[n].keys[i];
#if SEGSORT_VALUE_WORDS > 0
            shared_value[first + ranks[n][i]] = segsort_lane_value(quads[n].values, i);
#endif
        }
    segsort_order_subgroup();
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++) {
        uint row = 4u * (own + n);
        if (row < pack.rows)
            segsort_store_quad(pack, row);
    }
}
