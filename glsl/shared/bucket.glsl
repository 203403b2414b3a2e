// Sorts the rows of a pack by buckets, stably, in a handful of barriers.
//
// Each segment has as many buckets as rows (or half as many), and a key's place in the span of all
// keys of the pack tells its bucket, as in a table of a hash function that keeps the order: K. E.
// Neubert, "The FlashSort1 algorithm", Dr. Dobb's Journal 1998; R. Sedgewick's distribution
// counting. Counting the buckets and a scan over the counts order the rows up to a few neighbours,
// and these each row counts. Since rows are numbered through the pack, one scan serves all
// segments, and neither their number nor their lengths matter.
//
// Keys that crowd into few buckets would make that last step long: then the span is measured and
// taken anew, and if they crowd still, a narrow pack's rows are compared with all of their segment, and a
// wide one's runs of rows are merged instead, each row finding its place by binary search in the run beside
// its own (N. Satish, M. Harris, M. Garland, IPDPS 2009).
//
// SEGSORT_TILE_ROWS   rows of a pack at most, 256 to 4096
// SEGSORT_THREADS     divides it
#include "shared/memory.glsl"
#define SEGSORT_PACK_LANE_ROWS (SEGSORT_TILE_ROWS / SEGSORT_THREADS)
// Two rows a bucket leave more shared memory to wide packs; a segment of one row would share its
// bucket then, but has no place there.
#if SEGSORT_TILE_ROWS >= 1024
#define SEGSORT_ROWS_A_BUCKET 2
#else
#define SEGSORT_ROWS_A_BUCKET 1
#endif
#define SEGSORT_BUCKETS (SEGSORT_TILE_ROWS / SEGSORT_ROWS_A_BUCKET)
#define SEGSORT_LANE_BUCKETS (SEGSORT_BUCKETS / SEGSORT_THREADS)

#define SEGSORT_BUCKET_WORDS (SEGSORT_BUCKETS + SEGSORT_BUCKETS / 32 + 1)

// Lanes behind the pack's end count as well, in words that nobody looks at: so nothing has to branch.
#define SEGSORT_SPARE_BUCKETS 32

// Up to so many rows comparing all takes no longer than merging, and fewer registers, which the rows that do
// spread pay for.
#define SEGSORT_MERGES (SEGSORT_TILE_ROWS > 512)

// Most rows that a bucket may have when the span is a guess, and when it was measured: docs/tuning.md.
#define SEGSORT_CROWD_GUESSED 16u
#define SEGSORT_CROWD_MEASURED 128u

#define SEGSORT_FEW_ROWS 2u

// Floats of which all bits count are tried by their values first, others that have no full span by
// the measured one, as are the rows of a long segment's buckets, which have a part of any span.
#define SEGSORT_TRIES_VALUES (SEGSORT_KEY_TYPE == 2 && SEGSORT_KEY_MASKED == 0)
#if SEGSORT_TRIES_VALUES || (SEGSORT_KEY_TYPE != 2 && SEGSORT_PACK_SINGLE == 0)
#define SEGSORT_FIRST_ATTEMPT 0u
#else
#define SEGSORT_FIRST_ATTEMPT 1u
#endif

// First as counters, then as | rows | first row | 0 | in 8, 12 and 12 bits.
shared uint shared_bucket[SEGSORT_BUCKET_WORDS + SEGSORT_SPARE_BUCKETS];

// What a row is known by: its bucket's word, and its number in the pack in the lowest 12 bits.
#if SEGSORT_KEY_WORDS == 1
shared uvec2 shared_row[SEGSORT_TILE_ROWS];
#else
shared uint shared_row[SEGSORT_TILE_ROWS];
shared uvec2 shared_order[SEGSORT_TILE_ROWS];
#endif
shared uint shared_low[2 * SEGSORT_KEY_WORDS], shared_high[2 * SEGSORT_KEY_WORDS]; // floats' second high is without NaN
shared uint shared_crowded[2];
#if SEGSORT_MERGES
shared uint shared_longest;
#endif

