/* A scene in a window: the clock, the keys and the title. */
#include <stdio.h>

#include "gl_debug.h"
#include "scene.h"
#include "viewer.h"
#include "window.h"

static const float longest_step = 1.0f / 20.0f; /* after a pause, the scene goes on from there */
static const double title_seconds = 0.5;        /* a status may wait for the GPU */

struct scene_window {
    GLFWwindow *handle;
    struct scene_run run;
    bool paused;
    bool save; /* the next picture */
    bool failed;
    double titled; /* when the title was set */
    unsigned titled_frame;
    struct failure *failure;
};

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    (void)scancode;
    (void)modifiers;
    if (action != GLFW_PRESS)
        return;
    if (key == GLFW_KEY_ESCAPE)
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    else if (key == GLFW_KEY_F12)
        window->save = true;
    else if (key == GLFW_KEY_SPACE)
        window->paused = !window->paused;
}

/* Letters as the keyboard's layout has them. */
static void on_character(GLFWwindow *handle, unsigned character)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    if (character > ' ' && character < 127)
        window->run.scene->key(window->run.state, (char)character);
    window->titled = 0;
}

/* A minimised window has no pixels, and keeps its picture. */
static void on_resize(GLFWwindow *handle, int width, int height)
{
    struct scene_window *window = glfwGetWindowUserPointer(handle);
    if (width <= 0 || height <= 0)
        return;
    if (!scene_run_resize(&window->run, width, height, window->failure)) {
        window->failed = true;
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    }
}

static void save(struct scene_window *window)
{
    const char *path = window->run.options->screenshot;
    path = path ? path : "screenshot.png";
    window->save = false;
    if (canvas_save(&window->run.canvas, path, window->failure)) {
        printf("saved %s\n", path);
        fflush(stdout);
    } else {
        fprintf(stderr, "gl_segsort_viewer: %s\n", window->failure->text);
    }
}

static void set_title(struct scene_window *window, double now)
{
    char status[256], title[512];
    double rate = (window->run.frame - window->titled_frame) / (now - window->titled);
    if (window->titled > 0 && now - window->titled < title_seconds)
        return;
    window->run.scene->status(window->run.state, status, sizeof status);
    snprintf(title, sizeof title, "gl_segsort viewer - %s - %s - %.0f frames a second",
             window->run.scene->name, status, rate);
    glfwSetWindowTitle(window->handle, title);
    window->titled = now;
    window->titled_frame = window->run.frame;
}

/* With a number of frames they have fixed steps, so that the last one is the same each time. */
static float next_step(const struct scene_window *window, double now, double last)
{
    float seconds = (float)(now - last);
    if (window->run.options->frames > 0)
        return scene_fixed_step;
    if (window->paused)
        return 0;
    return seconds < longest_step ? seconds : longest_step;
}

static void run_loop(struct scene_window *window)
{
    unsigned frames = (unsigned)window->run.options->frames;
    double last = glfwGetTime();
    while (!glfwWindowShouldClose(window->handle) && !window->failed) {
        double now = glfwGetTime();
        if (!scene_run_frame(&window->run, next_step(window, now, last), window->failure)) {
            window->failed = true;
            return;
        }
        bool done = frames > 0 && window->run.frame >= frames;
        canvas_show(&window->run.canvas);
        if (window->save || (done && window->run.options->screenshot))
            save(window);
        set_title(window, now);
        glfwSwapBuffers(window->handle);
        glfwPollEvents();
        last = now;
        if (done)
            return;
    }
}

static bool run_in_window(struct scene_window *window, const struct scene *scene,
                          const struct options *options)
{
    int width, height;
    struct gl_debug debug;
    if (!viewer_load_gl(glfwGetProcAddress, window->failure))
        return false;
    gl_debug_install(&debug);
    if (!scene_run_create(&window->run, scene, options, glfwGetProcAddress, window->failure))
        return false;
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetCharCallback(window->handle, on_character);
    glfwSetFramebufferSizeCallback(window->handle, on_resize);
    glfwGetFramebufferSize(window->handle, &width, &height);
    on_resize(window->handle, width, height);
    run_loop(window);
    if (!window->failed && scene->finish)
        window->failed = !scene->finish(window->run.state, window->failure);
    scene_run_destroy(&window->run);
    if (!window->failed && gl_debug_count(&debug) > 0)
        return failure_set(window->failure, "%s: GL complained, as told above", scene->name);
    return !window->failed;
}

bool scene_show(const struct scene *scene, const struct options *options, bool *opened,
                struct failure *failure)
{
    struct scene_window window = {.handle = window_open(options, failure), .failure = failure};
    *opened = window.handle != NULL;
    if (!*opened)
        return false;
    bool done = run_in_window(&window, scene, options);
    window_close(window.handle);
    return done;
}
