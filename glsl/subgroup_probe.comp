#version 430
// The known-answer test of shared/subgroup.glsl: writes what its functions give to one work group's
// invocations, SEGSORT_PROBE_WORDS each, and plugin/self_test_answers.c knows what that has to be.
// Belongs to no plan, and sorts nothing.
#define SEGSORT_NO_PASS
#include "shared/layout.h"
#include "shared/subgroup.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

layout(std430, binding = SEGSORT_BINDING_WORK) buffer SegsortWork { uint work[]; };

shared uint shared_number[SEGSORT_THREADS];
shared uint shared_count[SEGSORT_THREADS / SEGSORT_SUBGROUP_SIZE * SEGSORT_PROBE_DIGITS];

// PCG's, as in split_sample.comp.
uint segsort_probe_number(uint invocation, uint turn)
{
    uint state = (turn * SEGSORT_THREADS + invocation) * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

void segsort_put(uint word, uint number)
{
    work[gl_LocalInvocationIndex * SEGSORT_PROBE_WORDS + word] = number;
}

void segsort_put_mask(uint word, SEGSORT_MASK mask)
{
#if SEGSORT_SUBGROUP_SIZE > 32
    segsort_put(word, mask.x);
    segsort_put(word + 1u, mask.y);
#else
    segsort_put(word, mask);
    segsort_put(word + 1u, 0u);
#endif
}

void segsort_put_masks(uint number)
{
    SEGSORT_MASK odd = segsort_ballot((number & 1u) != 0u), rare = segsort_ballot((number & 0x1eu) == 0u);
    SEGSORT_MASK most = segsort_ballot(segsort_lane() != number % 7u), all = segsort_ballot(true);
    segsort_put_mask(SEGSORT_PROBE_ODD, odd);
    segsort_put_mask(SEGSORT_PROBE_RARE, rare);
    segsort_put_mask(SEGSORT_PROBE_MOST, most);
    segsort_put_mask(SEGSORT_PROBE_ALL, all);
    segsort_put(SEGSORT_PROBE_BELOW, segsort_mask_count_below(odd));
    segsort_put(SEGSORT_PROBE_ENDS,
                segsort_mask_first(all & ~odd | segsort_ballot(false)) << 16 | segsort_mask_last(most));
}

void segsort_put_scan(uint number)
{
#if SEGSORT_SUBGROUP_SCANS
    segsort_put(SEGSORT_PROBE_SCAN, segsort_scan_subgroup(number));
#else
    segsort_put(SEGSORT_PROBE_SCAN, 0u);
#endif
}

void segsort_put_others(uint number)
{
    uint others = 0u;
#if SEGSORT_SUBGROUP_SCANS
    for (uint distance = 1u; distance < SEGSORT_SUBGROUP_SIZE; distance++) {
        uvec4 other = segsort_lane_apart(number + uvec4(0u, 1u, 2u, 3u), distance);
        others = (((others * 31u + other.x) * 31u + other.y) * 31u + other.z) * 31u + other.w;
        others = others * 31u + segsort_lane_number(number, distance);
    }
#endif
    segsort_put(SEGSORT_PROBE_OTHERS, others);
}

// Numbers handed from lane to lane through shared memory, again and again.
void segsort_put_rounds()
{
    uint first = segsort_subgroup() * SEGSORT_SUBGROUP_SIZE, number = gl_LocalInvocationIndex;
    for (uint turn = 0u; turn < SEGSORT_PROBE_ROUNDS; turn++) {
        shared_number[first + segsort_lane()] = number;
        segsort_sync_subgroup();
        uint other = (segsort_lane() + 1u + 2u * turn) % SEGSORT_SUBGROUP_SIZE;
        number = number * 5u + shared_number[first + other];
        segsort_sync_subgroup();
    }
    segsort_put(SEGSORT_PROBE_PASSED, number);
}

SEGSORT_MASK segsort_peers(uint digit)
{
    SEGSORT_MASK peers = segsort_ballot(true);
    for (uint bit = 1u; bit < SEGSORT_PROBE_DIGITS; bit *= 2u) {
        SEGSORT_MASK votes = segsort_ballot((digit & bit) != 0u);
        peers &= (digit & bit) != 0u ? votes : ~votes;
    }
    return peers;
}

// How ballots rank rows: a subgroup's counters of digits, and lanes of one digit that share one.
void segsort_put_ranks()
{
    uint counters = segsort_subgroup() * SEGSORT_PROBE_DIGITS, ranks = 0u;
    for (uint digit = segsort_lane(); digit < SEGSORT_PROBE_DIGITS; digit += SEGSORT_SUBGROUP_SIZE)
        shared_count[counters + digit] = 0u;
    segsort_sync_subgroup();
    for (uint turn = 0u; turn < SEGSORT_PROBE_ROUNDS; turn++) {
        uint digit = segsort_probe_number(gl_LocalInvocationIndex, turn) % SEGSORT_PROBE_DIGITS;
        SEGSORT_MASK peers = segsort_peers(digit);
        uint below = segsort_mask_count_below(peers), count = shared_count[counters + digit];
        segsort_sync_subgroup();
        if (below == 0u)
            shared_count[counters + digit] = count + segsort_mask_count(peers);
        segsort_sync_subgroup();
        ranks = ranks * 31u + count + below;
    }
    segsort_put(SEGSORT_PROBE_RANKS, ranks);
}

void main()
{
    uint number = segsort_probe_number(gl_LocalInvocationIndex, 0u);
    segsort_put(SEGSORT_PROBE_SIZE, segsort_told_subgroup_size());
    segsort_put(SEGSORT_PROBE_LANE, segsort_lane());
    segsort_put(SEGSORT_PROBE_SUBGROUP, segsort_subgroup());
    segsort_put_masks(number);
    segsort_put_scan(number);
    segsort_put_others(number);
    segsort_put_rounds();
    segsort_put_ranks();
}
