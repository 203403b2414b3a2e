#include "error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gl_segsort_result segsort_fail(segsort_error *error, gl_segsort_result result, const char *format,
                               ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->result = result;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return result;
}

void segsort_fail_in_set(segsort_error *error, uint32_t set)
{
    char prefix[32];
    size_t length = (size_t)snprintf(prefix, sizeof prefix, "set %" PRIu32 ": ", set);
    memmove(error->text + length, error->text, sizeof error->text - length);
    memcpy(error->text, prefix, length);
    error->text[sizeof error->text - 1] = '\0';
}

const char *gl_segsort_result_string(gl_segsort_result result)
{
    switch (result) {
    case GL_SEGSORT_SUCCESS:
        return "GL_SEGSORT_SUCCESS";
    case GL_SEGSORT_ERROR_INVALID_ARGUMENT:
        return "GL_SEGSORT_ERROR_INVALID_ARGUMENT";
    case GL_SEGSORT_ERROR_OUT_OF_RANGE:
        return "GL_SEGSORT_ERROR_OUT_OF_RANGE";
    case GL_SEGSORT_ERROR_OVERLAP:
        return "GL_SEGSORT_ERROR_OVERLAP";
    case GL_SEGSORT_ERROR_UNSUPPORTED:
        return "GL_SEGSORT_ERROR_UNSUPPORTED";
    case GL_SEGSORT_ERROR_COMPILE:
        return "GL_SEGSORT_ERROR_COMPILE";
    case GL_SEGSORT_ERROR_OUT_OF_MEMORY:
        return "GL_SEGSORT_ERROR_OUT_OF_MEMORY";
    case GL_SEGSORT_ERROR_WRONG_CONTEXT:
        return "GL_SEGSORT_ERROR_WRONG_CONTEXT";
    case GL_SEGSORT_ERROR_CONTEXT_LOST:
        return "GL_SEGSORT_ERROR_CONTEXT_LOST";
    case GL_SEGSORT_ERROR_GL:
        return "GL_SEGSORT_ERROR_GL";
    }
    return "unknown gl_segsort_result";
}
