#include "particles_picture.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shaders.h"

/* As in demo/shaders/particles*. */
enum { UNIFORM_VIEW = 2, UNIFORM_PROJECTION = 3, UNIFORM_LOOK = 4, UNIFORM_PLACED = 4 };
enum { UNIFORM_GROUND = 5, UNIFORM_SPLIT = 0, LOCATION_POSITION = 0, UNIT_SUNLIGHT = 1 };
enum { OF_SAMPLES, OF_SOLIDS, OF_SMOKE, OF_SMOKE_DEPTH, FRAMEBUFFERS };

static const float mesh_radius = 0.58f;
static const float mesh_height = 0.08f; /* above the ground */

/* ---------------------------------------------------------------------------------------------- */
/* The mesh */

static bool read_mesh(struct mesh *mesh, const char *path, struct failure *failure)
{
    if (path && strcmp(path, "generated") != 0)
        return mesh_load(mesh, path, failure);
    char *found = path ? NULL : mesh_default_path();
    if (!found)
        return mesh_generate(mesh, failure);
    bool loaded = mesh_load(mesh, found, failure);
    free(found);
    return loaded;
}

static void find_lowest(const float position[3], void *user)
{
    float *lowest = user;
    *lowest = fminf(*lowest, position[1]);
}

/* In the middle, over the ground. */
static void place_mesh(struct particles_picture *picture)
{
    struct camera *fit = &picture->fit;
    float lowest = FLT_MAX;
    camera_frame(fit, &picture->mesh, 1);
    mesh_visit_corners(&picture->mesh, find_lowest, &lowest);
    double below = lowest < FLT_MAX ? (fit->centre[1] - (double)lowest) * fit->scale : 0;
    vec3 up = {0, mesh_height + mesh_radius * (float)below, 0};
    glm_translate_make(picture->placed, up);
    glm_scale_uni(picture->placed, mesh_radius);
}

static void describe_vertices(const struct particles_picture *picture)
{
    glBindVertexArray(picture->mesh_vertices);
    glBindBuffer(GL_ARRAY_BUFFER, picture->mesh_buffers.positions);
    glEnableVertexAttribArray(LOCATION_POSITION);
    glVertexAttribPointer(LOCATION_POSITION, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, picture->mesh_buffers.orders[ORDER_FILE]);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

bool particles_picture_load(struct particles_picture *picture, const char *path,
                            struct failure *failure)
{
    struct mesh mesh;
    struct mesh_buffers buffers;
    if (!read_mesh(&mesh, path, failure))
        return false;
    if (!mesh_buffers_create(&buffers, &mesh, NULL, failure)) {
        mesh_buffers_destroy(&buffers);
        mesh_destroy(&mesh);
        return false;
    }
    mesh_buffers_destroy(&picture->mesh_buffers);
    mesh_destroy(&picture->mesh);
    picture->mesh = mesh;
    picture->mesh_buffers = buffers;
    place_mesh(picture);
    describe_vertices(picture);
    return true;
}

/* ---------------------------------------------------------------------------------------------- */
/* Setting up */

static bool create_programs(struct particles_picture *picture, struct failure *failure)
{
    GLuint *const programs[] = {&picture->ground_program, &picture->mesh_program,
                                &picture->sprite_program, &picture->compose_program};
    static const char *const names[][2] = {{"particles_ground.vert", "particles_solid.frag"},
                                           {"particles_mesh.vert", "particles_solid.frag"},
                                           {"particles_sprite.vert", "particles_sprite.frag"},
                                           {"background.vert", "particles_compose.frag"}};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        *programs[i] = shaders_draw_program(names[i][0], names[i][1], failure);
        if (!*programs[i])
            return false;
    }
    return true;
}

