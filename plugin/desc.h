/* Descriptions: defaults and every check that needs no GL. Pure C. */
#ifndef SEGSORT_DESC_H
#define SEGSORT_DESC_H

#include "error.h"
#include "kernels.h"

/* What the checks have to know of the driver. */
typedef struct segsort_limits {
    uint32_t work_groups[3];    /* of one dispatch, along each axis */
    uint32_t shared_bytes;      /* of one work group */
    uint64_t storage_bytes;     /* GL_MAX_SHADER_STORAGE_BLOCK_SIZE */
    uint32_t storage_alignment; /* of a bound range's offset, in bytes */
    uint32_t uniform_alignment;
    uint32_t barrier_bits; /* that the GL version knows */
} segsort_limits;

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

/* Checks the description and works out the layout. Memory for sorting the ranges comes from
 * allocator. */
gl_segsort_result segsort_desc_check_plan(const gl_segsort_plan_desc *desc,
                                          const segsort_limits *limits,
                                          const gl_segsort_allocator *allocator,
                                          segsort_layout *layout, segsort_error *error);

gl_segsort_result segsort_desc_check_sort(const gl_segsort_sort_desc *desc,
                                          const segsort_layout *layout,
                                          const segsort_limits *limits, segsort_error *error);

/* Whether a stream that is an output lies exactly on its input, so that a pass may not read the one
 * while it writes the other. */
bool segsort_desc_in_place(const gl_segsort_sort_desc *desc, const segsort_layout *layout);

/* The description's view for a stream. */
const gl_segsort_view *segsort_desc_view(const gl_segsort_sort_desc *desc, segsort_stream stream);

/* The barrier bits to issue for a field of the description: defaults filled in, NONE taken out. */
uint32_t segsort_desc_barriers_before(const gl_segsort_sort_desc *desc);
uint32_t segsort_desc_barriers_after(const gl_segsort_sort_desc *desc,
                                     const segsort_limits *limits);

/* The bytes of a stream's buffer that the shaders get to see. */
typedef struct segsort_binding_range {
    uint64_t byte_offset; /* a multiple of the storage alignment */
    uint64_t byte_size;
    uint32_t
        view_word; /* words from byte_offset to the view's row 0; wraps when the view starts before it */
} segsort_binding_range;

segsort_binding_range segsort_desc_range(const gl_segsort_view *view, const segsort_extent *extent,
                                         uint32_t row_bytes, const segsort_limits *limits);

#endif
