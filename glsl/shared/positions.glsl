// Reading positions, and arithmetic whose every bit is defined (plugin/gl_segsort_keys.h): a step at
// a time, each correctly rounded, and what is too small for a normal number is 0. Positions lie in
// the binding of the keys.

// As bits: loading a float may flush it or change a NaN. Not finite past the view.
uvec3 segsort_load_position(uint row)
{
    if (row >= view_word[1].y)
        return uvec3(0x7fc00000u);
    uint word = view_word[0].x + row * view_word[1].x;
    return uvec3(keys[word], keys[word + 1u], keys[word + 2u]);
}

bool segsort_is_finite(uvec3 bits)
{
    return all(notEqual(bits & 0x7f800000u, uvec3(0x7f800000u)));
}

float segsort_flush(float number)
{
    return (floatBitsToUint(number) & 0x7f800000u) == 0u ? 0.0 : number;
}

float segsort_normal(uint bits)
{
    return (bits & 0x7f800000u) == 0u ? 0.0 : uintBitsToFloat(bits);
}

float segsort_sum(float a, float b)
{
    precise float number = a + b;
    return segsort_flush(number);
}
