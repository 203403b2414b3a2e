// Moves a tile's rows to where their digits go, by teams of invocations that are in step: a subgroup,
// or a half of one that has 64.
//
// A team has a run of neighbouring rows, and ranks as many of them at a time as it has lanes: each lane
// sets its bit in a word of the team's for its digit, and the word then has all lanes of that digit.
// Those below are the row's rank among them, beside what the team counted before. Counts of teams and
// digits, scanned, give the rows' places in the tile; shared memory brings them there, so that
// neighbouring invocations write neighbouring rows. A. Adinets and D. Merrill, "Onesweep: A Faster
// Least Significant Digit Radix Sort for GPUs", 2022, rank so.
//
// SEGSORT_TILE_ROWS   a multiple of SEGSORT_THREADS
#include "shared/memory.glsl"
#define SEGSORT_TEAM_LANES (SEGSORT_SUBGROUP_SIZE > 32 ? 32 : SEGSORT_SUBGROUP_SIZE)
#define SEGSORT_TEAMS (SEGSORT_THREADS / SEGSORT_TEAM_LANES)
#define SEGSORT_LANE_ROWS (SEGSORT_TILE_ROWS / SEGSORT_THREADS)
#define SEGSORT_COUNTERS (SEGSORT_TEAMS * SEGSORT_DIGITS)

// What is to be added to a row's place in the sorted tile, by its digit.
shared uint shared_start[SEGSORT_DIGITS];

// What a digit counts for each team, then lanes that have it; later the rows on their way.
shared uint shared_word[SEGSORT_TILE_ROWS > 2 * SEGSORT_COUNTERS ? SEGSORT_TILE_ROWS : 2 * SEGSORT_COUNTERS];

// What an invocation keeps of its rows: the digit and, below it, the place in 16 bits.
uint lane_entry[SEGSORT_LANE_ROWS];

// A lane's first row in the tile; the next ones are SEGSORT_TEAM_LANES apart.
uint segsort_lane_first_row()
{
    uint invocation = segsort_subgroup() * uint(SEGSORT_SUBGROUP_SIZE) + segsort_lane();
    uint team = invocation / uint(SEGSORT_TEAM_LANES), lane = invocation % uint(SEGSORT_TEAM_LANES);
    return team * uint(SEGSORT_TEAM_LANES * SEGSORT_LANE_ROWS) + lane;
}

uint segsort_lane_row(uint n)
{
    return segsort_lane_first_row() + n * uint(SEGSORT_TEAM_LANES);
}

void segsort_load_lane_keys(SegsortTile tile, uint from, uint rows, out SEGSORT_KEY lane_keys[SEGSORT_LANE_ROWS])
{
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        lane_keys[n] = segsort_read_key(from, tile.first_row + segsort_row_in(segsort_lane_row(n), rows));
}

#if SEGSORT_VALUE_WORDS > 0
void segsort_load_lane_values(SegsortTile tile, uint from, uint rows, out SEGSORT_VALUE lane_values[SEGSORT_LANE_ROWS])
{
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        lane_values[n] =
            segsort_read_source_value(source, from, tile.first_row + segsort_row_in(segsort_lane_row(n), rows));
}
#endif

// Behind the tile's end come rows of the greatest digit, which stay behind all others.
void segsort_find_lane_digits(SegsortTile tile, uint rows, SEGSORT_KEY lane_keys[SEGSORT_LANE_ROWS])
{
    uint places[SEGSORT_LANE_ROWS], digits[SEGSORT_LANE_ROWS];
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        places[n] = segsort_lane_row(n);
    segsort_find_digits(tile, lane_keys, places, digits);
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        lane_entry[n] = (places[n] < rows ? digits[n] : (1u << digit_bits) - 1u) << 16;
}

// ------------------------------------------------------------------------------------------------
// Ranks

void segsort_clear_counters()
{
    for (uint i = gl_LocalInvocationIndex; i < 2 * SEGSORT_COUNTERS; i += SEGSORT_THREADS)
        shared_word[i] = 0u;
    segsort_sync_shared();
}

// Lanes are in step, and what one of them writes the others read after it has written: there is
// nothing to wait for.
void segsort_rank_lane_rows()
{
    uint first = segsort_lane_first_row(), lane = segsort_lane() % uint(SEGSORT_TEAM_LANES);
    uint team_counters = first / uint(SEGSORT_TEAM_LANES * SEGSORT_LANE_ROWS) * SEGSORT_DIGITS;
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++) {
        uint counter = team_counters + (lane_entry[n] >> 16), matches = SEGSORT_COUNTERS + counter;
        atomicOr(shared_word[matches], 1u << lane);
        segsort_order_subgroup();
        uint matched = shared_word[matches], count = shared_word[counter];
        segsort_order_subgroup();
        uint below = bitCount(matched & ((1u << lane) - 1u));
        if (below == 0u) {
            shared_word[counter] = count + bitCount(matched);
            shared_word[matches] = 0u;
        }
        segsort_order_subgroup();
        lane_entry[n] |= count + below;
    }
    segsort_sync_shared();
}

