#include "cases.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MAX 512
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const uint32_t fixed_lengths[] = {2,    4,    8,    16,   24,    32,    48,   64,
                                         96,   128,  192,  256,  300,   512,   700,  1024,
                                         1500, 2048, 3000, 4096, 10000, 16384, 65536};
static const uint32_t caps[] = {256, 100000};
static const uint32_t key_lengths[] = {16, 256, 2048, 65536, 1u << 22};
static const uint32_t type_lengths[] = {64, 1024, 65536, 1u << 22};
static const uint32_t listed_lengths[] = {8, 256, 4096};
static const uint32_t in_place_lengths[] = {64, 1024, 65536};
static const uint32_t cuts[] = {1, 1000, 100000};

struct builder {
    const struct cases_filter *filter;
    struct bench_cases *cases;
    uint32_t rows;
};

static bool matches(const char *patterns, const char *name)
{
    char pattern[64];
    if (!patterns)
        return true;
    for (const char *at = patterns; *at;) {
        size_t length = strcspn(at, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        if (fnmatch(pattern, name, 0) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static void add(struct builder *builder, const struct bench_case *added)
{
    struct bench_cases *cases = builder->cases;
    if (!matches(builder->filter->patterns, added->name))
        return;
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->items[i].name, added->name) == 0)
            return;
    if (cases->count < CASES_MAX)
        cases->items[cases->count++] = *added;
}

/* Of u32 keys that are random, host-listed, out of place. */
static struct bench_case plain(const char *kind, uint32_t number, enum inputs_layout layout,
                               uint32_t parameter, uint32_t rows)
{
    struct bench_case made = {.inputs = {.layout = layout, .parameter = parameter, .rows = rows}};
    snprintf(made.name, sizeof made.name, "%s-%u", kind, number);
    return made;
}

static void name(struct bench_case *named, const char *kind, const char *what, uint32_t number)
{
    snprintf(named->name, sizeof named->name, "%s%s-%u", kind, what, number);
}

static struct bench_case of_length(const struct builder *builder, uint32_t length)
{
    return plain("length", length, INPUTS_FIXED, length, builder->rows);
}

static void add_fixed(struct builder *builder)
{
    for (size_t i = 0; i < COUNT(fixed_lengths) && fixed_lengths[i] <= builder->rows; i++) {
        struct bench_case made = of_length(builder, fixed_lengths[i]);
        add(builder, &made);
    }
}

static void add_uneven(struct builder *builder)
{
    for (size_t i = 0; i < COUNT(caps); i++) {
        struct bench_case made =
            plain("power-law", caps[i], INPUTS_POWER_LAW, caps[i], builder->rows);
        add(builder, &made);
    }
    struct bench_case made = plain("uneven", 1000, INPUTS_UNEVEN, 1000, builder->rows);
    add(builder, &made);
    made = plain("small-100x", 200, INPUTS_FIXED, 200, 20000);
    add(builder, &made);
}

/* Up to the size, in steps of four times the rows; the size itself, too. */
static void add_domains(struct builder *builder)
{
    uint32_t last = builder->filter->log2_rows;
    for (uint32_t log2_rows = 10; log2_rows <= last; log2_rows += 2) {
        uint32_t rows = (uint32_t)1 << log2_rows;
        struct bench_case made = plain("domain", log2_rows, INPUTS_FIXED, rows, rows);
        add(builder, &made);
        if (log2_rows + 1 == last)
            log2_rows--;
    }
}

/* cub 361: the same million rows as 1, 1,000 and 100,000 segments. */
static void add_cuts(struct builder *builder)
{
    for (size_t i = 0; i < COUNT(cuts) && builder->rows >= 1000000; i++) {
        struct bench_case made =
            plain("million", cuts[i], INPUTS_FIXED, 1000000 / cuts[i], 1000000);
        add(builder, &made);
    }
}

/* A segment of 10 million rows among a million small ones, and less where the size is less. */
static void add_mixed(struct builder *builder)
{
    uint32_t longest = 10000000;
    if (builder->filter->log2_rows < 24)
        longest = (uint32_t)((uint64_t)longest * builder->rows >> 24);
    struct bench_case made = {.inputs = {INPUTS_MIXED, longest, builder->rows, INPUTS_RANDOM,
                                         GL_SEGSORT_KEY_U32, GL_SEGSORT_ASCENDING}};
    snprintf(made.name, sizeof made.name, "mixed-both");
    add(builder, &made);
    made.inputs.layout = INPUTS_FIXED;
    made.inputs.rows = longest;
    snprintf(made.name, sizeof made.name, "mixed-long");
    add(builder, &made);
    made.inputs.layout = INPUTS_SMALL;
    made.inputs.parameter = longest / 10;
    made.inputs.rows = builder->rows;
    snprintf(made.name, sizeof made.name, "mixed-small");
    add(builder, &made);
}

/* What takes the most programs, so that making its plan takes longest. */
static void add_classes(struct builder *builder)
{
    struct bench_case made = plain("classes", builder->filter->log2_rows - 1, INPUTS_CLASSES,
                                   builder->rows / 2, builder->rows);
    add(builder, &made);
}

static void add_types(struct builder *builder)
{
    for (int type = GL_SEGSORT_KEY_U32; type <= GL_SEGSORT_KEY_U64; type++)
        for (size_t i = 0; i < COUNT(type_lengths); i++) {
            struct bench_case made = of_length(builder, type_lengths[i]);
            made.inputs.key_type = (gl_segsort_key_type)type;
            name(&made, "type-", inputs_key_type_name(made.inputs.key_type), type_lengths[i]);
            add(builder, &made);
        }
}

static void add_keys(struct builder *builder)
{
    for (int keys = INPUTS_AND_2; keys < INPUTS_KEYS; keys++)
        for (size_t i = 0; i < COUNT(key_lengths); i++) {
            struct bench_case made = of_length(builder, key_lengths[i]);
            made.inputs.keys = (enum inputs_keys)keys;
            name(&made, "keys-", inputs_keys_name(made.inputs.keys), key_lengths[i]);
            add(builder, &made);
        }
}

static void add_listed(struct builder *builder)
{
    for (size_t i = 0; i < COUNT(listed_lengths) + COUNT(caps); i++) {
        size_t cap = i - COUNT(listed_lengths);
        struct bench_case made =
            i < COUNT(listed_lengths)
                ? plain("listed-length", listed_lengths[i], INPUTS_FIXED, listed_lengths[i],
                        builder->rows)
                : plain("listed-power-law", caps[cap], INPUTS_POWER_LAW, caps[cap], builder->rows);
        made.gpu_listed = true;
        add(builder, &made);
    }
}

static void add_in_place_and_descending(struct builder *builder)
{
    for (size_t i = 0; i < COUNT(in_place_lengths); i++) {
        struct bench_case made = of_length(builder, in_place_lengths[i]);
        name(&made, "in-place", "", in_place_lengths[i]);
        made.in_place = true;
        add(builder, &made);
    }
    struct bench_case made = of_length(builder, 1024);
    name(&made, "descending", "", 1024);
    made.inputs.direction = GL_SEGSORT_DESCENDING;
    add(builder, &made);
}

static bool add_asked_lengths(struct builder *builder)
{
    char *rest;
    for (const char *at = builder->filter->lengths; *at; at = *rest ? rest + 1 : rest) {
        unsigned long length = strtoul(at, &rest, 10);
        if (rest == at || (*rest && *rest != ',') || length == 0 || length > builder->rows) {
            fprintf(stderr, "bench: --lengths: no length from 1 to %u: %s\n", builder->rows, at);
            return false;
        }
        struct bench_case made = of_length(builder, (uint32_t)length);
        add(builder, &made);
    }
    return true;
}

/* Each host-listed case a second time. */
static void add_twins(struct builder *builder)
{
    size_t count = builder->cases->count;
    for (size_t i = 0; i < count; i++) {
        struct bench_case twin = builder->cases->items[i];
        if (twin.gpu_listed || twin.in_place)
            continue;
        snprintf(twin.name, sizeof twin.name, "listed-%.40s", builder->cases->items[i].name);
        twin.gpu_listed = true;
        struct cases_filter all = {0};
        struct builder anything = {&all, builder->cases, builder->rows};
        add(&anything, &twin);
    }
}

static bool add_all(struct builder *builder)
{
    if (builder->filter->lengths)
        return add_asked_lengths(builder);
    add_fixed(builder);
    add_uneven(builder);
    add_domains(builder);
    add_cuts(builder);
    add_mixed(builder);
    add_classes(builder);
    add_types(builder);
    add_listed(builder);
    add_in_place_and_descending(builder);
    add_keys(builder);
    return true;
}

bool cases_create(const struct cases_filter *filter, struct bench_cases *cases)
{
    struct builder builder = {filter, cases, (uint32_t)1 << filter->log2_rows};
    cases->count = 0;
    cases->items = calloc(CASES_MAX, sizeof *cases->items);
    if (!cases->items) {
        fprintf(stderr, "bench: out of memory\n");
        return false;
    }
    if (!add_all(&builder))
        return false;
    if (filter->gpu_listed)
        add_twins(&builder);
    if (cases->count == 0)
        fprintf(stderr, "bench: no case is called %s\n", filter->patterns);
    return cases->count > 0;
}

void cases_destroy(struct bench_cases *cases)
{
    free(cases->items);
    *cases = (struct bench_cases){0};
}
