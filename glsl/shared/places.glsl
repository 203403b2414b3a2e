// The places of points and triangles, as plugin/gl_segsort_keys.h defines them, and the boxes around
// them. Triangles' indices lie in the binding of the values.
#include "shared/positions.glsl"
#include "shared/box.glsl"

// Rows that an invocation's slot or tile has, in rows of the keys.
struct SegsortRows {
    uint first;
    uint count;
};

// Of a segment of the table, from one of its rows on.
SegsortRows segsort_segment_rows(uint segment, uint first_row)
{
    uint at = segment_word + segment * SEGSORT_SEGMENT_WORDS;
    return SegsortRows(table[at] + first_row, min(table[at + 4u] - first_row, slot_rows));
}

float segsort_eighth(uint bits)
{
    precise float number = segsort_normal(bits) * 0.125;
    return segsort_flush(number);
}

// A point's eighth, the sum of a triangle's corners' eighths. False where one is not finite.
bool segsort_find_place(uint row, out vec3 place)
{
    bool triangles = view_word[1].z != 0u;
    uint corners = triangles ? 3u : 1u;
    bool finite = true;
    place = vec3(0.0);
    for (uint corner = 0u; corner < corners; corner++) {
        uvec3 bits = segsort_load_position(triangles ? values[view_word[0].y + 3u * row + corner] : row);
        finite = finite && segsort_is_finite(bits);
        for (int axis = 0; axis < 3; axis++)
            place[axis] = segsort_sum(place[axis], segsort_eighth(bits[axis]));
    }
    return finite;
}

// The box of the rows first, first + stride and so on.
SegsortBox segsort_find_box(SegsortRows rows, uint first, uint stride)
{
    SegsortBox box = segsort_empty_box();
    for (uint n = first; n < rows.count; n += stride) {
        vec3 place;
        if (segsort_find_place(rows.first + n, place))
            box = segsort_join(box, segsort_box_at(place));
    }
    return box;
}
