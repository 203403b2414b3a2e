#include "pipeline.h"

#include "gl_state.h"
#include "sources.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *segsort_source_text(const char *file)
{
    for (unsigned i = 0; i < segsort_source_count; i++)
        if (strcmp(segsort_sources[i].name, file) == 0)
            return segsort_sources[i].text;
    return NULL;
}

/* "0 bitonic_local.comp, 1 ...": what the file numbers in a log mean. */
static void segsort_write_legend(char *text, size_t size)
{
    size_t length = 0;
    for (unsigned i = 0; i < segsort_source_file_count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%u %s", i ? ", " : "", i,
                                   segsort_source_files[i]);
}

static gl_segsort_result segsort_fail_compile(gl_segsort_context *context,
                                              const segsort_variant *variant, const char *step,
                                              const char *log)
{
    char legend[1024], line[1024];
    size_t length = 0;
    for (; log[length] && length + 1 < sizeof line; length++)
        line[length] = log[length] == '\n' ? ' ' : log[length];
    line[length] = '\0';
    segsort_write_legend(legend, sizeof legend);
    const segsort_kernel *kernel = segsort_kernel_get(variant->kernel);
    return segsort_fail(&context->error, GL_SEGSORT_ERROR_COMPILE,
                        "%s (%s, width %" PRIu32 ") does not %s: %s [files: %s]", kernel->name,
                        kernel->file, variant->width, step, line, legend);
}

/* "gl_segsort-radix-count-2048-key-f32-value-index-descending": whatever is not the default. */
static void segsort_write_program_label(const gl_segsort_context *context,
                                        const segsort_variant *variant, char *label, size_t size)
{
    static const char *const keys[] = {"", "-key-i32", "-key-f32", "-key-u64"};
    static const char *const values[] = {"", "-value-none", "-value-index", "-value-u64"};
    int length = snprintf(label, size, "%s-%s-%" PRIu32 "%s%s%s%s", context->label,
                          segsort_kernel_get(variant->kernel)->name, variant->width,
                          keys[variant->types.key], values[variant->types.value],
                          variant->direction == GL_SEGSORT_DESCENDING ? "-descending" : "",
                          variant->masked ? "-masked" : "");
    if (variant->subgroup_size > 0 && (size_t)length < size)
        snprintf(label + length, size - (size_t)length, "-subgroup-%" PRIu32,
                 variant->subgroup_size);
}

/* ---------------------------------------------------------------------------------------------- */
/* Compiling, and what the host kept */

/* The two texts of its source: the macros, and the kernel's. */
#define SEGSORT_TEXTS 2

/* Makes use of what the host kept. The program is to be stored later where there is a key and it is
 * not loaded. */
static gl_segsort_result segsort_load_program(gl_segsort_context *context, segsort_program *made,
                                              const char *const *texts, bool *loaded)
{
    bool open;
    *loaded = false;
    gl_segsort_result result = segsort_program_cache_open(context, &open);
    if (result != GL_SEGSORT_SUCCESS || !open)
        return result;
    char label[SEGSORT_PASS_LABEL_BYTES];
    segsort_write_program_label(context, &made->variant, label, sizeof label);
    segsort_program_cache_key(context, texts, SEGSORT_TEXTS, made->key);
    result = segsort_program_cache_load(context, made->key, label, made->program, loaded);
    if (result == GL_SEGSORT_SUCCESS && *loaded)
        context->gl.ObjectLabel(SEGSORT_GL_PROGRAM, made->program, -1, label);
    return result;
}

/* Hands the source over; what comes of it is asked later. */
static gl_segsort_result segsort_compile_program(gl_segsort_context *context, segsort_program *made,
                                                 const char *const *texts)
{
    const segsort_gl *gl = &context->gl;
    made->shader = gl->CreateShader(SEGSORT_GL_COMPUTE_SHADER);
    if (made->shader == 0)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "GL creates no compute shader");
    gl->ShaderSource(made->shader, SEGSORT_TEXTS, texts, NULL);
    gl->CompileShader(made->shader);
    gl->AttachShader(made->program, made->shader);
    if (made->key[0])
        gl->ProgramParameteri(made->program, SEGSORT_GL_PROGRAM_BINARY_RETRIEVABLE_HINT, 1);
    gl->LinkProgram(made->program);
    return GL_SEGSORT_SUCCESS;
}

static gl_segsort_result segsort_begin_program(gl_segsort_context *context, segsort_program *made)
{
    const segsort_gl *gl = &context->gl;
    char preamble[1024];
    segsort_variant_preamble(&made->variant, preamble, sizeof preamble);
    const char *const texts[SEGSORT_TEXTS] = {
        preamble, segsort_source_text(segsort_kernel_get(made->variant.kernel)->file)};
    if (!texts[1])
        return segsort_fail_compile(context, &made->variant, "compile",
                                    "its source is not embedded");
    made->program = gl->CreateProgram();
    if (made->program == 0)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "GL creates no program");
    bool loaded;
    gl_segsort_result result = segsort_load_program(context, made, texts, &loaded);
    if (result == GL_SEGSORT_SUCCESS && !loaded)
        result = segsort_compile_program(context, made, texts);
    if (result != GL_SEGSORT_SUCCESS)
        gl->DeleteProgram(made->program);
    return result;
}

