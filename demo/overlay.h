/* Boxes and text over a picture, in pixels from its lower left corner. */
#ifndef OVERLAY_H
#define OVERLAY_H

#include <glad/gl.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

/* Red, green and blue as a picture stores them, and how opaque. */
struct overlay_colour {
    float red, green, blue, alpha;
};

struct overlay_item {
    float box[4], texture[4]; /* lower left and upper right corner */
    struct overlay_colour colour;
};

struct overlay {
    GLuint program, texture, vertex_array, buffer;
    struct overlay_item *items;
    size_t count, room;
    float glyphs[95][8];
    float white[2];
    float size[2];        /* of the picture */
    float zoom, shift[2]; /* of what is added from now on: about the picture's middle */
};

bool overlay_create(struct overlay *overlay, struct failure *failure);
void overlay_destroy(struct overlay *overlay);

/* Starts a picture of that size; nothing is zoomed or shifted. */
void overlay_begin(struct overlay *overlay, int width, int height);
void overlay_view(struct overlay *overlay, float zoom, float shift_x, float shift_y);

/* Without memory they are left out. */
void overlay_box(struct overlay *overlay, float left, float bottom, float right, float top,
                 struct overlay_colour colour);
/* A frame so many pixels wide, outside of the box. */
void overlay_frame(struct overlay *overlay, float left, float bottom, float right, float top,
                   float width, struct overlay_colour colour);

/* ASCII; the font's pixels are scale pixels wide. left and top are where it starts; align 0.5: of
 * its middle, 1: of its end. */
void overlay_text(struct overlay *overlay, float left, float top, float align, int scale,
                  struct overlay_colour colour, const char *text);

/* How wide and high text is. */
float overlay_text_width(int scale, const char *text);
float overlay_text_height(int scale);

/* Draws into the framebuffer that is bound, and leaves blending off. */
void overlay_draw(struct overlay *overlay);

#endif
