/* The scene of particles: the GPU's order against the CPU's by the pictures that come of them, what
 * the sequence holds between sorts, how many there are of each emitter, and where smoke meets what is
 * solid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gl_debug.h"
#include "headless_gl.h"
#include "panel.h"
#include "scene_particles.h"

enum { WIDTH = 192, HEIGHT = 120, PIXEL_BYTES = 3 * WIDTH * HEIGHT, CAPACITY = 8192 };
enum { SLOT = CAPACITY / PARTICLES_EMITTERS };

static struct failure failure;

static struct options options_of(bool one_domain, int sorting)
{
    return (struct options){.scene = "particles",
                            .mesh = "generated",
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

static struct plumes *plumes_of(const struct scene_run *run)
{
    return run->state;
}

static void draw_frame(struct scene_run *run, float seconds)
{
    CHECK(scene_run_frame(run, seconds, &failure), "%s", failure.text);
    glFinish();
}

/* Frames of a twentieth of a second each; behind the one of that number the camera is turned. */
static void draw_picture(const struct options *options, int frames, int turned, unsigned char *rgb)
{
    struct scene_run run;
    if (!start(&run, options))
        return;
    for (int frame = 0; frame < frames; frame++) {
        draw_frame(&run, 0.05f);
        if (frame == turned)
            run.scene->drag(run.state, 300, 0);
    }
    canvas_read(&run.canvas, rgb);
    scene_run_destroy(&run);
}

/* ---------------------------------------------------------------------------------------------- */
/* Pictures */

static int difference(const unsigned char *a, const unsigned char *b)
{
    int most = 0;
    for (int i = 0; i < 3; i++)
        most = abs(a[i] - b[i]) > most ? abs(a[i] - b[i]) : most;
    return most;
}

/* How many of a hundred pixels differ by more than what an eye may overlook. */
static double different_pixels(const unsigned char *a, const unsigned char *b)
{
    unsigned count = 0;
    for (int pixel = 0; pixel < PIXEL_BYTES; pixel += 3)
        count += difference(a + pixel, b + pixel) > 16;
    return 100.0 * count / (WIDTH * HEIGHT);
}

/* The left part has to be that of one picture and the right part that of another; between them is a
 * line. */
static void check_split(const unsigned char *split, const unsigned char *left,
                        const unsigned char *right)
{
    unsigned wrong = 0;
    for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
        int x = pixel % WIDTH;
        const unsigned char *side = x < WIDTH / 2 ? left : right;
        if (abs(x - WIDTH / 2) > 2)
            wrong += difference(split + 3 * pixel, side + 3 * pixel) != 0;
    }
    CHECK(wrong == 0, "%u pixels of the split picture are of neither side", wrong);
}

static void compare_pictures(bool one_domain, bool half)
{
    static unsigned char gpu[PIXEL_BYTES], again[PIXEL_BYTES], cpu[PIXEL_BYTES], not [PIXEL_BYTES];
    const char *name = one_domain ? "in one domain" : "emitter by emitter";
    struct options options = options_of(one_domain, 1);
    options.half_smoke = half ? OPTIONS_ON : OPTIONS_OFF;
    draw_picture(&options, 36, -1, gpu);
    draw_picture(&options, 36, -1, again);
    options.cpu_oracle = true;
    draw_picture(&options, 36, -1, cpu);
    options.cpu_oracle = false;
    options.sorting = 0;
    draw_picture(&options, 36, -1, not );
    CHECK(memcmp(gpu, again, sizeof gpu) == 0, "%s: two runs, two pictures", name);
    CHECK(memcmp(gpu, cpu, sizeof gpu) == 0, "%s: %.2f %% of the pixels aren't the CPU's", name,
          different_pixels(gpu, cpu));
    CHECK(different_pixels(gpu, not ) > 1, "%s: %.2f %% of the pixels differ from the unsorted",
          name, different_pixels(gpu, not ));
    printf("       %s, %.1f %% of the pixels differ from the unsorted ones\n", name,
           different_pixels(gpu, not ));
    options.split = true;
    draw_picture(&options, 36, -1, again);
    check_split(again, not, gpu);
}

static void sorted_pictures_equal_the_cpus(void)
{
    for (int one_domain = 0; one_domain < 2; one_domain++)
        compare_pictures(one_domain, false);
    compare_pictures(false, true);
}

