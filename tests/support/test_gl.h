/* What tests on a GL context start with: a headless context, glad, and a gl_segsort context that
 * prints its errors. */
#ifndef TEST_GL_H
#define TEST_GL_H

#include "gl_segsort.h"
#include "headless_gl.h"

struct test_gl {
    struct headless_gl gl;
    gl_segsort_context *context;
};

/* What GL_SEGSORT_TEST_KERNEL_PATH says, "portable" or "subgroup": for running all tests by one path. */
gl_segsort_kernel_path test_gl_kernel_path(void);

/* max_work_groups as in gl_segsort_context_desc. Prints why it fails. Where the environment's
 * GL_SEGSORT_TEST_DRIVER has a name, the library takes the driver for that one and tunes for it. */
bool test_gl_open(struct test_gl *test, uint32_t max_work_groups);

/* As a driver of such a name, whatever the environment says. */
bool test_gl_open_as(struct test_gl *test, uint32_t max_work_groups, const char *driver);

/* For contexts that tests make themselves: what test_gl_open gave its own. */
gl_segsort_proc test_gl_get_proc_address(const char *name);

void test_gl_close(struct test_gl *test);

/* A plan; NULL on an error, which is printed. */
gl_segsort_plan *test_gl_plan(const struct test_gl *test, const gl_segsort_plan_desc *desc);

/* Whether the driver names it. */
bool test_gl_has_extension(const char *name);

/* Whether GL has no error; prints the one that it has. */
bool test_gl_clean(void);

#endif
