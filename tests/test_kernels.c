/* Layer 3: every variant of every kernel compiles cleanly, uses the bindings that the registry gives it, and equals its CPU
 * twin pass by pass at the edges of its widths. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "plan.h"
#include "sources.h"
#include "twin.h"

#include <glad/gl.h>
#include <stdlib.h>

#define DIRECTIONS 2

static gl_segsort_allocator allocator;
static uint32_t shared_bytes; /* the driver's */

/* ---------------------------------------------------------------------------------------------- */
/* Variants */

/* Calls visit for each kernel, width and direction that a plan can come to on a driver with that much shared memory. */
static void each_variant(uint32_t shared_bytes_, void (*visit)(const segsort_variant *variant))
{
    for (int id = 0; id < SEGSORT_KERNEL_COUNT; id++) {
        /* Tiles of long segments are as wide as the merge kernel can take. */
        segsort_kernel_id widest = id == SEGSORT_KERNEL_BITONIC_LOCAL
                                       ? SEGSORT_KERNEL_BITONIC_LOCAL
                                       : SEGSORT_KERNEL_BITONIC_MERGE;
        uint32_t width_max = segsort_kernel_width_max(widest, shared_bytes_);
        for (uint32_t width = 2; width <= width_max; width *= 2)
            for (int d = 0; d < DIRECTIONS; d++) {
                segsort_variant variant = {(segsort_kernel_id)id, width, (gl_segsort_direction)d};
                visit(&variant);
            }
    }
}

static const char *source_of(const segsort_variant *variant)
{
    const char *file = segsort_kernel_get(variant->kernel)->file;
    for (unsigned i = 0; i < segsort_source_count; i++)
        if (strcmp(segsort_sources[i].name, file) == 0)
            return segsort_sources[i].text;
    return "";
}

static GLuint compile(const segsort_variant *variant)
{
    char preamble[512], log[2048] = "";
    segsort_variant_preamble(variant, preamble, sizeof preamble);
    const char *strings[] = {preamble, source_of(variant)};
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    GLint compiled = 0, linked = 0;
    const char *name = segsort_kernel_get(variant->kernel)->name;
    glShaderSource(shader, 2, strings, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    CHECK(compiled && log[0] == 0, "%s %u: %s", name, variant->width, log);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    CHECK(linked && log[0] == 0, "%s %u: %s", name, variant->width, log);
    glDeleteShader(shader);
    return program;
}

/* ---------------------------------------------------------------------------------------------- */
/* Introspection */

static void check_storage_blocks(const segsort_variant *variant, GLuint program)
{
    const segsort_kernel *kernel = segsort_kernel_get(variant->kernel);
    GLint count = 0;
    uint32_t used = 0;
    glGetProgramInterfaceiv(program, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &count);
    CHECK(count <= 8, "%s: %d storage blocks", kernel->name, count);
    for (GLint i = 0; i < count; i++) {
        const GLenum property = GL_BUFFER_BINDING;
        GLint binding = -1;
        glGetProgramResourceiv(program, GL_SHADER_STORAGE_BLOCK, (GLuint)i, 1, &property, 1, NULL,
                               &binding);
        if (CHECK(binding >= 0 && binding < 8, "%s: binding %d", kernel->name, binding))
            used |= 1u << binding;
    }
    CHECK(used == kernel->storage_bindings, "%s: uses bindings 0x%x, registered are 0x%x",
          kernel->name, used, kernel->storage_bindings);
    glGetProgramInterfaceiv(program, GL_BUFFER_VARIABLE, GL_ACTIVE_RESOURCES, &count);
    for (GLint i = 0; i < count; i++) {
        const GLenum properties[] = {GL_ARRAY_STRIDE, GL_OFFSET};
        GLint values[2] = {-1, -1};
        glGetProgramResourceiv(program, GL_BUFFER_VARIABLE, (GLuint)i, 2, properties, 2, NULL,
                               values);
        CHECK(values[0] == 4 && values[1] == 0, "%s: array stride %d at offset %d", kernel->name,
              values[0], values[1]);
    }
}

static void check_uniforms(const segsort_variant *variant, GLuint program)
{
    const char *name = segsort_kernel_get(variant->kernel)->name;
    const GLenum properties[] = {GL_BUFFER_BINDING, GL_BUFFER_DATA_SIZE};
    GLint values[2] = {-1, -1}, count = 0, size[3] = {0};
    glGetProgramInterfaceiv(program, GL_UNIFORM_BLOCK, GL_ACTIVE_RESOURCES, &count);
    CHECK(count == 1, "%s: %d uniform blocks", name, count);
    glGetProgramResourceiv(program, GL_UNIFORM_BLOCK, 0, 2, properties, 2, NULL, values);
    CHECK(values[0] == SEGSORT_BINDING_PASS, "%s: uniform binding %d", name, values[0]);
    CHECK(values[1] >= (GLint)sizeof(struct segsort_pass_params) && values[1] <= 32,
          "%s: %d bytes of parameters", name, values[1]);
    CHECK(glGetUniformLocation(program, "view_word") == SEGSORT_LOCATION_VIEW_WORD,
          "%s: view_word is elsewhere", name);
    glGetProgramiv(program, GL_COMPUTE_WORK_GROUP_SIZE, size);
    CHECK((uint32_t)size[0] == segsort_variant_threads(variant) && size[1] == 1 && size[2] == 1,
          "%s: work group of %d", name, size[0]);
}

static void check_variant(const segsort_variant *variant)
{
    GLuint program = compile(variant);
    check_storage_blocks(variant, program);
    check_uniforms(variant, program);
    glDeleteProgram(program);
}

static void variants_compile_and_match_the_registry(void)
{
    each_variant(shared_bytes, check_variant);
}

/* ---------------------------------------------------------------------------------------------- */
/* Twins */

enum { KEYS, VALUES, OUTPUT_KEYS, OUTPUT_VALUES, TABLE, INDEX, BUFFERS };

static GLuint make_buffer(GLuint binding, size_t words, const uint32_t *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(4 * (words ? words : 1)),
                 words ? data : NULL, GL_DYNAMIC_COPY);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
    return buffer;
}

