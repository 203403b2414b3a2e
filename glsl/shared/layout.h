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
#define SEGSORT_BINDING_LIST 6
#define SEGSORT_BINDING_LIST_COUNT 7
#define SEGSORT_STORAGE_BINDINGS 8

/* The kernel that lays out a listed plan's table works on no rows: it has the pass parameters, the
 * indirect commands and the status record where keys, values and output keys are otherwise. */
#define SEGSORT_BINDING_PARAMS SEGSORT_BINDING_KEYS
#define SEGSORT_BINDING_COMMANDS SEGSORT_BINDING_VALUES
#define SEGSORT_BINDING_STATUS SEGSORT_BINDING_OUTPUT_KEYS

/* Where rows can be: in the caller's inputs, in the caller's outputs, in the scratch. And what the
 * kernel that lays out a listed plan's table reads and writes instead. */
#define SEGSORT_PLACE_INPUT 0
#define SEGSORT_PLACE_OUTPUT 1
#define SEGSORT_PLACE_SCRATCH 2
#define SEGSORT_PLACES 3
#define SEGSORT_PLACE_COMMANDS 3
#define SEGSORT_PLACE_STATUS 4
#define SEGSORT_BOUND_PLACES 5

/* Uniform block binding of the pass parameters. Uniform location of the words from the start of
 * each bound range to row 0: keys and values of each place, then the work section. */
#define SEGSORT_BINDING_PASS 0
#define SEGSORT_LOCATION_VIEW_WORD 0
#define SEGSORT_VIEW_WORDS 8
#define SEGSORT_VIEW_WORD_WORK 6
/* A sort's: 1 where what it reads first lies where it writes last, keys or values. */
#define SEGSORT_VIEW_WORD_IN_PLACE 7

/* A gather has records, indices and ordered records in the bindings of keys, values and output
 * keys. The other view words tell what its call says: what indices count from
 * (gl_segsort_index_base), a record's words, and the rows of the three views. */
#define SEGSORT_VIEW_WORD_INDEX_BASE 3
#define SEGSORT_VIEW_WORD_RECORD_WORDS 4
#define SEGSORT_VIEW_WORD_RECORDS 5
#define SEGSORT_VIEW_WORD_OUTPUT_RECORDS 6
#define SEGSORT_VIEW_WORD_INDICES 7

/* Calls that make keys have positions, indices and the keys made in the bindings of keys, values and
 * output keys; depth keys have the number of rows on the GPU in that of the table. Their view words
 * are the words from the start of each bound range to row 0, in this order, then: a position's words
 * and the rows of its view; of Morton codes whether the rows are triangles; of depth keys their
 * number and SEGSORT_DEPTH_* flags. */
#define SEGSORT_VIEW_WORD_POSITIONS 0
#define SEGSORT_VIEW_WORD_POSITION_INDICES 1
#define SEGSORT_VIEW_WORD_MADE_KEYS 2
#define SEGSORT_VIEW_WORD_ROW_COUNT 3
#define SEGSORT_VIEW_WORD_POSITION_WORDS 4
#define SEGSORT_VIEW_WORD_POSITION_ROWS 5
#define SEGSORT_VIEW_WORD_TRIANGLES 6
#define SEGSORT_VIEW_WORD_KEY_ROWS 6
#define SEGSORT_VIEW_WORD_DEPTH_FLAGS 7
#define SEGSORT_DEPTH_DISTANCE 1
#define SEGSORT_DEPTH_INDEXED 2
#define SEGSORT_DEPTH_COUNTED 4

/* The planes that depths are distances from, three of four floats each, as bits. */
#define SEGSORT_LOCATION_DEPTH_PLANES 5
#define SEGSORT_DEPTH_PLANES 3

/*
 * A list of segments that only the GPU knows: what a call says of it, in uniforms.
 *
 *     0..3   rows of the views of keys, values, output_keys, output_values
 *     4, 5   words from the start of the bound range to the list's first entry, and how many
 *            entries may be looked at
 *     6, 7   word of the number of segments in its buffer; the number, where the host gives it
 *     8      word of the status record in its buffer
 *     9      SEGSORT_LIST_* flags
 *     10     words from one pass's parameters to the next one's
 */
#define SEGSORT_LOCATION_LIST_WORD 2
#define SEGSORT_LIST_WORD_LIST 4
#define SEGSORT_LIST_WORD_ENTRIES 5
#define SEGSORT_LIST_WORD_COUNT 6
#define SEGSORT_LIST_WORD_HOST_COUNT 7
#define SEGSORT_LIST_WORD_STATUS 8
#define SEGSORT_LIST_WORD_FLAGS 9
#define SEGSORT_LIST_WORD_PARAMS_WORDS 10
#define SEGSORT_LIST_WORDS 12

