// Loads a pack's rows and stores them in their order: shared/bucket.glsl finds it.
//
// Values of wide packs, and keys that their numbers don't tell, are read again when the order is
// known; shared memory would let fewer work groups be under way.
//
// SEGSORT_NUMBERS_ROWS   1: values are the rows' numbers in their segments, and lie nowhere yet
#define SEGSORT_NUMBERS_ROWS (SEGSORT_VALUE_INDEX != 0 && SEGSORT_PACK_SINGLE == 0)
#define SEGSORT_VALUES_SHARED (SEGSORT_VALUE_WORDS > 0 && SEGSORT_NUMBERS_ROWS == 0 && SEGSORT_TILE_ROWS <= 1024)

#define SEGSORT_READS_AGAIN (SEGSORT_ORDER_HAS_KEY == 0 || (SEGSORT_VALUE_WORDS > 0 && SEGSORT_NUMBERS_ROWS == 0 && SEGSORT_VALUES_SHARED == 0))

#if SEGSORT_VALUES_SHARED
shared SEGSORT_VALUE shared_value[SEGSORT_TILE_ROWS];
#endif

void segsort_load_pack(SegsortPack pack)
{
    segsort_clear_lanes();
#if SEGSORT_VALUES_SHARED
    SEGSORT_VALUE lane_value[SEGSORT_PACK_LANE_ROWS];
#endif
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uint row = segsort_row_in(segsort_lane_row(n), pack.rows);
        lane_order[n] = segsort_order_of(segsort_read_key(pack.keys, row));
    }
#if SEGSORT_VALUES_SHARED
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uint row = segsort_row_in(segsort_lane_row(n), pack.rows);
        lane_value[n] = segsort_read_value(pack.values, row);
    }
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        shared_value[segsort_lane_row(n)] = lane_value[n];
#endif
}

SEGSORT_KEY segsort_moved_key(SegsortPack pack, SEGSORT_KEY order, uint row)
{
#if SEGSORT_ORDER_HAS_KEY
    return segsort_key_of_ordered(order);
#else
    return segsort_read_key(pack.keys, row);
#endif
}

#if SEGSORT_VALUE_WORDS > 0
SEGSORT_VALUE segsort_moved_value(SegsortPack pack, uint row)
{
#if SEGSORT_NUMBERS_ROWS
    return row - segsort_pack_segment(pack, row).x;
#elif SEGSORT_VALUES_SHARED
    return shared_value[row];
#else
    return segsort_read_value(pack.values, row);
#endif
}
#endif

// Lanes behind the pack's end store its last row once more, so that nothing has to branch.
void segsort_store_pack(SegsortPack pack, bool spread)
{
    SegsortRow rows[SEGSORT_PACK_LANE_ROWS];
    uint places[SEGSORT_PACK_LANE_ROWS];
    SEGSORT_KEY moved_keys[SEGSORT_PACK_LANE_ROWS];
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE moved_values[SEGSORT_PACK_LANE_ROWS];
#endif
    segsort_load_rows(pack, rows);
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        moved_keys[n] = segsort_moved_key(pack, rows[n].order, rows[n].info & 0xfffu);
#if SEGSORT_VALUE_WORDS > 0
        moved_values[n] = segsort_moved_value(pack, rows[n].info & 0xfffu);
#endif
    }
    segsort_find_final_places(rows, places);
#if SEGSORT_READS_AGAIN
    // In place the inputs are overwritten below: all of them have to be read first.
    groupMemoryBarrier();
    barrier();
#endif
    if (pack.rows > 0u)
        for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
            uint place = spread ? places[n] : segsort_row_in(segsort_lane_row(n), pack.rows);
            segsort_write_output_key(pack.output_keys, place, moved_keys[n]);
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(pack.output_values, place, moved_values[n]);
#endif
        }
}
