#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

bool failure_set(struct failure *failure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    /* clang-tidy 14 forgets about va_start when it is given several files at once. */
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return false;
}
