/* Programs kept from context to context by a host, with a real driver's binaries. */
#include "host.h"
#include "snapshot.h"

#include <stdlib.h>

#define ENTRIES 32

/* ---------------------------------------------------------------------------------------------- */
/* The host's store, in memory */

static struct entry {
    char key[64];
    unsigned char *data;
    size_t size;
} entries[ENTRIES];
static size_t entry_count;
static size_t stores;
static size_t claimed; /* what load says once it has memory; 0: what there is */

static struct entry *find_entry(const char *key)
{
    for (size_t i = 0; i < entry_count; i++)
        if (strcmp(entries[i].key, key) == 0)
            return &entries[i];
    return NULL;
}

static size_t load(const char *key, void *data, size_t capacity, void *user)
{
    const struct entry *entry = find_entry(key);
    CHECK(user == entries, "another user pointer");
    if (!entry)
        return 0;
    if (capacity > 0)
        memcpy(data, entry->data, capacity < entry->size ? capacity : entry->size);
    return capacity > 0 && claimed > 0 ? claimed : entry->size;
}

static void store(const char *key, const void *data, size_t size, void *user)
{
    struct entry *entry = find_entry(key);
    CHECK(user == entries, "another user pointer");
    stores++;
    if (!entry && entry_count < ENTRIES)
        entry = &entries[entry_count++];
    if (!CHECK(entry && strlen(key) <= 63, "no room for %s", key))
        return;
    snprintf(entry->key, sizeof entry->key, "%s", key);
    free(entry->data);
    entry->data = host_allocate(size);
    entry->size = size;
    memcpy(entry->data, data, size);
}

static void forget_all(void)
{
    for (size_t i = 0; i < entry_count; i++)
        free(entries[i].data);
    memset(entries, 0, sizeof entries);
    entry_count = stores = claimed = 0;
}

/* ---------------------------------------------------------------------------------------------- */
/* The host's GL functions */

static size_t compiles, binaries;
static enum { USUAL, NOT_LINKED, BAD_FORMAT } answer;

static void GLAD_API_PTR count_compile(GLuint shader)
{
    compiles++;
    glCompileShader(shader);
}

static void GLAD_API_PTR count_binary(GLuint program, GLenum format, const void *data, GLsizei size)
{
    binaries++;
    if (answer != NOT_LINKED)
        glProgramBinary(program, answer == BAD_FORMAT ? 0xdead : format, data, size);
}

static const GLubyte *GLAD_API_PTR say_another_renderer(GLenum name)
{
    return name == GL_RENDERER ? (const GLubyte *)"another card" : glGetString(name);
}

static size_t loaded, warnings;

static void hear(gl_segsort_log_level level, const char *message, void *user)
{
    (void)user;
    loaded += level == GL_SEGSORT_LOG_INFO && strstr(message, ": loaded ") != NULL;
    warnings += level == GL_SEGSORT_LOG_WARNING;
    if (level == GL_SEGSORT_LOG_ERROR)
        fprintf(stderr, "%s\n", message);
}

static gl_segsort_context *cached_context(void)
{
    gl_segsort_context_desc desc = host_context_desc();
    gl_segsort_context *context = NULL;
    desc.log = hear;
    desc.program_cache = (gl_segsort_program_cache){load, store, entries};
    host_swap("glCompileShader", (gl_segsort_proc)count_compile);
    host_swap("glProgramBinary", (gl_segsort_proc)count_binary);
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "no context");
    host_swap_back();
    return context;
}

/* ---------------------------------------------------------------------------------------------- */

static const uint32_t one_length[] = {12};
static const uint32_t many_lengths[] = {40, 0, 300, 3, 5000, 200000};

/* What a context, a plan and its sort came to. */
struct run {
    size_t compiles, binaries, stores, loaded, warnings;
};

