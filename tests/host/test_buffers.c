/* bevy_hanabi 537: what the host does to its buffers between two sorts is followed, or a clear
 * error; never a write past an end. */
#include "host.h"

#include <stdlib.h>

static const uint32_t lengths[] = {40, 1, 700, 5000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])
#define PACKED_ROWS (40 + 1 + 700 + 5000 + LENGTHS) /* with the row before each */
#define GUARD_ROWS 1024

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static struct host_sort sort;

static void begin(void)
{
    context = host_context(GL_SEGSORT_STATE_RESTORE);
    host_sort_make(&sort, lengths, LENGTHS, GENERATE_FEW_DISTINCT);
    plan = host_sort_plan(context, &sort);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort), "%s",
          gl_segsort_last_error(context));
    host_sort_upload(&sort);
}

static void end(void)
{
    CHECK(glGetError() == GL_NO_ERROR, "GL error");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
}

/* Gives the buffer a new store of so many rows: what the sort expects in it as far as it goes, then
 * 0xcd. */
static void respecify(int stream, size_t rows)
{
    uint32_t *content = host_allocate(rows * 4);
    memset(content, 0xcd, rows * 4);
    if (stream < HOST_OUTPUT_KEYS)
        memcpy(content, sort.data[stream], (rows < sort.rows ? rows : sort.rows) * 4);
    glBindBuffer(GL_COPY_WRITE_BUFFER, sort.buffers[stream]);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(rows * 4), content, GL_STREAM_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    free(content);
}

static bool guard_untouched(int stream)
{
    uint32_t *content = host_allocate((sort.rows + GUARD_ROWS) * 4);
    host_read(sort.buffers[stream], content, (sort.rows + GUARD_ROWS) * 4);
    bool untouched = true;
    for (size_t row = sort.rows; row < sort.rows + GUARD_ROWS; row++)
        untouched = untouched && content[row] == 0xcdcdcdcd;
    free(content);
    return untouched;
}

static void larger(void)
{
    begin();
    for (int i = 0; i < HOST_STREAMS; i++)
        respecify(i, sort.rows + GUARD_ROWS);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(host_sort_right(&sort), "larger");
    for (int i = 0; i < HOST_STREAMS; i++)
        CHECK(guard_untouched(i), "stream %d was written past its rows", i);
    end();
}

static void same_size_new_store(void)
{
    begin();
    for (int i = 0; i < HOST_STREAMS; i++)
        respecify(i, sort.rows);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort), "%s",
          gl_segsort_last_error(context));
    end();
}

static const char *const stream_names[HOST_STREAMS] = {"keys", "values", "output_keys",
                                                       "output_values"};

/* The sentence has to name the stream, the buffer and its size. */
static bool sentence_names(int stream, size_t bytes)
{
    char buffer_text[32], bytes_text[32];
    const char *sentence = gl_segsort_last_error(context);
    snprintf(buffer_text, sizeof buffer_text, "buffer %u", sort.buffers[stream]);
    snprintf(bytes_text, sizeof bytes_text, "%zu", bytes);
    return strstr(sentence, stream_names[stream]) && strstr(sentence, buffer_text) &&
           strstr(sentence, bytes_text);
}

static void refuse_without(size_t missing_rows, int stream)
{
    begin();
    size_t rows = sort.rows - missing_rows;
    respecify(stream, rows);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    gl_segsort_result result = gl_segsort_sort(plan, &desc);
    CHECK(result == GL_SEGSORT_ERROR_OUT_OF_RANGE, "%s of %zu rows: %s", stream_names[stream], rows,
          gl_segsort_result_string(result));
    CHECK(sentence_names(stream, rows * 4), "%s", gl_segsort_last_error(context));
    respecify(stream, sort.rows);
    CHECK(host_sort_untouched(&sort), "%s of %zu rows: written", stream_names[stream], rows);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort),
          "large again: %s", gl_segsort_last_error(context));
    end();
}

static void smaller(void)
{
    for (int stream = 0; stream < HOST_STREAMS; stream++) {
        refuse_without(1, stream);
        refuse_without(1000, stream);
        refuse_without(PACKED_ROWS, stream);
    }
}

/* The view may promise more than the buffer has as long as the segments don't go there. */
static void smaller_but_enough(void)
{
    static const uint32_t few[] = {30, 40};
    struct host_sort small;
    context = host_context(GL_SEGSORT_STATE_RESTORE);
    host_sort_make(&small, few, 2, GENERATE_RANDOM);
    plan = host_sort_plan(context, &small);
    gl_segsort_sort_desc desc = host_sort_desc(&small);
    desc.keys.rows = desc.output_keys.rows = 1000000;
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&small), "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    host_sort_free(&small);
}

static void new_names(void)
{
    begin();
    GLuint old[HOST_STREAMS];
    uint32_t *fill = host_allocate(sort.rows * 4);
    memset(fill, 0xcd, sort.rows * 4);
    for (int i = 0; i < HOST_STREAMS; i++) {
        old[i] = sort.buffers[i];
        sort.buffers[i] = host_buffer(i < HOST_OUTPUT_KEYS ? sort.data[i] : fill, sort.rows * 4);
    }
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS && host_sort_right(&sort), "%s",
          gl_segsort_last_error(context));
    for (int i = HOST_OUTPUT_KEYS; i < HOST_STREAMS; i++)
        CHECK(host_buffer_equals(old[i], fill, sort.rows * 4, "the former buffer"), "written");
    glDeleteBuffers(HOST_STREAMS, old);
    free(fill);
    end();
}

