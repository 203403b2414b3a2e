/* Layer 4: kernel paths. What the library asks the driver for, what it makes of variants for subgroups
 * that are right, and of such that are broken on purpose, which sits between it and the driver. */
#include "check.h"
#include "headless_gl.h"
#include "sort_case.h"
#include "test_gl.h"

#include <glad/gl.h>
#include <stdlib.h>

static struct headless_gl gl;

/* What is done to shaders with an extension. */
static struct {
    const char *from, *to; /* replaced wherever it stands, NULL: nothing is */
    bool spares_probe;
    bool never_ready; /* fences tell nothing within any time */
    bool teams;       /* the driver calls itself NVIDIA's, whose tuning has teams rank rows */
} fault;

static struct {
    size_t sources, extensions, replaced, waits;
    size_t messages[3]; /* by level */
    char warning[3000]; /* the first one */
    char told[9000];    /* everything */
} seen;

static void clear(void)
{
    memset(&seen, 0, sizeof seen);
    memset(&fault, 0, sizeof fault);
}

static void keep_log(gl_segsort_log_level level, const char *message, void *user)
{
    (void)user;
    seen.messages[level]++;
    if (level == GL_SEGSORT_LOG_WARNING && seen.messages[level] == 1)
        snprintf(seen.warning, sizeof seen.warning, "%s", message);
    size_t length = strlen(seen.told);
    snprintf(seen.told + length, sizeof seen.told - length, "%s\n", message);
}

/* ---------------------------------------------------------------------------------------------- */
/* Between library and driver */

/* A copy with every `from` replaced, for the caller to free. */
static char *replace(const char *text, const char *from, const char *to)
{
    size_t count = 0, from_length = strlen(from), to_length = strlen(to);
    for (const char *at = strstr(text, from); at; at = strstr(at + from_length, from))
        count++;
    char *copy = malloc(strlen(text) + count * to_length + 1), *end = copy;
    if (!copy)
        abort();
    for (const char *at = strstr(text, from); at; at = strstr(text, from)) {
        memcpy(end, text, (size_t)(at - text));
        memcpy(end + (at - text), to, to_length);
        end += (size_t)(at - text) + to_length;
        text = at + from_length;
    }
    snprintf(end, strlen(text) + 1, "%s", text);
    seen.replaced += count;
    return copy;
}

static void GLAD_API_PTR change_source(GLuint shader, GLsizei count, const GLchar *const *strings,
                                       const GLint *lengths)
{
    bool extension = strstr(strings[0], "#extension") != NULL;
    bool probe = strstr(strings[count - 1], "segsort_probe_number") != NULL;
    seen.sources++;
    seen.extensions += extension;
    if (!extension || !fault.from || (probe && fault.spares_probe) || count != 2) {
        glShaderSource(shader, count, strings, lengths);
        return;
    }
    char *changed[2] = {replace(strings[0], fault.from, fault.to),
                        replace(strings[1], fault.from, fault.to)};
    glShaderSource(shader, 2, (const GLchar *const *)changed, NULL);
    free(changed[0]);
    free(changed[1]);
}

static GLenum GLAD_API_PTR wait_for_nothing(GLsync sync, GLbitfield flags, GLuint64 nanoseconds)
{
    seen.waits++;
    GLenum answer = glClientWaitSync(sync, flags, nanoseconds);
    return fault.never_ready ? GL_TIMEOUT_EXPIRED : answer;
}

static const GLubyte *GLAD_API_PTR pretend_nvidia(GLenum name)
{
    return name == GL_VENDOR || name == GL_RENDERER ? (const GLubyte *)"NVIDIA" : glGetString(name);
}

static gl_segsort_proc get_proc(const char *name)
{
    if (fault.teams && strcmp(name, "glGetString") == 0)
        return (gl_segsort_proc)pretend_nvidia;
    if (strcmp(name, "glShaderSource") == 0)
        return (gl_segsort_proc)change_source;
    if (strcmp(name, "glClientWaitSync") == 0)
        return (gl_segsort_proc)wait_for_nothing;
    return headless_gl_get_proc_address(name);
}

