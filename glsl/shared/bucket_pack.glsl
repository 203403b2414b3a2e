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

// Where a row of the pack lies: the words that its run starts at, and its number from there. It can be loaded in
// any case: where there is no row, another one's.
struct SegsortSpot {
    uint keys;
    uint values;
    uint row;
};

#if SEGSORT_PACK_SLOTS
SegsortSpot segsort_input_spot(SegsortPack pack, uint row)
{
    return SegsortSpot(pack.keys + segsort_slot_word(row, 0u) * SEGSORT_KEY_WORDS,
                       pack.values + segsort_slot_word(row, 1u) * SEGSORT_VALUE_WORDS,
                       segsort_row_in(row % uint(SEGSORT_WIDTH), segsort_slot_word(row, 4u)));
}

// Of a row that goes to a place, where it came from. Rows that spread lie close together, those of a slot behind
// all of the slots before.
SegsortSpot segsort_output_spot(SegsortPack pack, uint row, uint place, bool spread)
{
    uint slot = row / uint(SEGSORT_WIDTH), bucket = slot * uint(SEGSORT_WIDTH / SEGSORT_ROWS_A_BUCKET);
    uint first = spread ? bitfieldExtract(shared_bucket[SEGSORT_BANKED(bucket)], 12, 12) : slot * uint(SEGSORT_WIDTH);
    return SegsortSpot(pack.output_keys + segsort_slot_word(row, 2u) * SEGSORT_KEY_WORDS,
                       pack.output_values + segsort_slot_word(row, 3u) * SEGSORT_VALUE_WORDS, place - first);
}
#else
SegsortSpot segsort_input_spot(SegsortPack pack, uint row)
{
    return SegsortSpot(pack.keys, pack.values, segsort_row_in(row, pack.rows));
}

SegsortSpot segsort_output_spot(SegsortPack pack, uint row, uint place, bool spread)
{
    return SegsortSpot(pack.output_keys, pack.output_values, place);
}
#endif

SEGSORT_KEY segsort_input_key(SegsortPack pack, uint row)
{
    SegsortSpot spot = segsort_input_spot(pack, row);
    return segsort_read_key(spot.keys, spot.row);
}

#if SEGSORT_VALUE_WORDS > 0 && SEGSORT_NUMBERS_ROWS == 0
SEGSORT_VALUE segsort_input_value(SegsortPack pack, uint row)
{
    SegsortSpot spot = segsort_input_spot(pack, row);
    return segsort_read_value(spot.values, spot.row);
}
#endif

void segsort_load_pack(SegsortPack pack)
{
    segsort_clear_lanes();
#if SEGSORT_VALUES_SHARED
    SEGSORT_VALUE lane_value[SEGSORT_PACK_LANE_ROWS];
#endif
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        lane_order[n] = segsort_order_of(segsort_input_key(pack, segsort_lane_row(n)));
    }
#if SEGSORT_VALUES_SHARED
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        lane_value[n] = segsort_input_value(pack, segsort_lane_row(n));
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        shared_value[segsort_lane_row(n)] = lane_value[n];
#endif
}

SEGSORT_KEY segsort_moved_key(SegsortPack pack, SEGSORT_KEY order, uint row)
{
#if SEGSORT_ORDER_HAS_KEY
    return segsort_key_of_ordered(order);
#else
    return segsort_input_key(pack, row);
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
    return segsort_input_value(pack, row);
#endif
}
#endif

// Lanes behind the pack's end store its last row once more, so that nothing has to branch; but where rows that don't
// spread lie in slots.
void segsort_store_pack(SegsortPack pack, bool spread)
{
    SegsortRow rows[SEGSORT_PACK_LANE_ROWS];
    uint places[SEGSORT_PACK_LANE_ROWS], place_count = segsort_place_count(pack, spread);
    SEGSORT_KEY moved_keys[SEGSORT_PACK_LANE_ROWS];
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE moved_values[SEGSORT_PACK_LANE_ROWS];
#endif
    segsort_load_rows(place_count, rows);
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        moved_keys[n] = segsort_moved_key(pack, rows[n].order, rows[n].info & 0xfffu);
#if SEGSORT_VALUE_WORDS > 0
        moved_values[n] = segsort_moved_value(pack, rows[n].info & 0xfffu);
#endif
    }
    segsort_find_final_places(rows, places);
#if SEGSORT_READS_AGAIN && SEGSORT_PACK_SINGLE == 0
    segsort_sync_in_place();
#endif
    if (place_count > 0u)
        for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
            uint place = spread ? places[n] : segsort_row_in(segsort_lane_row(n), place_count);
#if SEGSORT_PACK_SLOTS
            if (!spread && !segsort_pack_has(pack, place))
                continue;
#endif
            SegsortSpot spot = segsort_output_spot(pack, rows[n].info & 0xfffu, place, spread);
            segsort_write_output_key(spot.keys, spot.row, moved_keys[n]);
#if SEGSORT_VALUE_WORDS > 0
            segsort_write_output_value(spot.values, spot.row, moved_values[n]);
#endif
        }
}
