// Which work group of its pass this is.
#include "shared/buffers.glsl"

// Dispatches beyond the limit of one axis are folded over y and z, and what folding rounds up is
// surplus.
uint segsort_group()
{
    return first_group + gl_WorkGroupID.x +
           gl_NumWorkGroups.x * (gl_WorkGroupID.y + gl_NumWorkGroups.y * gl_WorkGroupID.z);
}

// A product's upper word.
uint segsort_multiply_high(uint a, uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}