static void deleted(void)
{
    for (int stream = 0; stream < HOST_STREAMS; stream++) {
        begin();
        glDeleteBuffers(1, &sort.buffers[stream]);
        gl_segsort_sort_desc desc = host_sort_desc(&sort);
        gl_segsort_result result = gl_segsort_sort(plan, &desc);
        CHECK(result == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "%s: %s", stream_names[stream],
              gl_segsort_result_string(result));
        const char *sentence = gl_segsort_last_error(context);
        CHECK(strstr(sentence, stream_names[stream]) && strstr(sentence, "no buffer"), "%s",
              sentence);
        sort.buffers[stream] = host_buffer(NULL, sort.rows * 4);
        respecify(stream, sort.rows);
        CHECK(host_sort_untouched(&sort), "%s: written", stream_names[stream]);
        end();
    }
}

/* A name that glGenBuffers gave and nobody bound yet is no buffer either, and must not become one.
 */
static void generated_only(void)
{
    begin();
    GLuint name;
    glGenBuffers(1, &name);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    desc.output_values.buffer = name;
    gl_segsort_result result = gl_segsort_sort(plan, &desc);
    CHECK(result == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "%s", gl_segsort_result_string(result));
    CHECK(!glIsBuffer(name), "the library made a buffer of the host's name");
    CHECK(host_sort_untouched(&sort), "written");
    glDeleteBuffers(1, &name);
    end();
}

/* Names of other kinds of objects are told apart from buffers with the same number. */
static void name_of_a_texture(void)
{
    begin();
    GLuint textures[200];
    glGenTextures(200, textures);
    GLuint name = 0;
    for (int i = 0; i < 200; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        if (!glIsBuffer(textures[i]))
            name = textures[i];
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    if (CHECK(name != 0, "every texture's name is a buffer's too")) {
        gl_segsort_sort_desc desc = host_sort_desc(&sort);
        desc.keys.buffer = name;
        CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "texture");
        CHECK(glIsTexture(name) && !glIsBuffer(name), "the texture became a buffer");
    }
    glDeleteTextures(200, textures);
    end();
}

/* The bindings are made anew by every sort: nothing of the last one's buffers is kept. */
static void deleted_and_replaced_by_a_smaller_one(void)
{
    begin();
    glDeleteBuffers(1, &sort.buffers[HOST_OUTPUT_VALUES]);
    uint32_t row = 0xcdcdcdcd;
    sort.buffers[HOST_OUTPUT_VALUES] = host_buffer(&row, sizeof row);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_ERROR_OUT_OF_RANGE, "smaller");
    CHECK(host_buffer_equals(sort.buffers[HOST_OUTPUT_VALUES], &row, sizeof row, "the new buffer"),
          "written");
    end();
}

/* The plan's own buffers don't care what becomes of the list and of the host's buffers it was first
 * used with. */
static void list_freed_and_changed(void)
{
    gl_segsort_segment *segments = host_allocate(sizeof *segments);
    *segments = (gl_segsort_segment){0, 0, 0, 0, 5};
    char label[] = "mine";
    context = host_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan_desc plan_desc = {.label = label, .segments = segments, .segment_count = 1};
    CHECK(gl_segsort_plan_create(context, &plan_desc, &plan) == GL_SEGSORT_SUCCESS, "plan");
    memset(segments, 0xff, sizeof *segments);
    memset(label, 'x', sizeof label - 1);
    free(segments);
    const uint32_t keys[5] = {5, 4, 3, 2, 1}, sorted[5] = {1, 2, 3, 4, 5};
    GLuint in = host_buffer(keys, sizeof keys), out = host_buffer(NULL, sizeof keys);
    GLuint ids = host_buffer(keys, sizeof keys), out_ids = host_buffer(NULL, sizeof keys);
    gl_segsort_sort_desc desc = {.keys = {in, 0, 5},
                                 .values = {ids, 0, 5},
                                 .output_keys = {out, 0, 5},
                                 .output_values = {out_ids, 0, 5}};
    CHECK(gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(host_buffer_equals(out, sorted, sizeof sorted, "output_keys"), "list");
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    CHECK(strncmp(description.passes[0].label, "mine-", 5) == 0, "%s", description.passes[0].label);
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    const GLuint buffers[] = {in, out, ids, out_ids};
    glDeleteBuffers(4, buffers);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(larger),
                                              CHECK_TEST(same_size_new_store),
                                              CHECK_TEST(smaller),
                                              CHECK_TEST(smaller_but_enough),
                                              CHECK_TEST(new_names),
                                              CHECK_TEST(deleted),
                                              CHECK_TEST(generated_only),
                                              CHECK_TEST(name_of_a_texture),
                                              CHECK_TEST(deleted_and_replaced_by_a_smaller_one),
                                              CHECK_TEST(list_freed_and_changed)};
    return host_main(argc, argv, tests, sizeof tests / sizeof tests[0], false);
}
