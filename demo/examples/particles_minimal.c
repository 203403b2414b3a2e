/*
 * Transparent particles that only the GPU counts, drawn back to front. The number of live ones is
 * the segment's length and the draw command's vertex count; it never comes to the host.
 *
 *     gl_segsort_particles [PICTURE.png]
 *
 * Headless. Then it checks itself: the picture has to equal one of the same particles sorted on the
 * CPU, and to differ from one of them unsorted.
 */
#include "gl_segsort.h"
#include "gl_segsort_keys.h"
#include "headless_gl.h"
#include "image.h"

#include <glad/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 14, EMITTED = 200, FRAMES = 90, SIZE = 512 };

/* Two lists of particles, from which the living go from one to the other and back. */
enum { PARTICLES_0, PARTICLES_1, COMMAND_0, COMMAND_1, KEYS, SORTED_KEYS, ORDER, BUFFERS };

struct particle {
    float position[3], age, velocity[3], hue;
};

/* ---------------------------------------------------------------------------------------------- */
/* What the program does in a frame: emit and simulate, keys, sort, draw */

static const char simulate_source[] =
    "#version 430 core\n"
    "layout(local_size_x = 64) in;\n"
    "struct Particle { vec4 place; vec4 motion; };\n"
    "layout(std430, binding = 0) readonly buffer Before { Particle before[]; };\n"
    "layout(std430, binding = 1) writeonly buffer After { Particle after[]; };\n"
    "layout(std430, binding = 2) readonly buffer Had { uint had; };\n"
    "layout(std430, binding = 3) buffer Live { uint live; };\n"
    "layout(location = 0) uniform uvec3 frame_emitted_capacity;\n"
    "uint noise(uint n) { n = (n ^ 61u) ^ (n >> 16); n *= 9u; n ^= n >> 4; n *= 0x27d4eb2du;\n"
    "                     return n ^ (n >> 15); }\n"
    "float unit(uint n) { return float(noise(n) >> 8) / 16777216.0; }\n"
    "void main() {\n"
    "    uint i = gl_GlobalInvocationID.x;\n"
    "    Particle p;\n"
    "    if (i < had) {\n"
    "        p = before[i];\n"
    "        p.motion.y -= 0.035;\n"
    "        p.place += vec4(p.motion.xyz * 0.03, 1.0);\n"
    "    } else if (i < min(had + frame_emitted_capacity.y, frame_emitted_capacity.z)) {\n"
    "        uint n = (frame_emitted_capacity.x * 1000u + i - had) * 4u;\n"
    "        float turn = 6.2831853 * unit(n), wide = 0.6 * sqrt(unit(n + 1u));\n"
    "        p.place = vec4(0.0, -0.9, -3.0, 0.0);\n"
    "        p.motion = vec4(wide * cos(turn), 1.6 + 0.5 * unit(n + 2u), wide * sin(turn), unit(n "
    "+ 3u));\n"
    "    } else\n"
    "        return;\n"
    "    if (p.place.w > 50.0 + 30.0 * p.motion.w)\n"
    "        return;\n"
    "    after[atomicAdd(live, 1u)] = p;\n"
    "}\n";

static const char vertex_source[] =
    "#version 430 core\n"
    "layout(location = 0) in uint particle;\n"
    "struct Particle { vec4 place; vec4 motion; };\n"
    "layout(std430, binding = 0) readonly buffer Particles { Particle particles[]; };\n"
    "out vec4 color;\n"
    "void main() {\n"
    "    Particle p = particles[particle];\n"
    "    vec3 hue = 0.5 + 0.5 * cos(6.2831853 * (p.motion.w + vec3(0.0, 0.33, 0.67)));\n"
    "    gl_Position = vec4(1.8 * p.place.xy, -1.02 * p.place.z - 0.2, -p.place.z);\n"
    "    gl_PointSize = 70.0 / -p.place.z;\n"
    "    color = vec4(hue, 0.55);\n"
    "}\n";

static const char fragment_source[] =
    "#version 430 core\n"
    "in vec4 color;\n"
    "layout(location = 0) out vec4 pixel;\n"
    "void main() {\n"
    "    float edge = 1.0 - smoothstep(0.6, 1.0, length(2.0 * gl_PointCoord - 1.0));\n"
    "    pixel = vec4(color.rgb, color.a * edge);\n"
    "}\n";

struct example {
    GLuint buffers[BUFFERS], simulate, draw, vertices, picture, framebuffer;
    gl_segsort_context *context;
    gl_segsort_plan *plan;
};

