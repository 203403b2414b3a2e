#include "twin_list_run.h"

#include "check.h"
#include "generate.h"
#include "kernel_program.h"
#include "twin_memory.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define GUARD_WORDS 64 /* in front of and behind everything: as much as GL may align ranges by */
#define POISON 0xcdcdcdcdu
#define GROUP SEGSORT_LIST_GROUP

enum { TABLE, PARAMS, COMMANDS, STATUS, LIST, COUNT, STREAMS, MEMORIES = STREAMS + 4 };
static const char *const names[MEMORIES] = {"table",       "parameters",   "commands", "status",
                                            "list",        "count",        "keys",     "values",
                                            "output_keys", "output_values"};

struct memory {
    uint32_t *words; /* behind the guard */
    size_t count;
    GLuint buffer;
};

/* ---------------------------------------------------------------------------------------------- */
/* Memory, here and there */

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);
    if (!memory)
        abort();
    return memory;
}

static struct memory make_memory(size_t count, const void *words)
{
    size_t total = count + 2 * GUARD_WORDS;
    uint32_t *all = allocate(4 * total);
    for (size_t i = 0; i < total; i++)
        all[i] = POISON;
    struct memory memory = {.words = all + GUARD_WORDS, .count = count};
    if (words)
        memcpy(memory.words, words, 4 * count);
    glGenBuffers(1, &memory.buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, memory.buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(4 * total), all, GL_DYNAMIC_COPY);
    return memory;
}

static void free_memory(struct memory *memory)
{
    glDeleteBuffers(1, &memory->buffer);
    free(memory->words - GUARD_WORDS);
}

static void download(const struct memory *memory, uint32_t *words)
{
    glBindBuffer(GL_COPY_READ_BUFFER, memory->buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(4 * (memory->count + 2 * GUARD_WORDS)),
                       words);
}

static bool same(const struct twin_list_case *list_case, const char *kernel, int number,
                 const struct memory *memory)
{
    size_t total = memory->count + 2 * GUARD_WORDS, at = 0;
    uint32_t *got = allocate(4 * total);
    download(memory, got);
    while (at < total && got[at] == (memory->words - GUARD_WORDS)[at])
        at++;
    bool right = CHECK(at == total, "%s: %s: %s[%td] is 0x%08x, its twin's 0x%08x", list_case->name,
                       kernel, names[number], (ptrdiff_t)at - GUARD_WORDS, at < total ? got[at] : 0,
                       at < total ? (memory->words - GUARD_WORDS)[at] : 0);
    free(got);
    return right;
}

/* ---------------------------------------------------------------------------------------------- */
/* Dispatches */

static struct {
    segsort_variant variant;
    GLuint program;
} programs[64];
static size_t program_count;

static GLuint find_program(const segsort_variant *variant)
{
    for (size_t i = 0; i < program_count; i++)
        if (segsort_variant_equal(&programs[i].variant, variant))
            return programs[i].program;
    char log[2048];
    GLuint program = kernel_program_make(variant, log, sizeof log);
    CHECK(program != 0 && program_count < COUNT_OF(programs), "%s: %s",
          kernel_program_name(variant), log);
    programs[program_count].variant = *variant;
    programs[program_count++].program = program;
    return program;
}

struct run {
    const struct twin_list_case *list_case;
    segsort_plan plan;
    segsort_limits limits;
    struct memory memories[MEMORIES];
    struct twin_list twin;
    uint32_t list_word[SEGSORT_LIST_WORDS], view_word[SEGSORT_VIEW_WORDS];
};

/* The words of table, parameters and commands count from the start of what is bound. */
static void bind(const struct run *run, GLuint binding, int memory)
{
    const struct memory *bound = &run->memories[memory];
    GLintptr start = memory <= COMMANDS ? 4 * GUARD_WORDS : 0;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, bound->buffer, start,
                      (GLsizeiptr)(4 * (bound->count + 2 * GUARD_WORDS)) - start);
}

/* Where a stream's rows are: outputs in place are the inputs. */
static int stream_memory(const struct run *run, int stream)
{
    return STREAMS + (stream >= 2 && run->twin.in_place[stream - 2] ? stream - 2 : stream);
}

