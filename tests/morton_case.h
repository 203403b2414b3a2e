/* What tests of gl_segsort_morton_keys share: points of every kind, a case of theirs and its buffers,
 * and what has to become of it. */
#ifndef MORTON_CASE_H
#define MORTON_CASE_H

#include "check.h"
#include "cpu_keys.h"
#include "cpu_sort.h"
#include "generate.h"
#include "guarded.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;

/* ---------------------------------------------------------------------------------------------- */
/* Numbers */

typedef uint32_t (*make_float)(uint64_t *state);

static inline uint32_t random_bits(uint64_t *state)
{
    return (uint32_t)(generate_random(state) >> 32);
}

static inline uint32_t odd_float(uint64_t *state)
{
    static const uint32_t odd[] = {0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x80000001,
                                   0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0xffc00001, 0x7f800001, 0x0d800000, 0x3f800000};
    return odd[generate_below(state, COUNT_OF(odd))];
}

static inline uint32_t near_one_float(uint64_t *state)
{
    return 0x3f800000u + (random_bits(state) >> 24);
}

static inline uint32_t tiny_float(uint64_t *state)
{
    return (random_bits(state) & 0x80ffffffu) + (generate_below(state, 40) << 23);
}

static inline uint32_t huge_float(uint64_t *state)
{
    return (random_bits(state) & 0x80ffffffu) | 0x7e000000u;
}

