/* Layer 3: each pass of a plan on the GPU beside the kernel's CPU twin, from the same memory: after
 * every pass all buffers have to be equal, guard words included. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "kernel_program.h"
#include "twin_memory.h"

#include <glad/gl.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static uint32_t shared_bytes; /* the driver's */
static uint32_t work_groups;  /* the limit along each axis that plans are built for */

/* Every key type in both directions, every value type, and none with the same other twice. */
static const gl_segsort_plan_desc spread[] = {
    {.key_type = GL_SEGSORT_KEY_U32, .value_type = GL_SEGSORT_VALUE_U32},
    {.key_type = GL_SEGSORT_KEY_U32,
     .value_type = GL_SEGSORT_VALUE_U64,
     .direction = GL_SEGSORT_DESCENDING},
    {.key_type = GL_SEGSORT_KEY_I32,
     .value_type = GL_SEGSORT_VALUE_NONE,
     .direction = GL_SEGSORT_DESCENDING},
    {.key_type = GL_SEGSORT_KEY_I32, .value_type = GL_SEGSORT_VALUE_INDEX},
    {.key_type = GL_SEGSORT_KEY_F32,
     .value_type = GL_SEGSORT_VALUE_INDEX,
     .direction = GL_SEGSORT_DESCENDING},
    {.key_type = GL_SEGSORT_KEY_F32, .value_type = GL_SEGSORT_VALUE_U32},
    {.key_type = GL_SEGSORT_KEY_U64, .value_type = GL_SEGSORT_VALUE_U64},
    {.key_type = GL_SEGSORT_KEY_U64,
     .value_type = GL_SEGSORT_VALUE_NONE,
     .direction = GL_SEGSORT_DESCENDING},
};

/* ---------------------------------------------------------------------------------------------- */
/* Programs, kept since digits and cases share them */

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
    CHECK(program != 0, "%s: %s", kernel_program_name(variant), log);
    if (program != 0 && program_count < COUNT_OF(programs)) {
        programs[program_count].variant = *variant;
        programs[program_count++].program = program;
    }
    return program;
}

static void delete_programs(void)
{
    while (program_count > 0)
        glDeleteProgram(programs[--program_count].program);
}

/* ---------------------------------------------------------------------------------------------- */
/* A plan's memory on the GPU */

struct gpu {
    const struct twin_memory *memory; /* the twins', which the buffers start like */
    GLuint buffers[TWIN_ARRAYS];      /* 0 where another array backs it */
    GLuint table, params;
};

static GLuint make_buffer(size_t words, const uint32_t *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(4 * words), data, GL_DYNAMIC_COPY);
    return buffer;
}

static struct gpu make_gpu(const struct twin_memory *memory)
{
    struct gpu gpu = {.memory = memory};
    for (int i = 0; i < TWIN_ARRAYS; i++)
        if (memory->backing[i] == i)
            gpu.buffers[i] = make_buffer(memory->arrays[i].count, memory->arrays[i].words);
    gpu.table = make_buffer((size_t)memory->plan->table_words, memory->plan->table);
    glGenBuffers(1, &gpu.params);
    glBindBuffer(GL_UNIFORM_BUFFER, gpu.params);
    glBufferData(GL_UNIFORM_BUFFER, (sizeof(struct segsort_pass_params) + 15) / 16 * 16, NULL,
                 GL_DYNAMIC_DRAW);
    return gpu;
}

static void delete_gpu(struct gpu *gpu)
{
    glDeleteBuffers(TWIN_ARRAYS, gpu->buffers);
    glDeleteBuffers(1, &gpu->table);
    glDeleteBuffers(1, &gpu->params);
}

static void bind_array(const struct gpu *gpu, GLuint binding, int array)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, gpu->buffers[gpu->memory->backing[array]]);
}

