/* Programs that the host keeps: which calls are made, what entries are believed, what is told. */
#include "check.h"
#include "recorded_cache.h"

#include <string.h>

static const uint32_t lengths[] = {300000, 12, 0, 3, 200};
#define LENGTHS (sizeof lengths / sizeof lengths[0])
#define ROWS 300215

static struct recorded_cache cache;

static void begin(void)
{
    recorded_begin();
    recorded_cache_begin(&cache);
    fake_gl.binary_formats = 3;
}

static void end(void)
{
    CHECK(cache.problems == 0, "%zu calls are not as the header says", cache.problems);
    CHECK_END(GL_SEGSORT_STATE_RESTORE);
}

static gl_segsort_context *cached_context(void)
{
    gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_context *context;
    desc.program_cache = recorded_cache_callbacks(&cache);
    gl_segsort_context_create(&desc, &context);
    return context;
}

/* A context and a plan in it, sorted once, and what was called and logged meanwhile. */
struct run {
    gl_segsort_result result;
    size_t compiles, links, binaries, read, stores;
    size_t warnings;
};

static struct run run(void)
{
    gl_segsort_plan *plan;
    size_t stores = cache.stores, warnings = recorded.log_counts[GL_SEGSORT_LOG_WARNING];
    fake_gl_clear_trace();
    gl_segsort_context *context = cached_context();
    struct run run = {.result = recorded_plan_create(context, lengths, LENGTHS, &plan)};
    gl_segsort_sort_desc sort = recorded_sort_desc(ROWS);
    if (run.result == GL_SEGSORT_SUCCESS)
        run.result = gl_segsort_sort(plan, &sort);
    run.compiles = fake_gl.calls_of[FAKE_GL_CompileShader];
    run.links = fake_gl.calls_of[FAKE_GL_LinkProgram];
    run.binaries = fake_gl.calls_of[FAKE_GL_ProgramBinary];
    run.read = fake_gl.calls_of[FAKE_GL_GetProgramBinary];
    run.stores = cache.stores - stores;
    run.warnings = recorded.log_counts[GL_SEGSORT_LOG_WARNING] - warnings;
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    return run;
}

/* All programs were compiled and stored; of so many entries GL saw. */
static void expect_compiled(const struct run *run, size_t seen, const char *name)
{
    CHECK(run->result == GL_SEGSORT_SUCCESS, "%s: %s", name, recorded.log);
    CHECK(run->compiles == cache.count && run->links == cache.count && run->read == cache.count &&
              run->stores == cache.count,
          "%s: of %zu programs %zu are compiled, %zu linked, %zu read, %zu stored", name,
          cache.count, run->compiles, run->links, run->read, run->stores);
    CHECK(run->binaries == seen, "%s: GL was given %zu entries", name, run->binaries);
}

static void expect_loaded(const struct run *run, const char *name)
{
    CHECK(run->result == GL_SEGSORT_SUCCESS, "%s: %s", name, recorded.log);
    CHECK(run->compiles == 0 && run->links == 0 && run->read == 0 && run->stores == 0,
          "%s: %zu are compiled, %zu linked, %zu read, %zu stored", name, run->compiles, run->links,
          run->read, run->stores);
    CHECK(run->binaries == cache.count && run->warnings == 0, "%s: %zu of %zu, %zu warnings", name,
          run->binaries, cache.count, run->warnings);
}

static void the_second_context_compiles_nothing(void)
{
    begin();
    struct run first = run();
    expect_compiled(&first, 0, "the first context");
    CHECK(cache.count >= 5 && first.warnings == 0, "%zu programs, %zu warnings", cache.count,
          first.warnings);
    struct run second = run();
    expect_loaded(&second, "the second context");
    CHECK(cache.asked == 2 * cache.count && cache.loads == cache.count, "%zu and %zu loads",
          cache.asked, cache.loads);
    end();
}

/* The dispatches of a sort, whose programs were made or loaded. */
static size_t record(struct fake_gl_dispatch *dispatches, size_t most, bool *loaded)
{
    gl_segsort_context *context = cached_context();
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
    gl_segsort_sort_desc sort = recorded_sort_desc(ROWS);
    fake_gl_clear_trace();
    CHECK(gl_segsort_sort(plan, &sort) == GL_SEGSORT_SUCCESS, "%s", recorded.log);
    size_t count = fake_gl.dispatch_count;
    *loaded = true;
    for (size_t i = 0; i < count && i < most; i++) {
        dispatches[i] = fake_gl.dispatches[i];
        *loaded &= fake_gl_find_program(dispatches[i].program)->loaded;
    }
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    return count;
}

