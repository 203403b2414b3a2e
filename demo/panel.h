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

/* Sets up the panels of the current GL context, once. window: its input goes to the panels too, behind
 * the callbacks that it has already; NULL where there is no window. scale: of text and widgets, 1
 * for about 96 dots an inch. False without memory or where GL's functions can't be found. */
bool panel_create(struct GLFWwindow *window, float scale);
void panel_destroy(void);

/* A frame: what is between these two is drawn by the second into the framebuffer that is bound.
 * The size is that framebuffer's, in pixels. */
void panel_begin_frame(int width, int height, float seconds);
void panel_end_frame(void);

/* Whether the mouse is over a panel, or keys go to one: then they are nobody else's. */
bool panel_wants_mouse(void);
bool panel_wants_keys(void);

enum panel_corner {
    PANEL_TOP_LEFT,
    PANEL_TOP_RIGHT,
    PANEL_BOTTOM_LEFT,
    PANEL_BOTTOM_RIGHT,
    PANEL_CENTRE
};

/* A panel with a title, first shown in that corner, width pixels wide at scale 1 and as high as
 * what it holds. Widgets go in where begin returned true; end follows in any case. */
bool panel_begin(const char *title, enum panel_corner corner, float width);
void panel_end(void);

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

/* Text right on the picture, in pixels from its upper left corner; over it, under all panels. */
void panel_label(float x, float y, const char *text);

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
/* One of many, from a list that opens. */
bool panel_choice(const char *label, uint32_t *value, const char *const *names, uint32_t count);

/* A ring of count values, the oldest at first, as a curve from 0 to most. */
void panel_plot(const char *label, const float *values, size_t count, size_t first, float most,
                const char *text);

/* A table: begin with its headings (then cells go in where it returned true, and end follows), each
 * row's cells by panel_text. rows_shown: more are scrolled; 0: all are shown. */
bool panel_table_begin(const char *id, const char *const *headings, uint32_t columns,
                       uint32_t rows_shown);
void panel_table_row(void);
void panel_table_cell(void);
void panel_table_end(void);
/* Whether the row that starts here was clicked; a cell of text of its own. */
bool panel_table_pick(const char *text, bool picked);

#ifdef __cplusplus
}
#endif

#endif