static bool has_subgroups(void)
{
    return test_gl_has_extension("GL_KHR_shader_subgroup") ||
           (test_gl_has_extension("GL_ARB_shader_ballot") &&
            test_gl_has_extension("GL_ARB_gpu_shader_int64"));
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts of a context on a path */

static gl_segsort_context *make_context(gl_segsort_kernel_path path, gl_segsort_state_policy policy)
{
    const gl_segsort_context_desc desc = {
        .get_proc_address = get_proc, .log = keep_log, .state_policy = policy, .kernel_path = path};
    gl_segsort_context *context = NULL;
    CHECK(gl_segsort_context_create(&desc, &context) == GL_SEGSORT_SUCCESS, "%s", seen.told);
    return context;
}

/* The size that all passes have that are no portable ones; 0: there are none. */
static uint32_t plan_size(gl_segsort_plan *plan)
{
    gl_segsort_plan_description description;
    uint32_t size = 0;
    if (!CHECK(gl_segsort_plan_describe(plan, &description) == GL_SEGSORT_SUCCESS, "describe"))
        return 0;
    for (uint32_t i = 0; i < description.pass_count; i++) {
        uint32_t own = description.passes[i].subgroup_size;
        CHECK(own == 0 || size == 0 || own == size, "sizes %u and %u", own, size);
        size = own > 0 ? own : size;
    }
    return size;
}

/* Makes a plan, sorts by it, and gives the size that its kernels were made for. */
static uint32_t check_sort(gl_segsort_context *context, const struct sort_case *sort)
{
    uint32_t size = 0;
    gl_segsort_plan_desc desc = sort_case_plan_desc(sort);
    gl_segsort_plan *plan = NULL;
    if (!CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "%s: %s",
               sort->name, gl_segsort_last_error(context)))
        return 0;
    size = plan_size(plan);
    CHECK(sort_case_check_plan(plan, sort), "%s", sort->name);
    gl_segsort_plan_destroy(plan);
    CHECK(glGetError() == GL_NO_ERROR, "%s: a GL error", sort->name);
    return size;
}

/* A sort by few kernels, which has a variant in it: of packs, unless the longest segment is long. */
static uint32_t check_few(gl_segsort_context *context, const char *name, uint32_t longest)
{
    const uint32_t lengths[] = {longest, 2, 100};
    gl_segsort_segment segments[3];
    const struct sort_case sort = {.name = name, .segments = segments, .segment_count = 3};
    generate_packed_segments(lengths, 3, 0, segments);
    return check_sort(context, &sort);
}

/* Sorts by each algorithm, of lengths that reach all kernels there are variants of. Gives the size
 * that kernels were made for. */
static uint32_t check_sorts(gl_segsort_context *context, const char *name)
{
    const uint32_t mixed[] = {9000, 300, 2, 700, 0, 1500, 40, 3000, 260, 5000, 1, 200000};
    const uint32_t equal[][7] = {{101, 101, 101, 101, 101, 101, 101}, {32, 32, 32, 32, 32, 32, 32}};
    gl_segsort_segment segments[12];
    uint32_t size = 0;
    for (int run = 0; run < 5; run++) {
        size_t count = run >= 3 ? 7 : 12;
        struct sort_case sort = {.name = name,
                                 .segments = segments,
                                 .segment_count = (uint32_t)count,
                                 .order = {.direction = (gl_segsort_direction)(run & 1)},
                                 .algorithm = run == 2 ? GL_SEGSORT_ALGORITHM_RADIX
                                                       : GL_SEGSORT_ALGORITHM_AUTO,
                                 .kind = run == 1 ? GENERATE_FEW_DISTINCT : GENERATE_RANDOM,
                                 .seed = (uint64_t)run};
        generate_packed_segments(run >= 3 ? equal[run - 3] : mixed, count, 0, segments);
        uint32_t own = check_sort(context, &sort);
        size = own > 0 ? own : size;
    }
    return size;
}

/* ---------------------------------------------------------------------------------------------- */

static void portable_has_no_extension(void)
{
    clear();
    gl_segsort_context *context =
        make_context(GL_SEGSORT_KERNEL_PATH_PORTABLE, GL_SEGSORT_STATE_RESTORE);
    CHECK(check_sorts(context, "portable") == 0, "a pass is not portable");
    CHECK(seen.sources > 0 && seen.extensions == 0, "%zu of %zu sources have an extension",
          seen.extensions, seen.sources);
    CHECK(seen.waits == 0, "%zu waits", seen.waits);
    CHECK(seen.messages[GL_SEGSORT_LOG_WARNING] == 0, "%s", seen.warning);
    gl_segsort_context_destroy(context);
}

