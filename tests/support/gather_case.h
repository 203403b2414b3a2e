/* A sort and a gather of records by it, from generated inputs to a verdict on every byte. */
#ifndef GATHER_CASE_H
#define GATHER_CASE_H

#include "sort_case.h"

struct gather_case {
    struct sort_case sort; /* of VALUE_INDEX, or of VALUE_U32 with the indices that base means */
    uint32_t record_words;
    gl_segsort_index_base base;
    uint32_t more_records;                  /* than the segments reach */
    uint32_t records_offset, output_offset; /* in bytes */
};

struct gather_buffers {
    const struct gather_case *of;
    struct sort_buffers sort; /* whose output values are the indices */
    uint32_t *values;         /* of a sort with VALUE_U32 */
    struct guarded records, output;
    size_t record_rows, output_rows;
};

/* Segments of such lengths, in another order and with other gaps in each stream. */
struct gather_case gather_case_make(const char *name, gl_segsort_segment *segments,
                                    const uint32_t *lengths, uint32_t count,
                                    gl_segsort_value_type value_type, uint32_t record_words);

void gather_buffers_make(struct gather_buffers *buffers, struct gather_case *of);
void gather_buffers_free(struct gather_buffers *buffers);
gl_segsort_gather_desc gather_buffers_desc(const struct gather_buffers *buffers);

/* Expects what a gather has to do with these indices, which lie as output values do. */
void gather_buffers_expect(struct gather_buffers *buffers, const uint32_t *indices);

/* Whether the ordered records are right, and the records what they were. */
bool gather_buffers_right(const struct gather_buffers *buffers);

/* Whether nothing was written at all, by the sort neither. */
bool gather_buffers_untouched(const struct gather_buffers *buffers);

#endif