/* Only what the registry says the kernel uses is bound. */
static void dispatch(const struct gpu *gpu, const segsort_pass *pass)
{
    const int arrays[SEGSORT_STORAGE_BINDINGS] = {
        [SEGSORT_BINDING_KEYS] = 2 * (int)pass->params.source,
        [SEGSORT_BINDING_VALUES] = 2 * (int)pass->params.source + 1,
        [SEGSORT_BINDING_OUTPUT_KEYS] = 2 * (int)pass->params.destination,
        [SEGSORT_BINDING_OUTPUT_VALUES] = 2 * (int)pass->params.destination + 1,
        [SEGSORT_BINDING_WORK] = TWIN_WORK};
    uint32_t bindings = segsort_variant_bindings(&pass->variant);
    GLuint view_word[SEGSORT_VIEW_WORDS] = {0}, program = find_program(&pass->variant);
    for (int i = 0; i < TWIN_ARRAYS; i++)
        view_word[i] = (GLuint)gpu->memory->arrays[gpu->memory->backing[i]].first_word;
    for (GLuint i = 0; i < SEGSORT_STORAGE_BINDINGS; i++)
        if (bindings & 1u << i)
            bind_array(gpu, i, arrays[i]);
        else
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, SEGSORT_BINDING_TABLE, gpu->table);
    glBindBufferBase(GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, gpu->params);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof pass->params, &pass->params);
    glUseProgram(program);
    glUniform4uiv(SEGSORT_LOCATION_VIEW_WORD, SEGSORT_VIEW_WORDS / 4, view_word);
    glDispatchCompute(pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glUseProgram(0);
}

static bool same_array(const struct gpu *gpu, int number, const segsort_pass *pass)
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
        CHECK(false, "%s (%s, %s): %s[%td] is 0x%08x, its twin's 0x%08x", pass->label,
              kernel_program_name(&pass->variant),
              gpu->memory->in_place ? "in place" : "out of place", twin_array_name(number),
              (ptrdiff_t)at - (ptrdiff_t)array->first_word, got[at], array->words[at]);
    free(got);
    return at == array->count;
}

/* ---------------------------------------------------------------------------------------------- */
/* Cases */

/* Runs the plan's passes on the GPU and by their twins, side by side. A pass after one that differs
 * would differ too. */
static void compare_passes(const segsort_plan *plan, const gl_segsort_plan_desc *desc,
                           enum twin_in_place in_place)
{
    struct twin_memory memory;
    twin_memory_make(&memory, plan, desc, in_place, plan->sets[0].layout.row_count);
    struct twin twin = twin_memory_twin(&memory);
    struct gpu gpu = make_gpu(&memory);
    bool right = true;
    for (uint32_t i = 0; i < plan->pass_count && right; i++) {
        const segsort_pass *pass = &plan->passes[i];
        if (!twin_pass_is_due(pass, memory.in_place))
            continue;
        dispatch(&gpu, pass);
        twin_run_pass(&twin, pass);
        for (int array = 0; array < TWIN_ARRAYS; array++)
            right = same_array(&gpu, array, pass) && right;
        GLenum gl_error = glGetError();
        right =
            CHECK(gl_error == GL_NO_ERROR, "%s: GL error 0x%04x", pass->label, gl_error) && right;
    }
    delete_gpu(&gpu);
    twin_memory_release(&memory);
}

/* like has the types, the direction, the bits and the algorithm. */
static void compare_lengths(const gl_segsort_plan_desc *like, const uint32_t *lengths, size_t count,
                            uint32_t plan_shared_bytes, enum twin_in_place in_place)
{
    gl_segsort_segment segments[64];
    segsort_limits limits = twin_limits();
    limits.shared_bytes = plan_shared_bytes;
    for (int axis = 0; axis < 3; axis++)
        limits.work_groups[axis] = work_groups;
    generate_packed_segments(lengths, count, 3, segments);
    if (in_place == TWIN_NEITHER)
        twin_scatter_segments(segments, count);
    gl_segsort_plan_desc desc = *like;
    desc.segments = segments;
    desc.segment_count = (uint32_t)count;
    segsort_plan plan;
    segsort_error error;
    if (!CHECK(twin_plan_build(&desc, &limits, &plan, &error), "%s", error.text))
        return;
    compare_passes(&plan, &desc, in_place);
    twin_plan_release(&plan);
}

