#include "draw.h"

#include <stdlib.h>

static GLuint compile(GLenum type, const char *text)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[1024];
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        fprintf(stderr, "a shader of the test does not compile: %s\n", log);
        abort();
    }
    return shader;
}

static void attach(GLuint program, GLenum type, const char *text)
{
    if (!text)
        return;
    GLuint shader = compile(type, text);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

static void link(GLuint program)
{
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[1024];
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        fprintf(stderr, "a program of the test does not link: %s\n", log);
        abort();
    }
}

static GLuint make_program(const char *vertex, const char *fragment, const char *varying,
                           bool separable)
{
    GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, vertex);
    attach(program, GL_FRAGMENT_SHADER, fragment);
    if (varying)
        glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, separable);
    link(program);
    return program;
}

GLuint draw_program(const char *vertex, const char *fragment, const char *varying)
{
    return make_program(vertex, fragment, varying, false);
}

GLuint draw_separable_program(const char *vertex, const char *fragment, const char *varying)
{
    return make_program(vertex, fragment, varying, true);
}

GLuint draw_compute_program(const char *compute)
{
    GLuint program = glCreateProgram();
    attach(program, GL_COMPUTE_SHADER, compute);
    link(program);
    return program;
}

void draw_target_create(struct draw_target *target, GLsizei width, GLsizei height, GLsizei layers)
{
    *target = (struct draw_target){.width = width, .height = height, .layers = layers};
    glGenTextures(1, &target->texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, target->texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_R32UI, width, height, layers);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    glGenFramebuffers(1, &target->framebuffer);
}

void draw_target_destroy(struct draw_target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->texture);
}

void draw_target_begin(const struct draw_target *target, GLsizei layer)
{
    static const GLuint clear[4] = {0};
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target->texture, 0, layer);
    glViewport(0, 0, target->width, target->height);
    glClearBufferuiv(GL_COLOR, 0, clear);
}

uint32_t *draw_target_read(const struct draw_target *target)
{
    size_t layer_texels = (size_t)target->width * (size_t)target->height;
    uint32_t *texels = host_allocate((size_t)target->layers * layer_texels * 4);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    for (GLsizei layer = 0; layer < target->layers; layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target->texture, 0, layer);
        glReadPixels(0, 0, target->width, target->height, GL_RED_INTEGER, GL_UNSIGNED_INT,
                     texels + (size_t)layer * layer_texels);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return texels;
}
