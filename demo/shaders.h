/* The GLSL of demo/shaders, embedded at build time, and programs made of it. */
#ifndef SHADERS_H
#define SHADERS_H

#include <glad/gl.h>

#include "failure.h"

struct viewer_source {
    const char *name;
    const char *text;
};
extern const struct viewer_source viewer_sources[];
extern const unsigned viewer_source_count;
extern const char *const viewer_source_files[];
extern const unsigned viewer_source_file_count;

/* Compiles and links the named files; 0 with the driver's log on an error. */
GLuint shaders_compute_program(const char *compute, struct failure *failure);
GLuint shaders_draw_program(const char *vertex, const char *fragment, struct failure *failure);

#endif
