/* The scene of a mesh as tests run it: small, without a window, and of a mesh that is written here. */
#ifndef MORTON_RUN_H
#define MORTON_RUN_H

#include <stdlib.h>

#include "check.h"
#include "headless_gl.h"
#include "scene_morton.h"

enum { WIDTH = 240, HEIGHT = 150 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct failure failure;

static inline struct options options_of(bool animate)
{
    return (struct options){.scene = "morton",
                            .mesh = "grids.obj",
                            .headless = true,
                            .animate = animate,
                            .key_bits = 30,
                            .width = WIDTH,
                            .height = HEIGHT};
}

static inline struct morton_scene *start(struct scene_run *run, const struct options *options)
{
    if (!CHECK(
            scene_run_create(run, &scene_morton, options, headless_gl_get_proc_address, &failure),
            "%s", failure.text))
        exit(1);
    return run->state;
}

static inline void draw_frame(struct scene_run *run)
{
    CHECK(scene_run_frame(run, scene_fixed_step, &failure), "%s", failure.text);
    glFinish();
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (CHECK(file, "%s can't be written", path)) {
        fputs(text, file);
        fclose(file);
    }
}

/* Three hilly grids in a row, their triangles in a scattered order. */
static inline void write_grids(const char *path)
{
    static const int sides[] = {40, 12, 4};
    FILE *file = fopen(path, "wb");
    int first = 1;
    if (!CHECK(file, "%s can't be written", path))
        return;
    for (int grid = 0; grid < 3; grid++) {
        int side = sides[grid], cells = side * side, pitch = side + 1;
        fprintf(file, "o grid%d\n", grid);
        for (int i = 0; i < pitch * pitch; i++) {
            double x = (double)(i % pitch) / side, z = (double)i / pitch / side;
            fprintf(file, "v %f %f %f\n", x + 1.1 * grid, 0.3 * x * z - 0.2 * x * x, z);
        }
        for (int i = 0; i < 2 * cells; i++) {
            int t = i * 331 % (2 * cells), cell = t / 2;
            int at = first + cell / side * pitch + cell % side;
            if (t % 2 == 0)
                fprintf(file, "f %d %d %d\n", at, at + pitch, at + 1);
            else
                fprintf(file, "f %d %d %d\n", at + 1, at + pitch, at + pitch + 1);
        }
        first += pitch * pitch;
    }
    fclose(file);
}

/* In a context, and with the mesh in a file. */
static inline int morton_run_tests(int argc, char **argv, const struct check_test *tests,
                                   size_t count)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, true) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    write_grids("grids.obj");
    int result = check_main(argc, argv, tests, count);
    remove("grids.obj");
    headless_gl_destroy(&gl);
    return result;
}

#endif
