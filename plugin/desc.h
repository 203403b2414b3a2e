/* Descriptions: defaults and every check that needs no GL. Pure C. */
#ifndef SEGSORT_DESC_H
#define SEGSORT_DESC_H

#include "error.h"
#include "gl_segsort_keys.h"
#include "kernels.h"
#include "tuning.h"

/* What the checks have to know of the driver. */
typedef struct segsort_limits {
    uint32_t work_groups[3];    /* of one dispatch, along each axis */
    uint32_t shared_bytes;      /* of one work group */
    uint64_t storage_bytes;     /* GL_MAX_SHADER_STORAGE_BLOCK_SIZE */
    uint32_t storage_alignment; /* of a bound range's offset, in bytes */
    uint32_t uniform_alignment;
    uint32_t barrier_bits; /* that the GL version knows */
    /* What kernels for subgroups would go by, and the subgroups' size once a known-answer test has
     * passed. 0: all kernels are portable. */
    segsort_subgroup_api subgroup_api;
    uint32_t subgroup_size;
    const segsort_tuning *tuning; /* what plans go by; NULL: segsort_tuning_default */
} segsort_limits;

#define SEGSORT_WORD_BYTES 4u

typedef enum segsort_stream {
    SEGSORT_STREAM_KEYS,
    SEGSORT_STREAM_VALUES,
    SEGSORT_STREAM_OUTPUT_KEYS,
    SEGSORT_STREAM_OUTPUT_VALUES,
    SEGSORT_STREAM_COUNT
} segsort_stream;

/* The rows from a stream's first used one to its last, relative to its view. */
typedef struct segsort_extent {
    uint32_t first_row;
    uint64_t end_row;
    uint32_t end_segment; /* the segment whose last row is end_row - 1 */
    uint32_t end_length;  /* and its length */
} segsort_extent;

/* What a plan's segments come to, so that a sort call is checked in constant time. */
typedef struct segsort_layout {
    segsort_extent extents[SEGSORT_STREAM_COUNT];
    uint32_t row_bytes[SEGSORT_STREAM_COUNT]; /* 0: the stream is not used */
    uint32_t begin_bit, bit_count;            /* of the key, that decide */
    uint64_t row_count;
    uint32_t segment_count;
    uint32_t empty_count;
    uint32_t longest;
    /* The GPU lists the segments: row_count, segment_count and longest are the most there can be,
     * and extents are up to the views. */
    gl_segsort_segment_source source;
    /* Whether every segment's output rows lie equally far from its input rows: output offset =
     * input offset + shift. */
    bool keys_shifted, values_shifted;
    int64_t keys_shift, values_shift;
} segsort_layout;

/* A stream's name as the header has it. */
const char *segsort_stream_name(segsort_stream stream);

/* A segment's first row in a stream. */
uint32_t segsort_segment_offset(const gl_segsort_segment *segment, segsort_stream stream);

gl_segsort_result segsort_desc_check_context(const gl_segsort_context_desc *desc,
                                             segsort_error *error);

/* malloc and free where the description has no allocator. */
gl_segsort_allocator segsort_desc_allocator(const gl_segsort_context_desc *desc);

/* Sets of views that a plan's segments lie in, and how many segments one of them has. */
uint32_t segsort_desc_set_count(const gl_segsort_plan_desc *desc);
uint32_t segsort_desc_set_segments(const gl_segsort_plan_desc *desc, uint32_t set);

/* Checks everything but the segments and the scratch. */
gl_segsort_result segsort_desc_check_fields(const gl_segsort_plan_desc *desc, segsort_error *error);

/* Checks the segments of a description whose fields are right, and works out each set's layout.
 * Memory for sorting the ranges comes from allocator. */
gl_segsort_result segsort_desc_check_plan(const gl_segsort_plan_desc *desc,
                                          const segsort_limits *limits,
                                          const gl_segsort_allocator *allocator,
                                          segsort_layout *layouts, segsort_error *error);

/* Checks the host's scratch, if there is one, for a plan that needs so many bytes. */
gl_segsort_result segsort_desc_check_scratch(const gl_segsort_view *scratch, uint64_t bytes,
                                             segsort_error *error);

/* ---------------------------------------------------------------------------------------------- */
/* desc_views.c: the views of a sort or gather call */

/* A view as a call uses it. */
typedef struct segsort_use {
    const char *name; /* the field's */
    gl_segsort_view view;
    segsort_extent extent; /* the rows that the segments reach */
    uint64_t row_bytes;    /* 0: not used */
    uint64_t cut_bytes;    /* of the last row, that are not */
    bool output;
    bool in_place; /* an input whose rows are exactly an output's, segment by segment */
} segsort_use;

/* The bytes of the buffer that it uses. */
uint64_t segsort_use_first(const segsort_use *use);
uint64_t segsort_use_end(const segsort_use *use);

/* Uses of a sort behind its streams. */
enum {
    SEGSORT_USE_LIST = SEGSORT_STREAM_COUNT,
    SEGSORT_USE_LIST_COUNT,
    SEGSORT_USE_STATUS,
    SEGSORT_USES_MAX
};

/* Where the views of a gather are among its uses. */
enum {
    SEGSORT_GATHER_RECORDS,
    SEGSORT_GATHER_INDICES,
    SEGSORT_GATHER_OUTPUT,
    SEGSORT_GATHER_VIEWS
};