/* Only what the registry says the kernel uses is bound. */
static void bind_all(const struct run *run, const segsort_pass *pass)
{
    bool layout = pass->variant.kernel == SEGSORT_KERNEL_LIST_LAYOUT;
    uint32_t bindings = segsort_variant_bindings(&pass->variant);
    const int own[SEGSORT_STORAGE_BINDINGS] = {
        [SEGSORT_BINDING_KEYS] = layout ? PARAMS : STREAMS,
        [SEGSORT_BINDING_VALUES] = layout ? COMMANDS : STREAMS + 1,
        [SEGSORT_BINDING_OUTPUT_KEYS] = layout ? STATUS : stream_memory(run, 2),
        [SEGSORT_BINDING_OUTPUT_VALUES] = stream_memory(run, 3),
        [SEGSORT_BINDING_TABLE] = TABLE,
        [SEGSORT_BINDING_LIST] = LIST,
        [SEGSORT_BINDING_LIST_COUNT] = COUNT};
    for (GLuint i = 0; i < SEGSORT_STORAGE_BINDINGS; i++)
        if (bindings & 1u << i)
            bind(run, i, own[i]);
        else
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
}

static bool dispatch(const struct run *run, uint32_t place)
{
    const segsort_pass *pass = &run->plan.passes[place];
    bind_all(run, pass);
    glBindBufferRange(GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, run->memories[PARAMS].buffer,
                      4 * (GLintptr)(GUARD_WORDS + place * run->twin.params_words),
                      4 * (GLsizeiptr)run->twin.params_words);
    glUseProgram(find_program(&pass->variant));
    if (segsort_kernel_reads_list(pass->variant.kernel))
        glUniform4uiv(SEGSORT_LOCATION_LIST_WORD, SEGSORT_LIST_WORDS / 4, run->list_word);
    if (segsort_kernel_reads_views(pass->variant.kernel))
        glUniform4uiv(SEGSORT_LOCATION_VIEW_WORD, SEGSORT_VIEW_WORDS / 4, run->view_word);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, run->memories[COMMANDS].buffer);
    if (pass->indirect)
        glDispatchComputeIndirect(4 * GUARD_WORDS + 16 * (GLintptr)place);
    else
        glDispatchCompute(pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glUseProgram(0);
    GLenum error = glGetError();
    return CHECK(error == GL_NO_ERROR, "%s: GL error 0x%04x", pass->label, error);
}

/* All passes of a kernel: a long list takes several dispatches. */
static bool dispatch_all(const struct run *run, segsort_kernel_id kernel)
{
    bool right = true;
    for (uint32_t i = 0; i < run->plan.pass_count && right; i++)
        if (run->plan.passes[i].variant.kernel == kernel)
            right = dispatch(run, i);
    return right;
}

/* ---------------------------------------------------------------------------------------------- */
/* A case's memory */

#define PARAMS_WORDS 64 /* from a pass's parameters to the next one's */

static uint32_t *make_params(const segsort_plan *plan, size_t *count)
{
    *count = (size_t)PARAMS_WORDS * segsort_plan_pass_total(plan);
    uint32_t *params = allocate(4 * *count);
    for (uint32_t i = 0; params && i < segsort_plan_pass_total(plan); i++) {
        const segsort_pass *pass = segsort_plan_pass(plan, i);
        memcpy(params + (size_t)i * PARAMS_WORDS, &pass->params, sizeof pass->params);
    }
    return params;
}

/* All but the recipes is whatever was there. */
static uint32_t *make_table(const segsort_plan *plan)
{
    uint32_t *table = allocate(4 * (size_t)plan->table_words);
    memset(table, 0xcd, 4 * (size_t)plan->table_words);
    if (plan->table)
        memcpy(table + plan->recipe_word, plan->table,
               4 * (size_t)(plan->table_words - plan->recipe_word));
    return table;
}

static size_t list_words_of(const struct twin_list_case *list_case)
{
    switch (list_case->plan.segment_source) {
    case GL_SEGSORT_SEGMENTS_GPU_OFFSETS:
        return (size_t)list_case->entries + 1;
    case GL_SEGSORT_SEGMENTS_GPU_RANGES:
        return 5 * (size_t)list_case->entries;
    default:
        return list_case->entries;
    }
}

