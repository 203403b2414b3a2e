#include "twin_memory.h"

#include "cpu_steps.h"
#include "generate.h"
#include "tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Different for each array, so that a view word taken for another one is noticed. */
#define GUARD_WORDS(array) (16 + 5 * (size_t)(array))
#define POISON 0xcdcdcdcdu

const char *twin_array_name(int array)
{
    static const char *const names[TWIN_ARRAYS] = {
        "keys", "values", "output_keys", "output_values", "scratch keys", "scratch values", "work"};
    return names[array];
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "twin_memory: out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

/* "khr-32", "arb-8": kernels for subgroups are compared, in tiles as long as those of portable ones. */
static void read_subgroups(segsort_limits *limits)
{
    static segsort_tuning tuning;
    const char *text = getenv("GL_SEGSORT_TEST_TWIN_SUBGROUPS");
    if (!text)
        return;
    tuning = *segsort_tuning_default();
    tuning.team_tile_rows = tuning.tile_rows;
    limits->tuning = &tuning;
    limits->subgroup_api =
        strncmp(text, "khr-", 4) == 0 ? SEGSORT_SUBGROUP_KHR : SEGSORT_SUBGROUP_ARB;
    limits->subgroup_size = (uint32_t)strtoul(text + 4, NULL, 10);
}

segsort_limits twin_limits(void)
{
    segsort_limits limits = {.work_groups = {65535, 65535, 65535},
                             .shared_bytes = 32768,
                             .storage_bytes = 1u << 31,
                             .storage_alignment = 256,
                             .uniform_alignment = 256,
                             .barrier_bits = 0x3fef};
    read_subgroups(&limits);
    return limits;
}

static gl_segsort_allocator default_allocator(void)
{
    const gl_segsort_context_desc desc = {0};
    return segsort_desc_allocator(&desc);
}

bool twin_plan_build(const gl_segsort_plan_desc *desc, const segsort_limits *limits,
                     segsort_plan *plan, segsort_error *error)
{
    gl_segsort_allocator allocator = default_allocator();
    *plan = (segsort_plan){0};
    *error = (segsort_error){0};
    if (segsort_desc_check_fields(desc, error) != GL_SEGSORT_SUCCESS)
        return false;
    segsort_layout *layouts = allocate(segsort_desc_set_count(desc) * sizeof *layouts);
    bool built =
        segsort_desc_check_plan(desc, limits, &allocator, layouts, error) == GL_SEGSORT_SUCCESS &&
        segsort_plan_build(desc, layouts, limits, &allocator, plan, error) == GL_SEGSORT_SUCCESS;
    free(layouts);
    return built;
}

void twin_plan_release(segsort_plan *plan)
{
    gl_segsort_allocator allocator = default_allocator();
    segsort_plan_release(plan, &allocator);
}

void twin_scatter_segments(gl_segsort_segment *segments, size_t count)
{
    uint32_t values_row = 3, keys_row = 1, output_row = 0;
    for (size_t i = 0; i < count; i++) {
        segments[i].values_offset = values_row;
        values_row += segments[i].length + 2;
    }
    for (size_t i = count; i > 0; i--) {
        segments[i - 1].output_keys_offset = keys_row;
        keys_row += segments[i - 1].length + 1;
    }
    for (size_t i = 0; i < count; i++) {
        size_t odd_first = i < count / 2 ? 2 * i + 1 : 2 * (i - count / 2);
        segments[odd_first].output_values_offset = output_row;
        output_row += segments[odd_first].length + 3;
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Memory */

static size_t view_words(const segsort_set *set, int array)
{
    const segsort_scratch *scratch = &set->scratch;
    const uint64_t sections[] = {scratch->key_bytes, scratch->value_bytes, scratch->work_bytes};
    if (array >= SEGSORT_STREAM_COUNT)
        return (size_t)sections[array - SEGSORT_STREAM_COUNT] / 4;
    return (size_t)set->layout.extents[array].end_row * set->layout.row_bytes[array] / 4;
}

/* Half of the keys have ties. Of a u64 key's high words there are three, so that low words decide
 * now and then; floats get what is special about them here and there. */
static void make_keys(gl_segsort_key_type type, uint32_t *keys, size_t words, uint64_t seed)
{
    static const uint32_t floats[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                      0xffc00001, 0x7f800001, 0x3f800000, 0xbf800000, 1};
    uint64_t state = seed + 1;
    generate_keys(GENERATE_RANDOM, keys, words, seed);
    for (size_t i = 0; i < words; i++) {
        if (type == GL_SEGSORT_KEY_U64 && i % 2 == 1)
            keys[i] %= 3;
        else if (type == GL_SEGSORT_KEY_F32 && i % 3 == 0)
            keys[i] = floats[generate_below(&state, sizeof floats / sizeof floats[0])];
        else if (generate_below(&state, 2))
            keys[i] &= 0x80050005;
    }
}

static void make_array(struct twin_memory *memory, int number, size_t words)
{
    struct twin_array *array = &memory->arrays[number];
    memory->backing[number] = number;
    array->first_word = GUARD_WORDS(number);
    array->view_words = words;
    array->count = words + 2 * GUARD_WORDS(number);
    array->words = allocate(array->count * 4);
    for (size_t word = 0; word < array->count; word++)
        array->words[word] = POISON;
}

void twin_memory_make_set(struct twin_memory *memory, const segsort_plan *plan, uint32_t set,
                          const gl_segsort_plan_desc *desc, enum twin_in_place in_place,
                          uint64_t seed)
{
    const segsort_layout *layout = &plan->sets[set].layout;
    gl_segsort_sort_desc sort = {.keys = {.buffer = 1}, .values = {.buffer = 2}};
    *memory = (struct twin_memory){.plan = plan, .set = set};
    sort.output_keys.buffer = in_place == TWIN_KEYS || in_place == TWIN_BOTH ? 1 : 3;
    sort.output_values.buffer = in_place == TWIN_VALUES || in_place == TWIN_BOTH ? 2 : 4;
    memory->in_place = segsort_desc_in_place(&sort, layout);
    for (int i = 0; i < TWIN_ARRAYS; i++)
        make_array(memory, i, view_words(&plan->sets[set], i));
    if (sort.output_keys.buffer == sort.keys.buffer)
        memory->backing[SEGSORT_STREAM_OUTPUT_KEYS] = SEGSORT_STREAM_KEYS;
    if (sort.output_values.buffer == sort.values.buffer &&
        layout->row_bytes[SEGSORT_STREAM_VALUES] > 0)
        memory->backing[SEGSORT_STREAM_OUTPUT_VALUES] = SEGSORT_STREAM_VALUES;
    make_keys(desc->key_type, twin_memory_view(memory, SEGSORT_STREAM_KEYS),
              memory->arrays[SEGSORT_STREAM_KEYS].view_words, seed);
    generate_identity(twin_memory_view(memory, SEGSORT_STREAM_VALUES),
                      memory->arrays[SEGSORT_STREAM_VALUES].view_words);
}

void twin_memory_make(struct twin_memory *memory, const segsort_plan *plan,
                      const gl_segsort_plan_desc *desc, enum twin_in_place in_place, uint64_t seed)
{
    twin_memory_make_set(memory, plan, 0, desc, in_place, seed);
}

gl_segsort_plan_desc twin_set_desc(const gl_segsort_plan_desc *desc, uint32_t set)
{
    gl_segsort_plan_desc of_set = *desc;
    for (uint32_t i = 0; i < set; i++)
        of_set.segments += segsort_desc_set_segments(desc, i);
    of_set.segment_count = segsort_desc_set_segments(desc, set);
    of_set.set_count = 0;
    of_set.set_segment_counts = NULL;
    return of_set;
}

void twin_memory_make_gather(struct twin_memory *memory, const segsort_plan *plan,
                             uint32_t record_words, gl_segsort_index_base index_base,
                             int32_t more_records)
{
    const segsort_extent *extents = plan->sets[0].layout.extents;
    const struct twin_gather gather = {
        .record_words = record_words,
        .index_base = index_base,
        .record_rows = (uint32_t)((int64_t)extents[SEGSORT_STREAM_KEYS].end_row + more_records),
        .index_rows = (uint32_t)extents[SEGSORT_STREAM_OUTPUT_VALUES].end_row,
        .output_rows = (uint32_t)extents[SEGSORT_STREAM_OUTPUT_KEYS].end_row};
    const size_t words[TWIN_ARRAYS] = {
        [SEGSORT_STREAM_KEYS] = (size_t)gather.record_rows * record_words,
        [SEGSORT_STREAM_VALUES] = gather.index_rows,
        [SEGSORT_STREAM_OUTPUT_KEYS] = (size_t)gather.output_rows * record_words};
    *memory = (struct twin_memory){.plan = plan, .gather = gather};
    for (int i = 0; i < TWIN_ARRAYS; i++)
        make_array(memory, i, words[i]);
    generate_identity(twin_memory_view(memory, SEGSORT_STREAM_KEYS), words[SEGSORT_STREAM_KEYS]);
}

void twin_memory_release(struct twin_memory *memory)
{
    for (int i = 0; i < TWIN_ARRAYS; i++)
        free(memory->arrays[i].words);
    *memory = (struct twin_memory){0};
}

uint32_t *twin_memory_view(const struct twin_memory *memory, int array)
{
    const struct twin_array *backing = &memory->arrays[memory->backing[array]];
    return backing->words + backing->first_word;
}

struct twin twin_memory_twin(const struct twin_memory *memory)
{
    struct twin twin = {.plan = memory->plan,
                        .work = twin_memory_view(memory, TWIN_WORK),
                        .gather = memory->gather};
    for (int place = 0; place < SEGSORT_PLACES; place++) {
        twin.keys[place] = twin_memory_view(memory, 2 * place);
        twin.values[place] = twin_memory_view(memory, 2 * place + 1);
    }
    return twin;
}

void twin_memory_expect(struct twin_memory *expected, const gl_segsort_plan_desc *desc)
{
    const struct cpu_order order = {desc->key_type, desc->value_type, desc->direction,
                                    desc->begin_bit, desc->end_bit};
    /* The reference does not sort in place. */
    uint32_t *inputs[2];
    for (int i = 0; i < 2; i++) {
        size_t bytes = expected->arrays[i].view_words * 4;
        inputs[i] = allocate(bytes + 4);
        memcpy(inputs[i], twin_memory_view(expected, i), bytes);
    }
    cpu_step_segments(&order, desc->algorithm, desc->step_limit, inputs[0], inputs[1],
                      twin_memory_view(expected, SEGSORT_STREAM_OUTPUT_KEYS),
                      twin_memory_view(expected, SEGSORT_STREAM_OUTPUT_VALUES), desc->segments,
                      desc->segment_count);
    free(inputs[0]);
    free(inputs[1]);
}

bool twin_memory_equal(const struct twin_memory *memory, const struct twin_memory *expected,
                       char *what, size_t size)
{
    for (int i = 0; i < TWIN_ARRAYS; i++) {
        const struct twin_array *a = &memory->arrays[i], *b = &expected->arrays[i];
        for (size_t word = 0; word < a->count; word++) {
            bool guard = word < a->first_word || word >= a->first_word + a->view_words;
            if (a->words[word] == b->words[word] || (i >= SEGSORT_STREAM_COUNT && !guard))
                continue;
            snprintf(what, size, "%s[%td] is 0x%08x instead of 0x%08x", twin_array_name(i),
                     (ptrdiff_t)word - (ptrdiff_t)a->first_word, a->words[word], b->words[word]);
            return false;
        }
    }
    return true;
}
