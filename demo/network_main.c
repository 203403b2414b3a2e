/* Writes a picture of a sort at work, without a window.
 *
 *     gl_segsort_network [--rows N] [--segments N] [--lengths uneven|equal|power]
 *                        [--row-keys random|sorted|reversed|few] [--distinct N]
 *                        [--algorithm auto|bitonic|radix] [--direction ascending|descending]
 *                        [--seed N] [--step N] [--size WIDTHxHEIGHT] FILE.png
 *
 * --keys is short for --row-keys, and --descending for that direction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl_debug.h"
#include "headless_gl.h"
#include "image.h"
#include "scene_network.h"

enum { SIZE_MIN = 64 };

struct arguments {
    struct network_settings settings;
    uint32_t step;
    int width, height;
    const char *path;
};

static bool parse_size(struct arguments *arguments, const char *value, struct failure *failure)
{
    char rest;
    return (sscanf(value, "%4dx%4d%c", &arguments->width, &arguments->height, &rest) == 2 &&
            arguments->width >= SIZE_MIN && arguments->height >= SIZE_MIN) ||
           failure_set(failure, "--size %s: not WIDTHxHEIGHT with each of %d to 9999", value,
                       SIZE_MIN);
}

static bool parse_option(struct arguments *arguments, const char *name, const char *value,
                         struct failure *failure)
{
    uint32_t seed = 0;
    /* The viewer has --keys for something else. */
    if (strcmp(name, "--keys") == 0)
        name = "--row-keys";
    if (network_settings_have(name))
        return network_settings_set(&arguments->settings, name, value, failure);
    if (strcmp(name, "--step") == 0)
        return network_settings_number(name, value, 0, UINT32_MAX, &arguments->step, failure);
    if (strcmp(name, "--size") == 0)
        return parse_size(arguments, value, failure);
    if (strcmp(name, "--seed") != 0)
        return failure_set(failure, "%s: no such option", name);
    if (!network_settings_number(name, value, 0, UINT32_MAX, &seed, failure))
        return false;
    arguments->settings.seed = seed;
    return true;
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
            if (!parse_option(arguments, argv[i], value, failure))
                return false;
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

static bool write_picture(struct scene_network *scene, const struct arguments *arguments,
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
    if (!scene_network_create(&scene, &arguments->settings, headless_gl_get_proc_address,
                              (gl_segsort_program_cache){0}, failure))
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