/* Flags: streams in use and in place, what is there. */
#define SEGSORT_LIST_KEYS 1
#define SEGSORT_LIST_VALUES 2
#define SEGSORT_LIST_OUTPUT_KEYS 4
#define SEGSORT_LIST_OUTPUT_VALUES 8
#define SEGSORT_LIST_KEYS_IN_PLACE 16
#define SEGSORT_LIST_VALUES_IN_PLACE 32
#define SEGSORT_LIST_COUNTED 64
#define SEGSORT_LIST_STATUS 128

/* How it is written down: row offsets, one more than segments; records of SEGSORT_SEGMENT_WORDS;
 * lengths of segments that start at multiples of the stride. */
#define SEGSORT_LIST_OFFSETS 1
#define SEGSORT_LIST_RANGES 2
#define SEGSORT_LIST_STRIDED 3

/* A work group reads SEGSORT_LIST_GROUP segments and leaves a record of SEGSORT_GROUP_WORDS: how
 * many are in each class, then what is below. SEGSORT_GROUP_COLUMNS of them are summed up over the
 * groups before. */
#define SEGSORT_LIST_GROUP 2048
#define SEGSORT_LIST_CLASSES 13 /* widths 2 to 4096, the long ones behind */
#define SEGSORT_GROUP_TILES 13
#define SEGSORT_GROUP_CHUNKS 14
#define SEGSORT_GROUP_LONG_ROWS 15
#define SEGSORT_GROUP_COLUMNS 16
#define SEGSORT_GROUP_ROWS 16 /* at most 2^32 - 1 */
#define SEGSORT_GROUP_REFUSED 17
#define SEGSORT_GROUP_FIRST_REFUSED 18
#define SEGSORT_GROUP_LONGEST 19
#define SEGSORT_GROUP_WORDS 20

/* What a work group tells the ones after it, at head_word of the table: segments in the list, those
 * of them that are looked at, then each class's first segment. */
#define SEGSORT_HEAD_SEEN 0
#define SEGSORT_HEAD_COUNT 1
#define SEGSORT_HEAD_CLASSES 2
#define SEGSORT_HEAD_WORDS 16

/* A pass whose work groups the GPU counts: its place among parameters and commands, what its items
 * are, their class, how many a work group takes, its first work group and how many it may have,
 * and how long the longest segment must be for it to have any. */
#define SEGSORT_ITEMS_SEGMENTS 0
#define SEGSORT_ITEMS_TILES 1
#define SEGSORT_ITEMS_CHUNKS 2
#define SEGSORT_RECIPE_PLACE 0
#define SEGSORT_RECIPE_ITEMS 1
#define SEGSORT_RECIPE_CLASS 2
#define SEGSORT_RECIPE_SLOTS 3
#define SEGSORT_RECIPE_FIRST_GROUP 4
#define SEGSORT_RECIPE_GROUPS_MAX 5
#define SEGSORT_RECIPE_LENGTH_MIN 6
#define SEGSORT_RECIPE_WORDS 7
#define SEGSORT_COMMAND_WORDS 4

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
 *     | first_tile | first_chunk | scratch_row |   a chunk is SEGSORT_CHUNK_TILES consecutive tiles of a segment
 *
 * and each chunk has SEGSORT_CHUNK_WORDS: | first_tile | tile_count |.
 *
 * Long segments that are split into buckets have SEGSORT_SPLIT_WORDS more. Of a segment's samples,
 * sorted, every samples_apart-th is a splitter. Neighbouring buckets are put together into bunches,
 * and a segment has so many work groups that sort them, of which each has the number of its segment;
 * bunch_word is the word of the segment's bunches, counted from those of the first one. Every
 * SEGSORT_SUM_TILES of its tiles are counted together besides, a sum for each bucket. A bunch of
 * several buckets has bunch_rows at most; buckets are cut evenly where each has no more than half of
 * room_samples:
 *
 *     | first_group | bucket_count | samples_apart | group_count | first_splitter | bunch_word |
 *     | first_sum | sum_count | bunch_rows | room_samples |
 *
 * Segments that are longer still are split twice: the bunches of the first split are children, which
 * are segments to the second one. Only the GPU knows them, so it writes what the host writes of others:
 * segments, the SEGSORT_LONG_WORDS and the SEGSORT_SPLIT_WORDS of all children that there can be and of
 * one more without rows, which surplus tiles and work groups have; then tiles, and the number of its
 * child for each work group that sorts bunches. What a segment's children share is in
 * SEGSORT_TWICE_WORDS:
 *
 *     | first_child | children_max | first_tile | tiles_max | first_sum |
 *     | first_group | groups_max | first_part_group | part_groups_max |
 *     | length_max | bunch_rows | group_rows | part_bunch_rows | part_group_rows |
 *     | bucket_rows | buckets_max | sample_apart | samples_max |
 *
 * A child has a bucket for every bucket_rows, and no more than buckets_max. One of up to length_max rows
 * has bunches of bunch_rows and a work group for every group_rows that it has; a longer one is sorted
 * part by part, and goes by part_bunch_rows and part_group_rows.
 *
 * Of plans whose keys can be Morton codes each segment longer than one work group sorts has
 * SEGSORT_BOX_WORDS more, the least and the greatest coordinates of its box:
 *
 *     | low x | low y | low z | high x | high y | high z |      as numbers that order as the floats do
 *
 * Packs, which are runs of whole segments that lie one behind the other in every stream, have
 * SEGSORT_PACK_WORDS of their width each,
 *
 *     | keys | values | output_keys | output_values | rows | starts | start words |
 *
 * the first row of each stream, the rows, a bit for each row that starts a segment, and a bit for
 * each word that has such bits. Segments that all are equally long and lie one behind the other
 * need none: the pass's parameters say it all.
 *
 * A listed plan's table starts with recipes, head and groups' records (above), and has room for the
 * most that there can be of everything else.
 */