bool particles_picture_create(struct particles_picture *picture, const char *mesh_path,
                              struct failure *failure)
{
    *picture = (struct particles_picture){.divisor = 1};
    glGenVertexArrays(1, &picture->no_vertices);
    glGenVertexArrays(1, &picture->mesh_vertices);
    if (create_programs(picture, failure) && particles_picture_load(picture, mesh_path, failure))
        return true;
    particles_picture_destroy(picture);
    return false;
}

static void destroy_targets(struct particles_picture *picture)
{
    glDeleteFramebuffers(FRAMEBUFFERS, picture->framebuffers);
    glDeleteRenderbuffers(2, picture->samples);
    glDeleteRenderbuffers(1, &picture->smoke_test);
    glDeleteTextures(PICTURE_TEXTURES, picture->textures);
}

void particles_picture_destroy(struct particles_picture *picture)
{
    destroy_targets(picture);
    glDeleteProgram(picture->ground_program);
    glDeleteProgram(picture->mesh_program);
    glDeleteProgram(picture->sprite_program);
    glDeleteProgram(picture->compose_program);
    glDeleteVertexArrays(1, &picture->no_vertices);
    glDeleteVertexArrays(1, &picture->mesh_vertices);
    mesh_buffers_destroy(&picture->mesh_buffers);
    mesh_destroy(&picture->mesh);
    *picture = (struct particles_picture){0};
}

static void create_texture(GLuint texture, GLenum format, int width, int height)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
}

static void create_renderbuffer(GLuint renderbuffer, GLsizei samples, GLenum format, int width,
                                int height)
{
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
}

static void attach_texture(GLenum attachment, GLuint texture)
{
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0);
}

static void attach_renderbuffer(GLenum attachment, GLuint renderbuffer)
{
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
}

static bool attach_all(const struct particles_picture *picture)
{
    bool complete = true;
    for (int i = 0; i < FRAMEBUFFERS; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, picture->framebuffers[i]);
        if (i == OF_SAMPLES) {
            attach_renderbuffer(GL_COLOR_ATTACHMENT0, picture->samples[0]);
            attach_renderbuffer(GL_DEPTH_ATTACHMENT, picture->samples[1]);
        } else if (i == OF_SOLIDS) {
            attach_texture(GL_COLOR_ATTACHMENT0, picture->textures[PICTURE_SOLID_LIGHT]);
            attach_texture(GL_DEPTH_ATTACHMENT, picture->textures[PICTURE_SOLID_DEPTH]);
        } else if (i == OF_SMOKE) {
            attach_texture(GL_COLOR_ATTACHMENT0, picture->textures[PICTURE_SMOKE]);
            attach_renderbuffer(GL_DEPTH_ATTACHMENT, picture->smoke_test);
        } else {
            attach_texture(GL_DEPTH_ATTACHMENT, picture->textures[PICTURE_SMOKE_DEPTH]);
            glDrawBuffer(GL_NONE);
            glReadBuffer(GL_NONE);
        }
        complete &= glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete;
}

/* At least a pixel. */
static int smoke_pixels(const struct particles_picture *picture, int pixels)
{
    return (pixels + (int)picture->divisor - 1) / (int)picture->divisor;
}

static void create_targets(struct particles_picture *picture)
{
    int width = picture->width, height = picture->height;
    int smoke_width = smoke_pixels(picture, width), smoke_height = smoke_pixels(picture, height);
    GLint most_samples = 1;
    destroy_targets(picture);
    glGetIntegerv(GL_MAX_SAMPLES, &most_samples);
    glGenFramebuffers(FRAMEBUFFERS, picture->framebuffers);
    glGenRenderbuffers(2, picture->samples);
    glGenRenderbuffers(1, &picture->smoke_test);
    glGenTextures(PICTURE_TEXTURES, picture->textures);
    GLsizei samples = most_samples < 4 ? most_samples : 4;
    create_renderbuffer(picture->samples[0], samples, GL_R11F_G11F_B10F, width, height);
    create_renderbuffer(picture->samples[1], samples, GL_DEPTH_COMPONENT24, width, height);
    create_renderbuffer(picture->smoke_test, 0, GL_DEPTH_COMPONENT24, smoke_width, smoke_height);
    create_texture(picture->textures[PICTURE_SOLID_LIGHT], GL_R11F_G11F_B10F, width, height);
    create_texture(picture->textures[PICTURE_SOLID_DEPTH], GL_DEPTH_COMPONENT24, width, height);
    create_texture(picture->textures[PICTURE_SMOKE], GL_RGBA16F, smoke_width, smoke_height);
    create_texture(picture->textures[PICTURE_SMOKE_DEPTH], GL_DEPTH_COMPONENT24, smoke_width,
                   smoke_height);
    picture->complete = attach_all(picture);
}

