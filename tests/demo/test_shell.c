/* The shell around the scenes, with scenes made for these tests: switching, files, pictures of every
 * frame, times, messages of GL, and panels. It writes into the folder that it runs in. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "headless_gl.h"
#include "panel.h"
#include "shell.h"
#include "shell_panels.h"

enum { WIDTH = 320, HEIGHT = 240, PIXEL_BYTES = 3 * WIDTH * HEIGHT, ROWS = 1000 };

static struct failure failure;
static struct gl_debug debug;
static struct shell shell;

/* ---------------------------------------------------------------------------------------------- */
/* Scenes */

/* What was asked of one. */
struct log {
    int created, destroyed, width, height;
    int covered[2];
    unsigned frame;
    float seconds;
    char dropped[64];
};

static struct log plain, taker;
static bool update_fails;

static void *create_plain(const struct scene_setup *setup, struct failure *reason)
{
    (void)setup;
    (void)reason;
    plain.created++;
    return &plain;
}

static void *create_taker(const struct scene_setup *setup, struct failure *reason)
{
    (void)setup;
    (void)reason;
    taker.created++;
    return &taker;
}

static void *create_none(const struct scene_setup *setup, struct failure *reason)
{
    (void)setup;
    failure_set(reason, "there is no such thing");
    return NULL;
}

static void destroy(void *state)
{
    ((struct log *)state)->destroyed++;
}

static void resize(void *state, int width, int height)
{
    struct log *log = state;
    log->width = width;
    log->height = height;
}

static void cover(void *state, int left, int right)
{
    struct log *log = state;
    log->covered[0] = left;
    log->covered[1] = right;
}

static bool update(void *state, unsigned frame, float seconds, struct failure *reason)
{
    struct log *log = state;
    log->frame = frame;
    log->seconds = seconds;
    return !update_fails || failure_set(reason, "the plain scene is out of order");
}

