#include "shaders.h"

#include <string.h>

static const char preamble[] = "#version 430 core\n";

static const char *find_text(const char *name)
{
    for (unsigned i = 0; i < viewer_source_count; i++)
        if (strcmp(viewer_sources[i].name, name) == 0)
            return viewer_sources[i].text;
    return NULL;
}

static GLuint compile(GLenum stage, const char *name, struct failure *failure)
{
    const char *text = find_text(name);
    if (!text) {
        failure_set(failure, "no shader is called %s", name);
        return 0;
    }
    const char *const strings[] = {preamble, text};
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 2, strings, NULL);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled)
        return shader;
    char log[1024] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    failure_set(failure, "shader %s does not compile: %s", name, log);
    glDeleteShader(shader);
    return 0;
}

/* Takes the shaders over. */
static GLuint link_program(const GLuint *shaders, unsigned count, const char *name,
                           struct failure *failure)
{
    GLuint program = glCreateProgram();
    for (unsigned i = 0; i < count; i++)
        glAttachShader(program, shaders[i]);
    glLinkProgram(program);
    for (unsigned i = 0; i < count; i++) {
        glDetachShader(program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked) {
        glObjectLabel(GL_PROGRAM, program, -1, name);
        return program;
    }
    char log[1024] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    failure_set(failure, "shader %s does not link: %s", name, log);
    glDeleteProgram(program);
    return 0;
}

GLuint shaders_compute_program(const char *compute, struct failure *failure)
{
    GLuint shader = compile(GL_COMPUTE_SHADER, compute, failure);
    return shader ? link_program(&shader, 1, compute, failure) : 0;
}

GLuint shaders_draw_program(const char *vertex, const char *fragment, struct failure *failure)
{
    GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex, failure), 0};
    if (!shaders[0])
        return 0;
    shaders[1] = compile(GL_FRAGMENT_SHADER, fragment, failure);
    if (!shaders[1]) {
        glDeleteShader(shaders[0]);
        return 0;
    }
    return link_program(shaders, 2, fragment, failure);
}
