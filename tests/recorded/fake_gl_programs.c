#include "fake_gl_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fake_gl_program_label(uint32_t name)
{
    const struct fake_gl_program *program = fake_gl_find_program(name);
    return name == 0            ? "0"
           : !program           ? "unknown"
           : program->label[0]  ? program->label
           : program->is_shader ? "shader"
                                : "unlabelled";
}

/* ---------------------------------------------------------------------------------------------- */
/* Shaders and programs */

/* A program's or shader's name, or the error that GL has for one that is not. */
static struct fake_gl_program *expect(uint32_t name, bool shader, const char *function)
{
    struct fake_gl_program *program = fake_gl_find_program(name);
    if (program && program->is_shader == shader)
        return program;
    fake_gl_raise(program ? SEGSORT_GL_INVALID_OPERATION : SEGSORT_GL_INVALID_VALUE, function);
    return NULL;
}

uint32_t SEGSORT_GLCALL fake_CreateShader(uint32_t type)
{
    if (!fake_gl_enter(FAKE_GL_CreateShader, "%s",
                       type == SEGSORT_GL_COMPUTE_SHADER ? "COMPUTE" : "other"))
        return 0;
    if (type == SEGSORT_GL_COMPUTE_SHADER)
        return fake_gl_add_program(true);
    fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glCreateShader: type");
    return 0;
}

void SEGSORT_GLCALL fake_ShaderSource(uint32_t name, int32_t count, const char *const *strings,
                                      const int32_t *lengths)
{
    if (!fake_gl_enter(FAKE_GL_ShaderSource, "%s %" PRId32, fake_gl_program_label(name), count))
        return;
    struct fake_gl_program *shader = expect(name, true, "glShaderSource");
    if (!shader)
        return;
    size_t length = 0;
    for (int32_t i = 0; i < count; i++)
        length += lengths ? (size_t)lengths[i] : strlen(strings[i]);
    free(shader->source);
    char *end = shader->source = malloc(length + 1);
    for (int32_t i = 0; i < count && end; i++) {
        size_t part = lengths ? (size_t)lengths[i] : strlen(strings[i]);
        memcpy(end, strings[i], part);
        end += part;
    }
    if (end)
        *end = '\0';
}

static uint32_t macro_value(const char *source, const char *macro)
{
    const char *found = source ? strstr(source, macro) : NULL;
    return found ? (uint32_t)strtoul(found + strlen(macro), NULL, 10) : 0;
}

void SEGSORT_GLCALL fake_CompileShader(uint32_t name)
{
    bool succeeds = fake_gl_enter(FAKE_GL_CompileShader, "%s", fake_gl_program_label(name));
    struct fake_gl_program *shader = expect(name, true, "glCompileShader");
    if (!shader)
        return;
    shader->compiled =
        succeeds && shader->source && strncmp(shader->source, "#version 430", 12) == 0;
    shader->uses = macro_value(shader->source, "#define SEGSORT_USES ");
    shader->width = macro_value(shader->source, "#define SEGSORT_WIDTH ");
    shader->tile_rows = macro_value(shader->source, "#define SEGSORT_TILE_ROWS ");
    shader->no_pass = shader->source && strstr(shader->source, "#define SEGSORT_NO_PASS");
}

static void get_status(struct fake_gl_program *program, uint32_t name, bool status, int32_t *data)
{
    if (program && (name == SEGSORT_GL_COMPILE_STATUS || name == SEGSORT_GL_LINK_STATUS))
        *data = status;
    else if (program && name == SEGSORT_GL_DELETE_STATUS)
        *data = program->delete_pending;
    else if (program && name == SEGSORT_GL_INFO_LOG_LENGTH)
        *data = 64;
    else if (program)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetShaderiv or glGetProgramiv: name");
}

static void write_log(const char *log, int32_t size, int32_t *length, char *text)
{
    int written = size > 0 ? snprintf(text, (size_t)size, "%s", log) : 0;
    if (length)
        *length = written < size ? written : size - 1;
}