static void make_memories(struct run *run)
{
    const struct twin_list_case *list_case = run->list_case;
    const segsort_plan *plan = &run->plan;
    size_t params_count;
    uint32_t *params = make_params(plan, &params_count), *table = make_table(plan);
    uint32_t *commands = allocate(16 * (size_t)segsort_plan_pass_total(plan));
    run->memories[TABLE] = make_memory((size_t)plan->table_words, table);
    run->memories[PARAMS] = make_memory(params_count, params);
    run->memories[COMMANDS] = make_memory(4 * (size_t)segsort_plan_pass_total(plan), commands);
    run->memories[STATUS] = make_memory(5, NULL);
    run->memories[LIST] = make_memory(list_words_of(list_case), list_case->list);
    run->memories[COUNT] = make_memory(1, list_case->counted ? &list_case->seen : NULL);
    for (int s = 0; s < 4; s++) {
        size_t words = TWIN_LIST_STREAM_ROWS * (size_t)plan->sets[0].layout.row_bytes[s] / 4;
        uint32_t *rows = allocate(4 * words);
        generate_keys(GENERATE_RANDOM, rows, words, (uint64_t)s + 1);
        run->memories[STREAMS + s] = make_memory(words, rows);
        free(rows);
    }
    free(params);
    free(table);
    free(commands);
}

/* As layout.h has them. */
static void make_words(struct run *run)
{
    const struct twin_list_case *list_case = run->list_case;
    const segsort_layout *layout = &run->plan.sets[0].layout;
    uint32_t max = list_case->plan.max_segments;
    uint32_t *words = run->list_word;
    for (int s = 0; s < 4; s++) {
        words[s] = run->twin.view_rows[s];
        words[9] |= layout->row_bytes[s] > 0 ? 1u << s : 0;
        run->view_word[s] = GUARD_WORDS;
    }
    words[4] = words[6] = words[8] = GUARD_WORDS;
    words[5] = list_case->entries < max ? list_case->entries : max;
    words[7] = list_case->counted ? POISON : list_case->seen;
    words[9] |= run->twin.in_place[0] ? SEGSORT_LIST_KEYS_IN_PLACE : 0;
    words[9] |= run->twin.in_place[1] ? SEGSORT_LIST_VALUES_IN_PLACE : 0;
    words[9] |= list_case->counted ? SEGSORT_LIST_COUNTED : 0;
    words[9] |= list_case->no_status ? 0 : SEGSORT_LIST_STATUS;
    words[10] = PARAMS_WORDS;
}

static void make_run(struct run *run, const struct twin_list_case *list_case)
{
    make_memories(run);
    run->twin = (struct twin_list){
        .plan = &run->plan,
        .desc = &list_case->plan,
        .limits = &run->limits,
        .in_place = {list_case->in_place,
                     list_case->in_place && run->plan.sets[0].layout.row_bytes[1] > 0},
        .list = run->memories[LIST].words,
        .entries = list_case->entries,
        .seen = list_case->seen,
        .table = run->memories[TABLE].words,
        .params = run->memories[PARAMS].words,
        .commands = run->memories[COMMANDS].words,
        .params_words = PARAMS_WORDS};
    if (!list_case->no_status)
        run->twin.status = run->memories[STATUS].words;
    for (int s = 0; s < 4; s++) {
        int memory = stream_memory(run, s);
        run->twin.view_rows[s] = TWIN_LIST_VIEW_ROWS + (uint32_t)(memory - STREAMS);
        run->twin.streams[s] = run->memories[memory].words;
    }
    make_words(run);
}

/* ---------------------------------------------------------------------------------------------- */
/* What may come in any order */

static int compare_segments(const void *a, const void *b)
{
    return memcmp(a, b, 5 * sizeof(uint32_t));
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return *left < *right ? -1 : *left > *right;
}

/* Whether the long segments of a group share one column of what their group has: each starts where
 * another one ends. */
static bool is_shared(const uint32_t *segments, const uint32_t *further, uint32_t count, int column,
                      uint32_t tile_rows, uint32_t *start)
{
    uint32_t *starts = allocate(8 * (size_t)count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rows = segments[5 * i + 4], tiles = (rows + tile_rows - 1) / tile_rows;
        starts[2 * i] = further[3 * i + (uint32_t)column];
        starts[2 * i + 1] = column == 0 ? tiles : column == 1 ? (tiles + 63) / 64 : rows;
    }
    qsort(starts, count, 8, compare_numbers);
    bool shared = true;
    for (uint32_t i = 0; i < count; i++) {
        shared = shared && starts[2 * i] == *start;
        *start += starts[2 * i + 1];
    }
    free(starts);
    return shared;
}

/* Sorts each group's segments of a class, and takes what is checked here out of the way. Whether
 * that is right. */
