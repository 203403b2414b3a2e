/* Q2RTX 129 and its like, before any driver sees a shader: rules about barriers that can be read
 * off the text. A barrier that some invocations of a work group don't reach hangs some GPUs and not
 * others, so running is no proof.
 *
 * The texts are the ones that the library embeds, with their includes. Each rule is first tried on
 * texts that break it. */
#include "check.h"
#include "sources.h"

#include <ctype.h>
#include <stdlib.h>

#define MAX_FUNCTIONS 256
#define MAIN_LINES_MAX 40

struct function {
    char name[64];
    const char *body, *end; /* between the braces */
    bool synchronizes;      /* calls barrier(), or a function that does */
};

struct shader {
    char *text; /* comments and directives blanked */
    struct function functions[MAX_FUNCTIONS];
    size_t function_count;
};

/* ---------------------------------------------------------------------------------------------- */
/* Reading GLSL, as far as the rules need it */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

static void blank_comments(char *text)
{
    for (char *at = text; *at; at++) {
        const char *end = NULL;
        if (strncmp(at, "//", 2) == 0 || *at == '#')
            end = strchr(at, '\n');
        else if (strncmp(at, "/*", 2) == 0)
            end = strstr(at, "*/") ? strstr(at, "*/") + 2 : NULL;
        else
            continue;
        blank(at, end ? end : at + strlen(at));
    }
}

/* The next whole word in [at, end), or NULL. */
static const char *find_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (; at + length <= end; at++)
        if (strncmp(at, word, length) == 0 && !is_word(at[length]) && !is_word(at[-1]))
            return at;
    return NULL;
}

/* The next call of a function in [at, end), or NULL. */
static const char *find_call(const char *at, const char *end, const char *name)
{
    while ((at = find_word(at, end, name)) != NULL) {
        const char *next = at + strlen(name);
        while (next < end && isspace((unsigned char)*next))
            next++;
        if (next < end && *next == '(')
            return at;
        at++;
    }
    return NULL;
}

/* Steps back over white space: the last character before at that is none. */
static const char *before(const char *at, const char *begin)
{
    do
        at--;
    while (at > begin && isspace((unsigned char)*at));
    return at;
}

/* The bracket that closes or opens at one, in the direction of step. */
static const char *matching(const char *at, const char *limit, int step)
{
    const char open = *at, close = open == '{' ? '}' : open == ')' ? '(' : ')';
    int depth = 0;
    for (; at != limit; at += step) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            return at;
    }
    fprintf(stderr, "a '%c' without its '%c'\n", open, close);
    abort();
}

/* Copies the word that ends at last. */
static void word_ending_at(const char *last, const char *begin, char *word, size_t size)
{
    const char *first = last;
    while (first > begin && is_word(first[-1]))
        first--;
    snprintf(word, size, "%.*s", is_word(*last) ? (int)(last - first + 1) : 0, first);
}

/* A function's body is the block behind a closing parenthesis outside of all blocks. */
static void find_functions(struct shader *shader)
{
    const char *begin = shader->text, *end = begin + strlen(begin);
    for (const char *at = begin; at < end; at++) {
        if (*at != '{')
            continue;
        const char *close = matching(at, end, 1), *last = before(at, begin);
        if (*last == ')' && shader->function_count < MAX_FUNCTIONS) {
            struct function *function = &shader->functions[shader->function_count++];
            const char *open = matching(last, begin - 1, -1);
            word_ending_at(before(open, begin), begin, function->name, sizeof function->name);
            function->body = at + 1;
            function->end = close;
            function->synchronizes = false;
        }
        at = close;
    }
}

/* The next call in the function that synchronizes, or NULL. */
static const char *find_sync(const struct shader *shader, const struct function *function,
                             const char *at)
{
    const char *found = find_call(at, function->end, "barrier");
    for (size_t i = 0; i < shader->function_count; i++) {
        if (!shader->functions[i].synchronizes)
            continue;
        const char *call = find_call(at, function->end, shader->functions[i].name);
        if (call && (!found || call < found))
            found = call;
    }
    return found;
}

