/*
 * What the C side and the shaders have to agree on: bindings, the segment table, the pass parameters.
 * Included by both; shaders are compiled with SEGSORT_GLSL defined.
 */
#ifndef SEGSORT_LAYOUT_H
#define SEGSORT_LAYOUT_H

/* Shader storage bindings. Each is a run of 32-bit words. Which buffers a pass reads from and
 * writes to, its places tell. */
#define SEGSORT_BINDING_KEYS 0
#define SEGSORT_BINDING_VALUES 1
#define SEGSORT_BINDING_OUTPUT_KEYS 2
#define SEGSORT_BINDING_OUTPUT_VALUES 3
#define SEGSORT_BINDING_TABLE 4
#define SEGSORT_BINDING_WORK 5
#define SEGSORT_STORAGE_BINDINGS 6

/* Where rows can be: in the caller's inputs, in the caller's outputs, in the scratch. */
#define SEGSORT_PLACE_INPUT 0
#define SEGSORT_PLACE_OUTPUT 1
#define SEGSORT_PLACE_SCRATCH 2
#define SEGSORT_PLACES 3

/* Uniform block binding of the pass parameters. Uniform location of the words from the start of
 * each bound range to row 0: keys and values of each place, then the work section. */
#define SEGSORT_BINDING_PASS 0
#define SEGSORT_LOCATION_VIEW_WORD 0
#define SEGSORT_VIEW_WORDS 8
#define SEGSORT_VIEW_WORD_WORK 6

/* A gather has records, indices and ordered records in the bindings of keys, values and output
 * keys. It has no scratch and no work section, so their view words tell what its call says instead:
 * a record's words, and how many records there are when indices count from the view's first one, 0
 * when they count from the segment's. */
#define SEGSORT_VIEW_WORD_RECORD_WORDS 4
#define SEGSORT_VIEW_WORD_RECORDS 5

/*
 * The table starts with the segments that have rows, SEGSORT_SEGMENT_WORDS each, grouped by kernel and width:
 *
 *     | keys | values | output_keys | output_values | length |      first rows relative to the views
 *
 * Behind them come the tiles of the segments that are longer than one work group sorts, SEGSORT_TILE_WORDS each:
 *
 *     | segment | first_row | scratch_row |      segment counts from the pass's first one; first_row is
 *                                                relative to the segment, scratch_row to the scratch
 *
 * For the radix sort each of these segments has SEGSORT_LONG_WORDS more,
 *
 *     | first_tile | first_chunk |               a chunk is SEGSORT_CHUNK_TILES consecutive tiles of a segment
 *
 * and each chunk has SEGSORT_CHUNK_WORDS: | first_tile | tile_count |.
 */
#define SEGSORT_SEGMENT_WORDS 5
#define SEGSORT_TILE_WORDS 3
#define SEGSORT_LONG_WORDS 2
#define SEGSORT_CHUNK_WORDS 2
#define SEGSORT_CHUNK_TILES 64

/* The multi-workgroup radix sort: digits of up to 8 bits, and a count for each in each tile. */
#define SEGSORT_DIGIT_BITS 8
#define SEGSORT_DIGITS 256

/* What differs between the dispatches of one program. Every member is one 32-bit word, so that
 * std140 and C lay them out alike. */
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
    SEGSORT_WORD item_count;   /* groups of items that there are: segments, tiles or chunks */
    SEGSORT_WORD segment_word; /* table word of the pass's first segment */
    SEGSORT_WORD tile_word;    /* table word of its first tile */
    SEGSORT_WORD partner_mask; /* row xor partner_mask is the comparator's other end */
    SEGSORT_WORD key_mask_low; /* bits of the key that count, where not all do */
    SEGSORT_WORD key_mask_high;
    SEGSORT_WORD source; /* place that rows are read from, and written to */
    SEGSORT_WORD destination;
    SEGSORT_WORD digit_shift; /* the digit's, or all the bits that a work group sorts by */
    SEGSORT_WORD digit_bits;
    SEGSORT_WORD long_word;    /* table word of the long segments' further words */
    SEGSORT_WORD chunk_word;   /* table word of the first chunk */
    SEGSORT_WORD chunk_counts; /* work word of the chunks' counts, 0: tiles are scanned directly */
    SEGSORT_WORD digit_starts; /* and of each long segment's digits; the tiles' counts are at 0 */
    SEGSORT_WORD slot_count; /* segments that a work group of a gather takes, 0: it takes a tile */
    SEGSORT_WORD slot_rows;  /* rows of a slot, a power of two, or of a tile */
};

#endif
