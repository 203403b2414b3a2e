/* apitrace 232: the program that trace.cmake runs under apitrace. Sorts once to warm up and once
 * between two markers, and draws the sorted payload as one row of pixels, which a replay has to
 * draw again. Writes the pixels that they have to be to a file. */
#include "draw.h"

#include <stdlib.h>

static const uint32_t lengths[] = {40, 0, 300, 5000};

static const char vertex[] =
    "#version 430 core\n"
    "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); "
    "}\n";
static const char fragment[] =
    "#version 430 core\n"
    "layout(std430, binding = 0) readonly buffer Rows { uint rows[]; };\n"
    "out vec4 color;\n"
    "void main() { color = unpackUnorm4x8(rows[uint(gl_FragCoord.x)]); }\n";

static void draw(const struct host_sort *sort)
{
    GLuint texture, framebuffer, vertex_array, program = draw_program(vertex, fragment, NULL);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, (GLsizei)sort->rows, 1);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, (GLsizei)sort->rows, 1);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glUseProgram(program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, sort->buffers[HOST_OUTPUT_VALUES]);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
}

static bool write_pixels(const struct host_sort *sort, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    for (size_t row = 0; row < sort->rows; row++) {
        uint32_t value = sort->data[HOST_OUTPUT_VALUES][row];
        const unsigned char pixel[3] = {(unsigned char)value, (unsigned char)(value >> 8),
                                        (unsigned char)(value >> 16)};
        fwrite(pixel, 1, sizeof pixel, file);
    }
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    struct host_sort sort;
    if (argc != 2 || !host_open(4, 3, false))
        return 1;
    host_sort_make(&sort, lengths, sizeof lengths / sizeof lengths[0], GENERATE_FEW_DISTINCT);
    gl_segsort_context *context = host_context(GL_SEGSORT_STATE_LEAVE_DIRTY);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    bool right = gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS;
    host_sort_upload(&sort);
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "the sort begins");
    right = gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && right;
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 0,
                         GL_DEBUG_SEVERITY_NOTIFICATION, -1, "the sort has ended");
    glPopDebugGroup();
    draw(&sort);
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    printf("passes: %u\n", description.pass_count);
    right = right && host_sort_right(&sort) && write_pixels(&sort, argv[1]);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
    host_close();
    return right ? 0 : 1;
}
