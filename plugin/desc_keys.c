#include "desc.h"

#include <inttypes.h>
#include <string.h>

#define SEGSORT_POSITION_WORDS 3u

/* ---------------------------------------------------------------------------------------------- */
/* What both calls have */

uint32_t segsort_desc_position_words(uint32_t position_words)
{
    return position_words > 0 ? position_words : SEGSORT_POSITION_WORDS;
}

bool segsort_desc_has_view(const gl_segsort_view *view)
{
    return view->buffer != 0 || view->byte_offset != 0 || view->rows != 0;
}

static gl_segsort_result segsort_check_position_words(const char *desc, uint32_t position_words,
                                                      segsort_error *error)
{
    if (segsort_desc_position_words(position_words) >= SEGSORT_POSITION_WORDS)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                        "%s.position_words is %" PRIu32 ", but a position has %u words", desc,
                        position_words, SEGSORT_POSITION_WORDS);
}

/* Whatever is there a row has to be there for each key. */
static gl_segsort_result segsort_check_rows(const char *name, const gl_segsort_view *view,
                                            uint64_t keys, segsort_error *error)
{
    if (view->rows >= keys)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                        "%s has %" PRIu64 " rows, fewer than keys, which has %" PRIu64, name,
                        view->rows, keys);
}

/* Of the last position no more need be there than itself: vertices are interleaved. */
static segsort_use segsort_use_positions(const gl_segsort_view *view, uint32_t position_words,
                                         segsort_extent extent)
{
    uint64_t words = segsort_desc_position_words(position_words);
    return (segsort_use){.name = "positions",
                         .view = *view,
                         .extent = extent,
                         .row_bytes = words * SEGSORT_WORD_BYTES,
                         .cut_bytes = (words - SEGSORT_POSITION_WORDS) * SEGSORT_WORD_BYTES};
}

/* ---------------------------------------------------------------------------------------------- */
/* Depth keys */

void segsort_desc_depth_uses(const gl_segsort_depth_keys_desc *desc,
                             segsort_use uses[SEGSORT_USES_MAX])
{
    bool indexed = segsort_desc_has_view(&desc->indices);
    segsort_extent rows = {.end_row = desc->keys.rows};
    for (int i = 0; i < SEGSORT_USES_MAX; i++)
        uses[i] = (segsort_use){0};
    uses[SEGSORT_MAKE_POSITIONS] =
        segsort_use_positions(&desc->positions, desc->position_words,
                              indexed ? segsort_desc_rows_of(&desc->positions, UINT64_MAX) : rows);
    if (indexed)
        uses[SEGSORT_MAKE_INDICES] = (segsort_use){.name = "indices",
                                                   .view = desc->indices,
                                                   .extent = rows,
                                                   .row_bytes = SEGSORT_WORD_BYTES};
    uses[SEGSORT_MAKE_KEYS] = (segsort_use){.name = "keys",
                                            .view = desc->keys,
                                            .extent = rows,
                                            .row_bytes = SEGSORT_WORD_BYTES,
                                            .output = true};
    if (segsort_desc_has_view(&desc->row_count))
        uses[SEGSORT_MAKE_ROW_COUNT] =
            (segsort_use){.name = "row_count",
                          .view = desc->row_count,
                          .extent = segsort_desc_rows_of(&desc->row_count, 1),
                          .row_bytes = SEGSORT_WORD_BYTES};
}

static uint32_t segsort_float_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static bool segsort_is_zero(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (segsort_float_bits(numbers[i]) << 1 != 0)
            return false;
    return true;
}

/* Which row of the matrix a plane is; of PLANE, none. */
static uint32_t segsort_plane_row(const gl_segsort_depth_keys_desc *desc, uint32_t plane)
{
    return desc->measure == GL_SEGSORT_DEPTH_VIEW_Z ? 2 : plane;
}

static float segsort_plane_number(const gl_segsort_depth_keys_desc *desc, uint32_t row,
                                  uint32_t column)
{
    if (desc->measure == GL_SEGSORT_DEPTH_PLANE)
        return desc->plane[column];
    if (segsort_is_zero(desc->view_matrix, 16))
        return row == column ? 1.0f : 0.0f;
    return desc->view_matrix[4 * column + row];
}

static uint32_t segsort_plane_count(const gl_segsort_depth_keys_desc *desc)
{
    return desc->measure == GL_SEGSORT_DEPTH_DISTANCE ? 3 : 1;
}

/* -z is the distance from the plane that the row's opposite is. */
void segsort_desc_depth_planes(const gl_segsort_depth_keys_desc *desc,
                               uint32_t planes[SEGSORT_DEPTH_PLANE_WORDS])
{
    uint32_t sign = desc->measure == GL_SEGSORT_DEPTH_VIEW_Z ? 0x80000000u : 0;
    memset(planes, 0, SEGSORT_DEPTH_PLANE_WORDS * sizeof *planes);
    for (uint32_t plane = 0; plane < segsort_plane_count(desc); plane++)
        for (uint32_t column = 0; column < 4; column++) {
            float number = segsort_plane_number(desc, segsort_plane_row(desc, plane), column);
            planes[4 * plane + column] = segsort_float_bits(number) ^ sign;
        }
}

