#include "overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "panel.h"
#include "shaders.h"

enum { LOCATION_BOX, LOCATION_TEXTURE, LOCATION_COLOUR, LOCATIONS };

static GLuint make_texture(const struct panel_font *font)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, font->width, font->height, 0, GL_RED, GL_UNSIGNED_BYTE,
                 font->alpha);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

static bool take_font(struct overlay *overlay, struct failure *failure)
{
    struct panel_font font;
    if (!panel_font_make(&font))
        return failure_set(failure, "out of memory for a font");
    overlay->texture = make_texture(&font);
    memcpy(overlay->white, font.white, sizeof overlay->white);
    for (size_t i = 0; i < PANEL_GLYPHS; i++) {
        const struct panel_glyph *glyph = &font.glyphs[i];
        const float numbers[8] = {glyph->left,   glyph->top,   glyph->right,   glyph->bottom,
                                  glyph->u_left, glyph->v_top, glyph->u_right, glyph->v_bottom};
        memcpy(overlay->glyphs[i], numbers, sizeof numbers);
    }
    panel_font_free(&font);
    return true;
}

static void make_array(struct overlay *overlay)
{
    glGenVertexArrays(1, &overlay->vertex_array);
    glGenBuffers(1, &overlay->buffer);
    glBindVertexArray(overlay->vertex_array);
    glBindVertexBuffer(0, overlay->buffer, 0, sizeof(struct overlay_item));
    for (GLuint i = 0; i < LOCATIONS; i++) {
        glVertexAttribFormat(i, 4, GL_FLOAT, GL_FALSE, 16 * i);
        glVertexAttribBinding(i, 0);
        glEnableVertexAttribArray(i);
    }
    glVertexBindingDivisor(0, 1);
    glBindVertexArray(0);
}

bool overlay_create(struct overlay *overlay, struct failure *failure)
{
    *overlay = (struct overlay){0};
    overlay->program = shaders_draw_program("overlay.vert", "overlay.frag", failure);
    make_array(overlay);
    if (overlay->program != 0 && take_font(overlay, failure))
        return true;
    overlay_destroy(overlay);
    return false;
}

void overlay_destroy(struct overlay *overlay)
{
    glDeleteProgram(overlay->program);
    glDeleteTextures(1, &overlay->texture);
    glDeleteVertexArrays(1, &overlay->vertex_array);
    glDeleteBuffers(1, &overlay->buffer);
    free(overlay->items);
    *overlay = (struct overlay){0};
}

/* ---------------------------------------------------------------------------------------------- */

void overlay_begin(struct overlay *overlay, int width, int height)
{
    overlay->count = 0;
    overlay->size[0] = (float)width;
    overlay->size[1] = (float)height;
    overlay_view(overlay, 1, 0, 0);
}

void overlay_view(struct overlay *overlay, float zoom, float shift_x, float shift_y)
{
    overlay->zoom = zoom;
    overlay->shift[0] = shift_x;
    overlay->shift[1] = shift_y;
}

static float seen(const struct overlay *overlay, int axis, float place)
{
    float middle = overlay->size[axis] / 2;
    return (place - middle) * overlay->zoom + middle + overlay->shift[axis];
}

static void add(struct overlay *overlay, const struct overlay_item *item)
{
    if (overlay->count == overlay->room) {
        size_t room = overlay->room > 0 ? 2 * overlay->room : 256;
        struct overlay_item *items = realloc(overlay->items, room * sizeof *items);
        if (!items)
            return;
        overlay->items = items;
        overlay->room = room;
    }
    overlay->items[overlay->count++] = *item;
}

void overlay_box(struct overlay *overlay, float left, float bottom, float right, float top,
                 struct overlay_colour colour)
{
    const float *white = overlay->white;
    const struct overlay_item item = {{seen(overlay, 0, left), seen(overlay, 1, bottom),
                                       seen(overlay, 0, right), seen(overlay, 1, top)},
                                      {white[0], white[1], white[0], white[1]},
                                      colour};
    add(overlay, &item);
}

void overlay_frame(struct overlay *overlay, float left, float bottom, float right, float top,
                   float width, struct overlay_colour colour)
{
    float w = width / overlay->zoom;
    overlay_box(overlay, left - w, bottom - w, left, top + w, colour);
    overlay_box(overlay, right, bottom - w, right + w, top + w, colour);
    overlay_box(overlay, left, bottom - w, right, bottom, colour);
    overlay_box(overlay, left, top, right, top + w, colour);
}

void overlay_text(struct overlay *overlay, float left, float top, float align, int scale,
                  struct overlay_colour colour, const char *text)
{
    float size = (float)scale;
    float x = floorf(seen(overlay, 0, left) - align * overlay_text_width(scale, text));
    float y = floorf(seen(overlay, 1, top));
    for (; *text; text++, x += PANEL_GLYPH_WIDTH * size) {
        if (*text <= PANEL_GLYPH_FIRST || *text >= PANEL_GLYPH_FIRST + PANEL_GLYPHS)
            continue;
        const float *glyph = overlay->glyphs[*text - PANEL_GLYPH_FIRST];
        const struct overlay_item item = {
            {x + glyph[0] * size, y - glyph[3] * size, x + glyph[2] * size, y - glyph[1] * size},
            {glyph[4], glyph[7], glyph[6], glyph[5]},
            colour};
        add(overlay, &item);
    }
}

float overlay_text_width(int scale, const char *text)
{
    return (float)(strlen(text) * PANEL_GLYPH_WIDTH * (size_t)scale);
}

float overlay_text_height(int scale)
{
    return (float)(PANEL_GLYPH_HEIGHT * scale);
}

void overlay_draw(struct overlay *overlay)
{
    if (overlay->count == 0)
        return;
    glUseProgram(overlay->program);
    glUniform2fv(0, 1, overlay->size);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, overlay->texture);
    glBindVertexArray(overlay->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(overlay->count * sizeof *overlay->items),
                 overlay->items, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)overlay->count);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glUseProgram(0);
}
