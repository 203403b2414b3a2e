// A list of segments that only the GPU knows, and how far it is to be believed.
layout(std430, binding = SEGSORT_BINDING_LIST) readonly buffer SegsortList { uint list[]; };

// layout.h tells what each word is.
layout(location = SEGSORT_LOCATION_LIST_WORD) uniform uvec4 list_word[SEGSORT_LIST_WORDS / 4];

struct SegsortListed {
    uvec4 offsets; // in keys, values, output_keys, output_values
    uint rows;     // 0 when it is refused
    bool refused;
};

bool segsort_list_has(uint flag)
{
    return (list_word[2].y & flag) != 0u;
}

// Whether rows offset .. offset + length - 1 lie in a view, without wrapping around.
bool segsort_list_fits(uint flag, uint offset, uint length, uint rows)
{
    return !segsort_list_has(flag) || (length <= rows && offset <= rows - length);
}

SegsortListed segsort_read_listed(uint number)
{
    uint word = list_word[1].x;
    if (list_source == SEGSORT_LIST_OFFSETS) {
        uint first = list[word + number], end = list[word + number + 1u];
        return SegsortListed(uvec4(first), end < first ? 0u : end - first, end < first);
    }
    if (list_source == SEGSORT_LIST_STRIDED) {
        uint high, first;
        umulExtended(number, list_stride, high, first);
        uint length = list[word + number];
        return SegsortListed(uvec4(first), length, length > 0u && high != 0u);
    }
    word += number * SEGSORT_SEGMENT_WORDS;
    return SegsortListed(uvec4(list[word], list[word + 1u], list[word + 2u], list[word + 3u]), list[word + 4u],
                         false);
}

// Whatever doesn't fit the views has no rows, and is told apart from what is merely empty.
SegsortListed segsort_listed(uint number)
{
    SegsortListed listed = segsort_read_listed(number);
    uvec4 at = listed.offsets, limits = list_word[0];
    uint length = listed.rows;
    bool fits = segsort_list_fits(SEGSORT_LIST_KEYS, at.x, length, limits.x) &&
                segsort_list_fits(SEGSORT_LIST_VALUES, at.y, length, limits.y) &&
                segsort_list_fits(SEGSORT_LIST_OUTPUT_KEYS, at.z, length, limits.z) &&
                segsort_list_fits(SEGSORT_LIST_OUTPUT_VALUES, at.w, length, limits.w);
    bool in_place = (!segsort_list_has(SEGSORT_LIST_KEYS_IN_PLACE) || at.x == at.z) &&
                    (!segsort_list_has(SEGSORT_LIST_VALUES_IN_PLACE) || at.y == at.w);
    listed.refused = listed.refused || (length > 0u && (length > length_max || !fits || !in_place));
    if (listed.refused)
        listed.rows = 0u;
    return listed;
}

// The class of a segment with rows: widths are powers of two, and the last class takes
// whatever is longer.
uint segsort_list_class(uint length)
{
    uint width_log2 = uint(findMSB(length - 1u)) + 1u;
    return min(max(width_log2, class_shift) - class_shift, class_count - 1u);
}

uint segsort_list_tiles(uint length)
{
    return (length - 1u) / tile_rows + 1u;
}

uint segsort_list_chunks(uint length)
{
    return (segsort_list_tiles(length) - 1u) / SEGSORT_CHUNK_TILES + 1u;
}