static void mark_synchronizing(struct shader *shader)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < shader->function_count; i++) {
            struct function *function = &shader->functions[i];
            if (!function->synchronizes && find_sync(shader, function, function->body))
                function->synchronizes = changed = true;
        }
    }
}

static void shader_read(struct shader *shader, const char *text)
{
    size_t size = strlen(text) + 2;
    memset(shader, 0, sizeof *shader);
    shader->text = malloc(size);
    if (!shader->text)
        abort();
    snprintf(shader->text, size, "\n%s", text); /* so that there is something before every word */
    blank_comments(shader->text);
    find_functions(shader);
    mark_synchronizing(shader);
}

static void shader_free(struct shader *shader)
{
    free(shader->text);
}

static const struct function *find_function(const struct shader *shader, const char *name)
{
    for (size_t i = 0; i < shader->function_count; i++)
        if (strcmp(shader->functions[i].name, name) == 0)
            return &shader->functions[i];
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- */
/* Rules. Each counts what breaks it. */

/* No return in main, and none before a barrier anywhere. */
static size_t returns_before_barriers(const struct shader *shader)
{
    size_t count = 0;
    for (size_t i = 0; i < shader->function_count; i++) {
        const struct function *function = &shader->functions[i];
        const char *last = NULL, *at = function->body;
        while ((at = find_sync(shader, function, at)) != NULL)
            last = at++;
        if (strcmp(function->name, "main") == 0)
            last = function->end;
        at = last ? find_word(function->body, last, "return") : NULL;
        for (; at; at = find_word(at + 1, last, "return"))
            count++;
    }
    return count;
}

/* Every barrier() comes right behind the memory barrier that makes it mean something. */
static size_t barriers_without_memory_barrier(const struct shader *shader)
{
    static const char *const memory[] = {"memoryBarrierShared();", "memoryBarrierBuffer();",
                                         "groupMemoryBarrier();", "memoryBarrier();"};
    size_t count = 0;
    const char *end = shader->text + strlen(shader->text);
    const char *at = find_call(shader->text + 1, end, "barrier");
    for (; at; at = find_call(at + 1, end, "barrier")) {
        const char *last = before(at, shader->text);
        bool found = false;
        for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
            size_t length = strlen(memory[i]);
            found = found || ((size_t)(last - shader->text) >= length &&
                              strncmp(last + 1 - length, memory[i], length) == 0);
        }
        count += !found;
    }
    return count;
}

/* Whether what stands before at, a statement or a block, makes it depend on a condition. */
static bool is_conditional(const char *at, const char *begin)
{
    char word[16];
    const char *last = before(at, begin);
    if (*last == ')')
        last = before(matching(last, begin - 1, -1), begin);
    word_ending_at(last, begin, word, sizeof word);
    return strcmp(word, "if") == 0 || strcmp(word, "else") == 0 || strcmp(word, "switch") == 0;
}

/* No barrier under an if: invocations could disagree. Loops are allowed, their bounds are the work
 * group's. */
static size_t barriers_under_conditions(const struct shader *shader)
{
    size_t count = 0;
    for (size_t i = 0; i < shader->function_count; i++) {
        const struct function *function = &shader->functions[i];
        const char *call = find_sync(shader, function, function->body);
        for (; call; call = find_sync(shader, function, call + 1)) {
            bool conditional = is_conditional(call, shader->text);
            int depth = 0;
            for (const char *at = call; at >= function->body; at--) {
                depth += *at == '}';
                depth -= *at == '{';
                if (depth < 0) {
                    conditional = conditional || is_conditional(at, shader->text);
                    depth = 0;
                }
            }
            count += conditional;
        }
    }
    return count;
}

/* A main reads as a few named steps. */
static size_t lines_of_main(const struct shader *shader)
{
    const struct function *function = find_function(shader, "main");
    size_t lines = 0;
    for (const char *at = function ? function->body : NULL; at && at < function->end; at++)
        lines += *at == '\n';
    return lines;
}

/* ---------------------------------------------------------------------------------------------- */
/* Texts that break a rule, and their neighbours that don't */

typedef size_t (*rule)(const struct shader *shader);

