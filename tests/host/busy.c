#include "busy.h"

#include "draw.h"

#include <stdlib.h>

#define BUFFER_BYTES 4096

/* Offsets of range bindings: GL allows alignments of up to 256 for both kinds of block. */
#define RANGE_START 256

static const char vertex_text[] = "#version 430 core\n"
                                  "layout(location = 0) in vec4 position;\n"
                                  "out vec4 captured;\n"
                                  "void main() { gl_Position = captured = position; }\n";
static const char fragment_text[] = "#version 430 core\n"
                                    "out vec4 color;\n"
                                    "void main() { color = vec4(1.0); }\n";

/* Every binding gets a buffer of its own, so that no two can be mixed up unnoticed. */
static GLuint take_buffer(struct busy *busy)
{
    if (busy->next_buffer == BUSY_BUFFERS) {
        fprintf(stderr, "busy: no buffer left\n");
        abort();
    }
    return busy->buffers[busy->next_buffer++];
}

static unsigned char content_of(uint32_t buffer)
{
    return (unsigned char)(0x40 + buffer);
}

static void make_buffers(struct busy *busy)
{
    unsigned char content[BUFFER_BYTES];
    for (uint32_t i = 0; i < BUSY_BUFFERS; i++) {
        memset(content, content_of(i), sizeof content);
        busy->buffers[i] = host_buffer(content, sizeof content);
    }
}

static void bind_indexed(struct busy *busy, GLenum target, GLuint slots, int whole_parity)
{
    for (GLuint slot = 0; slot < slots; slot++)
        if ((int)(slot & 1) == whole_parity)
            glBindBufferBase(target, slot, take_buffer(busy));
        else
            glBindBufferRange(target, slot, take_buffer(busy), RANGE_START,
                              16 * (GLsizei)slot + 64);
    /* Binding a slot binds the generic point as well; this one is no slot's. */
    glBindBuffer(target, take_buffer(busy));
}

static void bind_buffers(struct busy *busy, int whole_parity)
{
    static const GLenum targets[] = {GL_DISPATCH_INDIRECT_BUFFER,
                                     GL_DRAW_INDIRECT_BUFFER,
                                     GL_COPY_READ_BUFFER,
                                     GL_COPY_WRITE_BUFFER,
                                     GL_PIXEL_PACK_BUFFER,
                                     GL_PIXEL_UNPACK_BUFFER,
                                     GL_ARRAY_BUFFER,
                                     GL_ELEMENT_ARRAY_BUFFER,
                                     GL_TEXTURE_BUFFER};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        glBindBuffer(targets[i], take_buffer(busy));
    bind_indexed(busy, GL_SHADER_STORAGE_BUFFER, 8, whole_parity);
    bind_indexed(busy, GL_UNIFORM_BUFFER, 4, whole_parity);
    bind_indexed(busy, GL_ATOMIC_COUNTER_BUFFER, 1, whole_parity);
}

static void make_programs(struct busy *busy, enum busy_program program)
{
    busy->program = draw_program(vertex_text, fragment_text, "captured");
    const char *stage_text = fragment_text;
    busy->stage_program = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &stage_text);
    glGenProgramPipelines(1, &busy->pipeline);
    glUseProgramStages(busy->pipeline, GL_FRAGMENT_SHADER_BIT, busy->stage_program);
    glBindProgramPipeline(busy->pipeline);
    glUseProgram(program == BUSY_PROGRAM ? busy->program : 0);
}

static void make_feedback(struct busy *busy)
{
    glGenTransformFeedbacks(1, &busy->feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, busy->feedback);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, take_buffer(busy));
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, take_buffer(busy), 64, 256);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, take_buffer(busy));
}

static void make_vertex_array(struct busy *busy)
{
    glGenVertexArrays(1, &busy->vertex_array);
    glBindVertexArray(busy->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, take_buffer(busy));
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 32, NULL);
    glEnableVertexAttribArray(0);
    glVertexAttribIPointer(1, 1, GL_UNSIGNED_INT, 8, NULL);
    glVertexAttribDivisor(1, 3);
}

static void make_textures(struct busy *busy)
{
    glGenTextures(4, busy->textures);
    glBindTexture(GL_TEXTURE_2D, busy->textures[0]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16);
    glBindImageTexture(2, busy->textures[0], 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, busy->textures[1]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_BUFFER, busy->textures[2]);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, take_buffer(busy));
    glBindTexture(GL_TEXTURE_2D_ARRAY, busy->textures[3]);
    glGenSamplers(1, &busy->sampler);
    glBindSampler(1, busy->sampler);
    glGenFramebuffers(1, &busy->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, busy->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, busy->textures[1],
                           0);
}

