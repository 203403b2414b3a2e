/* Depth keys and Morton codes in a host's program: its GL state, its errors, its names. */
#include "busy.h"
#include "gl_segsort_keys.h"
#include "snapshot.h"

#include <stdlib.h>

enum { ROWS = 12000 };
static const uint32_t lengths[] = {3, 64, 0, 1000, 9000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static struct snapshot before;

static bool unchanged(const char *doing)
{
    struct snapshot after;
    snapshot_take(&after);
    return snapshot_equal(&before, &after, doing);
}

/* A plan of each kind of list, and all that its calls work on. */
struct keys {
    gl_segsort_context *context;
    gl_segsort_plan *plan, *listed;
    GLuint positions, keys, numbers, list;
    gl_segsort_depth_keys_desc depth;
    gl_segsort_sort_desc sort, listed_sort;
    gl_segsort_morton_keys_desc morton;
};

static bool keys_make(struct keys *keys, gl_segsort_state_policy policy)
{
    gl_segsort_segment segments[LENGTHS];
    float *points = host_allocate(12 * (size_t)ROWS);
    for (int i = 0; i < 3 * ROWS; i++)
        points[i] = (float)(i * 7919 % 1000);
    generate_packed_segments(lengths, LENGTHS, 1, segments);
    *keys = (struct keys){.context = host_context(policy),
                          .positions = host_buffer(points, 12 * (size_t)ROWS),
                          .keys = host_buffer(NULL, 4 * (size_t)ROWS),
                          .numbers = host_buffer(NULL, 4 * (size_t)ROWS),
                          .list = host_buffer(segments, sizeof segments)};
    free(points);
    const gl_segsort_plan_desc plan_desc = {
        .value_type = GL_SEGSORT_VALUE_INDEX, .segments = segments, .segment_count = LENGTHS};
    const gl_segsort_plan_desc listed_desc = {.value_type = GL_SEGSORT_VALUE_INDEX,
                                              .segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                              .max_segments = LENGTHS,
                                              .max_rows = ROWS};
    keys->sort = (gl_segsort_sort_desc){.keys = {keys->keys, 0, ROWS},
                                        .output_keys = {keys->keys, 0, ROWS},
                                        .output_values = {keys->numbers, 0, ROWS}};
    keys->listed_sort = keys->sort;
    keys->listed_sort.segments = (gl_segsort_view){keys->list, 0, LENGTHS};
    keys->depth = (gl_segsort_depth_keys_desc){.keys = {keys->keys, 0, ROWS},
                                               .positions = {keys->positions, 0, ROWS}};
    keys->morton = (gl_segsort_morton_keys_desc){.positions = {keys->positions, 0, ROWS}};
    return CHECK(keys->context &&
                     gl_segsort_plan_create(keys->context, &plan_desc, &keys->plan) ==
                         GL_SEGSORT_SUCCESS &&
                     gl_segsort_plan_create(keys->context, &listed_desc, &keys->listed) ==
                         GL_SEGSORT_SUCCESS,
                 "%s", host_log_text());
}

static void keys_free(struct keys *keys)
{
    const GLuint buffers[] = {keys->positions, keys->keys, keys->numbers, keys->list};
    gl_segsort_plan_destroy(keys->plan);
    gl_segsort_plan_destroy(keys->listed);
    gl_segsort_context_destroy(keys->context);
    glDeleteBuffers(4, buffers);
}

/* Every call, in turn. */
enum { DEPTH, MORTON, LISTED, CALLS };
static const char *const call_names[CALLS] = {"gl_segsort_depth_keys", "gl_segsort_morton_keys",
                                              "gl_segsort_morton_keys of a list"};

static gl_segsort_result call(const struct keys *keys, int number)
{
    return number == DEPTH ? gl_segsort_depth_keys(keys->context, &keys->depth)
           : number == MORTON
               ? gl_segsort_morton_keys(keys->plan, &keys->sort, &keys->morton)
               : gl_segsort_morton_keys(keys->listed, &keys->listed_sort, &keys->morton);
}

/* Whether keys were written: those of the first segment with rows. */
static void fill_keys(const struct keys *keys)
{
    uint32_t *words = host_allocate(4 * (size_t)ROWS);
    memset(words, 0xcd, 4 * (size_t)ROWS);
    host_write(keys->keys, words, 4 * (size_t)ROWS);
    free(words);
}

static bool keys_written(const struct keys *keys)
{
    uint32_t *words = host_allocate(4 * (size_t)ROWS);
    host_read(keys->keys, words, 4 * (size_t)ROWS);
    bool written = words[1] != 0xcdcdcdcd;
    free(words);
    return written;
}

/* ---------------------------------------------------------------------------------------------- */

static void check_busy_host(enum busy_program program, int whole_parity)
{
    struct keys keys;
    struct busy busy;
    if (!keys_make(&keys, GL_SEGSORT_STATE_RESTORE))
        return;
    for (int number = 0; number < CALLS; number++) {
        fill_keys(&keys);
        busy_begin(&busy, program, whole_parity);
        snapshot_take(&before);
        for (int repeat = 0; repeat < 2; repeat++)
            CHECK(call(&keys, number) == GL_SEGSORT_SUCCESS && unchanged(call_names[number]),
                  "%s: %s", call_names[number], gl_segsort_last_error(keys.context));
        CHECK(glGetError() == GL_NO_ERROR, "%s: GL error", call_names[number]);
        CHECK(busy_end(&busy), "%s", call_names[number]);
        CHECK(keys_written(&keys), "%s wrote nothing", call_names[number]);
    }
    keys_free(&keys);
}

static void busy_hosts_find_their_state_again(void)
{
    check_busy_host(BUSY_PROGRAM, 0);
    check_busy_host(BUSY_PROGRAM, 1);
    check_busy_host(BUSY_PIPELINE_ONLY, 0);
}

/* Errors in the checks, and those that only GL tells. */
static void errors_change_nothing(void)
{
    struct keys keys;
    struct busy busy;
    if (!keys_make(&keys, GL_SEGSORT_STATE_RESTORE))
        return;
    const struct keys right = keys;
    fill_keys(&keys);
    busy_begin(&busy, BUSY_PROGRAM, 0);
    snapshot_take(&before);
    for (int number = 0; number < CALLS; number++) {
        keys = right;
        keys.depth.positions.byte_offset = keys.morton.positions.byte_offset = 12 * ROWS;
        CHECK(call(&keys, number) == GL_SEGSORT_ERROR_OUT_OF_RANGE, "past the buffer's end");
        CHECK(unchanged(call_names[number]), "past the buffer's end");
        keys = right;
        keys.depth.positions.buffer = keys.morton.positions.buffer = 123456;
        CHECK(call(&keys, number) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "no buffer");
        CHECK(unchanged(call_names[number]), "no buffer");
        keys.depth.positions.buffer = keys.morton.positions.buffer = keys.keys;
        CHECK(call(&keys, number) == GL_SEGSORT_ERROR_OVERLAP, "overlap");
        CHECK(unchanged(call_names[number]), "overlap");
    }
    keys = right;
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    glDeleteProgram(busy.program);
    snapshot_take(&before);
    for (int number = 0; number < CALLS; number++) {
        CHECK(call(&keys, number) == GL_SEGSORT_ERROR_GL, "a deleted program is in use");
        CHECK(unchanged(call_names[number]), "a deleted program is in use");
    }
    busy.program = 0;
    CHECK(busy_end(&busy), "the host");
    CHECK(!keys_written(&keys), "a call that failed wrote");
    for (int number = 0; number < CALLS; number++)
        CHECK(call(&keys, number) == GL_SEGSORT_SUCCESS, "after it: %s",
              gl_segsort_last_error(keys.context));
    keys_free(&keys);
}

static void pending_errors_stay_pending(void)
{
    struct keys keys;
    if (!keys_make(&keys, GL_SEGSORT_STATE_RESTORE))
        return;
    for (int number = 0; number < CALLS; number++)
        for (int repeat = 0; repeat < 2; repeat++) {
            glBindBuffer(0, 0);
            CHECK(call(&keys, number) == GL_SEGSORT_SUCCESS, "%s",
                  gl_segsort_last_error(keys.context));
            CHECK(glGetError() == GL_INVALID_ENUM && glGetError() == GL_NO_ERROR, "%s",
                  call_names[number]);
        }
    keys_free(&keys);
}

/* What LEAVE_DIRTY may change: the program, SSBO bindings, the UBO binding of a plan's calls, and
 * for a list the indirect buffer. */
static bool documented(const char *name, int number)
{
    if (strncmp(name, "GL_SHADER_STORAGE_BUFFER_", 25) == 0) {
        const char *index = strchr(name, '[');
        return !index || index[1] <= (number == LISTED ? '7' : '5');
    }
    if (strncmp(name, "GL_UNIFORM_BUFFER_", 18) == 0 && number != DEPTH) {
        const char *index = strchr(name, '[');
        return !index || strcmp(index, "[0]") == 0;
    }
    if (strncmp(name, "GL_DISPATCH_INDIRECT_BUFFER", 27) == 0)
        return number == LISTED;
    return strcmp(name, "GL_CURRENT_PROGRAM") == 0;
}

static void dirty_hosts_find_the_documented_state(void)
{
    for (int number = 0; number < CALLS; number++) {
        struct keys keys;
        struct busy busy;
        struct snapshot after;
        if (!keys_make(&keys, GL_SEGSORT_STATE_LEAVE_DIRTY))
            return;
        fill_keys(&keys);
        busy_begin(&busy, BUSY_PROGRAM, 0);
        snapshot_take(&before);
        CHECK(call(&keys, number) == GL_SEGSORT_SUCCESS, "%s", host_log_text());
        snapshot_take(&after);
        for (size_t i = 0; i < before.count; i++)
            CHECK(before.entries[i].value == after.entries[i].value ||
                      documented(before.entries[i].name, number),
                  "%s: %s was %lld, is %lld", call_names[number], before.entries[i].name,
                  (long long)before.entries[i].value, (long long)after.entries[i].value);
        CHECK(snapshot_value(&after, "GL_CURRENT_PROGRAM") == 0, "a program is left in use");
        CHECK(glGetError() == GL_NO_ERROR, "GL error");
        busy_end(&busy);
        CHECK(keys_written(&keys), "%s wrote nothing", call_names[number]);
        keys_free(&keys);
    }
}

static void repeated_calls_take_no_names(void)
{
    struct keys keys;
    struct host_names names, later;
    if (!keys_make(&keys, GL_SEGSORT_STATE_RESTORE))
        return;
    for (int number = 0; number < CALLS; number++)
        call(&keys, number);
    host_next_names(&names);
    for (int i = 0; i < 100; i++)
        for (int number = 0; number < CALLS; number++)
            call(&keys, number);
    host_next_names(&later);
    CHECK(host_names_equal(&names, &later), "names were given out");
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    keys_free(&keys);
}

static void all_objects_go_with_the_context(void)
{
    struct host_objects first, last;
    struct keys keys;
    host_count_objects(&first);
    for (int round = 0; round < 3; round++) {
        if (!keys_make(&keys, GL_SEGSORT_STATE_RESTORE))
            return;
        for (int number = 0; number < CALLS; number++)
            call(&keys, number);
        keys_free(&keys);
    }
    host_count_objects(&last);
    CHECK(host_objects_equal(&first, &last), "objects are left");
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(busy_hosts_find_their_state_again),
                                              CHECK_TEST(errors_change_nothing),
                                              CHECK_TEST(pending_errors_stay_pending),
                                              CHECK_TEST(dirty_hosts_find_the_documented_state),
                                              CHECK_TEST(repeated_calls_take_no_names),
                                              CHECK_TEST(all_objects_go_with_the_context)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], true);
}
