/* Writes a picture of a sort at work, without a window.
 *
 *     gl_segsort_network [--rows N] [--segments N] [--keys random|sorted|reversed|few]
 *                        [--algorithm auto|bitonic|radix] [--descending] [--seed N]
 *                        [--step N] [--size WIDTHxHEIGHT] FILE.png
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl_debug.h"
#include "headless_gl.h"
#include "image.h"
#include "scene_network.h"

struct arguments {
    struct network_settings settings;
    uint32_t step;
    int width, height;
    const char *path;
};

static bool parse_number(const char *text, uint32_t *number)
{
    char *end;
    unsigned long parsed = strtoul(text, &end, 10);
    *number = (uint32_t)parsed;
    return *text >= '0' && *text <= '9' && *end == '\0' && parsed <= UINT32_MAX;
}

/* The number of the name in a list that ends with NULL. */
static bool parse_name(const char *text, const char *const *names, int *number)
{
    for (*number = 0; names[*number]; ++*number)
        if (strcmp(names[*number], text) == 0)
            return true;
    return false;
}

static bool parse_option(struct arguments *arguments, const char *name, const char *value)
{
    static const char *const keys[] = {"random", "sorted", "reversed", "few", NULL};
    static const char *const algorithms[] = {"auto", "bitonic", "radix", NULL};
    struct network_settings *settings = &arguments->settings;
    uint32_t seed = 0;
    int number = 0;
    if (strcmp(name, "--rows") == 0)
        return parse_number(value, &settings->rows);
    if (strcmp(name, "--segments") == 0)
        return parse_number(value, &settings->segment_count);
    if (strcmp(name, "--step") == 0)
        return parse_number(value, &arguments->step);
    bool known = false;
    if (strcmp(name, "--seed") == 0) {
        known = parse_number(value, &seed);
        settings->seed = seed;
    } else if (strcmp(name, "--keys") == 0) {
        known = parse_name(value, keys, &number);
        settings->keys = (enum network_keys)number;
    } else if (strcmp(name, "--algorithm") == 0) {
        known = parse_name(value, algorithms, &number);
        settings->algorithm = (gl_segsort_algorithm)number;
    } else if (strcmp(name, "--size") == 0) {
        char rest;
        known = sscanf(value, "%4dx%4d%c", &arguments->width, &arguments->height, &rest) == 2 &&
                arguments->width >= 64 && arguments->height >= 64;
    }
    return known;
}

static bool parse(struct arguments *arguments, int argc, char **argv, struct failure *failure)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--descending") == 0) {
            arguments->settings.direction = GL_SEGSORT_DESCENDING;
        } else if (argv[i][0] != '-') {
            arguments->path = argv[i];
        } else {
            const char *value = i + 1 < argc ? argv[i + 1] : "";
            if (!parse_option(arguments, argv[i], value))
                return failure_set(failure, "%s %s: no such option", argv[i], value);
            i++;
        }
    }
    return arguments->path || failure_set(failure, "no picture's name is given");
}

static GLuint make_framebuffer(GLuint renderbuffer, int width, int height)
{
    GLuint framebuffer = 0;
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return framebuffer;
}

static bool write_picture(const struct scene_network *scene, const struct arguments *arguments,
                          struct failure *failure)
{
    int width = arguments->width, height = arguments->height;
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    if (!rgb)
        return failure_set(failure, "%s: out of memory", arguments->path);
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    GLuint framebuffer = make_framebuffer(renderbuffer, width, height);
    scene_network_draw(scene, framebuffer, width, height);
    scene_network_read(framebuffer, width, height, rgb);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
    bool written = image_write_png(arguments->path, rgb, width, height, failure);
    free(rgb);
    return written;
}

static bool run(const struct arguments *arguments, struct failure *failure)
{
    struct gl_debug debug;
    struct scene_network scene;
    if (!gladLoadGL(headless_gl_get_proc_address))
        return failure_set(failure, "glad loads no OpenGL 4.3");
    gl_debug_install(&debug);
    if (!scene_network_create(&scene, &arguments->settings, headless_gl_get_proc_address, failure))
        return false;
    bool done = scene_network_set_step(&scene, arguments->step, failure) &&
                write_picture(&scene, arguments, failure);
    if (done)
        printf("%s: step %u of %u\n", arguments->path, scene.sort.step, scene.sort.step_count);
    scene_network_destroy(&scene);
    if (done && gl_debug_count(&debug) > 0)
        return failure_set(failure, "GL complained, as told above");
    return done;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.settings = {.rows = 128,
                                               .segment_count = 3,
                                               .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
                                               .seed = 1},
                                  .width = 1280,
                                  .height = 720};
    struct failure failure = {""};
    struct headless_gl gl;
    if (!parse(&arguments, argc, argv, &failure)) {
        fprintf(stderr, "gl_segsort_network: %s\n", failure.text);
        return 2;
    }
    bool done = headless_gl_create(&gl, 4, 3, true);
    if (!done)
        failure_set(&failure, "%s", gl.error);
    else {
        done = run(&arguments, &failure);
        headless_gl_destroy(&gl);
    }
    if (!done)
        fprintf(stderr, "gl_segsort_network: %s\n", failure.text);
    return done ? 0 : 1;
}