static inline uint32_t spread_float(uint64_t *state)
{
    float number = (float)(int32_t)random_bits(state) * 1e-7f;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline uint32_t equal_float(uint64_t *state)
{
    (void)state;
    return 0xc1234567u;
}

/* Three numbers a position: along y there is no extent. */
static inline uint32_t flat_float(uint64_t *state)
{
    uint32_t bits = spread_float(state);
    return bits % 3 ? bits : 0x40000000u;
}

static const make_float makes[] = {spread_float, odd_float,   near_one_float, tiny_float,
                                   huge_float,   equal_float, flat_float,     random_bits};

/* ---------------------------------------------------------------------------------------------- */
/* A case */

struct morton_case {
    const char *name;
    gl_segsort_plan_desc plan;          /* without host segments */
    const gl_segsort_segment *segments; /* those that are to get keys */
    uint32_t segment_count;
    /* Of a list on the GPU: its words and rows, and what the status has to say. */
    const uint32_t *list;
    size_t list_words;
    uint32_t list_rows, count;
    uint32_t refused, first_refused;
    uint32_t rows; /* of every view that the sort has */
    uint32_t position_words, position_rows;
    bool triangles, in_place;
    uint32_t byte_offset;
    uint64_t seed;
};

enum { POSITIONS, INDICES, KEYS, VALUES, OUTPUT_KEYS, OUTPUT_VALUES, LIST, COUNT, STATUS, BUFFERS };
static const char *const names[BUFFERS] = {"positions", "indices",       "keys",
                                           "values",    "output_keys",   "output_values",
                                           "list",      "segment_count", "status"};

static inline bool is_listed(const struct morton_case *morton)
{
    return morton->plan.segment_source != GL_SEGSORT_SEGMENTS_HOST;
}

static inline unsigned key_bits(const struct morton_case *morton)
{
    return morton->plan.key_type == GL_SEGSORT_KEY_U64 ? 63 : 30;
}

static inline uint32_t words_of(const struct morton_case *morton)
{
    return morton->position_words > 0 ? morton->position_words : 3;
}

/* Each hundred positions are of another kind, so segments have one, or some. */
static inline void fill_positions(const struct morton_case *morton, uint32_t *words, size_t count)
{
    uint64_t state = morton->seed + 1;
    for (size_t i = 0; i < count; i++)
        words[i] = makes[(i / words_of(morton) / 100 + morton->seed) % COUNT_OF(makes)](&state);
    if (morton->triangles || morton->segment_count == 0)
        return;
    /* And the segments' own. */
    for (uint32_t s = 0; s < morton->segment_count; s++) {
        const gl_segsort_segment *segment = &morton->segments[s];
        make_float make = makes[(s + morton->seed) % COUNT_OF(makes)];
        for (uint32_t row = 0; s % 3 && row < segment->length; row++)
            for (size_t axis = 0; axis < 3; axis++)
                words[(size_t)(segment->keys_offset + row) * words_of(morton) + axis] =
                    make(&state);
    }
}

/* Neighbouring triangles have near vertices, and some have none. */
static inline void fill_indices(const struct morton_case *morton, uint32_t *indices)
{
    uint64_t state = morton->seed + 77;
    for (uint32_t i = 0; i < 3 * morton->rows; i++) {
        uint32_t near = i / 3 + generate_below(&state, 30);
        indices[i] = near % (morton->position_rows + 1);
        if (generate_below(&state, 5000) == 0)
            indices[i] = (uint32_t)generate_random(&state);
    }
}

static inline void make_buffers(const struct morton_case *morton, struct guarded buffers[BUFFERS])
{
    size_t key_words = cpu_key_words(morton->plan.key_type), rows = morton->rows;
    size_t value_words = cpu_output_value_words(morton->plan.value_type);
    const size_t words[BUFFERS] = {(size_t)morton->position_rows * words_of(morton) -
                                       (words_of(morton) - 3),
                                   3 * rows,
                                   key_words * rows,
                                   cpu_input_value_words(morton->plan.value_type) * rows,
                                   key_words * rows,
                                   value_words * rows,
                                   morton->list_words,
                                   1,
                                   5};
    for (int i = 0; i < BUFFERS; i++)
        guarded_make(&buffers[i], names[i], words[i], morton->byte_offset);
    fill_positions(morton, guarded_before(&buffers[POSITIONS]), words[POSITIONS]);
    if (morton->triangles)
        fill_indices(morton, guarded_before(&buffers[INDICES]));
    generate_identity(guarded_before(&buffers[VALUES]), words[VALUES]);
    if (morton->list)
        memcpy(guarded_before(&buffers[LIST]), morton->list, 4 * morton->list_words);
    guarded_before(&buffers[COUNT])[0] = morton->count;
    for (int i = 0; i < BUFFERS; i++)
        if (i == POSITIONS)
            guarded_upload_tight(&buffers[i]);
        else
            guarded_upload(&buffers[i]);
}

static inline void expect_codes(const struct morton_case *morton, struct guarded buffers[BUFFERS])
{
    size_t key_words = cpu_key_words(morton->plan.key_type);
    uint32_t *keys = guarded_expected(&buffers[KEYS]);
    const struct cpu_points points = {guarded_before(&buffers[POSITIONS]), words_of(morton),
                                      morton->position_rows,
                                      morton->triangles ? guarded_before(&buffers[INDICES]) : NULL};
    gl_segsort_status status = {.segments_seen = morton->count,
                                .segments_refused = morton->refused,
                                .first_refused =
                                    morton->refused ? morton->first_refused : UINT32_MAX};
    for (uint32_t s = 0; s < morton->segment_count; s++) {
        const gl_segsort_segment *segment = &morton->segments[s];
        cpu_morton_codes(&points, key_bits(morton), segment->keys_offset, segment->length,
                         keys + key_words * segment->keys_offset);
        status.rows_sorted += segment->length;
        status.longest = segment->length > status.longest ? segment->length : status.longest;
    }
    if (is_listed(morton))
        memcpy(guarded_expected(&buffers[STATUS]), &status, sizeof status);
}

static inline void expect_order(const struct morton_case *morton, struct guarded buffers[BUFFERS])
{
    const struct cpu_order order = {.key_type = morton->plan.key_type,
                                    .value_type = morton->plan.value_type,
                                    .direction = morton->plan.direction};
    size_t bytes = 4 * (buffers[KEYS].words + 1);
    uint32_t *keys = malloc(bytes);
    if (!keys)
        abort();
    memcpy(keys, guarded_expected(&buffers[KEYS]), bytes);
    cpu_sort_typed_segments(&order, keys, guarded_before(&buffers[VALUES]),
                            guarded_expected(&buffers[morton->in_place ? KEYS : OUTPUT_KEYS]),
                            guarded_expected(&buffers[OUTPUT_VALUES]), morton->segments,
                            morton->segment_count);
    free(keys);
}

static inline gl_segsort_sort_desc sort_desc(const struct morton_case *morton,
                                             const struct guarded buffers[BUFFERS])
{
    uint64_t rows = morton->rows;
    gl_segsort_sort_desc desc = {
        .keys = guarded_view(&buffers[KEYS], rows),
        .values = guarded_view(&buffers[VALUES], rows),
        .output_keys = guarded_view(&buffers[morton->in_place ? KEYS : OUTPUT_KEYS], rows),
        .output_values = guarded_view(&buffers[OUTPUT_VALUES], rows)};
    if (!is_listed(morton))
        return desc;
    if (morton->plan.segment_source == GL_SEGSORT_SEGMENTS_GPU_STRIDED)
        desc.segment_lengths = guarded_view(&buffers[LIST], morton->list_rows);
    else
        desc.segments = guarded_view(&buffers[LIST], morton->list_rows);
    if (morton->seed % 2)
        desc.segment_count = guarded_view(&buffers[COUNT], 1);
    else
        desc.host_segment_count = morton->count;
    desc.status = guarded_view(&buffers[STATUS], 1);
    return desc;
}

static inline gl_segsort_morton_keys_desc morton_desc(const struct morton_case *morton,
                                                      const struct guarded buffers[BUFFERS])
{
    gl_segsort_morton_keys_desc desc = {
        .positions = guarded_view(&buffers[POSITIONS], morton->position_rows),
        .position_words = morton->position_words};
    if (morton->triangles)
        desc.indices = guarded_view(&buffers[INDICES], morton->rows);
    return desc;
}

static inline bool check_buffers(const struct morton_case *morton,
                                 const struct guarded buffers[BUFFERS], const char *when)
{
    bool right = true;
    for (int i = 0; i < BUFFERS; i++) {
        const char *difference = guarded_difference(&buffers[i]);
        right = CHECK(!difference, "%s, %s, %u bits, source %d: %s", morton->name, when,
                      key_bits(morton), (int)morton->plan.segment_source, difference) &&
                right;
    }
    return CHECK(glGetError() == GL_NO_ERROR, "%s: a GL error", morton->name) && right;
}

static inline bool check_with(gl_segsort_plan *plan, const struct morton_case *morton)
{
    struct guarded buffers[BUFFERS];
    make_buffers(morton, buffers);
    const gl_segsort_sort_desc sort = sort_desc(morton, buffers);
    gl_segsort_morton_keys_desc desc = morton_desc(morton, buffers);
    desc.barriers_after = GL_SEGSORT_BARRIER_BUFFER_UPDATE;
    expect_codes(morton, buffers);
    bool right = CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS, "%s: %s",
                       morton->name, gl_segsort_last_error(context)) &&
                 check_buffers(morton, buffers, "codes");
    /* Nothing in between but the sort's own barriers. */
    desc.barriers_after = GL_SEGSORT_BARRIER_NONE;
    expect_order(morton, buffers);
    right = right &&
            CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS &&
                      gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS,
                  "%s: %s", morton->name, gl_segsort_last_error(context)) &&
            check_buffers(morton, buffers, "order");
    for (int i = 0; i < BUFFERS; i++)
        guarded_free(&buffers[i]);
    return right;
}

static inline bool make_plan(gl_segsort_context *of, const struct morton_case *morton,
                             gl_segsort_plan **plan)
{
    gl_segsort_plan_desc desc = morton->plan;
    if (!is_listed(morton)) {
        desc.segments = morton->segments;
        desc.segment_count = morton->segment_count;
    }
    return CHECK(gl_segsort_plan_create(of, &desc, plan) == GL_SEGSORT_SUCCESS, "%s: %s",
                 morton->name, gl_segsort_last_error(of));
}

static inline bool check_morton(const struct morton_case *morton)
{
    gl_segsort_plan *plan;
    if (!make_plan(context, morton, &plan))
        return false;
    bool right = check_with(plan, morton);
    gl_segsort_plan_destroy(plan);
    return right;
}

#endif