/* On the beat it is the picture of sorting always, off the beat it isn't. */
static void pictures_of_every_nth_frame(void)
{
    static unsigned char every[PIXEL_BYTES], nth[PIXEL_BYTES];
    const struct options always = options_of(false, 1), sometimes = options_of(false, 15);
    draw_picture(&always, 31, -1, every);
    draw_picture(&sometimes, 31, -1, nth);
    CHECK(memcmp(every, nth, sizeof nth) == 0, "on the beat %.2f %% of the pixels are others",
          different_pixels(every, nth));
    draw_picture(&always, 36, 30, every);
    draw_picture(&sometimes, 36, 30, nth);
    CHECK(different_pixels(every, nth) > 1, "off the beat %.2f %% of the pixels are others",
          different_pixels(every, nth));
}

/* ---------------------------------------------------------------------------------------------- */
/* Solids */

/* Nothing but so many particles of the first emitter, which stay where they are. */
static void put_particles(const struct particles *particles, const struct particle *records,
                          uint32_t count)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, particles->buffers[PARTICLES_RECORDS]);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)(count * sizeof *records), records);
    glBindBuffer(GL_COPY_WRITE_BUFFER, particles->buffers[PARTICLES_COUNTS]);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, sizeof count, &count);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

/* How much light a particle there adds or takes where it is seen; its shadow is there in any case. */
static long trace_of(struct scene_run *run, const vec3 place)
{
    static unsigned char without[PIXEL_BYTES], with[PIXEL_BYTES];
    const struct particle particle = {{place[0], place[1], place[2]}, 0.1f, {0}, 1};
    struct particles_look *look = &plumes_of(run)->choices.look;
    long sum = 0;
    put_particles(&plumes_of(run)->particles, &particle, 1);
    look->opacity = 0;
    draw_frame(run, 0);
    canvas_read(&run->canvas, without);
    look->opacity = 2.5f;
    draw_frame(run, 0);
    canvas_read(&run->canvas, with);
    for (int i = 0; i < PIXEL_BYTES; i++)
        sum += abs(with[i] - without[i]);
    return sum;
}

static void find_eye(const struct plumes *plumes, vec3 eye)
{
    mat4 view = {{0}}, back;
    camera_view(&plumes->camera, view);
    glm_mat4_inv(view, back);
    glm_vec3_copy(back[3], eye);
}

/* The nearest vertex of the generated mesh's third segment, a sphere. */
static void find_nearest_vertex(const struct plumes *plumes, vec3 eye, vec3 nearest)
{
    const struct mesh *mesh = &plumes->picture.mesh;
    const struct mesh_segment *sphere = &mesh->segments[2];
    float least = INFINITY;
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        mat4 fitted, placed;
        if (mesh->instances[i].segment != 2)
            continue;
        camera_place(&plumes->picture.fit, mesh->instances[i].matrix, fitted);
        memcpy(placed, plumes->picture.placed, sizeof placed);
        glm_mat4_mul(placed, fitted, placed);
        for (uint32_t v = 0; v < sphere->vertex_count; v++) {
            const float *at = mesh->positions + 3 * (size_t)(sphere->first_vertex + v);
            vec3 vertex = {at[0], at[1], at[2]}, place;
            glm_mat4_mulv3(placed, vertex, 1, place);
            if (glm_vec3_distance(place, eye) < least) {
                least = glm_vec3_distance(place, eye);
                glm_vec3_copy(place, nearest);
            }
        }
    }
}

/* So much farther away than a place. */
static long trace_behind(struct scene_run *run, vec3 eye, vec3 place, float distance)
{
    vec3 away, there;
    glm_vec3_sub(place, eye, away);
    glm_vec3_normalize(away);
    glm_vec3_copy(place, there);
    glm_vec3_muladds(away, distance, there);
    return trace_of(run, there);
}

static void smoke_meets_solids(void)
{
    struct scene_run run;
    const struct options options = options_of(true, 1);
    if (!start(&run, &options))
        return;
    struct plumes *plumes = plumes_of(&run);
    struct particles_look *look = &plumes->choices.look;
    vec3 eye, vertex = {0};
    find_eye(plumes, eye);
    find_nearest_vertex(plumes, eye, vertex);
    look->size = 0.15f;
    CHECK(trace_behind(&run, eye, vertex, 0.04f) == 0, "smoke behind the mesh is seen");
    CHECK(trace_behind(&run, eye, vertex, -0.06f) > 50, "smoke before the mesh isn't seen");
    long soft = trace_behind(&run, eye, vertex, -0.003f);
    look->softness = 0;
    long hard = trace_behind(&run, eye, vertex, -0.003f);
    CHECK(hard > 50 && soft < hard / 3, "at the mesh soft smoke leaves %ld, hard smoke %ld", soft,
          hard);
    look->show_mesh = false;
    CHECK(trace_behind(&run, eye, vertex, 0.04f) > 50, "smoke isn't seen without the mesh");
    scene_run_destroy(&run);
}

