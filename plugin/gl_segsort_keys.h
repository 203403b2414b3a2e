/*
 * gl_segsort_keys - keys made on the GPU, for the sorts that renderers need most: by depth, and
 * along a Morton curve. Part of gl_segsort; includes nothing but gl_segsort.h.
 *
 * Depth. A key is a float, and larger is farther away from the viewer. So a sort of
 * GL_SEGSORT_KEY_F32 keys goes back to front with GL_SEGSORT_DESCENDING, for transparency, and
 * front to back with GL_SEGSORT_ASCENDING. Three points in front of and behind a camera that looks
 * along -z from the origin (view_matrix {0}, the identity):
 *
 *     position      key    back to front (DESCENDING)    front to back (ASCENDING)
 *     0: z = -1       1    second                        second
 *     1: z = -10     10    first, it is farthest         third
 *     2: z = +2      -2    third, it is behind           first
 *
 *     gl_segsort_depth_keys_desc depth_desc = {.keys = {keys, 0, 3}, .positions = {points, 0, 3}};
 *     gl_segsort_depth_keys(context, &depth_desc);
 *     gl_segsort_sort(plan, &sort_desc);       VALUE_INDEX, DESCENDING: 1, 0, 2
 *
 * Morton. Rows whose points lie near each other get codes that mostly lie near each other, so
 * sorting a mesh's triangles by them makes neighbours in the index buffer of neighbours in space.
 *
 *     gl_segsort_morton_keys_desc morton_desc = {.positions = {vertices, 0, vertex_count},
 *                                                .indices = {indices, 0, triangle_count}};
 *     gl_segsort_morton_keys(plan, &sort_desc, &morton_desc);
 *     gl_segsort_sort(plan, &sort_desc);
 *
 * Same bits everywhere. Both are defined to the last bit and don't depend on how a driver rounds,
 * contracts or flushes: every step is a multiplication or an addition that is correctly rounded by
 * itself, and a result too small to be a normal number counts as +0, and so do such inputs. (Results
 * of multiplications count as +0 below 2^-125, since drivers disagree about what rounds up to the
 * least normal number.) No key is -0.
 *
 * GL state, errors and contexts are treated as the top of gl_segsort.h tells.
 */
#ifndef GL_SEGSORT_KEYS_H
#define GL_SEGSORT_KEYS_H

#include "gl_segsort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Depth
 */

/* What is farther away than what. */
typedef enum gl_segsort_depth_measure {
    /* -z of the position in view space: planes that face the camera. What back to front usually
     * means. */
    GL_SEGSORT_DEPTH_VIEW_Z = 0,
    /* The square of the distance from the camera: x * x + y * y + z * z in view space. Doesn't
     * change when the camera turns. Squared, since it orders alike and drivers' square roots
     * differ; infinite from distances of 1.8e19 on, 0 up to 1.5e-19. */
    GL_SEGSORT_DEPTH_DISTANCE = 1,
    /* The signed distance from a plane: dot(plane.xyz, position) + plane.w. */
    GL_SEGSORT_DEPTH_PLANE = 2
} gl_segsort_depth_measure;

typedef struct gl_segsort_depth_keys_desc {
    /* Receives a float a row. How many keys there are: its rows, none of which may lie in the
     * other views. */
    gl_segsort_view keys;
    /* Three floats a row, x first: the view starts at the first row's x, and each next row starts
     * position_words further on. Of the last row only x, y and z need be there. */
    gl_segsort_view positions;
    uint32_t position_words; /* 4-byte words from a row to the next; 0: 3, else 3 or more */
    /* Optional: a uint32_t a key, the row of its position. {0}: key i is that of position i. */
    gl_segsort_view indices;
    gl_segsort_depth_measure measure;
    /* For VIEW_Z and DISTANCE: from positions to view space, column by column as glUniformMatrix4fv
     * takes it; its last row is not looked at. All 0: the identity, positions are in view space. */
    float view_matrix[16];
    /* For PLANE. */
    float plane[4];
    /* Optional: a uint32_t on the GPU that tells how many keys to write; no more than keys has rows
     * are. {0}: all of them. */
    gl_segsort_view row_count;
    uint32_t barriers_before; /* as in gl_segsort_sort_desc */
    uint32_t barriers_after;
} gl_segsort_depth_keys_desc;

