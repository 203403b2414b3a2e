/* Named test functions and checks that go on after a failure. A test executable lists its tests
 * with CHECK_MAIN and runs all of them, or those whose names contain its argument. */
#ifndef CHECK_H
#define CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct check_test {
    const char *name;
    void (*run)(void);
};

static int check_failures;

static inline bool check_that(bool holds, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline bool check_that(bool holds, const char *file, int line, const char *format, ...)
{
    if (holds)
        return true;
    va_list arguments;
    va_start(arguments, format);
    check_failures++;
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    return false;
}

/* Counts a failure and prints where, and the message, unless condition holds. Gives condition. */
#define CHECK(condition, ...) check_that((condition), __FILE__, __LINE__, __VA_ARGS__)

static inline int check_main(int argc, char **argv, const struct check_test *tests, size_t count)
{
    size_t ran = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        if (argc > 1 && !strstr(tests[i].name, argv[1]))
            continue;
        int before = check_failures;
        tests[i].run();
        ran++;
        failed += check_failures != before;
        printf("%s %s\n", check_failures == before ? "ok    " : "FAILED", tests[i].name);
        fflush(stdout);
    }
    printf("%zu tests, %zu failed\n", ran, failed);
    return ran == 0 || failed != 0;
}

#define CHECK_TEST(function)                                                                       \
    {                                                                                              \
#function, function                                                                        \
    }
#define CHECK_MAIN(...)                                                                            \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const struct check_test tests[] = {__VA_ARGS__};                                    \
        return check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);                      \
    }

#endif