/* ---------------------------------------------------------------------------------------------- */
/* Sequences */

static void read_buffer(const struct particles *particles, enum particles_buffer buffer,
                        size_t size, void *data)
{
    glBindBuffer(GL_COPY_READ_BUFFER, particles->buffers[buffer]);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

/* A command an emitter, in their order and then by number, or one for all. */
static void check_commands(const struct particles *particles)
{
    uint32_t commands[2 * PARTICLES_EMITTERS][4], order[PARTICLES_EMITTERS], wrong = 0;
    struct particles_counts counts;
    particles_read_counts(particles, &counts);
    read_buffer(particles, PARTICLES_COMMANDS, sizeof commands, commands);
    read_buffer(particles, PARTICLES_EMITTER_ORDER, sizeof order, order);
    for (uint32_t i = 0; i < 2 * PARTICLES_EMITTERS && !particles->one_domain; i++) {
        uint32_t emitter = i < PARTICLES_EMITTERS ? order[i] : i - PARTICLES_EMITTERS;
        const uint32_t right[4] = {counts.count[emitter], 1, emitter * particles->slot, 0};
        wrong += memcmp(commands[i], right, sizeof right) != 0;
    }
    for (uint32_t i = 0; i < 2 && particles->one_domain; i++) {
        const uint32_t right[4] = {counts.total, 1, 0, 0};
        wrong += memcmp(commands[i * PARTICLES_EMITTERS], right, sizeof right) != 0;
    }
    CHECK(wrong == 0, "%u commands are wrong", wrong);
}

/* Each live row has to be in its domain's part of what is drawn exactly once. */
static void check_sequence(const struct particles *particles, unsigned frame)
{
    static uint32_t sequence[CAPACITY];
    static unsigned char seen[CAPACITY];
    struct particles_counts counts;
    unsigned wrong = 0;
    particles_read_counts(particles, &counts);
    read_buffer(particles, particles->sequence_is_sorted ? PARTICLES_SEQUENCE : PARTICLES_LIST,
                sizeof *sequence * particles->slot * PARTICLES_EMITTERS, sequence);
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
            check_sequence(&plumes_of(&run)->particles, frame);
            check_commands(&plumes_of(&run)->particles);
        }
        scene_run_destroy(&run);
    }
}

/* The sequence against the CPU's of the same list, row by row; then the CPU's is there. */
static void check_order(const struct plumes *plumes)
{
    static uint32_t gpu[CAPACITY], cpu[CAPACITY];
    const struct particles *particles = &plumes->particles;
    struct particles_counts counts;
    unsigned wrong = 0;
    mat4 view = {{0}};
    camera_view(&plumes->camera, view);
    particles_read_counts(particles, &counts);
    read_buffer(particles, PARTICLES_SEQUENCE, sizeof gpu, gpu);
    if (!CHECK(particles_order_on_cpu(particles, view, &failure), "%s", failure.text))
        return;
    read_buffer(particles, PARTICLES_SEQUENCE, sizeof cpu, cpu);
    for (uint32_t e = 0; e < PARTICLES_EMITTERS; e++)
        for (uint32_t i = 0; i < counts.count[e]; i++) {
            uint32_t at = (particles->one_domain ? counts.offset[e] : e * particles->slot) + i;
            wrong += gpu[at] != cpu[at];
        }
    CHECK(wrong == 0, "%u of %u rows aren't the CPU's", wrong, counts.total);
}

