/* The scene of particles: the GPU's order against the CPU's by the pictures that come of them, and
 * what the sequence holds between sorts. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gl_debug.h"
#include "headless_gl.h"
#include "scene_particles.h"

enum { WIDTH = 192, HEIGHT = 120, PIXEL_BYTES = 3 * WIDTH * HEIGHT, CAPACITY = 8192 };

static struct failure failure;

static struct options options_of(bool one_domain, int sorting)
{
    return (struct options){.scene = "particles",
                            .width = WIDTH,
                            .height = HEIGHT,
                            .seed = 7,
                            .particles = CAPACITY,
                            .one_domain = one_domain,
                            .sorting = sorting};
}

static bool start(struct scene_run *run, const struct options *options)
{
    return CHECK(
        scene_run_create(run, &scene_particles, options, headless_gl_get_proc_address, &failure),
        "%s", failure.text);
}

static void draw_frame(struct scene_run *run, float seconds)
{
    CHECK(scene_run_frame(run, seconds, &failure), "%s", failure.text);
    glFinish();
}

static void draw_picture(const struct options *options, unsigned char *rgb)
{
    struct scene_run run;
    if (!start(&run, options))
        return;
    for (int frame = 0; frame < 90; frame++)
        draw_frame(&run, scene_fixed_step);
    canvas_read(&run.canvas, rgb);
    scene_run_destroy(&run);
}

/* How many of a hundred pixels differ by more than what an eye may overlook. */
static double different_pixels(const unsigned char *a, const unsigned char *b)
{
    unsigned count = 0;
    for (int pixel = 0; pixel < PIXEL_BYTES; pixel += 3) {
        int most = 0;
        for (int i = pixel; i < pixel + 3; i++)
            most = abs(a[i] - b[i]) > most ? abs(a[i] - b[i]) : most;
        count += most > 16;
    }
    return 100.0 * count / (WIDTH * HEIGHT);
}

static void compare_pictures(bool one_domain)
{
    static unsigned char gpu[PIXEL_BYTES], again[PIXEL_BYTES], cpu[PIXEL_BYTES], not [PIXEL_BYTES];
    const char *name = one_domain ? "in one domain" : "emitter by emitter";
    struct options options = options_of(one_domain, 1);
    draw_picture(&options, gpu);
    draw_picture(&options, again);
    options.cpu_oracle = true;
    draw_picture(&options, cpu);
    options = options_of(one_domain, 0);
    draw_picture(&options, not );
    CHECK(memcmp(gpu, again, sizeof gpu) == 0, "%s: two runs, two pictures", name);
    CHECK(memcmp(gpu, cpu, sizeof gpu) == 0, "%s: %.2f %% of the pixels aren't the CPU's", name,
          different_pixels(gpu, cpu));
    CHECK(different_pixels(gpu, not ) > 3, "%s: %.2f %% of the pixels differ from the unsorted",
          name, different_pixels(gpu, not ));
    printf("       %s, %.1f %% of the pixels differ from the unsorted ones\n", name,
           different_pixels(gpu, not ));
}

static void sorted_pictures_equal_the_cpus(void)
{
    for (int one_domain = 0; one_domain < 2; one_domain++)
        compare_pictures(one_domain);
}