static const GLenum enabled[] = {GL_BLEND,
                                 GL_CULL_FACE,
                                 GL_DEPTH_CLAMP,
                                 GL_DEPTH_TEST,
                                 GL_FRAMEBUFFER_SRGB,
                                 GL_POLYGON_OFFSET_FILL,
                                 GL_PRIMITIVE_RESTART,
                                 GL_PROGRAM_POINT_SIZE,
                                 GL_SCISSOR_TEST,
                                 GL_STENCIL_TEST,
                                 GL_TEXTURE_CUBE_MAP_SEAMLESS};

static void set_fixed_state(void)
{
    for (size_t i = 0; i < sizeof enabled / sizeof enabled[0]; i++)
        glEnable(enabled[i]);
    glDisable(GL_DITHER);
    glViewport(1, 2, 13, 11);
    glScissor(3, 1, 9, 7);
    glBlendColor(0.125f, 0.25f, 0.5f, 0.75f);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE, GL_DST_COLOR, GL_ZERO);
    glBlendEquationSeparate(GL_MAX, GL_FUNC_SUBTRACT);
    glClearColor(0.25f, 0.5f, 0.75f, 0.125f);
    glClearDepth(0.5);
    glClearStencil(7);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    glDepthFunc(GL_GEQUAL);
    glDepthMask(GL_FALSE);
    glDepthRange(0.25, 0.75);
    glStencilFunc(GL_NOTEQUAL, 5, 0x0f);
    glStencilMask(0x3c);
    glStencilOp(GL_INCR, GL_DECR, GL_INVERT);
    glCullFace(GL_FRONT);
    glFrontFace(GL_CW);
    glPolygonOffset(1.5f, 2.5f);
    glPrimitiveRestartIndex(0xffff);
    glPointSize(3.0f);
    glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, 33);
}

void busy_begin(struct busy *busy, enum busy_program program, int whole_parity)
{
    memset(busy, 0, sizeof *busy);
    make_buffers(busy);
    make_programs(busy, program);
    make_feedback(busy);
    make_vertex_array(busy);
    make_textures(busy);
    bind_buffers(busy, whole_parity);
    set_fixed_state();
    glGenQueries(1, &busy->time_query);
    glGenQueries(1, &busy->samples_query);
    glBeginQuery(GL_TIME_ELAPSED, busy->time_query);
    glBeginQuery(GL_SAMPLES_PASSED, busy->samples_query);
}

static bool end_queries(struct busy *busy)
{
    GLuint nanoseconds = 0, samples = 1;
    glEndQuery(GL_TIME_ELAPSED);
    glEndQuery(GL_SAMPLES_PASSED);
    bool right = glGetError() == GL_NO_ERROR;
    glGetQueryObjectuiv(busy->time_query, GL_QUERY_RESULT, &nanoseconds);
    glGetQueryObjectuiv(busy->samples_query, GL_QUERY_RESULT, &samples);
    if (!right || samples != 0)
        fprintf(stderr, "busy: the host's queries went wrong, %u samples passed\n", samples);
    return right && samples == 0 && glGetError() == GL_NO_ERROR;
}

static void reset_fixed_state(void)
{
    for (size_t i = 0; i < sizeof enabled / sizeof enabled[0]; i++)
        glDisable(enabled[i]);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
}

bool busy_end(struct busy *busy)
{
    bool right = end_queries(busy);
    reset_fixed_state();
    glUseProgram(0);
    glBindVertexArray(0);
    glActiveTexture(GL_TEXTURE0);
    glDeleteProgram(busy->program);
    glDeleteProgram(busy->stage_program);
    glDeleteProgramPipelines(1, &busy->pipeline);
    glDeleteTransformFeedbacks(1, &busy->feedback);
    glDeleteVertexArrays(1, &busy->vertex_array);
    glDeleteFramebuffers(1, &busy->framebuffer);
    glDeleteTextures(4, busy->textures);
    glDeleteSamplers(1, &busy->sampler);
    glDeleteQueries(1, &busy->time_query);
    glDeleteQueries(1, &busy->samples_query);
    unsigned char content[BUFFER_BYTES];
    for (uint32_t i = 0; i < BUSY_BUFFERS; i++) {
        memset(content, content_of(i), sizeof content);
        if (!host_buffer_equals(busy->buffers[i], content, sizeof content, "a buffer of the host"))
            right = false;
    }
    glDeleteBuffers(BUSY_BUFFERS, busy->buffers);
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        fprintf(stderr, "busy: GL error 0x%04x\n", error);
    return right && error == GL_NO_ERROR;
}