/* Emitters without a particle, with one, and with a full slot, and what is in between. */
static void emitters_of_any_length(void)
{
    static struct particle records[CAPACITY];
    uint32_t lengths[PARTICLES_EMITTERS], state = 5, total = 0;
    for (uint32_t i = 0; i < CAPACITY; i++) {
        records[i] = (struct particle){.age = 0.1f, .life = 1};
        for (int axis = 0; axis < 3; axis++) {
            state = state * 1664525u + 1013904223u;
            records[i].position[axis] = (float)(state >> 8) / 16777216.0f;
        }
    }
    for (uint32_t e = 0; e < PARTICLES_EMITTERS; e++) {
        const uint32_t some[5] = {0, 1, SLOT, e % SLOT, 2};
        lengths[e] = some[e % 5];
        total += lengths[e];
    }
    for (int one_domain = 0; one_domain < 2; one_domain++) {
        struct scene_run run;
        const struct options options = options_of(one_domain, 1);
        if (!start(&run, &options))
            return;
        put_particles(&plumes_of(&run)->particles, records, CAPACITY);
        glBindBuffer(GL_COPY_WRITE_BUFFER, plumes_of(&run)->particles.buffers[PARTICLES_COUNTS]);
        glBufferSubData(GL_COPY_WRITE_BUFFER, 0, sizeof lengths, lengths);
        glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
        draw_frame(&run, 0);
        check_sequence(&plumes_of(&run)->particles, 0);
        check_commands(&plumes_of(&run)->particles);
        check_order(plumes_of(&run));
        struct particles_counts counts;
        particles_read_counts(&plumes_of(&run)->particles, &counts);
        CHECK(memcmp(counts.count, lengths, sizeof lengths) == 0, "lengths changed");
        CHECK(counts.total == total, "%u in total, not %u", counts.total, total);
        scene_run_destroy(&run);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Counts */

/* Adds up each emitter's counts over some frames, once they are steady. */
static void add_up_counts(struct scene_run *run, double sums[PARTICLES_EMITTERS], int frames)
{
    struct particles_counts counts;
    for (int frame = 0; frame < frames + 60; frame++) {
        draw_frame(run, 1.0f / 15);
        if (frame < 60)
            continue;
        particles_read_counts(&plumes_of(run)->particles, &counts);
        for (int e = 0; e < PARTICLES_EMITTERS; e++)
            sums[e] += (double)counts.count[e] / frames;
    }
}

/* Of ranks from first to last, against what the law says of them together. */
static void check_ranks(const double *sums, const struct particles_order *law, uint32_t slot,
                        uint32_t first, uint32_t last)
{
    double sum = 0, right = 0;
    for (uint32_t e = 0; e < PARTICLES_EMITTERS; e++) {
        uint32_t rank = particles_rank(e);
        if (rank < first || rank > last)
            continue;
        sum += sums[e];
        right += (double)(law->fill * (float)slot * powf((float)rank, -law->falling));
    }
    CHECK(fabs(sum - right) < 0.12 * right, "ranks %u to %u have %.1f live, not %.1f", first, last,
          sum, right);
}

/* The law is written here anew: a slot's share, falling with a power of the rank. */
static void counts_follow_their_law(void)
{
    for (int power_law = 0; power_law < 2; power_law++) {
        static double sums[PARTICLES_EMITTERS];
        const struct particles_order law = {.fill = 0.72f, .falling = power_law ? 0.5f : 0};
        struct scene_run run;
        struct options options = options_of(false, 0);
        options.width = options.height = 16;
        options.particles = 32768;
        options.network.lengths = power_law ? NETWORK_POWER_LAW : NETWORK_UNEVEN;
        if (!start(&run, &options))
            return;
        memset(sums, 0, sizeof sums);
        add_up_counts(&run, sums, 56);
        for (uint32_t rank = 1; rank < PARTICLES_EMITTERS; rank *= 2)
            check_ranks(sums, &law, plumes_of(&run)->particles.slot, rank, 2 * rank - 1);
        scene_run_destroy(&run);
    }
}

/* Without births all die; with too many each slot is full. */
static void births_fill_or_empty_slots(void)
{
    struct scene_run run;
    const struct options options = options_of(true, 1);
    struct particles_counts counts;
    if (!start(&run, &options))
        return;
    plumes_of(&run)->choices.births = 20;
    for (int frame = 0; frame < 40; frame++)
        draw_frame(&run, 0.1f);
    particles_read_counts(&plumes_of(&run)->particles, &counts);
    CHECK(counts.total == CAPACITY, "%u live, not all %d", counts.total, CAPACITY);
    check_order(plumes_of(&run));
    plumes_of(&run)->choices.births = 0;
    for (int frame = 0; frame < 40; frame++)
        draw_frame(&run, 0.1f);
    particles_read_counts(&plumes_of(&run)->particles, &counts);
    CHECK(counts.total == 0, "%u live, not none", counts.total);
    scene_run_destroy(&run);
}

/* Only where nothing is asked for the driver decides. */
static void few_without_a_gpu(void)
{
    struct scene_run run;
    struct options options = options_of(false, 1);
    bool cpu = strstr((const char *)glGetString(GL_RENDERER), "llvmpipe") != NULL;
    for (int asked = 0; asked < 3; asked++) {
        options.particles = asked == 1 ? 8192 : 0;
        options.half_smoke = asked == 2 ? OPTIONS_OFF : OPTIONS_DEFAULT;
        if (!start(&run, &options))
            return;
        uint32_t room = plumes_of(&run)->particles.slot * PARTICLES_EMITTERS;
        CHECK(room == (asked == 1 ? 8192u
                       : cpu      ? 32768u
                                  : 1572864u),
              "case %d: room for %u", asked, room);
        CHECK(plumes_of(&run)->choices.look.half == (asked == 0 && cpu), "case %d: %s resolution",
              asked, plumes_of(&run)->choices.look.half ? "half" : "full");
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

static void show_panel(struct scene_run *run)
{
    glBindFramebuffer(GL_FRAMEBUFFER, run->canvas.picture);
    panel_begin_frame(run->canvas.width, run->canvas.height, scene_fixed_step);
    if (panel_begin("particles", PANEL_TOP_LEFT, 160))
        run->scene->panel(run->state);
    panel_end();
    panel_end_frame();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* What the mouse, a dropped file and the shell ask of the scene. */
static void use_scene(struct scene_run *run)
{
    struct scene_plan plans[8];
    size_t count = run->scene->plans(run->state, plans, 8);
    CHECK(count == 3, "%zu plans while some frames are sorted", count);
    for (size_t i = 0; i < count; i++) {
        gl_segsort_timings timings;
        CHECK(gl_segsort_plan_timings(plans[i].plan, &timings) == GL_SEGSORT_SUCCESS,
              "%s isn't timed", plans[i].name);
    }
    CHECK(run->scene->plans(run->state, plans, 1) == 1, "more plans than there is room for");
    run->scene->drag(run->state, 31, -900);
    run->scene->wheel(run->state, -3);
    CHECK(plumes_of(run)->camera.pitch > 0, "the camera is under the ground");
    CHECK(!run->scene->drop(run->state, "no such file.obj", &failure), "a missing file is loaded");
    CHECK(strstr(failure.text, "no such file.obj") != NULL, "%s", failure.text);
    CHECK(run->scene->drop(run->state, "generated", &failure), "%s", failure.text);
}

static void check_watch(struct plumes *plumes)
{
    struct particles_counts counts;
    particles_read_counts(&plumes->particles, &counts);
    particles_watch_poll(&plumes->watch);
    CHECK(memcmp(&counts, &plumes->watch.counts, sizeof counts) == 0,
          "the panel has %u particles, not %u", plumes->watch.counts.total, counts.total);
}

/* Through all keys and a change of size. */
static void three_hundred_frames_without_a_word(void)
{
    static const char keys[] = "onuosnvqlncfcfqvosuo";
    struct scene_run run;
    struct gl_debug debug;
    struct options options = options_of(false, 1);
    struct particles_counts now, before = {0};
    unsigned changes = 0;
    options.particles = 4096;
    gl_debug_install(&debug);
    if (!start(&run, &options) || !CHECK(panel_create(NULL, 1), "no panels"))
        return;
    for (unsigned frame = 0; frame < 300; frame++) {
        if (frame % 15 == 14)
            run.scene->key(run.state, keys[frame / 15]);
        if (frame == 100)
            CHECK(scene_run_resize(&run, 101, 67, &failure), "%s", failure.text);
        if (frame == 155)
            use_scene(&run);
        draw_frame(&run, scene_fixed_step);
        check_watch(plumes_of(&run));
        if (frame % 10 == 3)
            show_panel(&run);
        particles_read_counts(&plumes_of(&run)->particles, &now);
        check_counts(&now, &before, plumes_of(&run)->particles.slot);
        changes += memcmp(now.count, before.count, sizeof now.count) != 0;
        if (frame % 15 == 5)
            check_sequence(&plumes_of(&run)->particles, frame);
        before = now;
    }
    CHECK(changes >= 260, "counts changed in %u of 300 frames", changes);
    CHECK(now.total > 4096 / 8, "%u particles live", now.total);
    panel_destroy();
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
    in_a_context(pictures_of_every_nth_frame);
}

static void solids(void)
{
    in_a_context(smoke_meets_solids);
}

static void sequences(void)
{
    in_a_context(sequences_go_on_between_sorts);
    in_a_context(emitters_of_any_length);
}

static void counts(void)
{
    in_a_context(counts_follow_their_law);
    in_a_context(births_fill_or_empty_slots);
    in_a_context(few_without_a_gpu);
}

static void frames(void)
{
    in_a_context(three_hundred_frames_without_a_word);
}

CHECK_MAIN(CHECK_TEST(pictures), CHECK_TEST(solids), CHECK_TEST(sequences), CHECK_TEST(counts),
           CHECK_TEST(frames))