static void read_buffer(const struct particles *particles, enum particles_buffer buffer,
                        size_t size, void *data)
{
    glBindBuffer(GL_COPY_READ_BUFFER, particles->buffers[buffer]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

/* A command an emitter, in their order, or one for all. */
static void check_commands(const struct particles *particles)
{
    uint32_t commands[PARTICLES_EMITTERS][4], order[PARTICLES_EMITTERS], wrong = 0;
    struct particles_counts counts;
    particles_read_counts(particles, &counts);
    read_buffer(particles, PARTICLES_COMMANDS, sizeof commands, commands);
    read_buffer(particles, PARTICLES_EMITTER_ORDER, sizeof order, order);
    for (uint32_t i = 0; i < PARTICLES_EMITTERS && !particles->one_domain; i++) {
        uint32_t emitter = order[i];
        const uint32_t right[4] = {counts.count[emitter], 1, emitter * particles->slot, 0};
        wrong += memcmp(commands[i], right, sizeof right) != 0;
    }
    if (particles->one_domain)
        wrong = commands[0][0] != counts.total || commands[0][1] != 1 || commands[0][2] != 0;
    CHECK(wrong == 0, "%u commands are wrong", wrong);
}

/* Each live row has to be in its domain's part of the sequence exactly once. */
static void check_sequence(const struct particles *particles, unsigned frame)
{
    static uint32_t sequence[CAPACITY];
    static unsigned char seen[CAPACITY];
    struct particles_counts counts;
    unsigned wrong = 0;
    particles_read_counts(particles, &counts);
    read_buffer(particles, PARTICLES_SEQUENCE, sizeof sequence, sequence);
    memset(seen, 0, sizeof seen);
    for (uint32_t e = 0; e < PARTICLES_EMITTERS; e++) {
        uint32_t first = particles->one_domain ? counts.offset[e] : e * particles->slot;
        for (uint32_t i = 0; i < counts.count[e]; i++) {
            uint32_t row = sequence[first + i], emitter = row / particles->slot;
            bool inside = row < CAPACITY && row % particles->slot < counts.count[emitter] &&
                          (particles->one_domain || emitter == e);
            wrong += !inside || seen[row];
            if (inside)
                seen[row] = 1;
        }
    }
    CHECK(wrong == 0, "frame %u: %u of %u rows of the sequence are wrong", frame, wrong,
          counts.total);
}

static void sequences_go_on_between_sorts(void)
{
    for (int one_domain = 0; one_domain < 2; one_domain++) {
        struct scene_run run;
        struct options options = options_of(one_domain, 40);
        if (!start(&run, &options))
            return;
        /* Long steps, so that several of a slot die and are born in one. */
        for (unsigned frame = 0; frame < 100; frame++) {
            draw_frame(&run, 0.3f);
            check_sequence(scene_particles_of(run.state), frame);
            check_commands(scene_particles_of(run.state));
        }
        scene_run_destroy(&run);
    }
}

static void check_counts(const struct particles_counts *now, const struct particles_counts *before,
                         uint32_t slot)
{
    uint32_t total = 0;
    for (uint32_t e = 0; e < PARTICLES_EMITTERS; e++) {
        CHECK(now->had[e] == before->count[e], "emitter %u had %u, not %u", e, now->had[e],
              before->count[e]);
        CHECK(now->kept[e] <= now->had[e] && now->kept[e] <= now->count[e] && now->count[e] <= slot,
              "emitter %u kept %u of %u and has %u", e, now->kept[e], now->had[e], now->count[e]);
        total += now->count[e];
    }
    CHECK(now->total == total, "%u in total, not %u", now->total, total);
}

/* Through all keys and a change of size. */
static void three_hundred_frames_without_a_word(void)
{
    static const char keys[] = "onuosnosuo";
    struct scene_run run;
    struct gl_debug debug;
    struct options options = options_of(false, 1);
    struct particles_counts now, before = {0};
    unsigned changes = 0;
    gl_debug_install(&debug);
    if (!start(&run, &options))
        return;
    for (unsigned frame = 0; frame < 300; frame++) {
        if (frame % 30 == 29)
            run.scene->key(run.state, keys[frame / 30]);
        if (frame == 100)
            CHECK(scene_run_resize(&run, 101, 67, &failure), "%s", failure.text);
        draw_frame(&run, scene_fixed_step);
        particles_read_counts(scene_particles_of(run.state), &now);
        check_counts(&now, &before, CAPACITY / PARTICLES_EMITTERS);
        changes += memcmp(now.count, before.count, sizeof now.count) != 0;
        if (frame % 30 == 5)
            check_sequence(scene_particles_of(run.state), frame);
        before = now;
    }
    CHECK(changes >= 298, "counts changed in %u of 300 frames", changes);
    CHECK(now.total > CAPACITY / 4, "%u particles live", now.total);
    scene_run_destroy(&run);
    CHECK(gl_debug_count(&debug) == 0, "GL complained, as told above");
}

static void in_a_context(void (*run)(void))
{
    struct headless_gl gl;
    if (!CHECK(headless_gl_create(&gl, 4, 3, true), "%s", gl.error))
        return;
    if (CHECK(gladLoadGL(headless_gl_get_proc_address) != 0, "glad loads"))
        run();
    headless_gl_destroy(&gl);
}

static void pictures(void)
{
    in_a_context(sorted_pictures_equal_the_cpus);
}

static void sequences(void)
{
    in_a_context(sequences_go_on_between_sorts);
}

static void frames(void)
{
    in_a_context(three_hundred_frames_without_a_word);
}

CHECK_MAIN(CHECK_TEST(pictures), CHECK_TEST(sequences), CHECK_TEST(frames))