// What an invocation keeps of its rows: gl_LocalInvocationIndex + n * SEGSORT_THREADS.
SEGSORT_KEY lane_order[SEGSORT_PACK_LANE_ROWS];
uint lane_bucket[SEGSORT_PACK_LANE_ROWS];
uint lane_place[SEGSORT_PACK_LANE_ROWS];

// Rows that the buckets have: where slots have room left, these lie closer together than in the slots.
uint spread_rows;

// Lanes behind the pack's end have no row, and nothing of theirs is ever stored.
void segsort_clear_lanes()
{
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        lane_order[n] = SEGSORT_KEY(0u);
        lane_bucket[n] = 0u;
        lane_place[n] = 0u;
    }
}

struct SegsortRow {
    uint info;
    SEGSORT_KEY order;
};

uint segsort_lane_row(uint n)
{
    return gl_LocalInvocationIndex + n * SEGSORT_THREADS;
}

SegsortRow segsort_load_row(uint row)
{
#if SEGSORT_KEY_WORDS == 1
    uvec2 words = shared_row[row];
    return SegsortRow(words.x, words.y);
#else
    return SegsortRow(shared_row[row], shared_order[row]);
#endif
}

void segsort_store_row(uint row, SegsortRow stored)
{
#if SEGSORT_KEY_WORDS == 1
    shared_row[row] = uvec2(stored.info, stored.order);
#else
    shared_row[row] = stored.info;
    shared_order[row] = stored.order;
#endif
}

bool segsort_row_is_before(SegsortRow a, SegsortRow b)
{
    return segsort_order_precedes(a.order, a.info, b.order, b.info);
}

void segsort_clear_buckets()
{
    for (uint i = gl_LocalInvocationIndex; i < SEGSORT_BUCKET_WORDS; i += SEGSORT_THREADS)
        shared_bucket[i] = 0u;
}

void segsort_clear_spans()
{
    if (gl_LocalInvocationIndex < 2u * SEGSORT_KEY_WORDS) {
        shared_low[gl_LocalInvocationIndex] = 0xffffffffu;
        shared_high[gl_LocalInvocationIndex] = 0u;
    }
    if (gl_LocalInvocationIndex < 2u)
        shared_crowded[gl_LocalInvocationIndex] = 0u;
#if SEGSORT_MERGES
    if (gl_LocalInvocationIndex == 0u)
        shared_longest = 0u;
#endif
}

// ------------------------------------------------------------------------------------------------
// Spans

#if SEGSORT_KEY_WORDS == 1
void segsort_widen_span(SegsortPack pack)
{
    uint low = 0xffffffffu, high = 0u, number_high = 0u;
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        if (segsort_pack_has(pack, segsort_lane_row(n))) {
            low = min(low, lane_order[n]);
            high = max(high, lane_order[n]);
#if SEGSORT_TRIES_VALUES
            number_high = max(number_high, lane_order[n] == SEGSORT_KEY_ORDERED_NAN ? 0u : lane_order[n]);
#endif
        }
    atomicMin(shared_low[0], low);
    atomicMax(shared_high[0], high);
#if SEGSORT_TRIES_VALUES
    atomicMax(shared_high[1], number_high);
#endif
}

uint segsort_measured_distance()
{
    return shared_high[0] - shared_low[0];
}

SegsortSpan segsort_measured_span()
{
    return SegsortSpan(shared_low[0], segsort_span_shift(segsort_measured_distance()));
}
#else
// The lower words only count where all upper ones are equal.
void segsort_widen_span(SegsortPack pack)
{
    uvec2 low = uvec2(0xffffffffu), high = uvec2(0u);
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        if (segsort_pack_has(pack, segsort_lane_row(n))) {
            low = min(low, lane_order[n]);
            high = max(high, lane_order[n]);
        }
    atomicMin(shared_low[0], low.x);
    atomicMax(shared_high[0], high.x);
    atomicMin(shared_low[1], low.y);
    atomicMax(shared_high[1], high.y);
}

