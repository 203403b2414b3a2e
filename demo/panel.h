/* Panels of widgets over a picture, by Dear ImGui. All of its C++ is in panel.cpp. Labels tell
 * widgets of a panel apart: what is behind "##" in one is not shown. */
#ifndef PANEL_H
#define PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct GLFWwindow;

/* Sets up the panels of the current GL context, once. window: its input goes to the panels too,
 * behind the callbacks that it has already; NULL where there is no window. scale: of text and
 * widgets, 1 for about 96 dots an inch. False without memory or where GL's functions can't be found. */
bool panel_create(struct GLFWwindow *window, float scale);
void panel_destroy(void);

/* A frame: what is between these two is drawn by the second into the framebuffer that is bound.
 * The size is that framebuffer's, in pixels. */
void panel_begin_frame(int width, int height, float seconds);
void panel_end_frame(void);

/* Whether the mouse, in pixels from the picture's upper left corner, is over one of the latest
 * frame's panels or held by one, or keys go to one: then they are nobody else's. Frames may take
 * long, so the place is that of the click and not the latest frame's. */
bool panel_wants_mouse(float x, float y);
bool panel_wants_keys(void);

enum panel_corner {
    PANEL_TOP_LEFT,
    PANEL_TOP_RIGHT,
    PANEL_BOTTOM_LEFT,
    PANEL_BOTTOM_RIGHT,
    PANEL_CENTRE
};

/* A panel with a title, first shown in that corner, width pixels wide at scale 1 and as high as
 * what it holds. It goes back there when the framebuffer's size changes. At first, and when the
 * framebuffer becomes narrower, it is folded where it would cover more than half of the width, or
 * on the right a third. Widgets go in where begin returned true; end follows in any case. */
bool panel_begin(const char *title, enum panel_corner corner, float width);
void panel_end(void);
/* Between them: the pixels from the left that the panel reaches from and to. */
void panel_span(float *left, float *right);

/* A line at the bottom, without a panel around it, that fades with opacity (of 0 to 1). Returns
 * whether it was clicked. */
bool panel_notice(const char *text, float opacity, bool warning);

/* Parts of a panel that fold; nothing follows where it returned false. */
bool panel_section(const char *label, bool open_at_first);

void panel_text(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;
/* Wrapped, and without a format. */
void panel_paragraph(const char *text);
void panel_separator(void);
void panel_same_line(void);
/* Shown while the mouse is over the widget before. */
void panel_hint(const char *text);
void panel_progress(float fraction, const char *text);

/* Text right on the picture, in pixels from its upper left corner, over it and under all panels.
 * align 0: x is where it starts; 1: where it ends. y is its lower end. */
void panel_label(float x, float y, float align, const char *text);

/* These return whether the user changed the value, or pressed. */
bool panel_button(const char *label);
/* A line of text; shown is what stands there while it is empty. */
bool panel_input(const char *label, char *text, size_t size, const char *shown);
bool panel_checkbox(const char *label, bool *value);
bool panel_slider(const char *label, uint32_t *value, uint32_t least, uint32_t most,
                  bool logarithmic);
bool panel_slider_float(const char *label, float *value, float least, float most,
                        const char *format);
/* One of a few names, all seen side by side. */
bool panel_radio(const char *label, uint32_t *value, const char *const *names, uint32_t count);
/* The same as a row of buttons, which fills the panel's width. */
bool panel_tabs(const char *label, uint32_t *value, const char *const *names, uint32_t count);
/* One of many, from a list that opens. */
bool panel_choice(const char *label, uint32_t *value, const char *const *names, uint32_t count);

/* A ring of count values, the oldest at first, as a curve from 0 to most. */
void panel_plot(const char *label, const float *values, size_t count, size_t first, float most,
                const char *text);

/* The same as bars from 0 to most, each with a part of it, in another colour, at its foot. */
void panel_bars(const char *label, const float *values, const float *parts, size_t count,
                size_t first, float most);

/* A table: begin with its headings (then cells go in where it returned true, and end follows), each
 * row's cells by panel_text. rows_shown: more are scrolled; 0: all are shown. */
bool panel_table_begin(const char *id, const char *const *headings, uint32_t columns,
                       uint32_t rows_shown);
void panel_table_row(void);
void panel_table_cell(void);
void panel_table_end(void);
/* Whether the row that starts here was clicked; a cell of text of its own. */
bool panel_table_pick(const char *text, bool picked);

/* ImGui's own font as a picture, for text that is part of a scene and needs no panel_create. Glyphs
 * are in pixels, downwards from the upper left corner of a line and of the picture. */
enum { PANEL_GLYPH_FIRST = 32, PANEL_GLYPHS = 95, PANEL_GLYPH_WIDTH = 7, PANEL_GLYPH_HEIGHT = 13 };
struct panel_glyph {
    float left, top, right, bottom;         /* where it is, from the pen's place */
    float u_left, v_top, u_right, v_bottom; /* of the picture, which is 0..1 each way */
};
struct panel_font {
    struct panel_glyph glyphs[PANEL_GLYPHS]; /* each PANEL_GLYPH_WIDTH wide */
    float white[2];                          /* where the picture is full */
    unsigned char *alpha;                    /* its rows, a byte a pixel */
    int width, height;
};
/* False without memory; free it by panel_font_free. */
bool panel_font_make(struct panel_font *font);
void panel_font_free(struct panel_font *font);

#ifdef __cplusplus
}
#endif

#endif
