#include "host.h"

#include "cpu_sort.h"
#include "test_gl.h"

#include <stdlib.h>

#define MAX_SWAPS 16

struct headless_gl host_gl;

static struct {
    const char *name;
    gl_segsort_proc replacement;
} swaps[MAX_SWAPS];
static size_t swap_count;

static char log_text[4096];

/* ---------------------------------------------------------------------------------------------- */
/* The host */

bool host_open(int major, int minor, bool debug)
{
    if (!headless_gl_create(&host_gl, major, minor, debug)) {
        fprintf(stderr, "%s\n", host_gl.error);
        return false;
    }
    if (gladLoadGL(headless_gl_get_proc_address) == 0) {
        fprintf(stderr, "glad finds no GL functions\n");
        headless_gl_destroy(&host_gl);
        return false;
    }
    return true;
}

void host_close(void)
{
    headless_gl_destroy(&host_gl);
}

gl_segsort_proc host_get_proc_address(const char *name)
{
    for (size_t i = 0; i < swap_count; i++)
        if (strcmp(swaps[i].name, name) == 0)
            return swaps[i].replacement;
    return headless_gl_get_proc_address(name);
}

void host_swap(const char *name, gl_segsort_proc replacement)
{
    if (swap_count == MAX_SWAPS) {
        fprintf(stderr, "host_swap: no room for %s\n", name);
        abort();
    }
    swaps[swap_count].name = name;
    swaps[swap_count++].replacement = replacement;
}

void host_swap_back(void)
{
    swap_count = 0;
}

void *host_current_context(void)
{
    void *(*get_current)(void);
    gl_segsort_proc proc = headless_gl_get_proc_address("eglGetCurrentContext");
    memcpy(&get_current, &proc, sizeof proc);
    return get_current();
}

static void keep_log(gl_segsort_log_level level, const char *message, void *user)
{
    (void)user;
    if (level != GL_SEGSORT_LOG_INFO)
        snprintf(log_text, sizeof log_text, "%s", message);
}

gl_segsort_context_desc host_context_desc(void)
{
    return (gl_segsort_context_desc){.get_proc_address = host_get_proc_address,
                                     .label = "host",
                                     .log = keep_log,
                                     .kernel_path = test_gl_kernel_path()};
}

gl_segsort_context *host_context(gl_segsort_state_policy policy)
{
    gl_segsort_context_desc desc = host_context_desc();
    desc.state_policy = policy;
    gl_segsort_context *context = NULL;
    if (gl_segsort_context_create(&desc, &context) != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "gl_segsort_context_create: %s\n", log_text);
    return context;
}

const char *host_log_text(void)
{
    return log_text;
}

void host_log_clear(void)
{
    log_text[0] = '\0';
}

/* ---------------------------------------------------------------------------------------------- */
/* Buffers */

GLuint host_buffer(const void *data, size_t bytes)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_COPY);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

void host_write(GLuint buffer, const void *data, size_t bytes)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)bytes, data);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void host_read(GLuint buffer, void *data, size_t bytes)
{
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)bytes, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

bool host_buffer_equals(GLuint buffer, const void *data, size_t bytes, const char *name)
{
    unsigned char *now = host_allocate(bytes);
    const unsigned char *expected = data;
    host_read(buffer, now, bytes);
    size_t at = 0;
    while (at < bytes && now[at] == expected[at])
        at++;
    if (at < bytes)
        fprintf(stderr, "%s: byte %zu is 0x%02x, should be 0x%02x\n", name, at, now[at],
                expected[at]);
    free(now);
    return at == bytes;
}

void host_next_names(struct host_names *names)
{
    glGenBuffers(1, &names->buffer);
    glDeleteBuffers(1, &names->buffer);
    glGenQueries(1, &names->query);
    glDeleteQueries(1, &names->query);
    glGenTextures(1, &names->texture);
    glDeleteTextures(1, &names->texture);
    names->program = glCreateProgram();
    glDeleteProgram(names->program);
}

static bool name_equal(const char *kind, GLuint before, GLuint after, GLuint next)
{
    GLuint step = next - after;
    if (after == before + step)
        return true;
    fprintf(stderr, "the next %s was %u, is %u\n", kind, before, after);
    return false;
}

bool host_names_equal(const struct host_names *before, const struct host_names *after)
{
    struct host_names next;
    host_next_names(&next);
    bool buffers = name_equal("buffer", before->buffer, after->buffer, next.buffer);
    bool queries = name_equal("query", before->query, after->query, next.query);
    bool textures = name_equal("texture", before->texture, after->texture, next.texture);
    bool programs = name_equal("program", before->program, after->program, next.program);
    return buffers && queries && textures && programs;
}

/* Drivers hand out low names; some reuse freed ones at once, so the next name is no upper end. */
#define NAMES_LOOKED_AT 4096

void host_count_objects(struct host_objects *objects)
{
    memset(objects, 0, sizeof *objects);
    for (GLuint name = 1; name <= NAMES_LOOKED_AT; name++) {
        objects->buffers += glIsBuffer(name);
        objects->queries += glIsQuery(name);
        objects->textures += glIsTexture(name);
        objects->programs += glIsProgram(name);
        objects->shaders += glIsShader(name);
    }
}

static bool count_equal(const char *kind, size_t before, size_t after)
{
    if (before != after)
        fprintf(stderr, "there were %zu %s, there are %zu\n", before, kind, after);
    return before == after;
}

