/* A picture to draw into: multisampled colour and depth, and what they come to, one sample a
 * pixel. */
#ifndef CANVAS_H
#define CANVAS_H

#include <glad/gl.h>

#include "failure.h"

struct canvas {
    GLuint samples[2];  /* colour and depth, multisampled */
    GLuint resolved;    /* colour, one sample a pixel */
    GLuint framebuffer; /* of samples; what is drawn into */
    GLuint picture;     /* the framebuffer of resolved */
    int width;
    int height;
};

/* Sets the size, and makes the canvas when it is {0}. Its contents are lost. */
bool canvas_resize(struct canvas *canvas, int width, int height, struct failure *failure);
void canvas_destroy(struct canvas *canvas);

/* Makes the picture of what was drawn; the others below have that picture. */
void canvas_resolve(const struct canvas *canvas);

/* Copies the picture to the window's framebuffer, which has the same size. */
void canvas_show(const struct canvas *canvas);

/* Reads the picture, 3 bytes a pixel, the lowest row first; waits. */
void canvas_read(const struct canvas *canvas, unsigned char *rgb);

/* Writes the picture as PNG. */
bool canvas_save(const struct canvas *canvas, const char *path, struct failure *failure);

#endif