#define SEGSORT_SEGMENT_WORDS 5
#define SEGSORT_TILE_WORDS 3
#define SEGSORT_LONG_WORDS 3
#define SEGSORT_CHUNK_WORDS 2
#define SEGSORT_CHUNK_TILES 64
#define SEGSORT_BOX_WORDS 6
#define SEGSORT_SPLIT_WORDS 10
#define SEGSORT_SPLIT_FIRST_GROUP 0
#define SEGSORT_SPLIT_BUCKETS 1
#define SEGSORT_SPLIT_SAMPLES_APART 2
#define SEGSORT_SPLIT_GROUPS 3
#define SEGSORT_SPLIT_FIRST_SPLITTER 4
#define SEGSORT_SPLIT_BUNCH_WORD 5
#define SEGSORT_SPLIT_FIRST_SUM 6
#define SEGSORT_SPLIT_SUMS 7
#define SEGSORT_SPLIT_BUNCH_ROWS 8
#define SEGSORT_SPLIT_ROOM_SAMPLES 9
#define SEGSORT_TWICE_WORDS 18
#define SEGSORT_TWICE_FIRST_CHILD 0
#define SEGSORT_TWICE_CHILDREN 1
#define SEGSORT_TWICE_FIRST_TILE 2
#define SEGSORT_TWICE_TILES 3
#define SEGSORT_TWICE_FIRST_SUM 4
#define SEGSORT_TWICE_FIRST_GROUP 5
#define SEGSORT_TWICE_GROUPS 6
#define SEGSORT_TWICE_FIRST_PART_GROUP 7
#define SEGSORT_TWICE_PART_GROUPS 8
#define SEGSORT_TWICE_LENGTH_MAX 9
#define SEGSORT_TWICE_BUNCH_ROWS 10
#define SEGSORT_TWICE_GROUP_ROWS 11
#define SEGSORT_TWICE_PART_BUNCH_ROWS 12
#define SEGSORT_TWICE_PART_GROUP_ROWS 13
#define SEGSORT_TWICE_BUCKET_ROWS 14
#define SEGSORT_TWICE_BUCKETS_MAX 15
#define SEGSORT_TWICE_SAMPLE_APART 16
#define SEGSORT_TWICE_SAMPLES_MAX 17
#define SEGSORT_SUM_TILES 8
#define SEGSORT_CLEARED_SUMS 32 /* that a work group clears */
#define SEGSORT_PACK_HEAD_WORDS 5
#define SEGSORT_PACK_START_WORDS(width) ((width) / 32)
#define SEGSORT_PACK_START_GROUPS(width) (((width) + 1023) / 1024)
#define SEGSORT_PACK_WORDS(width)                                                                  \
    (SEGSORT_PACK_HEAD_WORDS + SEGSORT_PACK_START_WORDS(width) + SEGSORT_PACK_START_GROUPS(width))

/* What a splitter has in the work section: an ordered key and the row of the segment that it is of.
 * A segment has one less than buckets, behind room for one: where keys are 32 bits and samples lie evenly, scale,
 * shift and span of even buckets are there (shared/split.glsl), and there are no splitters; else its first word is
 * 0. */
#define SEGSORT_SPLITTER_WORDS(key_words) ((key_words) + 1)

/* A split segment's bunches in the work section: how many there are, the first row of each, and the
 * segment's rows. So many words take the most that there can be. */