/* GL_SEGSORT_TEST_SUBGROUP_SIZE tells what this driver's are. */
static void subgroups_pass_the_known_answer_test(void)
{
    const char *expected = getenv("GL_SEGSORT_TEST_SUBGROUP_SIZE");
    for (int policy = 0; policy < 2 && has_subgroups(); policy++) {
        char sentence[64];
        clear();
        gl_segsort_context *context =
            make_context(GL_SEGSORT_KERNEL_PATH_SUBGROUP, (gl_segsort_state_policy)policy);
        size_t created = seen.sources + seen.waits;
        CHECK(created == 0, "making a context takes %zu shaders and waits", created);
        uint32_t size = check_sorts(context, "subgroups");
        CHECK(strstr(seen.told, "the known-answer test of subgroups of "), "%s", seen.told);
        CHECK(!strstr(seen.told, "failed the known-answer test"), "%s", seen.told);
        snprintf(sentence, sizeof sentence, "subgroups of %s ", expected ? expected : "");
        CHECK(!expected || strstr(seen.told, sentence), "%s", seen.told);
        CHECK(!expected || size == 0 || size == (uint32_t)atoi(expected), "size %u", size);
        CHECK(strstr(seen.told, "-subgroup-"), "no program's label tells: %s", seen.told);
        gl_segsort_context_destroy(context);
    }
}

/* What has been tested is not tested again. */
static void the_test_runs_once(void)
{
    clear();
    gl_segsort_context *context =
        make_context(GL_SEGSORT_KERNEL_PATH_SUBGROUP, GL_SEGSORT_STATE_RESTORE);
    check_few(context, "first", 300);
    size_t waits = seen.waits, sources = seen.sources, warnings = seen.messages[1];
    check_few(context, "second", 300);
    CHECK(seen.waits == waits && seen.sources == sources, "%zu waits, %zu more", waits,
          seen.waits - waits);
    CHECK(seen.messages[1] == warnings, "%s", seen.told);
    gl_segsort_context_destroy(context);
}

/* A plan that has no use for subgroups pays for no test; unless the host asks for all there is. */
static void plans_without_variants_run_no_test(void)
{
    const uint32_t lengths[] = {4, 4, 4};
    gl_segsort_segment segments[3];
    generate_packed_segments(lengths, 3, 0, segments);
    const gl_segsort_plan_desc desc = {.segments = segments, .segment_count = 3}, none = {0};
    for (int path = 0; path < 3; path++) {
        clear();
        gl_segsort_plan *plan = NULL, *empty = NULL;
        gl_segsort_context *context =
            make_context((gl_segsort_kernel_path)path, GL_SEGSORT_STATE_RESTORE);
        CHECK(gl_segsort_plan_create(context, &none, &empty) == GL_SEGSORT_SUCCESS, "empty");
        CHECK(seen.sources == 0 && seen.waits == 0, "a plan without rows");
        CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "short");
        CHECK(seen.waits == 0 || path == GL_SEGSORT_KERNEL_PATH_SUBGROUP, "path %d: %zu waits",
              path, seen.waits);
        gl_segsort_plan_destroy(plan);
        gl_segsort_plan_destroy(empty);
        gl_segsort_context_destroy(context);
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* The context has to notice, say so, and sort all the same. */
static void check_fault(const char *name, const char *told)
{
    for (int policy = 0; policy < 2; policy++) {
        size_t replaced = seen.replaced, waits = seen.waits;
        gl_segsort_context *context =
            make_context(GL_SEGSORT_KERNEL_PATH_SUBGROUP, (gl_segsort_state_policy)policy);
        uint32_t size = check_few(context, name, fault.teams ? 9000 : 300);
        if (seen.replaced > replaced || (fault.never_ready && seen.waits > waits)) {
            CHECK(strstr(seen.warning, "failed the known-answer test") &&
                      strstr(seen.warning, told),
                  "%s: '%s'", name, seen.warning);
            CHECK(size == 0 || fault.spares_probe, "%s: kernels for subgroups of %u", name, size);
            CHECK(gl_segsort_last_error(context)[0] == '\0', "%s: '%s'", name,
                  gl_segsort_last_error(context));
        }
        CHECK(seen.messages[GL_SEGSORT_LOG_ERROR] == 0, "%s: %s", name, seen.told);
        gl_segsort_context_destroy(context);
        memset(seen.messages, 0, sizeof seen.messages);
        seen.warning[0] = '\0';
    }
}

static void broken_variants_are_not_used(void)
{
    static const struct {
        const char *name, *from, *to, *told;
        bool spares_probe;
        enum { EITHER, KHR, ARB } api; /* whose lines are broken */
        bool teams;
    } cases[] = {
        {"a ballot with a wrong bit", "return votes.x;", "return votes.x ^ 4u;", "the ballot of",
         false, EITHER, false},
        {"a ballot in the wrong order", "return votes.x;", "return bitfieldReverse(votes.x);",
         "the ballot of", false, EITHER, false},
        {"wrong lanes below", "(1u << segsort_lane()) - 1u", "(1u << segsort_lane())",
         "subgroup-probe: with subgroups of", false, EITHER, false},
        {"a wrong lane", "return gl_SubGroupInvocationARB;",
         "return gl_SubGroupInvocationARB ^ 1u;", "the lane", false, ARB, false},
        {"a wrong lane", "return gl_SubgroupInvocationID;", "return gl_SubgroupInvocationID ^ 1u;",
         "the lane", false, KHR, false},
        {"a wrong subgroup", "return gl_SubgroupID;", "return gl_SubgroupID ^ 1u;",
         "subgroup-probe: with subgroups of", false, KHR, false},
        {"a wrong size", "return gl_SubGroupSizeARB;", "return gl_SubGroupSizeARB * 2u;",
         "subgroup-probe: with subgroups of", false, ARB, false},
        {"a wrong size", "return gl_SubgroupSize;", "return gl_SubgroupSize * 2u;",
         "subgroup-probe: with subgroups of", false, KHR, false},
        {"no size at all", "return gl_SubGroupSizeARB;", "return 0u;",
         "there are no kernels for subgroups of 0", false, ARB, false},
        {"no source", "#define SEGSORT_GLSL 1", "#error broken", "does not compile", false, EITHER,
         false},
        {"an unknown extension", ": require", "_nobody_knows : require", "does not compile", false,
         EITHER, false},
        {"a wrong scan", "return segsort_scan_subgroup(number);",
         "return segsort_scan_subgroup(number) + 1u;", "the sort of", true, KHR, false},
        {"a wrong lane apart", "subgroupShuffleXor(numbers, distance)", "numbers",
         "the numbers of other lanes", false, KHR, false},
        {"a wrong lane's number", "subgroupShuffle(number, lane)", "number",
         "the numbers of other lanes", false, KHR, false},
        {"a wrong rank", "lane_entry[n] |= count + below;", "lane_entry[n] |= count;",
         "the sort of", true, EITHER, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].api != EITHER &&
            (cases[i].api == KHR) != test_gl_has_extension("GL_KHR_shader_subgroup"))
            continue;
        clear();
        fault.from = cases[i].from;
        fault.to = cases[i].to;
        fault.spares_probe = cases[i].spares_probe;
        fault.teams = cases[i].teams;
        check_fault(cases[i].name, cases[i].told);
        /* Teams have eight lanes at least. */
        bool narrow = strstr(seen.told, "test of subgroups of 4 ") != NULL;
        bool reached = has_subgroups() && !(cases[i].teams && narrow);
        CHECK((seen.replaced > 0) == reached, "%s: %zu replaced", cases[i].name, seen.replaced);
    }
}

