/* Files that are opened while the scene of a mesh runs: at once where there is no window, else in a
 * thread. */
#include <string.h>
#include <time.h>

#include "morton_run.h"

static void files_are_opened_and_refused(void)
{
    struct scene_run run;
    struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    write_file("good.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
    write_file("broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    CHECK(scene_morton.drop(scene, "good.obj", &failure), "%s", failure.text);
    CHECK(scene->model->mesh.triangle_count == 2, "%u triangles",
          scene->model->mesh.triangle_count);
    draw_frame(&run);
    static const char *const bad[] = {"broken.obj", "missing.obj", "."};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        failure.text[0] = '\0';
        CHECK(!scene_morton.drop(scene, bad[i], &failure), "%s was opened", bad[i]);
        CHECK(strstr(failure.text, bad[i]), "%s isn't named: %s", bad[i], failure.text);
        CHECK(strcmp(failure.text, scene->trouble.text) == 0, "%s", scene->trouble.text);
        CHECK(strcmp(scene->model->mesh.name, "good.obj") == 0, "%s is shown",
              scene->model->mesh.name);
        draw_frame(&run);
    }
    CHECK(scene_morton.drop(scene, "generated", &failure), "%s", failure.text);
    CHECK(scene->trouble.text[0] == '\0', "%s", scene->trouble.text);
    draw_frame(&run);
    CHECK(scene_morton.finish(scene, &failure), "%s", failure.text);
    scene_run_destroy(&run);
    remove("good.obj");
    remove("broken.obj");
}

/* Draws until nothing is loaded. */
static void wait_for_loader(struct scene_run *run)
{
    const struct morton_scene *scene = run->state;
    for (int frame = 0; frame < 3000 && mesh_loader_busy(&scene->loader); frame++) {
        const struct timespec pause = {.tv_nsec = 2000000};
        draw_frame(run);
        nanosleep(&pause, NULL);
    }
    CHECK(!mesh_loader_busy(&scene->loader), "it loads and loads");
}

static void files_load_beside_the_frames(void)
{
    struct scene_run run;
    struct options options = options_of(false);
    struct morton_scene *scene = start(&run, &options);
    char text[128] = "";
    bool well;
    write_file("good.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    options.headless = false;
    CHECK(scene_morton.drop(scene, "good.obj", &failure), "%s", failure.text);
    CHECK(strcmp(scene->model->mesh.name, "grids.obj") == 0, "the mesh is gone at once");
    CHECK(!scene_morton.loaded(scene, &well, text, sizeof text, &failure), "it has loaded at once");
    wait_for_loader(&run);
    CHECK(strcmp(scene->model->mesh.name, "good.obj") == 0, "%s", scene->trouble.text);
    CHECK(scene_morton.loaded(scene, &well, text, sizeof text, &failure) && well &&
              strcmp(text, "good.obj: 1 triangle in 1 submesh") == 0,
          "nothing is told of it: %s", text);
    CHECK(!scene_morton.loaded(scene, &well, text, sizeof text, &failure), "it is told twice");
    CHECK(scene_morton.drop(scene, "missing.obj", &failure), "%s", failure.text);
    wait_for_loader(&run);
    CHECK(strcmp(scene->model->mesh.name, "good.obj") == 0, "%s is shown", scene->model->mesh.name);
    CHECK(strstr(scene->trouble.text, "missing.obj: No such file"), "%s", scene->trouble.text);
    CHECK(scene_morton.loaded(scene, &well, text, sizeof text, &failure) && !well &&
              strcmp(failure.text, scene->trouble.text) == 0,
          "nothing is told of a missing file: %s", failure.text);
    /* Of two that come right behind each other the second one counts. */
    CHECK(scene_morton.drop(scene, "missing.obj", &failure), "%s", failure.text);
    CHECK(scene_morton.drop(scene, "generated", &failure), "%s", failure.text);
    wait_for_loader(&run);
    CHECK(strcmp(scene->model->mesh.name, "generated mesh") == 0, "%s", scene->trouble.text);
    CHECK(scene->trouble.text[0] == '\0', "%s", scene->trouble.text);
    /* What is loading when all ends is given up. */
    CHECK(scene_morton.drop(scene, "generated", &failure), "%s", failure.text);
    scene_run_destroy(&run);
    remove("good.obj");
}

static const struct check_test tests[] = {CHECK_TEST(files_are_opened_and_refused),
                                          CHECK_TEST(files_load_beside_the_frames)};

int main(int argc, char **argv)
{
    return morton_run_tests(argc, argv, tests, COUNT_OF(tests));
}
