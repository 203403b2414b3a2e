/* nope.gl 18: frames that draw from the buffers, change them and sort them in place, one after the
 * other without a wait; and outputs that the host keeps mapped all the time. */
#include "cpu_sort.h"
#include "draw.h"

#include <stdlib.h>

#define FRAMES 200
#define SIZE 32
#define ROWS (64 + 300 + 4600)

static const uint32_t lengths[] = {64, 300, 4600};

static const char point_vertex[] =
    "#version 430 core\n"
    "layout(location = 0) in uint key;\n"
    "layout(location = 1) in uint id;\n"
    "flat out uint shown;\n"
    "void main() {\n"
    "    vec2 place = vec2(key & 0xffffu, id * 2654435761u >> 16) / 32767.5 - 1.0;\n"
    "    gl_Position = vec4(place, 0.0, 1.0);\n"
    "    gl_PointSize = 3.0;\n"
    "    shown = id + 1u;\n"
    "}\n";
static const char point_fragment[] = "#version 430 core\n"
                                     "flat in uint shown;\n"
                                     "out uint color;\n"
                                     "void main() { color = shown; }\n";

/* The particles move: new keys from the payload and the frame's number. next_key is its twin. */
static const char move_text[] =
    "#version 430 core\n"
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) buffer Keys { uint keys[]; };\n"
    "layout(std430, binding = 1) readonly buffer Ids { uint ids[]; };\n"
    "layout(location = 0) uniform uint frame;\n"
    "void main() {\n"
    "    uint n = gl_GlobalInvocationID.x;\n"
    "    if (n < uint(keys.length()))\n"
    "        keys[n] = (keys[n] ^ (ids[n] * 2246822519u)) * 3266489917u + frame;\n"
    "}\n";

static uint32_t next_key(uint32_t key, uint32_t id, uint32_t frame)
{
    return (key ^ (id * 2246822519u)) * 3266489917u + frame;
}

static GLuint point_program, move_program;

static void draw_points(GLuint keys, GLuint ids)
{
    glUseProgram(point_program);
    glBindBuffer(GL_ARRAY_BUFFER, keys);
    glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 4, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, ids);
    glVertexAttribIPointer(1, 1, GL_UNSIGNED_INT, 4, NULL);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_POINTS, 0, ROWS);
}

static void move_points(GLuint keys, GLuint ids, uint32_t frame)
{
    glUseProgram(move_program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, keys);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, ids);
    glUniform1ui(0, frame);
    glDispatchCompute((ROWS + 63) / 64, 1, 1);
}

/* The library's frames; nothing is read before the last one. */
static void run_frames(gl_segsort_state_policy policy, const struct draw_target *target,
                       const uint32_t *keys_data, const uint32_t *ids_data)
{
    gl_segsort_segment segments[3];
    generate_packed_segments(lengths, 3, 0, segments);
    gl_segsort_context *context = host_context(policy);
    gl_segsort_plan_desc plan_desc = {.segments = segments, .segment_count = 3};
    gl_segsort_plan *plan = NULL;
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          host_log_text());
    GLuint keys = host_buffer(keys_data, ROWS * 4), ids = host_buffer(ids_data, ROWS * 4);
    gl_segsort_sort_desc desc = {.keys = {keys, 0, ROWS},
                                 .values = {ids, 0, ROWS},
                                 .output_keys = {keys, 0, ROWS},
                                 .output_values = {ids, 0, ROWS},
                                 .barriers_after = GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE |
                                                   GL_SEGSORT_BARRIER_STORAGE};
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        draw_target_begin(target, (GLsizei)frame);
        draw_points(keys, ids);
        move_points(keys, ids, frame);
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    glDeleteBuffers(1, &keys);
    glDeleteBuffers(1, &ids);
}

/* The same frames from data that the CPU moved and sorted, each uploaded to buffers of its own. */
static void run_oracle(const struct draw_target *target, const uint32_t *keys_data,
                       const uint32_t *ids_data)
{
    gl_segsort_segment segments[3];
    generate_packed_segments(lengths, 3, 0, segments);
    uint32_t *now = host_allocate(2 * ROWS * 4), *sorted = host_allocate(2 * ROWS * 4);
    memcpy(now, keys_data, ROWS * 4);
    memcpy(now + ROWS, ids_data, ROWS * 4);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        GLuint keys = host_buffer(now, ROWS * 4), ids = host_buffer(now + ROWS, ROWS * 4);
        draw_target_begin(target, (GLsizei)frame);
        draw_points(keys, ids);
        glDeleteBuffers(1, &keys);
        glDeleteBuffers(1, &ids);
        for (size_t row = 0; row < ROWS; row++)
            now[row] = next_key(now[row], now[ROWS + row], frame);
        cpu_sort_segments(now, now + ROWS, sorted, sorted + ROWS, segments, 3,
                          GL_SEGSORT_ASCENDING);
        uint32_t *swap = now;
        now = sorted;
        sorted = swap;
    }
    free(now);
    free(sorted);
}

