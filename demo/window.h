/* Windows by GLFW. */
#ifndef WINDOW_H
#define WINDOW_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "options.h"

/* Starts GLFW and opens a window with OpenGL 4.3, whose context is current then; NULL with the
 * reason, and GLFW ended, when there can be none. */
GLFWwindow *window_open(const struct options *options, struct failure *failure);

/* Closes it and ends GLFW. */
void window_close(GLFWwindow *window);

#endif