static size_t count_in(rule apply, const char *text)
{
    struct shader shader;
    shader_read(&shader, text);
    size_t count = apply(&shader);
    shader_free(&shader);
    return count;
}

static void returns_are_found(void)
{
    rule apply = returns_before_barriers;
    CHECK(count_in(apply, "void main() { if (a) return; b(); }") == 1, "in main");
    CHECK(count_in(apply, "void f() { if (a) return; barrier(); }") == 1, "before a barrier");
    CHECK(count_in(apply,
                   "void g() { barrier(); } int f() { if (a) { return 1; } g(); return 2; }") == 1,
          "before a call");
    CHECK(count_in(apply, "void f() { barrier(); return; } void main() { f(); }") == 0, "behind");
    CHECK(count_in(apply, "int f() { if (a) return 1; return 2; } void main() { f(); }") == 0,
          "no barrier");
    CHECK(count_in(apply, "void main() { returned(); // return\n /* return */ }") == 0, "comments");
}

static void lone_barriers_are_found(void)
{
    rule apply = barriers_without_memory_barrier;
    CHECK(count_in(apply, "void f() { a = 1; barrier(); }") == 1, "alone");
    CHECK(count_in(apply, "void f() { memoryBarrierShared(); a(); barrier(); }") == 1, "between");
    CHECK(count_in(apply, "void f() {\n memoryBarrierShared();\n // why\n barrier();\n }") == 0,
          "pair");
    CHECK(count_in(apply, "void f() { memoryBarrierBuffer(); barrier(); barrier(); }") == 1, "two");
}

static void conditional_barriers_are_found(void)
{
    rule apply = barriers_under_conditions;
    CHECK(count_in(apply, "void f() { if (a(1)) barrier(); }") == 1, "if");
    CHECK(count_in(apply, "void f() { if (a) { b(); barrier(); } }") == 1, "block");
    CHECK(count_in(apply, "void f() { if (a) { b(); } else { for (;;) { barrier(); } } }") == 1,
          "else, loop");
    CHECK(count_in(apply, "void g() { barrier(); } void f() { if (a) g(); }") == 1, "call");
    CHECK(count_in(apply, "void f() { if (a) { b(); } barrier(); for (;;) barrier(); }") == 0,
          "behind");
}

/* ---------------------------------------------------------------------------------------------- */

static void apply_to_all(rule apply, const char *what)
{
    CHECK(segsort_source_count > 0, "no shaders are embedded");
    for (unsigned i = 0; i < segsort_source_count; i++) {
        size_t count = count_in(apply, segsort_sources[i].text);
        CHECK(count == 0, "%s: %zu %s", segsort_sources[i].name, count, what);
    }
}

static void no_return_before_a_barrier(void)
{
    apply_to_all(returns_before_barriers, "returns before a barrier or in main");
}

static void no_barrier_without_memory_barrier(void)
{
    apply_to_all(barriers_without_memory_barrier, "barrier() without a memory barrier before it");
}

static void no_barrier_under_a_condition(void)
{
    apply_to_all(barriers_under_conditions, "barriers under a condition");
}

/* The parser has to have found what there is to judge. */
static void mains_are_short(void)
{
    bool any_synchronizes = false;
    for (unsigned i = 0; i < segsort_source_count; i++) {
        struct shader shader;
        shader_read(&shader, segsort_sources[i].text);
        const struct function *main_function = find_function(&shader, "main");
        if (CHECK(main_function, "%s: no main", segsort_sources[i].name)) {
            any_synchronizes = any_synchronizes || main_function->synchronizes;
            CHECK(lines_of_main(&shader) <= MAIN_LINES_MAX, "%s: main has %zu lines",
                  segsort_sources[i].name, lines_of_main(&shader));
        }
        shader_free(&shader);
    }
    CHECK(any_synchronizes, "no kernel has a barrier");
}

CHECK_MAIN(CHECK_TEST(returns_are_found), CHECK_TEST(lone_barriers_are_found),
           CHECK_TEST(conditional_barriers_are_found), CHECK_TEST(no_return_before_a_barrier),
           CHECK_TEST(no_barrier_without_memory_barrier), CHECK_TEST(no_barrier_under_a_condition),
           CHECK_TEST(mains_are_short))
