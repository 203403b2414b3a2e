/* The GL buffers of a case. */
#ifndef BENCH_BUFFERS_H
#define BENCH_BUFFERS_H

#include "inputs.h"

#include <glad/gl.h>

struct buffers {
    GLuint keys, values, output_keys, output_values;
    GLuint segments; /* gl_segsort_segment records */
    size_t rows;     /* a multiple of 1024 */
    size_t key_words;
};

/* False: out of memory. */
bool buffers_create(const struct inputs_data *data, struct buffers *buffers);
void buffers_destroy(struct buffers *buffers);

/* Whether the outputs are the stable sort of data. */
bool buffers_sorted(const struct buffers *buffers, const struct inputs *inputs,
                    const struct inputs_data *data);

/* Whether they are data as it is. */
bool buffers_copied(const struct buffers *buffers, const struct inputs_data *data);

/* Fills the outputs with what no sort leaves, so that what another has left isn't taken for its
 * own. */
void buffers_forget(const struct buffers *buffers);

/* Binds keys, values, output keys, output values and segments to storage bindings 0 to 4. */
void buffers_bind(const struct buffers *buffers);

#endif