static bool make_canonical(const struct run *run, uint32_t *table)
{
    const struct segsort_pass_params *params = &run->plan.passes[0].params;
    const uint32_t *head = table + params->head_word;
    uint32_t classes = twin_list_class_count(&run->twin), next[SEGSORT_LIST_CLASSES] = {0};
    bool right = true;
    uint32_t shares[3] = {0}, count = head[SEGSORT_HEAD_COUNT];
    for (uint32_t first = 0; first < count; first += GROUP) {
        uint32_t own[SEGSORT_LIST_CLASSES] = {0}, offsets[4], rows;
        for (uint32_t i = first; i < count && i < first + GROUP; i++) {
            twin_list_entry(&run->twin, i, offsets, &rows);
            if (rows > 0)
                own[twin_list_class(&run->twin, rows)]++;
        }
        for (uint32_t c = 0; c < classes; next[c] += own[c], c++) {
            uint32_t *segments = table + params->segment_word +
                                 5 * (size_t)(head[SEGSORT_HEAD_CLASSES + c] + next[c]);
            uint32_t *further = table + params->long_word + 3 * (size_t)next[c];
            for (int column = 0; column < 3 && c == classes - 1; column++)
                right = CHECK(is_shared(segments, further, own[c], column, params->tile_rows,
                                        &shares[column]),
                              "%s: long segments of the group from %u on overlap in column %d",
                              run->list_case->name, first, column) &&
                        right;
            if (c == classes - 1)
                memset(further, 0, 12 * (size_t)own[c]);
            qsort(segments, own[c], 20, compare_segments);
        }
    }
    return right;
}

/* Compares the scatter's table, and then has the twin go on with the GPU's. */
static bool same_scattered_table(struct run *run)
{
    struct memory *memory = &run->memories[TABLE];
    size_t total = memory->count + 2 * GUARD_WORDS, at = 0;
    uint32_t *got = allocate(4 * total), *canonical = allocate(4 * total);
    download(memory, got);
    memcpy(canonical, got, 4 * total);
    bool right = make_canonical(run, canonical + GUARD_WORDS);
    right = make_canonical(run, memory->words) && right;
    const uint32_t *expected = memory->words - GUARD_WORDS;
    while (at < total && canonical[at] == expected[at])
        at++;
    right = CHECK(at == total, "%s: list-scatter: table[%td] is 0x%08x, its twin's 0x%08x",
                  run->list_case->name, (ptrdiff_t)at - GUARD_WORDS, at < total ? canonical[at] : 0,
                  at < total ? expected[at] : 0) &&
            right;
    memcpy(memory->words - GUARD_WORDS, got, 4 * total);
    free(got);
    free(canonical);
    return right;
}

/* ---------------------------------------------------------------------------------------------- */

static bool compare_memories(const struct run *run, const char *kernel, int first)
{
    bool right = true;
    for (int i = first; i < MEMORIES; i++)
        right = same(run->list_case, kernel, i, &run->memories[i]) && right;
    return right;
}

/* A kernel after one that went wrong would go wrong too. */
static bool compare_kernels(struct run *run)
{
    bool right = dispatch_all(run, SEGSORT_KERNEL_LIST_COUNT);
    twin_list_count(&run->twin);
    right = right && compare_memories(run, "list-count", TABLE) &&
            dispatch_all(run, SEGSORT_KERNEL_LIST_LAYOUT);
    twin_list_layout(&run->twin);
    right = right && compare_memories(run, "list-layout", TABLE) &&
            dispatch_all(run, SEGSORT_KERNEL_LIST_SCATTER);
    twin_list_scatter(&run->twin);
    right = right && same_scattered_table(run) && compare_memories(run, "list-scatter", PARAMS) &&
            dispatch_all(run, SEGSORT_KERNEL_LIST_TILES);
    twin_list_tiles(&run->twin);
    return right && compare_memories(run, "list-tiles", TABLE);
}

bool twin_list_compare(const struct twin_list_case *list_case)
{
    struct run run = {.list_case = list_case, .limits = twin_limits()};
    segsort_error error;
    run.limits.storage_bytes = (uint64_t)1 << 40;
    for (int axis = 0; axis < 3; axis++)
        run.limits.work_groups[axis] = list_case->work_groups;
    bool built = twin_plan_build(&list_case->plan, &run.limits, &run.plan, &error);
    CHECK(built, "%s: %s", list_case->name, error.text);
    if (!built || !run.plan.sets)
        return false;
    make_run(&run, list_case);
    bool right = compare_kernels(&run);
    for (int i = 0; i < MEMORIES; i++)
        free_memory(&run.memories[i]);
    twin_plan_release(&run.plan);
    return right;
}

void twin_list_delete_programs(void)
{
    while (program_count > 0)
        glDeleteProgram(programs[--program_count].program);
}
