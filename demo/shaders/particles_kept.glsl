// A work group of 256 puts what it keeps one behind the other, in its order: by counting bits instead
// of by an atomic counter, so that every run gives the same picture.
layout(local_size_x = 256) in;

shared uint masks[8];

// The row for what an invocation keeps; end is where the rows so far end.
uint next_row(bool keep, inout uint end)
{
    uint lane = gl_LocalInvocationID.x, word = lane / 32u;
    barrier();
    if (lane < 8u)
        masks[lane] = 0u;
    barrier();
    if (keep)
        atomicOr(masks[word], 1u << lane % 32u);
    barrier();
    uint row = end + bitCount(masks[word] & ((1u << lane % 32u) - 1u));
    for (uint i = 0u; i < 8u; i++) {
        uint kept_there = bitCount(masks[i]);
        row += i < word ? kept_there : 0u;
        end += kept_there;
    }
    return row;
}