#define SEGSORT_BUNCH_WORDS(bunches_max) ((bunches_max) + 2)

/* The multi-workgroup radix sort: digits of up to 8 bits, and a count for each in each tile. */
#define SEGSORT_DIGIT_BITS 8
#define SEGSORT_DIGITS 256

/* Where a shader knows its subgroup from. */
#define SEGSORT_SUBGROUP_API_NONE 0
#define SEGSORT_SUBGROUP_API_KHR 1
#define SEGSORT_SUBGROUP_API_ARB 2

/* What the probe of subgroups writes, for each invocation of a work group; masks are two words. */
#define SEGSORT_PROBE_THREADS 256
#define SEGSORT_PROBE_ROUNDS 8
#define SEGSORT_PROBE_DIGITS 4
#define SEGSORT_PROBE_SIZE 0
#define SEGSORT_PROBE_LANE 1
#define SEGSORT_PROBE_SUBGROUP 2
#define SEGSORT_PROBE_SCAN 3
#define SEGSORT_PROBE_ODD 4
#define SEGSORT_PROBE_RARE 6
#define SEGSORT_PROBE_MOST 8
#define SEGSORT_PROBE_ALL 10
#define SEGSORT_PROBE_BELOW 12
#define SEGSORT_PROBE_ENDS 13
#define SEGSORT_PROBE_PASSED 14
#define SEGSORT_PROBE_RANKS 15
#define SEGSORT_PROBE_OTHERS 16
#define SEGSORT_PROBE_WORDS 17

/* Of the pass parameters below, what a listed plan's layout kernel writes. */
#define SEGSORT_PARAM_ITEM_COUNT 1
#define SEGSORT_PARAM_SEGMENT_WORD 2

/* What differs between the dispatches of one program. Every member is one 32-bit word, so that
 * std140 and C lay them out alike. A kernel that belongs to no plan has none. */
#ifndef SEGSORT_NO_PASS
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
    SEGSORT_WORD slot_count;   /* segments that a work group of a gather takes, 0: it takes a tile;
                                 equally long segments of a pack */
    SEGSORT_WORD slot_rows; /* rows of a slot, a power of two, or of a tile; of each such segment */
    SEGSORT_WORD slot_inverse; /* 2^32 / slot_rows, rounded up */
    SEGSORT_WORD equal_keys;   /* equal segments' first row in each stream, and all their rows */
    SEGSORT_WORD equal_values;
    SEGSORT_WORD equal_output_keys;
    SEGSORT_WORD equal_output_values;
    SEGSORT_WORD equal_rows;
    SEGSORT_WORD list_source; /* of a listed plan: SEGSORT_LIST_OFFSETS and so on */
    SEGSORT_WORD list_stride;
    SEGSORT_WORD rows_max;    /* of all segments: the list is cut where they get more */
    SEGSORT_WORD length_max;  /* of one segment */
    SEGSORT_WORD class_count; /* classes, the long one among them */
    SEGSORT_WORD class_shift; /* log2 of the narrowest class's width */
    SEGSORT_WORD tile_rows;
    SEGSORT_WORD recipe_word; /* table words of the recipes, the head, the groups' records */
    SEGSORT_WORD recipe_count;
    SEGSORT_WORD head_word;
    SEGSORT_WORD group_word;
    SEGSORT_WORD groups_x; /* work groups that a dispatch may have along x, and in x and y */
    SEGSORT_WORD groups_xy;
    SEGSORT_WORD split_word;   /* table word of how long segments are split */
    SEGSORT_WORD finish_word;  /* and of the work groups that sort their bunches */
    SEGSORT_WORD splitters;    /* work word of the splitters */
    SEGSORT_WORD bunch_starts; /* and of the bunches */
    SEGSORT_WORD tile_sums; /* of what SEGSORT_SUM_TILES tiles of a split segment count together */
    SEGSORT_WORD first_sum; /* sums that the pass clears */
    SEGSORT_WORD sum_count;
    SEGSORT_WORD twice_word; /* table word of what is split twice */
    SEGSORT_WORD
    child_segment_word;           /* of its children: segments, their tiles, further words, how */
    SEGSORT_WORD child_tile_word; /* they are split, and the work groups that sort their bunches */
    SEGSORT_WORD child_long_word;
    SEGSORT_WORD child_split_word;
    SEGSORT_WORD child_finish_word;
    SEGSORT_WORD child_bunch_starts; /* work word of their bunches, and the words that each has */
    SEGSORT_WORD child_bunch_words;
    SEGSORT_WORD box_word;   /* table word of the long segments' boxes */
    SEGSORT_WORD step_limit; /* steps of the network that the pass runs at most */
};
#endif

#endif
