/* What the tests of plans share: limits to play with, and a plan made without a GL context. */
#ifndef PLAN_SETUP_H
#define PLAN_SETUP_H

#include "check.h"
#include "generate.h"
#include "plan.h"
#include "twin_memory.h"

#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* The most that the radix sort scans without chunks. */
#define CHUNK_ROWS (SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS)

/* The longest segment that AUTO splits in 32 KiB of shared memory: test_plan_splits.c. */
#define SPLIT_ROWS_MAX 95325u

/* Words of the work section that a segment takes for being split there: a splitter less than
 * buckets, which have 256 rows each or, where 256 of them are too few for that, more; its bunches
 * of up to 2048 rows, of which any two neighbours have more, with the two words besides; and what
 * eight of its tiles count together. */
static inline uint64_t split_work_words(uint64_t length, uint64_t key_words)
{
    uint64_t buckets = length / 256 < 256 ? length / 256 : 256;
    uint64_t bunches = 2 * ((length - 1) / 2048) + 1;
    uint64_t sums = (length - 1) / (8 * SEGSORT_RADIX_TILE_ROWS) + 1;
    return buckets * (key_words + 1) + (bunches < buckets ? bunches : buckets) + 2 + sums * 256;
}

enum { KEY_TYPES = 4, VALUE_TYPES = 4, DIRECTIONS = 2, ALGORITHMS = 3 };

static segsort_limits limits;
static segsort_error error;
static segsort_plan plan;

/* As plans of any driver are made, but for segments that are too long for buckets in one go: digits
 * sort them. test_plan_splits.c has the plans that sort them in parts. */
static inline const segsort_tuning *tuning_without_parts(void)
{
    static segsort_tuning tuning;
    tuning = *segsort_tuning_default();
    tuning.part_length_max = tuning.child_rows = 0;
    return &tuning;
}

static inline void reset_limits(uint32_t work_groups)
{
    limits = twin_limits();
    limits.tuning = tuning_without_parts();
    for (int axis = 0; axis < 3; axis++)
        limits.work_groups[axis] = work_groups;
}

static inline gl_segsort_allocator default_allocator(void)
{
    const gl_segsort_context_desc desc = {0};
    return segsort_desc_allocator(&desc);
}

/* One a set, for the caller to free; they are right only if error is no error then. */
static inline segsort_layout *make_layouts(const gl_segsort_plan_desc *desc)
{
    gl_segsort_allocator allocator = default_allocator();
    segsort_layout *layouts = calloc(segsort_desc_set_count(desc), sizeof *layouts);
    error = (segsort_error){0};
    if (segsort_desc_check_fields(desc, &error) == GL_SEGSORT_SUCCESS)
        segsort_desc_check_plan(desc, &limits, &allocator, layouts, &error);
    return layouts;
}

/* Makes the plan; empty if that fails, and then error tells. */
static inline bool try_build(const gl_segsort_plan_desc *desc)
{
    gl_segsort_allocator allocator = default_allocator();
    segsort_layout *layouts = make_layouts(desc);
    plan = (segsort_plan){0};
    if (error.result == GL_SEGSORT_SUCCESS)
        segsort_plan_build(desc, layouts, &limits, &allocator, &plan, &error);
    free(layouts);
    return error.result == GL_SEGSORT_SUCCESS;
}

static inline bool build(const gl_segsort_plan_desc *desc)
{
    return CHECK(try_build(desc), "%s", error.text);
}

#endif
