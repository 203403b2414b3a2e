#include "twin_gpu.h"

#include "kernel_program.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---------------------------------------------------------------------------------------------- */
/* Programs */

static struct {
    segsort_variant variant;
    GLuint program;
} programs[1024];
static size_t program_count;

static GLuint find_program(const segsort_variant *variant)
{
    for (size_t i = 0; i < program_count; i++)
        if (segsort_variant_equal(&programs[i].variant, variant))
            return programs[i].program;
    char log[2048];
    GLuint program = kernel_program_make(variant, log, sizeof log);
    if (program == 0)
        fprintf(stderr, "%s: %s\n", kernel_program_name(variant), log);
    if (program != 0 && program_count < COUNT_OF(programs)) {
        programs[program_count].variant = *variant;
        programs[program_count++].program = program;
    }
    return program;
}

void twin_gpu_delete_programs(void)
{
    while (program_count > 0)
        glDeleteProgram(programs[--program_count].program);
}

/* ---------------------------------------------------------------------------------------------- */
/* Buffers */

static GLuint make_buffer(size_t words, const uint32_t *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(4 * words), data, GL_DYNAMIC_COPY);
    return buffer;
}

/* What surplus groups and slots must not take for theirs: behind the table there is more that looks
 * like segments. */
#define TABLE_GUARD_WORDS 64

static GLuint make_table(const segsort_plan *plan)
{
    size_t words = (size_t)plan->table_words;
    uint32_t *table = malloc(4 * (words + TABLE_GUARD_WORDS));
    if (!table)
        abort();
    memcpy(table, plan->table, 4 * words);
    for (size_t i = 0; i < TABLE_GUARD_WORDS; i++)
        table[words + i] = 1;
    GLuint buffer = make_buffer(words + TABLE_GUARD_WORDS, table);
    free(table);
    return buffer;
}

struct twin_gpu twin_gpu_make(const struct twin_memory *memory)
{
    struct twin_gpu gpu = {.memory = memory};
    for (int i = 0; i < TWIN_ARRAYS; i++)
        if (memory->backing[i] == i)
            gpu.buffers[i] = make_buffer(memory->arrays[i].count, memory->arrays[i].words);
    gpu.table = make_table(memory->plan);
    glGenBuffers(1, &gpu.params);
    glBindBuffer(GL_UNIFORM_BUFFER, gpu.params);
    glBufferData(GL_UNIFORM_BUFFER, (sizeof(struct segsort_pass_params) + 15) / 16 * 16, NULL,
                 GL_DYNAMIC_DRAW);
    return gpu;
}

void twin_gpu_delete(struct twin_gpu *gpu)
{
    glDeleteBuffers(TWIN_ARRAYS, gpu->buffers);
    glDeleteBuffers(1, &gpu->table);
    glDeleteBuffers(1, &gpu->params);
}

static bool same_array(const struct twin_gpu *gpu, int number, const segsort_pass *pass)
{
    const struct twin_array *array = &gpu->memory->arrays[number];
    if (gpu->buffers[number] == 0)
        return true;
    uint32_t *got = malloc(4 * array->count);
    if (!got)
        abort();
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, gpu->buffers[number]);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(4 * array->count), got);
    size_t at = 0;
    while (at < array->count && got[at] == array->words[at])
        at++;
    if (at < array->count)
        fprintf(stderr, "%s (%s, %s): %s[%td] is 0x%08x, its twin's 0x%08x\n", pass->label,
                kernel_program_name(&pass->variant),
                gpu->memory->in_place ? "in place" : "out of place", twin_array_name(number),
                (ptrdiff_t)at - (ptrdiff_t)array->first_word, got[at], array->words[at]);
    free(got);
    return at == array->count;
}

/* Kernels write what the GPU alone knows; the sets of a batch have a table together, and a buffer
 * of their own here. */
