// Work groups of 256 invocations that put what they keep one behind the other, in its order: by a
// scan instead of an atomic counter, so that every run gives the same picture.
layout(local_size_x = 256) in;

shared uint sums[256];

// The sums up to each invocation, its own number included.
uint scan(uint number)
{
    uint lane = gl_LocalInvocationID.x;
    barrier();
    sums[lane] = number;
    barrier();
    for (uint reach = 1u; reach < 256u; reach *= 2u) {
        uint below = lane >= reach ? sums[lane - reach] : 0u;
        barrier();
        sums[lane] += below;
        barrier();
    }
    return sums[lane];
}

// The row for what an invocation keeps; end is where the rows so far end.
uint next_row(bool keep, inout uint end)
{
    uint row = end + scan(keep ? 1u : 0u) - 1u;
    end += sums[255];
    return row;
}
