/* bgfx 3878: the sorted payload goes straight into what a renderer does with it, with the barrier
 * constant for that use alone, and the picture is the one that data sorted on the CPU gives. */
#include "cpu_sort.h"
#include "draw.h"

#include <stdlib.h>

#define ROWS 1536
#define SIZE 64 /* of the pictures */
#define COMMANDS 16

/* Three pictures of each consumer: fed by the library, by the CPU, and by the unsorted input, which
 * has to look different. */
enum { SORTED, ORACLE, UNSORTED, PICTURES };

static struct draw_target target;

/* A pseudo-random place in the picture for a number, the same for every vertex shader here. */
#define PLACE                                                                                      \
    "#version 430 core\n"                                                                          \
    "vec2 place(uint n) {\n"                                                                       \
    "    n = n * 747796405u + 2891336453u;\n"                                                      \
    "    n = ((n >> ((n >> 28) + 4u)) ^ n) * 277803737u;\n"                                        \
    "    n = (n >> 22) ^ n;\n"                                                                     \
    "    return vec2(n & 0xffffu, n >> 16) / 32767.5 - 1.0;\n"                                     \
    "}\n"

static const char primitive_fragment[] = "#version 430 core\n"
                                         "out uint color;\n"
                                         "void main() { color = uint(gl_PrimitiveID) + 1u; }\n";

static const char screen_vertex[] =
    "#version 430 core\n"
    "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); "
    "}\n";

/* A fragment shader that shows row n of the payload at pixel n; fetch says how to get it. */
#define SCREEN_FRAGMENT(declarations, fetch)                                                       \
    "#version 430 core\n" declarations "out uint color;\n"                                         \
    "void main() {\n"                                                                              \
    "    uint n = uint(gl_FragCoord.y) * 64u + uint(gl_FragCoord.x);\n"                            \
    "    color = n < 1536u ? " fetch " : 0u;\n"                                                    \
    "}\n"

static void draw_screen(const char *fragment)
{
    GLuint program = draw_program(screen_vertex, fragment, NULL);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0);
    glDeleteProgram(program);
}

/* ---------------------------------------------------------------------------------------------- */
/* Consumers */

static void draw_as_indices(GLuint payload)
{
    GLuint program = draw_program(
        PLACE "void main() { gl_Position = vec4(place(uint(gl_VertexID)), 0.0, 1.0); }\n",
        primitive_fragment, NULL);
    glUseProgram(program);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, payload);
    glDrawElements(GL_TRIANGLES, ROWS, GL_UNSIGNED_INT, NULL);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glUseProgram(0);
    glDeleteProgram(program);
}

static void draw_as_instances(GLuint payload)
{
    GLuint program =
        draw_program(PLACE "layout(location = 0) in uint payload;\n"
                           "flat out uint shown;\n"
                           "void main() {\n"
                           "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 0.3;\n"
                           "    gl_Position = vec4(place(payload) + corner, 0.0, 1.0);\n"
                           "    shown = payload + 1u;\n"
                           "}\n",
                     "#version 430 core\n"
                     "flat in uint shown;\n"
                     "out uint color;\n"
                     "void main() { color = shown; }\n",
                     NULL);
    glUseProgram(program);
    glBindBuffer(GL_ARRAY_BUFFER, payload);
    glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 4, NULL);
    glVertexAttribDivisor(0, 1);
    glEnableVertexAttribArray(0);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, ROWS);
    glDisableVertexAttribArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(0);
    glDeleteProgram(program);
}

static void draw_as_commands(GLuint payload)
{
    GLuint program = draw_program(
        PLACE "void main() { gl_Position = vec4(place(uint(gl_VertexID)), 0.0, 1.0); }\n",
        "#version 430 core\n"
        "out uint color;\n"
        "void main() { color = 1u; }\n",
        NULL);
    glUseProgram(program);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, payload);
    glMultiDrawArraysIndirect(GL_TRIANGLES, NULL, COMMANDS, 0);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    glUseProgram(0);
    glDeleteProgram(program);
}

static void draw_as_texture_buffer(GLuint payload)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, payload);
    draw_screen(SCREEN_FRAGMENT("layout(binding = 0) uniform usamplerBuffer rows;\n",
                                "texelFetch(rows, int(n)).x"));
    glDeleteTextures(1, &texture);
}

