#include "gl_debug.h"

#include <glad/gl.h>
#include <stdio.h>
#include <string.h>

static const char *kind_of(GLenum type)
{
    switch (type) {
    case GL_DEBUG_TYPE_ERROR:
        return "error";
    case GL_DEBUG_TYPE_PERFORMANCE:
        return "advice";
    case GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR:
        return "deprecated";
    case GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR:
        return "undefined";
    case GL_DEBUG_TYPE_PORTABILITY:
        return "portability";
    default:
        return "message";
    }
}

static struct gl_debug_message *find(struct gl_debug *debug, GLuint id, const char *text)
{
    unsigned count = gl_debug_kept(debug);
    for (unsigned i = 0; i < count; i++) {
        struct gl_debug_message *kept = &debug->kept[i];
        if (kept->id == id && strncmp(kept->text, text, sizeof kept->text - 1) == 0)
            return kept;
    }
    return NULL;
}

static void keep(struct gl_debug *debug, GLenum type, GLuint id, GLenum severity, const char *text)
{
    struct gl_debug_message *kept = find(debug, id, text);
    if (!kept) {
        kept = &debug->kept[debug->kept_count++ % GL_DEBUG_KEPT];
        *kept = (struct gl_debug_message){.kind = kind_of(type), .severity = severity, .id = id};
        snprintf(kept->text, sizeof kept->text, "%s", text);
    }
    kept->repeat++;
}

static void GLAD_API_PTR take_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                      GLsizei length, const GLchar *message, const void *user)
{
    struct gl_debug *debug = (struct gl_debug *)user;
    (void)source;
    (void)length;
    keep(debug, type, id, severity, message);
    if (severity != GL_DEBUG_SEVERITY_HIGH && severity != GL_DEBUG_SEVERITY_MEDIUM)
        return;
    debug->high += severity == GL_DEBUG_SEVERITY_HIGH;
    debug->medium += severity == GL_DEBUG_SEVERITY_MEDIUM;
    bool advice = type == GL_DEBUG_TYPE_PERFORMANCE;
    debug->message_count += !advice;
    fprintf(stderr, "GL %s %u: %s\n", advice ? "advice" : "message", id, message);
}

void gl_debug_install(struct gl_debug *debug)
{
    GLint flags = 0;
    *debug = (struct gl_debug){0};
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    debug->debug_context = (flags & GL_CONTEXT_FLAG_DEBUG_BIT) != 0;
    if (!debug->debug_context)
        return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(take_message, debug);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_LOW, 0, NULL, GL_TRUE);
    /* They would push everything else out: debug groups are some, and drivers tell of buffers. */
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, NULL,
                          GL_FALSE);
}

unsigned gl_debug_kept(const struct gl_debug *debug)
{
    return debug->kept_count < GL_DEBUG_KEPT ? debug->kept_count : GL_DEBUG_KEPT;
}

const struct gl_debug_message *gl_debug_message(const struct gl_debug *debug, unsigned age)
{
    return &debug->kept[(debug->kept_count - 1 - age) % GL_DEBUG_KEPT];
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