static bool make_sorter(struct example *example)
{
    const gl_segsort_context_desc context_desc = {.get_proc_address = headless_gl_get_proc_address};
    const gl_segsort_plan_desc plan_desc = {.label = "particles",
                                            .key_type = GL_SEGSORT_KEY_F32,
                                            .value_type = GL_SEGSORT_VALUE_INDEX,
                                            .direction = GL_SEGSORT_DESCENDING, /* back to front */
                                            .segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                                            .segment_stride = CAPACITY,
                                            .max_segments = 1,
                                            .max_rows = CAPACITY};
    return gl_segsort_context_create(&context_desc, &example->context) == GL_SEGSORT_SUCCESS &&
           gl_segsort_plan_create(example->context, &plan_desc, &example->plan) ==
               GL_SEGSORT_SUCCESS;
}

static void simulate(const struct example *example, GLuint frame)
{
    static const GLuint command[4] = {0, 1, 0, 0}; /* no vertex yet, one instance */
    GLuint from = frame % 2, to = 1 - from;
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, example->buffers[COMMAND_0 + to]);
    glBufferSubData(GL_DRAW_INDIRECT_BUFFER, 0, sizeof command, command);
    for (GLuint i = 0; i < 2; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2 * i, example->buffers[2 * i + from]);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2 * i + 1, example->buffers[2 * i + to]);
    }
    glUseProgram(example->simulate);
    glUniform3ui(0, frame, EMITTED, CAPACITY);
    glDispatchCompute((CAPACITY + EMITTED + 63) / 64, 1, 1);
}

/* Keys and order of the particles that are alive, as many as that may be. */
static bool sort(const struct example *example, GLuint list)
{
    const GLuint *buffers = example->buffers;
    const gl_segsort_view live = {buffers[COMMAND_0 + list], 0, 1};
    const gl_segsort_depth_keys_desc keys_desc = {.keys = {buffers[KEYS], 0, CAPACITY},
                                                  .positions = {buffers[list], 0, CAPACITY},
                                                  .position_words = sizeof(struct particle) / 4,
                                                  .row_count = live,
                                                  .barriers_after = GL_SEGSORT_BARRIER_NONE};
    const gl_segsort_sort_desc sort_desc = {.keys = {buffers[KEYS], 0, CAPACITY},
                                            .output_keys = {buffers[SORTED_KEYS], 0, CAPACITY},
                                            .output_values = {buffers[ORDER], 0, CAPACITY},
                                            .segment_lengths = live,
                                            .barriers_after = GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE |
                                                              GL_SEGSORT_BARRIER_INDIRECT_COMMAND |
                                                              GL_SEGSORT_BARRIER_STORAGE};
    return gl_segsort_depth_keys(example->context, &keys_desc) == GL_SEGSORT_SUCCESS &&
           gl_segsort_sort(example->plan, &sort_desc) == GL_SEGSORT_SUCCESS;
}

static void draw(const struct example *example, GLuint list)
{
    glBindFramebuffer(GL_FRAMEBUFFER, example->framebuffer);
    glViewport(0, 0, SIZE, SIZE);
    glClearColor(0.03f, 0.03f, 0.05f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, example->buffers[list]);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, example->buffers[COMMAND_0 + list]);
    glBindVertexArray(example->vertices);
    glUseProgram(example->draw);
    glDrawArraysIndirect(GL_POINTS, NULL);
}

/* ---------------------------------------------------------------------------------------------- */
/* Setting up */

static GLuint make_program(GLenum first_type, const char *first, const char *second)
{
    const GLenum types[] = {first_type, GL_FRAGMENT_SHADER};
    const char *const sources[] = {first, second};
    GLuint program = glCreateProgram();
    GLint linked = 0;
    for (int i = 0; i < 2 && sources[i]; i++) {
        GLuint shader = glCreateShader(types[i]);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[1024] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        fprintf(stderr, "particles: %s\n", log);
    }
    return program;
}

static void make_objects(struct example *example)
{
    const GLsizeiptr list = CAPACITY * (GLsizeiptr)sizeof(struct particle), row = 4;
    const GLsizeiptr sizes[BUFFERS] = {list,           list,           4 * row,       4 * row,
                                       CAPACITY * row, CAPACITY * row, CAPACITY * row};
    static const GLuint nothing[4];
    glGenBuffers(BUFFERS, example->buffers);
    for (int i = 0; i < BUFFERS; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, example->buffers[i]);
        glBufferData(GL_ARRAY_BUFFER, sizes[i], sizes[i] == 4 * row ? nothing : NULL,
                     GL_DYNAMIC_COPY);
    }
    /* The order, as the sort leaves it, is the vertex attribute. */
    glGenVertexArrays(1, &example->vertices);
    glBindVertexArray(example->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, example->buffers[ORDER]);
    glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, NULL);
    glEnableVertexAttribArray(0);
    glGenTextures(1, &example->picture);
    glBindTexture(GL_TEXTURE_2D, example->picture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
    glGenFramebuffers(1, &example->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, example->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, example->picture,
                           0);
    example->simulate = make_program(GL_COMPUTE_SHADER, simulate_source, NULL);
    example->draw = make_program(GL_VERTEX_SHADER, vertex_source, fragment_source);
}

