#include "network_labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 240, LEAST_WIDTH = 480, LEAST_LINES = 240, DIGITS = 256, NO_DIGIT = 32 };

static const struct overlay_colour white = {0.94f, 0.95f, 0.97f, 1};
static const struct overlay_colour grey = {0.62f, 0.65f, 0.70f, 1};
static const struct overlay_colour orange = {1.0f, 0.81f, 0.51f, 1};
static const struct overlay_colour shared = {0.27f, 0.72f, 0.66f, 1};
static const struct overlay_colour storage = {0.66f, 0.53f, 0.94f, 1};
static const struct overlay_colour green = {0.50f, 0.84f, 0.46f, 1};
static const struct overlay_colour red = {1.0f, 0.36f, 0.32f, 1};
static const struct overlay_colour steel = {0.47f, 0.57f, 0.72f, 1};
static const struct overlay_colour shade = {0.06f, 0.065f, 0.075f, 0.75f};

static struct overlay_colour faded(struct overlay_colour colour, float by)
{
    colour.alpha *= by;
    return colour;
}

/* ---------------------------------------------------------------------------------------------- */
/* Words */

void network_labels_title(const struct network_sort *sort, char *text, size_t size)
{
    struct network_step step;
    network_sort_tell_step(sort, sort->step, &step);
    if (sort->step == 0)
        snprintf(text, size, "the rows as they come");
    else if (step.digit_shift != NO_DIGIT)
        snprintf(text, size, "digit %u of %u: bits %u to %u", sort->step, sort->step_count,
                 step.digit_shift, step.digit_shift + 7);
    else if (step.long_shift != NO_DIGIT)
        snprintf(text, size, "stage %u, stride %u; bits %u to %u", step.stage, step.stride,
                 step.long_shift, step.long_shift + 7);
    else
        snprintf(text, size, "stage %u, stride %u", step.stage, step.stride);
}

void network_labels_details(const struct network_sort *sort, char *text, size_t size)
{
    const struct network_counts *counts = &sort->counts;
    struct network_step step;
    network_sort_tell_step(sort, sort->step, &step);
    int length = snprintf(text, size, "step %u of %u", sort->step, sort->step_count);
    if (sort->step == 0) {
        snprintf(text + length, size - (size_t)length, ": %u rows in %u segment%s",
                 sort->settings.rows, sort->settings.segment_count,
                 sort->settings.segment_count > 1 ? "s" : "");
        return;
    }
    length += snprintf(text + length, size - (size_t)length, ": %s, %s; ", step.kernels,
                       step.shared ? "in shared memory" : "through storage buffers");
    if (step.digit_shift != NO_DIGIT)
        snprintf(text + length, size - (size_t)length, "%u of %u rows moved", counts->exchanged,
                 counts->compared);
    else if (step.long_shift != NO_DIGIT)
        snprintf(text + length, size - (size_t)length, "%u of %u comparators and rows exchanged",
                 counts->exchanged, counts->compared);
    else
        snprintf(text + length, size - (size_t)length, "%u of %u comparators exchanged",
                 counts->exchanged, counts->compared);
}

void network_labels_oracle(const struct network_sort *sort, char *text, size_t size)
{
    const struct network_counts *counts = &sort->counts;
    if (sort->step == sort->step_count)
        snprintf(text, size, "equals the CPU's stable sort: %s", counts->sorted ? "yes" : "NO");
    else
        snprintf(text, size, "equals the CPU after as many steps: %s",
                 counts->right ? "yes" : "NO");
}

