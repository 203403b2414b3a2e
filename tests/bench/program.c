#include "program.h"

#include <stdio.h>

#define AXIS_MAX 65535u

GLuint program_create(const char *name, const char *source)
{
    GLint linked = 0;
    GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return program;
    char log[1024] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    fprintf(stderr, "bench: %s does not compile: %s\n", name, log);
    glDeleteProgram(program);
    return 0;
}

void program_run(GLuint program, GLuint groups_x, GLuint groups_y)
{
    glUseProgram(program);
    glDispatchCompute(groups_x, groups_y, 1);
    glUseProgram(0);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void program_run_all(GLuint program, GLuint groups)
{
    GLuint y = (groups + AXIS_MAX - 1) / AXIS_MAX;
    if (y > 0)
        program_run(program, (groups + y - 1) / y, y);
}