/* What a call does with a set's views: those of a sort by stream, those of a gather as above. The
 * others stay {0}. */
void segsort_desc_sort_uses(const gl_segsort_sort_desc *desc, const segsort_layout *layout,
                            segsort_use uses[SEGSORT_USES_MAX]);
void segsort_desc_gather_uses(const gl_segsort_gather_desc *desc, const segsort_layout *layout,
                              segsort_use uses[SEGSORT_USES_MAX]);

gl_segsort_result segsort_desc_check_sort(const gl_segsort_sort_desc *desc,
                                          const segsort_layout *layout,
                                          const segsort_limits *limits, segsort_error *error);
gl_segsort_result segsort_desc_check_gather(const gl_segsort_gather_desc *desc,
                                            const segsort_layout *layout,
                                            const segsort_limits *limits, segsort_error *error);

/* Whether a stream that is an output lies exactly on its input, so that a pass may not read the one
 * while it writes the other. */
bool segsort_desc_in_place(const gl_segsort_sort_desc *desc, const segsort_layout *layout);

/* Segments that the list of a sort's view has entries for. */
uint32_t segsort_desc_list_entries(const gl_segsort_sort_desc *desc, const segsort_layout *layout);

/* Each view by itself, then outputs against all others. */
gl_segsort_result segsort_desc_check_uses(const segsort_use uses[SEGSORT_USES_MAX],
                                          const segsort_limits *limits, segsort_error *error);

/* Rows of a view, as far as a use can have any. */
segsort_extent segsort_desc_rows_of(const gl_segsort_view *view, uint64_t rows_max);

/* Fails on bits of a field that GL doesn't know. */
gl_segsort_result segsort_desc_check_barriers(const char *field, uint32_t bits,
                                              const segsort_limits *limits, segsort_error *error);

/* The barrier bits to issue for the fields of a description: defaults filled in, NONE taken out. */
uint32_t segsort_desc_barriers_before(uint32_t barriers_before);
uint32_t segsort_desc_barriers_after(uint32_t barriers_after, const segsort_limits *limits);

/* The bytes of a buffer that the shaders get to see. */
typedef struct segsort_binding_range {
    uint64_t byte_offset; /* a multiple of the storage alignment */
    uint64_t byte_size;
    uint32_t view_word; /* words from byte_offset to the view's row 0; wraps when the view starts
                           before it */
} segsort_binding_range;

segsort_binding_range segsort_desc_range(const segsort_use *use, const segsort_limits *limits);

/* ---------------------------------------------------------------------------------------------- */
/* desc_keys.c: calls that make keys */

/* Where their views are among their uses: of both, then of depth keys, then of Morton codes. */
enum {
    SEGSORT_MAKE_POSITIONS,
    SEGSORT_MAKE_INDICES,
    SEGSORT_MAKE_KEYS,
    SEGSORT_MAKE_VIEWS,
    SEGSORT_MAKE_ROW_COUNT = SEGSORT_MAKE_VIEWS,
    SEGSORT_MAKE_VALUES = SEGSORT_MAKE_VIEWS,
    SEGSORT_MAKE_LIST
};

/* 32-bit words from a position to the next, with the default filled in. */
uint32_t segsort_desc_position_words(uint32_t position_words);

/* Whether a view that may be left out is there. */
bool segsort_desc_has_view(const gl_segsort_view *view);

void segsort_desc_depth_uses(const gl_segsort_depth_keys_desc *desc,
                             segsort_use uses[SEGSORT_USES_MAX]);
gl_segsort_result segsort_desc_check_depth(const gl_segsort_depth_keys_desc *desc,
                                           const segsort_limits *limits, segsort_error *error);

/* The planes whose distances a depth is made of, as bits: their squares' sum for DISTANCE, else the
 * first one's. */
#define SEGSORT_DEPTH_PLANE_WORDS 12
void segsort_desc_depth_planes(const gl_segsort_depth_keys_desc *desc,
                               uint32_t planes[SEGSORT_DEPTH_PLANE_WORDS]);

void segsort_desc_morton_uses(const gl_segsort_sort_desc *sort,
                              const gl_segsort_morton_keys_desc *desc, const segsort_layout *layout,
                              segsort_use uses[SEGSORT_USES_MAX]);
gl_segsort_result segsort_desc_check_morton(const gl_segsort_sort_desc *sort,
                                            const gl_segsort_morton_keys_desc *desc,
                                            const segsort_layout *layout,
                                            const segsort_limits *limits, segsort_error *error);

/* ---------------------------------------------------------------------------------------------- */
/* desc_spans.c: the sets of a batch against each other, and the host's scratch against all */

/* The bytes from a use's first row to its last. */
typedef struct segsort_span {
    uint32_t buffer;
    uint64_t first, end;
    const char *name;
    uint32_t set;
    bool output;
} segsort_span;

#define SEGSORT_NO_SET UINT32_MAX

/* Adds what a set's uses take, inputs in place left out: their outputs stand for them. Returns the
 * number of spans then. */
uint32_t segsort_spans_add(segsort_span *spans, uint32_t count,
                           const segsort_use uses[SEGSORT_USES_MAX], uint32_t set);

/* Fails where an output's span meets another one. numbers is memory, one a span. */
gl_segsort_result segsort_spans_check(const segsort_span *spans, uint32_t *numbers, uint32_t count,
                                      segsort_error *error);

#endif
