/*
 * What the C side and the shaders have to agree on: bindings, the segment table, the pass parameters.
 * Included by both; shaders are compiled with SEGSORT_GLSL defined.
 */
#ifndef SEGSORT_LAYOUT_H
#define SEGSORT_LAYOUT_H

/* Shader storage bindings. Each is a run of 32-bit words. */
#define SEGSORT_BINDING_KEYS 0
#define SEGSORT_BINDING_VALUES 1
#define SEGSORT_BINDING_OUTPUT_KEYS 2
#define SEGSORT_BINDING_OUTPUT_VALUES 3
#define SEGSORT_BINDING_TABLE 4
#define SEGSORT_BINDING_INDEX 5
#define SEGSORT_STORAGE_BINDINGS 6

/* Uniform block binding of the pass parameters, and location of the views' first words. */
#define SEGSORT_BINDING_PASS 0
#define SEGSORT_LOCATION_VIEW_WORD 0

/*
 * The table starts with the segments that have rows, SEGSORT_SEGMENT_WORDS each, grouped by kernel and width:
 *
 *     | keys | values | output_keys | output_values | length |      first rows relative to the views
 *
 * Behind them come the tiles of the segments that are longer than one work group sorts, SEGSORT_TILE_WORDS each:
 *
 *     | segment | first_row | index_row |      segment counts from the pass's first one; first_row is
 *                                              relative to the segment, index_row to the index scratch
 */
#define SEGSORT_SEGMENT_WORDS 5
#define SEGSORT_TILE_WORDS 3

/* What differs between the dispatches of one program. Every member is one 32-bit word, so that std140 and C lay them
 * out alike. */
#ifdef SEGSORT_GLSL
#define SEGSORT_WORD uint
layout(std140, binding = SEGSORT_BINDING_PASS) uniform SegsortPass
#else
#include <stdint.h>
#define SEGSORT_WORD uint32_t
struct segsort_pass_params
#endif
{
    SEGSORT_WORD first_group;  /* a list longer than one dispatch goes on in the next */
    SEGSORT_WORD item_count;   /* groups of items that there are: segments, or tiles */
    SEGSORT_WORD segment_word; /* table word of the pass's first segment */
    SEGSORT_WORD tile_word;    /* table word of its first tile */
    SEGSORT_WORD partner_mask; /* row xor partner_mask is the comparator's other end */
};

#endif
