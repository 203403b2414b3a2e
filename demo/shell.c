#include "shell.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static const float seconds_told = 5, seconds_warned = 15;
static const float least_free = 0.4f; /* of the picture's width, between panels */

const char shell_help[] = "F1 F2 F3  other scenes\n"
                          "space     pause, and go on\n"
                          "drag      turn the view, where the scene has one\n"
                          "wheel     nearer, farther\n"
                          "drop      a file onto the window opens it\n"
                          "F12       save a picture\n"
                          "F11       save every frame, until F11 is pressed again\n"
                          "Tab       hide or show the panels\n"
                          "H, F10    this help\n"
                          "Escape    quit\n";

double shell_clock(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool shell_create(struct shell *shell, const struct scene *scene, const struct scene *const *scenes,
                  const struct options *options, gl_segsort_get_proc_address get_proc_address,
                  const struct gl_debug *debug, struct failure *failure)
{
    *shell = (struct shell){.scenes = scenes, .debug = debug};
    if (!scene_run_create(&shell->run, scene, options, get_proc_address, failure))
        return false;
    shell_tell(shell, "H: help");
    return true;
}

void shell_destroy(struct shell *shell)
{
    if (shell->recording.on)
        shell_record(shell);
    frame_times_destroy(&shell->times);
    scene_run_destroy(&shell->run);
}

void shell_tell(struct shell *shell, const char *format, ...)
{
    va_list arguments;
    shell->notice = (struct shell_notice){.seconds = seconds_told};
    va_start(arguments, format);
    vsnprintf(shell->notice.text, sizeof shell->notice.text, format, arguments);
    va_end(arguments);
}

void shell_warn(struct shell *shell, const struct failure *failure)
{
    fflush(stdout);
    fprintf(stderr, "gl_segsort_viewer: %s\n", failure->text);
    shell_tell(shell, "%s", failure->text);
    shell->notice.seconds = seconds_warned;
    shell->notice.warning = true;
}

/* For those who look at the terminal, too. */
static void print_notice(const struct shell *shell)
{
    printf("%s\n", shell->notice.text);
    fflush(stdout);
}

void shell_pause(struct shell *shell)
{
    shell->paused = !shell->paused;
}

void shell_save(struct shell *shell)
{
    shell->save = true;
}

void shell_toggle_help(struct shell *shell)
{
    shell->help = !shell->help;
}

void shell_toggle_panels(struct shell *shell)
{
    shell->panels = !shell->panels;
}

/* ---------------------------------------------------------------------------------------------- */
/* Pictures */

static const char *picture_path(const struct shell *shell)
{
    const char *path = shell->run.options->screenshot;
    return path ? path : "screenshot.png";
}

static void save(struct shell *shell)
{
    struct failure failure = {""};
    shell->save = false;
    if (!canvas_save(&shell->run.canvas, picture_path(shell), &failure)) {
        shell_warn(shell, &failure);
        return;
    }
    shell_tell(shell, "saved %s", picture_path(shell));
    print_notice(shell);
}

void shell_record(struct shell *shell)
{
    struct shell_recording *recording = &shell->recording;
    recording->on = !recording->on;
    if (recording->on) {
        recording->next = 1;
        recording->count = 0;
        shell_tell(shell, "saving every frame; F11 stops");
    } else if (recording->count > 0) {
        shell_tell(shell, "saved %u %s, %s to %s", recording->count,
                   recording->count == 1 ? "frame" : "frames", recording->first, recording->last);
        print_notice(shell);
    } else {
        shell_tell(shell, "no frame was saved");
    }
}

static void save_frame(struct shell *shell)
{
    struct shell_recording *recording = &shell->recording;
    struct failure failure = {""};
    if (!picture_name_free(recording->last, picture_path(shell), &recording->next, &failure) ||
        !canvas_save(&shell->run.canvas, recording->last, &failure)) {
        recording->on = false;
        shell_warn(shell, &failure);
        return;
    }
    if (recording->count++ == 0)
        snprintf(recording->first, sizeof recording->first, "%s", recording->last);
}

/* ---------------------------------------------------------------------------------------------- */
/* Scenes */

void shell_want(struct shell *shell, unsigned number)
{
    unsigned count = 0;
    while (shell->scenes[count])
        count++;
    if (number >= count || shell->scenes[number] == shell->run.scene)
        return;
    shell->wanted = shell->scenes[number];
    shell->announced = scene_run_has(&shell->run, shell->wanted);
    if (shell->announced)
        return;
    shell_tell(shell, "%s starts ...", shell->wanted->name);
}

static bool show(struct shell *shell, const struct scene *scene)
{
    struct failure failure = {""};
    if (!scene_run_show(&shell->run, scene, &failure)) {
        shell_warn(shell, &failure);
        return false;
    }
    frame_times_skip(&shell->times);
    shell->notice.seconds = 0;
    return true;
}

/* One more picture of the old scene says what the wait is for. */
static void show_wanted(struct shell *shell)
{
    if (!shell->wanted)
        return;
    if (!shell->announced) {
        shell->announced = true;
        return;
    }
    show(shell, shell->wanted);
    shell->wanted = NULL;
}

static const struct scene *taker_of_files(const struct shell *shell)
{
    if (shell->run.scene->drop)
        return shell->run.scene;
    for (const struct scene *const *scene = shell->scenes; *scene; scene++)
        if ((*scene)->drop)
            return *scene;
    return NULL;
}

void shell_drop(struct shell *shell, const char *path)
{
    struct failure failure = {""};
    const struct scene *taker = taker_of_files(shell);
    if (!taker) {
        failure_set(&failure, "%s: there is no scene that takes files", path);
        shell_warn(shell, &failure);
        return;
    }
    shell->wanted = NULL;
    if (taker != shell->run.scene && !show(shell, taker))
        return;
    if (!taker->drop(shell->run.state, path, &failure)) {
        shell_warn(shell, &failure);
        return;
    }
    if (taker->loaded) {
        shell_tell(shell, "%s opens %s ...", taker->name, path);
        return;
    }
    shell_tell(shell, "%s opened %s", taker->name, path);
    print_notice(shell);
}

static void tell_of_files(struct shell *shell)
{
    const struct scene_run *run = &shell->run;
    struct failure failure = {""};
    char text[256];
    bool well;
    if (!run->scene->loaded || !run->scene->loaded(run->state, &well, text, sizeof text, &failure))
        return;
    if (well) {
        shell_tell(shell, "%s opened %s", run->scene->name, text);
        print_notice(shell);
    } else {
        shell_warn(shell, &failure);
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* Panels in the middle, or such as leave too little, don't count. */
static void tell_cover(const struct shell *shell)
{
    const struct scene_run *run = &shell->run;
    float width = (float)run->canvas.width, left = 0, right = 0;
    if (!run->scene->cover)
        return;
    for (size_t i = 0; i < sizeof shell->spans / sizeof shell->spans[0] && shell->panels; i++) {
        const float *span = shell->spans[i];
        if (span[0] < span[1] && span[1] <= width / 2)
            left = fmaxf(left, span[1]);
        else if (span[0] < span[1] && span[0] >= width / 2)
            right = fmaxf(right, width - span[0]);
    }
    bool enough = width - left - right >= least_free * width;
    run->scene->cover(run->state, enough ? (int)left : 0, enough ? (int)right : 0);
}

bool shell_frame(struct shell *shell, float seconds, struct failure *failure)
{
    struct scene_run *run = &shell->run;
    show_wanted(shell);
    tell_cover(shell);
    if (!scene_run_frame(run, shell->paused ? 0 : seconds, failure))
        return false;
    tell_of_files(shell);
    frame_times_take(&shell->times, run->scene, run->state, shell_clock());
    if (shell->save)
        save(shell);
    if (shell->recording.on)
        save_frame(shell);
    return true;
}
