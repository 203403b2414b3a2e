#include "gl_debug.h"

#include <glad/gl.h>
#include <stdbool.h>
#include <stdio.h>

static void GLAD_API_PTR print_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                       GLsizei length, const GLchar *message, const void *user)
{
    (void)source;
    (void)length;
    if (severity != GL_DEBUG_SEVERITY_HIGH && severity != GL_DEBUG_SEVERITY_MEDIUM)
        return;
    bool advice = type == GL_DEBUG_TYPE_PERFORMANCE;
    if (!advice)
        ((struct gl_debug *)user)->message_count++;
    fprintf(stderr, "GL %s %u: %s\n", advice ? "advice" : "message", id, message);
}

void gl_debug_install(struct gl_debug *debug)
{
    GLint flags = 0;
    debug->message_count = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    if (!(flags & GL_CONTEXT_FLAG_DEBUG_BIT))
        return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(print_message, debug);
}

unsigned gl_debug_count(const struct gl_debug *debug)
{
    unsigned count = debug->message_count;
    /* A lost context can go on giving errors for ever. */
    for (int i = 0; i < 64; i++) {
        GLenum error = glGetError();
        if (error == GL_NO_ERROR)
            break;
        fprintf(stderr, "GL error 0x%04x\n", error);
        count++;
    }
    return count;
}
