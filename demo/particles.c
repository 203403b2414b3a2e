#include "particles.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "shaders.h"

/* As in demo/shaders/particles*. */
enum { UNIFORM_SLOT_DOMAINS = 0, GROUP = 256, PILLARS = 14 };
enum { UNIFORM_ORDERED = 2, UNIFORM_FRAME_SEED = 2, UNIFORM_STEP_TIME = 3 };
enum { UNIFORM_VIEW = 2, UNIFORM_PROJECTION = 3, UNIFORM_RADIUS_HEIGHT = 4 };

static void keep_message(gl_segsort_log_level level, const char *message, void *user)
{
    if (level == GL_SEGSORT_LOG_ERROR)
        failure_set(user, "%s", message);
}

/* ---------------------------------------------------------------------------------------------- */
/* Setting up */

static bool create_programs(struct particles *particles, struct failure *failure)
{
    static const char *const names[] = {"particles_simulate.comp", "particles_commands.comp",
                                        "particles_list.comp", "particles_keep.comp"};
    GLuint *programs = particles->programs;
    for (int i = 0; i < PARTICLES_SPRITE; i++) {
        programs[i] = shaders_compute_program(names[i], "", failure);
        if (!programs[i])
            return false;
    }
    programs[PARTICLES_SPRITE] =
        shaders_draw_program("particles_sprite.vert", "particles_sprite.frag", failure);
    if (programs[PARTICLES_SPRITE])
        programs[PARTICLES_SOLID] =
            shaders_draw_program("particles_solid.vert", "particles_solid.frag", failure);
    return programs[PARTICLES_SOLID] != 0;
}

/* The emitters fill a disc like the seeds of a sunflower; those in the middle
 * and those of a ring reach higher. */
static void place_emitters(float (*places)[4])
{
    for (int i = 0; i < PARTICLES_EMITTERS; i++) {
        float radius = sqrtf(((float)i + 0.5f) / PARTICLES_EMITTERS);
        float turn = 2.3999632f * (float)i;
        places[i][0] = 0.95f * radius * cosf(turn);
        places[i][1] = 0;
        places[i][2] = 0.95f * radius * sinf(turn);
        places[i][3] = 0.46f + 0.80f * expf(-14 * radius * radius) +
                       0.30f * expf(-90 * (radius - 0.62f) * (radius - 0.62f));
    }
}

static void create_buffers(struct particles *particles)
{
    const GLsizeiptr rows = (GLsizeiptr)particles->slot * PARTICLES_EMITTERS, word = 4;
    const GLsizeiptr emitters = PARTICLES_EMITTERS * word;
    GLsizeiptr sizes[PARTICLES_BUFFERS];
    for (int i = 0; i < PARTICLES_BUFFERS; i++)
        sizes[i] = i < PARTICLES_EMITTER_KEYS ? rows * word : emitters;
    sizes[PARTICLES_RECORDS] = rows * (GLsizeiptr)sizeof(struct particle);
    sizes[PARTICLES_COUNTS] = sizeof(struct particles_counts);
    sizes[PARTICLES_PLACES] = sizes[PARTICLES_COMMANDS] = 4 * emitters;
    glGenBuffers(PARTICLES_BUFFERS, particles->buffers);
    for (int i = 0; i < PARTICLES_BUFFERS; i++) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, particles->buffers[i]);
        glBufferData(GL_COPY_WRITE_BUFFER, sizes[i], NULL, GL_DYNAMIC_COPY);
        glClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    }
    float places[PARTICLES_EMITTERS][4];
    place_emitters(places);
    glBindBuffer(GL_COPY_WRITE_BUFFER, particles->buffers[PARTICLES_PLACES]);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, sizeof places, places);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    glGenVertexArrays(1, &particles->no_vertices);
}