static void draw_as_uniforms(GLuint payload)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, payload);
    draw_screen(SCREEN_FRAGMENT("layout(std140, binding = 0) uniform Rows { uvec4 rows[384]; };\n",
                                "rows[n / 4u][n % 4u]"));
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
}

static void draw_as_storage(GLuint payload)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, payload);
    draw_screen(SCREEN_FRAGMENT(
        "layout(std430, binding = 0) readonly buffer Rows { uint rows[]; };\n", "rows[n]"));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
}

static void draw_as_image(GLuint payload)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, payload);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
    draw_screen(SCREEN_FRAGMENT("layout(r32ui, binding = 0) readonly uniform uimageBuffer rows;\n",
                                "imageLoad(rows, int(n)).x"));
    glBindImageTexture(0, 0, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
    glDeleteTextures(1, &texture);
}

static void draw_as_pixels(GLuint payload)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, SIZE, ROWS / SIZE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, payload);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, ROWS / SIZE, GL_RED_INTEGER, GL_UNSIGNED_INT,
                    NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    draw_screen(SCREEN_FRAGMENT("layout(binding = 0) uniform usampler2D rows;\n",
                                "texelFetch(rows, ivec2(n % 64u, n / 64u), 0).x"));
    glDeleteTextures(1, &texture);
}

static void draw_a_copy(GLuint payload)
{
    GLuint copy = host_buffer(NULL, ROWS * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, payload);
    glBindBuffer(GL_COPY_WRITE_BUFFER, copy);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, ROWS * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    draw_as_storage(copy);
    glDeleteBuffers(1, &copy);
}

static void draw_what_is_read_back(GLuint payload)
{
    uint32_t *rows = host_allocate(ROWS * 4);
    host_read(payload, rows, ROWS * 4);
    GLuint copy = host_buffer(rows, ROWS * 4);
    draw_as_storage(copy);
    glDeleteBuffers(1, &copy);
    free(rows);
}

static void draw_what_is_mapped(GLuint payload)
{
    glBindBuffer(GL_COPY_READ_BUFFER, payload);
    void *rows = glMapBufferRange(GL_COPY_READ_BUFFER, 0, ROWS * 4, GL_MAP_READ_BIT);
    GLuint copy = host_buffer(rows, ROWS * 4);
    glBindBuffer(GL_COPY_READ_BUFFER, payload);
    glUnmapBuffer(GL_COPY_READ_BUFFER);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    draw_as_storage(copy);
    glDeleteBuffers(1, &copy);
}

static void draw_as_atomic_counters(GLuint payload)
{
    glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, payload);
    draw_screen(SCREEN_FRAGMENT("layout(binding = 0, offset = 128) uniform atomic_uint row;\n",
                                "atomicCounter(row)"));
    glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, 0);
}

/* Written over in part by transform feedback: what it writes stays, and so does the rest. */
static void draw_after_transform_feedback(GLuint payload)
{
    GLuint program = draw_program("#version 430 core\n"
                                  "flat out uint row;\n"
                                  "void main() { row = uint(gl_VertexID) * 5u; gl_Position = "
                                  "vec4(0.0); }\n",
                                  NULL, "row");
    glUseProgram(program);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, payload, 256, 1024);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 256);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glUseProgram(0);
    glDeleteProgram(program);
    draw_what_is_read_back(payload);
}

