/* What is around the scenes, with a window or without one: which of them is shown, the clock's
 * pause, pictures and sequences of them, files handed over, and what the user is told. */
#ifndef SHELL_H
#define SHELL_H

#include "frame_times.h"
#include "gl_debug.h"
#include "picture_name.h"
#include "scene.h"

struct shell_notice {
    char text[2048];
    float seconds; /* left; 0: none is shown */
    bool warning;
};

struct shell_recording {
    bool on;
    unsigned next, count; /* the next picture's number; how many there are */
    char first[PICTURE_NAME_SIZE], last[PICTURE_NAME_SIZE];
};

struct shell {
    struct scene_run run;
    const struct scene *const *scenes; /* that can be shown, NULL behind the last */
    const struct gl_debug *debug;
    bool panels, help; /* are shown */
    bool paused;
    bool save;                  /* the next picture */
    const struct scene *wanted; /* to be shown; NULL: no other */
    bool announced;             /* a picture said so */
    struct shell_notice notice;
    struct shell_recording recording;
    struct frame_times times;
    float spans[2][2]; /* where panels were in the latest frame, from left to right; {0}: nowhere */
};

/* debug is installed already, and outlives the shell. */
bool shell_create(struct shell *shell, const struct scene *scene, const struct scene *const *scenes,
                  const struct options *options, gl_segsort_get_proc_address get_proc_address,
                  const struct gl_debug *debug, struct failure *failure);
void shell_destroy(struct shell *shell);

/* What keys and buttons do. */
void shell_pause(struct shell *shell);
void shell_save(struct shell *shell);
void shell_record(struct shell *shell);
void shell_toggle_help(struct shell *shell);
void shell_toggle_panels(struct shell *shell);

/* Shows the scene of that number from the next frame on; there may be none of it. */
void shell_want(struct shell *shell, unsigned number);

/* A file for the scene that is shown, or for the first one that takes files. */
void shell_drop(struct shell *shell, const char *path);

/* A scene's frame, and its pictures if any are wanted. Only what the scene can't go on from is an
 * error. */
bool shell_frame(struct shell *shell, float seconds, struct failure *failure);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void shell_tell(struct shell *shell, const char *format, ...);
/* To stderr too. */
void shell_warn(struct shell *shell, const struct failure *failure);

/* Seconds since some moment. */
double shell_clock(void);

/* What the shell's own keys do, a line each. */
extern const char shell_help[];

#endif