/* max_length tells the plan that no slot is longer, so that it makes no passes for such. */
static bool create_plan(struct particles *particles, const char *label, uint32_t segments,
                        uint32_t stride, gl_segsort_plan **plan, struct failure *failure)
{
    const gl_segsort_plan_desc desc = {.label = label,
                                       .key_type = GL_SEGSORT_KEY_F32,
                                       .value_type = GL_SEGSORT_VALUE_INDEX,
                                       .direction = GL_SEGSORT_DESCENDING, /* back to front */
                                       .segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                                       .segment_stride = stride,
                                       .max_segments = segments,
                                       .max_rows = segments * stride,
                                       .max_length = stride};
    return gl_segsort_plan_create(particles->context, &desc, plan) == GL_SEGSORT_SUCCESS ||
           failure_set(failure, "%s", gl_segsort_last_error(particles->context));
}

static bool create_plans(struct particles *particles, gl_segsort_get_proc_address get_proc_address,
                         struct failure *failure)
{
    static const gl_segsort_segment emitters = {.length = PARTICLES_EMITTERS};
    const gl_segsort_context_desc context_desc = {.get_proc_address = get_proc_address,
                                                  .label = "particles",
                                                  .log = keep_message,
                                                  .log_user = failure};
    const gl_segsort_plan_desc emitter_desc = {.label = "emitters",
                                               .key_type = GL_SEGSORT_KEY_F32,
                                               .value_type = GL_SEGSORT_VALUE_INDEX,
                                               .direction = GL_SEGSORT_DESCENDING,
                                               .segments = &emitters,
                                               .segment_count = 1};
    return gl_segsort_context_create(&context_desc, &particles->context) == GL_SEGSORT_SUCCESS &&
           gl_segsort_plan_create(particles->context, &emitter_desc, &particles->emitter_plan) ==
               GL_SEGSORT_SUCCESS &&
           create_plan(particles, "slots", PARTICLES_EMITTERS, particles->slot,
                       &particles->slot_plan, failure) &&
           create_plan(particles, "all particles", 1, PARTICLES_EMITTERS * particles->slot,
                       &particles->one_plan, failure);
}

bool particles_create(struct particles *particles, uint32_t capacity, uint32_t seed,
                      gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    uint32_t slot = (capacity + PARTICLES_EMITTERS - 1) / PARTICLES_EMITTERS;
    *particles = (struct particles){.slot = slot, .seed = seed};
    if (!create_programs(particles, failure) ||
        !create_plans(particles, get_proc_address, failure)) {
        particles_destroy(particles);
        return false;
    }
    create_buffers(particles);
    return true;
}

void particles_destroy(struct particles *particles)
{
    gl_segsort_plan_destroy(particles->emitter_plan);
    gl_segsort_plan_destroy(particles->slot_plan);
    gl_segsort_plan_destroy(particles->one_plan);
    gl_segsort_context_destroy(particles->context);
    for (int i = 0; i < PARTICLES_PROGRAMS; i++)
        glDeleteProgram(particles->programs[i]);
    glDeleteVertexArrays(1, &particles->no_vertices);
    glDeleteBuffers(PARTICLES_BUFFERS, particles->buffers);
    *particles = (struct particles){0};
}

/* ---------------------------------------------------------------------------------------------- */
/* A frame's steps */

static void use(const struct particles *particles, enum particles_program program,
                enum particles_buffer third, enum particles_buffer fourth)
{
    const GLuint *buffers = particles->buffers;
    glUseProgram(particles->programs[program]);
    glUniform2ui(UNIFORM_SLOT_DOMAINS, particles->slot,
                 particles->one_domain ? 1 : PARTICLES_EMITTERS);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[PARTICLES_RECORDS]);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[PARTICLES_COUNTS]);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, buffers[third]);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, buffers[fourth]);
}

static void dispatch(GLuint x, GLuint y)
{
    glDispatchCompute(x, y, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT |
                    GL_BUFFER_UPDATE_BARRIER_BIT);
}

static void simulate(struct particles *particles, unsigned frame, float seconds)
{
    use(particles, PARTICLES_SIMULATE, PARTICLES_MOVED, PARTICLES_PLACES);
    glUniform2ui(UNIFORM_FRAME_SEED, frame, particles->seed);
    glUniform2f(UNIFORM_STEP_TIME, seconds, (float)particles->time);
    dispatch(PARTICLES_EMITTERS, 1);
    particles->time += (double)seconds;
}

static void make_commands(const struct particles *particles, bool ordered)
{
    use(particles, PARTICLES_COMMAND, PARTICLES_COMMANDS, PARTICLES_EMITTER_ORDER);
    glUniform1i(UNIFORM_ORDERED, ordered);
    dispatch(1, 1);
}

