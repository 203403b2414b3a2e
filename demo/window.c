#include "window.h"

#include <stdio.h>

static void on_error(int code, const char *description)
{
    (void)code;
    fprintf(stderr, "GLFW: %s\n", description);
}

GLFWwindow *window_open(const struct options *options, struct failure *failure)
{
    const char *reason = NULL;
    if (!glfwInit()) {
        glfwGetError(&reason);
        failure_set(failure, "%s", reason ? reason : "GLFW does not start");
        return NULL;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); /* the picture has its own */
    GLFWwindow *handle =
        glfwCreateWindow(options->width, options->height, "gl_segsort viewer", NULL, NULL);
    if (handle) {
        glfwSetErrorCallback(on_error);
        glfwMakeContextCurrent(handle);
        glfwSwapInterval(1);
        return handle;
    }
    glfwGetError(&reason);
    failure_set(failure, "no window with OpenGL 4.3: %s", reason ? reason : "GLFW gives no reason");
    glfwTerminate();
    return NULL;
}

void window_close(GLFWwindow *window)
{
    glfwDestroyWindow(window);
    glfwTerminate();
}