static void draw(void *state, GLuint framebuffer)
{
    (void)state;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void key(void *state, char character)
{
    (void)state;
    (void)character;
}

static void status(void *state, char *text, size_t size)
{
    (void)state;
    snprintf(text, size, "well");
}

static bool drop(void *state, const char *path, struct failure *reason)
{
    struct log *log = state;
    if (strstr(path, "broken"))
        return failure_set(reason, "%s: broken", path);
    snprintf(log->dropped, sizeof log->dropped, "%s", path);
    return true;
}

/* What comes of a file that loads while frames go on. */
static enum { NOTHING, OPENED, BROKEN } outcome;

static bool loaded(void *state, bool *well, char *text, size_t size, struct failure *reason)
{
    (void)state;
    if (outcome == NOTHING)
        return false;
    *well = outcome == OPENED;
    snprintf(text, size, "some.obj: 7 triangles");
    failure_set(reason, "some.obj: no triangles");
    outcome = NOTHING;
    return true;
}

/* A plan of two segments, which sorts whenever it is updated. */
static struct {
    gl_segsort_context *context;
    gl_segsort_plan *plan;
    GLuint buffers[2];
} sorting;

static bool sort(void *state, unsigned frame, float seconds, struct failure *reason)
{
    const gl_segsort_sort_desc desc = {.keys = {sorting.buffers[0], 0, ROWS},
                                       .output_keys = {sorting.buffers[1], 0, ROWS}};
    return update(state, frame, seconds, reason) &&
           (gl_segsort_sort(sorting.plan, &desc) == GL_SEGSORT_SUCCESS ||
            failure_set(reason, "%s", gl_segsort_last_error(sorting.context)));
}

static size_t plans(void *state, struct scene_plan *list, size_t room)
{
    (void)state;
    if (room > 0)
        list[0] = (struct scene_plan){"the plan", sorting.plan, 0};
    return room > 0;
}

static bool plain_wrong;

static bool finish(void *state, struct failure *reason)
{
    return state != &plain || !plain_wrong || failure_set(reason, "a row is missing");
}

#define COMMON                                                                                     \
    .help = "x  nothing\n", .resize = resize, .draw = draw, .key = key, .status = status,          \
    .destroy = destroy, .cover = cover, .finish = finish
static const struct scene scene_plain = {
    .name = "plain", .create = create_plain, .update = update, COMMON};
static const struct scene scene_taker = {
    .name = "taker", .create = create_taker, .update = update, .drop = drop, COMMON};
static const struct scene scene_loader = {.name = "loader",
                                          .create = create_taker,
                                          .update = update,
                                          .drop = drop,
                                          .loaded = loaded,
                                          COMMON};
static const struct scene scene_none = {
    .name = "none", .create = create_none, .update = update, COMMON};
static const struct scene scene_sorts = {
    .name = "sorts", .create = create_plain, .update = sort, .plans = plans, COMMON};

static const struct scene *const scenes[] = {&scene_plain, &scene_taker, &scene_none, NULL};
static const struct scene *const loaders[] = {&scene_loader, NULL};
static const struct scene *const no_takers[] = {&scene_plain, &scene_none, NULL};

/* ---------------------------------------------------------------------------------------------- */

static const struct options options = {
    .scene = "plain", .width = WIDTH, .height = HEIGHT, .screenshot = "test shell.png"};

static bool start(const struct scene *scene, const struct scene *const *all)
{
    plain = taker = (struct log){0};
    update_fails = false;
    return CHECK(
        shell_create(&shell, scene, all, &options, headless_gl_get_proc_address, &debug, &failure),
        "%s", failure.text);
}

static void draw_frames(int count)
{
    for (int i = 0; i < count; i++)
        CHECK(shell_frame(&shell, scene_fixed_step, &failure), "%s", failure.text);
}

static void switching(void)
{
    if (!start(&scene_plain, scenes))
        return;
    draw_frames(3);
    shell_want(&shell, 1);
    draw_frames(1);
    CHECK(shell.run.scene == &scene_plain && strstr(shell.notice.text, "taker"),
          "no picture says that the scene starts: \"%s\"", shell.notice.text);
    draw_frames(2);
    CHECK(shell.run.scene == &scene_taker && taker.created == 1, "the scene isn't shown");
    CHECK(taker.width == WIDTH && taker.height == HEIGHT, "a scene of %dx%d", taker.width,
          taker.height);
    CHECK(taker.frame == 1, "a new scene's second frame is its frame %u", taker.frame);
    CHECK(scene_run_resize(&shell.run, 64, 32, &failure), "%s", failure.text);
    shell_want(&shell, 0);
    draw_frames(1);
    CHECK(shell.run.scene == &scene_plain && plain.created == 1, "a scene is made again");
    CHECK(plain.width == 64 && plain.height == 32, "it missed a resize");
    CHECK(plain.frame == 4, "it goes on with frame %u", plain.frame);
    CHECK(plain.destroyed == 0 && taker.destroyed == 0, "a scene is gone");
    shell_want(&shell, 3);
    CHECK(!shell.wanted, "there is no fourth scene");
    shell_destroy(&shell);
    CHECK(plain.destroyed == 1 && taker.destroyed == 1, "scenes are left");
}

/* Scenes that wait are asked as well. */
static void finishing(void)
{
    if (!start(&scene_plain, scenes))
        return;
    shell_want(&shell, 1);
    draw_frames(3);
    CHECK(shell.run.scene == &scene_taker, "the other scene isn't shown");
    CHECK(scene_run_finish(&shell.run, &failure), "%s", failure.text);
    plain_wrong = true;
    CHECK(!scene_run_finish(&shell.run, &failure) && strcmp(failure.text, "a row is missing") == 0,
          "what was wrong is forgotten");
    plain_wrong = false;
    shell_destroy(&shell);
}

static void scene_that_fails(void)
{
    if (!start(&scene_plain, scenes))
        return;
    shell_want(&shell, 2);
    draw_frames(3);
    CHECK(shell.run.scene == &scene_plain && plain.frame == 2, "the old scene doesn't go on");
    CHECK(shell.notice.warning && shell.notice.seconds > 0 &&
              strcmp(shell.notice.text, "there is no such thing") == 0,
          "the window says \"%s\"", shell.notice.text);
    update_fails = true;
    CHECK(!shell_frame(&shell, 0, &failure) && strstr(failure.text, "out of order"),
          "a scene that is out of order goes on");
    shell_destroy(&shell);
    CHECK(!shell_create(&shell, &scene_none, scenes, &options, headless_gl_get_proc_address, &debug,
                        &failure) &&
              strstr(failure.text, "no such thing"),
          "a shell without a scene");
}

static void pause(void)
{
    if (!start(&scene_plain, scenes))
        return;
    shell_pause(&shell);
    draw_frames(1);
    CHECK(plain.seconds == 0, "%f seconds in a pause", (double)plain.seconds);
    shell_pause(&shell);
    draw_frames(1);
    CHECK(plain.seconds == scene_fixed_step, "%f seconds behind it", (double)plain.seconds);
    shell_destroy(&shell);
}

static void files(void)
{
    if (!start(&scene_plain, scenes))
        return;
    draw_frames(1);
    shell_drop(&shell, "some.obj");
    CHECK(shell.run.scene == &scene_taker && strcmp(taker.dropped, "some.obj") == 0,
          "the file went to \"%s\"", shell.run.scene->name);
    CHECK(strstr(shell.notice.text, "some.obj") && !shell.notice.warning, "the window says \"%s\"",
          shell.notice.text);
    shell_drop(&shell, "broken.obj");
    CHECK(shell.notice.warning && strcmp(shell.notice.text, "broken.obj: broken") == 0,
          "the window says \"%s\"", shell.notice.text);
    draw_frames(1);
    shell_destroy(&shell);
    if (!start(&scene_plain, no_takers))
        return;
    shell_drop(&shell, "some.obj");
    CHECK(shell.notice.warning && strstr(shell.notice.text, "some.obj") &&
              shell.run.scene == &scene_plain,
          "nobody takes the file: \"%s\"", shell.notice.text);
    shell_destroy(&shell);
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void remove_pictures(void)
{
    static const char *const names[] = {"test shell-0001.png", "test shell-0002.png",
                                        "test shell-0003.png", "test shell-0004.png"};
    for (size_t i = 0; i < 4; i++)
        remove(names[i]);
}

static void files_that_load(void)
{
    if (!start(&scene_loader, loaders))
        return;
    shell_drop(&shell, "some.obj");
    draw_frames(2);
    CHECK(strcmp(shell.notice.text, "loader opens some.obj ...") == 0 && !shell.notice.warning,
          "the window says \"%s\"", shell.notice.text);
    outcome = OPENED;
    draw_frames(2);
    CHECK(strcmp(shell.notice.text, "loader opened some.obj: 7 triangles") == 0 &&
              !shell.notice.warning,
          "the window says \"%s\"", shell.notice.text);
    outcome = BROKEN;
    draw_frames(2);
    CHECK(strcmp(shell.notice.text, "some.obj: no triangles") == 0 && shell.notice.warning,
          "the window says \"%s\"", shell.notice.text);
    shell_destroy(&shell);
}

static void recording(void)
{
    remove_pictures();
    FILE *file = fopen("test shell-0002.png", "wb");
    if (!CHECK(file != NULL, "no file can be written here"))
        return;
    fputs("mine", file);
    fclose(file);
    if (!start(&scene_plain, scenes))
        return;
    shell_record(&shell);
    draw_frames(2);
    shell_record(&shell);
    CHECK(strcmp(shell.notice.text, "saved 2 frames, test shell-0001.png to test shell-0003.png") ==
              0,
          "the window says \"%s\"", shell.notice.text);
    draw_frames(2);
    CHECK(size_of("test shell-0001.png") > 100 && size_of("test shell-0003.png") > 100,
          "a frame is missing");
    CHECK(size_of("test shell-0002.png") == 4, "a file was overwritten");
    CHECK(size_of("test shell-0004.png") < 0, "a frame too many");
    shell_record(&shell);
    draw_frames(1);
    CHECK(size_of("test shell-0004.png") > 100, "the second sequence doesn't go on behind it");
    shell_destroy(&shell);
    remove_pictures();
}

/* ---------------------------------------------------------------------------------------------- */
/* Times */

static void smoothing(void)
{
    const gl_segsort_plan *plan = (const gl_segsort_plan *)&sorting,
                          *other = (const gl_segsort_plan *)&shell;
    double milliseconds[2] = {0, 0};
    gl_segsort_timings timings = {milliseconds, 2, 0};
    struct plan_times times = {0};
    plan_times_take(&times, plan, &timings);
    CHECK(times.clock == PLAN_CLOCK_WAITS, "no sort has ended");
    for (timings.sort_number = 1; timings.sort_number <= 3; timings.sort_number++)
        plan_times_take(&times, plan, &timings);
    CHECK(times.clock == PLAN_CLOCK_STANDS, "three sorts in no time");
    milliseconds[0] = 1;
    milliseconds[1] = 3;
    timings.sort_number = 9;
    CHECK(plan_times_take(&times, other, &timings) == 4, "another plan's first sort");
    CHECK(times.clock == PLAN_CLOCK_RUNS && times.passes[1] == 3 && times.total == 4,
          "the first times are shown as %f of %f", times.passes[1], times.total);
    milliseconds[1] = 4;
    timings.sort_number = 11;
    CHECK(plan_times_take(&times, other, &timings) == 10, "two sorts of 5 ms");
    CHECK(times.passes[1] > 3 && times.passes[1] < 4, "3, then 4, is shown as %f", times.passes[1]);
    CHECK(plan_times_take(&times, other, &timings) == 0, "the same sort counts twice");
    plan_times_take(&times, other, NULL);
    CHECK(times.clock == PLAN_CLOCK_NONE, "a plan without times has some");
    plan_times_destroy(&times);
}

static bool make_plan(void)
{
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 400}, {400, 400, 400, 400, 600}};
    const gl_segsort_context_desc context_desc = {.get_proc_address = headless_gl_get_proc_address};
    const gl_segsort_plan_desc desc = {.segments = segments,
                                       .segment_count = 2,
                                       .value_type = GL_SEGSORT_VALUE_NONE,
                                       .timed = true};
    glGenBuffers(2, sorting.buffers);
    for (int i = 0; i < 2; i++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, sorting.buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, ROWS * 4, NULL, GL_STATIC_DRAW);
    }
    return CHECK(gl_segsort_context_create(&context_desc, &sorting.context) == GL_SEGSORT_SUCCESS &&
                     gl_segsort_plan_create(sorting.context, &desc, &sorting.plan) ==
                         GL_SEGSORT_SUCCESS,
                 "no plan");
}

