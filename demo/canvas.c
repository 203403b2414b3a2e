#include "canvas.h"

#include <stdlib.h>

#include "image.h"

static void create_renderbuffer(GLuint renderbuffer, GLsizei samples, GLenum format, int width,
                                int height)
{
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
}

static bool attach(GLuint framebuffer, GLuint colour, GLuint depth)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete;
}

bool canvas_resize(struct canvas *canvas, int width, int height, struct failure *failure)
{
    GLint most_samples = 1, most_pixels = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most_samples);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most_pixels);
    if (width > most_pixels || height > most_pixels)
        return failure_set(failure, "size %dx%d: this driver draws pictures of up to %dx%d", width,
                           height, most_pixels, most_pixels);
    canvas_destroy(canvas);
    canvas->width = width;
    canvas->height = height;
    glGenFramebuffers(1, &canvas->framebuffer);
    glGenFramebuffers(1, &canvas->picture);
    glGenRenderbuffers(2, canvas->samples);
    glGenRenderbuffers(1, &canvas->resolved);
    GLsizei samples = most_samples < 4 ? most_samples : 4;
    create_renderbuffer(canvas->samples[0], samples, GL_RGBA8, width, height);
    create_renderbuffer(canvas->samples[1], samples, GL_DEPTH_COMPONENT24, width, height);
    create_renderbuffer(canvas->resolved, 0, GL_RGBA8, width, height);
    return (attach(canvas->framebuffer, canvas->samples[0], canvas->samples[1]) &&
            attach(canvas->picture, canvas->resolved, 0)) ||
           failure_set(failure, "size %dx%d: GL has no memory for a picture of this size", width,
                       height);
}

void canvas_destroy(struct canvas *canvas)
{
    glDeleteFramebuffers(1, &canvas->framebuffer);
    glDeleteFramebuffers(1, &canvas->picture);
    glDeleteRenderbuffers(2, canvas->samples);
    glDeleteRenderbuffers(1, &canvas->resolved);
    *canvas = (struct canvas){0};
}

static void copy(const struct canvas *canvas, GLuint from, GLuint to)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, canvas->width, canvas->height, 0, 0, canvas->width, canvas->height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void canvas_resolve(const struct canvas *canvas)
{
    copy(canvas, canvas->framebuffer, canvas->picture);
}

void canvas_show(const struct canvas *canvas)
{
    copy(canvas, canvas->picture, 0);
}

void canvas_read(const struct canvas *canvas, unsigned char *rgb)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->picture);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, canvas->width, canvas->height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

bool canvas_save(const struct canvas *canvas, const char *path, struct failure *failure)
{
    unsigned char *rgb = malloc(3 * (size_t)canvas->width * (size_t)canvas->height);
    if (!rgb)
        return failure_set(failure, "%s: out of memory", path);
    canvas_read(canvas, rgb);
    bool written = image_write_png(path, rgb, canvas->width, canvas->height, failure);
    free(rgb);
    return written;
}