void particles_picture_resize(struct particles_picture *picture, int width, int height)
{
    picture->width = width;
    picture->height = height;
    create_targets(picture);
}

bool particles_picture_check(const struct particles_picture *picture, struct failure *failure)
{
    return picture->complete ||
           failure_set(failure, "size %dx%d: GL has no memory for smoke of this size",
                       picture->width, picture->height);
}

/* ---------------------------------------------------------------------------------------------- */
/* Drawing */

static void draw_mesh(const struct particles_picture *picture)
{
    glBindVertexArray(picture->mesh_vertices);
    for (uint32_t i = 0; i < picture->mesh.instance_count; i++) {
        const struct mesh_instance *instance = &picture->mesh.instances[i];
        const struct mesh_segment *segment = &picture->mesh.segments[instance->segment];
        mat4 placed = GLM_MAT4_IDENTITY_INIT, to_world = {{0}};
        memcpy(to_world, picture->placed, sizeof to_world);
        camera_place(&picture->fit, instance->matrix, placed);
        glm_mat4_mul(to_world, placed, placed);
        glUniformMatrix4fv(UNIFORM_PLACED, 1, GL_FALSE, placed[0]);
        uintptr_t start = 3 * sizeof(uint32_t) * (uintptr_t)segment->first;
        /* GL takes the offset into the index buffer as a pointer. */
        const void *offset = (const void *)start; /* NOLINT(performance-no-int-to-ptr) */
        glDrawElements(GL_TRIANGLES, (GLsizei)(3 * segment->count), GL_UNSIGNED_INT, offset);
    }
}

static void use(GLuint program, mat4 view, mat4 projection)
{
    glUseProgram(program);
    glUniformMatrix4fv(UNIFORM_VIEW, 1, GL_FALSE, view[0]);
    glUniformMatrix4fv(UNIFORM_PROJECTION, 1, GL_FALSE, projection[0]);
}

static void draw_solids(const struct particles_picture *picture, bool show_mesh, mat4 view,
                        mat4 projection)
{
    glBindFramebuffer(GL_FRAMEBUFFER, picture->framebuffers[OF_SAMPLES]);
    glViewport(0, 0, picture->width, picture->height);
    glClearColor(0.0045f, 0.0055f, 0.0085f, 1); /* NIGHT of particles_solid.frag */
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    use(picture->ground_program, view, projection);
    glUniform1f(UNIFORM_GROUND, 1);
    glBindVertexArray(picture->no_vertices);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    use(picture->mesh_program, view, projection);
    glUniform1f(UNIFORM_GROUND, 0);
    if (show_mesh)
        draw_mesh(picture);
    glDisable(GL_DEPTH_TEST);
}

static void copy(GLuint from, GLuint to, const int from_size[2], const int to_size[2],
                 GLbitfield what)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, from_size[0], from_size[1], 0, 0, to_size[0], to_size[1], what,
                      GL_NEAREST);
}

/* One sample a pixel, and depths at the smoke's size: one to test against, and one to read, since no
 * shader may read what it is tested against. */