/* By all bits out of place, and by some of them in place. For the radix sort across work groups
 * these are an odd number of digits, the last one cut short, and in a u64 one that lies across the
 * words. */
static void compare_orders(size_t types, gl_segsort_algorithm algorithm, const uint32_t *lengths,
                           size_t count, uint32_t plan_shared_bytes)
{
    gl_segsort_plan_desc like = spread[types];
    like.algorithm = algorithm;
    compare_lengths(&like, lengths, count, plan_shared_bytes, TWIN_NEITHER);
    like.begin_bit = like.key_type == GL_SEGSORT_KEY_U64 ? 20 : 3;
    like.end_bit = like.begin_bit + 21;
    compare_lengths(&like, lengths, count, plan_shared_bytes, TWIN_BOTH);
    compare_lengths(&like, lengths, count, plan_shared_bytes, types % 2 ? TWIN_KEYS : TWIN_NEITHER);
}

/* Compiling is what takes time, so one pair of types goes through all widths, and the others
 * through a few. */

/* Several segments a width, so that slots of one work group have different lengths. */
static size_t add_lengths(uint32_t *lengths, size_t count, uint32_t width)
{
    const uint32_t some[] = {width, width - 1, width / 2 + 1, width < 1024 ? width : 1, 2};
    memcpy(lengths + count, some, sizeof some);
    return count + COUNT_OF(some);
}

static void network_in_a_work_group(void)
{
    for (size_t types = 0; types < COUNT_OF(spread); types++) {
        const segsort_types of = {spread[types].key_type, spread[types].value_type};
        uint32_t lengths[64],
            widest = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, of, shared_bytes);
        size_t count = add_lengths(lengths, 0, widest);
        if (types > 0)
            count = add_lengths(lengths, count, 2u << types);
        for (uint32_t width = 2; types == 0 && width < widest; width *= 2)
            count = add_lengths(lengths, count, width);
        compare_orders(types, GL_SEGSORT_ALGORITHM_BITONIC, lengths, count, shared_bytes);
    }
}

/* The smaller shared memory is, the more of the network runs between tiles. */
static void network_across_work_groups(void)
{
    const uint32_t shared_sizes[] = {64, 512, 4096, 32768};
    for (size_t types = 0; types < COUNT_OF(spread); types++)
        for (size_t i = 0; i < COUNT_OF(shared_sizes); i++) {
            const segsort_types of = {spread[types].key_type, spread[types].value_type};
            uint32_t bytes = shared_sizes[i];
            if (bytes > shared_bytes || (types > 0 && i != 1 + types % 2))
                continue;
            uint32_t local = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, of, bytes);
            uint32_t tile = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_MERGE, of, bytes);
            const uint32_t lengths[] = {
                local + 1,     local + tile - 1, local + tile, local + tile + 1,
                2 * local + 1, 4 * tile - 1,     4 * tile + 1, local};
            compare_orders(types, GL_SEGSORT_ALGORITHM_BITONIC, lengths, COUNT_OF(lengths), bytes);
        }
}

static void radix_sort_in_a_work_group(void)
{
    const uint32_t narrow[] = {1, 2, 255, 256, 257, 511, 512};
    const uint32_t wide[] = {513, 1023, 1024, 1025, 2047, 2048};
    const uint32_t widest[] = {2049, 4095, 4096};
    for (size_t types = 0; types < COUNT_OF(spread); types++)
        compare_orders(types, GL_SEGSORT_ALGORITHM_RADIX, narrow, COUNT_OF(narrow), shared_bytes);
    compare_orders(0, GL_SEGSORT_ALGORITHM_RADIX, wide, COUNT_OF(wide), shared_bytes);
    /* u64 keys and values, which take the most */
    compare_orders(COUNT_OF(spread) - 2, GL_SEGSORT_ALGORITHM_RADIX, widest, COUNT_OF(widest),
                   shared_bytes);
}