static const struct consumer {
    const char *name;
    uint32_t barriers;
    void (*draw)(GLuint payload);
} consumers[] = {
    {"index buffer", GL_SEGSORT_BARRIER_INDEX, draw_as_indices},
    {"instance attribute", GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE, draw_as_instances},
    {"indirect draw arguments", GL_SEGSORT_BARRIER_INDIRECT_COMMAND, draw_as_commands},
    {"buffer texture", GL_SEGSORT_BARRIER_TEXTURE_BUFFER, draw_as_texture_buffer},
    {"uniform buffer", GL_SEGSORT_BARRIER_UNIFORM_BUFFER, draw_as_uniforms},
    {"storage buffer", GL_SEGSORT_BARRIER_STORAGE, draw_as_storage},
    {"buffer image", GL_SEGSORT_BARRIER_IMAGE, draw_as_image},
    {"pixel unpack buffer", GL_SEGSORT_BARRIER_PIXEL_BUFFER, draw_as_pixels},
    {"glCopyBufferSubData", GL_SEGSORT_BARRIER_BUFFER_UPDATE, draw_a_copy},
    {"glGetBufferSubData", GL_SEGSORT_BARRIER_BUFFER_UPDATE, draw_what_is_read_back},
    {"glMapBufferRange", GL_SEGSORT_BARRIER_BUFFER_UPDATE, draw_what_is_mapped},
    {"atomic counter", GL_SEGSORT_BARRIER_ATOMIC_COUNTER, draw_as_atomic_counters},
    {"transform feedback", GL_SEGSORT_BARRIER_TRANSFORM_FEEDBACK | GL_SEGSORT_BARRIER_BUFFER_UPDATE,
     draw_after_transform_feedback},
};

/* ---------------------------------------------------------------------------------------------- */
/* Data */

struct data {
    gl_segsort_segment segments[COMMANDS];
    uint32_t segment_count;
    uint32_t keys[ROWS], values[ROWS], sorted_keys[ROWS], sorted_values[ROWS];
};

/* A shuffled payload below ROWS, so that it can be indices, in segments of several kernels'
 * lengths. */
static void make_shuffled(struct data *data)
{
    static const uint32_t lengths[] = {64, 200, 4, 268, 1000};
    uint64_t random = 7;
    data->segment_count = 5;
    generate_packed_segments(lengths, 5, 0, data->segments);
    generate_identity(data->values, ROWS);
    for (uint32_t i = ROWS - 1; i > 0; i--) {
        uint32_t other = generate_below(&random, i + 1), swap = data->values[i];
        data->values[i] = data->values[other];
        data->values[other] = swap;
    }
    generate_keys(GENERATE_RANDOM, data->keys, ROWS, 3);
}

/* Each segment sorts into one glDrawArrays command of a triangle; unsorted they are other, still
 * harmless ones. */
static void make_commands(struct data *data)
{
    static const uint32_t orders[][4] = {{3, 1, 0, 2}, {1, 0, 3, 2}, {2, 3, 1, 0}, {0, 2, 1, 3}};
    data->segment_count = COMMANDS;
    memset(data->keys, 0, sizeof data->keys);
    memset(data->values, 0, sizeof data->values);
    for (uint32_t i = 0; i < COMMANDS; i++) {
        const uint32_t command[4] = {3, 1, 3 * i, 0};
        data->segments[i] = (gl_segsort_segment){4 * i, 4 * i, 4 * i, 4 * i, 4};
        for (uint32_t n = 0; n < 4; n++) {
            data->keys[4 * i + n] = 100 + orders[i % 4][n];
            data->values[4 * i + n] = command[orders[i % 4][n]];
        }
    }
}

static void make_data(struct data *data, const struct consumer *consumer)
{
    if (consumer->draw == draw_as_commands)
        make_commands(data);
    else
        make_shuffled(data);
    memcpy(data->sorted_keys, data->keys, sizeof data->keys);
    memcpy(data->sorted_values, data->values, sizeof data->values);
    cpu_sort_segments(data->keys, data->values, data->sorted_keys, data->sorted_values,
                      data->segments, data->segment_count, GL_SEGSORT_ASCENDING);
}

/* ---------------------------------------------------------------------------------------------- */

static void draw_picture(const struct consumer *consumer, int picture, GLuint payload)
{
    draw_target_begin(&target, picture);
    consumer->draw(payload);
}

/* The sort is the last thing before the consumer: nothing in between could hide that a barrier is
 * missing. */