static void free_plan(void)
{
    gl_segsort_plan_destroy(sorting.plan);
    gl_segsort_context_destroy(sorting.context);
    glDeleteBuffers(2, sorting.buffers);
}

static void draw_panels(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, shell.run.canvas.picture);
    shell_panels_draw(&shell, WIDTH, HEIGHT, scene_fixed_step);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* Whether anything but the scene's blue is in the picture. */
static bool has_panels(void)
{
    static unsigned char rgb[PIXEL_BYTES];
    canvas_read(&shell.run.canvas, rgb);
    for (int i = 0; i < PIXEL_BYTES; i += 3)
        if (rgb[i] != 0 || rgb[i + 1] != 0 || rgb[i + 2] != 255)
            return true;
    return false;
}

static bool show_panels(bool panels, bool help, const char *notice)
{
    shell.panels = panels;
    shell.help = help;
    shell_tell(&shell, "%s", notice);
    shell.notice.seconds = notice[0] != '\0' ? 1 : 0;
    for (int i = 0; i < 3; i++) {
        draw_frames(1);
        draw_panels();
    }
    return has_panels();
}

static void panels_and_times(void)
{
    gl_segsort_plan_description description;
    if (!make_plan() || !start(&scene_sorts, scenes))
        return;
    if (!CHECK(panel_create(NULL, 1), "no panels"))
        return;
    CHECK(!show_panels(false, false, ""), "hidden panels are seen");
    CHECK(show_panels(true, false, ""), "no panels are seen");
    CHECK(show_panels(false, true, ""), "no help is seen");
    CHECK(show_panels(false, false, "hello"), "no notice is seen");
    for (int i = 0; i < 70; i++)
        draw_panels();
    draw_frames(1);
    draw_panels();
    CHECK(!has_panels(), "a notice stays for ever");
    glFinish();
    draw_frames(1);
    gl_segsort_plan_describe(sorting.plan, &description);
    CHECK(shell.times.plan_count == 1 && shell.times.plan_times[0].sort_number > 2 &&
              shell.times.plan_times[0].pass_count == description.pass_count &&
              shell.times.plan_times[0].clock != PLAN_CLOCK_NONE,
          "%zu plans, sort %d", shell.times.plan_count, (int)shell.times.plan_times[0].sort_number);
    CHECK(shell.times.frame > 0, "frames take no time");
    panel_destroy();
    shell_destroy(&shell);
    free_plan();
    CHECK(gl_debug_count(&debug) == 0, "GL complained");
}