static gl_segsort_result segsort_check_finite(const gl_segsort_depth_keys_desc *desc,
                                              segsort_error *error)
{
    bool is_plane = desc->measure == GL_SEGSORT_DEPTH_PLANE;
    for (uint32_t plane = 0; plane < segsort_plane_count(desc); plane++)
        for (uint32_t column = 0; column < 4; column++) {
            uint32_t row = segsort_plane_row(desc, plane);
            float number = segsort_plane_number(desc, row, column);
            if ((segsort_float_bits(number) & 0x7f800000u) == 0x7f800000u)
                return segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                                    "gl_segsort_depth_keys_desc.%s[%" PRIu32 "] is not finite",
                                    is_plane ? "plane" : "view_matrix",
                                    is_plane ? column : 4 * column + row);
        }
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_check_depth_fields(const gl_segsort_depth_keys_desc *desc,
                                                    const segsort_limits *limits,
                                                    segsort_error *error)
{
    gl_segsort_result result = segsort_desc_check_barriers(
        "gl_segsort_depth_keys_desc.barriers_before", desc->barriers_before, limits, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_barriers("gl_segsort_depth_keys_desc.barriers_after",
                                             desc->barriers_after, limits, error);
    if (result == GL_SEGSORT_SUCCESS && ((int)desc->measure < GL_SEGSORT_DEPTH_VIEW_Z ||
                                         (int)desc->measure > GL_SEGSORT_DEPTH_PLANE))
        result = segsort_fail(error, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                              "gl_segsort_depth_keys_desc.measure is %d, which is no "
                              "gl_segsort_depth_measure",
                              (int)desc->measure);
    if (result == GL_SEGSORT_SUCCESS)
        result =
            segsort_check_position_words("gl_segsort_depth_keys_desc", desc->position_words, error);
    return result == GL_SEGSORT_SUCCESS ? segsort_check_finite(desc, error) : result;
}

gl_segsort_result segsort_desc_check_depth(const gl_segsort_depth_keys_desc *desc,
                                           const segsort_limits *limits, segsort_error *error)
{
    segsort_use uses[SEGSORT_USES_MAX];
    bool indexed = segsort_desc_has_view(&desc->indices);
    gl_segsort_result result = segsort_check_depth_fields(desc, limits, error);
    if (result != GL_SEGSORT_SUCCESS || desc->keys.rows == 0)
        return result;
    result =
        segsort_check_rows(indexed ? "indices" : "positions",
                           indexed ? &desc->indices : &desc->positions, desc->keys.rows, error);
    segsort_desc_depth_uses(desc, uses);
    return result == GL_SEGSORT_SUCCESS ? segsort_desc_check_uses(uses, limits, error) : result;
}

/* ---------------------------------------------------------------------------------------------- */
/* Morton codes */

/* The call writes what the sort reads, so keys have to keep apart from the sort's other inputs. */
void segsort_desc_morton_uses(const gl_segsort_sort_desc *sort,
                              const gl_segsort_morton_keys_desc *desc, const segsort_layout *layout,
                              segsort_use uses[SEGSORT_USES_MAX])
{
    bool triangles = segsort_desc_has_view(&desc->indices);
    segsort_use of_sort[SEGSORT_USES_MAX];
    segsort_desc_sort_uses(sort, layout, of_sort);
    segsort_extent rows = of_sort[SEGSORT_STREAM_KEYS].extent;
    for (int i = 0; i < SEGSORT_USES_MAX; i++)
        uses[i] = (segsort_use){0};
    uses[SEGSORT_MAKE_POSITIONS] = segsort_use_positions(
        &desc->positions, desc->position_words,
        triangles ? segsort_desc_rows_of(&desc->positions, UINT64_MAX) : rows);
    if (triangles)
        uses[SEGSORT_MAKE_INDICES] = (segsort_use){.name = "indices",
                                                   .view = desc->indices,
                                                   .extent = rows,
                                                   .row_bytes = 3 * SEGSORT_WORD_BYTES};
    uses[SEGSORT_MAKE_KEYS] = of_sort[SEGSORT_STREAM_KEYS];
    uses[SEGSORT_MAKE_KEYS].output = true;
    uses[SEGSORT_MAKE_KEYS].in_place = false;
    uses[SEGSORT_MAKE_VALUES] = of_sort[SEGSORT_STREAM_VALUES];
    uses[SEGSORT_MAKE_VALUES].in_place = false;
    for (int i = 0; i < SEGSORT_USES_MAX - SEGSORT_USE_LIST; i++)
        uses[SEGSORT_MAKE_LIST + i] = of_sort[SEGSORT_USE_LIST + i];
}

gl_segsort_result segsort_desc_check_morton(const gl_segsort_sort_desc *sort,
                                            const gl_segsort_morton_keys_desc *desc,
                                            const segsort_layout *layout,
                                            const segsort_limits *limits, segsort_error *error)
{
    segsort_use uses[SEGSORT_USES_MAX];
    bool triangles = segsort_desc_has_view(&desc->indices);
    gl_segsort_result result = segsort_desc_check_barriers(
        "gl_segsort_morton_keys_desc.barriers_before", desc->barriers_before, limits, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_barriers("gl_segsort_morton_keys_desc.barriers_after",
                                             desc->barriers_after, limits, error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_check_position_words("gl_segsort_morton_keys_desc", desc->position_words,
                                              error);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_desc_check_sort(sort, layout, limits, error);
    if (result != GL_SEGSORT_SUCCESS || layout->row_count == 0)
        return result;
    if (layout->source != GL_SEGSORT_SEGMENTS_HOST)
        result = segsort_check_rows(triangles ? "indices" : "positions",
                                    triangles ? &desc->indices : &desc->positions, sort->keys.rows,
                                    error);
    segsort_desc_morton_uses(sort, desc, layout, uses);
    return result == GL_SEGSORT_SUCCESS ? segsort_desc_check_uses(uses, limits, error) : result;
}
