/* Scenes in a window, by GLFW: its keys and mouse, the clock and the title. */
#include <stdio.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "gl_debug.h"
#include "panel.h"
#include "scene.h"
#include "shell.h"
#include "shell_panels.h"

static const float longest_step = 1.0f / 20.0f; /* after a pause, the scene goes on from there */
static const double shortest_frame = 1.0 / 250; /* where the monitor doesn't hold frames back */
static const double title_seconds = 0.5;        /* a status may wait for the GPU */

struct scene_window {
    GLFWwindow *handle;
    struct shell shell;
    unsigned drawn; /* frames, of all scenes */
    bool has_panels;
    bool rescaled; /* panels have to be made anew */
    bool dragging;
    double cursor[2];
    bool failed;
    double titled; /* when the title was set; 0: it is out of date */
    unsigned titled_frame;
    struct failure *failure;
};

/* ---------------------------------------------------------------------------------------------- */
/* Keys, mouse, files */

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    struct shell *shell = &window->shell;
    (void)scancode;
    (void)modifiers;
    if (action != GLFW_PRESS || panel_wants_keys())
        return;
    if (key == GLFW_KEY_ESCAPE)
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    else if (key == GLFW_KEY_SPACE)
        shell_pause(shell);
    else if (key == GLFW_KEY_TAB)
        shell_toggle_panels(shell);
    else if (key == GLFW_KEY_F10)
        shell_toggle_help(shell);
    else if (key == GLFW_KEY_F11)
        shell_record(shell);
    else if (key == GLFW_KEY_F12)
        shell_save(shell);
    else if (key >= GLFW_KEY_F1 && key < GLFW_KEY_F10)
        shell_want(shell, (unsigned)(key - GLFW_KEY_F1));
}

/* Letters as the keyboard's layout has them. */
static void on_character(GLFWwindow *handle, unsigned character)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    struct scene_run *run = &window->shell.run;
    if (character <= ' ' || character >= 127 || panel_wants_keys())
        return;
    if (character >= 'A' && character <= 'Z')
        character += 'a' - 'A';
    if (character == 'h')
        shell_toggle_help(&window->shell);
    else
        run->scene->key(run->state, (char)character);
    window->titled = 0;
}

/* Cursor positions come in the window's units, which need not be pixels. */
static bool pixels_a_unit(const struct scene_window *window, float scale[2])
{
    const struct canvas *canvas = &window->shell.run.canvas;
    int width, height;
    glfwGetWindowSize(window->handle, &width, &height);
    if (width <= 0 || height <= 0)
        return false;
    scale[0] = (float)canvas->width / (float)width;
    scale[1] = (float)canvas->height / (float)height;
    return true;
}

static bool on_panel(const struct scene_window *window)
{
    float scale[2];
    return pixels_a_unit(window, scale) && panel_wants_mouse(scale[0] * (float)window->cursor[0],
                                                             scale[1] * (float)window->cursor[1]);
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    (void)modifiers;
    if (button != GLFW_MOUSE_BUTTON_LEFT)
        return;
    window->dragging = action == GLFW_PRESS && !on_panel(window);
}

/* Moves and clicks come one by one, even if there were many in a frame. */
static void on_cursor(GLFWwindow *handle, double x, double y)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    const struct scene_run *run = &window->shell.run;
    float scale[2], by[2] = {(float)(x - window->cursor[0]), (float)(y - window->cursor[1])};
    window->cursor[0] = x;
    window->cursor[1] = y;
    if (window->dragging && run->scene->drag && pixels_a_unit(window, scale))
        run->scene->drag(run->state, scale[0] * by[0], scale[1] * by[1]);
}

static void on_scroll(GLFWwindow *handle, double x, double y)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    const struct scene_run *run = &window->shell.run;
    (void)x;
    if (run->scene->wheel && !on_panel(window))
        run->scene->wheel(run->state, (float)y);
}

static void on_drop(GLFWwindow *handle, int count, const char **paths)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    for (int i = 0; i < count; i++)
        shell_drop(&window->shell, paths[i]);
    window->titled = 0;
}

/* A minimised window has no pixels, and keeps its picture. */
static void on_resize(GLFWwindow *handle, int width, int height)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    if (width <= 0 || height <= 0)
        return;
    if (!scene_run_resize(&window->shell.run, width, height, window->failure)) {
        window->failed = true;
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    }
}

static void on_scale(GLFWwindow *handle, float x, float y)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    (void)x;
    (void)y;
    window->rescaled = true;
}

/* Panels come after them: theirs are called behind these. */
static void set_callbacks(struct scene_window *window)
{
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetCharCallback(window->handle, on_character);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetCursorPosCallback(window->handle, on_cursor);
    glfwSetScrollCallback(window->handle, on_scroll);
    glfwSetDropCallback(window->handle, on_drop);
    glfwSetFramebufferSizeCallback(window->handle, on_resize);
    glfwSetWindowContentScaleCallback(window->handle, on_scale);
}

/* ---------------------------------------------------------------------------------------------- */
/* Frames */

static bool make_panels(struct scene_window *window)
{
    float x = 1, y = 1;
    glfwGetWindowContentScale(window->handle, &x, &y);
    if (window->has_panels)
        panel_destroy();
    window->has_panels = panel_create(window->handle, x > y ? x : y);
    window->rescaled = false;
    return window->has_panels ||
           failure_set(window->failure, "there can be no panels: memory is out, or GL's functions "
                                        "can't be found");
}

