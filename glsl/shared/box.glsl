// Boxes around places, and joining those of a work group's invocations.

// Coordinates as unsigned numbers of the same order, for atomicMin and atomicMax.
struct SegsortBox {
    uvec3 low;
    uvec3 high;
};

struct SegsortGrid {
    vec3 minimum;
    vec3 extent;
};

shared uvec3 shared_low[SEGSORT_THREADS];
shared uvec3 shared_high[SEGSORT_THREADS];

SegsortBox segsort_empty_box()
{
    return SegsortBox(uvec3(0xffffffffu), uvec3(0u));
}

uint segsort_coordinate_encode(float number)
{
    uint bits = floatBitsToUint(number);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

float segsort_coordinate_decode(uint code)
{
    return uintBitsToFloat((code & 0x80000000u) != 0u ? code & 0x7fffffffu : ~code);
}

SegsortBox segsort_box_at(vec3 place)
{
    uvec3 code;
    for (int axis = 0; axis < 3; axis++)
        code[axis] = segsort_coordinate_encode(place[axis]);
    return SegsortBox(code, code);
}

SegsortBox segsort_join(SegsortBox a, SegsortBox b)
{
    return SegsortBox(min(a.low, b.low), max(a.high, b.high));
}

// The box of each run of so many invocations, a power of two, from what each of them has.
SegsortBox segsort_join_lanes(SegsortBox box, uint lanes)
{
    uint at = gl_LocalInvocationIndex, lane = at & (lanes - 1u);
    shared_low[at] = box.low;
    shared_high[at] = box.high;
    memoryBarrierShared();
    barrier();
    for (uint reach = lanes / 2u; reach > 0u; reach /= 2u) {
        if (lane < reach) {
            shared_low[at] = min(shared_low[at], shared_low[at + reach]);
            shared_high[at] = max(shared_high[at], shared_high[at + reach]);
        }
        memoryBarrierShared();
        barrier();
    }
    return SegsortBox(shared_low[at - lane], shared_high[at - lane]);
}

// An empty box's is no numbers, and nobody is in it to ask for them.
SegsortGrid segsort_box_grid(SegsortBox box)
{
    SegsortGrid grid;
    for (int axis = 0; axis < 3; axis++) {
        grid.minimum[axis] = segsort_coordinate_decode(box.low[axis]);
        grid.extent[axis] = segsort_sum(segsort_coordinate_decode(box.high[axis]), -grid.minimum[axis]);
    }
    return grid;
}
