#include "particles.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "read_back.h"
#include "shaders.h"

/* As in demo/shaders/particles*. */
enum { UNIFORM_SLOT_DOMAINS = 0, GROUP = 256, UNIFORM_APPEND = 2, UNIFORM_SHADE = 2 };
enum { UNIFORM_FRAME_SEED = 2, UNIFORM_STEP_TIME = 3, UNIFORM_FILL_FALLING = 4 };
enum { GRID_WIDTH = 72, GRID_HEIGHT = 48, GRID_DEPTH = 72, LIGHT_GROUP = 8 };
enum { LIGHT_COLUMNS_X = 104, LIGHT_COLUMNS_Z = 88 }; /* the grid, and how far columns lean */

static void keep_message(gl_segsort_log_level level, const char *message, void *user)
{
    if (level == GL_SEGSORT_LOG_ERROR)
        failure_set(user, "%s", message);
}

/* ---------------------------------------------------------------------------------------------- */
/* Setting up */

static bool create_programs(struct particles *particles, struct failure *failure)
{
    static const char *const names[] = {"particles_simulate.comp", "particles_light.comp",
                                        "particles_commands.comp", "particles_list.comp",
                                        "particles_keep.comp"};
    for (int i = 0; i < PARTICLES_PROGRAMS; i++) {
        particles->programs[i] = shaders_compute_program(names[i], failure);
        if (!particles->programs[i])
            return false;
    }
    return true;
}

/* The emitters lie along the arms of a spiral, whose middle is left to the mesh. Those outside are
 * weaker. */
static void place_emitters(float (*places)[4])
{
    enum { ARMS = 5 };
    for (int i = 0; i < PARTICLES_EMITTERS; i++) {
        int place = i / ARMS;
        float along = ((float)place + 0.5f) * ARMS / PARTICLES_EMITTERS;
        float aside = 0.05f * sinf(2.3999632f * (float)i);
        float turn = 2 * GLM_PIf * ((float)(i % ARMS) / ARMS + 0.13f * along) + aside;
        float radius = 0.52f + 0.62f * along;
        places[i][0] = radius * cosf(turn);
        places[i][1] = 0;
        places[i][2] = radius * sinf(turn);
        places[i][3] = 0.70f - 0.42f * along + 0.08f * sinf(1.7f * (float)i);
    }
}

static void create_sunlight(struct particles *particles)
{
    glGenTextures(1, &particles->sunlight);
    glBindTexture(GL_TEXTURE_3D, particles->sunlight);
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_R16F, GRID_WIDTH, GRID_HEIGHT, GRID_DEPTH);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_3D, 0);
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
    sizes[PARTICLES_PLACES] = 4 * emitters;
    sizes[PARTICLES_COMMANDS] = 2 * 4 * emitters;
    sizes[PARTICLES_CELLS] = word * GRID_WIDTH * GRID_HEIGHT * GRID_DEPTH;
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
}

/* Plans of the particles: what differs is the domains. max_length tells a plan that no slot is
 * longer, so that it makes no passes for such. */
static gl_segsort_plan_desc plan_desc(enum particles_plan plan, uint32_t slot)
{
    static const char *const labels[PARTICLES_PLANS] = {
        "emitters", "particles by emitter", "all particles", "live by emitter", "all live"};
    bool one = plan == PARTICLES_PLAN_ONE || plan == PARTICLES_PLAN_KEEP_ONE;
    uint32_t stride = one ? PARTICLES_EMITTERS * slot : slot;
    gl_segsort_plan_desc desc = {.label = labels[plan],
                                 .key_type = GL_SEGSORT_KEY_F32,
                                 .direction = GL_SEGSORT_DESCENDING, /* back to front */
                                 .segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED,
                                 .segment_stride = stride,
                                 .max_segments = one ? 1 : PARTICLES_EMITTERS,
                                 .max_rows = PARTICLES_EMITTERS * slot,
                                 .max_length = stride,
                                 .timed = true};
    if (plan == PARTICLES_PLAN_KEEP_SLOTS || plan == PARTICLES_PLAN_KEEP_ONE) {
        desc.key_type = GL_SEGSORT_KEY_U32;
        desc.direction = GL_SEGSORT_ASCENDING;
        desc.end_bit = 1;
    }
    return desc;
}

