#include "kernel_program.h"

#include "sources.h"

#include <glad/gl.h>
#include <stdio.h>
#include <string.h>

const char *kernel_program_source(const segsort_variant *variant)
{
    const char *file = segsort_kernel_get(variant->kernel)->file;
    for (unsigned i = 0; i < segsort_source_count; i++)
        if (strcmp(segsort_sources[i].name, file) == 0)
            return segsort_sources[i].text;
    return "";
}

const char *kernel_program_name(const segsort_variant *variant)
{
    static char name[160];
    int length = snprintf(name, sizeof name, "%s %u, key type %d, value type %d%s%s",
                          segsort_kernel_get(variant->kernel)->name, variant->width,
                          (int)variant->types.key, (int)variant->types.value,
                          variant->direction == GL_SEGSORT_DESCENDING ? ", descending" : "",
                          variant->masked ? ", masked" : "");
    if (variant->subgroup_size > 0)
        snprintf(name + length, sizeof name - (size_t)length, ", subgroups of %u",
                 variant->subgroup_size);
    return name;
}

unsigned kernel_program_make(const segsort_variant *variant, char *log, size_t size)
{
    char preamble[1024];
    segsort_variant_preamble(variant, preamble, sizeof preamble);
    const char *strings[] = {preamble, kernel_program_source(variant)};
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    GLint compiled = 0, linked = 0;
    GLsizei length = 0;
    log[0] = '\0';
    glShaderSource(shader, 2, strings, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glGetShaderInfoLog(shader, (GLsizei)size, &length, log);
    glAttachShader(program, shader);
    if (compiled)
        glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (length == 0)
        glGetProgramInfoLog(program, (GLsizei)size, NULL, log);
    glDeleteShader(shader);
    if (linked)
        return program;
    glDeleteProgram(program);
    return 0;
}