uvec2 segsort_measured_distance()
{
    if (shared_low[1] == shared_high[1])
        return uvec2(shared_high[0] - shared_low[0], 0u);
    return uvec2(0xffffffffu, shared_high[1] - shared_low[1]);
}

SegsortSpan segsort_measured_span()
{
    uint low = shared_low[1] == shared_high[1] ? shared_low[0] : 0u;
    return SegsortSpan(uvec2(low, shared_low[1]), segsort_span_shift(segsort_measured_distance()));
}
#endif

bool segsort_measured_equal()
{
    return segsort_measured_distance() == SEGSORT_KEY(0u);
}

#if SEGSORT_TRIES_VALUES
// Floats seldom fill the span of their bits, and most often lie evenly between two of them: so they are
// tried by what they are before they are tried by their bits.
struct SegsortScale {
    float low;
    float inverse; // 0: the least and the greatest are too far apart, or not at all
};

SegsortScale segsort_measured_scale()
{
    float low = segsort_key_value(shared_low[0]), distance = segsort_key_value(shared_high[1]) - low;
    bool told = shared_low[0] < shared_high[1] && distance > 1e-30 && distance < 1e38;
    return SegsortScale(low, told ? 1.0 / distance : 0.0);
}

// Each step of it grows with the number, rounded or not.
uint segsort_scale_place(SegsortScale scale, uint number)
{
    if (number == SEGSORT_KEY_ORDERED_NAN)
        return 0xffffffffu;
    if (scale.inverse == 0.0)
        return 0u;
    return uint(clamp((segsort_key_value(number) - scale.low) * scale.inverse, 0.0, 1.0) * 4294967040.0);
}
#endif

// ------------------------------------------------------------------------------------------------
// Buckets

// Where in the span a row lies, by the attempt's measure.
uint segsort_row_place(SegsortSpan span, SEGSORT_KEY order, uint attempt)
{
#if SEGSORT_TRIES_VALUES
    if (attempt == 0u)
        return segsort_scale_place(segsort_measured_scale(), order);
#endif
    return segsort_span_place(span, order);
}

// The first bucket of a row's segment, and how many there are. A slot has its own, however many rows.
uvec2 segsort_segment_buckets(SegsortPack pack, uint row)
{
#if SEGSORT_PACK_SLOTS
    return uvec2(row / uint(SEGSORT_WIDTH), 1u) * uint(SEGSORT_WIDTH / SEGSORT_ROWS_A_BUCKET);
#else
    uvec2 segment = segsort_pack_segment(pack, row);
    uvec2 buckets = (segment + uint(SEGSORT_ROWS_A_BUCKET - 1)) / uint(SEGSORT_ROWS_A_BUCKET);
    return uvec2(buckets.x, buckets.y - buckets.x);
#endif
}

void segsort_count_buckets(SegsortPack pack, SegsortSpan span, uint attempt)
{
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uvec2 buckets = segsort_segment_buckets(pack, segsort_lane_row(n));
        uint place = segsort_row_place(span, lane_order[n], attempt);
        lane_bucket[n] = SEGSORT_BANKED(buckets.x + segsort_multiply_high(place, buckets.y));
        if (!segsort_pack_has(pack, segsort_lane_row(n)))
            lane_bucket[n] = SEGSORT_BUCKET_WORDS + gl_LocalInvocationIndex % SEGSORT_SPARE_BUCKETS;
    }
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        lane_place[n] = atomicAdd(shared_bucket[lane_bucket[n]], 1u);
    segsort_sync_shared();
}