static bool create_plans(struct particles *particles, gl_segsort_get_proc_address get_proc_address,
                         gl_segsort_program_cache program_cache, struct failure *failure)
{
    static const gl_segsort_segment emitters = {.length = PARTICLES_EMITTERS};
    const gl_segsort_context_desc context_desc = {.get_proc_address = get_proc_address,
                                                  .label = "particles",
                                                  .log = keep_message,
                                                  .log_user = &particles->why,
                                                  .program_cache = program_cache};
    if (gl_segsort_context_create(&context_desc, &particles->context) != GL_SEGSORT_SUCCESS)
        return failure_set(failure, "%s", particles->why.text);
    for (int i = 0; i < PARTICLES_PLANS; i++) {
        gl_segsort_plan_desc desc = plan_desc((enum particles_plan)i, particles->slot);
        if (i == PARTICLES_PLAN_EMITTERS)
            desc = (gl_segsort_plan_desc){.label = desc.label,
                                          .key_type = GL_SEGSORT_KEY_F32,
                                          .value_type = GL_SEGSORT_VALUE_INDEX,
                                          .direction = GL_SEGSORT_DESCENDING,
                                          .segments = &emitters,
                                          .segment_count = 1,
                                          .timed = true};
        if (gl_segsort_plan_create(particles->context, &desc, &particles->plans[i]) !=
            GL_SEGSORT_SUCCESS)
            return failure_set(failure, "%s", particles->why.text);
    }
    return true;
}

bool particles_create(struct particles *particles, uint32_t capacity, uint32_t seed,
                      gl_segsort_get_proc_address get_proc_address,
                      gl_segsort_program_cache program_cache, struct failure *failure)
{
    uint32_t slot = (capacity + PARTICLES_EMITTERS - 1) / PARTICLES_EMITTERS;
    *particles = (struct particles){.slot = slot, .seed = seed};
    if (!create_programs(particles, failure) ||
        !create_plans(particles, get_proc_address, program_cache, failure)) {
        particles_destroy(particles);
        return false;
    }
    create_buffers(particles);
    create_sunlight(particles);
    return true;
}

void particles_destroy(struct particles *particles)
{
    for (int i = 0; i < PARTICLES_PLANS; i++)
        gl_segsort_plan_destroy(particles->plans[i]);
    gl_segsort_context_destroy(particles->context);
    for (int i = 0; i < PARTICLES_PROGRAMS; i++)
        glDeleteProgram(particles->programs[i]);
    glDeleteTextures(1, &particles->sunlight);
    glDeleteBuffers(PARTICLES_BUFFERS, particles->buffers);
    *particles = (struct particles){0};
}

/* ---------------------------------------------------------------------------------------------- */
/* A frame's steps */

static void bind_storage(const struct particles *particles, GLuint binding,
                         enum particles_buffer buffer)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, particles->buffers[buffer]);
}

/* What all of the shaders read, and two streams. */
static void bind_streams(const struct particles *particles, enum particles_buffer third,
                         enum particles_buffer fourth)
{
    glUniform2ui(UNIFORM_SLOT_DOMAINS, particles->slot,
                 particles->one_domain ? 1 : PARTICLES_EMITTERS);
    bind_storage(particles, 0, PARTICLES_RECORDS);
    bind_storage(particles, 1, PARTICLES_COUNTS);
    bind_storage(particles, 2, third);
    bind_storage(particles, 3, fourth);
}

static void use(const struct particles *particles, enum particles_program program,
                enum particles_buffer third, enum particles_buffer fourth)
{
    glUseProgram(particles->programs[program]);
    bind_streams(particles, third, fourth);
}

static void dispatch(GLuint x, GLuint y, GLbitfield also)
{
    glDispatchCompute(x, y, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | also);
}

