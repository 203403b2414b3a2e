#include "viewer.h"

#include <glad/gl.h>

bool viewer_load_gl(gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    int version = gladLoadGL(get_proc_address);
    int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
    return GLAD_GL_VERSION_4_3 ||
           failure_set(failure, "OpenGL 4.3 is needed, and this driver gives %d.%d", major, minor);
}
