/* The functions of the fake GL, in fake_gl_*.c by subject: each records its call, checks its
 * arguments as GL does, and keeps objects and bindings up to date. */
#ifndef FAKE_GL_FUNCTIONS_H
#define FAKE_GL_FUNCTIONS_H

#include "fake_gl.h"

#include <inttypes.h>

/* A function that is added to the library's table and not here does not link. */
#define FAKE_GL_PROTOTYPE(type, name, parameters) type SEGSORT_GLCALL fake_##name parameters;
FAKE_GL_FUNCTION_LIST(FAKE_GL_PROTOTYPE)
#undef FAKE_GL_PROTOTYPE

/* Constants that the library has no use for. */
#define FAKE_GL_ARRAY_BUFFER 0x8892u
#define FAKE_GL_STACK_OVERFLOW 0x0503u
#define FAKE_GL_STACK_UNDERFLOW 0x0504u
#define FAKE_GL_GUILTY_CONTEXT_RESET 0x8253u
#define FAKE_GL_DEBUG_SOURCE_APPLICATION 0x824Au
#define FAKE_GL_WAIT_FAILED 0x911Du
#define FAKE_GL_ALL_BARRIER_BITS 0xFFFFFFFFu
#define FAKE_GL_BARRIER_BITS_43 0x00003FEFu
#define FAKE_GL_BARRIER_BITS_44 0x0000C000u

/* Short names for the trace. */
const char *fake_gl_target_name(uint32_t target);
const char *fake_gl_query_name(uint32_t name);
const char *fake_gl_buffer_label(uint32_t name);
const char *fake_gl_program_label(uint32_t name);

/* Records a call. Whether it is to be carried out: false when it is this one's turn to fail, and
 * then the error that goes with it has been raised. */
bool fake_gl_enter(enum fake_gl_function function, const char *format, ...) SEGSORT_PRINTF(2, 3);
void fake_gl_raise(uint32_t error, const char *why);
void fake_gl_complain(const char *format, ...) SEGSORT_PRINTF(1, 2);

uint32_t fake_gl_add_buffer(void);
uint32_t fake_gl_add_program(bool is_shader);
uint32_t fake_gl_add_timer(void);
void fake_gl_add_dispatch(const struct fake_gl_dispatch *dispatch);
void fake_gl_kill_buffer(struct fake_gl_buffer *buffer);
void fake_gl_kill_program(struct fake_gl_program *program);
int32_t fake_gl_binary_length(const struct fake_gl_program *program);

#endif