/* What the scene hears of panels in a picture of that width, after two frames of them. */
static void check_cover(bool panels, int width, int left, int right)
{
    CHECK(scene_run_resize(&shell.run, width, HEIGHT, &failure), "%s", failure.text);
    shell.panels = panels;
    for (int i = 0; i < 3; i++) {
        draw_frames(1);
        glBindFramebuffer(GL_FRAMEBUFFER, shell.run.canvas.picture);
        shell_panels_draw(&shell, width, HEIGHT, scene_fixed_step);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    CHECK(plain.covered[0] == left && plain.covered[1] == right,
          "panels cover %d and %d of %d pixels, not %d and %d", plain.covered[0], plain.covered[1],
          width, left, right);
}

/* Panels are 300 and 340 pixels wide, 10 from the border; narrow pictures have them folded. */
static void covering(void)
{
    if (!start(&scene_plain, scenes) || !CHECK(panel_create(NULL, 1), "no panels"))
        return;
    check_cover(true, 1280, 310, 350);
    check_cover(false, 1280, 0, 0);
    check_cover(true, 800, 310, 0);
    check_cover(true, WIDTH, 0, 0);
    panel_destroy();
    /* As large as the picture is wide. */
    if (CHECK(panel_create(NULL, 2), "no panels")) {
        check_cover(true, 2560, 620, 700);
        check_cover(true, 1280, 620, 0);
        check_cover(true, 1000, 0, 0);
        panel_destroy();
    }
    shell_destroy(&shell);
}

/* ---------------------------------------------------------------------------------------------- */

static void say(GLenum type, GLuint id, GLenum severity, const char *text)
{
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, type, id, severity, -1, text);
}