static void loaded_programs_are_used_like_others(void)
{
    static struct fake_gl_dispatch made[64], kept[64];
    bool loaded[2];
    begin();
    size_t count = record(made, 64, &loaded[0]), again = record(kept, 64, &loaded[1]);
    CHECK(count == again && count > 5 && count <= 64, "%zu and %zu dispatches", count, again);
    CHECK(!loaded[0] && loaded[1], "loaded %d, then %d", loaded[0], loaded[1]);
    for (size_t i = 0; i < count && i < 64; i++)
        CHECK(strcmp(made[i].program_label, kept[i].program_label) == 0 &&
                  made[i].uses == kept[i].uses && made[i].width == kept[i].width &&
                  memcmp(made[i].view_word, kept[i].view_word, sizeof made[i].view_word) == 0 &&
                  memcmp(made[i].groups, kept[i].groups, sizeof made[i].groups) == 0,
              "dispatch %zu: %s is not %s", i, kept[i].program_label, made[i].program_label);
    end();
}

/* ---------------------------------------------------------------------------------------------- */
/* Without a cache */

static size_t calls_for_a_cache(void)
{
    return fake_gl.calls_of[FAKE_GL_ProgramBinary] + fake_gl.calls_of[FAKE_GL_GetProgramBinary] +
           fake_gl.calls_of[FAKE_GL_ProgramParameteri];
}

static bool trace_has(const char *text)
{
    for (size_t i = 0; i < fake_gl.trace_count; i++)
        if (strstr(fake_gl.trace[i].text, text))
            return true;
    return false;
}

static void without_a_cache_gl_is_asked_nothing_new(void)
{
    begin();
    gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
    gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
    CHECK(calls_for_a_cache() == 0 && !trace_has("PROGRAM_BINARY") &&
              !trace_has("GetString 0x8b8c"),
          "GL is asked for binaries");
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    end();
}

/* GL may have none at all, and is then not asked again. */
static void drivers_without_binaries(void)
{
    begin();
    fake_gl.binary_formats = 0;
    struct run first = run();
    CHECK(first.result == GL_SEGSORT_SUCCESS && first.compiles > 0, "%s", recorded.log);
    CHECK(calls_for_a_cache() == 0, "binaries of a driver that has none");
    CHECK(cache.asked + cache.loads + cache.stores == 0, "the host is asked for nothing");
    end();
}

static void a_driver_without_a_name_keeps_nothing(void)
{
    begin();
    fake_gl.shading_language = NULL;
    struct run first = run();
    CHECK(first.result == GL_SEGSORT_SUCCESS && first.compiles > 0 && first.stores == 0, "%zu, %s",
          first.stores, recorded.log);
    end();
}