// Turns the counters into the buckets' first rows. Returns the most rows of a bucket of the
// invocation's.
uint segsort_scan_buckets()
{
    uint counts[SEGSORT_LANE_BUCKETS], sum = 0u, most = 0u, total;
    uint first = SEGSORT_BANKED(gl_LocalInvocationIndex * SEGSORT_LANE_BUCKETS);
    for (uint i = 0u; i < SEGSORT_LANE_BUCKETS; i++) {
        counts[i] = shared_bucket[first + i];
        sum += counts[i];
        most = max(most, counts[i]);
    }
    uint before = segsort_scan_exclusive(sum, total);
    spread_rows = total;
    for (uint i = 0u; i < SEGSORT_LANE_BUCKETS; i++) {
        shared_bucket[first + i] = (min(counts[i], 255u) << 24) | ((before & 0xfffu) << 12);
        before += counts[i];
    }
    return most;
}

// Tries a span: the whole one, or of floats the measured one by their values, then the measured one. Returns whether the
// rows spread over the buckets. attempt is the same in all invocations.
bool segsort_spread_rows(SegsortPack pack, uint attempt)
{
    SegsortSpan span = segsort_span_full();
    for (uint i = SEGSORT_TRIES_VALUES ? 0u : 1u; i <= attempt; i++) {
        segsort_widen_span(pack);
        segsort_clear_buckets();
        segsort_sync_shared();
        span = segsort_measured_span();
    }
    segsort_count_buckets(pack, span, attempt);
    uint most = segsort_scan_buckets();
    if (most > (attempt == 0u ? SEGSORT_CROWD_GUESSED : SEGSORT_CROWD_MEASURED))
        shared_crowded[attempt] = 1u;
    segsort_sync_shared();
    return shared_crowded[attempt] == 0u;
}

#if SEGSORT_MERGES
void segsort_find_longest(SegsortPack pack)
{
    for (uint row = gl_LocalInvocationIndex; row < pack.rows; row += SEGSORT_THREADS) {
        uvec2 segment = segsort_pack_segment(pack, row);
        atomicMax(shared_longest, segment.y - segment.x);
    }
}
#endif

// Into their buckets; or as they are, when these are crowded. Lanes behind the pack's end store behind it.
void segsort_place_rows(SegsortPack pack, bool spread)
{
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uint row = segsort_lane_row(n), bucket = shared_bucket[lane_bucket[n]];
        bool moves = spread && segsort_pack_has(pack, row);
        uint place = moves ? bitfieldExtract(bucket, 12, 12) + lane_place[n] : row;
#if SEGSORT_PACK_SLOTS
        if (spread && !moves)
            continue;
#endif
        segsort_store_row(place, SegsortRow((moves ? bucket : 0u) | row, lane_order[n]));
    }
#if SEGSORT_MERGES
    if (!spread)
        segsort_find_longest(pack);
#endif
    segsort_sync_shared();
}

// ------------------------------------------------------------------------------------------------
// Crowded rows

#if SEGSORT_MERGES
// Rows of the run [first, last) that come before one that is not in it.
uint segsort_count_before(uint first, uint last, SegsortRow row)
{
    uint low = first, high = last;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (segsort_row_is_before(segsort_load_row(middle), row))
            low = middle + 1u;
        else
            high = middle;
    }
    return low - first;
}

// Makes sorted runs of 2 * width rows, counted from each segment's start, of sorted runs of width.
void segsort_merge_runs(SegsortPack pack, uint width)
{
    SegsortRow rows[SEGSORT_PACK_LANE_ROWS];
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uint row = segsort_lane_row(n);
        if (segsort_pack_has(pack, row)) {
            rows[n] = segsort_load_row(row);
            uvec2 segment = segsort_pack_segment(pack, row);
            uint in_segment = row - segment.x, own = in_segment & ~(width - 1u);
            uint other = segment.x + (own ^ width);
            uint count = segsort_count_before(min(other, segment.y), min(other + width, segment.y), rows[n]);
            lane_place[n] = row - (own & width) + count;
        }
    }
    segsort_sync_shared();
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        if (segsort_pack_has(pack, segsort_lane_row(n)))
            segsort_store_row(lane_place[n], rows[n]);
    segsort_sync_shared();
}