static void resolve_solids(const struct particles_picture *picture)
{
    const GLuint *framebuffers = picture->framebuffers;
    const int size[2] = {picture->width, picture->height};
    const int smoke_size[2] = {smoke_pixels(picture, size[0]), smoke_pixels(picture, size[1])};
    copy(framebuffers[OF_SAMPLES], framebuffers[OF_SOLIDS], size, size,
         GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    copy(framebuffers[OF_SOLIDS], framebuffers[OF_SMOKE], size, smoke_size, GL_DEPTH_BUFFER_BIT);
    copy(framebuffers[OF_SOLIDS], framebuffers[OF_SMOKE_DEPTH], size, smoke_size,
         GL_DEPTH_BUFFER_BIT);
}

static void bind_texture(GLuint unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glActiveTexture(GL_TEXTURE0);
}

/* Sprites are smaller where there are more, by less than would keep the covered area the same. */
static void set_look(const struct particles_picture *picture, const struct particles_look *look,
                     uint32_t slot)
{
    float radius = 0.0135f * powf(1024.0f / (float)slot, 0.36f) * look->size;
    float softness = look->softness > 0 ? 1 / (0.05f * look->softness) : 1e6f;
    glUniform4f(UNIFORM_LOOK, radius, (float)smoke_pixels(picture, picture->height),
                0.22f * look->opacity, softness);
}

/* The part of the smoke's picture from one pixel to another. */
static void draw_part(const struct particles_picture *picture, const struct particles *particles,
                      int from, int to, bool sorted)
{
    glScissor(from, 0, to - from, smoke_pixels(picture, picture->height));
    if (to > from)
        particles_draw_points(particles, sorted);
}

static void draw_smoke(const struct particles_picture *picture, const struct particles *particles,
                       const struct particles_look *look, mat4 view, mat4 projection)
{
    int width = smoke_pixels(picture, picture->width);
    int split = look->split ? (int)(look->split_at * (float)width) : 0;
    glBindFramebuffer(GL_FRAMEBUFFER, picture->framebuffers[OF_SMOKE]);
    glViewport(0, 0, width, smoke_pixels(picture, picture->height));
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    bind_texture(0, picture->textures[PICTURE_SMOKE_DEPTH]);
    use(picture->sprite_program, view, projection);
    set_look(picture, look, particles->slot);
    glBindVertexArray(picture->no_vertices);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    draw_part(picture, particles, 0, split, false);
    draw_part(picture, particles, split, width, look->sorted);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

static void compose(const struct particles_picture *picture, const struct particles_look *look,
                    GLuint framebuffer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, picture->width, picture->height);
    bind_texture(0, picture->textures[PICTURE_SOLID_DEPTH]);
    bind_texture(1, picture->textures[PICTURE_SOLID_LIGHT]);
    bind_texture(2, picture->textures[PICTURE_SMOKE]);
    bind_texture(3, picture->textures[PICTURE_SMOKE_DEPTH]);
    glUseProgram(picture->compose_program);
    glUniform1f(UNIFORM_SPLIT, look->split ? look->split_at * (float)picture->width : 0);
    glBindVertexArray(picture->no_vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (GLuint unit = 0; unit < PICTURE_TEXTURES; unit++)
        bind_texture(unit, 0);
}

void particles_picture_draw(struct particles_picture *picture, const struct particles *particles,
                            const struct particles_look *look, mat4 view, mat4 projection,
                            GLuint framebuffer)
{
    unsigned divisor = look->half ? 2 : 1;
    if (divisor != picture->divisor) {
        picture->divisor = divisor;
        create_targets(picture);
    }
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "particles");
    glActiveTexture(GL_TEXTURE0 + UNIT_SUNLIGHT);
    glBindTexture(GL_TEXTURE_3D, particles->sunlight);
    glActiveTexture(GL_TEXTURE0);
    draw_solids(picture, look->show_mesh, view, projection);
    resolve_solids(picture);
    draw_smoke(picture, particles, look, view, projection);
    compose(picture, look, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindVertexArray(0);
    glUseProgram(0);
    glPopDebugGroup();
}
