// Subgroups: the invocations that a GPU runs as one. Nothing of it is there in a portable kernel, for
// which SEGSORT_SUBGROUP_SIZE is 0.
//
// SEGSORT_SUBGROUP_API    how this file comes by it (layout.h)
// SEGSORT_SUBGROUP_SIZE   a power of two up to 64, that the known-answer test found to be true: so is
//                         gl_LocalInvocationIndex = segsort_subgroup() * SEGSORT_SUBGROUP_SIZE + segsort_lane()
#include "shared/layout.h"

#if SEGSORT_SUBGROUP_SIZE > 0

uint segsort_lane()
{
#if SEGSORT_SUBGROUP_API == SEGSORT_SUBGROUP_API_KHR
    return gl_SubgroupInvocationID;
#else
    return gl_SubGroupInvocationARB;
#endif
}

uint segsort_subgroup()
{
#if SEGSORT_SUBGROUP_API == SEGSORT_SUBGROUP_API_KHR
    return gl_SubgroupID;
#else
    return gl_LocalInvocationIndex / SEGSORT_SUBGROUP_SIZE;
#endif
}

// What the driver says, which need not be true.
uint segsort_told_subgroup_size()
{
#if SEGSORT_SUBGROUP_API == SEGSORT_SUBGROUP_API_KHR
    return gl_SubgroupSize;
#else
    return gl_SubGroupSizeARB;
#endif
}

// What one lane writes to shared memory before it, the others of the subgroup read behind it. No
// lane waits for other subgroups. Without KHR's, lanes are in step or the known-answer test fails.
void segsort_sync_subgroup()
{
#if SEGSORT_SUBGROUP_API == SEGSORT_SUBGROUP_API_KHR
    subgroupMemoryBarrierShared();
    subgroupBarrier();
#else
    memoryBarrierShared();
#endif
}

// The same without waiting: for lanes that are in step, as those of a subgroup without branches are where
// the known-answer test passes. On NVIDIA's GPUs waiting takes several times as long.
void segsort_order_subgroup()
{
#if SEGSORT_SUBGROUP_API == SEGSORT_SUBGROUP_API_KHR
    subgroupMemoryBarrierShared();
#else
    memoryBarrierShared();
#endif
}

// A bit for each lane: one word, or two where lanes are more than 32. Bits of lanes that there are not
// are 0 in a ballot, and 1 in its complement.
#if SEGSORT_SUBGROUP_SIZE > 32
#define SEGSORT_MASK uvec2
#else
#define SEGSORT_MASK uint
#endif

SEGSORT_MASK segsort_ballot(bool vote)
{
#if SEGSORT_SUBGROUP_API == SEGSORT_SUBGROUP_API_KHR
    uvec2 votes = subgroupBallot(vote).xy;
#else
    uvec2 votes = unpackUint2x32(ballotARB(vote));
#endif
#if SEGSORT_SUBGROUP_SIZE > 32
    return votes;
#else
    return votes.x;
#endif
}

#if SEGSORT_SUBGROUP_SIZE > 32
// The lanes below this one.
SEGSORT_MASK segsort_mask_below()
{
    uint lane = segsort_lane(), word = (1u << (lane & 31u)) - 1u;
    return lane < 32u ? uvec2(word, 0u) : uvec2(0xffffffffu, word);
}

uint segsort_mask_count(SEGSORT_MASK mask)
{
    return uint(bitCount(mask.x) + bitCount(mask.y));
}

// The lowest lane of a mask that has any, and the highest.
uint segsort_mask_first(SEGSORT_MASK mask)
{
    return mask.x != 0u ? uint(findLSB(mask.x)) : 32u + uint(findLSB(mask.y));
}

uint segsort_mask_last(SEGSORT_MASK mask)
{
    return mask.y != 0u ? 32u + uint(findMSB(mask.y)) : uint(findMSB(mask.x));
}
#else
SEGSORT_MASK segsort_mask_below()
{
    return (1u << segsort_lane()) - 1u;
}

uint segsort_mask_count(SEGSORT_MASK mask)
{
    return uint(bitCount(mask));
}

uint segsort_mask_first(SEGSORT_MASK mask)
{
    return uint(findLSB(mask));
}

uint segsort_mask_last(SEGSORT_MASK mask)
{
    return uint(findMSB(mask));
}
#endif

// How many lanes of a mask lie below this one.
uint segsort_mask_count_below(SEGSORT_MASK mask)
{
    return segsort_mask_count(mask & segsort_mask_below());
}

// The sum of the numbers of all lower lanes; what a lane has; what the one has whose number differs in the bits of
// distance: none of it do ballots alone have a way to tell.
#if SEGSORT_SUBGROUP_API == SEGSORT_SUBGROUP_API_KHR
#define SEGSORT_SUBGROUP_SCANS 1
uint segsort_scan_subgroup(uint number)
{
    return subgroupExclusiveAdd(number);
}

uint segsort_lane_number(uint number, uint lane)
{
    return subgroupShuffle(number, lane);
}

uvec4 segsort_lane_apart(uvec4 numbers, uint distance)
{
    return subgroupShuffleXor(numbers, distance);
}
#else
#define SEGSORT_SUBGROUP_SCANS 0
#endif

#else
#define SEGSORT_SUBGROUP_SCANS 0
#endif