/*
 * Writes a depth key for each row. Needs no plan. Records GL commands and returns; it never waits
 * for the GPU, and a repeated call allocates nothing and compiles nothing.
 *
 * Of a position p and the matrix's row r the view-space coordinate is
 * ((r0 * p.x + r1 * p.y) + r2 * p.z) + r3, of a plane likewise, a step at a time as the top of this
 * file tells. A position with a NaN or an infinity has the key NaN (0x7fc00000), and so has an
 * index past the positions view: NaN comes last in both directions. No byte outside of the keys'
 * rows changes, and none of rows from row_count on.
 *
 * context   any; the first call compiles a program.
 * Errors    INVALID_ARGUMENT (NULL, a buffer name that is 0 or unknown, an offset that is not a
 *           multiple of 4, position_words 1 or 2, an unknown measure, a number of the matrix or plane
 *           that is used and not finite, unknown barrier bits), OUT_OF_RANGE (fewer positions or
 *           indices than keys, a view past its buffer's end), OVERLAP (keys meets another view),
 *           UNSUPPORTED (a view of more bytes than GL_MAX_SHADER_STORAGE_BLOCK_SIZE), COMPILE,
 *           OUT_OF_MEMORY, WRONG_CONTEXT, CONTEXT_LOST, GL. No keys are no error.
 * GL state  as gl_segsort_sort, SSBO bindings 0, 1, 2 and 4, and no UBO binding.
 * Barriers  barriers_before and barriers_after; a sort right behind it sees the keys by its own
 *           barriers_before, so barriers_after may be GL_SEGSORT_BARRIER_NONE then.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_depth_keys(gl_segsort_context *context,
                                                       const gl_segsort_depth_keys_desc *desc);

/* ------------------------------------------------------------------------------------------------
 * Morton codes
 */

typedef struct gl_segsort_morton_keys_desc {
    /* Three floats a row, x first: the view starts at the first row's x, and each next row starts
     * position_words further on. Of the last row only x, y and z need be there. */
    gl_segsort_view positions;
    uint32_t position_words; /* 4-byte words from a row to the next; 0: 3, else 3 or more */
    /* Triangles: three uint32_t a row, rows of positions. {0}: the positions are points, one a
     * row. */
    gl_segsort_view indices;
    uint32_t barriers_before; /* as in gl_segsort_sort_desc */
    uint32_t barriers_after;
} gl_segsort_morton_keys_desc;

/*
 * Writes the keys of the sort that follows: Morton codes of points or triangles, each within the
 * box of its own segment. Row r of a segment is point or triangle keys_offset + r. Plans of
 * KEY_U32 get codes of 30 bits, plans of KEY_U64 codes of 63. Records GL commands and returns, as
 * gl_segsort_sort; a repeated call allocates nothing and compiles nothing.
 *
 * A triangle's place is the sum of its corners, each divided by 8, in their order: 3/8 of its
 * centroid, without overflow. A point's place is an eighth of it. The box of a segment's places is
 * cut into n cells along each axis, 2^10 for 30 bits and 2^21 for 63, and a place's coordinate there
 * is the last cell q whose start is not beyond it:
 *
 *     q = the largest of 0..n-1 with float(q) * cell <= place - minimum, cell = extent / n
 *
 * Bits 3i + 2, 3i + 1 and 3i of the code are bit i of q along x, y and z. Along an axis whose extent
 * is below 2^-100 q is 0, so the codes of a segment of one row, or of equal ones, are 0. A point or
 * triangle with a NaN or an infinity, or with an index past the positions view, is kept out of the
 * box and has the last code, all of whose 30 or 63 bits are 1. The 30-bit code is the 63-bit one's
 * first 30 bits.
 *
 * plan      of KEY_U32 or KEY_U64, and no batch. The first call compiles programs.
 * sort      what gl_segsort_sort will be given. Its keys receive the codes, in the rows of the
 *           plan's segments and nowhere else; the other streams are not touched. Where the GPU lists
 *           the segments, its list decides here as it will there: the list, the segment count and
 *           the other views' rows are the sort's, the status is written as by a sort, and a segment
 *           that is refused gets no keys. (A gl_segsort_gather behind it takes this call's
 *           segments.) Its barriers are not looked at.
 * Errors    as gl_segsort_sort; INVALID_ARGUMENT (also position_words 1 or 2, a plan of other keys, a
 *           plan for a batch), OUT_OF_RANGE (positions or indices that the segments pass; where the
 *           GPU lists them, fewer than keys has rows), OVERLAP (keys meets positions, indices, values
 *           or the list: they are made before they are sorted), COMPILE.
 * GL state  as gl_segsort_sort.
 * Barriers  as gl_segsort_sort; a plan with segments longer than one work group sorts adds
 *           SHADER_STORAGE to barriers_before, since calls share their boxes. The sort's
 *           barriers_before lets it see the keys, so barriers_after may be
 *           GL_SEGSORT_BARRIER_NONE.
 * Source    G. M. Morton, "A computer oriented geodetic data base and a new technique in file
 *           sequencing", IBM 1966.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_morton_keys(gl_segsort_plan *plan,
                                                        const gl_segsort_sort_desc *sort,
                                                        const gl_segsort_morton_keys_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