static bool same(GLuint buffer, const uint32_t *expected, size_t words, const char *what,
                 const segsort_pass *pass)
{
    uint32_t *got = malloc(4 * words + 4);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(4 * words), got);
    size_t at = 0;
    while (at < words && got[at] == expected[at])
        at++;
    if (at < words)
        CHECK(false, "%s (width %u): %s[%zu] is 0x%08x, its twin's 0x%08x", pass->label,
              pass->variant.width, what, at, got[at], expected[at]);
    free(got);
    return at == words;
}

static void dispatch(const segsort_pass *pass)
{
    GLuint program = compile(&pass->variant), params;
    glGenBuffers(1, &params);
    glBindBuffer(GL_UNIFORM_BUFFER, params);
    glBufferData(GL_UNIFORM_BUFFER, 32, NULL, GL_STATIC_DRAW);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof pass->params, &pass->params);
    glBindBufferBase(GL_UNIFORM_BUFFER, SEGSORT_BINDING_PASS, params);
    glUseProgram(program);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glDispatchCompute(pass->work_groups[0], pass->work_groups[1], pass->work_groups[2]);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(1, &params);
}

/* Runs the plan's passes on the GPU and by their twins, side by side. */
static void compare_passes(const segsort_plan *plan, size_t rows, uint64_t seed)
{
    uint32_t *data = calloc(4 * rows + plan->index_rows + 1, 4);
    uint32_t *keys = data, *values = data + rows;
    struct twin twin = {.plan = plan,
                        .keys = keys,
                        .values = values,
                        .output_keys = data + 2 * rows,
                        .output_values = data + 3 * rows,
                        .index = data + 4 * rows};
    generate_keys(GENERATE_RANDOM, keys, rows, seed);
    for (size_t i = 0; i < rows; i += 2)
        keys[i] %= 16; /* ties */
    generate_identity(values, rows);
    GLuint buffers[BUFFERS];
    for (GLuint i = KEYS; i <= OUTPUT_VALUES; i++)
        buffers[i] = make_buffer(i, rows, data + i * rows);
    buffers[TABLE] = make_buffer(SEGSORT_BINDING_TABLE, plan->table_words, plan->table);
    buffers[INDEX] = make_buffer(SEGSORT_BINDING_INDEX, plan->index_rows, twin.index);
    bool right = true;
    for (uint32_t i = 0; i < plan->pass_count && right; i++) {
        const segsort_pass *pass = &plan->passes[i];
        dispatch(pass);
        twin_run_pass(&twin, i);
        right = same(buffers[OUTPUT_KEYS], twin.output_keys, rows, "output_keys", pass) &&
                same(buffers[OUTPUT_VALUES], twin.output_values, rows, "output_values", pass) &&
                same(buffers[INDEX], twin.index, plan->index_rows, "index", pass);
    }
    same(buffers[KEYS], keys, rows, "keys", &plan->passes[0]);
    same(buffers[VALUES], values, rows, "values", &plan->passes[0]);
    glDeleteBuffers(BUFFERS, buffers);
    free(data);
}

