// By the exponent's bits: isinf() and isnan() may be optimised away.
bool is_finite(vec3 number)
{
    return all(notEqual(floatBitsToUint(number) & 0x7f800000u, uvec3(0x7f800000u)));
}