bool network_labels_digits(const struct network_sort *sort, uint32_t segment, uint32_t count,
                           uint32_t *columns)
{
    struct network_step step;
    const gl_segsort_segment *at = &sort->segments[segment];
    network_sort_tell_step(sort, sort->step, &step);
    for (uint32_t i = 0; i < count; i++)
        columns[i] = 0;
    if (step.digit_shift == NO_DIGIT)
        return false;
    for (uint32_t row = at->keys_offset; row < at->keys_offset + at->length; row++) {
        uint32_t digit = sort->before.keys[row] >> step.digit_shift & (DIGITS - 1);
        if (sort->settings.direction == GL_SEGSORT_DESCENDING)
            digit = DIGITS - 1 - digit;
        columns[digit * count / DIGITS]++;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------- */
/* On the rows */

static void add_label(struct overlay *overlay, float left, float top, float align, int scale,
                      struct overlay_colour colour, const char *text)
{
    overlay_text(overlay, left, top, align, scale, colour, text);
}

static void name_segments(struct overlay *overlay, const struct network_sort *sort,
                          const struct network_picture *picture)
{
    bool both = network_sort_by_both(sort);
    int scale = network_layout_scale(picture);
    for (uint32_t i = 0; i < picture->segment_count; i++) {
        char text[64], shorter[16];
        float left = network_layout_row(picture, i, 0);
        float width = (float)picture->segments[i][1] * picture->unit + picture->gap;
        float top = picture->kind == NETWORK_BARS
                        ? picture->baseline + picture->bar_height + (float)(20 * scale)
                        : picture->before_base + picture->before_height + (float)(16 * scale);
        snprintf(text, sizeof text, "segment %u: %u rows%s", i, picture->segments[i][1],
                 both && !network_sort_by_network(sort, i) ? ", digit by digit" : "");
        snprintf(shorter, sizeof shorter, "%u", picture->segments[i][1]);
        bool fits = overlay_text_width(scale, text) <= width * picture->view.zoom;
        if (fits || overlay_text_width(scale, shorter) <= width * picture->view.zoom)
            add_label(overlay, left, top, 0, scale, grey, fits ? text : shorter);
    }
}

/* A column for each digit, and as a line how many rows come before it. */
static void add_columns(struct overlay *overlay, const struct network_sort *sort,
                        const struct network_picture *picture, uint32_t segment)
{
    uint32_t counts[DIGITS] = {0}, most = 1, before = 0;
    const struct network_columns at = network_layout_columns(picture, segment);
    uint32_t length = picture->segments[segment][1];
    bool digit = network_labels_digits(sort, segment, at.count, counts);
    for (uint32_t i = 0; i < at.count; i++)
        most = counts[i] > most ? counts[i] : most;
    overlay_box(overlay, at.left, at.base, at.left + (float)at.count * at.width,
                at.base + at.height, shade);
    for (uint32_t i = 0; i < at.count && digit && length > 0; i++) {
        float left = at.left + (float)i * at.width, part = (float)counts[i] / (float)most;
        float line = at.height * (float)before / (float)length;
        overlay_box(overlay, left, at.base, left + at.width - at.space, at.base + at.height * part,
                    faded(steel, 0.9f));
        overlay_box(overlay, left, at.base + line, left + at.width, at.base + line + 1.5f, orange);
        before += counts[i];
        float next = at.height * (float)before / (float)length;
        overlay_box(overlay, left + at.width - 0.75f, at.base + line, left + at.width + 0.75f,
                    at.base + next + 1.5f, orange);
    }
}

/* Beside the parts, line by line from the given one down. */
static void name_parts(struct overlay *overlay, const struct network_picture *picture)
{
    int scale = network_layout_scale(picture);
    float line = (float)(15 * scale), x = picture->left - (float)(14 * scale);
    const struct {
        float top;
        struct overlay_colour colour;
        const char *text;
    } names[] = {{picture->before_base + line, white, "rows before"},
                 {picture->bits_top, white, "their keys'"},
                 {picture->bits_top - line, white, "bits: lit,"},
                 {picture->bits_top - 2 * line, white, "the digit's"},
                 {picture->columns_top, steel, "rows of"},
                 {picture->columns_top - line, steel, "each digit"},
                 {picture->columns_base + 2 * line, orange, "and of all"},
                 {picture->columns_base + line, orange, "before it"},
                 {picture->baseline + 2 * line, white, "rows after,"},
                 {picture->baseline + line, white, "stable"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        add_label(overlay, x, names[i].top, 1, scale, names[i].colour, names[i].text);
}

/* Left of a segment's first line, where there is room. */
static void name_cells(struct overlay *overlay, const struct network_picture *picture)
{
    int scale = network_layout_scale(picture);
    float x = picture->left - (float)(10 * scale), last = picture->baseline + 100;
    for (uint32_t i = 0; i < picture->segment_count; i++) {
        char text[32];
        float top = picture->baseline - (float)picture->segments[i][2] * picture->unit;
        snprintf(text, sizeof text, "%u rows", picture->segments[i][1]);
        if (picture->segments[i][1] == 0 || overlay_text_width(scale, text) > x ||
            last - top < overlay_text_height(scale))
            continue;
        add_label(overlay, x, top + 1, 1, scale, grey, text);
        last = top;
    }
}

static void add_panes(struct overlay *overlay, const struct network_sort *sort,
                      const struct network_picture *picture, bool texts)
{
    struct network_step step;
    bool digits = network_sort_by_digits(sort);
    int scale = network_layout_scale(picture);
    network_sort_tell_step(sort, sort->step, &step);
    const char *const names[2][3] = {
        {digits ? "rows before, coloured by the digit" : "rows after the step",
         digits ? "rows before" : "rows", ""},
        {digits ? "rows after it, stable"
                : "comparators: the stage's blocks blue and green, first rows bright",
         digits ? "rows after" : "comparators", ""}};
    for (int i = 0; i < 2; i++) {
        const struct network_pane pane = network_layout_pane(picture, i);
        struct overlay_colour colour = sort->step == 0 ? grey : step.shared ? shared : storage;
        overlay_frame(overlay, pane.left - 2, pane.bottom - 2, pane.right + 2, pane.top + 2, 2,
                      faded(colour, 0.9f));
        float room = (i == 0 ? network_layout_pane(picture, 1).left : picture->width) - pane.left;
        int fits = 0;
        while (fits < 2 && overlay_text_width(scale, names[i][fits]) > room * picture->view.zoom)
            fits++;
        if (texts)
            add_label(overlay, pane.left, pane.top + (float)(19 * scale), 0, scale, white,
                      names[i][fits]);
    }
}

static void add_on_rows(struct overlay *overlay, const struct network_sort *sort,
                        const struct network_picture *picture, bool texts)
{
    const struct network_view *view = &picture->view;
    int scale = network_layout_scale(picture);
    overlay_view(overlay, view->zoom, view->x, view->y);
    bool digits = network_sort_by_digits(sort);
    for (uint32_t i = 0; i < picture->segment_count && digits; i++)
        add_columns(overlay, sort, picture, i);
    if (picture->kind == NETWORK_CELLS && digits && texts)
        add_label(overlay, picture->left, picture->columns_top + (float)(17 * scale), 0, scale,
                  white, "rows of each digit, and as a line of all before it, of each segment");
    if (picture->kind == NETWORK_CELLS)
        add_panes(overlay, sort, picture, texts);
    if (picture->kind == NETWORK_CELLS && texts)
        name_cells(overlay, picture);
    else if (texts)
        name_segments(overlay, sort, picture);
    if (picture->kind == NETWORK_DIGITS && texts)
        name_parts(overlay, picture);
    overlay_view(overlay, 1, 0, 0);
}

/* ---------------------------------------------------------------------------------------------- */
/* Around them */

/* In two lines where one is too wide; returns where the next line starts. */
static float add_details(struct overlay *overlay, const struct network_picture *picture, float top,
                         char *text)
{
    int scale = network_layout_scale(picture);
    char *rest = strstr(text, "; ");
    bool fits = overlay_text_width(scale, text) < picture->width;
    if (!fits && rest)
        *rest = '\0';
    for (char *line = text; line; line = line == text && !fits && rest ? rest + 2 : NULL) {
        if (overlay_text_width(scale, line) < picture->width)
            add_label(overlay, picture->width / 2, top, 0.5f, scale, grey, line);
        top -= (float)(16 * scale);
    }
    return top;
}

static void add_titles(struct overlay *overlay, const struct network_sort *sort,
                       const struct network_picture *picture)
{
    char text[TEXT_MAX];
    int scale = network_layout_scale(picture);
    float middle = picture->width / 2, top = picture->height - (float)(8 * scale);
    network_labels_title(sort, text, sizeof text);
    add_label(overlay, middle, top, 0.5f, 2 * scale, white, text);
    network_labels_details(sort, text, sizeof text);
    float below = add_details(overlay, picture, top - (float)(32 * scale), text);
    bool fine = sort->counts.right && (sort->step < sort->step_count || sort->counts.sorted);
    network_labels_oracle(sort, text, sizeof text);
    add_label(overlay, middle, below, 0.5f, scale,
              !fine                            ? red
              : sort->step == sort->step_count ? green
                                               : faded(green, 0.7f),
              text);
}

static void add_legend(struct overlay *overlay, const struct network_sort *sort,
                       const struct network_picture *picture)
{
    const struct {
        struct overlay_colour colour;
        const char *text;
    } entries[] = {{shared, "in shared memory"},
                   {storage, "through storage buffers"},
                   {orange, "exchanged"},
                   {grey, "compared only"}};
    size_t count = network_sort_by_digits(sort) ? 2 : 4;
    int scale = network_layout_scale(picture);
    float size = (float)(8 * scale), x = floorf(0.03f * picture->width), top = (float)(60 * scale);
    for (size_t i = 0; i < count; i++) {
        if (x + 1.6f * size + overlay_text_width(scale, entries[i].text) > picture->width)
            return;
        overlay_box(overlay, x, top - size - 2, x + size, top - 2, entries[i].colour);
        add_label(overlay, x + 1.6f * size, top, 0, scale, grey, entries[i].text);
        x += 4.4f * size + overlay_text_width(scale, entries[i].text);
    }
}

/* A tick for each step along the lower edge: as high as its stride is long, a gap between stages. */
struct ticks {
    float pitch, x, foot;
    int scale;
    uint32_t stages; /* how many there are */
};

static void add_tick(struct overlay *overlay, const struct network_sort *sort,
                     const struct ticks *ticks, uint32_t number, float part)
{
    struct network_step step;
    network_sort_tell_step(sort, number, &step);
    struct overlay_colour colour = step.shared ? shared : storage;
    if (number == sort->step)
        colour = orange;
    else
        colour = faded(colour, number < sort->step ? 0.85f : 0.28f);
    overlay_box(overlay, ticks->x, ticks->foot, ticks->x + fmaxf(ticks->pitch - 1.5f, 1),
                ticks->foot + (float)ticks->scale * (5 + 16 * part), colour);
}

static void name_stage(struct overlay *overlay, const struct ticks *ticks, uint32_t stage,
                       uint32_t steps)
{
    char text[16];
    snprintf(text, sizeof text, "%u", stage);
    if (overlay_text_width(ticks->scale, text) < ticks->pitch * (float)(steps + 1))
        add_label(overlay, ticks->x, ticks->foot - 1, 0, ticks->scale, grey, text);
}

static void add_ticks(struct overlay *overlay, const struct network_sort *sort,
                      const struct network_picture *picture, bool texts)
{
    bool network = !network_sort_by_digits(sort);
    struct ticks ticks = {.x = picture->left, .scale = network_layout_scale(picture)};
    while (network && ticks.stages * (ticks.stages + 1) / 2 < sort->step_count)
        ticks.stages++;
    float left = floorf(0.03f * picture->width);
    ticks.x = left;
    ticks.foot = texts ? (float)(16 * ticks.scale) : 2;
    ticks.pitch = fminf((picture->width - 2 * left) / (float)(sort->step_count + ticks.stages),
                        (float)(26 * ticks.scale));
    for (uint32_t number = 1, stage = 1, place = 0; number <= sort->step_count; number++) {
        if (place == 0 && network && texts)
            name_stage(overlay, &ticks, 1u << stage, stage);
        add_tick(overlay, sort, &ticks, number,
                 network ? (float)(stage - place) / (float)ticks.stages : 0.6f);
        ticks.x += ticks.pitch;
        if (network && ++place == stage) {
            ticks.x += ticks.pitch;
            place = 0;
            stage++;
        }
    }
}

/* Behind what would lie on rows that were moved there. */
static void add_shades(struct overlay *overlay, const struct network_picture *picture)
{
    const struct network_view *view = &picture->view;
    float line = (float)network_layout_scale(picture);
    if (view->zoom == 1 && view->x == 0 && view->y == 0)
        return;
    overlay_box(overlay, 0, picture->height - 72 * line, picture->width, picture->height, shade);
    overlay_box(overlay, 0, 0, picture->width, 66 * line, shade);
}

void network_labels_add(struct overlay *overlay, const struct network_sort *sort,
                        const struct network_picture *picture)
{
    bool texts = picture->width >= LEAST_WIDTH && picture->height >= LEAST_LINES;
    add_on_rows(overlay, sort, picture, texts);
    if (texts)
        add_shades(overlay, picture);
    add_ticks(overlay, sort, picture, texts);
    if (!texts)
        return;
    add_titles(overlay, sort, picture);
    add_legend(overlay, sort, picture);
}
