/* A scene: something that sorts on the GPU, frame by frame, and can be looked at. The shell around
 * it has the window or none, the clock, the canvas and the panels. */
#ifndef SCENE_H
#define SCENE_H

#include "canvas.h"
#include "gl_segsort.h"
#include "options.h"

struct scene_setup {
    const struct options *options;
    gl_segsort_get_proc_address get_proc_address;
    gl_segsort_program_cache program_cache; /* for each gl_segsort_context */
};

/* A plan that a scene sorts by, for the panel that tells its passes and times. */
struct scene_plan {
    const char *name;
    gl_segsort_plan *plan; /* created with timed */
    uint64_t rows;         /* of its latest sort, about; 0: all of the plan's */
};

/* Calls come with the GL context current, and state is what create gave. Bindings
 * are nobody's between two calls; what a call enables it disables again. */
struct scene {
    const char *name;
    /* What its keys do, a line each, for the overlay and --help. */
    const char *help;
    /* Frees what it made when it fails, and gives NULL then. */
    void *(*create)(const struct scene_setup *setup, struct failure *failure);
    /* The canvas's size, before the first frame and whenever it changes. */
    void (*resize)(void *state, int width, int height);
    /* Goes on by that much time. frame counts from 0. */
    bool (*update)(void *state, unsigned frame, float seconds, struct failure *failure);
    /* Draws into the framebuffer of a canvas, all of it. What it drew stays there until it draws
     * again or resize is called, so a scene that looks as before may leave it as it is. */
    void (*draw)(void *state, GLuint framebuffer);
    /* A key was pressed: a letter in lower case. */
    void (*key)(void *state, char key);
    /* One line for the title; may wait for the GPU. */
    void (*status)(void *state, char *text, size_t size);
    void (*destroy)(void *state);

    /* The rest may be NULL. */

    /* Its widgets, in a panel that is open (panel.h). */
    void (*panel)(void *state);
    /* Its widgets among the times of all its plans, in an open panel. */
    void (*times)(void *state);
    /* From the next frame on panels cover so many pixels on the left and on the right of the
     * picture, which what matters may keep clear of. None at first. */
    void (*cover)(void *state, int left, int right);
    /* The mouse was dragged by so many pixels; the wheel was turned by so many notches. */
    void (*drag)(void *state, float x, float y);
    void (*wheel)(void *state, float notches);
    /* A file was dropped. A failure is shown, and the scene goes on as before. */
    bool (*drop)(void *state, const char *path, struct failure *failure);
    /* Where files load while frames go on: whether one has come to its end since the last call, and
     * then how, in words of its own or, not well, in failure. */
    bool (*loaded)(void *state, bool *well, char *text, size_t size, struct failure *failure);
    /* Gives at most room of its plans, and returns how many. */
    size_t (*plans)(void *state, struct scene_plan *plans, size_t room);
    /* Without a window: how many frames there are without --frames (0: 120), and, where not the
     * last one's picture alone is wanted, what draws into the canvas, saves it and says so. */
    int headless_frames;
    bool (*save)(void *state, const struct canvas *canvas, struct failure *failure);
    /* At the end: whether all that was sorted was right, as far as the scene knows. May wait. */
    bool (*finish)(void *state, struct failure *failure);
};

/* All of them, NULL behind the last. Key F1 shows the first. */
extern const struct scene *const scene_all[];

/* The scene of that name; NULL with a sentence that lists all names. */
const struct scene *scene_find(const char *name, struct failure *failure);

enum { SCENES_MAX = 8 };

/* Scenes and what is around them, in a GL context. One is shown; those that were shown before wait
 * as they were left. */
struct scene_run {
    const struct scene *scene; /* the one that is shown */
    const struct options *options;
    void *state; /* its */
    struct canvas canvas;
    unsigned frame; /* how many it has had */
    gl_segsort_get_proc_address get_proc_address;
    struct scene_made {
        const struct scene *scene; /* NULL behind the last */
        void *state;
        unsigned frame; /* of one that waits */
    } made[SCENES_MAX];
};

/* Loads GL's functions, of 4.3 at least. */
bool scene_load_gl(gl_segsort_get_proc_address get_proc_address, struct failure *failure);

/* Loads GL and makes the scene and a canvas of the options' size. */
bool scene_run_create(struct scene_run *run, const struct scene *scene,
                      const struct options *options, gl_segsort_get_proc_address get_proc_address,
                      struct failure *failure);
bool scene_run_resize(struct scene_run *run, int width, int height, struct failure *failure);

/* Shows that scene, and makes it if it wasn't shown before. The one before stays where that fails.
 */
bool scene_run_show(struct scene_run *run, const struct scene *scene, struct failure *failure);
bool scene_run_has(const struct scene_run *run, const struct scene *scene);

/* Updates and draws, and makes the canvas's picture. */
bool scene_run_frame(struct scene_run *run, float seconds, struct failure *failure);

/* Whether every scene that was made says that all it sorted was right. */
bool scene_run_finish(struct scene_run *run, struct failure *failure);
void scene_run_destroy(struct scene_run *run);

/* Seconds a frame where the clock must not matter. */
extern const float scene_fixed_step;

/* Runs it in a window until it is closed, and others when the user wants to see them. opened is
 * false, with the reason in failure, when there can be none. Defined in scene_window.c. */
bool scene_show(const struct scene *scene, const struct options *options, bool *opened,
                struct failure *failure);

/* Draws the options' frames without a window, and writes the last one's picture, or those that the
 * scene saves itself. Defined in scene_headless.c. */
bool scene_draw_headless(const struct scene *scene, const struct options *options,
                         struct failure *failure);

#endif
