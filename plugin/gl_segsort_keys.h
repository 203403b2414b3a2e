/*
 * gl_segsort_keys - keys made on the GPU, for the sort that renderers need most: by depth. Part
 * of gl_segsort; includes nothing but gl_segsort.h.
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
 * Same bits everywhere. Keys are defined to the last bit and don't depend on how a driver rounds,
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

#ifdef __cplusplus
}
#endif

#endif