static void radix_sort_across_work_groups(void)
{
    const uint32_t tile = SEGSORT_RADIX_TILE_ROWS, local = SEGSORT_RADIX_LOCAL_MAX;
    const uint32_t lengths[] = {local + 1, local + tile - 1, local + tile, local + tile + 1,
                                2 * local + 1};
    for (size_t types = 0; types < COUNT_OF(spread); types++)
        compare_orders(types, GL_SEGSORT_ALGORITHM_RADIX, lengths, COUNT_OF(lengths), shared_bytes);
}

/* One segment has two chunks of tiles, another exactly one, a third a part of one. */
static void radix_sort_by_chunks(void)
{
    const uint32_t chunk = SEGSORT_CHUNK_TILES * SEGSORT_RADIX_TILE_ROWS;
    const uint32_t lengths[] = {4097, chunk + 1, chunk};
    for (size_t types = 0; types < COUNT_OF(spread); types++) {
        gl_segsort_plan_desc like = spread[types];
        like.begin_bit = 5;
        like.end_bit = like.begin_bit + (types % 2 ? 10 : 8);
        compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes,
                        types % 4 < 2 ? TWIN_NEITHER : TWIN_BOTH);
    }
}

/* Limits so low that passes are folded over three axes with surplus groups, and go on in further
 * dispatches. */
static void folded_dispatches(void)
{
    const uint32_t tile = SEGSORT_RADIX_TILE_ROWS, chunk = SEGSORT_CHUNK_TILES * tile;
    const uint32_t few[] = {3, 511, 4097, 500, 9000, 510, 300, 4097, 509, 5001, 508, 4097, 7};
    const uint32_t chunks[] = {4097, chunk + 1, 5000, 4098}; /* five */
    for (work_groups = 2; work_groups <= 3; work_groups++) {
        compare_orders(1, GL_SEGSORT_ALGORITHM_BITONIC, few, COUNT_OF(few), 4096);
        compare_orders(1, GL_SEGSORT_ALGORITHM_RADIX, few, COUNT_OF(few), shared_bytes);
        gl_segsort_plan_desc like = spread[1];
        like.end_bit = 8;
        compare_lengths(&like, chunks, COUNT_OF(chunks), shared_bytes, TWIN_NEITHER);
    }
    work_groups = 65535;
}

/* No bit decides: local kernels and a copy have to keep the order. */
static void stable_copies(void)
{
    const uint32_t lengths[] = {3, 100, 511, 4097, 12288};
    for (size_t types = 0; types < COUNT_OF(spread); types++) {
        gl_segsort_plan_desc like = spread[types];
        like.algorithm = GL_SEGSORT_ALGORITHM_RADIX;
        like.begin_bit = like.end_bit = 32;
        compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes, TWIN_NEITHER);
        compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes, TWIN_KEYS);
        like.algorithm = GL_SEGSORT_ALGORITHM_BITONIC;
        if (types == 0)
            compare_lengths(&like, lengths, COUNT_OF(lengths), shared_bytes, TWIN_NEITHER);
    }
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    GLint bytes = 0;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    shared_bytes = (uint32_t)bytes;
    work_groups = 65535;
    static const struct check_test tests[] = {CHECK_TEST(network_in_a_work_group),
                                              CHECK_TEST(network_across_work_groups),
                                              CHECK_TEST(radix_sort_in_a_work_group),
                                              CHECK_TEST(radix_sort_across_work_groups),
                                              CHECK_TEST(radix_sort_by_chunks),
                                              CHECK_TEST(folded_dispatches),
                                              CHECK_TEST(stable_copies)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