static void set_title(struct scene_window *window, double now)
{
    const struct scene_run *run = &window->shell.run;
    char status[256], title[512];
    double rate = (window->drawn - window->titled_frame) / (now - window->titled);
    if (window->titled > 0 && now - window->titled < title_seconds)
        return;
    run->scene->status(run->state, status, sizeof status);
    if (window->shell.paused)
        snprintf(title, sizeof title, "gl_segsort viewer - %s - %s - paused", run->scene->name,
                 status);
    else
        snprintf(title, sizeof title, "gl_segsort viewer - %s - %s - %.0f frames a second",
                 run->scene->name, status, rate);
    glfwSetWindowTitle(window->handle, title);
    window->titled = now;
    window->titled_frame = window->drawn;
}

/* Frames that are saved one by one, and a number of frames, have fixed steps, so that the last one
 * is the same each time. */
static float next_step(const struct scene_window *window, double since)
{
    if (window->shell.run.options->frames > 0 || window->shell.recording.on)
        return scene_fixed_step;
    return since < longest_step ? (float)since : longest_step;
}

static bool is_hidden(GLFWwindow *handle)
{
    int width, height;
    glfwGetFramebufferSize(handle, &width, &height);
    return width <= 0 || height <= 0 || glfwGetWindowAttrib(handle, GLFW_ICONIFIED) ||
           !glfwGetWindowAttrib(handle, GLFW_VISIBLE);
}

static bool draw_frame(struct scene_window *window, double since)
{
    const struct options *options = window->shell.run.options;
    const struct canvas *canvas = &window->shell.run.canvas;
    bool last = options->frames > 0 && window->drawn + 1 == (unsigned)options->frames;
    if (window->rescaled && !make_panels(window))
        return false;
    window->shell.save = window->shell.save || (last && options->screenshot);
    if (!shell_frame(&window->shell, next_step(window, since), window->failure))
        return false;
    canvas_show(canvas);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    shell_panels_draw(&window->shell, canvas->width, canvas->height, (float)since);
    window->drawn++;
    if (last)
        glfwSetWindowShouldClose(window->handle, GLFW_TRUE);
    return true;
}

static void run_loop(struct scene_window *window)
{
    double last = glfwGetTime();
    while (!glfwWindowShouldClose(window->handle) && !window->failed) {
        double now = glfwGetTime();
        if (is_hidden(window->handle)) {
            glfwWaitEventsTimeout(title_seconds);
            frame_times_skip(&window->shell.times);
            last = glfwGetTime();
            continue;
        }
        window->failed = !draw_frame(window, now - last);
        if (window->failed)
            return;
        set_title(window, now);
        glfwSwapBuffers(window->handle);
        glfwPollEvents();
        double left = shortest_frame - (glfwGetTime() - now);
        if (left > 0 && window->shell.run.options->frames == 0)
            glfwWaitEventsTimeout(left);
        last = now;
    }
}

static void run_with_shell(struct scene_window *window)
{
    int width, height;
    window->shell.panels = window->shell.run.options->panels != OPTIONS_OFF;
    set_callbacks(window);
    glfwGetCursorPos(window->handle, &window->cursor[0], &window->cursor[1]);
    window->failed = !make_panels(window);
    glfwGetFramebufferSize(window->handle, &width, &height);
    if (!window->failed)
        on_resize(window->handle, width, height);
    run_loop(window);
    if (window->has_panels)
        panel_destroy();
}

static bool run_in_window(struct scene_window *window, const struct scene *scene,
                          const struct options *options)
{
    struct gl_debug debug;
    if (!scene_load_gl(glfwGetProcAddress, window->failure))
        return false;
    gl_debug_install(&debug);
    if (!shell_create(&window->shell, scene, scene_all, options, glfwGetProcAddress, &debug,
                      window->failure))
        return false;
    run_with_shell(window);
    window->failed = window->failed || !scene_run_finish(&window->shell.run, window->failure);
    shell_destroy(&window->shell);
    if (!window->failed && gl_debug_count(&debug) > 0)
        return failure_set(window->failure, "GL complained, as told above");
    return !window->failed;
}

/* ---------------------------------------------------------------------------------------------- */
/* The window */

static void on_error(int code, const char *description)
{
    (void)code;
    fprintf(stderr, "GLFW: %s\n", description);
}

static GLFWwindow *open_window(const struct options *options, struct failure *failure)
{
    const char *reason = NULL;
    if (!glfwInit()) {
        glfwGetError(&reason);
        failure_set(failure, "no window: %s", reason ? reason : "GLFW does not start");
        return NULL;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); /* the picture has its own */
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, !options->sized);
    GLFWwindow *handle =
        glfwCreateWindow(options->width, options->height, "gl_segsort viewer", NULL, NULL);
    if (handle) {
        glfwSetErrorCallback(on_error);
        glfwMakeContextCurrent(handle);
        glfwSwapInterval(1);
        return handle;
    }
    glfwGetError(&reason);
    failure_set(failure,
                "no window with OpenGL 4.3: %s; a newer graphics driver may have it, and "
                "LIBGL_ALWAYS_SOFTWARE=1 draws by the CPU",
                reason ? reason : "GLFW gives no reason");
    glfwTerminate();
    return NULL;
}

bool scene_show(const struct scene *scene, const struct options *options, bool *opened,
                struct failure *failure)
{
    struct scene_window window = {.handle = open_window(options, failure), .failure = failure};
    *opened = window.handle != NULL;
    if (!*opened)
        return false;
    bool done = run_in_window(&window, scene, options);
    glfwDestroyWindow(window.handle);
    glfwTerminate();
    return done;
}
