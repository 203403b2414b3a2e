/* The window and its keys, by GLFW. */
#include "window.h"

#include <stdio.h>

#include "viewer.h"

static const float radians_per_pixel = 0.007f;

struct window {
    GLFWwindow *handle;
    struct viewer viewer;
    enum order order;
    bool changed; /* the picture is out of date */
    bool save;    /* the next picture */
    bool dragging;
    double cursor[2];
    bool failed;
    struct failure *failure;
};

static void on_error(int code, const char *description)
{
    (void)code;
    fprintf(stderr, "GLFW: %s\n", description);
}

static void set_title(struct window *window)
{
    char title[512];
    snprintf(title, sizeof title, "gl_segsort viewer - %s - %s (%u triangles, %u segments)",
             window->viewer.mesh->name,
             window->order == ORDER_FILE ? "1 file order" : "2 Morton order",
             window->viewer.mesh->triangle_count, window->viewer.mesh->segment_count);
    glfwSetWindowTitle(window->handle, title);
}

static void show_order(struct window *window, enum order order)
{
    window->order = order;
    window->changed = true;
    set_title(window);
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    (void)scancode;
    (void)modifiers;
    if (action != GLFW_PRESS)
        return;
    if (key == GLFW_KEY_1 || key == GLFW_KEY_KP_1)
        show_order(window, ORDER_FILE);
    else if (key == GLFW_KEY_2 || key == GLFW_KEY_KP_2)
        show_order(window, ORDER_MORTON);
    else if (key == GLFW_KEY_S)
        window->save = window->changed = true;
    else if (key == GLFW_KEY_ESCAPE)
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    (void)modifiers;
    if (button != GLFW_MOUSE_BUTTON_LEFT)
        return;
    window->dragging = action == GLFW_PRESS;
    glfwGetCursorPos(handle, &window->cursor[0], &window->cursor[1]);
}

static void on_cursor(GLFWwindow *handle, double x, double y)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    if (!window->dragging)
        return;
    camera_orbit(&window->viewer.camera, radians_per_pixel * (float)(x - window->cursor[0]),
                 radians_per_pixel * (float)(y - window->cursor[1]));
    window->cursor[0] = x;
    window->cursor[1] = y;
    window->changed = true;
}

static void on_scroll(GLFWwindow *handle, double x, double y)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    (void)x;
    camera_zoom(&window->viewer.camera, (float)y);
    window->changed = true;
}

static void on_refresh(GLFWwindow *handle)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    window->changed = true;
}

/* A minimised window has no pixels, and keeps its picture. */
static void on_resize(GLFWwindow *handle, int width, int height)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    if (width <= 0 || height <= 0)
        return;
    if (!renderer_resize(&window->viewer.renderer, width, height, window->failure)) {
        window->failed = true;
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    }
    window->changed = true;
}

static void set_callbacks(struct window *window)
{
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetCursorPosCallback(window->handle, on_cursor);
    glfwSetScrollCallback(window->handle, on_scroll);
    glfwSetWindowRefreshCallback(window->handle, on_refresh);
    glfwSetFramebufferSizeCallback(window->handle, on_resize);
}

static void save(struct window *window)
{
    const char *path = window->viewer.options->screenshot;
    path = path ? path : "screenshot.png";
    window->save = false;
    if (viewer_save(&window->viewer, path, window->failure)) {
        printf("saved %s\n", path);
        fflush(stdout);
    } else {
        fprintf(stderr, "gl_segsort_viewer: %s\n", window->failure->text);
    }
}

static void draw_frame(struct window *window)
{
    renderer_draw(&window->viewer.renderer, &window->viewer.camera, window->order);
    canvas_show(&window->viewer.renderer.canvas);
    if (window->save)
        save(window);
    glfwSwapBuffers(window->handle);
    window->changed = false;
}

/* Draws when something changed; with a number of frames, as many as that, one after the other. */
static void run_loop(struct window *window)
{
    const struct options *options = window->viewer.options;
    for (int frame = 1; !glfwWindowShouldClose(window->handle); frame++) {
        if (options->frames > 0)
            glfwPollEvents();
        while (options->frames == 0 && !window->changed && !glfwWindowShouldClose(window->handle))
            glfwWaitEvents();
        if (glfwWindowShouldClose(window->handle))
            return;
        bool last = options->frames > 0 && frame >= options->frames;
        window->save = window->save || (last && options->screenshot);
        draw_frame(window);
        if (last)
            return;
    }
}

GLFWwindow *window_open(const struct options *options, struct failure *failure)
{
    const char *reason = NULL;
    if (!glfwInit()) {
        glfwGetError(&reason);
        failure_set(failure, "%s", reason ? reason : "GLFW does not start");
        return NULL;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); /* the picture has its own */
    GLFWwindow *handle =
        glfwCreateWindow(options->width, options->height, "gl_segsort viewer", NULL, NULL);
    if (handle) {
        glfwSetErrorCallback(on_error);
        glfwMakeContextCurrent(handle);
        glfwSwapInterval(1);
        return handle;
    }
    glfwGetError(&reason);
    failure_set(failure, "no window with OpenGL 4.3: %s", reason ? reason : "GLFW gives no reason");
    glfwTerminate();
    return NULL;
}

void window_close(GLFWwindow *window)
{
    glfwDestroyWindow(window);
    glfwTerminate();
}

static bool run_in_window(struct window *window, const struct options *options,
                          const struct mesh *mesh)
{
    int width, height;
    if (!viewer_create(&window->viewer, options, mesh, glfwGetProcAddress, window->failure))
        return false;
    set_callbacks(window);
    show_order(window, ORDER_MORTON);
    glfwGetFramebufferSize(window->handle, &width, &height);
    on_resize(window->handle, width, height);
    run_loop(window);
    if (!viewer_destroy(&window->viewer) && !window->failed)
        return failure_set(window->failure,
                           "%s: the order is wrong or GL complained, as told above", mesh->name);
    return !window->failed;
}

bool window_run(const struct options *options, const struct mesh *mesh, bool *opened,
                struct failure *failure)
{
    struct window window = {.handle = window_open(options, failure), .failure = failure};
    *opened = window.handle != NULL;
    if (!*opened)
        return false;
    bool done = run_in_window(&window, options, mesh);
    window_close(window.handle);
    return done;
}
