/* The CPU reference: what every sort's output has to equal, bit for bit. Written from the header's
 * words alone; it shares nothing with the shaders. */
#ifndef CPU_SORT_H
#define CPU_SORT_H

#include "gl_segsort.h"

/* What decides the order, as in gl_segsort_plan_desc; {0} is ascending u32 keys and u32 values. */
struct cpu_order {
    gl_segsort_key_type key_type;
    gl_segsort_value_type value_type;
    gl_segsort_direction direction;
    uint32_t begin_bit, end_bit;
};

/* 32-bit words of a key, of an input value and of an output value. */
size_t cpu_key_words(gl_segsort_key_type type);
size_t cpu_input_value_words(gl_segsort_value_type type);
size_t cpu_output_value_words(gl_segsort_value_type type);

/* What is compared of a key: the lesser number comes first. */
uint64_t cpu_key_number(const struct cpu_order *order, const uint32_t *key);

/* The source row of each sorted row: a stable sort of length keys, which are words of the type. */
void cpu_sort_order(const struct cpu_order *order, const uint32_t *keys, size_t length,
                    uint32_t *rows);

/* Moves rows to where such an order has them. As cpu_sort_rows has it for the arrays. */
void cpu_move_rows(const struct cpu_order *order, const uint32_t *rows, const uint32_t *keys,
                   const uint32_t *values, uint32_t *output_keys, uint32_t *output_values,
                   size_t length);

/* A stable sort of length rows. Inputs and outputs must not overlap. Arrays that the value type has
 * no use for may be NULL. */
void cpu_sort_rows(const struct cpu_order *order, const uint32_t *keys, const uint32_t *values,
                   uint32_t *output_keys, uint32_t *output_values, size_t length);

/* Each segment of the list by cpu_sort_rows; words outside the segments' outputs are left alone. */
void cpu_sort_typed_segments(const struct cpu_order *order, const uint32_t *keys,
                             const uint32_t *values, uint32_t *output_keys, uint32_t *output_values,
                             const gl_segsort_segment *segments, size_t count);

/* The same for u32 keys and values by all bits. */
void cpu_sort_segments(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
                       uint32_t *output_values, const gl_segsort_segment *segments, size_t count,
                       gl_segsort_direction direction);
void cpu_sort(const uint32_t *keys, const uint32_t *values, uint32_t *output_keys,
              uint32_t *output_values, size_t length, gl_segsort_direction direction);

#endif