static void destroy(struct example *example)
{
    gl_segsort_plan_destroy(example->plan);
    gl_segsort_context_destroy(example->context);
    glDeleteProgram(example->simulate);
    glDeleteProgram(example->draw);
    glDeleteVertexArrays(1, &example->vertices);
    glDeleteFramebuffers(1, &example->framebuffer);
    glDeleteTextures(1, &example->picture);
    glDeleteBuffers(BUFFERS, example->buffers);
}

/* ---------------------------------------------------------------------------------------------- */
/* Checking */

static void read_buffer(GLuint buffer, size_t bytes, void *data)
{
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)bytes, data);
}

static void read_picture(const struct example *example, unsigned char *pixels)
{
    glBindFramebuffer(GL_FRAMEBUFFER, example->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGB, GL_UNSIGNED_BYTE, pixels);
}

struct depth {
    float z;
    GLuint particle;
};

/* The farthest first: the camera is at the origin and looks along -z. */
static int compare_depths(const void *a, const void *b)
{
    const struct depth *left = a, *right = b;
    if (left->z != right->z)
        return left->z < right->z ? -1 : 1;
    return (left->particle > right->particle) - (left->particle < right->particle);
}

/* The same particles in an order of the host's. */
static void draw_on_host(const struct example *example, GLuint list, bool sorted, GLuint live,
                         unsigned char *pixels)
{
    static struct particle particles[CAPACITY];
    static struct depth depths[CAPACITY];
    static GLuint order[CAPACITY];
    read_buffer(example->buffers[list], sizeof particles, particles);
    for (GLuint i = 0; i < live; i++)
        depths[i] = (struct depth){particles[i].position[2], i};
    if (sorted)
        qsort(depths, live, sizeof depths[0], compare_depths);
    for (GLuint i = 0; i < live; i++)
        order[i] = depths[i].particle;
    glBindBuffer(GL_ARRAY_BUFFER, example->buffers[ORDER]);
    glBufferSubData(GL_ARRAY_BUFFER, 0, live * (GLsizeiptr)sizeof order[0], order);
    draw(example, list);
    read_picture(example, pixels);
}

static bool check(const struct example *example, GLuint list, const char *path)
{
    static unsigned char pictures[3][SIZE * SIZE * 3];
    GLuint live = 0;
    struct failure failure = {""};
    read_picture(example, pictures[0]);
    if (path && !image_write_png(path, pictures[0], SIZE, SIZE, &failure)) {
        fprintf(stderr, "particles: %s\n", failure.text);
        return false;
    }
    read_buffer(example->buffers[COMMAND_0 + list], sizeof live, &live);
    draw_on_host(example, list, true, live, pictures[1]);
    draw_on_host(example, list, false, live, pictures[2]);
    bool same = memcmp(pictures[0], pictures[1], sizeof pictures[0]) == 0;
    bool differs = memcmp(pictures[0], pictures[2], sizeof pictures[0]) != 0;
    printf("%u particles live after %d frames; the picture %s the CPU's and %s the unsorted one\n",
           live, FRAMES, same ? "equals" : "DIFFERS FROM", differs ? "differs from" : "EQUALS");
    return same && differs && live > EMITTED;
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    struct example example = {0};
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "particles: %s\n", gl.error);
        return 1;
    }
    bool right = make_sorter(&example);
    make_objects(&example);
    for (GLuint frame = 0; frame < FRAMES && right; frame++) {
        GLuint list = 1 - frame % 2;
        simulate(&example, frame);
        right = sort(&example, list);
        draw(&example, list);
    }
    if (!right)
        fprintf(stderr, "particles: %s\n", gl_segsort_last_error(example.context));
    right = right && check(&example, FRAMES % 2, argc > 1 ? argv[1] : NULL);
    right = glGetError() == GL_NO_ERROR && right;
    destroy(&example);
    headless_gl_destroy(&gl);
    return right ? 0 : 1;
}
