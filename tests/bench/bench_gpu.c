#include "bench_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WARM_UP_SECONDS 0.5
#define REPETITIONS_MAX 64

GLuint bench_buffer(size_t rows, const uint32_t *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(rows * 4), data, GL_STATIC_COPY);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

void bench_read(GLuint buffer, size_t rows, uint32_t *data)
{
    GLuint staging;
    glGenBuffers(1, &staging);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, staging);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(rows * 4), NULL, GL_STREAM_READ);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)(rows * 4));
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)(rows * 4), data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    glDeleteBuffers(1, &staging);
}

static const char copy_source[] =
    "#version 430\n"
    "layout(local_size_x = 256) in;\n"
    "layout(std430, binding = 0) readonly buffer Keys { uvec4 keys[]; };\n"
    "layout(std430, binding = 1) readonly buffer Values { uvec4 values[]; };\n"
    "layout(std430, binding = 2) writeonly buffer OutputKeys { uvec4 output_keys[]; };\n"
    "layout(std430, binding = 3) writeonly buffer OutputValues { uvec4 output_values[]; };\n"
    "void main()\n"
    "{\n"
    "    uint i = gl_GlobalInvocationID.x + gl_NumWorkGroups.x * 256u * gl_WorkGroupID.y;\n"
    "    if (i < uint(keys.length())) {\n"
    "        output_keys[i] = keys[i];\n"
    "        output_values[i] = values[i];\n"
    "    }\n"
    "}\n";

bool bench_copy_create(struct bench_copy *copy)
{
    const char *source = copy_source;
    GLint linked = 0;
    copy->program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source);
    glGetProgramiv(copy->program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[1024] = "";
        glGetProgramInfoLog(copy->program, sizeof log, NULL, log);
        fprintf(stderr, "bench: the copy kernel does not compile: %s\n", log);
    }
    return linked;
}

void bench_copy_run(const struct bench_copy *copy, const GLuint buffers[4], size_t rows)
{
    for (GLuint i = 0; i < 4; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
    GLuint groups = (GLuint)((rows / 4 + 255) / 256), y = (groups + 65534) / 65535;
    glUseProgram(copy->program);
    glDispatchCompute((groups + y - 1) / y, y, 1);
    glUseProgram(0);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void bench_copy_destroy(struct bench_copy *copy)
{
    glDeleteProgram(copy->program);
}

double bench_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int bench_compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The time between two stamps; the first waits for what came before it by the barrier that work
 * ends with. */
static double gpu_milliseconds(void (*work)(void *user), void *user)
{
    GLuint queries[2];
    GLuint64 stamps[2] = {0};
    glGenQueries(2, queries);
    glFinish();
    glQueryCounter(queries[0], GL_TIMESTAMP);
    work(user);
    glQueryCounter(queries[1], GL_TIMESTAMP);
    for (int i = 0; i < 2; i++)
        glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &stamps[i]);
    glDeleteQueries(2, queries);
    return 1e-6 * (double)(stamps[1] - stamps[0]);
}

static double host_milliseconds(void (*work)(void *user), void *user)
{
    glFinish();
    double start = bench_seconds();
    work(user);
    glFinish();
    return 1e3 * (bench_seconds() - start);
}

struct bench_time bench_time(void (*work)(void *user), void *user, int repetitions)
{
    double start = bench_seconds(), times[REPETITIONS_MAX];
    do {
        work(user);
        glFinish();
    } while (bench_seconds() - start < WARM_UP_SECONDS);
    if (repetitions > REPETITIONS_MAX)
        repetitions = REPETITIONS_MAX;
    /* Software drivers stamp commands when they are recorded. */
    double gpu = gpu_milliseconds(work, user), host = host_milliseconds(work, user);
    struct bench_time result = {.host_clock = gpu < host / 20 && host > 1};
    for (int i = 0; i < repetitions; i++)
        times[i] = result.host_clock ? host_milliseconds(work, user) : gpu_milliseconds(work, user);
    qsort(times, (size_t)repetitions, sizeof times[0], bench_compare_doubles);
    result.median = times[repetitions / 2];
    result.least = times[0];
    result.most = times[repetitions - 1];
    return result;
}
