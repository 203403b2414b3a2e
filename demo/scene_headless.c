/* A scene's frames without a window, through EGL. */
#include <stdio.h>

#include "gl_debug.h"
#include "headless_gl.h"
#include "panel.h"
#include "shell.h"
#include "shell_panels.h"

/* More would let a software driver queue frames until memory is out; fewer would let the GPU wait.
 */
enum { HEADLESS_FRAMES = 120, IN_FLIGHT = 3 };

static const GLuint64 nanoseconds_a_try = 1000000000;

static void wait_for(GLsync *fence)
{
    GLenum state = *fence ? GL_TIMEOUT_EXPIRED : GL_ALREADY_SIGNALED;
    while (state == GL_TIMEOUT_EXPIRED)
        state = glClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, nanoseconds_a_try);
    glDeleteSync(*fence);
    *fence = NULL;
}

static void draw_panels(struct shell *shell)
{
    const struct canvas *canvas = &shell->run.canvas;
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->picture);
    shell_panels_draw(shell, canvas->width, canvas->height, scene_fixed_step);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* A panel is as large as what it held the last time, so each frame has them twice. What they tell of
 * earlier frames is there, so that it doesn't depend on how fast those were. */
static bool draw_frame(struct shell *shell, struct failure *failure)
{
    if (!shell->panels)
        return shell_frame(shell, scene_fixed_step, failure);
    glFinish();
    if (shell->run.frame == 0)
        draw_panels(shell);
    if (!shell_frame(shell, scene_fixed_step, failure))
        return false;
    draw_panels(shell);
    canvas_resolve(&shell->run.canvas);
    draw_panels(shell);
    return true;
}

static bool draw_frames(struct shell *shell, struct failure *failure)
{
    const struct options *options = shell->run.options;
    int own = shell->run.scene->headless_frames;
    int frames = options->frames > 0 ? options->frames : own > 0 ? own : HEADLESS_FRAMES;
    GLsync fences[IN_FLIGHT] = {0};
    double start = shell_clock();
    bool drawn = true;
    for (int frame = 0; frame < frames && drawn; frame++) {
        wait_for(&fences[frame % IN_FLIGHT]);
        drawn = draw_frame(shell, failure);
        fences[frame % IN_FLIGHT] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    for (int i = 0; i < IN_FLIGHT; i++)
        wait_for(&fences[i]);
    double seconds = shell_clock() - start;
    if (drawn)
        printf("drew %d %s in %.2f s: %.4g a second\n", frames, frames == 1 ? "frame" : "frames",
               seconds, seconds > 0 ? frames / seconds : 0);
    return drawn;
}

static bool save_picture(struct scene_run *run, struct failure *failure)
{
    char path[64], status[256];
    snprintf(path, sizeof path, "%s.png", run->scene->name);
    const char *screenshot = run->options->screenshot;
    if (!canvas_save(&run->canvas, screenshot ? screenshot : path, failure))
        return false;
    run->scene->status(run->state, status, sizeof status);
    printf("%s shows frame %u: %s\n", screenshot ? screenshot : path, run->frame, status);
    return true;
}

/* Panels lie over one picture, so that a scene which would save others saves that one. */
static bool save_pictures(struct shell *shell, struct failure *failure)
{
    struct scene_run *run = &shell->run;
    if (run->scene->save && !shell->panels)
        return run->scene->save(run->state, &run->canvas, failure);
    return save_picture(run, failure);
}

static bool run_with_panels(struct shell *shell, struct failure *failure)
{
    if (shell->panels && !panel_create(NULL, 1))
        return failure_set(failure, "--panels on: there can be no panels: out of memory, or "
                                    "without libGL.so, which they find GL's functions by");
    bool done = draw_frames(shell, failure) && save_pictures(shell, failure);
    if (shell->panels)
        panel_destroy();
    return done;
}

static bool run_in_context(const struct scene *scene, const struct options *options,
                           struct failure *failure)
{
    struct shell shell;
    struct gl_debug debug;
    if (!scene_load_gl(headless_gl_get_proc_address, failure))
        return false;
    gl_debug_install(&debug);
    if (!shell_create(&shell, scene, scene_all, options, headless_gl_get_proc_address, &debug,
                      failure))
        return false;
    shell.panels = options->panels == OPTIONS_ON;
    shell.notice.seconds = 0;
    bool done = run_with_panels(&shell, failure) && scene_run_finish(&shell.run, failure);
    shell_destroy(&shell);
    if (done && gl_debug_count(&debug) > 0)
        return failure_set(failure, "%s: GL complained, as told above", scene->name);
    return done;
}

bool scene_draw_headless(const struct scene *scene, const struct options *options,
                         struct failure *failure)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, true))
        return failure_set(failure, "%s", gl.error);
    bool done = run_in_context(scene, options, failure);
    headless_gl_destroy(&gl);
    return done;
}