void SEGSORT_GLCALL fake_GetShaderiv(uint32_t name, uint32_t what, int32_t *data)
{
    if (!fake_gl_enter(FAKE_GL_GetShaderiv, "%s %s", fake_gl_program_label(name),
                       fake_gl_query_name(what)))
        return;
    struct fake_gl_program *shader = expect(name, true, "glGetShaderiv");
    get_status(shader, what, shader && shader->compiled, data);
}

void SEGSORT_GLCALL fake_GetShaderInfoLog(uint32_t name, int32_t size, int32_t *length, char *text)
{
    if (fake_gl_enter(FAKE_GL_GetShaderInfoLog, "%s", fake_gl_program_label(name)) &&
        expect(name, true, "glGetShaderInfoLog"))
        write_log("0(7) : error: the fake compiler disagrees\n0(9) : error: and again\n", size,
                  length, text);
}

void SEGSORT_GLCALL fake_DeleteShader(uint32_t name)
{
    if (!fake_gl_enter(FAKE_GL_DeleteShader, "%s", fake_gl_program_label(name)) || name == 0)
        return;
    struct fake_gl_program *shader = expect(name, true, "glDeleteShader");
    if (!shader)
        return;
    shader->delete_pending = true;
    if (shader->attachments == 0)
        fake_gl_kill_program(shader);
}

uint32_t SEGSORT_GLCALL fake_CreateProgram(void)
{
    return fake_gl_enter(FAKE_GL_CreateProgram, "%s", "") ? fake_gl_add_program(false) : 0;
}

void SEGSORT_GLCALL fake_AttachShader(uint32_t name, uint32_t shader_name)
{
    if (!fake_gl_enter(FAKE_GL_AttachShader, "%s %s", fake_gl_program_label(name),
                       fake_gl_program_label(shader_name)))
        return;
    struct fake_gl_program *program = expect(name, false, "glAttachShader: program");
    struct fake_gl_program *shader = expect(shader_name, true, "glAttachShader: shader");
    if (program && program->attached) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glAttachShader: attached already");
    } else if (program && shader) {
        program->attached = shader_name;
        shader->attachments++;
    }
}

void SEGSORT_GLCALL fake_DetachShader(uint32_t name, uint32_t shader_name)
{
    if (!fake_gl_enter(FAKE_GL_DetachShader, "%s %s", fake_gl_program_label(name),
                       fake_gl_program_label(shader_name)))
        return;
    struct fake_gl_program *program = expect(name, false, "glDetachShader: program");
    struct fake_gl_program *shader = expect(shader_name, true, "glDetachShader: shader");
    if (!program || !shader)
        return;
    if (program->attached != shader_name) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glDetachShader: not attached");
        return;
    }
    program->attached = 0;
    shader->attachments--;
    if (shader->delete_pending && shader->attachments == 0)
        fake_gl_kill_program(shader);
}

void SEGSORT_GLCALL fake_LinkProgram(uint32_t name)
{
    bool succeeds = fake_gl_enter(FAKE_GL_LinkProgram, "%s", fake_gl_program_label(name));
    struct fake_gl_program *program = expect(name, false, "glLinkProgram");
    if (!program)
        return;
    const struct fake_gl_program *shader = fake_gl_find_program(program->attached);
    program->linked = program->has_compute = succeeds && shader && shader->compiled;
    program->uses = program->linked ? shader->uses : 0;
    program->width = program->linked ? shader->width : 0;
    program->tile_rows = program->linked ? shader->tile_rows : 0;
    program->no_pass = program->linked && shader->no_pass;
    memset(program->view_word, 0, sizeof program->view_word);
    memset(program->list_word, 0, sizeof program->list_word);
}

void SEGSORT_GLCALL fake_GetProgramiv(uint32_t name, uint32_t what, int32_t *data)
{
    if (!fake_gl_enter(FAKE_GL_GetProgramiv, "%s %s", fake_gl_program_label(name),
                       fake_gl_query_name(what)))
        return;
    struct fake_gl_program *program = expect(name, false, "glGetProgramiv");
    if (program && what == SEGSORT_GL_PROGRAM_BINARY_LENGTH)
        *data = fake_gl_binary_length(program);
    else
        get_status(program, what, program && program->linked, data);
}

