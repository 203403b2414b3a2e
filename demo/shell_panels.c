#include "shell_panels.h"

#include <stdio.h>
#include <string.h>

#include "panel.h"

enum { TABLE_ROWS = 10 };

static const float left_width = 300, right_width = 340, help_width = 470;
static const float fading_seconds = 1;
static const double least_sort = 1e-4; /* milliseconds */

/* ---------------------------------------------------------------------------------------------- */
/* The scenes */

static void draw_scene_tabs(struct shell *shell)
{
    char labels[SCENES_MAX][40];
    const char *names[SCENES_MAX];
    uint32_t count = 0, shown = SCENES_MAX;
    for (; count < SCENES_MAX && shell->scenes[count]; count++) {
        snprintf(labels[count], sizeof labels[count], "F%u %s", count + 1,
                 shell->scenes[count]->name);
        names[count] = labels[count];
        if (shell->scenes[count] == shell->run.scene)
            shown = count;
    }
    if (panel_tabs("scenes", &shown, names, count))
        shell_want(shell, shown);
}

static void draw_actions(struct shell *shell)
{
    const char *const names[] = {shell->paused ? "go on###pause" : "pause###pause", "picture",
                                 shell->recording.on ? "stop###record" : "record###record", "help"};
    void (*const actions[])(struct shell *) = {shell_pause, shell_save, shell_record,
                                               shell_toggle_help};
    uint32_t pressed = UINT32_MAX;
    panel_tabs("actions", &pressed, names, 4);
    if (pressed < 4)
        actions[pressed](shell);
}

static void draw_scene_panel(struct shell *shell)
{
    float *span = shell->spans[0];
    span[0] = span[1] = 0;
    if (panel_begin("gl_segsort", PANEL_TOP_LEFT, left_width)) {
        panel_span(&span[0], &span[1]);
        draw_scene_tabs(shell);
        draw_actions(shell);
        if (shell->run.scene->panel) {
            panel_separator();
            shell->run.scene->panel(shell->run.state);
        }
    }
    panel_end();
}

/* ---------------------------------------------------------------------------------------------- */
/* Times */