static bool same_table(const struct twin_gpu *gpu, const segsort_pass *pass)
{
    const segsort_plan *plan = gpu->memory->plan;
    size_t words = (size_t)plan->table_words, at = 0;
    if (plan->set_count > 1)
        return true;
    uint32_t *got = malloc(4 * words);
    if (!got)
        abort();
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, gpu->table);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(4 * words), got);
    while (at < words && got[at] == plan->table[at])
        at++;
    if (at < words)
        fprintf(stderr, "%s (%s): table[%zu] is 0x%08x, its twin's 0x%08x\n", pass->label,
                kernel_program_name(&pass->variant), at, got[at], plan->table[at]);
    free(got);
    return at == words;
}

bool twin_gpu_equal(const struct twin_gpu *gpu, const segsort_pass *pass)
{
    bool equal = same_table(gpu, pass);
    for (int array = 0; array < TWIN_ARRAYS; array++)
        equal = same_array(gpu, array, pass) && equal;
    return equal;
}

/* ---------------------------------------------------------------------------------------------- */
/* Dispatches */

static void bind_array(const struct twin_gpu *gpu, GLuint binding, int array)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, gpu->buffers[gpu->memory->backing[array]]);
}

/* Only what the registry says the kernel uses is bound. */
static void bind_buffers(const struct twin_gpu *gpu, const segsort_pass *pass)
{
    const int arrays[SEGSORT_STORAGE_BINDINGS] = {
        [SEGSORT_BINDING_KEYS] = 2 * (int)pass->params.source,
        [SEGSORT_BINDING_VALUES] = 2 * (int)pass->params.source + 1,
        [SEGSORT_BINDING_OUTPUT_KEYS] = 2 * (int)pass->params.destination,
        [SEGSORT_BINDING_OUTPUT_VALUES] = 2 * (int)pass->params.destination + 1,
        [SEGSORT_BINDING_WORK] = TWIN_WORK};
    uint32_t bindings = segsort_variant_bindings(&pass->variant);
    for (GLuint i = 0; i < SEGSORT_STORAGE_BINDINGS; i++)
        if (bindings & 1u << i)
            bind_array(gpu, i, arrays[i]);
        else
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, SEGSORT_BINDING_TABLE, gpu->table);
    glBindBufferBase(GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, gpu->params);
}

static void set_view_words(const struct twin_memory *memory)
{
    GLuint view_word[SEGSORT_VIEW_WORDS] = {0};
    for (int i = 0; i < TWIN_ARRAYS; i++)
        view_word[i] = (GLuint)memory->arrays[memory->backing[i]].first_word;
    view_word[SEGSORT_VIEW_WORD_IN_PLACE] = memory->in_place;
    if (memory->gather.record_words > 0) {
        view_word[SEGSORT_VIEW_WORD_INDEX_BASE] = (GLuint)memory->gather.index_base;
        view_word[SEGSORT_VIEW_WORD_RECORD_WORDS] = memory->gather.record_words;
        view_word[SEGSORT_VIEW_WORD_RECORDS] = memory->gather.record_rows;
        view_word[SEGSORT_VIEW_WORD_OUTPUT_RECORDS] = memory->gather.output_rows;
        view_word[SEGSORT_VIEW_WORD_INDICES] = memory->gather.index_rows;
    }
    glUniform4uiv(SEGSORT_LOCATION_VIEW_WORD, SEGSORT_VIEW_WORDS / 4, view_word);
}

bool twin_gpu_dispatch(const struct twin_gpu *gpu, const segsort_pass *pass)
{
    GLuint program = find_program(&pass->variant);
    if (program == 0)
        return false;
    bind_buffers(gpu, pass);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof pass->params, &pass->params);
    glUseProgram(program);
    set_view_words(gpu->memory);
    glDispatchCompute(pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glUseProgram(0);
    GLenum gl_error = glGetError();
    if (gl_error != GL_NO_ERROR)
        fprintf(stderr, "%s: GL error 0x%04x\n", pass->label, gl_error);
    return gl_error == GL_NO_ERROR;
}