/* A shader that does not compile does not link either, so that is asked first. */
static gl_segsort_result segsort_check_program(gl_segsort_context *context,
                                               const segsort_program *made)
{
    const segsort_gl *gl = &context->gl;
    char log[1024] = "";
    int32_t compiled = 0, linked = 0;
    gl->GetProgramiv(made->program, SEGSORT_GL_LINK_STATUS, &linked);
    if (linked)
        return GL_SEGSORT_SUCCESS;
    gl->GetShaderiv(made->shader, SEGSORT_GL_COMPILE_STATUS, &compiled);
    if (compiled)
        gl->GetProgramInfoLog(made->program, sizeof log, NULL, log);
    else
        gl->GetShaderInfoLog(made->shader, sizeof log, NULL, log);
    return segsort_fail_compile(context, &made->variant, compiled ? "link" : "compile", log);
}

gl_segsort_result segsort_pipeline_begin(gl_segsort_context *context,
                                         const segsort_variant *variant, segsort_program **program)
{
    for (*program = context->programs; *program; *program = (*program)->next)
        if (segsort_variant_equal(&(*program)->variant, variant))
            return GL_SEGSORT_SUCCESS;
    segsort_program *made = segsort_context_allocate(context, sizeof *made);
    if (!made) {
        segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                     "out of memory for a program");
        return GL_SEGSORT_ERROR_OUT_OF_MEMORY;
    }
    *made = (segsort_program){.next = context->programs, .variant = *variant};
    gl_segsort_result result = segsort_begin_program(context, made);
    if (result != GL_SEGSORT_SUCCESS) {
        segsort_context_release(context, made);
        return result;
    }
    *program = context->programs = made;
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_pipeline_finish(gl_segsort_context *context, segsort_program *program)
{
    const segsort_gl *gl = &context->gl;
    if (program->shader == 0)
        return GL_SEGSORT_SUCCESS;
    gl_segsort_result result = segsort_check_program(context, program);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl->DetachShader(program->program, program->shader);
    gl->DeleteShader(program->shader);
    program->shader = 0;
    char label[SEGSORT_PASS_LABEL_BYTES];
    segsort_write_program_label(context, &program->variant, label, sizeof label);
    gl->ObjectLabel(SEGSORT_GL_PROGRAM, program->program, -1, label);
    segsort_context_log(context, GL_SEGSORT_LOG_INFO, "compiled %s", label);
    return program->key[0] ? segsort_program_cache_store(context, program->key, program->program)
                           : GL_SEGSORT_SUCCESS;
}

void segsort_pipeline_drop(gl_segsort_context *context)
{
    segsort_program **link = &context->programs;
    while (*link) {
        segsort_program *program = *link;
        if (program->shader == 0) {
            link = &program->next;
            continue;
        }
        *link = program->next;
        context->gl.DeleteProgram(program->program);
        context->gl.DeleteShader(program->shader);
        segsort_context_release(context, program);
    }
}

gl_segsort_result segsort_pipeline_get(gl_segsort_context *context, const segsort_variant *variant,
                                       segsort_program **program)
{
    gl_segsort_result result = segsort_pipeline_begin(context, variant, program);
    if (result == GL_SEGSORT_SUCCESS)
        result = segsort_pipeline_finish(context, *program);
    if (result == GL_SEGSORT_SUCCESS)
        return GL_SEGSORT_SUCCESS;
    segsort_pipeline_drop(context);
    *program = NULL;
    return result;
}

gl_segsort_result segsort_pipeline_get_guarded(gl_segsort_context *context,
                                               const segsort_variant *variant, const char *doing,
                                               segsort_program **program)
{
    uint32_t host_error;
    gl_segsort_result result = segsort_gl_errors_begin(&context->gl, &host_error, &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    result = segsort_pipeline_get(context, variant, program);
    return segsort_gl_errors_end(&context->gl, host_error, result, doing, &context->error);
}

void segsort_pipeline_drop_subgroups(gl_segsort_context *context, uint64_t kernels)
{
    for (segsort_program **link = &context->programs; *link;) {
        segsort_program *program = *link;
        if (program->variant.subgroup_size == 0 || !(kernels >> program->variant.kernel & 1)) {
            link = &program->next;
            continue;
        }
        *link = program->next;
        context->gl.DeleteProgram(program->program);
        segsort_context_release(context, program);
    }
}

void segsort_pipeline_release(gl_segsort_context *context)
{
    context->depth_program = NULL;
    segsort_program_cache_release(context);
    while (context->programs) {
        segsort_program *program = context->programs;
        context->programs = program->next;
        if (!context->lost)
            context->gl.DeleteProgram(program->program);
        segsort_context_release(context, program);
    }
}
