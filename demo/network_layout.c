#include "network_layout.h"

#include <math.h>

enum {
    LEAST_LINES = 240,
    LEAST_WIDTH = 480,
    NAMES = 112,
    TITLE = 84,
    FOOT = 66,
    DIGITS = 256,
    LEAST_COLUMNS = 16,
    BITS = 16
};

static const float least_column = 1.5f; /* pixels */

int network_layout_scale(const struct network_picture *picture)
{
    int scale = (int)(picture->height / 720 + 0.25f);
    return scale > 1 ? scale : 1;
}

/* Lines that the title above and the steps below take; small pictures have no title. */
static float title_lines(const struct network_picture *picture)
{
    return picture->height < LEAST_LINES ? 8 : (float)(TITLE * network_layout_scale(picture));
}

static float foot_lines(const struct network_picture *picture)
{
    return picture->height < LEAST_LINES ? 24 : (float)(FOOT * network_layout_scale(picture));
}

static float at_least(float value, float least)
{
    return value > least ? value : least;
}

/* Gaps between segments take no more than a quarter of the width. */
static void place_rows(struct network_picture *picture, uint32_t rows)
{
    float between = (float)(picture->segment_count - 1), width = picture->width;
    if (between > 0)
        picture->gap = fminf(0.025f, 0.25f / between) * width;
    float right = floorf(0.03f * width);
    picture->unit = (width - picture->left - right - between * picture->gap) / (float)rows;
}

static void place_bars(struct network_picture *picture)
{
    float title = title_lines(picture), label = picture->height < LEAST_LINES ? 0 : 24;
    picture->baseline = floorf(0.42f * picture->height);
    picture->bar_height = floorf(picture->height - title - label - picture->baseline);
    picture->arc_depth = at_least(picture->baseline - foot_lines(picture) - 12, 8);
}

/* From below: rows after the digit, the digit's columns, the keys' bits, rows before it. */
static void place_digits(struct network_picture *picture)
{
    float foot = foot_lines(picture), lines = picture->height - title_lines(picture) - foot;
    picture->baseline = floorf(foot + 0.01f * lines);
    picture->bar_height = floorf(0.25f * lines);
    picture->columns_base = floorf(picture->baseline + 0.39f * lines);
    picture->columns_top = floorf(picture->columns_base + 0.13f * lines);
    picture->flow_top = floorf(picture->columns_top + 0.13f * lines);
    picture->bit_height = at_least(floorf(0.12f * lines / BITS), 1);
    picture->bits_top = picture->flow_top + BITS * picture->bit_height + 4;
    picture->before_base = picture->bits_top + 6;
    picture->before_height =
        at_least(picture->height - title_lines(picture) - picture->before_base - 18, 8);
    for (uint32_t i = 0; i < picture->segment_count; i++) {
        float width = (float)picture->segments[i][1] * picture->unit;
        uint32_t count = DIGITS;
        while (count > LEAST_COLUMNS && width < least_column * (float)count)
            count /= 2;
        picture->segments[i][2] = count;
    }
}

/* Segments start on lines of their own, an empty one between them. */
static uint32_t count_lines(struct network_picture *picture, uint32_t columns)
{
    uint32_t lines = 0;
    for (uint32_t i = 0; i < picture->segment_count; i++) {
        picture->segments[i][2] = lines;
        lines += (picture->segments[i][1] + columns - 1) / columns + 1;
    }
    return lines - 1;
}

/* Powers of two, so that a stage's blocks are whole lines or whole parts of one. */
static void choose_columns(struct network_picture *picture, float width, float height)
{
    for (uint32_t columns = 1; columns <= NETWORK_ROWS_MAX / 4; columns *= 2) {
        float lines = (float)count_lines(picture, columns);
        float unit = fminf(width / (float)columns, height / lines);
        if (unit > picture->unit) {
            picture->unit = unit;
            picture->columns = columns;
        }
    }
    if (picture->unit >= 2)
        picture->unit = floorf(picture->unit);
    count_lines(picture, picture->columns);
}

