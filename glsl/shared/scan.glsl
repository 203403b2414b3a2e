// Scans over the SEGSORT_THREADS invocations of a work group, each with one number.
//
// W. D. Hillis and G. L. Steele ("Data parallel algorithms", CACM 1986) double the distance of the
// addends in log2(n) steps, G. E. Blelloch ("Prefix sums and their applications", 1990) goes up and
// down a tree in twice as many: each step is a barrier, and barriers are what a scan of so few
// numbers costs. So this takes 16 as the base instead of 2: each invocation adds up what is before
// it in its group of 16, and then the totals of the groups before it. Two barriers instead of eight
// or sixteen; more additions, all of them at once. Where a subgroup scans by itself, it is the group,
// and one barrier is left.
//
// Between two scans there has to be a barrier: the totals of the first one may be read yet.
#ifndef SEGSORT_THREADS
#error SEGSORT_THREADS is not defined
#endif
#include "shared/subgroup.glsl"

#if SEGSORT_SUBGROUP_SCANS
#define SEGSORT_SCAN_BASE SEGSORT_SUBGROUP_SIZE
#else
#define SEGSORT_SCAN_BASE 16
#endif
#define SEGSORT_SCAN_GROUPS (SEGSORT_THREADS / SEGSORT_SCAN_BASE)

#if SEGSORT_SUBGROUP_SCANS == 0
shared uint shared_scan[SEGSORT_THREADS];
#endif
shared uint shared_scan_total[SEGSORT_SCAN_GROUPS];

// The sum of the numbers of all lower invocations of the group.
#if SEGSORT_SUBGROUP_SCANS
uint segsort_scan_group(uint group, uint lane, uint number)
{
    return segsort_scan_subgroup(number);
}
#else
uint segsort_scan_group(uint group, uint lane, uint number)
{
    uint before = 0u;
    shared_scan[gl_LocalInvocationIndex] = number;
    memoryBarrierShared();
    barrier();
    for (uint i = 0u; i < SEGSORT_SCAN_BASE; i++) {
        uint other = shared_scan[group * SEGSORT_SCAN_BASE + i];
        before += i < lane ? other : 0u;
    }
    return before;
}
#endif

// The sum of the totals of all lower groups, and in total that of all. Where there are many groups, but no more than a
// subgroup has lanes, each subgroup scans them once more; else each invocation adds them up, which costs each a load
// a group.
#if SEGSORT_SUBGROUP_SCANS && SEGSORT_SCAN_GROUPS > 8 && SEGSORT_SCAN_GROUPS <= SEGSORT_SUBGROUP_SIZE
uint segsort_scan_totals(uint group, out uint total)
{
    uint own = segsort_lane() < uint(SEGSORT_SCAN_GROUPS) ? shared_scan_total[min(segsort_lane(), uint(SEGSORT_SCAN_GROUPS - 1))] : 0u;
    uint before = segsort_scan_subgroup(own);
    total = segsort_lane_number(before + own, uint(SEGSORT_SCAN_GROUPS - 1));
    return segsort_lane_number(before, group);
}
#else
uint segsort_scan_totals(uint group, out uint total)
{
    uint before = 0u;
    total = 0u;
    for (uint i = 0u; i < SEGSORT_SCAN_GROUPS; i++) {
        uint other = shared_scan_total[i];
        before += i < group ? other : 0u;
        total += other;
    }
    return before;
}
#endif

// Returns the sum of the numbers of all lower invocations, and in total the sum of all.
uint segsort_scan_exclusive(uint number, out uint total)
{
    uint group = gl_LocalInvocationIndex / SEGSORT_SCAN_BASE, lane = gl_LocalInvocationIndex % SEGSORT_SCAN_BASE;
    uint before = segsort_scan_group(group, lane, number);
    if (lane == uint(SEGSORT_SCAN_BASE - 1))
        shared_scan_total[group] = before + number;
    memoryBarrierShared();
    barrier();
    return before + segsort_scan_totals(group, total);
}
