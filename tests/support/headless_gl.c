#include "headless_gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 16

static EGLContext create_context(EGLDisplay display, int major, int minor, bool debug,
                                 EGLContext share)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 major,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 minor,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 debug ? EGL_TRUE : EGL_FALSE,
                                 EGL_NONE};
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, share, attributes);
}

static bool try_display(struct headless_gl *gl, EGLDisplay display, int major, int minor,
                        bool debug)
{
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return false;
    if (!eglBindAPI(EGL_OPENGL_API)) {
        eglTerminate(display);
        return false;
    }
    EGLContext context = create_context(display, major, minor, debug, EGL_NO_CONTEXT);
    if (context == EGL_NO_CONTEXT) {
        eglTerminate(display);
        return false;
    }
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        eglDestroyContext(display, context);
        eglTerminate(display);
        return false;
    }
    gl->display = display;
    gl->context = context;
    return true;
}

/* GPUs before software: a software device names no extension but EGL_MESA_device_software. */
static bool try_devices(struct headless_gl *gl, int major, int minor, bool debug)
{
    PFNEGLQUERYDEVICESEXTPROC query_devices =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLQUERYDEVICESTRINGEXTPROC query_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint count = 0;
    if (!query_devices || !query_string || !get_display ||
        !query_devices(MAX_DEVICES, devices, &count))
        return false;
    for (EGLint i = 0; i < count; i++) {
        const char *extensions = query_string(devices[i], EGL_EXTENSIONS);
        if (extensions && strstr(extensions, "EGL_MESA_device_software"))
            continue;
        if (try_display(gl, get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), major, minor,
                        debug))
            return true;
    }
    return false;
}

static bool try_surfaceless(struct headless_gl *gl, int major, int minor, bool debug)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    return get_display &&
           try_display(gl, get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
                       major, minor, debug);
}

bool headless_gl_create(struct headless_gl *gl, int major, int minor, bool debug)
{
    memset(gl, 0, sizeof *gl);
    if (try_devices(gl, major, minor, debug) || try_surfaceless(gl, major, minor, debug))
        return true;
    snprintf(gl->error, sizeof gl->error,
             "no OpenGL %d.%d core context through EGL (error 0x%04x); Debian's libegl1 and "
             "libgl1-mesa-dri give one without a GPU",
             major, minor, (unsigned)eglGetError());
    return false;
}

bool headless_gl_create_another(const struct headless_gl *first, bool share, struct headless_gl *gl)
{
    memset(gl, 0, sizeof *gl);
    gl->display = first->display;
    gl->context =
        create_context(first->display, 4, 3, false, share ? first->context : EGL_NO_CONTEXT);
    return gl->context != EGL_NO_CONTEXT;
}

bool headless_gl_make_current(const struct headless_gl *gl)
{
    return eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context);
}

void headless_gl_make_none_current(const struct headless_gl *gl)
{
    eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

/* The display is left to the process: other contexts may live on it. */
void headless_gl_destroy(struct headless_gl *gl)
{
    if (!gl->context)
        return;
    if (eglGetCurrentContext() == gl->context)
        headless_gl_make_none_current(gl);
    eglDestroyContext(gl->display, gl->context);
    memset(gl, 0, sizeof *gl);
}

void (*headless_gl_get_proc_address(const char *name))(void)
{
    return eglGetProcAddress(name);
}
