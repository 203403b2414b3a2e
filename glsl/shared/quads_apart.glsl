// Sorts a pack by quads whose invocations meet at a barrier, wherever a segment's are: any multiple of
// four rows. A quad goes through shared memory once, and rows are stored where they belong.
shared uvec4 shared_quad[SEGSORT_LANE_QUADS * SEGSORT_THREADS];

// lane is the quad's number in its segment, first the segment's first one in the pack.
uvec4 segsort_rank_quad(uvec4 own, uint first, uint lane)
{
    uvec4 rank = segsort_rank_own(own) + segsort_count_all_before(own, lane);
    for (uint i = 1u; i < SEGSORT_QUADS; i++) {
#if (SEGSORT_WIDTH & (SEGSORT_WIDTH - 1)) == 0
        uint other = lane ^ i;
#else
        uint other = lane + i;
        other -= other >= SEGSORT_QUADS ? SEGSORT_QUADS : 0u;
#endif
        rank += segsort_count_each(shared_quad[first + other], own + (other < lane ? 1u : 0u));
    }
    return rank;
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

void segsort_sort_quads(SegsortPack pack)
{
    SegsortQuad quads[SEGSORT_LANE_QUADS];
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
        segsort_place_quad(pack, gl_LocalInvocationIndex + n * SEGSORT_THREADS, quads[n]);
    segsort_load_quads(pack, quads);
    for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
        shared_quad[quads[n].row / 4u] = quads[n].order;
    memoryBarrierShared();
    barrier();
    if (pack.rows > 0u)
        for (uint n = 0u; n < SEGSORT_LANE_QUADS; n++)
            segsort_store_quad(pack, quads[n]);
}