void SEGSORT_GLCALL fake_GetProgramInfoLog(uint32_t name, int32_t size, int32_t *length, char *text)
{
    if (fake_gl_enter(FAKE_GL_GetProgramInfoLog, "%s", fake_gl_program_label(name)) &&
        expect(name, false, "glGetProgramInfoLog"))
        write_log("error: the fake linker disagrees\n", size, length, text);
}

/* A program in use stays until another one is. */
void SEGSORT_GLCALL fake_DeleteProgram(uint32_t name)
{
    if (!fake_gl_enter(FAKE_GL_DeleteProgram, "%s", fake_gl_program_label(name)) || name == 0)
        return;
    struct fake_gl_program *program = expect(name, false, "glDeleteProgram");
    if (!program)
        return;
    if (program->host)
        fake_gl_complain("the host's program '%s' deleted", program->label);
    program->delete_pending = true;
    if (fake_gl.state.program != name)
        fake_gl_kill_program(program);
}

void SEGSORT_GLCALL fake_UseProgram(uint32_t name)
{
    if (!fake_gl_enter(FAKE_GL_UseProgram, "%s", fake_gl_program_label(name)))
        return;
    const struct fake_gl_program *program = name ? expect(name, false, "glUseProgram") : NULL;
    if (name != 0 && !program)
        return;
    if (program && !program->linked) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glUseProgram: not linked");
        return;
    }
    struct fake_gl_program *current = fake_gl_find_program(fake_gl.state.program);
    fake_gl.state.program = name;
    if (current && current->delete_pending && current->name != name)
        fake_gl_kill_program(current);
}

/* The trace has the words one behind the other, so that a changed one shows. */
static const char *words_text(const uint32_t *words, int32_t count)
{
    static char text[FAKE_GL_TEXT_BYTES];
    size_t length = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %" PRIu32, words[i]);
    return text;
}

/* The words of a program's uniform, and how many there are; NULL: it has none there. */
static uint32_t *uniform_words(struct fake_gl_program *program, int32_t location, int32_t *count)
{
    switch (location) {
    case SEGSORT_LOCATION_VIEW_WORD:
        *count = SEGSORT_VIEW_WORDS;
        return program->view_word;
    case SEGSORT_LOCATION_LIST_WORD:
        *count = SEGSORT_LIST_WORDS;
        return program->list_word;
    case SEGSORT_LOCATION_DEPTH_PLANES:
        *count = 4 * SEGSORT_DEPTH_PLANES;
        return program->no_pass ? program->depth_planes : NULL;
    default:
        return NULL;
    }
}

/* Kernels have a few uniforms, arrays of vectors; not each of them has all. */
void SEGSORT_GLCALL fake_ProgramUniform4uiv(uint32_t name, int32_t location, int32_t count,
                                            const uint32_t *values)
{
    struct fake_gl_program *program = fake_gl_find_program(name);
    int32_t words_max = 0;
    uint32_t *words = program ? uniform_words(program, location, &words_max) : NULL;
    bool fits = count >= 0 && 4 * count <= words_max;
    if (!fake_gl_enter(FAKE_GL_ProgramUniform4uiv, "%s %" PRId32 " %" PRId32 "%s",
                       fake_gl_program_label(name), location, count,
                       words_text(values, fits ? 4 * count : 0)))
        return;
    if (!expect(name, false, "glProgramUniform4uiv") || location == -1)
        return;
    if (!program->linked || !words) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glProgramUniform4uiv: location, or no link");
        return;
    }
    if (count < 0)
        fake_gl_raise(SEGSORT_GL_INVALID_VALUE, "glProgramUniform4uiv: count");
    else if (!fits) /* GL drops what an array has no room for, and nobody means that */
        fake_gl_complain("glProgramUniform4uiv with %" PRId32 " vectors", count);
    else
        memcpy(words, values, 4 * (size_t)count * sizeof *values);
}