static void draw_sorted(gl_segsort_context *context, const struct consumer *consumer,
                        const struct data *data, uint32_t barriers)
{
    gl_segsort_plan_desc plan_desc = {.segments = data->segments,
                                      .segment_count = data->segment_count};
    gl_segsort_plan *plan;
    if (!CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
               gl_segsort_last_error(context)))
        return;
    GLuint keys = host_buffer(data->keys, sizeof data->keys);
    GLuint values = host_buffer(data->values, sizeof data->values);
    GLuint output_keys = host_buffer(NULL, sizeof data->keys);
    GLuint payload = host_buffer(data->values, sizeof data->values);
    gl_segsort_sort_desc desc = {.keys = {keys, 0, ROWS},
                                 .values = {values, 0, ROWS},
                                 .output_keys = {output_keys, 0, ROWS},
                                 .output_values = {payload, 0, ROWS},
                                 .barriers_after = barriers};
    draw_target_begin(&target, SORTED);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    consumer->draw(payload);
    const GLuint buffers[] = {keys, values, output_keys, payload};
    glDeleteBuffers(4, buffers);
    gl_segsort_plan_destroy(plan);
}

static void check_consumer(gl_segsort_context *context, const struct consumer *consumer,
                           uint32_t barriers)
{
    static struct data data;
    make_data(&data, consumer);
    GLuint sorted = host_buffer(data.sorted_values, sizeof data.sorted_values);
    GLuint unsorted = host_buffer(data.values, sizeof data.values);
    draw_sorted(context, consumer, &data, barriers);
    draw_picture(consumer, ORACLE, sorted);
    draw_picture(consumer, UNSORTED, unsorted);
    uint32_t *texels = draw_target_read(&target);
    size_t picture = SIZE * SIZE, bytes = picture * 4;
    CHECK(memcmp(texels, texels + ORACLE * picture, bytes) == 0,
          "%s: the picture is not the oracle's", consumer->name);
    CHECK(memcmp(texels + ORACLE * picture, texels + UNSORTED * picture, bytes) != 0,
          "%s: unsorted data looks the same, the test shows nothing", consumer->name);
    CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", consumer->name);
    free(texels);
    glDeleteBuffers(1, &sorted);
    glDeleteBuffers(1, &unsorted);
}

static void check_consumers(gl_segsort_state_policy policy, bool default_barriers)
{
    GLuint vertex_array;
    gl_segsort_context *context = host_context(policy);
    draw_target_create(&target, SIZE, SIZE, PICTURES);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    for (size_t i = 0; i < sizeof consumers / sizeof consumers[0]; i++)
        check_consumer(context, &consumers[i],
                       default_barriers ? GL_SEGSORT_BARRIER_DEFAULT : consumers[i].barriers);
    glDeleteVertexArrays(1, &vertex_array);
    draw_target_destroy(&target);
    gl_segsort_context_destroy(context);
}

static void own_barrier(void)
{
    check_consumers(GL_SEGSORT_STATE_RESTORE, false);
}

static void default_barrier(void)
{
    check_consumers(GL_SEGSORT_STATE_RESTORE, true);
}

static void own_barrier_leaving_dirty(void)
{
    check_consumers(GL_SEGSORT_STATE_LEAVE_DIRTY, false);
}

/* The header's constants are GL's own bits. */
static void constants_are_gls(void)
{
    static const struct {
        uint32_t ours;
        GLbitfield gls;
    } pairs[] = {{GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE, GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_INDEX, GL_ELEMENT_ARRAY_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_UNIFORM_BUFFER, GL_UNIFORM_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_TEXTURE_BUFFER, GL_TEXTURE_FETCH_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_IMAGE, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_INDIRECT_COMMAND, GL_COMMAND_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_PIXEL_BUFFER, GL_PIXEL_BUFFER_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_BUFFER_UPDATE, GL_BUFFER_UPDATE_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_TRANSFORM_FEEDBACK, GL_TRANSFORM_FEEDBACK_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_ATOMIC_COUNTER, GL_ATOMIC_COUNTER_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_STORAGE, GL_SHADER_STORAGE_BARRIER_BIT},
                 {GL_SEGSORT_BARRIER_CLIENT_MAPPED, 0x4000},
                 {GL_SEGSORT_BARRIER_QUERY_BUFFER, 0x8000}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        CHECK(pairs[i].ours == pairs[i].gls, "0x%x and 0x%x", pairs[i].ours, pairs[i].gls);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(own_barrier), CHECK_TEST(default_barrier),
                                              CHECK_TEST(own_barrier_leaving_dirty),
                                              CHECK_TEST(constants_are_gls)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
