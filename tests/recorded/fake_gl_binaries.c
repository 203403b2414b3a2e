/* Binaries of programs: what a linked one is, behind the number of the driver that made it. */
#include "fake_gl_functions.h"

#include <string.h>

#define BINARY_FILL 40 /* bytes that nobody reads */

struct binary {
    uint32_t generation, uses, width, tile_rows, no_pass;
    unsigned char fill[BINARY_FILL];
};

static struct fake_gl_program *find_program(uint32_t name, const char *function)
{
    struct fake_gl_program *program = fake_gl_find_program(name);
    if (program && !program->is_shader)
        return program;
    fake_gl_raise(program ? SEGSORT_GL_INVALID_OPERATION : SEGSORT_GL_INVALID_VALUE, function);
    return NULL;
}

int32_t fake_gl_binary_length(const struct fake_gl_program *program)
{
    return program->linked && fake_gl.binary_formats > 0 ? (int32_t)sizeof(struct binary) : 0;
}

void SEGSORT_GLCALL fake_ProgramParameteri(uint32_t name, uint32_t what, int32_t value)
{
    if (!fake_gl_enter(FAKE_GL_ProgramParameteri, "%s %s %" PRId32, fake_gl_program_label(name),
                       fake_gl_query_name(what), value))
        return;
    struct fake_gl_program *program = find_program(name, "glProgramParameteri");
    if (program && what == SEGSORT_GL_PROGRAM_BINARY_RETRIEVABLE_HINT && value == 1)
        program->retrievable = true;
    else if (program)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glProgramParameteri: name or value");
}

void SEGSORT_GLCALL fake_GetProgramBinary(uint32_t name, int32_t size, int32_t *length,
                                          uint32_t *format, void *data)
{
    if (!fake_gl_enter(FAKE_GL_GetProgramBinary, "%s %" PRId32, fake_gl_program_label(name), size))
        return;
    struct fake_gl_program *program = find_program(name, "glGetProgramBinary");
    if (!program)
        return;
    if (!program->linked || size < (int32_t)sizeof(struct binary)) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glGetProgramBinary: no link, or no room");
        return;
    }
    if (!program->retrievable)
        fake_gl_complain("glGetProgramBinary without the hint before the link");
    struct binary binary = {fake_gl.binary_generation, program->uses,    program->width,
                            program->tile_rows,        program->no_pass, {0}};
    memset(binary.fill, 0x5a, sizeof binary.fill);
    memcpy(data, &binary, sizeof binary);
    *length = (int32_t)sizeof binary;
    *format = FAKE_GL_BINARY_FORMAT;
}

/* A driver may crash on what it did not write. */
void SEGSORT_GLCALL fake_ProgramBinary(uint32_t name, uint32_t format, const void *data,
                                       int32_t length)
{
    struct binary binary;
    if (!fake_gl_enter(FAKE_GL_ProgramBinary, "%s 0x%04" PRIx32 " %" PRId32,
                       fake_gl_program_label(name), format, length))
        return;
    struct fake_gl_program *program = find_program(name, "glProgramBinary");
    if (!program)
        return;
    program->linked = false;
    if (format != FAKE_GL_BINARY_FORMAT || fake_gl.binary_formats == 0) {
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glProgramBinary: format");
        return;
    }
    if (length != (int32_t)sizeof binary) {
        fake_gl_complain("glProgramBinary with %" PRId32 " bytes", length);
        return;
    }
    memcpy(&binary, data, sizeof binary);
    for (int i = 0; i < BINARY_FILL; i++)
        if (binary.fill[i] != 0x5a)
            fake_gl_complain("glProgramBinary with a byte changed");
    if (binary.generation != fake_gl.binary_generation)
        return;
    program->linked = program->has_compute = program->loaded = true;
    program->uses = binary.uses;
    program->width = binary.width;
    program->tile_rows = binary.tile_rows;
    program->no_pass = binary.no_pass;
}
