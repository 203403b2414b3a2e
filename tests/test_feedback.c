/* Layer 4: frames that sort what the frame before left behind, by keys of their own. One lost,
 * doubled or misplaced row stays so to the end, and so does one pair of equal keys that changed
 * places: errors add up that a single sort might hide. */
#include "check.h"
#include "cpu_sort.h"
#include "generate.h"
#include "test_gl.h"

#include <glad/gl.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define FRAMES 1000
#define FRAMES_A_ROUND 100
#define ALGORITHMS 3

/* One network and several, one work group and several; a row that is nobody's before each. */
static const uint32_t lengths[] = {300, 0, 6000, 1, 7, 3000, 2, 0, 64, 1};
enum { SEGMENTS = COUNT_OF(lengths), ROWS = 300 + 6000 + 1 + 7 + 3000 + 2 + 64 + 1 + SEGMENTS };

static struct test_gl test;
static gl_segsort_segment segments[SEGMENTS];

/* ---------------------------------------------------------------------------------------------- */
/* The frames as the CPU sees them */

static struct {
    uint32_t keys[ROWS], sorted_keys[ROWS];
    uint32_t ids[ROWS], sorted_ids[ROWS]; /* before the frame and after it */
} simulation;

static void start_simulation(void)
{
    generate_packed_segments(lengths, SEGMENTS, 1, segments);
    generate_identity(simulation.ids, ROWS);
    generate_identity(simulation.sorted_ids, ROWS);
}

/* Sixteen bits, so that hosts may sort by those or by more. Now many keys are equal, now all, now
 * few. */
static void make_keys(uint32_t frame, uint32_t *keys)
{
    const uint32_t mask = frame % 2 ? 0xf00f : 0xffff;
    generate_keys(frame % 10 == 9 ? GENERATE_CONSTANT : GENERATE_RANDOM, keys, ROWS, frame);
    for (size_t i = 0; i < ROWS; i++)
        keys[i] &= mask;
}

static void simulate_frame(uint32_t frame)
{
    memcpy(simulation.ids, simulation.sorted_ids, sizeof simulation.ids);
    make_keys(frame, simulation.keys);
    cpu_sort_segments(simulation.keys, simulation.ids, simulation.sorted_keys,
                      simulation.sorted_ids, segments, SEGMENTS, GL_SEGSORT_ASCENDING);
}

/* ---------------------------------------------------------------------------------------------- */
/* The frames as the GPU sees them */

/* For so many frames a host sorts like this: from one buffer of payload to the other, or in place.
 */
struct turn {
    gl_segsort_algorithm algorithm;
    bool in_place;
    uint32_t frames;
};

/* The turns of a round, behind which payloads are checked. Software drivers take long over the
 * network across work groups, so that has few frames. */
static const struct turn back_and_forth[] = {{GL_SEGSORT_ALGORITHM_AUTO, false, FRAMES_A_ROUND}};
static const struct turn in_place[] = {{GL_SEGSORT_ALGORITHM_AUTO, true, FRAMES_A_ROUND}};
static const struct turn by_request[] = {{GL_SEGSORT_ALGORITHM_RADIX, false, 40},
                                         {GL_SEGSORT_ALGORITHM_BITONIC, true, 10},
                                         {GL_SEGSORT_ALGORITHM_RADIX, true, 40},
                                         {GL_SEGSORT_ALGORITHM_BITONIC, false, 10}};

struct host {
    const char *name;
    const struct turn *turns;
    size_t turn_count;
    uint32_t end_bit; /* two digits move the rows across work groups an even number of times */
    gl_segsort_plan *plans[ALGORITHMS];
    GLuint keys, output_keys, ids[2];
    int current; /* where the payload is */
};

static struct host hosts[] = {
    {.name = "back and forth", .turns = back_and_forth, .turn_count = 1, .end_bit = 16},
    {.name = "in place", .turns = in_place, .turn_count = 1, .end_bit = 20},
    {.name = "by request", .turns = by_request, .turn_count = COUNT_OF(by_request), .end_bit = 16}};

static GLuint make_buffer(const uint32_t *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, 4 * ROWS, data, GL_DYNAMIC_COPY);
    return buffer;
}

static void open_host(struct host *host)
{
    for (size_t i = 0; i < host->turn_count; i++) {
        const gl_segsort_algorithm algorithm = host->turns[i].algorithm;
        const gl_segsort_plan_desc desc = {.label = host->name,
                                           .algorithm = algorithm,
                                           .end_bit = host->end_bit,
                                           .segments = segments,
                                           .segment_count = SEGMENTS};
        CHECK(host->plans[algorithm] ||
                  gl_segsort_plan_create(test.context, &desc, &host->plans[algorithm]) ==
                      GL_SEGSORT_SUCCESS,
              "%s: %s", host->name, gl_segsort_last_error(test.context));
    }
    host->keys = make_buffer(NULL);
    host->output_keys = make_buffer(NULL);
    host->ids[0] = make_buffer(simulation.ids);
    host->ids[1] = make_buffer(simulation.ids);
}