static void messages(void)
{
    char text[32];
    gl_debug_install(&debug);
    if (!CHECK(debug.debug_context, "no debug context"))
        return;
    say(GL_DEBUG_TYPE_OTHER, 1, GL_DEBUG_SEVERITY_NOTIFICATION, "chatter");
    say(GL_DEBUG_TYPE_PERFORMANCE, 2, GL_DEBUG_SEVERITY_MEDIUM, "slow");
    say(GL_DEBUG_TYPE_ERROR, 3, GL_DEBUG_SEVERITY_HIGH, "wrong");
    say(GL_DEBUG_TYPE_PERFORMANCE, 2, GL_DEBUG_SEVERITY_MEDIUM, "slow");
    CHECK(debug.high == 1 && debug.medium == 2, "%u high, %u medium", debug.high, debug.medium);
    CHECK(gl_debug_count(&debug) == 1, "%u that count", gl_debug_count(&debug));
    CHECK(gl_debug_kept(&debug) == 2 && strcmp(gl_debug_message(&debug, 0)->text, "wrong") == 0 &&
              strcmp(gl_debug_message(&debug, 1)->text, "slow") == 0 &&
              gl_debug_message(&debug, 1)->repeat == 2,
          "%u are kept", gl_debug_kept(&debug));
    for (GLuint i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "low %u", i);
        say(GL_DEBUG_TYPE_OTHER, i, GL_DEBUG_SEVERITY_LOW, text);
    }
    CHECK(gl_debug_kept(&debug) == GL_DEBUG_KEPT &&
              strcmp(gl_debug_message(&debug, 0)->text, "low 39") == 0 &&
              strcmp(gl_debug_message(&debug, GL_DEBUG_KEPT - 1)->text, "low 8") == 0,
          "the oldest kept is \"%s\"", gl_debug_message(&debug, GL_DEBUG_KEPT - 1)->text);
    gl_debug_install(&debug);
    glEnable(GL_TEXTURE_2D + 1); /* no such thing */
    CHECK(gl_debug_count(&debug) >= 1, "an error of GL isn't told");
    gl_debug_install(&debug);
}

static struct headless_gl gl;

static void context(void)
{
    CHECK(headless_gl_create(&gl, 4, 3, true), "%s", gl.error);
    CHECK(scene_load_gl(headless_gl_get_proc_address, &failure), "%s", failure.text);
    gl_debug_install(&debug);
}

/* Each test needs the context, so a test that is chosen by its name makes it too. */
#define WITH_CONTEXT(test)                                                                         \
    static void test_##test(void)                                                                  \
    {                                                                                              \
        if (!gl.context)                                                                           \
            context();                                                                             \
        if (gl.context)                                                                            \
            test();                                                                                \
    }
WITH_CONTEXT(switching)
WITH_CONTEXT(finishing)
WITH_CONTEXT(scene_that_fails)
WITH_CONTEXT(pause)
WITH_CONTEXT(files)
WITH_CONTEXT(files_that_load)
WITH_CONTEXT(recording)
WITH_CONTEXT(panels_and_times)
WITH_CONTEXT(covering)
WITH_CONTEXT(messages)

CHECK_MAIN(CHECK_TEST(test_switching), CHECK_TEST(test_finishing),
           CHECK_TEST(test_scene_that_fails), CHECK_TEST(test_pause), CHECK_TEST(test_files),
           CHECK_TEST(test_files_that_load), CHECK_TEST(test_recording), CHECK_TEST(smoothing),
           CHECK_TEST(test_panels_and_times), CHECK_TEST(test_covering), CHECK_TEST(test_messages))
