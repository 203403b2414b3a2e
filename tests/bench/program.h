/* Compute programs of the benchmark's own. */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <glad/gl.h>

/* 0, with the driver's words on stderr, where it does not compile. */
GLuint program_create(const char *name, const char *source);

/* Runs it, and lets what follows see what it stored. */
void program_run(GLuint program, GLuint groups_x, GLuint groups_y);

/* At least so many work groups, in rows of as many as GL allows. */
void program_run_all(GLuint program, GLuint groups);

#endif