bool host_objects_equal(const struct host_objects *before, const struct host_objects *after)
{
    bool buffers = count_equal("buffers", before->buffers, after->buffers);
    bool queries = count_equal("queries", before->queries, after->queries);
    bool textures = count_equal("textures", before->textures, after->textures);
    bool programs = count_equal("programs", before->programs, after->programs);
    bool shaders = count_equal("shaders", before->shaders, after->shaders);
    return buffers && queries && textures && programs && shaders;
}

static void *count_allocate(size_t size, void *user)
{
    struct host_memory *memory = user;
    if (memory->fail_after > 0 && memory->allocations >= memory->fail_after)
        return NULL;
    memory->allocations++;
    memory->live++;
    return malloc(size);
}

static void count_release(void *pointer, void *user)
{
    struct host_memory *memory = user;
    memory->live--;
    free(pointer);
}

gl_segsort_allocator host_allocator(struct host_memory *memory)
{
    return (gl_segsort_allocator){count_allocate, count_release, memory};
}

void *host_allocate(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "out of memory for %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

/* ---------------------------------------------------------------------------------------------- */
/* A sort with its buffers */

static const char *const stream_names[HOST_STREAMS] = {"keys", "values", "output_keys",
                                                       "output_values"};

void host_sort_make(struct host_sort *sort, const uint32_t *lengths, size_t count,
                    enum generate_keys_kind kind)
{
    memset(sort, 0, sizeof *sort);
    sort->segment_count = (uint32_t)count;
    sort->rows = generate_packed_segments(lengths, count, 1, sort->segments);
    for (int i = 0; i < HOST_STREAMS; i++) {
        sort->data[i] = host_allocate(sort->rows * 4);
        memset(sort->data[i], 0xcd, sort->rows * 4);
    }
    generate_keys(kind, sort->data[HOST_KEYS], sort->rows, 1);
    generate_identity(sort->data[HOST_VALUES], sort->rows);
    for (int i = 0; i < HOST_STREAMS; i++)
        sort->buffers[i] = host_buffer(sort->data[i], sort->rows * 4);
    cpu_sort_segments(sort->data[HOST_KEYS], sort->data[HOST_VALUES], sort->data[HOST_OUTPUT_KEYS],
                      sort->data[HOST_OUTPUT_VALUES], sort->segments, count, GL_SEGSORT_ASCENDING);
}

void host_sort_free(struct host_sort *sort)
{
    glDeleteBuffers(HOST_STREAMS, sort->buffers);
    for (int i = 0; i < HOST_STREAMS; i++)
        free(sort->data[i]);
    memset(sort, 0, sizeof *sort);
}

void host_sort_upload(const struct host_sort *sort)
{
    uint32_t *fill = host_allocate(sort->rows * 4);
    memset(fill, 0xcd, sort->rows * 4);
    for (int i = 0; i < HOST_STREAMS; i++)
        host_write(sort->buffers[i], i < HOST_OUTPUT_KEYS ? sort->data[i] : fill, sort->rows * 4);
    free(fill);
}

gl_segsort_plan_desc host_sort_plan_desc(const struct host_sort *sort)
{
    return (gl_segsort_plan_desc){
        .label = "mesh", .segments = sort->segments, .segment_count = sort->segment_count};
}

gl_segsort_sort_desc host_sort_desc(const struct host_sort *sort)
{
    const GLuint *buffers = sort->buffers;
    return (gl_segsort_sort_desc){.keys = {buffers[HOST_KEYS], 0, sort->rows},
                                  .values = {buffers[HOST_VALUES], 0, sort->rows},
                                  .output_keys = {buffers[HOST_OUTPUT_KEYS], 0, sort->rows},
                                  .output_values = {buffers[HOST_OUTPUT_VALUES], 0, sort->rows}};
}

bool host_sort_right(const struct host_sort *sort)
{
    bool right = true;
    for (int i = 0; i < HOST_STREAMS; i++)
        if (!host_buffer_equals(sort->buffers[i], sort->data[i], sort->rows * 4, stream_names[i]))
            right = false;
    return right;
}

bool host_sort_untouched(const struct host_sort *sort)
{
    uint32_t *fill = host_allocate(sort->rows * 4);
    memset(fill, 0xcd, sort->rows * 4);
    bool untouched = true;
    for (int i = 0; i < HOST_STREAMS; i++)
        if (!host_buffer_equals(sort->buffers[i], i < HOST_OUTPUT_KEYS ? sort->data[i] : fill,
                                sort->rows * 4, stream_names[i]))
            untouched = false;
    free(fill);
    return untouched;
}

gl_segsort_plan *host_sort_plan(gl_segsort_context *context, const struct host_sort *sort)
{
    gl_segsort_plan_desc desc = host_sort_plan_desc(sort);
    gl_segsort_plan *plan = NULL;
    if (gl_segsort_plan_create(context, &desc, &plan) != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "gl_segsort_plan_create: %s\n", gl_segsort_last_error(context));
    return plan;
}

bool host_sorts(gl_segsort_context *context)
{
    const uint32_t lengths[] = {40, 0, 300, 5000};
    struct host_sort sort;
    host_sort_make(&sort, lengths, sizeof lengths / sizeof lengths[0], GENERATE_RANDOM);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    bool right = plan && gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS;
    if (!right)
        fprintf(stderr, "gl_segsort_sort: %s\n", gl_segsort_last_error(context));
    right = right && host_sort_right(&sort);
    gl_segsort_plan_destroy(plan);
    host_sort_free(&sort);
    return right;
}