static void compare_lengths(const uint32_t *lengths, size_t count, uint32_t plan_shared_bytes)
{
    const segsort_limits limits = {.work_groups = {65535, 65535, 65535},
                                   .shared_bytes = plan_shared_bytes,
                                   .storage_bytes = 1u << 27,
                                   .storage_alignment = 256,
                                   .uniform_alignment = 256,
                                   .barrier_bits = 0x3fef};
    gl_segsort_segment segments[16];
    size_t rows = generate_packed_segments(lengths, count, 3, segments) + 3;
    for (int d = 0; d < DIRECTIONS; d++) {
        gl_segsort_plan_desc desc = {.segments = segments,
                                     .segment_count = (uint32_t)count,
                                     .direction = (gl_segsort_direction)d};
        segsort_layout layout;
        segsort_plan plan;
        segsort_error error = {0};
        gl_segsort_result result =
            segsort_desc_check_plan(&desc, &limits, &allocator, &layout, &error);
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_plan_build(&desc, &layout, &limits, &allocator, &plan, &error);
        if (!CHECK(result == GL_SEGSORT_SUCCESS, "%s", error.text))
            return;
        compare_passes(&plan, rows, lengths[0]);
        segsort_plan_release(&plan, &allocator);
    }
}

/* Several segments a width, so that slots of one work group have different lengths. */
static void local_kernels_equal_their_twins(void)
{
    uint32_t width_max = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, shared_bytes);
    for (uint32_t width = 2; width <= width_max; width *= 2) {
        const uint32_t half = width / 2;
        const uint32_t lengths[] = {width,    width - 1, half + 1, width, width < 4 ? 1 : half,
                                    half + 1, width - 1, width};
        compare_lengths(lengths, sizeof lengths / sizeof lengths[0], shared_bytes);
    }
}

/* The smaller shared memory is, the more of the network runs between tiles. */
static void long_kernels_equal_their_twins(void)
{
    const uint32_t shared_sizes[] = {64, 512, 4096, 32768};
    for (size_t i = 0; i < sizeof shared_sizes / sizeof shared_sizes[0]; i++) {
        uint32_t bytes = shared_sizes[i];
        if (bytes > shared_bytes)
            continue;
        uint32_t local = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, bytes);
        uint32_t tile = segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_MERGE, bytes);
        const uint32_t lengths[] = {local + 1,     local + tile - 1, local + tile, local + tile + 1,
                                    2 * local + 1, 4 * tile - 1,     4 * tile + 1, local};
        compare_lengths(lengths, sizeof lengths / sizeof lengths[0], bytes);
    }
}

/* ---------------------------------------------------------------------------------------------- */

static const char *dump_folder;

static void dump_variant(const segsort_variant *variant)
{
    char name[1024], preamble[512];
    snprintf(name, sizeof name, "%s/%s-%u-%d.comp", dump_folder,
             segsort_kernel_get(variant->kernel)->name, variant->width, (int)variant->direction);
    segsort_variant_preamble(variant, preamble, sizeof preamble);
    FILE *file = fopen(name, "w");
    if (!CHECK(file, "can't write %s", name))
        return;
    fputs(preamble, file);
    fputs(source_of(variant), file);
    fclose(file);
}

int main(int argc, char **argv)
{
    const gl_segsort_context_desc desc = {0};
    allocator = segsort_desc_allocator(&desc);
    if (argc > 2 && strcmp(argv[1], "--dump") == 0) {
        dump_folder = argv[2];
        each_variant(32768, dump_variant);
        return check_failures != 0;
    }
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    GLint bytes = 0;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    shared_bytes = (uint32_t)bytes;
    static const struct check_test tests[] = {CHECK_TEST(variants_compile_and_match_the_registry),
                                              CHECK_TEST(local_kernels_equal_their_twins),
                                              CHECK_TEST(long_kernels_equal_their_twins)};
    int result = check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
    headless_gl_destroy(&gl);
    return result;
}
