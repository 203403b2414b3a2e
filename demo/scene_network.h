/* Shows a sort at work, step by step: the rows as bars, or as cells where there are many, and what
 * the step did with them. What is drawn is what the library's kernels leave. */
#ifndef SCENE_NETWORK_H
#define SCENE_NETWORK_H

#include "network_layout.h"
#include "overlay.h"

struct scene_network {
    struct network_sort sort;
    struct network_view view;
    int inset[2]; /* pixels left free on the left and on the right, but for the background */
    struct overlay overlay;
    GLuint background, rows, arcs, blocks, bits, flow; /* programs */
    GLuint vertex_array, no_vertices, picture;
};

/* get_proc_address: gl_segsort's loader. The context is current, and GL is loaded. On an error
 * nothing is left. */
bool scene_network_create(struct scene_network *scene, const struct network_settings *settings,
                          gl_segsort_get_proc_address get_proc_address,
                          gl_segsort_program_cache program_cache, struct failure *failure);
void scene_network_destroy(struct scene_network *scene);

/* 0: the rows as they come; steps past the last one are the last one. */
bool scene_network_set_step(struct scene_network *scene, uint32_t step, struct failure *failure);

/* Draws into the whole of a framebuffer of that size, and unbinds it. */
void scene_network_draw(struct scene_network *scene, GLuint framebuffer, int width, int height);

/* Reads a framebuffer's colours, 3 bytes a pixel, the lowest row first; waits. */
void scene_network_read(GLuint framebuffer, int width, int height, unsigned char *rgb);

/* Where a row's bar is in a picture of that size, in pixels from its lower left corner: the column
 * of its middle, the line it stands on, and the height of a bar with the key NETWORK_KEY_END. */
struct network_bar {
    float middle, baseline, height;
};
struct network_bar scene_network_bar(const struct scene_network *scene, int width, int height,
                                     uint32_t row);
/* The same of the row before the digit, where bars show both. */
struct network_bar scene_network_bar_before(const struct scene_network *scene, int width,
                                            int height, uint32_t row);

/* The same of a row's cell in one of the two panes: its middle. */
void scene_network_cell(const struct scene_network *scene, int width, int height, int pane,
                        uint32_t row, float *x, float *y);

#endif