static void place_cells(struct network_picture *picture, bool digits)
{
    float scale = (float)network_layout_scale(picture), between = floorf(0.03f * picture->width);
    float foot = foot_lines(picture) + 8 * scale, top = title_lines(picture) + 24 * scale;
    float columns = digits ? floorf(0.13f * picture->height) : 0;
    if (picture->height < LEAST_LINES)
        foot = top = 16;
    choose_columns(picture, (picture->width - 2 * picture->left - between) / 2,
                   at_least(picture->height - foot - top - (digits ? columns + 24 * scale : 0), 8));
    float width = (float)picture->columns * picture->unit;
    picture->left = floorf((picture->width - 2 * width - between) / 2);
    picture->second = width + between;
    picture->baseline = floorf(picture->height - top);
    picture->columns_base = foot;
    picture->columns_top = foot + columns;
}

static void take_segments(const struct network_sort *sort, struct network_picture *picture)
{
    for (uint32_t i = 0; i < picture->segment_count; i++) {
        const gl_segsort_segment *segment = &sort->segments[i];
        picture->segments[i][0] = segment->keys_offset;
        picture->segments[i][1] = segment->length;
        picture->segments[i][3] = network_sort_by_network(sort, i);
        if (segment->length > picture->longest)
            picture->longest = segment->length;
    }
}

struct network_picture network_layout(const struct network_sort *sort, int width, int height,
                                      struct network_view view)
{
    bool digits = network_sort_by_digits(sort);
    struct network_picture picture = {.width = (float)width,
                                      .height = (float)height,
                                      .left = floorf(0.03f * (float)width),
                                      .digit_shift = 32,
                                      .key_end = NETWORK_KEY_END,
                                      .segment_count = sort->settings.segment_count,
                                      .view = view,
                                      .descending = sort->settings.direction};
    take_segments(sort, &picture);
    if (sort->settings.rows > NETWORK_BARS_MAX) {
        picture.kind = NETWORK_CELLS;
        place_cells(&picture, digits);
    } else {
        picture.kind = digits ? NETWORK_DIGITS : NETWORK_BARS;
        if (digits && picture.height >= LEAST_LINES && picture.width >= LEAST_WIDTH)
            picture.left = (float)(NAMES * network_layout_scale(&picture)); /* of its parts */
        place_rows(&picture, sort->settings.rows);
        (digits ? place_digits : place_bars)(&picture);
    }
    if (!digits)
        gl_segsort_network_step(sort->step, &picture.stage, &picture.stride);
    if (sort->step > 0 && sort->step <= NETWORK_KEY_BITS / 8)
        picture.digit_shift = (sort->step - 1) * 8;
    return picture;
}

/* ---------------------------------------------------------------------------------------------- */

float network_layout_row(const struct network_picture *picture, uint32_t segment, uint32_t lane)
{
    return picture->left + (float)(picture->segments[segment][0] + lane) * picture->unit +
           (float)segment * picture->gap;
}

struct network_pane network_layout_pane(const struct network_picture *picture, int pane)
{
    const uint32_t *last = picture->segments[picture->segment_count - 1];
    uint32_t lines = last[2] + (last[1] + picture->columns - 1) / picture->columns;
    float left = picture->left + (float)pane * picture->second;
    return (struct network_pane){left, picture->baseline - (float)lines * picture->unit,
                                 left + (float)picture->columns * picture->unit, picture->baseline};
}

struct network_columns network_layout_columns(const struct network_picture *picture,
                                              uint32_t segment)
{
    struct network_columns columns = {.base = picture->columns_base,
                                      .height = picture->columns_top - picture->columns_base};
    if (picture->kind == NETWORK_DIGITS) {
        columns.count = picture->segments[segment][2];
        columns.left = network_layout_row(picture, segment, 0);
        columns.width = (float)picture->segments[segment][1] * picture->unit / (float)columns.count;
        return columns;
    }
    float all = picture->second + (float)picture->columns * picture->unit;
    float space = picture->segment_count > 1 ? 0.1f : 0; /* of a share */
    float share = all / ((float)picture->segment_count - space);
    columns.count = DIGITS;
    while (columns.count > LEAST_COLUMNS &&
           (1 - space) * share < least_column * (float)columns.count)
        columns.count /= 2;
    columns.left = picture->left + (float)segment * share;
    columns.width = (1 - space) * share / (float)columns.count;
    columns.space = columns.width >= 3 ? 1 : 0;
    return columns;
}

void network_layout_see(const struct network_picture *picture, float *x, float *y)
{
    *x = (*x - picture->width / 2) * picture->view.zoom + picture->width / 2 + picture->view.x;
    *y = (*y - picture->height / 2) * picture->view.zoom + picture->height / 2 + picture->view.y;
}