void segsort_order_crowded(SegsortPack pack, bool ordered)
{
    uint longest = ordered ? 1u : shared_longest;
    for (uint width = 1u; width < longest; width *= 2u)
        segsort_merge_runs(pack, width);
}
#else
// Where a row goes that lies where it came from; one behind the pack's end stays.
uint segsort_count_place(SegsortPack pack, uint row, SEGSORT_KEY order)
{
    if (!segsort_pack_has(pack, row))
        return row;
    uvec2 segment = segsort_pack_segment(pack, row);
    uint place = segment.x;
    for (uint i = segment.x; i < segment.y; i++)
        place += segsort_row_is_before(segsort_load_row(i), SegsortRow(row, order)) ? 1u : 0u;
    return place;
}

void segsort_order_crowded(SegsortPack pack, bool ordered)
{
    for (uint turn = ordered ? 1u : 0u; turn < 1u; turn++) {
        for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
            lane_place[n] = segsort_count_place(pack, segsort_lane_row(n), lane_order[n]);
        segsort_sync_shared();
        for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
            segsort_store_row(lane_place[n], SegsortRow(segsort_lane_row(n), lane_order[n]));
        segsort_sync_shared();
    }
}
#endif

// ------------------------------------------------------------------------------------------------

// How many places there are to look for a pack's rows, from the first one on.
uint segsort_place_count(SegsortPack pack, bool spread)
{
#if SEGSORT_PACK_SLOTS
    return spread ? spread_rows : pack.rows;
#else
    return pack.rows;
#endif
}

// The rows that lie at an invocation's places; the last one behind the pack's end, and one that has
// no neighbours where there is none.
void segsort_load_rows(uint place_count, out SegsortRow rows[SEGSORT_PACK_LANE_ROWS])
{
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        rows[n] = segsort_load_row(segsort_row_in(segsort_lane_row(n), place_count));
        rows[n].info = place_count > 0u ? rows[n].info : 0u;
    }
}

// Where these rows have to go: the rows of the bucket that come before each, the bucket's first place besides. Side by
// side, since most buckets have two rows or fewer.
void segsort_find_final_places(SegsortRow rows[SEGSORT_PACK_LANE_ROWS], out uint places[SEGSORT_PACK_LANE_ROWS])
{
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++)
        places[n] = bitfieldExtract(rows[n].info, 12, 12);
    for (uint i = 0u; i < SEGSORT_FEW_ROWS; i++)
        for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
            uint first = bitfieldExtract(rows[n].info, 12, 12), count = rows[n].info >> 24;
            SegsortRow other = segsort_load_row(first + min(i, max(count, 1u) - 1u));
            places[n] += i < count && segsort_row_is_before(other, rows[n]) ? 1u : 0u;
        }
    for (uint n = 0u; n < SEGSORT_PACK_LANE_ROWS; n++) {
        uint first = bitfieldExtract(rows[n].info, 12, 12), count = rows[n].info >> 24;
        for (uint i = first + SEGSORT_FEW_ROWS; i < first + count; i++)
            places[n] += segsort_row_is_before(segsort_load_row(i), rows[n]) ? 1u : 0u;
    }
}

// Orders the pack's rows, whose numbers the lanes have: up to a few neighbours when it returns true,
// else wholly. Buckets and spans are clear, and the invocations in step.
bool segsort_order_pack(SegsortPack pack)
{
#if SEGSORT_TILE_ROWS <= 1024 && SEGSORT_SUBGROUP_SCANS
    // By itself, since the compiler knows the guess then; wide packs have no registers for it, and software drivers no
    // time to compile it.
    bool spread = segsort_spread_rows(pack, SEGSORT_FIRST_ATTEMPT);
    uint next = SEGSORT_FIRST_ATTEMPT + 1u;
#else
    bool spread = false;
    uint next = SEGSORT_FIRST_ATTEMPT;
#endif
    for (uint attempt = next; attempt < 2u && !spread; attempt++)
        spread = segsort_spread_rows(pack, attempt);
    segsort_place_rows(pack, spread);
    segsort_order_crowded(pack, spread || segsort_measured_equal());
    return spread;
}
