// Reading triangles, and their places: 3/8 of the centroid, as demo/morton.h defines it. The caller
// defines TRIANGLE_POSITIONS and TRIANGLE_INDICES, the bindings of the vertex positions and of the
// index buffer.
#ifndef TRIANGLE_POSITIONS
#error TRIANGLE_POSITIONS is not defined
#endif
#ifndef TRIANGLE_INDICES
#error TRIANGLE_INDICES is not defined
#endif

// As bits: loading a float may flush it or change a NaN.
layout(std430, binding = TRIANGLE_POSITIONS) readonly buffer Positions {
    uint positions[];
};

layout(std430, binding = TRIANGLE_INDICES) readonly buffer Indices {
    uint indices[];
};

uvec3 load_vertex(uint vertex)
{
    return uvec3(positions[3u * vertex], positions[3u * vertex + 1u], positions[3u * vertex + 2u]);
}

// Lets no driver trade rounding or tininess for speed: 0 in place of what is not normal.
float flush(float number)
{
    return (floatBitsToUint(number) & 0x7f800000u) == 0u ? 0.0 : number;
}

float scaled(uint bits)
{
    precise float number = (bits & 0x7f800000u) == 0u ? 0.0 : uintBitsToFloat(bits) * 0.125;
    return flush(number);
}

float sum(float a, float b)
{
    precise float number = a + b;
    return flush(number);
}

bool is_finite(uvec3 bits)
{
    return all(notEqual(bits & 0x7f800000u, uvec3(0x7f800000u)));
}

// False, with no place, if a coordinate is infinite or NaN.
bool find_place(uint triangle, out vec3 place)
{
    uvec3 a = load_vertex(indices[3u * triangle]);
    uvec3 b = load_vertex(indices[3u * triangle + 1u]);
    uvec3 c = load_vertex(indices[3u * triangle + 2u]);
    place = vec3(0.0);
    if (!is_finite(a) || !is_finite(b) || !is_finite(c))
        return false;
    for (int axis = 0; axis < 3; axis++)
        place[axis] = sum(sum(scaled(a[axis]), scaled(b[axis])), scaled(c[axis]));
    return true;
}