/* The least of 10, 20, 50, 100 ... that all of them fit under. */
static float plot_height(const float *values, size_t count)
{
    float most = 0, height = 10;
    for (size_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    for (int i = 0; height < most && height < 1e6f; i++)
        height *= i % 3 == 1 ? 2.5f : 2.0f;
    return height;
}

static void draw_frame_times(const struct frame_times *times)
{
    float most = plot_height(times->frames, FRAME_TIMES_KEPT);
    panel_bars("frames", times->frames, times->sorts, FRAME_TIMES_KEPT, times->next, most);
    panel_hint("Milliseconds of the latest frames; the orange part is the sorts' GPU time.");
    panel_text("frame %6.2f ms, %.1f a second; plot to %.0f ms", times->frame,
               times->frame > 0 ? 1e3 / times->frame : 0, (double)most);
    switch (frame_times_clock(times)) {
    case PLAN_CLOCK_RUNS:
        if (times->sort < least_sort)
            panel_text("sort    none of late");
        else
            panel_text("sort  %6.2f ms, %.1f %% of it", times->sort,
                       times->frame > 0 ? 100 * times->sort / times->frame : 0);
        break;
    case PLAN_CLOCK_STANDS:
        panel_text("sort  unknown: this driver's GPU clock stands");
        break;
    case PLAN_CLOCK_WAITS:
        panel_text("sort  no time has come yet");
        break;
    case PLAN_CLOCK_NONE:
        panel_text("sort  not timed");
        break;
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

/* Such as "65.5 k rows". */
static void name_number(char *text, size_t size, double number, const char *unit)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T"};
    size_t i = 0;
    for (; number >= 1000 && i < 4; i++)
        number /= 1000;
    int digits = i == 0 || number >= 100 ? 0 : number >= 10 ? 1 : 2;
    snprintf(text, size, "%.*f%s %s", digits, number, prefixes[i], unit);
}

static void name_bytes(char *text, size_t size, double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    size_t i = 0;
    for (; bytes >= 1024 && i < 3; i++)
        bytes /= 1024;
    snprintf(text, size, "%.*f %s", i > 0 && bytes < 100 ? 1 : 0, bytes, units[i]);
}

static void draw_pass_name(const gl_segsort_pass_description *pass)
{
    char hint[256];
    panel_table_cell();
    if (pass->stride > 0)
        panel_text("%s k %u j %u", pass->kernel, pass->stage, pass->stride);
    else if (pass->bit_count > 0)
        panel_text("%s bit %u", pass->kernel, pass->begin_bit);
    else if (pass->width > 0)
        panel_text("%s %u", pass->kernel, pass->width);
    else
        panel_text("%s", pass->kernel);
    snprintf(hint, sizeof hint, "%s, level %u", pass->label, pass->level);
    panel_hint(hint);
}

static void draw_pass_time(const struct plan_times *times, uint32_t pass)
{
    panel_table_cell();
    if (times->clock != PLAN_CLOCK_RUNS || pass >= times->pass_count || times->passes[pass] == 0)
        panel_text("%8s", "-");
    else if (times->passes[pass] < 0.001)
        panel_text("%8s", "<0.001");
    else
        panel_text("%8.3f", times->passes[pass]);
}

static void draw_pass(const gl_segsort_pass_description *pass)
{
    uint64_t groups = (uint64_t)pass->work_groups[0] * pass->work_groups[1] * pass->work_groups[2];
    panel_table_row();
    draw_pass_name(pass);
    panel_table_cell();
    panel_text("%llu", (unsigned long long)groups);
    panel_table_cell();
    panel_text("%u", pass->segment_count);
}

static void draw_passes(const gl_segsort_plan_description *description,
                        const struct plan_times *times)
{
    static const char *const headings[] = {"pass", "groups", "segments", "      ms"};
    uint32_t rows = description->pass_count > TABLE_ROWS ? TABLE_ROWS : 0;
    if (!panel_table_begin("passes", headings, 4, rows))
        return;
    for (uint32_t i = 0; i < description->pass_count; i++) {
        draw_pass(&description->passes[i]);
        draw_pass_time(times, i);
    }
    panel_table_end();
}

static void draw_total(const struct plan_times *times, enum plan_clock driver_clock, uint64_t rows)
{
    char rate[32], count[32];
    name_number(count, sizeof count, (double)rows, "rows");
    switch (times->clock) {
    case PLAN_CLOCK_RUNS:
        name_number(rate, sizeof rate, 1e3 * (double)rows / times->total, "rows/s");
        panel_text("%s in %.3f ms: %s", count, times->total, rate);
        break;
    case PLAN_CLOCK_STANDS:
        panel_text("%s; %s", count,
                   driver_clock == PLAN_CLOCK_RUNS ? "too quick for the GPU clock"
                                                   : "the GPU clock stands");
        break;
    case PLAN_CLOCK_WAITS:
        panel_text("%s; no time has come yet", count);
        break;
    case PLAN_CLOCK_NONE:
        panel_text("%s; not timed", count);
        break;
    }
}

/* Each kernel once, in the order of the passes. */
static void draw_path(const gl_segsort_plan_description *description)
{
    char path[512] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < description->pass_count && length < sizeof path; i++) {
        const char *kernel = description->passes[i].kernel;
        bool again = false;
        for (uint32_t k = 0; k < i && !again; k++)
            again = strcmp(description->passes[k].kernel, kernel) == 0;
        if (!again)
            length += (size_t)snprintf(path + length, sizeof path - length, "%s%s",
                                       length > 0 ? ", " : "", kernel);
    }
    panel_paragraph(path);
}

static void draw_plan(const struct scene_plan *plan, const struct plan_times *times,
                      enum plan_clock driver_clock)
{
    gl_segsort_plan_description description;
    char label[96], scratch[32];
    snprintf(label, sizeof label, "plan: %s", plan->name);
    if (!panel_section(label, true))
        return;
    if (gl_segsort_plan_describe(plan->plan, &description) != GL_SEGSORT_SUCCESS)
        return;
    draw_total(times, driver_clock, plan->rows > 0 ? plan->rows : description.row_count);
    draw_passes(&description, times);
    name_bytes(scratch, sizeof scratch, (double)description.scratch_bytes);
    panel_text("%u %s, %s of scratch; kernels:", description.pass_count,
               description.pass_count == 1 ? "pass" : "passes", scratch);
    draw_path(&description);
}

/* ---------------------------------------------------------------------------------------------- */
/* The driver */

static void draw_driver(void)
{
    if (!panel_section("driver", true))
        return;
    char version[192];
    panel_paragraph((const char *)glGetString(GL_RENDERER));
    snprintf(version, sizeof version, "OpenGL %s", (const char *)glGetString(GL_VERSION));
    panel_paragraph(version);
    snprintf(version, sizeof version, "GLSL %s",
             (const char *)glGetString(GL_SHADING_LANGUAGE_VERSION));
    panel_paragraph(version);
}

static const char *severity_name(GLenum severity)
{
    if (severity == GL_DEBUG_SEVERITY_HIGH)
        return "high";
    return severity == GL_DEBUG_SEVERITY_MEDIUM ? "medium" : "low";
}

static void draw_messages(const struct gl_debug *debug)
{
    char label[64], line[sizeof debug->kept[0].text + 64];
    snprintf(label, sizeof label, "GL messages: %u high, %u medium###messages", debug->high,
             debug->medium);
    if (!panel_section(label, false))
        return;
    if (!debug->debug_context)
        panel_text("this is no debug context");
    else if (debug->kept_count == 0)
        panel_text("none");
    for (unsigned age = 0; age < gl_debug_kept(debug); age++) {
        const struct gl_debug_message *message = gl_debug_message(debug, age);
        snprintf(line, sizeof line, "%s %s %u, %u times: %s", severity_name(message->severity),
                 message->kind, message->id, message->repeat, message->text);
        panel_paragraph(line);
    }
}

static void draw_sort_panel(struct shell *shell)
{
    const struct frame_times *times = &shell->times;
    float *span = shell->spans[1];
    span[0] = span[1] = 0;
    if (panel_begin("times", PANEL_TOP_RIGHT, right_width)) {
        panel_span(&span[0], &span[1]);
        draw_frame_times(times);
        for (size_t i = 0; i < times->plan_count; i++)
            draw_plan(&times->plans[i], &times->plan_times[i], frame_times_clock(times));
        if (shell->run.scene->times)
            shell->run.scene->times(shell->run.state);
        draw_driver();
        draw_messages(shell->debug);
    }
    panel_end();
}

/* ---------------------------------------------------------------------------------------------- */

static void draw_help(struct shell *shell)
{
    if (panel_begin("help", PANEL_CENTRE, help_width)) {
        panel_paragraph(shell_help);
        panel_separator();
        panel_text("%s:", shell->run.scene->name);
        panel_paragraph(shell->run.scene->help);
        panel_separator();
        if (panel_button("close"))
            shell->help = false;
    }
    panel_end();
}

static void draw_notice(struct shell_notice *notice, float seconds)
{
    if (notice->seconds <= 0)
        return;
    float opacity = notice->seconds < fading_seconds ? notice->seconds / fading_seconds : 1;
    notice->seconds -= seconds;
    if (panel_notice(notice->text, opacity, notice->warning))
        notice->seconds = 0;
}

void shell_panels_draw(struct shell *shell, int width, int height, float seconds)
{
    panel_begin_frame(width, height, seconds);
    if (shell->panels) {
        draw_scene_panel(shell);
        if (!shell->run.options->scene_panel)
            draw_sort_panel(shell);
    }
    if (shell->help)
        draw_help(shell);
    draw_notice(&shell->notice, seconds);
    panel_end_frame();
}
