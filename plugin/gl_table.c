#include "gl_table.h"

#include <stdio.h>
#include <string.h>

#define SEGSORT_GL_MAJOR_MIN 4
#define SEGSORT_GL_MINOR_MIN 3

/* GL_VERSION starts with "major.minor", on OpenGL ES behind a prefix. */
static gl_segsort_result segsort_gl_check_version(segsort_gl *gl, segsort_error *error)
{
    const char *version = (const char *)gl->GetString(SEGSORT_GL_VERSION);
    if (!version)
        return segsort_fail(error, GL_SEGSORT_ERROR_WRONG_CONTEXT,
                            "glGetString(GL_VERSION) gives NULL: no GL context is current on this "
                            "thread");
    if (strncmp(version, "OpenGL ES", 9) == 0)
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "OpenGL %d.%d is required, the current context is '%s'",
                            SEGSORT_GL_MAJOR_MIN, SEGSORT_GL_MINOR_MIN, version);
    gl->version_major = gl->version_minor = 0;
    if (sscanf(version, "%d.%d", &gl->version_major, &gl->version_minor) != 2)
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "GL_VERSION '%s' does not start with a version number", version);
    if (gl->version_major < SEGSORT_GL_MAJOR_MIN ||
        (gl->version_major == SEGSORT_GL_MAJOR_MIN && gl->version_minor < SEGSORT_GL_MINOR_MIN))
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "OpenGL %d.%d is required, the current context has %d.%d ('%s')",
                            SEGSORT_GL_MAJOR_MIN, SEGSORT_GL_MINOR_MIN, gl->version_major,
                            gl->version_minor, version);
    return GL_SEGSORT_SUCCESS;
}

static void segsort_gl_note_missing(char *missing, size_t size, const char *name)
{
    size_t length = strlen(missing);
    snprintf(missing + length, size - length, "%s%s", length ? ", " : "", name);
}

gl_segsort_result segsort_gl_load(segsort_gl *gl, gl_segsort_get_proc_address get_proc_address,
                                  segsort_error *error)
{
    memset(gl, 0, sizeof *gl);
    char missing[1024] = "";
    gl_segsort_proc get_string = get_proc_address("glGetString");
    if (!get_string)
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "get_proc_address gives NULL for glGetString");
    memcpy(&gl->GetString, &get_string, sizeof get_string);
    gl_segsort_result result = segsort_gl_check_version(gl, error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;

    gl_segsort_proc proc;
#define SEGSORT_GL_LOAD(type, name, parameters)                                                    \
    proc = get_proc_address("gl" #name);                                                           \
    if (!proc)                                                                                     \
        segsort_gl_note_missing(missing, sizeof missing, "gl" #name);                              \
    memcpy(&gl->name, &proc, sizeof proc);
    SEGSORT_GL_FUNCTIONS(SEGSORT_GL_LOAD)
#undef SEGSORT_GL_LOAD
    if (missing[0])
        return segsort_fail(error, GL_SEGSORT_ERROR_UNSUPPORTED,
                            "get_proc_address gives NULL for functions of OpenGL 4.3: %s", missing);

    /* A stub that a loader makes up for an unknown name would be no use: the version has to vouch
     * for it. */
    if (gl->version_major > 4 || gl->version_minor >= 5) {
        proc = get_proc_address("glGetGraphicsResetStatus");
        memcpy(&gl->GetGraphicsResetStatus, &proc, sizeof proc);
    }
    return GL_SEGSORT_SUCCESS;
}