static void kernels_that_never_end_are_not_used(void)
{
    clear();
    fault.never_ready = true;
    check_fault("no answer", "no answer came within 2 s");
    CHECK(seen.waits == (has_subgroups() ? 2 : 0), "%zu waits", seen.waits);
}

/* Nothing is ever waited for again by a context that has given up. */
static void asked_for_and_not_there_is_told(void)
{
    clear();
    fault.from = "#define SEGSORT_GLSL 1";
    fault.to = "#error broken";
    gl_segsort_context *context =
        make_context(GL_SEGSORT_KERNEL_PATH_SUBGROUP, GL_SEGSORT_STATE_RESTORE);
    check_sorts(context, "broken");
    const char *const kernels[] = {"bucket-local",  "bucket-equal", "rank-quads",   "radix-local",
                                   "radix-scatter", "radix-spine",  "split-sample", "split-finish"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        char sentence[64];
        snprintf(sentence, sizeof sentence, "%s is portable in spite of kernel_path", kernels[i]);
        const char *first = strstr(seen.told, sentence);
        CHECK(first && !strstr(first + 1, sentence), "%s: not once in %s", kernels[i], seen.told);
    }
    gl_segsort_context_destroy(context);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(portable_has_no_extension),
                                              CHECK_TEST(subgroups_pass_the_known_answer_test),
                                              CHECK_TEST(the_test_runs_once),
                                              CHECK_TEST(plans_without_variants_run_no_test),
                                              CHECK_TEST(broken_variants_are_not_used),
                                              CHECK_TEST(kernels_that_never_end_are_not_used),
                                              CHECK_TEST(asked_for_and_not_there_is_told)};
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    int result = check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
    headless_gl_destroy(&gl);
    return result;
}