/* A work group for each GROUP rows of each slot. */
static void dispatch_rows(const struct particles *particles)
{
    dispatch((particles->slot + GROUP - 1) / GROUP, PARTICLES_EMITTERS, 0);
}

static void simulate(struct particles *particles, const struct particles_order *order,
                     unsigned frame, float seconds)
{
    use(particles, PARTICLES_SIMULATE, PARTICLES_MOVED, PARTICLES_PLACES);
    bind_storage(particles, 4, PARTICLES_CELLS);
    glUniform2ui(UNIFORM_FRAME_SEED, frame, particles->seed);
    glUniform2f(UNIFORM_STEP_TIME, seconds, (float)particles->time);
    glUniform2f(UNIFORM_FILL_FALLING, order->fill, order->falling);
    dispatch(PARTICLES_EMITTERS, 1, GL_BUFFER_UPDATE_BARRIER_BIT);
    particles->time += (double)seconds;
}

/* The fewer particles there are room for, the more shade each gives. */
static void light_up(const struct particles *particles)
{
    glUseProgram(particles->programs[PARTICLES_LIGHT]);
    bind_storage(particles, 2, PARTICLES_CELLS);
    glUniform1f(UNIFORM_SHADE, 20.0f / (float)particles->slot);
    glBindImageTexture(0, particles->sunlight, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_R16F);
    dispatch(LIGHT_COLUMNS_X / LIGHT_GROUP, LIGHT_COLUMNS_Z / LIGHT_GROUP,
             GL_TEXTURE_FETCH_BARRIER_BIT);
}