static void enumerate(const struct particles *particles)
{
    use(particles, PARTICLES_ENUMERATE, PARTICLES_LIST, PARTICLES_SEQUENCE);
    dispatch((particles->slot + GROUP - 1) / GROUP, PARTICLES_EMITTERS);
}

static void keep_sequence(const struct particles *particles)
{
    use(particles, PARTICLES_KEEP, PARTICLES_SEQUENCE, PARTICLES_MOVED);
    dispatch(particles->one_domain ? 1 : PARTICLES_EMITTERS, 1);
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorting */

static gl_segsort_view view_of(const struct particles *particles, enum particles_buffer buffer)
{
    bool emitters = buffer == PARTICLES_EMITTER_KEYS || buffer == PARTICLES_EMITTER_ORDER ||
                    buffer == PARTICLES_PLACES;
    uint64_t rows = (uint64_t)PARTICLES_EMITTERS * (emitters ? 1 : particles->slot);
    return (gl_segsort_view){particles->buffers[buffer], 0, rows};
}

/* How many rows each domain has. */
static gl_segsort_view lengths(const struct particles *particles)
{
    GLuint buffer = particles->buffers[PARTICLES_COUNTS];
    if (particles->one_domain)
        return (gl_segsort_view){buffer, offsetof(struct particles_counts, total), 1};
    return (gl_segsort_view){buffer, offsetof(struct particles_counts, count), PARTICLES_EMITTERS};
}

/* The list has gaps where it is one of slots. There keys are made of what was there before, which
 * harms nothing: no segment reaches into a gap. */
gl_segsort_depth_keys_desc particles_keys_desc(const struct particles *particles, mat4 view)
{
    gl_segsort_depth_keys_desc desc = {.keys = view_of(particles, PARTICLES_KEYS),
                                       .positions = view_of(particles, PARTICLES_RECORDS),
                                       .position_words = sizeof(struct particle) / 4,
                                       .indices = view_of(particles, PARTICLES_LIST),
                                       .barriers_after = GL_SEGSORT_BARRIER_NONE};
    if (particles->one_domain)
        desc.row_count = lengths(particles);
    memcpy(desc.view_matrix, view, sizeof desc.view_matrix);
    return desc;
}

gl_segsort_depth_keys_desc particles_emitter_keys_desc(const struct particles *particles, mat4 view)
{
    gl_segsort_depth_keys_desc desc = {.keys = view_of(particles, PARTICLES_EMITTER_KEYS),
                                       .positions = view_of(particles, PARTICLES_PLACES),
                                       .position_words = 4,
                                       .barriers_after = GL_SEGSORT_BARRIER_NONE};
    memcpy(desc.view_matrix, view, sizeof desc.view_matrix);
    return desc;
}

static bool sort_emitters(const struct particles *particles, mat4 view)
{
    const gl_segsort_depth_keys_desc keys_desc = particles_emitter_keys_desc(particles, view);
    const gl_segsort_sort_desc sort_desc = {.keys = keys_desc.keys,
                                            .output_keys = keys_desc.keys,
                                            .output_values =
                                                view_of(particles, PARTICLES_EMITTER_ORDER),
                                            .barriers_after = GL_SEGSORT_BARRIER_STORAGE};
    return gl_segsort_depth_keys(particles->context, &keys_desc) == GL_SEGSORT_SUCCESS &&
           gl_segsort_sort(particles->emitter_plan, &sort_desc) == GL_SEGSORT_SUCCESS;
}

/* The sequence is the list in the sorted rows' order. */
static bool sort_particles(const struct particles *particles, mat4 view)
{
    gl_segsort_plan *plan = particles->one_domain ? particles->one_plan : particles->slot_plan;
    const gl_segsort_depth_keys_desc keys_desc = particles_keys_desc(particles, view);
    const gl_segsort_sort_desc sort_desc = {.keys = keys_desc.keys,
                                            .output_keys =
                                                view_of(particles, PARTICLES_SORTED_KEYS),
                                            .output_values = view_of(particles, PARTICLES_ORDER),
                                            .segment_lengths = lengths(particles),
                                            .barriers_after = GL_SEGSORT_BARRIER_STORAGE};
    const gl_segsort_gather_desc gather_desc = {
        .indices = sort_desc.output_values,
        .records = view_of(particles, PARTICLES_LIST),
        .output_records = view_of(particles, PARTICLES_SEQUENCE),
        .record_words = 1,
        .barriers_after = GL_SEGSORT_BARRIER_STORAGE | GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    return gl_segsort_depth_keys(particles->context, &keys_desc) == GL_SEGSORT_SUCCESS &&
           gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_SUCCESS &&
           gl_segsort_gather(plan, &gather_desc) == GL_SEGSORT_SUCCESS;
}

static bool order_emitters(const struct particles *particles, bool on_cpu, mat4 view,
                           struct failure *failure)
{
    if (!on_cpu)
        return sort_emitters(particles, view) ||
               failure_set(failure, "%s", gl_segsort_last_error(particles->context));
    particles_order_emitters_on_cpu(particles, view);
    return true;
}

static bool order_particles(const struct particles *particles, bool on_cpu, mat4 view,
                            struct failure *failure)
{
    if (on_cpu)
        return particles_order_on_cpu(particles, view, failure);
    return sort_particles(particles, view) ||
           failure_set(failure, "%s", gl_segsort_last_error(particles->context));
}

/* Whether a sort is due: the sequence grows old, was never sorted, or is of other domains. */
static bool is_due(const struct particles *particles, const struct particles_order *order)
{
    return order->sorting > 0 &&
           (!particles->sequence_is_sorted || order->one_domain != particles->one_domain ||
            particles->unsorted_frames + 1 >= (unsigned)order->sorting);
}

bool particles_update(struct particles *particles, const struct particles_order *order,
                      unsigned frame, float seconds, mat4 view, struct failure *failure)
{
    bool sorts = is_due(particles, order);
    particles->one_domain = order->one_domain;
    if (sorts && !order_emitters(particles, order->cpu_oracle, view, failure))
        return false;
    simulate(particles, frame, seconds);
    make_commands(particles, order->sorting > 0);
    if (sorts || order->sorting == 0)
        enumerate(particles);
    else
        keep_sequence(particles);
    if (sorts && !order_particles(particles, order->cpu_oracle, view, failure))
        return false;
    particles->sequence_is_sorted = order->sorting > 0;
    particles->unsorted_frames = sorts ? 0 : particles->unsorted_frames + 1;
    return true;
}

/* ---------------------------------------------------------------------------------------------- */
/* Drawing and reading */

static void draw_sprites(const struct particles *particles, mat4 view, mat4 projection, int height)
{
    /* Smaller where there are more, by less than would keep the covered area the same. */
    float radius = 0.0112f * powf(512.0f / (float)particles->slot, 0.33f);
    use(particles, PARTICLES_SPRITE, PARTICLES_SEQUENCE, PARTICLES_PLACES);
    glUniformMatrix4fv(UNIFORM_VIEW, 1, GL_FALSE, view[0]);
    glUniformMatrix4fv(UNIFORM_PROJECTION, 1, GL_FALSE, projection[0]);
    glUniform2f(UNIFORM_RADIUS_HEIGHT, radius, (float)height);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, particles->buffers[PARTICLES_COMMANDS]);
    glMultiDrawArraysIndirect(GL_POINTS, NULL, particles->one_domain ? 1 : PARTICLES_EMITTERS, 0);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

void particles_draw(const struct particles *particles, mat4 view, mat4 projection, int height)
{
    glBindVertexArray(particles->no_vertices);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(particles->programs[PARTICLES_SOLID]);
    glUniformMatrix4fv(UNIFORM_VIEW, 1, GL_FALSE, view[0]);
    glUniformMatrix4fv(UNIFORM_PROJECTION, 1, GL_FALSE, projection[0]);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 36, 1 + PILLARS);
    draw_sprites(particles, view, projection, height);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
}

void particles_read_counts(const struct particles *particles, struct particles_counts *counts)
{
    glBindBuffer(GL_COPY_READ_BUFFER, particles->buffers[PARTICLES_COUNTS]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof *counts, counts);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}