static void close_host(struct host *host)
{
    const GLuint buffers[] = {host->keys, host->output_keys, host->ids[0], host->ids[1]};
    for (int i = 0; i < ALGORITHMS; i++)
        gl_segsort_plan_destroy(host->plans[i]);
    glDeleteBuffers(COUNT_OF(buffers), buffers);
}

/* Frames count from 1. */
static const struct turn *find_turn(const struct host *host, uint32_t frame)
{
    const struct turn *turn = host->turns;
    uint32_t end = turn->frames;
    while ((frame - 1) % FRAMES_A_ROUND >= end)
        end += (++turn)->frames;
    return turn;
}

/* By way of another buffer: glBufferSubData overtook the frame before on one driver
 * (docs/integration.md), and waiting for that would hide what frames in flight do to each other. */
static void upload_keys(const struct host *host)
{
    GLuint staging = make_buffer(simulation.keys);
    glBindBuffer(GL_COPY_READ_BUFFER, staging);
    glBindBuffer(GL_COPY_WRITE_BUFFER, host->keys);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, sizeof simulation.keys);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glDeleteBuffers(1, &staging);
}

static bool run_frame(struct host *host, uint32_t frame)
{
    const struct turn *turn = find_turn(host, frame);
    upload_keys(host);
    const gl_segsort_view keys = {host->keys, 0, ROWS}, ids = {host->ids[host->current], 0, ROWS};
    gl_segsort_sort_desc desc = {
        .keys = keys, .values = ids, .output_keys = keys, .output_values = ids};
    if (!turn->in_place) {
        host->current = !host->current;
        desc.output_keys.buffer = host->output_keys;
        desc.output_values.buffer = host->ids[host->current];
    }
    return CHECK(gl_segsort_sort(host->plans[turn->algorithm], &desc) == GL_SEGSORT_SUCCESS,
                 "%s, frame %u: %s", host->name, frame, gl_segsort_last_error(test.context));
}

/* ---------------------------------------------------------------------------------------------- */
/* Verdicts */

static void read_buffer(GLuint buffer, uint32_t *data)
{
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, 4 * ROWS, data);
}

/* Whether the segment still has each of its ids once. */
static bool is_permutation(const gl_segsort_segment *segment, const uint32_t *ids)
{
    static bool seen[ROWS];
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < segment->length; i++) {
        uint32_t id = ids[segment->values_offset + i] - segment->values_offset;
        if (id >= segment->length || seen[id])
            return false;
        seen[id] = true;
    }
    return true;
}

static bool check_frame(const struct host *host, uint32_t frame)
{
    static uint32_t keys[ROWS], ids[ROWS];
    bool right = true;
    read_buffer(find_turn(host, frame)->in_place ? host->keys : host->output_keys, keys);
    read_buffer(host->ids[host->current], ids);
    for (size_t i = 0; i < SEGMENTS; i++) {
        uint32_t first = segments[i].keys_offset, length = segments[i].length;
        right &= CHECK(is_permutation(&segments[i], ids), "%s, frame %u: %u rows lost an id",
                       host->name, frame, length);
        right &= CHECK(memcmp(keys + first, simulation.sorted_keys + first, 4 * length) == 0,
                       "%s, frame %u: keys of %u rows", host->name, frame, length);
        right &= CHECK(memcmp(ids + first, simulation.sorted_ids + first, 4 * length) == 0,
                       "%s, frame %u: payload of %u rows", host->name, frame, length);
    }
    return right && CHECK(memcmp(ids, simulation.sorted_ids, sizeof ids) == 0,
                          "%s, frame %u: payload between the segments", host->name, frame);
}

/* ---------------------------------------------------------------------------------------------- */

/* All hosts in step, so that one simulation serves them all, and the library's programs go from one
 * plan to the next and back within a frame. */
static void thousand_frames_of_fed_back_payload(void)
{
    bool right = true;
    start_simulation();
    for (size_t i = 0; i < COUNT_OF(hosts); i++)
        open_host(&hosts[i]);
    for (uint32_t frame = 1; frame <= FRAMES && right; frame++) {
        simulate_frame(frame);
        for (size_t i = 0; i < COUNT_OF(hosts); i++)
            right &= run_frame(&hosts[i], frame);
        for (size_t i = 0; i < COUNT_OF(hosts) && frame % FRAMES_A_ROUND == 0; i++)
            right &= check_frame(&hosts[i], frame);
    }
    for (size_t i = 0; i < COUNT_OF(hosts); i++)
        close_host(&hosts[i]);
    CHECK(glGetError() == GL_NO_ERROR, "a GL error");
}

int main(int argc, char **argv)
{
    if (!test_gl_open(&test, 0))
        return 1;
    static const struct check_test tests[] = {CHECK_TEST(thousand_frames_of_fed_back_payload)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&test);
    return result;
}