static void half_a_cache_is_refused(void)
{
    for (int half = 0; half < 2; half++) {
        begin();
        gl_segsort_context_desc desc = recorded_context_desc(GL_SEGSORT_STATE_RESTORE);
        gl_segsort_context *context;
        desc.program_cache = recorded_cache_callbacks(&cache);
        if (half == 0)
            desc.program_cache.load = NULL;
        else
            desc.program_cache.store = NULL;
        CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
                  strstr(recorded.log, half == 0 ? "store but no load" : "load but no store"),
              "%s", recorded.log);
        CHECK(fake_gl.call_count == 0, "%zu GL calls", fake_gl.call_count);
        end();
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Keys */

/* Whatever GL says of itself is part of them. */
static void another_driver_has_other_keys(void)
{
    static const char *const names[] = {"vendor", "renderer", "version", "shading language"};
    for (int name = 0; name < 4; name++) {
        begin();
        run();
        size_t count = cache.count;
        if (name == 0)
            fake_gl.vendor = "nobody else";
        else if (name == 1)
            fake_gl.renderer = "no other GPU";
        else if (name == 2)
            fake_gl.version = "4.5 (Core Profile) fakf";
        else
            fake_gl.shading_language = "4.50 fakf";
        struct run other = run();
        CHECK(other.compiles == count && cache.count == 2 * count && other.binaries == 0,
              "%s: %zu programs are compiled, %zu of %zu entries", names[name], other.compiles,
              cache.count, count);
        end();
    }
}

/* One program for each key, and the same key for each program every time. */
static void keys_are_of_the_source(void)
{
    begin();
    gl_segsort_context *context = cached_context();
    gl_segsort_plan *plans[3];
    size_t counts[3];
    for (int i = 0; i < 3; i++) {
        const gl_segsort_plan_desc like = {
            .direction = i == 1 ? GL_SEGSORT_DESCENDING : GL_SEGSORT_ASCENDING,
            .key_type = i == 2 ? GL_SEGSORT_KEY_F32 : GL_SEGSORT_KEY_U32};
        recorded_plan_create_like(context, &like, lengths, LENGTHS, &plans[i]);
        counts[i] = cache.count;
    }
    CHECK(counts[0] > 0 && counts[1] > counts[0] && counts[2] > counts[1] &&
              cache.stores == cache.count,
          "%zu, %zu, %zu entries of %zu programs", counts[0], counts[1], counts[2], cache.stores);
    for (int i = 0; i < 3; i++)
        gl_segsort_plan_destroy(plans[i]);
    gl_segsort_context_destroy(context);
    end();
}

/* ---------------------------------------------------------------------------------------------- */
/* Entries that are not as they were */

static void expect_ignored(const char *name)
{
    struct run broken = run();
    expect_compiled(&broken, 0, name);
    CHECK(broken.warnings == cache.count, "%s: %zu warnings", name, broken.warnings);
    struct run mended = run();
    expect_loaded(&mended, name);
}

static void each_byte_counts(void)
{
    char name[64];
    begin();
    run();
    for (size_t at = 0; at < cache.entries[0].size; at++) {
        snprintf(name, sizeof name, "byte %zu of %zu", at, cache.entries[0].size);
        for (size_t i = 0; i < cache.count; i++)
            cache.entries[i].data[at] ^= (unsigned char)(1u << at % 8);
        expect_ignored(name);
    }
    end();
}

static void each_size_counts(void)
{
    char name[64];
    begin();
    run();
    size_t size = cache.entries[0].size;
    for (size_t cut = 1; cut < size + 20; cut++) {
        snprintf(name, sizeof name, "%zu of %zu bytes", cut, size);
        for (size_t i = 0; i < cache.count; i++)
            cache.entries[i].size = cut;
        if (cut != size)
            expect_ignored(name);
    }
    end();
}

static void an_empty_entry_is_none(void)
{
    begin();
    run();
    for (size_t i = 0; i < cache.count; i++)
        cache.entries[i].size = 0;
    struct run empty = run();
    expect_compiled(&empty, 0, "empty");
    CHECK(empty.warnings == 0, "%zu warnings", empty.warnings);
    end();
}

static void another_programs_entry_is_refused(void)
{
    begin();
    run();
    struct recorded_cache_entry first = cache.entries[0];
    for (size_t i = 0; i + 1 < cache.count; i++)
        memcpy(cache.entries[i].data, cache.entries[i + 1].data, RECORDED_CACHE_BYTES);
    memcpy(cache.entries[cache.count - 1].data, first.data, RECORDED_CACHE_BYTES);
    expect_ignored("each other's");
    end();
}

/* What load says once it has memory. */
static void sizes_that_change_between_the_calls(void)
{
    static const size_t claims[] = {1, RECORDED_CACHE_BYTES, (size_t)1 << 40, SIZE_MAX};
    for (size_t c = 0; c < sizeof claims / sizeof claims[0]; c++) {
        begin();
        run();
        cache.claimed = claims[c];
        struct run broken = run();
        expect_compiled(&broken, 0, "claims");
        CHECK(broken.warnings == cache.count, "%zu warnings", broken.warnings);
        end();
    }
}

static void entries_that_no_memory_holds(void)
{
    begin();
    run();
    size_t memory = recorded.memory_calls;
    run();
    memory = recorded.memory_calls - memory;
    for (size_t i = 0; i < cache.count; i++)
        cache.entries[i].size = SIZE_MAX - i % 2;
    size_t before = recorded.memory_calls;
    struct run broken = run();
    expect_compiled(&broken, 0, "huge");
    CHECK(broken.warnings == cache.count, "%zu warnings", broken.warnings);
    CHECK(recorded.memory_calls - before == memory, "%zu allocations, not %zu",
          recorded.memory_calls - before, memory);
    end();
}

/* ---------------------------------------------------------------------------------------------- */
/* What GL does with them */

static void refused_binaries_are_compiled(void)
{
    begin();
    run();
    fake_gl.binary_generation++; /* a driver that was changed and says the same of itself */
    struct run refused = run();
    expect_compiled(&refused, cache.count, "another generation");
    CHECK(refused.warnings == 0, "%zu warnings", refused.warnings);
    struct run again = run();
    expect_loaded(&again, "another generation");
    end();
}

/* Not even asked, since unknown formats raise errors. */
static void unknown_formats_are_not_given_to_gl(void)
{
    begin();
    gl_segsort_context *context = cached_context();
    gl_segsort_plan_destroy(recorded_plan(context, lengths, LENGTHS));
    gl_segsort_context_destroy(context);
    fake_gl.binary_formats = 1;
    struct run known = run();
    expect_loaded(&known, "the last format");
    fake_gl.foreign_formats = true;
    size_t raised = fake_gl.raised_count;
    struct run foreign = run();
    expect_compiled(&foreign, 0, "foreign formats");
    CHECK(fake_gl.raised_count == raised, "GL raised %s", fake_gl.raised);
    end();
}

/* GL fails once with one program. */
static void binaries_that_fail(void)
{
    static const enum fake_gl_function functions[] = {FAKE_GL_ProgramBinary,
                                                      FAKE_GL_GetProgramBinary};
    for (size_t f = 0; f < 2; f++)
        for (int pending = 0; pending < 2; pending++) {
            begin();
            if (f == 0)
                run();
            uint32_t error = pending ? SEGSORT_GL_INVALID_ENUM : SEGSORT_GL_NO_ERROR;
            gl_segsort_context *context = cached_context();
            size_t stores = cache.stores;
            fake_gl.fail_next[functions[f]] = true;
            fake_gl.error = error;
            gl_segsort_plan *plan = recorded_plan(context, lengths, LENGTHS);
            CHECK(plan, "%s: %s", fake_gl_function_name(functions[f]), recorded.log);
            CHECK(fake_gl.error == error, "0x%04x is pending", fake_gl.error);
            CHECK(!fake_gl.fail_next[functions[f]], "nothing failed");
            if (f == 0)
                CHECK(cache.stores == stores + 1, "%zu are stored", cache.stores - stores);
            fake_gl.error = SEGSORT_GL_NO_ERROR;
            gl_segsort_plan_destroy(plan);
            gl_segsort_context_destroy(context);
            end();
        }
}

static void what_fails_is_not_stored(void)
{
    static const enum fake_gl_function functions[] = {FAKE_GL_CompileShader, FAKE_GL_LinkProgram};
    for (size_t f = 0; f < 2; f++) {
        begin();
        const uint32_t one = 12;
        gl_segsort_plan *plan;
        gl_segsort_context *context = cached_context();
        fake_gl.fail_next[functions[f]] = true;
        CHECK(recorded_plan_create(context, &one, 1, &plan) == GL_SEGSORT_ERROR_COMPILE, "%s",
              recorded.log);
        CHECK(cache.stores == 0 && fake_gl.calls_of[FAKE_GL_GetProgramBinary] == 0, "%zu stored",
              cache.stores);
        gl_segsort_context_destroy(context);
        end();
    }
}

/* A call that fails for another reason is not taken for one of the cache's. */
static void other_errors_are_told(void)
{
    begin();
    run();
    gl_segsort_plan *plan;
    gl_segsort_context *context = cached_context();
    fake_gl.fail_next[FAKE_GL_ObjectLabel] = true;
    CHECK(recorded_plan_create(context, lengths, LENGTHS, &plan) == GL_SEGSORT_ERROR_GL,
          "an error of a label is lost among binaries");
    gl_segsort_context_destroy(context);
    end();
}

CHECK_MAIN(CHECK_TEST(the_second_context_compiles_nothing),
           CHECK_TEST(loaded_programs_are_used_like_others),
           CHECK_TEST(without_a_cache_gl_is_asked_nothing_new),
           CHECK_TEST(drivers_without_binaries), CHECK_TEST(a_driver_without_a_name_keeps_nothing),
           CHECK_TEST(half_a_cache_is_refused), CHECK_TEST(another_driver_has_other_keys),
           CHECK_TEST(keys_are_of_the_source), CHECK_TEST(each_byte_counts),
           CHECK_TEST(each_size_counts), CHECK_TEST(an_empty_entry_is_none),
           CHECK_TEST(another_programs_entry_is_refused),
           CHECK_TEST(sizes_that_change_between_the_calls),
           CHECK_TEST(entries_that_no_memory_holds), CHECK_TEST(refused_binaries_are_compiled),
           CHECK_TEST(unknown_formats_are_not_given_to_gl), CHECK_TEST(binaries_that_fail),
           CHECK_TEST(what_fails_is_not_stored), CHECK_TEST(other_errors_are_told))