// Turns the counters into the places in the tile where each team's rows of a digit begin, and the
// starts into what is to be added to a row's place in the tile to get that in the segment.
void segsort_scan_counters(uint starts[SEGSORT_LANE_DIGITS])
{
    uint counts[SEGSORT_LANE_DIGITS * SEGSORT_TEAMS], sum = 0u, total;
    uint first = gl_LocalInvocationIndex * SEGSORT_LANE_DIGITS;
    for (uint i = 0u; i < SEGSORT_LANE_DIGITS * SEGSORT_TEAMS; i++)
        counts[i] = shared_word[i % SEGSORT_TEAMS * SEGSORT_DIGITS + first + i / SEGSORT_TEAMS];
    for (uint i = 0u; i < SEGSORT_LANE_DIGITS * SEGSORT_TEAMS; i++)
        sum += counts[i];
    uint before = segsort_scan_exclusive(sum, total);
    for (uint i = 0u; i < SEGSORT_LANE_DIGITS * SEGSORT_TEAMS; i++) {
        uint digit = first + i / SEGSORT_TEAMS;
        if (i % SEGSORT_TEAMS == 0u)
            shared_start[digit] = starts[i / SEGSORT_TEAMS] - before;
        shared_word[i % SEGSORT_TEAMS * SEGSORT_DIGITS + digit] = before;
        before += counts[i];
    }
    segsort_sync_shared();
}

// Where the rows of a digit begin is known: makes ranks places.
void segsort_place_lane_rows()
{
    uint team_counters = segsort_lane_first_row() / uint(SEGSORT_TEAM_LANES * SEGSORT_LANE_ROWS) * SEGSORT_DIGITS;
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        lane_entry[n] += shared_word[team_counters + (lane_entry[n] >> 16)];
    segsort_sync_shared();
}

// ------------------------------------------------------------------------------------------------
// Ways

// The row of the sorted tile that an invocation brings to the segment: behind the tile's end the
// last one once more, so that nothing has to branch.
uint segsort_sorted_row(uint n, uint rows)
{
    return segsort_row_in(gl_LocalInvocationIndex + n * SEGSORT_THREADS, rows);
}

// Takes words of the lanes' rows, gives those of the sorted tile's rows.
void segsort_exchange(uint rows, inout uint words[SEGSORT_LANE_ROWS])
{
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        shared_word[lane_entry[n] & 0xffffu] = words[n];
    segsort_sync_shared();
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        words[n] = shared_word[segsort_sorted_row(n, rows)];
    segsort_sync_shared();
}

void segsort_exchange(uint rows, inout uvec2 words[SEGSORT_LANE_ROWS])
{
    uint low[SEGSORT_LANE_ROWS], high[SEGSORT_LANE_ROWS];
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++) {
        low[n] = words[n].x;
        high[n] = words[n].y;
    }
    segsort_exchange(rows, low);
    segsort_exchange(rows, high);
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        words[n] = uvec2(low[n], high[n]);
}

// Of the sorted tile's rows the digits: a bucket between splitters is dear to find again.
#if SEGSORT_SPLIT
void segsort_find_sorted_digits(uint rows, SEGSORT_KEY moved_keys[SEGSORT_LANE_ROWS], out uint digits[SEGSORT_LANE_ROWS])
{
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        digits[n] = lane_entry[n] >> 16;
    for (uint turn = segsort_cuts_evenly() ? 1u : 0u; turn < 1u; turn++)
        segsort_exchange(rows, digits);
    if (segsort_cuts_evenly())
        segsort_find_even_digits(moved_keys, digits);
}
#else
void segsort_find_sorted_digits(uint rows, SEGSORT_KEY moved_keys[SEGSORT_LANE_ROWS], out uint digits[SEGSORT_LANE_ROWS])
{
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        digits[n] = segsort_key_digit(moved_keys[n], digit_shift, digit_bits);
}
#endif

// The sorted tile's rows in the segment. A listed plan's segments may overlap, and then keys change
// under it: the counts don't fit them any more, but no row leaves its segment.
void segsort_find_moved_rows(SegsortTile tile, uint rows, SEGSORT_KEY moved_keys[SEGSORT_LANE_ROWS],
                             out uint moved_rows[SEGSORT_LANE_ROWS])
{
    uint digits[SEGSORT_LANE_ROWS];
    segsort_find_sorted_digits(rows, moved_keys, digits);
    for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
        moved_rows[n] = segsort_row_in(shared_start[digits[n]] + segsort_sorted_row(n, rows), tile.segment.rows);
}

// Keys and starts are under way while what parts the keys is looked up.
void segsort_scatter_tile(SegsortTile tile, uint number, uvec2 from, uvec2 to)
{
    uint rows = segsort_tile_rows(tile), moved_rows[SEGSORT_LANE_ROWS], starts[SEGSORT_LANE_DIGITS];
    SEGSORT_KEY lane_keys[SEGSORT_LANE_ROWS];
    segsort_load_lane_keys(tile, from.x, rows, lane_keys);
    segsort_load_starts(tile, number, starts);
    segsort_load_digit_bounds(tile, number);
    segsort_clear_counters();
    segsort_find_lane_digits(tile, rows, lane_keys);
    segsort_rank_lane_rows();
    segsort_scan_counters(starts);
    segsort_place_lane_rows();
#if SEGSORT_VALUE_WORDS > 0
    SEGSORT_VALUE lane_values[SEGSORT_LANE_ROWS];
    segsort_load_lane_values(tile, from.y, rows, lane_values);
#endif
    segsort_exchange(rows, lane_keys);
    segsort_find_moved_rows(tile, rows, lane_keys, moved_rows);
    if (rows > 0u)
        for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
            segsort_write_output_key(to.x, moved_rows[n], lane_keys[n]);
#if SEGSORT_VALUE_WORDS > 0
    segsort_exchange(rows, lane_values);
    if (rows > 0u)
        for (uint n = 0u; n < SEGSORT_LANE_ROWS; n++)
            segsort_write_output_value(to.y, moved_rows[n], lane_values[n]);
#endif
}