static void draw_then_sort_in_place(gl_segsort_state_policy policy)
{
    static uint32_t keys[ROWS], ids[ROWS];
    struct draw_target target, oracle;
    GLuint vertex_array;
    generate_keys(GENERATE_RANDOM, keys, ROWS, 11);
    generate_identity(ids, ROWS);
    point_program = draw_program(point_vertex, point_fragment, NULL);
    move_program = draw_compute_program(move_text);
    draw_target_create(&target, SIZE, SIZE, FRAMES);
    draw_target_create(&oracle, SIZE, SIZE, FRAMES);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glEnable(GL_PROGRAM_POINT_SIZE);
    run_frames(policy, &target, keys, ids);
    run_oracle(&oracle, keys, ids);
    uint32_t *texels = draw_target_read(&target), *expected = draw_target_read(&oracle);
    size_t picture = SIZE * SIZE;
    for (size_t frame = 0; frame < FRAMES; frame++)
        CHECK(memcmp(texels + frame * picture, expected + frame * picture, picture * 4) == 0,
              "frame %zu is not the oracle's", frame);
    for (size_t frame = 1; frame < FRAMES; frame++)
        CHECK(memcmp(expected + frame * picture, expected, picture * 4) != 0,
              "frame %zu looks like the first, the test shows nothing", frame);
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    free(texels);
    free(expected);
    glDisable(GL_PROGRAM_POINT_SIZE);
    glUseProgram(0);
    glDeleteVertexArrays(1, &vertex_array);
    glDeleteProgram(point_program);
    glDeleteProgram(move_program);
    draw_target_destroy(&target);
    draw_target_destroy(&oracle);
}

static void draw_then_sort_in_place_restoring(void)
{
    draw_then_sort_in_place(GL_SEGSORT_STATE_RESTORE);
}

static void draw_then_sort_in_place_leaving_dirty(void)
{
    draw_then_sort_in_place(GL_SEGSORT_STATE_LEAVE_DIRTY);
}

/* ---------------------------------------------------------------------------------------------- */
/* Persistent mappings, from OpenGL 4.4 on; the tests' own functions end at 4.3. */

#define MAP_PERSISTENT_BIT 0x0040

typedef void(GLAD_API_PTR *buffer_storage)(GLenum target, GLsizeiptr size, const void *data,
                                           GLbitfield flags);

static buffer_storage get_buffer_storage(void)
{
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    buffer_storage function = NULL;
    gl_segsort_proc proc = headless_gl_get_proc_address("glBufferStorage");
    if (major > 4 || (major == 4 && minor >= 4))
        memcpy(&function, &proc, sizeof function);
    return function;
}

static void outputs_stay_mapped(void)
{
    struct host_sort sort;
    buffer_storage store = get_buffer_storage();
    if (!store) {
        printf("       there are no persistent mappings before OpenGL 4.4\n");
        return;
    }
    host_sort_make(&sort, lengths, 3, GENERATE_FEW_DISTINCT);
    GLsizeiptr bytes = (GLsizeiptr)(sort.rows * 4);
    const uint32_t *mapped[HOST_STREAMS] = {NULL};
    for (int i = HOST_OUTPUT_KEYS; i < HOST_STREAMS; i++) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, sort.buffers[i]);
        store(GL_COPY_WRITE_BUFFER, bytes, NULL, GL_MAP_READ_BIT | MAP_PERSISTENT_BIT);
        mapped[i] =
            glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes, GL_MAP_READ_BIT | MAP_PERSISTENT_BIT);
        CHECK(mapped[i], "not mapped");
    }
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.barriers_after = GL_SEGSORT_BARRIER_CLIENT_MAPPED;
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
    glFinish();
    for (uint32_t s = 0; s < sort.segment_count; s++) {
        const gl_segsort_segment *segment = &sort.segments[s];
        size_t first = segment->output_keys_offset, size = (size_t)segment->length * 4;
        for (int i = HOST_OUTPUT_KEYS; i < HOST_STREAMS; i++)
            CHECK(memcmp(mapped[i] + first, sort.data[i] + first, size) == 0,
                  "segment %u of mapped stream %d", s, i);
    }
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(draw_then_sort_in_place_restoring),
                                              CHECK_TEST(draw_then_sort_in_place_leaving_dirty),
                                              CHECK_TEST(outputs_stay_mapped)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
