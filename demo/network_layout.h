/* Where the parts of the network scene's picture are, in pixels from its lower left corner. */
#ifndef NETWORK_LAYOUT_H
#define NETWORK_LAYOUT_H

#include "network_sort.h"

/* More rows are cells of a grid. */
#define NETWORK_BARS_MAX 1024u

/* What the picture shows: bars over their comparators; bars before and after a digit; cells. */
enum network_kind { NETWORK_BARS, NETWORK_DIGITS, NETWORK_CELLS };

/* How rows are looked at: zoomed about the picture's middle, then shifted by pixels. */
struct network_view {
    float zoom, x, y;
};

/* The block Picture of demo/shaders/network.glsl. */
struct network_picture {
    float width, height, left, unit;
    float gap, baseline, bar_height, arc_depth;
    uint32_t stage, stride, digit_shift, key_end;
    /* GLSL reads all of them. */
    /* cppcheck-suppress unusedStructMember */
    uint32_t segment_count, columns, kind, longest;
    struct network_view view;
    float second; /* from the first pane to the second */
    float before_base, before_height, bits_top, bit_height;
    float flow_top, columns_top, columns_base;
    uint32_t descending;
    /* First row, length, first line of the grid or digits' columns, 1: sorted by the network. */
    uint32_t segments[NETWORK_SEGMENTS_MAX][4];
};

struct network_picture network_layout(const struct network_sort *sort, int width, int height,
                                      struct network_view view);

/* Of text and what is next to it: 1 for a picture of 720 lines. */
int network_layout_scale(const struct network_picture *picture);

/* A row's left end; not zoomed, as all that follows. */
float network_layout_row(const struct network_picture *picture, uint32_t segment, uint32_t lane);

/* A pane's cells: lower left and upper right corner. */
struct network_pane {
    float left, bottom, right, top;
};
struct network_pane network_layout_pane(const struct network_picture *picture, int pane);

/* A segment's columns of digits: count of them, each of 256 / count digits. The one that has the
 * most rows is as high as all are. */
struct network_columns {
    float left, width, base, height; /* width: from one to the next */
    float space;                     /* between two */
    uint32_t count;
};
struct network_columns network_layout_columns(const struct network_picture *picture,
                                              uint32_t segment);

/* Zooms and shifts a place. */
void network_layout_see(const struct network_picture *picture, float *x, float *y);

#endif
