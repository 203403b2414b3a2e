/* OpenGL contexts without a window or a display, through EGL: the first GPU that gives the version
 * asked for, else Mesa's software driver. */
#ifndef HEADLESS_GL_H
#define HEADLESS_GL_H

#include <stdbool.h>

struct headless_gl {
    void *display;
    void *context;
    char error[256]; /* why headless_gl_create failed */
};

/* Makes a core context of at least that version, and makes it current. debug asks for a debug
 * context. */
bool headless_gl_create(struct headless_gl *gl, int major, int minor, bool debug);

/* A second context on the same display that shares objects with the first (share) or none. It is
 * not made current. */
bool headless_gl_create_another(const struct headless_gl *first, bool share,
                                struct headless_gl *gl);

bool headless_gl_make_current(const struct headless_gl *gl);
void headless_gl_make_none_current(const struct headless_gl *gl);
void headless_gl_destroy(struct headless_gl *gl);

/* eglGetProcAddress. */
void (*headless_gl_get_proc_address(const char *name))(void);

#endif