/* error is pending before the plan is made, GL_NO_ERROR: none. */
static struct run run_with(const uint32_t *lengths, size_t count, GLenum error)
{
    struct host_sort sort;
    struct snapshot before, after;
    struct host_objects objects, objects_after;
    compiles = binaries = stores = loaded = warnings = 0;
    host_count_objects(&objects);
    host_sort_make(&sort, lengths, count, GENERATE_RANDOM);
    snapshot_take(&before);
    gl_segsort_context *context = cached_context();
    if (error == GL_INVALID_ENUM)
        glEnable(0xffff);
    gl_segsort_plan *plan = host_sort_plan(context, &sort);
    GLenum pending = glGetError();
    CHECK(pending == error, "0x%04x is pending, not 0x%04x", pending, error);
    gl_segsort_sort_desc desc = host_sort_desc(&sort);
    CHECK(plan && gl_segsort_sort(plan, &desc) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    CHECK(host_sort_right(&sort), "wrong rows");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    snapshot_take(&after);
    CHECK(snapshot_equal(&before, &after, "a sort by kept programs"), "state");
    host_sort_free(&sort);
    host_count_objects(&objects_after);
    CHECK(host_objects_equal(&objects, &objects_after), "objects leak");
    return (struct run){compiles, binaries, stores, loaded, warnings};
}

static struct run run_one(void)
{
    return run_with(one_length, 1, GL_NO_ERROR);
}

static struct run run_many(void)
{
    return run_with(many_lengths, sizeof many_lengths / sizeof many_lengths[0], GL_NO_ERROR);
}

/* The only program was compiled and stored anew, and from then on it is loaded. */
static void expect_compiled(const struct run *run, size_t seen, size_t warned, const char *name)
{
    CHECK(run->compiles == 1 && run->stores == 1 && run->loaded == 0,
          "%s: %zu compiled, %zu stored, %zu loaded", name, run->compiles, run->stores,
          run->loaded);
    CHECK(run->binaries == seen && run->warnings == warned, "%s: %zu seen by GL, %zu warnings",
          name, run->binaries, run->warnings);
}

static void expect_loaded(const struct run *run, size_t count, const char *name)
{
    CHECK(run->compiles == 0 && run->stores == 0 && run->warnings == 0,
          "%s: %zu compiled, %zu stored, %zu warnings", name, run->compiles, run->stores,
          run->warnings);
    CHECK(run->loaded == count && run->binaries == count, "%s: %zu and %zu of %zu loaded", name,
          run->loaded, run->binaries, count);
}

static void the_second_context_compiles_nothing(void)
{
    struct run first = run_many();
    CHECK(entry_count >= 5 && first.compiles == entry_count && first.stores == entry_count &&
              first.loaded == 0,
          "%zu entries, %zu compiled, %zu stored", entry_count, first.compiles, first.stores);
    struct run second = run_many();
    expect_loaded(&second, entry_count, "the second context");
    forget_all();
}

static void changed_bytes_are_noticed(void)
{
    char name[64];
    run_one();
    size_t size = entries[0].size;
    for (size_t at = 0; at < size; at += at < 80 ? 1 : size / 16) {
        snprintf(name, sizeof name, "byte %zu of %zu", at, size);
        entries[0].data[at] ^= 0x10;
        struct run changed = run_one();
        expect_compiled(&changed, 0, 1, name);
    }
    struct run mended = run_one();
    expect_loaded(&mended, 1, "mended");
    forget_all();
}

static void cut_entries_are_noticed(void)
{
    char name[64];
    run_one();
    size_t size = entries[0].size;
    const size_t sizes[] = {0, 1, 71, 72, 73, size / 2, size - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        snprintf(name, sizeof name, "%zu of %zu bytes", sizes[i], size);
        entries[0].size = sizes[i];
        struct run cut = run_one();
        expect_compiled(&cut, 0, sizes[i] > 0, name);
    }
    claimed = SIZE_MAX;
    struct run more = run_one();
    expect_compiled(&more, 0, 1, "more than there is room for");
    claimed = 0;
    struct run mended = run_one();
    expect_loaded(&mended, 1, "mended");
    forget_all();
}

static void another_driver_has_another_key(void)
{
    run_one();
    host_swap("glGetString", (gl_segsort_proc)say_another_renderer);
    struct run other = run_one();
    expect_compiled(&other, 0, 0, "another renderer");
    CHECK(entry_count == 2, "%zu entries", entry_count);
    struct run same = run_one();
    expect_loaded(&same, 1, "the first renderer again");
    forget_all();
}

/* By the answer that drivers give, and by an error that none should raise. */
static void binaries_that_gl_refuses(void)
{
    run_one();
    answer = NOT_LINKED;
    struct run refused = run_one();
    expect_compiled(&refused, 1, 0, "not linked");
    answer = BAD_FORMAT;
    refused = run_one();
    expect_compiled(&refused, 1, 0, "a format that is none");
    refused = run_with(one_length, 1, GL_INVALID_ENUM);
    expect_compiled(&refused, 1, 0, "a format that is none, with an error pending");
    answer = USUAL;
    forget_all();
}

static void pending_errors_stay(void)
{
    struct run first = run_with(one_length, 1, GL_INVALID_ENUM);
    expect_compiled(&first, 0, 0, "stored");
    struct run second = run_with(one_length, 1, GL_INVALID_ENUM);
    expect_loaded(&second, 1, "loaded");
    entries[0].data[100] ^= 1;
    struct run third = run_with(one_length, 1, GL_INVALID_ENUM);
    expect_compiled(&third, 0, 1, "changed");
    forget_all();
}

static void GLAD_API_PTR link_nothing(GLuint program)
{
    (void)program;
}

static void what_does_not_link_is_not_stored(void)
{
    struct host_sort sort;
    host_sort_make(&sort, one_length, 1, GENERATE_RANDOM);
    gl_segsort_plan_desc desc = host_sort_plan_desc(&sort);
    gl_segsort_plan *plan;
    stores = 0;
    host_swap("glLinkProgram", (gl_segsort_proc)link_nothing);
    gl_segsort_context *context = cached_context();
    CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_ERROR_COMPILE, "%s",
          gl_segsort_last_error(context));
    CHECK(stores == 0 && entry_count == 0, "%zu stored", stores);
    gl_segsort_context_destroy(context);
    host_sort_free(&sort);
    forget_all();
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(the_second_context_compiles_nothing),
                                              CHECK_TEST(changed_bytes_are_noticed),
                                              CHECK_TEST(cut_entries_are_noticed),
                                              CHECK_TEST(another_driver_has_another_key),
                                              CHECK_TEST(binaries_that_gl_refuses),
                                              CHECK_TEST(pending_errors_stay),
                                              CHECK_TEST(what_does_not_link_is_not_stored)};
    GLint formats = 0;
    if (!host_open(4, 3, false))
        return 1;
    glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    if (formats == 0)
        printf("SKIPPED: %s has no program binaries; Mesa has them where it may write its own "
               "shader cache\n",
               (const char *)glGetString(GL_RENDERER));
    int result = formats == 0 ? 0 : check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
    host_close();
    return result;
}
