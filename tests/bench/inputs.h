/* What is sorted: segments, keys and values of a case, the same in every bit for the library and
 * for the CUDA program, which compiles this file too. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

#include "gl_segsort.h"

#ifdef __cplusplus
extern "C" {
#endif

enum inputs_layout {
    INPUTS_FIXED,     /* as many segments of `parameter` rows as fit */
    INPUTS_POWER_LAW, /* lengths floor(1 / u), at most `parameter` */
    INPUTS_UNEVEN,    /* `parameter` segments, shares of the rows falling as 1 / (10 + i) */
    INPUTS_SMALL,     /* `parameter` segments of 1 to 11 rows */
    INPUTS_MIXED,     /* a tenth of `parameter` such ones, and amid them one of `parameter` rows */
    INPUTS_CLASSES,   /* one segment of each power of two from 2 up to `parameter` */
    INPUTS_LAYOUTS
};

enum inputs_keys {
    INPUTS_RANDOM,
    INPUTS_AND_2, /* of two random numbers: a bit is set in a quarter of the keys */
    INPUTS_AND_3, /* of three: in an eighth */
    INPUTS_SORTED,
    INPUTS_REVERSED,
    INPUTS_CONSTANT,
    INPUTS_SIXTEEN, /* different keys, in a random order */
    INPUTS_KEYS
};

struct inputs {
    enum inputs_layout layout;
    uint32_t parameter;
    uint32_t rows;         /* at most so many */
    enum inputs_keys keys; /* all but INPUTS_RANDOM are of U32 */
    gl_segsort_key_type key_type;
    gl_segsort_direction direction;
};

/* Of a case, in host memory. Segments lie one behind the other; a value is its row's number. */
struct inputs_data {
    gl_segsort_segment *segments;
    size_t count, rows;
    uint32_t longest;
    size_t key_words; /* 32-bit words of a key */
    uint32_t *keys, *values;
};

/* False: out of memory. */
bool inputs_create(const struct inputs *inputs, struct inputs_data *data);
void inputs_destroy(struct inputs_data *data);

/* Whether these outputs are the stable sort of data. Values are row numbers, so it is enough that
 * each row has its own key, lies in its segment, and comes behind the one before. */
bool inputs_sorted(const struct inputs *inputs, const struct inputs_data *data,
                   const uint32_t *output_keys, const uint32_t *output_values);

/* A line of text, by which another process is told. False: no such inputs. */
void inputs_write(const struct inputs *inputs, char *line, size_t size);
bool inputs_read(const char *line, struct inputs *inputs);

const char *inputs_keys_name(enum inputs_keys keys);
const char *inputs_key_type_name(gl_segsort_key_type type);

#ifdef __cplusplus
}
#endif

#endif
