// Floats as unsigned integers of the same order, for atomicMin and atomicMax.

uint encode_ordered(float number)
{
    uint bits = floatBitsToUint(number);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

float decode_ordered(uint code)
{
    return uintBitsToFloat((code & 0x80000000u) != 0u ? code & 0x7fffffffu : ~code);
}
