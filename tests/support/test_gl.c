#include "test_gl.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_errors(gl_segsort_log_level level, const char *message, void *user)
{
    (void)user;
    if (level != GL_SEGSORT_LOG_INFO)
        fprintf(stderr, "%s\n", message);
}

gl_segsort_kernel_path test_gl_kernel_path(void)
{
    const char *path = getenv("GL_SEGSORT_TEST_KERNEL_PATH");
    if (path && strcmp(path, "portable") == 0)
        return GL_SEGSORT_KERNEL_PATH_PORTABLE;
    return path && strcmp(path, "subgroup") == 0 ? GL_SEGSORT_KERNEL_PATH_SUBGROUP
                                                 : GL_SEGSORT_KERNEL_PATH_AUTO;
}

static const char *pretended; /* driver, NULL: the one that it is */

static const GLubyte *get_string(GLenum name)
{
    bool pretends = name == GL_VENDOR || name == GL_RENDERER;
    return pretends ? (const GLubyte *)pretended : glGetString(name);
}

gl_segsort_proc test_gl_get_proc_address(const char *name)
{
    if (pretended && strcmp(name, "glGetString") == 0)
        return (gl_segsort_proc)get_string;
    return headless_gl_get_proc_address(name);
}

bool test_gl_open(struct test_gl *test, uint32_t max_work_groups)
{
    return test_gl_open_as(test, max_work_groups, getenv("GL_SEGSORT_TEST_DRIVER"));
}

bool test_gl_open_as(struct test_gl *test, uint32_t max_work_groups, const char *driver)
{
    pretended = driver;
    if (!headless_gl_create(&test->gl, 4, 3, true)) {
        fprintf(stderr, "%s\n", test->gl.error);
        return false;
    }
    if (!gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "glad loads no OpenGL 4.3\n");
        return false;
    }
    printf("%s%s%s\n", (const char *)glGetString(GL_RENDERER), driver ? " as " : "",
           driver ? driver : "");
    gl_segsort_context_desc desc = {.get_proc_address = test_gl_get_proc_address,
                                    .log = print_errors,
                                    .max_work_groups = max_work_groups,
                                    .kernel_path = test_gl_kernel_path()};
    return gl_segsort_context_create(&desc, &test->context) == GL_SEGSORT_SUCCESS;
}

void test_gl_close(struct test_gl *test)
{
    gl_segsort_context_destroy(test->context);
    headless_gl_destroy(&test->gl);
}

gl_segsort_plan *test_gl_plan(const struct test_gl *test, const gl_segsort_plan_desc *desc)
{
    gl_segsort_plan *plan = NULL;
    if (gl_segsort_plan_create(test->context, desc, &plan) != GL_SEGSORT_SUCCESS)
        fprintf(stderr, "gl_segsort_plan_create: %s\n", gl_segsort_last_error(test->context));
    return plan;
}

bool test_gl_has_extension(const char *name)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++)
        if (strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), name) == 0)
            return true;
    return false;
}

bool test_gl_clean(void)
{
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        fprintf(stderr, "GL error 0x%04x\n", error);
    return error == GL_NO_ERROR;
}
