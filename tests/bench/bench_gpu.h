/* Buffers, the copy that every sort is measured against, and GPU time. */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include <glad/gl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

GLuint bench_buffer(size_t rows, const uint32_t *data);

/* By way of another buffer: drivers move a buffer that is read back into host memory, and leave it
 * there. */
void bench_read(GLuint buffer, size_t rows, uint32_t *data);

/* A kernel that moves keys and values as they are: the least that a sort has to move. rows is a
 * multiple of 1024. */
struct bench_copy {
    GLuint program;
};
bool bench_copy_create(struct bench_copy *copy);
void bench_copy_run(const struct bench_copy *copy, const GLuint buffers[4], size_t rows);
void bench_copy_destroy(struct bench_copy *copy);

/* Milliseconds that the GPU takes for work, after it has run for a while so that clocks are up. */
struct bench_time {
    double median, least, most;
    bool host_clock; /* the driver has no timer, so the time is the host's, with its waits */
};
double bench_seconds(void);
int bench_compare_doubles(const void *a, const void *b); /* for qsort */
struct bench_time bench_time(void (*work)(void *user), void *user, int repetitions);

#endif
