/* Why something failed, as one sentence that names the culprit. */
#ifndef FAILURE_H
#define FAILURE_H

#include <stdbool.h>

struct failure {
    char text[2048];
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
/* Formats the sentence, cut where it is too long. Always returns false, so that a function can
 * return its result. */
bool failure_set(struct failure *failure, const char *format, ...);

#endif