static void make_commands(const struct particles *particles)
{
    use(particles, PARTICLES_COMMAND, PARTICLES_COMMANDS, PARTICLES_EMITTER_ORDER);
    dispatch(1, 1, GL_COMMAND_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

/* append: what is new goes behind the sequence too. */
static void enumerate(const struct particles *particles, bool append)
{
    use(particles, PARTICLES_ENUMERATE, PARTICLES_LIST, PARTICLES_SEQUENCE);
    glUniform1i(UNIFORM_APPEND, append);
    dispatch_rows(particles);
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

/* How many rows each domain has; before: had in the frame before. */
static gl_segsort_view lengths(const struct particles *particles, bool before)
{
    GLuint buffer = particles->buffers[PARTICLES_COUNTS];
    if (particles->one_domain)
        return (gl_segsort_view){buffer,
                                 before ? offsetof(struct particles_counts, total_had)
                                        : offsetof(struct particles_counts, total),
                                 1};
    return (gl_segsort_view){buffer,
                             before ? offsetof(struct particles_counts, had)
                                    : offsetof(struct particles_counts, count),
                             PARTICLES_EMITTERS};
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
        desc.row_count = lengths(particles, false);
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
           gl_segsort_sort(particles->plans[PARTICLES_PLAN_EMITTERS], &sort_desc) ==
               GL_SEGSORT_SUCCESS;
}

/* The sequence is the list by its particles' depths. */
static bool sort_particles(const struct particles *particles, mat4 view)
{
    const gl_segsort_depth_keys_desc keys_desc = particles_keys_desc(particles, view);
    const gl_segsort_sort_desc sort_desc = {.keys = keys_desc.keys,
                                            .values = view_of(particles, PARTICLES_LIST),
                                            .output_keys = keys_desc.keys,
                                            .output_values = view_of(particles, PARTICLES_SEQUENCE),
                                            .segment_lengths = lengths(particles, false),
                                            .barriers_after = GL_SEGSORT_BARRIER_STORAGE |
                                                              GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    gl_segsort_plan *plan =
        particles->plans[particles->one_domain ? PARTICLES_PLAN_ONE : PARTICLES_PLAN_SLOTS];
    return gl_segsort_depth_keys(particles->context, &keys_desc) == GL_SEGSORT_SUCCESS &&
           gl_segsort_sort(plan, &sort_desc) == GL_SEGSORT_SUCCESS;
}

/* The sequence of the frame before goes on: a stable sort by one bit puts its live ones first, in
 * the order that they had. */
static bool keep_sequence(const struct particles *particles)
{
    const gl_segsort_view keys = view_of(particles, PARTICLES_KEYS);
    const gl_segsort_view sequence = view_of(particles, PARTICLES_SEQUENCE);
    const gl_segsort_sort_desc desc = {.keys = keys,
                                       .values = sequence,
                                       .output_keys = keys,
                                       .output_values = sequence,
                                       .segment_lengths = lengths(particles, true),
                                       .barriers_after = GL_SEGSORT_BARRIER_STORAGE |
                                                         GL_SEGSORT_BARRIER_BUFFER_UPDATE};
    use(particles, PARTICLES_KEEP, PARTICLES_SEQUENCE, PARTICLES_MOVED);
    bind_storage(particles, 4, PARTICLES_KEYS);
    dispatch_rows(particles);
    gl_segsort_plan *plan =
        particles
            ->plans[particles->one_domain ? PARTICLES_PLAN_KEEP_ONE : PARTICLES_PLAN_KEEP_SLOTS];
    return gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS;
}

static bool order_emitters(const struct particles *particles, bool on_cpu, mat4 view)
{
    if (!on_cpu)
        return sort_emitters(particles, view);
    particles_order_emitters_on_cpu(particles, view);
    return true;
}

/* Whether a sort is due: the sequence grows old, was never sorted, or is of other domains. */
static bool is_due(const struct particles *particles, const struct particles_order *order)
{
    return order->sorting > 0 &&
           (!particles->sequence_is_sorted || order->one_domain != particles->one_domain ||
            particles->unsorted_frames + 1 >= (unsigned)order->sorting);
}

static bool order_particles(const struct particles *particles, bool on_cpu, mat4 view,
                            struct failure *failure)
{
    if (on_cpu)
        return particles_order_on_cpu(particles, view, failure);
    return sort_particles(particles, view) || failure_set(failure, "%s", particles->why.text);
}

bool particles_update(struct particles *particles, const struct particles_order *order,
                      unsigned frame, float seconds, mat4 view, struct failure *failure)
{
    bool sorts = is_due(particles, order), keeps = order->sorting > 0 && !sorts;
    particles->one_domain = order->one_domain;
    if (sorts && !order_emitters(particles, order->cpu_oracle, view))
        return failure_set(failure, "%s", particles->why.text);
    simulate(particles, order, frame, seconds);
    light_up(particles);
    make_commands(particles);
    if (keeps && !keep_sequence(particles))
        return failure_set(failure, "%s", particles->why.text);
    enumerate(particles, keeps);
    if (sorts && !order_particles(particles, order->cpu_oracle, view, failure))
        return false;
    particles->sequence_is_sorted = order->sorting > 0;
    particles->unsorted_frames = sorts ? 0 : particles->unsorted_frames + 1;
    return true;
}

/* ---------------------------------------------------------------------------------------------- */
/* Drawing and reading */

void particles_draw_points(const struct particles *particles, bool sorted)
{
    const uintptr_t list_commands = sizeof(uint32_t[4]) * PARTICLES_EMITTERS;
    bind_streams(particles, sorted ? PARTICLES_SEQUENCE : PARTICLES_LIST, PARTICLES_PLACES);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, particles->buffers[PARTICLES_COMMANDS]);
    /* GL takes the offset into the buffer as a pointer. */
    const void *commands =
        (const void *)(sorted ? 0 : list_commands); /* NOLINT(performance-no-int-to-ptr) */
    glMultiDrawArraysIndirect(GL_POINTS, commands, particles->one_domain ? 1 : PARTICLES_EMITTERS,
                              0);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

uint32_t particles_rank(uint32_t emitter)
{
    return (emitter * 197 + 31) % PARTICLES_EMITTERS + 1;
}

void particles_read_counts(const struct particles *particles, struct particles_counts *counts)
{
    read_back(particles->buffers[PARTICLES_COUNTS], sizeof *counts, counts);
}
